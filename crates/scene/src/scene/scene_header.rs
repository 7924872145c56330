//! The header of a scene: all but its bodies, for viewers of a run that need not generate the bodies again.

use super::material::Materials;
use super::problem::ValidationResult;
use super::reading;
use super::shape::Shapes;
use super::solid::{Solid, WrittenSolid};
use super::wall::WrittenWall;
use super::written_scene::WrittenScene;
use super::{BoundaryCondition, ColorQuantity, Engine, SceneOutline, Shape, Wall};
use crate::Error;

/// The engine of a scene, its dimension and its box.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneHeader {
    /// The engine that runs it.
    pub engine: Engine,
    /// Number of dimensions of the scene, 2 or 3.
    pub dimension: usize,
    /// Edge lengths of the box, if the scene states them; otherwise they follow from the bodies.
    pub size: Option<Vec<f64>>,
    /// Boundary condition of the box along each axis.
    pub boundary_conditions: Vec<BoundaryCondition>,
    /// Quantity that the colors of pictures show.
    pub color: ColorQuantity,
}

/// The walls of a scene in one of its stages.
#[derive(Clone, Debug, PartialEq)]
pub struct StageWalls {
    /// When the stage begins, but for a time step; infinite if the stages before it end otherwise than by their
    /// durations.
    pub start: f64,
    /// The walls besides the sides of the box.
    pub walls: Vec<Wall>,
}

impl SceneOutline {
    /// Returns the engine, the dimension and the box.
    pub fn header(&self) -> Result<SceneHeader, Error> {
        let header = self.written.dimension().and_then(|dimension| match dimension {
            2 => self.header_of::<2>(),
            _ => self.header_of::<3>(),
        });
        header.map_err(|refusal| self.source.locate(refusal))
    }

    fn header_of<const D: usize>(&self) -> ValidationResult<SceneHeader> {
        let engine = self.written.engine()?;
        let size = self.written.region.size::<D>()?;
        Ok(SceneHeader {
            engine,
            dimension: D,
            size: size.map(|size| size.edges.iter().copied().collect()),
            boundary_conditions: self.written.region.boundary_conditions::<D>(engine)?.to_vec(),
            color: self.written.output.check(engine)?.color,
        })
    }

    /// Returns the walls besides the sides of the box after a number of stages has begun; those that have moved
    /// before are given as if they moved now.
    pub(super) fn walls_after(&self, begun: usize) -> Result<Vec<Wall>, Error> {
        let mut stages = self.staged_walls()?;
        stages.truncate(begun.max(1));
        let Some(StageWalls { mut walls, .. }) = stages.pop() else { return Ok(Vec::new()) };
        let earlier = || stages.iter().flat_map(|stage| &stage.walls);
        for wall in walls.iter_mut().filter(|wall| wall.name.is_some()) {
            let moved = earlier().find(|it| it.name == wall.name && it.motion.moves());
            moved.into_iter().for_each(|it| wall.motion = it.motion);
        }
        Ok(walls)
    }

    /// Returns the walls besides the sides of the box in every stage, or as in one stage if the scene has none.
    pub fn staged_walls(&self) -> Result<Vec<StageWalls>, Error> {
        let stages = (0..self.written.stages.len().max(1)).try_fold(
            (Vec::new(), 0.0),
            |(mut stages, start), number| {
                let (walls, duration) = self.walls_of_stage(number)?;
                stages.push(StageWalls { start, walls });
                Ok((stages, start + duration))
            },
        );
        stages.map(|(stages, _)| stages).map_err(|refusal| self.source.locate(refusal))
    }

    /// The walls in a stage, and how long it lasts.
    fn walls_of_stage(&self, number: usize) -> ValidationResult<(Vec<Wall>, f64)> {
        self.check_files(&["walls"])?;
        let merged;
        let written = match self.written.stages.is_empty() {
            true => &self.written,
            false => {
                merged = reading::read::<WrittenScene>(&self.source.in_stage(number))?;
                &merged
            }
        };
        let materials = Materials::check(&written.materials)?;
        let walls = match written.dimension()? {
            2 => WrittenWall::check_all::<2>(&written.walls, &materials, &self.folder),
            _ => WrittenWall::check_all::<3>(&written.walls, &materials, &self.folder),
        };
        Ok((walls?, written.limits()?.until.unwrap_or(f64::INFINITY)))
    }

    /// Returns the solids as the scene has them at its start, wherever they lie.
    pub(super) fn solids<const D: usize>(&self) -> Result<Vec<Solid<D>>, Error> {
        let solids = self.check_files(&["solids"]).and_then(|()| {
            let materials = Materials::check(&self.written.materials)?;
            WrittenSolid::check_all(&self.written.solids, &materials, None, &self.folder)
        });
        solids.map_err(|refusal| self.source.locate(refusal))
    }

    /// Returns the shapes that bodies may have, from their files if they have some, in the order of their names.
    pub fn shapes(&self) -> Result<Vec<Shape>, Error> {
        let (tables, folder) = (&self.written.shapes, &self.folder);
        let dimension = self.check_files(&["shapes"]).and_then(|()| self.written.dimension());
        let shapes = dimension.and_then(|dimension| match dimension {
            2 => Shapes::check::<2>(tables, folder),
            _ => Shapes::check::<3>(tables, folder),
        });
        shapes.map(Shapes::into_list).map_err(|refusal| self.source.locate(refusal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DICE: &str = "engine = 'dem'\ndimension = 3\nuntil = 1\nbox.size = [4, 5, 6]\n\
         box.boundary = ['periodic', 'wall', 'open']\n[shapes.die]\nbox = [1, 1, 1]\n\
         [[walls]]\nkind = 'plane'\npoint = [0, 0, 1]\nnormal = [0, 0, 1]\n\
         [[generate]]\nkind = 'random'\ncount = 1e9\nshape = 'die'\n";

    #[test]
    fn a_header_is_there_without_bodies() {
        let outline = SceneOutline::parse(DICE, "dice.toml", "".as_ref(), &[]).unwrap();
        let stage = outline.header().unwrap();
        assert_eq!((stage.engine, stage.dimension), (Engine::Dem, 3));
        assert_eq!(stage.size, Some(vec![4.0, 5.0, 6.0]));
        let sides = [
            BoundaryCondition::Periodic,
            BoundaryCondition::Wall { restitution: None },
            BoundaryCondition::Open,
        ];
        assert_eq!(stage.boundary_conditions, sides);
        assert_eq!(outline.shapes().unwrap()[0].name, "die");
        assert_eq!(outline.staged_walls().unwrap()[0].walls.len(), 1);
    }

    #[test]
    fn a_lost_mesh_costs_the_shapes_and_not_the_walls() {
        let text = DICE.replace("box = [1, 1, 1]", "file = 'lost.stl'");
        let outline = SceneOutline::parse(&text, "dice.toml", "".as_ref(), &[]).unwrap();
        assert!(outline.shapes().unwrap_err().to_string().contains("lost.stl"));
        assert_eq!(outline.staged_walls().unwrap()[0].walls.len(), 1);
    }
}
