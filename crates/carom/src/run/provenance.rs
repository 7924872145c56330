//! Provenance of results: the program, its inputs and the processor.

use carom_scene::Scene;
use serde_json::{Value, json};
use std::time::Duration;

/// Circumstances of the start of a run in its folder.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Launch {
    /// Wall-clock time of initialization so far, for the summary.
    pub initialization: Duration,
    /// Number of rows of the log that are in the folder of an earlier part of the run.
    pub rows_elsewhere: u64,
}

/// What `summary.json`, `scene.toml` and the checkpoint state about the program that wrote them, and its inputs.
///
/// Threads and processor features are in the summary alone: the bytes of the other files do not depend on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Provenance {
    seed: u64,
    /// A digest of the scene and of what its files hold, by which checkpoints know their scene.
    pub(super) inputs: u64,
}

/// Start of the comment in `scene.toml`.
const COMMENT: &str = "# Run by carom ";

impl Provenance {
    pub(super) fn of<const D: usize>(scene: &Scene<D>) -> Self {
        Provenance { seed: scene.seed, inputs: scene.fingerprint() }
    }

    /// Names the program, for example `carom 0.1.0 (0123456789ab)`.
    pub fn program() -> String {
        format!("carom {}", crate::VERSION)
    }

    /// Appends a comment line that states what ran the scene, and removes an earlier one.
    pub(super) fn signed(&self, scene: &str) -> String {
        let lines = scene.split_inclusive('\n').filter(|line| !line.starts_with(COMMENT));
        let mut text: String = lines.collect();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let (program, Provenance { seed, inputs }) = (Provenance::program(), self);
        text + &format!("# Run by {program}, seed {seed}, digest of inputs {inputs:016x}.\n")
    }

    /// The digest of inputs that a scene is signed with.
    pub(super) fn inputs_of(scene: &str) -> Option<u64> {
        let comment = scene.lines().rev().find(|line| line.starts_with(COMMENT))?;
        let digest = comment.strip_suffix('.')?.rsplit(' ').next()?;
        u64::from_str_radix(digest, 16).ok()
    }

    /// The `provenance` of a summary, with a digest of the state.
    pub(super) fn json(&self, final_state: &str) -> Value {
        let mut json = Provenance::of_program(final_state);
        json["seed"] = self.seed.into();
        json["inputs"] = format!("{:016x}", self.inputs).into();
        json
    }

    /// The `provenance` of results without a scene.
    pub(super) fn of_program(final_state: &str) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "commit": crate::COMMIT,
            "target": format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            "features": features(),
            "threads": rayon::current_num_threads(),
            "final_state": final_state,
        })
    }
}

/// Features of this processor that carom or its libraries have code for.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let found = [
        ("avx", std::arch::is_x86_feature_detected!("avx")),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("fma", std::arch::is_x86_feature_detected!("fma")),
        ("bmi2", std::arch::is_x86_feature_detected!("bmi2")),
        ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
    ];
    found.into_iter().filter(|it| it.1).map(|it| it.0).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_signed_once() {
        let provenance = Provenance { seed: 7, inputs: 255 };
        let signed = provenance.signed("seed = 7 # mine");
        let program = Provenance::program();
        assert_eq!(
            signed,
            format!(
                "seed = 7 # mine\n# Run by {program}, seed 7, digest of inputs 00000000000000ff.\n"
            )
        );
        assert_eq!(provenance.signed(&signed), signed);
        assert_eq!(Provenance::inputs_of(&signed), Some(255));
        assert_eq!(Provenance::inputs_of("seed = 7"), None);
    }
}
