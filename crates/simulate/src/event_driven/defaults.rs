//! Defaults: the neighbor structure that `auto` takes, the free travel of neighbor lists, contact times.

use super::hard_spheres::HardSpheres;
use super::neighbors::KineticCellGrid;
use super::settings::{NeighborStructure, Settings};
use crate::BoundaryCondition;
use crate::Error;
use crate::error::axis_name;
use crate::event_driven::{GrowthTarget, Thermostat};
use carom_geometry::{math, unit_ball_volume};

/// Statistics over all bodies, on which defaults depend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnsembleStatistics {
    pub count: usize,
    pub mean_diameter: f64,
    pub largest_diameter: f64,
    pub packing_fraction: f64,
    /// Root mean square speed.
    pub rms_speed: f64,
}

impl EnsembleStatistics {
    pub fn of<const D: usize>(bodies: &HardSpheres<D>, now: f64) -> Self {
        let count = bodies.count();
        let radii = || (0..count as u32).map(|body| bodies.radius_at(body, now));
        let squares = (0..count as u32).map(|body| bodies.velocity_at(body, now).norm_squared());
        let filled = radii().map(|radius| radius.powi(D as i32)).sum::<f64>() * unit_ball_volume(D);
        EnsembleStatistics {
            count,
            mean_diameter: 2.0 * radii().sum::<f64>() / count as f64,
            largest_diameter: 2.0 * radii().fold(0.0, f64::max),
            packing_fraction: filled / bodies.region.volume(),
            rms_speed: (squares.sum::<f64>() / count as f64).sqrt(),
        }
    }

    /// Returns an upper bound on the diameter that the widest body can reach by growth. Growth toward a
    /// pressure ends before the box is full.
    pub fn largest_final_diameter<const D: usize>(&self, settings: &Settings<D>) -> f64 {
        let Some(growth) = settings.growth else { return self.largest_diameter };
        let fullest = match growth.until {
            Some(GrowthTarget::PackingFraction(fraction)) => fraction,
            // The box completely filled: no packing is denser, so no body can grow beyond.
            Some(GrowthTarget::Pressure(_)) | None => 1.0,
        };
        self.largest_diameter * math::powf(fullest / self.packing_fraction, 1.0 / D as f64).max(1.0)
    }
}

/// Returns the neighbor structure to use and the reason for it.
///
/// Errors if a periodic box is too short for the bodies, or for the cells that were asked for.
pub fn structure<const D: usize>(
    settings: &Settings<D>,
    crowd: &EnsembleStatistics,
) -> Result<(NeighborStructure, &'static str), Error> {
    let widest = crowd.largest_final_diameter(settings);
    let periodic =
        |&axis: &usize| settings.region.boundary_conditions[axis] == BoundaryCondition::Periodic;
    for axis in (0..D).filter(periodic) {
        let size = settings.region.size[axis];
        if size <= 2.0 * widest {
            return Err(Error::ShortPeriod { axis: axis_name(axis), size, widest });
        }
    }
    let too_short_for_cells = (0..D)
        .filter(periodic)
        .find(|&axis| !KineticCellGrid::<D>::fits(settings.region.size[axis], widest));
    match settings.structure {
        NeighborStructure::Auto => {
            Ok(automatic_structure(settings, crowd, too_short_for_cells.is_none()))
        }
        cells @ (NeighborStructure::CellGrid | NeighborStructure::CellTree)
            if too_short_for_cells.is_some() =>
        {
            let axis = too_short_for_cells.unwrap_or_default();
            Err(Error::TooFewCells {
                axis: axis_name(axis),
                size: settings.region.size[axis],
                structure: cells.name(),
                widest,
            })
        }
        other => Ok((other, "asked for")),
    }
}

/// Chooses by packing fraction and sizes, from measurements of `cargo xtask bench event-driven`.
///
/// `laguerre-delaunay` is never taken, because it was nowhere the fastest. With 100,000 bodies, collisions
/// per second of processor time beside those of the structure that is taken: equal spheres at packing
/// fraction 0.49, 37,000 beside 1,050,000 (`--only mono-0.49 --bodies 100000`);
/// equal discs at 0.7, 228,000 beside 1,916,000 (`--only discs-0.7`); the mixture 1:10 at 0.3, 8,600 beside
/// 241,000 (`--only binary-1:10`).
///
/// Wider mixtures and denser packings were tried once each, by the wall clock of a busy machine (`carom
/// run` with either `neighbors.method`), so only the order of magnitude counts: neighbor lists were 7 and 9
/// times as fast with a few large discs among small ones, 1:30 and 1:100, some 300 times with spheres
/// 1:30, and 7 and 12 times for discs grown to 0.82 and spheres grown to 0.61.
fn automatic_structure<const D: usize>(
    settings: &Settings<D>,
    crowd: &EnsembleStatistics,
    cells_fit: bool,
) -> (NeighborStructure, &'static str) {
    let pulled = settings.gravity.norm() > 0.0 || settings.field.is_some();
    let alike = crowd.largest_diameter < 2.0 * crowd.mean_diameter;
    if crowd.count <= 16 {
        return (NeighborStructure::AllPairs, "a handful of bodies needs no search");
    }
    if crowd.packing_fraction < DILUTE_PACKING_FRACTION[D]
        && alike
        && cells_fit
        && !pulled
        && settings.growth.is_none()
    {
        return (NeighborStructure::CellGrid, "few bodies of like size, far apart");
    }
    if !alike {
        return (
            NeighborStructure::NeighborLists,
            "sizes differ, and neighbor lists are searched by size class",
        );
    }
    (NeighborStructure::NeighborLists, "bodies are close and keep their neighbors for long")
}

/// Packing fraction below which cells are faster than neighbor lists, by dimension. In 3D it is
/// interpolated between 0.3, where cells are 1.4 times as fast, and 0.49, where lists are 1.5 times as
/// fast; not measured in between.
const DILUTE_PACKING_FRACTION: [f64; 4] = [0.0, 0.0, 0.6, 0.39];

/// Returns how far a body may travel before its neighbor list is renewed (the Verlet skin per body).
pub fn free_travel<const D: usize>(settings: &Settings<D>, crowd: &EnsembleStatistics) -> f64 {
    if let Some(shell) = settings.shell {
        return shell * crowd.mean_diameter;
    }
    let spacing = math::powf(settings.region.volume() / crowd.count as f64, 1.0 / D as f64);
    let gap = (spacing - crowd.mean_diameter).max(0.0);
    (0.235 * crowd.mean_diameter + gap).min(0.45 * crowd.mean_diameter)
}

/// Returns the contact time: two collisions of a body within it count as one lasting contact.
///
/// A pile at rest carries its weight by collisions: a body under `depth` others has about
/// `depth / contact time` of them per time, and more where bodies wedge between walls a whole number
/// of diameters apart. A scene with a deep pile should set a longer contact time than this.
pub fn contact_time<const D: usize>(
    settings: &Settings<D>,
    crowd: &EnsembleStatistics,
    mass: f64,
) -> f64 {
    if let Some(time) = settings.contact_time {
        return time;
    }
    let lossy_wall = |side: &BoundaryCondition| matches!(side, BoundaryCondition::Wall { restitution: Some(part) } if *part < 1.0);
    let dissipative = !settings.restitutions.iter().all(|law| law.is_elastic())
        || settings.region.boundary_conditions.iter().any(lossy_wall)
        || settings.field.as_ref().is_some_and(|field| field.dissipative);
    if !dissipative {
        return 0.0;
    }
    if settings.gravity.norm() > 0.0 || settings.field.is_some() {
        return rest_time(settings, crowd.mean_diameter);
    }
    // Bodies that start at rest may be set in motion later, by a thermostat or by growth.
    let heated = match settings.thermostat {
        Some(Thermostat::Rescale { temperature, .. } | Thermostat::Kicks { temperature, .. }) => {
            (temperature / mass).sqrt()
        }
        None => 0.0,
    };
    let widening = settings.growth.map_or(0.0, |growth| growth.rate * crowd.mean_diameter);
    let speed = crowd.rms_speed.max(heated).max(widening);
    if speed > 0.0 { 1e-6 * crowd.mean_diameter / speed } else { 0.0 }
}

/// Returns the time for which bodies of a diameter that a force pushes together are apart between two
/// collisions; zero where no force acts.
pub fn rest_time<const D: usize>(settings: &Settings<D>, diameter: f64) -> f64 {
    let gravity = settings.gravity.norm();
    match &settings.field {
        Some(field) => 0.1 * field.period,
        None if gravity > 0.0 => 0.005 * (diameter / gravity).sqrt(),
        None => 0.0,
    }
}
