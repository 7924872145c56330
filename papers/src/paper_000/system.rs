//! The systems on which the structures are compared: hard discs and spheres in a periodic box.

use super::measured::STRUCTURES;
use crate::PaperProgress;
use crate::hard_spheres::HardSphereStart;
use crate::records::{Record, Records};
use carom::simulate::event_driven::{NeighborStructure, SavedState, Settings, Simulation};
use std::fmt;

/// Packing fraction of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DensityRegime {
    /// The densest fluid: 0.6 in 2D, 0.5 in 3D.
    Dense,
    /// A twentieth.
    Dilute,
    /// A thousandth: hardly any collision.
    Thin,
}

impl DensityRegime {
    /// The part of the box that the bodies cover.
    pub fn packing_fraction(self, dimension: usize) -> f64 {
        match self {
            DensityRegime::Dense => [0.6, 0.5][dimension - 2],
            DensityRegime::Dilute => 0.05,
            DensityRegime::Thin => 0.001,
        }
    }

    /// Bodies placed at random overlap beyond this; from there on they grow.
    fn random_fraction(self, dimension: usize) -> f64 {
        self.packing_fraction(dimension).min([0.35, 0.25][dimension - 2])
    }
}

impl fmt::Display for DensityRegime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// The radii of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RadiusDistribution {
    /// All equal.
    Equal,
    /// Evenly spread between one and this many times the smallest.
    Spread(u32),
    /// Two sizes, one this many times the other, each with half of the covered volume.
    Mixture(u32),
}

impl RadiusDistribution {
    fn scene_value(self) -> String {
        match self {
            RadiusDistribution::Equal => "0.5".into(),
            RadiusDistribution::Spread(ratio) => {
                format!("{{ min = 0.5, max = {} }}", 0.5 * f64::from(ratio))
            }
            RadiusDistribution::Mixture(ratio) => {
                format!("{{ values = [0.5, {}], by = \"volume\" }}", 0.5 * f64::from(ratio))
            }
        }
    }
}

impl fmt::Display for RadiusDistribution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RadiusDistribution::Equal => formatter.write_str("1:1"),
            RadiusDistribution::Spread(ratio) | RadiusDistribution::Mixture(ratio) => {
                write!(formatter, "1:{ratio}")
            }
        }
    }
}

/// A kind of system; with a dimension and a number of bodies it is one to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardSphereSystem {
    /// Packing fraction.
    pub density: DensityRegime,
    /// Sizes of the bodies.
    pub radii: RadiusDistribution,
}

impl HardSphereSystem {
    /// The four systems of the measured table.
    pub const ALL: [HardSphereSystem; 4] = [
        HardSphereSystem { density: DensityRegime::Dense, radii: RadiusDistribution::Equal },
        HardSphereSystem { density: DensityRegime::Dense, radii: RadiusDistribution::Spread(5) },
        HardSphereSystem { density: DensityRegime::Dilute, radii: RadiusDistribution::Equal },
        HardSphereSystem { density: DensityRegime::Dilute, radii: RadiusDistribution::Spread(5) },
    ];

    /// This many bodies, grown to the density wanted and shaken.
    pub fn prepare<const D: usize>(&self, count: usize) -> PreparedSystem<D> {
        let mut start = self.inserted::<D>(count);
        let wanted = self.density.packing_fraction(D);
        if self.density.random_fraction(D) < wanted {
            let grown = start.grown(wanted, GROWTH_RATE);
            start = grown.expect("bodies of the paper do not overlap");
        }
        let settings = start.settings();
        let simulation = Simulation::new(&start.bodies, settings.clone());
        let mut simulation = simulation.expect("bodies of the paper do not overlap");
        if self.density != DensityRegime::Thin {
            simulation.advance(f64::INFINITY, COLLISIONS_TO_FORGET * count as u64);
        }
        PreparedSystem { saved: simulation.saved_state(), settings, density: self.density }
    }

    /// Measures structures on the system with each of these numbers of bodies, structure by structure.
    pub(super) fn sweep<const D: usize>(
        &self,
        counts: &[usize],
        progress: &mut PaperProgress<'_>,
        measure: impl Fn(&PreparedSystem<D>, NeighborStructure) -> Option<Record>,
    ) -> Records {
        let mut runs = Records::default();
        for &count in counts {
            progress.step(&format!("{D}D, {self}, {count} bodies"));
            let start = self.prepare::<D>(count);
            runs.extend(STRUCTURES.iter().filter_map(|&structure| measure(&start, structure)));
        }
        STRUCTURES.iter().flat_map(|structure| runs.of("structure", structure.name())).collect()
    }

    /// This many bodies placed at random, smaller than wanted where the system is dense.
    pub fn inserted<const D: usize>(&self, count: usize) -> HardSphereStart<D> {
        let fraction = self.density.random_fraction(D);
        let radii = self.radii.scene_value();
        let scene = format!(
            "engine = \"event-driven\"\ndimension = {D}\nseed = 1\nuntil = 1\n\
             [materials.default]\ndensity = 1\n\
             [[generate]]\nkind = \"random\"\ncount = {count}\nradius = {radii}\n\
             packing_fraction = {fraction}\ntemperature = 1\n"
        );
        HardSphereStart::parse(&scene).expect("scenes of the paper are sensible")
    }
}

impl fmt::Display for HardSphereSystem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.density, self.radii)
    }
}

/// Growth of a radius in a unit of time, in radii; bodies travel about their own diameter in it.
const GROWTH_RATE: f64 = 0.2;
/// After this many collisions per body the start is forgotten.
const COLLISIONS_TO_FORGET: u64 = 5;
/// Made all at once, neighbor lists of a dense system are out of date for the first time after many collisions.
const COLLISIONS_TO_SETTLE: u64 = 25;
/// The triangulation finds out how often to examine bodies within this many collisions per body.
const COLLISIONS_TO_CHOOSE_INTERVALS: u64 = 2;

/// A system ready to run with any structure.
#[derive(Clone, Debug)]
pub struct PreparedSystem<const D: usize> {
    /// State of the system.
    pub saved: SavedState<D>,
    /// Settings of the system, without the structure.
    pub settings: Settings<D>,
    /// Packing fraction of the box.
    pub density: DensityRegime,
}

impl<const D: usize> PreparedSystem<D> {
    /// The system from its start on, with a structure.
    pub fn run_with(&self, structure: NeighborStructure) -> Simulation<D> {
        let settings = Settings { structure, ..self.settings.clone() };
        Simulation::resume(self.saved.clone(), settings)
            .expect("only systems with room for the structure are run")
    }

    /// Whether cells as wide as the widest body fit the box: a body must not meet the same cell twice around it, so five
    /// must fit, and a little more, because structures leave some room.
    pub fn has_room_for_cells(&self) -> bool {
        let widest = self.saved.records.iter().map(|body| 2.0 * body.radius).fold(0.0, f64::max);
        self.settings.region.size.min() >= 5.6 * widest
    }

    /// Collisions after which a structure does as much as it will ever after.
    pub fn settling_collisions(&self, structure: NeighborStructure) -> u64 {
        let count = self.saved.records.len() as u64;
        match (structure, self.density) {
            (NeighborStructure::NeighborLists, DensityRegime::Dense) => {
                COLLISIONS_TO_SETTLE * count
            }
            (NeighborStructure::Laguerre, DensityRegime::Dilute) => {
                COLLISIONS_TO_CHOOSE_INTERVALS * count
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::geometry::unit_ball_volume;

    fn fraction<const D: usize>(start: &PreparedSystem<D>) -> f64 {
        let powers: f64 = start.saved.records.iter().map(|body| body.radius.powi(D as i32)).sum();
        unit_ball_volume(D) * powers / start.settings.region.volume()
    }

    #[test]
    fn systems_have_the_density_and_the_room_they_are_said_to_have() {
        for system in HardSphereSystem::ALL {
            let (plane, space) = (system.prepare::<2>(300), system.prepare::<3>(1000));
            let wanted = [2, 3].map(|dimension| system.density.packing_fraction(dimension));
            assert!((fraction(&plane) / wanted[0] - 1.0).abs() < 1e-6, "{system}");
            assert!((fraction(&space) / wanted[1] - 1.0).abs() < 1e-6, "{system}");
            assert!(plane.has_room_for_cells() && space.has_room_for_cells(), "{system}");
        }
        assert!(!HardSphereSystem::ALL[0].prepare::<3>(100).has_room_for_cells());
    }

    #[test]
    fn both_sizes_of_a_mixture_have_half_of_the_volume() {
        let mixture = HardSphereSystem {
            density: DensityRegime::Dilute,
            radii: RadiusDistribution::Mixture(5),
        };
        let start = mixture.prepare::<2>(1000);
        let area = |large: bool| -> f64 {
            let records = start.saved.records.iter();
            records.map(|body| body.radius).filter(|&r| (r > 1.0) == large).map(|r| r * r).sum()
        };
        assert!((area(true) / area(false) - 1.0).abs() < 0.05);
    }
}
