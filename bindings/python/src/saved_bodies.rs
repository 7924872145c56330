//! The bodies of a world as they are pickled.

use carom::BodyShape;
use carom::geometry::{Pose, Vector};
use std::collections::HashMap;

/// The bodies of a world as they are pickled.
pub struct SavedBodies {
    /// Numbers of the bodies, ascending.
    pub numbers: Vec<u32>,
    /// Number of the next body.
    pub next: u32,
    /// Index of the shape of each, -1 for spheres.
    pub shapes: Vec<i64>,
    /// Radius, position and rotation matrix of each.
    pub rows: Vec<f64>,
}

impl SavedBodies {
    /// Numbers in a row.
    pub const COLUMNS: usize = 13;

    /// Saves the bodies of a world whose polyhedra and meshes are clones of these shapes.
    pub fn of(world: &carom::World, shapes: &[BodyShape]) -> Self {
        let named = |(index, shape): (i64, &BodyShape)| Some((shape.shared_identity()?, index));
        let indices: HashMap<usize, i64> = (0..).zip(shapes).filter_map(named).collect();
        let index_of = |shape: &BodyShape| {
            let index = shape.shared_identity().and_then(|identity| indices.get(&identity));
            *index.expect("every polyhedron and mesh is among the prepared shapes")
        };
        let mut saved = SavedBodies {
            numbers: world.bodies().collect(),
            next: world.next_number(),
            shapes: Vec::with_capacity(world.len()),
            rows: Vec::with_capacity(world.len() * Self::COLUMNS),
        };
        for &number in &saved.numbers {
            let shape = world.shape(number).expect("the number is that of a body");
            let pose = world.pose(number).expect("the number is that of a body");
            let (index, radius) = match shape.radius() {
                Some(radius) => (-1, radius),
                None => (index_of(shape), 0.0),
            };
            saved.shapes.push(index);
            saved.rows.push(radius);
            saved.rows.extend(pose.position.iter());
            saved.rows.extend(pose.rotation.iter());
        }
        saved
    }

    /// Makes the world again; None if this is not what a world has saved.
    pub fn restore(&self, shapes: &[BodyShape]) -> Option<carom::World> {
        let mut world = carom::World::new();
        let mut saved =
            self.numbers.iter().zip(&self.shapes).zip(self.rows.as_chunks().0).peekable();
        for number in 0..self.next {
            let Some(((_, &shape), row)) = saved.next_if(|((next, _), _)| **next == number) else {
                // A body that was removed: numbers are never used again.
                let removed = world.add(BodyShape::sphere(0.0).ok()?, Pose::identity()).ok()?;
                world.remove(removed).ok()?;
                continue;
            };
            let &[radius, x, y, z, ref columns @ ..]: &[f64; Self::COLUMNS] = row;
            let shape = match usize::try_from(shape) {
                Ok(index) => shapes.get(index)?.clone(),
                Err(_) => BodyShape::sphere(radius).ok()?,
            };
            let (columns, _) = columns.as_chunks::<3>();
            let columns = [columns[0], columns[1], columns[2]].map(Vector::from);
            world.add(shape, Pose::from_columns(columns, [x, y, z].into())?).ok()?;
        }
        saved.next().is_none().then_some(world)
    }
}
