//! The contact search for programs: broad phase, exact test and sorted contacts.

use crate::broad::{BroadPhase, Candidates, SphereSystem};
use crate::method_choice::{MethodReason, choose_method};
use crate::{BroadPhaseMethod, Contact, Error};
use carom_geometry::{Boundary, Sphere};
use std::time::{Duration, Instant};

/// Finds every contact among spheres or discs: broad phase and narrow phase in one.
///
/// The contacts are the pairs with `r_i + r_j - |x_i - x_j| >= 0` evaluated in `f64`, each once, the
/// smaller index first, in ascending order: the same to the bit for every method and any number of
/// threads. Work is shared among the threads of the rayon pool it is called from.
///
/// Buffers are kept from one search to the next: on one thread a search of similar input allocates
/// nothing ([`BroadPhaseMethod::Delaunay`] excepted).
///
/// ```
/// use carom_detect::{ContactSearch, BroadPhaseMethod};
/// use carom_geometry::{Boundary, Sphere};
/// let spheres = [Sphere::new([0.0, 0.0], 1.0), Sphere::new([1.5, 0.0], 1.0)];
/// let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
/// let contacts = search.find(&spheres, &Boundary::open())?;
/// assert_eq!(contacts[0].overlap, 0.5);
/// # Ok::<(), carom_detect::Error>(())
/// ```
pub struct ContactSearch<const D: usize> {
    method: BroadPhaseMethod<D>,
    broad_phase: Option<(BroadPhaseMethod<D>, Box<dyn BroadPhase<D>>)>,
    /// The user's own structure, taken instead of a method.
    own_structure: Option<Box<dyn BroadPhase<D>>>,
    candidates: Candidates,
    /// Contacts in the first `contact_count` entries; the buffer is as long as the most candidates so far.
    contacts: Vec<Contact>,
    contact_count: usize,
    record: SearchRecord,
}

/// Numbers and times of the last search.
#[derive(Clone, Copy, Debug)]
struct SearchRecord {
    reason: MethodReason,
    spheres: usize,
    contacts: usize,
    input_check_time: Duration,
    broad_phase_time: Duration,
    narrow_phase_time: Duration,
}

/// Report of a search: its method, counts and times.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SearchStatistics {
    /// Name of the broad-phase method that ran.
    pub method: &'static str,
    /// Why this method was taken.
    pub reason: String,
    /// Shape of its structure, such as the number of cells.
    pub structure: String,
    /// Number of pairs whose distance the broad phase tested.
    pub pair_tests: u64,
    /// Number of pairs that passed the broad phase and were evaluated in `f64`.
    pub candidates: usize,
    /// Number of contacts that the search has found, each pair counted once.
    pub contacts: usize,
    /// Time to check the input and measure its extent.
    pub input_check_time: Duration,
    /// Time to build the structure and search it.
    pub broad_phase_time: Duration,
    /// Time to sort the candidates and evaluate them in `f64`.
    pub narrow_phase_time: Duration,
    /// Bytes held in addition to the input and the contacts.
    pub extra_memory: usize,
}

impl<const D: usize> ContactSearch<D> {
    /// Makes a search by the given method; buffers grow with the first use.
    pub fn new(method: BroadPhaseMethod<D>) -> Self {
        let record = SearchRecord {
            reason: MethodReason::RequestedByUser,
            spheres: 0,
            contacts: 0,
            input_check_time: Duration::ZERO,
            broad_phase_time: Duration::ZERO,
            narrow_phase_time: Duration::ZERO,
        };
        ContactSearch {
            method,
            broad_phase: None,
            own_structure: None,
            candidates: Candidates::default(),
            contacts: Vec::new(),
            contact_count: 0,
            record,
        }
    }

    /// Makes a search by a structure of one's own, which [`Candidates::push`]es every pair that may touch.
    ///
    /// ```
    /// use carom_detect::ContactSearch;
    /// use carom_detect::broad::{BroadPhase, Candidates, SphereSystem};
    /// use carom_geometry::{Boundary, Sphere};
    /// struct Neighbors;
    /// impl BroadPhase<2> for Neighbors {
    ///     fn find_candidates(&mut self, system: &SphereSystem<'_, 2>, candidates: &mut Candidates) {
    ///         (1..system.spheres().len() as u32).for_each(|index| candidates.push(index - 1, index));
    ///     }
    /// }
    /// let row: Vec<_> = (0..9).map(|k| Sphere::new([f64::from(k), 0.0], 0.6)).collect();
    /// assert_eq!(ContactSearch::with(Neighbors).find(&row, &Boundary::open())?.len(), 8);
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn with(structure: impl BroadPhase<D> + 'static) -> Self {
        ContactSearch {
            own_structure: Some(Box::new(structure)),
            ..ContactSearch::new(BroadPhaseMethod::Auto)
        }
    }

    /// Finds all contacts and returns them ascending. The slice is valid until the next search.
    ///
    /// Fails if a number is not finite or larger than 1e100, a radius is negative, a sphere is wider
    /// than half a period or more than 1e12 periods away from the box, or the method refuses the system
    /// or its own settings.
    ///
    /// ```
    /// use carom_detect::{BodyPair, BroadPhaseMethod, ContactSearch};
    /// use carom_geometry::{Boundary, Sphere};
    /// // Two spheres at opposite sides of a periodic box, 1 apart through the side.
    /// let spheres = [Sphere::new([0.5, 5.0, 5.0], 0.75), Sphere::new([9.5, 5.0, 5.0], 0.75)];
    /// let periodic = Boundary::periodic([Some(10.0); 3])?;
    /// let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
    /// assert!(search.find(&spheres, &Boundary::open())?.is_empty());
    /// let contacts = search.find(&spheres, &periodic)?;
    /// assert_eq!((contacts[0].pair, contacts[0].overlap), (BodyPair::new(0, 1), 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(
        &mut self,
        spheres: &[Sphere<D>],
        boundary: &Boundary<D>,
    ) -> Result<&[Contact], Error> {
        let system = self.find_candidates(spheres, boundary)?;
        let start = Instant::now();
        self.contact_count = self.candidates.contacts(&system, &mut self.contacts);
        self.record.contacts = self.contact_count;
        self.record.narrow_phase_time = start.elapsed();
        Ok(self.contacts())
    }

    /// Returns the contacts of the last [`find`](Self::find), ascending.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts[..self.contact_count]
    }

    /// Visits all contacts in ascending order without storing them. Fails as [`find`](Self::find) does.
    ///
    /// ```
    /// # use carom_detect::{ContactSearch, BroadPhaseMethod};
    /// # use carom_geometry::{Boundary, Sphere};
    /// # let spheres = [Sphere::new([0.0, 0.0], 1.0), Sphere::new([1.5, 0.0], 1.0)];
    /// let mut deepest = 0.0;
    /// ContactSearch::new(BroadPhaseMethod::Auto).visit(&spheres, &Boundary::open(), |contact| {
    ///     deepest = contact.overlap.max(deepest);
    /// })?;
    /// assert_eq!(deepest, 0.5);
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn visit(
        &mut self,
        spheres: &[Sphere<D>],
        boundary: &Boundary<D>,
        mut visit: impl FnMut(Contact),
    ) -> Result<(), Error> {
        let system = self.find_candidates(spheres, boundary)?;
        let start = Instant::now();
        let mut count = 0;
        self.candidates.visit(&system, |contact| {
            count += 1;
            visit(contact);
        });
        self.record.contacts = count;
        self.record.narrow_phase_time = start.elapsed();
        Ok(())
    }

    fn find_candidates<'a>(
        &mut self,
        spheres: &'a [Sphere<D>],
        boundary: &'a Boundary<D>,
    ) -> Result<SphereSystem<'a, D>, Error> {
        self.method.check()?;
        let start = Instant::now();
        let system = SphereSystem::new(spheres, boundary)?;
        let is_own = self.own_structure.is_some();
        let (method, reason) = match self.method {
            BroadPhaseMethod::Auto if !is_own => choose_method(&system),
            method => (method, MethodReason::RequestedByUser),
        };
        let checked_at = Instant::now();
        if let Some(structure) = &mut self.own_structure {
            structure.accepts(&system)?;
            self.candidates.clear();
            structure.find_candidates(&system, &mut self.candidates);
            if let Some(pair) = self.candidates.wrong_pair(spheres.len()) {
                let (first, second, count) = (pair.first(), pair.second(), spheres.len());
                return Err(Error::WrongCandidate { first, second, count });
            }
        } else if self.broad_phase.as_ref().is_none_or(|(made_for, _)| *made_for != method) {
            self.broad_phase = Some((method, method.new_broad_phase()));
        }
        if let (Some((_, structure)), false) = (&mut self.broad_phase, is_own) {
            structure.accepts(&system)?;
            structure.find_candidates(&system, &mut self.candidates);
        }
        self.record.reason = reason;
        self.record.spheres = spheres.len();
        self.record.input_check_time = checked_at - start;
        self.record.broad_phase_time = checked_at.elapsed();
        Ok(system)
    }

    /// Verifies every invariant of the structure the last search left behind, given the same input.
    pub fn check(&self, spheres: &[Sphere<D>], boundary: &Boundary<D>) -> Result<(), String> {
        let system = SphereSystem::new(spheres, boundary).map_err(|error| error.to_string())?;
        if spheres.len() != self.record.spheres {
            return Err(format!("the last search was of {} spheres", self.record.spheres));
        }
        self.structure().map_or(Ok(()), |structure| structure.check(&system))
    }

    /// Returns the structure of the last search.
    fn structure(&self) -> Option<&dyn BroadPhase<D>> {
        let made = self.broad_phase.as_ref().map(|(_, structure)| &**structure);
        self.own_structure.as_deref().or(made)
    }

    /// Reports what the last search did and what it cost.
    ///
    /// ```
    /// use carom_detect::{BroadPhaseMethod, ContactSearch};
    /// use carom_geometry::{Boundary, Sphere};
    /// let row: Vec<_> = (0..9).map(|k| Sphere::new([f64::from(k), 0.0], 0.6)).collect();
    /// let mut search = ContactSearch::new(BroadPhaseMethod::AllPairs);
    /// search.find(&row, &Boundary::open())?;
    /// let statistics = search.statistics();
    /// assert_eq!((statistics.method, statistics.contacts), ("all-pairs", 8));
    /// assert_eq!(statistics.pair_tests, 9 * 8 / 2);
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn statistics(&self) -> SearchStatistics {
        let structure = self.structure();
        let method = self.broad_phase.as_ref().map_or(self.method, |(method, _)| *method);
        SearchStatistics {
            method: if self.own_structure.is_some() { "own" } else { method.name() },
            reason: self.record.reason.to_string(),
            structure: structure.map_or(String::new(), |structure| structure.describe()),
            pair_tests: self.candidates.tests(),
            candidates: self.candidates.len(),
            contacts: self.record.contacts,
            input_check_time: self.record.input_check_time,
            broad_phase_time: self.record.broad_phase_time,
            narrow_phase_time: self.record.narrow_phase_time,
            extra_memory: structure.map_or(0, |structure| structure.memory())
                + self.candidates.memory()
                + (self.contacts.capacity() - self.contact_count) * size_of::<Contact>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Sphere;

    /// Names these pairs, whatever the spheres.
    struct GivenPairs(Vec<[u32; 2]>);

    impl BroadPhase<2> for GivenPairs {
        fn find_candidates(&mut self, _: &SphereSystem<'_, 2>, candidates: &mut Candidates) {
            self.0.iter().for_each(|&[first, second]| candidates.push(first, second));
        }
    }

    #[test]
    fn an_own_structure_may_repeat_pairs_in_any_order_and_must_not_name_others() {
        let row: Vec<_> = (0..4).map(|k| Sphere::new([f64::from(k), 0.0], 0.6)).collect();
        let find = |pairs: &[[u32; 2]]| {
            let mut search = ContactSearch::with(GivenPairs(pairs.to_vec()));
            let found = search.find(&row, &Boundary::open()).map(<[Contact]>::to_vec);
            (found, search.statistics().method)
        };
        let pairs = [[3, 2], [0, 1], [2, 3], [1, 0], [0, 3], [1, 2]];
        let expected = ContactSearch::new(BroadPhaseMethod::AllPairs)
            .find(&row, &Boundary::open())
            .unwrap()
            .to_vec();
        assert_eq!(find(&pairs), (Ok(expected), "own"));
        assert_eq!(find(&[]).0, Ok(Vec::new()));
        for wrong in [[1, 1], [0, 4], [7, 9]] {
            let sentence = find(&[[0, 1], wrong]).0.unwrap_err().to_string();
            assert!(
                sentence.ends_with("it must name two different ones of 4 spheres"),
                "{sentence}"
            );
        }
    }
}
