//! The winding number by the fast multipole method of Muth, Of, Eberhard and Steinbach ("Collision
//! detection for complicated polyhedra using the fast multipole method or ray crossing", 2006), equations
//! 10 to 27.
//!
//! Triangles are gathered in boxes within boxes ([`tree`]); each box is described by moments ([`moments`]).
//! The domain of the points is divided in boxes of the same sizes ([`mod@places`]); moments of the boxes far
//! from one become its local expansion ([`convert`], [`translate`]). A point asks the expansion of its box
//! ([`expansions`]), sees boxes near it by their moments where these are good enough for the point itself
//! ([`nearby`]), and looks at the triangles of the rest ([`super::panels`]); four points of a box at once.
//!
//! What is different from the paper:
//! - Harmonics of negative order have a sign that equations 14 and 15 lack ([`harmonics`]).
//! - Equation 18 names the variable of integration like the point: in equation 17 its normal and gradient
//!   are those of the surface, as in equation 6, so that both sums have the same sign. Here the outside of
//!   a triangle is where its corners go round to the left, and the value inside is +1.
//! - The error is bounded with both truncations, and pair by pair ([`mod@bound`]).
//! - Moments are also seen from points ([`nearby`]), so that clusters may be much smaller than places; the
//!   paper looks at all triangles near a place. These may lose what conversions leave of the bound, shared by area.
//! - Triangles that are large for a box stay with a larger one, so any mesh may be used, and places with
//!   few triangles near are not divided.

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

/// The degree that is expected before it is known.
const EXPECTED_DEGREE: usize = 6;

/// What points see by moments may lose at least this part of what conversions may, and what these leave of a
/// wanted error; points out of the domain may lose this part. The bound of conversions is much wider than their
/// errors, more so than that of the rest.
const NEAR_FIELD_ERROR_SHARE: f64 = 0.01;

/// What rounding adds to the error.
const ROUNDING: f64 = 1e-12;

/// The generalized winding number, from expansions that are prepared once.
///
/// Gives what [`DoubleLayer`](super::DoubleLayer) gives, up to an error that is bounded, without looking at
/// every triangle. **To decide sides of a closed surface, methods that count crossings are quicker and
/// exact.** This one is for winding numbers of open or otherwise bad surfaces, for many points and more than
/// about a thousand triangles.
///
/// The bound ([`Multipole::error_bound`]) holds for every point and is wide; errors are some hundred times
/// smaller. On a sphere of 8192 triangles divided three times:
///
/// | separation | degree | bound | largest error | root mean square |
/// |---|---|---|---|---|
/// | 1.5 | 5 | 0.46 | 9e-4 | 1.2e-4 |
/// | 1.5 | 6 | 0.25 | 3e-4 | 4.5e-5 |
/// | 1.5 | 8 | 0.08 | 1e-4 | 1.1e-5 |
/// | 2 | 4 | 0.06 | 2e-4 | 4.4e-5 |
/// | 2 | 6 | 0.008 | 3e-5 | 4.6e-6 |
///
/// Points whose value is within the bound of one half (or of any other half, see [`Rule`]) are decided by
/// looking at all triangles, so that sides are those of [`DoubleLayer`](super::DoubleLayer). For sides the
/// bound should therefore be well below one half; for values alone it need not.
///
/// Preparing costs the fourth power of the degree for each box of points at the surface, and its square for
/// each triangle; many points at once ([`InsideTest::sides`]) are answered four by four. One thread's time of
/// the processor with usual settings, for a grid of points in the box around the surface (an EPYC that was busy
/// with other work too):
///
/// | surface | triangles | points | preparing, ms | a point, us |
/// |---|---|---|---|---|
/// | sphere | 2048 | 40^3 | 16 | 0.54 |
/// | sphere | 8192 | 20^3 | 15 | 1.0 |
/// | sphere | 131072 | 40^3 | 155 | 1.0 |
/// | foam | 487924 | 20^3 | 1150 | 12 |
///
/// ```
/// use carom_detect::inside::{Multipole, MultipoleOptions, Rule};
/// use carom_geometry::{Vector, mesh::TriangleMesh};
/// // A square cut in 1800 triangles, and how much of the view it fills from above its middle.
/// let along = |k: u32| f64::from(k) / 15.0 - 1.0;
/// let vertices = (0..31 * 31).map(|k| [along(k % 31), along(k / 31), 0.0].into()).collect();
/// let squares = (0..30 * 30).map(|k| k % 30 + k / 30 * 31);
/// let triangles = squares.flat_map(|k| [[k, k + 1, k + 31], [k + 1, k + 32, k + 31]]).collect();
/// let square = TriangleMesh::new(vertices, triangles)?;
/// let surface = Multipole::new(&square, Rule::Winding, &MultipoleOptions::default())?;
/// // From below, its outside is turned away; a cube has six such sides.
/// let value = surface.value(&Vector::from([0.0, 0.0, -1.0]));
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
    /// Prepares a surface.
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
        let mut clusters = ClusterTree::new(mesh, scale, root, deepest);
        let groups = std::mem::take(&mut clusters.groups);
        let panels = Panels::new(mesh, groups.iter().map(|group| &group[..]));
        let spreads = cluster_radial_moments(&clusters, &panels);
        let places = build_target_octree(&clusters, &spreads, &domain, finest, options.separation);
        let converted = |degree| error_bound(&places, &spreads, degree);
        let all = |degree| (1.0 + NEAR_FIELD_ERROR_SHARE) * converted(degree);
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

    /// The winding number, at most [`Multipole::error_bound`] off; zero if a coordinate is not finite.
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

    /// How far any value may be from the truth.
    pub fn error_bound(&self) -> f64 {
        self.bound + ROUNDING
    }

    /// The degree of the expansions.
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

    /// The leaf with a point, and where the point is in it, from its middle in edges of it.
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

    /// The parts of the view from four points of a leaf that are filled by what is far from each; the
    /// blocks of the rest are put into `near`.
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

    /// What is seen for certain: of all triangles if there is a doubt.
    #[inline]
    fn resolved_sample(&self, look: WindingSample, point: &[f64; 3]) -> WindingSample {
        let from_half = (look.winding - look.winding.floor() - 0.5).abs();
        if from_half > self.error_bound() {
            look
        } else {
            self.panels.sample(&[self.panels.all_blocks()], point)
        }
    }

    /// The sides of some points: those of a leaf together, four by four.
    fn classify_batch(&self, points: &[Vector<3>], sides: &mut [Containment]) {
        let mut in_leaves: Vec<LeafPoint> = Vec::with_capacity(points.len());
        for ((number, point), side) in (0..).zip(points).zip(&mut *sides) {
            let Some(point) = self.panels.scaled_point(point) else { continue };
            match self.locate_leaf(&point) {
                Some((leaf, at)) => in_leaves.push(LeafPoint { leaf, number, point, offset: at }),
                None => *side = containment_of(self.rule, &self.sample(&point)),
            }
        }
        // Points next to each other see much the same.
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

    /// What is seen from one to four points of a leaf; a last one may stand for those that are missing.
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

/// The same for four points.
fn splat(coordinate: f64) -> [f64; LANES] {
    [coordinate; LANES]
}

/// Where a point is in its leaf, three bits for each of four divisions.
fn octant_path(at: &[f64; 3]) -> u32 {
    let cell = at.map(|x| ((x + 0.5) * 16.0) as u32);
    (0..12).rev().fold(0, |bits, bit| bits << 1 | cell[bit % 3] >> (bit / 3) & 1)
}

/// A point of the domain.
#[derive(Clone, Copy)]
struct LeafPoint {
    leaf: u32,
    /// Its number among some.
    number: u32,
    /// As the panels have it.
    point: [f64; 3],
    /// From the middle of the leaf in edges of it.
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
