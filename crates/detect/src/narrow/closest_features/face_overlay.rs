//! The overlay of the faces of two bodies, projected along the normal: the parts in which a face of one lies over a
//! face of the other.
//!
//! A breadth-first search begins with the faces at the closest points and crosses the edges of each part to the next
//! ones, as far as the bodies are nearer than the reach. That region is convex, hence connected: the search misses
//! no part, and visits only faces that press or border on one that does.

use super::FeatureVertices;
use super::clip_polygon::{AffineFunction, CUT_EDGE, ClipEdge, ClipPolygon, ClipVertex, bounds};
use super::face_caps::{MIN_FACE_COSINE, TangentPlaneFrame};
use super::mean_depth::DepthIntegrals;
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use std::ops::Range;

/// The largest number of faces of a body that are considered, the nearest first: more press only on bodies far finer
/// than what they press on.
const MAX_FACES: usize = 64;

/// Buffers reused from query to query, so that nothing is allocated.
pub(super) struct OverlayBuffers {
    /// The faces of each body that have been visited, and their projections.
    faces: [Vec<u32>; 2],
    overlay_faces: [Vec<OverlayFace>; 2],
    /// The outlines of all visited faces; the label of an edge is its index here. Index 0 stands for edges made by a
    /// cut.
    outlines: Vec<ClipVertex>,
    /// The face beyond each edge.
    edge_neighbors: Vec<OverlayNeighbor>,
    /// The parts as pairs of face numbers (in the order of visit), in the order of discovery; the first `count` are
    /// valid.
    face_pairs: Vec<[u32; 2]>,
    count: usize,
    /// For each face of the first body, a bit set of those of the second with which it has been paired.
    visited_pairs: [u64; MAX_FACES],
    clip_polygons: [ClipPolygon; 2],
}

/// A projected face: its height, and the range of its outline.
struct OverlayFace {
    height: AffineFunction,
    outline: Range<u32>,
}

/// The face beyond an edge, by its number among those visited.
#[derive(Clone, Copy)]
struct OverlayNeighbor {
    face: u32,
    /// The body and the half-edge of the edge.
    body: u32,
    half_edge: u32,
}

/// Placeholders for a face that has not been visited yet, and for none.
const UNVISITED_FACE: u32 = u32::MAX - 1;
const NO_FACE: u32 = u32::MAX;

impl Default for OverlayBuffers {
    fn default() -> Self {
        OverlayBuffers {
            faces: Default::default(),
            overlay_faces: Default::default(),
            outlines: Vec::new(),
            edge_neighbors: Vec::new(),
            // One more than there can be pairs, as `push_pair` writes behind the last one before it knows whether to keep it.
            face_pairs: vec![[0; 2]; MAX_FACES * MAX_FACES + 1],
            count: 0,
            visited_pairs: [0; MAX_FACES],
            clip_polygons: Default::default(),
        }
    }
}

impl OverlayBuffers {
    fn clear(&mut self) {
        // Only rows of faces that were visited can have bits: a query of two faces clears two words, not all.
        self.visited_pairs[..self.faces[0].len()].fill(0);
        self.faces.iter_mut().for_each(Vec::clear);
        self.overlay_faces.iter_mut().for_each(Vec::clear);
        self.outlines.clear();
        self.edge_neighbors.clear();
        self.outlines.push(ClipVertex::default());
        self.edge_neighbors.push(OverlayNeighbor { face: NO_FACE, body: 0, half_edge: 0 });
        self.count = 0;
    }

    /// Appends a part if it is new and both faces have numbers. Whether it is new is unpredictable, so nothing
    /// branches on it: the pair is always written, and the count advances by the test.
    #[inline(always)]
    fn push_pair(&mut self, part: [u32; 2]) {
        let is_one = (part[0] != NO_FACE) & (part[1] != NO_FACE);
        // The remainder keeps `NO_FACE` inside the array, where its bit is zero, and saves the test of the bound.
        let row = &mut self.visited_pairs[part[0] as usize % MAX_FACES];
        let bit = u64::from(is_one) << (part[1] as usize % MAX_FACES);
        let is_new = bit & !*row != 0;
        *row |= bit;
        self.face_pairs[self.count] = part;
        self.count += usize::from(is_new);
    }
}

/// The overlay of two bodies, the second above the first along the normal.
pub(super) struct FaceOverlay<'a> {
    bodies: [OverlayBody<'a>; 2],
    reach: f64,
    buffers: &'a mut OverlayBuffers,
}

/// A body, with the axes of the tangent plane in its own frame.
struct OverlayBody<'a> {
    body: &'a ConvexPolyhedron,
    tangent: Vector<3>,
    bitangent: Vector<3>,
    normal: Vector<3>,
    /// Origin of the body relative to the center of the tangent plane.
    origin: [f64; 3],
}

impl<'a> FaceOverlay<'a> {
    #[inline(always)]
    pub(super) fn new(
        view: &TangentPlaneFrame,
        bodies: [&'a ConvexPolyhedron; 2],
        poses: [&Pose; 2],
        reach: f64,
        buffers: &'a mut OverlayBuffers,
    ) -> Self {
        let turned = |which: usize| OverlayBody::new(view, bodies[which], poses[which]);
        FaceOverlay { bodies: [turned(0), turned(1)], reach, buffers }
    }

    /// Integrates over all parts, beginning with the faces of the closest features.
    #[inline(always)]
    pub(super) fn integrate(&mut self, sums: &mut DepthIntegrals, at: [FeatureVertices; 2]) {
        self.start_at_closest_features(&at);
        // Start with the face at the feature of fewer vertices: what the first cut leaves of it is mostly small.
        let first = usize::from(at[1].count < at[0].count);
        let mut next = 0;
        while next < self.buffers.count {
            let part = self.buffers.face_pairs[next];
            next += 1;
            let [lower, upper] = part.map(|number| number as usize);
            let [below, above] = [
                &self.buffers.overlay_faces[0][lower].height,
                &self.buffers.overlay_faces[1][upper].height,
            ];
            let [depth, height] = below.depth_and_mid_height(above, self.reach);
            self.clip_pair(part, first, &depth);
            let corners = self.buffers.clip_polygons[0].corners();
            if corners.len() < 3 {
                continue;
            }
            sums.add(corners, &depth, &height);
            for k in 0..corners.len() {
                self.cross_edge(part, self.buffers.clip_polygons[0].corners()[k].edge);
            }
        }
    }

    /// Numbers the faces at the closest points and pairs them.
    #[inline(always)]
    fn start_at_closest_features(&mut self, at: &[FeatureVertices; 2]) {
        self.buffers.clear();
        for which in 0..2 {
            let body = self.bodies[which].body;
            let corners = &at[which].vertices[..at[which].count as usize];
            let Some((&first, others)) = corners.split_first() else { continue };
            for &face in body.faces_at(first) {
                if others.iter().all(|&corner| body.faces_at(corner).contains(&face)) {
                    self.face_number(which, face);
                }
            }
            if self.buffers.faces[which].is_empty() {
                // Rounding has put together vertices of different faces, or the face is steep.
                for &face in corners.iter().flat_map(|&corner| body.faces_at(corner)) {
                    self.face_number(which, face);
                }
            }
        }
        let [below, above] = [0, 1].map(|which| self.buffers.faces[which].len() as u32);
        for lower in 0..below {
            (0..above).for_each(|upper| self.buffers.push_pair([lower, upper]));
        }
    }

    /// Adds the part beyond an edge to the queue.
    #[inline(always)]
    fn cross_edge(&mut self, part: [u32; 2], side: u32) {
        let OverlayNeighbor { face: mut number, body: which, half_edge } =
            self.buffers.edge_neighbors[side as usize];
        if number == UNVISITED_FACE {
            let body = self.bodies[which as usize].body;
            number = self.face_number(which as usize, body.left_face(body.twin(half_edge)));
            self.buffers.edge_neighbors[side as usize].face = number;
        }
        let [lower, upper] = part;
        self.buffers.push_pair(if which == 0 { [number, upper] } else { [lower, number] });
    }

    /// Returns the number of a face among those visited, which adds it if it is new; `NO_FACE` if it is steep or
    /// exceeds `MAX_FACES`.
    #[inline(always)]
    fn face_number(&mut self, which: usize, face: u32) -> u32 {
        let OverlayBuffers { faces, overlay_faces: seen, outlines, edge_neighbors: beyond, .. } =
            &mut *self.buffers;
        // A linear search, as there are few faces and 64 at most.
        for (known, &other) in faces[which].iter().enumerate() {
            if other == face {
                return known as u32;
            }
        }
        let turned = &self.bodies[which];
        let height = turned.face_height(face, if which == 0 { 1.0 } else { -1.0 });
        let (Some(height), true) = (height, faces[which].len() < MAX_FACES) else { return NO_FACE };
        let start = outlines.len() as u32;
        let edges = turned.body.half_edges(face);
        let count = edges.end - edges.start;
        // All outlines must have the same orientation, on which the cuts by half-planes rely.
        for k in 0..count {
            // The upper body is seen from behind, which reverses the orientation of its faces.
            let (from, along) = match which {
                0 => (k, k),
                _ => (count - 1 - k, if k + 1 == count { count - 1 } else { count - 2 - k }),
            };
            let place = turned.project_vertex(turned.body.origin(edges.start + from));
            outlines.push(ClipVertex { position: place, edge: start + k });
            let half_edge = edges.start + along;
            beyond.push(OverlayNeighbor { face: UNVISITED_FACE, body: which as u32, half_edge });
        }
        faces[which].push(face);
        seen[which].push(OverlayFace { height, outline: start..start + count });
        seen[which].len() as u32 - 1
    }

    /// Clips a pair to where both faces are and the depth is positive, beginning with the face of body `first`.
    #[inline(always)]
    fn clip_pair(&mut self, part: [u32; 2], first: usize, depth: &AffineFunction) {
        let OverlayBuffers { overlay_faces: seen, outlines, clip_polygons: [now, then], .. } =
            &mut *self.buffers;
        let outline = |which: usize| {
            let Range { start, end } = seen[which][part[which] as usize].outline;
            &outlines[start as usize..end as usize]
        };
        // By the depth first, so that the edges of the other face cut only what presses. The edge of this cut leads to no
        // other face.
        now.clip_from(outline(first), CUT_EDGE, |point| depth.evaluate(point));
        let Some(around) = bounds(now.corners()) else { return };
        let others = outline(1 - first);
        let Some(last) = others.last() else { return };
        let mut from = last;
        for to in others {
            let side = ClipEdge::between(from.position, to.position);
            // Most edges of a large face miss the small remainder; a test of its box saves the cut.
            if side.may_clip(around) {
                then.clip_from(now.corners(), from.edge, |point| side.orientation(point));
                std::mem::swap(now, then);
                if now.corners().len() < 3 {
                    return;
                }
            }
            from = to;
        }
    }
}

impl<'a> OverlayBody<'a> {
    #[inline(always)]
    fn new(view: &TangentPlaneFrame, body: &'a ConvexPolyhedron, pose: &Pose) -> Self {
        let seen = |axis: &Vector<3>| pose.rotation.tr_mul(axis);
        let from_middle = pose.position - view.origin;
        OverlayBody {
            body,
            tangent: seen(&view.tangent),
            bitangent: seen(&view.bitangent),
            normal: seen(&view.normal),
            origin: [&view.tangent, &view.bitangent, &view.normal]
                .map(|axis| axis.dot(&from_middle)),
        }
    }

    #[inline(always)]
    fn project_vertex(&self, vertex: u32) -> [f64; 2] {
        let vertex = &self.body.vertices()[vertex as usize];
        [self.tangent.dot(vertex) + self.origin[0], self.bitangent.dot(vertex) + self.origin[1]]
    }

    /// Returns the height of a face along the normal (`sign` 1) or against it (`sign` -1); `None` if it is steep.
    #[inline(always)]
    fn face_height(&self, face: u32, sign: f64) -> Option<AffineFunction> {
        let face = self.body.face(face);
        let rise = face.normal.dot(&self.normal);
        if rise * sign <= MIN_FACE_COSINE {
            return None;
        }
        // Steeper faces were left out above, so that the slope stays bounded.
        let part = 1.0 / rise;
        let slope =
            [-face.normal.dot(&self.tangent) * part, -face.normal.dot(&self.bitangent) * part];
        let [x, y, z] = self.origin;
        Some(AffineFunction {
            gradient: slope,
            constant: face.offset * part + z - slope[0] * x - slope[1] * y,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ClosestFeatures;
    use super::super::mean_depth::MeanDepth;
    use super::*;
    use nalgebra::UnitQuaternion;

    /// Points spread evenly over a sphere, then displaced a little in a reproducible way.
    fn pebble(count: u32, unevenness: f64) -> ConvexPolyhedron {
        let point = |k: u32| {
            let height = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(count);
            let angle = 2.399_963_229_728_653 * f64::from(k);
            let across = (1.0 - height * height).sqrt();
            let out = 0.5 + unevenness * (7.3 * f64::from(k * k % 101)).sin();
            Vector::from([across * angle.cos(), across * angle.sin(), height]) * out
        };
        ConvexPolyhedron::hull(&(0..count).map(point).collect::<Vec<_>>()).unwrap()
    }

    /// Integrates every face of one body against every face of the other.
    fn integrate_all_pairs(overlay: &mut FaceOverlay, largest: f64) -> MeanDepth {
        let mut sums = DepthIntegrals::new(largest);
        let faces = [0, 1].map(|which| 0..overlay.bodies[which].body.face_count() as u32);
        let [lower, upper] = faces;
        for pair in lower.flat_map(|one| upper.clone().map(move |two| [one, two])) {
            overlay.buffers.clear();
            if [0, 1].map(|which| overlay.face_number(which, pair[which])) != [0, 0] {
                continue;
            }
            let [below, above] = [0, 1].map(|which| overlay.buffers.overlay_faces[which][0].height);
            let [depth, height] = below.depth_and_mid_height(&above, overlay.reach);
            overlay.clip_pair([0, 0], 1, &depth);
            sums.add(overlay.buffers.clip_polygons[0].corners(), &depth, &height);
        }
        sums.mean().unwrap()
    }

    #[test]
    fn no_part_that_presses_is_left_out() {
        let mut parts = 0;
        for k in 0..400u32 {
            let part = f64::from(k) * 0.37;
            let bodies =
                [pebble(30 + 13 * (k % 11), 0.002 * f64::from(k % 3)), pebble(20 + k % 70, 0.0)];
            let turn = UnitQuaternion::from_euler_angles(part, 0.7 * part, 1.3 * part);
            let high = Pose {
                rotation: *turn.to_rotation_matrix().matrix(),
                position: [0.5 * part.sin(), 0.5 * part.cos(), 1.1].into(),
            };
            let (bodies, poses) = ([&bodies[0], &bodies[1]], [&Pose::identity(), &high]);
            let closest = ClosestFeatures::new().query(bodies[0], poses[0], bodies[1], poses[1]);
            let depth = [1e-4, 1e-3, 1e-2, 0.05][k as usize % 4];
            let reach = closest.distance + depth;
            let view = TangentPlaneFrame::from_normal(
                &closest.normal,
                (closest.on_a + closest.on_b) * 0.5,
            );
            let mut room = OverlayBuffers::default();
            let mut overlay = FaceOverlay::new(&view, bodies, poses, reach, &mut room);
            let mut sums = DepthIntegrals::new(depth);
            overlay
                .integrate(&mut sums, [closest.feature_vertices_a(), closest.feature_vertices_b()]);
            parts += overlay.buffers.count;
            let found = sums.mean().unwrap();
            let all = integrate_all_pairs(&mut overlay, depth);
            assert!(
                (found.depth / all.depth - 1.0).abs() < 1e-11,
                "{k}: {} {}",
                found.depth,
                all.depth
            );
            assert!(
                (found.depth_rate / all.depth_rate - 1.0).abs() < 1e-10,
                "{k}: {} {}",
                found.depth_rate,
                all.depth_rate
            );
            for axis in 0..3 {
                assert!((found.center[axis] - all.center[axis]).abs() < 1e-11, "{k}");
                assert!(
                    (found.second_moments[axis] - all.second_moments[axis]).abs() < 1e-11,
                    "{k}"
                );
            }
        }
        assert!(parts > 4000, "{parts}");
    }
}
