//! The bodies of section 3 in ever finer meshes, and the grids of points in the cube around them.

use crate::Settings;
use carom::geometry::Vector;
use carom::geometry::mesh::{TriangleMesh, octahedron_sphere};
use carom::scene::generate::Foam;
use std::fmt;

/// Triangles of the paper's three foams.
const FOAMS: [usize; 3] = [28_952, 120_868, 494_124];
/// Pores of the foam along an edge; more need more triangles than the paper's coarsest mesh has.
const FOAM_CELLS: usize = 3;
/// Points along each axis.
const GRIDS: [usize; 4] = [10, 20, 40, 80];

/// A body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshSeries {
    /// Section 3.1: the unit sphere, from an octahedron whose triangles are split in four again and
    /// again.
    Sphere,
    /// Section 3.2: an open-cell foam. The paper's meshes are not published; these are carom's own, of
    /// about as many triangles.
    Foam,
}

impl MeshSeries {
    /// Both.
    pub const ALL: [MeshSeries; 2] = [MeshSeries::Sphere, MeshSeries::Foam];

    /// Its meshes, from coarse to fine: the octahedron is refined to 131,072 triangles at most, or to 8,192 in a quick
    /// run, which has one foam.
    pub fn meshes(self, settings: &Settings) -> Vec<TriangleMesh> {
        match self {
            MeshSeries::Sphere => (0..=settings.either(5, 7)).map(octahedron_sphere).collect(),
            MeshSeries::Foam => FOAMS[..settings.either(1, 3)].iter().copied().map(foam).collect(),
        }
    }
}

impl fmt::Display for MeshSeries {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            MeshSeries::Sphere => "sphere",
            MeshSeries::Foam => "foam",
        })
    }
}

fn foam(triangles: usize) -> TriangleMesh {
    let foam = Foam { triangles, cells: FOAM_CELLS, ..Foam::default() };
    foam.make().expect("the paper's numbers of triangles are enough for three pores along an edge")
}

/// Points along each axis of the grids: as in the paper, or the two smallest in a quick run.
pub fn grids(settings: &Settings) -> &'static [usize] {
    &GRIDS[..settings.either(2, 4)]
}

/// The regular points of a cube from -1 to 1, the last axis the fastest.
pub fn points(per_axis: usize) -> Vec<Vector<3>> {
    let at = |k: usize| 2.0 * k as f64 / (per_axis - 1) as f64 - 1.0;
    let place = |k: usize| {
        Vector::from([k / per_axis.pow(2), k / per_axis % per_axis, k % per_axis].map(at))
    };
    (0..per_axis.pow(3)).map(place).collect()
}

/// A prime beyond every number of points along an axis, so that steps of it visit every point once.
const STRIDE: usize = 10_007;

/// The numbers of `count` points out of `total`, all different and spread over all of them; all in their order if
/// there are no more.
pub fn spread_indices(total: usize, count: usize) -> Vec<usize> {
    if count >= total {
        return (0..total).collect();
    }
    (0..count).map(|k| k * STRIDE % total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_fill_the_cube() {
        let points = points(10);
        assert_eq!(points.len(), 1000);
        assert_eq!(points[0], Vector::<3>::repeat(-1.0));
        assert_eq!(points[999], Vector::<3>::repeat(1.0));
        assert_eq!(points[1], Vector::from([-1.0, -1.0, 2.0 / 9.0 - 1.0]));
    }

    #[test]
    fn a_part_of_the_points_is_spread_over_all() {
        let total = 80usize.pow(3);
        let mut part = spread_indices(total, 404);
        part.sort_unstable();
        part.dedup();
        assert_eq!(part.len(), 404);
        let gaps = part.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.max().unwrap() < 4 * total / 404);
        assert_eq!(spread_indices(3, 5), [0, 1, 2]);
    }

    #[test]
    fn foams_have_about_as_many_triangles_as_in_the_paper() {
        let meshes = MeshSeries::Foam.meshes(&Settings { quick: true });
        let triangles = meshes[0].triangles().len() as f64;
        assert!((triangles / FOAMS[0] as f64 - 1.0).abs() < 0.05, "{triangles}");
    }
}
