//! rapier3d-f64 as a contender for beds of polyhedra.
//!
//! The same bodies, as its own convex hulls, in the same places and turned the same way, on a floor and between walls
//! that are cuboids, under the same gravity with the same friction. Lengths and gravity of a bed are one; here they are
//! a meter and 9.81 m/s², which rapier's settings are made for. Nothing falls asleep, since nothing does in carom,
//! and nothing is fast enough to need continuous collision detection, which is off.
//!
//! A step is not the same work. carom finds closest features in every step and pushes once, so its steps are
//! short; rapier solves for impulses that keep bodies apart, and its users take long steps. So there is one
//! answer for a step of the same length, that is for the same bodies, as coherent from step to step, and
//! another for a step of rapier's own length, 1/60 s, which is as long as 261 of carom's. The first
//! is reported twice: with contacts found in every step, as carom finds them, and with rapier's default, by which a pair
//! that has moved less than 5 cm is not looked at again.

use super::bed::Bed;
use super::contender::window;
use super::workload::{FRICTION, STEP};
use crate::cases::Case;
use crate::error::Error;
use crate::memory::{Memory, MemoryMark};
use crate::race::Run;
use carom::geometry::shape::ConvexPolyhedron;
use carom::simulate::dem::Body;
use carom_papers::clock::Clock;
use rapier3d_f64::prelude::{
    ColliderBuilder, ColliderHandle, IntegrationParameters, PhysicsWorld, Pose, RigidBodyBuilder,
    RigidBodyHandle, Rotation, Vector,
};

/// Settings of rapier's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// The name in the table.
    pub name: &'static str,
    /// Whether steps are of 1/60 s, or as long as carom's.
    is_long: bool,
    /// Whether contacts are found where bodies have moved, or in each step.
    is_recycling: bool,
}

/// Steps as long as carom's with contacts found in each; the same with its default; everything as by default.
pub const MANNERS: [Manner; 3] = [
    Manner { name: "rapier3d-f64", is_long: false, is_recycling: false },
    Manner { name: "rapier3d-f64 recycling", is_long: false, is_recycling: true },
    Manner { name: "rapier3d-f64 1/60 s", is_long: true, is_recycling: true },
];

impl Manner {
    fn parameters(self) -> IntegrationParameters {
        let default = IntegrationParameters { max_ccd_substeps: 0, ..Default::default() };
        if self.is_long {
            return default;
        }
        IntegrationParameters {
            dt: STEP / GRAVITY.sqrt(),
            // A step this short needs no more.
            num_solver_iterations: 1,
            contact_recycling: self.is_recycling,
            ..default
        }
    }
}

/// In meters per square second, and so the square of a unit of time in seconds is one over it.
const GRAVITY: f64 = 9.81;
/// Half of how thick floor and walls are.
const HALF: f64 = 1.0;

/// A warmed-up run.
pub struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
    memory: Memory,
    window: u64,
}

impl Rapier {
    /// Warms up.
    pub fn new(
        manner: Manner,
        case: &Case,
        bed: &Bed,
        hull: &ConvexPolyhedron,
    ) -> Result<Self, Error> {
        let mark = MemoryMark::set();
        let mut world = PhysicsWorld {
            gravity: Vector::Z * -GRAVITY,
            integration_parameters: manner.parameters(),
            ..Default::default()
        };
        insert_box(&mut world, bed);
        let bodies = insert_bodies(&mut world, bed, hull)?;
        (0..case.warm_up).for_each(|_| world.step());
        let memory = mark.taken();
        Ok(Rapier { world, bodies, memory, window: case.window })
    }

    fn places(&self) -> Vec<Vector> {
        self.bodies.iter().map(|&body| self.world.bodies[body].translation()).collect()
    }

    /// Does a window of steps and returns what is to be seen after it.
    pub fn run(&mut self) -> Run {
        let before = self.places();
        let clock = Clock::start();
        (0..self.window).for_each(|_| self.world.step());
        let elapsed = clock.elapsed();
        let bodies = &self.world.bodies;
        let is_fixed = |collider: ColliderHandle| {
            let parent = self.world.colliders[collider].parent();
            parent.is_none_or(|parent| bodies[parent].is_fixed())
        };
        let touching = self.world.narrow_phase.contact_pairs().filter(|pair| {
            let with_wall = is_fixed(pair.collider1) || is_fixed(pair.collider2);
            !with_wall && pair.has_any_active_contact()
        });
        let moving = |&body: &RigidBodyHandle| {
            0.5 * bodies[body].mass() * bodies[body].linvel().length_squared()
        };
        let moved = before.iter().zip(self.places()).map(|(from, to)| (to - from).length());
        let (contacts, count) = (touching.count() as f64, self.bodies.len());
        let energy = self.bodies.iter().map(moving).sum::<f64>() / GRAVITY;
        window(elapsed, count, self.window, contacts, energy)
            .with("largest displacement", moved.fold(0.0, f64::max), "")
            .memory(self.memory, count, "B/body")
    }
}

/// A floor, and walls that are higher than the bed.
fn insert_box(world: &mut PhysicsWorld, bed: &Bed) {
    let middle = 0.5 * bed.width;
    let high = bed.height() + 10.0;
    let halves = Vector::new(middle + 2.0 * HALF, middle + 2.0 * HALF, 0.5 * high);
    let mut insert = |center: Vector, half: Vector| {
        let collider = ColliderBuilder::cuboid(half.x, half.y, half.z).friction(FRICTION);
        world.insert(RigidBodyBuilder::fixed().translation(center), collider);
    };
    insert(Vector::new(middle, middle, -HALF), Vector::new(halves.x, halves.y, HALF));
    for side in [-HALF, bed.width + HALF] {
        insert(Vector::new(side, middle, halves.z), Vector::new(HALF, halves.y, halves.z));
        insert(Vector::new(middle, side, halves.z), Vector::new(halves.x, HALF, halves.z));
    }
}

fn insert_bodies(
    world: &mut PhysicsWorld,
    bed: &Bed,
    hull: &ConvexPolyhedron,
) -> Result<Vec<RigidBodyHandle>, Error> {
    let corners: Vec<Vector> =
        hull.vertices().iter().map(|at| Vector::new(at.x, at.y, at.z)).collect();
    let hull = ColliderBuilder::convex_hull(&corners).ok_or_else(|| Error::Peer {
        name: MANNERS[0].name,
        problem: "it finds no convex hull".into(),
    })?;
    // One shape for all.
    let hull = hull.density(1.0).friction(FRICTION);
    let insert = |Body { position: at, orientation: turned, .. }: &Body| {
        let pose = Pose::from_parts(
            Vector::new(at.x, at.y, at.z),
            Rotation::from_xyzw(turned.i, turned.j, turned.k, turned.w),
        );
        let body = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false);
        world.insert(body, hull.clone()).0
    };
    Ok(bed.bodies.iter().map(insert).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;
    use crate::dem::bed::Recipe;
    use crate::dem::polyhedra::hull;
    use crate::dem::workload::Filling;

    #[test]
    fn a_bed_falls_no_further_than_the_floor_and_its_contacts_are_seen() {
        let _alone = crate::memory::alone();
        let (bed, hull) =
            (Recipe::tiny(Filling::Polyhedra(20)).settle().unwrap(), hull(20).unwrap());
        let case = cases::tiny("polyhedra-20");
        for manner in MANNERS {
            let mut rapier = Rapier::new(manner, &case, &bed, &hull).unwrap();
            let run = rapier.run();
            let contacts = run.number("contacts per body").unwrap();
            assert!(contacts > 0.1 && contacts < 6.0, "{manner:?} {contacts}");
            let moved = run.number("largest displacement").unwrap();
            assert!(moved > 0.0 && moved < 1.0, "{manner:?} {moved}");
            let is_inside = |at: &Vector| at.z > 0.3 && at.x > 0.3 && at.x < bed.width - 0.3;
            assert!(rapier.places().iter().all(is_inside), "{manner:?}");
        }
    }

    #[test]
    fn short_steps_are_as_long_as_those_of_carom() {
        let [same, recycling, long] = MANNERS.map(Manner::parameters);
        assert_eq!((long.dt / same.dt).round(), 261.0);
        let default = IntegrationParameters::default().contact_recycling;
        assert!(!same.contact_recycling && default);
        assert_eq!([recycling.contact_recycling, long.contact_recycling], [default; 2]);
    }
}
