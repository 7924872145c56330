use super::*;

fn text(content: &'static str) -> impl FnOnce(&mut dyn Write) -> io::Result<()> {
    move |out| out.write_all(content.as_bytes())
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn message(folder: &Path, path: &Path) -> String {
    let error = write_atomically(path, text("new")).unwrap_err().to_string();
    error.replace(folder.to_str().unwrap(), "DIR")
}

#[test]
fn a_new_file_and_an_old_one_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    for content in ["first", "second, longer", "3"] {
        write_atomically(&path, text(content)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
    assert_eq!(names_in(folder.path()), ["out.csv"]);
}

#[test]
fn on_failure_the_old_file_stays_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    fs::write(&path, "old").unwrap();
    let error = write_atomically(&path, |out| {
        out.write_all(&[b'x'; 100_000])?;
        Err(ErrorKind::StorageFull.into())
    })
    .unwrap_err();
    assert!(error.to_string().ends_with("out.csv cannot be written: the disk is full"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names_in(folder.path()), ["out.csv"]);
}

#[test]
fn a_panic_leaves_the_old_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    fs::write(&path, "old").unwrap();
    let result = std::panic::catch_unwind(|| write_atomically(&path, |_| panic!("on purpose")));
    assert!(result.is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names_in(folder.path()), ["out.csv"]);
}

#[test]
fn a_closed_pipe_is_distinguished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let error = write_atomically(&path, |_| Err(ErrorKind::BrokenPipe.into())).unwrap_err();
    assert!(matches!(error, Error::BrokenPipe { .. }));
}

#[test]
fn paths_that_cannot_be_written_are_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name);
    fs::write(inside("file"), "").unwrap();
    assert_eq!(
        message(folder.path(), &inside("none/out.csv")),
        "DIR/none/out.csv cannot be written: its folder does not exist"
    );
    assert_eq!(message(folder.path(), folder.path()), "DIR cannot be written: it is a folder");
    assert_eq!(
        message(folder.path(), &inside("file/out.csv")),
        "DIR/file/out.csv cannot be written: a part of its path is not a folder"
    );
    assert_eq!(
        message(folder.path(), &inside(&"n".repeat(300))).split(": ").nth(1),
        Some("its name is not allowed or too long")
    );
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        write_atomically(&path, text("new")).unwrap();
        assert_eq!((mode(&path), fs::read_to_string(&path).unwrap()), (0o640, "new".to_owned()));
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        if OpenOptions::new().write(true).open(&path).is_ok() {
            return; // The superuser may write everything.
        }
        assert_eq!(
            message(folder.path(), &path),
            "DIR/out.csv cannot be written: you have no permission to do so"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn a_link_is_followed_even_to_a_file_not_yet_there() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        let link = folder.path().join("link.csv");
        symlink("deep/real.csv", &link).unwrap();
        for content in ["first", "second"] {
            write_atomically(&link, text(content)).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            let real = folder.path().join("deep/real.csv");
            assert_eq!(fs::read_to_string(real).unwrap(), content);
        }
        assert_eq!(names_in(&folder.path().join("deep")), ["real.csv"]);
    }

    #[test]
    fn links_in_a_circle_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link.csv");
        symlink("link.csv", &link).unwrap();
        assert!(write_atomically(&link, text("new")).is_err());
        assert_eq!(names_in(folder.path()), ["link.csv"]);
    }

    #[test]
    fn devices_and_pipes_are_written_straight() {
        write_atomically(Path::new("/dev/null"), text("new")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|status| status.success()) {
            return;
        }
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write_atomically(&pipe, text("through")).unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert_eq!(names_in(folder.path()), ["pipe"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_says_so() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            message(folder.path(), Path::new("/dev/full")),
            "/dev/full cannot be written: the disk is full"
        );
    }
}
