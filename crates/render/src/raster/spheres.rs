//! Shaded spheres and faces of other bodies through a depth buffer, seen as in the SVG pictures.

use super::canvas::{Canvas, Pen, mix, pixels};
use super::depth_buffer::{
    DepthBuffer, NOBODY, PER_PIXEL, RasterPrimitive, RasterPrimitives, RasterSphere,
};
use super::facets::{self, RasterFacet, RasterSurface};
use super::is_finite;
use super::value_scale::ValueScale;
use crate::color::LinearRgb;
use crate::oblique::{ProjectedEdge, box_edges, depth, nearness, project, view};
use crate::page::PageViewport;
use carom_geometry::{Pose, Vector};
use carom_io::{AxisExtent, Frame};
use carom_simulate::shape::ShapeRepresentation;
use rayon::prelude::*;

/// Rows of pixels that are drawn as one task.
const BAND: usize = 16;
/// Unit vector toward the light: right, up, toward the viewer.
const LIGHT: [f32; 3] = [-0.4558, 0.6078, 0.6503];
/// Unit vector halfway between the light and the viewer.
const HALFWAY: [f32; 3] = [-0.2508, 0.3345, 0.9084];
/// Edges of bodies are darker up to this distance, in pixels, on either side.
const EDGE: f32 = 1.4;
/// Share of fog at the farthest sphere.
const DENSEST_FOG: f32 = 0.42;

/// Draws the spheres and returns their viewport on the page.
pub(super) fn draw<const D: usize>(frame: &Frame<D>, scale: &ValueScale) -> (Canvas, PageViewport) {
    let open = frame.region.iter().all(|&span| span == AxisExtent::Open);
    let edges = if open { Vec::new() } else { box_edges(&frame.bounds()) };
    let positions = wrapped(frame);
    let rounds = positions.iter().map(|(body, position)| (project(position), frame.radii[*body]));
    let view = view(rounds, &edges);
    let things = primitives(frame, &positions, scale, &view);
    let mut canvas = Canvas::new(view.page_width(), view.page_height());
    draw_edges(&mut canvas, &view, edges.iter().filter(|edge| edge.behind), 0.55);
    let room = if open { 0.0 } else { depth(&frame.bounds()) * view.scale };
    let lighting = Lighting::of(&things, scale, room as f32);
    draw_primitives(&mut canvas, &things, &lighting);
    draw_edges(&mut canvas, &view, edges.iter().filter(|edge| !edge.behind), 0.5);
    (canvas, view)
}

/// Returns the bodies that can be drawn, each with its image inside the periodic box.
fn wrapped<const D: usize>(frame: &Frame<D>) -> Vec<(usize, Vector<D>)> {
    let inside = |position: &Vector<D>| {
        Vector::from_fn(|axis, _| match frame.region[axis] {
            AxisExtent::Periodic(period) => position[axis].rem_euclid(period),
            _ => position[axis],
        })
    };
    let bodies = (0..frame.len()).filter(|&body| is_finite(frame, body));
    bodies.map(|body| (body, inside(&frame.positions[body]))).collect()
}

/// The primitives and the view; the nearest center has a nearness of zero.
struct SphereRenderer<'a, const D: usize> {
    frame: &'a Frame<D>,
    scale: &'a ValueScale,
    view: &'a PageViewport,
    nearest: f64,
}

impl<const D: usize> SphereRenderer<'_, D> {
    fn sphere<const N: usize>(
        &self,
        body: usize,
        position: &Vector<N>,
        radius: f64,
    ) -> RasterSphere {
        RasterSphere {
            center: self.view.to_page(project(position)).map(|x| x as f32),
            // Relative to the nearest, so that single precision suffices whatever the origin of the user.
            nearness: ((nearness(position) - self.nearest) * self.view.scale) as f32,
            radius: ((radius * self.view.scale) as f32).max(0.5),
            shade: self.scale.shade(body),
        }
    }

    /// Returns spheres, also those of clumps.
    fn spheres(&self, positions: &[(usize, Vector<D>)]) -> Vec<RasterSphere> {
        let balls = |(body, position): &(usize, Vector<D>)| match self.shape(*body, position) {
            None => vec![self.sphere(*body, position, self.frame.radii[*body])],
            Some((ShapeRepresentation::Spheres(spheres), pose)) => (spheres.iter())
                .map(|sphere| {
                    self.sphere(*body, &pose.transform_point(&sphere.center), sphere.radius)
                })
                .collect(),
            Some(_) => Vec::new(),
        };
        positions.par_iter().flat_map_iter(balls).collect()
    }

    fn facets(&self, positions: &[(usize, Vector<D>)]) -> Vec<RasterFacet> {
        let Some(shaped) = &self.frame.shapes else { return Vec::new() };
        let surface = |shape: &carom_simulate::shape::Shape| match shape.representation {
            ShapeRepresentation::Spheres(_) => None,
            _ => Some(RasterSurface::of(&shape.surface::<D>())),
        };
        let surfaces: Vec<Option<RasterSurface>> = shaped.list.iter().map(surface).collect();
        let mut facets = Vec::new();
        for (body, position) in positions {
            let (Some(index), Some((_, pose))) =
                (shaped.shape_of_body[*body], self.shape(*body, position))
            else {
                continue;
            };
            if let Some(surface) = &surfaces[index as usize] {
                let of_body = (surface, &pose, self.scale.shade(*body));
                facets::add(&mut facets, of_body, (self.view, self.nearest));
            }
        }
        facets
    }

    /// Returns the representation of a body's shape and the pose of its image.
    fn shape(&self, body: usize, position: &Vector<D>) -> Option<(&ShapeRepresentation, Pose)> {
        let (shape, pose) = self.frame.shape(body)?;
        let place = Vector::from_fn(|axis, _| if axis < D { position[axis] } else { 0.0 });
        Some((&shape.representation, Pose { position: place, ..pose }))
    }
}

fn primitives<const D: usize>(
    frame: &Frame<D>,
    positions: &[(usize, Vector<D>)],
    scale: &ValueScale,
    view: &PageViewport,
) -> RasterPrimitives {
    let nearest = positions.iter().map(|(_, position)| nearness(position));
    let nearest = nearest.fold(f64::NEG_INFINITY, f64::max);
    let stage = SphereRenderer { frame, scale, view, nearest };
    RasterPrimitives { spheres: stage.spheres(positions), facets: stage.facets(positions) }
}

fn draw_primitives(canvas: &mut Canvas, things: &RasterPrimitives, lighting: &Lighting) {
    let bands = indices_by_band(canvas, things);
    let width = canvas.width;
    let rows = canvas.pixels.par_chunks_mut(BAND * width);
    rows.zip(bands).enumerate().for_each(|(band, (pixels, members))| {
        let mut samples = DepthBuffer::new(width, pixels.len() / width, band * BAND);
        samples.add_all(members, things);
        resolve_samples(pixels, &samples, things, lighting);
    });
}

/// Returns the primitives that reach into each band, in index order.
fn indices_by_band(canvas: &Canvas, things: &RasterPrimitives) -> Vec<Vec<u32>> {
    let mut bands = vec![Vec::new(); canvas.height.div_ceil(BAND)];
    for index in 0..things.len() as u32 {
        let [[_, top], [_, bottom]] = things.get(index).pixel_bounds();
        let rows = pixels(f64::from(top), f64::from(bottom), canvas.height);
        for band in rows.start / BAND..rows.end.div_ceil(BAND) {
            bands[band].push(index);
        }
    }
    bands
}

/// Lays what is visible in a band over its pixels.
fn resolve_samples(
    pixels: &mut [[f32; 3]],
    samples: &DepthBuffer,
    things: &RasterPrimitives,
    lighting: &Lighting,
) {
    for (pixel, color) in pixels.iter_mut().enumerate() {
        let ground = *color;
        let shaded = |owner: u32, at: [f32; 2]| match owner {
            NOBODY => ground,
            index => match things.get(index) {
                RasterPrimitive::Sphere(ball) => lighting.shaded(ball, at),
                RasterPrimitive::Facet(facet) => lighting.shaded_facet(facet, at),
            },
        };
        *color = match samples.only_owner(pixel) {
            // Within one primitive the shading changes little from sample to sample.
            Some(owner) => shaded(owner, samples.middle(pixel)),
            None => {
                let seen = samples.of_pixel(pixel).map(|(owner, at)| shaded(owner, at));
                let sum = seen.fold([0.0; 3], |sum: [f32; 3], seen| {
                    std::array::from_fn(|part| sum[part] + seen[part])
                });
                sum.map(|part| part / PER_PIXEL as f32)
            }
        };
    }
}

/// One light, ambient light, and fog in the distance.
struct Lighting {
    colors: Vec<[f32; 3]>,
    nearest: f32,
    depth: f32,
}

impl Lighting {
    /// Creates the lighting; `room` is the depth of the region, in pixels.
    fn of(things: &RasterPrimitives, scale: &ValueScale, room: f32) -> Self {
        let facets = things.facets.iter().map(|facet| facet.depth);
        let nearness = things.spheres.iter().map(|ball| ball.nearness).chain(facets);
        let farthest = nearness.clone().fold(f32::INFINITY, f32::min);
        let nearest = nearness.fold(f32::NEG_INFINITY, f32::max);
        let colors = scale.colors().into_iter().map(LinearRgb::linear).collect();
        // The whole region counts, so that a few bodies in a large box are about equally clear.
        Lighting { colors, nearest, depth: room.max(nearest - farthest) }
    }

    /// Returns the color of a ball at a position of the page.
    fn shaded(&self, ball: &RasterSphere, at: [f32; 2]) -> [f32; 3] {
        let right = (at[0] - ball.center[0]) / ball.radius;
        let up = (ball.center[1] - at[1]) / ball.radius;
        let near = (1.0 - right * right - up * up).max(0.0).sqrt();
        let normal = [right, up, near];
        let gloss = 0.28 * dot(HALFWAY, normal).max(0.0).powi(48);
        // Round bodies get darker toward their rims.
        let brightness = brightness(normal) * (0.62 + 0.38 * near);
        let lit = self.colors[ball.shade].map(|part| (part * brightness + gloss).min(1.0));
        self.in_fog(lit, ball.nearness)
    }

    /// Returns the color of a facet at a position of the page: uniform, but darker along edges.
    fn shaded_facet(&self, facet: &RasterFacet, at: [f32; 2]) -> [f32; 3] {
        let edge = (EDGE - facet.distance_to_edge(at)).clamp(0.0, 1.0);
        let brightness = brightness(facet.normal) * (1.0 - 0.45 * edge);
        let lit = self.colors[facet.shade].map(|part| (part * brightness).min(1.0));
        self.in_fog(lit, facet.depth)
    }

    fn in_fog(&self, color: [f32; 3], nearness: f32) -> [f32; 3] {
        // A flat scene has no fog.
        let far = if self.depth > 0.0 { (self.nearest - nearness) / self.depth } else { 0.0 };
        mix(color, [1.0; 3], DENSEST_FOG * far * far)
    }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the brightness of a surface with this normal.
fn brightness(normal: [f32; 3]) -> f32 {
    let soft = (0.5 + 0.5 * dot(LIGHT, normal)).max(0.0);
    0.16 + 1.02 * soft * soft
}

fn draw_edges<'a>(
    canvas: &mut Canvas,
    view: &PageViewport,
    edges: impl Iterator<Item = &'a ProjectedEdge>,
    opacity: f64,
) {
    let pen = Pen { color: LinearRgb::oklch(0.27, 0.03, 265.0), width: 1.2, opacity };
    for edge in edges {
        canvas.line(&edge.ends.map(|end| view.to_page(end)), pen);
    }
}
