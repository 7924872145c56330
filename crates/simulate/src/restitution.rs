//! The coefficient of restitution, constant or falling with the approach speed.

use crate::Error;
use carom_geometry::math;

/// Coefficient of restitution, separation speed over approach speed, from 0 to 1.
///
/// Two bodies of different materials collide with the smaller of their coefficients at the approach speed: the
/// more dissipative of them decides the loss.
///
/// ```
/// use carom_simulate::Restitution;
/// let law = Restitution::Speed { at_rest: 1.0, at_speed: 0.8, speed: 2.0, exponent: 0.2 };
/// assert_eq!((law.at(0.0), law.at(2.0)), (1.0, 0.8));
/// assert!(law.at(10.0) < 0.8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(remote = "Self", rename_all = "snake_case"))]
pub enum Restitution {
    /// The same at every speed.
    Constant(f64),
    /// Falls with the approach speed `v`, as for viscoelastic spheres (there the exponent is 1/5):
    /// `at_rest - (at_rest - at_speed) (v / speed)^exponent`, clamped to 0 and 1.
    Speed {
        /// Coefficient in the limit of zero speed.
        at_rest: f64,
        /// Coefficient at `speed`.
        at_speed: f64,
        /// Approach speed at which `at_speed` was measured.
        speed: f64,
        /// Exponent of the approach speed.
        exponent: f64,
    },
}

impl Restitution {
    /// Returns the coefficient at an approach speed.
    pub fn at(self, approach: f64) -> f64 {
        match self {
            Restitution::Constant(value) => value,
            Restitution::Speed { at_rest, at_speed, speed, exponent } => {
                let lost = (at_rest - at_speed) * math::powf(approach / speed, exponent);
                (at_rest - lost).clamp(0.0, 1.0)
            }
        }
    }

    /// Refuses coefficients that are not from 0 to 1, and a speed or an exponent that is not positive.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let refused =
            |what, value: f64, rule| Err(Error::Setting { what, value: value.to_string(), rule });
        let is_positive = |value: f64| value.is_finite() && value > 0.0;
        let (coefficients, positive) = match *self {
            Restitution::Constant(value) => ([value; 2], [1.0; 2]),
            Restitution::Speed { at_rest, at_speed, speed, exponent } => {
                ([at_rest, at_speed], [speed, exponent])
            }
        };
        if let Some(&value) = coefficients.iter().find(|it| !(0.0..=1.0).contains(*it)) {
            return refused("restitution", value, "it must be from 0 to 1");
        }
        let names = ["restitution speed", "restitution exponent"];
        match names.into_iter().zip(positive).find(|(_, value)| !is_positive(*value)) {
            Some((what, value)) => refused(what, value, "it must be finite and greater than zero"),
            None => Ok(()),
        }
    }

    /// Whether no collision ever loses energy.
    ///
    /// ```
    /// use carom_simulate::Restitution;
    /// assert!(Restitution::Constant(1.0).is_elastic());
    /// assert!(!Restitution::Constant(0.9).is_elastic());
    /// ```
    pub fn is_elastic(self) -> bool {
        match self {
            Restitution::Constant(value) => value == 1.0,
            Restitution::Speed { at_rest, at_speed, .. } => at_rest == 1.0 && at_speed == 1.0,
        }
    }
}
