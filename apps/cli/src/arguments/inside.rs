//! Arguments of `carom inside`.

use clap::Args;
use std::path::PathBuf;

pub const INSIDE_EXAMPLES: &str = "\
Writes CSV id,side with a row for each point in its order: inside, outside or surface; for
grid: also the positions, id,x,y,z,side. The methods cells and ray are exact: a point is on the
surface if it lies on a face, an edge or a vertex to the last bit, and no other point is reported
on the wrong side. double-layer and multipole sum the solid angles of the surface as seen from a
point, and also classify points of open meshes under the rule winding; points within rounding of
the surface are reported as on it. Under even-odd and nonzero they need consistently oriented
faces. With --pose, points are transformed into the frame of the body first,
which rounds them; it is refused with grid:, whose points run along z fastest, then y, then x.
Of particles and frames only the centers are used. Non-convex faces of more than three corners are
refused.

carom check MESH reports which rules give a mesh an inside:
  even-odd  closed meshes, whatever their orientation; parts within parts are hollow
  nonzero   closed and oriented meshes; parts that overlap count as one
  winding   as nonzero, but a part that is inside out counts as a hole; also open meshes

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
    /// File of points: CSV with columns x,y,z, extended XYZ, a frame or a results folder of a run (RUN, RUN@12,
    /// RUN@t=0.5), or a mesh, of which the vertices are taken; - reads standard input; grid:N makes N x N x N points, N
    /// from 2 to 500, from corner to corner of the bounding box of the body
    pub points: PathBuf,
    /// Containment method: auto, cells, ray, double-layer or multipole
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub method: String,
    /// Fill rule: even-odd (a ray crosses the surface an odd number of times), nonzero (the winding number is not zero)
    /// or winding (the winding number is above one half)
    #[arg(long, value_name = "RULE", default_value = "even-odd")]
    pub rule: String,
    /// Position and orientation of the body
    #[arg(long, value_name = "X,Y,Z[,QW,QX,QY,QZ]", allow_hyphen_values = true)]
    pub pose: Option<String>,
    /// Write the distance from the surface too, negative inside
    #[arg(long)]
    pub distance: bool,
    /// Write the result to this file; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Report the method, the time per phase and the memory
    #[arg(long, short = 'v', visible_alias = "verbose")]
    pub stats: bool,
    /// Print the statistics as JSON: on standard output if --out takes the result, else on standard error
    #[arg(long)]
    pub json: bool,
}
