//! The faces of the box, as partners of collisions.

/// A face of the box: the low or the high end of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionFace {
    pub axis: usize,
    pub high: bool,
}

impl RegionFace {
    /// Returns its number among the faces of all axes, the lower one of each first.
    pub fn number(self) -> usize {
        2 * self.axis + usize::from(self.high)
    }
}
