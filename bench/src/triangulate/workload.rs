//! What is triangulated: random points and spheres, the same on every machine.

use crate::table;
use carom::Sphere;
use std::fmt;
use std::str::FromStr;

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Points in the unit square.
    Points2,
    /// Points in the unit cube.
    Points3,
    /// Spheres in the unit cube with radii up to 0.3 of the mean distance of neighbors.
    Spheres3,
}

/// Radii up to this part of the mean distance.
const LARGEST: f64 = 0.3;

impl Workload {
    /// All of them.
    pub const ALL: [Workload; 3] = [Workload::Points2, Workload::Points3, Workload::Spheres3];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Points2 => "points-2d",
            Workload::Points3 => "points-3d",
            Workload::Spheres3 => "spheres-3d",
        }
    }

    /// Two or three.
    pub fn dimension(self) -> usize {
        if self == Workload::Points2 { 2 } else { 3 }
    }

    /// This many spheres of this kind, in the dimension that is its own.
    pub fn spheres<const D: usize>(self, count: usize) -> Vec<Sphere<D>> {
        let mut numbers = Numbers(count as u64);
        let spacing = (count.max(1) as f64).powf(-1.0 / D as f64);
        let largest = if self == Workload::Spheres3 { LARGEST * spacing } else { 0.0 };
        (0..count)
            .map(|_| {
                let center: [f64; D] = std::array::from_fn(|_| numbers.draw());
                Sphere::new(center, largest * numbers.draw())
            })
            .collect()
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Workload {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        table::workload(Workload::ALL, Workload::name, name)
    }
}

/// A kind of input, how much of it and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Of what.
    pub workload: Workload,
    /// How many.
    pub count: usize,
    /// Rounds in which everyone has a turn.
    pub rounds: usize,
}

/// The benchmark proper.
pub fn full() -> Vec<Case> {
    let sizes = [(10_000, 20), (100_000, 9), (1_000_000, 4)];
    let of = |workload| sizes.map(|(count, rounds)| Case { workload, count, rounds });
    Workload::ALL.into_iter().flat_map(of).collect()
}

/// One round of a thousand points, to show that everything works.
pub fn tiny() -> Vec<Case> {
    Workload::ALL.map(|workload| Case { workload, count: 1000, rounds: 1 }).to_vec()
}

/// SplitMix64, as numbers between zero and one.
struct Numbers(u64);

impl Numbers {
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_workloads() {
        for workload in Workload::ALL {
            assert_eq!(workload.name().parse(), Ok(workload));
        }
        assert!("gas".parse::<Workload>().is_err());
    }

    #[test]
    fn only_spheres_have_radii() {
        let radius = |sphere: &Sphere<3>| sphere.radius;
        let spheres = Workload::Spheres3.spheres::<3>(1000);
        let largest = spheres.iter().map(radius).fold(0.0, f64::max);
        assert!((0.029..=0.03).contains(&largest), "{largest}");
        assert!(Workload::Points3.spheres::<3>(1000).iter().all(|sphere| sphere.radius == 0.0));
    }
}
