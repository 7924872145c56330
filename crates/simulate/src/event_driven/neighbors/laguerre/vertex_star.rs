//! The star of a vertex, all simplices at it: found in one traversal, certificates bounded four at a time.

use super::certificate::LiftedPlane;
use super::view::{
    LaguerreContext, LaguerreVertexView, LaguerreViewVertex, LinearTrajectory, corners_from,
};
use crate::event_driven::prefetch::prefetch;
use carom_detect::laguerre::{
    DelaunaySimplex, INFINITE_VERTEX, MAX_CORNERS, SimplexFacet, SimplicialComplex, VisitedIndexSet,
};
use carom_geometry::simd::{F64_LANES, F64x4, LaneNumber};

/// The star of the vertex that is the origin of a view.
#[derive(Debug, Default)]
pub struct LaguerreVertexStar {
    pub star_simplices: Vec<StarSimplex>,
    simplices: VisitedIndexSet,
    /// The link: the neighbors of the vertex.
    link: Vec<u32>,
    /// The apex across the opposite facet of each simplex.
    outer_apexes: Vec<u32>,
}

/// A simplex of the star, with the slots of its surrounding vertices in the view.
#[derive(Clone, Copy, Debug)]
pub struct StarSimplex {
    pub simplex: u32,
    /// The corner that is the origin of the view.
    pub corner: usize,
    /// Slots of its corners.
    corners: [u32; MAX_CORNERS],
    /// Slots of the apexes across the facets that it certifies, in the order of [`StarSimplex::opposite`].
    apexes: [u32; MAX_CORNERS],
}

/// In place of an apex: the facet is certified from its other side, or not at all.
const NOT_CERTIFIED: u32 = u32::MAX;

impl StarSimplex {
    /// Returns the corner opposite to a facet: `which` 0 is the vertex itself, then come the others.
    #[inline(always)]
    pub fn opposite<const D: usize>(&self, which: usize) -> usize {
        corners_from::<D>(self.corner)[which] as usize
    }
}

impl LaguerreVertexStar {
    /// Traverses the star of a vertex from one of its simplices, and adds all neighbors and all apexes
    /// opposite to the vertex to the view.
    pub fn collect<const D: usize>(
        &mut self,
        view: &mut LaguerreVertexView<D>,
        context: &LaguerreContext<'_, D>,
        complex: &SimplicialComplex<D>,
        vertex: u32,
        first: u32,
    ) {
        view.begin(context, vertex);
        self.traverse(view, context, complex, first);
        // All prefetches are issued before the first record is read.
        self.outer_apexes.clear();
        for wedge in &self.star_simplices {
            let across = complex.apex(complex.simplex(wedge.simplex).mirror_facets[wedge.corner]);
            context.prefetch(across);
            self.outer_apexes.push(across);
        }
        for &neighbor in &self.link {
            view.add_neighbor(context, neighbor);
        }
        for (wedge, &across) in self.star_simplices.iter_mut().zip(&self.outer_apexes) {
            if across != INFINITE_VERTEX {
                let between = wedge.corners[wedge.opposite::<D>(1)];
                wedge.apexes[0] = view.apex_slot(context, across, between as usize) as u32;
            }
        }
    }

    /// Finds all simplices of the star by a breadth-first search across facets.
    fn traverse<const D: usize>(
        &mut self,
        view: &mut LaguerreVertexView<D>,
        context: &LaguerreContext<'_, D>,
        complex: &SimplicialComplex<D>,
        first: u32,
    ) {
        let LaguerreVertexStar { star_simplices: wedges, simplices, link: ring, .. } = self;
        wedges.clear();
        ring.clear();
        simplices.clear();
        let mut place = |vertex: u32| {
            let (place, is_new) = view.slots.insert(vertex);
            if is_new {
                context.prefetch(vertex);
                ring.push(vertex);
            }
            place as u32
        };
        simplices.insert(first);
        let vertices = &complex.simplex(first).vertices;
        wedges.push(StarSimplex::at(first, std::array::from_fn(|k| place(vertices[k.min(D)]))));
        let mut next = 0;
        while let Some(&wedge) = wedges.get(next) {
            let simplex = complex.simplex(wedge.simplex);
            for which in 1..=D {
                let k = wedge.opposite::<D>(which);
                let other = simplex.mirror_facets[k];
                let (number, is_new) = simplices.insert(other.simplex());
                if is_new {
                    let DelaunaySimplex { vertices, mirror_facets: across } =
                        complex.simplex(other.simplex());
                    for facet in across {
                        prefetch(complex.slots(), facet.simplex() as usize);
                    }
                    let apex = place(vertices[other.corner()]);
                    // All corners but one are shared with the simplex it was reached from, so only the
                    // apex is looked up.
                    let corners = std::array::from_fn(|at| {
                        let same = |m: usize| simplex.vertices[m] == vertices[at.min(D)];
                        (0..=D)
                            .fold(apex, |found, m| if same(m) { wedge.corners[m] } else { found })
                    });
                    wedges.push(StarSimplex::at(other.simplex(), corners));
                }
                // A facet at the vertex is visited from both sides, but certified once.
                let wanted = SimplexFacet::new(wedge.simplex, k) < other;
                let across = wedges[number].corners[other.corner()];
                wedges[next].apexes[which] = if wanted { across } else { NOT_CERTIFIED };
            }
            next += 1;
        }
    }

    /// Returns the neighbors of the vertex.
    pub fn link(&self) -> &[u32] {
        &self.link
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.simplices.memory()
            + self.star_simplices.capacity() * size_of::<StarSimplex>()
            + (self.link.capacity() + self.outer_apexes.capacity()) * size_of::<u32>()
    }
}

impl StarSimplex {
    #[inline(always)]
    fn at(simplex: u32, corners: [u32; MAX_CORNERS]) -> Self {
        // The vertex is in slot zero. Searched without a branch.
        let corner =
            (0..MAX_CORNERS).rev().fold(0, |found, k| if corners[k] == 0 { k } else { found });
        StarSimplex { simplex, corner, corners, apexes: [NOT_CERTIFIED; MAX_CORNERS] }
    }
}

impl<const D: usize> LaguerreVertexView<D> {
    /// Returns which facets of four simplices might fail before the next examination: for each facet, in the
    /// order of [`StarSimplex::opposite`], a bit for each simplex.
    #[inline(always)]
    pub fn possibly_failing<const FUSED: bool>(
        &self,
        wedges: [&StarSimplex; F64_LANES],
        now: f64,
    ) -> [u8; MAX_CORNERS] {
        let mut doubtful = [0; MAX_CORNERS];
        for which in 0..=D {
            doubtful[which] = lane_mask(|lane| wedges[lane].apexes[which] != NOT_CERTIFIED);
        }
        // The bound below is for straight relative paths; in a force field all are solved.
        if !self.equal_acceleration {
            return doubtful;
        }
        let corner = |which: usize| {
            wedges.map(|wedge| &self.viewed[wedge.corners[wedge.opposite::<D>(which)] as usize])
        };
        let (a, b, c) = (corner(1), corner(2), corner(3));
        let plane: LiftedPlane<F64x4<FUSED>, D, 4, 5> = LiftedPlane::through::<2, 3>([
            &trajectory_lanes(&a),
            &trajectory_lanes(&b),
            &trajectory_lanes(&c),
        ]);
        let until = F64x4::<FUSED>::splat(self.viewed[0].known_until)
            .min(known_until_lanes(&a))
            .min(known_until_lanes(&b))
            .min(known_until_lanes(&c));
        for which in 0..=D {
            if doubtful[which] == 0 {
                continue;
            }
            // Lanes without an apex compute with the origin instead; their bits are not set anyway.
            let across = wedges.map(|wedge| {
                self.viewed.get(wedge.apexes[which] as usize).unwrap_or(&self.viewed[0])
            });
            let time = until.min(known_until_lanes(&across)) + F64x4::splat(-now);
            let least =
                plane.certificate::<2, 3, 6>(&trajectory_lanes(&across)).lower_bound_within(time);
            doubtful[which] &= !lane_mask(|lane| least.0[lane] > 0.0);
        }
        doubtful
    }
}

#[inline(always)]
fn lane_mask(is_set: impl Fn(usize) -> bool) -> u8 {
    (0..F64_LANES).fold(0, |bits, lane| bits | u8::from(is_set(lane)) << lane)
}

#[inline(always)]
fn trajectory_lanes<const FUSED: bool, const D: usize>(
    seen: &[&LaguerreViewVertex<D>; F64_LANES],
) -> LinearTrajectory<F64x4<FUSED>, D> {
    LinearTrajectory::from_lanes([
        &seen[0].trajectory,
        &seen[1].trajectory,
        &seen[2].trajectory,
        &seen[3].trajectory,
    ])
}

#[inline(always)]
fn known_until_lanes<const FUSED: bool, const D: usize>(
    seen: &[&LaguerreViewVertex<D>; F64_LANES],
) -> F64x4<FUSED> {
    F64x4([seen[0].known_until, seen[1].known_until, seen[2].known_until, seen[3].known_until])
}
