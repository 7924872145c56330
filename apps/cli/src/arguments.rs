use crate::failure::say;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// A collision toolkit for many-particle systems: contacts among spheres and discs, distances of
/// polyhedra and insides of meshes, fast and exact; simulation of hard bodies from collision to collision, and of
/// grains, polyhedra and meshes in steps of time.
#[derive(Debug, Parser)]
#[command(name = "carom", version, propagate_version = true, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Results go to standard output or --out; messages go to standard error.
Exit codes: 0 done, 1 failed while running, 2 bad input or usage, 3 stopped by a signal
or a limit of time.";

/// Options every command has.
#[derive(Debug, Args)]
pub struct Common {
    /// Say nothing but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Number of threads; all processors if not given. The results do not depend on it
    #[arg(long, global = true, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
}

impl Common {
    /// Tells something to people, on standard error, unless they want quiet.
    pub fn tell(&self, sentence: impl std::fmt::Display) {
        if !self.quiet {
            say(sentence);
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene: hard discs or spheres from collision to collision (engine = "events"), grains, polyhedra
    /// and meshes that push each other, in steps of time (engine = "steps"), or solids of springs that
    /// deform and break (engine = "deform")
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// Show the results of a run in the browser, while it runs or later
    #[command(after_help = VIEW_EXAMPLES)]
    View(View),
    /// Write the results of a run as one page that opens anywhere
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(Export),
    /// Validate a scene or a mesh and say what it would do, or what it is
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Print the JSON schema of scenes, for editors that complete and check TOML
    #[command(after_help = "Example:\n  carom schema > scene.schema.json")]
    Schema,
    /// Find all pairs of spheres or discs that touch or overlap
    #[command(after_help = CONTACTS_EXAMPLES)]
    Contacts(Contacts),
    /// Triangulate spheres or discs: who is whose neighbour, and whose is which part of space
    #[command(after_help = TRIANGULATE_EXAMPLES)]
    Triangulate(Triangulate),
    /// Distance, closest points and features of two convex polyhedra, or how deep they penetrate
    #[command(after_help = DISTANCE_EXAMPLES)]
    Distance(Distance),
    /// Which points lie inside a mesh, outside, or on its surface
    #[command(after_help = INSIDE_EXAMPLES)]
    Inside(Inside),
    /// Make particles or meshes
    Generate {
        #[command(subcommand)]
        kind: GenerateKind,
    },
    /// Run scenes and make one page of them, with pictures, figures and a page to play each
    #[command(after_help = GALLERY_EXAMPLES)]
    Gallery(Gallery),
    /// Measure the papers' tables and figures again, beside the published values
    #[command(after_help = REPRODUCE_EXAMPLES)]
    Reproduce(Reproduce),
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  carom completions bash > ~/.local/share/bash-completion/completions/carom"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Examples:\n  carom man | man -l -\n  carom man contacts | man -l -")]
    Man {
        /// The command whose page to print, such as contacts or particles
        command: Option<String>,
    },
}

const RUN_EXAMPLES: &str = "\
Writes a folder: scene.toml (as run), log.csv, frames/ (carom view shows them; open frames.pvd
in ParaView, the .xyz or .dump files in OVITO), checkpoint.bin, summary.json, picture.png and,
if the scene asks for it, radial_distribution.csv. A folder with results is never overwritten
unless --force is given, and the scene itself never; a second run into a folder that is in use
is refused.

In steps of time, log.csv has energies: kinetic, rotational, potential and elastic are there,
damped and rubbed were lost along and across contacts, driven was brought in by walls and poured
bodies.

Ctrl-C, a request to terminate, a closed terminal and --max-walltime write a checkpoint and end
with exit code 3. A run that was stopped or killed goes on by --resume, and its results are
those of the uncut run to the bit. With --resume only the end (until, collisions), the neighbour
structure and the formats, picture and checkpoint interval of the output may be changed, and the
log keeps the pace it started with; without SCENE the one in --out is taken, with all that was
set. A run without an end in time also ends when nothing can happen any more.

Examples:
  carom run
  carom run scenes/fluid.toml --set generate.0.packing_fraction=0.45 --out dense
  carom run scenes/sediment.toml --max-walltime 5s
  carom run scenes/sediment.toml --resume --until 20
  carom run scenes/dice.toml --out dice";

const VIEW_EXAMPLES: &str = "\
Serves the folder of a run at a free port of 127.0.0.1, where only this machine can reach it,
prints the address and opens it in your browser if there is a display. Frames of a run that is
still going on appear as they are written. Ctrl-C stops it.

In the page: drag turns, scroll zooms, a click on a body tells its numbers, space plays, H lists
all keys. Colours show any column of the frames; triangulation and cells can be laid over up to
100000 bodies. It takes the frames as they are: vtk, xyz or lammps (output.formats of the scene;
springs need vtk). A damaged frame is told in the page, and the others are shown. Nothing is
loaded from elsewhere.

On a machine without a display, forward the port and open the address at home:
  carom view drum.run --port 8000        there
  ssh -L 8000:127.0.0.1:8000 there       here

Examples:
  carom run scenes/drum.toml
  carom view drum.run
  carom view drum.run --no-browser --port 8000";

const EXPORT_EXAMPLES: &str = "\
The page has the viewer of carom view and the frames inside, compressed and rounded to a 65535th
of what the bodies take up (finer if they are small): it can be mailed, kept, or put on any web
site, and needs no network. A frame of a million spheres takes 12.6 MB (1 s); --frames and
--every make the page of a long run smaller. Its size is told at the end.

Examples:
  carom export drum.run --html drum.html
  carom export drum.run --html end.html --frames 90..
  carom export fluid.run --html fluid.html --every 10 --overlay delaunay,voronoi";

const CHECK_EXAMPLES: &str = "\
A file that ends in .stl, .obj, .ply or .off is a mesh: vertices, edges and faces are counted,
those without area and those that are there twice too, and it is told whether it is closed (or
which edges are not) and convex (or how much of its convex hull it fills), by which rules it has
an inside, and its volume, centre of mass and inertia (about the centre of mass, for density
one). Anything else is a scene.

Examples:
  carom check scenes/fluid.toml
  carom check rock.stl
  carom check rock.ply --json";

const CONTACTS_EXAMPLES: &str = "\
Input: CSV with a header x,y,r or x,y,z,r (any order and case, other columns ignored; radius may
stand for r, diameter or d instead of it is halved; lines starting with # may precede the
header), or extended XYZ with a radius (its box is periodic where pbc says so, or wholly if
there is no pbc). In a periodic box no particle may be wider than half a period.
Output: CSV i,j,overlap with zero-based i < j, ascending; a contact has
r_i + r_j - |x_i - x_j| >= 0. All methods give the same answer to the bit.

Examples:
  carom contacts grains.csv > contacts.csv
  carom contacts case:3B:1e6 --stats --out contacts.csv
  carom contacts grains.xyz --periodic 10,10,open --method linked-cells --cells-mean 5
  carom contacts case:2A:600 --svg contacts.svg --out contacts.csv";

const INSIDE_EXAMPLES: &str = "\
Writes CSV id,side with a row for each point in its order: inside, outside or surface. The
methods cells and ray are exact: a point is on the surface if it lies on a face, an edge or a
vertex to the last bit, and no other point is told on the wrong side. double-layer and multipole
add up how much of the surface is seen from a point, and answer for open meshes under the rule
winding; they call on the surface what is no farther from it than rounding. Under parity and
nonzero they need faces that agree which side is out. With --pose, points are turned into the
body's frame first, which rounds them; it is refused with grid:, whose points go along z
fastest, then y, then x. Extended XYZ needs a radius, though only centres count. Faces of more
than three corners that are not convex are refused.

carom check MESH tells which rules give a mesh an inside:
  parity   closed meshes, whatever their orientation; parts within parts are hollow
  nonzero  closed and oriented meshes; parts that overlap count as one
  winding  as nonzero, but a part that is inside out counts as a hole; also open meshes

Examples:
  carom generate mesh foam --triangles 1e5 --out foam.ply
  carom inside foam.ply grid:40 --out sides.csv --stats
  carom inside rock.stl points.csv --distance
  carom inside scan.obj points.csv --rule winding
  carom inside rock.stl other.stl --pose 0.5,0,0";

const DISTANCE_EXAMPLES: &str = "\
The bodies are closed convex meshes (.stl, .obj, .ply, .off). A pose is a place and a unit
quaternion, x,y,z,qw,qx,qy,qz, or only a place; a point p of the body is then at q p q* +
(x,y,z).

If the bodies are apart: their distance, the closest point of each, the vertex, edge or face it
is on, and the normal from A to B. If they penetrate: the distance is below zero by the depth,
the least motion that takes them apart is along the normal, and up to eight points of contact
are told. Numbers of vertices and faces are those of the hull: vertices in the order of the
file, without those that are no corners.

Examples:
  carom generate polyhedron cube --out cube.off
  carom distance cube.off cube.off --pose-b 3,0,0
  carom distance cube.off cube.off --pose-b 1,0.2,0,0.9238795325112867,0.3826834323650898,0,0 --json";

const TRIANGULATE_EXAMPLES: &str = "\
The Laguerre Delaunay triangulation and its dual, the Laguerre diagram (also: regular
triangulation and power diagram): the cell of a sphere holds the points whose power |x - c|^2 -
r^2 to it is least, and two spheres are neighbours where their cells meet. With equal radii
these are Delaunay's and Voronoi's. Exact for any input. Input as for carom contacts.

--out is VTK UnstructuredGrid for ParaView: triangles or tetrahedra. Points have radius, hidden,
image and id; where simplices reach across a periodic side, images of spheres follow the spheres
as points of their own. --cells is CSV id,neighbours,volume (area for discs), one row per
sphere; a hidden sphere has 0,0.0, a cell without bound has no volume, its last column is empty.
A small sphere deep within others is hidden: its cell is empty. That is no error.

Examples:
  carom triangulate case:3B:1e5 --out triangulation.vtu --cells cells.csv
  carom triangulate case:2A:1000 --svg diagram.svg
  carom triangulate packing.xyz --check --json";

const GALLERY_EXAMPLES: &str = "\
Writes a folder: index.html with a picture, a sentence, figures and commands of every scene,
NAME.html with the run inside, to be played in a browser, and NAME.run with its results. What
was run is not run again unless its scene has changed; a gallery that was stopped goes on where
it was.

Examples:
  carom gallery
  carom gallery scenes/glass.toml scenes/dice.toml --out two
  carom gallery my_scenes --quick";

const REPRODUCE_EXAMPLES: &str = "\
Ends in DIR/report.html, one page with tables, figures and findings of all papers whose reports
are in the folder; run one paper after the other, or all at once.

Examples:
  carom reproduce 002 --quick
  carom reproduce 000 --quick
  carom reproduce 001 --quick
  carom reproduce 003 --quick
  carom reproduce 004 --quick
  carom reproduce 004 --data discs.dat
  carom reproduce --out reproduction";

#[derive(Debug, Args)]
pub struct Run {
    /// Scene file; a built-in billiard if not given
    pub scene: Option<PathBuf>,
    /// Folder for the results [default: the scene's name with .run, here]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on from the checkpoint in the folder
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,
    /// Replace results that are in the folder already
    #[arg(long)]
    pub force: bool,
    /// End at this simulated time, whatever the scene says
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Change a key of the scene, such as seed=3, collisions=1000 or generate.0.count=500
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Stop with a checkpoint after this wall-clock time, such as 500ms, 10s, 5min or 2h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub max_walltime: Option<String>,
    /// Verify the neighbour structure wholly at every tenth row of the log; slow
    #[arg(long)]
    pub check: bool,
    /// The summary as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct View {
    /// Folder that carom run has written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Port of 127.0.0.1 to serve at; a free one if it is 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// Print the address, and open no browser
    #[arg(long)]
    pub no_browser: bool,
}

#[derive(Debug, Args)]
pub struct Export {
    /// Folder that carom run has written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Write the page to this file, which must end in .html; one that is there is replaced
    #[arg(long, value_name = "FILE")]
    pub html: PathBuf,
    /// Take these frames only: A..B from A to the one before B, A.. or ..B, or a single one; the first is 0
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub frames: Option<String>,
    /// Take every Nth of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub every: usize,
    /// Lay over each frame: delaunay (who is whose neighbour), voronoi (cells), or both
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub overlay: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Check {
    /// Scene file, or mesh file (.stl, .obj, .ply, .off)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Change a key of the scene
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Contacts {
    /// Particle file; - reads standard input; case:NAME[:COUNT[:SEED]] makes a published workload
    /// (2A 2B 2C 3A 3B 3C P2 P3 LN BIG)
    pub particles: String,
    /// How to search: auto, all-pairs, distance-sort, linked-cells, cell-tree, sort-and-sweep,
    /// kept-sort-and-sweep, hierarchical-grid or delaunay
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Search by linked-cells whose cells hold P particles on average, instead of cells as wide as
    /// the largest
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub cells_mean: Option<f64>,
    /// Search by distance-sort with distances from here: corner, center or X,Y[,Z]
    #[arg(long, value_name = "POINT", allow_hyphen_values = true)]
    pub origin: Option<String>,
    /// Periodic box [0,LX) x [0,LY) [x [0,LZ)], in place of that of the file; "open" for an axis that
    /// is not periodic
    #[arg(long, value_name = "LX,LY[,LZ]", allow_hyphen_values = true)]
    pub periodic: Option<String>,
    /// Write the contacts to this file; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw particles and contacts (at most 20000 particles)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Tell what was chosen and why, the work counted, the time per phase, the extra memory
    #[arg(long, short = 'v', visible_alias = "verbose")]
    pub stats: bool,
    /// The statistics as JSON: on standard output if --out takes the contacts, else on standard
    /// error
    #[arg(long)]
    pub json: bool,
    /// Verify the search structure wholly after the search
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
pub struct Distance {
    /// Mesh of the first body
    pub a: PathBuf,
    /// Mesh of the second body
    pub b: PathBuf,
    /// Where the first body is and how it is turned
    #[arg(long, value_name = "X,Y,Z[,QW,QX,QY,QZ]", allow_hyphen_values = true)]
    pub pose_a: Option<String>,
    /// Where the second body is and how it is turned
    #[arg(long, value_name = "X,Y,Z[,QW,QX,QY,QZ]", allow_hyphen_values = true)]
    pub pose_b: Option<String>,
    /// The figures as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Inside {
    /// Mesh of the body: .stl, .obj, .ply or .off
    pub mesh: PathBuf,
    /// File of points: CSV with columns x,y,z, extended XYZ, or a mesh whose vertices are meant; -
    /// reads CSV from standard input; grid:N makes N x N x N points, N from 2 to 500, from corner to
    /// corner of the box around the body
    pub points: String,
    /// How to tell: auto, cells, ray, double-layer or multipole
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub method: String,
    /// What is inside: parity (crossed an odd number of times), nonzero (the surface goes round it) or
    /// winding (more than half of it is surrounded)
    #[arg(long, value_name = "RULE", default_value = "parity")]
    pub rule: String,
    /// Where the body is and how it is turned
    #[arg(long, value_name = "X,Y,Z[,QW,QX,QY,QZ]", allow_hyphen_values = true)]
    pub pose: Option<String>,
    /// Write the distance from the surface too, negative inside
    #[arg(long)]
    pub distance: bool,
    /// Write the sides to this file; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Tell the method, the time per phase and the memory
    #[arg(long, short = 'v', visible_alias = "verbose")]
    pub stats: bool,
    /// The figures as JSON: on standard output if --out takes the sides, else on standard error
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Triangulate {
    /// Particle file; - reads standard input; case:NAME[:COUNT[:SEED]] makes a published workload
    /// (2A 2B 2C 3A 3B 3C P2 P3 LN BIG)
    pub particles: String,
    /// Periodic box [0,LX) x [0,LY) [x [0,LZ)], in place of that of the file; "open" for an axis that
    /// is not periodic
    #[arg(long, value_name = "LX,LY[,LZ]", allow_hyphen_values = true)]
    pub periodic: Option<String>,
    /// Write the triangulation to this file, as VTK UnstructuredGrid (.vtu)
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw triangulation and diagram side by side (at most 20000 discs); of spheres, the plane through
    /// the middle of the box
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write neighbours and size of every sphere's cell to this file, as CSV
    #[arg(long, value_name = "FILE")]
    pub cells: Option<PathBuf>,
    /// Verify wholly and exactly that it is the triangulation
    #[arg(long)]
    pub check: bool,
    /// The figures as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum GenerateKind {
    /// Random particles, published workloads or lattices, as CSV or extended XYZ
    #[command(after_help = GENERATE_EXAMPLES)]
    Particles(Box<Generate>),
    /// Convex polyhedra, as STL, OBJ, PLY or OFF
    #[command(after_help = POLYHEDRON_EXAMPLES)]
    Polyhedron(GeneratePolyhedron),
    /// Closed surfaces of many triangles, as STL, OBJ, PLY or OFF: a refined sphere, an open-cell foam
    #[command(after_help = MESH_EXAMPLES)]
    Mesh(GenerateMesh),
}

const GENERATE_EXAMPLES: &str = "\
The same options and seed give the same particles on every run.

Examples:
  carom generate particles --case 3B --count 1e6 --out particles.csv
  carom generate particles --count 5000 --dimension 2 --diameters 0.5,1 --fraction 0.6 --out discs.xyz
  carom generate particles --count 1e5 --log-normal 0.1,1,0.01,1 --fraction 0.5 --periodic --out ln.xyz
  carom generate particles --lattice fcc --count 4000 --spacing 1 --out crystal.csv";

#[derive(Debug, Args)]
pub struct Generate {
    /// How many particles (1e6 may be written so)
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
    /// Diameters MEDIAN exp(SIGMA normal), redrawn until between LOW and HIGH
    #[arg(long, value_name = "MEDIAN,SIGMA,LOW,HIGH", allow_hyphen_values = true)]
    pub log_normal: Option<String>,
    /// Box edges
    #[arg(long = "box", value_name = "LX,LY[,LZ]", allow_hyphen_values = true, conflicts_with_all = ["density", "fraction"])]
    pub size: Option<String>,
    /// Cubic box with so many particles per unit of volume
    #[arg(
        long,
        value_name = "DENSITY",
        allow_negative_numbers = true,
        conflicts_with = "fraction"
    )]
    pub density: Option<f64>,
    /// Cubic box of which the particles, overlaps counted twice, fill this part [default: 0.3]
    #[arg(long, value_name = "PART", allow_negative_numbers = true)]
    pub fraction: Option<f64>,
    /// Make the box periodic (kept in extended XYZ only)
    #[arg(long)]
    pub periodic: bool,
    /// A lattice instead: square, triangular, cubic or fcc
    #[arg(long, value_name = "KIND", conflicts_with_all = ["dimension", "diameters", "log_normal", "density", "fraction", "size", "periodic", "seed"])]
    pub lattice: Option<String>,
    /// Distance of nearest lattice sites [default: 1]
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true, requires = "lattice")]
    pub spacing: Option<f64>,
    /// Radius of lattice particles [default: a hair more than half the spacing, so that they touch]
    #[arg(long, value_name = "RADIUS", allow_negative_numbers = true, requires = "lattice")]
    pub radius: Option<f64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "SEED", allow_negative_numbers = true, default_value_t = carom::scene::generate::DEFAULT_SEED)]
    pub seed: u64,
    /// Write to this file: CSV, or extended XYZ if it ends in .xyz or .extxyz; - is standard output
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
All are about the origin. With --faces all faces are triangles, and there are F/2 + 2 corners.
STL holds triangles with coordinates of seven digits; PLY, OBJ and OFF hold polygons, exactly.

Examples:
  carom generate polyhedron dodecahedron --out dodecahedron.ply
  carom generate polyhedron sphere --faces 1e5 --radius 0.5 --out ball.stl
  carom generate polyhedron ellipsoid --faces 500 --axes 1,1,2 --seed 7 --out egg.obj
  carom generate polyhedron prism --sides 6 --height 0.2 > nut.off";

#[derive(Debug, Args)]
pub struct GeneratePolyhedron {
    /// tetrahedron, cube, octahedron, dodecahedron, icosahedron, sphere, random, ellipsoid, prism or box
    pub kind: String,
    /// How many faces (1e5 may be written so), an even number
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub faces: Option<String>,
    /// From the centre of an ellipsoid to its surface along x, y and z
    #[arg(long, value_name = "A,B,C", allow_hyphen_values = true)]
    pub axes: Option<String>,
    /// How many sides a prism has around
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub sides: Option<String>,
    /// From the bottom of a prism to its top
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub height: Option<f64>,
    /// Edges of a box
    #[arg(long, value_name = "A,B,C", allow_hyphen_values = true)]
    pub size: Option<String>,
    /// Of the sphere through the corners, or the circle through those of a prism's bottom [default: 1]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<f64>,
    /// Seed of the random numbers [default: 12345]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Write to this file: .stl, .obj, .ply or .off; without it, or by -, OFF goes to standard output
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
All are closed, each edge belongs to two triangles, seen from outside corners go round to the
left. The same seed gives the same foam. STL holds coordinates of seven digits; PLY, OBJ and OFF
hold them exactly.

Examples:
  carom generate mesh sphere --refinements 7 --out sphere.ply
  carom generate mesh sphere --triangles 1e6 --radius 0.5 --out ball.stl
  carom generate mesh foam --triangles 5e5 --out foam.stl
  carom generate mesh foam --triangles 1e5 --cells 3 --seed 7 --out foam.obj";

#[derive(Debug, Args)]
pub struct GenerateMesh {
    /// sphere or foam
    pub kind: String,
    /// How often every triangle of a sphere is split in four, up to 12
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub refinements: Option<u32>,
    /// How many triangles (1e5 may be written so): at least for a sphere, about for a foam
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub triangles: Option<String>,
    /// Of the sphere through the corners [default: 1]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<f64>,
    /// Cubes of the foam's lattice along an edge, from 2 to 50, with two pores in each [default: 4]
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    pub cells: Option<String>,
    /// Seed of the random numbers [default: 12345]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Write to this file: .stl, .obj, .ply or .off
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Gallery {
    /// Scene files, or folders of them
    #[arg(value_name = "SCENES", default_value = "scenes")]
    pub scenes: Vec<PathBuf>,
    /// The first few frames of every scene only
    #[arg(long)]
    pub quick: bool,
    /// Folder for the pages and the results
    #[arg(long, short, value_name = "DIR", default_value = "gallery")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct Reproduce {
    /// The paper's number; all that can be reproduced if not given
    pub paper: Option<String>,
    /// Smaller systems: seconds instead of minutes
    #[arg(long)]
    pub quick: bool,
    /// Run the first collision of this data file of paper 004, in its way and in the right way
    ///
    /// Text, a line that is a lone $, then numbers, each group at the start of a line whose rest is a comment: lower
    /// extents of the scene (x y z), upper extents, number of objects, intervals of an impact, 1 or 0 (pictures at once
    /// or stored). Then for each object a line that is a lone $, and: name and number; centre and radius; red, green
    /// and blue; spacings along a diameter; stiffness compressed and extended; velocity; mass; Poisson's ratio; modulus
    /// of elasticity.
    #[arg(long, value_name = "FILE", conflicts_with = "quick")]
    pub data: Option<PathBuf>,
    /// Folder for tables and figures
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    pub out: PathBuf,
}
