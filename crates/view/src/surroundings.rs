//! What a run has beside its bodies: box, walls and shapes, from the scene that it keeps.

use crate::manifest::{ManifestBox, ManifestShape};
use carom::geometry::{Aabb, Vector};
use carom::scene::scene::{Engine, Outline, Shape, Side, Stage, Wall};
use carom::scene::{Frame, Span};
use std::path::Path;

/// What a run has beside its bodies.
#[derive(Debug)]
pub struct Surroundings {
    pub engine: &'static str,
    pub dimension: usize,
    /// What the box is along each axis.
    pub region: [Span; 3],
    /// Edge lengths of the box along axes that the scene calls open, too, if it has any.
    lengths: [Option<f64>; 3],
    /// The column that is shown first.
    pub shown: &'static str,
    pub walls: Vec<Wall>,
    pub shapes: Vec<Shape>,
    /// What could not be had, in sentences.
    pub messages: Vec<String>,
}

impl Surroundings {
    /// Those of the scene in a folder; what is missing there follows from a frame.
    pub fn read(folder: &Path, frame: Option<&Frame<3>>) -> Self {
        let mut messages = Vec::new();
        let outline = Outline::read_results(folder, &[]);
        let outline = outline.map_err(|error| messages.push(error.to_string())).ok();
        let mut keep = |error: carom::scene::Error| messages.push(error.to_string());
        let stage = outline.as_ref().and_then(|outline| outline.stage().map_err(&mut keep).ok());
        let walls = outline.as_ref().map(|outline| outline.walls().map_err(&mut keep));
        let shapes = outline.as_ref().map(|outline| outline.shapes().map_err(&mut keep));
        let found = frame.map_or([Span::Open; 3], |frame| frame.region);
        let places = frame.map_or(&[][..], |frame| &frame.positions);
        let flat = !places.is_empty() && places.iter().all(|place| place.z == 0.0);
        let mut surroundings = Surroundings {
            engine: "",
            dimension: if flat { 2 } else { 3 },
            region: found,
            lengths: found.map(Span::length),
            shown: "speed",
            walls: walls.and_then(Result::ok).unwrap_or_default(),
            shapes: shapes.and_then(Result::ok).unwrap_or_default(),
            messages,
        };
        if let Some(stage) = stage {
            surroundings.stand_on(&stage);
        }
        surroundings
    }

    fn stand_on(&mut self, stage: &Stage) {
        self.engine = match stage.engine {
            Engine::Events => "events",
            Engine::Steps => "steps",
            Engine::Deform => "deform",
            _ => "",
        };
        self.shown = stage.colour.name();
        self.dimension = stage.dimension;
        for axis in 0..3 {
            let written = stage.size.as_ref().and_then(|size| size.get(axis)).copied();
            let length = written.or(self.lengths[axis]);
            self.lengths[axis] = if axis < stage.dimension { length } else { None };
            self.region[axis] = match (stage.sides.get(axis), length) {
                (Some(Side::Periodic), Some(length)) => Span::Periodic(length),
                (Some(Side::Wall { .. }), Some(length)) => Span::Walls(length),
                _ => Span::Open,
            };
        }
    }

    /// The box, if it is not open everywhere; along an axis without a length it is what bodies take up.
    pub fn sides(&self, bodies: &Aabb<3>) -> Option<Aabb<3>> {
        if self.region == [Span::Open; 3] {
            return None;
        }
        let mut sides = *bodies;
        for axis in 0..3 {
            if let Some(length) = self.lengths[axis] {
                (sides.low[axis], sides.high[axis]) = (0.0, length);
            }
            if axis >= self.dimension || sides.low[axis] > sides.high[axis] {
                (sides.low[axis], sides.high[axis]) = (0.0, 0.0);
            }
        }
        Some(sides)
    }

    /// The period along every axis that has one.
    pub fn periods(&self) -> [Option<f64>; 3] {
        self.region.map(Span::period)
    }

    /// The box as the page takes it.
    pub fn manifest_box(&self, bodies: &Aabb<3>) -> Option<ManifestBox> {
        let sides = self.sides(bodies)?;
        let periodic = self.region.map(|span| span.period().is_some());
        Some(ManifestBox { low: sides.low.into(), high: sides.high.into(), periodic })
    }

    /// The shapes as the page takes them.
    pub fn drawn_shapes(&self) -> Vec<ManifestShape> {
        self.shapes.iter().map(|shape| surface(shape, self.dimension)).collect()
    }
}

/// What the bodies of a frame take up.
pub fn bounds(frame: &Frame<3>) -> Aabb<3> {
    let mut bounds = Aabb::empty();
    for (place, &radius) in frame.positions.iter().zip(&frame.radii) {
        let reach = Vector::repeat(radius);
        bounds = bounds.including(&(place - reach)).including(&(place + reach));
    }
    bounds
}

fn surface(shape: &Shape, dimension: usize) -> ManifestShape {
    let mesh = if dimension == 2 { shape.surface::<2>() } else { shape.surface::<3>() };
    let fan = |face: &Vec<u32>| -> Vec<[u32; 3]> {
        let rest = face.windows(2).skip(1);
        rest.map(|two| [face[0], two[0], two[1]]).collect()
    };
    ManifestShape {
        vertices: mesh.vertices.iter().flat_map(|&vertex| <[f64; 3]>::from(vertex)).collect(),
        triangles: mesh.faces.iter().flat_map(fan).flatten().collect(),
    }
}
