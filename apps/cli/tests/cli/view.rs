//! Runs shown in a browser, and written as one page.

use crate::program::{assert_ends, assert_refused, carom, command, folder, text};
use crate::scenes::PARTING;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A small run in `parting.run`.
pub fn write_run(folder: &Path) {
    fs::write(folder.join("parting.toml"), PARTING).unwrap();
    let output = carom(folder, &["run", "parting.toml"]);
    assert_ends(&output, 0);
    let report = text(&output.stderr);
    assert!(report.ends_with("see it with carom view parting.run\n"), "{report}");
}

/// The program with its first line: the address.
fn viewer(folder: &Path, arguments: &[&str]) -> (Child, String) {
    let mut command = command(folder, arguments);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut address).unwrap();
    (child, address)
}

/// Host and token of an address.
fn parted(address: &str) -> (String, String) {
    let rest = address.trim().strip_prefix("http://").unwrap();
    let (host, token) = rest.split_once("/?token=").unwrap();
    (host.to_owned(), token.to_owned())
}

#[test]
fn a_quiet_run_names_no_command_and_one_without_frames_neither() {
    let folder = folder();
    write_run(folder.path());
    let quiet = carom(folder.path(), &["run", "parting.toml", "--force", "-q"]);
    assert!(quiet.stderr.is_empty(), "{}", text(&quiet.stderr));
    let none = ["run", "parting.toml", "--force", "--set", "output.formats=[]"];
    assert!(!text(&carom(folder.path(), &none).stderr).contains("carom view"));
    let refused = "parting.run has no frames to show; its folder frames is empty: a run that has begun writes \
                   them soon; one whose scene has output.formats = [] never does, so run it again with \
                   --set output.formats='[\"vtk\"]'";
    assert_refused(folder.path(), &["view", "parting.run"], refused);
}

#[test]
fn what_is_no_run_is_refused() {
    let folder = folder();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let give = "give the folder that carom run has written, such as drum.run";
    for command in [vec!["view"], vec!["export", "--html", "page.html"]] {
        let with = |path: &'static str| [&command[..], &[path]].concat();
        let sentence = format!("empty has no frames to show; {give}");
        assert_refused(folder.path(), &with("empty"), &sentence);
        assert_refused(folder.path(), &with("lost"), &format!("lost is not there; {give}"));
    }
    assert!(!folder.path().join("page.html").exists());
}

#[test]
fn a_page_is_written_and_named() {
    let folder = folder();
    write_run(folder.path());
    let export = |more: &[&str]| {
        let arguments = [&["export", "parting.run", "--html", "page.html"], more].concat();
        carom(folder.path(), &arguments)
    };
    let output = export(&["--frames", "1..", "--every", "2", "--overlay", "delaunay"]);
    assert_ends(&output, 0);
    let report = text(&output.stderr);
    assert!(report.contains("page.html: ") && report.contains("MB"), "{report}");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("data-frame=\"0\""));
    assert!(export(&["-q", "--frames", "0"]).stderr.is_empty());
    let last = fs::read(folder.path().join("page.html")).unwrap();
    let scene = fs::read(folder.path().join("parting.run/scene.toml")).unwrap();
    for file in ["parting.run/scene.toml", "-"] {
        let sentence =
            format!("--html is \"{file}\"; it becomes a page, so give a name that ends in .html");
        assert_refused(folder.path(), &["export", "parting.run", "--html", file], &sentence);
    }
    assert_eq!(fs::read(folder.path().join("parting.run/scene.toml")).unwrap(), scene);
    let frames = fs::read_dir(folder.path().join("parting.run/frames")).unwrap();
    for frame in frames.map(|entry| entry.unwrap().path()) {
        if frame.extension().is_some_and(|it| it == "vtp") {
            fs::write(frame, "damaged").unwrap();
        }
    }
    let output = export(&[]);
    assert_ends(&output, 2);
    assert!(text(&output.stderr).contains("can be shown; the first: "), "{output:?}");
    assert_eq!(fs::read(folder.path().join("page.html")).unwrap(), last);
    for (option, value, sentence) in [
        ("--frames", "7..3", "--frames is \"7..3\"; give a range such as 10..20"),
        ("--frames", "9999", "none of the frames 9999..10000 is there; the run has"),
        ("--every", "0", "--every is 0; 1 takes every frame, 2 every second one"),
        (
            "--overlay",
            "voronio",
            "--overlay is \"voronio\"; there are delaunay and voronoi; did you mean voronoi?",
        ),
    ] {
        let output = export(&[option, value]);
        assert_ends(&output, 2);
        let report = text(&output.stderr);
        assert!(report.starts_with(&format!("error: {sentence}")), "{report}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_browser_that_does_not_open_is_not_said_to_show_anything() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    write_run(folder.path());
    let opener = folder.path().join("xdg-open");
    for (code, said) in [(3, "open the address in a browser"), (0, "shown in your browser")] {
        let kept = "/bin/cat \"$1\" > opened.html; echo \"$@\" > arguments";
        fs::write(&opener, format!("#!/bin/sh\n{kept}\nexit {code}\n")).unwrap();
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = command(folder.path(), &["view", "parting.run"]);
        command.env("DISPLAY", ":0").env("PATH", folder.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut report, mut address) = (String::new(), String::new());
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut report).unwrap();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut address).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        // Everybody on the machine sees arguments; nobody else may read the page that they name.
        let (page, arguments) = (read("opened.html"), read("arguments"));
        let mode = fs::metadata(arguments.trim()).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
        assert!(page.contains(&format!("url={}\"", address.trim())), "{page}");
        assert!(!arguments.contains(&parted(&address).1), "{arguments}");
        Command::new("/bin/kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        assert!(!Path::new(arguments.trim()).exists());
        assert!(report.contains(said), "{report}");
    }
}

#[cfg(unix)]
#[test]
fn a_viewer_serves_until_it_is_reported_to_stop_and_ends_well() {
    let folder = folder();
    write_run(folder.path());
    for signal in ["-INT", "-TERM"] {
        let (child, address) = viewer(folder.path(), &["view", "parting.run", "--no-browser"]);
        let (host, token) = parted(&address);
        assert!(host.starts_with("127.0.0.1:"), "{address}");
        let mut client = TcpStream::connect(&host).unwrap();
        write!(client, "GET /run.json?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        assert!(answer.contains("\"title\":\"parting\"") && answer.contains("\"finished\":true"));
        // One who has said nothing does not keep it from stopping.
        let _idle = TcpStream::connect(&host).unwrap();
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_ends(&output, 0);
        let report = text(&output.stderr);
        assert!(report.starts_with("parting, ") && report.ends_with("Ctrl-C stops\n"), "{report}");
        assert_eq!(report.lines().count(), 1, "{report}");
    }
}
