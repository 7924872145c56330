//! The main loop of the original.

use super::boxes::{Boxes, ObjectParticleId};
use super::constants::{Koti1989Constants, Recovery};
use super::data_file::Koti1989Scene;
use super::error::Koti1989Error;
use super::impact::Koti1989Impact;
use super::object::{Object, Status};
use super::update::has_crossed;
use carom::geometry::Vector;

/// A run by the method of the thesis.
///
/// ```no_run
/// use carom_papers::paper_004::koti1989::{Koti1989Constants, Koti1989Event, Run, read_koti1989};
/// let scene = read_koti1989("figure_2.dat".as_ref())?;
/// let mut run = Run::new(&scene, Koti1989Constants::default())?;
/// while !matches!(run.advance(|_, _| ()), Koti1989Event::LeftScene { .. } | Koti1989Event::Stationary) {}
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run {
    scene: Koti1989Scene,
    objects: Vec<Object>,
    constants: Koti1989Constants,
    limit: f64,
    first_step: f64,
    step: f64,
    time: f64,
}

/// The outcome of one pass of the loop.
#[derive(Clone, Debug, PartialEq)]
pub enum Koti1989Event {
    /// All objects moved for a time step of this length.
    Moved(f64),
    /// Two objects collided, and have moved on.
    Collided(Collision),
    /// An object has left the scene, which ends the run.
    LeftScene {
        /// The number of the object, from one.
        object: usize,
    },
    /// Nothing moves, so nothing will ever happen; the original looped for ever.
    Stationary,
}

/// A collision of two objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision {
    /// The numbers of both objects, from zero.
    pub objects: [usize; 2],
    /// The pairs of particles that were near each other.
    pub pairs: Vec<[usize; 2]>,
    /// Duration and force of the impact.
    pub impact: Koti1989Impact,
    /// Time at which it began.
    pub time: f64,
    /// Work of the prescribed forces on both objects.
    pub work: f64,
}

impl Run {
    /// Creates a run at time 0. Refuses fields and constants that break a rule, extents without an inside, and objects
    /// that are not completely inside.
    pub fn new(scene: &Koti1989Scene, constants: Koti1989Constants) -> Result<Self, Koti1989Error> {
        constants.check()?;
        check(scene)?;
        let objects: Vec<Object> = scene.objects.iter().map(Object::new).collect();
        let longest = objects.iter().map(|object| object.spacing).fold(0.0, f64::max);
        let limit = constants.limit.unwrap_or(longest);
        let mut speeds: Vec<f64> = objects.iter().map(|object| object.velocity().norm()).collect();
        speeds.sort_by(|one, two| two.total_cmp(one));
        let nearing: f64 = speeds.iter().take(2).sum();
        let step = constants.first_step.unwrap_or(0.5 * limit / nearing);
        let run = Run {
            scene: scene.clone(),
            objects,
            constants,
            limit,
            first_step: step,
            step,
            time: 0.0,
        };
        match run.leaving() {
            None => Ok(run),
            Some(object) => Err(Koti1989Error::Object {
                object,
                what: "a center and radius",
                value: format!(
                    "{:?} and {}",
                    scene.objects[object].center, scene.objects[object].radius
                ),
                rule: "every particle must be inside the extents of the scene",
            }),
        }
    }

    /// All objects.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Time since the start.
    pub fn now(&self) -> f64 {
        self.time
    }

    /// Current time step, after halving.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Distance below which two particles collide.
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Makes one pass of the loop: a time step of all objects or, where two are near each other, a whole impact. `show`
    /// is called with both objects after each interval of an impact, where the original drew a picture.
    pub fn advance(&mut self, show: impl FnMut([&Object; 2], u32)) -> Koti1989Event {
        if self.objects.iter().all(|object| object.data.velocity == [0.0; 3]) {
            return Koti1989Event::Stationary;
        }
        let mut boxes = self.boxes();
        boxes.fill(&self.objects);
        self.halve_step(&boxes);
        let Some(collision) = self.find_collision(&boxes) else {
            self.shift_all(self.step, &[]);
            return self.leaving().map_or(Koti1989Event::Moved(self.step), left);
        };
        self.collide(collision, show)
    }

    fn boxes(&self) -> Boxes {
        Boxes::new(&self.scene.lower, &self.scene.upper, self.constants.boxes)
    }

    /// Halves the step until no pair has crossed.
    fn halve_step(&mut self, boxes: &Boxes) {
        let mut step = self.step;
        boxes.visit_pairs(|one, two| {
            let velocity = |member: ObjectParticleId| self.objects[member.object].velocity();
            let before = self.position(two) - self.position(one);
            let nearing = velocity(two) - velocity(one);
            while has_crossed(&before, &(before + nearing * step)) {
                step *= 0.5;
            }
        });
        self.step = step;
    }

    fn position(&self, member: ObjectParticleId) -> Vector<3> {
        self.objects[member.object].particles[member.particle].position
    }

    /// The pairs that are near each other; of several pairs of objects, only those of the first found.
    fn find_collision(&self, boxes: &Boxes) -> Option<Collision> {
        let mut found: Option<([usize; 2], Vec<[usize; 2]>)> = None;
        boxes.visit_pairs(|one, two| {
            if (self.position(two) - self.position(one)).norm() < self.limit {
                let numbers = [one.object, two.object];
                let (objects, pairs) = found.get_or_insert((numbers, Vec::new()));
                if *objects == numbers {
                    pairs.push([one.particle, two.particle]);
                }
            }
        });
        let (objects, pairs) = found?;
        let [one, two] = objects.map(|number| &self.objects[number].data);
        Some(Collision {
            objects,
            pairs,
            impact: Koti1989Impact::of(one, two),
            time: self.time,
            work: 0.0,
        })
    }

    /// Plays an impact: other objects move for a step, then the two for the duration, then all for the recovery.
    fn collide(
        &mut self,
        mut collision: Collision,
        mut show: impl FnMut([&Object; 2], u32),
    ) -> Koti1989Event {
        self.shift_all(self.step, &collision.objects);
        if collision.impact.speed > 0.0 {
            let time = collision.impact.duration() / f64::from(self.scene.intervals);
            self.set_accelerations(&collision, 1);
            for interval in 1..=self.scene.intervals {
                collision.work += self.interval(&collision, interval, time);
                show(collision.objects.map(|number| &self.objects[number]), interval);
            }
            self.time += collision.impact.duration();
        }
        if let Some(object) = self.leaving() {
            return left(object);
        }
        if self.constants.recovery == Recovery::MeanVelocity {
            for number in collision.objects {
                let velocity = self.objects[number].mean_velocity();
                self.objects[number].data.velocity = velocity.into();
            }
        }
        // Objects without a relative speed, by which the original divided, would stay here for ever.
        let recovery = self.constants.recovery_factor * collision.impact.duration();
        self.shift_all(if collision.impact.speed > 0.0 { recovery } else { self.step }, &[]);
        self.step = self.first_step;
        self.leaving().map_or(Koti1989Event::Collided(collision), left)
    }

    /// One interval: all particles move, the front spreads, forces follow. Returns the work of the prescribed forces.
    fn interval(&mut self, collision: &Collision, interval: u32, time: f64) -> f64 {
        let mut work = 0.0;
        for number in collision.objects {
            let before = self.colliding(number);
            let object = &mut self.objects[number];
            object.update(time);
            work += before
                .iter()
                .map(|(particle, position, push)| {
                    push.dot(&(object.particles[*particle].position - position))
                        * object.particle_mass
                })
                .sum::<f64>();
            if interval <= 2 * object.grid {
                object.spread_front();
            }
        }
        self.set_accelerations(collision, interval);
        work
    }

    /// Colliding particles with their positions and the accelerations that the impact gives them.
    fn colliding(&self, number: usize) -> Vec<(usize, Vector<3>, Vector<3>)> {
        let object = &self.objects[number];
        let particles = object.particles.iter().enumerate();
        let pushed = particles.filter(|(_, particle)| particle.status == Status::Colliding);
        pushed
            .map(|(particle, one)| (particle, one.position, object.impact_acceleration(particle)))
            .collect()
    }

    /// Sets the accelerations of an interval. Each pair has an equal share of the force; a particle of several pairs
    /// keeps the share of the last, for the listing assigns instead of adding.
    fn set_accelerations(&mut self, collision: &Collision, interval: u32) {
        let force = collision.impact.force(f64::from(interval) / f64::from(self.scene.intervals));
        let share = force / collision.pairs.len() as f64;
        for side in [0, 1] {
            for pair in &collision.pairs {
                let member = |side: usize| ObjectParticleId {
                    object: collision.objects[side],
                    particle: pair[side],
                };
                let away = self.position(member(side)) - self.position(member(1 - side));
                let direction = away.try_normalize(0.0).unwrap_or_else(Vector::zeros);
                let object = &mut self.objects[collision.objects[side]];
                object.set_impact_acceleration(
                    pair[side],
                    direction * (share / object.particle_mass),
                );
            }
            self.objects[collision.objects[side]].update_accelerations();
        }
    }

    fn shift_all(&mut self, time: f64, resting: &[usize]) {
        for (number, object) in self.objects.iter_mut().enumerate() {
            if !resting.contains(&number) {
                object.shift(&(object.velocity() * time));
            }
        }
        if resting.is_empty() {
            self.time += time;
        }
    }

    /// The first object with a peripheral particle that is outside of the scene or has no finite position.
    fn leaving(&self) -> Option<usize> {
        let (lower, upper) = (&self.scene.lower, &self.scene.upper);
        self.objects.iter().position(|object| {
            let mut rim = object.particles.iter().filter(|particle| particle.is_peripheral);
            rim.any(|particle| {
                (0..3).any(|axis| !(lower[axis]..=upper[axis]).contains(&particle.position[axis]))
            })
        })
    }
}

fn left(object: usize) -> Koti1989Event {
    Koti1989Event::LeftScene { object: object + 1 }
}

/// Largest number of grid points of all objects, those outside of circles included.
const MOST_POINTS: u64 = 10_000_000;

fn check(scene: &Koti1989Scene) -> Result<(), Koti1989Error> {
    if let Some((object, broken)) = scene.invalid_field() {
        let (what, value, rule) = (broken.name, broken.value.to_string(), broken.rule);
        return Err(match object {
            Some(number) => Koti1989Error::Object { object: number - 1, what, value, rule },
            None => Koti1989Error::Setting { what, value, rule },
        });
    }
    let names = ["upper extent x of the scene", "upper extent y of the scene"];
    for (axis, what) in names.into_iter().enumerate() {
        if scene.upper[axis] <= scene.lower[axis] {
            let rule = "it must be greater than the lower extent";
            return Err(Koti1989Error::Setting {
                what,
                value: scene.upper[axis].to_string(),
                rule,
            });
        }
    }
    let points: u64 = scene.objects.iter().map(|object| u64::from(object.grid + 2).pow(2)).sum();
    if points > MOST_POINTS {
        let rule = "at most 10000000 fit into memory, so choose coarser grids";
        return Err(Koti1989Error::Setting {
            what: "the number of grid points",
            value: points.to_string(),
            rule,
        });
    }
    Ok(())
}
