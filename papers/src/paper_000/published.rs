//! Table 1 as the paper prints it, and the bounds of the structures it does not have.

use super::bound::ComplexityBound;
use carom::simulate::event_driven::NeighborStructure;
use std::fmt;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComplexityColumn {
    /// The neighbors of a body.
    A,
    /// New neighbors due to a topological event.
    B,
    /// Time per topological event, collision checks excluded.
    C,
    /// Cost of a prediction of a trajectory.
    D,
    /// Topological events between two collisions.
    E,
    /// Initialization.
    F,
    /// Space.
    G,
}

impl ComplexityColumn {
    /// All of them, in order.
    pub const ALL: [ComplexityColumn; 7] = [
        ComplexityColumn::A,
        ComplexityColumn::B,
        ComplexityColumn::C,
        ComplexityColumn::D,
        ComplexityColumn::E,
        ComplexityColumn::F,
        ComplexityColumn::G,
    ];

    /// Exponents nearer than this count as equal. Counts are bent by small boxes, times also by
    /// caches and by whatever else the machine does.
    pub fn tolerance(self) -> f64 {
        match self {
            ComplexityColumn::C | ComplexityColumn::F => 0.25,
            _ => 0.15,
        }
    }
}

impl fmt::Display for ComplexityColumn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self:?}")
    }
}

/// The rows as printed: the algorithm, and columns A to G.
pub const TABLE_1: [[&str; 8]; 4] = [
    [
        "Dynamic DT",
        "O(n)",
        "1",
        "O(log n)",
        "O(log n)",
        "O(n^2 lambda_s(n))",
        "O(n^ceil(d+1/2))",
        "O(n^ceil(d/2))",
    ],
    ["Subdivision", "O(1)", "O(1)", "O(log n)", "O(log n)", "O(nk)", "O(n + k^d)", "O(n + k^d)"],
    ["Spatial tree", "O(1)", "O(1)", "O(log n)", "O(log n)", "O(nk)", "O(n log n)", "O(n)"],
    ["Segment tree", "O(1)", "0 or 1", "O(log n)", "O(n)", "O(n^2)", "O(n log n)", "O(n)"],
];

/// The bounds of columns A to G: those of the table for the structures it has, and for all pairs and
/// shells what their construction lets expect.
pub fn bounds(structure: NeighborStructure) -> [ComplexityBound; 7] {
    use ComplexityBound::{
        AtMostOne, BodiesAndCells, BodiesTimesCells, Constant, Construction, Linear, Linearithmic,
        Logarithm, One, Simplices, Square, SquareTimesSequence,
    };
    match structure {
        NeighborStructure::Laguerre => {
            [Linear, One, Logarithm, Logarithm, SquareTimesSequence, Construction, Simplices]
        }
        NeighborStructure::CellGrid => [
            Constant,
            Constant,
            Logarithm,
            Logarithm,
            BodiesTimesCells,
            BodiesAndCells,
            BodiesAndCells,
        ],
        NeighborStructure::CellTree => {
            [Constant, Constant, Logarithm, Logarithm, BodiesTimesCells, Linearithmic, Linear]
        }
        NeighborStructure::SegmentTrees => {
            [Constant, AtMostOne, Logarithm, Linear, Square, Linearithmic, Linear]
        }
        NeighborStructure::AllPairs => [Linear, Linear, Linear, Linear, Constant, Square, Linear],
        _ => [Constant, Constant, Logarithm, Logarithm, Constant, Linear, Linear],
    }
}

/// The structures of the table, row by row.
pub const PRINTED: [NeighborStructure; 4] = [
    NeighborStructure::Laguerre,
    NeighborStructure::CellGrid,
    NeighborStructure::CellTree,
    NeighborStructure::SegmentTrees,
];

/// Whether the table has the structure.
pub fn is_printed(structure: NeighborStructure) -> bool {
    PRINTED.contains(&structure)
}

/// The paper's name of a structure, or carom's where the paper has none.
pub fn name(structure: NeighborStructure) -> String {
    let printed = match structure {
        NeighborStructure::Laguerre => "Dynamic DT",
        NeighborStructure::CellGrid => "Subdivision",
        NeighborStructure::CellTree => "Spatial tree",
        NeighborStructure::SegmentTrees => "Segment tree",
        other => return other.name().into(),
    };
    format!("{printed} ({})", structure.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_printed() {
        for (structure, row) in PRINTED.into_iter().zip(&TABLE_1) {
            let bounds = bounds(structure).map(|bound| bound.to_string());
            assert_eq!(bounds, row[1..], "{}", row[0]);
            assert!(name(structure).starts_with(row[0]));
        }
    }
}
