//! A collision by the 1989 method.

use super::disc_collision::{ImpactOutcome, ImpactStart};
use super::koti1989::{
    Koti1989Constants, Koti1989Error, Koti1989Event, Koti1989Impact, Koti1989Scene, Object, Run,
};
use super::snapshot::{ImpactHistory, UndisturbedDiscMotion};
use crate::records::record;

/// This many rows the history of a collision has.
const ROWS: u32 = 100;

/// Objects that have not met after this many steps are in a scene that is far too wide for them.
const MOST_STEPS: u32 = 200_000;

/// The first collision, and how the discs were when it began.
pub(super) fn run(scene: &Koti1989Scene) -> Result<(ImpactOutcome, ImpactStart), Koti1989Error> {
    let mut run = Run::new(scene, Koti1989Constants::default())?;
    let mut watch = PrescribedImpactObserver::default();
    let mut turns = 0;
    let collision = loop {
        turns += 1;
        let before = run.now();
        match run.advance(|objects, interval| watch.observe(scene, objects, interval, before)) {
            Koti1989Event::Moved(_) if turns < MOST_STEPS => {}
            Koti1989Event::Moved(_) => return Err(no_collision_error()),
            Koti1989Event::Collided(collision) => break collision,
            Koti1989Event::LeftScene { .. } if !watch.history.rows.is_empty() => {
                return Err(particles_left_error());
            }
            Koti1989Event::LeftScene { .. } | Koti1989Event::Stationary => {
                return Err(no_collision_error());
            }
        }
    };
    let start = watch.start.ok_or_else(no_collision_error)?;
    let objects = collision.objects.map(|number| &run.objects()[number]);
    let after = objects.map(|object| object.mean_velocity().xy());
    let masses = objects.map(|object| object.data.mass);
    let energy: f64 = objects.iter().map(|object| object.energy().total()).sum();
    let names = record! {
        "way": "thesis", "duration": collision.impact.duration(),
        "largest force": collision.impact.largest_force(), "touching": collision.pairs.len(),
    };
    let gained = energy - watch.energy - collision.work;
    let measured = names
        .and(start.balance(masses, after, [collision.work, gained]))
        .and(record! { "wave speed": wave_speed(objects[0]) });
    Ok((ImpactOutcome { measured, history: watch.history }, start))
}

fn no_collision_error() -> Koti1989Error {
    let (what, rule) =
        ("the number of collisions", "two objects must meet before one leaves the scene");
    Koti1989Error::Setting { what, value: "0".to_owned(), rule }
}

fn particles_left_error() -> Koti1989Error {
    let rule =
        "particles leave the scene during the impact, so take more intervals or stiffer springs";
    Koti1989Error::Setting { what: "the number of intervals", value: "too small".to_owned(), rule }
}

/// The speed of waves along rows: spacing times the root of stiffness over mass.
fn wave_speed(object: &Object) -> f64 {
    object.spacing * (object.data.stiffness_compressed / object.particle_mass).sqrt()
}

/// Records snapshots and rows of an impact.
#[derive(Default)]
struct PrescribedImpactObserver {
    start: Option<ImpactStart>,
    energy: f64,
    history: ImpactHistory,
}

impl PrescribedImpactObserver {
    fn observe(
        &mut self,
        scene: &Koti1989Scene,
        objects: [&Object; 2],
        interval: u32,
        before: f64,
    ) {
        let intervals = scene.intervals;
        let impact = Koti1989Impact::of(&objects[0].data, &objects[1].data);
        let start = *self.start.get_or_insert_with(|| start(scene, objects, impact, before));
        if interval == 1 {
            self.energy = objects
                .iter()
                .map(|object| 0.5 * object.data.mass * object.velocity().norm_squared())
                .sum();
        }
        let time = impact.duration() * f64::from(interval) / f64::from(intervals);
        if interval.is_multiple_of(intervals.div_ceil(ROWS)) || interval == intervals {
            let energies = objects.each_ref().map(|object| object.energy());
            let kinetic = energies.iter().map(|energy| energy.kinetic_energy).sum();
            let elastic = energies.iter().map(|energy| energy.elastic_energy).sum();
            let force = impact.force(f64::from(interval) / f64::from(intervals));
            self.history.add_row("thesis", time, force, [kinetic, elastic]);
        }
        let particles = objects.into_iter().enumerate().flat_map(|(number, object)| {
            let middle = object.grid as i32 / 2;
            object.particles.iter().map(move |particle| {
                let site = [particle.id[1] as i32 - middle, middle - particle.id[0] as i32];
                (number, site, particle.position.xy(), particle.velocity.xy())
            })
        });
        let crossings = time * wave_speed(objects[0]) / (2.0 * objects[0].data.radius);
        self.history.add_snapshot(&start.motions, crossings, time, particles);
    }
}

fn start(
    scene: &Koti1989Scene,
    objects: [&Object; 2],
    impact: Koti1989Impact,
    time: f64,
) -> ImpactStart {
    let number = |object: &Object| {
        scene.objects.iter().position(|data| data.center == object.data.center).unwrap_or(0)
    };
    let flights = objects.map(|object| {
        let center =
            [0, 1].map(|axis| object.data.center[axis] + object.data.velocity[axis] * time);
        UndisturbedDiscMotion {
            center,
            velocity: object.velocity().xy().into(),
            spacing: object.spacing,
        }
    });
    ImpactStart { objects: objects.map(number), impact, motions: flights }
}
