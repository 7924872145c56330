//! The view from one vertex of a triangulation: relative trajectories of other vertices, and certificates
//! made of them.

use super::certificate::{Certificate, LaguerreVertexMotion, LiftedPlane, LiftedTrajectory};
use super::vertices::LaguerreVertices;
use crate::event_driven::hard_spheres::HardSpheres;
use crate::event_driven::prefetch::prefetch;
use carom_detect::laguerre::{DelaunaySimplex, MAX_CORNERS, VisitedIndexSet};
use carom_geometry::Vector;

pub type LinearTrajectory<T, const D: usize> = LiftedTrajectory<T, D, 2, 3>;
type QuadraticTrajectory<const D: usize> = LiftedTrajectory<f64, D, 3, 5>;

/// The vertices viewed so far from an origin vertex. Each is computed once, however many simplices share it.
#[derive(Debug)]
pub struct LaguerreVertexView<const D: usize> {
    origin: LaguerreVertexMotion<D>,
    pub(super) viewed: Vec<LaguerreViewVertex<D>>,
    pub(super) slots: VisitedIndexSet,
    /// Whether all have the same acceleration, so that relative paths are straight.
    pub(super) equal_acceleration: bool,
}

/// A vertex of a view.
#[derive(Clone, Copy, Debug)]
pub struct LaguerreViewVertex<const D: usize> {
    pub trajectory: LinearTrajectory<f64, D>,
    position: Vector<D>,
    pub known_until: f64,
    pub vertex: u32,
    examinations: u32,
}

/// A moving simplex.
pub struct MovingSimplex<const D: usize> {
    vertices: [usize; MAX_CORNERS],
    corner: usize,
    plane: LiftedPlane<f64, D, 4, 5>,
    known_until: f64,
}

/// Status of a certificate until the next examination.
pub enum CertificateStatus {
    /// The certificate cannot fail, by its lower bound.
    Safe,
    /// It was solved and does not fail.
    Holds,
    /// It was solved and fails after a time.
    Fails {
        after: f64,
        /// Hash of the vertices concerned and of their last examinations.
        fingerprint: u64,
    },
}

/// Everything that a view reads.
#[derive(Clone, Copy)]
pub struct LaguerreContext<'a, const D: usize> {
    pub vertices: &'a LaguerreVertices<D>,
    pub bodies: &'a HardSpheres<D>,
    pub examinations: &'a [Examination],
    pub now: f64,
}

impl<const D: usize> LaguerreContext<'_, D> {
    fn motion(&self, vertex: u32) -> LaguerreVertexMotion<D> {
        self.vertices.motion(vertex, self.bodies, self.now)
    }

    /// Prefetches a vertex that is about to be viewed.
    #[inline(always)]
    pub fn prefetch(&self, vertex: u32) {
        if let Some(body) = self.vertices.body(vertex) {
            prefetch(&self.bodies.records, body as usize);
            prefetch(self.examinations, body as usize);
        }
    }

    fn examination(&self, vertex: u32) -> Examination {
        match self.vertices.body(vertex) {
            Some(body) => self.examinations[body as usize],
            None => Examination { until: f64::INFINITY, count: 0, horizon: f32::INFINITY },
        }
    }

    /// Returns the hash of a vertex and its last examination; those of several are added, in any order.
    pub fn fingerprint(&self, vertex: u32) -> u64 {
        fingerprint(vertex, self.examination(vertex).count)
    }
}

/// The examinations of a body.
#[derive(Clone, Copy, Debug)]
pub struct Examination {
    pub until: f64,
    pub count: u32,
    /// Time between two examinations of an undeflected body, in units of the spacing time.
    pub horizon: f32,
}

impl Examination {
    /// Lengthens the horizon: the body reached its end without a deflection.
    pub fn was_due(&mut self) {
        self.horizon = (self.horizon * HORIZON_GROWTH).min(MAX_HORIZON);
    }

    /// Shortens the horizon: the body was deflected before its end.
    pub fn was_deflected(&mut self) {
        self.horizon = (self.horizon * HORIZON_SHRINKAGE).max(MIN_HORIZON);
    }
}

/// Factors by which horizons adapt. They settle where about one examination in six ends undisturbed (1.6
/// · 0.91⁵ ≈ 1): longer horizons have too many certificates to solve that will never fail, shorter ones
/// too many examinations.
const HORIZON_GROWTH: f32 = 1.6;
const HORIZON_SHRINKAGE: f32 = 0.91;
const MAX_HORIZON: f32 = 1e12;
const MIN_HORIZON: f32 = 1e-12;

#[inline]
fn fingerprint(vertex: u32, examinations: u32) -> u64 {
    let mixed = (u64::from(vertex) << 32 | u64::from(examinations)).wrapping_add(1);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb)
}

impl<const D: usize> LaguerreViewVertex<D> {
    /// Returns the displacement from the origin of the view.
    #[inline(always)]
    pub fn displacement(&self) -> Vector<D> {
        Vector::from_fn(|axis, _| self.trajectory.coordinates[axis][0])
    }
}

impl<const D: usize> LaguerreVertexView<D> {
    pub fn new() -> Self {
        let rest = LaguerreVertexMotion {
            position: Vector::zeros(),
            velocity: Vector::zeros(),
            acceleration: Vector::zeros(),
            radius: 0.0,
            radius_rate: 0.0,
        };
        LaguerreVertexView {
            origin: rest,
            viewed: Vec::new(),
            slots: VisitedIndexSet::default(),
            equal_acceleration: true,
        }
    }

    /// Empties the view and makes a vertex its origin.
    pub fn begin(&mut self, context: &LaguerreContext<'_, D>, vertex: u32) {
        self.slots.clear();
        self.viewed.clear();
        self.equal_acceleration = true;
        self.origin = context.motion(vertex);
        self.slots.insert(vertex);
        self.add(context, vertex, &self.origin.clone(), &Vector::zeros());
    }

    /// Returns the slot of a neighbor of the origin, adding it if it is new.
    fn neighbor_slot(&mut self, context: &LaguerreContext<'_, D>, vertex: u32) -> usize {
        let (place, is_new) = self.slots.insert(vertex);
        if is_new {
            self.add_neighbor(context, vertex);
        }
        place
    }

    #[inline(always)]
    pub(super) fn add_neighbor(&mut self, context: &LaguerreContext<'_, D>, vertex: u32) {
        let motion = context.motion(vertex);
        let displacement =
            context.vertices.minimum_image_displacement(&self.origin.position, &motion.position);
        self.add(context, vertex, &motion, &displacement);
    }

    /// Returns the slot of an apex, a neighbor of the viewed vertex in slot `between`, adding it if it is new.
    /// Its image is the nearest to that vertex, which need not be the nearest to the origin.
    #[inline(always)]
    pub(super) fn apex_slot(
        &mut self,
        context: &LaguerreContext<'_, D>,
        vertex: u32,
        between: usize,
    ) -> usize {
        let (place, is_new) = self.slots.insert(vertex);
        if !is_new && !context.vertices.is_tight() {
            return place;
        }
        let motion = context.motion(vertex);
        let from = &self.viewed[between];
        let displacement = from.displacement()
            + context.vertices.minimum_image_displacement(&from.position, &motion.position);
        if is_new {
            self.add(context, vertex, &motion, &displacement);
        } else if !context.vertices.is_same_image(&self.viewed[place].displacement(), &displacement)
        {
            // The known slot holds another image of the vertex, so this one gets a slot of its own.
            self.add(context, vertex, &motion, &displacement);
            self.slots.skip_position();
            return self.viewed.len() - 1;
        }
        place
    }

    #[inline(always)]
    fn add(
        &mut self,
        context: &LaguerreContext<'_, D>,
        vertex: u32,
        motion: &LaguerreVertexMotion<D>,
        displacement: &Vector<D>,
    ) {
        let Examination { until, count, .. } = context.examination(vertex);
        self.equal_acceleration &= motion.acceleration == self.origin.acceleration;
        self.viewed.push(LaguerreViewVertex {
            trajectory: LiftedTrajectory::relative(&self.origin, motion, displacement),
            position: motion.position,
            known_until: until,
            vertex,
            examinations: count,
        });
    }

    /// Returns a simplex at the origin, which is its `corner`, as it moves.
    pub fn moving_simplex(
        &mut self,
        context: &LaguerreContext<'_, D>,
        simplex: &DelaunaySimplex,
        corner: usize,
    ) -> MovingSimplex<D> {
        let vertices =
            std::array::from_fn(|k| self.neighbor_slot(context, simplex.vertices[k.min(D)]));
        let corners = vertices.map(|place| &self.viewed[place]);
        let paths = other_corners::<D>(corner).map(|k| &corners[k].trajectory);
        MovingSimplex {
            vertices,
            corner,
            plane: LiftedPlane::through::<2, 3>(paths),
            known_until: corners.iter().map(|seen| seen.known_until).fold(f64::INFINITY, f64::min),
        }
    }

    /// Returns whether and when the facet opposite to a corner fails, from the time `from` on.
    pub fn certify(
        &mut self,
        context: &LaguerreContext<'_, D>,
        simplex: &MovingSimplex<D>,
        facet: usize,
        vertex: u32,
        from: f64,
    ) -> CertificateStatus {
        let beyond = self.apex_slot(context, vertex, simplex.vertices[(facet + 1) % (D + 1)]);
        let until = simplex.known_until.min(self.viewed[beyond].known_until) - context.now;
        let failure = if self.equal_acceleration {
            let certificate = simplex.plane.certificate::<2, 3, 6>(&self.viewed[beyond].trajectory);
            if certificate.is_safe_for(until) {
                return CertificateStatus::Safe;
            }
            certificate.first_failure(from, until.max(from))
        } else {
            let certificate = self.accelerated_certificate(context, simplex, beyond);
            if certificate.is_safe_for(until) {
                return CertificateStatus::Safe;
            }
            certificate.first_failure(from, until.max(from))
        };
        let Some(after) = failure else { return CertificateStatus::Holds };
        let concerned = simplex.vertices[..=D].iter().chain([&beyond]);
        let fingerprint = concerned.fold(0u64, |sum, &place| {
            let LaguerreViewVertex { vertex, examinations, .. } = self.viewed[place];
            // A sum, so that the order of the vertices does not matter.
            sum.wrapping_add(fingerprint(vertex, examinations))
        });
        CertificateStatus::Fails { after, fingerprint }
    }

    #[inline(never)]
    fn accelerated_certificate(
        &self,
        context: &LaguerreContext<'_, D>,
        simplex: &MovingSimplex<D>,
        beyond: usize,
    ) -> Certificate<f64, 11> {
        let path = |place: usize| {
            let seen = &self.viewed[place];
            QuadraticTrajectory::relative(
                &self.origin,
                &context.motion(seen.vertex),
                &seen.displacement(),
            )
        };
        let corners = simplex.vertices.map(path);
        let plane: LiftedPlane<f64, D, 7, 9> =
            LiftedPlane::through::<3, 5>(other_corners::<D>(simplex.corner).map(|k| &corners[k]));
        plane.certificate::<3, 5, 11>(&path(beyond))
    }

    /// Returns whether the facet opposite to a corner has failed by more than rounding.
    pub fn has_failed(
        &mut self,
        context: &LaguerreContext<'_, D>,
        simplex: &MovingSimplex<D>,
        facet: usize,
        vertex: u32,
    ) -> bool {
        let beyond = self.apex_slot(context, vertex, simplex.vertices[(facet + 1) % (D + 1)]);
        self.accelerated_certificate(context, simplex, beyond).has_failed()
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.slots.memory() + self.viewed.capacity() * size_of::<LaguerreViewVertex<D>>()
    }
}

/// Returns the corners in the order that keeps the simplex positively oriented with a certain one first. In
/// 2D the last entry does not count.
#[inline(always)]
pub fn corners_from<const D: usize>(corner: usize) -> &'static [u8; MAX_CORNERS] {
    const FLAT: [[u8; MAX_CORNERS]; 3] = [[0, 1, 2, 2], [1, 2, 0, 0], [2, 0, 1, 1]];
    const SOLID: [[u8; MAX_CORNERS]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 0, 1, 3], [3, 0, 2, 1]];
    if D == 2 { &FLAT[corner] } else { &SOLID[corner] }
}

/// Returns the corners other than a certain one, in the same order.
#[inline(always)]
fn other_corners<const D: usize>(corner: usize) -> [usize; 3] {
    let [_, one, two, three] = *corners_from::<D>(corner);
    [one as usize, two as usize, three as usize]
}
