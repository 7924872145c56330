//! Gravity, and its direction through the stages of a run.

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
    /// Acceleration at the time `since`, in length / time².
    pub acceleration: Vector<D>,
    /// Angular velocity of its direction, in radians per time.
    pub angular_velocity: Vector<3>,
    /// Time from which on it turns.
    pub since: f64,
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
        let turned = self.angular_velocity * (time - self.since);
        match self.rotates() {
            true => math::rotation_from_scaled_axis(&turned) * acceleration,
            false => acceleration,
        }
    }

    /// Returns the gravity of the last of several stages, each with the time at which it begins: where a stage gives the
    /// acceleration of the one before, it continues from the direction that it has then.
    ///
    /// ```
    /// use carom_simulate::dem::Gravity;
    /// let down = Gravity::from([0.0, -1.0]);
    /// let rotating = Gravity { angular_velocity: [0.0, 0.0, 0.5].into(), ..down };
    /// // It begins to turn at time 2, and stands still from time 3 on.
    /// let stages = [(down, 0.0), (rotating, 2.0), (down, 3.0)];
    /// assert_eq!(Gravity::staged(&stages[..2]).at(2.0), down.at(0.0));
    /// assert_eq!(Gravity::staged(&stages).at(9.0), Gravity::staged(&stages[..2]).at(3.0));
    /// ```
    pub fn staged(stages: &[(Gravity<D>, f64)]) -> Self {
        let mut now = stages.first().map_or_else(Gravity::none, |stage| stage.0);
        for ((before, _), (next, start)) in stages.iter().zip(stages.iter().skip(1)) {
            now = match *next == *before {
                true => now,
                false if next.acceleration == before.acceleration => {
                    // The same acceleration in a later stage continues from the direction reached, or bodies would
                    // feel a jolt.
                    let direction = now.at(*start);
                    let acceleration = Vector::from_fn(|axis, _| direction[axis]);
                    Gravity { acceleration, since: *start, ..*next }
                }
                false => Gravity { since: *start, ..*next },
            };
        }
        now
    }
}

impl<const D: usize> From<Vector<D>> for Gravity<D> {
    fn from(acceleration: Vector<D>) -> Self {
        Gravity { acceleration, angular_velocity: Vector::zeros(), since: 0.0 }
    }
}

impl<const D: usize> From<[f64; D]> for Gravity<D> {
    fn from(acceleration: [f64; D]) -> Self {
        Gravity::from(Vector::from(acceleration))
    }
}
