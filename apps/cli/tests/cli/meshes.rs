//! `carom generate polyhedron`, `carom generate mesh` and `carom check` of meshes as their users meet
//! them.

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
            let [out, report] = done(folder.path(), &command);
            assert_eq!(out, "");
            assert!(
                report.starts_with(&format!("{} faces, ", carom::io::group_thousands(faces))),
                "{report}"
            );
            assert!(report.ends_with(&format!(", written to {file}\n")), "{report}");
            let [report, _] = done(folder.path(), &["check", &file, "--json"]);
            let figures: serde_json::Value = serde_json::from_str(&report).unwrap();
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
    let [report, _] = done(folder.path(), &["check", "box.stl"]);
    assert_eq!(
        report,
        "box.stl is a closed, convex mesh\n  vertices        8\n  edges           18\n  \
         faces           12, all triangles\n  parts           1\n  \
         bounds          [-0.5, -1, -1.5] to [0.5, 1, 1.5]\n  closed          yes\n  \
         inside          by any rule: even-odd, nonzero or winding\n  convex          yes\n  \
         volume          6\n  center of mass  0, 0, 0\n  inertia         6.5, 0, 0\n                  \
         0, 5, 0\n                  0, 0, 2.5\n"
    );
}

#[test]
fn without_a_file_off_goes_to_standard_output() {
    let folder = folder();
    let cube = ["generate", "polyhedron", "cube"];
    let [out, report] = done(folder.path(), &cube);
    assert!(out.starts_with("OFF\n8 6 0\n-0.577350269189"), "{out}");
    assert_eq!(report, "6 faces, 12 edges, 8 vertices, volume 1.5396\n");
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
fn faults_of_meshes_are_reported() {
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
    let part = "no: 3 edges whose faces are not consistently oriented (first: vertices 0 and 2)";
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
fn check_calls_convex_what_distance_takes() {
    let folder = folder();
    let dodecahedron = ["generate", "polyhedron", "dodecahedron", "--out", "body.stl"];
    done(folder.path(), &dodecahedron);
    let [report, _] = done(folder.path(), &["check", "body.stl"]);
    assert!(report.contains("convex          yes\n"), "{report}");
    done(folder.path(), &["distance", "body.stl", "body.stl", "--pose-b", "3,0,0"]);
    // An angle has one notch, though its bottom and top are no convex polygons.
    let outline = ["0 0", "2 0", "2 1", "1 1", "1 2", "0 2"];
    let level = |z: u32| outline.map(|place| format!("{place} {z}\n")).concat();
    let wall = |k: usize| format!("4 {k} {} {} {}\n", (k + 1) % 6, 6 + (k + 1) % 6, 6 + k);
    let walls: String = (0..6).map(wall).collect();
    let bottom_and_top = "6 5 4 3 2 1 0\n6 6 7 8 9 10 11\n";
    let angle = format!("OFF\n12 8 0\n{}{}{bottom_and_top}{walls}", level(0), level(1));
    fs::write(folder.path().join("angle.off"), angle).unwrap();
    let [report, _] = done(folder.path(), &["check", "angle.off"]);
    assert!(report.contains(", 1 edge bent inwards (first: vertices 3 and 9)\n"), "{report}");
}

#[test]
fn what_is_too_small_or_large_for_a_hull_is_not_called_flat() {
    let folder = folder();
    for (scale, reason) in [("e-70", "less than 1e-60"), ("e70", "between -1e60 and 1e60")] {
        let corners = format!("0 0 0\n1{scale} 0 0\n0 1{scale} 0\n0 0 1{scale}\n");
        let mesh = format!("OFF\n4 4 0\n{corners}3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
        fs::write(folder.path().join("mesh.off"), mesh).unwrap();
        let [report, _] = done(folder.path(), &["check", "mesh.off"]);
        assert!(report.contains("convex          not determined: "), "{report}");
        assert!(report.contains(reason) && !report.contains("flat"), "{report}");
    }
}

#[test]
fn the_volume_of_several_parts_says_how_they_count() {
    let folder = folder();
    let tetrahedron = |x: u32| format!("{x} 0 0\n{} 0 0\n{x} 1 0\n{x} 0 1\n", x + 1);
    let faces = "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n3 4 6 5\n3 4 5 7\n3 5 6 7\n3 4 7 6\n";
    let mesh = format!("OFF\n8 8 0\n{}{}{faces}", tetrahedron(0), tetrahedron(3));
    fs::write(folder.path().join("mesh.off"), mesh).unwrap();
    let [report, _] = done(folder.path(), &["check", "mesh.off"]);
    let part = "volume          0.333333 (overlaps of parts count twice, and an inside-out part counts as a \
                hole)\n";
    assert!(report.contains(part), "{report}");
}

#[test]
fn rules_for_an_inside_are_reported_with_faces_that_are_none() {
    let folder = folder();
    let corners = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n0.5 0 0\n2 0 0\n3 0 0\n2 1 0\n2 0 1\n";
    let faces = ["3 0 2 1", "3 0 1 3", "3 1 2 3", "3 0 3 2"];
    let check = |faces: &[&str]| {
        let mesh = format!("OFF\n9 {} 0\n{corners}{}\n", faces.len(), faces.join("\n"));
        fs::write(folder.path().join("mesh.off"), mesh).unwrap();
        let [json, _] = done(folder.path(), &["check", "mesh.off", "--json"]);
        let [report, _] = done(folder.path(), &["check", "mesh.off"]);
        (serde_json::from_str::<serde_json::Value>(&json).unwrap(), report)
    };
    let expect = |faces: &[&str], rules: &[&str], line: &str| {
        let (figures, report) = check(faces);
        assert_eq!(figures["inside_rules"], serde_json::json!(rules), "{report}");
        assert!(report.contains(line), "{report}");
        figures
    };
    let all = ["even-odd", "nonzero", "winding"];
    expect(&faces, &all, "  inside          by any rule: even-odd, nonzero or winding\n");
    let turned = ["3 1 2 0", "3 3 1 0", "3 3 2 1", "3 2 3 0"];
    let line =
        "inside          by even-odd or nonzero; by winding nothing is, as it is inside out\n";
    expect(&turned, &all[..2], line);
    let line = "inside          by even-odd, or by winding away from faces that are turned round\n";
    expect(&[faces[0], faces[1], faces[2], turned[3]], &["even-odd", "winding"], line);
    expect(&faces[..3], &all[2..], "  inside          by winding only, as it is open\n");
    let line = "inside          by nonzero or winding, as faces are there more than once\n";
    let figures = expect(&[faces, faces].concat(), &all[1..], line);
    assert_eq!([&figures["repeated_faces"], &figures["parts"]], [4, 1]);
    let line = "faces           8, all triangles, 4 duplicates (first: 4, same as 0)\n";
    expect(&[faces, faces].concat(), &all[1..], line);
    let beside = ["3 5 7 6", "3 5 6 8", "3 6 7 8", "3 5 8 7"];
    let line = "inside          by nonzero or winding where parts overlap, by even-odd where parts";
    assert_eq!(expect(&[faces, beside].concat(), &all, line)["parts"], 2);
    // The edge from 0 to 1 is an edge from 0 to 4 and one from 4 to 1, with a triangle between them.
    let slit = ["3 0 2 4", "3 4 2 1", "3 0 1 3", faces[2], faces[3], "3 0 4 1"];
    let line = "faces           6, all triangles, 1 without area (first: 5)\n";
    assert_eq!(expect(&slit, &all, line)["faces_without_area"], 1);
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
        "--set does not apply to a.stl, which is a mesh",
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
    refused(&["cube", "--faces", "6"], "--faces does not apply to cube, which takes --radius");
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

#[test]
fn refined_spheres_and_foams_are_written_in_every_format_and_found_closed() {
    let folder = folder();
    for extension in ["stl", "obj", "ply", "off"] {
        let file = format!("mesh.{extension}");
        let figures = || {
            let [report, _] = done(folder.path(), &["check", &file, "--json"]);
            serde_json::from_str::<serde_json::Value>(&report).unwrap()
        };
        let sphere = ["generate", "mesh", "sphere", "--refinements", "4", "--out", &file];
        let report =
            format!("2,048 triangles, 1,026 vertices, closed, volume 4.1642, written to {file}\n");
        assert_eq!(done(folder.path(), &sphere), [String::new(), report]);
        assert_eq!(figures()["vertices"], 1026);
        assert_eq!(figures()["convex"], true, "{extension}");
        let foam = ["generate", "mesh", "foam", "--triangles", "5e3", "--cells", "2"];
        let [_, report] = done(folder.path(), &[&foam[..], &["--out", &file]].concat());
        let figures = figures();
        let count = figures["faces"].as_u64().unwrap();
        assert!((4500..=5500).contains(&count), "{count}");
        assert_eq!(figures["closed"], true, "{extension}");
        assert_eq!(figures["inside_out"], false, "{extension}");
        assert_eq!(figures["faces_without_area"], 0, "{extension}");
        let start = format!("{} triangles, ", carom::io::group_thousands(count));
        assert!(report.starts_with(&start) && report.contains(", closed, volume "), "{report}");
    }
}

#[test]
fn the_next_sphere_has_at_least_the_triangles_wanted_and_its_radius() {
    let folder = folder();
    let sphere = ["generate", "mesh", "sphere", "--triangles", "129", "--radius", "0.5"];
    let [_, report] = done(folder.path(), &[&sphere[..], &["--out", "ball.off"]].concat());
    let expected = "512 triangles, 258 vertices, closed, volume 0.51145, written to ball.off\n";
    assert_eq!(report, expected);
}

#[test]
fn a_seed_is_a_foam_whatever_the_threads() {
    let folder = folder();
    let made = |seed: &str, threads: &str| {
        let foam = ["generate", "mesh", "foam", "--triangles", "4000", "--cells", "2"];
        let rest = ["--seed", seed, "--threads", threads, "--quiet", "--out", "foam.ply"];
        assert_eq!(done(folder.path(), &[&foam[..], &rest].concat())[1], "");
        fs::read(folder.path().join("foam.ply")).unwrap()
    };
    let first = made("1", "1");
    assert!(first == made("1", "2"));
    assert!(first != made("2", "1"));
}

#[test]
fn senseless_surfaces_are_refused_and_leave_what_is_there() {
    let folder = folder();
    fs::write(folder.path().join("mesh.stl"), "kept").unwrap();
    let refused = |options: &[&str], sentence: &str| {
        let command = [&["generate", "mesh"], options, &["--out", "mesh.stl"]].concat();
        assert_refused(folder.path(), &command, sentence);
        assert_eq!(fs::read(folder.path().join("mesh.stl")).unwrap(), b"kept");
    };
    refused(
        &["spere"],
        "the kind is \"spere\"; did you mean sphere? it must be one of sphere, foam",
    );
    let sentence = "sphere needs either --refinements K or --triangles N";
    refused(&["sphere"], sentence);
    refused(&["sphere", "--refinements", "2", "--triangles", "100"], sentence);
    refused(&["foam"], "foam needs --triangles N");
    refused(
        &["foam", "--triangles", "1e5", "--radius", "2"],
        "--radius does not apply to foam, which takes --triangles, --cells, --seed",
    );
    for count in ["0", "1000000000000"] {
        refused(
            &["sphere", "--triangles", count],
            &format!("number of triangles is {count}; a refined sphere has from 8 to 134217728"),
        );
        let rule = "a foam has from 500 times the cube of its number of cells to 1e8";
        refused(
            &["foam", "--triangles", count],
            &format!("number of triangles is {count}; {rule}"),
        );
    }
    refused(
        &["foam", "--triangles", "1e12"],
        "number of triangles is 1000000000000; a foam has from 500 times the cube of its number of \
         cells to 1e8",
    );
    let rule = "it must be a whole number such as 1000 or 1e6";
    for text in ["-5", "1.5", "1e30", "nan", "some"] {
        let sentence = format!("--triangles is {text:?}; {rule}");
        refused(&["sphere", "--triangles", text], &sentence);
        refused(&["foam", "--triangles", text], &sentence);
    }
    refused(
        &["foam", "--triangles", "1e5", "--cells", "1"],
        "number of cells is 1; a foam has from 2 to 50 along an edge",
    );
    refused(
        &["sphere", "--refinements", "13"],
        "number of refinements is 13; at most 12 are made, which are 134217728 triangles",
    );
    for (radius, value) in [("-1", "-1"), ("nan", "NaN"), ("0", "0"), ("1e31", "1e31")] {
        refused(
            &["sphere", "--refinements", "1", "--radius", radius],
            &format!("radius is {value}; a length must lie between 1e-30 and 1e30"),
        );
    }
}

#[test]
fn a_surface_needs_a_file_that_is_named_like_a_mesh() {
    let folder = folder();
    let sphere = ["generate", "mesh", "sphere", "--refinements", "1"];
    let sentence = "a mesh needs --out FILE; .stl, .obj, .ply and .off are known";
    assert_refused(folder.path(), &sphere, sentence);
    fs::write(folder.path().join("mesh.step"), "kept").unwrap();
    for name in ["mesh.step", "-"] {
        assert_refused(
            folder.path(),
            &[&sphere[..], &["--out", name]].concat(),
            &format!("{name} does not end like a mesh; .stl, .obj, .ply and .off are known"),
        );
    }
    assert_eq!(fs::read(folder.path().join("mesh.step")).unwrap(), b"kept");
    assert_refused(
        folder.path(),
        &[&sphere[..], &["--out", "none/mesh.stl"]].concat(),
        "none/mesh.stl cannot be written: its folder does not exist",
    );
    let [help, _] = done(folder.path(), &["generate", "--help"]);
    assert!(help.contains("mesh        Closed surfaces of many triangles"), "{help}");
}
