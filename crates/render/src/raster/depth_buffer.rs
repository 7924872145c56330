//! A depth buffer with several samples per pixel.
//!
//! Balls and facets are added from near to far, and one that lies completely behind what is already there is skipped:
//! of a million in a box all but the outermost layers are.

use super::canvas::pixels;
use super::facets::RasterFacet;

/// Number of samples along the side of a pixel.
const SAMPLES: usize = 3;
/// Number of samples of a pixel.
pub(super) const PER_PIXEL: usize = SAMPLES * SAMPLES;
/// The owner of an empty sample.
pub(super) const NOBODY: u32 = u32::MAX;
/// Number of samples along the side of a tile.
const TILE: usize = 8;
/// Number of primitives between two updates of the tiles.
const BATCH: usize = 1024;

/// A sphere on the page, in pixels.
pub(super) struct RasterSphere {
    pub center: [f32; 2],
    pub nearness: f32,
    pub radius: f32,
    pub shade: usize,
}

/// Balls, and facets of other bodies, which are numbered after them.
pub(super) struct RasterPrimitives {
    pub spheres: Vec<RasterSphere>,
    pub facets: Vec<RasterFacet>,
}

/// A ball or a facet.
pub(super) enum RasterPrimitive<'a> {
    Sphere(&'a RasterSphere),
    Facet(&'a RasterFacet),
}

impl RasterPrimitives {
    pub(super) fn len(&self) -> usize {
        self.spheres.len() + self.facets.len()
    }

    pub(super) fn get(&self, index: u32) -> RasterPrimitive<'_> {
        let index = index as usize;
        match self.spheres.get(index) {
            Some(ball) => RasterPrimitive::Sphere(ball),
            None => RasterPrimitive::Facet(&self.facets[index - self.spheres.len()]),
        }
    }
}

impl RasterPrimitive<'_> {
    /// Returns the low and the high end on both axes of the page.
    pub(super) fn pixel_bounds(&self) -> [[f32; 2]; 2] {
        match self {
            RasterPrimitive::Sphere(RasterSphere { center, radius, .. }) => {
                [center.map(|x| x - radius), center.map(|x| x + radius)]
            }
            RasterPrimitive::Facet(facet) => facet.pixel_bounds(),
        }
    }

    /// Returns the nearness of its nearest point.
    fn front_nearness(&self) -> f32 {
        match self {
            RasterPrimitive::Sphere(ball) => ball.nearness + ball.radius,
            RasterPrimitive::Facet(facet) => facet.front_nearness(),
        }
    }
}

/// The samples of a band of the page: the nearness and the index of the nearest primitive.
pub(super) struct DepthBuffer {
    columns: usize,
    rows: usize,
    /// Top of the band, in pixels.
    top: usize,
    nearness: Vec<f32>,
    owner: Vec<u32>,
    /// Nearness that a primitive must have to be visible anywhere in each tile.
    tiles: Vec<f32>,
}

impl DepthBuffer {
    /// Creates an empty buffer of this size in pixels; `top` is the first row.
    pub(super) fn new(width: usize, height: usize, top: usize) -> Self {
        let (columns, rows) = (width * SAMPLES, height * SAMPLES);
        let nearness = vec![f32::NEG_INFINITY; columns * rows];
        let tiles = vec![f32::NEG_INFINITY; columns.div_ceil(TILE) * rows.div_ceil(TILE)];
        DepthBuffer { columns, rows, top, nearness, owner: vec![NOBODY; columns * rows], tiles }
    }

    /// Adds the primitives with these indices; of two equally near the one with the smaller index is visible.
    pub(super) fn add_all(&mut self, mut indices: Vec<u32>, things: &RasterPrimitives) {
        let front = |index: &u32| things.get(*index).front_nearness();
        indices.sort_unstable_by(|a, b| front(b).total_cmp(&front(a)).then(a.cmp(b)));
        for batch in indices.chunks(BATCH) {
            for &index in batch {
                let thing = things.get(index);
                if !self.hides(&thing) {
                    self.add(index, &thing);
                }
            }
            self.update_tiles();
        }
    }

    /// Returns the samples between two coordinates, within the buffer.
    fn span(low: f32, high: f32, end: usize) -> std::ops::Range<usize> {
        let per_pixel = SAMPLES as f64;
        pixels(f64::from(low) * per_pixel, f64::from(high) * per_pixel, end)
    }

    fn columns(&self, low: f32, high: f32) -> std::ops::Range<usize> {
        DepthBuffer::span(low, high, self.columns)
    }

    fn rows(&self, low: f32, high: f32) -> std::ops::Range<usize> {
        let top = self.top as f32;
        DepthBuffer::span(low - top, high - top, self.rows)
    }

    fn hides(&self, thing: &RasterPrimitive) -> bool {
        let (front, [low, high]) = (thing.front_nearness(), thing.pixel_bounds());
        let (columns, rows) = (self.columns(low[0], high[0]), self.rows(low[1], high[1]));
        let per_row = self.columns.div_ceil(TILE);
        (rows.start / TILE..rows.end.div_ceil(TILE)).all(|row| {
            let tiles = columns.start / TILE..columns.end.div_ceil(TILE);
            self.tiles[row * per_row..][tiles].iter().all(|&nearness| front < nearness)
        })
    }

    fn add(&mut self, index: u32, thing: &RasterPrimitive) {
        match thing {
            RasterPrimitive::Sphere(ball) => self.add_sphere(index, ball),
            RasterPrimitive::Facet(facet) => self.add_facet(index, facet),
        }
    }

    fn add_sphere(&mut self, index: u32, ball: &RasterSphere) {
        let [x_center, y_center] = ball.center;
        let square = ball.radius * ball.radius;
        for row in self.rows(y_center - ball.radius, y_center + ball.radius) {
            let up = place(row) + self.top as f32 - y_center;
            let half = (square - up * up).max(0.0).sqrt();
            let span = self.columns(x_center - half, x_center + half);
            self.write_row(index, row, span, |column| {
                let right = place(column) - x_center;
                let rise = square - up * up - right * right;
                (rise >= 0.0).then(|| ball.nearness + rise.sqrt())
            });
        }
    }

    fn add_facet(&mut self, index: u32, facet: &RasterFacet) {
        let [low, high] = facet.pixel_bounds();
        for row in self.rows(low[1], high[1]) {
            let y = place(row) + self.top as f32;
            let span = self.columns(low[0], high[0]);
            self.write_row(index, row, span, |column| facet.nearness_at([place(column), y]));
        }
    }

    /// Assigns to a primitive the samples of a row at which it is the nearest.
    fn write_row(
        &mut self,
        index: u32,
        row: usize,
        span: std::ops::Range<usize>,
        nearness_at: impl Fn(usize) -> Option<f32>,
    ) {
        let start = row * self.columns;
        let nearness = &mut self.nearness[start..][span.clone()];
        let owner = &mut self.owner[start..][span.clone()];
        for (column, (nearest, owner)) in span.zip(nearness.iter_mut().zip(owner)) {
            let Some(nearness) = nearness_at(column) else { continue };
            let tie = nearness == *nearest && index < *owner;
            if nearness > *nearest || tie {
                (*nearest, *owner) = (nearness, index);
            }
        }
    }

    fn update_tiles(&mut self) {
        let per_row = self.columns.div_ceil(TILE);
        self.tiles.fill(f32::INFINITY);
        for (row, samples) in self.nearness.chunks(self.columns).enumerate() {
            let tiles = &mut self.tiles[row / TILE * per_row..];
            for (tile, samples) in tiles.iter_mut().zip(samples.chunks(TILE)) {
                *tile = samples.iter().copied().fold(*tile, f32::min);
            }
        }
    }

    /// Returns the first sample of a pixel of the band, by column and row.
    fn corner(&self, pixel: usize) -> (usize, usize) {
        let width = self.columns / SAMPLES;
        (pixel % width * SAMPLES, pixel / width * SAMPLES)
    }

    /// Returns the owner of all samples of a pixel, if they have the same.
    pub(super) fn only_owner(&self, pixel: usize) -> Option<u32> {
        let (x, y) = self.corner(pixel);
        let first = self.owner[y * self.columns + x];
        let row = |row: usize| &self.owner[(y + row) * self.columns + x..][..SAMPLES];
        let same = (0..SAMPLES).all(|index| row(index).iter().all(|&owner| owner == first));
        same.then_some(first)
    }

    /// Returns the center of a pixel on the page.
    pub(super) fn middle(&self, pixel: usize) -> [f32; 2] {
        let (x, y) = self.corner(pixel);
        [x, y + self.top * SAMPLES].map(|sample| (sample / SAMPLES) as f32 + 0.5)
    }

    /// Returns the owner and the position on the page of each sample of a pixel.
    pub(super) fn of_pixel(&self, pixel: usize) -> impl Iterator<Item = (u32, [f32; 2])> {
        let (x, y) = self.corner(pixel);
        (0..PER_PIXEL).map(move |sample| {
            let (x, y) = (x + sample % SAMPLES, y + sample / SAMPLES);
            (self.owner[y * self.columns + x], [place(x), place(y) + self.top as f32])
        })
    }
}

/// Returns the coordinate of a sample on the page.
fn place(sample: usize) -> f32 {
    (sample as f32 + 0.5) / SAMPLES as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random balls in a box of 30 by 16 by 30 pixels.
    fn balls(count: usize) -> Vec<RasterSphere> {
        let frame = crate::example_frames::example::<3>(count);
        let ball = |(position, &radius): (&carom_geometry::Vector<3>, &f64)| RasterSphere {
            center: [3.0 * position[0] as f32, 1.6 * position[1] as f32],
            nearness: 3.0 * position[2] as f32,
            radius: 4.0 * radius as f32,
            shade: 0,
        };
        frame.positions.iter().zip(&frame.radii).map(ball).collect()
    }

    #[test]
    fn passing_over_hidden_balls_changes_nothing() {
        let things = RasterPrimitives { spheres: balls(5000), facets: Vec::new() };
        let mut quick = DepthBuffer::new(30, 16, 0);
        quick.add_all((0..5000).collect(), &things);
        let mut slow = DepthBuffer::new(30, 16, 0);
        for index in 0..5000 {
            slow.add(index, &things.get(index));
        }
        assert_eq!(quick.owner, slow.owner);
        let hidden = (0..5000).filter(|&index| quick.hides(&things.get(index))).count();
        assert!(hidden > 3000, "only {hidden} are passed over");
    }
}
