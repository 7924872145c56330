//! Integers of a few machine words, without allocation.

use std::cmp::Ordering;

/// An integer of `WORDS` words of 64 bits in two's complement, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FixedWidthInteger<const WORDS: usize>([u64; WORDS]);

impl FixedWidthInteger<1> {
    #[inline(always)]
    pub(super) fn from_i64(value: i64) -> Self {
        FixedWidthInteger([value as u64])
    }
}

impl FixedWidthInteger<2> {
    #[inline(always)]
    pub(super) fn from_i128(value: i128) -> Self {
        FixedWidthInteger([value as u64, (value >> 64) as u64])
    }
}

impl<const WORDS: usize> FixedWidthInteger<WORDS> {
    /// Returns the product, which always fits: its words are those of both factors together.
    #[inline(always)]
    pub(super) fn product<const A: usize, const B: usize>(
        a: &FixedWidthInteger<A>,
        b: &FixedWidthInteger<B>,
    ) -> Self {
        const { assert!(A + B == WORDS) };
        let mut words = [0; WORDS];
        for i in 0..A {
            let mut carry = 0;
            for j in 0..B {
                let sum = u128::from(a.0[i]) * u128::from(b.0[j])
                    + u128::from(words[i + j])
                    + u128::from(carry);
                (words[i + j], carry) = (sum as u64, (sum >> 64) as u64);
            }
            words[i + B] = carry;
        }
        // The loop took a negative factor for itself plus two to the power of its width; correct that.
        subtract(&mut words[A..], &b.0, a.mask());
        subtract(&mut words[B..], &a.0, b.mask());
        FixedWidthInteger(words)
    }

    /// Returns the sum, which must fit.
    #[inline(always)]
    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut words = [0; WORDS];
        let mut carry = false;
        for i in 0..WORDS {
            let (sum, first) = self.0[i].overflowing_add(other.0[i]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (words[i], carry) = (sum, first | second);
        }
        FixedWidthInteger(words)
    }

    /// Returns the difference, which must fit.
    #[inline(always)]
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut words = self.0;
        subtract(&mut words, &other.0, u64::MAX);
        FixedWidthInteger(words)
    }

    /// Returns the sign.
    #[inline(always)]
    pub(super) fn sign(&self) -> Ordering {
        match (self.mask() != 0, self.0.iter().any(|&word| word != 0)) {
            (true, _) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => Ordering::Equal,
        }
    }

    /// Returns all ones if negative, otherwise zero.
    #[inline(always)]
    fn mask(&self) -> u64 {
        ((self.0[WORDS - 1] as i64) >> 63) as u64
    }
}

/// Subtracts `other`, masked by `mask`, from `words`; without branches on signs.
#[inline(always)]
fn subtract(words: &mut [u64], other: &[u64], mask: u64) {
    let mut borrow = false;
    for (word, other) in words.iter_mut().zip(other) {
        let (difference, first) = word.overflowing_sub(other & mask);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        (*word, borrow) = (difference, first | second);
    }
}
