use super::approach::Approach;
use super::bodies::MeshSeries;
use super::comparison::{ApproachCase, Comparison, ContainmentAnswers};

/// A comparison on spheres whose evaluations take as long as given, and whose preparation takes nothing.
pub fn comparison(seconds: impl Fn(&ApproachCase) -> f64) -> Comparison {
    let triangles: Vec<usize> = (0..8).map(|level| 8 << (2 * level)).collect();
    let grids: Vec<usize> = vec![10, 20, 40, 80];
    let mut cases = Vec::new();
    for &triangles in &triangles {
        for approach in Approach::ALL {
            for &per_axis in &grids {
                let answers = ContainmentAnswers {
                    queried: per_axis.pow(3),
                    ..ContainmentAnswers::default()
                };
                let (setup, evaluation) = (0.0, 0.0);
                let mut case = ApproachCase {
                    approach,
                    triangles,
                    per_axis,
                    setup,
                    evaluation,
                    answers,
                    expansion: None,
                };
                case.evaluation = seconds(&case);
                cases.push(case);
            }
        }
    }
    Comparison { body: MeshSeries::Sphere, triangles, grids, cases }
}
