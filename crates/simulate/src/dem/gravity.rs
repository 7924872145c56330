use carom_geometry::{Vector, math};

/// The same acceleration everywhere, which may turn with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity {
    /// At the start.
    pub acceleration: Vector<3>,
    /// How fast its direction turns, in radians per time about each axis.
    pub angular_velocity: Vector<3>,
}

impl Gravity {
    /// None at all.
    pub fn none() -> Self {
        Gravity::from(Vector::zeros())
    }

    /// Whether it is not the same at all times.
    pub fn rotates(&self) -> bool {
        self.angular_velocity.cross(&self.acceleration) != Vector::<3>::zeros()
    }

    /// The acceleration at a time.
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
