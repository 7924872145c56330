//! Which triangles make one face: regions that are flat to within rounding.

use super::Tolerance;
use super::surface::{Surface, next, side};
use crate::Vector;
use crate::predicates::triangle_normal;
use std::cmp::Ordering;

/// In no region yet.
const NONE: u32 = u32::MAX;

/// How much a triangle is joined with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joining {
    /// To within the tolerance.
    Full,
    /// To within a sixteenth of it.
    Little,
    /// Where triangles lie in one plane exactly.
    Exact,
}

impl Joining {
    pub fn less(self) -> Self {
        if self == Joining::Full { Joining::Little } else { Joining::Exact }
    }
}

/// A parting of all triangles.
pub(super) struct Regions {
    /// Of each triangle its region.
    pub of: Vec<u32>,
    /// The triangles of all regions one after the other.
    triangles: Vec<u32>,
    /// Where those of each region begin, and where those of the last end.
    first: Vec<u32>,
}

struct Plane {
    /// Heights are counted from here: far from the origin they would be rounded too much.
    base: Vector<3>,
    normal: Vector<3>,
    height: f64,
}

impl Regions {
    pub fn count(&self) -> usize {
        self.first.len() - 1
    }

    pub fn triangles(&self, region: u32) -> &[u32] {
        let region = region as usize;
        &self.triangles[self.first[region] as usize..self.first[region + 1] as usize]
    }

    /// Regions grow from the largest triangles, whose planes are the most certain.
    pub fn grown(surface: &Surface, joining: &[Joining], tolerance: Tolerance) -> Self {
        let normals: Vec<Vector<3>> = surface
            .triangles()
            .map(|triangle| {
                let [a, b, c] = surface.places_of(triangle);
                triangle_normal(a, b, c)
            })
            .collect();
        let mut growth = Growth {
            surface,
            joining,
            tolerance,
            flat: flat_edges(surface, &normals, tolerance),
            normals,
            looked_at: vec![0; surface.corners.len()],
            look: 0,
            regions: Regions {
                of: vec![NONE; surface.corners.len()],
                triangles: Vec::with_capacity(surface.corners.len()),
                first: vec![0],
            },
        };
        growth.grow_all();
        growth.regions
    }
}

/// Whether each triangle is anywhere near the plane of a neighbour or so thin that it has none.
fn flat_edges(surface: &Surface, normals: &[Vector<3>], tolerance: Tolerance) -> Vec<bool> {
    let mut flat = vec![false; normals.len()];
    for half_edge in surface.half_edges() {
        let (here, mate) = (half_edge / 3, surface.mate(half_edge));
        let normal = &normals[here as usize];
        let base = &surface.places[surface.origin(half_edge) as usize];
        let beyond = &surface.places[surface.opposite(mate) as usize];
        let edge = surface.places[surface.origin(next(half_edge)) as usize] - base;
        let length = normal.norm();
        let is_flat = normal.dot(&(beyond - base)).abs() <= 4.0 * tolerance.flat * length;
        if is_flat || length <= 4.0 * tolerance.flat * edge.norm() {
            flat[here as usize] = true;
            flat[mate as usize / 3] = true;
        }
    }
    flat
}

struct Growth<'a> {
    surface: &'a Surface,
    joining: &'a [Joining],
    tolerance: Tolerance,
    normals: Vec<Vector<3>>,
    /// Triangles that may have company.
    flat: Vec<bool>,
    /// In which look at its surroundings a triangle was last met.
    looked_at: Vec<u32>,
    look: u32,
    regions: Regions,
}

impl Growth<'_> {
    fn grow_all(&mut self) {
        let mut seeds: Vec<u32> = Vec::new();
        for triangle in self.surface.triangles() {
            if self.flat[triangle as usize] {
                seeds.push(triangle);
            } else {
                self.settle(&[triangle]);
            }
        }
        let area = |seed: &u32| self.normals[*seed as usize].norm_squared();
        seeds.sort_by(|a, b| area(b).total_cmp(&area(a)));
        for seed in seeds {
            if self.regions.of[seed as usize] == NONE {
                let region = match self.joining[seed as usize] {
                    Joining::Exact => self.connected(seed, |this, edge| this.in_one_plane(edge)),
                    _ => self.flat_around(seed),
                };
                self.settle(&region);
            }
        }
    }

    fn settle(&mut self, region: &[u32]) {
        let number = self.regions.count() as u32;
        region.iter().for_each(|&triangle| self.regions.of[triangle as usize] = number);
        self.regions.triangles.extend_from_slice(region);
        self.regions.first.push(self.regions.triangles.len() as u32);
    }

    /// What is flat around a triangle: first in its own plane, then in the mean plane of what was
    /// found, which is more certain where the triangle is thin.
    fn flat_around(&mut self, seed: u32) -> Vec<u32> {
        let mut region = vec![seed];
        for _ in 0..3 {
            let plane = self.mean_plane(&region);
            let wider = self.connected(seed, |this, edge| this.joins(edge, &plane));
            if wider.len() <= region.len() {
                break;
            }
            region = wider;
        }
        region
    }

    /// All free triangles that can be reached from a seed across half edges that `crosses`.
    fn connected(&mut self, seed: u32, crosses: impl Fn(&Self, u32) -> bool) -> Vec<u32> {
        self.look += 1;
        self.looked_at[seed as usize] = self.look;
        let mut region = vec![seed];
        let mut done = 0;
        while let Some(&triangle) = region.get(done) {
            done += 1;
            for half_edge in 3 * triangle..3 * triangle + 3 {
                let beyond = self.surface.mate(half_edge) / 3;
                let is_free = self.regions.of[beyond as usize] == NONE
                    && self.looked_at[beyond as usize] != self.look;
                if is_free && crosses(self, half_edge) {
                    self.looked_at[beyond as usize] = self.look;
                    region.push(beyond);
                }
            }
        }
        region
    }

    fn mean_plane(&self, region: &[u32]) -> Plane {
        let normals = region.iter().map(|&triangle| self.normals[triangle as usize]);
        let normal = normals.sum::<Vector<3>>().normalize();
        let base = *self.surface.places_of(region[0])[0];
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for &triangle in region {
            for place in self.surface.places_of(triangle) {
                let height = normal.dot(&(place - base));
                (low, high) = (low.min(height), high.max(height));
            }
        }
        Plane { base, normal, height: 0.5 * (low + high) }
    }

    /// Whether the triangle beyond a half edge lies in a plane to within the tolerance, its outer side
    /// up.
    fn joins(&self, half_edge: u32, plane: &Plane) -> bool {
        let beyond = self.surface.mate(half_edge) / 3;
        let distance = match self.joining[beyond as usize] {
            Joining::Full => self.tolerance.flat,
            Joining::Little => self.tolerance.flat / 16.0,
            Joining::Exact => return false,
        };
        let is_near = |place: &Vector<3>| {
            (plane.normal.dot(&(place - plane.base)) - plane.height).abs() <= distance
        };
        self.normals[beyond as usize].dot(&plane.normal) > 0.0
            && self.surface.places_of(beyond).into_iter().all(is_near)
    }

    fn in_one_plane(&self, half_edge: u32) -> bool {
        let mate = self.surface.mate(half_edge);
        let [a, b, c] = self.surface.places_of(half_edge / 3);
        let beyond = &self.surface.places[self.surface.opposite(mate) as usize];
        self.joining[mate as usize / 3] == Joining::Exact
            && side([a, b, c, beyond]) == Ordering::Equal
    }
}
