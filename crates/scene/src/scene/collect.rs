//! All mistakes of a scene, not only the first.
//!
//! Every check stops at the first rule that is broken. To find the others too, what breaks a rule is removed from the
//! tables, or a number is replaced by 1, and the scene is checked again until nothing is refused. Consequences of a
//! removal (a body that now has no radius) are not reported. The engine, the dimension and the size of the box, on which
//! most other rules depend, get a valid value instead. Checks that need all bodies at their places come last and run
//! once, on a scene without other mistakes.

use super::check::{self, CheckScope};
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::reading;
use super::source::{KeyPath, SceneSource};
use super::written_scene::WrittenScene;
use crate::Error;
use std::path::Path;

/// Largest number of mistakes that are listed; of the others only the number is reported.
const MOST_LISTED: usize = 20;
/// Largest number of times that a scene is checked again.
const MOST_ROUNDS: usize = 100;
/// Largest number of bytes of text that are read again in all.
const MOST_TEXT: usize = 64 << 20;

/// With more bodies than this their sizes are not drawn again: only mistakes in reading are found.
const MOST_BODIES: u64 = 100_000;

/// Keys that other numbers are compared with, which are therefore not replaced.
const BOUNDS: [&str; 4] = ["min", "max", "low", "high"];

/// Keys that most other rules depend on, with the settings that take their place where they are refused. A box of the
/// last size has room for everything.
const SUBSTITUTES: [(&[&str], &[&str]); 3] = [
    (&["engine"], &["engine=event-driven", "engine=dem", "engine=bonded"]),
    (&["dimension"], &["dimension=2", "dimension=3"]),
    (&["box", "size"], &["box.size=1e6"]),
];

/// Largest number of ways through all substitutes, which share the text that may be read again.
const MOST_WAYS: usize = 6;

/// Returns all mistakes of a scene, given the first.
pub(super) fn all(source: &SceneSource, folder: &Path, first: SceneValidationError) -> Error {
    let rounds = MOST_ROUNDS.min(MOST_TEXT / MOST_WAYS / source.text().len().max(1));
    let mut mistakes = SceneProblemCollector::default();
    search(&mut mistakes, source.clone(), folder, Some(first), rounds);
    mistakes.into_error()
}

/// Adds a mistake and all that are found behind it in at most `rounds` rounds.
fn search(
    mistakes: &mut SceneProblemCollector,
    mut source: SceneSource,
    folder: &Path,
    mut next: Option<SceneValidationError>,
    rounds: usize,
) {
    for round in 0..=rounds {
        let Some(refusal) = next.take() else { return };
        let substitutes = substitutes(&source, &refusal);
        if !substitutes.is_empty() {
            mistakes.list(source.locate(refusal));
            let ways = substitutes.iter().map(|setting| {
                let (mut found, mut source) = (mistakes.continued(), source.clone());
                source.substitute(setting);
                let next = check_values(&source, folder).err();
                search(&mut found, source, folder, next, rounds - round);
                found
            });
            // What the user meant is not known: the value under which most of the scene is right.
            if let Some(found) = ways.min_by_key(SceneProblemCollector::rank) {
                mistakes.append(found);
            }
            return;
        }
        if !mistakes.take(&mut source, refusal) {
            return;
        }
        next = check_values(&source, folder).err();
    }
}

/// Returns the settings that may take the place of a refused or missing value; none if most rules do not depend on it.
fn substitutes(source: &SceneSource, refusal: &SceneValidationError) -> &'static [&'static str] {
    let path = match refusal {
        SceneValidationError::Problem { span: None, problem } => match problem.as_ref() {
            SceneProblem::Missing { key, .. } => Some(vec![key.clone()]),
            _ => None,
        },
        _ => refusal.span().and_then(|span| source.path(span)),
    };
    let Some(path) = path.filter(|path| !source.is_substituted(path)) else { return &[] };
    // An entry of the size leads to the size.
    let found = SUBSTITUTES
        .iter()
        .find(|(key, _)| path.iter().zip(*key).all(|(a, b)| a == b) && path.len() >= key.len());
    found.map_or(&[], |(_, settings)| settings)
}

/// Checks everything but the positions of bodies.
fn check_values(source: &SceneSource, folder: &Path) -> ValidationResult<()> {
    let written: WrittenScene = reading::read(source)?;
    if written.body_count() > MOST_BODIES {
        return Ok(());
    }
    let watch = &mut |_, _| {};
    match written.dimension()? {
        2 => {
            check::staged_scene::<2>(source, &written, folder, watch, CheckScope::Values).map(drop)
        }
        _ => {
            check::staged_scene::<3>(source, &written, folder, watch, CheckScope::Values).map(drop)
        }
    }
}

#[derive(Default)]
struct SceneProblemCollector {
    listed: Vec<Error>,
    more: usize,
    /// Numbers that were replaced by 1.
    replaced: Vec<KeyPath>,
    /// Lists of tables of which an entry was refused as a whole, with the rule.
    entries: Vec<(KeyPath, String)>,
}

impl SceneProblemCollector {
    /// Returns a collector without mistakes that knows what was replaced and refused before.
    fn continued(&self) -> Self {
        let (replaced, entries) = (self.replaced.clone(), self.entries.clone());
        SceneProblemCollector { listed: Vec::new(), more: 0, replaced, entries }
    }

    /// The number of mistakes, those first that are none with another engine.
    fn rank(&self) -> (usize, usize) {
        let is_of_engine = |error: &&Error| error.to_string().contains("engine = ");
        (self.listed.iter().filter(is_of_engine).count(), self.listed.len() + self.more)
    }

    fn append(&mut self, found: SceneProblemCollector) {
        found.listed.into_iter().for_each(|error| self.list(error));
        self.more += found.more;
    }

    /// Lists a mistake, unless it follows from a listed one, and removes its cause; returns false if nothing can be
    /// removed, so that nothing more can be found.
    fn take(&mut self, source: &mut SceneSource, refusal: SceneValidationError) -> bool {
        let path = refusal.span().and_then(|span| source.path(span));
        let follows = follows(source, path.as_ref(), &refusal)
            || self.follows_from_a_replaced_number(path.as_ref(), &refusal)
            || path.as_ref().is_some_and(|path| self.is_refused_alike(path, &refusal));
        let value = match &refusal {
            SceneValidationError::Value { span, .. } => Some(span.clone()),
            _ => None,
        };
        if !follows {
            self.list(source.locate(refusal));
        }
        let Some(path) = path else { return false };
        let is_bound = path.last().is_some_and(|name| BOUNDS.contains(&name.as_str()));
        if !is_bound && value.is_some_and(|span| source.replace_by_one(&span)) {
            self.replaced.push(path);
            return true;
        }
        source.leave_out(path)
    }

    /// Whether a replaced number may be the cause of a refusal: the number itself, or a total of all values.
    fn follows_from_a_replaced_number(
        &self,
        path: Option<&KeyPath>,
        refusal: &SceneValidationError,
    ) -> bool {
        let is_of_all = match refusal {
            SceneValidationError::Problem { problem, .. } => matches!(
                problem.as_ref(),
                SceneProblem::Whole { .. }
                    | SceneProblem::Size { .. }
                    | SceneProblem::Overlap { .. }
                    | SceneProblem::Outside { .. }
                    | SceneProblem::ShortPeriod { .. }
                    | SceneProblem::DoesNotFit { .. }
            ),
            _ => false,
        };
        let is_itself = path.is_some_and(|path| self.replaced.contains(path));
        !self.replaced.is_empty() && (is_of_all || is_itself || path.is_none())
    }

    /// Whether another table of the same list was refused by the same rule, as all tables are that an engine does not
    /// know; this is reported once.
    fn is_refused_alike(&mut self, path: &KeyPath, refusal: &SceneValidationError) -> bool {
        let (Some((last, list)), SceneValidationError::Value { rule, .. }) =
            (path.split_last(), refusal)
        else {
            return false;
        };
        if last.parse::<usize>().is_err() {
            return false;
        }
        let entry = (list.to_vec(), rule.to_string());
        let known = self.entries.contains(&entry);
        self.entries.push(entry);
        known
    }

    fn list(&mut self, error: Error) {
        if self.listed.len() < MOST_LISTED { self.listed.push(error) } else { self.more += 1 }
    }

    /// Sorts the mistakes by line; those without a line come last.
    fn into_error(mut self) -> Error {
        self.listed.sort_by_key(|error| match error {
            Error::Scene { place, .. } => place.line().unwrap_or(usize::MAX),
            _ => usize::MAX,
        });
        match (self.listed.len(), self.more) {
            (1, 0) => self.listed.remove(0),
            _ => Error::SceneProblems { problems: self.listed, more: self.more },
        }
    }
}

/// Whether a refusal is only a consequence of what was removed before.
fn follows(source: &SceneSource, path: Option<&KeyPath>, refusal: &SceneValidationError) -> bool {
    let omitted = source.omitted();
    if path.is_some_and(|path| source.is_substituted(path)) {
        return true;
    }
    let Some(path) = path else {
        // A refusal of the whole scene: a table or a plain key of it may be what is missing.
        let whole = match refusal {
            SceneValidationError::Problem { problem, .. } => matches!(
                problem.as_ref(),
                SceneProblem::Whole { .. } | SceneProblem::Missing { .. }
            ),
            _ => false,
        };
        return whole && !omitted.is_empty();
    };
    let inside = |other: &KeyPath| other.len() > path.len() && other.starts_with(path);
    if omitted.iter().any(inside) {
        return true;
    }
    // The name of a material or a shape that was removed.
    let SceneValidationError::Value { span, .. } = refusal else { return false };
    let name = source.written(span).trim_matches(['"', '\'']);
    let named = |other: &KeyPath| matches!(other.as_slice(), [table, it] if it == name && ["materials", "shapes"].contains(&table.as_str()));
    omitted.iter().any(named)
}
