//! What is seen of a triangulation from one of its vertices: the paths of the others, and the
//! certificates made of them.

use super::certificate::{Certificate, Motion, Path, Plane};
use super::vertices::Vertices;
use crate::events::bodies::Bodies;
use carom_detect::laguerre::{CORNERS, Simplex};
use carom_geometry::Vector;

type StraightPath<const D: usize> = Path<D, 2, 3>;
type CurvedPath<const D: usize> = Path<D, 3, 5>;

/// The vertices seen from one so far. Each is looked up once, however many simplices it is a corner of.
#[derive(Debug)]
pub struct View<const D: usize> {
    origin: Motion<D>,
    seen: Vec<Seen<D>>,
    /// Where in the list a vertex is, and in which view it was put there.
    places: Vec<(u32, u32)>,
    view: u32,
}

/// Another vertex.
#[derive(Clone, Copy, Debug)]
struct Seen<const D: usize> {
    motion: Motion<D>,
    step: Vector<D>,
    path: StraightPath<D>,
    known_until: f64,
    is_straight: bool,
}

/// A simplex as it moves.
pub struct Moving<const D: usize> {
    vertices: [usize; CORNERS],
    corner: usize,
    plane: Plane<D, 4, 5>,
    known_until: f64,
    is_straight: bool,
}

/// A bound on, or a time of, a failure.
pub enum Verdict {
    /// It cannot fail while it matters.
    Safe,
    /// Solved: it fails then, or not at all while it matters.
    Solved(Option<f64>),
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
        View { origin: rest, seen: Vec::new(), places: Vec::new(), view: 0 }
    }
}

/// All that a view is a view of.
#[derive(Clone, Copy)]
pub struct Scene<'a, const D: usize> {
    pub vertices: &'a Vertices<D>,
    pub bodies: &'a Bodies<D>,
    pub examined_until: &'a [f64],
    pub now: f64,
}

impl<const D: usize> Scene<'_, D> {
    fn motion(&self, vertex: u32) -> Motion<D> {
        self.vertices.motion(vertex, self.bodies, self.now)
    }

    /// When a vertex is examined next.
    fn known_until(&self, vertex: u32) -> f64 {
        match self.vertices.body(vertex) {
            Some(body) => self.examined_until[body as usize],
            None => f64::INFINITY,
        }
    }
}

impl<const D: usize> View<D> {
    /// Looks from another vertex.
    pub fn begin(&mut self, scene: &Scene<'_, D>, vertex: u32) {
        if self.places.len() < scene.vertices.count() || self.view == u32::MAX {
            self.places.clear();
            self.places.resize(scene.vertices.count(), (0, 0));
            self.view = 0;
        }
        self.view += 1;
        self.seen.clear();
        self.origin = scene.motion(vertex);
        let origin = self.origin;
        self.add(scene, vertex, origin, Vector::zeros());
    }

    /// A neighbour of the vertex it is looked from.
    #[inline]
    fn near(&mut self, scene: &Scene<'_, D>, vertex: u32) -> usize {
        if let Some(place) = self.find(vertex) {
            return place;
        }
        let motion = scene.motion(vertex);
        let step = scene.vertices.shortest(&self.origin.position, &motion.position);
        self.add(scene, vertex, motion, step)
    }

    /// A neighbour of one that is seen already: from there its nearest image is the right one.
    #[inline]
    fn beyond(&mut self, scene: &Scene<'_, D>, vertex: u32, between: usize) -> usize {
        if let Some(place) = self.find(vertex) {
            return place;
        }
        let motion = scene.motion(vertex);
        let from = &self.seen[between];
        let step = from.step + scene.vertices.shortest(&from.motion.position, &motion.position);
        self.add(scene, vertex, motion, step)
    }

    #[inline]
    fn find(&self, vertex: u32) -> Option<usize> {
        let (place, view) = self.places[vertex as usize];
        (view == self.view).then_some(place as usize)
    }

    fn add(
        &mut self,
        scene: &Scene<'_, D>,
        vertex: u32,
        motion: Motion<D>,
        step: Vector<D>,
    ) -> usize {
        let place = self.seen.len();
        self.places[vertex as usize] = (place as u32, self.view);
        self.seen.push(Seen {
            path: Path::seen(&self.origin, &motion, &step),
            known_until: scene.known_until(vertex),
            is_straight: motion.acceleration == self.origin.acceleration,
            motion,
            step,
        });
        place
    }

    /// A simplex at the vertex, which is its `corner`.
    #[inline]
    pub fn simplex(&mut self, scene: &Scene<'_, D>, simplex: &Simplex, corner: usize) -> Moving<D> {
        let vertices = std::array::from_fn(|k| self.near(scene, simplex.vertices[k.min(D)]));
        let corners = vertices.map(|place| &self.seen[place]);
        let paths = others::<D>(corner).map(|k| &corners[k].path);
        Moving {
            vertices,
            corner,
            plane: Plane::through(paths),
            known_until: corners.iter().map(|seen| seen.known_until).fold(f64::INFINITY, f64::min),
            is_straight: corners.iter().all(|seen| seen.is_straight),
        }
    }

    /// Whether all edges of a simplex at the vertex are so short that their images are certain.
    pub fn is_short(&self, scene: &Scene<'_, D>, simplex: &Moving<D>) -> bool {
        simplex.vertices.iter().all(|&place| scene.vertices.is_short(&self.seen[place].step))
    }

    /// Whether and when the facet opposite to a corner fails, looked for from `from` on.
    #[inline]
    pub fn certify(
        &mut self,
        scene: &Scene<'_, D>,
        simplex: &Moving<D>,
        facet: usize,
        vertex: u32,
        from: f64,
    ) -> Verdict {
        let beyond = self.beyond(scene, vertex, simplex.vertices[(facet + 1) % (D + 1)]);
        let beyond = &self.seen[beyond];
        let until = simplex.known_until.min(beyond.known_until) - scene.now;
        if simplex.is_straight && beyond.is_straight {
            let certificate: Certificate<6> = simplex.plane.certificate(&beyond.path);
            return verdict(&certificate, from, until);
        }
        verdict(&self.curved(simplex, beyond), from, until)
    }

    #[inline(never)]
    fn curved(&self, simplex: &Moving<D>, beyond: &Seen<D>) -> Certificate<11> {
        let path = |seen: &Seen<D>| CurvedPath::seen(&self.origin, &seen.motion, &seen.step);
        let corners = simplex.vertices.map(|place| path(&self.seen[place]));
        let plane: Plane<D, 7, 9> =
            Plane::through(others::<D>(simplex.corner).map(|k| &corners[k]));
        plane.certificate(&path(beyond))
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
        self.curved(simplex, &self.seen[beyond]).has_failed()
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.places.capacity() * 8 + self.seen.capacity() * size_of::<Seen<D>>()
    }
}

#[inline]
fn verdict<const C: usize>(certificate: &Certificate<C>, from: f64, until: f64) -> Verdict {
    match certificate.is_safe_for(until) {
        true => Verdict::Safe,
        false => Verdict::Solved(certificate.first_failure(from, until.max(from))),
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
