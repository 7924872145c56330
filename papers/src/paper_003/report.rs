//! The files and the summary of the paper.

mod charts;
mod documents;
mod sheets;

use super::approach::Approach;
use super::bodies::MeshSeries;
use super::comparison::Comparison;
use super::{PointInclusionResults, findings};
use crate::{PaperReport, ReportFile, Settings};

/// A figure that shows one approach over all grids, or several over two of them.
#[derive(Clone, Copy, Debug)]
struct Figure {
    number: usize,
    body: MeshSeries,
    /// What it shows.
    content: FigureContent,
}

#[derive(Clone, Copy, Debug)]
enum FigureContent {
    One(Approach),
    /// The paper's three, and two more, on the smallest and the largest grid.
    Comparison,
}

const FIGURES: [Figure; 8] = [
    Figure {
        number: 7,
        body: MeshSeries::Sphere,
        content: FigureContent::One(Approach::WellChosen),
    },
    Figure {
        number: 8,
        body: MeshSeries::Sphere,
        content: FigureContent::One(Approach::PreChosen),
    },
    Figure {
        number: 9,
        body: MeshSeries::Sphere,
        content: FigureContent::One(Approach::RayCrossing),
    },
    Figure { number: 10, body: MeshSeries::Sphere, content: FigureContent::Comparison },
    Figure {
        number: 12,
        body: MeshSeries::Foam,
        content: FigureContent::One(Approach::WellChosen),
    },
    Figure { number: 13, body: MeshSeries::Foam, content: FigureContent::One(Approach::PreChosen) },
    Figure {
        number: 14,
        body: MeshSeries::Foam,
        content: FigureContent::One(Approach::RayCrossing),
    },
    Figure { number: 15, body: MeshSeries::Foam, content: FigureContent::Comparison },
];

/// The approaches of figures 10 and 15.
const COMPARED: [Approach; 5] = [
    Approach::RayCrossing,
    Approach::PreChosen,
    Approach::WellChosen,
    Approach::BvhRayCrossing,
    Approach::Cells,
];

impl Figure {
    fn comparison(self, results: &PointInclusionResults) -> &Comparison {
        let [sphere, foam] = &results.comparisons;
        match self.body {
            MeshSeries::Sphere => sphere,
            MeshSeries::Foam => foam,
        }
    }

    /// Its lines: approach and points along each axis.
    fn lines(self, comparison: &Comparison) -> Vec<(Approach, usize)> {
        match self.content {
            FigureContent::One(approach) => {
                comparison.grids.iter().map(|&per_axis| (approach, per_axis)).collect()
            }
            FigureContent::Comparison => {
                let grids = [comparison.smallest_grid(), comparison.largest_grid()];
                let of = |approach| grids.map(|per_axis| (approach, per_axis));
                COMPARED.into_iter().flat_map(of).collect()
            }
        }
    }

    fn title(self) -> String {
        let (number, body) = (self.number, self.body);
        match self.content {
            FigureContent::One(Approach::RayCrossing) => {
                format!("Figure {number}: {body}, ray crossing")
            }
            FigureContent::One(Approach::WellChosen) => {
                format!("Figure {number}: {body}, fast multipole method, well-chosen depth")
            }
            FigureContent::One(_) => {
                format!("Figure {number}: {body}, fast multipole method, pre-chosen depth")
            }
            FigureContent::Comparison => format!("Figure {number}: {body}, comparison"),
        }
    }
}

/// All files and the text to print.
pub(super) fn write(results: &PointInclusionResults, settings: &Settings) -> PaperReport {
    let findings = findings::all(results);
    let mut files = Vec::new();
    for figure in FIGURES {
        let name = format!("003/figure{}", figure.number);
        files.push(ReportFile::new(name.clone() + ".csv", sheets::figure(figure, results).csv()));
        files.push(ReportFile::new(name + ".svg", charts::figure(figure, results).svg()));
    }
    let sheets = [
        ("003/table1.csv", sheets::table_1(&results.comparisons).csv()),
        ("003/table2.csv", sheets::table_2_rows(&results.comparisons[0]).csv()),
        ("003/table2.svg", charts::table_2(&results.comparisons[0]).svg()),
        ("003/crossover.csv", sheets::crossover(&results.comparisons).csv()),
        ("003/answers.csv", sheets::answers(&results.comparisons).csv()),
        ("003/errors.csv", sheets::errors(&results.comparisons).csv()),
        ("003/accuracy.csv", sheets::accuracy(&results.accuracy).csv()),
        ("003/report.md", documents::markdown(results, &findings, settings)),
    ];
    files.extend(sheets.map(|(name, content)| ReportFile::new(name, content)));
    PaperReport { files, summary: documents::summary(results, &findings, settings) }
}
