//! What is seen of a triangulation from one of its vertices: the paths of the others, and the
//! certificates made of them.

use super::certificate::{Arithmetic, Certificate, Motion, Path, Plane, Separate};
use super::vertices::Vertices;
use crate::events::bodies::Bodies;
use carom_detect::laguerre::{CORNERS, SeenNumbers, Simplex};
use carom_geometry::Vector;

type StraightPath<const D: usize> = Path<D, 2, 3>;
type CurvedPath<const D: usize> = Path<D, 3, 5>;

/// The vertices seen from one so far. Each is looked up once, however many simplices it is a corner of.
#[derive(Debug)]
pub struct View<const D: usize> {
    origin: Motion<D>,
    seen: Vec<Seen<D>>,
    places: SeenNumbers,
}

/// Another vertex.
#[derive(Clone, Copy, Debug)]
struct Seen<const D: usize> {
    motion: Motion<D>,
    step: Vector<D>,
    path: StraightPath<D>,
    vertex: u32,
    known_until: f64,
    fingerprint: u64,
    is_straight: bool,
}

/// A simplex as it moves.
pub struct Moving<const D: usize> {
    vertices: [usize; CORNERS],
    corner: usize,
    plane: Plane<D, 4, 5>,
    known_until: f64,
    fingerprint: u64,
    is_straight: bool,
}

/// A bound on, or a time of, a failure.
pub enum Verdict {
    /// It cannot fail while it matters.
    Safe,
    /// Solved: it does not fail while it matters.
    Holds,
    /// Solved: it fails after this time.
    Fails {
        after: f64,
        /// Of the vertices concerned and their last examinations.
        fingerprint: u64,
    },
}

impl<const D: usize> View<D> {
    pub fn new() -> Self {
        let rest = Motion {
            position: Vector::zeros(),
            velocity: Vector::zeros(),
            acceleration: Vector::zeros(),
            radius: 0.0,
            widening: 0.0,
        };
        View { origin: rest, seen: Vec::new(), places: SeenNumbers::default() }
    }
}

/// All that a view is a view of.
#[derive(Clone, Copy)]
pub struct Scene<'a, const D: usize> {
    pub vertices: &'a Vertices<D>,
    pub bodies: &'a Bodies<D>,
    pub examinations: &'a [Examination],
    pub now: f64,
}

impl<const D: usize> Scene<'_, D> {
    fn motion(&self, vertex: u32) -> Motion<D> {
        self.vertices.motion(vertex, self.bodies, self.now)
    }

    fn examination(&self, vertex: u32) -> Examination {
        match self.vertices.body(vertex) {
            Some(body) => self.examinations[body as usize],
            None => Examination { until: f64::INFINITY, count: 0 },
        }
    }

    /// Of a vertex and its last examination; those of several are added.
    pub fn fingerprint(&self, vertex: u32) -> u64 {
        self.examination(vertex).fingerprint(vertex)
    }
}

/// When a body is examined next, and how often it was.
#[derive(Clone, Copy, Debug)]
pub struct Examination {
    pub until: f64,
    pub count: u32,
}

impl Examination {
    #[inline]
    fn fingerprint(&self, vertex: u32) -> u64 {
        let mixed = (u64::from(vertex) << 32 | u64::from(self.count)).wrapping_add(1);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb)
    }
}

impl<const D: usize> View<D> {
    /// Looks from another vertex.
    #[inline(always)]
    pub fn begin<A: Arithmetic>(&mut self, scene: &Scene<'_, D>, vertex: u32) {
        self.places.begin();
        self.seen.clear();
        self.origin = scene.motion(vertex);
        self.places.see(vertex);
        self.add::<A>(scene, vertex, self.origin, Vector::zeros());
    }

    /// The neighbours of the vertex it is looked from, if nothing else has been looked at.
    pub fn ring(&self) -> impl Iterator<Item = u32> + '_ {
        self.seen[1..].iter().map(|seen| seen.vertex)
    }

    /// A neighbour of the vertex it is looked from.
    #[inline(always)]
    pub fn near<A: Arithmetic>(&mut self, scene: &Scene<'_, D>, vertex: u32) -> usize {
        let (place, is_new) = self.places.see(vertex);
        if is_new {
            let motion = scene.motion(vertex);
            let step = scene.vertices.shortest(&self.origin.position, &motion.position);
            self.add::<A>(scene, vertex, motion, step);
        }
        place
    }

    /// A neighbour of one that is seen already: from there its nearest image is the right one.
    #[inline(always)]
    fn beyond<A: Arithmetic>(
        &mut self,
        scene: &Scene<'_, D>,
        vertex: u32,
        between: usize,
    ) -> usize {
        let (place, is_new) = self.places.see(vertex);
        let from = self.seen[between];
        let step_to = |motion: &Motion<D>| {
            from.step + scene.vertices.shortest(&from.motion.position, &motion.position)
        };
        if is_new {
            let motion = scene.motion(vertex);
            self.add::<A>(scene, vertex, motion, step_to(&motion));
        } else if scene.vertices.is_tight() {
            let Seen { motion, step, .. } = self.seen[place];
            let wanted = step_to(&motion);
            if !scene.vertices.is_same_image(&step, &wanted) {
                // The place among those seen is that of the other image.
                self.add::<A>(scene, vertex, motion, wanted);
                self.places.skip();
                return self.seen.len() - 1;
            }
        }
        place
    }

    #[inline(always)]
    fn add<A: Arithmetic>(
        &mut self,
        scene: &Scene<'_, D>,
        vertex: u32,
        motion: Motion<D>,
        step: Vector<D>,
    ) {
        let examination = scene.examination(vertex);
        self.seen.push(Seen {
            path: Path::seen::<A>(&self.origin, &motion, &step),
            vertex,
            known_until: examination.until,
            fingerprint: examination.fingerprint(vertex),
            is_straight: motion.acceleration == self.origin.acceleration,
            motion,
            step,
        });
    }

    /// A simplex at the vertex, which is its `corner`.
    #[inline(always)]
    pub fn simplex<A: Arithmetic>(
        &mut self,
        scene: &Scene<'_, D>,
        simplex: &Simplex,
        corner: usize,
    ) -> Moving<D> {
        let vertices = std::array::from_fn(|k| self.near::<A>(scene, simplex.vertices[k.min(D)]));
        let corners = vertices.map(|place| &self.seen[place]);
        let paths = others::<D>(corner).map(|k| &corners[k].path);
        Moving {
            vertices,
            corner,
            plane: Plane::through::<A, 2, 3>(paths),
            known_until: corners.iter().map(|seen| seen.known_until).fold(f64::INFINITY, f64::min),
            fingerprint: corners[..=D]
                .iter()
                .fold(0, |all, seen| all.wrapping_add(seen.fingerprint)),
            is_straight: corners.iter().all(|seen| seen.is_straight),
        }
    }

    /// Whether all edges of a simplex at the vertex are so short that their images are certain.
    pub fn is_short(&self, scene: &Scene<'_, D>, simplex: &Moving<D>) -> bool {
        simplex.vertices.iter().all(|&place| scene.vertices.is_short(&self.seen[place].step))
    }

    /// Whether and when the facet opposite to a corner fails, looked for from `from` on.
    #[inline(always)]
    pub fn certify<A: Arithmetic>(
        &mut self,
        scene: &Scene<'_, D>,
        simplex: &Moving<D>,
        facet: usize,
        vertex: u32,
        from: f64,
    ) -> Verdict {
        let beyond = self.beyond::<A>(scene, vertex, simplex.vertices[(facet + 1) % (D + 1)]);
        let beyond = &self.seen[beyond];
        let until = simplex.known_until.min(beyond.known_until) - scene.now;
        let failure = if simplex.is_straight && beyond.is_straight {
            let certificate = simplex.plane.certificate::<A, 2, 3, 6>(&beyond.path);
            if certificate.is_safe_for(until) {
                return Verdict::Safe;
            }
            certificate.first_failure(from, until.max(from))
        } else {
            let certificate = self.curved(simplex, beyond);
            if certificate.is_safe_for(until) {
                return Verdict::Safe;
            }
            certificate.first_failure(from, until.max(from))
        };
        let fingerprint = simplex.fingerprint.wrapping_add(beyond.fingerprint);
        failure.map_or(Verdict::Holds, |after| Verdict::Fails { after, fingerprint })
    }

    #[inline(never)]
    fn curved(&self, simplex: &Moving<D>, beyond: &Seen<D>) -> Certificate<11> {
        let path =
            |seen: &Seen<D>| CurvedPath::seen::<Separate>(&self.origin, &seen.motion, &seen.step);
        let corners = simplex.vertices.map(|place| path(&self.seen[place]));
        let plane: Plane<D, 7, 9> =
            Plane::through::<Separate, 3, 5>(others::<D>(simplex.corner).map(|k| &corners[k]));
        plane.certificate::<Separate, 3, 5, 11>(&path(beyond))
    }

    /// Whether the facet opposite to a corner has failed by more than rounding.
    pub fn has_failed(
        &mut self,
        scene: &Scene<'_, D>,
        simplex: &Moving<D>,
        facet: usize,
        vertex: u32,
    ) -> bool {
        let beyond =
            self.beyond::<Separate>(scene, vertex, simplex.vertices[(facet + 1) % (D + 1)]);
        self.curved(simplex, &self.seen[beyond]).has_failed()
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.places.memory() + self.seen.capacity() * size_of::<Seen<D>>()
    }
}

/// The corners but one, in the order that makes the simplex positively oriented with that one first.
fn others<const D: usize>(corner: usize) -> [usize; 3] {
    if D == 2 {
        [[1, 2, 2], [2, 0, 0], [0, 1, 1], [0, 1, 1]][corner]
    } else {
        [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]][corner]
    }
}
