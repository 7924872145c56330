//! Flat faces of bodies with shapes, as triangles on the page.

use crate::oblique::{nearness, project, view_direction};
use crate::page::PageViewport;
use carom_geometry::mesh::{PolygonMesh, polygon_normal};
use carom_geometry::{Pose, Vector};

/// A triangle on the page, in pixels.
pub(super) struct RasterFacet {
    corners: [[f32; 2]; 3],
    nearness: [f32; 3],
    /// Unit normal: right, up, toward the viewer.
    pub normal: [f32; 3],
    /// Nearness of the center of its body.
    pub depth: f32,
    pub shade: usize,
    /// Whether the side from each corner to the next is an edge of the body.
    is_edge: [bool; 3],
}

impl RasterFacet {
    pub(super) fn pixel_bounds(&self) -> [[f32; 2]; 2] {
        let end = |from: f32, pick: fn(f32, f32) -> f32| {
            [0, 1].map(|axis| self.corners.iter().map(|at| at[axis]).fold(from, pick))
        };
        [end(f32::INFINITY, f32::min), end(f32::NEG_INFINITY, f32::max)]
    }

    pub(super) fn front_nearness(&self) -> f32 {
        self.nearness.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }

    /// Returns its nearness at a position of the page, if it covers it.
    pub(super) fn nearness_at(&self, at: [f32; 2]) -> Option<f32> {
        let [a, b, c] = self.corners;
        let area = doubled_signed_area(a, b, c);
        let parts = [
            doubled_signed_area(b, c, at),
            doubled_signed_area(c, a, at),
            doubled_signed_area(a, b, at),
        ];
        let inside = parts.iter().all(|part| part * area >= 0.0) && area != 0.0;
        inside.then(|| (0..3).map(|k| parts[k] / area * self.nearness[k]).sum())
    }

    /// Returns the distance, in pixels, of a position from the nearest edge of the body on this facet.
    pub(super) fn distance_to_edge(&self, at: [f32; 2]) -> f32 {
        let distance = |k: usize| {
            let (from, to) = (self.corners[k], self.corners[(k + 1) % 3]);
            let [x, y] = [to[0] - from[0], to[1] - from[1]];
            doubled_signed_area(from, to, at).abs() / (x * x + y * y).sqrt()
        };
        let edges = (0..3).filter(|&k| self.is_edge[k]);
        edges.map(distance).fold(f32::INFINITY, f32::min)
    }
}

/// Returns twice the area of a triangle; negative if it is oriented the other way.
fn doubled_signed_area(a: [f32; 2], b: [f32; 2], c: [f32; 2]) -> f32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// A triangulated surface, in the axes of its shape.
pub(super) struct RasterSurface {
    vertices: Vec<Vector<3>>,
    triangles: Vec<RasterSurfaceTriangle>,
}

struct RasterSurfaceTriangle {
    corners: [u32; 3],
    normal: Vector<3>,
    is_edge: [bool; 3],
}

/// Faces whose unit normals have a larger dot product than this form one smooth surface: about twenty degrees.
const SMOOTH: f64 = 0.94;

impl RasterSurface {
    pub(super) fn of(mesh: &PolygonMesh) -> Self {
        let normals: Vec<Vector<3>> = (mesh.faces.iter())
            .map(|face| polygon_normal(&mesh.vertices, face))
            .map(|normal| normal.try_normalize(0.0).unwrap_or_else(Vector::zeros))
            .collect();
        let sharp = SharpEdges::of(mesh, &normals);
        let mut triangles = Vec::new();
        for (face, normal) in mesh.faces.iter().zip(&normals) {
            let last = face.len() - 1;
            for k in 1..last {
                let corners = [face[0], face[k], face[k + 1]];
                // The diagonals that split a face into triangles are no edges.
                let outer = [k == 1, true, k + 1 == last];
                let is_edge = |side: usize| {
                    outer[side] && sharp.contains(corners[side], corners[(side + 1) % 3])
                };
                let is_edge = [0, 1, 2].map(is_edge);
                triangles.push(RasterSurfaceTriangle { corners, normal: *normal, is_edge });
            }
        }
        RasterSurface { vertices: mesh.vertices.clone(), triangles }
    }
}

/// The edges at which a surface bends, sorted.
struct SharpEdges(Vec<(u32, u32)>);

impl SharpEdges {
    fn of(mesh: &PolygonMesh, normals: &[Vector<3>]) -> Self {
        let mut sides: Vec<(u32, u32, usize)> = Vec::new();
        for (number, face) in mesh.faces.iter().enumerate() {
            for k in 0..face.len() {
                let (from, to) = (face[k], face[(k + 1) % face.len()]);
                sides.push((from.min(to), from.max(to), number));
            }
        }
        sides.sort_unstable();
        let edges = sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let bends = |edge: &&[(u32, u32, usize)]| match edge {
            [one, other] => normals[one.2].dot(&normals[other.2]) < SMOOTH,
            _ => true,
        };
        SharpEdges(edges.filter(bends).map(|edge| (edge[0].0, edge[0].1)).collect())
    }

    fn contains(&self, from: u32, to: u32) -> bool {
        self.0.binary_search(&(from.min(to), from.max(to))).is_ok()
    }
}

/// Adds the triangles of a body that face the viewer.
pub(super) fn add(
    facets: &mut Vec<RasterFacet>,
    (surface, pose, shade): (&RasterSurface, &Pose, usize),
    (view, nearest): (&PageViewport, f64),
) {
    let near = |at: &Vector<3>| ((nearness(at) - nearest) * view.scale) as f32;
    let places: Vec<([f32; 2], f32)> = (surface.vertices.iter())
        .map(|vertex| pose.transform_point(vertex))
        .map(|at| (view.to_page(project(&at)).map(|x| x as f32), near(&at)))
        .collect();
    for triangle in &surface.triangles {
        let normal = view_direction(&(pose.rotation * triangle.normal)).map(|x| x as f32);
        if normal[2] <= 0.0 {
            continue;
        }
        let corners = triangle.corners.map(|corner| places[corner as usize]);
        facets.push(RasterFacet {
            corners: corners.map(|(at, _)| at),
            nearness: corners.map(|(_, near)| near),
            normal,
            depth: near(&pose.position),
            shade,
            is_edge: triangle.is_edge,
        });
    }
}
