//! Random numbers that are the same on every machine.
//!
//! For one stream take [`SplitMix64::new`]; where each body or purpose must draw its own numbers, whatever the others
//! draw, [`SplitMix64::keyed`].

use crate::math;

/// The random number generator SplitMix64 of Steele, Lea and Flood (2014): small, fast, the same everywhere.
///
/// ```
/// use carom_geometry::random::SplitMix64;
/// let mut random = SplitMix64::new(12345);
/// let first = random.uniform();
/// assert!((0.0..1.0).contains(&first));
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Creates a generator with the seed as its state.
    pub fn new(seed: u64) -> Self {
        SplitMix64 { state: seed }
    }

    /// Creates an independent stream for every key, such as a body and a purpose, under one seed.
    ///
    /// ```
    /// use carom_geometry::random::SplitMix64;
    /// let first = |keys: &[u64]| SplitMix64::keyed(1, keys).bits();
    /// assert_eq!(first(&[3, 0]), first(&[3, 0]));
    /// assert_ne!(first(&[3, 0]), first(&[0, 3]));
    /// ```
    pub fn keyed(seed: u64, keys: &[u64]) -> Self {
        keys.iter().fold(SplitMix64::new(seed), |mut random, key| {
            let mixed = random.bits();
            SplitMix64::new(mixed ^ SplitMix64::new(*key).bits().rotate_left(32))
        })
    }

    /// Returns the next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number uniformly distributed in `[0, 1)`, a multiple of `2^-53`.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a normally distributed number of mean 0 and variance 1: the cosine branch of Box-Muller from two
    /// uniforms.
    pub fn normal(&mut self) -> f64 {
        // Zero has no logarithm.
        let radius = (-2.0 * math::ln(self.uniform().max(1e-300))).sqrt();
        radius * math::cos(std::f64::consts::TAU * self.uniform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_outputs_are_those_of_the_reference_code() {
        let mut random = SplitMix64::new(1234567);
        let outputs: Vec<u64> = (0..5).map(|_| random.bits()).collect();
        let reference = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        assert_eq!(outputs, reference);
    }
}
