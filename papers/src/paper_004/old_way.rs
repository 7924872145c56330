//! A collision in the way of the thesis.

use super::encounter::{Course, Outcome, Start};
use super::snapshot::{Flight, MOMENTS, Snapshot};
use carom::geometry::Vector;
use carom::scene::files::Koti1989Scene;
use carom::simulate::Error;
use carom::simulate::deform::koti1989::{Constants, Impact, Moment, Object, Run};

/// So many rows the course of a collision has.
const ROWS: u32 = 100;

/// Objects that have not met after so many steps are in a scene that is far too wide for them.
const MOST_TURNS: u32 = 200_000;

/// The first collision, and how the discs were when it began.
pub(super) fn run(scene: &Koti1989Scene) -> Result<(Outcome, Start), Error> {
    let mut run = Run::new(scene, Constants::default())?;
    let mut watch = Watch::default();
    let mut turns = 0;
    let collision = loop {
        turns += 1;
        let before = run.now();
        match run.advance(|objects, interval| watch.look(scene, objects, interval, before)) {
            Moment::Moved(_) if turns < MOST_TURNS => {}
            Moment::Moved(_) => return Err(nothing()),
            Moment::Collided(collision) => break collision,
            Moment::Left { .. } if !watch.course.is_empty() => return Err(scattered()),
            Moment::Left { .. } | Moment::Stands => return Err(nothing()),
        }
    };
    let start = watch.start.ok_or_else(nothing)?;
    let objects = collision.objects.map(|number| &run.objects()[number]);
    let after = objects.map(|object| object.mean_velocity().xy());
    let masses = objects.map(|object| object.data.mass);
    let energy: f64 = objects.iter().flat_map(|object| object.energy()).sum();
    let outcome = Outcome {
        duration: collision.impact.duration(),
        largest_force: collision.impact.largest_force(),
        touching: collision.pairs.len() as u64,
        restitution: start.restitution(after),
        momentum_error: start.momentum_error(masses, after),
        energy_error: (energy - watch.energy - collision.work) / start.energy(),
        work: collision.work / start.energy(),
        wave_speed: wave_speed(objects[0]),
        snapshots: watch.snapshots,
        course: watch.course,
    };
    Ok((outcome, start))
}

fn nothing() -> Error {
    let (what, rule) =
        ("the number of collisions", "two objects must meet before one leaves the scene");
    Error::Setting { what, value: "0".to_owned(), rule }
}

fn scattered() -> Error {
    let rule =
        "particles leave the scene during the impact, so take more intervals or stiffer springs";
    Error::Setting { what: "the number of intervals", value: "too small".to_owned(), rule }
}

/// The speed of waves along rows: spacing times the root of stiffness over mass.
fn wave_speed(object: &Object) -> f64 {
    object.spacing * (object.data.stiffness_compressed / object.particle_mass).sqrt()
}

/// What is seen of an impact.
#[derive(Default)]
struct Watch {
    start: Option<Start>,
    energy: f64,
    snapshots: Vec<Snapshot>,
    course: Vec<Course>,
}

impl Watch {
    fn look(&mut self, scene: &Koti1989Scene, objects: [&Object; 2], interval: u32, before: f64) {
        let intervals = scene.intervals;
        let impact = Impact::of(&objects[0].data, &objects[1].data);
        let start = *self.start.get_or_insert_with(|| start(scene, objects, impact, before));
        if interval == 1 {
            self.energy = objects
                .iter()
                .map(|object| 0.5 * object.data.mass * object.velocity().norm_squared())
                .sum();
        }
        let time = impact.duration() * f64::from(interval) / f64::from(intervals);
        if interval.is_multiple_of(intervals.div_ceil(ROWS)) || interval == intervals {
            let [moving, stretched] =
                [0, 1].map(|part| objects.iter().map(|one| one.energy()[part]).sum());
            let force = impact.force(f64::from(interval) / f64::from(intervals));
            self.course.push(Course { time, force, moving, stretched });
        }
        let crossings = time * wave_speed(objects[0]) / (2.0 * objects[0].data.radius);
        if MOMENTS.get(self.snapshots.len()).is_some_and(|&moment| crossings >= moment) {
            self.snapshots.push(snapshot(&start, objects, time, crossings));
        }
    }
}

fn start(scene: &Koti1989Scene, objects: [&Object; 2], impact: Impact, time: f64) -> Start {
    let number = |object: &Object| {
        scene.objects.iter().position(|data| data.centre == object.data.centre).unwrap_or(0)
    };
    let flights = objects.map(|object| {
        let centre =
            [0, 1].map(|axis| object.data.centre[axis] + object.data.velocity[axis] * time);
        Flight { centre, velocity: object.velocity().xy().into(), spacing: object.spacing }
    });
    Start { objects: objects.map(number), impact, flights }
}

fn snapshot(start: &Start, objects: [&Object; 2], time: f64, crossings: f64) -> Snapshot {
    let mut spots = Vec::new();
    for (number, object) in objects.into_iter().enumerate() {
        let middle = object.grid as i32 / 2;
        for particle in &object.particles {
            let site = [particle.id[1] as i32 - middle, middle - particle.id[0] as i32];
            let now: (Vector<2>, Vector<2>) = (particle.position.xy(), particle.velocity.xy());
            spots.push(start.flights[number].spot(number, site, now, time));
        }
    }
    Snapshot { crossings, spacings: objects.map(|object| object.spacing), spots }
}
