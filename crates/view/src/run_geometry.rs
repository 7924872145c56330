//! Box, walls and shapes of a run, from the scene in its folder.

use crate::manifest::{ManifestBox, ManifestShape};
use carom::geometry::{Aabb, Vector};
use carom::io::{AxisExtent, Frame};
use carom::scene::scene::{
    BoundaryCondition, Engine, SceneHeader, SceneOutline, Shape, StageWalls,
};
use std::path::Path;

/// Box, walls and shapes of a run.
#[derive(Debug)]
pub struct RunGeometry {
    pub engine: &'static str,
    pub dimension: usize,
    /// Extent of the box along each axis.
    pub region: [AxisExtent; 3],
    /// Edge lengths of the box, along open axes too, where known.
    lengths: [Option<f64>; 3],
    /// Column that is shown first.
    pub default_column: &'static str,
    /// The walls in every stage of the scene.
    pub walls: Vec<StageWalls>,
    pub shapes: Vec<Shape>,
    /// What could not be read, in sentences.
    pub messages: Vec<String>,
}

impl RunGeometry {
    /// Reads the scene in a folder; what is missing there follows from a frame.
    pub fn read(folder: &Path, frame: Option<&Frame<3>>) -> Self {
        let mut messages = Vec::new();
        let outline = SceneOutline::read_results(folder, &[]);
        let outline = outline.map_err(|error| messages.push(error.to_string())).ok();
        let mut keep = |error: carom::scene::Error| messages.push(error.to_string());
        let header = outline.as_ref().and_then(|outline| outline.header().map_err(&mut keep).ok());
        let walls = outline.as_ref().map(|outline| outline.staged_walls().map_err(&mut keep));
        let shapes = outline.as_ref().map(|outline| outline.shapes().map_err(&mut keep));
        let found = frame.map_or([AxisExtent::Open; 3], |frame| frame.region);
        let places = frame.map_or(&[][..], |frame| &frame.positions);
        let flat = !places.is_empty() && places.iter().all(|place| place.z == 0.0);
        let mut surroundings = RunGeometry {
            engine: "",
            dimension: if flat { 2 } else { 3 },
            region: found,
            lengths: found.map(AxisExtent::length),
            default_column: "speed",
            walls: walls.and_then(Result::ok).unwrap_or_default(),
            shapes: shapes.and_then(Result::ok).unwrap_or_default(),
            messages,
        };
        if let Some(header) = header {
            surroundings.apply_scene_settings(&header);
        }
        surroundings
    }

    fn apply_scene_settings(&mut self, header: &SceneHeader) {
        self.engine = match header.engine {
            Engine::EventDriven => "event-driven",
            Engine::Dem => "dem",
            Engine::Bonded => "bonded",
            _ => "",
        };
        self.default_column = header.color.name();
        self.dimension = header.dimension;
        for axis in 0..3 {
            let written = header.size.as_ref().and_then(|size| size.get(axis)).copied();
            let length = written.or(self.lengths[axis]);
            self.lengths[axis] = if axis < header.dimension { length } else { None };
            self.region[axis] = match (header.boundary_conditions.get(axis), length) {
                (Some(BoundaryCondition::Periodic), Some(length)) => AxisExtent::Periodic(length),
                (Some(BoundaryCondition::Wall { .. }), Some(length)) => AxisExtent::Walls(length),
                _ => AxisExtent::Open,
            };
        }
    }

    /// The bounds of the box, none if it is open everywhere; along an axis without a length those of the bodies.
    pub fn box_bounds(&self, bodies: &Aabb<3>) -> Option<Aabb<3>> {
        if self.region == [AxisExtent::Open; 3] {
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

    /// Period along every periodic axis.
    pub fn periods(&self) -> [Option<f64>; 3] {
        self.region.map(AxisExtent::period)
    }

    /// The box for the manifest.
    pub fn manifest_box(&self, bodies: &Aabb<3>) -> Option<ManifestBox> {
        let sides = self.box_bounds(bodies)?;
        let periodic = self.region.map(|span| span.period().is_some());
        Some(ManifestBox { low: sides.low.into(), high: sides.high.into(), periodic })
    }

    /// The shapes for the page.
    pub fn manifest_shapes(&self) -> Vec<ManifestShape> {
        self.shapes.iter().map(|shape| manifest_shape(shape, self.dimension)).collect()
    }
}

/// Bounds of the bodies of a frame.
pub fn frame_bounds(frame: &Frame<3>) -> Aabb<3> {
    let mut bounds = Aabb::empty();
    for (place, &radius) in frame.positions.iter().zip(&frame.radii) {
        let reach = Vector::repeat(radius);
        bounds = bounds.including(&(place - reach)).including(&(place + reach));
    }
    bounds
}

fn manifest_shape(shape: &Shape, dimension: usize) -> ManifestShape {
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
