//! `carom generate polyhedron` and `carom check` of meshes as their users meet them.

use crate::program::{assert_ends, assert_refused, carom, folder, text};
use std::fs;
use std::path::Path;

fn done(folder: &Path, arguments: &[&str]) -> [String; 2] {
    let output = carom(folder, arguments);
    assert_ends(&output, 0);
    [text(&output.stdout), text(&output.stderr)]
}

#[test]
fn every_kind_is_made_and_found_closed_and_convex() {
    let folder = folder();
    for (kind, faces) in [
        (&["tetrahedron"][..], 4),
        (&["cube", "--radius", "2"], 6),
        (&["octahedron"], 8),
        (&["dodecahedron"], 12),
        (&["icosahedron"], 20),
        (&["sphere", "--faces", "1e3"], 1000),
        (&["random", "--faces", "300", "--seed", "7"], 300),
        (&["ellipsoid", "--faces", "300", "--axes", "1,2,3"], 300),
        (&["prism", "--sides", "7", "--height", "0.5"], 9),
        (&["box", "--size", "1,2,3"], 6),
    ] {
        for extension in ["obj", "ply", "off"] {
            let file = format!("body.{extension}");
            let command = [&["generate", "polyhedron"], kind, &["--out", &file]].concat();
            let [out, told] = done(folder.path(), &command);
            assert_eq!(out, "");
            assert!(
                told.starts_with(&format!("{} faces, ", carom::scene::grouped(faces))),
                "{told}"
            );
            assert!(told.ends_with(&format!(", written to {file}\n")), "{told}");
            let [told, _] = done(folder.path(), &["check", &file, "--json"]);
            let figures: serde_json::Value = serde_json::from_str(&told).unwrap();
            assert_eq!(figures["faces"], faces, "{kind:?}");
            assert_eq!(figures["closed"], true, "{kind:?}");
            assert_eq!(figures["convex"], true, "{kind:?}");
        }
    }
}

#[test]
fn a_box_is_described() {
    let folder = folder();
    let made = done(
        folder.path(),
        &["generate", "polyhedron", "box", "--size", "1,2,3", "--out", "box.stl"],
    );
    assert_eq!(made[1], "6 faces, 12 edges, 8 vertices, volume 6, written to box.stl\n");
    let [told, _] = done(folder.path(), &["check", "box.stl"]);
    assert_eq!(
        told,
        "box.stl is a closed, convex mesh\n  vertices        8\n  edges           18\n  \
         faces           12, all triangles\n  closed          yes\n  convex          yes\n  \
         volume          6\n  centre of mass  0, 0, 0\n  inertia         6.5, 0, 0\n                  \
         0, 5, 0\n                  0, 0, 2.5\n"
    );
}

#[test]
fn without_a_file_off_goes_to_standard_output() {
    let folder = folder();
    let cube = ["generate", "polyhedron", "cube"];
    let [out, told] = done(folder.path(), &cube);
    assert!(out.starts_with("OFF\n8 6 0\n-0.577350269189"), "{out}");
    assert_eq!(told, "6 faces, 12 edges, 8 vertices, volume 1.5396\n");
    let quiet = done(folder.path(), &[&cube[..], &["--quiet", "--out", "-"]].concat());
    assert_eq!(quiet, [out, String::new()]);
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let folder = folder();
    let made = |seed: &str| {
        let options = ["generate", "polyhedron", "random", "--faces", "100", "--seed", seed];
        done(folder.path(), &options)[0].clone()
    };
    assert_eq!(made("3"), made("3"));
    assert_ne!(made("3"), made("4"));
}

#[test]
fn faults_of_meshes_are_told() {
    let folder = folder();
    let corners = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
    let faces = ["3 0 2 1", "3 0 1 3", "3 1 2 3", "3 0 3 2"];
    let check = |vertices: &str, faces: &[&str]| {
        let count = vertices.lines().count();
        let mesh = format!("OFF\n{count} {} 0\n{vertices}{}\n", faces.len(), faces.join("\n"));
        fs::write(folder.path().join("mesh.off"), mesh).unwrap();
        done(folder.path(), &["check", "mesh.off"])[0].clone()
    };
    let whole = check(corners, &faces);
    assert!(whole.starts_with("mesh.off is a closed, convex mesh\n"), "{whole}");
    let open = check(corners, &faces[..3]);
    assert!(open.starts_with("mesh.off is a mesh, but not closed\n"), "{open}");
    let part = "closed          no: 3 edges of one face only (first: vertices 0 and 2)\n";
    assert!(open.contains(part), "{open}");
    assert!(!open.contains("volume"), "{open}");
    let crowded = check(corners, &[&faces[..], &["3 0 1 2"]].concat());
    assert!(crowded.contains("no: 3 edges of more than two faces (first"), "{crowded}");
    let turned = check(corners, &[faces[0], faces[1], faces[2], "3 0 2 3"]);
    let part = "no: 3 edges whose faces do not agree which side is out (first: vertices 0 and 2)";
    assert!(turned.contains(part), "{turned}");
    let inside_out = check(corners, &["3 0 1 2", "3 0 3 1", "3 1 3 2", "3 0 2 3"]);
    assert!(inside_out.contains("yes, but inside out"), "{inside_out}");
    assert!(inside_out.contains("volume          0.166667\n"), "{inside_out}");
    let twice = check(corners, &[&faces[..], &["3 1 1 2"]].concat());
    assert!(twice.contains("no: 1 face with a vertex twice (first: face 4)"), "{twice}");
    let lonely = check(&format!("{corners}9 9 9\n"), &faces);
    assert!(lonely.contains("vertices        5, 1 of them on no face (first: 4)\n"), "{lonely}");
    let flat = check("0 0 0\n1 0 0\n0 1 0\n", &["3 0 1 2", "3 2 1 0"]);
    assert!(flat.contains("convex          no: it is flat\n  volume          0\n"), "{flat}");
    // A corner of the tetrahedron is pushed in.
    let dented = format!("{corners}0.2 0.2 0.2\n");
    let dented = check(&dented, &[faces[0], faces[1], faces[3], "3 1 2 4", "3 2 3 4", "3 3 1 4"]);
    let part =
        "no: it fills 0.6 of its convex hull, 3 edges bent inwards (first: vertices 1 and 4)";
    assert!(dented.contains(part), "{dented}");
}

#[test]
fn bad_meshes_are_refused_in_one_sentence() {
    let folder = folder();
    for (name, content, sentence) in [
        (
            "a.stl",
            "solid\nfacet\nouter loop\nvertex 1 2 x\n",
            ":4: z is \"x\"; a coordinate must be a number",
        ),
        (
            "a.obj",
            "v 1 2 3\nf 1 1 2\n",
            ":2: a face names vertex 2, but there are 1 vertices, numbered from 1",
        ),
        ("a.ply", "plywood\n", ":1: the file starts with \"plywood\"; a PLY file starts with ply"),
        ("a.off", "OFF\n1 1 0\n1 2\n", ":3: z is missing; a vertex has three coordinates"),
        ("b.off", "", ": the file is empty; a mesh has vertices and faces"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
        assert_refused(folder.path(), &["check", name], &format!("{name}{sentence}"));
    }
    let refused = |arguments: &[&str], sentence: &str| {
        assert_refused(folder.path(), arguments, sentence);
    };
    refused(&["check", "none.stl"], "none.stl cannot be read: there is no such file");
    refused(
        &["check", "a.stl", "--set", "seed=1"],
        "--set means nothing to a.stl, which is a mesh",
    );
}

#[test]
fn senseless_options_are_refused_and_write_nothing() {
    let folder = folder();
    let refused = |options: &[&str], sentence: &str| {
        let command = [&["generate", "polyhedron"], options, &["--out", "body.stl"]].concat();
        assert_refused(folder.path(), &command, sentence);
        assert!(!folder.path().join("body.stl").exists());
    };
    refused(
        &["kube"],
        "the kind is \"kube\"; did you mean cube? it must be one of tetrahedron, cube, octahedron, \
         dodecahedron, icosahedron, sphere, random, ellipsoid, prism, box",
    );
    refused(&["sphere"], "sphere needs --faces F");
    refused(&["prism", "--sides", "5"], "prism needs --height H");
    refused(&["ellipsoid", "--faces", "20"], "ellipsoid needs --axes A,B,C");
    refused(&["cube", "--faces", "6"], "--faces means nothing to cube, which takes --radius");
    refused(
        &["sphere", "--faces", "5"],
        "number of faces is 5; a body of triangles has an even number of them, here from 4 to 1e8",
    );
    refused(
        &["sphere", "--faces", "some"],
        "--faces is \"some\"; it must be a whole number such as 1000 or 1e6",
    );
    refused(&["box", "--size", "1,2"], "--size is \"1,2\"; it must be 3 numbers A,B,C");
    refused(&["cube", "--radius", "-1"], "radius is -1; a length must lie between 1e-30 and 1e30");
}

#[test]
fn a_name_that_is_no_mesh_and_a_folder_that_is_not_there_are_refused() {
    let folder = folder();
    let cube = ["generate", "polyhedron", "cube", "--out"];
    assert_refused(
        folder.path(),
        &[&cube[..], &["cube.step"]].concat(),
        "cube.step does not end like a mesh; .stl, .obj, .ply and .off are known",
    );
    assert_refused(
        folder.path(),
        &[&cube[..], &["none/cube.stl"]].concat(),
        "none/cube.stl cannot be written: its folder does not exist",
    );
}
