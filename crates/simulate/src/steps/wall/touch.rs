//! Bodies that touch walls.

use super::{Foot, PlacedWall};
use crate::steps::body::{Bodies, Load, Motion};
use crate::steps::forces::{Laws, Tally};
use crate::steps::law::{Response, Touch};
use crate::steps::meeting::{Meeting, Placed, meet_wall};
use crate::steps::row::Row;
use crate::steps::shape::{Form, Shape};
use crate::steps::shaped::{Grip, Wide, across, respond};
use crate::steps::turn::Turn;
use carom_geometry::Vector;
use std::ops::Range;

/// A body and a wall, or one of its triangles, that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::steps) struct WallPair {
    pub memory: Vector<3>,
    pub body: u32,
    /// The triangle of a mesh; zero of other walls.
    pub part: u32,
    pub wall: u16,
    pub touches: bool,
}

/// What a contact with a wall remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::steps) struct WallRemembered {
    /// The numbers of the body, the wall and the triangle.
    pub key: [u32; 3],
    pub memory: Vector<3>,
}

/// What is needed to find the forces of walls.
pub(in crate::steps) struct Touched<'a> {
    pub places: &'a [Row],
    pub motions: &'a [Motion],
    pub turns: &'a [Turn],
    pub materials: &'a [u32],
    pub laws: &'a Laws,
    pub shapes: &'a [Shape],
    pub walls: &'a [PlacedWall<'a>],
    pub step: f64,
}

/// All bodies and walls that may touch until bodies and walls have moved by half the skin; by bodies,
/// walls and triangles.
pub(in crate::steps) fn find(
    bodies: &Bodies,
    shapes: &[Shape],
    walls: &[PlacedWall],
    skin: f64,
    remembered: &[WallRemembered],
    pairs: &mut Vec<WallPair>,
) {
    let (mut near, zero) = (Vec::new(), Vector::zeros());
    pairs.clear();
    for (body, place) in (0u32..).zip(&bodies.places) {
        let reach = place.fourth + skin;
        for (number, wall) in (0u16..).zip(walls) {
            near.clear();
            match (wall.mesh(), wall.foot(&place.vector)) {
                (Some(mesh), _) => {
                    mesh.each_near(&wall.back(&place.vector), reach, |part| near.push(part));
                    near.sort_unstable();
                }
                (None, Some(foot)) if foot.distance <= reach => {
                    near.extend(0..parts(bodies.shape(body as usize, shapes)));
                }
                _ => {}
            }
            for &part in &near {
                let key = [bodies.ids[body as usize], u32::from(number), part];
                let found = remembered.binary_search_by_key(&key, |one| one.key).ok();
                let memory = found.map_or(zero, |index| remembered[index].memory);
                let touches = found.is_some();
                pairs.push(WallPair { memory, body, part, wall: number, touches });
            }
        }
    }
}

/// In how many parts a body may touch a plane or cylinder: a clump with every sphere.
fn parts(shape: Option<&Shape>) -> u32 {
    match shape.map(Shape::form) {
        Some(Form::Clump(spheres)) => spheres.len() as u32,
        _ => 1,
    }
}

/// What walls do to the bodies of a block, the first of which is given.
pub(in crate::steps) fn touch(
    scene: &Touched,
    first: usize,
    pairs: &mut [WallPair],
    loads: &mut [Load],
    tally: &mut Tally,
) {
    let mut start = 0;
    while let Some(&WallPair { body, wall, .. }) = pairs.get(start) {
        let count = pairs[start..].partition_point(|pair| (pair.body, pair.wall) == (body, wall));
        let group = &mut pairs[start..start + count];
        let wall = &scene.walls[usize::from(wall)];
        let load = &mut loads[body as usize - first];
        if scene.is_shaped(body as usize) {
            group.iter_mut().for_each(|pair| scene.push_shaped(wall, pair, load, tally));
            start += count;
            continue;
        }
        match wall.foot(&scene.places[body as usize].vector) {
            Some(foot) => scene.push(wall, &mut group[0], &foot, load, tally),
            None => scene.push_by_triangles(wall, group, load, tally),
        }
        start += count;
    }
}

/// A triangle within reach.
#[derive(Clone, Copy)]
struct Near {
    pair: usize,
    foot: Foot,
    /// The vertices that have a part in the foot.
    held_by: [Option<u32>; 3],
}

/// A body touches at most so many triangles of one wall at once; of more the deepest count.
const MOST: usize = 16;

impl Touched<'_> {
    fn is_shaped(&self, body: usize) -> bool {
        self.turns.get(body).is_some_and(|turn| turn.shape().is_some())
    }

    fn placed(&self, body: usize) -> Placed<'_> {
        let (turn, place) = (&self.turns[body], &self.places[body]);
        let shape = turn.shape().map(|number| &self.shapes[number]);
        Placed { shape, pose: turn.pose(place.vector), radius: place.fourth }
    }

    /// Where a body with a shape, or one of its spheres, touches a plane or cylinder.
    fn meet(&self, wall: &PlacedWall, pair: &WallPair) -> Option<Meeting> {
        // Far from everything where there is no foot, as on the axis of a cylinder.
        let foot = |point: &Vector<3>| {
            wall.foot(point)
                .map_or((f64::INFINITY, Vector::x()), |foot| (foot.distance, foot.normal))
        };
        meet_wall(&self.placed(pair.body as usize), pair.part, &foot)
    }

    fn push_shaped(
        &self,
        wall: &PlacedWall,
        pair: &mut WallPair,
        load: &mut Load,
        tally: &mut Tally,
    ) {
        let meeting = self.meet(wall, pair).filter(|it| it.overlap > 0.0 || pair.touches);
        let Some(meeting) = meeting else {
            (pair.touches, pair.memory) = (false, Vector::zeros());
            return;
        };
        let body = pair.body as usize;
        let (motion, turn) = (&self.motions[body], &self.turns[body]);
        let grip = Grip { motion, turn, arm: meeting.position - self.places[body].vector };
        let wall_velocity = wall.velocity(&meeting.position);
        let velocity = grip.velocity() - wall_velocity;
        let touch = Touch {
            normal: meeting.normal,
            overlap: meeting.overlap,
            touched: pair.touches,
            velocity,
            spin: motion.spin.vector - wall.spin(),
            lightness: grip.give(&meeting.normal),
            agility: motion.agility(),
            give: grip.give(&across(&meeting.normal, &velocity)),
            radii: meeting.radii,
        };
        let law = self.laws.of(self.materials[body], wall.material());
        let Wide { force, torque, lost } =
            respond(law, &meeting, &touch, &mut pair.memory, self.step);
        pair.touches = meeting.overlap > 0.0;
        tally.wall_contacts += u64::from(pair.touches);
        tally.count(lost, meeting.overlap, meeting.radii[0]);
        tally.driven += (force.dot(&wall_velocity) + torque.dot(&wall.spin())) * self.step;
        load.force += force;
        load.torque += grip.arm.cross(&force) + torque;
    }

    fn push(
        &self,
        wall: &PlacedWall,
        pair: &mut WallPair,
        foot: &Foot,
        load: &mut Load,
        tally: &mut Tally,
    ) {
        let body = pair.body as usize;
        let (place, motion) = (&self.places[body], &self.motions[body]);
        let (normal, overlap) = (-foot.normal, place.fourth - foot.distance);
        if overlap <= 0.0 && !pair.touches {
            return;
        }
        let at = place.vector + normal * foot.distance;
        let (wall_velocity, wall_spin) = (wall.velocity(&at), wall.spin());
        let turning = (motion.spin.vector * foot.distance).cross(&normal);
        let touch = Touch {
            normal,
            overlap,
            touched: pair.touches,
            velocity: motion.velocity.vector - wall_velocity + turning,
            spin: motion.spin.vector - wall_spin,
            lightness: motion.lightness(),
            agility: motion.agility(),
            give: motion.lightness() + foot.distance * foot.distance * motion.agility(),
            radii: [place.fourth, f64::INFINITY],
        };
        let law = self.laws.of(self.materials[body], wall.material());
        let Response { force, across, rolling, lost, .. } =
            law.respond(&touch, &mut pair.memory, self.step);
        pair.touches = overlap > 0.0;
        tally.wall_contacts += u64::from(pair.touches);
        tally.count(lost, overlap, place.fourth);
        tally.driven += (force.dot(&wall_velocity) + rolling.dot(&wall_spin)) * self.step;
        load.force += force;
        load.torque += normal.cross(&across) * foot.distance + rolling;
    }

    /// The deepest triangle pushes first; one that is touched on a side or corner which it shares with
    /// a deeper one is the same contact. So a body rolls over seams without noticing them.
    fn push_by_triangles(
        &self,
        wall: &PlacedWall,
        group: &mut [WallPair],
        load: &mut Load,
        tally: &mut Tally,
    ) {
        let Some(mesh) = wall.mesh() else { return };
        let place = &self.places[group[0].body as usize];
        let mut near: [Option<Near>; MOST] = [None; MOST];
        let mut count = 0;
        for (pair, WallPair { part, .. }) in group.iter().enumerate() {
            let Some((foot, held)) = wall.foot_on(*part, &place.vector) else { continue };
            if foot.distance < place.fourth {
                let corners = mesh.corners(*part);
                let held_by = [0, 1, 2].map(|k| held[k].then_some(corners[k]));
                insert(&mut near, &mut count, Near { pair, foot, held_by });
            }
        }
        let mut chosen: [bool; MOST] = [false; MOST];
        for index in 0..count {
            let Some(one) = near[index] else { continue };
            let shares = |other: usize| {
                let corners = near[other].map(|other| mesh.corners(group[other.pair].part));
                let has = |corner: u32| corners.is_some_and(|corners| corners.contains(&corner));
                chosen[other] && one.held_by.iter().flatten().all(|&corner| has(corner))
            };
            chosen[index] = !(0..index).any(shares);
        }
        let is_chosen = |pair: usize| {
            (0..count).any(|k| chosen[k] && near[k].is_some_and(|near| near.pair == pair))
        };
        for index in (0..count).filter(|&index| chosen[index]) {
            let Some(Near { pair, foot, .. }) = near[index] else { continue };
            if !group[pair].touches {
                let corners = mesh.corners(group[pair].part);
                let beside = |other: &usize| {
                    let pair = &group[*other];
                    let meets = mesh.corners(pair.part).iter().any(|one| corners.contains(one));
                    pair.touches && meets && !is_chosen(*other)
                };
                if let Some(other) = (0..group.len()).find(beside) {
                    let left = std::mem::replace(&mut group[other].memory, Vector::zeros());
                    (group[pair].memory, group[pair].touches) = (left, true);
                    group[other].touches = false;
                }
            }
            self.push(wall, &mut group[pair], &foot, load, tally);
        }
        for pair in 0..group.len() {
            if group[pair].touches && !is_chosen(pair) {
                self.part(wall, &mut group[pair], load, tally);
            }
        }
    }

    /// What has just parted is dealt with once more.
    fn part(&self, wall: &PlacedWall, pair: &mut WallPair, load: &mut Load, tally: &mut Tally) {
        let place = &self.places[pair.body as usize];
        match wall.foot_on(pair.part, &place.vector) {
            Some((foot, _)) if foot.distance >= place.fourth => {
                self.push(wall, pair, &foot, load, tally);
            }
            _ => (pair.touches, pair.memory) = (false, Vector::zeros()),
        }
    }
}

/// Puts a triangle among those that are nearer and farther; the farthest falls out if there is no room.
fn insert(near: &mut [Option<Near>; MOST], count: &mut usize, one: Near) {
    let farther =
        |other: &Option<Near>| other.is_none_or(|other| other.foot.distance > one.foot.distance);
    let at = near.iter().position(farther).unwrap_or(MOST);
    if at < MOST {
        near[at..].rotate_right(1);
        near[at] = Some(one);
        *count = (*count + 1).min(MOST);
    }
}

/// The energy stored in contacts with walls.
pub(in crate::steps) fn stored(scene: &Touched, pairs: &[WallPair]) -> f64 {
    let energy = |pair: &WallPair| {
        let place = &scene.places[pair.body as usize];
        let wall = &scene.walls[usize::from(pair.wall)];
        let law = scene.laws.of(scene.materials[pair.body as usize], wall.material());
        if scene.is_shaped(pair.body as usize) {
            let meeting = scene.meet(wall, pair).filter(|meeting| meeting.overlap > 0.0);
            let stored = |it: Meeting| law.stored(it.overlap, it.radii[0], &pair.memory);
            return meeting.map_or(0.0, stored);
        }
        let foot = wall.foot(&place.vector);
        let foot = foot.or_else(|| Some(wall.foot_on(pair.part, &place.vector)?.0));
        let overlap = place.fourth - foot.map_or(place.fourth, |foot| foot.distance);
        law.stored(overlap, place.fourth, &pair.memory)
    };
    pairs.iter().filter(|pair| pair.touches).map(energy).sum()
}

/// The first body with a shape that is deeper in a wall than a part of its size, the wall, and how deep.
pub(in crate::steps) fn first_deeper(
    scene: &Touched,
    pairs: &[WallPair],
    part: f64,
) -> Option<(u32, u32, f64)> {
    pairs.iter().filter(|pair| scene.is_shaped(pair.body as usize)).find_map(|pair| {
        let meeting = scene.meet(&scene.walls[usize::from(pair.wall)], pair)?;
        let is_deep = meeting.overlap > part * meeting.radii[0];
        is_deep.then_some((pair.body, u32::from(pair.wall), meeting.overlap))
    })
}

/// What contacts with walls remember, by the numbers of bodies, ascending.
pub(in crate::steps) fn remembered(pairs: &[WallPair], ids: &[u32]) -> Vec<WallRemembered> {
    let touching = pairs.iter().filter(|pair| pair.touches);
    let mut all: Vec<WallRemembered> = touching
        .map(|pair| WallRemembered {
            key: [ids[pair.body as usize], u32::from(pair.wall), pair.part],
            memory: pair.memory,
        })
        .collect();
    all.sort_unstable_by_key(|one| one.key);
    all
}

/// The pairs of some bodies, from a pair on.
pub(in crate::steps) fn of_bodies(pairs: &[WallPair], from: usize, end: usize) -> Range<usize> {
    let met = pairs[from..].partition_point(|pair| (pair.body as usize) < end);
    from..from + met
}
