//! Constants of the lost file `globals.h`.

use super::error::Koti1989Error;

/// The constants of the original whose values are lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Koti1989Constants {
    /// `BOXNUM`: number of boxes along each axis.
    pub boxes: usize,
    /// `STD_DELTA_TIME`: the time step from which halving starts; if none, the time in which the two fastest objects
    /// can approach by half the limit, so that particles are still apart when a collision is found.
    pub first_step: Option<f64>,
    /// Distance below which two particles collide; if none, the largest spacing of any object.
    pub limit: Option<f64>,
    /// `RECVRY_FCTR`: time for which objects move on before the next search, in durations of the impact.
    pub recovery_factor: f64,
    /// Velocity of objects during that time.
    pub recovery: Recovery,
}

/// Velocity that objects continue with after an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// The mean velocity of their particles, as the text suggests.
    MeanVelocity,
    /// The velocity before the impact, as in the printed listing, which updates copies of the objects.
    AsListed,
}

impl Default for Koti1989Constants {
    fn default() -> Self {
        let recovery = Recovery::MeanVelocity;
        Koti1989Constants {
            boxes: 10,
            first_step: None,
            limit: None,
            recovery_factor: 1.0,
            recovery,
        }
    }
}

/// Largest number of boxes along an axis; more would fill the memory.
const MOST_BOXES: usize = 1000;

impl Koti1989Constants {
    pub(super) fn check(&self) -> Result<(), Koti1989Error> {
        if !(1..=MOST_BOXES).contains(&self.boxes) {
            let value = self.boxes.to_string();
            let (what, rule) = ("the number of boxes along an axis", "it must be 1 to 1000");
            return Err(Koti1989Error::Setting { what, value, rule });
        }
        let positive = |what, value: f64| {
            let rule = "it must be finite and greater than zero";
            let fine = value > 0.0 && value.is_finite();
            if fine {
                Ok(())
            } else {
                Err(Koti1989Error::Setting { what, value: value.to_string(), rule })
            }
        };
        positive("the first step", self.first_step.unwrap_or(1.0))?;
        positive("the limit of collisions", self.limit.unwrap_or(1.0))?;
        positive("the recovery factor", self.recovery_factor)
    }
}
