//! An inside test of one's own, a ball by its radius, beside the one of a mesh with almost the same surface.

use carom::detect::inside::{Containment, FillRule, InsideTest, WindingCells};
use carom::geometry::{Vector, mesh::octahedron_sphere};

struct Ball(f64);

impl InsideTest for Ball {
    fn classify(&self, point: &Vector<3>) -> Containment {
        let distance = point.norm();
        if distance == self.0 {
            Containment::Surface
        } else if distance < self.0 {
            Containment::Inside
        } else {
            Containment::Outside
        }
    }
    fn bytes(&self) -> usize {
        0
    }
}

fn main() {
    let points: Vec<Vector<3>> = (0..1000)
        .map(|k| Vector::from([k % 10, k / 10 % 10, k / 100].map(|k| f64::from(k) * 0.11)))
        .collect();
    let mesh = WindingCells::new(octahedron_sphere(5), FillRule::EvenOdd, points.len());
    // Both are one kind of object, and answer for many points on all threads.
    let tests: [&dyn InsideTest; 2] = [&Ball(1.0), &mesh];
    let [ball, mesh] = tests.map(|test| test.classify_all(&points));
    let differing = ball.iter().zip(&mesh).filter(|(ball, mesh)| ball != mesh).count();
    let inside = ball.iter().filter(|side| **side == Containment::Inside).count();
    println!("{inside} points inside the ball, {differing} not so of the mesh");
    assert!(inside > 400 && differing < 20);
}
