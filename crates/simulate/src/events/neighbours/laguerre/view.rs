//! What is seen of a triangulation from one of its vertices: the paths of the others, and the
//! certificates made of them.

use super::certificate::{Certificate, Motion, Path, Plane};
use super::vertices::Vertices;
use crate::events::bodies::Bodies;
use crate::events::fetch::fetch;
use carom_detect::laguerre::{CORNERS, SeenNumbers, Simplex};
use carom_geometry::Vector;

pub type StraightPath<T, const D: usize> = Path<T, D, 2, 3>;
type CurvedPath<const D: usize> = Path<f64, D, 3, 5>;

/// The vertices seen from one so far. Each is looked up once, however many simplices it is a corner of.
#[derive(Debug)]
pub struct View<const D: usize> {
    origin: Motion<D>,
    pub(super) seen: Vec<Seen<D>>,
    pub(super) places: SeenNumbers,
    /// Whether all are accelerated alike.
    pub(super) is_straight: bool,
}

/// A vertex.
#[derive(Clone, Copy, Debug)]
pub struct Seen<const D: usize> {
    pub path: StraightPath<f64, D>,
    position: Vector<D>,
    pub known_until: f64,
    pub vertex: u32,
    examinations: u32,
}

/// A simplex as it moves.
pub struct Moving<const D: usize> {
    vertices: [usize; CORNERS],
    corner: usize,
    plane: Plane<f64, D, 4, 5>,
    known_until: f64,
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

    /// Asks memory for a vertex that is about to be looked at.
    #[inline(always)]
    pub fn fetch(&self, vertex: u32) {
        if let Some(body) = self.vertices.body(vertex) {
            fetch(&self.bodies.records, body as usize);
            fetch(self.examinations, body as usize);
        }
    }

    fn examination(&self, vertex: u32) -> Examination {
        match self.vertices.body(vertex) {
            Some(body) => self.examinations[body as usize],
            None => Examination { until: f64::INFINITY, count: 0, ahead: f32::INFINITY },
        }
    }

    /// Of a vertex and its last examination; those of several are added.
    pub fn fingerprint(&self, vertex: u32) -> u64 {
        fingerprint(vertex, self.examination(vertex).count)
    }
}

/// When a body is examined next, and how often it was.
#[derive(Clone, Copy, Debug)]
pub struct Examination {
    pub until: f64,
    pub count: u32,
    /// For how long it is examined unless it is deflected, in times in which a body typically gets as
    /// far as the next one is.
    pub ahead: f32,
}

impl Examination {
    /// It came to the end of the time it was examined for.
    pub fn was_due(&mut self) {
        self.ahead = (self.ahead * LONGER).min(LONGEST);
    }

    /// It did not.
    pub fn was_deflected(&mut self) {
        self.ahead = (self.ahead * SHORTER).max(SHORTEST);
    }
}

/// A body of its own accord finds the time that ends undisturbed about once in six examinations: longer
/// ones have too many certificates to solve that will never fail, shorter ones are too many.
const LONGER: f32 = 1.6;
const SHORTER: f32 = 0.91;
const LONGEST: f32 = 1e12;
const SHORTEST: f32 = 1e-12;

#[inline]
fn fingerprint(vertex: u32, examinations: u32) -> u64 {
    let mixed = (u64::from(vertex) << 32 | u64::from(examinations)).wrapping_add(1);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb)
}

impl<const D: usize> Seen<D> {
    /// From the vertex it is looked from.
    #[inline(always)]
    pub fn step(&self) -> Vector<D> {
        Vector::from_fn(|axis, _| self.path.along[axis][0])
    }
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
        View { origin: rest, seen: Vec::new(), places: SeenNumbers::default(), is_straight: true }
    }

    /// Looks from another vertex.
    pub fn begin(&mut self, scene: &Scene<'_, D>, vertex: u32) {
        self.places.begin();
        self.seen.clear();
        self.is_straight = true;
        self.origin = scene.motion(vertex);
        self.places.see(vertex);
        self.add(scene, vertex, &self.origin.clone(), &Vector::zeros());
    }

    /// A neighbour of the vertex it is looked from.
    fn near(&mut self, scene: &Scene<'_, D>, vertex: u32) -> usize {
        let (place, is_new) = self.places.see(vertex);
        if is_new {
            self.add_near(scene, vertex);
        }
        place
    }

    #[inline(always)]
    pub(super) fn add_near(&mut self, scene: &Scene<'_, D>, vertex: u32) {
        let motion = scene.motion(vertex);
        let step = scene.vertices.shortest(&self.origin.position, &motion.position);
        self.add(scene, vertex, &motion, &step);
    }

    /// A neighbour of one that is seen already: from there its nearest image is the right one.
    #[inline(always)]
    pub(super) fn beyond(&mut self, scene: &Scene<'_, D>, vertex: u32, between: usize) -> usize {
        let (place, is_new) = self.places.see(vertex);
        if !is_new && !scene.vertices.is_tight() {
            return place;
        }
        let motion = scene.motion(vertex);
        let from = &self.seen[between];
        let step = from.step() + scene.vertices.shortest(&from.position, &motion.position);
        if is_new {
            self.add(scene, vertex, &motion, &step);
        } else if !scene.vertices.is_same_image(&self.seen[place].step(), &step) {
            // The place among those seen is that of the other image.
            self.add(scene, vertex, &motion, &step);
            self.places.skip();
            return self.seen.len() - 1;
        }
        place
    }

    #[inline(always)]
    fn add(&mut self, scene: &Scene<'_, D>, vertex: u32, motion: &Motion<D>, step: &Vector<D>) {
        let Examination { until, count, .. } = scene.examination(vertex);
        self.is_straight &= motion.acceleration == self.origin.acceleration;
        self.seen.push(Seen {
            path: Path::seen(&self.origin, motion, step),
            position: motion.position,
            known_until: until,
            vertex,
            examinations: count,
        });
    }

    /// A simplex at the vertex, which is its `corner`.
    pub fn simplex(&mut self, scene: &Scene<'_, D>, simplex: &Simplex, corner: usize) -> Moving<D> {
        let vertices = std::array::from_fn(|k| self.near(scene, simplex.vertices[k.min(D)]));
        let corners = vertices.map(|place| &self.seen[place]);
        let paths = others::<D>(corner).map(|k| &corners[k].path);
        Moving {
            vertices,
            corner,
            plane: Plane::through::<2, 3>(paths),
            known_until: corners.iter().map(|seen| seen.known_until).fold(f64::INFINITY, f64::min),
        }
    }

    /// Whether and when the facet opposite to a corner fails, looked for from `from` on.
    pub fn certify(
        &mut self,
        scene: &Scene<'_, D>,
        simplex: &Moving<D>,
        facet: usize,
        vertex: u32,
        from: f64,
    ) -> Verdict {
        let beyond = self.beyond(scene, vertex, simplex.vertices[(facet + 1) % (D + 1)]);
        let until = simplex.known_until.min(self.seen[beyond].known_until) - scene.now;
        let failure = if self.is_straight {
            let certificate = simplex.plane.certificate::<2, 3, 6>(&self.seen[beyond].path);
            if certificate.is_safe_for(until) {
                return Verdict::Safe;
            }
            certificate.first_failure(from, until.max(from))
        } else {
            let certificate = self.curved(scene, simplex, beyond);
            if certificate.is_safe_for(until) {
                return Verdict::Safe;
            }
            certificate.first_failure(from, until.max(from))
        };
        let Some(after) = failure else { return Verdict::Holds };
        let concerned = simplex.vertices[..=D].iter().chain([&beyond]);
        let fingerprint = concerned.fold(0u64, |sum, &place| {
            let Seen { vertex, examinations, .. } = self.seen[place];
            sum.wrapping_add(fingerprint(vertex, examinations))
        });
        Verdict::Fails { after, fingerprint }
    }

    #[inline(never)]
    fn curved(
        &self,
        scene: &Scene<'_, D>,
        simplex: &Moving<D>,
        beyond: usize,
    ) -> Certificate<f64, 11> {
        let path = |place: usize| {
            let seen = &self.seen[place];
            CurvedPath::seen(&self.origin, &scene.motion(seen.vertex), &seen.step())
        };
        let corners = simplex.vertices.map(path);
        let plane: Plane<f64, D, 7, 9> =
            Plane::through::<3, 5>(others::<D>(simplex.corner).map(|k| &corners[k]));
        plane.certificate::<3, 5, 11>(&path(beyond))
    }

    /// Whether the facet opposite to a corner has failed by more than rounding.
    pub fn has_failed(
        &mut self,
        scene: &Scene<'_, D>,
        simplex: &Moving<D>,
        facet: usize,
        vertex: u32,
    ) -> bool {
        let beyond = self.beyond(scene, vertex, simplex.vertices[(facet + 1) % (D + 1)]);
        self.curved(scene, simplex, beyond).has_failed()
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.places.memory() + self.seen.capacity() * size_of::<Seen<D>>()
    }
}

/// The corners in the order that makes the simplex positively oriented with a certain one first. In the
/// plane the last does not count.
#[inline(always)]
pub fn seen_from<const D: usize>(corner: usize) -> &'static [u8; CORNERS] {
    const FLAT: [[u8; CORNERS]; 3] = [[0, 1, 2, 2], [1, 2, 0, 0], [2, 0, 1, 1]];
    const SOLID: [[u8; CORNERS]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 0, 1, 3], [3, 0, 2, 1]];
    if D == 2 { &FLAT[corner] } else { &SOLID[corner] }
}

/// All but that one.
#[inline(always)]
fn others<const D: usize>(corner: usize) -> [usize; 3] {
    let [_, one, two, three] = *seen_from::<D>(corner);
    [one as usize, two as usize, three as usize]
}
