//! Initial velocities of a gas without total momentum.

use super::SplitMix64;
use carom_geometry::Vector;

/// Draws Gaussian velocities with `sum m v^2 = D (N - 1) kT` exactly (up to rounding) and zero total momentum, which
/// removes `D` degrees of freedom.
///
/// A single body keeps its momentum.
pub(crate) fn maxwellian<const D: usize>(
    masses: &[f64],
    temperature: f64,
    random: &mut SplitMix64,
) -> Vec<Vector<D>> {
    let mut draw = |&mass: &f64| {
        let width = (temperature / mass).sqrt();
        Vector::from_fn(|_, _| width * random.normal())
    };
    let mut velocities: Vec<Vector<D>> = masses.iter().map(&mut draw).collect();
    if masses.len() > 1 {
        let momentum: Vector<D> = velocities.iter().zip(masses).map(|(v, &mass)| v * mass).sum();
        let drift = momentum / masses.iter().sum::<f64>();
        velocities.iter_mut().for_each(|velocity| *velocity -= drift);
    }
    let twice_energy: f64 =
        velocities.iter().zip(masses).map(|(velocity, mass)| mass * velocity.norm_squared()).sum();
    // The center of mass rests, which takes one body's degrees of freedom.
    let wanted = temperature * (D * masses.len().saturating_sub(1).max(1)) as f64;
    // Velocities cannot be scaled to the temperature if all are zero.
    let factor = if twice_energy > 0.0 { (wanted / twice_energy).sqrt() } else { 0.0 };
    velocities.iter_mut().for_each(|velocity| *velocity *= factor);
    velocities
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_temperature_is_exact_and_the_momentum_vanishes() {
        let masses: Vec<f64> = (0..100).map(|i| 1.0 + i as f64).collect();
        let velocities = maxwellian::<3>(&masses, 2.5, &mut SplitMix64::new(9));
        let pairs = || velocities.iter().zip(&masses);
        let energy: f64 = pairs().map(|(v, m)| m * v.norm_squared()).sum();
        let momentum: Vector<3> = pairs().map(|(v, &m)| v * m).sum();
        assert!((energy / 297.0 - 2.5).abs() < 1e-12);
        assert!(momentum.norm() < 1e-9);
    }

    #[test]
    fn a_single_body_moves_and_none_is_no_trouble() {
        let velocity = maxwellian::<2>(&[2.0], 1.0, &mut SplitMix64::new(9))[0];
        assert!((velocity.norm() - 1.0).abs() < 1e-12);
        assert!(maxwellian::<2>(&[], 1.0, &mut SplitMix64::new(9)).is_empty());
        let cold = maxwellian::<2>(&[1.0, 1.0], 0.0, &mut SplitMix64::new(9));
        assert_eq!(cold, [Vector::<2>::zeros(); 2]);
    }
}
