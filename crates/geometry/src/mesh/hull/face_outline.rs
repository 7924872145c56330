//! Outlines of the merged faces of a hull.

use super::HullTolerance;
use super::coplanar_regions::{CoplanarMerging, CoplanarRegions};
use super::half_edge_mesh::{HullHalfEdgeMesh, next_half_edge};
use crate::Vector;
use crate::mesh::polygon_normal;

/// After this many attempts only exactly coplanar triangles are merged.
const MAX_ATTEMPTS: usize = 8;

/// Largest slope of an edge against the plane of its face. A hill climb for the support vertex may stop too
/// early by this times the size of the body.
const MAX_SLOPE: f64 = 1e-10;

/// Returns one polygon for each region of coplanar triangles, in indices of the input and in order. Where
/// polygons would not form a convex polyhedron, less is merged.
pub(super) fn merged_faces(surface: &HullHalfEdgeMesh, tolerance: HullTolerance) -> Vec<Vec<u32>> {
    let mut joining = vec![CoplanarMerging::Full; surface.corners.len()];
    for attempt in 0.. {
        let regions = CoplanarRegions::grow(surface, &joining, tolerance);
        let outline = HullFaceOutline::new(surface, &regions, tolerance);
        let (mut faces, faults) = outline.faces(&joining);
        let is_last = attempt > MAX_ATTEMPTS;
        if faults.is_empty() || is_last {
            debug_assert_eq!(faces.len(), regions.count(), "planes of a convex body make faces");
            to_input_order(&mut faces, &surface.input_indices);
            return faces;
        }
        if attempt == MAX_ATTEMPTS {
            joining.fill(CoplanarMerging::Exact);
        } else {
            faults.iter().for_each(|&region| outline.reduce_merging(region, &mut joining));
        }
    }
    unreachable!("the last attempt returns")
}

fn to_input_order(faces: &mut [Vec<u32>], numbers: &[u32]) {
    for face in faces.iter_mut() {
        face.iter_mut().for_each(|vertex| *vertex = numbers[*vertex as usize]);
        let least = (0..face.len()).min_by_key(|&k| face[k]).unwrap_or(0);
        face.rotate_left(least);
    }
    // No two faces traverse an edge in the same direction, so the first edge identifies a face.
    faces.sort_by_cached_key(|face| [face[0], face[1]]);
}

struct HullFaceOutline<'a> {
    surface: &'a HullHalfEdgeMesh,
    regions: &'a CoplanarRegions,
    tolerance: HullTolerance,
    /// Number of borders between regions that end at each vertex; a corner has at least three.
    border_counts: Vec<u8>,
    /// A half edge from each vertex.
    outgoing: Vec<u32>,
}

/// An edge of a face.
struct HullFaceEdge {
    /// The vertices of the edge, the smaller first.
    ends: (u32, u32),
    face: u32,
    /// The corner before the edge, its two ends, and the corner after it.
    corners: [u32; 4],
}

impl<'a> HullFaceOutline<'a> {
    fn new(
        surface: &'a HullHalfEdgeMesh,
        regions: &'a CoplanarRegions,
        tolerance: HullTolerance,
    ) -> Self {
        let count = surface.positions.len();
        let mut outline = HullFaceOutline {
            surface,
            regions,
            tolerance,
            border_counts: vec![0; count],
            outgoing: vec![0; count],
        };
        for half_edge in surface.half_edges() {
            let origin = surface.origin(half_edge) as usize;
            outline.outgoing[origin] = half_edge;
            if outline.is_border(half_edge) {
                outline.border_counts[origin] = outline.border_counts[origin].saturating_add(1);
            }
        }
        outline
    }

    fn region(&self, half_edge: u32) -> u32 {
        self.regions.region_of[half_edge as usize / 3]
    }

    fn is_border(&self, half_edge: u32) -> bool {
        self.region(half_edge) != self.region(self.surface.twin(half_edge))
    }

    /// Returns all faces, and the regions that form no valid face.
    fn faces(&self, joining: &[CoplanarMerging]) -> (Vec<Vec<u32>>, Vec<u32>) {
        let (mut faces, mut faults) = (Vec::new(), Vec::new());
        let mut joined = false;
        for region in 0..self.regions.count() as u32 {
            let triangles = self.regions.triangles(region);
            let face = self.face(triangles);
            // Exactly coplanar triangles need no check for effects of rounding.
            let is_exact =
                triangles.len() == 1 || joining[triangles[0] as usize] == CoplanarMerging::Exact;
            joined |= triangles.len() > 1;
            match face {
                Some(face) if is_exact || self.is_convex(&face) => faces.push(face),
                _ => faults.push(region),
            }
        }
        if joined && faults.is_empty() {
            faults = self.non_convex_regions(&faces);
        }
        (faces, faults)
    }

    /// Returns the corners around a region, if it has a single border with at least three of them and the
    /// vertices left out between them lie on straight lines.
    fn face(&self, triangles: &[u32]) -> Option<Vec<u32>> {
        if let &[triangle] = triangles {
            let corners = self.surface.corners[triangle as usize];
            return corners.iter().all(|&corner| self.is_corner(corner)).then(|| corners.to_vec());
        }
        let half_edges = triangles.iter().flat_map(|&t| 3 * t..3 * t + 3);
        let borders: Vec<u32> = half_edges.filter(|&edge| self.is_border(edge)).collect();
        let start = *borders.iter().find(|&&edge| self.is_corner(self.surface.origin(edge)))?;
        let (mut face, mut between, mut count) = (Vec::new(), Vec::new(), 0);
        let mut edge = start;
        loop {
            count += 1;
            let origin = self.surface.origin(edge);
            if self.is_corner(origin) {
                if face.last().is_some_and(|&last| !self.is_straight(last, &between, origin)) {
                    return None;
                }
                between.clear();
                face.push(origin);
            } else {
                between.push(origin);
            }
            edge = self.next_border(edge);
            if edge == start {
                break;
            }
        }
        let is_closed = count == borders.len() && face.len() >= 3;
        let (first, last) = (*face.first()?, *face.last()?);
        (is_closed && self.is_straight(last, &between, first)).then_some(face)
    }

    fn is_corner(&self, vertex: u32) -> bool {
        self.border_counts[vertex as usize] >= 3
    }

    fn next_border(&self, half_edge: u32) -> u32 {
        let mut edge = next_half_edge(half_edge);
        while !self.is_border(edge) {
            edge = next_half_edge(self.surface.twin(edge));
        }
        edge
    }

    fn is_straight(&self, from: u32, between: &[u32], to: u32) -> bool {
        let place = |vertex: u32| self.surface.positions[vertex as usize];
        let (start, step) = (place(from), place(to) - place(from));
        let square = step.norm_squared();
        between.iter().all(|&vertex| {
            let aside = place(vertex) - start;
            let along = (aside.dot(&step) / square).clamp(0.0, 1.0);
            (aside - step * along).norm() <= 2.0 * self.tolerance.coplanarity_distance
        })
    }

    /// Returns whether a face turns left at every corner, is flat and has the whole hull below it, the latter
    /// to within a few tolerances.
    fn is_convex(&self, face: &[u32]) -> bool {
        let flat = self.tolerance.coplanarity_distance;
        let place = |k: usize| self.surface.positions[face[k % face.len()] as usize];
        let normal = polygon_normal(&self.surface.positions, face).normalize();
        let heights = (0..face.len()).map(|k| normal.dot(&(place(k) - place(0))));
        let lowest = heights.clone().fold(f64::INFINITY, f64::min);
        let highest = heights.fold(f64::NEG_INFINITY, f64::max);
        let turns_left = |k: usize| {
            let chord = place(k + 2) - place(k);
            let outwards = chord.cross(&normal);
            outwards.dot(&(place(k + 1) - place(k))) > 0.0
        };
        let is_level = |k: usize| {
            let step = place(k + 1) - place(k);
            normal.dot(&step).abs() <= MAX_SLOPE * step.norm()
        };
        highest - lowest <= 4.0 * flat
            && (0..face.len()).all(is_level)
            && (0..face.len()).all(turns_left)
            && self.support_height(&normal, face[0]) <= highest + 2.0 * flat
    }

    /// Returns how far the hull extends beyond a vertex along a normal, by a hill climb from that vertex.
    fn support_height(&self, normal: &Vector<3>, start: u32) -> f64 {
        let base = self.surface.positions[start as usize];
        let height = |vertex: u32| normal.dot(&(self.surface.positions[vertex as usize] - base));
        let (mut here, mut reached) = (start, 0.0);
        loop {
            let first = self.outgoing[here as usize];
            let (mut edge, mut higher) = (first, here);
            loop {
                let neighbor = self.surface.origin(next_half_edge(edge));
                if height(neighbor) > reached {
                    (higher, reached) = (neighbor, height(neighbor));
                }
                edge = next_half_edge(self.surface.twin(edge));
                if edge == first {
                    break;
                }
            }
            if higher == here {
                return reached;
            }
            here = higher;
        }
    }

    /// Returns the faces at edges that are not convex, and those with an edge that does not belong to exactly
    /// two faces; there is one face for each region. Only merged regions and their neighbors are examined.
    fn non_convex_regions(&self, faces: &[Vec<u32>]) -> Vec<u32> {
        let mut normals = vec![Vector::zeros(); faces.len()];
        let is_joined = |face: u32| self.regions.triangles(face).len() > 1;
        let mut edges: Vec<HullFaceEdge> = Vec::new();
        for (number, face) in faces.iter().enumerate() {
            if !is_joined(number as u32) && !self.neighbors(number as u32).any(is_joined) {
                continue;
            }
            normals[number] = polygon_normal(&self.surface.positions, face);
            for k in 0..face.len() {
                let corner = |offset: usize| face[(k + offset) % face.len()];
                let (from, to) = (corner(0), corner(1));
                let ends = (from.min(to), from.max(to));
                let beside = [corner(face.len() - 1), from, to, corner(2)];
                edges.push(HullFaceEdge { ends, face: number as u32, corners: beside });
            }
        }
        edges.sort_unstable_by_key(|edge| (edge.ends, edge.face));
        let mut faults = Vec::new();
        for group in edges.chunk_by(|a, b| a.ends == b.ends) {
            let is_sound = match group {
                [one] => !is_joined(one.face),
                [one, other] => {
                    self.is_below_face(&normals[one.face as usize], other)
                        && self.is_below_face(&normals[other.face as usize], one)
                }
                _ => false,
            };
            if !is_sound {
                faults.extend(group.iter().map(|edge| edge.face));
            }
        }
        faults
    }

    /// Returns whether a face descends from its edge, below the plane of the face on the other side.
    fn is_below_face(&self, normal: &Vector<3>, edge: &HullFaceEdge) -> bool {
        let [before, from, to, after] =
            edge.corners.map(|vertex| self.surface.positions[vertex as usize]);
        normal.dot(&(before - from)) < 0.0 && normal.dot(&(after - to)) < 0.0
    }

    /// Iterates over the regions of all triangles adjacent to those of a region, its own included.
    fn neighbors(&self, region: u32) -> impl Iterator<Item = u32> {
        let half_edges = self.regions.triangles(region).iter().flat_map(|&t| 3 * t..3 * t + 3);
        half_edges.map(|edge| self.region(self.surface.twin(edge)))
    }

    /// Merges less in a region, or around it if nothing is merged in it.
    fn reduce_merging(&self, region: u32, joining: &mut [CoplanarMerging]) {
        let triangles = self.regions.triangles(region);
        let is_bound = |triangle: u32| joining[triangle as usize] != CoplanarMerging::Exact;
        let itself = triangles.len() > 1 && is_bound(triangles[0]);
        let mut regions = vec![region];
        if !itself {
            regions.extend(self.neighbors(region));
        }
        for region in regions {
            for &triangle in self.regions.triangles(region) {
                joining[triangle as usize] = joining[triangle as usize].stricter();
            }
        }
    }
}
