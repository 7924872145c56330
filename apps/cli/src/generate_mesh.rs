//! `carom generate mesh`.

use crate::arguments::{CommonArguments, GenerateMeshArguments};
use crate::failure::CommandFailure;
use crate::numbers;
use carom::geometry::mesh::{MeshTopology, PolygonMesh, TriangleMesh};
use carom::geometry::shape::MassProperties;
use carom::io::{Error, MeshFormat, group_thousands, memory, six_significant_digits};
use carom::scene::generate::{Foam, RefinedSphere};
use std::path::Path;

/// Kinds of meshes, and the options they take beside `--out`.
const KINDS: [(&str, &[&str]); 2] = [
    ("sphere", &["--refinements", "--triangles", "--radius"]),
    ("foam", &["--triangles", "--cells", "--seed"]),
];

pub fn run(
    options: &GenerateMeshArguments,
    common: &CommonArguments,
) -> Result<(), CommandFailure> {
    let kind = options.kind.as_str();
    let Some((_, known)) = KINDS.iter().find(|(name, _)| *name == kind) else {
        return Err(numbers::unknown("the kind", kind, KINDS.map(|(name, _)| name)));
    };
    numbers::refuse_others(kind, known, given(options))?;
    let Some(file) = &options.out else {
        return Err(CommandFailure::input(
            "a mesh needs --out FILE; .stl, .obj, .ply and .off are known",
        ));
    };
    if MeshFormat::of_name(file).is_none() {
        return Err(Error::MeshFormat { file: file.display().to_string() }.into());
    }
    check_memory(options)?;
    let mesh = if kind == "sphere" { sphere(options)? } else { foam(options)? };
    let mesh = mesh.to_polygons();
    carom::io::write_mesh(file, &mesh)?;
    common.report(summary(&mesh, file));
    Ok(())
}

/// Memory per triangle; measured: 178 for spheres, 188 for foams.
const BYTES_PER_TRIANGLE: f64 = 180.0;

fn check_memory(options: &GenerateMeshArguments) -> Result<(), CommandFailure> {
    let triangles = match (&options.triangles, options.refinements) {
        (Some(text), _) => numbers::count("--triangles", text)? as f64,
        (None, Some(refinements)) => 8.0 * 4.0_f64.powf(f64::from(refinements)),
        (None, None) => return Ok(()),
    };
    // More triangles than any mesh may have are refused elsewhere.
    if options.refinements.is_some_and(|it| it > 12) || triangles > f64::from(u32::MAX) {
        return Ok(());
    }
    Ok(memory::check(format!("{triangles} triangles"), triangles * BYTES_PER_TRIANGLE)?)
}

fn sphere(options: &GenerateMeshArguments) -> Result<TriangleMesh, CommandFailure> {
    let refinements = match (&options.triangles, options.refinements) {
        (Some(text), None) => RefinedSphere::refinements_for(numbers::count("--triangles", text)?)?,
        (None, Some(refinements)) => refinements,
        _ => {
            let sentence = "sphere needs either --refinements K or --triangles N";
            return Err(CommandFailure::input(sentence));
        }
    };
    Ok(RefinedSphere { refinements, radius: options.radius.unwrap_or(1.0) }.make()?)
}

fn foam(options: &GenerateMeshArguments) -> Result<TriangleMesh, CommandFailure> {
    let Some(triangles) = &options.triangles else {
        return Err(CommandFailure::input("foam needs --triangles N"));
    };
    let usual = Foam::default();
    let cells = options.cells.as_ref().map(|text| numbers::count("--cells", text));
    let foam = Foam {
        triangles: numbers::count("--triangles", triangles)?,
        cells: cells.transpose()?.unwrap_or(usual.cells),
        seed: options.seed.unwrap_or(usual.seed),
    };
    Ok(foam.make()?)
}

fn summary(mesh: &PolygonMesh, file: &Path) -> String {
    let closed = if MeshTopology::of(mesh).is_closed() { "closed" } else { "not closed" };
    let volume = MassProperties::of(&mesh.vertices, &mesh.faces).volume;
    format!(
        "{} triangles, {} vertices, {closed}, volume {}, written to {}",
        group_thousands(mesh.faces.len() as u64),
        group_thousands(mesh.vertices.len() as u64),
        six_significant_digits(volume),
        file.display()
    )
}

/// Every option that a kind may take, and whether it was given.
fn given(options: &GenerateMeshArguments) -> impl IntoIterator<Item = (&'static str, bool)> {
    [
        ("--refinements", options.refinements.is_some()),
        ("--triangles", options.triangles.is_some()),
        ("--radius", options.radius.is_some()),
        ("--cells", options.cells.is_some()),
        ("--seed", options.seed.is_some()),
    ]
}
