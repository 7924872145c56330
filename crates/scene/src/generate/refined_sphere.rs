//! Triangulated spheres, refined from an octahedron.

use super::polyhedron::check_length;
use super::setting;
use crate::Error;
use carom_geometry::mesh::{MAX_REFINEMENTS, TriangleMesh, octahedron_sphere};

/// Settings of a sphere of `8 * 4^refinements` triangles about the origin; [`RefinedSphere::make`] checks them.
///
/// Its triangles are more alike than those of [`Polyhedron::Sphere`](super::Polyhedron::Sphere), and a million of them
/// take a fraction of a second, but their number cannot be chosen freely.
///
/// ```
/// use carom_scene::generate::RefinedSphere;
/// let refinements = RefinedSphere::refinements_for(1000)?;
/// let mesh = RefinedSphere { refinements, radius: 0.5 }.make()?;
/// assert_eq!(mesh.triangles().len(), 2048);
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RefinedSphere {
    /// Number of times that every triangle is split in four; at most [`MAX_REFINEMENTS`].
    pub refinements: u32,
    /// Radius of the sphere through the vertices.
    pub radius: f64,
}

impl RefinedSphere {
    /// Returns the fewest refinements that make at least this number of triangles.
    pub fn refinements_for(triangles: usize) -> Result<u32, Error> {
        let enough = |&refinements: &u32| 8 << (2 * refinements) >= triangles;
        match (0..=MAX_REFINEMENTS).find(enough) {
            Some(refinements) if triangles > 0 => Ok(refinements),
            _ => {
                let rule = "a refined sphere has from 8 to 134217728";
                Err(setting("number of triangles", triangles, rule))
            }
        }
    }

    /// Returns the closed surface, with outward normals.
    pub fn make(&self) -> Result<TriangleMesh, Error> {
        if self.refinements > MAX_REFINEMENTS {
            let rule = "at most 12 are made, which are 134217728 triangles";
            return Err(setting("number of refinements", self.refinements, rule));
        }
        check_length("radius", self.radius)?;
        let unit = octahedron_sphere(self.refinements);
        let vertices = unit.vertices().iter().map(|vertex| vertex * self.radius).collect();
        let scaled = TriangleMesh::new(vertices, unit.triangles().to_vec());
        Ok(scaled.expect("lengths up to 1e30 can be used"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::shape::MassProperties;

    #[test]
    fn a_sphere_has_its_radius() {
        let mesh = RefinedSphere { refinements: 5, radius: 3.0 }.make().unwrap().to_polygons();
        let volume = MassProperties::of(&mesh.vertices, &mesh.faces).volume;
        assert!((volume / 27.0 - 4.182625).abs() < 6e-7, "{volume}");
    }

    #[test]
    fn the_next_number_of_triangles_is_taken() {
        for (triangles, refinements) in
            [(1, 0), (8, 0), (9, 1), (131_072, 7), (131_073, 8), (134_217_728, 12)]
        {
            assert_eq!(RefinedSphere::refinements_for(triangles).unwrap(), refinements);
        }
    }

    #[test]
    fn senseless_settings_are_refused_in_a_sentence() {
        for triangles in [0, 134_217_729, 1_000_000_000_000] {
            assert_eq!(
                RefinedSphere::refinements_for(triangles).unwrap_err().to_string(),
                format!(
                    "number of triangles is {triangles}; a refined sphere has from 8 to 134217728"
                )
            );
        }
        let refused = |refinements, radius| {
            RefinedSphere { refinements, radius }.make().unwrap_err().to_string()
        };
        assert_eq!(
            refused(13, 1.0),
            "number of refinements is 13; at most 12 are made, which are 134217728 triangles"
        );
        for (radius, value) in
            [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (1e308, "1e308")]
        {
            assert_eq!(
                refused(1, radius),
                format!("radius is {value}; a length must lie between 1e-30 and 1e30")
            );
        }
    }
}
