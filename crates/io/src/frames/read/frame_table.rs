//! Columns of a file before they are checked and become a frame, whatever the format.

use super::problem::FrameReadProblem;
use crate::AxisExtent;

/// Columns of numbers from a file, each with a number of components per row.
#[derive(Debug)]
pub(super) struct FrameTable {
    pub time: Option<f64>,
    pub step: u64,
    pub region: [AxisExtent; 3],
    /// Periods of the periodic axes, wherever the box begins.
    pub periods: [Option<f64>; 3],
    /// Whether the box is that of discs.
    pub is_flat: bool,
    pub columns: Vec<FrameTableColumn>,
}

#[derive(Debug)]
pub(super) struct FrameTableColumn {
    pub name: String,
    pub components: usize,
    pub values: Vec<f64>,
}

impl FrameTable {
    /// Takes out a column that may exist.
    pub(super) fn take(
        &mut self,
        name: &str,
        components: usize,
    ) -> Result<Option<Vec<f64>>, FrameReadProblem> {
        let Some(place) = self.columns.iter().position(|column| column.name == name) else {
            return Ok(None);
        };
        let column = self.columns.remove(place);
        if column.components == components {
            return Ok(Some(column.values));
        }
        let found = column.components;
        Err(FrameReadProblem::foreign(format!(
            "\"{name}\" has {found} numbers a row, not {components}"
        )))
    }

    /// Takes out a column that must exist.
    pub(super) fn take_required(
        &mut self,
        name: &str,
        components: usize,
    ) -> Result<Vec<f64>, FrameReadProblem> {
        self.take(name, components)?.ok_or_else(|| FrameReadProblem::Missing(name.to_owned()))
    }

    /// As [`take_required`](Self::take_required), for a column that the writer of the file may have left out.
    pub(super) fn take_expected(
        &mut self,
        name: &str,
        components: usize,
    ) -> Result<Vec<f64>, FrameReadProblem> {
        self.take(name, components)?.ok_or_else(|| FrameReadProblem::LeftOut(name.to_owned()))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// Returns the remaining columns of one number per row.
    pub(super) fn into_scalar_columns(self) -> Vec<(String, Vec<f64>)> {
        let single = self.columns.into_iter().filter(|column| column.components == 1);
        single.map(|column| (column.name, column.values)).collect()
    }
}
