//! The pairs a broad phase reports, and their way to contacts in ascending order.

use super::SphereSystem;
use crate::narrow::overlap;
use crate::{BodyPair, Contact};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Candidate pairs in the order they were found, one list per parallel task.
///
/// A candidate may be reported twice (by two of its images) and need not touch; every pair that touches
/// is among them. Buffers are kept from one search to the next.
///
/// ```
/// use carom_detect::{BodyPair, broad::{Candidates, SphereSystem}};
/// use carom_geometry::{Boundary, Sphere};
/// let discs = [0.0, 1.5, 8.0].map(|x| Sphere::new([x, 0.0], 1.0));
/// let mut candidates = Candidates::default();
/// for (first, second) in [(1, 0), (0, 1), (0, 2)] {
///     candidates.push(first, second);
/// }
/// let boundary = Boundary::open();
/// let system = SphereSystem::new(&discs, &boundary)?;
/// let mut touching = Vec::new();
/// candidates.visit(&system, |contact| touching.push(contact.pair));
/// assert_eq!(touching, [BodyPair::new(0, 1)]);
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Candidates {
    tasks: Vec<TaskCandidates>,
    sorted: Vec<BodyPair>,
    bucket_starts: Vec<usize>,
}

/// The candidates found by one task of a search.
#[derive(Debug, Default)]
pub struct TaskCandidates {
    /// Candidate pairs, in any order.
    pub pairs: Vec<BodyPair>,
    /// Number of pairs whose distance was tested.
    pub tests: u64,
}

/// Buckets of about this many candidates are sorted within the L1 cache.
const BUCKET_SIZE: usize = 256;
/// Below this many candidates a second thread costs more than it saves.
const MIN_CANDIDATES_FOR_THREADS: usize = 1 << 13;
/// Tasks per thread, for load balance: a late thread delays the others only a little.
const TASKS_PER_THREAD: usize = 8;

/// Returns the number of tasks to divide work into: one on one thread.
pub(super) fn task_count() -> usize {
    match rayon::current_num_threads() {
        1 => 1,
        // Several tasks per thread, since crowded regions take longer.
        threads => threads * TASKS_PER_THREAD,
    }
}

impl Candidates {
    /// Runs `search` on parts of `0..items` in parallel and keeps what each found. Each task borrows a
    /// working space; there are as many spaces as tasks that run at once.
    pub(super) fn collect_with<S: Default + Send>(
        &mut self,
        items: usize,
        spaces: &Mutex<Vec<S>>,
        search: impl Fn(Range<usize>, &mut S, &mut TaskCandidates) + Sync,
    ) {
        let pieces = task_count().min(items).max(1);
        self.tasks.resize_with(pieces.max(self.tasks.len()), TaskCandidates::default);
        self.tasks.iter_mut().for_each(TaskCandidates::clear);
        let cut = |piece: usize| items * piece / pieces;
        let spaces = || spaces.lock().unwrap_or_else(PoisonError::into_inner);
        let run = |(piece, found): (usize, &mut TaskCandidates)| {
            let mut space = spaces().pop().unwrap_or_default();
            search(cut(piece)..cut(piece + 1), &mut space, found);
            spaces().push(space);
        };
        match pieces {
            1 => run((0, &mut self.tasks[0])),
            _ => self.tasks[..pieces].par_iter_mut().enumerate().for_each(run),
        }
    }

    /// Runs `search` on parts of `0..items` in parallel and keeps what each found.
    pub(super) fn collect(
        &mut self,
        items: usize,
        search: impl Fn(Range<usize>, &mut TaskCandidates) + Sync,
    ) {
        let spaces = Mutex::new(Vec::<()>::new());
        self.collect_with(items, &spaces, |range, _, found| search(range, found));
    }

    /// Forgets all candidates.
    pub fn clear(&mut self) {
        self.tasks.iter_mut().for_each(TaskCandidates::clear);
    }

    /// Adds a pair that may touch, in either order; it may be added twice. For a structure of one's own.
    pub fn push(&mut self, first: u32, second: u32) {
        if self.tasks.is_empty() {
            self.tasks.push(TaskCandidates::default());
        }
        let found = &mut self.tasks[0];
        found.tests += 1;
        // A body with itself is kept as it is, and refused by `wrong_pair`.
        let [first, second] = [first.min(second), first.max(second)];
        found.pairs.push(BodyPair::ordered(first, second));
    }

    /// Returns the first candidate that is not a pair of two of `spheres` spheres.
    pub(crate) fn wrong_pair(&self, spheres: usize) -> Option<BodyPair> {
        let is_wrong =
            |pair: &&BodyPair| pair.first() == pair.second() || pair.second() as usize >= spheres;
        self.tasks.iter().flat_map(|found| &found.pairs).find(is_wrong).copied()
    }

    /// Returns the number of pairs whose distance the last search tested.
    pub(crate) fn tests(&self) -> u64 {
        self.tasks.iter().map(|found| found.tests).sum()
    }

    /// Returns the number of candidates of the last search, repeated ones included.
    pub fn len(&self) -> usize {
        self.tasks.iter().map(|found| found.pairs.len()).sum()
    }

    /// Returns whether the last search found no candidate.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes held by the buffers.
    pub(crate) fn memory(&self) -> usize {
        let pairs: usize = self.tasks.iter().map(|found| found.pairs.capacity()).sum();
        (pairs + self.sorted.capacity()) * size_of::<BodyPair>()
            + self.bucket_starts.capacity() * size_of::<usize>()
    }

    /// Writes every candidate that touches, once, ascending, to the front of `contacts`, which is made
    /// long enough, and returns their number.
    pub fn contacts<const D: usize>(
        &mut self,
        system: &SphereSystem<'_, D>,
        contacts: &mut Vec<Contact>,
    ) -> usize {
        self.sort_into_buckets(system.spheres().len());
        if contacts.len() < self.sorted.len() {
            contacts.resize(self.sorted.len(), Contact::default());
        }
        evaluate_buckets(system, &self.bucket_starts, &mut self.sorted, contacts)
    }

    /// Visits every candidate that touches, once, ascending, without storing them.
    pub fn visit<const D: usize>(
        &mut self,
        system: &SphereSystem<'_, D>,
        mut visit: impl FnMut(Contact),
    ) {
        self.sort_into_buckets(system.spheres().len());
        for bucket in self.bucket_starts.windows(2) {
            let pairs = &mut self.sorted[bucket[0]..bucket[1]];
            evaluate_bucket(system, pairs, &mut visit);
        }
    }

    /// Gathers the candidates of all tasks into buckets of ascending first index, by counting sort.
    fn sort_into_buckets(&mut self, spheres: usize) {
        let total = self.len();
        // Indices have 32 bits; the shift must have fewer.
        let shift = (spheres * BUCKET_SIZE / total.max(1)).max(1).ilog2().min(31);
        let bucket_of = |pair: &BodyPair| (pair.first() >> shift) as usize;
        let buckets = (spheres >> shift) + 1;
        // Counts stand two entries ahead and write positions one, so that after the writes each start is
        // in its own entry.
        self.bucket_starts.clear();
        self.bucket_starts.resize(buckets + 2, 0);
        let starts = &mut self.bucket_starts;
        let all = || self.tasks.iter().flat_map(|found| &found.pairs);
        for pair in all() {
            starts[bucket_of(pair) + 2] += 1;
        }
        for bucket in 2..buckets + 2 {
            starts[bucket] += starts[bucket - 1];
        }
        self.sorted.resize(total, BodyPair::default());
        for pair in all() {
            let place = &mut starts[bucket_of(pair) + 1];
            self.sorted[*place] = *pair;
            *place += 1;
        }
        starts.truncate(buckets + 1);
    }
}

impl TaskCandidates {
    fn clear(&mut self) {
        self.pairs.clear();
        self.tests = 0;
    }
}

/// Sorts and evaluates the buckets that `starts` delimits, packs the contacts at the front of `contacts`
/// and returns their number; both slices begin at the first of these buckets.
fn evaluate_buckets<const D: usize>(
    system: &SphereSystem<'_, D>,
    starts: &[usize],
    pairs: &mut [BodyPair],
    contacts: &mut [Contact],
) -> usize {
    let buckets = starts.len() - 1;
    let alone = rayon::current_num_threads() == 1
        || pairs.len() < MIN_CANDIDATES_FOR_THREADS
        || buckets < 2;
    if alone {
        let mut count = 0;
        let mut rest = pairs;
        for bucket in starts.windows(2) {
            let (pairs, after) = rest.split_at_mut(bucket[1] - bucket[0]);
            rest = after;
            evaluate_bucket(system, pairs, &mut |contact| {
                contacts[count] = contact;
                count += 1;
            });
        }
        return count;
    }
    let middle = buckets / 2;
    let split = starts[middle] - starts[0];
    let (low_pairs, high_pairs) = pairs.split_at_mut(split);
    let (low_contacts, high_contacts) = contacts.split_at_mut(split);
    let (low, high) = rayon::join(
        || evaluate_buckets(system, &starts[..=middle], low_pairs, low_contacts),
        || evaluate_buckets(system, &starts[middle..], high_pairs, high_contacts),
    );
    // Closes the gap that candidates without a contact left behind the lower half.
    contacts.copy_within(split..split + high, low);
    low + high
}

fn evaluate_bucket<const D: usize>(
    system: &SphereSystem<'_, D>,
    pairs: &mut [BodyPair],
    visit: &mut impl FnMut(Contact),
) {
    pairs.sort_unstable();
    let mut previous = None;
    for &pair in pairs.iter() {
        if previous.replace(pair) == Some(pair) {
            continue;
        }
        let spheres = system.spheres();
        let (a, b) = (&spheres[pair.first() as usize], &spheres[pair.second() as usize]);
        let overlap = overlap(a, b, system.boundary());
        if overlap >= 0.0 {
            visit(Contact { pair, overlap });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_candidate_among_very_many_spheres_has_a_bucket() {
        for spheres in [2, 1 << 25, u32::MAX as usize] {
            let pair = BodyPair::new(spheres as u32 - 2, spheres as u32 - 1);
            let found = TaskCandidates { pairs: vec![pair], tests: 1 };
            let mut candidates = Candidates { tasks: vec![found], ..Default::default() };
            candidates.sort_into_buckets(spheres);
            assert_eq!(candidates.sorted, [pair]);
            assert_eq!(*candidates.bucket_starts.last().unwrap(), 1);
        }
    }
}
