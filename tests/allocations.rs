//! A search repeated on similar input allocates nothing; nor do points of contact.

#![allow(clippy::unwrap_used)]

use carom::detect::narrow::{ClosestFeatures, Manifold};
use carom::geometry::{Pose, Vector};
use carom::{Boundary, ContactSearch, Method, Sphere};
use carom_tests::polyhedra::prism;
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

#[test]
fn points_of_contact_of_faces_of_many_corners_allocate_nothing() {
    let prism = &prism(460, 0.5, 0.4);
    let mut query = ClosestFeatures::new();
    let mut touch = |shift: f64| {
        let above = Pose::at(Vector::from([shift, 0.5 * shift, 0.4 - 1e-3]));
        let found = query.query(prism, &Pose::identity(), prism, &above);
        Manifold::between(prism, &Pose::identity(), prism, &above, &found, 1e-6).points().len()
    };
    // The room that the largest face needs is made once.
    assert_eq!(touch(0.1), 8);
    let counted = allocation_counter::measure(|| assert_eq!(touch(0.11), 8));
    assert_eq!(counted.count_total, 0);
}
