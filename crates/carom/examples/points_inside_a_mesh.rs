//! Reads a mesh file and asks which points are inside.

use carom::Mesh;
use carom::geometry::mesh::octahedron_sphere;
use carom::io::write_mesh;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("carom-ball-{}.stl", std::process::id()));
    write_mesh(&path, &octahedron_sphere(4).to_polygons())?;
    let inside = Mesh::read(&path)?.contains(&[[0.5, 0.0, 0.0], [0.9, 0.9, 0.0]]);
    std::fs::remove_file(&path)?;
    println!("{inside:?}");
    assert_eq!(inside, [true, false]);
    Ok(())
}
