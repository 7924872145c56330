//! What `carom inside` can be asked for.

use clap::Args;
use std::path::PathBuf;

pub const INSIDE_EXAMPLES: &str = "\
Writes CSV id,side with a row for each point in its order: inside, outside or surface; of the
points of grid: also where they are, id,x,y,z,side. The
methods cells and ray are exact: a point is on the surface if it lies on a face, an edge or a
vertex to the last bit, and no other point is reported on the wrong side. double-layer and multipole
add up how much of the surface is seen from a point, and answer for open meshes under the rule
winding; they call on the surface what is no farther from it than rounding. Under even-odd and
nonzero they need faces that agree which side is out. With --pose, points are turned into the
body's frame first, which rounds them; it is refused with grid:, whose points go along z
fastest, then y, then x. Of particles and frames only centers count. Faces of more than three
corners that are not convex are refused.

carom check MESH reports which rules give a mesh an inside:
  even-odd   closed meshes, whatever their orientation; parts within parts are hollow
  nonzero  closed and oriented meshes; parts that overlap count as one
  winding  as nonzero, but a part that is inside out counts as a hole; also open meshes

Examples:
  carom generate mesh foam --triangles 1e5 --out foam.ply
  carom inside foam.ply grid:40 --out sides.csv --stats
  carom generate particles --count 1000 --diameters 0.1,0.2 --fraction 0.2 --out points.csv
  carom inside foam.ply points.csv --distance > distances.csv
  carom generate mesh sphere --refinements 3 --out ball.obj
  carom inside ball.obj points.csv --rule winding > sides.csv
  carom inside ball.obj foam.ply --pose 0.5,0,0 > vertices.csv";

#[derive(Debug, Args)]
pub struct InsideArguments {
    /// Mesh of the body: .stl, .obj, .ply or .off
    pub mesh: PathBuf,
    /// File of points: CSV with columns x,y,z, extended XYZ, a frame or a results folder of a run
    /// (RUN, RUN@12, RUN@t=0.5), or a mesh whose vertices are meant; - reads standard input; grid:N
    /// makes N x N x N points, N from 2 to 500, from corner to corner of the box around the body
    pub points: PathBuf,
    /// How to tell: auto, cells, ray, double-layer or multipole
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub method: String,
    /// What is inside: even-odd (crossed an odd number of times), nonzero (the surface goes round it) or
    /// winding (more than half of it is surrounded)
    #[arg(long, value_name = "RULE", default_value = "even-odd")]
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
    /// Report the method, the time per phase and the memory
    #[arg(long, short = 'v', visible_alias = "verbose")]
    pub stats: bool,
    /// The figures as JSON: on standard output if --out takes the sides, else on standard error
    #[arg(long)]
    pub json: bool,
}
