//! All mistakes of a scene, not only the first.
//!
//! Every check stops at the first rule that is broken. So that the others are found too, what breaks it
//! is left out of the tables, or a number replaced by 1, and the scene is checked again, until nothing is refused any
//! more. What is
//! refused only because something was left out (a body that now has no radius) is not reported. Checks
//! that need all bodies in their places come last and are made once, of a scene without other mistakes.

use super::check::{self, CheckScope};
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::reading;
use super::source::{KeyPath, SceneSource};
use super::written_scene::WrittenScene;
use crate::Error;
use std::path::Path;

/// So many mistakes are listed; of the others it is said how many there are.
const MOST_LISTED: usize = 20;
/// So often a scene is checked again.
const MOST_ROUNDS: usize = 100;
/// So many bytes of text are read again in all.
const MOST_TEXT: usize = 64 << 20;

/// The sizes of more bodies are not drawn again and again; then mistakes in reading are all that is found.
const MOST_BODIES: u64 = 100_000;

/// Numbers that others are compared with, which therefore are not replaced.
const BOUNDS: [&str; 4] = ["min", "max", "low", "high"];

/// All mistakes of a scene whose first is known.
pub(super) fn all(source: &SceneSource, folder: &Path, first: SceneValidationError) -> Error {
    let mut source = source.clone();
    let mut mistakes = SceneProblemCollector::default();
    let rounds = MOST_ROUNDS.min(MOST_TEXT / source.text().len().max(1));
    let mut next = Some(first);
    for _ in 0..=rounds {
        let Some(refusal) = next.take() else { break };
        if !mistakes.take(&mut source, refusal) {
            break;
        }
        next = check_values(&source, folder).err();
    }
    mistakes.into_error()
}

/// Everything but the places of bodies.
fn check_values(source: &SceneSource, folder: &Path) -> ValidationResult<()> {
    let written: WrittenScene = reading::read(source)?;
    if written.body_count() > MOST_BODIES {
        return Ok(());
    }
    let watch = &mut |_, _| {};
    match written.dimension()? {
        2 => check::scene::<2>(source, &written, folder, watch, CheckScope::Values).map(drop),
        _ => check::scene::<3>(source, &written, folder, watch, CheckScope::Values).map(drop),
    }
}

#[derive(Default)]
struct SceneProblemCollector {
    listed: Vec<Error>,
    more: usize,
    /// Numbers that were replaced.
    replaced: Vec<KeyPath>,
    /// Lists of tables of which an entry was refused as a whole, with the rule.
    entries: Vec<(KeyPath, String)>,
}

impl SceneProblemCollector {
    /// Lists a mistake, unless it follows from one that is listed, and leaves out what made it; false if
    /// nothing can be left out, so that nothing more can be found.
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

    /// Whether a number that was replaced may be why something is refused: itself, or what all values amount to.
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

    /// Whether another table of the same list was refused by the same rule, as all are that an engine does
    /// not know: it is reported once.
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

    /// In the order of their lines; those without a line come last.
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

/// Whether something is refused only because of what was left out before.
fn follows(source: &SceneSource, path: Option<&KeyPath>, refusal: &SceneValidationError) -> bool {
    let omitted = source.omitted();
    let Some(path) = path else {
        // Of the scene as a whole: a table or a plain key of it may be what is missing.
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
    // The name of a material or a shape that was left out.
    let SceneValidationError::Value { span, .. } = refusal else { return false };
    let name = source.written(span).trim_matches(['"', '\'']);
    let named = |other: &KeyPath| matches!(other.as_slice(), [table, it] if it == name && ["materials", "shapes"].contains(&table.as_str()));
    omitted.iter().any(named)
}
