//! The measured table in the form of the printed one: a verdict per cell.

use super::KineticStructureResults;
use super::bound::{BoundComparison, ComplexityBound, FittedGrowth};
use super::published::{self, ComplexityColumn};
use carom::simulate::event_driven::NeighborStructure;

/// How a column of a structure grows in all systems of one dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundTableCell {
    /// 2 or 3.
    pub dimension: usize,
    /// The row.
    pub structure: NeighborStructure,
    /// The column.
    pub column: ComplexityColumn,
    /// As printed, or as expected where nothing is printed.
    pub bound: ComplexityBound,
    /// Of each system, by name; empty where there is nothing to fit.
    pub growths: Vec<(String, FittedGrowth)>,
}

impl BoundTableCell {
    /// The judgement of the system that grows fastest against the bound.
    pub fn worst_comparison(&self) -> Option<BoundComparison> {
        self.growths.iter().map(|(_, growth)| growth.comparison).max()
    }

    /// The growth that exceeds its bound by most, or stays below it by least.
    pub fn fastest(&self) -> Option<FittedGrowth> {
        let excess = |growth: &FittedGrowth| growth.measured - growth.allowed;
        let growths = self.growths.iter().map(|(_, growth)| *growth);
        growths.max_by(|a, b| excess(a).total_cmp(&excess(b)))
    }

    /// The smallest and the largest exponent.
    pub fn range(&self) -> Option<(f64, f64)> {
        let exponents = || self.growths.iter().map(|(_, growth)| growth.measured);
        let least = exponents().reduce(f64::min)?;
        Some((least, exponents().reduce(f64::max)?))
    }
}

/// Every cell of both dimensions, row by row.
pub fn cells(results: &KineticStructureResults) -> Vec<BoundTableCell> {
    let mut cells = Vec::new();
    for dimension in [2, 3] {
        for structure in super::measured::STRUCTURES {
            cells.extend(
                ComplexityColumn::ALL.map(|column| cell(results, dimension, structure, column)),
            );
        }
    }
    cells
}

fn cell(
    results: &KineticStructureResults,
    dimension: usize,
    structure: NeighborStructure,
    column: ComplexityColumn,
) -> BoundTableCell {
    let bound = published::bounds(structure)[column as usize];
    let growths = match column {
        ComplexityColumn::C => {
            let curves = results.thin.iter();
            let mut own =
                curves.filter(|thin| thin.dimension == dimension && thin.structure == structure);
            own.find_map(|thin| thin.growth()).map(|growth| ("thin 1:1".into(), growth))
        }
        .into_iter()
        .collect(),
        _ => {
            let panels = results.panels.iter().filter(|panel| panel.dimension == dimension);
            let growth = |panel: &super::table_1::StructurePanel| {
                let growth = panel.curve(structure)?.growth(column, dimension)?;
                Some((panel.system.to_string(), growth))
            };
            panels.filter_map(growth).collect()
        }
    };
    BoundTableCell { dimension, structure, column, bound, growths }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_as_good_as_its_worst_system() {
        let growth = |measured: f64| FittedGrowth {
            measured,
            allowed: 0.0,
            comparison: BoundComparison::of(measured, 0.0, 0.15),
        };
        let cell = BoundTableCell {
            dimension: 2,
            structure: NeighborStructure::CellGrid,
            column: ComplexityColumn::A,
            bound: ComplexityBound::Constant,
            growths: vec![("a".into(), growth(-0.3)), ("b".into(), growth(0.1))],
        };
        assert_eq!(cell.worst_comparison(), Some(BoundComparison::Within));
        assert_eq!(cell.range(), Some((-0.3, 0.1)));
        assert_eq!(BoundTableCell { growths: Vec::new(), ..cell }.worst_comparison(), None);
    }
}
