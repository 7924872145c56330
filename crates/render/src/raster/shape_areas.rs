//! The areas that shapes cover in 2D: convex polygons, and unions of discs.

use carom_geometry::{Vector, math};
use carom_io::Frame;
use carom_simulate::shape::{Shape, ShapeRepresentation};

/// The areas of all shapes of a frame, in pixels.
pub(super) struct ShapeAreas(Vec<ShapeArea>);

/// The area of a shape about its center of mass, in its axes.
struct ShapeArea {
    outline: AreaOutline,
    /// Area in square pixels.
    size: f64,
}

enum AreaOutline {
    /// Half-planes by normal and offset: the area is where no distance is positive.
    Sides(Vec<([f64; 2], f64)>),
    /// The union of these discs, by center and radius.
    Discs(Vec<([f64; 2], f64)>),
}

/// The area of a body at its orientation.
pub(super) struct RotatedArea<'a> {
    area: &'a ShapeArea,
    cosine: f64,
    sine: f64,
}

impl ShapeAreas {
    pub(super) fn of<const D: usize>(frame: &Frame<D>, scale: f64) -> Self {
        let shapes = frame.shapes.iter().flat_map(|shaped| &shaped.list);
        ShapeAreas(shapes.map(|shape| ShapeArea::of(shape, scale)).collect())
    }

    /// Returns the area of a body that is no disc.
    pub(super) fn of_body<const D: usize>(
        &self,
        frame: &Frame<D>,
        body: usize,
    ) -> Option<RotatedArea<'_>> {
        let shape = frame.shapes.as_ref()?.shape_of_body[body]?;
        let (_, pose) = frame.shape(body)?;
        let (cosine, sine) = (pose.rotation[(0, 0)], pose.rotation[(1, 0)]);
        Some(RotatedArea { area: &self.0[shape as usize], cosine, sine })
    }
}

impl ShapeArea {
    fn of(shape: &Shape, scale: f64) -> Self {
        let outline = match &shape.representation {
            ShapeRepresentation::Spheres(spheres) => {
                let disc = |at: &Vector<3>, radius: f64| ([at.x * scale, at.y * scale], radius);
                let discs = spheres.iter();
                let discs = discs.map(|sphere| disc(&sphere.center, sphere.radius * scale));
                AreaOutline::Discs(discs.collect())
            }
            _ => AreaOutline::Sides(sides(shape, scale)),
        };
        ShapeArea { outline, size: shape.volume * scale * scale }
    }
}

/// Returns normals and offsets of the sides of a counterclockwise polygon.
fn sides(shape: &Shape, scale: f64) -> Vec<([f64; 2], f64)> {
    let polygon = shape.surface::<2>().vertices;
    let side = |k: usize| {
        let (from, to) = (polygon[k] * scale, polygon[(k + 1) % polygon.len()] * scale);
        let along = (to - from).normalize();
        ([along.y, -along.x], along.y * from.x - along.x * from.y)
    };
    (0..polygon.len()).map(side).collect()
}

impl RotatedArea<'_> {
    /// Returns the area in square pixels.
    pub(super) fn size(&self) -> f64 {
        self.area.size
    }

    /// Returns the signed distance of a point, in pixels right and up from the center; negative inside.
    pub(super) fn distance(&self, [right, up]: [f64; 2]) -> f64 {
        let at = [self.cosine * right + self.sine * up, self.cosine * up - self.sine * right];
        match &self.area.outline {
            AreaOutline::Sides(sides) => {
                let height = |(normal, offset): &([f64; 2], f64)| {
                    normal[0] * at[0] + normal[1] * at[1] - offset
                };
                sides.iter().map(height).fold(f64::NEG_INFINITY, f64::max)
            }
            AreaOutline::Discs(discs) => {
                let distance = |(center, radius): &([f64; 2], f64)| {
                    math::hypot(at[0] - center[0], at[1] - center[1]) - radius
                };
                discs.iter().map(distance).fold(f64::INFINITY, f64::min)
            }
        }
    }
}
