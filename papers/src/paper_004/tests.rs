use super::*;
use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = [
        "004/figure2.svg",
        "004/figure2.csv",
        "004/figure3.svg",
        "004/figure3.csv",
        "004/encounters.csv",
        "004/cone.csv",
        "004/intervals.csv",
        "004/intervals.svg",
        "004/balls.csv",
        "004/hertz.csv",
        "004/boundary.csv",
        "004/report.md",
    ];
    let report = assert_quick_run(run, &expected, 2);
    for part in ["16 of 56 with a grid of 20", "with 6 neighbors balls of 6 spacings do not part"] {
        let words: Vec<&str> = report.summary.split_whitespace().collect();
        assert!(words.join(" ").contains(part), "{part}: {}", report.summary);
    }
}

#[test]
fn figures_collide_in_both_ways_and_only_the_right_one_keeps_energy() {
    for mut scene in [figure_2(), figure_3()] {
        coarsen(&mut scene, 20);
        let DiscCollision { koti1989: old, bonded: right, .. } =
            disc_collision::measure(&scene).unwrap();
        assert!(right.restitution > 0.5 && right.restitution < 1.0, "{}", right.restitution);
        assert!(right.energy_error.abs() < 1e-3, "{}", right.energy_error);
        assert!(right.momentum_error < 1e-9, "{}", right.momentum_error);
        assert!(old.work > 0.0, "{}", old.work);
        assert_eq!((old.snapshots.len(), right.snapshots.len()), (2, 2));
    }
}

#[test]
fn a_file_without_a_collision_is_refused() {
    let mut scene = figure_2();
    coarsen(&mut scene, 10);
    scene.objects[0].velocity = [-5.0, 0.0, 0.0];
    let refusal = run_data(&scene, &mut |_, _| ()).unwrap_err().to_string();
    assert!(refusal.contains("two objects must meet"), "{refusal}");
    let mut slow = figure_2();
    coarsen(&mut slow, 10);
    slow.intervals = 5000;
    for (object, speed) in slow.objects.iter_mut().zip([1e-4, -1e-4]) {
        object.velocity = [speed, 0.0, 0.0];
    }
    let refusal = run_data(&slow, &mut |_, _| ()).unwrap_err().to_string();
    assert!(refusal.starts_with("the speed of approach in speeds of waves is"), "{refusal}");
}

/// What was measured quickly, and what would be without the faults.
#[test]
fn verdicts_follow_the_figures() {
    use crate::finding::ClaimVerdict::{Agrees, DoesNotAgree, InPart};
    let mut results = measure(&Settings { quick: true }, &mut |_, _| ());
    let verdicts = |results: &DeformationResults| -> Vec<_> {
        findings::all(results).iter().map(|finding| finding.verdict).collect()
    };
    let measured = verdicts(&results);
    // Boundary, duration, force, update, crossing; space and springs.
    assert_eq!(measured[..5], [DoesNotAgree, Agrees, DoesNotAgree, DoesNotAgree, InPart]);
    assert_eq!(measured[8..], [DoesNotAgree; 2]);
    results.faults.boundaries.iter_mut().for_each(|boundary| boundary.missed = 0);
    results.faults.growth.iter_mut().for_each(|growth| growth[1] = 1.0);
    results.faults.detected = results.faults.directions;
    results.hertz.iter_mut().for_each(|case| case.restitution = 1.0);
    results.intervals.iter_mut().for_each(|trial| trial.gained = 1e-3);
    results.balls.iter_mut().for_each(|ball| (ball.separated, ball.restitution) = (true, 0.99));
    results.collisions[0].bonded.duration = results.collisions[0].koti1989.duration;
    let mended = verdicts(&results);
    assert_eq!((&mended[..5], mended[7]), (&[Agrees; 5][..], Agrees));
    assert_eq!(mended[8..], [Agrees; 2]);
}
