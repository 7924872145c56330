//! What a mesh is: its size, its defects, whether and by which rules it has an inside, its mass properties.

use carom_geometry::math;
use carom_geometry::mesh::{
    Defects, HullError, MeshHole, MeshTopology, NearDuplicateVertices, PolygonMesh, TriangleMesh,
    TriangleMeshError, find_holes, hull_volume_fraction,
};
use carom_geometry::shape::{ConvexPolyhedron, MassProperties, ShapeError};
use carom_geometry::{Aabb, Vector};
use carom_io::{count_with_noun, group_thousands, six_significant_digits};

/// The report of a mesh that `carom check` prints.
///
/// ```
/// use carom::{MeshReport, geometry::mesh::octahedron_sphere};
/// let octahedron = octahedron_sphere(0).to_polygons();
/// let report = MeshReport::of(&octahedron);
/// assert!(report.text("octahedron").starts_with("octahedron is a closed, convex mesh"));
/// assert_eq!(report.json()["faces"], 8);
/// ```
pub struct MeshReport<'a> {
    mesh: &'a PolygonMesh,
    topology: MeshTopology,
    /// The enclosed solid, if the mesh is closed.
    solid: Option<EnclosedSolid>,
    /// Why it cannot be triangulated, if so.
    triangulation_error: Option<TriangleMeshError>,
    /// Bounds of its vertices; none without any.
    bounds: Option<Aabb<3>>,
    holes: Vec<MeshHole>,
    nearly_equal: NearDuplicateVertices,
}

/// Largest number of holes that are listed.
const HOLES_IN_TEXT: usize = 4;
const HOLES_IN_JSON: usize = 100;

struct EnclosedSolid {
    mass: MassProperties,
    /// Whether faces are counterclockwise when seen from inside.
    inside_out: bool,
    part_of_hull: Option<f64>,
    convexity: Convexity,
}

/// Convexity by the criterion of `carom distance`.
enum Convexity {
    Convex,
    NotConvex,
    Flat,
    /// There is no hull to compare with.
    Undetermined(HullError),
}

impl EnclosedSolid {
    fn of(mesh: &PolygonMesh) -> Self {
        let mut mass = MassProperties::of(&mesh.vertices, &mesh.faces);
        let inside_out = mass.volume < 0.0;
        let (convexity, part_of_hull) = match ConvexPolyhedron::from_mesh(mesh) {
            Ok(hull) => (Convexity::Convex, Some(mass.volume / hull.mass_properties().volume)),
            Err(error) => (Convexity::from_shape_error(error), hull_volume_fraction(mesh)),
        };
        if inside_out {
            mass.volume = -mass.volume;
            mass.inertia = -mass.inertia;
        }
        EnclosedSolid { mass, inside_out, part_of_hull: part_of_hull.map(f64::abs), convexity }
    }

    fn is_convex(&self) -> bool {
        matches!(self.convexity, Convexity::Convex)
    }
}

impl Convexity {
    /// The convexity of a closed mesh that is refused as a convex body for this reason.
    fn from_shape_error(error: ShapeError) -> Self {
        match error {
            ShapeError::Hull(HullError::Coplanar { .. } | HullError::Collinear { .. })
            | ShapeError::TooSmall { .. } => Convexity::Flat,
            ShapeError::Hull(HullError::Coincident { extent: 0.0 }) => Convexity::Flat,
            ShapeError::Hull(error) => Convexity::Undetermined(error),
            _ => Convexity::NotConvex,
        }
    }

    fn is_convex(&self) -> Option<bool> {
        match self {
            Convexity::Convex => Some(true),
            Convexity::NotConvex | Convexity::Flat => Some(false),
            Convexity::Undetermined(_) => None,
        }
    }
}

impl<'a> MeshReport<'a> {
    /// Examines a mesh; costs about a microsecond per triangle.
    pub fn of(mesh: &'a PolygonMesh) -> Self {
        let topology = MeshTopology::of(mesh);
        let solid = topology.is_closed().then(|| EnclosedSolid::of(mesh));
        let bounds = mesh.vertices.iter().copied().fold(None, |bounds: Option<Aabb<3>>, vertex| {
            Some(bounds.unwrap_or(Aabb::empty()).including(&vertex))
        });
        let (holes, nearly_equal) = find_holes(mesh);
        let triangulation_error = TriangleMesh::from_polygons(mesh).err();
        MeshReport { mesh, topology, solid, triangulation_error, bounds, holes, nearly_equal }
    }

    /// Returns the report for people; `name` is what the mesh is called.
    pub fn text(&self, name: &str) -> String {
        let kind = match &self.solid {
            Some(body) if body.is_convex() => "a closed, convex mesh",
            Some(_) => "a closed mesh",
            None => "a mesh, but not closed",
        };
        let mut lines = vec![
            format!("{name} is {kind}"),
            format!(
                "  vertices        {}{}",
                group_thousands(self.mesh.vertices.len() as u64),
                self.unused()
            ),
            format!("  edges           {}", group_thousands(self.topology.edge_count as u64)),
            format!("  faces           {}", self.faces()),
            format!("  parts           {}", group_thousands(self.topology.component_count as u64)),
            format!("  bounds          {}", self.bounds_text()),
            format!("  closed          {}", self.closed()),
            format!("  inside          {}", self.inside()),
        ];
        if !self.holes.is_empty() {
            lines.push(format!("  holes           {}", self.holes_text()));
        }
        lines.extend(self.weld_hint().map(|hint| format!("hint: {hint}")));
        if let Some(body) = &self.solid {
            lines.push(format!("  convex          {}", self.convex(body)));
            lines.extend(mass_properties_lines(&body.mass, self.topology.component_count));
        }
        lines.join("\n") + "\n"
    }

    fn bounds_text(&self) -> String {
        let corners = self.bounds.map(|Aabb { low, high }| [low, high].map(|at| point_text(&at)));
        corners.map_or("none".to_owned(), |[low, high]| format!("{low} to {high}"))
    }

    fn holes_text(&self) -> String {
        let hole = |hole: &MeshHole| {
            format!(
                "{} around {}",
                count_with_noun(hole.edge_count, "edge"),
                point_text(&hole.center)
            )
        };
        let mut list: Vec<String> = self.holes.iter().take(HOLES_IN_TEXT).map(hole).collect();
        let more = self.holes.len().saturating_sub(HOLES_IN_TEXT);
        if more > 0 {
            list.push(format!("and {} more", group_thousands(more as u64)));
        }
        format!("{}: {}", group_thousands(self.holes.len() as u64), list.join("; "))
    }

    /// The advice about vertices that were probably meant to be one.
    fn weld_hint(&self) -> Option<String> {
        let NearDuplicateVertices { vertex_count: vertices, largest_distance: farthest } =
            self.nearly_equal;
        (vertices > 0).then(|| {
            format!(
                "{} at open edges have another one at most {} away; welded within {}, the mesh may be \
                 closed",
                counted_vertices(vertices),
                six_significant_digits(farthest),
                six_significant_digits(2.0 * farthest)
            )
        })
    }

    fn faces(&self) -> String {
        let mut faces = self.corners();
        if let Defects { count, first: Some(first) } = self.topology.degenerate_faces {
            faces += &format!(", {} without area (first: {first})", group_thousands(count as u64));
        }
        if let Defects { count, first: Some([earlier, later]) } = self.topology.duplicate_faces {
            let count = group_thousands(count as u64);
            faces += &format!(", {count} duplicates (first: {later}, same as {earlier})");
        }
        faces
    }

    fn corners(&self) -> String {
        let count = group_thousands(self.mesh.faces.len() as u64);
        let corners = || self.mesh.faces.iter().map(Vec::len);
        match (corners().min(), corners().max()) {
            (Some(3), Some(3)) => format!("{count}, all triangles"),
            (Some(least), Some(most)) if least == most => {
                format!("{count}, of {least} corners each")
            }
            (least, most) => {
                format!("{count}, of {} to {} corners", least.unwrap_or(0), most.unwrap_or(0))
            }
        }
    }

    fn unused(&self) -> String {
        match self.topology.unreferenced_vertices {
            Defects { count, first: Some(first) } => {
                format!(", {} of them on no face (first: {first})", group_thousands(count as u64))
            }
            _ => String::new(),
        }
    }

    fn closed(&self) -> String {
        let topology = &self.topology;
        let edge = |found: &Defects<[u32; 2]>, rest: &str| {
            let [a, b] = found.first?;
            Some(format!(
                "{} {rest} (first: vertices {a} and {b})",
                count_with_noun(found.count, "edge")
            ))
        };
        let folded = topology.self_touching_faces.first.map(|first| {
            let faces = count_with_noun(topology.self_touching_faces.count, "face");
            format!("{faces} with a vertex twice (first: face {first})")
        });
        let faults = [
            edge(&topology.boundary_edges, "of one face only"),
            edge(&topology.non_manifold_edges, "of more than two faces"),
            edge(&topology.misoriented_edges, "whose faces are not consistently oriented"),
            folded,
        ];
        let faults: Vec<String> = faults.into_iter().flatten().collect();
        let inside_out = self.solid.as_ref().is_some_and(|body| body.inside_out);
        match (faults.is_empty(), inside_out) {
            (false, _) => format!("no: {}", faults.join("; ")),
            (true, false) => "yes".to_owned(),
            (true, true) => {
                "yes, but inside out: seen from outside, faces go round to the right".into()
            }
        }
    }

    fn inside(&self) -> String {
        match &self.triangulation_error {
            Some(error) => format!("cannot be determined: {error}"),
            None => MeshInteriorKind::of(&self.topology, self.solid.as_ref()).text().to_owned(),
        }
    }

    /// The fill rules by which the mesh has an inside.
    fn rules(&self) -> &'static [&'static str] {
        match &self.triangulation_error {
            Some(_) => &[],
            None => MeshInteriorKind::of(&self.topology, self.solid.as_ref()).rules(),
        }
    }

    fn convex(&self, body: &EnclosedSolid) -> String {
        match (&body.convexity, body.part_of_hull) {
            (Convexity::Convex, _) => "yes".to_owned(),
            (Convexity::Undetermined(error), _) => format!("not determined: {error}"),
            (Convexity::Flat, _) | (Convexity::NotConvex, None) => "no: it is flat".to_owned(),
            (Convexity::NotConvex, _) if body.inside_out => {
                "not determined, as it is inside out".to_owned()
            }
            (Convexity::NotConvex, Some(part)) => {
                let bent = self.topology.reflex_edges.first.map(|[a, b]| {
                    let edges = count_with_noun(self.topology.reflex_edges.count, "edge");
                    format!(", {edges} bent inwards (first: vertices {a} and {b})")
                });
                let bent = bent.unwrap_or_default();
                format!("no: it fills {} of its convex hull{bent}", six_significant_digits(part))
            }
        }
    }

    /// Returns the report for programs, as an object.
    pub fn json(&self) -> serde_json::Value {
        let topology = &self.topology;
        let body = self.solid.as_ref();
        serde_json::json!({
            "vertices": self.mesh.vertices.len(),
            "edges": topology.edge_count,
            "faces": self.mesh.faces.len(),
            "parts": topology.component_count,
            "closed": topology.is_closed(),
            "open_edges": topology.boundary_edges.count,
            "crowded_edges": topology.non_manifold_edges.count,
            "contrary_edges": topology.misoriented_edges.count,
            "folded_faces": topology.self_touching_faces.count,
            "faces_without_area": topology.degenerate_faces.count,
            "repeated_faces": topology.duplicate_faces.count,
            "unused_vertices": topology.unreferenced_vertices.count,
            "bounds": self.bounds.map(|Aabb { low, high }| [low, high].map(|at| at.as_slice().to_vec())),
            "holes": self.holes.len(),
            "first_holes": self.holes.iter().take(HOLES_IN_JSON).map(hole_json).collect::<Vec<_>>(),
            "nearly_equal_vertices": self.nearly_equal.vertex_count,
            "largest_gap": (self.nearly_equal.vertex_count > 0).then_some(self.nearly_equal.largest_distance),
            "inside_rules": self.rules(),
            "inside_out": body.map(|body| body.inside_out),
            "convex": body.and_then(|body| body.convexity.is_convex()),
            "part_of_hull": body.and_then(|body| body.part_of_hull),
            "inward_edges": body.filter(|body| !body.inside_out).map(|_| topology.reflex_edges.count),
            "volume": body.map(|body| body.mass.volume),
            "center_of_mass": body.map(|body| body.mass.center_of_mass.as_slice().to_vec()),
            "inertia": body.map(|body| inertia_rows(&body.mass)),
        })
    }
}

/// Kind of the mesh's inside, which determines the fill rules that apply.
enum MeshInteriorKind {
    /// All rules agree.
    AllRulesAgree,
    /// Faces are clockwise, seen from outside.
    InsideOut,
    /// Faces occur more than once, and cancel out by even-odd.
    Repeated,
    /// Parts may overlap or lie within each other.
    SeveralParts,
    /// Faces are not consistently oriented.
    InconsistentOrientation,
    /// Some edges have one face only, so that only the winding number is defined.
    Open,
    /// Some edges have an odd number of faces above one, with the same effect.
    OddEdges,
}

impl MeshInteriorKind {
    fn of(topology: &MeshTopology, body: Option<&EnclosedSolid>) -> Self {
        match (topology.odd_edges.count, topology.unbalanced_edges.count) {
            _ if topology.edge_count == 0 => MeshInteriorKind::Open,
            (1.., _) if topology.boundary_edges.count == 0 => MeshInteriorKind::OddEdges,
            (1.., _) => MeshInteriorKind::Open,
            (0, 1..) => MeshInteriorKind::InconsistentOrientation,
            _ if body.is_some_and(|body| body.inside_out) => MeshInteriorKind::InsideOut,
            _ if topology.duplicate_faces.count > 0 => MeshInteriorKind::Repeated,
            _ if topology.component_count > 1 || topology.non_manifold_edges.count > 0 => {
                MeshInteriorKind::SeveralParts
            }
            _ => MeshInteriorKind::AllRulesAgree,
        }
    }

    fn rules(&self) -> &'static [&'static str] {
        match self {
            MeshInteriorKind::AllRulesAgree | MeshInteriorKind::SeveralParts => {
                &["even-odd", "nonzero", "winding"]
            }
            MeshInteriorKind::Repeated => &["nonzero", "winding"],
            MeshInteriorKind::InsideOut => &["even-odd", "nonzero"],
            MeshInteriorKind::InconsistentOrientation => &["even-odd", "winding"],
            MeshInteriorKind::Open | MeshInteriorKind::OddEdges => &["winding"],
        }
    }

    fn text(&self) -> &'static str {
        match self {
            MeshInteriorKind::AllRulesAgree => "by any rule: even-odd, nonzero or winding",
            MeshInteriorKind::InsideOut => {
                "by even-odd or nonzero; by winding nothing is, as it is inside out"
            }
            MeshInteriorKind::Repeated => {
                "by nonzero or winding, as faces are there more than once"
            }
            MeshInteriorKind::SeveralParts => {
                "by nonzero or winding where parts overlap, by even-odd where parts within are hollow"
            }
            MeshInteriorKind::InconsistentOrientation => {
                "by even-odd, or by winding away from faces that are turned round"
            }
            MeshInteriorKind::Open => "by winding only, as it is open",
            MeshInteriorKind::OddEdges => "by winding only, as edges have an odd number of faces",
        }
    }
}

fn hole_json(hole: &MeshHole) -> serde_json::Value {
    serde_json::json!({ "center": hole.center.as_slice(), "edges": hole.edge_count })
}

fn counted_vertices(count: usize) -> String {
    format!("{} {}", group_thousands(count as u64), if count == 1 { "vertex" } else { "vertices" })
}

/// A point with six digits.
fn point_text(point: &Vector<3>) -> String {
    let numbers: Vec<String> = point.iter().map(|&number| six_significant_digits(number)).collect();
    format!("[{}]", numbers.join(", "))
}

fn inertia_rows(mass: &MassProperties) -> [[f64; 3]; 3] {
    std::array::from_fn(|row| std::array::from_fn(|column| mass.inertia[(row, column)]))
}

fn mass_properties_lines(mass: &MassProperties, parts: usize) -> Vec<String> {
    // Numbers that differ from zero by rounding only are shown as zero.
    let shown = |number: f64, scale: f64| {
        six_significant_digits(if number.abs() < 1e-12 * scale { 0.0 } else { number })
    };
    let size = math::cbrt(mass.volume.abs());
    let list = |numbers: &[f64], scale: f64| {
        numbers.iter().map(|&number| shown(number, scale)).collect::<Vec<_>>().join(", ")
    };
    let note = match parts {
        1 => "",
        _ => " (overlaps of parts count twice, and an inside-out part counts as a hole)",
    };
    let mut lines =
        vec![format!("  volume          {}{note}", six_significant_digits(mass.volume))];
    // A flat mesh has neither, and a huge one may overflow.
    if !(mass.center_of_mass.iter().chain(&mass.inertia)).all(|number| number.is_finite()) {
        return lines;
    }
    lines.push(format!("  center of mass  {}", list(mass.center_of_mass.as_slice(), size)));
    let largest = mass.inertia.amax();
    for (row, numbers) in inertia_rows(mass).iter().enumerate() {
        let title = if row == 0 { "inertia" } else { "" };
        lines.push(format!("  {title:<15} {}", list(numbers, largest)));
    }
    lines
}
