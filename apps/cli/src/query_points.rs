//! The query points of `carom inside`.

use crate::failure::CommandFailure;
use crate::numbers;
use carom::geometry::{Aabb, Vector};
use std::borrow::Cow;

/// Largest number of grid points along an axis.
const MOST_PER_AXIS: usize = 500;

/// Number of points processed together, about, so that a fine grid takes little memory.
pub const POINTS_PER_BLOCK: usize = 1 << 20;

/// Query points, listed or generated.
pub enum QueryPoints {
    /// These points.
    Listed(Vec<Vector<3>>),
    /// `per_axis` points along each axis from corner to corner of a box, the last axis fastest.
    Grid { bounds: Aabb<3>, per_axis: usize },
}

impl QueryPoints {
    /// Creates a grid of `count` points along each axis.
    pub fn grid(bounds: Aabb<3>, count: &str) -> Result<Self, CommandFailure> {
        let what = "the number of points along an axis";
        let wrong = |shown: &dyn std::fmt::Display, rule: &str| {
            CommandFailure::input(format!(
                "{what} is {shown}; it must be {rule}from 2 to {MOST_PER_AXIS}"
            ))
        };
        let per_axis = numbers::count(what, count)
            .map_err(|_| wrong(&format!("{count:?}"), "a whole number "))?;
        if !(2..=MOST_PER_AXIS).contains(&per_axis) {
            return Err(wrong(&per_axis, ""));
        }
        Ok(QueryPoints::Grid { bounds, per_axis })
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        match self {
            QueryPoints::Listed(points) => points.len(),
            QueryPoints::Grid { per_axis, .. } => per_axis.pow(3),
        }
    }

    /// All points in their order, in blocks of about a million.
    pub fn blocks(&self) -> Box<dyn Iterator<Item = Cow<'_, [Vector<3>]>> + '_> {
        match self {
            QueryPoints::Listed(points) => {
                Box::new(points.chunks(POINTS_PER_BLOCK).map(Cow::Borrowed))
            }
            QueryPoints::Grid { bounds, per_axis } => {
                let layers = (POINTS_PER_BLOCK / per_axis.pow(2)).max(1);
                Box::new((0..*per_axis).step_by(layers).map(move |first| {
                    let layers = first..per_axis.min(&(first + layers)).to_owned();
                    Cow::Owned(layers.flat_map(|x| layer(bounds, *per_axis, x)).collect())
                }))
            }
        }
    }
}

/// The points of a grid with one first coordinate.
fn layer(bounds: &Aabb<3>, per_axis: usize, x: usize) -> impl Iterator<Item = Vector<3>> {
    let last = (per_axis - 1) as f64;
    let at = move |k: usize, axis: usize| {
        let part = k as f64 / last;
        bounds.low[axis] * (1.0 - part) + bounds.high[axis] * part
    };
    (0..per_axis)
        .flat_map(move |y| (0..per_axis).map(move |z| Vector::from([at(x, 0), at(y, 1), at(z, 2)])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_all_points_of_a_grid_in_order() {
        let bounds = Aabb { low: Vector::zeros(), high: Vector::from([1.0, 2.0, 4.0]) };
        let per_axis = 120;
        let points = QueryPoints::Grid { bounds, per_axis };
        let blocks: Vec<_> = points.blocks().collect();
        assert!(blocks.len() > 1 && blocks.iter().all(|block| block.len() <= POINTS_PER_BLOCK));
        let all = blocks.concat();
        assert_eq!(all.len(), points.len());
        assert_eq!(all[0], bounds.low);
        assert_eq!(all[per_axis - 1], Vector::from([0.0, 0.0, 4.0]));
        assert_eq!(all[per_axis.pow(2) - 1], Vector::from([0.0, 2.0, 4.0]));
        assert_eq!(all[per_axis.pow(3) - 1], bounds.high);
        let by_coordinates = |a: &Vector<3>, b: &Vector<3>| a.as_slice() < b.as_slice();
        assert!(all.is_sorted_by(by_coordinates));
    }
}
