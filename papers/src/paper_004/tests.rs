use super::*;

#[test]
fn figures_collide_in_both_ways_and_only_the_right_one_keeps_energy() {
    for mut scene in [figure_2(), figure_3()] {
        coarsen(&mut scene, 20);
        let collision = disc_collision::measure(&scene).unwrap();
        let [old, right] = collision.outcomes();
        let number = |name: &str| right.measured.number(name);
        assert!(number("restitution") > 0.5 && number("restitution") < 1.0, "{right:?}");
        assert!(number("energy from nowhere").abs() < 1e-3, "{right:?}");
        assert!(number("momentum lost") < 1e-9, "{right:?}");
        assert!(old.measured.number("work of prescribed force") > 0.0, "{old:?}");
        assert_eq!((old.history.snapshots.len(), right.history.snapshots.len()), (2, 2));
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
    let claims = ["boundary", "duration", "force", "update", "crossing", "space", "springs"];
    let verdicts =
        |results: &DeformationResults| quantities::quantities(results).verdicts("004", claims);
    let [boundary, duration, others @ ..] = verdicts(&results);
    assert_eq!((boundary, duration, others), (DoesNotAgree, Agrees, [DoesNotAgree; 5]));
    results.faults.boundaries = Records::parse("grid,lack a neighbor,missed by the scan\n20,56,0");
    results.faults.growth = Records::parse("product,factor\n0.1,1");
    results.faults.detected = 36;
    results.hertz = Records::parse(
        "spheres,duration exact,by 4.53 (2.1),by 2.9432,restitution of (2.4)\nsteel,1,1,1,1",
    );
    results.balls = Records::parse("neighbors,radius,parted,restitution\n6,10,yes,0.99");
    results.collisions[0].bonded.measured = results.collisions[0].koti1989.measured.clone();
    assert_eq!(verdicts(&results), [Agrees; 7]);
}
