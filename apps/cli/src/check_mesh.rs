//! `carom check` of a mesh.

use crate::arguments::Check;
use crate::failure::{Failure, print};
use crate::figures::counted;
use carom::geometry::mesh::{
    Found, Hole, HullError, NearlyEqual, PolygonMesh, Survey, TriangleMesh, TriangleMeshError,
    find_holes, part_of_hull,
};
use carom::geometry::shape::{ConvexPolyhedron, MassProperties, ShapeError};
use carom::geometry::{Aabb, Vector};
use carom::scene::{files, grouped, six_digits};

pub fn run(options: &Check) -> Result<(), Failure> {
    let name = options.file.display().to_string();
    if !options.set.is_empty() {
        return Err(Failure::input(format!("--set means nothing to {name}, which is a mesh")));
    }
    let mesh = files::read_mesh(&options.file)?;
    let report = Report::of(&mesh);
    if options.json {
        return print(&format!("{:#}\n", report.json()));
    }
    print(&report.text(&name))
}

/// What there is to tell of a mesh.
struct Report<'a> {
    mesh: &'a PolygonMesh,
    survey: Survey,
    /// What it bounds, if it is closed.
    body: Option<Body>,
    /// Why it cannot be cut into triangles, if so.
    uncut: Option<TriangleMeshError>,
    /// The smallest box that holds its vertices; none without any.
    bounds: Option<Aabb<3>>,
    holes: Vec<Hole>,
    nearly_equal: NearlyEqual,
}

/// The most holes that are listed.
const HOLES_IN_TEXT: usize = 4;
const HOLES_IN_JSON: usize = 100;

struct Body {
    mass: MassProperties,
    /// Whether the faces go round to the left when seen from inside.
    inside_out: bool,
    part_of_hull: Option<f64>,
    convexity: Convexity,
}

/// As `carom distance` sees it.
enum Convexity {
    Convex,
    NotConvex,
    Flat,
    /// There is no hull to hold it against.
    NotTold(HullError),
}

impl Body {
    fn of(mesh: &PolygonMesh) -> Self {
        let mut mass = MassProperties::of(&mesh.vertices, &mesh.faces);
        let inside_out = mass.volume < 0.0;
        let (convexity, part_of_hull) = match ConvexPolyhedron::from_mesh(mesh) {
            Ok(hull) => (Convexity::Convex, Some(mass.volume / hull.mass().volume)),
            Err(error) => (Convexity::without(error), part_of_hull(mesh)),
        };
        if inside_out {
            mass.volume = -mass.volume;
            mass.inertia = -mass.inertia;
        }
        Body { mass, inside_out, part_of_hull: part_of_hull.map(f64::abs), convexity }
    }

    fn is_convex(&self) -> bool {
        matches!(self.convexity, Convexity::Convex)
    }
}

impl Convexity {
    /// What a closed mesh is that is no convex body for this reason.
    fn without(error: ShapeError) -> Self {
        match error {
            ShapeError::Hull(HullError::Coplanar { .. } | HullError::Collinear { .. })
            | ShapeError::TooSmall { .. } => Convexity::Flat,
            ShapeError::Hull(HullError::Coincident { extent: 0.0 }) => Convexity::Flat,
            ShapeError::Hull(error) => Convexity::NotTold(error),
            _ => Convexity::NotConvex,
        }
    }

    fn told(&self) -> Option<bool> {
        match self {
            Convexity::Convex => Some(true),
            Convexity::NotConvex | Convexity::Flat => Some(false),
            Convexity::NotTold(_) => None,
        }
    }
}

impl<'a> Report<'a> {
    fn of(mesh: &'a PolygonMesh) -> Self {
        let survey = Survey::of(mesh);
        let body = survey.is_closed().then(|| Body::of(mesh));
        let bounds = mesh.vertices.iter().copied().fold(None, |bounds: Option<Aabb<3>>, vertex| {
            Some(bounds.unwrap_or(Aabb::empty()).including(&vertex))
        });
        let (holes, nearly_equal) = find_holes(mesh);
        let uncut = TriangleMesh::from_polygons(mesh).err();
        Report { mesh, survey, body, uncut, bounds, holes, nearly_equal }
    }

    fn text(&self, name: &str) -> String {
        let kind = match &self.body {
            Some(body) if body.is_convex() => "a closed, convex mesh",
            Some(_) => "a closed mesh",
            None => "a mesh, but not closed",
        };
        let mut lines = vec![
            format!("{name} is {kind}"),
            format!(
                "  vertices        {}{}",
                grouped(self.mesh.vertices.len() as u64),
                self.unused()
            ),
            format!("  edges           {}", grouped(self.survey.edges as u64)),
            format!("  faces           {}", self.faces()),
            format!("  parts           {}", grouped(self.survey.parts as u64)),
            format!("  bounds          {}", self.extent()),
            format!("  closed          {}", self.closed()),
            format!("  inside          {}", self.inside()),
        ];
        if !self.holes.is_empty() {
            lines.push(format!("  holes           {}", self.where_open()));
        }
        lines.extend(self.weld_hint().map(|hint| format!("hint: {hint}")));
        if let Some(body) = &self.body {
            lines.push(format!("  convex          {}", self.convex(body)));
            lines.extend(mass(&body.mass, self.survey.parts));
        }
        lines.join("\n") + "\n"
    }

    fn extent(&self) -> String {
        let corners = self.bounds.map(|Aabb { low, high }| [low, high].map(|at| place(&at)));
        corners.map_or("none".to_owned(), |[low, high]| format!("{low} to {high}"))
    }

    fn where_open(&self) -> String {
        let hole =
            |hole: &Hole| format!("{} around {}", counted(hole.edges, "edge"), place(&hole.center));
        let mut told: Vec<String> = self.holes.iter().take(HOLES_IN_TEXT).map(hole).collect();
        let more = self.holes.len().saturating_sub(HOLES_IN_TEXT);
        if more > 0 {
            told.push(format!("and {} more", grouped(more as u64)));
        }
        format!("{}: {}", grouped(self.holes.len() as u64), told.join("; "))
    }

    /// What to do about vertices that were probably meant to be one.
    fn weld_hint(&self) -> Option<String> {
        let NearlyEqual { vertices, farthest } = self.nearly_equal;
        (vertices > 0).then(|| {
            format!(
                "{} at open edges have another one at most {} away; welded within {}, the mesh may be \
                 closed",
                counted_vertices(vertices),
                six_digits(farthest),
                six_digits(2.0 * farthest)
            )
        })
    }

    fn faces(&self) -> String {
        let mut faces = self.corners();
        if let Found { count, first: Some(first) } = self.survey.without_area {
            faces += &format!(", {} without area (first: {first})", grouped(count as u64));
        }
        if let Found { count, first: Some([earlier, later]) } = self.survey.repeated {
            let count = grouped(count as u64);
            faces += &format!(", {count} there before (first: {later}, as {earlier})");
        }
        faces
    }

    fn corners(&self) -> String {
        let count = grouped(self.mesh.faces.len() as u64);
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
        match self.survey.unused {
            Found { count, first: Some(first) } => {
                format!(", {} of them on no face (first: {first})", grouped(count as u64))
            }
            _ => String::new(),
        }
    }

    fn closed(&self) -> String {
        let survey = &self.survey;
        let edge = |found: &Found<[u32; 2]>, rest: &str| {
            let [a, b] = found.first?;
            Some(format!("{} {rest} (first: vertices {a} and {b})", counted(found.count, "edge")))
        };
        let folded = survey.folded.first.map(|first| {
            let faces = counted(survey.folded.count, "face");
            format!("{faces} with a vertex twice (first: face {first})")
        });
        let faults = [
            edge(&survey.open, "of one face only"),
            edge(&survey.crowded, "of more than two faces"),
            edge(&survey.contrary, "whose faces do not agree which side is out"),
            folded,
        ];
        let faults: Vec<String> = faults.into_iter().flatten().collect();
        let inside_out = self.body.as_ref().is_some_and(|body| body.inside_out);
        match (faults.is_empty(), inside_out) {
            (false, _) => format!("no: {}", faults.join("; ")),
            (true, false) => "yes".to_owned(),
            (true, true) => {
                "yes, but inside out: seen from outside, faces go round to the right".into()
            }
        }
    }

    fn inside(&self) -> String {
        match &self.uncut {
            Some(error) => format!("cannot be told: {error}"),
            None => Inside::of(&self.survey, self.body.as_ref()).text().to_owned(),
        }
    }

    /// The rules that find the inside.
    fn rules(&self) -> &'static [&'static str] {
        match &self.uncut {
            Some(_) => &[],
            None => Inside::of(&self.survey, self.body.as_ref()).rules(),
        }
    }

    fn convex(&self, body: &Body) -> String {
        match (&body.convexity, body.part_of_hull) {
            (Convexity::Convex, _) => "yes".to_owned(),
            (Convexity::NotTold(error), _) => format!("not told: {error}"),
            (Convexity::Flat, _) | (Convexity::NotConvex, None) => "no: it is flat".to_owned(),
            (Convexity::NotConvex, _) if body.inside_out => {
                "not told of what is inside out".to_owned()
            }
            (Convexity::NotConvex, Some(part)) => {
                let bent = self.survey.inward.first.map(|[a, b]| {
                    let edges = counted(self.survey.inward.count, "edge");
                    format!(", {edges} bent inwards (first: vertices {a} and {b})")
                });
                let bent = bent.unwrap_or_default();
                format!("no: it fills {} of its convex hull{bent}", six_digits(part))
            }
        }
    }

    fn json(&self) -> serde_json::Value {
        let survey = &self.survey;
        let body = self.body.as_ref();
        serde_json::json!({
            "vertices": self.mesh.vertices.len(),
            "edges": survey.edges,
            "faces": self.mesh.faces.len(),
            "parts": survey.parts,
            "closed": survey.is_closed(),
            "open_edges": survey.open.count,
            "crowded_edges": survey.crowded.count,
            "contrary_edges": survey.contrary.count,
            "folded_faces": survey.folded.count,
            "faces_without_area": survey.without_area.count,
            "repeated_faces": survey.repeated.count,
            "unused_vertices": survey.unused.count,
            "bounds": self.bounds.map(|Aabb { low, high }| [low, high].map(|at| at.as_slice().to_vec())),
            "holes": self.holes.len(),
            "first_holes": self.holes.iter().take(HOLES_IN_JSON).map(hole_json).collect::<Vec<_>>(),
            "nearly_equal_vertices": self.nearly_equal.vertices,
            "largest_gap": (self.nearly_equal.vertices > 0).then_some(self.nearly_equal.farthest),
            "inside_rules": self.rules(),
            "inside_out": body.map(|body| body.inside_out),
            "convex": body.and_then(|body| body.convexity.told()),
            "part_of_hull": body.and_then(|body| body.part_of_hull),
            "inward_edges": body.filter(|body| !body.inside_out).map(|_| survey.inward.count),
            "volume": body.map(|body| body.mass.volume),
            "centre_of_mass": body.map(|body| body.mass.centre.as_slice().to_vec()),
            "inertia": body.map(|body| rows(&body.mass)),
        })
    }
}

/// What kind of inside there is, and so which rules find it.
enum Inside {
    /// All rules agree.
    Plain,
    /// Faces go round to the right, seen from outside.
    Out,
    /// Faces are there more than once, which by parity is as if they were not.
    Repeated,
    /// Parts may overlap or lie within each other.
    Several,
    /// Faces do not agree which side is out.
    Contrary,
    /// Of edges without a second face there is no inside but by degrees.
    Open,
    /// The same, of edges of three faces or five.
    Odd,
}

impl Inside {
    fn of(survey: &Survey, body: Option<&Body>) -> Self {
        match (survey.odd.count, survey.unbalanced.count) {
            _ if survey.edges == 0 => Inside::Open,
            (1.., _) if survey.open.count == 0 => Inside::Odd,
            (1.., _) => Inside::Open,
            (0, 1..) => Inside::Contrary,
            _ if body.is_some_and(|body| body.inside_out) => Inside::Out,
            _ if survey.repeated.count > 0 => Inside::Repeated,
            _ if survey.parts > 1 || survey.crowded.count > 0 => Inside::Several,
            _ => Inside::Plain,
        }
    }

    fn rules(&self) -> &'static [&'static str] {
        match self {
            Inside::Plain | Inside::Several => &["parity", "nonzero", "winding"],
            Inside::Repeated => &["nonzero", "winding"],
            Inside::Out => &["parity", "nonzero"],
            Inside::Contrary => &["parity", "winding"],
            Inside::Open | Inside::Odd => &["winding"],
        }
    }

    fn text(&self) -> &'static str {
        match self {
            Inside::Plain => "by any rule: parity, nonzero or winding",
            Inside::Out => "by parity or nonzero; by winding nothing is, as it is inside out",
            Inside::Repeated => "by nonzero or winding, as faces are there more than once",
            Inside::Several => {
                "by nonzero or winding where parts overlap, by parity where parts within are hollow"
            }
            Inside::Contrary => "by parity, or by winding away from faces that are turned round",
            Inside::Open => "by winding only, as it is open",
            Inside::Odd => "by winding only, as edges have an odd number of faces",
        }
    }
}

fn hole_json(hole: &Hole) -> serde_json::Value {
    serde_json::json!({ "center": hole.center.as_slice(), "edges": hole.edges })
}

fn counted_vertices(count: usize) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { "vertex" } else { "vertices" })
}

/// A point to six digits.
fn place(point: &Vector<3>) -> String {
    let numbers: Vec<String> = point.iter().map(|&number| six_digits(number)).collect();
    format!("[{}]", numbers.join(", "))
}

fn rows(mass: &MassProperties) -> [[f64; 3]; 3] {
    std::array::from_fn(|row| std::array::from_fn(|column| mass.inertia[(row, column)]))
}

fn mass(mass: &MassProperties, parts: usize) -> Vec<String> {
    // What only rounding has put beside zero is zero to a reader.
    let shown = |number: f64, scale: f64| {
        six_digits(if number.abs() < 1e-12 * scale { 0.0 } else { number })
    };
    let size = mass.volume.abs().cbrt();
    let list = |numbers: &[f64], scale: f64| {
        numbers.iter().map(|&number| shown(number, scale)).collect::<Vec<_>>().join(", ")
    };
    let note = match parts {
        1 => "",
        _ => " (where parts overlap they count twice, and one that is turned round is a hole)",
    };
    let mut lines = vec![format!("  volume          {}{note}", six_digits(mass.volume))];
    // What is flat has neither, and what is huge may leave the range of numbers.
    if !(mass.centre.iter().chain(&mass.inertia)).all(|number| number.is_finite()) {
        return lines;
    }
    lines.push(format!("  centre of mass  {}", list(mass.centre.as_slice(), size)));
    let largest = mass.inertia.amax();
    for (row, numbers) in rows(mass).iter().enumerate() {
        let title = if row == 0 { "inertia" } else { "" };
        lines.push(format!("  {title:<15} {}", list(numbers, largest)));
    }
    lines
}
