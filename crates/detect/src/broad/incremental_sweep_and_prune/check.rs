//! Verification of the sorted lists and the table of pairs.

use super::IncrementalSweepAndPrune;
use super::bucket::{self, SweepBoxes};
use super::bucket_grid;
use crate::BodyPair;

impl<const D: usize> IncrementalSweepAndPrune<D> {
    /// Verifies that buckets, lists and table, as the last sweep left them, are those of the boxes.
    pub fn check(&self) -> Result<(), String> {
        let Some(grid) = &self.grid else {
            return if self.boxes.is_empty() { Ok(()) } else { Err("never swept".into()) };
        };
        let mut expected: Vec<Vec<u32>> = vec![Vec::new(); grid.bucket_count()];
        for (body, bounds) in
            (0..).zip(&self.boxes).filter(|(_, bounds)| bucket_grid::is_present(bounds))
        {
            for place in grid.placements(&grid.span(bounds)) {
                let member = bucket::member::<D>(body, place.image_axes);
                expected[grid.bucket_index(&place) as usize].push(member);
            }
        }
        let world = SweepBoxes { boxes: &self.boxes, boundary: &self.boundary };
        for (index, (bucket, expected)) in self.buckets.iter().zip(&expected).enumerate() {
            let mut members = bucket.members().to_vec();
            members.sort_unstable();
            if members != *expected {
                return Err(format!("bucket {index} does not have the members it should have"));
            }
            bucket.check(world).map_err(|fault| format!("bucket {index}: {fault}"))?;
        }
        match self.overlap_pairs.pairs() == all_overlapping(world) {
            true => Ok(()),
            false => Err("the table is not that of the boxes".into()),
        }
    }
}

/// Returns every overlapping pair, ascending, from the boxes alone.
fn all_overlapping<const D: usize>(world: SweepBoxes<'_, D>) -> Vec<BodyPair> {
    let mut order: Vec<u32> = (0..world.boxes.len() as u32).collect();
    order.retain(|&body| bucket_grid::is_present(&world.boxes[body as usize]));
    let mut pairs = Vec::new();
    let low = |body: u32| world.boxes[body as usize].low[0];
    order.sort_unstable_by(|&a, &b| low(a).total_cmp(&low(b)));
    for (place, &a) in order.iter().enumerate() {
        let high = world.boxes[a as usize].high[0];
        // The part of the box beyond a periodic side starts again at the other side.
        let beyond = world.boundary.period(0).map_or(f64::NEG_INFINITY, |period| high - period);
        let around = order[..place].iter().take_while(|&&b| low(b) <= beyond);
        let behind = order[place + 1..].iter().take_while(|&&b| low(b) <= high);
        let met = around.chain(behind).filter(|&&b| world.boxes_overlap(a, b));
        pairs.extend(met.map(|&b| BodyPair::new(a, b)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
