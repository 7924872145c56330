//! How neighbours are found.

use super::bounds::Positive;
use super::problem::Checked;
use super::values::{At, optional_positive};
use schemars::JsonSchema;
use serde::Deserialize;

/// How neighbours are found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Neighbours {
    /// Which structure.
    pub method: NeighbourMethod,
    /// How far a body may travel before its neighbours are looked for again, in mean diameters; the
    /// engine chooses if it is not said.
    pub shell: Option<f64>,
    /// How much wider than they are bodies are taken in a search of a time-stepped run, in smallest
    /// diameters; the engine chooses if it is not said.
    pub skin: Option<f64>,
}

/// A structure that names the neighbours of moving bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NeighbourMethod {
    /// The engine chooses.
    #[default]
    Auto,
    /// Every pair; for few bodies and for checks.
    AllPairs,
    /// Cells of one size.
    CellGrid,
    /// Cells in an ordered tree, for bodies far apart.
    CellTree,
    /// Sorted ends of the bodies' shadows on the axes.
    SegmentTrees,
    /// Lists of near bodies, renewed when a body leaves its shell.
    Shells,
    /// The kinetic Laguerre Delaunay triangulation: bodies whose Laguerre cells share a side.
    LaguerreDelaunay,
}

/// How neighbours are found.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Neighbours")]
pub(super) struct WrittenNeighbours {
    /// Which structure; auto if left out.
    method: Option<At<NeighbourMethod>>,
    /// How far a body may travel before its neighbours are looked for again, in mean diameters (engine
    /// events).
    #[schemars(with = "Option<Positive>")]
    shell: Option<At<f64>>,
    /// How much wider than they are bodies are taken in a search, in smallest diameters (engine steps);
    /// 0.15 if left out.
    #[schemars(with = "Option<Positive>")]
    skin: Option<At<f64>>,
}

impl WrittenNeighbours {
    /// Refuses what means nothing in steps of time.
    pub(super) fn check_steps(&self) -> Checked<()> {
        match &self.method {
            Some(method) if method.value != NeighbourMethod::Auto => Err(method.refuse(
                "in steps of time neighbours are found by the search for contacts; leave it out",
            )),
            _ => match &self.shell {
                Some(shell) => Err(shell.refuse("only engine = \"events\" has it; give skin")),
                None => Ok(()),
            },
        }
    }

    /// Refuses what means nothing in an event-driven run.
    pub(super) fn check_events(&self) -> Checked<()> {
        let rule = "only engine = \"steps\" has it; give shell";
        self.skin.as_ref().map_or(Ok(()), |skin| Err(skin.refuse(rule)))
    }

    /// Refuses what means nothing to solids.
    pub(super) fn check_deform(&self) -> Checked<()> {
        let rule = "solids find their contacts by themselves; leave it out";
        match (&self.method, self.shell.as_ref().or(self.skin.as_ref())) {
            (Some(method), _) if method.value != NeighbourMethod::Auto => Err(method.refuse(rule)),
            (_, Some(width)) => Err(width.refuse(rule)),
            _ => Ok(()),
        }
    }

    pub(super) fn check(&self) -> Checked<Neighbours> {
        Ok(Neighbours {
            method: self.method.as_ref().map_or(NeighbourMethod::Auto, |method| method.value),
            shell: optional_positive(&self.shell)?,
            skin: optional_positive(&self.skin)?,
        })
    }
}
