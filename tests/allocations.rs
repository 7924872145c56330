//! A search repeated on similar input allocates nothing.

#![allow(clippy::unwrap_used)]

use carom::{Boundary, ContactSearch, Method, Sphere};
use carom_tests::{Numbers, methods};

#[test]
fn a_kept_search_allocates_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        for periods in [[None; 3], [Some(6.0); 3]] {
            let boundary = Boundary::periodic(periods).unwrap();
            let spheres = Numbers::new(31).spheres::<3>(4000, 6.0, 0.2);
            // A triangulation is built anew.
            let kept = methods::<3>().into_iter().filter(|method| *method != Method::Delaunay);
            for method in kept {
                let mut search = ContactSearch::new(method);
                let mut find =
                    |spheres: &[Sphere<3>]| search.find(spheres, &boundary).unwrap().len();
                let expected = find(&spheres);
                let counted = allocation_counter::measure(|| assert_eq!(find(&spheres), expected));
                assert_eq!(counted.count_total, 0, "{method:?} {periods:?}");
            }
        }
    });
}
