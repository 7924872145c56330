//! Simplices and how they hang together: the topology of a triangulation. Nothing here looks at
//! coordinates.
//!
//! Triangles (`D = 2`) and tetrahedra (`D = 3`) are one type with room for four corners, half a
//! cache line; of the plane's triangles the last place is unused. Every simplex of a whole complex has
//! a neighbour across each facet; where the triangulated region ends, that is a simplex with the
//! corner [`OUTSIDE`].

use super::seen::SeenNumbers;

/// The vertex that stands for all that is outside: each outer facet makes a simplex with it.
pub const OUTSIDE: u32 = u32::MAX;

/// The most corners of a simplex.
pub const CORNERS: usize = 4;

/// A triangle or tetrahedron: its corners, positively oriented, and what lies across each facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simplex {
    /// Vertices at the corners.
    pub vertices: [u32; CORNERS],
    /// Across the facet opposite to each corner: the same facet, seen from the neighbour.
    pub across: [Facet; CORNERS],
}

/// A facet of a simplex, named by the corner it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facet(u32);

impl Facet {
    /// Of no simplex.
    pub const NONE: Facet = Facet(u32::MAX);

    /// The facet of a simplex opposite to one of its corners.
    #[inline]
    pub fn new(simplex: u32, corner: usize) -> Self {
        Facet(simplex << 2 | corner as u32)
    }

    /// The simplex.
    #[inline]
    pub fn simplex(self) -> u32 {
        self.0 >> 2
    }

    /// The corner of the simplex that is not on the facet.
    #[inline]
    pub fn corner(self) -> usize {
        (self.0 & 3) as usize
    }
}

impl Simplex {
    const FREE: Simplex = Simplex { vertices: [OUTSIDE; CORNERS], across: [Facet::NONE; CORNERS] };

    /// At which corner a vertex stands.
    #[inline]
    pub fn corner_of(&self, vertex: u32) -> Option<usize> {
        (0..CORNERS).find(|&corner| self.vertices[corner] == vertex)
    }
}

/// So many simplices can be numbered.
pub(crate) const MOST_SIMPLICES: usize = 1 << 30;

/// Simplices that fill space without gap or overlap.
#[derive(Clone, Debug, Default)]
pub struct Complex<const D: usize> {
    simplices: Vec<Simplex>,
    free: Vec<u32>,
}

impl<const D: usize> Complex<D> {
    /// No simplex yet, but room for so many.
    pub fn with_capacity(simplices: usize) -> Self {
        Complex { simplices: Vec::with_capacity(simplices), free: Vec::new() }
    }

    /// A simplex by its number.
    #[inline]
    pub fn simplex(&self, simplex: u32) -> &Simplex {
        &self.simplices[simplex as usize]
    }

    /// The vertex opposite to a facet.
    #[inline]
    pub fn apex(&self, facet: Facet) -> u32 {
        self.simplex(facet.simplex()).vertices[facet.corner()]
    }

    /// A facet seen from the other side.
    #[inline]
    pub fn across(&self, facet: Facet) -> Facet {
        self.simplex(facet.simplex()).across[facet.corner()]
    }

    /// All simplices, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.simplices.len() as u32).filter(|&simplex| !self.is_free(simplex))
    }

    /// All simplices without the corner [`OUTSIDE`], ascending.
    pub fn inner(&self) -> impl Iterator<Item = (u32, &Simplex)> + '_ {
        let inner = |simplex: &Simplex| !simplex.vertices[..=D].contains(&OUTSIDE);
        (0..).zip(&self.simplices).filter(move |(_, simplex)| inner(simplex))
    }

    /// How many simplices there are, those with the corner [`OUTSIDE`] included.
    pub fn count(&self) -> usize {
        self.simplices.len() - self.free.len()
    }

    /// One more than the highest number of a simplex.
    pub fn end(&self) -> usize {
        self.simplices.len()
    }

    /// Whether no simplex has this number at present.
    #[inline]
    pub fn is_free(&self, simplex: u32) -> bool {
        let vertices = &self.simplex(simplex).vertices;
        vertices[0] == OUTSIDE && vertices[1] == OUTSIDE
    }

    /// Adds a simplex without neighbours.
    #[inline]
    pub(crate) fn add(&mut self, vertices: [u32; CORNERS]) -> u32 {
        let simplex = Simplex { vertices, across: [Facet::NONE; CORNERS] };
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

    /// Takes a simplex out; what was across its facets must get other neighbours.
    #[inline]
    pub(crate) fn remove(&mut self, simplex: u32) {
        self.simplices[simplex as usize] = Simplex::FREE;
        self.free.push(simplex);
    }

    /// The number of a simplex may be used again; until then or until [`sweep`](Self::sweep) the simplex
    /// itself is left as it is.
    #[inline]
    pub(crate) fn release(&mut self, simplex: u32) {
        self.free.push(simplex);
    }

    /// Takes out all that was released.
    pub(crate) fn sweep(&mut self) {
        for &simplex in &self.free {
            self.simplices[simplex as usize] = Simplex::FREE;
        }
    }

    /// Makes two facets each other's other side.
    #[inline]
    pub(crate) fn join(&mut self, one: Facet, other: Facet) {
        self.set_across(one, other);
        self.set_across(other, one);
    }

    #[inline]
    pub(crate) fn set_across(&mut self, facet: Facet, other: Facet) {
        self.simplices[facet.simplex() as usize].across[facet.corner()] = other;
    }

    /// A complex of the given simplices, joined where two have a facet in common; an error if a facet
    /// belongs to more than two of them, or to one alone.
    pub fn joined(corners: &[[u32; CORNERS]]) -> Result<Self, String> {
        let mut complex = Complex::with_capacity(corners.len());
        let mut facets = Vec::with_capacity(corners.len() * (D + 1));
        for &vertices in corners {
            let simplex = complex.add(vertices);
            for corner in 0..=D {
                facets.push((without::<D>(&vertices, corner), Facet::new(simplex, corner)));
            }
        }
        facets.sort_unstable();
        for same in facets.chunk_by(|one, other| one.0 == other.0) {
            match same {
                [(_, one), (_, other)] => complex.join(*one, *other),
                _ => {
                    let vertices = &same[0].0[..D];
                    return Err(format!("{} simplices have the facet {vertices:?}", same.len()));
                }
            }
        }
        Ok(complex)
    }

    /// All there are in order of their numbers, with free places between.
    #[inline]
    pub fn all(&self) -> &[Simplex] {
        &self.simplices
    }

    /// Numbers the simplices anew, by their least vertex: if vertices near each other have numbers near
    /// each other, those around a vertex then lie together in memory. Returns the new number of each.
    pub fn put_in_order(&mut self) -> Vec<u32> {
        let least =
            |simplex: &Simplex| simplex.vertices[..=D].iter().copied().min().unwrap_or(OUTSIDE);
        let mut order: Vec<u32> = self.numbers().collect();
        order.sort_by_cached_key(|&number| least(self.simplex(number)));
        let mut new = vec![u32::MAX; self.simplices.len()];
        for (to, &from) in order.iter().enumerate() {
            new[from as usize] = to as u32;
        }
        let moved = |facet: Facet| Facet::new(new[facet.simplex() as usize], facet.corner());
        let simplices = order.iter().map(|&number| {
            let mut simplex = *self.simplex(number);
            for facet in &mut simplex.across[..=D] {
                *facet = moved(*facet);
            }
            simplex
        });
        self.simplices = simplices.collect();
        self.free.clear();
        new
    }

    /// The simplices at a vertex, of which `first` is one.
    pub fn star(&self, vertex: u32, first: u32, seen: &mut SeenNumbers, found: &mut Vec<u32>) {
        found.clear();
        seen.begin();
        seen.see(first);
        found.push(first);
        let mut next = 0;
        while let Some(&simplex) = found.get(next) {
            next += 1;
            let Simplex { vertices, across } = self.simplex(simplex);
            for corner in 0..=D {
                let neighbour = across[corner].simplex();
                if vertices[corner] != vertex && seen.see(neighbour).1 {
                    found.push(neighbour);
                }
            }
        }
    }

    /// Verifies that every facet is its other side's other side and has the same vertices there, and
    /// that the two simplices are on different sides of it.
    pub fn check(&self) -> Result<(), String> {
        for number in self.numbers() {
            let simplex = self.simplex(number);
            for corner in 0..=D {
                let facet = Facet::new(number, corner);
                let other = simplex.across[corner];
                if other == Facet::NONE || self.is_free(other.simplex()) {
                    return Err(format!("nothing is across facet {corner} of simplex {number}"));
                }
                if self.across(other) != facet {
                    return Err(format!(
                        "facet {corner} of simplex {number} is joined one way only"
                    ));
                }
                let neighbour = self.simplex(other.simplex());
                let there = without::<D>(&neighbour.vertices, other.corner());
                if without::<D>(&simplex.vertices, corner) != there {
                    return Err(format!(
                        "facet {corner} of simplex {number} has two sets of vertices"
                    ));
                }
                if !self.is_turned(simplex, corner, neighbour, other.corner()) {
                    return Err(format!("simplex {number} and one across it lie on the same side"));
                }
            }
        }
        Ok(())
    }

    /// Whether two simplices with a common facet, both positively oriented, are on its two sides: then
    /// the corners of one, its apex exchanged for the other's, are an odd permutation of the other's.
    fn is_turned(&self, one: &Simplex, corner: usize, other: &Simplex, apex: usize) -> bool {
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

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.simplices.capacity() * size_of::<Simplex>() + self.free.capacity() * 4
    }
}

/// The vertices of a facet in ascending order; unused places are [`OUTSIDE`].
pub(crate) fn without<const D: usize>(vertices: &[u32; CORNERS], corner: usize) -> [u32; 3] {
    let mut facet = [OUTSIDE; 3];
    for (place, k) in (0..=D).filter(|&k| k != corner).enumerate() {
        facet[place] = vertices[k];
    }
    facet[..D].sort_unstable();
    facet
}
