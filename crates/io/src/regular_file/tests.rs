use super::*;
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Returns the result if it comes within seconds, or panics: opening a pipe may wait for ever.
fn promptly<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(Duration::from_secs(20)).expect("it does not wait")
}

fn message(folder: &Path, name: &str) -> String {
    let (folder, name) = (folder.to_owned(), name.to_owned());
    promptly(move || open_results_file(&folder, name).unwrap_err().to_string())
}

#[test]
fn files_and_folders_within_are_read() {
    let run = tempfile::tempdir().unwrap();
    fs::create_dir(run.path().join("frames")).unwrap();
    fs::write(run.path().join("frames/frame_000000.xyz"), "1\n").unwrap();
    let bytes = read_results_file(run.path(), "frames/frame_000000.xyz", 100).unwrap();
    assert_eq!(bytes, b"1\n");
    assert_eq!(read_results_file(run.path(), "frames/frame_000000.xyz", 1).unwrap(), b"1");
    let missing = read_results_file(run.path(), "none", 1).unwrap_err().to_string();
    assert!(missing.ends_with("none cannot be read: there is no such file"), "{missing}");
    assert!(is_results_file(run.path(), "frames/frame_000000.xyz").unwrap());
    assert!(!is_results_file(run.path(), "frames/frame_000001.xyz").unwrap());
    assert!(!is_results_file(run.path(), "none/frame_000001.xyz").unwrap());
    let folder = read_results_file(run.path(), "frames", 1).unwrap_err().to_string();
    assert!(folder.ends_with("frames cannot be read: it is a folder"), "{folder}");
}

#[test]
fn paths_that_lead_out_are_refused() {
    let whole = tempfile::tempdir().unwrap();
    let run = whole.path().join("a.run");
    fs::create_dir(&run).unwrap();
    fs::write(whole.path().join("secret"), "secret").unwrap();
    assert_eq!(message(&run, "../secret"), "it lies outside of the results folder");
    let absolute = whole.path().join("secret");
    assert_eq!(message(&run, absolute.to_str().unwrap()), "it lies outside of the results folder");
    // A folder whose name begins alike is another.
    fs::create_dir(whole.path().join("a.run2")).unwrap();
    fs::write(whole.path().join("a.run2/log.csv"), "time\n").unwrap();
    assert_eq!(message(&run, "../a.run2/log.csv"), "it lies outside of the results folder");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused_and_others_are_not() {
    use std::os::unix::fs::symlink;
    const OUT: &str = "it is a symbolic link that leads out of the results folder";
    let whole = tempfile::tempdir().unwrap();
    let (run, elsewhere) = (whole.path().join("a.run"), whole.path().join("elsewhere"));
    fs::create_dir(&run).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("frame_000000.xyz"), "secret").unwrap();
    fs::write(run.join("scene.toml"), "seed = 1").unwrap();
    symlink(elsewhere.join("frame_000000.xyz"), run.join("log.csv")).unwrap();
    symlink(&elsewhere, run.join("frames")).unwrap();
    symlink("nowhere", run.join("dangling")).unwrap();
    symlink("itself", run.join("itself")).unwrap();
    symlink("scene.toml", run.join("within")).unwrap();
    symlink(&run, whole.path().join("name")).unwrap();
    for name in ["log.csv", "frames", "dangling", "itself"] {
        assert_eq!(message(&run, name), OUT, "{name}");
        assert!(is_results_file(&run, name).is_err(), "{name}");
    }
    let through = message(&run, "frames/frame_000000.xyz");
    assert_eq!(through, "it lies outside of the results folder");
    assert!(results_path(&run, "frames").is_err());
    assert_eq!(read_results_file(&run, "within", 100).unwrap(), b"seed = 1");
    let by_link = read_results_file(&whole.path().join("name"), "scene.toml", 100);
    assert_eq!(by_link.unwrap(), b"seed = 1");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let run = tempfile::tempdir().unwrap();
    let pipe = run.path().join("checkpoint.bin");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(message(run.path(), "checkpoint.bin"), "it is not a regular file");
    // A pipe that took the place of a regular file between two checks is not waited for either.
    let opened = promptly({
        let pipe = pipe.clone();
        move || without_waiting(OpenOptions::new().read(true)).open(pipe).is_ok()
    });
    assert!(opened);
    for device in ["/dev/zero", "/dev/null", "/dev/tty"] {
        let refusal = promptly(move || open_regular_file(Path::new(device)).unwrap_err());
        assert_eq!(refusal.to_string(), "it is not a regular file", "{device}");
    }
}
