//! Dissipative bodies: cooling, inelastic collapse, piles, thermostats.

#![allow(clippy::unwrap_used)]

use carom::scene::generate::SplitMix64;
use carom::simulate::event_driven::{
    BodyStart, BoundaryCondition, ForceField, GrowthTarget, LubachevskyStillingerGrowth,
    PauseReason, Region, Restitution, Settings, Simulation, Thermostat,
};
use carom_tests::crowd::{PeriodicHardSpheres, kinetic_energy, temperature};

/// The state of a run as the start of another.
fn snapshot<const D: usize>(simulation: &Simulation<D>) -> Vec<BodyStart<D>> {
    let body = |number| {
        let (position, velocity) = (simulation.position(number), simulation.velocity(number));
        BodyStart { position, velocity, radius: 0.5, mass: 1.0, material: 0 }
    };
    (0..simulation.count()).map(body).collect()
}

/// Haff's law free of time and equation of state: after `s` collisions per body
/// `ln(T / T0) = -(1 - e^2) s / D`. Velocities that are not quite Maxwell's make the deviation.
#[test]
fn a_granular_gas_cools_after_haff() {
    assert_haff(&[(0.9, 0.01)]);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn granular_gases_of_other_restitutions_cool_after_haff() {
    assert_haff(&[(0.95, 0.01), (0.8, 0.025)]);
}

/// Takes coefficients of restitution with the largest deviation from the law.
fn assert_haff(restitutions: &[(f64, f64)]) {
    let crowd = PeriodicHardSpheres::fcc(29, 0.1, 17);
    let mut warm = crowd.run(|_| {});
    let count = warm.count() as u64;
    warm.advance(f64::INFINITY, 5 * count);
    let bodies = snapshot(&warm);
    for &(e, tolerance) in restitutions {
        let mut settings = Settings::new(crowd.region);
        settings.restitutions = vec![Restitution::Constant(e)];
        let mut simulation = Simulation::new(&bodies, settings).unwrap();
        let start = temperature(&simulation);
        for s in [5u64, 10, 15, 20] {
            let missing = s * count / 2 - simulation.counters().collisions;
            simulation.advance(f64::INFINITY, missing);
            let cooling = (temperature(&simulation) / start).ln();
            let ratio = cooling / (-(1.0 - e * e) * s as f64 / 3.0);
            println!("e {e}, s {s}: ratio {ratio:.4}");
            assert!((ratio - 1.0).abs() < tolerance, "e {e}, s {s}: {ratio} of the law");
        }
        assert!(simulation.counters().collapse_prevented < count / 1000);
    }
}

/// The energy counted as lost is the energy that is missing.
#[test]
fn dissipated_energy_is_counted() {
    let mut simulation = PeriodicHardSpheres::rows(20, 0.3, 1)
        .run(|settings| settings.restitutions = vec![Restitution::Constant(0.7)]);
    let before = kinetic_energy(&simulation);
    simulation.advance(f64::INFINITY, 2000);
    let after = kinetic_energy(&simulation);
    let lost = simulation.counters().dissipated;
    assert!(after < 0.5 * before);
    assert!((before - after - lost).abs() < 1e-12 * before, "{} {lost}", before - after);
}

/// A ball of radius 1/2 dropped from rest by `height` onto a floor of restitution `e`, gravity one.
fn dropped(e: f64, height: f64, contact_time: Option<f64>) -> Simulation<2> {
    let mut settings = Settings::new(Region::walled([4.0, 40.0]));
    settings.region.boundary_conditions[1] = BoundaryCondition::Wall { restitution: Some(e) };
    settings.gravity = [0.0, -1.0].into();
    settings.contact_time = contact_time;
    let ball = BodyStart::new([2.0, 0.5 + height], [0.0, 0.0], 0.5);
    Simulation::new(&[ball], settings).unwrap()
}

#[test]
fn a_bouncing_ball_rises_to_the_square_of_restitution() {
    let (e, height): (f64, f64) = (0.8, 8.0);
    let mut simulation = dropped(e, height, None);
    let mut speed = (2.0 * height).sqrt();
    let mut apex = speed;
    let mut expected = height;
    for bounce in 1..=10 {
        speed *= e;
        apex += speed;
        expected *= e * e;
        simulation.advance(apex, u64::MAX);
        let (place, velocity) = (simulation.position(0).y - 0.5, simulation.velocity(0).y);
        assert_eq!(simulation.counters().wall_collisions, bounce);
        assert!((place / expected - 1.0).abs() < 1e-12, "bounce {bounce}: {place}, {expected}");
        assert!(velocity.abs() < 1e-12, "bounce {bounce}: {velocity:e} at the top");
        apex += speed;
    }
}

/// Infinitely many bounces in a finite time, `v0/g (1+e)/(1-e)`; then the ball rests on the floor, that is, hops no
/// longer than the contact time.
#[test]
fn a_bouncing_ball_comes_to_rest_in_time_and_the_run_continues() {
    for e in [0.0, 0.5, 0.9] {
        for contact_time in [None, Some(1e-4)] {
            let mut simulation = dropped(e, 8.0, contact_time);
            let contact = simulation.contact_time();
            let stop = 4.0 * (1.0 + e) / (1.0 - e);
            while simulation.counters().collapse_prevented == 0 && simulation.now() < 2.0 * stop {
                simulation.advance(simulation.now() + 0.1 * contact, u64::MAX);
            }
            let rest = simulation.now();
            // The hops left out, each shorter than the contact time, form a geometric series.
            let left_out = 1.1 * contact + contact * e / (1.0 - e);
            println!("e {e}: stops at {rest}, {stop}; contact time {contact}");
            assert!((rest - stop).abs() <= left_out, "e {e}: stops at {rest}, not at {stop}");
            let hits = simulation.counters().wall_collisions;
            for step in 1..=1000 {
                simulation.advance(rest + 0.1 * f64::from(step), u64::MAX);
                let (place, speed) = (simulation.position(0).y - 0.5, simulation.velocity(0).y);
                let hop = contact * contact / 8.0;
                assert!((-1e-12..=1.01 * hop).contains(&place), "e {e}: {place:e} above the floor");
                assert!(speed.abs() <= 0.51 * contact, "e {e}: speed {speed:e} at rest");
            }
            let hits = (simulation.counters().wall_collisions - hits) as f64;
            assert!(hits <= 2.1 * 100.0 / contact, "e {e}: {hits} hits while at rest");
        }
    }
}

/// Two balls run into a third from both sides, all on a line.
fn three_on_a_line(e: f64, contact_time: Option<f64>) -> Simulation<2> {
    let mut settings = Settings::new(Region::walled([1000.0, 10.0]));
    settings.region.boundary_conditions[0] = BoundaryCondition::Open;
    settings.restitutions = vec![Restitution::Constant(e)];
    settings.contact_time = contact_time;
    let bodies = [
        BodyStart::new([2.0, 5.0], [1.0, 0.0], 0.5),
        BodyStart::new([4.0, 5.0], [0.0, 0.0], 0.5),
        BodyStart::new([6.3, 5.0], [-1.0, 0.0], 0.5),
    ];
    Simulation::new(&bodies, settings).unwrap()
}

/// They collide infinitely often in a finite time below `7 - 4 sqrt(3)`, if nothing prevents it.
#[test]
fn three_balls_on_a_line_collapse_below_the_known_restitution() {
    let critical = 7.0 - 4.0 * 3f64.sqrt();
    for (e, expected) in
        [(critical - 0.01, PauseReason::Collisions), (critical + 0.01, PauseReason::Time)]
    {
        let mut simulation = three_on_a_line(e, Some(0.0));
        let pause = simulation.advance(100.0, 100);
        println!("{e}: {pause:?} {:?}", simulation.counters());
        assert_eq!(pause, expected, "e {e}");
    }
    for e in [critical - 0.01, 0.01, 0.0] {
        let mut simulation = three_on_a_line(e, None);
        let pause = simulation.advance(100.0, 100);
        println!("{e}: {:?}", simulation.counters());
        assert_eq!(pause, PauseReason::Time, "e {e} stalls");
        assert!(simulation.counters().collapse_prevented > 0, "e {e}");
        let gap = |a, b| simulation.position(b).x - simulation.position(a).x - 1.0;
        assert!(gap(0, 1) > -1e-12 && gap(1, 2) > -1e-12, "e {e}: balls have changed places");
    }
}

fn energy(simulation: &Simulation<2>, gravity: f64) -> f64 {
    let height = |body| simulation.mass(body) * gravity * simulation.position(body).y;
    kinetic_energy(simulation) + (0..simulation.count()).map(height).sum::<f64>()
}

/// Rows of discs released above the floor of a box with walls, gravity one.
fn poured(e: f64, columns: usize, rows: usize, contact_time: Option<f64>) -> Simulation<2> {
    let size = [1.5 * columns as f64 + 1.0, 1.5 * rows as f64 + 20.0];
    let mut settings = Settings::new(Region::walled(size));
    settings.restitutions = vec![Restitution::Constant(e)];
    settings.gravity = [0.0, -1.0].into();
    settings.contact_time = contact_time;
    let mut random = SplitMix64::new(23);
    let bodies: Vec<BodyStart<2>> = (0..columns * rows)
        .map(|number| {
            let (column, row) = (number % columns, number / columns);
            let position = [1.5 * column as f64 + 1.0, 1.5 * row as f64 + 1.0];
            BodyStart::new(position, [random.normal(), random.normal()], 0.5)
        })
        .collect();
    Simulation::new(&bodies, settings).unwrap()
}

/// Largest relative rise of the energy, by the hops of bodies at rest.
const HOPS: f64 = 1e-5;

fn check_settling(mut simulation: Simulation<2>, e: f64, until: u32) {
    let start = energy(&simulation, 1.0);
    let mut last = start;
    for time in 1..=until {
        let pause = simulation.advance(f64::from(time), 3_000_000);
        assert_eq!(pause, PauseReason::Time, "e {e} stalls at {}", simulation.now());
        let now = energy(&simulation, 1.0);
        assert!(now <= last * (1.0 + HOPS), "e {e}: energy rises from {last} to {now}");
        last = now;
    }
    let (kinetic, counters) = (kinetic_energy(&simulation), simulation.counters());
    println!(
        "e {e}: energy {start:.1} to {last:.3}, {kinetic:.4} of it kinetic, {} collisions, gap {:e}",
        counters.collisions, counters.smallest_gap
    );
    assert!(kinetic < 0.01 * last, "e {e}: {kinetic} of {last} still moves");
    assert!(counters.collapse_prevented > 0);
    assert!(counters.smallest_gap >= -1e-9, "e {e}: overlap {:e}", counters.smallest_gap);
}

#[test]
fn a_shallow_pile_of_discs_settles_and_the_run_continues() {
    for e in [0.5, 0.0] {
        check_settling(poured(e, 20, 3, None), e, 20);
    }
}

/// The weight of many layers is carried by many hops, so the contact time is not as short.
#[test]
fn a_deep_pile_of_discs_settles_and_the_run_continues() {
    for e in [0.5, 0.0] {
        check_settling(poured(e, 20, 10, Some(0.05)), e, 30);
    }
}

/// Far beyond the homogeneous state: clusters, in which collapse would stall the run.
#[test]
fn a_clustering_gas_runs_for_a_million_collisions() {
    for e in [0.5, 0.0] {
        let mut simulation = PeriodicHardSpheres::rows(50, 0.4, 29)
            .run(|settings| settings.restitutions = vec![Restitution::Constant(e)]);
        let start = kinetic_energy(&simulation);
        let (mut last, mut then) = (start, 0.0);
        for _ in 0..10 {
            let pause = simulation.advance(f64::INFINITY, 100_000);
            assert_eq!(pause, PauseReason::Collisions);
            let (energy, now) = (kinetic_energy(&simulation), simulation.now());
            assert!(energy <= last * (1.0 + 1e-12), "e {e}: from {last:e} to {energy:e}");
            assert!(now > then + 1.0, "e {e}: a hundred thousand collisions from {then} to {now}");
            (last, then) = (energy, now);
        }
        let gap = simulation.counters().smallest_gap;
        println!("e {e}: energy {:e} of the start at {then}, gap {gap:e}", last / start);
        assert!(last < 0.01 * start);
        assert!(gap >= -1e-9, "e {e}: overlap {gap:e}");
    }
}

#[test]
fn rescaling_keeps_the_temperature_of_a_granular_gas() {
    let (wanted, interval) = (2.5, 0.25);
    let mut simulation = PeriodicHardSpheres::fcc(8, 0.3, 31).run(|settings| {
        settings.restitutions = vec![Restitution::Constant(0.9)];
        settings.thermostat = Some(Thermostat::Rescale { temperature: wanted, interval });
    });
    for step in 1..=100 {
        simulation.advance(interval * f64::from(step), u64::MAX);
        let after = temperature(&simulation);
        assert!((after / wanted - 1.0).abs() < 1e-12, "{after} after the thermostat");
    }
    assert!(simulation.counters().dissipated > 10.0 * wanted * simulation.count() as f64);
}

#[test]
fn kicks_drive_the_temperature_to_the_wanted_one() {
    for start in [0.1f64, 10.0] {
        let wanted = 2.5;
        let mut crowd = PeriodicHardSpheres::fcc(8, 0.3, 37);
        crowd.bodies.iter_mut().for_each(|body| body.velocity *= start.sqrt());
        let mut simulation = crowd.run(|settings| {
            settings.thermostat = Some(Thermostat::Kicks { temperature: wanted, rate: 2.0 });
        });
        simulation.advance(5.0, u64::MAX);
        let samples = 40;
        let mut mean = 0.0;
        for step in 1..=samples {
            simulation.advance(5.0 + 0.5 * f64::from(step), u64::MAX);
            mean += temperature(&simulation) / f64::from(samples);
        }
        // One sample scatters by sqrt(2 / 6144) = 1.8 %, their mean by about 0.5 %.
        println!("from {start}: {mean}");
        assert!((mean / wanted - 1.0).abs() < 0.02, "from {start} to {mean}, not {wanted}");
    }
}

/// Nothing is lost and nothing pushes it up: it must not hit the floor for ever at one and the same time.
#[test]
fn an_elastic_ball_at_rest_on_the_floor_stays_there() {
    let mut settings = Settings::new(Region::walled([10.0, 10.0]));
    settings.gravity = [0.0, -1.0].into();
    let bodies = [[5.0, 0.5], [5.0, 1.5], [2.0, 0.5]];
    let bodies = bodies.map(|position| BodyStart::new(position, [0.0, 0.0], 0.5));
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    simulation.advance(10.0, u64::MAX);
    assert_eq!(simulation.now(), 10.0);
    for (number, body) in bodies.iter().enumerate() {
        assert!((simulation.position(number) - body.position).norm() < 1e-4);
    }
}

/// Losses without a contact time: the hops become too short for the clock, and then the run continues.
#[test]
fn a_bouncing_ball_without_contact_time_continues_after_its_last_hop() {
    let mut simulation = dropped(0.5, 1.0, Some(0.0));
    simulation.advance(20.0, u64::MAX);
    assert_eq!(simulation.now(), 20.0);
    assert!(simulation.position(0).y < 0.501);
}

/// Bodies that start at rest and are heated: the contact time follows from the expected temperature.
#[test]
fn a_cold_granular_gas_that_is_kicked_does_not_collapse() {
    let crowd = PeriodicHardSpheres::rows(20, 0.5, 3);
    let mut simulation = crowd.run(|settings| {
        settings.restitutions = vec![Restitution::Constant(0.3)];
        settings.thermostat = Some(Thermostat::Kicks { temperature: 1.0, rate: 2.0 });
    });
    let warm = simulation.contact_time();
    let cold: Vec<_> = snapshot(&simulation)
        .into_iter()
        .map(|body| BodyStart { velocity: [0.0, 0.0].into(), ..body })
        .collect();
    let settings = simulation.settings().clone();
    simulation = Simulation::new(&cold, settings).unwrap();
    assert!(simulation.contact_time() > 0.3 * warm, "{}", simulation.contact_time());
    assert_eq!(simulation.advance(20.0, 1_000_000), PauseReason::Time);
}

/// One disc between walls cannot grow beyond them, nor hit them infinitely often on the way.
#[test]
fn growth_ends_where_walls_leave_no_room() {
    let body = [BodyStart::new([1.0, 1.0], [1.0, 0.5], 0.5)];
    let mut settings = Settings::new(Region::walled([2.0, 3.0]));
    settings.growth = Some(LubachevskyStillingerGrowth { rate: 0.5, until: None });
    let mut simulation = Simulation::new(&body, settings.clone()).unwrap();
    simulation.advance(5.0, u64::MAX);
    assert!(!simulation.is_growing());
    assert!((simulation.radius(0) - 0.999).abs() < 1e-9, "{}", simulation.radius(0));
    let until = Some(GrowthTarget::PackingFraction(0.9));
    settings.growth = Some(LubachevskyStillingerGrowth { rate: 0.5, until });
    let refused = Simulation::new(&body, settings).err().unwrap().to_string();
    assert!(refused.contains("between two walls"), "{refused}");
}

/// Between two rescalings drag alone acts: the velocity it sees is the one after rescaling.
#[test]
fn drag_acts_on_rescaled_velocities() {
    let crowd = PeriodicHardSpheres::rows(6, 0.001, 3);
    let mut simulation = crowd.run(|settings| {
        settings.field = Some(ForceField::drag_and_trap(0.01, 0.5, 0.0, [0.0, 0.0].into()));
        settings.thermostat = Some(Thermostat::Rescale { temperature: 4.0, interval: 0.105 });
    });
    simulation.advance(0.105 + 0.004, u64::MAX);
    let left = temperature(&simulation) / 4.0;
    assert!((left.ln() + 2.0 * 0.5 * 0.004).abs() < 1e-4, "{left}");
}

/// Thousands of predictions at one and the same time are processed in order, each at little cost.
#[test]
fn many_events_at_one_time_are_settled_quickly() {
    let crowd = PeriodicHardSpheres::rows(200, 0.001, 3);
    let mut simulation = crowd.run(|settings| {
        settings.field = Some(ForceField::drag_and_trap(0.01, 0.1, 0.0, [0.0, 0.0].into()));
    });
    simulation.advance(0.055, u64::MAX);
    assert!(simulation.counters().predictions >= 5 * 40_000);
}
