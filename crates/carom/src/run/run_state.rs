//! What a folder holds of the run of a scene.

use super::run_folder::{CHECKPOINT, LONGEST_SCENE, PREVIOUS};
use super::{Error, Provenance, RunFolder, run_loop};
use carom_io::{Checkpoint, FrameSeries, is_results_file, read_results_file};
use carom_scene::Scene;

/// State of a folder with regard to the run of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// No results.
    Absent,
    /// A run that was killed before its first checkpoint; there is nothing to lose.
    Begun,
    /// A run with a checkpoint that has not come to the end of the scene.
    Cut,
    /// A run that has come to the end of the scene.
    Finished,
    /// Results of another scene, or files that are not those of a run.
    Foreign {
        /// Difference of the scenes, if that is known.
        difference: Option<String>,
    },
}

/// Longest `summary.json` that is read, in bytes.
const LONGEST_SUMMARY: u64 = 1 << 30;

impl RunFolder {
    /// Returns what the folder holds of the run of a scene, which may lack its generated bodies.
    ///
    /// A finished run whose scene has another end now counts as cut: it can be continued to there.
    pub fn state_of<const D: usize>(&self, scene: &Scene<D>) -> Result<RunState, Error> {
        self.check_folder()?;
        let fingerprint = scene.fingerprint();
        let text = || self.scene_text();
        let foreign =
            || RunState::Foreign { difference: text().and_then(|text| scene.difference(&text)) };
        if let Some(summary) = self.summary()? {
            if summary["provenance"]["inputs"] != format!("{fingerprint:016x}") {
                return Ok(foreign());
            }
            let ends_here = text().is_some_and(|text| scene.ends_and_logs_as(&text));
            if summary["finished"] == true && ends_here {
                return Ok(RunState::Finished);
            }
        }
        let names = [CHECKPOINT, PREVIOUS].into_iter().filter(|name| self.file(name).exists());
        let mut checkpoints = names.map(|name| Checkpoint::read(&self.file(name)).ok()).peekable();
        if checkpoints.peek().is_none() {
            return Ok(match () {
                () if self.is_begun(fingerprint, text())? => RunState::Begun,
                () if self.holds_results() => foreign(),
                () => RunState::Absent,
            });
        }
        // One that is damaged says so when the run is continued.
        match checkpoints.flatten().next() {
            Some(found) if found.scene_digest != fingerprint => Ok(foreign()),
            _ => Ok(RunState::Cut),
        }
    }

    /// Whether the folder has no more than a run of the scene has written before its first checkpoint.
    pub(super) fn is_begun_by<const D: usize>(&self, scene: &Scene<D>) -> Result<bool, Error> {
        let has_checkpoint = [CHECKPOINT, PREVIOUS].iter().any(|name| self.file(name).exists());
        if has_checkpoint || FrameSeries::exists_in(self.path()) {
            return Ok(false);
        }
        match self.scene_text() {
            Some(text) => self.is_begun(scene.fingerprint(), Some(text)),
            None => Ok(false),
        }
    }

    /// Returns `scene.toml`, if it can be read.
    pub(crate) fn scene_text(&self) -> Option<String> {
        let text = read_results_file(self.path(), "scene.toml", LONGEST_SCENE).ok()?;
        String::from_utf8(text).ok()
    }

    /// Returns an error if the run has come beyond the end of a scene, according to its summary.
    pub(crate) fn check_end<const D: usize>(&self, scene: &Scene<D>) -> Result<(), Error> {
        let Some(summary) = self.summary()? else { return Ok(()) };
        let Some(time) = summary["time"].as_f64() else { return Ok(()) };
        let collisions = summary["collisions"].as_u64();
        match run_loop::beyond_end(scene, time, summary["step"].as_f64(), collisions) {
            Some(problem) => {
                let file = self.file(CHECKPOINT).display().to_string();
                Err(carom_io::Error::Checkpoint { file, problem }.into())
            }
            None => Ok(()),
        }
    }

    /// Returns the content of `summary.json`; `None` if there is none, or one that is no summary.
    pub(crate) fn summary(&self) -> Result<Option<serde_json::Value>, Error> {
        if !is_results_file(self.path(), "summary.json")? {
            return Ok(None);
        }
        let bytes = read_results_file(self.path(), "summary.json", LONGEST_SUMMARY)?;
        Ok(serde_json::from_slice(&bytes).ok())
    }

    /// Whether a run of a scene wrote no more than what comes before its first checkpoint: its scene and the header of
    /// its log. One that was killed while it replaced such files may lack the log.
    fn is_begun(&self, fingerprint: u64, scene: Option<String>) -> Result<bool, Error> {
        if self.file("summary.json").exists() {
            return Ok(false);
        }
        let is_own = scene.map(|text| Provenance::inputs_of(&text) == Some(fingerprint));
        if !is_results_file(self.path(), "log.csv")? {
            return Ok(is_own == Some(true));
        }
        let log = read_results_file(self.path(), "log.csv", 1 << 20)?;
        let rows = log.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
        Ok(is_own != Some(false) && rows == 0)
    }

    fn holds_results(&self) -> bool {
        self.result_files().next().is_some() || FrameSeries::exists_in(self.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::SceneRun;
    use carom_scene::AnyScene;
    use std::fs;

    const SCENE: &str = "engine = 'dem'\ndimension = 2\nbox.size = 9\noutput.picture = false\n\
        [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";

    fn state(folder: &RunFolder, settings: &[&str]) -> RunState {
        let settings: Vec<String> = settings.iter().map(|it| (*it).to_owned()).collect();
        let scene = AnyScene::parse(SCENE, "one.toml", "".as_ref(), &settings).unwrap();
        let AnyScene::TwoD(scene) = scene else { panic!("the scene is in the plane") };
        folder.state_of(&scene).unwrap()
    }

    #[test]
    fn a_folder_holds_a_finished_run_only_of_the_same_scene_with_the_same_end() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("one.run"));
        assert_eq!(state(&folder, &["until=1"]), RunState::Absent);
        let run = SceneRun::parse(&format!("until = 1\n{SCENE}")).unwrap();
        run.into_folder(folder.path()).unwrap();
        assert_eq!(state(&folder, &["until=1.0"]), RunState::Finished);
        assert_eq!(state(&folder, &["until=2"]), RunState::Cut);
        assert_eq!(state(&folder, &["until=1", "output.log_interval=0.01"]), RunState::Finished);
        assert_eq!(state(&folder, &["until=1", "output.log_interval=0.5"]), RunState::Cut);
        let difference = Some("box.size is 8 here and 9 there".to_owned());
        let other = state(&folder, &["until=1", "box.size=8"]);
        assert_eq!(other, RunState::Foreign { difference });
        // Without its checkpoints, which are large, it is finished still.
        fs::remove_file(folder.file("checkpoint.bin")).unwrap();
        let _ = fs::remove_file(folder.file("checkpoint.previous.bin"));
        assert_eq!(state(&folder, &["until=1"]), RunState::Finished);
        fs::remove_file(folder.file("summary.json")).unwrap();
        assert_eq!(state(&folder, &["until=1"]), RunState::Foreign { difference: None });
    }

    #[test]
    fn a_run_killed_before_its_first_checkpoint_is_begun() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("one.run"));
        fs::create_dir(folder.path()).unwrap();
        assert_eq!(state(&folder, &["until=1"]), RunState::Absent);
        fs::write(folder.file("log.csv"), "time,kinetic_energy\n").unwrap();
        assert_eq!(state(&folder, &["until=1"]), RunState::Begun);
        fs::write(folder.file("log.csv"), "time,kinetic_energy\n0,1\n").unwrap();
        assert_eq!(state(&folder, &["until=1"]), RunState::Foreign { difference: None });
        fs::write(folder.file("log.csv"), "time,kinetic_energy\n").unwrap();
        fs::write(folder.file("scene.toml"), "engine = 'dem'\n").unwrap();
        assert!(matches!(state(&folder, &["until=1"]), RunState::Foreign { .. }));
        fs::remove_file(folder.file("log.csv")).unwrap();
        assert!(matches!(state(&folder, &["until=1"]), RunState::Foreign { .. }));
    }

    #[test]
    fn a_run_killed_while_it_replaced_a_begun_one_is_begun() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("one.run"));
        let run =
            SceneRun::parse(&format!("until = 1\noutput.formats = ['xyz']\n{SCENE}")).unwrap();
        run.into_folder(folder.path()).unwrap();
        // What is removed first, and by a later run of the same scene.
        for name in ["checkpoint.bin", "checkpoint.previous.bin", "summary.json", "log.csv"] {
            let _ = fs::remove_file(folder.file(name));
        }
        let settings = ["until=1", "output.formats=['xyz']"];
        assert!(folder.file("frames").exists());
        assert_eq!(state(&folder, &settings), RunState::Begun);
        assert_eq!(
            state(&folder, &["until=1", "box.size=8"]),
            RunState::Foreign { difference: Some("box.size is 8 here and 9 there".to_owned()) }
        );
        fs::remove_file(folder.file("scene.toml")).unwrap();
        assert_eq!(state(&folder, &settings), RunState::Foreign { difference: None });
    }
}
