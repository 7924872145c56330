use carom_geometry::{Vector, embed_in_3d, math};

/// Gravity, uniform in space, whose direction may rotate with time.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_simulate::dem::Gravity;
/// assert_eq!(Gravity::from([0.0, 0.0, -9.81]).at(5.0), Vector::from([0.0, 0.0, -9.81]));
/// // Rotating about y: after half a turn it acts upwards.
/// let angular_velocity = [0.0, std::f64::consts::PI, 0.0].into();
/// let rotating = Gravity { angular_velocity, ..Gravity::from([0.0, 0.0, -9.81]) };
/// assert!((rotating.at(1.0).z - 9.81).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity<const D: usize = 3> {
    /// Acceleration at time zero, in length / time².
    pub acceleration: Vector<D>,
    /// Angular velocity of its direction, in radians per time.
    pub angular_velocity: Vector<3>,
}

impl<const D: usize> Gravity<D> {
    /// Returns no gravity.
    pub fn none() -> Self {
        Gravity::from(Vector::zeros())
    }

    /// Returns whether the acceleration changes with time.
    pub(crate) fn rotates(&self) -> bool {
        self.angular_velocity.cross(&embed_in_3d(&self.acceleration)) != Vector::<3>::zeros()
    }

    /// Returns the acceleration at a time, in 2D with a third component of zero.
    pub fn at(&self, time: f64) -> Vector<3> {
        let acceleration = embed_in_3d(&self.acceleration);
        match self.rotates() {
            true => math::rotation_from_scaled_axis(&(self.angular_velocity * time)) * acceleration,
            false => acceleration,
        }
    }
}

impl<const D: usize> From<Vector<D>> for Gravity<D> {
    fn from(acceleration: Vector<D>) -> Self {
        Gravity { acceleration, angular_velocity: Vector::zeros() }
    }
}

impl<const D: usize> From<[f64; D]> for Gravity<D> {
    fn from(acceleration: [f64; D]) -> Self {
        Gravity::from(Vector::from(acceleration))
    }
}
