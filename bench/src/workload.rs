//! What is measured: the cases of the paper and some with very unequal sizes.

use crate::error::Error;
use carom::Sphere;
use carom::scene::generate::{DEFAULT_SEED, PaperCase, paper_case_particles};

/// Who takes part in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// carom with all its methods, every peer, the textbook.
    Everyone,
    /// As before, and those that can on several threads.
    EveryoneAlsoParallel,
    /// carom's own choice only.
    CaromOnly,
}

/// A named system, its size and who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The system.
    pub workload: PaperCase,
    /// How many particles.
    pub count: usize,
    /// Who takes part.
    pub field: Field,
}

/// The tests of the paper, each at three sizes.
pub const PAPER_WORKLOADS: [PaperCase; 6] = [
    PaperCase::TwoA,
    PaperCase::TwoB,
    PaperCase::TwoC,
    PaperCase::ThreeA,
    PaperCase::ThreeB,
    PaperCase::ThreeC,
];
/// The sizes of the paper's tests.
pub const PAPER_COUNTS: [usize; 3] = [10_000, 100_000, 1_000_000];

impl Case {
    fn new(workload: PaperCase, count: usize, field: Field) -> Self {
        Case { workload, count, field }
    }

    /// The spheres or discs; an error if `D` is not the dimension of the workload.
    pub fn spheres<const D: usize>(&self) -> Result<Vec<Sphere<D>>, Error> {
        Ok(paper_case_particles(self.workload, self.count, DEFAULT_SEED)?)
    }
}

/// Every case of the full benchmark.
pub fn full() -> Vec<Case> {
    let mut cases = Vec::new();
    for workload in PAPER_WORKLOADS {
        for count in PAPER_COUNTS {
            let parallel = workload == PaperCase::ThreeB && count == 1_000_000;
            let field = if parallel { Field::EveryoneAlsoParallel } else { Field::Everyone };
            cases.push(Case::new(workload, count, field));
        }
    }
    for (workload, count) in [
        (PaperCase::LogNormal, 100_000),
        (PaperCase::Big, 100_000),
        (PaperCase::PolydisperseTwo, 10_000),
        (PaperCase::PolydisperseThree, 10_000),
    ] {
        cases.push(Case::new(workload, count, Field::Everyone));
    }
    cases.push(Case::new(PaperCase::ThreeB, 10_000_000, Field::CaromOnly));
    cases
}

/// Every workload with a few particles, to show that the harness works.
pub fn tiny() -> Vec<Case> {
    let case = |workload| match workload {
        PaperCase::PolydisperseTwo | PaperCase::PolydisperseThree => {
            Case::new(workload, 300, Field::Everyone)
        }
        PaperCase::ThreeB => Case::new(workload, 1000, Field::EveryoneAlsoParallel),
        _ => Case::new(workload, 1000, Field::Everyone),
    };
    PaperCase::ALL.into_iter().map(case).collect()
}

/// The cases that the Python peers take part in.
pub fn python() -> Vec<Case> {
    [
        (PaperCase::ThreeB, 100_000),
        (PaperCase::ThreeB, 1_000_000),
        (PaperCase::TwoB, 1_000_000),
        (PaperCase::LogNormal, 100_000),
    ]
    .map(|(workload, count)| Case::new(workload, count, Field::CaromOnly))
    .to_vec()
}

/// The Python cases with a few particles.
pub fn python_tiny() -> Vec<Case> {
    [PaperCase::ThreeB, PaperCase::TwoB, PaperCase::LogNormal]
        .map(|workload| Case::new(workload, 1000, Field::CaromOnly))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_benchmark_has_the_eighteen_cases_of_the_paper_and_five_more() {
        let cases = full();
        let of_the_paper = |case: &&Case| {
            PAPER_WORKLOADS.contains(&case.workload) && PAPER_COUNTS.contains(&case.count)
        };
        assert_eq!(cases.iter().filter(of_the_paper).count(), 18);
        assert_eq!(cases.len(), 23);
    }

    #[test]
    fn the_tiny_benchmark_has_every_workload() {
        assert_eq!(tiny().len(), PaperCase::ALL.len());
        assert!(tiny().iter().all(|case| case.count <= 1000));
    }
}
