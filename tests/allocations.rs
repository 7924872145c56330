//! A search repeated on similar input allocates nothing; nor do contact points.

#![allow(clippy::unwrap_used)]

use carom::detect::inside::{FillRule, PenetratingNodeBuffers, PenetratingNodes, Solid};
use carom::detect::narrow::{ClosestFeatures, ContactManifold};
use carom::geometry::mesh::octahedron_sphere;
use carom::geometry::{Pose, Vector};
use carom::{Boundary, BroadPhaseMethod, ContactSearch, Sphere};
use carom_tests::polyhedra::prism;
use carom_tests::{RandomSpheres, methods};

#[test]
fn a_kept_search_allocates_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        for periods in [[None; 3], [Some(6.0); 3]] {
            let boundary = Boundary::periodic(periods).unwrap();
            let spheres = RandomSpheres::new(31).spheres::<3>(4000, 6.0, 0.2);
            // A triangulation is rebuilt.
            let kept =
                methods::<3>().into_iter().filter(|method| *method != BroadPhaseMethod::Delaunay);
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
        ContactManifold::between(prism, &Pose::identity(), prism, &above, &found, 1e-6)
            .points()
            .len()
    };
    // The room that the largest face needs is allocated once.
    assert_eq!(touch(0.1), 8);
    let counted = allocation_counter::measure(|| assert_eq!(touch(0.11), 8));
    assert_eq!(counted.count_total, 0);
}

#[test]
fn corners_of_bodies_in_each_other_are_found_again_without_allocating() {
    let ball = Solid::new(octahedron_sphere(4), FillRule::EvenOdd, 1000);
    let (mut room, mut found) = (PenetratingNodeBuffers::default(), PenetratingNodes::default());
    let mut find = |away: f64| {
        let pose = Pose::at([away, 0.1, 0.2].into());
        ball.find_penetrating_nodes(&Pose::identity(), &ball, &pose, &mut room, &mut found);
        assert_eq!(found, ball.penetrating_nodes(&Pose::identity(), &ball, &pose));
        [found.of_first.len(), found.of_second.len()]
    };
    let deepest = find(1.5);
    assert!(deepest[0] > 10 && deepest[1] > 10);
    assert!(find(1.6)[0] < deepest[0]);
    assert_eq!(find(3.0), [0, 0]);
    for away in [1.6, 1.5, 3.0] {
        let pose = Pose::at([away, 0.1, 0.2].into());
        let counted = allocation_counter::measure(|| {
            ball.find_penetrating_nodes(&Pose::identity(), &ball, &pose, &mut room, &mut found);
        });
        assert_eq!(counted.count_total, 0, "{away}");
    }
}
