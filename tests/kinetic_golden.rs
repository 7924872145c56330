//! Frozen digests of long event-driven runs: every structure leads to the same collisions, at the same times to the
//! bit, on every machine.
//!
//! The digests depend on the arithmetic of IEEE 754 alone: starts are made by addition, multiplication, square roots
//! and a generator of integers, and so are the runs.

use carom::simulate::event_driven::{
    BodyStart, BoundaryCondition, NeighborStructure, Region, Restitution, Settings,
};
use carom_tests::kinetic::{KineticStartLattice, physics, simulation};

const COLLISIONS: u64 = 100_000;

fn assert_golden<const D: usize>(
    structures: &[NeighborStructure],
    bodies: &[BodyStart<D>],
    settings: &Settings<D>,
    digest: u64,
) {
    let mut first = None;
    for &structure in structures {
        let mut simulation = simulation(bodies, settings, structure);
        simulation.advance(f64::INFINITY, COLLISIONS);
        let name = structure.name();
        assert_eq!(simulation.counters().collisions, COLLISIONS, "{name}");
        simulation.check().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let state = physics(&simulation);
        assert!(*first.get_or_insert_with(|| state.clone()) == state, "{name} ends otherwise");
        assert_eq!(simulation.counters().digest, digest, "{name}");
    }
}

fn periodic<const D: usize>(
    structures: &[NeighborStructure],
    per_side: usize,
    radii: [f64; 2],
    digest: u64,
) {
    let bodies: Vec<BodyStart<D>> = KineticStartLattice { per_side, radii, seed: 1 }.jittered();
    assert_golden(
        structures,
        &bodies,
        &Settings::new(Region::periodic([per_side as f64; D])),
        digest,
    );
}

/// Gravity, dissipative collisions and dissipative side walls; in the end bodies rest on each other.
fn walled<const D: usize>(
    structures: &[NeighborStructure],
    per_side: usize,
    radii: [f64; 2],
    digest: u64,
) {
    let bodies: Vec<BodyStart<D>> = KineticStartLattice { per_side, radii, seed: 2 }.jittered();
    let mut settings = Settings::new(Region::walled([per_side as f64; D]));
    settings.region.boundary_conditions = [BoundaryCondition::Wall { restitution: Some(1.0) }; D];
    settings.region.boundary_conditions[0] = BoundaryCondition::Wall { restitution: Some(0.95) };
    settings.gravity[D - 1] = -0.1;
    settings.restitutions = vec![Restitution::Constant(0.99)];
    assert_golden(structures, &bodies, &settings, digest);
}

const ALIKE: [f64; 2] = [0.4, 0.4];
const MIXED: [f64; 2] = [0.15, 0.45];

fn discs(structures: &[NeighborStructure]) {
    periodic::<2>(structures, 15, ALIKE, 0x41b8_8b7b_352c_3f9e);
    periodic::<2>(structures, 15, MIXED, 0xabe9_9264_1ceb_34ad);
    walled::<2>(structures, 15, ALIKE, 0xac06_39d9_c862_8ce5);
    walled::<2>(structures, 15, MIXED, 0x13d1_dde1_9d25_1dda);
}

fn spheres(structures: &[NeighborStructure]) {
    periodic::<3>(structures, 6, ALIKE, 0xce0c_4940_0b68_a1d5);
    periodic::<3>(structures, 6, MIXED, 0xd978_18b7_1ad3_4d2c);
    walled::<3>(structures, 6, ALIKE, 0x5a9f_1af0_8faf_e813);
    walled::<3>(structures, 6, MIXED, 0x5968_57a0_a8a0_af68);
}

/// The two that are fast; the others take the same collisions in shorter runs of the contract suite.
const FAST: [NeighborStructure; 2] =
    [NeighborStructure::CellGrid, NeighborStructure::NeighborLists];

#[test]
fn runs_of_discs_have_their_digests_with_fast_structures() {
    discs(&FAST);
}

#[test]
fn runs_of_spheres_have_their_digests_with_fast_structures() {
    spheres(&FAST);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn runs_of_discs_have_their_digests_with_every_structure() {
    discs(&NeighborStructure::ALL);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn runs_of_spheres_have_their_digests_with_every_structure() {
    spheres(&NeighborStructure::ALL);
}
