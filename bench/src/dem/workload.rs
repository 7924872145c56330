//! Workloads: settled beds of spheres and of polyhedra, their contact laws and numbers of steps.

use super::spheres::Sizes;
use crate::cases::Case;
use carom::simulate::dem::{CompositeLaw, Damping, NormalForceLaw, TangentialForceLaw};

/// The length of a step.
pub const STEP: f64 = 2e-4;
/// Verlet skin of a search.
pub const SKIN: f64 = 0.15;
/// Coulomb's coefficient.
pub const FRICTION: f64 = 0.5;
/// Force for an overlap of one, in the linear law.
pub const STIFFNESS: f64 = 20_000.0;
/// Damping rate of the linear law, in units of the reduced mass.
pub const DAMPING: f64 = 50.0;
/// Stiffness across the normal over that along it.
pub const ACROSS: f64 = 2.0 / 7.0;
/// Young's modulus of the law of Hertz.
pub const YOUNG: f64 = 5e4;
/// Poisson's ratio.
pub const POISSON: f64 = 0.3;
/// The part of the speed of approach that is left.
pub const RESTITUTION: f64 = 0.5;

/// Contact law of spheres with each other and the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Springs along and across the normal, viscous damping, friction.
    Linear,
    /// Hertz and Mindlin, damping by restitution, friction.
    Hertz,
}

impl Law {
    /// In the words of the engine.
    pub fn contact(self) -> CompositeLaw {
        match self {
            Law::Linear => CompositeLaw {
                damping: Damping::Rate(DAMPING),
                tangential: TangentialForceLaw::Spring {
                    stiffness: ACROSS * STIFFNESS,
                    damping: 0.5,
                },
                friction_coefficient: FRICTION,
                ..CompositeLaw::spring(STIFFNESS)
            },
            Law::Hertz => {
                let modulus = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
                let shear = YOUNG / (2.0 * (1.0 + POISSON)) / (2.0 * (2.0 - POISSON));
                // Peers damp across the normal by the stiffness across it: 8 G a beside 2 E a.
                let damping = (8.0 * shear / (2.0 * modulus)).sqrt();
                CompositeLaw {
                    normal: NormalForceLaw::Hertz { modulus },
                    damping: Damping::restitution(RESTITUTION),
                    tangential: TangentialForceLaw::Mindlin { modulus: shear, damping },
                    friction_coefficient: FRICTION,
                    ..CompositeLaw::spring(0.0)
                }
            }
        }
    }
}

/// The bodies of a bed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// Spheres of these sizes, between periodic sides.
    Spheres(Sizes),
    /// Polyhedra of this many faces, between walls.
    Polyhedra(usize),
}

/// A bed and how its bodies touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// The name in commands and results.
    name: &'static str,
    /// Contact law of the bodies.
    pub law: Law,
    /// The bodies of the bed.
    pub filling: Filling,
}

const fn workload(name: &'static str, law: Law, filling: Filling) -> Workload {
    Workload { name, law, filling }
}

/// Equal spheres with springs, and with Hertz and Mindlin; equal volumes of spheres of diameters one and
/// ten; polyhedra.
const WORKLOADS: [Workload; 5] = [
    workload("linear", Law::Linear, Filling::Spheres(Sizes::Equal)),
    workload("hertz-mindlin", Law::Hertz, Filling::Spheres(Sizes::Equal)),
    workload("linear-1:10", Law::Linear, Filling::Spheres(Sizes::Mixed)),
    workload("polyhedra-20", Law::Linear, Filling::Polyhedra(20)),
    workload("polyhedra-400", Law::Linear, Filling::Polyhedra(400)),
];

impl Workload {
    /// Returns the workload of a case.
    pub fn of(case: &Case) -> Self {
        let workload = WORKLOADS.into_iter().find(|workload| workload.name == case.workload);
        workload.expect("a test has run the cases")
    }
}
