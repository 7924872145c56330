//! Which of many numbers were seen: a small table that stays near the processor.

/// Numbers in the order in which they were first seen.
///
/// A table as large as what was seen, not as what could be: so looking something up does not go to
/// far memory. Beginning anew costs nothing.
#[derive(Clone, Debug, Default)]
pub struct SeenNumbers {
    slots: Vec<Slot>,
    round: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    number: u32,
    place: u32,
    round: u32,
}

const FEWEST_SLOTS: usize = 256;

impl SeenNumbers {
    /// Forgets all.
    pub fn begin(&mut self) {
        if self.slots.is_empty() || self.round == u32::MAX {
            self.slots.clear();
            self.slots.resize(FEWEST_SLOTS, Slot::default());
            self.round = 0;
        }
        self.round += 1;
        self.count = 0;
    }

    /// The place of a number among those seen, and whether it was not seen before.
    #[inline]
    pub fn see(&mut self, number: u32) -> (usize, bool) {
        let mask = self.slots.len() - 1;
        let mut at = Self::home(number) & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.round != self.round {
                let place = self.count;
                *slot = Slot { number, place, round: self.round };
                self.count += 1;
                if 2 * self.count as usize > self.slots.len() {
                    self.grow();
                }
                return (place as usize, true);
            }
            if slot.number == number {
                return (slot.place as usize, false);
            }
            at = (at + 1) & mask;
        }
    }

    /// Leaves out a place.
    pub fn skip(&mut self) {
        self.count += 1;
    }

    fn home(number: u32) -> usize {
        (number.wrapping_mul(0x9e37_79b9) >> 12) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Slot::default(); 4 * self.slots.len()];
        let slots = std::mem::replace(&mut self.slots, larger);
        let mask = self.slots.len() - 1;
        for slot in slots.into_iter().filter(|slot| slot.round == self.round) {
            let mut at = Self::home(slot.number) & mask;
            while self.slots[at].round == self.round {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use super::SeenNumbers;

    #[test]
    fn numbers_keep_the_place_they_were_first_seen_at() {
        let mut seen = SeenNumbers::default();
        for round in 0..3 {
            seen.begin();
            for place in 0..5000 {
                let number = (place as u32).wrapping_mul(0x9e37_79b1) + round;
                assert_eq!(seen.see(number), (place, true));
                assert_eq!(seen.see(number), (place, false));
            }
            assert_eq!(seen.see(round), (0, false));
        }
    }
}
