//! The contract of kinetic neighbor structures: the collisions of all pairs, in every situation and wherever the run is
//! paused, saved and resumed.

#![allow(clippy::unwrap_used)]

use carom::scene::generate::SplitMix64;
use carom::simulate::event_driven::{
    BodyStart, BoundaryCondition, ForceField, GrowthTarget, LubachevskyStillingerGrowth,
    NeighborStructure, Region, Restitution, Settings, Simulation, Thermostat,
};
use carom_tests::kinetic::{KineticStartLattice, physics, simulation};

/// Bodies and settings with a name.
struct Situation<const D: usize> {
    name: &'static str,
    bodies: Vec<BodyStart<D>>,
    settings: Settings<D>,
}

const PER_SIDE: [usize; 4] = [0, 0, 8, 6];
const WALL: BoundaryCondition = BoundaryCondition::Wall { restitution: Some(1.0) };
const LOSSY_WALL: BoundaryCondition = BoundaryCondition::Wall { restitution: Some(0.9) };

fn size<const D: usize>() -> f64 {
    PER_SIDE[D] as f64
}

fn alike<const D: usize>(seed: u64) -> Vec<BodyStart<D>> {
    KineticStartLattice { per_side: PER_SIDE[D], radii: [0.4, 0.4], seed }.jittered()
}

fn mixed<const D: usize>(seed: u64) -> Vec<BodyStart<D>> {
    KineticStartLattice { per_side: PER_SIDE[D], radii: [0.15, 0.45], seed }.jittered()
}

fn inside<const D: usize>(sides: [BoundaryCondition; D]) -> Settings<D> {
    Settings::new(Region { size: [size::<D>(); D].into(), boundary_conditions: sides })
}

fn situations<const D: usize>() -> Vec<Situation<D>> {
    let mut found = elastic();
    found.extend(driven());
    found.extend(simultaneous());
    found.extend(few());
    found.push(narrow());
    found
}

fn elastic<const D: usize>() -> Vec<Situation<D>> {
    let sides = |order: [BoundaryCondition; 3]| {
        inside(std::array::from_fn(|axis| order[axis + 3 - D.clamp(1, 3)]))
    };
    vec![
        Situation {
            name: "alike, periodic",
            bodies: alike(1),
            settings: inside([BoundaryCondition::Periodic; D]),
        },
        Situation {
            name: "mixed sizes, periodic",
            bodies: mixed(2),
            settings: inside([BoundaryCondition::Periodic; D]),
        },
        Situation { name: "alike, walled", bodies: alike(3), settings: inside([WALL; D]) },
        Situation { name: "mixed sizes, walled", bodies: mixed(4), settings: inside([WALL; D]) },
        Situation {
            name: "open, wall, periodic",
            bodies: mixed(5),
            settings: sides([BoundaryCondition::Open, WALL, BoundaryCondition::Periodic]),
        },
        Situation {
            name: "wall, periodic, open",
            bodies: alike(6),
            settings: sides([WALL, BoundaryCondition::Periodic, BoundaryCondition::Open]),
        },
    ]
}

fn driven<const D: usize>() -> Vec<Situation<D>> {
    let mut gravity = inside([LOSSY_WALL; D]);
    gravity.gravity[D - 1] = -1.0;
    gravity.restitutions = vec![Restitution::Constant(0.9)];
    let mut chute = inside([BoundaryCondition::Periodic; D]);
    chute.region.boundary_conditions[D - 1] = LOSSY_WALL;
    chute.gravity[0] = 0.3;
    chute.gravity[D - 1] = -1.0;
    chute.restitutions =
        vec![Restitution::Speed { at_rest: 1.0, at_speed: 0.8, speed: 1.0, exponent: 0.2 }];
    let mut growing = inside([BoundaryCondition::Periodic; D]);
    let until = Some(GrowthTarget::PackingFraction([0.0, 0.0, 0.6, 0.28][D]));
    growing.growth = Some(LubachevskyStillingerGrowth { rate: 0.05, until });
    let mut growing_between_walls = inside([WALL; D]);
    growing_between_walls.growth = Some(LubachevskyStillingerGrowth { rate: 0.05, until });
    let mut trapped = inside([BoundaryCondition::Open; D]);
    trapped.field = Some(ForceField::drag_and_trap(0.05, 0.02, 0.5, [0.5 * size::<D>(); D].into()));
    let mut stirred = inside([BoundaryCondition::Periodic; D]);
    stirred.field = Some(ForceField::drag_and_trap(0.05, 0.5, 0.0, [0.0; D].into()));
    stirred.thermostat = Some(Thermostat::Kicks { temperature: 1.0, rate: 0.5 });
    let mut kept = inside([BoundaryCondition::Periodic; D]);
    kept.restitutions = vec![Restitution::Constant(0.8)];
    kept.thermostat = Some(Thermostat::Rescale { temperature: 1.0, interval: 0.3 });
    let small =
        |seed| KineticStartLattice { per_side: PER_SIDE[D], radii: [0.15, 0.35], seed }.jittered();
    vec![
        Situation { name: "gravity and losses", bodies: mixed(7), settings: gravity.clone() },
        Situation { name: "gravity and losses, alike", bodies: alike(8), settings: gravity },
        Situation { name: "a chute", bodies: alike(9), settings: chute },
        Situation { name: "growth", bodies: small(10), settings: growing },
        Situation {
            name: "growth between walls",
            bodies: small(11),
            settings: growing_between_walls,
        },
        Situation { name: "drag and trap in the open", bodies: mixed(12), settings: trapped },
        Situation { name: "drag and kicks", bodies: mixed(13), settings: stirred },
        Situation { name: "losses at a kept temperature", bodies: alike(14), settings: kept },
    ]
}

fn simultaneous<const D: usize>() -> Vec<Situation<D>> {
    let marching = |radius: f64| {
        KineticStartLattice { per_side: PER_SIDE[D], radii: [radius; 2], seed: 15 }.marching()
    };
    let mut wider = inside([WALL; D]);
    wider.region.size[0] += 2.0;
    vec![
        Situation {
            name: "a lattice on the march, periodic",
            bodies: marching(0.25),
            settings: inside([BoundaryCondition::Periodic; D]),
        },
        Situation {
            name: "a lattice on the march, walled",
            bodies: marching(0.375),
            settings: inside([WALL; D]),
        },
        Situation { name: "a lattice in touch", bodies: marching(0.5), settings: wider },
        Situation {
            name: "a lattice that cannot move",
            bodies: marching(0.5),
            settings: inside([WALL; D]),
        },
    ]
}

fn few<const D: usize>() -> Vec<Situation<D>> {
    let take = |seed, count| mixed::<D>(seed).into_iter().take(count).collect::<Vec<_>>();
    let quick = |seed, count| {
        let mut bodies: Vec<BodyStart<D>> = take(seed, count);
        bodies.iter_mut().for_each(|body| body.velocity *= 50.0);
        bodies
    };
    let tight =
        |side| Settings::new(Region { size: [4.8; D].into(), boundary_conditions: [side; D] });
    let periodic = || tight(BoundaryCondition::Periodic);
    let dust =
        KineticStartLattice { per_side: PER_SIDE[D], radii: [0.03, 0.09], seed: 21 }.jittered();
    vec![
        Situation { name: "two, walled", bodies: quick(16, 2), settings: tight(WALL) },
        Situation { name: "two, periodic", bodies: quick(17, 2), settings: periodic() },
        Situation { name: "three, periodic", bodies: quick(18, 3), settings: periodic() },
        Situation { name: "one, walled", bodies: quick(19, 1), settings: tight(WALL) },
        Situation { name: "one, periodic", bodies: quick(20, 1), settings: periodic() },
        Situation {
            name: "dust",
            bodies: dust,
            settings: inside([BoundaryCondition::Periodic; D]),
        },
    ]
}

/// A box so narrow that a body sees several images of others, and of itself, while it grows.
fn narrow<const D: usize>() -> Situation<D> {
    let length = [0, 0, 12, 6][D];
    let mut bodies =
        KineticStartLattice { per_side: length, radii: [0.08, 0.12], seed: 25 }.jittered::<D>();
    bodies.retain(|body| body.position.iter().skip(1).all(|&x| x < 3.0));
    // The number of flips grows with the distance that bodies travel, and in 3D there are a thousand for each
    // collision.
    let speed = [0.0, 0.0, 1.0, 0.2][D];
    bodies.iter_mut().for_each(|body| body.velocity *= speed);
    let mut settings = Settings::new(Region::periodic([3.0; D]));
    settings.region.size[0] = length as f64;
    let until = Some(GrowthTarget::PackingFraction([0.0, 0.0, 0.15, 0.04][D]));
    settings.growth = Some(LubachevskyStillingerGrowth { rate: 0.1, until });
    Situation { name: "growth in a narrow periodic box", bodies, settings }
}

const BETWEEN_CHECKS: u64 = 250;
/// Largest time: where collisions are rare or cease, the run ends here.
const LAST: f64 = 20.0;

fn assert_whole<const D: usize>(simulation: &Simulation<D>, label: &str) {
    simulation.check().unwrap_or_else(|fault| panic!("{label}: {fault}"));
}

fn assert_same_collisions<const D: usize>(collisions: u64) {
    for Situation { name, bodies, settings } in situations::<D>() {
        let mut reference = simulation(&bodies, &settings, NeighborStructure::AllPairs);
        let mut others: Vec<_> = NeighborStructure::ALL[1..]
            .iter()
            .map(|&structure| simulation(&bodies, &settings, structure))
            .collect();
        while reference.counters().collisions < collisions && reference.now() < LAST {
            reference.advance(LAST, BETWEEN_CHECKS);
            for other in &mut others {
                other.advance(LAST, BETWEEN_CHECKS);
                let structure = other.structure().0.name();
                let collisions = reference.counters().collisions;
                let label = format!("{D}D, {name}, {structure}, {collisions} collisions");
                assert_whole(other, &label);
                assert_eq!(other.counters().digest, reference.counters().digest, "{label}");
                assert_eq!(physics(other), physics(&reference), "{label}");
            }
        }
    }
}

#[test]
fn every_structure_gives_the_collisions_of_all_pairs_in_two_dimensions() {
    assert_same_collisions::<2>(2500);
}

#[test]
fn every_structure_gives_the_collisions_of_all_pairs_in_three_dimensions() {
    assert_same_collisions::<3>(150);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn every_structure_gives_2500_collisions_of_all_pairs_in_three_dimensions() {
    assert_same_collisions::<3>(2500);
}

fn assert_resumes<const D: usize>(collisions: u64) {
    let mut random = SplitMix64::new(21);
    for Situation { name, bodies, settings } in situations::<D>() {
        for structure in NeighborStructure::ALL {
            let mut whole = simulation(&bodies, &settings, structure);
            whole.advance(LAST, collisions);
            let mut pieces = simulation(&bodies, &settings, structure);
            let mut saves = Vec::new();
            while pieces.counters().collisions < collisions && pieces.now() < LAST {
                let left = collisions - pieces.counters().collisions;
                pieces.advance(LAST, left.min(1 + random.bits() % (collisions / 3)));
                saves.push(pieces.counters().collisions);
                let settings = Settings { structure, ..settings.clone() };
                pieces = Simulation::resume(pieces.saved_state(), settings).unwrap();
            }
            let label = format!("{D}D, {name}, {}, saved at {saves:?}", structure.name());
            assert_whole(&pieces, &label);
            assert_eq!(pieces.counters().digest, whole.counters().digest, "{label}");
            assert_eq!(physics(&pieces), physics(&whole), "{label}");
        }
    }
}

#[test]
fn saved_and_resumed_runs_continue_as_if_nothing_had_been() {
    assert_resumes::<2>(300);
    assert_resumes::<3>(60);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn saved_and_resumed_runs_continue_for_600_collisions() {
    assert_resumes::<2>(600);
    assert_resumes::<3>(600);
}

fn assert_pauses_do_not_matter<const D: usize>(collisions: u64) {
    let mut random = SplitMix64::new(22);
    for Situation { name, bodies, settings } in situations::<D>() {
        for structure in NeighborStructure::ALL {
            let mut whole = simulation(&bodies, &settings, structure);
            whole.advance(LAST, collisions);
            let mut paused = simulation(&bodies, &settings, structure);
            while paused.counters().collisions < whole.counters().collisions {
                let left = whole.counters().collisions - paused.counters().collisions;
                let pause = paused.now() + 0.2 * random.uniform() * whole.now();
                paused.advance(pause, left);
                assert_whole(&paused, name);
            }
            if whole.now() == LAST {
                paused.advance(LAST, u64::MAX);
            }
            let label = format!("{D}D, {name}, {}", structure.name());
            assert_eq!(paused.counters().digest, whole.counters().digest, "{label}");
            assert_eq!(physics(&paused), physics(&whole), "{label}");
        }
    }
}

#[test]
fn pauses_at_any_time_do_not_change_the_collisions() {
    assert_pauses_do_not_matter::<2>(300);
    assert_pauses_do_not_matter::<3>(60);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn pauses_at_any_time_do_not_change_600_collisions() {
    assert_pauses_do_not_matter::<2>(600);
    assert_pauses_do_not_matter::<3>(600);
}

/// A body that grows must not come to collide with itself, nor cells become too wide for the box.
#[test]
fn growth_beyond_what_a_periodic_box_has_room_for_is_refused_at_the_start() {
    let bodies: Vec<BodyStart<2>> =
        KineticStartLattice { per_side: 3, radii: [0.1; 2], seed: 23 }.jittered();
    let refused = |count: usize, fraction: f64, structure: NeighborStructure| {
        let mut settings = Settings::new(Region::periodic([3.0, 3.0]));
        let until = Some(GrowthTarget::PackingFraction(fraction));
        settings.growth = Some(LubachevskyStillingerGrowth { rate: 0.1, until });
        settings.structure = structure;
        Simulation::new(&bodies[..count], settings).err().map(|error| error.to_string())
    };
    assert_eq!(refused(9, 0.5, NeighborStructure::NeighborLists), None);
    assert_eq!(refused(9, 0.1, NeighborStructure::CellGrid), None);
    for cells in [NeighborStructure::CellGrid, NeighborStructure::CellTree] {
        let reason = refused(9, 0.5, cells).expect("three cells are too few");
        assert!(reason.contains("five cells"), "{reason}");
    }
    for structure in NeighborStructure::ALL {
        let reason = refused(1, 0.5, structure).expect("one body would meet itself");
        assert!(reason.contains("too short"), "{reason}");
    }
}

/// A channel hardly twice as wide as the bodies become: no room for wide shells or cells.
#[test]
fn bodies_that_grow_in_a_tight_period_miss_nobody() {
    let bodies: Vec<BodyStart<2>> = (0..12)
        .map(|k| {
            let (x, y) = (0.5 + f64::from(k), 0.3 + 0.5 * f64::from(k % 2));
            BodyStart::new([x, y], [(-1.0f64).powi(k), 0.3], 0.2)
        })
        .collect();
    let mut settings = Settings::new(Region::periodic([12.0, 1.0]));
    let until = Some(GrowthTarget::PackingFraction(0.17));
    settings.growth = Some(LubachevskyStillingerGrowth { rate: 0.2, until });
    let mut expected = simulation(&bodies, &settings, NeighborStructure::AllPairs);
    expected.advance(3.0, u64::MAX);
    assert!(!expected.is_growing() && expected.radius(0) > 0.23);
    for structure in [NeighborStructure::SegmentTrees, NeighborStructure::NeighborLists] {
        let mut grown = simulation(&bodies, &settings, structure);
        while grown.now() < 3.0 {
            grown.advance(grown.now() + 0.1, u64::MAX);
            assert_whole(&grown, structure.name());
        }
        expected.advance(grown.now(), u64::MAX);
        assert_eq!(grown.counters().digest, expected.counters().digest, "{}", structure.name());
        assert!(grown.counters().smallest_gap > -1e-9, "{}", grown.counters().smallest_gap);
    }
}

/// Far out on an open axis columns of cells are too many to be counted.
#[test]
fn bodies_far_out_in_the_open_still_meet() {
    for structure in NeighborStructure::ALL {
        let region = Region {
            boundary_conditions: [BoundaryCondition::Open; 2],
            ..Region::walled([10.0; 2])
        };
        let settings = Settings::new(region);
        let bodies = [
            BodyStart::new([5.0e9, 5.0], [1.0, 0.0], 0.5),
            BodyStart::new([5.0e9 + 8.0, 5.0], [-1.0, 0.0], 0.5),
            BodyStart::new([5.0, 5.0], [1.0, 0.0], 0.5),
        ];
        let mut far = simulation(&bodies, &settings, structure);
        far.advance(4.0, u64::MAX);
        assert_eq!(far.counters().collisions, 1, "{}", structure.name());
    }
}

/// However far a body is from walls and periodic sides, and however little happens to its neighbors on the way there.
#[test]
fn a_body_alone_in_a_wide_box_meets_its_ends() {
    for structure in NeighborStructure::ALL {
        let body = BodyStart::new([50.0, 50.0], [1.0, 0.5], 0.5);
        let far = BodyStart::new([50.0, 90.0], [0.0, 0.0], 0.5);
        for bodies in [&[body][..], &[body, far]] {
            let settings = Settings::new(Region::walled([100.0; 2]));
            let mut walled = simulation(bodies, &settings, structure);
            walled.advance(60.0, u64::MAX);
            assert_eq!(walled.counters().wall_collisions, 1, "{}", structure.name());
            let settings = Settings::new(Region::periodic([100.0; 2]));
            let mut periodic = simulation(bodies, &settings, structure);
            periodic.advance(60.0, u64::MAX);
            assert_eq!(periodic.counters().passages, 1, "{}", structure.name());
        }
    }
}

/// A body turned back on its way may go nearly through the box and collide with another image of a body than the one
/// that was nearest when it turned.
#[test]
fn a_body_meets_the_image_that_was_the_second_nearest() {
    let wall = BodyStart { mass: 1e9, ..BodyStart::new([7.5, 5.0], [0.0, 0.0], 0.1) };
    let bodies = [
        BodyStart::new([5.0, 5.0], [1.0, 0.0], 0.1),
        wall,
        BodyStart::new([1.74, 5.0], [0.2, 0.0], 0.1),
    ];
    for structure in NeighborStructure::ALL {
        let settings = Settings::new(Region::periodic([10.0; 2]));
        let mut simulation = simulation(&bodies, &settings, structure);
        simulation.advance(6.0, u64::MAX);
        assert_eq!(simulation.counters().collisions, 1, "{}", structure.name());
        simulation.advance(6.8, u64::MAX);
        assert_eq!(simulation.counters().collisions, 2, "{}", structure.name());
    }
}
