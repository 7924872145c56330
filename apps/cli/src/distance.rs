//! `carom distance`.

use crate::arguments::{CommonArguments, DistanceArguments};
use crate::failure::{CommandFailure, print};
use crate::pose::pose;
use carom::detect::narrow::{ClosestFeatures, ClosestPoints, ContactManifold, PolyhedronFeature};
use carom::geometry::{Vector, shape::ConvexPolyhedron};
use std::path::Path;

pub fn run(options: &DistanceArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let pose_a = pose("--pose-a", options.pose_a.as_deref())?;
    let pose_b = pose("--pose-b", options.pose_b.as_deref())?;
    let (a, b) = (polyhedron(&options.a)?, polyhedron(&options.b)?);
    let closest = ClosestFeatures::new().query(&a, &pose_a, &b, &pose_b);
    let manifold = ContactManifold::between(&a, &pose_a, &b, &pose_b, &closest, 0.0);
    let report = DistanceReport { a: &a, b: &b, closest: &closest, manifold: &manifold };
    match (options.json, common.quiet) {
        (true, _) => print(&format!("{}\n", report.json())),
        (false, true) => print(&format!("{}\n", closest.distance)),
        (false, false) => print(&report.text()),
    }
}

fn polyhedron(file: &Path) -> Result<ConvexPolyhedron, CommandFailure> {
    let mesh = carom::io::read_mesh(file)?;
    ConvexPolyhedron::from_mesh(&mesh)
        .map_err(|error| CommandFailure::input(format!("{}: {error}", file.display())))
}

struct DistanceReport<'a> {
    a: &'a ConvexPolyhedron,
    b: &'a ConvexPolyhedron,
    closest: &'a ClosestPoints,
    manifold: &'a ContactManifold,
}

impl DistanceReport<'_> {
    fn text(&self) -> String {
        let ClosestPoints { distance, normal, on_a, on_b, iterations, .. } = self.closest;
        let verdict = if *distance > 0.0 {
            format!("{distance} apart")
        } else if *distance == 0.0 {
            "touching".into()
        } else {
            format!("penetrating, {} deep", -distance)
        };
        let mut lines = vec![
            verdict,
            format!(
                "  point of A    {}  on {}",
                listed(on_a),
                named(self.closest.feature_a(self.a))
            ),
            format!(
                "  point of B    {}  on {}",
                listed(on_b),
                named(self.closest.feature_b(self.b))
            ),
            format!("  normal        {}  from A to B", listed(normal)),
            format!("  iterations    {iterations}"),
        ];
        for point in self.manifold.points() {
            lines.push(format!(
                "  contact       {}  depth {}",
                listed(&point.position),
                // Not the negative, which is -0 where bodies touch.
                0.0 - point.distance
            ));
        }
        lines.join("\n") + "\n"
    }

    fn json(&self) -> serde_json::Value {
        let ClosestPoints { distance, normal, on_a, on_b, iterations, .. } = self.closest;
        let contacts: Vec<_> = self
            .manifold
            .points()
            .iter()
            .map(|point| {
                serde_json::json!({ "position": point.position.as_slice(), "distance": point.distance })
            })
            .collect();
        serde_json::json!({
            "distance": distance,
            "normal": normal.as_slice(),
            "point_a": on_a.as_slice(),
            "point_b": on_b.as_slice(),
            "feature_a": as_json(self.closest.feature_a(self.a)),
            "feature_b": as_json(self.closest.feature_b(self.b)),
            "steps": iterations,
            "contacts": contacts,
        })
    }
}

fn listed(vector: &Vector<3>) -> String {
    format!("{}, {}, {}", vector.x, vector.y, vector.z)
}

fn named(feature: PolyhedronFeature) -> String {
    match feature {
        PolyhedronFeature::Vertex(vertex) => format!("vertex {vertex}"),
        PolyhedronFeature::Edge([from, to]) => format!("edge {from}-{to}"),
        PolyhedronFeature::Face(face) => format!("face {face}"),
    }
}

fn as_json(feature: PolyhedronFeature) -> serde_json::Value {
    match feature {
        PolyhedronFeature::Vertex(vertex) => {
            serde_json::json!({ "kind": "vertex", "vertices": [vertex] })
        }
        PolyhedronFeature::Edge(ends) => serde_json::json!({ "kind": "edge", "vertices": ends }),
        PolyhedronFeature::Face(face) => serde_json::json!({ "kind": "face", "face": face }),
    }
}
