//! Kinetic cell list: a body is a neighbor of all bodies in its own and the adjacent cells.
//!
//! The regular spatial subdivision and the regular spatial tree of Gavrilova and Rokne, sections 3.2
//! and 3.3. They differ in where the first body of a cell is stored: in an array of all cells, or in a
//! balanced tree of the occupied ones. The topological event is a body's crossing into an adjacent cell;
//! only the layer of cells that thereby becomes adjacent holds new neighbors. Cheapest for dilute bodies
//! of similar size.

use super::{
    AffectedBodies, HardSpheres, KineticNeighborStructure, MARGIN, PrefetchStage, UpcomingEvent,
};
use crate::BoundaryCondition;
use crate::event_driven::gap_closing_time::gap_closing_time;
use crate::event_driven::huge_pages::advise_huge_pages;
use crate::event_driven::prefetch::prefetch;
use crate::event_driven::schedule::MAX_BODIES;

/// Storage for the first body of each cell.
pub trait CellStore: Default + Send + Sync {
    /// Whether looking up a cell is so cheap that prefetching it pays.
    const DIRECT: bool;
    /// Makes `cells` empty cells.
    fn clear(&mut self, cells: usize);
    /// Returns the first body of a cell, flagged by `HAS_FOLLOWERS` if there are more; `NONE` if it is empty.
    fn first(&self, cell: u32) -> u32;
    fn set_first(&mut self, cell: u32, body: u32);
    /// Prefetches a cell, if lookups are direct.
    fn prefetch(&self, _cell: u32) {}
    /// Returns the largest number of cells to make for a number of bodies.
    fn max_cells(bodies: usize) -> usize;
    fn advise_huge_pages(&self) {}
    fn check(&self) -> Result<(), String>;
    fn memory(&self) -> usize;
}

/// No body.
pub const NONE: u32 = MAX_BODIES as u32;
/// Flag on the first body of a cell that holds more, so that for a single body nothing more is read.
const HAS_FOLLOWERS: u32 = 1 << 31;

/// A kinetic cell list; see the module.
#[derive(Debug)]
pub struct KineticCells<const D: usize, S> {
    /// Minimum width of cells, even if all bodies are small.
    min_cell_width: f64,
    cell_width: [f64; D],
    columns: [CellColumns; D],
    store: S,
    memberships: Vec<CellMembership<D>>,
    valid_until: f64,
}

/// The columns of cells along one axis.
#[derive(Debug, Default)]
struct CellColumns {
    count: i32,
    /// First and last column where bodies can be. On open axes they continue far beyond those that are
    /// stored: columns `count` apart share their cells.
    first: i32,
    last: i32,
    /// Whether the axis is open.
    is_open: bool,
    /// Contribution of each column to the index of a cell, from two columns before the first to two after the
    /// last: wrapped on a periodic axis, into a column that stays empty beyond a wall. So neighbor
    /// lookups need neither a modulo nor a branch.
    cell_offsets: Vec<u32>,
}

/// Last column of open axes; all that is farther out is in it. Positions there are coarser than bodies.
const FARTHEST_COLUMN: i32 = 1 << 30;
/// Extent of a block of cells (one cache line) along each axis, by dimension: the neighborhood of a cell
/// is then in half as many cache lines as it would be in rows.
const BLOCK_SHAPE: [[u32; 3]; 4] = [[1; 3], [16, 1, 1], [4, 4, 1], [4, 2, 2]];

impl CellColumns {
    /// Makes the columns of an axis; `inner` and `outer` are the strides of cells within a block and of blocks.
    fn new(side: BoundaryCondition, count: i32, block: u32, inner: u32, outer: u32) -> Self {
        let share = |column: i32| {
            let kept = match side {
                BoundaryCondition::Wall { .. } if !(0..count).contains(&column) => count,
                _ => column.rem_euclid(count),
            } as u32;
            kept / block * outer + kept % block * inner
        };
        let is_open = side == BoundaryCondition::Open;
        CellColumns {
            count,
            first: if is_open { -FARTHEST_COLUMN } else { 0 },
            last: if is_open { FARTHEST_COLUMN } else { count - 1 },
            is_open,
            cell_offsets: (-2..count + 2).map(share).collect(),
        }
    }

    /// Returns the number of stored columns, a multiple of the block length.
    fn padded_count(side: BoundaryCondition, count: f64, block: u32) -> f64 {
        let empty = if matches!(side, BoundaryCondition::Wall { .. }) { 1.0 } else { 0.0 };
        ((count + empty) / f64::from(block)).ceil() * f64::from(block)
    }

    /// Returns the index offset of the column `away` columns from another, at most two.
    #[inline]
    fn cell_offset(&self, column: i32, away: i32) -> u32 {
        let kept = if self.is_open { column.rem_euclid(self.count) } else { column };
        self.cell_offsets[(kept + 2 + away) as usize]
    }

    /// Returns the index offsets of a column and of those beside it.
    #[inline]
    fn adjacent_offsets(&self, column: i32) -> [u32; 3] {
        let kept = if self.is_open { column.rem_euclid(self.count) } else { column };
        let three = self.cell_offsets[(kept + 1) as usize..].first_chunk();
        *three.expect("offsets reach two columns beyond both ends")
    }
}

/// The cell of a body.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct CellMembership<const D: usize> {
    columns: [i32; D],
    cell: u32,
    /// The next body in the same cell.
    next_in_cell: u32,
    /// The cell border it crosses next: twice the axis, plus one if upwards.
    crossing: u8,
}

impl<const D: usize> CellMembership<D> {
    /// Returns the axis along which the body crosses a border next, and the direction, -1 or 1.
    #[inline]
    fn next_crossing(&self) -> (usize, i32) {
        (usize::from(self.crossing / 2), i32::from(self.crossing % 2) * 2 - 1)
    }
}

/// Factor by which radii may grow before the cells must be rebuilt.
const HEADROOM: f64 = 1.05;
/// Minimum number of cells along a periodic axis; with fewer a body would visit the same cell twice.
const MIN_CELLS_PER_PERIOD: f64 = 5.0;

impl<const D: usize, S: CellStore> KineticCells<D, S> {
    /// Makes a cell list with cells as wide as the widest body, or `min_cell_width` if that is wider.
    pub fn new(min_cell_width: f64) -> Self {
        KineticCells {
            min_cell_width,
            cell_width: [0.0; D],
            columns: std::array::from_fn(|_| CellColumns::default()),
            store: S::default(),
            memberships: Vec::new(),
            valid_until: f64::INFINITY,
        }
    }

    /// Returns whether a period is long enough for bodies of a diameter.
    pub fn fits(period: f64, widest: f64) -> bool {
        period >= MIN_CELLS_PER_PERIOD * widest * HEADROOM * (1.0 + MARGIN)
    }

    /// Lays out the cells, all empty.
    fn make_cells(&mut self, bodies: &HardSpheres<D>, now: f64) {
        let count = bodies.count() as u32;
        let growing = bodies.growth.rate > 0.0;
        let headroom = if growing { HEADROOM } else { 1.0 };
        let widest = 2.0 * (0..count).map(|body| bodies.radius_at(body, now)).fold(0.0, f64::max);
        let needed = widest * headroom * (1.0 + MARGIN);
        let sides = &bodies.region.boundary_conditions;
        let kept = |counts: &[f64; D]| {
            let along = |axis: usize| {
                CellColumns::padded_count(sides[axis], counts[axis], BLOCK_SHAPE[D][axis])
            };
            (0..D).map(along).product::<f64>()
        };
        let mut narrowest = self.min_cell_width.max(needed);
        let mut counts = self.lay_out(bodies, needed, narrowest);
        // Ends at the latest with the minimum number of cells on every axis, which is always allowed.
        while kept(&counts) > S::max_cells(bodies.count()) as f64 {
            narrowest *= 1.1;
            counts = self.lay_out(bodies, needed, narrowest);
        }
        let (mut inner, mut outer) = (1, BLOCK_SHAPE[D].iter().product());
        for axis in 0..D {
            let (side, block) = (sides[axis], BLOCK_SHAPE[D][axis]);
            self.columns[axis] = CellColumns::new(side, counts[axis] as i32, block, inner, outer);
            inner *= block;
            outer *= CellColumns::padded_count(side, counts[axis], block) as u32 / block;
        }
        self.store.clear(outer as usize);
        self.valid_until = if growing {
            // A hundredth early, so that rounding never lets a body outgrow its cell.
            now + 0.99 * (headroom - 1.0) * bodies.growth.at(now) / bodies.growth.rate
        } else {
            f64::INFINITY
        };
    }

    /// Chooses cells at least as wide as `needed`, and as `narrowest` where enough of them fit into the box;
    /// returns their number along each axis.
    fn lay_out(&mut self, bodies: &HardSpheres<D>, needed: f64, narrowest: f64) -> [f64; D] {
        std::array::from_fn(|axis| {
            let size = bodies.region.size[axis];
            let wanted = needed.max(narrowest.min(size / MIN_CELLS_PER_PERIOD));
            // At most a million, so that column numbers stay far from the ends of `i32`.
            let fitting = (size / wanted).floor().clamp(1.0, 1e6);
            let open = bodies.region.boundary_conditions[axis] == BoundaryCondition::Open;
            self.cell_width[axis] = if open { wanted } else { size / fitting };
            if open { fitting.max(MIN_CELLS_PER_PERIOD) } else { fitting }
        })
    }

    fn column_of(&self, axis: usize, x: f64) -> i32 {
        let CellColumns { first, last, .. } = self.columns[axis];
        // A body on the high face, or beyond it by rounding, belongs to the last column.
        ((x / self.cell_width[axis]).floor() as i32).clamp(first, last)
    }

    fn cell_of(&self, columns: &[i32; D]) -> u32 {
        (0..D).map(|axis| self.columns[axis].cell_offset(columns[axis], 0)).sum()
    }

    fn link(&mut self, body: u32) {
        let cell = self.cell_of(&self.memberships[body as usize].columns);
        let first = self.store.first(cell);
        let place = &mut self.memberships[body as usize];
        (place.cell, place.next_in_cell) = (cell, first & !HAS_FOLLOWERS);
        self.store.set_first(cell, self.with_follower_flag(body));
    }

    fn unlink(&mut self, body: u32) {
        let CellMembership { cell, next_in_cell: after, .. } = self.memberships[body as usize];
        let first = self.store.first(cell) & !HAS_FOLLOWERS;
        if first == body {
            self.store.set_first(cell, self.with_follower_flag(after));
            return;
        }
        // Singly linked: cells hold so few bodies that walking to the one before is cheaper than links backwards.
        let mut current = first;
        while self.memberships[current as usize].next_in_cell != body {
            current = self.memberships[current as usize].next_in_cell;
        }
        self.memberships[current as usize].next_in_cell = after;
        self.store.set_first(cell, self.with_follower_flag(first));
    }

    /// Returns a body as it is stored for its cell, flagged if others follow it.
    fn with_follower_flag(&self, body: u32) -> u32 {
        let followed = body != NONE && self.memberships[body as usize].next_in_cell != NONE;
        if followed { body | HAS_FOLLOWERS } else { body }
    }

    /// Returns the index offsets of the columns around a body on all axes but one; zeros for the second in 2D.
    #[inline]
    fn transverse_offsets(&self, columns: &[i32; D], axis: usize) -> [[u32; 3]; 2] {
        let other = |k: usize| (axis + k) % D;
        let three = |axis: usize| self.columns[axis].adjacent_offsets(columns[axis]);
        if D == 2 { [three(other(1)), [0; 3]] } else { [three(other(1)), three(other(2))] }
    }

    /// Visits the cells of a layer: three by three, or three in 2D.
    #[inline(always)]
    fn visit_layer(layer: u32, across: &[[u32; 3]; 2], mut visit: impl FnMut(u32)) {
        for &second in &across[1][..if D == 2 { 1 } else { 3 }] {
            for first in across[0] {
                visit(layer + first + second);
            }
        }
    }

    /// Visits the corner cells of a layer, which together hit every cache line of it.
    #[inline(always)]
    fn visit_cache_lines(layer: u32, across: &[[u32; 3]; 2], mut visit: impl FnMut(u32)) {
        for second in (0..if D == 2 { 1 } else { 3 }).step_by(2) {
            for first in [0, 2] {
                visit(layer + across[0][first] + across[1][second]);
            }
        }
    }

    /// Appends the bodies in a layer of cells, except `body`.
    ///
    /// Whether a cell is empty is unpredictable for the branch predictor, so first bodies are gathered without
    /// a branch: each is written, and the count advances only if it is a body.
    #[inline]
    fn gather(&self, body: u32, layer: u32, across: &[[u32; 3]; 2], found: &mut Vec<u32>) {
        let gathered = found.len();
        found.resize(gathered + LARGEST_LAYER, NONE);
        let room = &mut found[gathered..];
        let (mut count, mut marks) = (0, 0);
        Self::visit_layer(layer, across, |cell| {
            let marked = self.store.first(cell);
            let first = marked & !HAS_FOLLOWERS;
            room[count] = first;
            count += usize::from((marked != NONE) & (first != body));
            marks |= marked;
        });
        found.truncate(gathered + count);
        if marks & HAS_FOLLOWERS != 0 {
            self.gather_followers(body, layer, across, found);
        }
    }

    /// Appends the bodies in a layer of cells that are not the first of their cell, except `body`.
    fn gather_followers(
        &self,
        body: u32,
        layer: u32,
        across: &[[u32; 3]; 2],
        found: &mut Vec<u32>,
    ) {
        Self::visit_layer(layer, across, |cell| {
            let marked = self.store.first(cell);
            if marked & HAS_FOLLOWERS == 0 {
                return;
            }
            let mut other = self.memberships[(marked & !HAS_FOLLOWERS) as usize].next_in_cell;
            while other != NONE {
                if other != body {
                    found.push(other);
                }
                other = self.memberships[other as usize].next_in_cell;
            }
        });
    }

    /// Returns when a body on a straight path crosses a cell border next, and which.
    ///
    /// Axis and direction are unpredictable for the branch predictor, so nothing branches on them.
    #[inline]
    fn next_uniform_crossing(&self, body: u32, bodies: &HardSpheres<D>) -> (f64, u8) {
        let record = &bodies.records[body as usize];
        let columns = &self.memberships[body as usize].columns;
        let up: [bool; D] = std::array::from_fn(|axis| record.velocity[axis] > 0.0);
        let waits: [f64; D] = std::array::from_fn(|axis| {
            let CellColumns { first, last, .. } = self.columns[axis];
            let end = if up[axis] { last } else { first };
            let border = f64::from(columns[axis] + i32::from(up[axis])) * self.cell_width[axis];
            let wait = (border - record.position[axis]) / record.velocity[axis];
            // At rest on this axis the quotient is infinite of either sign, or not a number.
            let crosses = (record.velocity[axis] != 0.0) & (columns[axis] != end);
            if crosses { wait } else { f64::INFINITY }
        });
        let soonest = waits.iter().copied().fold(f64::INFINITY, f64::min);
        let (mut axis, mut later) = (0, 1);
        for wait in &waits[..D - 1] {
            later &= usize::from(*wait != soonest);
            axis += later;
        }
        (record.clock + soonest, (2 * axis + usize::from(up[axis])) as u8)
    }
}

/// Largest number of cells in a layer.
const LARGEST_LAYER: usize = 9;

impl<const D: usize, S: CellStore> KineticNeighborStructure<D> for KineticCells<D, S> {
    fn start(&mut self, bodies: &HardSpheres<D>, now: f64) {
        self.make_cells(bodies, now);
        let count = bodies.count();
        self.memberships.clear();
        for body in 0..count as u32 {
            let position = bodies.position_at(body, now);
            let columns = std::array::from_fn(|axis| self.column_of(axis, position[axis]));
            self.memberships.push(CellMembership {
                columns,
                cell: 0,
                next_in_cell: NONE,
                crossing: 0,
            });
        }
        // Backwards, so that the linked lists run forwards in memory.
        for body in (0..count as u32).rev() {
            self.link(body);
        }
    }

    fn next_change(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64 {
        if bodies.uniform_motion {
            let (time, crossing) = self.next_uniform_crossing(body, bodies);
            self.memberships[body as usize].crossing = crossing;
            // Rounding may put a crossing before the present.
            return time.max(now);
        }
        let position = bodies.position_at(body, now);
        let velocity = bodies.velocity_at(body, now);
        let acceleration = bodies.acceleration(body);
        let columns = &self.memberships[body as usize].columns;
        let (mut soonest, mut crossing) = (f64::INFINITY, 0);
        for axis in 0..D {
            let CellColumns { first, last, .. } = self.columns[axis];
            for up in [false, true] {
                let outwards = if up { 1.0 } else { -1.0 };
                let (speed, push) = (-outwards * velocity[axis], -outwards * acceleration[axis]);
                let end = if up { last } else { first };
                if (speed >= 0.0 && push >= 0.0) || columns[axis] == end {
                    continue;
                }
                let border = f64::from(columns[axis] + i32::from(up)) * self.cell_width[axis];
                let wait = gap_closing_time(outwards * (border - position[axis]), speed, push);
                if wait < soonest {
                    (soonest, crossing) = (wait, (2 * axis + usize::from(up)) as u8);
                }
            }
        }
        self.memberships[body as usize].crossing = crossing;
        now + soonest
    }

    fn apply_change(
        &mut self,
        body: u32,
        _bodies: &HardSpheres<D>,
        _now: f64,
        fresh: &mut Vec<u32>,
        _touched: &mut AffectedBodies,
    ) {
        self.unlink(body);
        let (axis, step) = self.memberships[body as usize].next_crossing();
        self.memberships[body as usize].columns[axis] += step;
        self.link(body);
        let columns = &self.memberships[body as usize].columns;
        // Only the layer ahead of the new cell is new; the others were adjacent to the old one.
        let layer = self.columns[axis].cell_offset(columns[axis], step);
        self.gather(body, layer, &self.transverse_offsets(columns, axis), fresh);
    }

    fn update_deflected(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        _now: f64,
        _touched: &mut AffectedBodies,
    ) {
        let position = bodies.records[body as usize].position;
        let mut columns = self.memberships[body as usize].columns;
        for axis in 0..D {
            if bodies.region.boundary_conditions[axis] != BoundaryCondition::Periodic {
                continue;
            }
            // The event loop has wrapped the position at a periodic face.
            let (last, middle) = (self.columns[axis].last, 0.5 * bodies.region.size[axis]);
            if columns[axis] == 0 && position[axis] > middle {
                columns[axis] = last;
            } else if columns[axis] == last && position[axis] < middle {
                columns[axis] = 0;
            }
        }
        if columns != self.memberships[body as usize].columns {
            self.unlink(body);
            self.memberships[body as usize].columns = columns;
            self.link(body);
        }
    }

    #[inline]
    fn neighbors<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32] {
        found.clear();
        let columns = &self.memberships[body as usize].columns;
        let across = self.transverse_offsets(columns, 0);
        for layer in self.columns[0].adjacent_offsets(columns[0]) {
            self.gather(body, layer, &across, found);
        }
        found
    }

    #[inline]
    fn prefetch(
        &self,
        body: u32,
        bodies: &HardSpheres<D>,
        stage: PrefetchStage,
        coming: UpcomingEvent,
    ) {
        if stage == PrefetchStage::Body {
            return prefetch(&self.memberships, body as usize);
        }
        if !S::DIRECT {
            return;
        }
        let place = &self.memberships[body as usize];
        let (axis, step) = match coming {
            UpcomingEvent::NeighborChange => place.next_crossing(),
            UpcomingEvent::Prediction => (0, 0),
        };
        let across = self.transverse_offsets(&place.columns, axis);
        let last = self.memberships.len() - 1;
        let fetch_layer = |layer: u32| match stage {
            PrefetchStage::List => {
                Self::visit_cache_lines(layer, &across, |cell| self.store.prefetch(cell))
            }
            // For an empty cell the last record is prefetched, which is in a cache anyway: no branch on
            // whether a cell is empty, a tenth to a fifth faster at a hundred thousand bodies.
            _ => Self::visit_layer(layer, &across, |cell| {
                prefetch(
                    &bodies.records,
                    ((self.store.first(cell) & !HAS_FOLLOWERS) as usize).min(last),
                );
            }),
        };
        match coming {
            // The layer that becomes adjacent by the crossing is two columns from here.
            UpcomingEvent::NeighborChange => {
                fetch_layer(self.columns[axis].cell_offset(place.columns[axis], 2 * step));
            }
            UpcomingEvent::Prediction => {
                self.columns[0]
                    .adjacent_offsets(place.columns[0])
                    .into_iter()
                    .for_each(fetch_layer);
            }
        }
    }

    fn advise_huge_pages(&self) {
        advise_huge_pages(&self.memberships);
        self.store.advise_huge_pages();
    }

    /// True in inner columns: a body crosses a cell border before it reaches a face.
    #[inline]
    fn is_interior(&self, body: u32, _bodies: &HardSpheres<D>, _now: f64) -> bool {
        let place = &self.memberships[body as usize];
        (0..D).fold(true, |clear, axis| {
            let CellColumns { first, last, .. } = self.columns[axis];
            clear & (place.columns[axis] > first) & (place.columns[axis] < last)
        })
    }

    fn valid_until(&self) -> f64 {
        self.valid_until
    }

    fn check(&self, bodies: &HardSpheres<D>, now: f64) -> Result<(), String> {
        let mut listed = 0;
        for body in 0..bodies.count() as u32 {
            let position = bodies.position_at(body, now);
            for axis in 0..D {
                let column = f64::from(self.memberships[body as usize].columns[axis]);
                let inside = position[axis] / self.cell_width[axis] - column;
                if !(-MARGIN..=1.0 + MARGIN).contains(&inside) {
                    return Err(format!("body {body} is not in its cell on axis {axis}"));
                }
            }
            let place = &self.memberships[body as usize];
            if place.cell != self.cell_of(&place.columns) {
                return Err(format!("body {body} is linked in another cell than its own"));
            }
            let mut other = self.store.first(place.cell) & !HAS_FOLLOWERS;
            while other != NONE && other != body {
                other = self.memberships[other as usize].next_in_cell;
            }
            listed += usize::from(other == body);
        }
        match listed == bodies.count() {
            true => self.store.check(),
            false => Err(format!("only {listed} of {} bodies are in their cell", bodies.count())),
        }
    }

    fn memory(&self) -> usize {
        let shares: usize =
            self.columns.iter().map(|along| along.cell_offsets.capacity() * 4).sum();
        self.store.memory() + shares + self.memberships.capacity() * size_of::<CellMembership<D>>()
    }
}
