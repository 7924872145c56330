//! What `carom distance` can be asked for.

use clap::Args;
use std::path::PathBuf;

pub const DISTANCE_EXAMPLES: &str = "\
The bodies are closed convex meshes (.stl, .obj, .ply, .off). A pose is a place and a unit
quaternion, x,y,z,qw,qx,qy,qz, or only a place; a point p of the body is then at q p q* +
(x,y,z).

If the bodies are apart: their distance, the closest point of each, the vertex, edge or face it
is on, and the normal from A to B. If they penetrate: the distance is below zero by the depth,
the least motion that takes them apart is along the normal, and up to eight points of contact
are reported. Numbers of vertices and faces are those of the hull: vertices in the order of the
file, without those that are no corners.

Examples:
  carom generate polyhedron cube --out cube.off
  carom distance cube.off cube.off --pose-b 3,0,0
  carom distance cube.off cube.off --pose-b 1,0.2,0,0.9238795325112867,0.3826834323650898,0,0 --json";

#[derive(Debug, Args)]
pub struct DistanceArguments {
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
