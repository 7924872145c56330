//! Other libraries, and the textbook, doing the same work.
//!
//! Each finds every pair of touching spheres exactly, from spheres in no order, each pair once, in
//! any order. Where a library offers several ways, the fastest one found is used; it is called in
//! the dimension of the workload, except `parry3d`, which has three only. What a test needs is kept
//! inside the library's structure where that is faster.

mod kiddo;
mod parry;
mod rstar;
mod textbook;
mod zelll;

use carom::{BodyPair, Sphere};

/// Another way to find the pairs.
pub struct Peer<const D: usize> {
    /// Name of the library.
    pub name: &'static str,
    /// Does the work.
    pub find: fn(&[Sphere<D>]) -> Vec<BodyPair>,
}

/// Returns all peers.
pub fn on_one_thread<const D: usize>() -> Vec<Peer<D>> {
    vec![
        Peer { name: "parry3d", find: parry::pairs },
        Peer { name: "kiddo", find: kiddo::pairs },
        Peer { name: "zelll", find: zelll::pairs },
        Peer { name: "rstar", find: rstar::pairs },
        Peer { name: "textbook", find: textbook::pairs },
    ]
}

/// Returns the peers that can share the search among threads.
pub fn on_many_threads<const D: usize>() -> Vec<Peer<D>> {
    vec![
        Peer { name: "parry3d", find: parry::pairs_in_parallel },
        Peer { name: "zelll", find: zelll::pairs_in_parallel },
    ]
}

/// A sphere and its place in the input.
#[derive(Clone, Copy, Debug)]
struct IndexedSphere<const D: usize> {
    sphere: Sphere<D>,
    index: u32,
}

impl<const D: usize> IndexedSphere<D> {
    fn all(spheres: &[Sphere<D>]) -> impl Iterator<Item = Self> + Clone {
        spheres
            .iter()
            .enumerate()
            .map(|(index, &sphere)| IndexedSphere { sphere, index: index as u32 })
    }
}

/// Whether two spheres touch: `r_a + r_b - |x_a - x_b| >= 0` in `f64`.
#[inline(always)]
fn touch<const D: usize>(a: &Sphere<D>, b: &Sphere<D>) -> bool {
    let reach = a.radius + b.radius;
    let distance_squared = (a.center - b.center).norm_squared();
    // The first test spares most pairs the square root; the factor covers its roundings.
    distance_squared <= reach * reach * (1.0 + 1e-12) && reach - distance_squared.sqrt() >= 0.0
}

fn largest_radius<const D: usize>(spheres: &[Sphere<D>]) -> f64 {
    spheres.iter().map(|sphere| sphere.radius).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::PairSet;
    use carom::scene::generate::{DEFAULT_SEED, PaperCase, paper_case_particles};

    fn by_comparing_all<const D: usize>(spheres: &[Sphere<D>]) -> Vec<BodyPair> {
        let mut pairs = Vec::new();
        for a in 0..spheres.len() {
            for b in a + 1..spheres.len() {
                if touch(&spheres[a], &spheres[b]) {
                    pairs.push(BodyPair::new(a as u32, b as u32));
                }
            }
        }
        pairs
    }

    fn all_agree<const D: usize>(case: PaperCase) {
        let spheres = paper_case_particles::<D>(case, 500, DEFAULT_SEED).unwrap();
        let expected = PairSet::new(by_comparing_all(&spheres).into_iter());
        for peer in on_one_thread().into_iter().chain(on_many_threads()) {
            let found = PairSet::new((peer.find)(&spheres).into_iter());
            assert_eq!(found, expected, "{} on {case}", peer.name);
        }
    }

    #[test]
    fn every_peer_finds_every_pair_of_spheres_once() {
        for case in [PaperCase::ThreeA, PaperCase::LogNormal, PaperCase::Big] {
            all_agree::<3>(case);
        }
    }

    #[test]
    fn every_peer_finds_every_pair_of_discs_once() {
        for case in [PaperCase::TwoA, PaperCase::PolydisperseTwo] {
            all_agree::<2>(case);
        }
    }
}
