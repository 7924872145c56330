//! Bistellar flips: the simplices among `D + 2` vertices are exchanged for the only other triangulation of
//! the same vertices.

use super::simplicial_complex::{
    DelaunaySimplex, INFINITE_VERTEX, MAX_CORNERS, SimplexFacet, SimplicialComplex, facet_vertices,
};

/// The result of a bistellar flip.
#[derive(Clone, Copy, Debug, Default)]
pub struct BistellarFlip {
    new_simplices: [u32; MAX_CORNERS],
    new_count: usize,
    /// The vertices that became neighbors, if any did.
    pub new_edge: Option<[u32; 2]>,
}

impl BistellarFlip {
    /// Returns the new simplices.
    pub fn new_simplices(&self) -> &[u32] {
        &self.new_simplices[..self.new_count]
    }
}

impl<const D: usize> SimplicialComplex<D> {
    /// Flips a facet: exchanges the two simplices on it, and a third one if needed, for the others that fill
    /// the same space. Two triangles become two; two tetrahedra become three, three become two.
    ///
    /// `outward[k]` states, for the corner `k` of the facet's simplex, whether the apex beyond the facet
    /// lies on its side of the facet opposite to `k`: then the simplex with the apex in the place of `k` is
    /// one of the new ones. For each other corner a third simplex must exist; otherwise nothing is changed
    /// and `None` is returned.
    ///
    /// ```
    /// use carom_detect::laguerre::{INFINITE_VERTEX as FAR, SimplexFacet, SimplicialComplex};
    /// // A square cut along its diagonal 0-2, and the triangles of its sides with the vertex at infinity.
    /// let triangles = [[0, 1, 2], [0, 2, 3], [1, 0, FAR], [2, 1, FAR], [3, 2, FAR], [0, 3, FAR]];
    /// let corners = triangles.map(|[a, b, c]| [a, b, c, FAR]);
    /// let mut complex = SimplicialComplex::<2>::from_simplices(&corners)?;
    /// // The diagonal is the facet of triangle 0 opposite to its corner 1.
    /// let flip = complex.flip(SimplexFacet::new(0, 1), &[true; 4]).expect("a square is convex");
    /// assert_eq!((flip.new_edge, flip.new_simplices().len()), (Some([1, 3]), 2));
    /// complex.check()?;
    /// # Ok::<(), String>(())
    /// ```
    pub fn flip(
        &mut self,
        facet: SimplexFacet,
        outward: &[bool; MAX_CORNERS],
    ) -> Option<BistellarFlip> {
        let (one, other) = (facet.simplex(), self.mirror_facet(facet).simplex());
        let vertices = self.simplex(one).vertices;
        let (apex, beyond) = (vertices[facet.corner()], self.apex(self.mirror_facet(facet)));
        let mut old = [one, other, 0, 0];
        let mut old_count = 2;
        let (mut new, mut new_count) = ([[INFINITE_VERTEX; MAX_CORNERS]; MAX_CORNERS], 0);
        for corner in (0..=D).filter(|&corner| corner != facet.corner()) {
            if outward[corner] {
                new[new_count] = vertices;
                new[new_count][corner] = beyond;
                new_count += 1;
            } else {
                let third = self.simplex(one).mirror_facets[corner];
                // Three simplices around the edge must all meet at `beyond`, or the flip would not fill the same
                // space.
                if self.apex(third) != beyond || old_count == MAX_CORNERS {
                    return None;
                }
                old[old_count] = third.simplex();
                old_count += 1;
            }
        }
        // With fewer new simplices a vertex would lose its last one.
        if new_count < 2 || new_count + old_count != D + 2 {
            return None;
        }
        // The third simplex must be adjacent to the second too, or the three do not close around an edge.
        if old[2..old_count].iter().any(|&third| !self.are_adjacent(third, other)) {
            return None;
        }
        let made = self.replace_simplices(&old[..old_count], &new[..new_count]);
        let joined = (old_count == 2).then_some([apex, beyond]);
        Some(BistellarFlip { new_simplices: made, new_count, new_edge: joined })
    }

    fn are_adjacent(&self, one: u32, other: u32) -> bool {
        self.simplex(one).mirror_facets[..=D].iter().any(|facet| facet.simplex() == other)
    }

    /// Replaces simplices by new ones that fill the same space, and links these.
    fn replace_simplices(&mut self, old: &[u32], new: &[[u32; MAX_CORNERS]]) -> [u32; MAX_CORNERS] {
        // The outer facets of at most four simplices; a linear search is faster than any map.
        let mut rim = [([0; 3], SimplexFacet::NONE); 16];
        let mut open = 0;
        for &simplex in old {
            let DelaunaySimplex { vertices, mirror_facets: across } = *self.simplex(simplex);
            for corner in (0..=D).filter(|&k| !old.contains(&across[k].simplex())) {
                rim[open] = (facet_vertices::<D>(&vertices, corner), across[corner]);
                open += 1;
            }
        }
        for &simplex in old {
            self.remove(simplex);
        }
        let mut made = [u32::MAX; MAX_CORNERS];
        for (number, &vertices) in new.iter().enumerate() {
            let simplex = self.add(vertices);
            made[number] = simplex;
            for corner in 0..=D {
                let (key, facet) =
                    (facet_vertices::<D>(&vertices, corner), SimplexFacet::new(simplex, corner));
                match rim[..open].iter().position(|(other, _)| *other == key) {
                    Some(place) => {
                        self.link_facets(facet, rim[place].1);
                        open -= 1;
                        rim[place] = rim[open];
                    }
                    None => {
                        rim[open] = (key, facet);
                        open += 1;
                    }
                }
            }
        }
        debug_assert_eq!(open, 0, "old and new simplices fill the same space");
        made
    }
}
