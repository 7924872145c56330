//! Comparison of every stage with big integers, over families of nearly degenerate sites.

mod centers;

use super::fixed_width_integer::FixedWidthInteger;
use super::*;
use crate::random::SplitMix64;
use num_bigint::BigInt;
use std::cmp::Ordering::{Equal, Greater, Less};

/// Random numbers and choices for the families of sites.
struct PredicateTestRandom(SplitMix64);

impl PredicateTestRandom {
    fn new(seed: u64) -> Self {
        PredicateTestRandom(SplitMix64::new(seed))
    }
    fn next(&mut self) -> u64 {
        self.0.bits()
    }
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
    fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }
    fn centered(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }
    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }
    fn one_of_or_uniform(&mut self, values: &[f64]) -> f64 {
        let uniform = self.uniform();
        values.get(self.below(values.len() as u64 + 1) as usize).copied().unwrap_or(uniform)
    }
    fn vector<const D: usize>(&mut self) -> Vector<D> {
        Vector::from_fn(|_, _| self.centered())
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    Uniform,
    Lattice,
    Cospherical,
    Coplanar,
    Sparse,
}

const FAMILIES: [Family; 5] =
    [Family::Uniform, Family::Lattice, Family::Cospherical, Family::Coplanar, Family::Sparse];

/// Returns sites of a family, with shifts and sometimes coincident ones.
fn sites<const D: usize, const N: usize>(
    random: &mut PredicateTestRandom,
    family: Family,
    scale: f64,
    period: &Vector<D>,
) -> [WeightedSite<D>; N] {
    let spacing = random.one_of(&[1.0, 0.5, 0.1, 1.1, 1.0 / 3.0]);
    let offset = random.one_of(&[0.0, 1.0, 100.0, 0.3]);
    let weighted = random.below(2) == 1;
    let normal = random.vector::<D>();
    let mut sites = std::array::from_fn(|_| {
        let radius = if weighted { random.one_of_or_uniform(&[0.25, 0.3, 0.2]) } else { 0.3 };
        let center = match family {
            Family::Uniform => random.vector() + Vector::repeat(offset),
            Family::Lattice => Vector::from_fn(|_, _| (random.below(3) as f64 + offset) * spacing),
            // Orthogonal to the sphere of radius one around the offset.
            Family::Cospherical => {
                random.vector::<D>().normalize() * (1.0 + radius * radius).sqrt()
                    + Vector::repeat(offset)
            }
            Family::Coplanar => {
                let place = random.vector::<D>();
                place - normal * (place.dot(&normal) / normal.norm_squared())
            }
            Family::Sparse => {
                random.vector::<D>().map(|x: f64| x * 10f64.powi(random.below(360) as i32 - 300))
            }
        };
        let shift =
            std::array::from_fn(
                |axis| {
                    if period[axis] > 0.0 { random.below(4) as i8 - 2 } else { 0 }
                },
            );
        let center = center.map(|x: f64| nudged(x, random) * scale);
        WeightedSite { center, radius: radius * scale, shift }
    });
    if random.below(8) == 0 {
        sites[N - 1].center = sites[0].center;
    }
    if random.below(32) == 0 {
        sites[N - 1] = sites[1];
    }
    sites
}

/// Returns the same number, or one adjacent to it.
fn nudged(x: f64, random: &mut PredicateTestRandom) -> f64 {
    match random.below(8) {
        0 => x.next_up(),
        1 => x.next_down(),
        _ => x,
    }
}

fn period<const D: usize>(random: &mut PredicateTestRandom, scale: f64) -> Vector<D> {
    if random.below(2) == 0 {
        return Vector::zeros();
    }
    Vector::from_fn(|_, _| random.one_of_or_uniform(&[0.0, 1.0, 0.3, 3.3]) * scale)
}

/// Returns the image as a sphere in `f64`, and the largest error of its coordinates.
fn image<const D: usize>(site: &WeightedSite<D>, period: &Vector<D>) -> (Sphere<D>, f64) {
    let mut rounding = 0f64;
    let center = Vector::from_fn(|axis, _| {
        let step = f64::from(site.shift[axis]) * period[axis];
        let place = site.center[axis] + step;
        if step != 0.0 {
            rounding = rounding.max(f64::EPSILON * (step.abs() + place.abs()) + 1e-320);
        }
        place
    });
    (Sphere { center, radius: site.radius }, rounding)
}

/// How often each stage decided.
#[derive(Debug, Default)]
struct PredicateStageCounts {
    all: usize,
    zero: usize,
    estimate: usize,
    grid: usize,
    double_double: usize,
}

impl PredicateStageCounts {
    fn hold(
        &mut self,
        truth: Ordering,
        [estimate, grid, double_double]: [Option<Ordering>; 3],
        context: &dyn std::fmt::Debug,
    ) {
        self.all += 1;
        self.zero += usize::from(truth == Equal);
        for (answer, count) in [
            (estimate, &mut self.estimate),
            (grid, &mut self.grid),
            (double_double, &mut self.double_double),
        ] {
            *count += usize::from(answer.is_some());
            assert!(
                answer.is_none_or(|sign| sign == truth),
                "{answer:?}, not {truth:?}: {context:?}"
            );
        }
    }
}

/// Compares all stages with each other for random sites of one family; `M` is `D + 1`, `N` is `D + 2`.
fn compare<const D: usize, const M: usize, const N: usize>(
    family: Family,
    scale: f64,
    seed: u64,
) -> [PredicateStageCounts; 2] {
    let mut random = PredicateTestRandom::new(seed);
    let (mut turned, mut lifted) =
        (PredicateStageCounts::default(), PredicateStageCounts::default());
    for _ in 0..2000 {
        let period = period::<D>(&mut random, scale);
        let sites: [WeightedSite<D>; N] = sites(&mut random, family, scale, &period);
        let images = sites.map(|site| image(&site, &period));
        let rounding = images.iter().fold(0f64, |most, image| most.max(image.1));
        let context = (family, scale, seed, &sites, &period);

        let simplex: [WeightedSite<D>; M] = std::array::from_fn(|i| sites[i]);
        let points = std::array::from_fn::<_, M, _>(|i| &images[i].0.center);
        let truth = big_integer::orientation(&simplex, &period);
        assert_eq!(orientation_exact(&simplex, &period), truth, "{context:?}");
        let answers = [
            orientation_estimate(points, rounding),
            integer_grid::orientation(&simplex, &period),
            double_double::orientation(&simplex, &period),
        ];
        turned.hold(truth, answers, &context);

        let spheres = std::array::from_fn::<_, N, _>(|i| &images[i].0);
        let truth = big_integer::power(&sites, &period);
        assert_eq!(power_exact(&sites, &period), truth, "{context:?}");
        let answers = [
            power_estimate(spheres, rounding),
            integer_grid::power(&sites, &period),
            double_double::power(&sites, &period),
        ];
        lifted.hold(truth, answers, &context);
    }
    [turned, lifted]
}

#[test]
fn no_stage_contradicts_big_integers() {
    for (seed, family) in FAMILIES.into_iter().enumerate() {
        for scale in [1.0, 1e-20, 1e-60, 1e-160, 1e-300, 1e30, 1e57, 1e100, 1e250] {
            if family == Family::Sparse && scale > 1e60 {
                continue;
            }
            compare::<2, 3, 4>(family, scale, seed as u64);
            compare::<3, 4, 5>(family, scale, seed as u64);
        }
    }
}

#[test]
fn every_stage_answers_what_it_is_for() {
    for dimension in [2, 3] {
        let compare = |family| match dimension {
            2 => compare::<2, 3, 4>(family, 1.0, 7),
            _ => compare::<3, 4, 5>(family, 1.0, 7),
        };
        for answers in compare(Family::Uniform) {
            assert!(answers.estimate > answers.all * 8 / 10, "{answers:?}");
            assert!(answers.double_double > answers.all * 8 / 10, "{answers:?}");
        }
        for answers in compare(Family::Lattice) {
            assert!(answers.zero > answers.all / 20, "{answers:?}");
            assert!(answers.grid > answers.all / 2, "{answers:?}");
        }
        let [_, power] = compare(Family::Cospherical);
        assert!(power.estimate < power.all * 9 / 10, "{power:?}");
        assert!(power.double_double + power.zero > power.all * 9 / 10, "{power:?}");
        let [orientation, _] = compare(Family::Coplanar);
        assert!(orientation.estimate < orientation.all * 9 / 10, "{orientation:?}");
    }
}

/// Asserts that estimates hold for all exact positions within the stated rounding.
fn estimates_hold_within<const D: usize, const M: usize, const N: usize>(rounding: f64) {
    let mut random = PredicateTestRandom::new(rounding.to_bits());
    let mut answered = 0;
    for _ in 0..3000 {
        let family = random.one_of(&[Family::Uniform, Family::Cospherical, Family::Coplanar]);
        let period = Vector::zeros();
        let given: [WeightedSite<D>; N] = sites(&mut random, family, 1.0, &period);
        let spheres = given.map(|site| Sphere { center: site.center, radius: site.radius });
        let simplex = std::array::from_fn::<_, M, _>(|i| &spheres[i].center);
        let orientation = orientation_estimate(simplex, rounding);
        let power = power_estimate(spheres.each_ref(), rounding);
        answered += usize::from(orientation.is_some() && power.is_some());
        for _ in 0..4 {
            // At the corners of the allowed errors, where determinants are extreme; slightly less, because
            // the sum is rounded too.
            let truth = given.map(|site| WeightedSite {
                center: site.center.map(|x| x + 0.999 * rounding * random.one_of(&[-1.0, 1.0])),
                ..site
            });
            let simplex: [WeightedSite<D>; M] = std::array::from_fn(|i| truth[i]);
            assert!(orientation.is_none_or(|sign| sign == orientation_exact(&simplex, &period)));
            assert!(power.is_none_or(|sign| sign == power_exact(&truth, &period)));
        }
    }
    assert!(answered > 50, "{answered}");
}

#[test]
fn estimates_allow_for_wrong_coordinates() {
    for rounding in [1e-12, 1e-6, 1e-4, 1e-3] {
        estimates_hold_within::<2, 3, 4>(rounding);
        estimates_hold_within::<3, 4, 5>(rounding);
    }
}

/// Returns the power in `f64`, which is accurate enough far from zero.
fn rough_power<const D: usize>(sites: &[WeightedSite<D>]) -> f64 {
    let last = &sites[D + 1];
    let rows = determinant::matrix_of_rows(D + 1, |i| {
        let step = sites[i].center - last.center;
        let weight = last.radius.powi(2) - sites[i].radius.powi(2);
        determinant::lifted::<f64, D>(determinant::padded::<f64, D>(|axis| step[axis]), &weight)
    });
    determinant::determinant(&rows, D + 1)
}

/// Takes the largest rounding at which the estimate decides, and moves every coordinate by as much in the
/// direction that works most against the decision.
fn estimates_withstand_the_worst<const D: usize, const N: usize>() {
    let mut random = PredicateTestRandom::new(11);
    let mut worst = f64::INFINITY;
    for _ in 0..3000 {
        let given: [WeightedSite<D>; N] = std::array::from_fn(|_| {
            let center =
                Vector::from_fn(|_, _| random.one_of(&[-1.0, 1.0]) + 0.2 * random.uniform());
            WeightedSite { center, radius: 0.0, shift: [0; D] }
        });
        let spheres = given.map(|site| Sphere { center: site.center, radius: site.radius });
        let mut rounding = 1.0;
        while rounding > 1e-9 && power_estimate(spheres.each_ref(), rounding).is_none() {
            rounding /= 1.1;
        }
        let Some(sign) = power_estimate(spheres.each_ref(), rounding) else { continue };
        let start = rough_power(&given);
        let mut moved = given;
        for (i, axis) in (0..2 * N * D).map(|turn| (turn % N, turn / N % D)) {
            let with = |by: f64| {
                let mut sites = moved;
                sites[i].center[axis] = given[i].center[axis] + by;
                sites
            };
            let [low, high] = [with(-rounding), with(rounding)];
            let low_is_worse = rough_power(&low) * start < rough_power(&high) * start;
            moved = if low_is_worse { low } else { high };
        }
        assert_eq!(power_exact(&moved, &Vector::zeros()), sign, "{given:?} {rounding}");
        worst = worst.min(rough_power(&moved) / start);
    }
    // Otherwise the bound would be far too wide, or the search for the worst case poor.
    assert!(worst < 0.98, "{worst}");
}

#[test]
fn estimates_hold_for_the_worst_of_wrong_coordinates() {
    estimates_withstand_the_worst::<2, 4>();
    estimates_withstand_the_worst::<3, 5>();
}

fn exchanges_and_translations<const D: usize, const M: usize, const N: usize>(seed: u64) {
    let mut random = PredicateTestRandom::new(seed);
    for round in 0..1000 {
        let family = FAMILIES[round % FAMILIES.len()];
        let period = period::<D>(&mut random, 1.0);
        let sites: [WeightedSite<D>; N] = sites(&mut random, family, 1.0, &period);
        let simplex: [WeightedSite<D>; M] = std::array::from_fn(|i| sites[i]);
        let (turned, lifted) = (orientation_exact(&simplex, &period), power_exact(&sites, &period));

        let first = random.below(M as u64) as usize;
        let second = (first + 1 + random.below(M as u64 - 1) as usize) % M;
        let mut exchanged = simplex;
        exchanged.swap(first, second);
        assert_eq!(orientation_exact(&exchanged, &period), turned.reverse(), "{sites:?}");
        let mut exchanged = sites;
        exchanged.swap(first, second);
        assert_eq!(power_exact(&exchanged, &period), lifted.reverse(), "{sites:?}");
        // Relative to the sphere exchanged for it, the last one is on the same side of the hyperplane
        // through the others, whose order has changed.
        let mut exchanged = sites;
        exchanged.swap(first, N - 1);
        assert_eq!(power_exact(&exchanged, &period), lifted.reverse(), "{sites:?}");

        let by: [i8; D] = std::array::from_fn(|_| random.below(200) as i8 / 2);
        let moved = |site: WeightedSite<D>| WeightedSite {
            shift: std::array::from_fn(|axis| site.shift[axis] + by[axis]),
            ..site
        };
        assert_eq!(orientation_exact(&simplex.map(moved), &period), turned, "{sites:?}");
        assert_eq!(power_exact(&sites.map(moved), &period), lifted, "{sites:?}");
    }
}

#[test]
fn an_exchange_reverses_and_whole_periods_change_nothing() {
    exchanges_and_translations::<2, 3, 4>(1);
    exchanges_and_translations::<3, 4, 5>(2);
}

/// Compares with the definition: the sphere orthogonal to the simplex, found by solving for its center.
fn power_against_definition<const D: usize, const N: usize>() {
    let mut random = PredicateTestRandom::new(3);
    let mut compared = 0;
    for _ in 0..2000 {
        let spheres: [Sphere<D>; N] =
            std::array::from_fn(|_| Sphere::new(random.vector(), 0.5 * random.uniform()));
        let lift = |sphere: &Sphere<D>| sphere.center.norm_squared() - sphere.radius.powi(2);
        let matrix = nalgebra::SMatrix::<f64, D, D>::from_fn(|i, axis| {
            2.0 * (spheres[i + 1].center - spheres[0].center)[axis]
        });
        let right = Vector::<D>::from_fn(|i, _| lift(&spheres[i + 1]) - lift(&spheres[0]));
        let Some(inverse) = matrix.try_inverse() else { continue };
        let center = inverse * right;
        let power =
            |sphere: &Sphere<D>| (sphere.center - center).norm_squared() - sphere.radius.powi(2);
        let height = (power(&spheres[N - 1]) - power(&spheres[0])) * inverse.norm().recip();
        if height.abs() > 1e-6 {
            let sites = spheres.map(|Sphere { center, radius }| WeightedSite {
                center,
                radius,
                shift: [0; D],
            });
            let expected = height * orientation_of_matrix(&matrix);
            let expected = if expected > 0.0 { Greater } else { Less };
            assert_eq!(power_exact(&sites, &Vector::zeros()), expected, "{spheres:?}");
            assert_eq!(power_estimate(spheres.each_ref(), 0.0), Some(expected));
            compared += 1;
        }
    }
    assert!(compared > 1500, "{compared}");
}

/// Returns `det[p1-p0; ..]` up to a positive factor.
fn orientation_of_matrix<const D: usize>(rows: &nalgebra::SMatrix<f64, D, D>) -> f64 {
    let row = |i: usize| rows.row(i).transpose();
    match D {
        2 => row(0)[0] * row(1)[1] - row(0)[1] * row(1)[0],
        _ => {
            let [a, b, c] = [0, 1, 2].map(|i| nalgebra::Vector3::from_fn(|j, _| row(i)[j]));
            a.dot(&b.cross(&c))
        }
    }
}

#[test]
fn power_is_the_distance_to_the_orthogonal_sphere() {
    power_against_definition::<2, 4>();
    power_against_definition::<3, 5>();
}

fn still<const D: usize>(center: [f64; D], radius: f64) -> WeightedSite<D> {
    WeightedSite { center: Vector::from(center), radius, shift: [0; D] }
}

#[test]
fn known_turns() {
    let flat = |points: [[f64; 2]; 3]| {
        let sites = points.map(|point| still(point, 0.0));
        orientation_exact(&sites, &Vector::zeros())
    };
    assert_eq!(flat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), Greater);
    assert_eq!(flat([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), Less);
    assert_eq!(flat([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]]), Equal);
    assert_eq!(flat([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3f64.next_up()]]), Greater);
    assert_eq!(flat([[0.0, 0.0], [1e-300, 1e60], [1e-300, 1e60]]), Equal);
    assert_eq!(flat([[0.0, 0.0], [1e-300, 1e60], [1e-300f64.next_up(), 1e60]]), Less);
    let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let sites = corner.map(|point| still(point, 0.0));
    assert_eq!(orientation_exact(&sites, &Vector::zeros()), Greater);
    let points = corner.map(Vector::from);
    assert_eq!(orientation_estimate(points.each_ref(), 0.0), Some(Greater));
}

#[test]
fn corners_of_a_box_are_cospherical_and_a_heavier_one_conflicts() {
    for (low, high, radius) in [(0.0, 1.0, 0.5), (0.1, 0.3, 0.1), (1e-9, 7.7, 0.7)] {
        let [a, b, c, d] = [[low; 3], [high, low, low], [low, high, low], [low, low, high]]
            .map(|corner| still(corner, radius));
        let power = |last: WeightedSite<3>| power_exact(&[a, b, c, d, last], &Vector::zeros());
        assert_eq!(power(still([high; 3], radius)), Equal);
        assert_eq!(power(still([high, high, high.next_up()], radius)), Greater);
        assert_eq!(power(still([high, high, high.next_down()], radius)), Less);
        assert_eq!(power(still([high; 3], radius.next_up())), Less);
        assert_eq!(power(still([high; 3], radius.next_down())), Greater);
    }
}

#[test]
fn of_coincident_spheres_the_heavier_one_conflicts() {
    let [a, b, c] = [[0.1, 0.2], [1.3, 0.1], [0.4, 1.7]].map(|center| still(center, 0.1));
    let power = |last: WeightedSite<2>| power_exact(&[a, b, c, last], &Vector::zeros());
    assert_eq!(power(b), Equal);
    assert_eq!(power(WeightedSite { radius: 0.1f64.next_up(), ..b }), Less);
    assert_eq!(power(WeightedSite { radius: 0.1f64.next_down(), ..b }), Greater);
}

#[test]
fn shifts_are_exact_where_sums_round() {
    // 0.1 + 2 * 0.3 is no `f64`; the nearest one lies beside the exact position.
    let period = Vector::from([0.3, 0.0]);
    let shifted = WeightedSite { shift: [2, 0], ..still([0.1, 1.0], 0.2) };
    let nearest = 0.1 + 2.0 * 0.3;
    let on_grid = |value: f64| BigInt::from((value * 2f64.powi(60)) as i64);
    let true_place = on_grid(0.1) + on_grid(0.3) * 2;
    let beside = on_grid(nearest).cmp(&true_place);
    assert_ne!(beside, Equal);
    // Whether the point above is to the right of the vertical line through the rounded position.
    let below = [still([nearest, 0.0], 0.2), still([nearest, -1.0], 0.2)];
    let turn = orientation_exact(&[below[1], below[0], shifted], &period);
    assert_eq!(turn, beside);
    let images = [shifted, WeightedSite { center: Vector::from([0.1, 0.5]), ..shifted }];
    let lower = WeightedSite { center: Vector::from([0.1, 7.5]), ..shifted };
    assert_eq!(orientation_exact(&[images[0], images[1], lower], &period), Equal);
}

#[test]
fn estimates_do_not_believe_what_is_not_a_number() {
    let strange = [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e308, 1e200, 1e-200, 5e-324, 0.0];
    for x in strange {
        for y in strange {
            let points = [[x, y, 1.0], [1.0, x, 0.0], [0.0, 1.0, x], [x, 0.0, y]].map(Vector::from);
            let answer = orientation_estimate(points.each_ref(), 0.0);
            let spheres = [[x, y], [1.0, x], [0.0, 1.0], [y, 0.0]].map(|c| Sphere::new(c, y));
            let power = power_estimate(spheres.each_ref(), 0.0);
            let sites = points.map(|center| WeightedSite { center, radius: 0.0, shift: [0; 3] });
            if x.is_finite() && y.is_finite() {
                let truth = orientation_exact(&sites, &Vector::zeros());
                assert!(answer.is_none_or(|sign| sign == truth), "{x} {y}");
            } else {
                assert_eq!((answer, power), (None, None), "{x} {y}");
            }
        }
    }
    let [a, b, c] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vector::from);
    for rounding in [f64::NAN, f64::INFINITY, 1e200, 1.0] {
        assert_eq!(orientation_estimate([&a, &b, &c], rounding), None);
    }
}

#[test]
fn a_minor_that_overflows_does_not_decide() {
    // The first minor is infinite in `f64`; times 1e-10 it would be negligible beside the second.
    let points = [[1e154, -1e154, 0.0], [1e154, 1e154, 1.0], [0.5e154, 1e154, 1e-10], [0.0; 3]];
    let sites = points.map(|point| still(point, 0.0));
    assert_eq!(orientation_exact(&sites, &Vector::zeros()), Greater);
    assert_eq!(orientation_estimate(points.map(Vector::from).each_ref(), 0.0), None);
}

#[test]
fn wide_products_are_those_of_big_integers() {
    let mut random = PredicateTestRandom::new(5);
    for _ in 0..2000 {
        let mut factor = |bits: u32| {
            let any = i128::from(random.next() as i64) << 64 | i128::from(random.next());
            any >> (128 - bits) >> random.below(u64::from(bits))
        };
        let [a, b, c, d, e, f] = [124, 60, 124, 60, 124, 124].map(&mut factor);
        let volume = |minor: i128, height: i128| {
            FixedWidthInteger::<3>::product(
                &FixedWidthInteger::from_i128(minor),
                &FixedWidthInteger::from_i64(height as i64),
            )
        };
        let big = |x: i128, y: i128| BigInt::from(x) * BigInt::from(y);
        let (left, right) = (volume(a, b), volume(c, d));
        assert_eq!(left.minus(&right).sign(), big(a, b).cmp(&big(c, d)));
        assert_eq!(left.plus(&right).sign(), (big(a, b) + big(c, d)).cmp(&BigInt::ZERO));
        let five = |volume: &FixedWidthInteger<3>, lift: i128| {
            FixedWidthInteger::<5>::product(volume, &FixedWidthInteger::from_i128(lift))
        };
        let difference = five(&left, e).minus(&five(&right, f));
        assert_eq!(difference.sign(), (big(a, b) * e).cmp(&(big(c, d) * f)));
        assert_eq!(difference.minus(&difference).sign(), Equal);
    }
}
