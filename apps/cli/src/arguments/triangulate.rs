//! Arguments of `carom triangulate`.

use clap::Args;
use std::path::PathBuf;

pub const TRIANGULATE_EXAMPLES: &str = "\
The Laguerre Delaunay triangulation and its dual, the Laguerre diagram (also: regular
triangulation and power diagram): the cell of a sphere holds the points whose power |x - c|^2 -
r^2 to it is least, and two spheres are neighbors where their cells meet. With equal radii
these are Delaunay's and Voronoi's. Exact for any input. Input as for carom contacts.

--out is VTK UnstructuredGrid for ParaView: triangles or tetrahedra. Points have radius, hidden,
image and id; where simplices reach across a periodic side, images of spheres follow the spheres
as points of their own. --cells is CSV id,neighbors,volume (area for discs), one row per
sphere; a hidden sphere has 0,0.0, an unbounded cell has no volume, its last column is empty.
A small sphere deep within others is hidden: its cell is empty. That is no error.

Examples:
  carom triangulate case:3B:1e5 --out triangulation.vtu --cells cells.csv
  carom triangulate case:2A:1000 --svg diagram.svg
  carom generate particles --count 2000 --diameters 0.5,1 --fraction 0.5 --periodic
      --out packing.xyz
  carom triangulate packing.xyz --check --json";

#[derive(Debug, Args)]
pub struct TriangulateArguments {
    /// Particle file, or a frame of a results folder (RUN, RUN@first, RUN@12, RUN@t=0.5); - reads standard input;
    /// case:NAME[:COUNT[:SEED]] generates a published workload (2A 2B 2C 3A 3B 3C P2 P3 LN BIG)
    pub particles: PathBuf,
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
    /// Write neighbors and size of every sphere's cell to this file, as CSV
    #[arg(long, value_name = "FILE")]
    pub cells: Option<PathBuf>,
    /// Verify the triangulation completely and exactly
    #[arg(long)]
    pub check: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
