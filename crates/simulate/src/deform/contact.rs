//! Where bodies touch: particles of a surface against sides of a surface.
//!
//! Each particle is pushed away from the nearest point of the surface of each other body, or of another part of its own,
//! once the outlines of both touch, and that side's corners are pushed back in their shares: forces are along the
//! way between both points, so that momentum and angular momentum are kept, and derive from an energy that grows ever
//! faster as the way shrinks. Two flat surfaces on each other are as stiff as the lattice itself.
//!
//! Springs that break uncover sides, which may be near to particles that never came there. Such particles are not thrown
//! off: their reach is what it is at that moment, and grows as they go away.

use super::body::Body;
use super::meeting::{Meeting, Near, Rub, hardness};
use super::surface::{Side, Surface, alone};
use crate::Error;
use carom_detect::{ContactSearch, Method};
use carom_geometry::{Aabb, Boundary, Sphere, Vector};
use std::collections::HashMap;

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

/// Particles are searched as if wider by at least and at most these parts of the spacing: by what they move in so many
/// steps at most.
const SKIN: [f64; 2] = [0.4, 0.8];
const LASTS: f64 = 4.0;

/// New faces of cracks are looked for when something has moved by this part of the spacing since they came.
const OPENING: f64 = 0.1;

/// What is uncovered nearer than this part of the reach is not touched until it has gone farther.
const SHORTEST: f64 = 0.3;

/// A particle of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub body: usize,
    pub number: u32,
}

/// A particle that may touch something.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    place: Place,
    /// Its row in the lattice, and where it is in it.
    row: u32,
    steps: [i32; 3],
    /// Below the outline of its body.
    depth: f64,
    /// The part of its reach that counts.
    part: f64,
}

/// A side that may be touched.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Face {
    body: usize,
    side: Side,
    depths: [f64; 3],
    /// Where in the lattice its first corner is.
    steps: [i32; 3],
}

/// What may touch until the next search.
#[derive(Default)]
pub(super) struct Contacts {
    nodes: Vec<Node>,
    faces: Vec<Face>,
    /// Of a node and a face, ascending.
    pairs: Vec<[u32; 2]>,
    /// Nodes near walls, with the wall.
    at_walls: Vec<[u32; 2]>,
    /// By how much particles were searched as if wider.
    skin: f64,
    /// No particle has moved farther since the search, and since springs broke after it.
    moved: f64,
    opened: Option<f64>,
    is_found: bool,
}

/// The same as plain numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedContacts {
    /// The body, the particle.
    pub nodes: Vec<[u32; 2]>,
    /// The parts of their reaches.
    pub parts: Vec<f64>,
    /// The body, how many corners, the corners.
    pub faces: Vec<[u32; 5]>,
    /// A node and a face.
    pub pairs: Vec<[u32; 2]>,
    /// A node and a wall.
    pub at_walls: Vec<[u32; 2]>,
    /// How far particles moved since the search, and since springs broke (negative if none did), and by how much they
    /// were searched as if wider.
    pub moved: [f64; 3],
    /// Whether there was a search at all.
    pub is_found: bool,
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
        Touched { contacts: 0, stored: 0.0, push: 0.0, held: 0.0, longest_step }
    }
}

/// What touches, and what comes of it.
pub(super) struct Forces<const D: usize> {
    pub sum: Touched,
    pub pushes: Vec<(Place, Vector<D>)>,
    /// How far nodes with a shortened reach are, in parts of the whole one.
    parts: Vec<(u32, f64)>,
    rubs: Vec<Rub<D>>,
}

impl Contacts {
    /// Lets everything be looked for again.
    pub(super) fn forget(&mut self) {
        self.is_found = false;
    }

    /// Tells that springs have broken.
    pub(super) fn open(&mut self) {
        self.opened.get_or_insert(0.0);
    }

    /// Tells how far particles have moved at most.
    pub(super) fn move_on(&mut self, way: f64) {
        self.moved += way;
        self.opened = self.opened.map(|opened| opened + way);
    }

    /// Looks for all that may touch, if something has moved too far since.
    pub(super) fn find<const D: usize>(
        &mut self,
        bodies: &[Body<D>],
        surfaces: &[Surface<D>],
        walls: &[Wall],
        step: f64,
    ) -> Result<(), Error> {
        let spacing = bodies.iter().map(|body| body.spacing).fold(f64::INFINITY, f64::min);
        let is_open = self.opened.is_some_and(|opened| opened >= OPENING * spacing);
        if self.is_found && 2.0 * self.moved < self.skin && !is_open {
            return Ok(());
        }
        let before = self.opened.is_some().then(|| self.gaps(bodies));
        let short = self.nodes.iter().filter(|node| node.part < 1.0);
        let parts: HashMap<Place, f64> = short.map(|node| (node.place, node.part)).collect();
        let fastest = bodies.iter().map(|body| body.fastest).fold(0.0, f64::max);
        let skin = (2.0 * LASTS * fastest * step).clamp(SKIN[0] * spacing, SKIN[1] * spacing);
        *self = Contacts { is_found: true, skin, ..Contacts::default() };
        let spheres = self.gather(bodies, surfaces, &parts);
        for (number, node) in (0..).zip(&self.nodes) {
            let place = bodies[node.place.body].position(node.place.number as usize);
            let far = node.depth + skin;
            let near = (0..walls.len()).filter(|&wall| walls[wall].distance(&place) < far);
            self.at_walls.extend(near.map(|wall| [number, wall as u32]));
        }
        self.pair_up(bodies, &spheres)?;
        if let Some(before) = before {
            self.spare_uncovered(bodies, &before);
        }
        Ok(())
    }

    /// Puts down all nodes and faces, and gives spheres around them.
    fn gather<const D: usize>(
        &mut self,
        bodies: &[Body<D>],
        surfaces: &[Surface<D>],
        parts: &HashMap<Place, f64>,
    ) -> Vec<Sphere<D>> {
        let mut spheres: Vec<Sphere<D>> = Vec::new();
        let mut around: Vec<Sphere<D>> = Vec::new();
        let boxes: Vec<Aabb<D>> = bodies.iter().map(|body| bounds(body, self.skin)).collect();
        for (number, (body, surface)) in bodies.iter().zip(surfaces).enumerate() {
            let skin = 0.5 * self.skin;
            // A body in one piece touches others only, and only where these are.
            let is_few = boxes.len() <= FEW_BODIES && !body.is_cracked;
            let is_apart = |middle: &Vector<D>, radius: f64| {
                let meets = |near: &Aabb<D>| {
                    let off = middle - middle.inf(&near.high).sup(&near.low);
                    off.norm() <= radius
                };
                let mut others = boxes.iter().enumerate().filter(|(other, _)| *other != number);
                is_few && !others.any(|(_, near)| meets(near))
            };
            let mut add_face = |side: Side| {
                let mut depths = [0.0; 3];
                let (mut middle, share) = (Vector::zeros(), 1.0 / side.corners().len() as f64);
                for (depth, &corner) in depths.iter_mut().zip(side.corners()) {
                    *depth = body.depth(corner as usize);
                    middle += body.position(corner as usize) * share;
                }
                let corners = side.corners().iter().zip(depths);
                let reach = |(&corner, depth): (&u32, f64)| {
                    (body.position(corner as usize) - middle).norm() + depth
                };
                let radius = corners.map(reach).fold(0.0, f64::max);
                if is_apart(&middle, radius + skin) {
                    return;
                }
                around.push(Sphere::new(middle, radius + skin));
                let steps = steps(body, side.corners()[0] as usize);
                self.faces.push(Face { body: number, side, depths, steps });
            };
            surface.sides().for_each(&mut add_face);
            let rows = body.grid.rows().iter().enumerate();
            let all = rows.flat_map(|(row, it)| it.numbers().map(move |number| (row, number)));
            for (row, particle) in all.filter(|&(_, particle)| body.is_boundary(particle)) {
                let is_at_side = surface.has(particle as u32);
                if !is_at_side && !surface.is_loose(body, particle) {
                    continue;
                }
                let place = Place { body: number, number: particle as u32 };
                let (depth, part) = (body.depth(particle), parts.get(&place).copied());
                spheres.push(Sphere::new(body.position(particle), depth + skin));
                let (row, steps) = (row as u32, in_space(body.grid.steps(row, particle)));
                self.nodes.push(Node { place, row, steps, depth, part: part.unwrap_or(1.0) });
                if !is_at_side {
                    add_face(alone(particle as u32));
                }
            }
        }
        spheres.extend(around);
        spheres
    }

    /// Finds nodes near faces that are not their own or joined to them.
    fn pair_up<const D: usize>(
        &mut self,
        bodies: &[Body<D>],
        spheres: &[Sphere<D>],
    ) -> Result<(), Error> {
        let Contacts { nodes, faces, pairs, .. } = self;
        let count = nodes.len() as u32;
        ContactSearch::new(Method::HierarchicalGrid).visit(
            spheres,
            &Boundary::open(),
            |contact| {
                let [first, second] = [contact.pair.first(), contact.pair.second()];
                if first < count && second >= count {
                    let node = &nodes[first as usize];
                    let face = &faces[(second - count) as usize];
                    let body = &bodies[face.body];
                    let may_meet = node.place.body != face.body
                        || (body.is_cracked
                            && !is_beside(body, node, face)
                            && !is_joined(body, node.row, node.place.number, &face.side));
                    if may_meet {
                        pairs.push([first, second - count]);
                    }
                }
            },
        )?;
        Ok(())
    }

    /// How far nodes that have pairs are from what is nearest to them, in parts of their reach.
    fn gaps<const D: usize>(&self, bodies: &[Body<D>]) -> HashMap<Place, f64> {
        let mut gaps = HashMap::new();
        for pairs in self.meetings() {
            let Some((near, _, reach)) = self.nearest(bodies, pairs) else { continue };
            let gap = gaps.entry(self.nodes[pairs[0][0] as usize].place).or_insert(f64::INFINITY);
            *gap = gap.min(near.distance / reach);
        }
        gaps
    }

    /// Shortens the reach of nodes that find themselves nearer to something than they were before.
    fn spare_uncovered<const D: usize>(
        &mut self,
        bodies: &[Body<D>],
        before: &HashMap<Place, f64>,
    ) {
        let mut parts = Vec::new();
        for pairs in self.meetings() {
            let node = &self.nodes[pairs[0][0] as usize];
            let Some((near, _, reach)) = self.nearest(bodies, pairs) else { continue };
            let was = before.get(&node.place).copied().unwrap_or(f64::INFINITY);
            let part = near.distance / reach;
            if part < node.part && part < was * (1.0 - 1e-9) {
                parts.push((pairs[0][0] as usize, if part < SHORTEST { 0.0 } else { part }));
            }
        }
        for (node, part) in parts {
            self.nodes[node].part = self.nodes[node].part.min(part);
        }
    }

    /// Lets all that touches push; `kick` is the time for which it does.
    pub(super) fn push<const D: usize>(
        &mut self,
        bodies: &mut [Body<D>],
        walls: &[Wall],
        touch: &Touch,
        kick: f64,
    ) -> (Touched, Vec<Rub<D>>) {
        let Forces { mut sum, pushes, parts, rubs } = self.forces(bodies, walls, touch, kick);
        for (Place { body, number }, force) in pushes {
            let (body, number) = (&mut bodies[body], number as usize);
            if body.is_held(number) {
                sum.held += force.dot(&body.velocity(number)) * kick;
            }
            let change = force * (kick / body.mass);
            body.push(number, &change);
        }
        for parts in parts.chunk_by(|one, two| one.0 == two.0) {
            let node = &mut self.nodes[parts[0].0 as usize];
            let nearest = parts.iter().map(|part| part.1).fold(1.0, f64::min);
            if nearest >= SHORTEST {
                node.part = node.part.max(nearest);
            }
        }
        (sum, rubs)
    }

    /// What touches, and what pushes at whom.
    pub(super) fn forces<const D: usize>(
        &self,
        bodies: &[Body<D>],
        walls: &[Wall],
        touch: &Touch,
        kick: f64,
    ) -> Forces<D> {
        let mut sum = Touched::default();
        let (mut pushes, mut parts, mut rubs) = (Vec::new(), Vec::new(), Vec::new());
        for pairs in self.meetings() {
            let node = &self.nodes[pairs[0][0] as usize];
            let body = &bodies[node.place.body];
            let Some((near, other, reach)) = self.nearest(bodies, pairs) else { continue };
            if near.distance == 0.0 {
                continue;
            }
            if node.part < 1.0 {
                parts.push((pairs[0][0], near.distance / reach));
            }
            let meeting = Meeting {
                normal: near.way / near.distance,
                distance: near.distance,
                reach: reach * node.part,
                hardness: touch.stiffness * hardness(body, &bodies[other]),
                speed: body.velocity(node.place.number as usize) - near.velocity(&bodies[other]),
                give: 1.0 / body.mass + near.give() / bodies[other].mass,
            };
            let friction = body.material.friction.min(bodies[other].material.friction);
            let Some(pushed) = meeting.push(friction, kick, &mut sum) else { continue };
            // Among the parts of one body the reach is the same everywhere.
            let is_own = other == node.place.body;
            let per_reach = if is_own { 0.0 } else { pushed.per_reach * node.part };
            let slope = near.slope(&bodies[other]);
            pushes.push((node.place, pushed.force - slope.way * per_reach));
            for (corner, &number) in near.side.corners().iter().enumerate() {
                let force =
                    near.on_corner(&slope, corner) * per_reach - pushed.force * near.shares[corner];
                pushes.push((Place { body: other, number }, force));
            }
            if friction > 0.0 {
                let (speed, force) = (meeting.speed, pushed.rub);
                rubs.push(Rub { node: node.place, along: Some((other, near)), force, speed });
            }
        }
        for &[node, wall] in &self.at_walls {
            let (node, wall) = (&self.nodes[node as usize], &walls[wall as usize]);
            let (body, number) = (&bodies[node.place.body], node.place.number as usize);
            let meeting = Meeting {
                normal: wall.normal(),
                distance: wall.distance(&body.position(number)),
                reach: node.depth,
                // One layer, which only its own particles press.
                hardness: touch.stiffness * 2.0 * hardness(body, body),
                speed: body.velocity(number),
                give: 1.0 / body.mass,
            };
            let friction = body.material.friction;
            let Some(pushed) = meeting.push(friction, kick, &mut sum) else { continue };
            pushes.push((node.place, pushed.force));
            let (speed, force) = (meeting.speed, pushed.rub);
            rubs.push(Rub { node: node.place, along: None, force, speed });
        }
        Forces { sum, pushes, parts, rubs }
    }

    /// Pairs of one node with the faces of one body.
    fn meetings(&self) -> impl Iterator<Item = &[[u32; 2]]> {
        let body = |pair: &[u32; 2]| self.faces[pair[1] as usize].body;
        self.pairs.chunk_by(move |one, two| one[0] == two[0] && body(one) == body(two))
    }

    /// Of the faces of a body that a node may touch the one that pushes most: with its body, and how near they begin to
    /// push each other.
    fn nearest<const D: usize>(
        &self,
        bodies: &[Body<D>],
        pairs: &[[u32; 2]],
    ) -> Option<(Near<D>, usize, f64)> {
        let node = &self.nodes[pairs[0][0] as usize];
        let here = bodies[node.place.body].position(node.place.number as usize);
        let mut nearest: Option<(Near<D>, usize, f64)> = None;
        for [_, face] in pairs {
            let Face { body, side, depths, .. } = &self.faces[*face as usize];
            let near = Near::of(&bodies[*body], side, depths, &here);
            let reach = match *body == node.place.body {
                true => 2.0 * bodies[*body].depth_at_cracks(),
                false => node.depth + near.depth,
            };
            let part = near.distance / reach;
            if nearest.as_ref().is_none_or(|(best, _, reach)| part < best.distance / reach) {
                nearest = Some((near, *body, reach));
            }
        }
        nearest
    }

    pub(super) fn save(&self) -> SavedContacts {
        let face = |Face { body, side, .. }: &Face| {
            let mut numbers = [*body as u32, side.corners().len() as u32, 0, 0, 0];
            numbers[2..2 + side.corners().len()].copy_from_slice(side.corners());
            numbers
        };
        SavedContacts {
            nodes: (self.nodes.iter())
                .map(|node| [node.place.body as u32, node.place.number])
                .collect(),
            parts: self.nodes.iter().map(|node| node.part).collect(),
            faces: self.faces.iter().map(face).collect(),
            pairs: self.pairs.clone(),
            at_walls: self.at_walls.clone(),
            moved: [self.moved, self.opened.unwrap_or(-1.0), self.skin],
            is_found: self.is_found,
        }
    }

    /// As they were saved; `walls` is how many there are.
    pub(super) fn restore<const D: usize>(
        saved: &SavedContacts,
        bodies: &[Body<D>],
        walls: usize,
    ) -> Result<Self, Error> {
        let damaged = || Error::Saved("its contacts are of other bodies".to_owned());
        let body_of = |body: u32, number: u32| {
            let body = bodies.get(body as usize).ok_or_else(damaged)?;
            let is_there = (number as usize) < body.grid.room();
            if is_there { Ok(body) } else { Err(damaged()) }
        };
        let mut contacts = Contacts {
            pairs: saved.pairs.clone(),
            at_walls: saved.at_walls.clone(),
            skin: saved.moved[2],
            moved: saved.moved[0],
            opened: Some(saved.moved[1]).filter(|opened| *opened >= 0.0),
            is_found: saved.is_found,
            ..Contacts::default()
        };
        for (&[body, number], &part) in saved.nodes.iter().zip(&saved.parts) {
            let of = body_of(body, number)?;
            let (row, depth) = (of.grid.row_of(number as usize) as u32, of.depth(number as usize));
            let place = Place { body: body as usize, number };
            let steps = steps(of, number as usize);
            contacts.nodes.push(Node { place, row, steps, depth, part });
        }
        for face in &saved.faces {
            let corners = face.get(2..2 + face[1] as usize).ok_or_else(damaged)?;
            let mut depths = [0.0; 3];
            for (depth, &corner) in depths.iter_mut().zip(corners) {
                *depth = body_of(face[0], corner)?.depth(corner as usize);
            }
            let side = Side::new(corners);
            let first = *corners.first().ok_or_else(damaged)?;
            let steps = steps(body_of(face[0], first)?, first as usize);
            contacts.faces.push(Face { body: face[0] as usize, side, depths, steps });
        }
        let counts = [contacts.nodes.len(), contacts.faces.len()];
        let is_there = |pair: &[u32; 2], second: usize| {
            (pair[0] as usize) < counts[0] && (pair[1] as usize) < second
        };
        let are_there = saved.pairs.iter().all(|pair| is_there(pair, counts[1]))
            && saved.at_walls.iter().all(|pair| is_there(pair, walls))
            && saved.parts.len() == saved.nodes.len();
        if are_there { Ok(contacts) } else { Err(damaged()) }
    }
}

/// Of more bodies than this, boxes around them are not compared with every face.
const FEW_BODIES: usize = 16;

/// A box around a body and all that its particles reach before the next search.
fn bounds<const D: usize>(body: &Body<D>, skin: f64) -> Aabb<D> {
    let places = body.grid.particles().map(|number| body.position(number));
    let around = places.fold(Aabb::empty(), |bounds, place| bounds.including(&place));
    let reach = Vector::repeat(body.deepest() + skin);
    Aabb { low: around.low - reach, high: around.high + reach }
}

/// So many steps of the lattice apart, particles and faces between which nothing broke do not come together.
const BESIDE: i32 = 3;

/// Whether a particle is a corner of a face, or in whole surroundings so near to it that they cannot meet.
fn is_beside<const D: usize>(body: &Body<D>, node: &Node, face: &Face) -> bool {
    let corners = face.side.corners();
    if corners.contains(&node.place.number) {
        return true;
    }
    let is_near = (0..3).all(|axis| (node.steps[axis] - face.steps[axis]).abs() <= BESIDE);
    let is_torn = |number: &u32| body.torn[*number as usize];
    is_near && !is_torn(&node.place.number) && !corners.iter().any(is_torn)
}

fn steps<const D: usize>(body: &Body<D>, number: usize) -> [i32; 3] {
    in_space(body.grid.steps(body.grid.row_of(number), number))
}

fn in_space<const D: usize>(steps: [i32; D]) -> [i32; 3] {
    std::array::from_fn(|axis| if axis < D { steps[axis] } else { 0 })
}

/// Whether a spring holds between a particle of a row and a corner of a side.
fn is_joined<const D: usize>(body: &Body<D>, row: u32, number: u32, side: &Side) -> bool {
    let springs = body.particles.springs(number as usize);
    let jumps = &body.jumps[row as usize * 2 * body.links.len()..][..2 * body.links.len()];
    let holds = jumps.iter().enumerate().filter(|(bit, _)| springs >> bit & 1 == 1);
    holds.map(|(_, jump)| jump).any(|&jump| {
        let there = (number as usize).strict_add_signed(jump) as u32;
        side.corners().contains(&there)
    })
}
