//! Solids that start as they were at the end of another run.

use super::problem::ValidationResult;
use super::run_source::{self, RunSource};
use super::solid::Solid;
use super::values::LocatedValue;
use super::{Engine, Region, SceneOutline};
use crate::Error;
use carom_geometry::Vector;
use carom_io::{RunFrameSelector, excerpt};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

/// Another run, at whose end the solids of the scene are as they are here at the start.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Start")]
pub(super) struct WrittenStart {
    /// Results folder of a run of engine bonded with the same solids.
    file: LocatedValue<String>,
}

impl WrittenStart {
    /// Reads the state at the end of the run. Its solids must be those of the scene but for materials and velocities.
    pub(super) fn check<const D: usize>(
        &self,
        solids: &[Solid<D>],
        folder: &Path,
    ) -> ValidationResult<RunSource> {
        let file = &self.file;
        let path = folder.join(&file.value);
        let moment = RunFrameSelector::of(&path).map_err(|error| file.refuse_file(error))?;
        let Some(moment) = moment.filter(RunFrameSelector::is_last) else {
            return Err(file.refuse("it must be the results folder of a run, whose end counts"));
        };
        run_source::check_ended(&moment, file)?;
        let outline = SceneOutline::read_results(&moment.folder, &[])?;
        let header = outline.header()?;
        if header.engine != Engine::Bonded || header.dimension != D {
            return Err(file.refuse(format!(
                "it is a run of engine = \"{}\" in {} dimensions; solids start as in a run of engine = \"bonded\" in {D}",
                header.engine.name(),
                header.dimension
            )));
        }
        let there = outline.solids::<D>()?;
        if there.len() != solids.len() {
            let counts = [there.len(), solids.len()];
            return Err(file.refuse(format!(
                "it has {} solids, and the scene has {}; they must be the same",
                counts[0], counts[1]
            )));
        }
        if let Some(solid) = (0..solids.len()).find(|&it| !are_alike(&solids[it], &there[it])) {
            return Err(file.refuse(format!(
                "solid {solid} differs from that of the run; shape, holes, lattice, spacing, turn, cracks, fixed and \
                 hold must be the same, so copy its [[solids]], or leave them out and give --from"
            )));
        }
        let checkpoint = run_source::last_checkpoint(&moment)?;
        let Some(checkpoint) = checkpoint.filter(|it| it.arrays.engine == "bonded") else {
            return Err(file.refuse("it has no checkpoint.bin of solids, which has their state"));
        };
        let source = run_source::source(&header, 0);
        Ok(RunSource {
            folder: moment.folder.clone(),
            checkpoint: Some(Arc::new(checkpoint)),
            ..source
        })
    }
}

/// Whether two solids have the same particles and springs at the start of their runs.
fn are_alike<const D: usize>(one: &Solid<D>, other: &Solid<D>) -> bool {
    let body = |solid: &Solid<D>| Solid {
        material: 0,
        velocity: Vector::zeros(),
        angular_velocity: Vector::zeros(),
        ..solid.clone()
    };
    body(one) == body(other)
}

impl RunSource {
    /// Returns the box of the run, if its size is known.
    pub fn region<const D: usize>(&self) -> Option<Region<D>> {
        let size = self.size.as_ref().filter(|size| size.len() == D)?;
        Some(Region {
            size: Vector::from_column_slice(size),
            boundary_conditions: self.boundary_conditions.clone().try_into().ok()?,
        })
    }
}

/// Returns the settings that make a scene of engine bonded start from the end of a run: with its solids and their state.
///
/// # Errors
///
/// Where the folder has no UTF-8 name, or its scene cannot be read.
pub fn solids_of_run(run: &Path) -> Result<Vec<String>, Error> {
    // Files of a scene are searched beside it, and this one was named in the current folder.
    let refuse = |source| carom_io::Error::CannotRead { file: excerpt::file_name(run), source };
    let path = std::path::absolute(run).map_err(refuse)?;
    let path = path.to_str().ok_or_else(|| refuse(std::io::ErrorKind::InvalidFilename.into()))?;
    let outline = SceneOutline::read_results(run, &[])?;
    let tables: toml::Table =
        toml::from_str(&outline.to_toml()?).expect("the text that runs a scene again is TOML");
    let solids = tables.get("solids").map(|solids| format!("solids={solids}"));
    Ok(solids.into_iter().chain([format!("start.file={}", toml::Value::from(path))]).collect())
}
