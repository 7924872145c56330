//! A bed: bodies that fell into a box and came to rest there, kept in a file since they take a minute to settle.

use crate::error::Error;
use carom::geometry::Vector;
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

/// Where a body is and how it is turned.
type Place = (Vector<3>, UnitQuaternion<f64>);
/// The numbers of a place in the file.
const NUMBERS: usize = 7;

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
    pub fn after(&self, simulation: &Simulation) -> Self {
        let boundary = &simulation.settings().boundary;
        let place = |number: usize| {
            let body = simulation.body(number);
            (boundary.wrap(body.position), body.orientation)
        };
        self.with_places(self.width, (0..self.bodies.len()).map(place).collect())
    }

    /// These bodies as they lie by a file, or else by `settle`, which is then written into the file.
    pub fn kept(
        &self,
        path: &Path,
        settle: impl FnOnce() -> Result<Self, Error>,
    ) -> Result<Self, Error> {
        if path.exists() {
            let text = std::fs::read_to_string(path).map_err(Error::in_file(path))?;
            let problem =
                format!("it is not a width and {NUMBERS} numbers for each body; remove the file");
            return self.read(&text).ok_or_else(|| Error::Document { path: path.into(), problem });
        }
        eprintln!("settling a bed of {} bodies, kept in {}", self.bodies.len(), path.display());
        let bed = settle()?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::in_file(folder))?;
        }
        std::fs::write(path, bed.text()).map_err(Error::in_file(path))?;
        Ok(bed)
    }

    /// The text of a file.
    fn text(&self) -> String {
        let line = |Body { position: at, orientation: turned, .. }: &Body| {
            let numbers = [at.x, at.y, at.z, turned.w, turned.i, turned.j, turned.k];
            numbers.map(|number| number.to_string()).join(",") + "\n"
        };
        format!("{}\n", self.width) + &self.bodies.iter().map(line).collect::<String>()
    }

    /// These bodies as they lie by the text of a file.
    fn read(&self, text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let width = lines.next()?.parse().ok()?;
        let place = |line: &str| {
            let numbers: Option<Vec<f64>> =
                line.split(',').map(|number| number.parse().ok()).collect();
            let [x, y, z, w, i, j, k] = <[f64; NUMBERS]>::try_from(numbers?).ok()?;
            // Turned as it was, to the bit.
            let turned = UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k));
            Some((Vector::from([x, y, z]), turned))
        };
        let places: Vec<Place> = lines.map(place).collect::<Option<_>>()?;
        (places.len() == self.bodies.len()).then(|| self.with_places(width, places))
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

/// The same moment with bodies slowed down, under other settings.
pub fn slowed(
    simulation: &Simulation,
    slower: f64,
    settings: &Settings,
) -> Result<Simulation, Error> {
    let mut saved = simulation.save();
    saved.bodies.iter_mut().for_each(|body| body.velocity *= slower);
    saved.rotation_states.iter_mut().for_each(|turn| turn.angular_momentum *= slower);
    Ok(Simulation::resume(&saved, settings.clone())?)
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
        let text = bed().text();
        assert_eq!(bed().read(&text), Some(bed()));
        assert_eq!(bed().read("2\n1,2,3\n1,2,3\n"), None);
        assert_eq!(bed().read(text.lines().next().unwrap()), None);
    }

    #[test]
    fn beds_side_by_side_are_as_wide_as_all_together() {
        let many = bed().repeated(3);
        assert_eq!((many.width, many.bodies.len()), (6.0, 18));
        assert_eq!(many.bodies[10].position, Vector::from([4.5, 2.0, 7.0]));
    }
}
