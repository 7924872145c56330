//! Energy that contacts lose.

use std::ops::{Add, AddAssign};

/// Energy lost in contacts, in mass · length² / time²; of four contacts at once if `N` has four lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactLosses<N = f64> {
    /// Energy lost to damping along normals.
    pub damping_loss: N,
    /// Energy lost to friction, tangential damping and rolling.
    pub friction_loss: N,
}

impl<N: Add<Output = N>> Add for ContactLosses<N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        ContactLosses {
            damping_loss: self.damping_loss + other.damping_loss,
            friction_loss: self.friction_loss + other.friction_loss,
        }
    }
}

impl<N: Add<Output = N> + Copy> AddAssign for ContactLosses<N> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
