//! The topology of a triangulation: simplices and their adjacency, without coordinates.
//!
//! Triangles (`D = 2`) and tetrahedra (`D = 3`) are one type with room for four corners, half a cache line;
//! the last corner of a triangle is unused. Every simplex of a complete complex has a neighbor across each
//! facet; on the convex hull, that is a simplex with the corner [`INFINITE_VERTEX`].

use super::visited_index_set::VisitedIndexSet;

/// The vertex at infinity: each facet of the convex hull forms a simplex with it.
pub const INFINITE_VERTEX: u32 = u32::MAX;

/// Largest number of corners of a simplex.
pub const MAX_CORNERS: usize = 4;

/// A triangle or tetrahedron: its corners, positively oriented, and its neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelaunaySimplex {
    /// The vertex at each corner.
    pub vertices: [u32; MAX_CORNERS],
    /// For the facet opposite to each corner, the same facet as seen from the neighbor.
    pub mirror_facets: [SimplexFacet; MAX_CORNERS],
}

/// A facet of a simplex, identified by the corner opposite to it; both are packed into 32 bits.
///
/// ```
/// use carom_detect::laguerre::SimplexFacet;
/// let facet = SimplexFacet::new(17, 2);
/// assert_eq!((facet.simplex(), facet.corner()), (17, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SimplexFacet(u32);

impl SimplexFacet {
    /// The facet of no simplex.
    pub const NONE: SimplexFacet = SimplexFacet(u32::MAX);

    /// Returns the facet of a simplex opposite to one of its corners.
    #[inline]
    pub fn new(simplex: u32, corner: usize) -> Self {
        SimplexFacet(simplex << 2 | corner as u32)
    }

    /// Returns the simplex.
    #[inline]
    pub fn simplex(self) -> u32 {
        self.0 >> 2
    }

    /// Returns the corner of the simplex that is not on the facet.
    #[inline]
    pub fn corner(self) -> usize {
        (self.0 & 3) as usize
    }
}

impl DelaunaySimplex {
    const FREE: DelaunaySimplex = DelaunaySimplex {
        vertices: [INFINITE_VERTEX; MAX_CORNERS],
        mirror_facets: [SimplexFacet::NONE; MAX_CORNERS],
    };

    /// Returns the corner at which a vertex is, if it is one of the simplex.
    #[inline]
    pub fn corner_of(&self, vertex: u32) -> Option<usize> {
        (0..MAX_CORNERS).find(|&corner| self.vertices[corner] == vertex)
    }
}

/// Largest number of simplices: a [`SimplexFacet`] leaves 30 bits for theirs.
pub(crate) const MAX_SIMPLICES: usize = 1 << 30;

/// Simplices that fill space without gaps or overlaps, with slots of removed ones reused.
#[derive(Clone, Debug, Default)]
pub struct SimplicialComplex<const D: usize> {
    simplices: Vec<DelaunaySimplex>,
    free: Vec<u32>,
}

impl<const D: usize> SimplicialComplex<D> {
    /// Makes an empty complex with room for `simplices`.
    pub(crate) fn with_capacity(simplices: usize) -> Self {
        SimplicialComplex { simplices: Vec::with_capacity(simplices), free: Vec::new() }
    }

    /// Returns a simplex by its number.
    #[inline]
    pub fn simplex(&self, simplex: u32) -> &DelaunaySimplex {
        &self.simplices[simplex as usize]
    }

    /// Returns the vertex opposite to a facet.
    #[inline]
    pub fn apex(&self, facet: SimplexFacet) -> u32 {
        self.simplex(facet.simplex()).vertices[facet.corner()]
    }

    /// Returns a facet as seen from the simplex on its other side.
    ///
    /// ```
    /// # use carom_detect::laguerre::{INFINITE_VERTEX, SimplexFacet, SimplicialComplex};
    /// # let triangles = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    /// # let corners = triangles.map(|[a, b, c]| [a, b, c, INFINITE_VERTEX]);
    /// // On a tetrahedron, the vertex beyond a side of the triangle 1, 2, 3 is always vertex 0.
    /// let tetrahedron = SimplicialComplex::<2>::from_simplices(&corners)?;
    /// for corner in 0..3 {
    ///     let side = SimplexFacet::new(0, corner);
    ///     let across = tetrahedron.mirror_facet(side);
    ///     assert_eq!((tetrahedron.apex(across), tetrahedron.mirror_facet(across)), (0, side));
    /// }
    /// # Ok::<(), String>(())
    /// ```
    #[inline]
    pub fn mirror_facet(&self, facet: SimplexFacet) -> SimplexFacet {
        self.simplex(facet.simplex()).mirror_facets[facet.corner()]
    }

    /// Iterates over the numbers of all simplices, ascending.
    pub fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.simplices.len() as u32).filter(|&simplex| !self.is_free(simplex))
    }

    /// Iterates over all simplices without the corner [`INFINITE_VERTEX`], ascending.
    pub fn finite_simplices(&self) -> impl Iterator<Item = (u32, &DelaunaySimplex)> + '_ {
        let inner = |simplex: &DelaunaySimplex| !simplex.vertices[..=D].contains(&INFINITE_VERTEX);
        (0..).zip(&self.simplices).filter(move |(_, simplex)| inner(simplex))
    }

    /// Returns the number of simplices, those with the corner [`INFINITE_VERTEX`] included.
    pub fn count(&self) -> usize {
        self.simplices.len() - self.free.len()
    }

    /// Returns the number of slots, free ones included: one more than the highest number of a simplex.
    pub fn slot_count(&self) -> usize {
        self.simplices.len()
    }

    /// Returns whether no simplex has this number at present.
    #[inline]
    pub fn is_free(&self, simplex: u32) -> bool {
        let vertices = &self.simplex(simplex).vertices;
        vertices[0] == INFINITE_VERTEX && vertices[1] == INFINITE_VERTEX
    }

    /// Adds a simplex without neighbors and returns its number.
    #[inline]
    pub(crate) fn add(&mut self, vertices: [u32; MAX_CORNERS]) -> u32 {
        let simplex =
            DelaunaySimplex { vertices, mirror_facets: [SimplexFacet::NONE; MAX_CORNERS] };
        match self.free.pop() {
            Some(number) => {
                self.simplices[number as usize] = simplex;
                number
            }
            None => {
                self.simplices.push(simplex);
                self.simplices.len() as u32 - 1
            }
        }
    }

    /// Removes a simplex; those across its facets must get other neighbors.
    #[inline]
    pub(crate) fn remove(&mut self, simplex: u32) {
        self.simplices[simplex as usize] = DelaunaySimplex::FREE;
        self.free.push(simplex);
    }

    /// Releases the number of a simplex for reuse. Until then, or until
    /// [`clear_released`](Self::clear_released), the simplex itself is left as it is.
    #[inline]
    pub(crate) fn release(&mut self, simplex: u32) {
        self.free.push(simplex);
    }

    /// Removes all simplices that were released.
    pub(crate) fn clear_released(&mut self) {
        for &simplex in &self.free {
            self.simplices[simplex as usize] = DelaunaySimplex::FREE;
        }
    }

    /// Makes two facets mirror each other.
    #[inline]
    pub(crate) fn link_facets(&mut self, one: SimplexFacet, other: SimplexFacet) {
        self.set_mirror_facet(one, other);
        self.set_mirror_facet(other, one);
    }

    #[inline]
    pub(crate) fn set_mirror_facet(&mut self, facet: SimplexFacet, other: SimplexFacet) {
        self.simplices[facet.simplex() as usize].mirror_facets[facet.corner()] = other;
    }

    /// Builds a complex of the given simplices, linked where two have a facet in common. Fails if a facet
    /// belongs to more than two of them, or to one alone.
    ///
    /// ```
    /// use carom_detect::laguerre::{INFINITE_VERTEX, SimplicialComplex};
    /// // The surface of a tetrahedron.
    /// let triangles = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    /// let corners = triangles.map(|[a, b, c]| [a, b, c, INFINITE_VERTEX]);
    /// let complex = SimplicialComplex::<2>::from_simplices(&corners)?;
    /// assert_eq!((complex.count(), complex.check()), (4, Ok(())));
    /// assert!(SimplicialComplex::<2>::from_simplices(&corners[1..]).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn from_simplices(corners: &[[u32; MAX_CORNERS]]) -> Result<Self, String> {
        let mut complex = SimplicialComplex::with_capacity(corners.len());
        let mut facets = Vec::with_capacity(corners.len() * (D + 1));
        for &vertices in corners {
            let simplex = complex.add(vertices);
            for corner in 0..=D {
                facets.push((
                    facet_vertices::<D>(&vertices, corner),
                    SimplexFacet::new(simplex, corner),
                ));
            }
        }
        // Sorted, two simplices that share a facet stand side by side; a hash map would give an order of its own.
        facets.sort_unstable();
        for same in facets.chunk_by(|one, other| one.0 == other.0) {
            match same {
                [(_, one), (_, other)] => complex.link_facets(*one, *other),
                _ => {
                    let vertices = &same[0].0[..D];
                    return Err(format!("{} simplices have the facet {vertices:?}", same.len()));
                }
            }
        }
        Ok(complex)
    }

    /// Returns all slots in order of their numbers, free ones included.
    #[inline]
    pub fn slots(&self) -> &[DelaunaySimplex] {
        &self.simplices
    }

    /// Renumbers the simplices by their least vertex: if vertices near each other have numbers near each
    /// other, the simplices around a vertex are then close in memory. Returns the new number of each.
    pub fn reorder_by_least_vertex(&mut self) -> Vec<u32> {
        let least = |simplex: &DelaunaySimplex| {
            simplex.vertices[..=D].iter().copied().min().unwrap_or(INFINITE_VERTEX)
        };
        let mut order: Vec<u32> = self.indices().collect();
        order.sort_by_cached_key(|&number| least(self.simplex(number)));
        let mut new = vec![u32::MAX; self.simplices.len()];
        for (to, &from) in order.iter().enumerate() {
            new[from as usize] = to as u32;
        }
        let moved =
            |facet: SimplexFacet| SimplexFacet::new(new[facet.simplex() as usize], facet.corner());
        let simplices = order.iter().map(|&number| {
            let mut simplex = *self.simplex(number);
            for facet in &mut simplex.mirror_facets[..=D] {
                *facet = moved(*facet);
            }
            simplex
        });
        self.simplices = simplices.collect();
        self.free.clear();
        new
    }

    /// Finds the simplices at a vertex, of which `first` is one, and writes them to `found`.
    ///
    /// ```
    /// # use carom_detect::laguerre::{INFINITE_VERTEX, SimplicialComplex, VisitedIndexSet};
    /// # let triangles = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    /// # let corners = triangles.map(|[a, b, c]| [a, b, c, INFINITE_VERTEX]);
    /// let tetrahedron = SimplicialComplex::<2>::from_simplices(&corners)?;
    /// // The three triangles at vertex 0, all but triangle 0.
    /// let (mut visited, mut found) = (VisitedIndexSet::default(), Vec::new());
    /// tetrahedron.star(0, 2, &mut visited, &mut found);
    /// found.sort();
    /// assert_eq!(found, [1, 2, 3]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn star(&self, vertex: u32, first: u32, seen: &mut VisitedIndexSet, found: &mut Vec<u32>) {
        found.clear();
        seen.clear();
        seen.insert(first);
        found.push(first);
        let mut next = 0;
        while let Some(&simplex) = found.get(next) {
            next += 1;
            let DelaunaySimplex { vertices, mirror_facets: across } = self.simplex(simplex);
            for corner in 0..=D {
                let neighbor = across[corner].simplex();
                if vertices[corner] != vertex && seen.insert(neighbor).1 {
                    found.push(neighbor);
                }
            }
        }
    }

    /// Verifies that every facet is the mirror of its mirror and has the same vertices there, and that the
    /// two simplices are on different sides of it.
    pub fn check(&self) -> Result<(), String> {
        for number in self.indices() {
            let simplex = self.simplex(number);
            for corner in 0..=D {
                let facet = SimplexFacet::new(number, corner);
                let other = simplex.mirror_facets[corner];
                if other == SimplexFacet::NONE || self.is_free(other.simplex()) {
                    return Err(format!("nothing is across facet {corner} of simplex {number}"));
                }
                if self.mirror_facet(other) != facet {
                    return Err(format!(
                        "facet {corner} of simplex {number} is joined one way only"
                    ));
                }
                let neighbor = self.simplex(other.simplex());
                let there = facet_vertices::<D>(&neighbor.vertices, other.corner());
                if facet_vertices::<D>(&simplex.vertices, corner) != there {
                    return Err(format!(
                        "facet {corner} of simplex {number} has two sets of vertices"
                    ));
                }
                if !self.are_on_opposite_sides(simplex, corner, neighbor, other.corner()) {
                    return Err(format!("simplex {number} and one across it lie on the same side"));
                }
            }
        }
        Ok(())
    }

    /// Returns whether two positively oriented simplices with a common facet are on opposite sides of it:
    /// then the corners of one, its apex exchanged for the other's, are an odd permutation of the other's.
    fn are_on_opposite_sides(
        &self,
        one: &DelaunaySimplex,
        corner: usize,
        other: &DelaunaySimplex,
        apex: usize,
    ) -> bool {
        let mut corners = one.vertices;
        corners[corner] = other.vertices[apex];
        let mut odd = false;
        for place in 0..=D {
            let Some(from) = (place..=D).find(|&k| corners[k] == other.vertices[place]) else {
                return false;
            };
            if from != place {
                corners.swap(from, place);
                odd = !odd;
            }
        }
        odd
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.simplices.capacity() * size_of::<DelaunaySimplex>() + self.free.capacity() * 4
    }
}

/// Returns the vertices of a facet in ascending order; unused entries are [`INFINITE_VERTEX`].
pub(crate) fn facet_vertices<const D: usize>(
    vertices: &[u32; MAX_CORNERS],
    corner: usize,
) -> [u32; 3] {
    let mut facet = [INFINITE_VERTEX; 3];
    for (place, k) in (0..=D).filter(|&k| k != corner).enumerate() {
        facet[place] = vertices[k];
    }
    facet[..D].sort_unstable();
    facet
}
