//! Regular cells: a body is a neighbour of all in its own and the adjacent cells.
//!
//! The regular spatial subdivision and the regular spatial tree of Gavrilova and Rokne, section 3.2
//! and 3.3. They differ in where the first body of a cell is kept: in an array of all cells, or in a
//! balanced tree of the occupied ones. A change is a body's step into an adjacent cell; only the
//! cells that thereby become adjacent hold new neighbours. Cheapest where bodies are few and far
//! between and of like size.

use super::{Bodies, FetchStage, KineticNeighbours, MARGIN};
use crate::events::fetch::fetch;
use crate::events::first_touch::first_touch;
use crate::events::pages::ask_for_large_pages;
use carom_scene::scene::Side;

/// Where the first body of each cell is kept.
pub trait CellStore: Default {
    /// Whether a look at a cell is so cheap that it is worth while ahead of time.
    const DIRECT: bool;
    /// So many cells, all empty.
    fn clear(&mut self, cells: usize);
    /// The first body of a cell, `NONE` if it is empty.
    fn first(&self, cell: u32) -> u32;
    /// The first bodies of three cells in a row.
    #[inline]
    fn three(&self, start: u32) -> [u32; 3] {
        [start, start + 1, start + 2].map(|cell| self.first(cell))
    }
    fn set_first(&mut self, cell: u32, body: u32);
    /// Asks memory for a cell, if looks are direct.
    fn fetch(&self, _cell: u32) {}
    /// More cells than this are not to be made for so many bodies.
    fn most_cells(bodies: usize) -> usize;
    fn ask_for_large_pages(&self) {}
    fn check(&self) -> Result<(), String>;
    fn memory(&self) -> usize;
}

/// No body.
pub const NONE: u32 = u32::MAX;

/// An array of all cells.
#[derive(Debug, Default)]
pub struct CellArray {
    firsts: Vec<u32>,
}

impl CellStore for CellArray {
    const DIRECT: bool = true;
    fn clear(&mut self, cells: usize) {
        self.firsts.clear();
        self.firsts.resize(cells, NONE);
    }
    #[inline]
    fn first(&self, cell: u32) -> u32 {
        self.firsts[cell as usize]
    }
    #[inline]
    fn three(&self, start: u32) -> [u32; 3] {
        let firsts = self.firsts[start as usize..].first_chunk();
        *firsts.expect("rows of the grid are three cells wide around an inner cell")
    }
    #[inline]
    fn set_first(&mut self, cell: u32, body: u32) {
        self.firsts[cell as usize] = body;
    }
    #[inline]
    fn fetch(&self, cell: u32) {
        fetch(&self.firsts, cell as usize);
    }
    fn ask_for_large_pages(&self) {
        ask_for_large_pages(&self.firsts);
    }
    fn most_cells(bodies: usize) -> usize {
        (CELLS_PER_BODY * bodies + FEWEST_CELLS).min(u32::MAX as usize)
    }
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
    fn memory(&self) -> usize {
        self.firsts.capacity() * 4
    }
}

/// Empty cells cost memory, and a body in a wide box crosses many of them to no purpose.
const CELLS_PER_BODY: usize = 16;
/// Always allowed: every box has room for the fewest on each axis.
const FEWEST_CELLS: usize = 1000;

/// Cells in an array.
pub type CellGrid<const D: usize> = Cells<D, CellArray>;

/// See the module.
#[derive(Debug)]
pub struct Cells<const D: usize, S> {
    /// Cells are not narrower than this, even if all bodies are small.
    narrowest: f64,
    width: [f64; D],
    counts: [i32; D],
    sides: [Side; D],
    store: S,
    places: Vec<Place<D>>,
    valid_until: f64,
}

/// Where a body is.
#[derive(Clone, Copy, Debug)]
struct Place<const D: usize> {
    /// Column on each axis; on open axes they go on beyond the last.
    columns: [i32; D],
    /// The next body in the same cell.
    next: u32,
    /// The border it crosses next, twice the axis plus one if upwards.
    crossing: u8,
}

impl<const D: usize> Place<D> {
    /// The axis along which it crosses a border next, and the step.
    #[inline]
    fn crosses(&self) -> (usize, i32) {
        (usize::from(self.crossing / 2), if self.crossing % 2 == 1 { 1 } else { -1 })
    }
}

/// Radii may grow by so much before cells must be made anew.
const HEADROOM: f64 = 1.05;
/// With fewer cells around a periodic box a body would meet the same cell twice.
const FEWEST: f64 = 5.0;

impl<const D: usize, S: CellStore> Cells<D, S> {
    /// Cells as wide as the widest body, or `narrowest` if that is wider.
    pub fn new(narrowest: f64) -> Self {
        Cells {
            narrowest,
            width: [0.0; D],
            counts: [0; D],
            sides: [Side::Open; D],
            store: S::default(),
            places: Vec::new(),
            valid_until: f64::INFINITY,
        }
    }

    /// Whether a periodic box of this length is wide enough for bodies of this diameter.
    pub fn fits(period: f64, widest: f64) -> bool {
        period >= FEWEST * widest * HEADROOM * (1.0 + MARGIN)
    }

    fn choose_cells(&mut self, bodies: &Bodies<D>, now: f64) {
        let count = bodies.count() as u32;
        let growing = bodies.growth.rate > 0.0;
        let headroom = if growing { HEADROOM } else { 1.0 };
        let widest = 2.0 * (0..count).map(|body| bodies.radius_at(body, now)).fold(0.0, f64::max);
        let needed = widest * headroom * (1.0 + MARGIN);
        self.sides = bodies.region.sides;
        let most = S::most_cells(bodies.count()) as f64;
        let mut narrowest = self.narrowest.max(needed);
        self.lay_out(bodies, needed, narrowest);
        // Ends at the latest with the fewest cells on every axis.
        while self.counts.iter().map(|&n| f64::from(n)).product::<f64>() > most {
            narrowest *= 1.1;
            self.lay_out(bodies, needed, narrowest);
        }
        self.valid_until = if growing {
            now + 0.99 * (headroom - 1.0) * bodies.growth.at(now) / bodies.growth.rate
        } else {
            f64::INFINITY
        };
    }

    /// Cells as wide as `needed`, and as `narrowest` where the box has room for enough of them.
    fn lay_out(&mut self, bodies: &Bodies<D>, needed: f64, narrowest: f64) {
        for axis in 0..D {
            let size = bodies.region.size[axis];
            let wanted = needed.max(narrowest.min(size / FEWEST));
            let fitting = (size / wanted).floor().clamp(1.0, 1e6);
            let open = self.sides[axis] == Side::Open;
            self.counts[axis] = if open { fitting.max(FEWEST) } else { fitting } as i32;
            self.width[axis] = if open { wanted } else { size / fitting };
        }
    }

    fn column_of(&self, axis: usize, x: f64) -> i32 {
        let column = (x / self.width[axis]).floor() as i32;
        match self.sides[axis] {
            Side::Open => column,
            _ => column.clamp(0, self.counts[axis] - 1),
        }
    }

    /// The place of a column that may lie outside; none beyond a wall.
    #[inline]
    fn fold(&self, axis: usize, column: i32) -> Option<u32> {
        let count = self.counts[axis];
        if (0..count).contains(&column) {
            return Some(column as u32);
        }
        match self.sides[axis] {
            Side::Wall { .. } => None,
            Side::Periodic => {
                Some((if column < 0 { column + count } else { column - count }) as u32)
            }
            Side::Open => Some(column.rem_euclid(count) as u32),
        }
    }

    fn cell_of(&self, columns: &[i32; D]) -> u32 {
        (0..D).rev().fold(0, |cell, axis| {
            let column = self.fold(axis, columns[axis]).expect("bodies stay between walls");
            cell * self.counts[axis] as u32 + column
        })
    }

    fn link(&mut self, body: u32) {
        let cell = self.cell_of(&self.places[body as usize].columns);
        self.places[body as usize].next = self.store.first(cell);
        self.store.set_first(cell, body);
    }

    fn unlink(&mut self, body: u32) {
        let cell = self.cell_of(&self.places[body as usize].columns);
        let after = self.places[body as usize].next;
        let mut current = self.store.first(cell);
        if current == body {
            self.store.set_first(cell, after);
            return;
        }
        while self.places[current as usize].next != body {
            current = self.places[current as usize].next;
        }
        self.places[current as usize].next = after;
    }

    /// Appends the bodies of all cells within one column of `centre`, or of those in the column
    /// `layer` of one axis only.
    #[inline]
    fn gather(
        &self,
        body: u32,
        centre: &[i32; D],
        layer: Option<(usize, i32)>,
        found: &mut Vec<u32>,
    ) {
        let (low, lengths) = block(centre, layer);
        if self.is_inside(low, lengths) {
            self.gather_block(body, low, lengths, found);
        } else {
            self.gather_folded(body, low, lengths, found);
        }
    }

    #[inline]
    fn is_inside(&self, low: [i32; 3], lengths: [i32; 3]) -> bool {
        (0..D).all(|axis| low[axis] >= 0 && low[axis] + lengths[axis] <= self.counts[axis])
    }

    /// Visits the first cell of each row of a block inside the grid.
    #[inline(always)]
    fn visit_rows(&self, low: [i32; 3], lengths: [i32; 3], mut visit: impl FnMut(u32)) {
        let row = self.counts[0] as u32;
        let plane = row * self.counts[1] as u32;
        let corner = low[0] as u32 + low[1] as u32 * row + low[2] as u32 * plane;
        for layer in 0..lengths[2] as u32 {
            for line in 0..lengths[1] as u32 {
                visit(corner + layer * plane + line * row);
            }
        }
    }

    /// Appends the bodies of a block of cells inside the grid.
    ///
    /// Whether a cell is empty cannot be foreseen, so the first bodies are collected without asking:
    /// each is written, and counted if it is one.
    #[inline]
    fn gather_block(&self, body: u32, low: [i32; 3], lengths: [i32; 3], found: &mut Vec<u32>) {
        let (mut firsts, mut count) = ([NONE; 32], 0);
        let mut collect = |first: u32| {
            firsts[count & 31] = first;
            count += usize::from(first != NONE);
        };
        self.visit_rows(low, lengths, |start| match lengths[0] {
            3 => self.store.three(start).into_iter().for_each(&mut collect),
            _ => collect(self.store.first(start)),
        });
        let gathered = found.len();
        found.extend_from_slice(&firsts[..count.min(32)]);
        for first in &firsts[..count.min(32)] {
            self.gather_chain(body, self.places[*first as usize].next, found);
        }
        if let Some(own) = found[gathered..].iter().position(|&other| other == body) {
            found.swap_remove(gathered + own);
        }
    }

    /// Appends the bodies of a block of cells that reaches over the end of an axis.
    fn gather_folded(&self, body: u32, low: [i32; 3], lengths: [i32; 3], found: &mut Vec<u32>) {
        let mut places = [[0u32; 3]; 3];
        let mut counts = [1; 3];
        let mut stride = 1;
        for axis in 0..D {
            counts[axis] = 0;
            for column in low[axis]..low[axis] + lengths[axis] {
                if let Some(column) = self.fold(axis, column) {
                    places[axis][counts[axis]] = column * stride;
                    counts[axis] += 1;
                }
            }
            stride *= self.counts[axis] as u32;
        }
        for &plane in &places[2][..counts[2]] {
            for &row in &places[1][..counts[1]] {
                for &column in &places[0][..counts[0]] {
                    self.gather_chain(body, self.store.first(plane + row + column), found);
                }
            }
        }
    }
}

impl<const D: usize, S: CellStore> Cells<D, S> {
    #[inline(always)]
    fn gather_chain(&self, body: u32, first: u32, found: &mut Vec<u32>) {
        let mut other = first;
        while other != NONE {
            if other != body {
                found.push(other);
            }
            other = self.places[other as usize].next;
        }
    }

    /// When a body on a straight line crosses a border next, and which.
    #[inline]
    fn next_straight(&self, body: u32, bodies: &Bodies<D>) -> (f64, u8) {
        let record = &bodies.records[body as usize];
        let columns = &self.places[body as usize].columns;
        let (mut soonest, mut crossing) = (f64::INFINITY, 0);
        for axis in 0..D {
            let up = record.velocity[axis] > 0.0;
            let last = if up { self.counts[axis] - 1 } else { 0 };
            let border = f64::from(columns[axis] + i32::from(up)) * self.width[axis];
            let wait = (border - record.position[axis]) / record.velocity[axis];
            let ends = columns[axis] == last && self.sides[axis] != Side::Open;
            // At rest on this axis the wait is infinite, of either sign.
            let moves = record.velocity[axis] != 0.0;
            if moves && !ends && wait < soonest {
                (soonest, crossing) = (wait, (2 * axis + usize::from(up)) as u8);
            }
        }
        (record.clock + soonest, crossing)
    }
}

/// The lowest columns and the numbers of columns of the cells around `centre`, or of those in the
/// column `layer` of one axis only.
#[inline]
fn block<const D: usize>(centre: &[i32; D], layer: Option<(usize, i32)>) -> ([i32; 3], [i32; 3]) {
    let (mut low, mut lengths) = ([0; 3], [1; 3]);
    for axis in 0..D {
        (low[axis], lengths[axis]) = match layer {
            Some((crossed, column)) if crossed == axis => (column, 1),
            _ => (centre[axis] - 1, 3),
        };
    }
    (low, lengths)
}

impl<const D: usize, S: CellStore> KineticNeighbours<D> for Cells<D, S> {
    fn start(&mut self, bodies: &Bodies<D>, now: f64) {
        self.choose_cells(bodies, now);
        let count = bodies.count();
        self.store.clear(self.counts.iter().map(|&n| n as usize).product());
        self.places.clear();
        for body in 0..count as u32 {
            let position = bodies.position_at(body, now);
            let columns = std::array::from_fn(|axis| self.column_of(axis, position[axis]));
            self.places.push(Place { columns, next: NONE, crossing: 0 });
        }
        // Backwards, so that lists run forwards in memory.
        for body in (0..count as u32).rev() {
            self.link(body);
        }
    }

    fn next_change(&mut self, body: u32, bodies: &Bodies<D>, now: f64) -> f64 {
        if bodies.straight {
            let (time, crossing) = self.next_straight(body, bodies);
            self.places[body as usize].crossing = crossing;
            return time.max(now);
        }
        let position = bodies.position_at(body, now);
        let velocity = bodies.velocity_at(body, now);
        let acceleration = bodies.acceleration(body);
        let columns = &self.places[body as usize].columns;
        let (mut soonest, mut crossing) = (f64::INFINITY, 0);
        for axis in 0..D {
            let open = self.sides[axis] == Side::Open;
            for up in [false, true] {
                let outwards = if up { 1.0 } else { -1.0 };
                let (speed, pull) = (-outwards * velocity[axis], -outwards * acceleration[axis]);
                let last = if up { self.counts[axis] - 1 } else { 0 };
                if (speed >= 0.0 && pull >= 0.0) || (!open && columns[axis] == last) {
                    continue;
                }
                let border = f64::from(columns[axis] + i32::from(up)) * self.width[axis];
                let wait = first_touch(outwards * (border - position[axis]), speed, pull);
                if wait < soonest {
                    (soonest, crossing) = (wait, (2 * axis + usize::from(up)) as u8);
                }
            }
        }
        self.places[body as usize].crossing = crossing;
        now + soonest
    }

    fn change(
        &mut self,
        body: u32,
        _bodies: &Bodies<D>,
        _now: f64,
        fresh: &mut Vec<u32>,
        _touched: &mut Vec<u32>,
    ) {
        self.unlink(body);
        let (axis, step) = self.places[body as usize].crosses();
        self.places[body as usize].columns[axis] += step;
        self.link(body);
        let columns = self.places[body as usize].columns;
        self.gather(body, &columns, Some((axis, columns[axis] + step)), fresh);
    }

    fn redirect(&mut self, body: u32, bodies: &Bodies<D>, _now: f64, _touched: &mut Vec<u32>) {
        let position = bodies.records[body as usize].position;
        let mut columns = self.places[body as usize].columns;
        for axis in 0..D {
            if self.sides[axis] != Side::Periodic {
                continue;
            }
            // Through the seam.
            let (last, middle) = (self.counts[axis] - 1, 0.5 * bodies.region.size[axis]);
            if columns[axis] == 0 && position[axis] > middle {
                columns[axis] = last;
            } else if columns[axis] == last && position[axis] < middle {
                columns[axis] = 0;
            }
        }
        if columns != self.places[body as usize].columns {
            self.unlink(body);
            self.places[body as usize].columns = columns;
            self.link(body);
        }
    }

    #[inline]
    fn neighbours<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32] {
        found.clear();
        self.gather(body, &self.places[body as usize].columns, None, found);
        found
    }

    #[inline]
    fn fetch(&self, body: u32, bodies: &Bodies<D>, stage: FetchStage, changes: bool) {
        if stage == FetchStage::Body {
            return fetch(&self.places, body as usize);
        }
        if !S::DIRECT {
            return;
        }
        let place = &self.places[body as usize];
        let (axis, step) = place.crosses();
        // Once across, the layer that becomes adjacent is two columns from here.
        let layer = changes.then(|| (axis, place.columns[axis] + 2 * step));
        let (low, lengths) = block(&place.columns, layer);
        if !self.is_inside(low, lengths) {
            return;
        }
        if stage == FetchStage::List {
            self.visit_rows(low, lengths, |start| self.store.fetch(start));
            return;
        }
        self.visit_rows(low, lengths, |start| {
            for cell in start..start + lengths[0] as u32 {
                let first = self.store.first(cell);
                fetch(&bodies.records, first as usize);
                fetch(&self.places, first as usize);
            }
        });
    }

    fn ask_for_large_pages(&self) {
        ask_for_large_pages(&self.places);
        self.store.ask_for_large_pages();
    }

    fn reach(&self) -> f64 {
        2.0 * (1.0 + MARGIN) * self.width.iter().copied().fold(0.0, f64::max)
    }

    fn valid_until(&self) -> f64 {
        self.valid_until
    }

    fn check(&self, bodies: &Bodies<D>, now: f64) -> Result<(), String> {
        let mut listed = 0;
        for body in 0..bodies.count() as u32 {
            let position = bodies.position_at(body, now);
            for axis in 0..D {
                let column = f64::from(self.places[body as usize].columns[axis]);
                let inside = position[axis] / self.width[axis] - column;
                if !(-MARGIN..=1.0 + MARGIN).contains(&inside) {
                    return Err(format!("body {body} is not in its cell on axis {axis}"));
                }
            }
            let mut other = self.store.first(self.cell_of(&self.places[body as usize].columns));
            while other != NONE && other != body {
                other = self.places[other as usize].next;
            }
            listed += usize::from(other == body);
        }
        match listed == bodies.count() {
            true => self.store.check(),
            false => Err(format!("only {listed} of {} bodies hang in their cell", bodies.count())),
        }
    }

    fn memory(&self) -> usize {
        self.store.memory() + self.places.capacity() * size_of::<Place<D>>()
    }
}
