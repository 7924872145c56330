//! Regions of triangles that are coplanar to within the tolerance and become one face.

use super::HullTolerance;
use super::half_edge_mesh::{HullHalfEdgeMesh, next_half_edge, side_of_plane};
use crate::Vector;
use crate::predicates::triangle_normal;
use std::cmp::Ordering;

/// Marks a triangle that is in no region yet.
const NO_REGION: u32 = u32::MAX;

/// Tolerance with which nearly coplanar triangles are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CoplanarMerging {
    /// Merges what is coplanar to within the tolerance.
    Full,
    /// Merges what is coplanar to within a sixteenth of the tolerance.
    Reduced,
    /// Merges only what is exactly coplanar.
    Exact,
}

impl CoplanarMerging {
    pub fn stricter(self) -> Self {
        if self == CoplanarMerging::Full {
            CoplanarMerging::Reduced
        } else {
            CoplanarMerging::Exact
        }
    }
}

/// A partition of all triangles into regions.
pub(super) struct CoplanarRegions {
    /// Number of the region to which each triangle belongs.
    pub region_of: Vec<u32>,
    /// The triangles of all regions, region by region.
    triangles: Vec<u32>,
    /// Start of each region in `triangles`, and the end of the last.
    region_starts: Vec<u32>,
}

struct CoplanarRegionPlane {
    /// Heights are measured from here: far from the origin they would be rounded too coarsely.
    base: Vector<3>,
    normal: Vector<3>,
    height: f64,
}

impl CoplanarRegions {
    pub fn count(&self) -> usize {
        self.region_starts.len() - 1
    }

    pub fn triangles(&self, region: u32) -> &[u32] {
        let region = region as usize;
        &self.triangles
            [self.region_starts[region] as usize..self.region_starts[region + 1] as usize]
    }

    /// Grows regions from the largest triangles, whose planes are the most accurate.
    pub fn grow(
        surface: &HullHalfEdgeMesh,
        joining: &[CoplanarMerging],
        tolerance: HullTolerance,
    ) -> Self {
        let normals: Vec<Vector<3>> = surface
            .triangles()
            .map(|triangle| {
                let [a, b, c] = surface.triangle_positions(triangle);
                triangle_normal(a, b, c)
            })
            .collect();
        let mut growth = CoplanarRegionGrowing {
            surface,
            merging: joining,
            tolerance,
            mergeable: find_mergeable_triangles(surface, &normals, tolerance),
            normals,
            last_visit: vec![0; surface.corners.len()],
            visit: 0,
            regions: CoplanarRegions {
                region_of: vec![NO_REGION; surface.corners.len()],
                triangles: Vec::with_capacity(surface.corners.len()),
                region_starts: vec![0],
            },
        };
        growth.grow_all();
        growth.regions
    }
}

/// Returns whether each triangle is near the plane of a neighbor, or so thin that its own plane is uncertain.
fn find_mergeable_triangles(
    surface: &HullHalfEdgeMesh,
    normals: &[Vector<3>],
    tolerance: HullTolerance,
) -> Vec<bool> {
    let mut flat = vec![false; normals.len()];
    for half_edge in surface.half_edges() {
        let (here, mate) = (half_edge / 3, surface.twin(half_edge));
        let normal = &normals[here as usize];
        let base = &surface.positions[surface.origin(half_edge) as usize];
        let beyond = &surface.positions[surface.opposite_vertex(mate) as usize];
        let edge = surface.positions[surface.origin(next_half_edge(half_edge)) as usize] - base;
        let length = normal.norm();
        let is_flat =
            normal.dot(&(beyond - base)).abs() <= 4.0 * tolerance.coplanarity_distance * length;
        if is_flat || length <= 4.0 * tolerance.coplanarity_distance * edge.norm() {
            flat[here as usize] = true;
            flat[mate as usize / 3] = true;
        }
    }
    flat
}

struct CoplanarRegionGrowing<'a> {
    surface: &'a HullHalfEdgeMesh,
    merging: &'a [CoplanarMerging],
    tolerance: HullTolerance,
    normals: Vec<Vector<3>>,
    /// Whether each triangle may be merged with a neighbor.
    mergeable: Vec<bool>,
    /// Number of the flood fill that last visited each triangle.
    last_visit: Vec<u32>,
    visit: u32,
    regions: CoplanarRegions,
}

impl CoplanarRegionGrowing<'_> {
    fn grow_all(&mut self) {
        let mut seeds: Vec<u32> = Vec::new();
        for triangle in self.surface.triangles() {
            if self.mergeable[triangle as usize] {
                seeds.push(triangle);
            } else {
                self.assign_region(&[triangle]);
            }
        }
        let area = |seed: &u32| self.normals[*seed as usize].norm_squared();
        seeds.sort_by(|a, b| area(b).total_cmp(&area(a)));
        for seed in seeds {
            if self.regions.region_of[seed as usize] == NO_REGION {
                let region = match self.merging[seed as usize] {
                    CoplanarMerging::Exact => {
                        self.flood_fill(seed, |this, edge| this.is_exactly_coplanar(edge))
                    }
                    _ => self.grow_coplanar_region(seed),
                };
                self.assign_region(&region);
            }
        }
    }

    fn assign_region(&mut self, region: &[u32]) {
        let number = self.regions.count() as u32;
        region.iter().for_each(|&triangle| self.regions.region_of[triangle as usize] = number);
        self.regions.triangles.extend_from_slice(region);
        self.regions.region_starts.push(self.regions.triangles.len() as u32);
    }

    /// Returns the coplanar region around a triangle: first in its own plane, then in the mean plane of the
    /// region found, which is more accurate if the triangle is thin.
    fn grow_coplanar_region(&mut self, seed: u32) -> Vec<u32> {
        let mut region = vec![seed];
        for _ in 0..3 {
            let plane = self.mean_plane(&region);
            let wider =
                self.flood_fill(seed, |this, edge| this.is_within_plane_tolerance(edge, &plane));
            if wider.len() <= region.len() {
                break;
            }
            region = wider;
        }
        region
    }

    /// Returns all free triangles that can be reached from a seed across half edges for which `crosses` holds.
    fn flood_fill(&mut self, seed: u32, crosses: impl Fn(&Self, u32) -> bool) -> Vec<u32> {
        self.visit += 1;
        self.last_visit[seed as usize] = self.visit;
        let mut region = vec![seed];
        let mut done = 0;
        while let Some(&triangle) = region.get(done) {
            done += 1;
            for half_edge in 3 * triangle..3 * triangle + 3 {
                let beyond = self.surface.twin(half_edge) / 3;
                let is_free = self.regions.region_of[beyond as usize] == NO_REGION
                    && self.last_visit[beyond as usize] != self.visit;
                if is_free && crosses(self, half_edge) {
                    self.last_visit[beyond as usize] = self.visit;
                    region.push(beyond);
                }
            }
        }
        region
    }

    fn mean_plane(&self, region: &[u32]) -> CoplanarRegionPlane {
        let normals = region.iter().map(|&triangle| self.normals[triangle as usize]);
        let normal = normals.sum::<Vector<3>>().normalize();
        let base = *self.surface.triangle_positions(region[0])[0];
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for &triangle in region {
            for place in self.surface.triangle_positions(triangle) {
                let height = normal.dot(&(place - base));
                (low, high) = (low.min(height), high.max(height));
            }
        }
        CoplanarRegionPlane { base, normal, height: 0.5 * (low + high) }
    }

    /// Returns whether the triangle beyond a half edge lies in a plane to within the tolerance and faces the
    /// same side.
    fn is_within_plane_tolerance(&self, half_edge: u32, plane: &CoplanarRegionPlane) -> bool {
        let beyond = self.surface.twin(half_edge) / 3;
        let distance = match self.merging[beyond as usize] {
            CoplanarMerging::Full => self.tolerance.coplanarity_distance,
            CoplanarMerging::Reduced => self.tolerance.coplanarity_distance / 16.0,
            CoplanarMerging::Exact => return false,
        };
        let is_near = |place: &Vector<3>| {
            (plane.normal.dot(&(place - plane.base)) - plane.height).abs() <= distance
        };
        self.normals[beyond as usize].dot(&plane.normal) > 0.0
            && self.surface.triangle_positions(beyond).into_iter().all(is_near)
    }

    fn is_exactly_coplanar(&self, half_edge: u32) -> bool {
        let mate = self.surface.twin(half_edge);
        let [a, b, c] = self.surface.triangle_positions(half_edge / 3);
        let beyond = &self.surface.positions[self.surface.opposite_vertex(mate) as usize];
        self.merging[mate as usize / 3] == CoplanarMerging::Exact
            && side_of_plane([a, b, c, beyond]) == Ordering::Equal
    }
}
