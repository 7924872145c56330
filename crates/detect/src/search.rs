use crate::broad::{BroadPhase, Candidates, System};
use crate::choose::{Reason, choose};
use crate::{Contact, Error, Method};
use carom_geometry::{Boundary, Sphere};
use std::time::{Duration, Instant};

/// Finds every contact among spheres or discs, again and again, with buffers that are kept: on one
/// thread a search of similar input allocates nothing ([`Method::Delaunay`] excepted).
///
/// The contacts are those pairs with `r_i + r_j - |x_i - x_j| >= 0` evaluated in `f64`, each once,
/// the smaller index first, in ascending order: the same to the bit for every method and any
/// number of threads. Work is shared among the threads of the rayon pool it is called from.
///
/// ```
/// use carom_detect::{ContactSearch, Method};
/// use carom_geometry::{Boundary, Sphere};
/// let spheres = [Sphere::new([0.0, 0.0], 1.0), Sphere::new([1.5, 0.0], 1.0)];
/// let mut search = ContactSearch::new(Method::Auto);
/// let contacts = search.find(&spheres, &Boundary::open())?;
/// assert_eq!(contacts[0].overlap, 0.5);
/// # Ok::<(), carom_detect::Error>(())
/// ```
pub struct ContactSearch<const D: usize> {
    method: Method<D>,
    structure: Option<(Method<D>, Box<dyn BroadPhase<D> + Send>)>,
    candidates: Candidates,
    /// As long as the most candidates so far; the first `listed` are contacts.
    contacts: Vec<Contact>,
    listed: usize,
    record: Record,
}

/// What the last search did, as plain figures.
#[derive(Clone, Copy, Debug)]
struct Record {
    reason: Reason,
    spheres: usize,
    contacts: usize,
    survey: Duration,
    search: Duration,
    resolve: Duration,
}

/// What a search did and what it cost.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Name of the method that ran.
    pub method: &'static str,
    /// Why that one.
    pub reason: String,
    /// Shape of its structure.
    pub structure: String,
    /// Distances compared with a reach.
    pub pair_tests: u64,
    /// Pairs that passed the coarse test and were evaluated exactly.
    pub candidates: usize,
    /// Contacts found.
    pub contacts: usize,
    /// Time to check the input and measure its extent.
    pub survey: Duration,
    /// Time to build the structure and search it.
    pub search: Duration,
    /// Time to sort the candidates and evaluate them exactly.
    pub resolve: Duration,
    /// Bytes held beyond input and contacts.
    pub extra_memory: usize,
}

impl<const D: usize> ContactSearch<D> {
    /// A search by the given method; buffers grow with the first use.
    pub fn new(method: Method<D>) -> Self {
        let record = Record {
            reason: Reason::Asked,
            spheres: 0,
            contacts: 0,
            survey: Duration::ZERO,
            search: Duration::ZERO,
            resolve: Duration::ZERO,
        };
        ContactSearch {
            method,
            structure: None,
            candidates: Candidates::default(),
            contacts: Vec::new(),
            listed: 0,
            record,
        }
    }

    /// All contacts, ascending. The slice is valid until the next search.
    ///
    /// Fails if a number is not finite or larger than 1e100, a radius is negative, a sphere is wider
    /// than half a period, or more than 1e12 periods away from the box.
    pub fn find(
        &mut self,
        spheres: &[Sphere<D>],
        boundary: &Boundary<D>,
    ) -> Result<&[Contact], Error> {
        let system = self.find_candidates(spheres, boundary)?;
        let start = Instant::now();
        self.listed = self.candidates.contacts(&system, &mut self.contacts);
        self.record.contacts = self.listed;
        self.record.resolve = start.elapsed();
        Ok(self.contacts())
    }

    /// The contacts of the last [`find`](Self::find), ascending.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts[..self.listed]
    }

    /// Visits all contacts in ascending order without making a list of them.
    ///
    /// ```
    /// # use carom_detect::{ContactSearch, Method};
    /// # use carom_geometry::{Boundary, Sphere};
    /// # let spheres = [Sphere::new([0.0, 0.0], 1.0), Sphere::new([1.5, 0.0], 1.0)];
    /// let mut deepest = 0.0;
    /// ContactSearch::new(Method::Auto).visit(&spheres, &Boundary::open(), |contact| {
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
        self.record.resolve = start.elapsed();
        Ok(())
    }

    fn find_candidates<'a>(
        &mut self,
        spheres: &'a [Sphere<D>],
        boundary: &'a Boundary<D>,
    ) -> Result<System<'a, D>, Error> {
        self.method.check()?;
        let start = Instant::now();
        let system = System::new(spheres, boundary)?;
        let (method, reason) = match self.method {
            Method::Auto => choose(&system),
            method => (method, Reason::Asked),
        };
        let surveyed = Instant::now();
        if self.structure.as_ref().is_none_or(|(made_for, _)| *made_for != method) {
            self.structure = Some((method, method.structure()));
        }
        if let Some((_, structure)) = &mut self.structure {
            structure.accepts(&system)?;
            structure.find_candidates(&system, &mut self.candidates);
        }
        self.record.reason = reason;
        self.record.spheres = spheres.len();
        self.record.survey = surveyed - start;
        self.record.search = surveyed.elapsed();
        Ok(system)
    }

    /// Verifies wholly the structure the last search left behind.
    pub fn check(&self, spheres: &[Sphere<D>], boundary: &Boundary<D>) -> Result<(), String> {
        let system = System::new(spheres, boundary).map_err(|error| error.to_string())?;
        if spheres.len() != self.record.spheres {
            return Err(format!("the last search was of {} spheres", self.record.spheres));
        }
        match &self.structure {
            Some((_, structure)) => structure.check(&system),
            None => Ok(()),
        }
    }

    /// What the last search did and what it cost.
    pub fn statistics(&self) -> Statistics {
        let structure = self.structure.as_ref();
        Statistics {
            method: structure.map_or(self.method, |(method, _)| *method).name(),
            reason: self.record.reason.to_string(),
            structure: structure.map_or(String::new(), |(_, structure)| structure.describe()),
            pair_tests: self.candidates.tests(),
            candidates: self.candidates.len(),
            contacts: self.record.contacts,
            survey: self.record.survey,
            search: self.record.search,
            resolve: self.record.resolve,
            extra_memory: structure.map_or(0, |(_, structure)| structure.memory())
                + self.candidates.memory()
                + (self.contacts.capacity() - self.listed) * size_of::<Contact>(),
        }
    }
}
