use super::approach::APPROACHES;
use crate::records::{Records, record};

/// Cases on spheres or foams whose evaluations take the given time by method, triangles and points, and whose
/// preparation takes nothing.
pub fn sample(body: &str, seconds: impl Fn(&str, f64, f64) -> f64) -> Records {
    let mut cases = Records::default();
    for triangles in (0..8).map(|level| f64::from(8 << (2 * level))) {
        for method in APPROACHES.map(|approach| approach.name) {
            cases.extend([10, 20, 40, 80].map(|per_axis: i32| {
                let points = f64::from(per_axis.pow(3));
                let seconds = seconds(method, triangles, points);
                record! {
                    "body": body, "method": method, "grid": format!("{per_axis}³"),
                    "points": points, "triangles": triangles, "setup seconds": 0.0,
                    "evaluation seconds": seconds, "total seconds": seconds,
                    "points asked for": points, "contrary to cells": 0, "bound": None::<f64>,
                    "largest error": None::<f64>,
                }
            }));
        }
    }
    cases
}
