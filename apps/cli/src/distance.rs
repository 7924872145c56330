//! `carom distance`.

use crate::arguments::{Common, Distance};
use crate::failure::{Failure, print};
use crate::pose::pose;
use carom::detect::narrow::{Closest, ClosestFeatures, Feature, Manifold};
use carom::geometry::{Vector, shape::ConvexPolyhedron};
use carom::scene::files;
use std::path::Path;

pub fn run(options: &Distance, common: &Common) -> Result<(), Failure> {
    let pose_a = pose("--pose-a", options.pose_a.as_deref())?;
    let pose_b = pose("--pose-b", options.pose_b.as_deref())?;
    let (a, b) = (polyhedron(&options.a)?, polyhedron(&options.b)?);
    let closest = ClosestFeatures::new().query(&a, &pose_a, &b, &pose_b);
    let manifold = Manifold::between(&a, &pose_a, &b, &pose_b, &closest, 0.0);
    let report = Report { a: &a, b: &b, closest: &closest, manifold: &manifold };
    match (options.json, common.quiet) {
        (true, _) => print(&format!("{}\n", report.json())),
        (false, true) => print(&format!("{}\n", closest.distance)),
        (false, false) => print(&report.text()),
    }
}

fn polyhedron(file: &Path) -> Result<ConvexPolyhedron, Failure> {
    let mesh = files::read_mesh(file)?;
    ConvexPolyhedron::from_mesh(&mesh)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

struct Report<'a> {
    a: &'a ConvexPolyhedron,
    b: &'a ConvexPolyhedron,
    closest: &'a Closest,
    manifold: &'a Manifold,
}

impl Report<'_> {
    fn text(&self) -> String {
        let Closest { distance, normal, on_a, on_b, iterations, .. } = self.closest;
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
            format!("  steps         {iterations}"),
        ];
        for point in self.manifold.points() {
            lines.push(format!(
                "  contact       {}  depth {}",
                listed(&point.position),
                // Not its negative, which is -0 where bodies touch.
                0.0 - point.distance
            ));
        }
        lines.join("\n") + "\n"
    }

    fn json(&self) -> serde_json::Value {
        let Closest { distance, normal, on_a, on_b, iterations, .. } = self.closest;
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

fn named(feature: Feature) -> String {
    match feature {
        Feature::Vertex(vertex) => format!("vertex {vertex}"),
        Feature::Edge([from, to]) => format!("edge {from}-{to}"),
        Feature::Face(face) => format!("face {face}"),
    }
}

fn as_json(feature: Feature) -> serde_json::Value {
    match feature {
        Feature::Vertex(vertex) => serde_json::json!({ "kind": "vertex", "vertices": [vertex] }),
        Feature::Edge(ends) => serde_json::json!({ "kind": "edge", "vertices": ends }),
        Feature::Face(face) => serde_json::json!({ "kind": "face", "face": face }),
    }
}
