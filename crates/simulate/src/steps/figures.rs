//! What can be told of a simulation at any moment.

use super::body::{Bodies, Body, Load, Motion};
use super::forces::{self, Laws, Tally};
use super::law::reduced_radius;
use super::neighbours::Neighbours;
use super::row::Row;
use super::shape::Shape;
use super::simulation::{Settings, Simulation};
use super::turn::Turn;
use super::wall::{self, PlacedWall};
use super::warnings::Obstacle;

/// Energies of a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub moving: f64,
    /// Of turning.
    pub turning: f64,
    /// Of height.
    pub height: f64,
    /// In contacts.
    pub stored: f64,
    /// Lost along normals, up to now.
    pub damped: f64,
    /// Lost across normals, by friction and rolling, up to now.
    pub rubbed: f64,
    /// Given from outside, up to now: by moving walls, by gravity that turns, with bodies that come in.
    pub driven: f64,
}

impl Energy {
    /// What stays the same: all that is there and all that was lost, less what was given.
    pub fn total(&self) -> f64 {
        let there = self.moving + self.turning + self.height + self.stored;
        there + self.damped + self.rubbed - self.driven
    }
}

impl Simulation {
    /// The time of now.
    pub fn now(&self) -> f64 {
        self.steps as f64 * self.step
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The length of a step.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// By how much wider bodies are taken in a search.
    pub fn skin(&self) -> f64 {
        self.skin
    }

    /// How often all bodies were searched for contacts.
    pub fn searches(&self) -> u64 {
        self.searches
    }

    /// What the contacts of the last step amounted to.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The integral over time of the virial of all contacts: the force times the distance of the centers, and with
    /// walls times the arm from the center.
    pub fn virial(&self) -> f64 {
        self.virial
    }

    /// How many pairs of bodies are looked at in every step.
    pub fn pairs(&self) -> usize {
        self.neighbours.pairs.len()
    }

    /// How many bodies there are.
    pub fn count(&self) -> usize {
        self.bodies.len()
    }

    /// A body by the number by which it was given; on periodic axes it may be somewhat outside the box.
    pub fn body(&self, number: usize) -> Body {
        self.bodies.body(self.index[number] as usize, &self.settings.shapes)
    }

    /// What does not change.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The energies of now.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy {
            stored: stored(
                &self.bodies,
                &self.neighbours,
                &self.laws,
                &self.settings.shapes,
                &wall::placed(&self.settings.walls, self.now()),
            ),
            damped: self.lost[0],
            rubbed: self.lost[1],
            driven: self.driven,
            height: self.height(),
            ..Energy::default()
        };
        let Bodies { motions, masses, turns, .. } = &self.bodies;
        for (k, (motion, mass)) in motions.iter().zip(masses).enumerate() {
            energy.moving += 0.5 * mass * motion.velocity.vector.norm_squared();
            let spin = &motion.spin.vector;
            energy.turning += 0.5
                * match turns.get(k).filter(|turn| turn.shape().is_some()) {
                    Some(turn) => spin.dot(&turn.momentum),
                    None => spin.norm_squared() / motion.agility(),
                };
        }
        energy
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let each = size_of::<Row>()
            + size_of::<f64>()
            + size_of::<Motion>()
            + size_of::<Load>()
            + 3 * size_of::<u32>()
            + if self.settings.shapes.is_empty() { 0 } else { size_of::<Turn>() };
        each * self.count() + self.put_down.capacity() * size_of::<Load>() + self.neighbours.bytes()
    }

    /// The energy of height.
    pub(super) fn height(&self) -> f64 {
        let gravity = self.settings.gravity.at(self.now());
        let all = self.bodies.places.iter().zip(&self.bodies.masses);
        all.map(|(place, mass)| -mass * gravity.dot(&place.vector)).sum()
    }
}

/// The energy stored in all contacts.
fn stored(
    bodies: &Bodies,
    neighbours: &Neighbours,
    laws: &Laws,
    shapes: &[Shape],
    walls: &[PlacedWall],
) -> f64 {
    let scene = forces::scene(bodies, neighbours, laws, shapes, walls);
    let mut sum = 0.0;
    scene.each_contact(neighbours, |pair, _, meeting, memory| {
        let radius = reduced_radius(meeting.radii);
        sum += scene.law(pair[0], pair[1]).stored(meeting.overlap, radius, memory);
    });
    sum + wall::stored(&scene.touched(), &neighbours.wall_pairs)
}

/// The deepest contact with a wall: how deep in parts of a radius, the body and the wall by their numbers.
pub(super) fn deepest_in_wall(
    bodies: &Bodies,
    neighbours: &Neighbours,
    laws: &Laws,
    shapes: &[Shape],
    walls: &[PlacedWall],
) -> Option<(f64, u32, u32)> {
    let scene = forces::scene(bodies, neighbours, laws, shapes, walls);
    let (part, body, wall) = wall::deepest(&scene.touched(), &neighbours.wall_pairs)?;
    Some((part, bodies.ids[body as usize], u32::from(wall)))
}

/// At the start bodies with shapes may be in each other and in walls by this part of their size.
const DEEPEST: f64 = 0.2;

/// The first body with a shape that is too deep in another or in a wall, in what, and how deep.
pub(super) fn first_too_deep(
    bodies: &Bodies,
    neighbours: &Neighbours,
    laws: &Laws,
    shapes: &[Shape],
    walls: &[PlacedWall],
) -> Option<(u32, Obstacle, f64)> {
    let scene = forces::scene(bodies, neighbours, laws, shapes, walls);
    let size =
        |body: usize| bodies.shape(body, shapes).map_or(bodies.places[body].fourth, Shape::size);
    let mut deep = neighbours.each_pair().filter(|(pair, _)| scene.is_shaped(*pair)).filter_map(
        |(pair, number)| {
            let image = &neighbours.images[usize::from(neighbours.pairs[number].image)];
            let depth = scene.depth_shaped(pair, image);
            let ids = pair.map(|body| bodies.ids[body]);
            let is_deep = depth > DEEPEST * size(pair[0]).min(size(pair[1]));
            is_deep.then_some((ids[0].min(ids[1]), Obstacle::Body(ids[0].max(ids[1])), depth))
        },
    );
    let in_wall = || {
        let (body, wall, depth) =
            wall::first_deeper(&scene.touched(), &neighbours.wall_pairs, DEEPEST)?;
        Some((bodies.ids[body as usize], Obstacle::Wall(wall), depth))
    };
    deep.next().or_else(in_wall)
}
