//! The vertices of the triangulation: bodies, and fixed guard vertices outside them.
//!
//! In a periodic box with few bodies one period is not enough for a triangulation (an edge could be
//! longer than half of it); then a covering of several sheets is triangulated, with a vertex for each body
//! in each. Two bodies and their copies would be coplanar for ever, and flips of coplanar vertices come in
//! pairs that no single flip replaces; so copies are perturbed by next to nothing.
//!
//! Where an axis is not periodic, guards (spheres of radius zero) stand on the two sides of a box around
//! all bodies. They are the convex hull, so that it never changes, and since they are outside all bodies,
//! no cell of theirs or of a body is ever empty.

use super::certificate::LaguerreVertexMotion;
use crate::BoundaryCondition;
use crate::event_driven::hard_spheres::HardSpheres;
use carom_detect::laguerre::{
    HullAssumption, PeriodicGluingError, SimplicialComplex, Triangulation,
};
use carom_geometry::{Boundary, Sphere, Vector, math};

/// The vertices; see the module.
#[derive(Debug)]
pub struct LaguerreVertices<const D: usize> {
    /// Number of bodies.
    pub bodies: u32,
    /// Number of sheets (periods side by side) along each axis.
    sheets: [u32; D],
    guards: Vec<Vector<D>>,
    /// Period of all sheets together; zero on axes without a period.
    period: Vector<D>,
    /// Whether a vertex may be the apex across two facets of a simplex as two different images.
    is_tight: bool,
    /// Scale of the perturbation of copies.
    perturbation: f64,
    /// Last position of each body, and the present sheet of its first vertex; empty with one sheet.
    sheet_positions: Vec<SheetPosition<D>>,
    /// Bounds of the guards; on periodic axes those of the box.
    low: Vector<D>,
    high: Vector<D>,
}

/// A body that leaves at one face of the box enters at the opposite one, but its vertices move on to the
/// next sheet.
#[derive(Clone, Copy, Debug)]
struct SheetPosition<const D: usize> {
    position: Vector<D>,
    sheet: [u32; D],
}

impl<const D: usize> LaguerreVertices<D> {
    pub fn new() -> Self {
        LaguerreVertices {
            bodies: 0,
            sheets: [1; D],
            guards: Vec::new(),
            period: Vector::zeros(),
            is_tight: false,
            perturbation: 0.0,
            sheet_positions: Vec::new(),
            low: Vector::zeros(),
            high: Vector::zeros(),
        }
    }

    /// Places the vertices for the bodies at a time and returns their triangulation.
    ///
    /// Returns none if a periodic box holds only a handful of bodies, so that each would be a neighbor of every
    /// other and of itself, or if the box is so thin or its numbers so large that there is no triangulation.
    pub fn start(&mut self, bodies: &HardSpheres<D>, time: f64) -> Option<SimplicialComplex<D>> {
        self.bodies = bodies.count() as u32;
        self.sheets = [1; D];
        loop {
            self.place_guards(bodies, time);
            if self.is_too_thin() {
                return None;
            }
            self.sheet_positions.clear();
            if self.has_copies() {
                let here = |body| SheetPosition {
                    position: bodies.position_at(body, time),
                    sheet: [0; D],
                };
                self.sheet_positions.extend((0..self.bodies).map(here));
            }
            let axis = match self.triangulate(bodies, time)? {
                Ok(complex) => return Some(complex),
                Err(PeriodicGluingError::LongEdge { axis }) => Some(axis),
                Err(PeriodicGluingError::Ambiguous(_)) => None,
            };
            if self.bodies <= FEW_BODIES || self.sheets.iter().product::<u32>() > MAX_SHEETS {
                return None;
            }
            for k in (0..D).filter(|&k| self.period[k] > 0.0 && axis.is_none_or(|axis| k == axis)) {
                self.sheets[k] += 1;
            }
        }
    }

    /// Returns whether bodies are so far apart, in periods, that very many sheets would be needed.
    fn is_too_thin(&self) -> bool {
        let size = self.high - self.low;
        (0..D).filter(|&axis| self.period[axis] > 0.0).any(|axis| {
            let across = size.product() / size[axis] / f64::from(self.bodies);
            math::powf(across, 1.0 / (D as f64 - 1.0)) > MAX_SPACING_IN_PERIODS * size[axis]
        })
    }

    /// Returns the triangulation with opposite faces glued; `None` if there is none.
    fn triangulate(
        &mut self,
        bodies: &HardSpheres<D>,
        time: f64,
    ) -> Option<Result<SimplicialComplex<D>, PeriodicGluingError>> {
        let sphere = |vertex: u32| {
            let LaguerreVertexMotion { position, radius, .. } = self.motion(vertex, bodies, time);
            Sphere { center: position, radius }
        };
        let spheres: Vec<_> = (0..self.count() as u32).map(sphere).collect();
        let periods = std::array::from_fn(|axis| Some(self.period[axis]).filter(|&p| p > 0.0));
        // The period of one box is valid; that of several sheets may be too long.
        let boundary = Boundary::periodic(periods).ok()?;
        let triangulation =
            Triangulation::with_hull(&spheres, &boundary, HullAssumption::Flat).ok()?;
        let roomy = triangulation.glued_complex(LONGEST_ROOMY_EDGE);
        self.is_tight = roomy.is_err();
        Some(roomy.or_else(|_| triangulation.glued_complex(LONGEST_EDGE)))
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.guards.capacity() * size_of::<Vector<D>>()
            + self.sheet_positions.capacity() * size_of::<SheetPosition<D>>()
    }

    /// Returns the number of vertices.
    pub fn count(&self) -> usize {
        self.body_vertex_count() as usize + self.guards.len()
    }

    /// Returns the number of vertices that are bodies; guards come after them.
    fn body_vertex_count(&self) -> u32 {
        self.bodies * self.sheets.iter().product::<u32>()
    }

    /// Returns the body of a vertex; none for a guard.
    #[inline]
    pub fn body(&self, vertex: u32) -> Option<u32> {
        if vertex < self.bodies {
            return Some(vertex);
        }
        (vertex < self.body_vertex_count()).then(|| vertex % self.bodies)
    }

    /// Returns all vertices of a body.
    pub fn of_body(&self, body: u32) -> impl Iterator<Item = u32> + Clone + use<D> {
        (body..self.body_vertex_count()).step_by(self.bodies as usize)
    }

    /// Updates the sheet of a body, which may have crossed a periodic face since its last examination.
    pub fn track_sheet(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) {
        let Some(before) = self.sheet_positions.get_mut(body as usize) else { return };
        let position = bodies.position_at(body, now);
        for axis in (0..D).filter(|&axis| self.period[axis] > 0.0) {
            let (sheets, half) = (self.sheets[axis], bodies.images.half[axis]);
            // More than half a box between two examinations is a passage through the periodic face: `TRAVEL` allows
            // less. `sheets - 1` is minus one, modulo the number of sheets.
            let step = position[axis] - before.position[axis];
            let on = if step < -half {
                1
            } else if step > half {
                sheets - 1
            } else {
                0
            };
            before.sheet[axis] = (before.sheet[axis] + on) % sheets;
        }
        before.position = position;
    }

    /// Returns whether bodies have more than one vertex.
    #[inline]
    pub fn has_copies(&self) -> bool {
        self.sheets != [1; D]
    }

    /// Returns the motion of a vertex at a time.
    #[inline]
    pub fn motion(
        &self,
        vertex: u32,
        bodies: &HardSpheres<D>,
        time: f64,
    ) -> LaguerreVertexMotion<D> {
        let Some(body) = self.body(vertex) else {
            let rest = Vector::zeros();
            let position = self.guards[(vertex - self.body_vertex_count()) as usize];
            return LaguerreVertexMotion {
                position,
                velocity: rest,
                acceleration: rest,
                radius: 0.0,
                radius_rate: 0.0,
            };
        };
        let mut position = bodies.position_at(body, time);
        if self.has_copies() {
            let mut sheet = vertex / self.bodies;
            for axis in 0..D {
                let first = self.sheet_positions[body as usize].sheet[axis];
                let along = (sheet + first) % self.sheets[axis];
                sheet /= self.sheets[axis];
                position[axis] += f64::from(along) * bodies.region.size[axis]
                    + self.perturbation * pseudorandom_offset(vertex as usize, axis);
            }
        }
        let straight = bodies.uniform_motion;
        LaguerreVertexMotion {
            position,
            velocity: bodies.velocity_at(body, time),
            acceleration: if straight { Vector::zeros() } else { bodies.acceleration(body) },
            radius: bodies.radius_at(body, time),
            radius_rate: bodies.records[body as usize].radius * bodies.growth.rate,
        }
    }

    /// Returns the minimum-image displacement from one position to another.
    #[inline]
    pub fn minimum_image_displacement(&self, from: &Vector<D>, to: &Vector<D>) -> Vector<D> {
        let separation = to - from;
        separation
            - Vector::from_fn(|axis, _| self.shift(separation[axis], axis) * self.period[axis])
    }

    #[inline]
    fn shift(&self, separation: f64, axis: usize) -> f64 {
        let (period, half) = (self.period[axis], 0.5 * self.period[axis]);
        let over = f64::from(u8::from(separation > half)) - f64::from(u8::from(separation < -half));
        if period > 0.0 { over } else { 0.0 }
    }

    /// Returns whether a vertex may be the apex across two facets of a simplex as two different images.
    #[inline]
    pub fn is_tight(&self) -> bool {
        self.is_tight
    }

    /// Distinguishes images from now on, because an edge has become too long to rely on unique ones.
    pub fn become_tight(&mut self) {
        self.is_tight = true;
    }

    /// Returns whether an edge is so short that its nearest image stays unique until one of its ends is
    /// examined.
    #[inline]
    pub fn is_short(&self, edge: &Vector<D>) -> bool {
        let longest = if self.is_tight { LONGEST_EDGE_LATER } else { LONGEST_ROOMY_EDGE_LATER };
        (0..D).all(|axis| {
            let period = self.period[axis];
            period == 0.0 || edge[axis].abs() <= longest * period
        })
    }

    /// Returns whether two displacements to a vertex lead to the same image of it.
    pub fn is_same_image(&self, one: &Vector<D>, other: &Vector<D>) -> bool {
        (0..D).all(|axis| {
            let period = self.period[axis];
            period == 0.0 || (one[axis] - other[axis]).abs() < 0.5 * period
        })
    }

    /// Returns the period of all sheets together; zero on axes without a period.
    pub fn period(&self) -> &Vector<D> {
        &self.period
    }

    /// Returns the rounding error of a coordinate that has been shifted by a period.
    pub fn rounding(&self) -> f64 {
        self.period.amax() * f64::EPSILON
    }

    /// Returns how long a body on its present path stays inside the box of the guards.
    pub fn time_inside_guards(&self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64 {
        let position = bodies.position_at(body, now);
        let velocity = bodies.velocity_at(body, now);
        let acceleration = bodies.acceleration(body);
        let radius = bodies.radius_at(body, now);
        let widening = bodies.records[body as usize].radius * bodies.growth.rate;
        let mut soonest = f64::INFINITY;
        for axis in (0..D)
            .filter(|&axis| bodies.region.boundary_conditions[axis] == BoundaryCondition::Open)
        {
            for (direction, end) in [(-1.0, self.low[axis]), (1.0, self.high[axis])] {
                let gap = direction * (end - position[axis]) - radius;
                let (speed, acceleration) =
                    (-direction * velocity[axis] - widening, -direction * acceleration[axis]);
                soonest = soonest.min(crate::event_driven::gap_closing_time::gap_closing_time(
                    gap,
                    speed,
                    acceleration,
                ));
            }
        }
        soonest
    }

    /// Returns whether a body has left the box of the guards.
    pub fn has_left(&self, body: u32, bodies: &HardSpheres<D>, now: f64) -> bool {
        let (position, radius) = (bodies.position_at(body, now), bodies.radius_at(body, now));
        (0..D)
            .filter(|&axis| bodies.region.boundary_conditions[axis] == BoundaryCondition::Open)
            .any(|axis| {
                let (low, high) = (self.low[axis], self.high[axis]);
                let gap = (position[axis] - low).min(high - position[axis]) - radius;
                gap <= 1e-9 * (high - low)
            })
    }

    /// Places guards on a grid about as fine as the spacing of bodies: outside walls, and on open axes so far
    /// out that bodies take a while to get there.
    fn place_guards(&mut self, bodies: &HardSpheres<D>, time: f64) {
        let region = &bodies.region;
        let all = || 0..self.bodies;
        let widest = 2.0 * all().map(|body| bodies.radius_at(body, time)).fold(0.0, f64::max);
        for axis in 0..D {
            let place = |body: u32| bodies.position_at(body, time)[axis];
            (self.low[axis], self.high[axis]) = match region.boundary_conditions[axis] {
                BoundaryCondition::Periodic | BoundaryCondition::Wall { .. } => {
                    (0.0, region.size[axis])
                }
                BoundaryCondition::Open => {
                    let low = all().map(place).fold(f64::INFINITY, f64::min);
                    let high = all().map(place).fold(f64::NEG_INFINITY, f64::max);
                    let room = 0.5 * (high - low) + 3.0 * widest;
                    (low - room, high + room)
                }
            };
            let periodic = region.boundary_conditions[axis] == BoundaryCondition::Periodic;
            let period = f64::from(self.sheets[axis]) * region.size[axis];
            self.period[axis] = if periodic { period } else { 0.0 };
        }
        let smallest = all().map(|body| bodies.radius_at(body, time)).fold(widest, f64::min);
        self.perturbation = 1e-3 * smallest;
        let size = self.high - self.low;
        let spacing =
            math::powf(size.product() / f64::from(self.bodies), 1.0 / D as f64).max(widest);
        for axis in (0..D).filter(|&axis| {
            matches!(region.boundary_conditions[axis], BoundaryCondition::Wall { .. })
        }) {
            self.low[axis] -= spacing;
            self.high[axis] += spacing;
        }
        let count = |axis: usize| {
            let length = self.period[axis].max(self.high[axis] - self.low[axis]);
            (length / spacing).ceil().clamp(MIN_GUARDS, MAX_GUARDS) as usize
        };
        let counts: [usize; D] = std::array::from_fn(count);
        self.guards.clear();
        if self.period.iter().any(|&period| period == 0.0) {
            self.add_hull_guards(&counts);
        }
    }

    /// Adds the points of a grid that are on an outer side.
    fn add_hull_guards(&mut self, counts: &[usize; D]) {
        let points: [usize; D] =
            std::array::from_fn(|axis| counts[axis] + usize::from(self.period[axis] == 0.0));
        for index in 0..points.iter().product() {
            let mut rest: usize = index;
            let places: [usize; D] = std::array::from_fn(|axis| {
                let place = rest % points[axis];
                rest /= points[axis];
                place
            });
            let on_side = |axis: usize| {
                self.period[axis] == 0.0 && (places[axis] == 0 || places[axis] == counts[axis])
            };
            if !(0..D).any(on_side) {
                continue;
            }
            self.guards.push(Vector::from_fn(|axis, _| {
                let length = self.period[axis].max(self.high[axis] - self.low[axis]);
                let step = length / counts[axis] as f64;
                // Off the grid, so that guards alone are not cocircular (a degenerate triangulation).
                let aside =
                    if on_side(axis) { 0.0 } else { 0.4 * pseudorandom_offset(index, axis) };
                match places[axis] {
                    last if on_side(axis) && last > 0 => self.high[axis],
                    place => self.low[axis] + (place as f64 + aside) * step,
                }
            }));
        }
    }
}

/// Returns a pseudorandom number between -0.5 and 0.5, the same at each call.
fn pseudorandom_offset(index: usize, axis: usize) -> f64 {
    let mixed = (index * 4 + axis + 1) as u64;
    let mixed = (mixed ^ mixed << 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as f64 / (1u64 << 32) as f64 - 0.5
}

/// Fraction of a period that a body may travel before it is examined again.
pub const TRAVEL: f64 = 0.04;
/// Longest edge at the start, as a fraction of a period; longer ones need more sheets.
const LONGEST_EDGE: f64 = 0.345;
/// Longest edge later, as a fraction of a period; longer ones need more sheets. Below one half, because
/// both ends may travel before the edge is examined again.
const LONGEST_EDGE_LATER: f64 = 0.49 - 2.0 * TRAVEL;
/// Longest edge, as a fraction of a period, at which four edges cannot wind around the period, so that
/// images are unique.
const LONGEST_ROOMY_EDGE: f64 = 0.12;
/// The same later: below a quarter of a period even after both ends have traveled.
const LONGEST_ROOMY_EDGE_LATER: f64 = 0.245 - 2.0 * TRAVEL;
/// Largest number of sheets; more copies of all bodies cost more than all pairs.
const MAX_SHEETS: u32 = 100;
/// Up to this number of bodies all pairs are used, since nearly all bodies are neighbors in any case.
const FEW_BODIES: u32 = 16;
/// Spacing of bodies, in periods, beyond which all pairs are used.
const MAX_SPACING_IN_PERIODS: f64 = 10.0;
const MIN_GUARDS: f64 = 4.0;
const MAX_GUARDS: f64 = 2000.0;
