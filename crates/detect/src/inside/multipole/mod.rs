//! The winding number by the fast multipole method of Muth, Of, Eberhard and Steinbach ("Collision detection for
//! complicated polyhedra using the fast multipole method or ray crossing", 2006), equations 10 to 27.
//!
//! An octree of source boxes groups the triangles in clusters ([`cluster_tree`]); each cluster is described by
//! multipole moments ([`moments`]). A second octree divides the domain of the points in target boxes of the same
//! sizes ([`target_octree`]); the moments of the clusters in the far field of a target box become its local
//! expansion ([`moment_to_local`], [`expansion_translation`]). A point evaluates the local expansion of its leaf
//! ([`local_expansions`]), clusters of the near field by their moments where these are accurate enough at the point
//! itself ([`near_field`]), and the solid angles of the remaining triangles ([`super::panels`]); four points of a
//! leaf at once.
//!
//! Differences from the paper:
//! - Harmonics of negative order have a sign that equations 14 and 15 lack ([`solid_harmonics`]).
//! - Equation 18 names the variable of integration like the point: in equation 17 its normal and gradient are those
//!   of the surface, as in equation 6, so that both sums have the same sign. Here the corners of a triangle are
//!   counterclockwise seen from outside, and the value inside is +1.
//! - The error bound includes both truncations, and is summed pair by pair ([`mod@error_bound`]).
//! - Moments are also evaluated at points ([`near_field`]), so clusters may be much smaller than target boxes; the
//!   paper sums all triangles near a box. What the conversions leave of the error bound is shared among these
//!   evaluations by area. On a sphere of 131072 triangles a point takes 1.0 us by moments, 2.8 us by triangles.
//! - Triangles that are large for a box stay with a larger one, so any mesh may be used, and target boxes with few
//!   triangles nearby are not divided.

mod cluster_tree;
mod cost_model;
mod error_bound;
mod expansion_matrix;
mod expansion_translation;
mod harmonic_series;
mod local_expansions;
mod moment_to_local;
mod moments;
mod near_field;
mod options;
mod outside_domain;
mod radial_moments;
mod solid_harmonics;
mod target_octree;
#[cfg(test)]
mod tests;
mod triangle_moments;

pub use options::{MultipoleAccuracy, MultipoleError, MultipoleOptions, OctreeDepth};

use super::containment::classify_in_parallel;
use super::double_layer::containment_of;
use super::lanes::LANES;
use super::panels::{Panels, WindingSample, power_of_two_scale};
use super::{Containment, FillRule, InsideTest};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::space_filling_curve::morton_index;
use carom_geometry::{Aabb, Vector};
use cluster_tree::{ClusterTree, OctreeRoot};
use cost_model::{deepest_level, finest_level};
use error_bound::{degree_for, error_bound};
use harmonic_series::{HarmonicPoints, HarmonicSeries};
use local_expansions::LocalExpansions;
use moments::MultipoleMoments;
use near_field::{NearFieldClusters, push_range};
use outside_domain::FarFieldEvaluator;
use radial_moments::ClusterRadialMoments;
use rayon::prelude::*;
use std::array::from_fn;
use std::ops::Range;
use target_octree::{NONE, OctreeSubdivision, TargetLeaves, TargetOctree, near_distance_squared};

/// The degree that the cost model assumes before the degree is known.
const EXPECTED_DEGREE: usize = 6;

/// The share of the error bound, in units of that of the conversions, that evaluations of moments at points get at
/// least, besides what the conversions leave of a requested error; points outside of the domain get this share of
/// the bound. The bound of the conversions exceeds their errors by far more than that of the rest.
const NEAR_FIELD_ERROR_SHARE: f64 = 0.01;

/// The rounding error that adds to the bound.
const ROUNDING: f64 = 1e-12;

/// The generalized winding number by the fast multipole method.
///
/// Gives the values of [`DoubleLayer`](super::DoubleLayer), up to a bounded error, without summing over every
/// triangle. **To classify points for a closed surface, methods that count crossings are faster and exact.** This
/// one is for winding numbers of open or otherwise defective surfaces, for many points and more than about a
/// thousand triangles.
///
/// The error bound ([`Multipole::error_bound`]) holds for every point and is wide; errors are some hundred times
/// smaller. On a sphere of 8192 triangles with three levels:
///
/// | separation | degree | bound | largest error | root mean square |
/// |---|---|---|---|---|
/// | 1.5 | 5 | 0.46 | 9e-4 | 1.2e-4 |
/// | 1.5 | 6 | 0.25 | 3e-4 | 4.5e-5 |
/// | 1.5 | 8 | 0.08 | 1e-4 | 1.1e-5 |
/// | 2 | 4 | 0.06 | 2e-4 | 4.4e-5 |
/// | 2 | 6 | 0.008 | 3e-5 | 4.6e-6 |
///
/// Points whose value is within the bound of one half (or of any half-integer, see [`FillRule`]) are decided by the
/// direct sum over all triangles, so that the answers are those of [`DoubleLayer`](super::DoubleLayer). For
/// containment the bound should therefore be well below one half; for values alone it need not.
///
/// Preparation costs the fourth power of the degree for each target box at the surface, and its square for each
/// triangle; [`InsideTest::classify_all`] evaluates four points at a time. Processor time of one thread with default
/// options, for a grid of points in the box around the surface (an EPYC that was busy with other work too):
///
/// | surface | triangles | points | preparation, ms | per point, us |
/// |---|---|---|---|---|
/// | sphere | 2048 | 40^3 | 16 | 0.54 |
/// | sphere | 8192 | 20^3 | 15 | 1.0 |
/// | sphere | 131072 | 40^3 | 155 | 1.0 |
/// | foam | 487924 | 20^3 | 1150 | 12 |
///
/// ```
/// use carom_detect::inside::{FillRule, Multipole, MultipoleOptions};
/// use carom_geometry::{Vector, mesh::TriangleMesh};
/// // A square of 1800 triangles, and the solid angle it subtends at a point on its axis.
/// let along = |k: u32| f64::from(k) / 15.0 - 1.0;
/// let vertices = (0..31 * 31).map(|k| [along(k % 31), along(k / 31), 0.0].into()).collect();
/// let squares = (0..30 * 30).map(|k| k % 30 + k / 30 * 31);
/// let triangles = squares.flat_map(|k| [[k, k + 1, k + 31], [k + 1, k + 32, k + 31]]).collect();
/// let square = TriangleMesh::new(vertices, triangles)?;
/// let surface = Multipole::new(&square, FillRule::Winding, &MultipoleOptions::default())?;
/// // From below, its outside is turned away; a cube around the point has six such faces.
/// let value = surface.winding_number(&Vector::from([0.0, 0.0, -1.0]));
/// assert!((value - 1.0 / 6.0).abs() < surface.error_bound());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Multipole {
    panels: Panels,
    clusters: ClusterTree,
    radial_moments: Vec<Vec<ClusterRadialMoments>>,
    moments: MultipoleMoments,
    leaves: TargetLeaves,
    expansions: LocalExpansions,
    series: HarmonicSeries,
    near_field: NearFieldClusters,
    domain: Aabb<3>,
    degree: usize,
    bound: f64,
    rule: FillRule,
}

impl Multipole {
    /// Prepares a surface; fails if the options are out of range or the requested error is unreachable.
    pub fn new(
        mesh: &TriangleMesh,
        rule: FillRule,
        options: &MultipoleOptions,
    ) -> Result<Self, MultipoleError> {
        options.check()?;
        let scale = power_of_two_scale(mesh);
        let surface = mesh.bounds();
        let domain = options.domain.unwrap_or(surface);
        let both = surface.including(&domain.low).including(&domain.high);
        let scaled = |bounds: Aabb<3>| Aabb { low: bounds.low * scale, high: bounds.high * scale };
        let root = OctreeRoot::around(&scaled(both));
        let domain = scaled(domain);
        let expected_degree = match options.accuracy {
            MultipoleAccuracy::Degree(degree) => degree,
            MultipoleAccuracy::Error(_) => EXPECTED_DEGREE,
        };
        let finest = finest_level(
            options.depth,
            mesh.triangles().len(),
            expected_degree,
            options.separation,
        );
        let deepest = finest.max(deepest_level(mesh.triangles().len()));
        // One tree for both: the far field uses it down to `finest`, the near field down to `deepest`.
        let mut clusters = ClusterTree::new(mesh, scale, root, deepest);
        let groups = std::mem::take(&mut clusters.groups);
        let panels = Panels::new(mesh, groups.iter().map(|group| &group[..]));
        let spreads = cluster_radial_moments(&clusters, &panels);
        let places = build_target_octree(&clusters, &spreads, &domain, finest, options.separation);
        let converted = |degree| error_bound(&places, &spreads, degree);
        let all = |degree| (1.0 + NEAR_FIELD_ERROR_SHARE) * converted(degree);
        // The bound is of this mesh and domain, so the degree is the lowest that suffices here.
        let (degree, bound) = match options.accuracy {
            MultipoleAccuracy::Degree(degree) => (degree, all(degree)),
            MultipoleAccuracy::Error(wanted) => {
                let least = if places.has_far_field() { 1 } else { EXPECTED_DEGREE };
                let degree = degree_for(wanted, least, all).map_err(|bound| {
                    MultipoleError::UnreachableError {
                        wanted,
                        separation: options.separation,
                        bound,
                    }
                })?;
                (degree, wanted)
            }
        };
        let seen = bound - converted(degree);
        let near_area = places.leaves.largest_area * root.edge.powi(2);
        // What the conversions leave of the bound is shared out to near clusters by their area.
        let allowed = seen / near_area.max(f64::MIN_POSITIVE);
        let nearby =
            NearFieldClusters::new(&clusters, &spreads, degree, options.separation, allowed);
        let moments = MultipoleMoments::new(&clusters, &panels, degree);
        let expansions = LocalExpansions::new(&places, &moments, degree);
        Ok(Multipole {
            panels,
            clusters,
            radial_moments: spreads,
            moments,
            leaves: places.leaves,
            expansions,
            series: HarmonicSeries::new(degree),
            near_field: nearby,
            domain,
            degree,
            bound,
            rule,
        })
    }

    /// Returns the winding number, at most [`Multipole::error_bound`] off; zero if a coordinate is not finite.
    pub fn winding_number(&self, point: &Vector<3>) -> f64 {
        let Some(point) = self.panels.scaled_point(point) else { return 0.0 };
        match self.locate_leaf(&point) {
            Some((leaf, at)) => {
                let mut near = Vec::new();
                let far = self.far_field(leaf, &at.map(splat), &point.map(splat), &mut near);
                far[0] + self.panels.winding_number(&near, &point)
            }
            None => {
                let (far, near) = self.far_field_evaluator().evaluate(&point);
                far + self.panels.winding_number(&near, &point)
            }
        }
    }

    /// Returns the largest possible error of any value.
    pub fn error_bound(&self) -> f64 {
        self.bound + ROUNDING
    }

    /// Returns the degree of the expansions.
    pub fn degree(&self) -> usize {
        self.degree
    }

    fn far_field_evaluator(&self) -> FarFieldEvaluator<'_> {
        let area = self.radial_moments[0][0].area() * self.clusters.root.edge.powi(2);
        FarFieldEvaluator {
            clusters: &self.clusters,
            radial_moments: &self.radial_moments,
            moments: &self.moments,
            degree: self.degree,
            allowed_error: (NEAR_FIELD_ERROR_SHARE * self.bound).max(ROUNDING)
                / area.max(f64::MIN_POSITIVE),
        }
    }

    /// Returns the leaf that contains a point, and the point relative to the leaf's center, in edges of the leaf.
    #[inline]
    fn locate_leaf(&self, point: &[f64; 3]) -> Option<(u32, [f64; 3])> {
        let within = |axis: usize| {
            self.domain.low[axis] <= point[axis] && point[axis] <= self.domain.high[axis]
        };
        if !(0..3).all(within) {
            return None;
        }
        let mut place = self.clusters.root.coordinates_on_level(0, point);
        let mut node = self.leaves.nodes[0];
        while node.children != NONE {
            let mut octant = 0;
            for axis in 0..3 {
                place[axis] *= 2.0;
                let upper = place[axis] >= 1.0;
                place[axis] -= f64::from(u8::from(upper));
                octant |= u32::from(upper) << axis;
            }
            node = self.leaves.nodes[(node.children + octant) as usize];
        }
        (node.leaf != NONE).then(|| (node.leaf, place.map(|x| x - 0.5)))
    }

    /// Returns the far-field winding numbers at four points of a leaf; the blocks of the remaining triangles are put
    /// into `near`.
    fn far_field(
        &self,
        leaf: u32,
        at: &HarmonicPoints,
        points: &HarmonicPoints,
        near: &mut Vec<Range<u32>>,
    ) -> [f64; LANES] {
        let mut parts = self.series.evaluate_local(self.expansions.leaf_coefficients(leaf), at);
        let around = self.leaves.near_field(leaf);
        near.clear();
        around.blocks.iter().for_each(|range| push_range(near, range.clone()));
        let by = (&self.series, &self.moments);
        self.near_field.evaluate(around.clusters, points, by, &mut parts, near);
        parts
    }

    fn sample(&self, point: &[f64; 3]) -> WindingSample {
        let look = match self.locate_leaf(point) {
            Some((leaf, at)) => {
                let mut near = Vec::new();
                let far = self.far_field(leaf, &at.map(splat), &point.map(splat), &mut near);
                let near = self.panels.sample(&near, point);
                WindingSample { winding: far[0] + near.winding, ..near }
            }
            None => {
                let (far, near) = self.far_field_evaluator().evaluate(point);
                let near = self.panels.sample(&near, point);
                WindingSample { winding: far + near.winding, ..near }
            }
        };
        self.resolved_sample(look, point)
    }

    /// Returns the sample itself, or the direct sum over all triangles if the error bound leaves a doubt.
    #[inline]
    fn resolved_sample(&self, look: WindingSample, point: &[f64; 3]) -> WindingSample {
        let from_half = (look.winding - look.winding.floor() - 0.5).abs();
        if from_half > self.error_bound() {
            look
        } else {
            self.panels.sample(&[self.panels.all_blocks()], point)
        }
    }

    /// Classifies some points: those of a leaf together, four by four.
    fn classify_batch(&self, points: &[Vector<3>], sides: &mut [Containment]) {
        let mut in_leaves: Vec<LeafPoint> = Vec::with_capacity(points.len());
        for ((number, point), side) in (0..).zip(points).zip(&mut *sides) {
            let Some(point) = self.panels.scaled_point(point) else { continue };
            match self.locate_leaf(&point) {
                Some((leaf, at)) => in_leaves.push(LeafPoint { leaf, number, point, offset: at }),
                None => *side = containment_of(self.rule, &self.sample(&point)),
            }
        }
        // Points next to each other have much the same near field.
        in_leaves.sort_unstable_by_key(|one| (one.leaf, octant_path(&one.offset), one.number));
        let mut near = Vec::new();
        for of_leaf in in_leaves.chunk_by(|a, b| a.leaf == b.leaf) {
            for four in of_leaf.chunks(LANES) {
                let looks = self.sample_in_leaf(four, &mut near);
                for (one, look) in four.iter().zip(looks) {
                    let look = self.resolved_sample(look, &one.point);
                    sides[one.number as usize] = containment_of(self.rule, &look);
                }
            }
        }
    }

    /// Samples one to four points of a leaf; the last one fills the missing lanes.
    fn sample_in_leaf(
        &self,
        some: &[LeafPoint],
        near: &mut Vec<Range<u32>>,
    ) -> [WindingSample; LANES] {
        let each: [&LeafPoint; LANES] = from_fn(|lane| &some[lane.min(some.len() - 1)]);
        let at = from_fn(|axis| from_fn(|lane| each[lane].offset[axis]));
        let points = from_fn(|axis| from_fn(|lane| each[lane].point[axis]));
        let far = self.far_field(each[0].leaf, &at, &points, near);
        let mut looks = if near.is_empty() {
            [WindingSample { winding: 0.0, on_surface: false }; LANES]
        } else {
            self.panels.sample_four(near, &each.map(|one| one.point))
        };
        looks.iter_mut().zip(far).for_each(|(look, far)| look.winding += far);
        looks
    }
}

/// Repeats a coordinate for four points.
fn splat(coordinate: f64) -> [f64; LANES] {
    [coordinate; LANES]
}

/// Returns the Morton path of a point in its leaf, three bits for each of four divisions.
fn octant_path(at: &[f64; 3]) -> u32 {
    let [x, y, z] = at.map(|x| ((x + 0.5) * 16.0) as u32 & 15);
    morton_index([z, y, x]) as u32
}

/// A point of the domain.
#[derive(Clone, Copy)]
struct LeafPoint {
    leaf: u32,
    /// Index among the points of the batch.
    number: u32,
    /// Position in the scale of the panels.
    point: [f64; 3],
    /// Position relative to the center of the leaf, in edges of the leaf.
    offset: [f64; 3],
}

impl InsideTest for Multipole {
    fn classify(&self, point: &Vector<3>) -> Containment {
        let Some(point) = self.panels.scaled_point(point) else { return Containment::Outside };
        containment_of(self.rule, &self.sample(&point))
    }

    fn classify_all(&self, points: &[Vector<3>]) -> Vec<Containment> {
        classify_in_parallel(points, |points, sides| self.classify_batch(points, sides))
    }

    fn bytes(&self) -> usize {
        let spreads: usize = self
            .radial_moments
            .iter()
            .map(|level| size_of::<ClusterRadialMoments>() * level.capacity())
            .sum();
        let trees = self.clusters.bytes() + self.leaves.bytes();
        let seen = self.panels.bytes() + self.near_field.bytes();
        trees + spreads + seen + self.moments.bytes() + self.expansions.bytes()
    }
}

fn cluster_radial_moments(
    clusters: &ClusterTree,
    panels: &Panels,
) -> Vec<Vec<ClusterRadialMoments>> {
    let of_level = |(level, level_clusters): (usize, &Vec<cluster_tree::Cluster>)| {
        let edge = clusters.root.edge_on_level(level);
        let spread = |cluster: &cluster_tree::Cluster| {
            ClusterRadialMoments::of_cluster(
                panels,
                cluster,
                clusters.root.box_center(level, cluster.cell),
                edge,
            )
        };
        level_clusters.par_iter().with_min_len(16).map(spread).collect()
    };
    clusters.levels.iter().enumerate().map(of_level).collect()
}

fn build_target_octree(
    clusters: &ClusterTree,
    spreads: &[Vec<ClusterRadialMoments>],
    domain: &Aabb<3>,
    finest: usize,
    separation: f64,
) -> TargetOctree {
    let reaches = |spreads: &Vec<ClusterRadialMoments>| {
        spreads.iter().map(|spread| near_distance_squared(separation, spread.radius)).collect()
    };
    let reach: Vec<Vec<f64>> = spreads.iter().map(reaches).collect();
    let (low, high) = (
        clusters.root.coordinates_on_level(0, &domain.low.into()),
        clusters.root.coordinates_on_level(0, &domain.high.into()),
    );
    let domain = [0, 1, 2].map(|axis| low[axis]..high[axis]);
    let areas = |(level, spreads): (usize, &Vec<ClusterRadialMoments>)| {
        let square = 0.25f64.powi(level as i32);
        spreads.iter().map(|spread| spread.area() * square).collect()
    };
    let areas: Vec<Vec<f64>> = spreads.iter().enumerate().map(areas).collect();
    TargetOctree::new(&OctreeSubdivision {
        clusters,
        near_distance_squared: &reach,
        areas: &areas,
        domain,
        finest,
    })
}
