//! Power centers, against big integers and by their definition.

use super::*;

/// Returns sites in a plane perpendicular to no axis (in 2D, on a line), except for one shifted out of it.
fn flat_sites<const D: usize, const N: usize>(
    random: &mut PredicateTestRandom,
) -> [WeightedSite<D>; N] {
    std::array::from_fn(|number| {
        let mut center: Vector<D> =
            Vector::from_fn(|_, _| random.below(2048) as f64 / 1024.0 - 1.0);
        center[0] = center.iter().skip(1).map(|x| 0.75 * x).sum::<f64>();
        let radius = random.uniform();
        WeightedSite { center, radius, shift: std::array::from_fn(|_| i8::from(number == 0)) }
    })
}

fn assert_centers_are_right<const D: usize, const N: usize>() {
    let mut random = PredicateTestRandom::new(41);
    let (mut decided, mut undecided) = (0, 0);
    for _ in 0..4000 {
        let sites: [WeightedSite<D>; N] = flat_sites(&mut random);
        let mut period = Vector::zeros();
        period[D - 1] = random.uniform() * 2f64.powi(-(random.below(90) as i32));
        let Some(exact) = big_integer::center(&sites, &period) else { continue };
        match double_double::center(&sites, &period) {
            Some(center) => {
                decided += 1;
                let off = (center - exact).norm();
                assert!(off < 1e-9 * exact.norm(), "{center} instead of {exact} for {sites:?}");
            }
            None => undecided += 1,
        }
        // At any scale the center scales alike.
        for scale in [2f64.powi(-190), 2f64.powi(190)] {
            let scaled = sites.map(|site| WeightedSite {
                center: site.center * scale,
                radius: site.radius * scale,
                ..site
            });
            let center = power_center(&scaled, &(period * scale)).unwrap() / scale;
            assert!((center - exact).norm() < 1e-9 * exact.norm(), "{scale:e}: {center} {exact}");
        }
    }
    assert!(decided > 1000 && undecided > 10, "{decided} decided, {undecided} not");
}

#[test]
fn centers_of_flat_simplices_are_those_of_big_integers() {
    assert_centers_are_right::<2, 3>();
    assert_centers_are_right::<3, 4>();
}

#[test]
fn centers_have_equal_powers() {
    let mut random = PredicateTestRandom::new(42);
    for _ in 0..1000 {
        let sites: [WeightedSite<3>; 4] = std::array::from_fn(|_| WeightedSite {
            center: random.vector(),
            radius: random.uniform(),
            shift: std::array::from_fn(|_| random.below(3) as i8 - 1),
        });
        let period = Vector::from([2.0, 3.0, 1.7]);
        let place = |site: &WeightedSite<3>| {
            site.center + Vector::from_fn(|axis, _| f64::from(site.shift[axis]) * period[axis])
        };
        let center = place(&sites[3]) + power_center(&sites, &period).unwrap();
        let power = |site: &WeightedSite<3>| {
            (center - place(site)).norm_squared() - site.radius * site.radius
        };
        let size = 1e-13 * (10.0 + center.norm_squared());
        for site in &sites[..3] {
            assert!((power(site) - power(&sites[3])).abs() < size, "{sites:?}");
        }
    }
}

#[test]
fn sites_in_a_plane_have_no_center() {
    let site =
        |x, y, z| WeightedSite { center: Vector::from([x, y, z]), radius: 0.5, shift: [0; 3] };
    let square = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[x, y]| site(x, y, x + y));
    assert_eq!(power_center(&square, &Vector::zeros()), None);
}
