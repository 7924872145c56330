//! Two bodies as one number, which sorts as the pair does.

/// Indices of two different bodies, the smaller first.
///
/// Both are packed into one `u64`, so that comparing these numbers compares the pairs lexicographically.
///
/// ```
/// use carom_detect::BodyPair;
/// let pair = BodyPair::new(7, 2);
/// assert_eq!((pair.first(), pair.second()), (2, 7));
/// assert_eq!(pair, BodyPair::new(2, 7));
/// assert!(BodyPair::new(1, 9) < pair && pair < BodyPair::new(2, 8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BodyPair(u64);

impl BodyPair {
    /// Returns the pair of `a` and `b`, given in either order. They must differ.
    #[inline(always)]
    pub fn new(a: u32, b: u32) -> Self {
        debug_assert_ne!(a, b, "a pair is of two bodies");
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        BodyPair(u64::from(first) << 32 | u64::from(second))
    }

    /// Returns the pair of two indices of which the first is not larger.
    pub(crate) fn ordered(first: u32, second: u32) -> Self {
        BodyPair(u64::from(first) << 32 | u64::from(second))
    }

    /// Returns the smaller index.
    #[inline(always)]
    pub fn first(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Returns the larger index.
    #[inline(always)]
    pub fn second(self) -> u32 {
        self.0 as u32
    }
}

/// Two spheres that touch or overlap.
///
/// ```
/// use carom_detect::{BodyPair, BroadPhaseMethod, Contact, ContactSearch};
/// use carom_geometry::{Boundary, Sphere};
/// // The centers are 5 apart, the radii add up to 7.
/// let discs = [Sphere::new([0.0, 0.0], 3.0), Sphere::new([3.0, 4.0], 4.0)];
/// let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
/// let contacts = search.find(&discs, &Boundary::open())?;
/// assert_eq!(contacts, [Contact { pair: BodyPair::new(0, 1), overlap: 2.0 }]);
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Contact {
    /// Indices of the two spheres in the input.
    pub pair: BodyPair,
    /// Overlap `r_i + r_j - |x_i - x_j|`, the penetration depth as a length; never negative.
    pub overlap: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_forgets_the_order_it_was_made_in() {
        assert_eq!(BodyPair::new(7, 3), BodyPair::new(3, 7));
        assert_eq!((BodyPair::new(7, 3).first(), BodyPair::new(7, 3).second()), (3, 7));
        assert!(BodyPair::new(3, 7) < BodyPair::new(4, 5));
    }
}
