//! Temperature: the motion of bodies relative to their center of mass.

use carom_geometry::Vector;

/// Velocity of the center of mass, and the temperatures of the motion relative to it.
///
/// Both temperatures are divided by `D (N - 1)`, the degrees of freedom that remain beside the `D` of the
/// center of mass. So they have no bias, whether momentum is conserved or, between walls, is not. Those of
/// a single body are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThermalMotion<const D: usize> {
    /// Velocity of the center of mass, `V = sum(m v) / sum(m)`.
    pub mean_velocity: Vector<D>,
    /// Temperature times Boltzmann's constant, `kT = sum(m |v - V|^2) / (D (N - 1))`, in mass · length² / time².
    pub temperature: f64,
    /// Granular temperature, `sum(|v - V|^2) / (D (N - 1))`, in length² / time².
    pub granular_temperature: f64,
}

impl<const D: usize> ThermalMotion<D> {
    /// Computes them from the masses and velocities of bodies.
    ///
    /// The iterator runs twice, and sums follow its order, so the same order gives the same bits.
    ///
    /// ```
    /// use carom_simulate::ThermalMotion;
    /// let bodies = [(1.0, [6.0, 0.0].into()), (1.0, [4.0, 0.0].into())];
    /// let motion = ThermalMotion::<2>::of(bodies.into_iter());
    /// assert_eq!((motion.mean_velocity.x, motion.temperature), (5.0, 1.0));
    /// ```
    pub fn of(bodies: impl Iterator<Item = (f64, Vector<D>)> + Clone) -> Self {
        let (mut momentum, mut mass, mut count) = (Vector::zeros(), 0.0, 0usize);
        for (body_mass, velocity) in bodies.clone() {
            momentum += velocity * body_mass;
            mass += body_mass;
            count += 1;
        }
        let mean_velocity = if count > 0 { momentum / mass } else { Vector::zeros() };
        let (mut weighted, mut plain) = (0.0, 0.0);
        for (body_mass, velocity) in bodies {
            let squared = (velocity - mean_velocity).norm_squared();
            weighted += body_mass * squared;
            plain += squared;
        }
        let (freedoms, several) = ((D * count.saturating_sub(1).max(1)) as f64, count > 1);
        let per_freedom = |sum: f64| if several { sum / freedoms } else { 0.0 };
        ThermalMotion {
            mean_velocity,
            temperature: per_freedom(weighted),
            granular_temperature: per_freedom(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_velocity_is_no_heat() {
        let own = [(1.0, [1.0, 0.5]), (2.0, [-0.5, 0.25]), (4.0, [0.0, -0.25])];
        let motions = [[0.0, 0.0], [5.0, 0.0], [-3.0, 1e3]].map(|common| {
            let shift = Vector::from(common);
            ThermalMotion::<2>::of(own.iter().map(|&(mass, v)| (mass, Vector::from(v) + shift)))
        });
        for motion in motions {
            assert!((motion.temperature / motions[0].temperature - 1.0).abs() < 1e-12);
            let granular = motion.granular_temperature / motions[0].granular_temperature;
            assert!((granular - 1.0).abs() < 1e-12);
        }
        assert!(motions[0].temperature > 0.0);
    }

    #[test]
    fn one_body_and_none_are_cold() {
        let one = ThermalMotion::<3>::of([(2.0, Vector::from([1.0, 2.0, 3.0]))].into_iter());
        assert_eq!((one.temperature, one.granular_temperature), (0.0, 0.0));
        assert_eq!(ThermalMotion::<3>::of([].into_iter()).mean_velocity, Vector::<3>::zeros());
    }
}
