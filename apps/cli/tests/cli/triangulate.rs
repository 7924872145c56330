//! `carom triangulate` as its users meet it.

use crate::program::{assert_ends, assert_refused, carom, folder, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = carom(folder, arguments);
    assert_ends(&output, 0);
    text(&output.stdout)
}

/// The arrays of a VTU by their names, all as numbers.
struct VtuArrays {
    points: usize,
    cells: usize,
    arrays: BTreeMap<String, Vec<f64>>,
}

impl VtuArrays {
    fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let mark = b"<AppendedData encoding=\"raw\">\n_";
        let start = bytes.windows(mark.len()).position(|part| part == mark).unwrap() + mark.len();
        let head = std::str::from_utf8(&bytes[..start]).unwrap();
        assert!(head.contains("<VTKFile type=\"UnstructuredGrid\""));
        let mut grid = VtuArrays {
            points: attribute(head, "NumberOfPoints").parse().unwrap(),
            cells: attribute(head, "NumberOfCells").parse().unwrap(),
            arrays: BTreeMap::new(),
        };
        let mut end = start;
        for entry in head.split("<DataArray ").skip(1) {
            let at = start + attribute(entry, "offset").parse::<usize>().unwrap();
            assert_eq!(at, end, "arrays lie one behind the other");
            let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
            end = at + 8 + length;
            let raw = &bytes[at + 8..end];
            let eight = || raw.chunks_exact(8).map(|part| <[u8; 8]>::try_from(part).unwrap());
            let values = match attribute(entry, "type") {
                "Float64" => eight().map(f64::from_le_bytes).collect(),
                "Int64" => eight().map(|part| i64::from_le_bytes(part) as f64).collect(),
                "UInt8" => raw.iter().map(|&byte| f64::from(byte)).collect(),
                other => panic!("type {other}"),
            };
            grid.arrays.insert(attribute(entry, "Name").to_owned(), values);
        }
        assert_eq!(&bytes[end..], b"\n</AppendedData>\n</VTKFile>\n");
        grid
    }

    fn array(&self, name: &str) -> &[f64] {
        &self.arrays[name]
    }

    fn place(&self, point: f64) -> [f64; 3] {
        let first = 3 * point as usize;
        self.array("position")[first..first + 3].try_into().unwrap()
    }

    /// Area or volume of all cells, each of which must be positively oriented.
    fn volume(&self, corners: usize) -> f64 {
        let volume = |cell: &[f64]| {
            let origin = self.place(cell[0]);
            let step = |k: usize| -> [f64; 3] {
                let place = self.place(cell[k]);
                std::array::from_fn(|axis| place[axis] - origin[axis])
            };
            let (a, b) = (step(1), step(2));
            let c = if corners == 4 { step(3) } else { [0.0, 0.0, 3.0] };
            let cross =
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
            let volume = (0..3).map(|axis| cross[axis] * c[axis]).sum::<f64>() / 6.0;
            assert!(volume > 0.0, "{cell:?}");
            volume
        };
        self.array("connectivity").chunks_exact(corners).map(volume).sum()
    }
}

fn attribute<'a>(text: &'a str, name: &str) -> &'a str {
    text.split_once(&format!("{name}=\"")).unwrap().1.split('"').next().unwrap()
}

const FIVE_DISCS: &str = "x,y,r\n0,0,1\n4,0,1\n4,4,1\n0,4,1\n1,2,0.5\n";

#[test]
fn five_discs_make_four_triangles() {
    let folder = folder();
    fs::write(folder.path().join("discs.csv"), FIVE_DISCS).unwrap();
    let report = done(
        folder.path(),
        &["triangulate", "discs.csv", "--out", "grid.vtu", "--cells", "cells.csv", "--check"],
    );
    assert!(report.starts_with("4 triangles among 5 discs, made in "), "{report}");
    assert!(report.contains("8, 3.200 neighbors of a disc in the mean"), "{report}");
    assert!(report.contains("hidden        none"), "{report}");
    let grid = VtuArrays::read(&folder.path().join("grid.vtu"));
    assert_eq!((grid.points, grid.cells), (5, 4));
    assert_eq!(grid.array("radius"), [1.0, 1.0, 1.0, 1.0, 0.5]);
    assert_eq!(grid.array("id"), [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!((grid.array("hidden"), grid.array("image")), (&[0.0; 5][..], &[0.0; 5][..]));
    assert_eq!(grid.array("offsets"), [3.0, 6.0, 9.0, 12.0]);
    assert_eq!(grid.array("types"), [5.0; 4]);
    assert!((grid.volume(3) - 16.0).abs() < 1e-12);
    let cells = fs::read_to_string(folder.path().join("cells.csv")).unwrap();
    let rows: Vec<&str> = cells.lines().collect();
    assert_eq!(rows[0], "id,neighbors,area");
    assert_eq!(rows[1], "0,3,", "the cell of a corner has no bound");
    assert!(rows[5].starts_with("4,4,"), "{}", rows[5]);
    assert!(rows[5].len() > 5, "{}", rows[5]);
}

#[test]
fn a_hidden_sphere_is_reported_and_is_no_error() {
    let folder = folder();
    let spheres = "x,y,z,r\n0,0,0,2\n9,0,0,2\n0,9,0,2\n0,0,9,2\n0.1,0.1,0.1,0.1\n";
    fs::write(folder.path().join("spheres.csv"), spheres).unwrap();
    let report = done(
        folder.path(),
        &["triangulate", "spheres.csv", "--out", "grid.vtu", "--cells", "cells.csv"],
    );
    assert!(report.starts_with("1 tetrahedron among 5 spheres"), "{report}");
    assert!(
        report.contains("hidden        1 sphere, deep within others and without a cell: 4\n"),
        "{report}"
    );
    let json = done(folder.path(), &["triangulate", "spheres.csv", "--json", "--quiet"]);
    for part in ["\"hidden\":[4]", "\"simplices\":1", "\"edges\":6", "\"mean_neighbors\":3.0"] {
        assert!(json.contains(part), "{json}");
    }
    let grid = VtuArrays::read(&folder.path().join("grid.vtu"));
    assert_eq!(grid.array("hidden"), [0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(grid.array("types"), [10.0]);
    assert!((grid.volume(4) - 121.5).abs() < 1e-9);
    let cells = fs::read_to_string(folder.path().join("cells.csv")).unwrap();
    assert_eq!(cells.lines().last(), Some("4,0,0.0"));
}

#[test]
fn simplices_and_cells_fill_a_periodic_box() {
    let folder = folder();
    for (dimension, corners, size) in [("2", 3, 100.0), ("3", 4, 1000.0)] {
        let options = ["generate", "particles", "-q", "--count", "400", "--diameters", "0.2,0.5"];
        let box_option = if dimension == "2" { "10,10" } else { "10,10,10" };
        let rest = ["--dimension", dimension, "--box", box_option, "--periodic", "--out", "p.xyz"];
        done(folder.path(), &[&options[..], &rest].concat());
        done(folder.path(), &["triangulate", "p.xyz", "-q", "--out", "g.vtu", "--cells", "c.csv"]);
        let grid = VtuArrays::read(&folder.path().join("g.vtu"));
        let volume = grid.volume(corners);
        assert!((volume - size).abs() < 1e-9 * size, "{volume}");
        let images = grid.array("image").iter().filter(|&&image| image == 1.0).count();
        assert_eq!(images, grid.points - 400);
        assert!(images > 0);
        for point in 400..grid.points {
            let home = grid.place(grid.array("id")[point]);
            let image = grid.place(point as f64);
            for axis in 0..3 {
                let periods = (image[axis] - home[axis]) / 10.0;
                assert!((periods - periods.round()).abs() < 1e-12);
            }
        }
        let cells = fs::read_to_string(folder.path().join("c.csv")).unwrap();
        let sizes = cells.lines().skip(1).map(|row| row.rsplit(',').next().unwrap());
        let sum: f64 = sizes.map(|size| size.parse::<f64>().unwrap()).sum();
        assert!((sum - size).abs() < 1e-9 * size, "{sum}");
    }
}

#[test]
fn few_spheres_have_a_triangulation_too() {
    let folder = folder();
    for (file, sentence) in [
        ("x,y,r\n", "0 triangles among 0 discs"),
        ("x,y,z,r\n1,2,3,4\n", "0 tetrahedra among 1 sphere,"),
        ("x,y,r\n0,0,1\n1,1,1\n2,2,1\n", "0 triangles among 3 discs"),
    ] {
        fs::write(folder.path().join("few.csv"), file).unwrap();
        let arguments = ["triangulate", "few.csv", "--check", "--out", "f.vtu", "--cells", "f.csv"];
        let report = done(folder.path(), &arguments);
        assert!(report.starts_with(sentence), "{report}");
        assert_eq!(VtuArrays::read(&folder.path().join("f.vtu")).cells, 0);
    }
}

#[test]
fn pictures_are_drawn_of_discs_and_of_the_middle_of_spheres() {
    let folder = folder();
    let picture = |arguments: &[&str]| {
        let all = [&["triangulate"], arguments, &["--quiet", "--svg", "d.svg"]].concat();
        assert_eq!(done(folder.path(), &all), "");
        fs::read_to_string(folder.path().join("d.svg")).unwrap()
    };
    let discs = picture(&["case:2A:300"]);
    assert!(discs.starts_with("<svg") && discs.ends_with("</svg>\n"));
    assert!(discs.contains(">300 discs, "), "the caption");
    // Every disc in both panels, and none in the legend if none is hidden.
    assert_eq!(discs.matches("<circle").count() % 2, usize::from(discs.contains(">hidden<")));
    let spheres = picture(&["case:3B:3000", "--periodic", "10,10,10"]);
    assert!(spheres.contains("Laguerre diagram, at half height"));
    for document in [discs, spheres, picture(&["case:2A:1"]), picture(&["case:3A:2"])] {
        assert!(!document.contains("NaN") && !document.contains("inf"));
    }
    assert_refused(
        folder.path(),
        &["triangulate", "case:2A:20001", "--svg", "d.svg"],
        "20001 particles are too many for a picture; at most 20000 can be drawn",
    );
}

#[test]
fn bad_files_are_refused_in_one_sentence() {
    let folder = folder();
    for (name, content, sentence) in [
        ("nan.csv", "x,y,r\n1,NaN,1\n", ":2: column \"y\" is \"NaN\"; a coordinate must be finite"),
        (
            "negative.csv",
            "x,y,r\n1,2,-1\n",
            ":2: column \"r\" is \"-1\"; a radius must be finite and not negative",
        ),
        (
            "empty.csv",
            "",
            " is empty; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps",
        ),
        (
            "far.csv",
            "x,y,r\n1,2,1\n3,1e70,1\n",
            ": sphere 1 has y 1e70; to be triangulated it must be between -1e60 and 1e60",
        ),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
        assert_refused(folder.path(), &["triangulate", name], &format!("{name}{sentence}"));
    }
    assert_refused(
        folder.path(),
        &["triangulate", "nowhere.csv"],
        "nowhere.csv cannot be read: there is no such file",
    );
}

#[test]
fn bad_options_are_refused_and_files_stay_as_they_were() {
    let folder = folder();
    fs::write(folder.path().join("discs.csv"), FIVE_DISCS).unwrap();
    let refused = |options: &[&str], sentence: &str| {
        let arguments: Vec<&str> =
            ["triangulate", "discs.csv"].iter().chain(options).copied().collect();
        assert_refused(folder.path(), &arguments, sentence);
    };
    refused(
        &["--periodic", "8,8,8"],
        "--periodic is \"8,8,8\"; the particles have 2 dimensions, so it must be 2 lengths, separated \
         by commas, or \"open\" for an axis that is not periodic",
    );
    refused(
        &["--periodic", "8,3"],
        "discs.csv: sphere 0 has diameter 2.0, more than half the period 3.0 of axis y; enlarge the \
         box or make that axis open",
    );
    for option in ["--out", "--cells", "--svg"] {
        refused(&[option, "no/where"], "no/where cannot be written: its folder does not exist");
        refused(
            &[option, "./discs.csv"],
            &format!("{option} is \"./discs.csv\", what is read; name another file"),
        );
    }
    refused(&["--out", "-"], "--out is \"-\"; the triangulation needs a file, so name one");
    refused(&["--svg", "-"], "--svg is \"-\"; the picture needs a file, so name one");
    refused(&["--out", "a", "--cells", "a"], "--out and --cells are both \"a\"; name two files");
    assert_eq!(fs::read_to_string(folder.path().join("discs.csv")).unwrap(), FIVE_DISCS);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no partial file is left");
}

/// Nothing is written if one of several files cannot be.
#[test]
fn all_outputs_are_looked_at_before_the_first_is_written() {
    let folder = folder();
    fs::write(folder.path().join("p.csv"), "x,y,r\n0,0,1\n3,0,1\n0,3,1\n").unwrap();
    let arguments = ["triangulate", "p.csv", "--out", "t.vtu", "--cells", "nowhere/cells.csv"];
    assert_refused(
        folder.path(),
        &arguments,
        "nowhere/cells.csv cannot be written: its folder does not exist",
    );
    assert!(!folder.path().join("t.vtu").exists());
}
