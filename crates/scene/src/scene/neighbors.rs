//! Settings of the neighbor search.

use super::bounds::Positive;
use super::problem::ValidationResult;
use super::values::{LocatedValue, optional_positive};
use carom_simulate::event_driven::NeighborStructure;
use schemars::JsonSchema;
use serde::Deserialize;

/// Settings of the neighbor search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeighborSettings {
    /// Neighbor structure of an event-driven run.
    pub method: NeighborStructure,
    /// Shell of neighbor lists: how far a body may travel before its neighbors are searched again, in mean diameters;
    /// the engine chooses if it is `None`.
    pub shell: Option<f64>,
    /// Verlet skin of a DEM run, in smallest diameters; the engine chooses if it is `None`.
    pub skin: Option<f64>,
}

/// Settings of the neighbor search; they change the speed and nothing else.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Neighbors")]
pub(super) struct WrittenNeighbors {
    /// Neighbor structure; auto if left out.
    method: Option<LocatedValue<NeighborStructure>>,
    /// Shell of neighbor lists: how far a body may travel before its neighbors are searched again, in mean diameters
    /// (engine event-driven).
    #[schemars(with = "Option<Positive>")]
    shell: Option<LocatedValue<f64>>,
    /// Verlet skin, in smallest diameters (engine dem); 0.15 if left out.
    #[schemars(with = "Option<Positive>")]
    skin: Option<LocatedValue<f64>>,
}

impl WrittenNeighbors {
    /// Refuses keys that do not apply to DEM.
    pub(super) fn check_dem(&self) -> ValidationResult<()> {
        match &self.method {
            Some(method) if method.value != NeighborStructure::Auto => Err(method.refuse(
                "in engine = \"dem\" neighbors are found by the search for contacts; leave it out",
            )),
            _ => match &self.shell {
                Some(shell) => {
                    Err(shell.refuse("only engine = \"event-driven\" has it; give skin"))
                }
                None => Ok(()),
            },
        }
    }

    /// Refuses keys without a meaning in an event-driven run.
    pub(super) fn check_event_driven(&self) -> ValidationResult<()> {
        let rule = "only engine = \"dem\" has it; give shell";
        self.skin.as_ref().map_or(Ok(()), |skin| Err(skin.refuse(rule)))
    }

    /// Refuses keys without a meaning for bonded solids.
    pub(super) fn check_bonded(&self) -> ValidationResult<()> {
        let rule = "solids find their contacts by themselves; leave it out";
        match (&self.method, self.shell.as_ref().or(self.skin.as_ref())) {
            (Some(method), _) if method.value != NeighborStructure::Auto => {
                Err(method.refuse(rule))
            }
            (_, Some(width)) => Err(width.refuse(rule)),
            _ => Ok(()),
        }
    }

    pub(super) fn check(&self) -> ValidationResult<NeighborSettings> {
        Ok(NeighborSettings {
            method: self.method.as_ref().map_or(NeighborStructure::Auto, |method| method.value),
            shell: optional_positive(&self.shell)?,
            skin: optional_positive(&self.skin)?,
        })
    }
}
