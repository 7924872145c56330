//! A bed: bodies that fell into a box and came to rest there, kept in a file since they take a minute to settle.

use super::spheres::Sizes;
use super::workload::Filling;
use super::{polyhedra, spheres};
use crate::error::Error;
use carom::geometry::Vector;
use carom::io::Checkpoint;
use carom::simulate::dem::{Body, Settings, Simulation};
use nalgebra::{Quaternion, UnitQuaternion};
use std::path::Path;

/// Bodies at rest in a box that is as wide along both horizontal axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Bed {
    /// The width of the box.
    pub width: f64,
    /// The bodies.
    pub bodies: Vec<Body>,
}

/// Position and orientation of a body.
type Place = (Vector<3>, UnitQuaternion<f64>);

impl Bed {
    /// The same bodies at rest, at other places and with other orientations.
    fn with_places(&self, width: f64, places: Vec<Place>) -> Self {
        let at_place = |(body, &(position, orientation)): (&Body, &Place)| {
            let rest = Vector::zeros();
            Body { position, orientation, velocity: rest, angular_velocity: rest, ..*body }
        };
        Bed { width, bodies: self.bodies.iter().zip(&places).map(at_place).collect() }
    }

    /// The same bodies as they lie after a run.
    fn after(&self, simulation: &Simulation) -> Self {
        let boundary = &simulation.settings().boundary;
        let place = |number: usize| {
            let body = simulation.body(number);
            (boundary.wrap(body.position), body.orientation)
        };
        self.with_places(self.width, (0..self.bodies.len()).map(place).collect())
    }

    /// These bodies as they lie by a file, or else by `settle`, which is then written into the file.
    fn kept(
        &self,
        path: &Path,
        settle: impl FnOnce() -> Result<Self, Error>,
    ) -> Result<Self, Error> {
        if path.exists() {
            return self.read(Checkpoint::read(path)?);
        }
        eprintln!("settling a bed of {} bodies, kept in {}", self.bodies.len(), path.display());
        let bed = settle()?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::in_file(folder))?;
        }
        bed.places().write(path)?;
        Ok(bed)
    }

    /// The width and the places for a file.
    fn places(&self) -> Checkpoint {
        let mut places = Checkpoint::new("bed", 3, 0);
        let positions = self.bodies.iter().flat_map(|body| <[f64; 3]>::from(body.position));
        let turned = self.bodies.iter().flat_map(|body| <[f64; 4]>::from(body.orientation.coords));
        places.put_f64("width", [self.width]);
        places.put_f64("positions", positions.collect::<Vec<_>>());
        places.put_f64("orientations", turned.collect::<Vec<_>>());
        places
    }

    /// These bodies as they lie by a file.
    fn read(&self, mut places: Checkpoint) -> Result<Self, Error> {
        let count = self.bodies.len();
        let width = places.take_f64("width", 1)?[0];
        let positions = places.take_f64("positions", 3 * count)?;
        let orientations = places.take_f64("orientations", 4 * count)?;
        // Turned as it was, to the bit.
        let turned = |&turned: &[f64; 4]| UnitQuaternion::new_unchecked(Quaternion::from(turned));
        let turned = orientations.as_chunks::<4>().0.iter().map(turned);
        let positions = positions.as_chunks::<3>().0.iter().map(|&place| Vector::from(place));
        Ok(self.with_places(width, positions.zip(turned).collect()))
    }

    /// This many beds side by side along both periods.
    pub fn repeated(&self, copies: usize) -> Bed {
        let shift = |k: usize| self.width * k as f64;
        let shifts =
            (0..copies * copies).map(|k| Vector::from([shift(k % copies), shift(k / copies), 0.0]));
        let moved = |by: Vector<3>| {
            self.bodies.iter().map(move |body| Body { position: body.position + by, ..*body })
        };
        Bed { width: shift(copies), bodies: shifts.flat_map(moved).collect() }
    }

    /// The height of the highest center.
    pub fn height(&self) -> f64 {
        self.bodies.iter().map(|body| body.position.z).fold(0.0, f64::max)
    }
}

/// A bed to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The bodies it is made of.
    pub filling: Filling,
    /// Sites of the lattice along each axis on which bodies start; the first two are as many.
    pub sites: [usize; 3],
    /// Steps of the fall, of being slowed down, and of lying freely.
    pub steps: [u64; 3],
}

impl Recipe {
    /// The bed of the benchmark proper.
    pub fn full(filling: Filling) -> Self {
        let (sites, steps) = match filling {
            Filling::Spheres(Sizes::Equal) => ([32, 32, 10], [14_020, 14_980, 2_500]),
            Filling::Spheres(Sizes::Mixed) => ([26, 26, 28], [14_020, 14_980, 2_500]),
            Filling::Polyhedra(_) => ([32, 32, 10], [2_500, 4_000, 2_500]),
        };
        Recipe { filling, sites, steps }
    }

    /// A small one that has hardly settled.
    pub fn tiny(filling: Filling) -> Self {
        let (sites, steps) = match filling {
            Filling::Spheres(Sizes::Equal) => ([8, 8, 4], [220, 80, 20]),
            Filling::Spheres(Sizes::Mixed) => ([26, 26, 12], [220, 80, 20]),
            Filling::Polyhedra(_) => ([5, 5, 4], [600, 200, 20]),
        };
        Recipe { filling, sites, steps }
    }

    /// Before the fall.
    pub fn start(&self) -> Result<Bed, Error> {
        match self.filling {
            Filling::Spheres(sizes) => Ok(spheres::start(sizes, self.sites)),
            Filling::Polyhedra(faces) => polyhedra::start(faces, self.sites),
        }
    }

    /// Lets the bodies fall.
    pub fn settle(&self) -> Result<Bed, Error> {
        let start = self.start()?;
        let settling = match self.filling {
            Filling::Spheres(_) => spheres::settling(start.width),
            Filling::Polyhedra(faces) => polyhedra::settling(faces, start.width)?,
        };
        let [fall, slowed, free] = self.steps;
        let mut simulation = Simulation::new(&start.bodies, settling.pulled.clone())?;
        simulation.advance(fall)?;
        for _ in 0..slowed / STEPS_OF_DRAG {
            simulation = settling.slowed(&simulation, &settling.slow)?;
            simulation.advance(STEPS_OF_DRAG)?;
        }
        simulation = settling.slowed(&simulation, &settling.free)?;
        simulation.advance(free)?;
        Ok(start.after(&simulation))
    }

    /// Reads a bed from a file in a folder, or settles it and writes the file.
    pub fn kept(&self, folder: &Path) -> Result<Bed, Error> {
        let name = match self.filling {
            Filling::Spheres(Sizes::Equal) => "equal-spheres.bed".into(),
            Filling::Spheres(Sizes::Mixed) => "one-to-ten-spheres.bed".into(),
            Filling::Polyhedra(faces) => format!("polyhedra-{faces}.bed"),
        };
        self.start()?.kept(&folder.join(name), || self.settle())
    }
}

/// Number of steps after which the damping acts at once.
pub const STEPS_OF_DRAG: u64 = 20;

/// Settling of a bed.
pub struct Settling {
    /// Settings of the fall.
    pub pulled: Settings,
    /// Settings while they are slowed down.
    pub slow: Settings,
    /// Settings while they lie freely.
    pub free: Settings,
    /// Their velocities are multiplied by this whenever they are slowed down.
    pub slower: f64,
}

impl Settling {
    /// The same moment with bodies slowed down, under other settings.
    fn slowed(&self, simulation: &Simulation, settings: &Settings) -> Result<Simulation, Error> {
        let mut saved = simulation.saved_state();
        saved.bodies.iter_mut().for_each(|body| body.velocity *= self.slower);
        saved.rotation_states.iter_mut().for_each(|turn| turn.angular_momentum *= self.slower);
        Ok(Simulation::resume(&saved, settings.clone())?)
    }
}

/// A site of a lattice of this many columns, rows and layers, along each axis.
pub fn site(number: usize, [columns, rows, _]: [usize; 3]) -> [f64; 3] {
    [number % columns, number / columns % rows, number / (columns * rows)]
        .map(|along| along as f64 + 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bed() -> Bed {
        let turned = UnitQuaternion::from_scaled_axis(Vector::from([0.1, 1.0 / 3.0, -0.7]));
        let body = Body::at_rest([0.5, 1e-17, 7.0], 0.5, 1.0);
        Bed { width: 2.0, bodies: vec![body, Body { orientation: turned, ..body }] }
    }

    #[test]
    fn places_survive_their_file_to_the_bit() {
        let kept = Checkpoint::decode(&bed().places().encode(), "a bed").unwrap();
        assert_eq!(bed().read(kept).unwrap(), bed());
        assert!(bed().read(bed().repeated(2).places()).is_err());
    }

    #[test]
    fn beds_side_by_side_are_as_wide_as_all_together() {
        let many = bed().repeated(3);
        assert_eq!((many.width, many.bodies.len()), (6.0, 18));
        assert_eq!(many.bodies[10].position, Vector::from([4.5, 2.0, 7.0]));
    }
}
