//! Any text as a scene: no panic, errors on one line, and the text as run gives the same scene.
#![no_main]

use carom_scene::Error;
use carom_scene::scene::{Outline, Scene};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

/// More bodies would only take time.
const MOST_BODIES: u64 = 2000;

fuzz_target!(|text: &str| {
    // A scene may name any file; what is in it is another target's business.
    if text.contains("file") {
        return;
    }
    match parse(text) {
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error:?}"),
        Ok(Some(scene)) => {
            let again = Scene::parse(scene.to_toml(), "again", Path::new(""), &[]);
            assert_eq!(again.expect("what ran runs again"), scene);
        }
        Ok(None) => {}
    }
});

fn parse(text: &str) -> Result<Option<Scene>, Error> {
    let outline = Outline::parse(text, "file", Path::new(""), &[])?;
    if outline.body_count() > MOST_BODIES { Ok(None) } else { outline.expand().map(Some) }
}
