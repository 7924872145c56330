//! Volume, centre of mass and inertia of spheres and discs that may overlap.

use super::MassProperties;
use crate::{Aabb, Sphere, Vector};
use nalgebra::Matrix3;

/// So many columns in a row across the spheres.
const COLUMNS: usize = 200;
/// So many across the discs.
const STRIPES: usize = 20_000;

impl MassProperties {
    /// Of the union of spheres: summed over columns, along which it is exact; right to about 1e-5.
    ///
    /// ```
    /// use carom_geometry::{Sphere, shape::MassProperties};
    /// let one = Sphere::new([1.0, 2.0, 3.0], 0.5);
    /// let mass = MassProperties::of_spheres(&[one, one]);
    /// assert!((mass.volume - std::f64::consts::PI / 6.0).abs() < 1e-5);
    /// ```
    pub fn of_spheres(spheres: &[Sphere<3>]) -> Self {
        let bounds = bounds(spheres);
        let width = [0, 1].map(|axis| bounds.size()[axis] / COLUMNS as f64);
        let mut sums = Sums::default();
        for k in 0..COLUMNS * COLUMNS {
            let x = bounds.low.x + width[0] * ((k / COLUMNS) as f64 + 0.5);
            let y = bounds.low.y + width[1] * ((k % COLUMNS) as f64 + 0.5);
            let cut = |sphere: &Sphere<3>| {
                let square = (x - sphere.center.x).powi(2) + (y - sphere.center.y).powi(2);
                span(sphere.center.z, sphere.radius, square)
            };
            for [low, high] in joined(spheres.iter().filter_map(cut).collect()) {
                sums.add(
                    Vector::from([x, y, 0.5 * (low + high)]),
                    2,
                    high - low,
                    width[0] * width[1],
                );
            }
        }
        sums.properties([width[0], width[1], 0.0])
    }

    /// Of the union of discs in the plane: the volume is its area, and of the inertia that about the
    /// third axis is meant.
    pub fn of_discs(discs: &[Sphere<2>]) -> Self {
        let bounds = bounds(discs);
        let width = bounds.size().x / STRIPES as f64;
        let mut sums = Sums::default();
        for k in 0..STRIPES {
            let x = bounds.low.x + width * (k as f64 + 0.5);
            let cut =
                |disc: &Sphere<2>| span(disc.center.y, disc.radius, (x - disc.center.x).powi(2));
            for [low, high] in joined(discs.iter().filter_map(cut).collect()) {
                sums.add(Vector::from([x, 0.5 * (low + high), 0.0]), 1, high - low, width);
            }
        }
        sums.properties([width, 0.0, 0.0])
    }
}

fn bounds<const D: usize>(spheres: &[Sphere<D>]) -> Aabb<D> {
    spheres.iter().fold(Aabb::empty(), |bounds, sphere| {
        let reach = Vector::repeat(sphere.radius);
        bounds.including(&(sphere.center - reach)).including(&(sphere.center + reach))
    })
}

/// From where to where a line is in a sphere that passes its centre at a squared distance.
fn span(center: f64, radius: f64, square: f64) -> Option<[f64; 2]> {
    let half = (radius * radius - square).sqrt();
    (half > 0.0).then_some([center - half, center + half])
}

/// Intervals of which no two overlap any more.
fn joined(mut all: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    all.sort_unstable_by(|one, two| one[0].total_cmp(&two[0]));
    let mut left: Vec<[f64; 2]> = Vec::with_capacity(all.len());
    for one in all {
        match left.last_mut() {
            Some(last) if one[0] <= last[1] => last[1] = last[1].max(one[1]),
            _ => left.push(one),
        }
    }
    left
}

/// Integrals over pieces of columns.
#[derive(Default)]
struct Sums {
    volume: f64,
    first: Vector<3>,
    second: Matrix3<f64>,
}

impl Sums {
    /// A piece of a column along an axis.
    fn add(&mut self, middle: Vector<3>, axis: usize, length: f64, across: f64) {
        let volume = length * across;
        self.volume += volume;
        self.first += middle * volume;
        self.second += middle * middle.transpose() * volume;
        self.second[(axis, axis)] += volume * length * length / 12.0;
    }

    /// Columns so wide have an inertia of their own.
    fn properties(mut self, widths: [f64; 3]) -> MassProperties {
        let centre = self.first / self.volume;
        (0..3).for_each(|k| self.second[(k, k)] += self.volume * widths[k] * widths[k] / 12.0);
        let central = self.second - centre * centre.transpose() * self.volume;
        let inertia = Matrix3::identity() * central.trace() - central;
        MassProperties { volume: self.volume, centre, inertia }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn spheres_that_do_not_overlap_add_up() {
        let spheres = [Sphere::new([0.0, 0.0, 0.0], 1.0), Sphere::new([4.0, 0.0, 0.0], 1.0)];
        let mass = MassProperties::of_spheres(&spheres);
        let each = 4.0 / 3.0 * PI;
        assert!((mass.volume / (2.0 * each) - 1.0).abs() < 1e-4);
        assert!((mass.centre - Vector::from([2.0, 0.0, 0.0])).norm() < 1e-9);
        let about = 2.0 * each * (0.4 + 4.0);
        assert!((mass.inertia[(2, 2)] / about - 1.0).abs() < 1e-4);
        assert!((mass.inertia[(0, 0)] / (2.0 * each * 0.4) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn what_two_discs_share_counts_once() {
        let discs = [Sphere::new([0.0, 0.0], 1.0), Sphere::new([1.0, 0.0], 1.0)];
        let mass = MassProperties::of_discs(&discs);
        let lens = 2.0 * PI / 3.0 - 0.5 * 3f64.sqrt();
        assert!((mass.volume - (2.0 * PI - lens)).abs() < 1e-5);
        assert!((mass.centre.x - 0.5).abs() < 1e-9);
        let one = MassProperties::of_discs(&discs[..1]);
        assert!((one.inertia[(2, 2)] - 0.5 * PI).abs() < 1e-5);
    }
}
