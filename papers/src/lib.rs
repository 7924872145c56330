//! The papers behind carom: their experiments measured again, beside the published values.
//!
//! | paper | module | experiments |
//! |---|---|---|
//! | 000, Gavrilova and Rokne, kinetic neighbor structures | [`paper_000`] | table 1 counted and timed, figure 1, the guidelines of section 4 |
//! | 001, Schinner, bounding boxes and closest features of polyhedra | [`paper_001`] | the table of iterations and times, figure 6, many tumbling polyhedra |
//! | 002, Leszczynski and Ciesielski (2004), contacts of spheres by distance sort | [`paper_002`] | contact ratios, figure 2, tables 1 to 3, choice of the origin |
//! | 003, Muth, Of, Eberhard and Steinbach (2006), points inside polyhedra | [`paper_003`] | figures 7 to 10 and 12 to 15, tables 1 and 2, where which method is faster |
//! | 004, Koti (1989), deformation of colliding objects | [`paper_004`] | figures 2 and 3 in the old way and in the right way, the rule for intervals, chapter 4 in space, equations 2.1 and 2.4 |
//!
//! A paper is run as a whole by [`Paper::run`], which returns its files and a summary and writes
//! nothing itself; its experiments can also be called one by one, as functions that return plain
//! data. Everything is the same on every run but the times.
//!
//! ```no_run
//! use carom_papers::{Paper, Settings};
//! let paper = Paper::numbered("002").expect("paper 002 is there");
//! let report = (paper.run)(&Settings { quick: true }, &mut |step, done| {
//!     eprintln!("{:3.0} % {step}", 100.0 * done);
//! });
//! println!("{}", report.summary);
//! ```
//!
//! The reports of several papers become one HTML page by [`page`].
//!
//! Shared by the papers: [`records`], [`table`], [`chart`], [`verdict`], [`report`], [`fit`], [`measure`], [`digits`];
//! with the benchmarks: [`hard_spheres`], [`clock`].

pub mod chart;
pub mod clock;
pub mod digits;
pub mod fit;
pub mod hard_spheres;
pub mod measure;
pub mod page;
pub mod paper_000;
pub mod paper_001;
pub mod paper_002;
pub mod paper_003;
pub mod paper_004;
mod progress;
#[cfg(test)]
mod quick_run;
pub mod records;
pub mod report;
pub mod table;
pub mod verdict;

pub use progress::PaperProgress;
pub use report::{PaperReport, ReportFile, Settings};

/// A paper that can be reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Number of the paper in carom's list, such as `002`.
    pub number: &'static str,
    /// Authors and year.
    pub authors: &'static str,
    /// Title of the paper.
    pub title: &'static str,
    /// The page with slots ([`report`]), and the rules of its verdicts ([`verdict`]).
    page: [&'static str; 2],
    /// Measures everything; calls back with the name of each step and the part done, from 0 to 1.
    pub run: PaperRunner,
}

/// A function that runs a paper and calls back with the name of each step and the part done, from 0 to 1.
pub type PaperRunner = fn(&Settings, &mut dyn FnMut(&str, f64)) -> PaperReport;

/// Every paper that can be reproduced, ascending.
pub const PAPERS: [Paper; 5] = [
    Paper {
        number: "000",
        authors: "Gavrilova and Rokne",
        title: "Collision Detection Optimization in a Multi-particle System",
        page: [include_str!("../pages/000.md"), include_str!("../pages/000.csv")],
        run: paper_000::run,
    },
    Paper {
        number: "001",
        authors: "Schinner",
        title: "Collision detection of polyhedra by bounding boxes and closest features",
        page: [include_str!("../pages/001.md"), include_str!("../pages/001.csv")],
        run: paper_001::run,
    },
    Paper {
        number: "002",
        authors: "Leszczynski and Ciesielski (2004)",
        title: "Effective Algorithm for Detection of a Collision between Spherical Particles",
        page: [include_str!("../pages/002.md"), include_str!("../pages/002.csv")],
        run: paper_002::run,
    },
    Paper {
        number: "003",
        authors: "Muth, Of, Eberhard and Steinbach (2006)",
        title: "Collision Detection for Complicated Polyhedra Using the Fast Multipole Method or Ray Crossing",
        page: [include_str!("../pages/003.md"), include_str!("../pages/003.csv")],
        run: paper_003::run,
    },
    Paper {
        number: "004",
        authors: "Koti (1989)",
        title: "Simulation of deformation of colliding objects using particle systems",
        page: [include_str!("../pages/004.md"), include_str!("../pages/004.csv")],
        run: paper_004::run,
    },
];

impl Paper {
    /// The paper of that number, if it can be reproduced.
    pub fn numbered(number: &str) -> Option<Paper> {
        PAPERS.into_iter().find(|paper| paper.number == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn papers_are_found_by_number() {
        assert!(Paper::numbered("002").is_some_and(|paper| paper.title.contains("Collision")));
        assert!(Paper::numbered("2").is_none());
    }
}
