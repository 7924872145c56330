//! What is written is read to the bit, and what no engine can use is refused.

use crate::{
    BoundaryCondition, Material, MeshSurface, Region, Restitution, Shape, SpringFailureCriterion,
    Springs, Wall, WallMotion, WallSurface,
};
use carom_geometry::mesh::{TriangleMesh, octahedron_sphere};
use carom_geometry::random::SplitMix64;
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::{Pose, Sphere, Vector, math};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Asserts that it is read as it was, and refused with each change of its text.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    value: &T,
    wrong: &[(&str, &str, &str)],
) {
    let text = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(&read, value, "{text}");
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    for (from, to, says) in wrong {
        assert!(text.contains(from), "{from} is not in {text}");
        let changed = text.replacen(from, to, 1);
        let error = serde_json::from_str::<T>(&changed).unwrap_err().to_string();
        assert!(error.contains(says), "{changed}: {error}");
    }
}

#[test]
fn a_restitution_is_read_as_it_was_written() {
    round_trip(&Restitution::Constant(0.1 + 0.2), &[("0.3", "1.3", "from 0 to 1")]);
    let law = Restitution::Speed { at_rest: 0.95, at_speed: 0.7, speed: 3.0, exponent: 0.2 };
    round_trip(&law, &[("3.0", "-3.0", "greater than zero"), ("0.7", "7", "from 0 to 1")]);
}

#[test]
fn a_material_is_read_as_it_was_written() {
    round_trip(&Material::default(), &[("\"name\"", "\"title\"", "unknown field")]);
    let material = Material {
        name: "steel".to_owned(),
        restitution: Restitution::Speed { at_rest: 1.0, at_speed: 0.8, speed: 2.0, exponent: 0.2 },
        damping: Some(0.125),
        stiffness: Some(1e5),
        friction: 0.3,
        poissons_ratio: Some(0.29),
        springs: Springs {
            stiffness: Some(4e3),
            compression_ratio: 2.5,
            failure_criterion: Some(SpringFailureCriterion::Force(12.5)),
            ..Springs::default()
        },
        ..Material::elastic(2e11, 7800.0)
    };
    round_trip(
        &material,
        &[
            ("7800.0", "-7800.0", "density is -7800"),
            ("0.29", "0.6", "Poisson's ratio is 0.6"),
            ("\"friction\":0.3", "\"friction\":-0.3", "friction is -0.3"),
            ("12.5", "0", "failure criterion of springs is 0"),
            ("2.5", "0", "compression ratio of springs is 0"),
            ("0.8", "1.8", "from 0 to 1"),
        ],
    );
    // What is left out is that of the default.
    let short: Material = serde_json::from_str(r#"{ "name": "ice", "friction": 0.05 }"#).unwrap();
    assert_eq!(short, Material { name: "ice".into(), friction: 0.05, ..Material::default() });
}

#[test]
fn a_box_is_read_as_it_was_written() {
    let boundary_conditions = [
        BoundaryCondition::Periodic,
        BoundaryCondition::Wall { restitution: Some(0.5) },
        BoundaryCondition::Open,
    ];
    let region = Region { size: [0.1 + 0.2, 20.0, 30.0].into(), boundary_conditions };
    round_trip(
        &region,
        &[
            ("20.0", "0", "edge length of the box is 0"),
            ("0.5", "1.5", "from 0 to 1"),
            ("20.0,30.0", "20.0", "3 values are expected and 2 are there"),
            ("\"open\"", "\"ajar\"", "unknown variant"),
        ],
    );
    round_trip(&Region::<2>::walled([3.0, 4.0]), &[("3.0", "null", "f64")]);
}

#[test]
fn walls_are_read_as_they_were_written() {
    let corners = [[-9., -9., 0.5], [9., -9., 0.], [0., 9., 0.]].map(Vector::from).to_vec();
    let mesh = TriangleMesh::new(corners, vec![[0, 1, 2]]).unwrap();
    let moving = WallMotion {
        velocity: [0.1, 0.2, 0.3].into(),
        angular_velocity: [0.0, 0.0, 1.5].into(),
        since: 2.0,
        initial: Pose {
            position: [1.0, 2.0, 3.0].into(),
            rotation: *math::rotation_from_scaled_axis(&[0.3, -0.2, 0.1].into())
                .to_rotation_matrix()
                .matrix(),
        },
        ..WallMotion::none()
    };
    let axis = Vector::from([3.0, 0.0, 4.0]) / 5.0;
    let cylinder = WallSurface::Cylinder { point: [1.0, 1.0, 7.0].into(), axis, radius: 2.25 };
    let walls = [
        Wall { name: Some("floor".to_owned()), ..Wall::plane([0.0, 0.0, 1.0], 0.25) },
        Wall { motion: moving, material: Some(3), ..Wall::at_rest(cylinder) },
    ];
    round_trip(&walls[0], &[("[0.0,0.0,1.0]", "[0.0,0.0,2.0]", "must be a unit vector")]);
    round_trip(&walls[1], &[("[0.6,0.0,0.8]", "[0.6,0.8]", "3 values")]);
    round_trip(&walls[1], &[("\"position\":[1.0,2.0,3.0]", "\"position\":[1.0]", "3 values")]);
    let mesh = Wall::at_rest(WallSurface::Mesh(MeshSurface::new(mesh).into()));
    round_trip(&mesh, &[("[[0,1,2]]", "[[0,1,3]]", "")]);
}

#[test]
fn shapes_are_read_as_they_were_written() {
    let random = &mut SplitMix64::new(11);
    for _ in 0..20 {
        let point = |_| Vector::<3>::from_fn(|_, _| random.normal());
        let hull = ConvexPolyhedron::hull(&(0..24).map(point).collect::<Vec<_>>()).unwrap();
        let name = "stone".to_owned();
        let shape = Shape { name, ..Shape::convex(&hull, Some(0.01)).unwrap() };
        round_trip(&shape, &[("\"volume\":", "\"volume\":1", "not those of its surface")]);
    }
    let corners = [[0., 0.], [2., 0.], [2., 1.], [0.5, 1.7]].map(Vector::from);
    let polygon = Shape::polygon(&corners, Some(0.1)).unwrap();
    round_trip(
        &polygon,
        &[
            ("\"radius\":", "\"radius\":1", "not those of its surface"),
            ("\"rounding\":0.1", "\"rounding\":-0.1", "greater than zero"),
        ],
    );
    round_trip(&Shape::mesh(&octahedron_sphere(1)).unwrap(), &[("[0,", "[99,", "")]);
    let spheres = [-1.0, 0.5].map(|x| Sphere::new([x, 0.0, 0.25], 1.0));
    round_trip(&Shape::clump(&spheres).unwrap(), &[("\"radius\":1.0", "\"radius\":0.0", "clump")]);
    let discs = [-1.0, 0.5].map(|x| Sphere::new([x, 0.25], 1.0));
    round_trip(&Shape::planar_clump(&discs).unwrap(), &[("\"radius\":1.0", "\"radius\":0.0", "")]);
}
