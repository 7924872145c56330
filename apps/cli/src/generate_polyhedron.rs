//! `carom generate polyhedron`.

use crate::arguments::{CommonArguments, GeneratePolyhedronArguments};
use crate::failure::{CommandFailure, to_stdout};
use crate::numbers;
use carom::geometry::mesh::PolygonMesh;
use carom::geometry::shape::MassProperties;
use carom::io::{Error, MeshFormat, group_thousands, six_significant_digits};
use carom::scene::generate::{DEFAULT_SEED, Polyhedron, RegularSolid};
use std::path::Path;

/// Kinds of polyhedra, and the options they take beside `--out`.
const KINDS: [(&str, &[&str]); 10] = [
    ("tetrahedron", &["--radius"]),
    ("cube", &["--radius"]),
    ("octahedron", &["--radius"]),
    ("dodecahedron", &["--radius"]),
    ("icosahedron", &["--radius"]),
    ("sphere", &["--faces", "--radius", "--seed"]),
    ("random", &["--faces", "--radius", "--seed"]),
    ("ellipsoid", &["--faces", "--axes", "--seed"]),
    ("prism", &["--sides", "--height", "--radius"]),
    ("box", &["--size"]),
];

pub fn run(
    options: &GeneratePolyhedronArguments,
    common: &CommonArguments,
) -> Result<(), CommandFailure> {
    let file = options.out.as_deref().filter(|file| *file != Path::new("-"));
    if let Some(file) = file.filter(|file| MeshFormat::of_name(file).is_none()) {
        return Err(Error::MeshFormat { file: file.display().to_string() }.into());
    }
    let mesh = polyhedron(options)?.make()?;
    match file {
        Some(file) => carom::io::write_mesh(file, &mesh)?,
        None => to_stdout(|out| carom::io::write_mesh_as(out, &mesh, MeshFormat::Off))?,
    }
    common.report(summary(&mesh, file));
    Ok(())
}

fn summary(mesh: &PolygonMesh, file: Option<&Path>) -> String {
    let corners: usize = mesh.faces.iter().map(Vec::len).sum();
    let volume = MassProperties::of(&mesh.vertices, &mesh.faces).volume;
    format!(
        "{} faces, {} edges, {} vertices, volume {}{}",
        group_thousands(mesh.faces.len() as u64),
        group_thousands(corners as u64 / 2),
        group_thousands(mesh.vertices.len() as u64),
        six_significant_digits(volume),
        file.map(|file| format!(", written to {}", file.display())).unwrap_or_default()
    )
}

fn polyhedron(options: &GeneratePolyhedronArguments) -> Result<Polyhedron, CommandFailure> {
    let kind = options.kind.as_str();
    let Some((_, known)) = KINDS.iter().find(|(name, _)| *name == kind) else {
        return Err(numbers::unknown("the kind", kind, KINDS.map(|(name, _)| name)));
    };
    numbers::refuse_others(kind, known, given(options))?;
    let radius = options.radius.unwrap_or(1.0);
    let seed = options.seed.unwrap_or(DEFAULT_SEED);
    let regular = |solid| Ok(Polyhedron::Regular { solid, radius });
    let faces = || numbers::count("--faces", needed(kind, "--faces F", &options.faces)?);
    let three = |option, value: &Option<String>| {
        let text = needed(kind, &format!("{option} A,B,C"), value)?;
        numbers::list(option, text, "A,B,C")
    };
    match kind {
        "tetrahedron" => regular(RegularSolid::Tetrahedron),
        "cube" => regular(RegularSolid::Cube),
        "octahedron" => regular(RegularSolid::Octahedron),
        "dodecahedron" => regular(RegularSolid::Dodecahedron),
        "icosahedron" => regular(RegularSolid::Icosahedron),
        "sphere" => Ok(Polyhedron::Sphere { faces: faces()?, radius, seed }),
        "random" => Ok(Polyhedron::Random { faces: faces()?, radius, seed }),
        "ellipsoid" => {
            let semi_axes = three("--axes", &options.axes)?;
            Ok(Polyhedron::Ellipsoid { faces: faces()?, semi_axes, seed })
        }
        "prism" => {
            let sides = numbers::count("--sides", needed(kind, "--sides N", &options.sides)?)?;
            let height = *needed(kind, "--height H", &options.height)?;
            Ok(Polyhedron::Prism { sides, radius, height })
        }
        _ => Ok(Polyhedron::Box { size: three("--size", &options.size)? }),
    }
}

fn needed<'a, T>(kind: &str, option: &str, value: &'a Option<T>) -> Result<&'a T, CommandFailure> {
    value.as_ref().ok_or_else(|| CommandFailure::input(format!("{kind} needs {option}")))
}

/// Every option that a kind may take, and whether it was given.
fn given(options: &GeneratePolyhedronArguments) -> impl IntoIterator<Item = (&'static str, bool)> {
    [
        ("--faces", options.faces.is_some()),
        ("--axes", options.axes.is_some()),
        ("--sides", options.sides.is_some()),
        ("--height", options.height.is_some()),
        ("--size", options.size.is_some()),
        ("--radius", options.radius.is_some()),
        ("--seed", options.seed.is_some()),
    ]
}
