//! carom and its peers as contenders of one race.

use crate::error::Error;
use crate::measure::{Contender, Found, Label, Run, Stopwatch};
use crate::peers::{self, Peer};
use crate::results::Kind;
use crate::workload::{Case, Field};
use carom::scene::generate::PaperCase;
use carom::{BodyPair, Boundary, BroadPhaseMethod, ContactSearch, Sphere};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Instant;

/// Above this many particles comparing all pairs is not worth the wait.
const MOST_FOR_ALL_PAIRS: usize = 10_000;

/// Threads to run on.
pub struct Threads {
    pool: ThreadPool,
    count: usize,
}

impl Threads {
    /// A pool of `count` threads.
    pub fn new(count: usize) -> Result<Self, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(count).build()?;
        Ok(Threads { pool, count })
    }
}

/// Everyone who takes part in a case; carom's own choice is the first.
pub fn contenders<'a, const D: usize>(
    case: &Case,
    spheres: &'a [Sphere<D>],
    one: &'a Threads,
    many: &'a Threads,
) -> Vec<Box<dyn Contender + 'a>> {
    let mut all = carom_alone(spheres, one);
    if case.field == Field::CaromOnly {
        return all;
    }
    for method in
        BroadPhaseMethod::ALL.into_iter().filter(|method| *method != BroadPhaseMethod::Auto)
    {
        all.push(match why_hopeless(&method, case) {
            Some(reason) => Box::new(Hopeless { method: method.name(), reason }),
            None => Box::new(Kept::new(method, spheres, one)),
        });
    }
    for peer in peers::on_one_thread() {
        all.push(Box::new(Afresh { peer, spheres, threads: one }));
    }
    if case.field == Field::EveryoneAlsoParallel {
        all.push(Box::new(Kept::new(BroadPhaseMethod::Auto, spheres, many)));
        for peer in peers::on_many_threads() {
            all.push(Box::new(Afresh { peer, spheres, threads: many }));
        }
    }
    all
}

/// carom's own choice, with its buffers kept and with fresh ones.
pub fn carom_alone<'a, const D: usize>(
    spheres: &'a [Sphere<D>],
    threads: &'a Threads,
) -> Vec<Box<dyn Contender + 'a>> {
    vec![
        Box::new(Kept::new(BroadPhaseMethod::Auto, spheres, threads)),
        Box::new(Cold { method: BroadPhaseMethod::Auto, spheres, threads }),
    ]
}

/// Why a method would compare nearly all of very many pairs, if it would.
fn why_hopeless<const D: usize>(method: &BroadPhaseMethod<D>, case: &Case) -> Option<&'static str> {
    if case.count <= MOST_FOR_ALL_PAIRS {
        return None;
    }
    match method {
        BroadPhaseMethod::AllPairs => Some("too many particles to compare all"),
        BroadPhaseMethod::LinkedCells(_) | BroadPhaseMethod::CellTree
            if case.workload == PaperCase::Big =>
        {
            Some("cells as wide as the big sphere hold nearly all the others")
        }
        _ => None,
    }
}

/// One of carom's methods that is named but not run.
struct Hopeless {
    method: &'static str,
    reason: &'static str,
}

impl Contender for Hopeless {
    fn label(&self) -> Label {
        Label { method: self.method, kind: Kind::Own, threads: 1 }
    }

    fn run(&mut self) -> Result<Run, Error> {
        Err(Error::Hopeless(self.reason))
    }
}

/// One of carom's methods with its buffers kept, as a simulation uses it.
struct Kept<'a, const D: usize> {
    search: ContactSearch<D>,
    method: BroadPhaseMethod<D>,
    spheres: &'a [Sphere<D>],
    threads: &'a Threads,
}

impl<'a, const D: usize> Kept<'a, D> {
    fn new(method: BroadPhaseMethod<D>, spheres: &'a [Sphere<D>], threads: &'a Threads) -> Self {
        Kept { search: ContactSearch::new(method), method, spheres, threads }
    }
}

impl<const D: usize> Contender for Kept<'_, D> {
    fn label(&self) -> Label {
        Label { method: self.method.name(), kind: Kind::Own, threads: self.threads.count }
    }

    fn run(&mut self) -> Result<Run, Error> {
        let (search, spheres) = (&mut self.search, self.spheres);
        self.threads.pool.install(|| find(search, spheres))
    }
}

/// One of carom's methods that has to allocate everything each time.
struct Cold<'a, const D: usize> {
    method: BroadPhaseMethod<D>,
    spheres: &'a [Sphere<D>],
    threads: &'a Threads,
}

impl<const D: usize> Contender for Cold<'_, D> {
    fn label(&self) -> Label {
        Label { method: self.method.name(), kind: Kind::OwnCold, threads: self.threads.count }
    }

    fn run(&mut self) -> Result<Run, Error> {
        self.threads.pool.install(|| {
            let mut search = ContactSearch::new(self.method);
            let mut run = find(&mut search, self.spheres)?;
            // The peers give their memory back within the time measured, so this does too.
            let start = Instant::now();
            drop(search);
            run.elapsed += start.elapsed();
            Ok(run)
        })
    }
}

fn find<const D: usize>(
    search: &mut ContactSearch<D>,
    spheres: &[Sphere<D>],
) -> Result<Run, Error> {
    let boundary = Boundary::open();
    let watch = Stopwatch::start();
    let contacts = search.find(spheres, &boundary)?;
    let (elapsed, peak) = watch.stop();
    Ok(Run {
        elapsed,
        found: Found::new(contacts.iter().map(|contact| contact.pair)),
        extra_bytes: Some(peak.saturating_sub(size_of_val(contacts))),
    })
}

/// A peer, which builds its structure from nothing each time.
struct Afresh<'a, const D: usize> {
    peer: Peer<D>,
    spheres: &'a [Sphere<D>],
    threads: &'a Threads,
}

impl<const D: usize> Contender for Afresh<'_, D> {
    fn label(&self) -> Label {
        Label { method: self.peer.name, kind: self.peer.kind, threads: self.threads.count }
    }

    fn run(&mut self) -> Result<Run, Error> {
        self.threads.pool.install(|| {
            let watch = Stopwatch::start();
            let pairs: Vec<BodyPair> = (self.peer.find)(self.spheres);
            let (elapsed, peak) = watch.stop();
            Ok(Run {
                elapsed,
                found: Found::new(pairs.iter().copied()),
                extra_bytes: Some(peak.saturating_sub(size_of_val(&pairs[..]))),
            })
        })
    }
}
