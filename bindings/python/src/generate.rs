//! Generators: particles, polyhedra, meshes.

use crate::mesh::Mesh;
use crate::particles::to_python;
use crate::polyhedron::Polyhedron;
use crate::{boundary, errors, names, thread_pool};
use carom::geometry::shape::ConvexPolyhedron;
use carom::io::Particles;
use carom::scene;
use carom::scene::generate::{
    DEFAULT_SEED, DiameterDistribution, Foam, LatticeKind, LatticeParticles, PaperCase,
    RandomParticles, RandomRegion, RefinedSphere, RegularSolid,
};
use pyo3::prelude::*;

/// Generate particles at random positions, which may overlap.
///
/// The same arguments give the same particles as `carom generate particles`.
///
/// Parameters
/// ----------
/// count : int
/// dimension : {2, 3}
/// diameters : (float, float)
///     Uniform between the two.
/// log_normal : (float, float, float, float), optional
///     Median, sigma, lowest and highest diameter: median * exp(sigma * normal), redrawn until between the last two.
/// box : float, sequence of float, or box of freud, ASE or OVITO, optional
///     Edges of the region of the centers: one for all axes, or one for each.
/// density : float, optional
///     Number of particles per volume of a cube, instead of `box`.
/// fraction : float, optional
///     Packing fraction in a cube, overlaps counted twice, instead of `box`; 0.3 if nothing is given.
/// periodic : bool
///     Whether the box is periodic.
/// seed : int
///
/// Returns
/// -------
/// Particles
///     `spheres`, shape (N, D + 1), and `box`, None unless it is periodic.
///
/// Examples
/// --------
/// >>> import carom
/// >>> spheres, box = carom.generate.particles(1000, fraction=0.2, periodic=True)
/// >>> spheres.shape, len(box)
/// ((1000, 4), 3)
/// >>> contacts = carom.contacts(spheres, box=box)
#[pyfunction]
#[pyo3(signature = (count=1000, *, dimension=3, diameters=(0.5, 1.0), log_normal=None, r#box=None, density=None, fraction=None, periodic=false, seed=DEFAULT_SEED))]
#[expect(clippy::too_many_arguments, reason = "they are named by the caller")]
pub fn particles<'py>(
    py: Python<'py>,
    count: usize,
    dimension: usize,
    diameters: (f64, f64),
    log_normal: Option<(f64, f64, f64, f64)>,
    r#box: Option<Bound<'py, PyAny>>,
    density: Option<f64>,
    fraction: Option<f64>,
    periodic: bool,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let given = [r#box.is_some(), density.is_some(), fraction.is_some()];
    if given.iter().filter(|given| **given).count() > 1 {
        return Err(errors::INPUT.with(py, "box, density and fraction say the same; give one"));
    }
    let diameters = match log_normal {
        Some((median, sigma, low, high)) => {
            DiameterDistribution::LogNormal { median, sigma, low, high }
        }
        None => DiameterDistribution::Uniform { low: diameters.0, high: diameters.1 },
    };
    let region = Region { edges: r#box, density, fraction };
    let made = match dimension {
        2 => random(py, count, diameters, &region, periodic, seed).map(Particles::Discs),
        3 => random(py, count, diameters, &region, periodic, seed).map(Particles::Spheres),
        _ => {
            let sentence = format!("dimension is {dimension}; it must be 2 or 3");
            Err(errors::INPUT.with(py, sentence))
        }
    };
    to_python(py, &made?)
}

struct Region<'py> {
    edges: Option<Bound<'py, PyAny>>,
    density: Option<f64>,
    fraction: Option<f64>,
}

fn random<const D: usize>(
    py: Python<'_>,
    count: usize,
    diameters: DiameterDistribution,
    region: &Region<'_>,
    periodic: bool,
    seed: u64,
) -> PyResult<carom::io::ParticleSet<D>> {
    let region = match region {
        Region { edges: Some(edges), .. } => RandomRegion::Box(boundary::edges(edges)?),
        Region { density: Some(density), .. } => RandomRegion::NumberDensity(*density),
        Region { fraction, .. } => RandomRegion::PackingFraction(fraction.unwrap_or(0.3)),
    };
    let settings = RandomParticles { count, diameters, region, periodic, seed };
    made(py, move || settings.make())
}

/// Does the work of a generator.
fn made<T: Send + 'static>(
    py: Python<'_>,
    make: impl FnOnce() -> Result<T, scene::Error> + Send + 'static,
) -> PyResult<T> {
    thread_pool::run_owned(py, make)?.map_err(|error| errors::INPUT.with(py, error))
}

const LATTICES: [(&str, LatticeKind); 4] = [
    ("square", LatticeKind::Square),
    ("triangular", LatticeKind::Triangular),
    ("cubic", LatticeKind::Cubic),
    ("fcc", LatticeKind::FaceCenteredCubic),
];

/// Generate equal particles on the sites of a lattice.
///
/// Parameters
/// ----------
/// kind : {"square", "triangular", "cubic", "fcc"}
/// count : int
/// spacing : float
///     Distance of nearest sites.
/// radius : float, optional
///     Slightly more than half the spacing, so that neighbors touch, if it is not given.
///
/// Returns
/// -------
/// Particles
///
/// Examples
/// --------
/// >>> import carom
/// >>> spheres, box = carom.generate.lattice("fcc", 4000)
/// >>> int(carom.contacts(spheres).counts().max())
/// 12
#[pyfunction]
#[pyo3(signature = (kind, count=1000, *, spacing=1.0, radius=None))]
pub fn lattice<'py>(
    py: Python<'py>,
    kind: &str,
    count: usize,
    spacing: f64,
    radius: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let (_, kind) = *LATTICES
        .iter()
        .find(|(known, _)| *known == kind)
        .ok_or_else(|| names::unknown(py, "kind", kind, LATTICES.map(|(name, _)| name)))?;
    // With exactly half the spacing, rounding of positions would decide which neighbors touch.
    let radius = radius.unwrap_or(spacing / 2.0 * (1.0 + 1e-12));
    let lattice = LatticeParticles { kind, count, spacing, radius };
    let particles = match kind.dimension() {
        2 => Particles::Discs(made(py, move || lattice.make())?),
        _ => Particles::Spheres(made(py, move || lattice.make())?),
    };
    to_python(py, &particles)
}

/// Generate a published workload.
///
/// Parameters
/// ----------
/// name : str
///     "2A", "2B", "2C", "3A", "3B", "3C", "P2", "P3", "LN" or "BIG".
/// count : int
/// seed : int
///
/// Returns
/// -------
/// Particles
///
/// Examples
/// --------
/// >>> import carom
/// >>> spheres, box = carom.generate.case("3B", 10_000)
/// >>> spheres.shape, box
/// ((10000, 4), None)
#[pyfunction]
#[pyo3(signature = (name, count=10_000, *, seed=DEFAULT_SEED))]
pub fn case<'py>(
    py: Python<'py>,
    name: &str,
    count: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let case: PaperCase = name
        .parse()
        .map_err(|_| names::unknown(py, "name", name, PaperCase::ALL.map(PaperCase::name)))?;
    to_python(py, &made(py, move || case.particles(count, seed))?)
}

/// Generate a sphere of triangles: an octahedron, each triangle split in four again and again.
///
/// Parameters
/// ----------
/// refinements : int
///     Times that every triangle is split, up to 12; there are 8 * 4**refinements triangles.
/// radius : float
///
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.generate.sphere(7)
/// <carom.Mesh: 65538 vertices, 131072 faces>
#[pyfunction]
#[pyo3(signature = (refinements, *, radius=1.0))]
pub fn sphere(py: Python<'_>, refinements: u32, radius: f64) -> PyResult<Mesh> {
    let mesh = made(py, move || RefinedSphere { refinements, radius }.make())?;
    Mesh::of_polygons(py, mesh.to_polygons())
}

/// Generate an open-cell foam: struts along the edges of a random Voronoi diagram in the cube from -1 to 1.
///
/// Parameters
/// ----------
/// triangles : int
///     Number of triangles, to within a tenth; at least 500 * cells**3.
/// cells : int
///     Lattice cubes along an edge, from 2 to 50, with two pores in each.
/// seed : int
///
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.generate.foam(5000, cells=2).is_watertight
/// True
#[pyfunction]
#[pyo3(signature = (triangles, *, cells=4, seed=DEFAULT_SEED))]
pub fn foam(py: Python<'_>, triangles: usize, cells: usize, seed: u64) -> PyResult<Mesh> {
    let mesh = made(py, move || Foam { triangles, cells, seed }.make())?;
    Mesh::of_polygons(py, mesh.to_polygons())
}

/// Kinds of polyhedra, and the arguments they take.
const POLYHEDRA: [(&str, &[&str]); 10] = [
    ("tetrahedron", &["radius"]),
    ("cube", &["radius"]),
    ("octahedron", &["radius"]),
    ("dodecahedron", &["radius"]),
    ("icosahedron", &["radius"]),
    ("sphere", &["faces", "radius", "seed"]),
    ("random", &["faces", "radius", "seed"]),
    ("ellipsoid", &["faces", "axes", "seed"]),
    ("prism", &["sides", "height", "radius"]),
    ("box", &["size"]),
];

/// Generate a convex polyhedron about the origin.
///
/// Parameters
/// ----------
/// kind : str
///     "tetrahedron", "cube", "octahedron", "dodecahedron" or "icosahedron", with `radius`; "sphere" or "random", with
///     `faces`, `radius` and `seed`; "ellipsoid", with `faces`, `axes` and `seed`; "prism", with `sides`, `height` and
///     `radius`; "box", with `size`.
/// faces : int, optional
///     Number of triangles, even.
/// axes : (float, float, float), optional
///     Semi-axes of an ellipsoid.
/// sides : int, optional
///     Of the polygon that a prism stands on.
/// height : float, optional
/// size : (float, float, float), optional
///     Edges of a box.
/// radius : float, optional
///     Of the sphere through the corners, or of the circle through those of a prism's base; 1 if it is not given.
/// seed : int, optional
///
/// Returns
/// -------
/// Polyhedron
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.generate.polyhedron("dodecahedron")
/// <carom.Polyhedron: 20 vertices, 12 faces>
/// >>> carom.generate.polyhedron("prism", sides=6, height=0.5)
/// <carom.Polyhedron: 12 vertices, 8 faces>
#[pyfunction]
#[pyo3(signature = (kind, *, faces=None, axes=None, sides=None, height=None, size=None, radius=None, seed=None))]
#[expect(clippy::too_many_arguments, reason = "they are named by the caller")]
pub fn polyhedron(
    py: Python<'_>,
    kind: &str,
    faces: Option<usize>,
    axes: Option<[f64; 3]>,
    sides: Option<usize>,
    height: Option<f64>,
    size: Option<[f64; 3]>,
    radius: Option<f64>,
    seed: Option<u64>,
) -> PyResult<Polyhedron> {
    use carom::scene::generate::Polyhedron as Settings;
    let Some((_, known)) = POLYHEDRA.iter().find(|(name, _)| *name == kind) else {
        return Err(names::unknown(py, "kind", kind, POLYHEDRA.map(|(name, _)| name)));
    };
    let given = [
        ("faces", faces.is_some()),
        ("axes", axes.is_some()),
        ("sides", sides.is_some()),
        ("height", height.is_some()),
        ("size", size.is_some()),
        ("radius", radius.is_some()),
        ("seed", seed.is_some()),
    ];
    if let Some((name, _)) = given.iter().find(|(name, given)| *given && !known.contains(name)) {
        let sentence =
            format!("{name} means nothing to {kind:?}, which takes {}", known.join(", "));
        return Err(errors::INPUT.with(py, sentence));
    }
    let missing = |name: &str| errors::INPUT.with(py, format!("{kind:?} needs {name}"));
    let (radius, seed) = (radius.unwrap_or(1.0), seed.unwrap_or(DEFAULT_SEED));
    let regular = |solid| Settings::Regular { solid, radius };
    let settings = match kind {
        "tetrahedron" => regular(RegularSolid::Tetrahedron),
        "cube" => regular(RegularSolid::Cube),
        "octahedron" => regular(RegularSolid::Octahedron),
        "dodecahedron" => regular(RegularSolid::Dodecahedron),
        "icosahedron" => regular(RegularSolid::Icosahedron),
        "sphere" => {
            Settings::Sphere { faces: faces.ok_or_else(|| missing("faces"))?, radius, seed }
        }
        "random" => {
            Settings::Random { faces: faces.ok_or_else(|| missing("faces"))?, radius, seed }
        }
        "ellipsoid" => Settings::Ellipsoid {
            semi_axes: axes.ok_or_else(|| missing("axes"))?,
            faces: faces.ok_or_else(|| missing("faces"))?,
            seed,
        },
        "prism" => Settings::Prism {
            sides: sides.ok_or_else(|| missing("sides"))?,
            height: height.ok_or_else(|| missing("height"))?,
            radius,
        },
        _ => Settings::Box { size: size.ok_or_else(|| missing("size"))? },
    };
    let mesh = made(py, move || settings.make())?;
    let body = thread_pool::run_owned(py, move || ConvexPolyhedron::from_mesh(&mesh))?;
    Ok(Polyhedron::of(body.map_err(|error| errors::INPUT.with(py, error))?))
}
