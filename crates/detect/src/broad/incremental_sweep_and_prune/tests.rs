use super::*;
use carom_geometry::random::SplitMix64;

/// Random numbers for boxes whose ends coincide.
struct SweepTestRandom(SplitMix64);

impl SweepTestRandom {
    fn new(seed: u64) -> Self {
        SweepTestRandom(SplitMix64::new(seed))
    }

    fn draw(&mut self) -> f64 {
        self.0.uniform()
    }

    /// Returns a multiple of 1/64, so that no sum or difference is rounded and endpoints often coincide.
    fn coarse(&mut self, scale: f64) -> f64 {
        (self.draw() * scale * 64.0).floor() / 64.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.draw() * count as f64) as usize
    }
}

const SIDE: f64 = 8.0;

fn random_box<const D: usize>(numbers: &mut SweepTestRandom, widest: f64) -> Aabb<D> {
    let low = carom_geometry::Vector::from_fn(|_, _| numbers.coarse(SIDE));
    let size = carom_geometry::Vector::from_fn(|_, _| numbers.coarse(widest));
    Aabb { low, high: low + size }
}

fn moved<const D: usize>(numbers: &mut SweepTestRandom, mut bounds: Aabb<D>, step: f64) -> Aabb<D> {
    for axis in 0..D {
        let shift = numbers.coarse(2.0 * step) - step;
        bounds.low[axis] += shift;
        bounds.high[axis] += shift;
    }
    bounds
}

/// Returns every pair by plain loops over all images, without any code of the structure.
fn expected<const D: usize>(boxes: &[Option<Aabb<D>>], periods: [Option<f64>; D]) -> Vec<BodyPair> {
    let meet = |a: &Aabb<D>, b: &Aabb<D>| {
        (0..D).all(|axis| {
            let meets = |turns: i32| {
                let shift = periods[axis].map_or(0.0, |period| f64::from(turns) * period);
                a.low[axis] <= b.high[axis] + shift && b.low[axis] + shift <= a.high[axis]
            };
            (-60..=60).any(meets)
        })
    };
    let mut pairs = Vec::new();
    for (i, a) in boxes.iter().enumerate() {
        for (j, b) in boxes.iter().enumerate().skip(i + 1) {
            if let (Some(a), Some(b)) = (a, b)
                && meet(a, b)
            {
                pairs.push(BodyPair::new(i as u32, j as u32));
            }
        }
    }
    pairs
}

/// Sweeps and asserts everything that must hold afterwards.
fn sweep_and_compare<const D: usize>(
    kept: &mut IncrementalSweepAndPrune<D>,
    boxes: &[Option<Aabb<D>>],
    periods: [Option<f64>; D],
    story: &str,
) {
    let before = kept.pairs().to_vec();
    kept.sweep();
    assert_eq!(kept.pairs(), expected(boxes, periods), "{story}");
    kept.check().unwrap_or_else(|fault| panic!("{story}: {fault}"));
    let without = |of: &[BodyPair], other: &[BodyPair]| -> Vec<BodyPair> {
        of.iter().filter(|pair| !other.contains(pair)).copied().collect()
    };
    assert_eq!(kept.changes().begun, without(kept.pairs(), &before), "{story}");
    assert_eq!(kept.changes().ended, without(&before, kept.pairs()), "{story}");
    let changes = kept.changes().begun.len() + kept.changes().ended.len();
    assert_eq!(kept.work().pair_changes, changes as u64, "{story}");
}

/// Makes many random moves, insertions and removals and compares each sweep with plain loops.
fn lives_of_boxes<const D: usize>(
    division: BucketDivision,
    periods: [Option<f64>; D],
    count: usize,
) {
    for (seed, (step, widest)) in (0..).zip([(0.0625, 0.5), (0.25, 1.5), (4.0, 0.25), (0.125, 4.0)])
    {
        let mut numbers = SweepTestRandom::new(seed);
        let boundary = Boundary::periodic(periods).unwrap();
        let mut kept = IncrementalSweepAndPrune::new(boundary, division);
        let mut boxes: Vec<Option<Aabb<D>>> = Vec::new();
        let mut by_insertion = 0;
        for round in 0..40 {
            let story = format!("{division:?} {periods:?} seed {seed} round {round}");
            let arrivals = if round == 0 { count } else { numbers.below(4) };
            for _ in 0..arrivals {
                let bounds = random_box(&mut numbers, widest);
                let body = kept.insert(bounds).unwrap() as usize;
                boxes.resize(boxes.len().max(body + 1), None);
                assert_eq!(boxes[body].replace(bounds), None, "{story}");
            }
            for body in 0..boxes.len() {
                let Some(bounds) = boxes[body] else { continue };
                if numbers.draw() < 0.02 {
                    kept.remove(body as u32).unwrap();
                    boxes[body] = None;
                } else if numbers.draw() < 0.8 {
                    boxes[body] = Some(moved(&mut numbers, bounds, step));
                    kept.move_to(body as u32, boxes[body].unwrap()).unwrap();
                }
            }
            sweep_and_compare(&mut kept, &boxes, periods, &story);
            assert_eq!(kept.len(), boxes.iter().flatten().count());
            by_insertion += usize::from(!kept.work().rebuilt);
        }
        // Boxes that jump or reach into most buckets cause rebuilds too.
        assert!(
            by_insertion > 30 || step > 1.0 || widest > 2.0,
            "{division:?} {periods:?} seed {seed}: {by_insertion}"
        );
    }
}

fn everywhere<const D: usize>(division: BucketDivision, count: usize) {
    lives_of_boxes::<D>(division, [None; D], count);
    lives_of_boxes::<D>(division, [Some(SIDE); D], count);
    for axis in 0..D {
        let mut periods = [None; D];
        periods[axis] = Some(SIDE);
        lives_of_boxes::<D>(division, periods, count);
    }
}

#[test]
fn one_list_agrees_with_plain_loops_after_every_change() {
    everywhere::<1>(BucketDivision::One, 20);
    everywhere::<2>(BucketDivision::One, 60);
    everywhere::<3>(BucketDivision::One, 90);
}

#[test]
fn buckets_agree_with_plain_loops_after_every_change() {
    everywhere::<1>(BucketDivision::ByDensity, 150);
    everywhere::<2>(BucketDivision::ByDensity, 250);
    everywhere::<3>(BucketDivision::ByDensity, 250);
}

/// Figure 2 of the paper: the endpoints of eight intervals in the order b8 b4 b5 e5 b2 ... e7, of which its
/// table lists the first five steps and the last.
#[test]
fn intervals_of_the_papers_figure_two() {
    const ORDER: [&str; 16] = [
        "b8", "b4", "b5", "e5", "b2", "e4", "b1", "e8", "e2", "b3", "e1", "b6", "e3", "b7", "e6",
        "e7",
    ];
    let place = |end: String| ORDER.iter().position(|&other| other == end).unwrap() as f64;
    let interval = |number: usize| Aabb::<1> {
        low: [place(format!("b{number}"))].into(),
        high: [place(format!("e{number}"))].into(),
    };
    let mut kept = IncrementalSweepAndPrune::new(Boundary::open(), BucketDivision::One);
    // Body 0 lies apart, so that bodies have the numbers of the figure.
    kept.insert(Aabb { low: [-9.0].into(), high: [-8.0].into() }).unwrap();
    (1..=8).for_each(|number| assert_eq!(kept.insert(interval(number)), Ok(number as u32)));
    kept.sweep();
    let has = |a, b| kept.pairs().contains(&BodyPair::new(a, b));
    assert!(has(4, 8) && has(5, 8) && has(5, 4) && has(2, 8) && has(2, 4));
    assert!(!has(5, 2) && !has(5, 7) && !has(8, 7));
    assert_eq!(kept.pairs().len(), 5 + 5);

    // One exchange: b2 passes below e5, and intervals 2 and 5 begin to overlap.
    let mut second = interval(2);
    second.low[0] -= 1.5;
    kept.move_to(2, second).unwrap();
    kept.sweep();
    assert_eq!(kept.changes().begun, [BodyPair::new(2, 5)]);
    let work = IncrementalSweepWork { exchanges: 1, pair_changes: 1, transfers: 0, rebuilt: false };
    assert_eq!(kept.work(), work);
    // The same exchange back.
    kept.move_to(2, interval(2)).unwrap();
    kept.sweep();
    assert_eq!(kept.changes(), OverlapChanges { begun: &[], ended: &[BodyPair::new(2, 5)] });
    assert_eq!(kept.work(), work);
}

#[test]
fn touching_faces_are_a_pair_also_through_the_seam() {
    let cube = |x: f64| Aabb::<3> { low: [x, 1.0, 1.0].into(), high: [x + 1.0, 2.0, 2.0].into() };
    let boundary = Boundary::periodic([Some(8.0), None, None]).unwrap();
    for division in [BucketDivision::One, BucketDivision::ByDensity] {
        let mut kept = IncrementalSweepAndPrune::new(boundary, division);
        kept.update(&[cube(0.0), cube(1.0), cube(7.0)]).unwrap();
        assert_eq!(kept.pairs(), [BodyPair::new(0, 1), BodyPair::new(0, 2)]);
        let hair = 1e-12;
        kept.update(&[cube(0.0), cube(1.0 + hair), cube(7.0 - hair)]).unwrap();
        assert_eq!(kept.pairs(), []);
        kept.update(&[cube(16.0), cube(-7.0), cube(-1.0)]).unwrap();
        assert_eq!(kept.pairs(), [BodyPair::new(0, 1), BodyPair::new(0, 2)]);
    }
}

#[test]
fn ends_that_differ_by_less_than_a_key_are_distinguished() {
    let square = |x: f64| Aabb::<2> { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
    let mut kept = IncrementalSweepAndPrune::new(Boundary::open(), BucketDivision::One);
    let far = square(1e15);
    kept.update(&[square(0.0), square(1.0 + f64::EPSILON), far]).unwrap();
    assert_eq!(kept.pairs(), []);
    kept.update(&[square(0.0), square(1.0), far]).unwrap();
    assert_eq!(kept.pairs(), [BodyPair::new(0, 1)]);
    assert!(!kept.work().rebuilt);
    kept.update(&[square(-0.0), square(1.0 + f64::EPSILON), far]).unwrap();
    assert_eq!(kept.pairs(), []);
    kept.check().unwrap();
}

#[test]
fn a_box_that_crosses_all_others_is_followed_and_a_shuffle_is_rebuilt() {
    let mut numbers = SweepTestRandom::new(5);
    for division in [BucketDivision::One, BucketDivision::ByDensity] {
        let mut boxes: Vec<Aabb<3>> = (0..2000).map(|_| random_box(&mut numbers, 0.25)).collect();
        let mut kept = IncrementalSweepAndPrune::new(Boundary::open(), division);
        kept.update(&boxes).unwrap();
        assert!(kept.work().rebuilt);
        boxes[7] = Aabb { low: [1e3; 3].into(), high: [1e3 + 1.0; 3].into() };
        kept.update(&boxes).unwrap();
        assert!(!kept.work().rebuilt);
        kept.check().unwrap();
        boxes.reverse();
        kept.update(&boxes).unwrap();
        assert!(kept.work().rebuilt);
        kept.check().unwrap();
        kept.update(&boxes[..900]).unwrap();
        kept.check().unwrap();
    }
}

#[test]
fn boxes_of_very_unequal_size_share_buckets() {
    let mut numbers = SweepTestRandom::new(6);
    let mut boxes: Vec<Aabb<3>> = (0..1500).map(|_| random_box(&mut numbers, 0.125)).collect();
    for giant in 0..20 {
        boxes[giant * 70] = random_box(&mut numbers, 4.5);
    }
    let all: Vec<_> = boxes.iter().copied().map(Some).collect();
    for periods in [[None; 3], [Some(SIDE); 3]] {
        let boundary = Boundary::periodic(periods).unwrap();
        let mut kept = IncrementalSweepAndPrune::new(boundary, BucketDivision::ByDensity);
        kept.update(&boxes).unwrap();
        assert!(kept.bucket_count() > 8);
        assert_eq!(kept.pairs(), expected(&all, periods));
        kept.check().unwrap();
    }
}

#[test]
fn buckets_need_far_fewer_exchanges_than_one_list() {
    let mut numbers = SweepTestRandom::new(7);
    let boxes: Vec<Aabb<3>> = (0..4000).map(|_| random_box(&mut numbers, 0.5)).collect();
    let next: Vec<_> = boxes.iter().map(|&bounds| moved(&mut numbers, bounds, 0.0625)).collect();
    let exchanges = |division| {
        let mut kept = IncrementalSweepAndPrune::new(Boundary::open(), division);
        kept.update(&boxes).unwrap();
        kept.update(&next).unwrap();
        assert!(!kept.work().rebuilt);
        (kept.work().exchanges, kept.pairs().to_vec())
    };
    let (one, buckets) = (exchanges(BucketDivision::One), exchanges(BucketDivision::ByDensity));
    assert_eq!(one.1, buckets.1);
    assert!(one.0 > 3 * buckets.0, "{} and {}", one.0, buckets.0);
}

#[test]
fn boxes_that_cannot_be_used_are_refused_and_change_nothing() {
    let square =
        |x: f64, size: f64| Aabb::<2> { low: [x, 0.0].into(), high: [x + size, 1.0].into() };
    let boundary = Boundary::periodic([Some(8.0), None]).unwrap();
    let mut kept = IncrementalSweepAndPrune::new(boundary, BucketDivision::ByDensity);
    let good = [square(0.0, 1.0), square(0.5, 1.0)];
    kept.update(&good).unwrap();
    for bad in
        [square(f64::NAN, 1.0), square(0.0, f64::INFINITY), square(1e101, 1.0), square(0.0, -1.0)]
    {
        let refused = |error| matches!(error, Error::BoxNotUsable { axis: "x", .. });
        assert!(refused(kept.update(&[good[0], bad]).unwrap_err()));
        assert!(refused(kept.move_to(0, bad).unwrap_err()));
        assert!(refused(kept.insert(bad).unwrap_err()));
    }
    assert_eq!(
        kept.update(&[good[0], square(0.0, 5.0)]).unwrap_err().to_string(),
        "box 1 is 5.0 wide along x, more than 0.6 of the period 8.0; enlarge the period or make \
         that axis open"
    );
    assert_eq!(
        kept.remove(2).unwrap_err().to_string(),
        "box 2 does not exist; it was never inserted, or it was removed"
    );
    kept.sweep();
    assert_eq!(kept.pairs(), [BodyPair::new(0, 1)]);
    kept.remove(0).unwrap();
    assert!(kept.remove(0).is_err());
    kept.check().unwrap_err();
    kept.sweep();
    kept.check().unwrap();
    assert_eq!((kept.len(), kept.pairs().len(), kept.insert(good[0])), (1, 0, Ok(0)));
}

#[test]
fn numbers_of_removed_boxes_wait_for_the_next_sweep() {
    let square = |x: f64| Aabb::<2> { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
    let mut kept = IncrementalSweepAndPrune::new(Boundary::open(), BucketDivision::One);
    kept.insert(square(0.0)).unwrap();
    kept.remove(0).unwrap();
    assert_eq!(kept.insert(square(0.0)), Ok(1));
    kept.sweep();
    assert_eq!(kept.insert(square(0.5)), Ok(0));
    kept.sweep();
    assert_eq!(kept.pairs(), [BodyPair::new(0, 1)]);
    assert!(IncrementalSweepAndPrune::<2>::new(Boundary::open(), BucketDivision::One).is_empty());
}
