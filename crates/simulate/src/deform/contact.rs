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
use super::surface::{Side, Surface};
use super::wall::Wall;
use crate::Error;
use carom_geometry::Vector;
use std::collections::HashMap;
use std::ops::Range;

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
pub(super) struct Node {
    pub place: Place,
    /// Its row in the lattice, and where it is in it.
    pub row: u32,
    pub steps: [i32; 3],
    /// Below the outline of its body.
    pub depth: f64,
    /// The part of its reach that counts.
    pub part: f64,
}

/// A side that may be touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Face {
    pub body: usize,
    pub side: Side,
    pub depths: [f64; 3],
    /// Where in the lattice its first corner is.
    pub steps: [i32; 3],
}

/// What may touch until the next search.
#[derive(Default)]
pub(super) struct Contacts<const D: usize> {
    pub nodes: Vec<Node>,
    pub faces: Vec<Face>,
    /// Of a node and a face, ascending.
    pub pairs: Vec<[u32; 2]>,
    /// A pair cannot touch before particles have moved so far since the search.
    pub rests: Vec<f64>,
    /// Pairs of one node with the faces of one body.
    pub groups: Vec<Range<usize>>,
    /// Nodes near walls, with the wall.
    pub at_walls: Vec<[u32; 2]>,
    /// By how much particles were searched as if wider.
    pub skin: f64,
    /// No particle has moved farther since the search, and since springs broke after it.
    pub moved: f64,
    pub opened: Option<f64>,
    pub is_found: bool,
    /// Of the last step, kept for its room.
    pub forces: Forces<D>,
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
#[derive(Default)]
pub(super) struct Forces<const D: usize> {
    pub sum: Touched,
    pub pushes: Vec<(Place, Vector<D>)>,
    /// How far nodes with a shortened reach are, in parts of the whole one.
    parts: Vec<(usize, f64)>,
    /// Pairs that are apart, and until when.
    resting: Vec<(usize, f64)>,
    rubs: Vec<Rub<D>>,
}

impl<const D: usize> Forces<D> {
    fn clear(&mut self) {
        self.sum = Touched::default();
        self.pushes.clear();
        self.parts.clear();
        self.resting.clear();
        self.rubs.clear();
    }
}

/// Of the faces of a body that a node may touch the one that pushes most.
struct Nearest<const D: usize> {
    near: Near<D>,
    body: usize,
    /// How near they begin to push each other.
    reach: f64,
}

impl<const D: usize> Contacts<D> {
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
    pub(super) fn find(
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
        let forces = std::mem::take(&mut self.forces);
        *self = Contacts { is_found: true, skin, forces, ..Contacts::default() };
        let spheres = self.gather(bodies, surfaces, &parts);
        for (number, node) in (0..).zip(&self.nodes) {
            let place = bodies[node.place.body].position(node.place.number as usize);
            let far = node.depth + skin;
            let near = (0..walls.len()).filter(|&wall| walls[wall].distance(&place) < far);
            self.at_walls.extend(near.map(|wall| [number, wall as u32]));
        }
        self.pair_up(bodies, &spheres)?;
        self.group_up();
        if let Some(before) = before {
            self.spare_uncovered(bodies, &before);
        }
        Ok(())
    }

    /// How far nodes that have pairs are from what is nearest to them, in parts of their reach.
    fn gaps(&self, bodies: &[Body<D>]) -> HashMap<Place, f64> {
        let mut gaps = HashMap::new();
        for group in &self.groups {
            let Some(Nearest { near, reach, .. }) = self.nearest(bodies, group, None) else {
                continue;
            };
            let gap = gaps.entry(self.node_of(group).1.place).or_insert(f64::INFINITY);
            *gap = gap.min(near.distance / reach);
        }
        gaps
    }

    /// Shortens the reach of nodes that find themselves nearer to something than they were before.
    fn spare_uncovered(&mut self, bodies: &[Body<D>], before: &HashMap<Place, f64>) {
        let mut parts = Vec::new();
        for group in &self.groups {
            let (number, node) = self.node_of(group);
            let Some(Nearest { near, reach, .. }) = self.nearest(bodies, group, None) else {
                continue;
            };
            let was = before.get(&node.place).copied().unwrap_or(f64::INFINITY);
            let part = near.distance / reach;
            if part < node.part && part < was * (1.0 - 1e-9) {
                parts.push((number, if part < SHORTEST { 0.0 } else { part }));
            }
        }
        for (node, part) in parts {
            self.nodes[node].part = self.nodes[node].part.min(part);
        }
    }

    /// Lets all that touches push; `kick` is the time for which it does.
    pub(super) fn push(&mut self, bodies: &mut [Body<D>], walls: &[Wall], kick: f64) -> Touched {
        let mut forces = std::mem::take(&mut self.forces);
        self.add_forces(bodies, walls, kick, &mut forces);
        let Forces { sum, pushes, parts, resting, .. } = &mut forces;
        for (Place { body, number }, force) in pushes {
            let (body, number) = (&mut bodies[*body], *number as usize);
            if body.is_held(number) {
                sum.held += force.dot(&body.velocity(number)) * kick;
            }
            let change = *force * (kick / body.mass);
            body.push(number, &change);
        }
        for parts in parts.chunk_by(|one, two| one.0 == two.0) {
            let node = &mut self.nodes[parts[0].0];
            let nearest = parts.iter().map(|part| part.1).fold(1.0, f64::min);
            if nearest >= SHORTEST {
                node.part = node.part.max(nearest);
            }
        }
        for &mut (pair, rests) in resting {
            self.rests[pair] = rests;
        }
        self.forces = forces;
        self.forces.sum
    }

    /// The energy that friction took in the step since the last push.
    pub(super) fn rubbed(&self, bodies: &[Body<D>], kick: f64) -> f64 {
        self.forces.rubs.iter().map(|rub| rub.taken(bodies, kick)).sum()
    }

    /// What touches, and what pushes at whom.
    pub(super) fn forces(&self, bodies: &[Body<D>], walls: &[Wall], kick: f64) -> Forces<D> {
        let mut forces = Forces::default();
        self.add_forces(bodies, walls, kick, &mut forces);
        forces
    }

    fn add_forces(&self, bodies: &[Body<D>], walls: &[Wall], kick: f64, forces: &mut Forces<D>) {
        forces.clear();
        let Forces { sum, pushes, parts, resting, rubs } = forces;
        for group in &self.groups {
            if self.rests[group.clone()].iter().all(|&rests| self.moved < rests) {
                continue;
            }
            let (number, node) = self.node_of(group);
            let body = &bodies[node.place.body];
            // Those with a shortened reach are followed even where nothing pushes.
            let resting = if node.part < 1.0 { None } else { Some(&mut *resting) };
            let Some(nearest) = self.nearest(bodies, group, resting) else { continue };
            let Nearest { near, body: other, reach } = nearest;
            if near.distance == 0.0 {
                continue;
            }
            if node.part < 1.0 {
                parts.push((number, near.distance / reach));
            }
            let meeting = Meeting {
                normal: near.way / near.distance,
                distance: near.distance,
                reach: reach * node.part,
                hardness: hardness(body, &bodies[other]),
                speed: body.velocity(node.place.number as usize) - near.velocity(&bodies[other]),
                give: 1.0 / body.mass + near.give() / bodies[other].mass,
            };
            let friction = body.material.friction.min(bodies[other].material.friction);
            let Some(pushed) = meeting.push(friction, kick, sum) else { continue };
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
                hardness: 2.0 * hardness(body, body),
                speed: body.velocity(number),
                give: 1.0 / body.mass,
            };
            let friction = body.material.friction;
            let Some(pushed) = meeting.push(friction, kick, sum) else { continue };
            pushes.push((node.place, pushed.force));
            let (speed, force) = (meeting.speed, pushed.rub);
            rubs.push(Rub { node: node.place, along: None, force, speed });
        }
    }

    /// Puts pairs of one node with the faces of one body together.
    pub(super) fn group_up(&mut self) {
        let body = |pair: &[u32; 2]| self.faces[pair[1] as usize].body;
        let are_one = |one: &[u32; 2], two: &[u32; 2]| one[0] == two[0] && body(one) == body(two);
        let mut end = 0;
        let groups = self.pairs.chunk_by(are_one).map(|pairs| {
            end += pairs.len();
            end - pairs.len()..end
        });
        self.groups = groups.collect();
        self.rests = vec![0.0; self.pairs.len()];
    }

    /// The node of a group, and its number.
    fn node_of(&self, group: &Range<usize>) -> (usize, &Node) {
        let number = self.pairs[group.start][0] as usize;
        (number, &self.nodes[number])
    }

    /// Of the faces of a body that a node may touch the one that pushes most; pairs that are found to be apart are put
    /// down and left out until they can touch, if that is asked for.
    fn nearest(
        &self,
        bodies: &[Body<D>],
        group: &Range<usize>,
        mut resting: Option<&mut Vec<(usize, f64)>>,
    ) -> Option<Nearest<D>> {
        let (_, node) = self.node_of(group);
        let here = bodies[node.place.body].position(node.place.number as usize);
        let mut nearest: Option<Nearest<D>> = None;
        for pair in group.clone() {
            if resting.is_some() && self.moved < self.rests[pair] {
                continue;
            }
            let Face { body, side, depths, .. } = &self.faces[self.pairs[pair][1] as usize];
            let near = Near::of(&bodies[*body], side, depths, &here);
            let [reach, farthest] = match *body == node.place.body {
                true => [2.0 * bodies[*body].depth_at_cracks(); 2],
                false => [near.depth, depths[0].max(depths[1]).max(depths[2])]
                    .map(|depth| node.depth + depth),
            };
            if near.distance > farthest
                && let Some(resting) = &mut resting
            {
                // Both may move.
                resting.push((pair, self.moved + 0.5 * (near.distance - farthest)));
                continue;
            }
            let part = near.distance / reach;
            if nearest.as_ref().is_none_or(|best| part < best.near.distance / best.reach) {
                nearest = Some(Nearest { near, body: *body, reach });
            }
        }
        nearest
    }
}
