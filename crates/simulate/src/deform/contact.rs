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
    /// How many times as stiff touching surfaces are as the lattice.
    pub stiffness: f64,
}

impl Default for Touch {
    fn default() -> Self {
        Touch { stiffness: 1.0 }
    }
}

/// The part of the spacing by which particles are searched as if wider.
const SKIN: f64 = 0.5;

/// A particle of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub body: usize,
    pub number: u32,
}

/// What may touch until the next search.
#[derive(Default)]
pub(super) struct Contacts {
    particles: Vec<Place>,
    sides: Vec<(usize, Side)>,
    /// Of a particle and a side, ascending.
    pairs: Vec<[u32; 2]>,
    /// Particles near walls, with the wall.
    at_walls: Vec<(Place, usize)>,
    /// No particle has moved farther since.
    moved: f64,
    is_found: bool,
}

/// A flat wall across an axis that nothing moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The axis it stands across.
    pub axis: usize,
    /// Where it is on the axis.
    pub at: f64,
    /// Whether bodies are on the side of larger numbers.
    pub is_low: bool,
}

impl Wall {
    /// How far a place is before it.
    fn distance<const D: usize>(&self, place: &Vector<D>) -> f64 {
        if self.is_low { place[self.axis] - self.at } else { self.at - place[self.axis] }
    }

    fn normal<const D: usize>(&self) -> Vector<D> {
        let mut normal = Vector::zeros();
        normal[self.axis] = if self.is_low { 1.0 } else { -1.0 };
        normal
    }
}

/// What touches at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touched {
    /// Particles that touch a side.
    pub contacts: u64,
    /// The energy stored there.
    pub stored: f64,
    /// The energy rubbed away in this step.
    pub rubbed: f64,
    /// The sum of all pushes.
    pub push: f64,
    /// The energy that came from held particles, which nothing moves.
    pub held: f64,
    /// A step may be so long that nothing passes through anything unseen.
    pub longest_step: f64,
}

impl Default for Touched {
    fn default() -> Self {
        let longest_step = f64::INFINITY;
        Touched { contacts: 0, stored: 0.0, rubbed: 0.0, push: 0.0, held: 0.0, longest_step }
    }
}

/// The part of the way to a surface that a particle goes in a step at most; a step is at most twice this part of the longest
/// stable one of a contact by itself.
const CAUTION: f64 = 0.2;

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
        walls: &[Wall],
    ) -> Result<(), Error> {
        let spacing = bodies.iter().map(|body| body.spacing).fold(f64::INFINITY, f64::min);
        if self.is_found && 2.0 * self.moved < SKIN * spacing {
            return Ok(());
        }
        (self.moved, self.is_found) = (0.0, true);
        self.particles.clear();
        self.sides.clear();
        self.at_walls.clear();
        let mut spheres: Vec<Sphere<D>> = Vec::new();
        let mut around: Vec<Sphere<D>> = Vec::new();
        for (number, (body, surface)) in bodies.iter().zip(surfaces).enumerate() {
            let skin = 0.5 * body.spacing * SKIN;
            let mut add_side = |side: Side| {
                let corners = side.corners().iter().map(|&corner| corner as usize);
                let middle = corners.clone().map(|corner| body.position(corner)).sum::<Vector<D>>()
                    / side.corners().len() as f64;
                let reach = |corner| (body.position(corner) - middle).norm() + body.depth(corner);
                let radius = corners.map(reach).fold(0.0, f64::max);
                around.push(Sphere::new(middle, radius + skin));
                self.sides.push((number, side));
            };
            surface.sides().for_each(&mut add_side);
            for particle in body.grid.particles().filter(|&particle| body.is_boundary(particle)) {
                let is_loose = || surface.is_loose(body, particle);
                if surface.has(particle as u32) || is_loose() {
                    spheres.push(Sphere::new(body.position(particle), body.depth(particle) + skin));
                    let place = Place { body: number, number: particle as u32 };
                    self.particles.push(place);
                    let far = body.depth(particle) + SKIN * spacing;
                    let is_near = |wall: &Wall| wall.distance(&body.position(particle)) < far;
                    let near = (0..walls.len()).filter(|&wall| is_near(&walls[wall]));
                    self.at_walls.extend(near.map(|wall| (place, wall)));
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
        walls: &[Wall],
        touch: &Touch,
        kick: f64,
    ) -> Touched {
        let (mut sum, pushes) = self.forces(bodies, walls, touch, kick);
        for (Place { body, number }, force) in pushes {
            let (body, number) = (&mut bodies[body], number as usize);
            if body.is_held(number) {
                sum.held += force.dot(&body.velocity(number)) * kick;
            }
            let change = force * (kick / body.mass);
            body.push(number, &change);
        }
        sum
    }

    /// What touches, and what pushes at whom.
    pub(super) fn forces<const D: usize>(
        &self,
        bodies: &[Body<D>],
        walls: &[Wall],
        touch: &Touch,
        kick: f64,
    ) -> (Touched, Vec<(Place, Vector<D>)>) {
        let mut sum = Touched::default();
        let mut pushes: Vec<(Place, Vector<D>)> = Vec::new();
        for pairs in self.pairs.chunk_by(|one, two| one[0] == two[0]) {
            let place = self.particles[pairs[0][0] as usize];
            let body = &bodies[place.body];
            let Some((near, other)) = self.nearest(bodies, place, pairs) else { continue };
            let meeting = Meeting {
                normal: near.way / near.distance,
                distance: near.distance,
                reach: match other == place.body {
                    true => 2.0 * body.depth_at_cracks(),
                    false => body.depth(place.number as usize) + near.depth,
                },
                hardness: touch.stiffness * hardness(body, &bodies[other]),
                speed: body.velocity(place.number as usize) - near.velocity(&bodies[other]),
                give: 1.0 / body.mass + near.give() / bodies[other].mass,
            };
            let friction = body.material.friction.min(bodies[other].material.friction);
            let Some(force) = meeting.push(friction, kick, &mut sum) else { continue };
            pushes.push((place, force));
            let corners = near.side.corners().iter().zip(near.shares);
            pushes.extend(
                corners.map(|(&number, share)| (Place { body: other, number }, -force * share)),
            );
        }
        for &(place, wall) in &self.at_walls {
            let (body, wall) = (&bodies[place.body], &walls[wall]);
            let number = place.number as usize;
            let meeting = Meeting {
                normal: wall.normal(),
                distance: wall.distance(&body.position(number)),
                reach: body.depth(number),
                // One layer, which only its own particles press.
                hardness: touch.stiffness * 2.0 * hardness(body, body),
                speed: body.velocity(number),
                give: 1.0 / body.mass,
            };
            let force = meeting.push(body.material.friction, kick, &mut sum);
            pushes.extend(force.map(|force| (place, force)));
        }
        (sum, pushes)
    }

    /// Of sides that a particle may touch the one whose outline is the nearest, and its body.
    fn nearest<const D: usize>(
        &self,
        bodies: &[Body<D>],
        place: Place,
        pairs: &[[u32; 2]],
    ) -> Option<(Near<D>, usize)> {
        let body = &bodies[place.body];
        let here = body.position(place.number as usize);
        let mut nearest: Option<(Near<D>, usize)> = None;
        for [_, side] in pairs {
            let (other, side) = &self.sides[*side as usize];
            if *other == place.body && is_joined(body, place.number, side) {
                continue;
            }
            let near = Near::of(&bodies[*other], side, &here);
            if nearest.as_ref().is_none_or(|(best, _)| near.gap() < best.gap()) {
                nearest = Some((near, *other));
            }
        }
        nearest
    }
}

/// Half of what a spacing of the lattice resists with, for particles of both surfaces push; of two lattices, halves of
/// layers one behind the other.
fn hardness<const D: usize>(one: &Body<D>, two: &Body<D>) -> f64 {
    let layer =
        |body: &Body<D>| body.grid.lattice.solid().longitudinal.powi(2) * body.stiffness.spring;
    let (a, b) = (layer(one), layer(two));
    a * b / (a + b) * 0.5 * (one.spacing + two.spacing)
}

/// A particle before a side or a wall.
struct Meeting<const D: usize> {
    /// Towards the particle.
    normal: Vector<D>,
    distance: f64,
    /// How deep both are below the outlines of their bodies.
    reach: f64,
    hardness: f64,
    /// Of the particle, as seen from the side.
    speed: Vector<D>,
    /// How fast both move apart by a push of one in a time of one.
    give: f64,
}

impl<const D: usize> Meeting<D> {
    /// What pushes the particle, if it is near enough, and what that does, added to `sum`. The push grows without bound
    /// as the distance shrinks.
    fn push(&self, friction: f64, kick: f64, sum: &mut Touched) -> Option<Vector<D>> {
        let Meeting { normal, distance, reach, hardness, speed, give } = self;
        if *distance >= *reach || *distance <= 0.0 {
            return None;
        }
        let closing = -normal.dot(speed);
        if closing > 0.0 {
            sum.longest_step = sum.longest_step.min(CAUTION * distance / closing);
        }
        let push = hardness * (reach / distance - 1.0);
        let stiffness = hardness * reach / (distance * distance);
        sum.longest_step = sum.longest_step.min(4.0 * CAUTION / (stiffness * give).sqrt());
        let slip = speed + normal * closing;
        // At most a quarter of the slip is stopped in a step, so that nothing trembles.
        let stopped = 0.25 * slip.norm() / (give * kick);
        let rub = (friction * push).min(stopped);
        let rubbed = slip.try_normalize(0.0).map_or_else(Vector::zeros, |slip| -slip * rub);
        sum.contacts += 1;
        sum.push += push;
        sum.stored += hardness * (reach * (reach / distance).ln() - reach + distance);
        sum.rubbed -= rubbed.dot(&(slip + rubbed * (0.5 * give * kick))) * kick;
        Some(normal * push + rubbed)
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

/// The nearest point of a side.
struct Near<const D: usize> {
    side: Side,
    /// The shares of its corners.
    shares: [f64; 3],
    /// From there to the particle.
    way: Vector<D>,
    distance: f64,
    /// How far the outline of the body is before it.
    depth: f64,
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
        let numbers = side.corners().iter().map(|&number| number as usize);
        let depth = numbers.zip(shares).map(|(number, share)| body.depth(number) * share).sum();
        Near { side: *side, shares, way, distance: way.norm(), depth }
    }

    /// To the outline of the body.
    fn gap(&self) -> f64 {
        self.distance - self.depth
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
