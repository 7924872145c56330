//! What is measured: settled beds of spheres and of polyhedra, how these touch, and for how many steps.

use super::bed::Sizes;
use carom::simulate::dem::{ContactLaw, Damping, NormalForceLaw, TangentialForceLaw};

/// The length of a step.
pub const STEP: f64 = 2e-4;
/// By how much wider spheres are taken in a search.
pub const SKIN: f64 = 0.15;
/// Coulomb's coefficient.
pub const FRICTION: f64 = 0.5;
/// Force for an overlap of one, in the linear law.
pub const STIFFNESS: f64 = 20_000.0;
/// Its damping in parts of the reduced mass.
pub const DAMPING: f64 = 50.0;
/// Stiffness across the normal over that along it.
pub const ACROSS: f64 = 2.0 / 7.0;
/// Young's modulus of the law of Hertz.
pub const YOUNG: f64 = 5e4;
/// Poisson's ratio.
pub const POISSON: f64 = 0.3;
/// The part of the speed of approach that is left.
pub const RESTITUTION: f64 = 0.5;

/// How spheres touch each other and the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Springs along and across the normal, viscous damping, friction.
    Linear,
    /// Hertz and Mindlin, damping by restitution, friction.
    Hertz,
}

impl Law {
    /// In the words of the engine.
    pub fn contact(self) -> ContactLaw {
        match self {
            Law::Linear => ContactLaw {
                damping: Damping::Rate(DAMPING),
                tangential: TangentialForceLaw::Spring {
                    stiffness: ACROSS * STIFFNESS,
                    damping: 0.5,
                },
                friction_coefficient: FRICTION,
                ..ContactLaw::spring(STIFFNESS)
            },
            Law::Hertz => {
                let modulus = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
                let shear = YOUNG / (2.0 * (1.0 + POISSON)) / (2.0 * (2.0 - POISSON));
                // Peers damp across the normal by the stiffness across it: 8 G a beside 2 E a.
                let damping = (8.0 * shear / (2.0 * modulus)).sqrt();
                ContactLaw {
                    normal: NormalForceLaw::Hertz { modulus },
                    damping: Damping::restitution(RESTITUTION),
                    tangential: TangentialForceLaw::Mindlin { modulus: shear, damping },
                    friction_coefficient: FRICTION,
                    ..ContactLaw::spring(0.0)
                }
            }
        }
    }
}

/// A bed and how its spheres touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Equal spheres, springs.
    Linear,
    /// Equal spheres, Hertz and Mindlin.
    Hertz,
    /// Diameters one and ten, equal volumes of both, springs.
    Mixed,
    /// Polyhedra of 20 faces, springs.
    Polyhedra20,
    /// Polyhedra of 400 faces, springs.
    Polyhedra400,
}

/// What a bed is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// Spheres of these sizes, between periodic sides.
    Spheres(Sizes),
    /// Polyhedra of this many faces, between walls.
    Polyhedra(usize),
}

impl Workload {
    /// All of them.
    pub const ALL: [Workload; 5] = [
        Workload::Linear,
        Workload::Hertz,
        Workload::Mixed,
        Workload::Polyhedra20,
        Workload::Polyhedra400,
    ];

    /// The name in commands and tables.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Linear => "linear",
            Workload::Hertz => "hertz-mindlin",
            Workload::Mixed => "linear-1:10",
            Workload::Polyhedra20 => "polyhedra-20",
            Workload::Polyhedra400 => "polyhedra-400",
        }
    }

    /// How its bodies touch.
    pub fn law(self) -> Law {
        if self == Workload::Hertz { Law::Hertz } else { Law::Linear }
    }

    /// What its bed is made of.
    pub fn filling(self) -> Filling {
        match self {
            Workload::Linear | Workload::Hertz => Filling::Spheres(Sizes::Equal),
            Workload::Mixed => Filling::Spheres(Sizes::Mixed),
            Workload::Polyhedra20 => Filling::Polyhedra(20),
            Workload::Polyhedra400 => Filling::Polyhedra(400),
        }
    }
}

/// A bed, its size, and how long it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The bed and the law.
    pub workload: Workload,
    /// This many beds side by side along both horizontal axes.
    pub copies: usize,
    /// Whether carom runs on one thread and on two by the wall clock, and nobody else.
    pub on_threads: bool,
    /// Steps before anything is measured.
    pub warm_up: u64,
    /// Steps that are timed in a round.
    pub window: u64,
    /// The best of this many counts.
    pub rounds: usize,
}

impl Case {
    /// Returns the name in the results, with the number of bodies.
    pub fn name(&self, bodies: usize) -> String {
        format!("{} {bodies}", self.workload.name())
    }
}

/// The benchmark proper.
pub fn full() -> Vec<Case> {
    use Workload::{Hertz, Linear, Mixed, Polyhedra20, Polyhedra400};
    let case = |workload, copies, window| Case {
        workload,
        copies,
        on_threads: false,
        warm_up: 300,
        window,
        rounds: 5,
    };
    vec![
        case(Linear, 1, 400),
        case(Linear, 3, 100),
        case(Hertz, 1, 400),
        case(Hertz, 3, 100),
        case(Mixed, 1, 400),
        case(Mixed, 3, 100),
        Case { on_threads: true, ..case(Linear, 3, 100) },
        Case { warm_up: 100, ..case(Polyhedra20, 1, 30) },
        Case { warm_up: 100, ..case(Polyhedra400, 1, 30) },
    ]
}

/// A few steps of everything.
pub fn tiny() -> Vec<Case> {
    let short = |case: Case| Case { warm_up: 20, window: 20, rounds: 1, ..case };
    full().into_iter().map(short).collect()
}
