//! The winding number by the fast multipole method (Muth, Of, Eberhard and Steinbach, 2006).

mod bound;
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
use places::{Division, NONE, PlaceTree, reach};
use rayon::prelude::*;
use spread::Spread;
use tree::{ClusterTree, Root};

/// The degree that is expected before it is known.
const USUAL_DEGREE: usize = 6;

/// What rounding adds to the error.
const ROUNDING: f64 = 1e-12;

/// The generalised winding number from expansions prepared once.
#[derive(Clone, Debug)]
pub struct Multipole {
    panels: Panels,
    clusters: ClusterTree,
    spreads: Vec<Vec<Spread>>,
    moments: Moments,
    places: PlaceTree,
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
        let finest = finest_level(options.depth, mesh.triangles().len(), expected_degree);
        let clusters = ClusterTree::new(mesh, scale, root, finest);
        let panels = Panels::new(mesh, clusters.groups.iter().map(|group| &group[..]));
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
            places,
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
                let near = self.places.near(leaf);
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

    /// Counts of preparation, for measurements.
    #[doc(hidden)]
    pub fn counts(&self) -> [usize; 5] {
        let pairs = self.places.levels.iter().map(|level| level.pairs.len()).sum();
        let near: usize =
            self.places.near.iter().map(|range| (range.end - range.start) as usize * 4).sum();
        [self.clusters.levels.len(), self.places.levels.len(), self.places.ends.len(), pairs, near]
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
        let mut node = self.places.nodes[0];
        while node.sons != NONE {
            let mut octant = 0;
            for axis in 0..3 {
                place[axis] *= 2.0;
                let upper = place[axis] >= 1.0;
                place[axis] -= f64::from(u8::from(upper));
                octant |= u32::from(upper) << axis;
            }
            node = self.places.nodes[(node.sons + octant) as usize];
        }
        (node.leaf != NONE).then(|| (node.leaf, place.map(|x| x - 0.5)))
    }

    fn look(&self, point: &[f64; 3]) -> Look {
        let look = match self.leaf(point) {
            Some((leaf, at)) => {
                let far = self.expansions.value(leaf, at);
                let near = self.places.near(leaf);
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
        self.panels.bytes() + self.moments.bytes() + self.expansions.bytes()
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
