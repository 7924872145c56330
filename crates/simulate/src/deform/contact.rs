//! Where bodies touch: particles of a surface against sides of a surface.
//!
//! Each particle is pushed away from the nearest point of the surface of another body, or of another part of its own,
//! once it is nearer than the spacing, and that side's corners are pushed back in their shares: forces are along the
//! way between both points, so that momentum and angular momentum are kept, and derive from an energy that grows
//! without bound as the way shrinks, so that nothing passes through. Two flat surfaces on each other are as stiff as
//! the lattice itself.

use super::body::Body;
use super::surface::{Side, Surface, alone};
use crate::Error;
use carom_detect::{ContactSearch, Method};
use carom_geometry::{Boundary, Sphere, Vector};

/// How bodies touch each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Coulomb's coefficient.
    pub friction: f64,
    /// How many times as stiff touching surfaces are as the lattice.
    pub stiffness: f64,
}

impl Default for Touch {
    fn default() -> Self {
        Touch { friction: 0.0, stiffness: 1.0 }
    }
}

/// The part of the spacing by which particles are searched as if wider.
const SKIN: f64 = 0.5;

/// A particle of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    body: usize,
    number: u32,
}

/// What may touch until the next search.
#[derive(Default)]
pub(super) struct Contacts {
    particles: Vec<Place>,
    sides: Vec<(usize, Side)>,
    /// Of a particle and a side, ascending.
    pairs: Vec<[u32; 2]>,
    /// No particle has moved farther since.
    moved: f64,
    is_found: bool,
}

/// What touches at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touched {
    /// Particles that touch a side.
    pub contacts: u64,
    /// The energy stored there.
    pub stored: f64,
    /// The energy rubbed away in this step.
    pub rubbed: f64,
    /// The sum of all pushes.
    pub push: f64,
}

impl Contacts {
    /// Lets everything be looked for again.
    pub(super) fn forget(&mut self) {
        self.is_found = false;
    }

    /// Tells how far particles have moved at most.
    pub(super) fn move_on(&mut self, way: f64) {
        self.moved += way;
    }

    /// Looks for all that may touch, if something has moved too far since.
    pub(super) fn find<const D: usize>(
        &mut self,
        bodies: &[Body<D>],
        surfaces: &[Surface<D>],
    ) -> Result<(), Error> {
        let spacing = bodies.iter().map(|body| body.spacing).fold(f64::INFINITY, f64::min);
        if self.is_found && 2.0 * self.moved < SKIN * spacing {
            return Ok(());
        }
        (self.moved, self.is_found) = (0.0, true);
        self.particles.clear();
        self.sides.clear();
        let mut spheres: Vec<Sphere<D>> = Vec::new();
        let mut around: Vec<Sphere<D>> = Vec::new();
        for (number, (body, surface)) in bodies.iter().zip(surfaces).enumerate() {
            let reach = 0.5 * body.spacing * (1.0 + SKIN);
            let mut add_side = |side: Side| {
                let corners = side.corners().iter().map(|&corner| body.position(corner as usize));
                let middle = corners.clone().sum::<Vector<D>>() / side.corners().len() as f64;
                let radius = corners.map(|corner| (corner - middle).norm()).fold(0.0, f64::max);
                around.push(Sphere::new(middle, radius + reach));
                self.sides.push((number, side));
            };
            surface.sides().for_each(|side| add_side(*side));
            for particle in body.grid.particles().filter(|&particle| body.is_boundary(particle)) {
                let is_loose = || surface.is_loose(body, particle);
                if surface.has(particle as u32) || is_loose() {
                    spheres.push(Sphere::new(body.position(particle), reach));
                    self.particles.push(Place { body: number, number: particle as u32 });
                }
                if !surface.has(particle as u32) && is_loose() {
                    add_side(alone(particle as u32));
                }
            }
        }
        let count = spheres.len() as u32;
        spheres.extend(around);
        self.pairs.clear();
        let (particles, sides, pairs) = (&self.particles, &self.sides, &mut self.pairs);
        ContactSearch::new(Method::Auto).visit(&spheres, &Boundary::open(), |contact| {
            let [first, second] = [contact.pair.first(), contact.pair.second()];
            if first < count && second >= count {
                let (particle, (body, side)) =
                    (particles[first as usize], sides[(second - count) as usize]);
                let may_meet = particle.body != body
                    || (bodies[body].is_cracked && !side.corners().contains(&particle.number));
                if may_meet {
                    pairs.push([first, second - count]);
                }
            }
        })?;
        Ok(())
    }

    /// Lets all that touches push; `kick` is the time for which it does.
    pub(super) fn push<const D: usize>(
        &self,
        bodies: &mut [Body<D>],
        touch: &Touch,
        kick: f64,
    ) -> Touched {
        let mut sum = Touched::default();
        let mut pushes: Vec<(Place, Vector<D>)> = Vec::new();
        for pairs in self.pairs.chunk_by(|one, two| one[0] == two[0]) {
            let place = self.particles[pairs[0][0] as usize];
            let body = &bodies[place.body];
            let here = body.position(place.number as usize);
            let mut nearest: Option<(Near<D>, usize)> = None;
            for [_, side] in pairs {
                let (other, side) = &self.sides[*side as usize];
                if *other == place.body && is_joined(body, place.number, side) {
                    continue;
                }
                let near = Near::of(&bodies[*other], side, &here);
                if nearest.as_ref().is_none_or(|(best, _)| near.distance < best.distance) {
                    nearest = Some((near, *other));
                }
            }
            let Some((near, other)) = nearest else { continue };
            let meeting = Meeting::of(body, &bodies[other], touch);
            if near.distance >= meeting.reach || near.distance == 0.0 {
                continue;
            }
            let normal = near.way / near.distance;
            let push = meeting.push(near.distance);
            let slip = body.velocity(place.number as usize) - near.velocity(&bodies[other]);
            let slip = slip - normal * normal.dot(&slip);
            let give = 1.0 / body.mass + near.give() / bodies[other].mass;
            // At most a quarter of the slip is stopped in a step, so that nothing trembles.
            let stopped = 0.25 * slip.norm() / (give * kick);
            let rub = (touch.friction * push).min(stopped);
            let rubbed = slip.try_normalize(0.0).map_or_else(Vector::zeros, |slip| -slip * rub);
            let force = normal * push + rubbed;
            sum.contacts += 1;
            sum.push += push;
            sum.stored += meeting.energy(near.distance);
            sum.rubbed -= rubbed.dot(&(slip + rubbed * (0.5 * give * kick))) * kick;
            pushes.push((place, force));
            let corners = near.side.corners().iter().zip(near.shares);
            pushes.extend(
                corners.map(|(&number, share)| (Place { body: other, number }, -force * share)),
            );
        }
        for (place, force) in pushes {
            let body = &mut bodies[place.body];
            let change = force * (kick / body.mass);
            body.push(place.number as usize, &change);
        }
        sum
    }
}

/// Whether a spring holds between a particle and a corner of a side.
fn is_joined<const D: usize>(body: &Body<D>, number: u32, side: &Side) -> bool {
    let steps = |number: u32| body.grid.steps(body.grid.row_of(number as usize), number as usize);
    let here = steps(number);
    side.corners().iter().any(|&corner| {
        let there = steps(corner);
        let offset: [i32; D] = std::array::from_fn(|axis| there[axis] - here[axis]);
        let link = |sign: i32| {
            body.links.iter().position(|link| link.offset.map(|step| step * sign) == offset)
        };
        let bit = link(1).or_else(|| link(-1).map(|bit| bit + body.links.len()));
        bit.is_some_and(|bit| body.holds(number as usize, bit))
    })
}

/// How two bodies push each other.
struct Meeting {
    reach: f64,
    stiffness: f64,
}

impl Meeting {
    /// Half of what one layer of the lattice resists with, for particles of both surfaces push; of two lattices, halves
    /// of layers one behind the other.
    fn of<const D: usize>(one: &Body<D>, two: &Body<D>, touch: &Touch) -> Self {
        let layer =
            |body: &Body<D>| body.grid.lattice.solid().longitudinal.powi(2) * body.stiffness;
        let (a, b) = (layer(one), layer(two));
        Meeting {
            reach: 0.5 * (one.spacing + two.spacing),
            stiffness: touch.stiffness * a * b / (a + b),
        }
    }

    fn push(&self, distance: f64) -> f64 {
        self.stiffness * self.reach * (self.reach / distance - 1.0)
    }

    fn energy(&self, distance: f64) -> f64 {
        let ratio = self.reach / distance;
        self.stiffness * self.reach * (self.reach * ratio.ln() - self.reach + distance)
    }
}

/// The nearest point of a side.
struct Near<const D: usize> {
    side: Side,
    /// The shares of its corners.
    shares: [f64; 3],
    /// From there to the particle.
    way: Vector<D>,
    distance: f64,
}

impl<const D: usize> Near<D> {
    fn of(body: &Body<D>, side: &Side, here: &Vector<D>) -> Self {
        let mut corners = [*here; 3];
        for (corner, &number) in corners.iter_mut().zip(side.corners()) {
            *corner = body.position(number as usize);
        }
        let shares = shares(&corners[..side.corners().len()], here);
        let point: Vector<D> =
            corners.iter().zip(shares).map(|(corner, share)| corner * share).sum();
        let way = here - point;
        Near { side: *side, shares, way, distance: way.norm() }
    }

    fn velocity(&self, body: &Body<D>) -> Vector<D> {
        let corners = self.side.corners().iter().zip(self.shares);
        corners.map(|(&number, share)| body.velocity(number as usize) * share).sum()
    }

    /// How fast the point becomes by a push of one, with a mass of one of each corner.
    fn give(&self) -> f64 {
        self.shares.iter().map(|share| share * share).sum()
    }
}

/// The shares of corners in the point nearest to a place: of a point, a segment or a triangle (C. Ericson, 2004).
fn shares<const D: usize>(corners: &[Vector<D>], place: &Vector<D>) -> [f64; 3] {
    let part = |from: &Vector<D>, to: &Vector<D>| {
        let way = to - from;
        (way.dot(&(place - from)) / way.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    };
    match corners {
        [_] => [1.0, 0.0, 0.0],
        [a, b] => [1.0 - part(a, b), part(a, b), 0.0],
        [a, b, c] => {
            let (ab, ac, ap) = (b - a, c - a, place - a);
            let (d00, d01, d11) = (ab.dot(&ab), ab.dot(&ac), ac.dot(&ac));
            let (d20, d21) = (ap.dot(&ab), ap.dot(&ac));
            let area = d00 * d11 - d01 * d01;
            let [v, w] = [(d11 * d20 - d01 * d21) / area, (d00 * d21 - d01 * d20) / area];
            if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
                return [1.0 - v - w, v, w];
            }
            let edges = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| {
                let part = part(&corners[from], &corners[to]);
                let mut shares = [0.0; 3];
                (shares[from], shares[to]) = (1.0 - part, part);
                let point = corners[from] * (1.0 - part) + corners[to] * part;
                ((place - point).norm_squared(), shares)
            });
            let best = edges.into_iter().min_by(|one, two| one.0.total_cmp(&two.0));
            best.map_or([1.0, 0.0, 0.0], |(_, shares)| shares)
        }
        _ => unreachable!("a side has one to three corners"),
    }
}
