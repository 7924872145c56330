//! What shapes cover of the plane: convex polygons, and discs together.

use crate::{Form, Frame, Shape};
use carom_geometry::{Vector, math};

/// The areas of all shapes of a frame, in pixels.
pub(super) struct Areas(Vec<Area>);

/// About the centre of mass, in the axes of the shape.
struct Area {
    outline: Outline,
    /// In square pixels.
    size: f64,
}

enum Outline {
    /// Where no height above a side, by normal and offset, is positive.
    Sides(Vec<([f64; 2], f64)>),
    /// In one of these discs, by centre and radius.
    Discs(Vec<([f64; 2], f64)>),
}

/// The area of a body as it is turned.
pub(super) struct TurnedArea<'a> {
    area: &'a Area,
    cosine: f64,
    sine: f64,
}

impl Areas {
    pub(super) fn of<const D: usize>(frame: &Frame<D>, scale: f64) -> Self {
        let shapes = frame.shapes.iter().flat_map(|shaped| &shaped.list);
        Areas(shapes.map(|shape| Area::of(shape, scale)).collect())
    }

    /// That of a body that is no disc.
    pub(super) fn of_body<const D: usize>(
        &self,
        frame: &Frame<D>,
        body: usize,
    ) -> Option<TurnedArea<'_>> {
        let shape = frame.shapes.as_ref()?.of_body[body]?;
        let (_, pose) = frame.shape(body)?;
        let (cosine, sine) = (pose.rotation[(0, 0)], pose.rotation[(1, 0)]);
        Some(TurnedArea { area: &self.0[shape as usize], cosine, sine })
    }
}

impl Area {
    fn of(shape: &Shape, scale: f64) -> Self {
        let outline = match &shape.form {
            Form::Spheres(spheres) => {
                let disc = |at: &Vector<3>, radius: f64| ([at.x * scale, at.y * scale], radius);
                let discs = spheres.iter();
                let discs = discs.map(|sphere| disc(&sphere.center, sphere.radius * scale));
                Outline::Discs(discs.collect())
            }
            _ => Outline::Sides(sides(shape, scale)),
        };
        Area { outline, size: shape.volume * scale * scale }
    }
}

/// Normals and offsets of the sides of a polygon that goes round to the left.
fn sides(shape: &Shape, scale: f64) -> Vec<([f64; 2], f64)> {
    let polygon = shape.surface::<2>().vertices;
    let side = |k: usize| {
        let (from, to) = (polygon[k] * scale, polygon[(k + 1) % polygon.len()] * scale);
        let along = (to - from).normalize();
        ([along.y, -along.x], along.y * from.x - along.x * from.y)
    };
    (0..polygon.len()).map(side).collect()
}

impl TurnedArea<'_> {
    /// In square pixels.
    pub(super) fn size(&self) -> f64 {
        self.area.size
    }

    /// How far outside a place is, in pixels, right and up from the centre; negative inside.
    pub(super) fn distance(&self, [right, up]: [f64; 2]) -> f64 {
        let at = [self.cosine * right + self.sine * up, self.cosine * up - self.sine * right];
        match &self.area.outline {
            Outline::Sides(sides) => {
                let height = |(normal, offset): &([f64; 2], f64)| {
                    normal[0] * at[0] + normal[1] * at[1] - offset
                };
                sides.iter().map(height).fold(f64::NEG_INFINITY, f64::max)
            }
            Outline::Discs(discs) => {
                let distance = |(center, radius): &([f64; 2], f64)| {
                    math::hypot(at[0] - center[0], at[1] - center[1]) - radius
                };
                discs.iter().map(distance).fold(f64::INFINITY, f64::min)
            }
        }
    }
}
