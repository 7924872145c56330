//! The answers to a question for each of many points or rays.

use crate::{arrays, errors, thread_pool};
use carom::WorldError;
use carom::io::memory;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// For up to this number of questions one thread is done before others would be awake.
const FEW: usize = 64;

/// Answers are compared with the memory at hand whenever as many bytes have been found.
const BYTES_PER_CHECK: u64 = 1 << 26;

/// Answers the question of each row, by all threads if there are many; the first refusal names its row.
pub fn each<T: Answer>(
    py: Python<'_>,
    name: &str,
    rows: usize,
    answer: impl Fn(usize) -> Result<T, WorldError> + Send + Sync,
) -> PyResult<Vec<T>> {
    let answers = match rows <= FEW {
        true => thread_pool::run_here(py, || (0..rows).map(answer).collect())?,
        false => answer_all(py, rows, answer)?,
    };
    collected(py, name, answers)
}

/// What is found for a point or ray.
pub trait Answer: Send {
    /// Bytes that it has beside its own.
    fn bytes(&self) -> usize;
}

impl<T: Send> Answer for Vec<T> {
    fn bytes(&self) -> usize {
        size_of_val(&self[..])
    }
}

impl<T: Send> Answer for Option<T> {
    fn bytes(&self) -> usize {
        0
    }
}

/// Answers many questions by all threads. Ctrl-C ends it, and so does an end of the memory.
fn answer_all<T: Answer>(
    py: Python<'_>,
    rows: usize,
    answer: impl Fn(usize) -> Result<T, WorldError> + Send + Sync,
) -> PyResult<Vec<Result<T, WorldError>>> {
    arrays::check_memory(py, "the answers", rows * size_of::<Result<T, WorldError>>())?;
    let (found, refusal) = (AtomicU64::new(0), OnceLock::new());
    let answers = thread_pool::run_cancellable(py, |is_cancelled| {
        let one = |row| {
            let answer = answer(row);
            let bytes = answer.as_ref().map_or(0, Answer::bytes) as u64;
            let before = found.fetch_add(bytes, Ordering::Relaxed);
            let after = before + bytes;
            if before / BYTES_PER_CHECK != after / BYTES_PER_CHECK
                && let Err(error) = memory::check("the answers", after as f64)
            {
                refusal.get_or_init(|| error.to_string());
            }
            let is_wanted = !is_cancelled.load(Ordering::Relaxed) && refusal.get().is_none();
            is_wanted.then_some(answer)
        };
        (0..rows).into_par_iter().map(one).collect::<Option<Vec<_>>>()
    })?;
    match refusal.into_inner() {
        Some(sentence) => Err(errors::INPUT.with(py, sentence)),
        None => Ok(answers.expect("without a refusal, only Ctrl-C leaves questions out")),
    }
}

fn collected<T>(
    py: Python<'_>,
    name: &str,
    answers: Vec<Result<T, WorldError>>,
) -> PyResult<Vec<T>> {
    let named = |(row, answer): (usize, Result<T, WorldError>)| {
        answer.map_err(|error| {
            let place = match error {
                WorldError::Coordinate { .. } | WorldError::Direction { .. } => {
                    format!("row {row} of {name}: ")
                }
                _ => String::new(),
            };
            errors::INPUT.with(py, format!("{place}{error}"))
        })
    };
    answers.into_iter().enumerate().map(named).collect()
}
