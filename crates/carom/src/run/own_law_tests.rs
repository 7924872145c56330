//! Runs of scenes under a contact law of a program's own.

#![allow(clippy::unwrap_used)]

use super::*;
use carom_scene::scene::AnyScene;
use carom_simulate::WallLoad;
use carom_simulate::dem::{ContactForce, ContactKinematics, ContactLaw};

/// A linear spring without damping, which is not the built-in law.
#[derive(Clone)]
struct Spring(f64);

impl ContactLaw for Spring {
    type History = ();

    fn contact_force(&self, contact: &ContactKinematics, _: &mut (), _: f64) -> ContactForce {
        ContactForce { normal_force: self.0 * contact.overlap, ..ContactForce::default() }
    }

    fn stored_energy(&self, overlap: f64, _: f64, _: &()) -> f64 {
        self.0 * overlap * overlap / 2.0
    }
}

/// A disc that is an eighth deep in the lower side of the box and one that hangs free.
fn scene(dimension: usize) -> AnyScene {
    let text = format!(
        "engine = 'dem'\ndimension = {dimension}\nuntil = 1\nbox.size = 9\nbox.boundary = 'wall'\n\
         [[bodies]]\nposition = {:?}\nradius = 0.5\n[[bodies]]\nposition = {:?}\nradius = 0.5\n",
        &[4.0, 0.4375, 4.0][..dimension],
        &[6.0, 4.0, 4.0][..dimension],
    );
    AnyScene::parse(&text, "one.toml", "".as_ref(), &[]).unwrap()
}

fn loads<const D: usize>(scene: &Scene<D>) -> Vec<(String, WallLoad)> {
    Run::with_contact_law(scene, |_, _| Spring(1024.0)).unwrap().wall_loads()
}

#[test]
fn walls_bear_loads_under_a_law_of_ones_own() {
    for dimension in [2, 3] {
        let loads = match scene(dimension) {
            AnyScene::TwoD(scene) => loads(&scene),
            AnyScene::ThreeD(scene) => loads(&scene),
        };
        assert_eq!(loads.len(), 2 * dimension);
        for (name, load) in &loads {
            let (force, contacts) = match name.as_str() {
                "wall_y_low" => (-1024.0 * 0.0625, 1),
                _ => (0.0, 0),
            };
            assert_eq!((load.force.y, load.contacts), (force, contacts), "{name}");
        }
    }
}
