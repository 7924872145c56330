//! Runs the tests of the page's arithmetic with node, if it is installed; users and builds never need it.

use std::process::Command;

/// Major and minor version of node, if it is installed.
fn node_version() -> Option<(u32, u32)> {
    let said = Command::new("node").arg("--version").output().ok()?;
    let text = String::from_utf8(said.stdout).ok()?;
    let mut numbers = text.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Whether node detects ES modules by their syntax, whatever the file name.
fn knows_modules((major, minor): (u32, u32)) -> bool {
    (major == 20 && minor >= 19) || (major, minor) >= (22, 7)
}

#[test]
fn the_pages_arithmetic_holds() {
    if !node_version().is_some_and(knows_modules) {
        eprintln!("the page's arithmetic is not tested: that needs node 20.19 or 22.7, or later");
        return;
    }
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page");
    let ran = Command::new("node").args(["--test", tests]).output().expect("node was there before");
    let output = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{output}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(!output.contains("# pass 0\n"), "{output}");
}
