//! What the lost file `globals.h` would say.

use crate::Error;

/// The constants of the original whose values are lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Koti1989Constants {
    /// `BOXNUM`: into how many boxes the scene is divided along each axis.
    pub boxes: usize,
    /// `STD_DELTA_TIME`: the step from which halving starts; if none, the time in which the two fastest objects can
    /// come nearer by half the limit, so that particles are still apart when they are found to collide.
    pub first_step: Option<f64>,
    /// The distance below which two particles collide; if none, the longest spacing of any object's grid.
    pub limit: Option<f64>,
    /// `RECVRY_FCTR`: for how many durations of the impact objects move on before the next search.
    pub recovery_factor: f64,
    /// With which velocity they do.
    pub recovery: Recovery,
}

/// How objects move on after an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// With the mean velocity of their particles: what the text lets expect.
    MeanVelocity,
    /// As before the impact: what the printed listing does, for it updates copies of the objects.
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

/// Boxes along an axis beyond which their lists would fill the memory.
const MOST_BOXES: usize = 1000;

impl Koti1989Constants {
    pub(super) fn check(&self) -> Result<(), Error> {
        if !(1..=MOST_BOXES).contains(&self.boxes) {
            let value = self.boxes.to_string();
            let (what, rule) = ("the number of boxes along an axis", "it must be 1 to 1000");
            return Err(Error::Setting { what, value, rule });
        }
        let positive = |what, value: f64| {
            let rule = "it must be finite and greater than zero";
            let fine = value > 0.0 && value.is_finite();
            if fine { Ok(()) } else { Err(Error::Setting { what, value: value.to_string(), rule }) }
        };
        positive("the first step", self.first_step.unwrap_or(1.0))?;
        positive("the limit of collisions", self.limit.unwrap_or(1.0))?;
        positive("the recovery factor", self.recovery_factor)
    }
}
