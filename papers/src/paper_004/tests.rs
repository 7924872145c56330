use super::*;
use crate::quick_run::assert_quick_run;
use crate::report::ReportPage;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = "figure2.svg figure2.csv figure3.svg figure3.csv encounters.csv cone.csv \
                    intervals.csv intervals.svg balls.csv hertz.csv boundary.csv verdicts.csv \
                    report.md";
    let report = assert_quick_run("004", expected, 2);
    for part in ["16 of 56 with a grid of 20", "DOES NOT AGREE: in space, six neighbors"] {
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
    use crate::verdict::Verdict::{Agrees, DoesNotAgree};
    let mut results = measure(&Settings { quick: true }, &mut |_, _| ());
    let verdicts = |results: &DeformationResults| {
        let mut page = ReportPage::new("004", "", &Settings::default());
        verdicts::judge(results, &mut page);
        let claims = ["boundary", "duration", "force", "update", "crossing"];
        (page.verdicts_on(claims), page.verdicts_on(["intervals", "space", "springs"]))
    };
    let (first, last) = verdicts(&results);
    assert_eq!(first, [DoesNotAgree, Agrees, DoesNotAgree, DoesNotAgree, DoesNotAgree]);
    assert_eq!(last[1..], [DoesNotAgree; 2]);
    results.faults.boundaries.iter_mut().for_each(|boundary| boundary.missed = 0);
    results.faults.growth.iter_mut().for_each(|growth| growth[1] = 1.0);
    results.faults.detected = results.faults.directions;
    results.hertz.iter_mut().for_each(|case| case.restitution = 1.0);
    results.intervals.iter_mut().for_each(|trial| trial.gained = 1e-3);
    results.balls.iter_mut().for_each(|ball| (ball.separated, ball.restitution) = (true, 0.99));
    results.collisions[0].bonded.duration = results.collisions[0].koti1989.duration;
    assert_eq!(verdicts(&results), ([Agrees; 5], [Agrees; 3]));
}
