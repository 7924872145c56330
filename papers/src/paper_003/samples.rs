use super::approach::Approach;
use super::bodies::Body;
use super::comparison::{Answers, Case, Comparison};

/// A comparison on spheres whose evaluations take as long as told, and whose preparation takes nothing.
pub fn comparison(seconds: impl Fn(&Case) -> f64) -> Comparison {
    let triangles: Vec<usize> = (0..8).map(|level| 8 << (2 * level)).collect();
    let grids: Vec<usize> = vec![10, 20, 40, 80];
    let mut cases = Vec::new();
    for &triangles in &triangles {
        for approach in Approach::ALL {
            for &per_axis in &grids {
                let answers = Answers { asked: per_axis.pow(3), ..Answers::default() };
                let (setup, evaluation) = (0.0, 0.0);
                let mut case = Case {
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
    Comparison { body: Body::Sphere, triangles, grids, cases }
}
