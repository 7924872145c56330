use super::problem::Damage;
use crate::Span;

/// Columns of numbers found in a file, each of as many values per row as belong together.
#[derive(Debug)]
pub(super) struct Table {
    pub time: Option<f64>,
    pub step: u64,
    pub region: [Span; 3],
    /// The periods of the axes that are periodic, wherever the box begins.
    pub periods: [Option<f64>; 3],
    /// Whether the box is that of discs.
    pub is_flat: bool,
    pub columns: Vec<Column>,
}

#[derive(Debug)]
pub(super) struct Column {
    pub name: String,
    pub components: usize,
    pub values: Vec<f64>,
}

impl Table {
    /// Takes out a column that may be there.
    pub(super) fn take(
        &mut self,
        name: &str,
        components: usize,
    ) -> Result<Option<Vec<f64>>, Damage> {
        let Some(place) = self.columns.iter().position(|column| column.name == name) else {
            return Ok(None);
        };
        let column = self.columns.remove(place);
        if column.components == components {
            return Ok(Some(column.values));
        }
        let found = column.components;
        Err(Damage::foreign(format!("\"{name}\" has {found} numbers a row, not {components}")))
    }

    /// Takes out a column that must be there.
    pub(super) fn needed(&mut self, name: &str, components: usize) -> Result<Vec<f64>, Damage> {
        self.take(name, components)?.ok_or_else(|| Damage::Missing(name.to_owned()))
    }

    /// As [`needed`](Self::needed), where whoever wrote the file may have left the column out.
    pub(super) fn expected(&mut self, name: &str, components: usize) -> Result<Vec<f64>, Damage> {
        self.take(name, components)?.ok_or_else(|| Damage::LeftOut(name.to_owned()))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// The columns that nobody took, those of one number a row.
    pub(super) fn rest(self) -> Vec<(String, Vec<f64>)> {
        let single = self.columns.into_iter().filter(|column| column.components == 1);
        single.map(|column| (column.name, column.values)).collect()
    }
}
