//! Bodies that touch walls.

use super::{Foot, PlacedWall};
use crate::steps::body::{Bodies, Load, Motion};
use crate::steps::forces::{Laws, Tally};
use crate::steps::law::{ContactLaw, Response, Touch};
use crate::steps::meeting::Meeting;
use crate::steps::row::Row;
use crate::steps::shape::{Form, Shape};
use crate::steps::turn::Turn;
use carom_geometry::{Sphere, Vector};
use std::ops::Range;

/// A body and a wall, or one of its triangles, that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::steps) struct WallPair {
    pub memory: Vector<3>,
    pub body: u32,
    /// The triangle of a mesh; zero of other walls.
    pub part: u32,
    pub wall: u16,
    /// The sphere of a clump; zero of other bodies.
    pub member: u16,
    pub touches: bool,
}

/// What a contact with a wall remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::steps) struct WallRemembered {
    /// The numbers of the body, of the wall with that of the sphere of a clump, and of the triangle.
    pub key: [u32; 3],
    pub memory: Vector<3>,
}

/// The numbers of a wall and of a sphere of a clump in one.
fn joined(wall: u16, member: u16) -> u32 {
    u32::from(wall) | u32::from(member) << 16
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
                (None, Some(foot)) if foot.distance <= reach => near.push(0),
                _ => {}
            }
            let members = members(bodies.shape(body as usize, shapes));
            for (member, &part) in members.flat_map(|member| near.iter().map(move |p| (member, p)))
            {
                let key = [bodies.ids[body as usize], joined(number, member), part];
                let found = remembered.binary_search_by_key(&key, |one| one.key).ok();
                let memory = found.map_or(zero, |index| remembered[index].memory);
                let touches = found.is_some();
                pairs.push(WallPair { memory, body, part, wall: number, member, touches });
            }
        }
    }
}

/// The parts in which a body may touch a wall: a clump with every sphere.
fn members(shape: Option<&Shape>) -> Range<u16> {
    match shape.map(Shape::form) {
        Some(Form::Clump(spheres)) => 0..spheres.len() as u16,
        _ => 0..1,
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
    for group in pairs.chunk_by_mut(is_same) {
        let WallPair { body, wall, .. } = group[0];
        let wall = &scene.walls[usize::from(wall)];
        let load = &mut loads[body as usize - first];
        if scene.is_shaped(body as usize) {
            scene.push_shaped(wall, group, load, tally);
            continue;
        }
        let place = &scene.places[body as usize];
        match wall.foot(&place.vector) {
            Some(foot) => scene.push(wall, &mut group[0], &foot, load, tally),
            None => {
                let ball = Sphere { center: place.vector, radius: place.fourth };
                scene.push_by_triangles(wall, group, &ball, load, tally);
            }
        }
    }
}

/// Pairs of the same body, or sphere of a clump, with the same wall.
fn is_same(one: &WallPair, two: &WallPair) -> bool {
    (one.body, one.wall, one.member) == (two.body, two.wall, two.member)
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
        let turning_change = (motion.spin_change.vector * foot.distance).cross(&normal);
        let touch = Touch {
            normal,
            overlap,
            touched: pair.touches,
            velocity: motion.velocity.vector - wall_velocity + turning,
            change: motion.velocity_change.vector + turning_change,
            spin: motion.spin_now() - wall_spin,
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
        tally.virial -= foot.distance * force.dot(&normal);
        tally.driven += (force.dot(&wall_velocity) + rolling.dot(&wall_spin)) * self.step;
        load.force += force;
        load.torque += normal.cross(&across) * foot.distance + rolling;
    }

    /// The deepest triangle pushes first; one that is touched on a side or corner which it shares with
    /// a deeper one is the same contact. So a body rolls over seams without noticing them.
    pub(super) fn push_by_triangles(
        &self,
        wall: &PlacedWall,
        group: &mut [WallPair],
        ball: &Sphere<3>,
        load: &mut Load,
        tally: &mut Tally,
    ) {
        let Some(mesh) = wall.mesh() else { return };
        let mut near: [Option<Near>; MOST] = [None; MOST];
        let mut count = 0;
        for (pair, WallPair { part, .. }) in group.iter().enumerate() {
            let Some((foot, held)) = wall.foot_on(*part, &ball.center) else { continue };
            if foot.distance < ball.radius {
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
            self.push_ball(wall, &mut group[pair], ball, &foot, load, tally);
        }
        for pair in 0..group.len() {
            if group[pair].touches && !is_chosen(pair) {
                self.part(wall, &mut group[pair], ball, load, tally);
            }
        }
    }

    /// What has just parted is dealt with once more.
    fn part(
        &self,
        wall: &PlacedWall,
        pair: &mut WallPair,
        ball: &Sphere<3>,
        load: &mut Load,
        tally: &mut Tally,
    ) {
        match wall.foot_on(pair.part, &ball.center) {
            Some((foot, _)) if foot.distance >= ball.radius => {
                self.push_ball(wall, pair, ball, &foot, load, tally);
            }
            _ => (pair.touches, pair.memory) = (false, Vector::zeros()),
        }
    }

    /// Pushes a sphere, or a body of which it is a part.
    fn push_ball(
        &self,
        wall: &PlacedWall,
        pair: &mut WallPair,
        ball: &Sphere<3>,
        foot: &Foot,
        load: &mut Load,
        tally: &mut Tally,
    ) {
        match self.is_shaped(pair.body as usize) {
            true => self.push_meeting(wall, pair, Some(on_ball(ball, foot)), load, tally),
            false => self.push(wall, pair, foot, load, tally),
        }
    }
}

/// Where a sphere touches a wall.
pub(super) fn on_ball(ball: &Sphere<3>, foot: &Foot) -> Meeting {
    let position = ball.center - foot.normal * foot.distance;
    let (overlap, radii) = (ball.radius - foot.distance, [ball.radius, f64::INFINITY]);
    Meeting::in_a_point(-foot.normal, overlap, position, radii)
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

/// Calls `visit` with every contact, its body and wall, and what it remembers.
fn each_meeting(
    scene: &Touched,
    pairs: &[WallPair],
    mut visit: impl FnMut(&WallPair, &Meeting, &Vector<3>),
) {
    for group in pairs.chunk_by(is_same) {
        let wall = &scene.walls[usize::from(group[0].wall)];
        let body = group[0].body as usize;
        if scene.is_shaped(body) {
            scene.each_shaped_meeting(wall, group, &mut visit);
            continue;
        }
        let place = &scene.places[body];
        let ball = Sphere { center: place.vector, radius: place.fourth };
        for pair in group.iter().filter(|pair| pair.touches) {
            if let Some(foot) = wall.foot_of(pair.part, &ball.center) {
                visit(pair, &on_ball(&ball, &foot), &pair.memory);
            }
        }
    }
}

/// Calls `visit` with every contact with a wall: the body, by its place in memory, the law between both, and what
/// the contact remembers.
pub(in crate::steps) fn each_contact(
    scene: &Touched,
    pairs: &[WallPair],
    mut visit: impl FnMut(usize, &ContactLaw, &Meeting, &Vector<3>),
) {
    each_meeting(scene, pairs, |pair, meeting, memory| {
        let (body, wall) = (pair.body as usize, &scene.walls[usize::from(pair.wall)]);
        let law = scene.laws.of(scene.materials[body], wall.material());
        visit(body, law, meeting, memory);
    });
}

/// The energy stored in contacts with walls.
pub(in crate::steps) fn stored(scene: &Touched, pairs: &[WallPair]) -> f64 {
    let mut sum = 0.0;
    each_contact(scene, pairs, |_, law, meeting, memory| {
        sum += law.stored(meeting.overlap, meeting.radii[0], memory);
    });
    sum
}

/// The deepest contact with a wall: how deep in parts of a radius, the body by its place in memory, and
/// the wall.
pub(in crate::steps) fn deepest(scene: &Touched, pairs: &[WallPair]) -> Option<(f64, u32, u16)> {
    let mut deepest: Option<(f64, u32, u16)> = None;
    each_meeting(scene, pairs, |pair, meeting, _| {
        let part = meeting.overlap / meeting.radii[0];
        if deepest.is_none_or(|(most, ..)| part > most) {
            deepest = Some((part, pair.body, pair.wall));
        }
    });
    deepest
}

/// The first body with a shape that is deeper in a plane or cylinder than a part of its size, the wall, and how deep.
pub(in crate::steps) fn first_deeper(
    scene: &Touched,
    pairs: &[WallPair],
    part: f64,
) -> Option<(u32, u32, f64)> {
    pairs.iter().filter(|pair| scene.is_shaped(pair.body as usize)).find_map(|pair| {
        let wall = &scene.walls[usize::from(pair.wall)];
        let meeting = scene.meet(wall, pair).filter(|_| wall.mesh().is_none())?;
        let is_deep = meeting.overlap > part * meeting.radii[0];
        is_deep.then_some((pair.body, u32::from(pair.wall), meeting.overlap))
    })
}

/// What contacts with walls remember, by the numbers of bodies, ascending.
pub(in crate::steps) fn remembered(pairs: &[WallPair], ids: &[u32]) -> Vec<WallRemembered> {
    let touching = pairs.iter().filter(|pair| pair.touches);
    let mut all: Vec<WallRemembered> = touching
        .map(|pair| WallRemembered {
            key: [ids[pair.body as usize], joined(pair.wall, pair.member), pair.part],
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
