//! Random numbers of the attack: the same on every machine for the same seed.

use carom::geometry::random::SplitMix64;

/// Random choices of an attack.
#[derive(Clone, Debug)]
pub struct AttackRandom(SplitMix64);

impl AttackRandom {
    /// Creates the numbers of one case of one attack: any of the three changes all of them.
    pub fn of_case(seed: u64, attack: &str, case: u64) -> Self {
        // FNV-1a over the name, so that attacks draw different numbers.
        let name = attack.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let start = SplitMix64::new(seed ^ name).bits();
        AttackRandom(SplitMix64::new(start ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Returns an index below `count`, which must not be zero.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Returns an integer from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// Returns a number from `low` up to `high`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + self.0.uniform() * (high - low)
    }

    /// Returns a number between two positive ones whose logarithm is uniform, with three digits.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        let value = (self.uniform(low.ln(), high.ln())).exp();
        format!("{value:.2e}").parse().unwrap_or(value)
    }

    /// Returns true once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns one of a list that is not empty.
    pub fn choose<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_draws_the_same_numbers_again_and_others_draw_others() {
        let draw = |seed, name, case| AttackRandom::of_case(seed, name, case).bits();
        assert_eq!(draw(1, "csv", 7), draw(1, "csv", 7));
        let all = [draw(1, "csv", 7), draw(2, "csv", 7), draw(1, "xyz", 7), draw(1, "csv", 8)];
        for (index, number) in all.iter().enumerate() {
            assert!(!all[..index].contains(number), "{all:?}");
        }
    }

    #[test]
    fn numbers_keep_to_their_ranges() {
        let mut random = AttackRandom::of_case(1, "test", 0);
        for _ in 0..1000 {
            assert!((3..=5).contains(&random.between(3, 5)));
            assert!((1e-3..=1e3).contains(&random.magnitude(1e-3, 1e3)));
            assert!((-1.0..1.0).contains(&random.uniform(-1.0, 1.0)));
        }
    }
}
