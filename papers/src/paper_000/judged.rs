//! The measured table in the form of the printed one: a verdict per cell.

use super::Results;
use super::bound::{Bound, Growth, Judgement};
use super::published::{self, Column};
use carom::simulate::events::Structure;

/// How a column of a structure grows in all systems of one dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// 2 or 3.
    pub dimension: usize,
    /// The row.
    pub structure: Structure,
    /// The column.
    pub column: Column,
    /// As printed, or as expected where nothing is printed.
    pub bound: Bound,
    /// Of each system, by name; empty where there is nothing to fit.
    pub growths: Vec<(String, Growth)>,
}

impl Cell {
    /// The judgement of the system that grows fastest against the bound.
    pub fn worst(&self) -> Option<Judgement> {
        self.growths.iter().map(|(_, growth)| growth.judgement).max()
    }

    /// The smallest and the largest exponent.
    pub fn range(&self) -> Option<(f64, f64)> {
        let exponents = || self.growths.iter().map(|(_, growth)| growth.measured);
        let least = exponents().reduce(f64::min)?;
        Some((least, exponents().reduce(f64::max)?))
    }
}

/// Every cell of both dimensions, row by row.
pub fn cells(results: &Results) -> Vec<Cell> {
    let mut cells = Vec::new();
    for dimension in [2, 3] {
        for structure in super::measured::STRUCTURES {
            cells.extend(Column::ALL.map(|column| cell(results, dimension, structure, column)));
        }
    }
    cells
}

fn cell(results: &Results, dimension: usize, structure: Structure, column: Column) -> Cell {
    let bound = published::bounds(structure)[column as usize];
    let growths = match column {
        Column::C => {
            let curves = results.thin.iter();
            let mut own =
                curves.filter(|thin| thin.dimension == dimension && thin.structure == structure);
            own.find_map(|thin| thin.growth()).map(|growth| ("thin 1:1".into(), growth))
        }
        .into_iter()
        .collect(),
        _ => {
            let panels = results.panels.iter().filter(|panel| panel.dimension == dimension);
            let growth = |panel: &super::table_1::Panel| {
                let growth = panel.curve(structure)?.growth(column, dimension)?;
                Some((panel.system.to_string(), growth))
            };
            panels.filter_map(growth).collect()
        }
    };
    Cell { dimension, structure, column, bound, growths }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_as_good_as_its_worst_system() {
        let growth = |measured: f64| Growth {
            measured,
            allowed: 0.0,
            judgement: Judgement::of(measured, 0.0, 0.15),
        };
        let cell = Cell {
            dimension: 2,
            structure: Structure::CellGrid,
            column: Column::A,
            bound: Bound::Constant,
            growths: vec![("a".into(), growth(-0.3)), ("b".into(), growth(0.1))],
        };
        assert_eq!(cell.worst(), Some(Judgement::Within));
        assert_eq!(cell.range(), Some((-0.3, 0.1)));
        assert_eq!(Cell { growths: Vec::new(), ..cell }.worst(), None);
    }
}
