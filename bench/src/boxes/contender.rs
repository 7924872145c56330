//! Who takes part: carom's kept sort with one list per axis and with buckets, and parry's tree.

use super::race::{Contender, Seen};
use crate::error::Error;
use crate::results::Kind;
use carom::detect::broad::{BucketDivision, IncrementalSweepAndPrune};
use carom::geometry::{Aabb, Boundary};
use parry3d_f64::bounding_volume::Aabb as ParryBox;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// The name of carom with one list per axis.
pub const ONE: &str = "carom-one";
/// The name of carom with buckets.
pub const BUCKETS: &str = "carom-buckets";
/// The name of parry's tree.
pub const PARRY: &str = "parry3d-f64";

/// carom.
pub struct Carom {
    boxes: IncrementalSweepAndPrune<3>,
    name: &'static str,
}

impl Carom {
    /// With the boxes at the start.
    pub fn new(division: BucketDivision, start: &[Aabb<3>]) -> Result<Self, Error> {
        let mut boxes = IncrementalSweepAndPrune::new(Boundary::open(), division);
        boxes.update(start)?;
        let name = if division == BucketDivision::One { ONE } else { BUCKETS };
        Ok(Carom { boxes, name })
    }
}

impl Contender for Carom {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Own
    }

    fn step(&mut self, boxes: &[Aabb<3>]) -> Result<(), Error> {
        Ok(self.boxes.update(boxes)?)
    }

    fn seen(&self) -> Seen {
        let mut seen = Seen::default();
        self.boxes.pairs().iter().for_each(|pair| seen.include(pair.first(), pair.second()));
        seen
    }

    fn exchanges(&self) -> Option<u64> {
        let work = self.boxes.work();
        (!work.rebuilt).then_some(work.exchanges)
    }

    fn memory(&self) -> Option<usize> {
        Some(self.boxes.memory())
    }
}

/// parry3d-f64: a tree of boxes that is refitted and improved a little in every step, and traversed
/// against itself.
pub struct Parry {
    tree: Bvh,
    workspace: BvhWorkspace,
    pairs: Vec<(u32, u32)>,
}

impl Parry {
    /// With the boxes at the start.
    pub fn new(start: &[Aabb<3>]) -> Self {
        let leaves: Vec<ParryBox> = start.iter().map(in_parry).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Parry { tree, workspace: BvhWorkspace::default(), pairs: Vec::new() }
    }
}

fn in_parry(bounds: &Aabb<3>) -> ParryBox {
    let corner = |point: &carom::geometry::Vector<3>| Vector::new(point.x, point.y, point.z);
    ParryBox::new(corner(&bounds.low), corner(&bounds.high))
}

impl Contender for Parry {
    fn name(&self) -> &'static str {
        PARRY
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn step(&mut self, boxes: &[Aabb<3>]) -> Result<(), Error> {
        for (body, bounds) in (0..).zip(boxes) {
            self.tree.insert_or_update_partially(in_parry(bounds), body, 0.0);
        }
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
        let pairs = &mut self.pairs;
        pairs.clear();
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
            pairs.push((a, b))
        });
        Ok(())
    }

    fn seen(&self) -> Seen {
        let mut seen = Seen::default();
        self.pairs.iter().for_each(|&(a, b)| seen.include(a, b));
        seen
    }

    fn exchanges(&self) -> Option<u64> {
        None
    }

    fn memory(&self) -> Option<usize> {
        None
    }
}
