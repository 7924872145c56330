use super::*;
use crate::FrameOverlay;

fn points(values: &[f64]) -> Vec<[f64; 3]> {
    values.as_chunks::<3>().0.to_vec()
}

#[test]
fn edges_of_the_triangulation_in_the_open() {
    let scene = SCENE.replace("box.size = 10", "box.size = 10\nbox.boundary = 'open'");
    let mut frame = scattered::<3>(4, 0.0);
    for (body, place) in
        [[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 1.0, 2.0]].into_iter().enumerate()
    {
        (frame.positions[body], frame.radii[body]) = (place.into(), 0.1);
    }
    let (_results, run) = opened(&scene, &[frame], &[FrameFormat::Vtk]);
    assert_eq!(manifest(&run)["box"], Value::Null);
    let edges = ContainerContents::of(&run.overlay(FrameOverlay::Delaunay, 0).unwrap());
    let mut found = edges.values("edge").as_chunks::<2>().0.to_vec();
    found.sort_by(|one, other| one.partial_cmp(other).unwrap());
    assert_eq!(found, [[0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [1.0, 2.0], [1.0, 3.0], [2.0, 3.0]]);
    assert!(edges.values("segment").is_empty());
    // One corner, from which four edges extend to the bounds of the bodies.
    let cells = ContainerContents::of(&run.overlay(FrameOverlay::Voronoi, 0).unwrap());
    let ends = points(&cells.values("segment"));
    assert_eq!(ends.len(), 8);
    for end in ends.as_flattened() {
        assert!((0.9 - 1e-6..=2.1 + 1e-6).contains(end), "{end}");
    }
    assert_eq!(ends.iter().filter(|end| **end == [1.5; 3]).count(), 4);
}

#[test]
fn across_a_periodic_side_every_edge_is_drawn_on_both_and_cells_stay_inside() {
    let scene = SCENE.replace("dimension = 3", "dimension = 2").replace("[1, 1, 1]", "[1, 1]");
    let (_results, run) = opened(&scene, &[scattered::<2>(60, 0.0)], &[FrameFormat::Vtk]);
    let found = ContainerContents::of(&run.overlay(FrameOverlay::Delaunay, 0).unwrap());
    let segments = points(&found.values("segment"));
    let edges = found.values("edge").len() / 2;
    // On a torus there are three edges per disc; each that crosses a side is two halves.
    assert_eq!(segments.len() % 4, 0);
    assert_eq!(edges + segments.len() / 4, 3 * 60);
    assert!(segments.len() / 4 > 10);
    let cells = ContainerContents::of(&run.overlay(FrameOverlay::Voronoi, 0).unwrap());
    let ends = points(&cells.values("segment"));
    assert!(ends.len() / 2 > 3 * 60, "those that cross are in parts");
    for [x, y, z] in ends {
        let inside = |at: f64| (-1e-6..=10.0 + 1e-6).contains(&at);
        assert!(inside(x) && inside(y) && z == 0.0, "{x} {y} {z}");
    }
}

#[test]
fn what_cannot_be_had_is_said() {
    let line = |body: usize| Vector::from([body as f64, 1.0, 1.0]);
    let mut frame = scattered::<3>(8, 0.0);
    frame.positions = (0..8).map(line).collect();
    let scene = SCENE.replace("box.size = 10", "box.size = 10\nbox.boundary = 'open'");
    let (_results, run) = opened(&scene, &[frame, scattered(2, 1.0)], &[FrameFormat::Vtk]);
    for (overlay, number) in [(FrameOverlay::Delaunay, 0), (FrameOverlay::Voronoi, 1)] {
        let message = run.overlay(overlay, number).unwrap_err().to_string();
        assert!(message.contains("cannot be computed: its bodies lie in one line"), "{message}");
    }
    assert!(
        !FrameOverlay::fits(3, 3) && FrameOverlay::fits(3, 2) && !FrameOverlay::fits(200_000, 2)
    );
}
