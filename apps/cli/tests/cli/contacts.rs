//! `carom contacts`: good input, bad input, files that must not be harmed.

use crate::program::{assert_refused, carom, folder, text};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn three_discs_have_two_contacts() {
    let folder = folder();
    let file = "r, y ,name,x\n1,0,\"a, b\",0\n1,0,c,1.5\n0.5,0,d,3\n";
    fs::write(folder.path().join("discs.csv"), file).unwrap();
    let output = carom(folder.path(), &["contacts", "discs.csv"]);
    assert_eq!(text(&output.stdout), "i,j,overlap\n0,1,0.5\n1,2,0.0\n");
    assert_eq!(output.status.code(), Some(0));
    let quiet = carom(folder.path(), &["contacts", "discs.csv", "--quiet", "--periodic", "4,4"]);
    assert_eq!(text(&quiet.stdout), "i,j,overlap\n0,1,0.5\n0,2,0.5\n1,2,0.0\n");
    assert!(quiet.stderr.is_empty());
}

#[test]
fn results_of_a_run_are_particles_in_every_format() {
    let folder = folder();
    let scene = "engine = 'dem'\ndimension = 2\nuntil = 0.02\nstep = 0.001\nbox.size = [4, 9]\n\
                 box.boundary = ['periodic', 'wall']\n[materials.default]\nstiffness = 100\n\
                 [output]\ninterval = 0.01\ncolumns = ['velocity']\n\
                 [[bodies]]\nposition = [0.5, 5]\nradius = 0.5\n\
                 [[bodies]]\nposition = [3.6875, 5]\nradius = 0.375\n";
    fs::write(folder.path().join("two.toml"), scene).unwrap();
    let contacts = |name: &str| {
        let output = carom(folder.path(), &["contacts", name, "--quiet"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let mut all = Vec::new();
    for format in ["vtk", "xyz", "lammps"] {
        for compression in ["false", "true"] {
            let settings = [
                format!("output.formats=[\"{format}\"]"),
                format!("output.compression={compression}"),
            ];
            let run = ["run", "two.toml", "--out", "two.run", "--force", "--quiet"];
            let set = ["--set", &settings[0], "--set", &settings[1]];
            let output = carom(folder.path(), &[&run[..], &set].concat());
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            assert_eq!(contacts("two.run@first"), "i,j,overlap\n0,1,0.0625\n");
            assert_eq!(contacts("two.run@t=0"), contacts("two.run@0"));
            assert_ne!(contacts("two.run@first"), contacts("two.run@1"));
            assert_eq!(contacts("two.run@last"), contacts("two.run"));
            let end = match (format, compression) {
                ("vtk", _) => "vtp",
                ("xyz", "false") => "xyz",
                ("xyz", _) => "xyz.gz",
                (_, "false") => "dump",
                _ => "dump.gz",
            };
            let file = format!("two.run/frames/frame_000002.{end}");
            assert_eq!(contacts(&file), contacts("two.run@2"));
            all.push(contacts("two.run"));
        }
    }
    all.dedup();
    assert_eq!(all.len(), 1);
    assert_refused(
        folder.path(),
        &["contacts", "two.run@9"],
        "two.run has no frame 9; its frames are 0 to 2",
    );
}

#[test]
fn every_method_and_any_number_of_threads_write_the_same_file() {
    let folder = folder();
    let mut first = None;
    let methods = [
        "auto",
        "all-pairs",
        "distance-sort",
        "linked-cells",
        "cell-tree",
        "sweep-and-prune",
        "incremental-sweep-and-prune",
        "hierarchical-grid",
        "delaunay",
    ];
    for method in methods {
        for threads in ["1", "3"] {
            let output = carom(
                folder.path(),
                &[
                    "contacts",
                    "case:LN:3000",
                    "-q",
                    "--method",
                    method,
                    "--threads",
                    threads,
                    "--check",
                ],
            );
            assert_eq!(output.status.code(), Some(0));
            assert!(output.stdout.len() > 10_000);
            assert_eq!(
                *first.get_or_insert_with(|| output.stdout.clone()),
                output.stdout,
                "{method} {threads}"
            );
        }
    }
}

#[test]
fn generated_particles_survive_both_formats() {
    let folder = folder();
    let options = [
        "generate",
        "particles",
        "-q",
        "--count",
        "500",
        "--diameters",
        "0.3,1",
        "--fraction",
        "0.4",
        "--periodic",
        "--out",
    ];
    let written = |name: &str| {
        let arguments: Vec<&str> = options.iter().copied().chain([name]).collect();
        assert_eq!(carom(folder.path(), &arguments).status.code(), Some(0));
        name.to_owned()
    };
    let (csv, xyz) = (written("p.csv"), written("p.xyz"));
    let comment = fs::read_to_string(folder.path().join(&xyz)).unwrap();
    let length = comment.split("Lattice=\"").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let periodic = format!("{length},{length},{length}");
    let from_csv = carom(folder.path(), &["contacts", &csv, "-q", "--periodic", &periodic]);
    let from_xyz = carom(folder.path(), &["contacts", &xyz, "-q"]);
    assert!(from_csv.stdout.len() > 1000);
    assert_eq!(from_csv.stdout, from_xyz.stdout);
}

#[test]
fn statistics_say_what_was_chosen_and_why() {
    let folder = folder();
    let output = carom(folder.path(), &["contacts", "case:3B:2000", "--stats", "--out", "c.csv"]);
    let report = text(&output.stderr);
    for part in ["hierarchical-grid: ", "pair tests", "extra memory", "search"] {
        assert!(report.contains(part), "{report}");
    }
    let output = carom(folder.path(), &["contacts", "case:3B:20", "--json", "--out", "c.csv"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["method"], "all-pairs");
    assert_eq!(json["pair_tests"], 190);
}

#[test]
fn a_picture_is_drawn() {
    let folder = folder();
    for case in ["case:2A:200", "case:3A:200"] {
        let output =
            carom(folder.path(), &["contacts", case, "-q", "--svg", "p.svg", "--out", "c.csv"]);
        assert_eq!(output.status.code(), Some(0));
        let drawing = fs::read_to_string(folder.path().join("p.svg")).unwrap();
        assert!(drawing.starts_with("<svg") && drawing.trim_end().ends_with("</svg>"));
    }
}

#[test]
fn too_many_particles_for_a_picture_are_reported_before_the_search() {
    let folder = folder();
    let arguments = ["contacts", "case:2A:30000", "--svg", "p.svg", "--out", "c.csv"];
    assert_refused(
        folder.path(),
        &arguments,
        "30000 particles are too many for a picture; at most 20000 can be drawn",
    );
    assert!(!folder.path().join("c.csv").exists());
    // Too many contacts are known only after the search, whose result stays.
    let arguments = ["contacts", "case:P3:10000", "--svg", "p.svg", "--out", "c.csv"];
    let output = carom(folder.path(), &arguments);
    let report = text(&output.stderr);
    assert!(report.contains(" contacts are too many for a picture;"), "{report}");
    assert!(folder.path().join("c.csv").exists());
    assert_refused(
        folder.path(),
        &["contacts", "case:2A:30", "--svg", "-"],
        "--svg is \"-\"; the picture needs a file, so name one",
    );
}

#[test]
fn a_dash_is_standard_output() {
    let folder = folder();
    let arguments = ["generate", "particles", "--count", "3"];
    let plain = carom(folder.path(), &arguments);
    let dash: Vec<&str> = arguments.into_iter().chain(["--out", "-"]).collect();
    assert_eq!(carom(folder.path(), &dash).stdout, plain.stdout);
    assert!(plain.stdout.starts_with(b"x,y,z,r\n"));
    assert!(!folder.path().join("-").exists());
}

#[test]
fn bad_input_is_refused_in_one_sentence() {
    let folder = folder();
    let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).unwrap();
    write("column.csv", b"x,y,name\n1,2,a\n");
    write("word.csv", b"x,y,r\n1,2,3\n1,two,3\n");
    write("nan.csv", b"x,y,r\n1,NaN,3\n");
    write("infinite.csv", b"x,y,r\ninf,1,3\n");
    write("negative.csv", b"x,y,r\n0,0,1\n0,0,-0.2\n");
    write("ragged.csv", b"x,y,r\n1,2,3\n1,2\n");
    write("empty.csv", b"");
    write("binary.csv", b"\x7fELF\x00\x01\x02");
    let refused = |name: &str, sentence: &str| {
        assert_refused(folder.path(), &["contacts", name], &format!("{name}{sentence}"));
    };
    refused(
        "column.csv",
        ":1: no column \"r\" (found \"x\", \"y\", \"name\"); the header must name x, y and r, or x, y, \
         z and r, separated by commas, semicolons, tabs or blanks",
    );
    refused("word.csv", ":3: column \"y\" is \"two\"; a coordinate must be a number");
    refused("nan.csv", ":2: column \"y\" is \"NaN\"; a coordinate must be finite");
    refused("infinite.csv", ":2: column \"x\" is \"inf\"; a coordinate must be finite");
    refused(
        "negative.csv",
        ":3: column \"r\" is \"-0.2\"; a radius must be finite and not negative",
    );
    refused("ragged.csv", ":3: 2 fields where 3 are expected; every row must have one per column");
    refused(
        "empty.csv",
        " is empty; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps",
    );
    refused(
        "binary.csv",
        ":1: this does not look like text; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps",
    );
    refused("nowhere.csv", " cannot be read: there is no such file");
}

#[test]
fn bad_options_are_refused_in_one_sentence() {
    let folder = folder();
    let refused = |options: &[&str], sentence: &str| {
        let arguments: Vec<&str> =
            ["contacts", "case:2A:100"].iter().chain(options).copied().collect();
        assert_refused(folder.path(), &arguments, sentence);
    };
    refused(
        &["--method", "linkedcells"],
        "--method is \"linkedcells\"; did you mean linked-cells? it must be one of auto, all-pairs, \
         distance-sort, linked-cells, cell-tree, sweep-and-prune, incremental-sweep-and-prune, \
         hierarchical-grid, delaunay",
    );
    refused(
        &["--cells-mean", "5", "--method", "cell-tree"],
        "--cells-mean belongs to linked-cells; --method is cell-tree",
    );
    refused(
        &["--cells-mean", "5", "--origin", "corner"],
        "--cells-mean belongs to linked-cells and --origin to distance-sort; give one",
    );
    refused(
        &["--cells-mean", "-1"],
        "the mean number of spheres per cell is -1.0; it must be between 1e-6 and 1e12",
    );
    refused(
        &["--periodic", "1,0"],
        "--periodic is \"1,0\": the period of axis y is 0.0; it must be between 1e-100 and 1e100",
    );
    refused(
        &["--periodic", "1,2,3"],
        "--periodic is \"1,2,3\"; the particles have 2 dimensions, so it must be 2 lengths, separated \
         by commas, or \"open\" for an axis that is not periodic",
    );
    refused(
        &["--periodic", "0.1,1"],
        "case:2A:100: sphere 0 has diameter 0.05665398343307137, more than half the period 0.1 of \
         axis x; enlarge the box or make that axis open",
    );
    refused(&["--threads", "0"], "--threads is 0; it must be between 1 and 4096");
    refused(
        &["--out", "no/where.csv"],
        "no/where.csv cannot be written: its folder does not exist",
    );
    assert_refused(
        folder.path(),
        &["contacts", "case:3X"],
        "the case is \"3X\"; it must be one of 2A, 2B, 2C, 3A, 3B, 3C, P2, P3, LN, BIG",
    );
}

#[test]
fn an_existing_file_stays_as_it_was_when_the_input_is_bad() {
    let folder = folder();
    fs::write(folder.path().join("contacts.csv"), "precious").unwrap();
    fs::write(folder.path().join("bad.csv"), "x,y,r\n1,2,oops\n").unwrap();
    let output = carom(folder.path(), &["contacts", "bad.csv", "--out", "contacts.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("contacts.csv")).unwrap(), "precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no partial file is left");
}

#[test]
fn a_reader_that_stops_early_is_no_failure() {
    let folder = folder();
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    let mut child = command
        .args(["generate", "particles", "--count", "100000"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn without_arguments_it_explains_itself() {
    let output = carom(folder().path(), &[]);
    assert!(text(&output.stdout).contains("carom contacts case:3B:1e6 --stats"));
    assert_eq!(output.status.code(), Some(0));
    for command in [
        "run",
        "check",
        "schema",
        "contacts",
        "triangulate",
        "generate",
        "reproduce",
        "completions",
        "man",
    ] {
        let help = carom(folder().path(), &[command, "--help"]);
        assert_eq!(help.status.code(), Some(0), "{command}");
    }
}

#[test]
fn completions_and_the_manual_are_printed() {
    let folder = folder();
    let completions = carom(folder.path(), &["completions", "bash"]);
    assert!(text(&completions.stdout).contains("--cells-mean"));
    assert!(text(&carom(folder.path(), &["man"]).stdout).contains(".TH carom"));
}

#[test]
fn the_input_is_never_overwritten() {
    let folder = folder();
    fs::write(folder.path().join("in.csv"), "x,y,r\n0,0,1\n").unwrap();
    for option in ["--out", "--svg"] {
        let sentence = format!("{option} is \"./in.csv\", what is read; name another file");
        assert_refused(folder.path(), &["contacts", "in.csv", option, "./in.csv"], &sentence);
    }
    assert_refused(
        folder.path(),
        &["contacts", "in.csv", "--out", "a", "--svg", "a"],
        "--out and --svg are both \"a\"; name two files",
    );
    assert_eq!(fs::read_to_string(folder.path().join("in.csv")).unwrap(), "x,y,r\n0,0,1\n");
}

#[test]
fn a_generated_crystal_touches_all_its_neighbors() {
    let folder = folder();
    let made = carom(
        folder.path(),
        &["generate", "particles", "--lattice", "fcc", "--count", "4000", "--out", "c.xyz"],
    );
    assert_eq!(made.status.code(), Some(0));
    let output = carom(folder.path(), &["contacts", "c.xyz", "-q"]);
    assert_eq!(text(&output.stdout).lines().count() - 1, 21_660);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_partial_file() {
    let folder = folder();
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(["generate", "particles", "--count", "3e6", "--out", "p.csv"]);
    let mut child = command.current_dir(folder.path()).stderr(Stdio::null()).spawn().unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    while files() == 0 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let stopped = Command::new("kill").arg(child.id().to_string()).status().unwrap().success();
    let status = child.wait().unwrap();
    if stopped && !status.success() {
        assert_eq!(status.code(), Some(3));
        assert_eq!(files(), 0);
    }
}
