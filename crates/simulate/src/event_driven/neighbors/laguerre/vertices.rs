//! What the vertices of the triangulation are: bodies, and guards outside them that never move.
//!
//! In a periodic box with few bodies one period is not enough for a triangulation (an edge could be
//! longer than half of it); then there are several sheets, a vertex for each body in each. Two bodies
//! and their copies would be in one plane for ever, and flips in a plane come in pairs that no single
//! flip replaces; so copies are displaced by next to nothing.
//! Where an axis is not periodic, guards (spheres of radius zero) stand on the two sides of a box
//! around all bodies. They make the hull, so that it never changes, and since they are outside all
//! bodies, they neither hide nor are hidden.

use super::certificate::LaguerreVertexMotion;
use crate::event_driven::hard_spheres::HardSpheres;
use carom_detect::laguerre::{
    HullAssumption, PeriodicGluingError, SimplicialComplex, Triangulation,
};
use carom_geometry::{Boundary, Sphere, Vector, math};
use carom_scene::scene::BoundaryCondition;

/// See the module.
#[derive(Debug)]
pub struct LaguerreVertices<const D: usize> {
    /// How many bodies there are.
    pub bodies: u32,
    /// Periods side by side on each axis.
    sheets: [u32; D],
    guards: Vec<Vector<D>>,
    /// Of all sheets together; zero on axes without a period.
    period: Vector<D>,
    /// Whether one vertex may be seen across two facets of a simplex as two images.
    is_tight: bool,
    /// Of copies, at most.
    perturbation: f64,
    /// Where each body was last, and on which sheet its first vertex is now; empty on one sheet.
    sheet_positions: Vec<SheetPosition<D>>,
    /// The box of the guards; on periodic axes that of the bodies.
    low: Vector<D>,
    high: Vector<D>,
}

/// A body that goes out at one end of the box comes in at the other, but its vertices go on to the next
/// sheet.
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

    /// Vertices for the bodies at a time, and their triangulation; none if a handful of bodies is all
    /// there is in a periodic box, so that each is a neighbor of every other, and of itself, or if
    /// the box is so thin or its numbers so large that there is no triangulation.
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

    /// Whether bodies are so far apart beside a period that it would take very many sheets.
    fn is_too_thin(&self) -> bool {
        let size = self.high - self.low;
        (0..D).filter(|&axis| self.period[axis] > 0.0).any(|axis| {
            let across = size.product() / size[axis] / f64::from(self.bodies);
            math::powf(across, 1.0 / (D as f64 - 1.0)) > MAX_SPACING_IN_PERIODS * size[axis]
        })
    }

    /// The triangulation with opposite sides made one; `None` if there is none.
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
        // One box is of usable length; several of the longest side by side need not be.
        let boundary = Boundary::periodic(periods).ok()?;
        let triangulation =
            Triangulation::with_hull(&spheres, &boundary, HullAssumption::Flat).ok()?;
        let roomy = triangulation.glued_complex(LONGEST_ROOMY_EDGE);
        self.is_tight = roomy.is_err();
        Some(roomy.or_else(|_| triangulation.glued_complex(LONGEST_EDGE)))
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.guards.capacity() * size_of::<Vector<D>>()
            + self.sheet_positions.capacity() * size_of::<SheetPosition<D>>()
    }

    /// How many vertices there are.
    pub fn count(&self) -> usize {
        self.body_vertex_count() as usize + self.guards.len()
    }

    /// How many vertices are bodies; guards come after them.
    fn body_vertex_count(&self) -> u32 {
        self.bodies * self.sheets.iter().product::<u32>()
    }

    /// The body at a vertex.
    #[inline]
    pub fn body(&self, vertex: u32) -> Option<u32> {
        if vertex < self.bodies {
            return Some(vertex);
        }
        (vertex < self.body_vertex_count()).then(|| vertex % self.bodies)
    }

    /// Every vertex of a body.
    pub fn of_body(&self, body: u32) -> impl Iterator<Item = u32> + Clone + use<D> {
        (body..self.body_vertex_count()).step_by(self.bodies as usize)
    }

    /// A body has a new velocity, is examined, or has gone through a seam.
    pub fn track_sheet(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) {
        let Some(before) = self.sheet_positions.get_mut(body as usize) else { return };
        let position = bodies.position_at(body, now);
        for axis in (0..D).filter(|&axis| self.period[axis] > 0.0) {
            let (sheets, half) = (self.sheets[axis], bodies.images.half[axis]);
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

    /// Whether bodies have more than one vertex.
    #[inline]
    pub fn has_copies(&self) -> bool {
        self.sheets != [1; D]
    }

    /// How a vertex moves.
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

    /// The shortest step from one place to another.
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

    /// Whether one vertex may be seen across two facets of a simplex as two images.
    #[inline]
    pub fn is_tight(&self) -> bool {
        self.is_tight
    }

    /// An edge is no longer so short that nothing is seen twice; from now on images are told apart.
    pub fn become_tight(&mut self) {
        self.is_tight = true;
    }

    /// Whether an edge is so short that no other image of its end is nearer until one of its ends is
    /// examined.
    #[inline]
    pub fn is_short(&self, edge: &Vector<D>) -> bool {
        let longest = if self.is_tight { STRETCHED_EDGE } else { STRETCHED_ROOMY_EDGE };
        (0..D).all(|axis| {
            let period = self.period[axis];
            period == 0.0 || edge[axis].abs() <= longest * period
        })
    }

    /// Whether two steps to a vertex lead to the same image of it.
    pub fn is_same_image(&self, one: &Vector<D>, other: &Vector<D>) -> bool {
        (0..D).all(|axis| {
            let period = self.period[axis];
            period == 0.0 || (one[axis] - other[axis]).abs() < 0.5 * period
        })
    }

    /// The periods of all sheets together; zero on axes without one.
    pub fn period(&self) -> &Vector<D> {
        &self.period
    }

    /// The error of a coordinate that has been shifted by a period.
    pub fn rounding(&self) -> f64 {
        self.period.amax() * f64::EPSILON
    }

    /// How long a body on its present path stays between the guards.
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
                let (speed, pull) =
                    (-direction * velocity[axis] - widening, -direction * acceleration[axis]);
                soonest = soonest
                    .min(crate::event_driven::gap_closing_time::gap_closing_time(gap, speed, pull));
            }
        }
        soonest
    }

    /// Whether a body has left the box of the guards.
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

    /// Guards on a grid about as fine as the bodies are apart, outside walls, and in the open so far
    /// out that it takes bodies a while to get there.
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

    /// The points of a grid that are on an outer side.
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
                // Off the grid, so that guards alone are not cocircular.
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

/// Between minus one half and one half, the same at each call.
fn pseudorandom_offset(index: usize, axis: usize) -> f64 {
    let mixed = (index * 4 + axis + 1) as u64;
    let mixed = (mixed ^ mixed << 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as f64 / (1u64 << 32) as f64 - 0.5
}

/// A body is examined before it has traveled this part of a period.
pub const TRAVEL: f64 = 0.04;
/// Edges longer than this part of a period need more sheets to begin with.
const LONGEST_EDGE: f64 = 0.345;
/// Edges that have become longer than this part of a period need more sheets: before they are looked
/// at again, both ends may travel.
const STRETCHED_EDGE: f64 = 0.49 - 2.0 * TRAVEL;
/// If no edge is longer than this part of a period, four of them do not go round it.
const LONGEST_ROOMY_EDGE: f64 = 0.12;
/// Nor while none has become longer than this.
const STRETCHED_ROOMY_EDGE: f64 = 0.245 - 2.0 * TRAVEL;
/// More copies of all bodies cost more than comparing them with each other.
const MAX_SHEETS: u32 = 100;
/// So few bodies have nearly all others as neighbors in any case.
const FEW_BODIES: u32 = 16;
/// In boxes whose bodies are farther apart than so many periods, bodies are compared with each other.
const MAX_SPACING_IN_PERIODS: f64 = 10.0;
const MIN_GUARDS: f64 = 4.0;
const MAX_GUARDS: f64 = 2000.0;
