//! Arguments of `carom distance`.

use clap::Args;
use std::path::PathBuf;

pub const DISTANCE_EXAMPLES: &str = "\
The bodies are closed convex meshes (.stl, .obj, .ply, .off). A pose is a position and a unit
quaternion, x,y,z,qw,qx,qy,qz, or only a position; a point p of the body is then at q p q* +
(x,y,z).

If the bodies are apart: their distance, the closest point of each, the vertex, edge or face it
is on, and the normal from A to B. If they penetrate: the distance is minus the penetration
depth, the shortest motion that separates them is along the normal, and up to eight contact
points are reported. Numbers of vertices and faces are those of the hull: vertices in the order
of the file, without those that are no corners.

Examples:
  carom generate polyhedron cube --out cube.off
  carom distance cube.off cube.off --pose-b 3,0,0
  carom distance cube.off cube.off
      --pose-b 1,0.2,0,0.9238795325112867,0.3826834323650898,0,0 --json";

#[derive(Debug, Args)]
pub struct DistanceArguments {
    /// Mesh of the first body
    pub a: PathBuf,
    /// Mesh of the second body
    pub b: PathBuf,
    /// Position and orientation of the first body
    #[arg(long, value_name = "X,Y,Z[,QW,QX,QY,QZ]", allow_hyphen_values = true)]
    pub pose_a: Option<String>,
    /// Position and orientation of the second body
    #[arg(long, value_name = "X,Y,Z[,QW,QX,QY,QZ]", allow_hyphen_values = true)]
    pub pose_b: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
