//! Arguments of `carom generate`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum GenerateKind {
    /// Random particles, published workloads or lattices, as CSV, extended XYZ, VTK or LAMMPS dump
    #[command(after_help = GENERATE_EXAMPLES)]
    Particles(Box<GenerateParticlesArguments>),
    /// Convex polyhedra, as STL, OBJ, PLY or OFF
    #[command(after_help = POLYHEDRON_EXAMPLES)]
    Polyhedron(GeneratePolyhedronArguments),
    /// Closed surfaces of many triangles, as STL, OBJ, PLY or OFF: a refined sphere, an open-cell foam
    #[command(after_help = MESH_EXAMPLES)]
    Mesh(GenerateMeshArguments),
}

const GENERATE_EXAMPLES: &str = "\
The same options and seed give the same particles on every run.

Examples:
  carom generate particles --case 3B --count 1e6 --out particles.csv
  carom generate particles --count 5000 --dimension 2 --diameters 0.5,1 --fraction 0.6
      --out discs.xyz
  carom generate particles --count 1e5 --log-normal 0.1,1,0.01,1 --fraction 0.5 --periodic
      --out ln.xyz
  carom generate particles --lattice fcc --count 4000 --spacing 1 --out crystal.csv";

#[derive(Debug, Args)]
pub struct GenerateParticlesArguments {
    /// Number of particles, such as 1000 or 1e6
    #[arg(
        long,
        short = 'n',
        value_name = "N",
        allow_negative_numbers = true,
        default_value = "1000"
    )]
    pub count: String,
    /// A published workload: 2A 2B 2C 3A 3B 3C P2 P3 LN BIG
    #[arg(long, value_name = "NAME", conflicts_with_all = ["dimension", "diameters", "log_normal", "density", "fraction", "size", "lattice", "spacing", "periodic"])]
    pub case: Option<String>,
    /// 2 for discs, 3 for spheres [default: 3]
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub dimension: Option<usize>,
    /// Diameters uniform between LOW and HIGH [default: 0.5,1]
    #[arg(
        long,
        value_name = "LOW,HIGH",
        allow_hyphen_values = true,
        conflicts_with = "log_normal"
    )]
    pub diameters: Option<String>,
    /// Log-normal diameters MEDIAN exp(SIGMA normal), redrawn until between LOW and HIGH
    #[arg(long, value_name = "MEDIAN,SIGMA,LOW,HIGH", allow_hyphen_values = true)]
    pub log_normal: Option<String>,
    /// Box edges
    #[arg(long = "box", value_name = "LX,LY[,LZ]", allow_hyphen_values = true, conflicts_with_all = ["density", "fraction"])]
    pub size: Option<String>,
    /// Cubic box with this number of particles per volume
    #[arg(
        long,
        value_name = "DENSITY",
        allow_negative_numbers = true,
        conflicts_with = "fraction"
    )]
    pub density: Option<f64>,
    /// Cubic box with this packing fraction, overlaps counted twice [default: 0.3]
    #[arg(long, value_name = "PART", allow_negative_numbers = true)]
    pub fraction: Option<f64>,
    /// Make the box periodic (kept by all formats but CSV)
    #[arg(long)]
    pub periodic: bool,
    /// A lattice instead of random positions: square, triangular, cubic or fcc
    #[arg(long, value_name = "KIND", conflicts_with_all = ["dimension", "diameters", "log_normal", "density", "fraction", "size", "periodic", "seed"])]
    pub lattice: Option<String>,
    /// Distance between nearest lattice sites [default: 1]
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true, requires = "lattice")]
    pub spacing: Option<f64>,
    /// Radius of lattice particles [default: slightly more than half the spacing, so that they touch]
    #[arg(long, value_name = "RADIUS", allow_negative_numbers = true, requires = "lattice")]
    pub radius: Option<f64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "SEED", allow_negative_numbers = true, default_value_t = carom::scene::generate::DEFAULT_SEED)]
    pub seed: u64,
    /// Write to this file: CSV, or extended XYZ if it ends in .xyz or .extxyz, VTK in .vtp, LAMMPS dump in .dump; a
    /// further .gz compresses it; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

const POLYHEDRON_EXAMPLES: &str = "\
Kinds:
  tetrahedron, cube, octahedron, dodecahedron, icosahedron   [--radius R]
  sphere      --faces F [--radius R] [--seed S]   corners spread evenly over a sphere
  random      --faces F [--radius R] [--seed S]   corners anywhere on a sphere
  ellipsoid   --faces F --axes A,B,C [--seed S]   the sphere, stretched
  prism       --sides N --height H [--radius R]   a regular polygon, raised
  box         --size A,B,C
All are centered at the origin. With --faces all faces are triangles, and there are F/2 + 2 corners.
STL holds triangles with coordinates of seven digits; PLY, OBJ and OFF hold polygons, exactly.

Examples:
  carom generate polyhedron dodecahedron --out dodecahedron.ply
  carom generate polyhedron sphere --faces 1e5 --radius 0.5 --out ball.stl
  carom generate polyhedron ellipsoid --faces 500 --axes 1,1,2 --seed 7 --out egg.obj
  carom generate polyhedron prism --sides 6 --height 0.2 > nut.off";

#[derive(Debug, Args)]
pub struct GeneratePolyhedronArguments {
    /// tetrahedron, cube, octahedron, dodecahedron, icosahedron, sphere, random, ellipsoid, prism or box
    pub kind: String,
    /// Number of faces, such as 500 or 1e5; an even number
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub faces: Option<String>,
    /// Semi-axes of an ellipsoid along x, y and z
    #[arg(long, value_name = "A,B,C", allow_hyphen_values = true)]
    pub axes: Option<String>,
    /// Number of sides of a prism
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub sides: Option<String>,
    /// Height of a prism
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub height: Option<f64>,
    /// Edges of a box
    #[arg(long, value_name = "A,B,C", allow_hyphen_values = true)]
    pub size: Option<String>,
    /// Radius of the sphere through the corners, or of the circle through those of a prism's base [default: 1]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<f64>,
    /// Seed of the random numbers [default: 12345]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Write to this file: .stl, .obj, .ply or .off; without it, or with -, OFF goes to standard output
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

const MESH_EXAMPLES: &str = "\
Kinds:
  sphere   --refinements K [--radius R]   an octahedron, each triangle split in four K times and
                                          the new corners pushed out to the sphere: 8 * 4^K
                                          triangles
  sphere   --triangles N [--radius R]     the same, with the least K that makes N or more
  foam     --triangles N [--cells C] [--seed S]
                                          struts along the edges of a random Voronoi diagram of
                                          2 C^3 pores in the cube from -1 to 1; N to within a
                                          tenth, at least 500 C^3
All are closed, and each edge belongs to two triangles; seen from outside, corners are
counterclockwise. The same seed gives the same foam. STL holds coordinates of seven digits; PLY,
OBJ and OFF hold them exactly.

Examples:
  carom generate mesh sphere --refinements 7 --out sphere.ply
  carom generate mesh sphere --triangles 1e6 --radius 0.5 --out ball.stl
  carom generate mesh foam --triangles 5e5 --out foam.stl
  carom generate mesh foam --triangles 1e5 --cells 3 --seed 7 --out foam.obj";

#[derive(Debug, Args)]
pub struct GenerateMeshArguments {
    /// sphere or foam
    pub kind: String,
    /// Number of times that every triangle of a sphere is split in four, up to 12
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub refinements: Option<u32>,
    /// Number of triangles, such as 1e5: at least this many for a sphere, about this many for a foam
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub triangles: Option<String>,
    /// Radius of the sphere through the corners [default: 1]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<f64>,
    /// Number of lattice cubes of the foam along an edge, from 2 to 50, with two pores in each [default: 4]
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    pub cells: Option<String>,
    /// Seed of the random numbers [default: 12345]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Write to this file: .stl, .obj, .ply or .off
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
