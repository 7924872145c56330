//! The winding number by the fast multipole method of Muth, Of, Eberhard and Steinbach ("Collision
//! detection for complicated polyhedra using the fast multipole method or ray crossing", 2006), equations
//! 10 to 27.
//!
//! Triangles are gathered in boxes within boxes ([`tree`]); each box is described by moments ([`moments`]).
//! The domain of the points is divided in boxes of the same sizes ([`mod@places`]); moments of the boxes far
//! from one become its local expansion ([`convert`], [`translate`]). A point asks the expansion of its box
//! ([`expansions`]) and looks at the triangles near it ([`super::panels`]).
//!
//! What is different from the paper:
//! - Harmonics of negative order have a sign that equations 14 and 15 lack ([`harmonics`]).
//! - Equation 18 names the variable of integration like the point: in equation 17 its normal and gradient
//!   are those of the surface, as in equation 6, so that both sums have the same sign. Here the outside of
//!   a triangle is where its corners go round to the left, and the value inside is +1.
//! - The error is bounded with both truncations, and pair by pair ([`mod@bound`]).
//! - Triangles that are large for a box stay with a larger one, so any mesh may be used, and places with
//!   few triangles near are not divided.

mod bound;
mod convert;
mod cost;
mod expansions;
mod harmonics;
mod matrix;
mod moments;
mod options;
mod outside;
mod places;
mod spread;
#[cfg(test)]
mod tests;
mod translate;
mod tree;
mod triangle_moments;

pub use options::{Accuracy, Depth, MultipoleError, MultipoleOptions};

use super::double_layer::side_of;
use super::panels::{Look, Panels, scale_of};
use super::{InsideTest, Rule, Side};
use bound::{bound, degree_for};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Aabb, Vector};
use cost::finest_level;
use expansions::Expansions;
use moments::Moments;
use outside::FromAfar;
use places::{Division, Leaves, NONE, PlaceTree, reach};
use rayon::prelude::*;
use spread::Spread;
use tree::{ClusterTree, Root};

/// The degree that is expected before it is known.
const USUAL_DEGREE: usize = 6;

/// What rounding adds to the error.
const ROUNDING: f64 = 1e-12;

/// The generalised winding number, from expansions that are prepared once.
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
/// | 1.5 | 5 | 0.45 | 9e-4 | 1.0e-4 |
/// | 1.5 | 6 | 0.25 | 3e-4 | 3.9e-5 |
/// | 1.5 | 8 | 0.08 | 1e-4 | 6.1e-6 |
/// | 2 | 4 | 0.06 | 3e-4 | 4.9e-5 |
/// | 2 | 6 | 0.008 | 3e-5 | |
///
/// Points whose value is within the bound of one half (or of any other half, see [`Rule`]) are decided by
/// looking at all triangles, so that sides are those of [`DoubleLayer`](super::DoubleLayer). For sides the
/// bound should therefore be well below one half; for values alone it need not.
///
/// Preparing costs the fourth power of the degree for each box at the surface; a point near the surface
/// costs as much as hundred to four hundred triangles. On a sphere, with a grid of points in the box around
/// it, by one thread, in microseconds per point with preparation, the better of both depths (processor time of
/// a Xeon at 2.3 GHz that was busy with other work too; `cargo xtask bench inside` measures some of it again):
///
/// | triangles | points | every triangle | degree 5, separation 1.5 | bound 0.3 | bound 0.01, separation 2 |
/// |---|---|---|---|---|---|
/// | 2048 | 20^3 | 6.2 | 1.5 | 2.2 | 3.8 |
/// | 8192 | 20^3 | 24 | 2.7 | 3.4 | 5.7 |
/// | 32768 | 40^3 | 110 | 1.9 | 2.3 | 5.2 |
/// | 131072 | 40^3 | 422 | 4.9 | 5.4 | 20 |
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
    spreads: Vec<Vec<Spread>>,
    moments: Moments,
    leaves: Leaves,
    expansions: Expansions,
    domain: Aabb<3>,
    degree: usize,
    bound: f64,
    rule: Rule,
}

impl Multipole {
    /// Prepares a surface.
    pub fn new(
        mesh: &TriangleMesh,
        rule: Rule,
        options: &MultipoleOptions,
    ) -> Result<Self, MultipoleError> {
        options.check()?;
        let scale = scale_of(mesh);
        let surface = mesh.bounds();
        let domain = options.domain.unwrap_or(surface);
        let both = surface.including(&domain.low).including(&domain.high);
        let scaled = |bounds: Aabb<3>| Aabb { low: bounds.low * scale, high: bounds.high * scale };
        let root = Root::around(&scaled(both));
        let domain = scaled(domain);
        let expected_degree = match options.accuracy {
            Accuracy::Degree(degree) => degree,
            Accuracy::Error(_) => USUAL_DEGREE,
        };
        let finest = finest_level(
            options.depth,
            mesh.triangles().len(),
            expected_degree,
            options.separation,
        );
        let mut clusters = ClusterTree::new(mesh, scale, root, finest);
        let groups = std::mem::take(&mut clusters.groups);
        let panels = Panels::new(mesh, groups.iter().map(|group| &group[..]));
        let spreads = spreads(&clusters, &panels);
        let places = places(&clusters, &spreads, &domain, finest, options.separation);
        let (degree, bound) = match options.accuracy {
            Accuracy::Degree(degree) => (degree, bound(&places, &spreads, degree)),
            Accuracy::Error(wanted) => degree_for(wanted, &places, &spreads).map_err(|bound| {
                MultipoleError::OutOfReach { wanted, separation: options.separation, bound }
            })?,
        };
        let moments = Moments::new(&clusters, &panels, degree);
        let expansions = Expansions::new(&places, &moments, degree);
        Ok(Multipole {
            panels,
            clusters,
            spreads,
            moments,
            leaves: places.leaves,
            expansions,
            domain,
            degree,
            bound,
            rule,
        })
    }

    /// The winding number, at most [`Multipole::error_bound`] off; zero if a coordinate is not finite.
    pub fn value(&self, point: &Vector<3>) -> f64 {
        let Some(point) = self.panels.scaled(point) else { return 0.0 };
        match self.leaf(&point) {
            Some((leaf, at)) => {
                let near = self.leaves.near(leaf);
                let nearby = if near.is_empty() { 0.0 } else { self.panels.part(near, &point) };
                self.expansions.value(leaf, at) + nearby
            }
            None => {
                let (far, near) = self.afar().value(&point);
                far + self.panels.part(&near, &point)
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

    fn afar(&self) -> FromAfar<'_> {
        let area = self.spreads[0][0].area() * self.clusters.root.edge.powi(2);
        FromAfar {
            clusters: &self.clusters,
            spreads: &self.spreads,
            moments: &self.moments,
            degree: self.degree,
            allowed: self.bound.max(ROUNDING) / area.max(f64::MIN_POSITIVE),
        }
    }

    /// The leaf with a point, and where the point is in it, from its middle in edges of it.
    #[inline]
    fn leaf(&self, point: &[f64; 3]) -> Option<(u32, [f64; 3])> {
        let within = |axis: usize| {
            self.domain.low[axis] <= point[axis] && point[axis] <= self.domain.high[axis]
        };
        if !(0..3).all(within) {
            return None;
        }
        let mut place = self.clusters.root.on_level(0, point);
        let mut node = self.leaves.nodes[0];
        while node.sons != NONE {
            let mut octant = 0;
            for axis in 0..3 {
                place[axis] *= 2.0;
                let upper = place[axis] >= 1.0;
                place[axis] -= f64::from(u8::from(upper));
                octant |= u32::from(upper) << axis;
            }
            node = self.leaves.nodes[(node.sons + octant) as usize];
        }
        (node.leaf != NONE).then(|| (node.leaf, place.map(|x| x - 0.5)))
    }

    fn look(&self, point: &[f64; 3]) -> Look {
        let look = match self.leaf(point) {
            Some((leaf, at)) => {
                let far = self.expansions.value(leaf, at);
                let near = self.leaves.near(leaf);
                if near.is_empty() {
                    Look { part: far, on_surface: false }
                } else {
                    let near = self.panels.look(near, point);
                    Look { part: far + near.part, ..near }
                }
            }
            None => {
                let (far, near) = self.afar().value(point);
                let near = self.panels.look(&near, point);
                Look { part: far + near.part, ..near }
            }
        };
        let from_half = (look.part - look.part.floor() - 0.5).abs();
        if from_half > self.error_bound() {
            look
        } else {
            self.panels.look(&[self.panels.all()], point)
        }
    }
}

impl InsideTest for Multipole {
    fn side(&self, point: &Vector<3>) -> Side {
        let Some(point) = self.panels.scaled(point) else { return Side::Outside };
        side_of(self.rule, &self.look(&point))
    }

    fn bytes(&self) -> usize {
        let spreads: usize =
            self.spreads.iter().map(|level| size_of::<Spread>() * level.capacity()).sum();
        let trees = self.clusters.bytes() + self.leaves.bytes();
        trees + spreads + self.panels.bytes() + self.moments.bytes() + self.expansions.bytes()
    }
}

fn spreads(clusters: &ClusterTree, panels: &Panels) -> Vec<Vec<Spread>> {
    let of_level = |(level, level_clusters): (usize, &Vec<tree::Cluster>)| {
        let edge = clusters.root.edge_on(level);
        let spread = |cluster: &tree::Cluster| {
            Spread::of(panels, cluster, clusters.root.middle(level, cluster.cell), edge)
        };
        level_clusters.par_iter().with_min_len(16).map(spread).collect()
    };
    clusters.levels.iter().enumerate().map(of_level).collect()
}

fn places(
    clusters: &ClusterTree,
    spreads: &[Vec<Spread>],
    domain: &Aabb<3>,
    finest: usize,
    separation: f64,
) -> PlaceTree {
    let reaches = |spreads: &Vec<Spread>| {
        spreads.iter().map(|spread| reach(separation, spread.radius)).collect()
    };
    let reach: Vec<Vec<f64>> = spreads.iter().map(reaches).collect();
    let (low, high) = (
        clusters.root.on_level(0, &domain.low.into()),
        clusters.root.on_level(0, &domain.high.into()),
    );
    let domain = [0, 1, 2].map(|axis| low[axis]..high[axis]);
    PlaceTree::new(&Division { clusters, reach: &reach, domain, finest })
}
