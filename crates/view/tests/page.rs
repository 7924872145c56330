//! The page's arithmetic, tested by node where there is one; users and builds never need it.

use std::process::Command;

/// Node knows modules by their text from this version on.
const FIRST_VERSION: u32 = 20;

fn node_version() -> Option<u32> {
    let said = Command::new("node").arg("--version").output().ok()?;
    let text = String::from_utf8(said.stdout).ok()?;
    text.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[test]
fn the_pages_arithmetic_holds() {
    if node_version().is_none_or(|version| version < FIRST_VERSION) {
        eprintln!("the page's arithmetic is not tested: that needs node {FIRST_VERSION} or later");
        return;
    }
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page");
    let mut command = Command::new("node");
    command.args(["--test", "--experimental-default-type=module", tests]);
    let ran = command.output().expect("node was there a moment ago");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{told}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(!told.contains("# pass 0"), "{told}");
}
