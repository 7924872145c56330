//! The contract of broad phases: one suite, every method, both dimensions.

#![allow(clippy::unwrap_used)]

use carom::detect::Error;
use carom::{Boundary, BroadPhaseMethod, ContactSearch, Sphere};
use carom_tests::{RandomSpheres, assert_every_method_agrees, methods};

/// Writes a test once and runs it in two and three dimensions.
macro_rules! in_both_dimensions {
    ($(fn $name:ident<const D: usize>() $body:block)*) => {
        mod discs {
            $(#[test] fn $name() { super::cases::$name::<2>(); })*
        }
        mod spheres {
            $(#[test] fn $name() { super::cases::$name::<3>(); })*
        }
        mod cases {
            use super::*;
            $(pub fn $name<const D: usize>() $body)*
        }
    };
}

const OPEN_TWO: [Option<f64>; 2] = [None; 2];

fn sphere<const D: usize>(x: f64, y: f64, radius: f64) -> Sphere<D> {
    let mut center = [0.0; D];
    (center[0], center[1]) = (x, y);
    Sphere::new(center, radius)
}

in_both_dimensions! {
    fn nothing_touches_in_an_empty_system<const D: usize>() {
        assert_every_method_agrees::<D>(&[], [None; D]);
        assert_every_method_agrees::<D>(&[], [Some(1.0); D]);
    }

    fn one_sphere_touches_nothing<const D: usize>() {
        assert_every_method_agrees(&[sphere::<D>(3.0, -4.0, 2.0)], [None; D]);
        assert_every_method_agrees(&[sphere::<D>(3.0, -4.0, 0.2)], [Some(1.0); D]);
    }

    fn coincident_centers_are_contacts<const D: usize>() {
        let spheres = [sphere::<D>(1.0, 2.0, 0.5), sphere(1.0, 2.0, 0.25), sphere(1.0, 2.0, 0.0)];
        assert_every_method_agrees(&spheres, [None; D]);
    }

    fn exact_touching_is_a_contact_and_a_hair_less_is_none<const D: usize>() {
        let spheres = [
            sphere::<D>(0.0, 0.0, 0.5),
            sphere(1.0, 0.0, 0.5),
            sphere(0.0, 1.0 + f64::EPSILON, 0.5),
            sphere(3.0, 4.0, 4.5),
        ];
        assert_every_method_agrees(&spheres, [None; D]);
        let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
        let found = search.find(&spheres[..3], &Boundary::open()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].overlap, 0.0);
    }

    fn points_touch_only_where_they_coincide<const D: usize>() {
        let mut spheres = RandomSpheres::new(1).spheres::<D>(300, 1.0, 0.0);
        spheres.push(spheres[7]);
        spheres.push(spheres[200]);
        assert_every_method_agrees(&spheres, [None; D]);
        assert_every_method_agrees(&spheres, [Some(1.0); D]);
    }

    fn all_in_one_cell<const D: usize>() {
        assert_every_method_agrees(&RandomSpheres::new(2).spheres::<D>(120, 1e-3, 5.0), [None; D]);
    }

    fn duplicates_touch_each_other<const D: usize>() {
        let spheres = vec![sphere::<D>(0.3, 0.6, 0.01); 90];
        assert_every_method_agrees(&spheres, [None; D]);
        assert_every_method_agrees(&spheres, [Some(1.0); D]);
    }

    fn one_giant_among_many_small<const D: usize>() {
        let mut spheres = RandomSpheres::new(3).spheres::<D>(1500, 1.0, 0.01);
        spheres[700] = Sphere::new([0.5; D], 0.225);
        assert_every_method_agrees(&spheres, [None; D]);
        assert_every_method_agrees(&spheres, [Some(1.0); D]);
        spheres[3] = Sphere::new([-1e6; D], 1e6);
        assert_every_method_agrees(&spheres, [None; D]);
    }

    fn collinear_along_any_axis_and_a_diagonal<const D: usize>() {
        for axis in 0..=D {
            let mut numbers = RandomSpheres::new(4);
            let spheres: Vec<_> = (0..600)
                .map(|_| {
                    let place = numbers.draw() * 50.0;
                    let center: [f64; D] =
                        std::array::from_fn(|a| if a == axis || axis == D { place } else { 0.0 });
                    Sphere::new(center, numbers.draw() * 0.1)
                })
                .collect();
            assert_every_method_agrees(&spheres, [None; D]);
        }
    }

    fn coordinates_around_a_hundred_million<const D: usize>() {
        let mut spheres = RandomSpheres::new(5).spheres::<D>(700, 10.0, 0.5);
        spheres.iter_mut().for_each(|sphere| sphere.center.add_scalar_mut(1e8));
        assert_every_method_agrees(&spheres, [None; D]);
        assert_every_method_agrees(&spheres, [Some(10.0); D]);
    }

    fn coordinates_around_a_hundred_millionth<const D: usize>() {
        let spheres = RandomSpheres::new(6).spheres::<D>(700, 1e-8, 4e-10);
        assert_every_method_agrees(&spheres, [None; D]);
        assert_every_method_agrees(&spheres, [Some(1e-8); D]);
    }

    fn coordinates_whose_squares_vanish<const D: usize>() {
        assert_every_method_agrees(&RandomSpheres::new(7).spheres::<D>(100, 1e-99, 1e-100), [None; D]);
    }

    fn coordinates_at_the_edge_of_the_allowed_range<const D: usize>() {
        assert_every_method_agrees(&RandomSpheres::new(8).spheres::<D>(300, 1e100, 1e99), [None; D]);
    }

    fn images_touch_across_every_side<const D: usize>() {
        let mut spheres = Vec::new();
        for code in 0..3usize.pow(D as u32) {
            let center: [f64; D] = std::array::from_fn(|axis| {
                [0.02, 0.5, 0.98][code / 3usize.pow(axis as u32) % 3] * 7.0
            });
            spheres.push(Sphere::new(center, 0.3));
        }
        assert_every_method_agrees(&spheres, [Some(7.0); D]);
    }

    fn random_spheres_in_a_box_periodic_on_some_axes<const D: usize>() {
        let spheres = RandomSpheres::new(9).spheres::<D>(900, 3.0, 0.1);
        for axis in 0..D {
            let mut periods = [Some(3.0); D];
            periods[axis] = None;
            assert_every_method_agrees(&spheres, periods);
        }
    }

    fn a_box_two_diameters_wide<const D: usize>() {
        let spheres = RandomSpheres::new(10).spheres::<D>(80, 1.0, 0.25);
        assert_every_method_agrees(&spheres, [Some(1.0); D]);
        assert_every_method_agrees(&[sphere::<D>(0.0, 0.0, 0.25), sphere(0.5, 0.0, 0.25)], [Some(1.0); D]);
    }

    fn coordinates_far_outside_a_periodic_box_are_images<const D: usize>() {
        let mut spheres = RandomSpheres::new(11).spheres::<D>(400, 2.0, 0.1);
        for (index, sphere) in spheres.iter_mut().enumerate() {
            sphere.center[index % D] += 2.0 * (index as f64 - 200.0);
        }
        assert_every_method_agrees(&spheres, [Some(2.0); D]);
    }

    fn contacts_that_only_the_last_bit_decides<const D: usize>() {
        let mut numbers = RandomSpheres::new(14);
        for _ in 0..200 {
            let from: [f64; D] = std::array::from_fn(|_| numbers.draw());
            let step: [f64; D] = std::array::from_fn(|axis| {
                if numbers.draw() < 0.3 && axis > 0 { 0.0 } else { numbers.draw() - 0.5 }
            });
            let to: [f64; D] = std::array::from_fn(|axis| from[axis] + step[axis]);
            let squared: f64 = (0..D).map(|axis| (to[axis] - from[axis]).powi(2)).sum();
            let part = numbers.draw() * squared.sqrt();
            let rest = squared.sqrt() - part;
            for rest in [rest, rest.next_down(), rest.next_up()] {
                let spheres = [Sphere::new(from, part), Sphere::new(to, rest.max(0.0))];
                assert_every_method_agrees(&spheres, [None; D]);
                assert_every_method_agrees(&spheres, [Some(8.0); D]);
            }
        }
    }

    fn a_clump_and_a_far_outlier<const D: usize>() {
        let mut spheres = RandomSpheres::new(12).spheres::<D>(2000, 1.0, 0.01);
        spheres.push(Sphere::new([1e7; D], 0.01));
        spheres.push(Sphere::new([1e7 + 0.015; D], 0.02));
        spheres.push(Sphere::new([-1e5; D], 1e5));
        assert_every_method_agrees(&spheres, [None; D]);
        let mut periods = [None; D];
        periods[0] = Some(1e6);
        assert_every_method_agrees(&spheres, periods);
    }

    fn a_periodic_axis_far_shorter_than_the_others<const D: usize>() {
        let mut spheres = RandomSpheres::new(15).spheres::<D>(150, 3.0, 0.01);
        let mut far = [0.5; D];
        far[1] = 1e8;
        spheres.push(Sphere::new(far, 0.01));
        let mut periods = [None; D];
        periods[0] = Some(1.0);
        assert_every_method_agrees(&spheres, periods);
        periods[0] = Some(0.04);
        assert_every_method_agrees(&spheres, periods);
    }

    fn coordinates_a_trillion_periods_away_are_refused<const D: usize>() {
        let boundary = Boundary::periodic([Some(1.0); D]).unwrap();
        for method in methods::<D>() {
            let spheres = [sphere::<D>(0.5, 0.5, 0.1), sphere(1e14, 0.5, 0.1)];
            let error = ContactSearch::new(method).find(&spheres, &boundary).unwrap_err();
            assert!(matches!(error, Error::TooFarFromTheBox { index: 1, axis: "x", .. }), "{error}");
        }
        let mut spheres = RandomSpheres::new(16).spheres::<D>(100, 1.0, 0.1);
        spheres[7].center[0] += 1e11;
        assert_every_method_agrees(&spheres, [Some(1.0); D]);
    }

    fn a_region_so_small_that_its_inverse_is_infinite<const D: usize>() {
        for radius in [1.0, 0.0, 1e-312] {
            let spheres: Vec<_> = (0..150).map(|i| sphere::<D>(i as f64 * 1e-312, 0.0, radius)).collect();
            assert_every_method_agrees(&spheres, [None; D]);
        }
    }

    fn negative_zero_is_a_radius<const D: usize>() {
        let mut spheres = RandomSpheres::new(17).spheres::<D>(2000, 1.0, 0.0);
        spheres.iter_mut().for_each(|sphere| sphere.radius = -0.0);
        spheres[3].radius = 0.3;
        assert_every_method_agrees(&spheres, [None; D]);
    }

    fn flat_and_needle_shaped_regions<const D: usize>() {
        for flatness in [1e-12, 1e-6, 1e6] {
            let mut spheres = RandomSpheres::new(18).spheres::<D>(1200, 1.0, 0.02);
            spheres.iter_mut().for_each(|sphere| sphere.center[D - 1] *= flatness);
            assert_every_method_agrees(&spheres, [None; D]);
        }
    }

    fn one_sphere_that_flew_away<const D: usize>() {
        for distance in [1e9, 1e15, 1e60] {
            let mut spheres = RandomSpheres::new(19).spheres::<D>(1500, 1.0, 0.01);
            spheres[5].center[0] = -distance;
            assert_every_method_agrees(&spheres, [None; D]);
        }
    }

    fn sizes_over_twelve_orders_of_magnitude<const D: usize>() {
        let mut numbers = RandomSpheres::new(13);
        let spheres: Vec<_> = (0..800)
            .map(|_| {
                let center: [f64; D] = std::array::from_fn(|_| numbers.draw());
                Sphere::new(center, 0.2 * 10f64.powf(-12.0 * numbers.draw()))
            })
            .collect();
        assert_every_method_agrees(&spheres, [None; D]);
        assert_every_method_agrees(&spheres, [Some(1.0); D]);
    }

    fn contacts_on_a_lattice_of_touching_spheres<const D: usize>() {
        let spheres: Vec<_> = (0..7usize.pow(D as u32))
            .map(|site| {
                let center: [f64; D] =
                    std::array::from_fn(|axis| (site / 7usize.pow(axis as u32) % 7) as f64);
                Sphere::new(center, 0.5)
            })
            .collect();
        assert_every_method_agrees(&spheres, [None; D]);
        assert_every_method_agrees(&spheres, [Some(7.0); D]);
    }

    fn a_search_follows_spheres_that_move<const D: usize>() {
        for periods in [[None; D], [Some(3.0); D]] {
            let boundary = Boundary::periodic(periods).unwrap();
            for method in methods::<D>() {
                let mut numbers = RandomSpheres::new(23);
                let mut spheres = numbers.spheres::<D>(500, 3.0, 0.1);
                let mut search = ContactSearch::new(method);
                for step in [0.0, 0.001, 0.01, 0.01, 0.1, 0.1, 3.0] {
                    for sphere in &mut spheres {
                        sphere.center.iter_mut().for_each(|x| *x += step * (numbers.draw() - 0.5));
                    }
                    let found = search.find(&spheres, &boundary).unwrap();
                    let expected = carom_tests::expected(&spheres, periods);
                    assert_eq!(found, expected, "{method:?} in {D}D, steps of {step}");
                    search.check(&spheres, &boundary).unwrap();
                }
                let other = Boundary::periodic([Some(4.0); D]).unwrap();
                let found = search.find(&spheres, &other).unwrap();
                assert_eq!(found, carom_tests::expected(&spheres, [Some(4.0); D]), "{method:?}");
            }
        }
    }

    fn a_sphere_wider_than_half_the_period_is_refused<const D: usize>() {
        let spheres = [sphere::<D>(0.1, 0.1, 0.1), sphere(0.5, 0.5, 0.26)];
        let boundary = Boundary::periodic([Some(1.0); D]).unwrap();
        for method in methods::<D>() {
            let error = ContactSearch::new(method).find(&spheres, &boundary).unwrap_err();
            assert_eq!(
                error.to_string(),
                "sphere 1 has diameter 0.52, more than half the period 1.0 of axis x; \
                 enlarge the box or make that axis open"
            );
        }
    }

    fn numbers_that_cannot_be_used_are_refused_by_name<const D: usize>() {
        let good = sphere::<D>(0.0, 0.0, 1.0);
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e101] {
            for method in methods::<D>() {
                let mut search = ContactSearch::new(method);
                let spheres = [good, good, sphere(0.0, value, 1.0)];
                let error = search.find(&spheres, &Boundary::open()).unwrap_err();
                assert!(matches!(error, Error::NotUsable { index: 2, what: "y", .. }), "{error}");
                let error = search.find(&[good, sphere(0.0, 0.0, value)], &Boundary::open());
                let error = error.unwrap_err();
                match value == f64::NEG_INFINITY {
                    true => assert!(error.to_string().contains("radius"), "{error}"),
                    false => {
                        assert!(matches!(error, Error::NotUsable { index: 1, what: "radius", .. }))
                    }
                }
                let error = search.find(&[good, sphere(0.0, 0.0, -1e-300)], &Boundary::open());
                assert!(matches!(error.unwrap_err(), Error::NegativeRadius { index: 1, .. }));
                // A refused search leaves the next one unharmed.
                assert_eq!(search.find(&[good, good], &Boundary::open()).unwrap().len(), 1);
            }
        }
    }
}

#[test]
fn settings_without_sense_are_refused() {
    use carom::detect::broad::{CellSize, DistanceSortOrigin};
    for mean in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let method = BroadPhaseMethod::<2>::LinkedCells(CellSize::MeanNumber(mean));
        assert!(ContactSearch::new(method).find(&[], &Boundary::open()).is_err());
    }
    let method = BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Point([f64::NAN, 0.0].into()));
    assert!(ContactSearch::new(method).find(&[], &Boundary::open()).is_err());
}

#[test]
fn a_search_grows_and_shrinks_with_its_input() {
    for method in methods::<2>() {
        let mut search = ContactSearch::new(method);
        for count in [500, 3, 0, 800, 60] {
            let spheres = RandomSpheres::new(count as u64).spheres::<2>(count, 3.0, 0.1);
            let found = search.find(&spheres, &Boundary::open()).unwrap();
            assert_eq!(found, carom_tests::expected(&spheres, OPEN_TWO), "{method:?} {count}");
            search.check(&spheres, &Boundary::open()).unwrap();
            assert!(
                search
                    .check(
                        &[spheres, vec![Sphere::new([0.0, 0.0], 1.0)]].concat(),
                        &Boundary::open()
                    )
                    .is_err()
            );
        }
    }
}

#[test]
fn a_method_is_found_by_its_name() {
    for method in BroadPhaseMethod::<3>::ALL {
        assert_eq!(BroadPhaseMethod::from_name(method.name()), Some(method));
    }
    assert_eq!(BroadPhaseMethod::<3>::from_name("best"), None);
}
