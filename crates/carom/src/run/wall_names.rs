//! Names of the walls of a scene in columns of the log.

use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, Region};
use carom_simulate::Wall;

/// Names of the walls at the sides of a box in columns, in the order of engines.
pub(super) fn box_wall_names<const D: usize>(region: &Region<D>) -> Vec<String> {
    let is_wall =
        |axis: &usize| matches!(region.boundary_conditions[*axis], BoundaryCondition::Wall { .. });
    let sides = |axis| ["low", "high"].map(|side| format!("wall_{}_{side}", ["x", "y", "z"][axis]));
    (0..D).filter(is_wall).flat_map(sides).collect()
}

/// Names of all walls in columns, in the order of the engine: `wall_x_low`, `wall_x_high`, …, `wall_0`, ….
pub(super) fn wall_column_names<const D: usize>(scene: &Scene<D>) -> Vec<String> {
    box_wall_names(&scene.region).into_iter().chain(wall_keys(&scene.walls)).collect()
}

/// The names in columns of walls besides the sides of the box. Those without a name have numbers, which are the same in
/// all stages, since only walls with names may be absent from some.
pub(super) fn wall_keys(walls: &[Wall]) -> Vec<String> {
    let mut numbers = 0..;
    let mut key = |wall: &Wall| match &wall.name {
        Some(name) => format!("wall_{name}"),
        None => format!("wall_{}", numbers.next().unwrap_or(0)),
    };
    walls.iter().map(&mut key).collect()
}
