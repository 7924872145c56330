use carom_geometry::{Vector, math};

/// Gravity, uniform in space, whose direction may rotate with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity {
    /// Acceleration at time zero, in length / time².
    pub acceleration: Vector<3>,
    /// Angular velocity of its direction, in radians per time.
    pub angular_velocity: Vector<3>,
}

impl Gravity {
    /// Returns no gravity.
    pub fn none() -> Self {
        Gravity::from(Vector::zeros())
    }

    /// Returns whether the acceleration changes with time.
    pub fn rotates(&self) -> bool {
        self.angular_velocity.cross(&self.acceleration) != Vector::<3>::zeros()
    }

    /// Returns the acceleration at a time.
    pub fn at(&self, time: f64) -> Vector<3> {
        match self.rotates() {
            true => {
                math::rotation_from_scaled_axis(&(self.angular_velocity * time)) * self.acceleration
            }
            false => self.acceleration,
        }
    }
}

impl From<Vector<3>> for Gravity {
    fn from(acceleration: Vector<3>) -> Self {
        Gravity { acceleration, angular_velocity: Vector::zeros() }
    }
}

impl From<[f64; 3]> for Gravity {
    fn from(acceleration: [f64; 3]) -> Self {
        Gravity::from(Vector::from(acceleration))
    }
}
