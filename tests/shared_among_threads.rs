//! Whatever holds a search, a mesh or a simulation can be moved to another thread and shared with it.

use carom::detect::inside::{PreparedSurface, Solid, TriangleBvh};
use carom::detect::laguerre::Triangulation;
use carom::detect::narrow::ClosestFeatures;
use carom::detect::world::PairHistory;
use carom::geometry::mesh::TriangleMesh;
use carom::geometry::shape::ConvexPolyhedron;
use carom::run;
use carom::simulate::{bonded, dem, event_driven};
use carom::{BodyShape, ContactSearch, World, scene::AnyScene};

/// Compiles for types that threads can share.
const fn shared<T: Send + Sync>() {}

const _: () = {
    shared::<ContactSearch<2>>();
    shared::<ContactSearch<3>>();
    shared::<Triangulation<2>>();
    shared::<Triangulation<3>>();
    shared::<ClosestFeatures>();
    shared::<ConvexPolyhedron>();
    shared::<TriangleMesh>();
    shared::<TriangleBvh>();
    shared::<Solid>();
    shared::<PreparedSurface>();
    shared::<World>();
    shared::<BodyShape>();
    shared::<PairHistory>();
    shared::<AnyScene>();
    shared::<event_driven::Simulation<2>>();
    shared::<event_driven::Simulation<3>>();
    shared::<dem::Simulation>();
    shared::<bonded::Simulation<2>>();
    shared::<bonded::Simulation<3>>();
    shared::<run::Run<2>>();
    shared::<run::Run<3>>();
};

/// Two threads advance the same kind of simulation that a third one made.
#[test]
fn a_simulation_goes_on_in_another_thread() {
    let body = event_driven::BodyStart::new([2.0, 2.0], [1.0, 0.5], 0.5);
    let settings = event_driven::Settings::new(event_driven::Region::walled([4.0; 2]));
    let start = event_driven::Simulation::new(&[body], settings.clone());
    let (Ok(mut here), Ok(mut there)) = (start, event_driven::Simulation::new(&[body], settings))
    else {
        panic!("the scene can be run");
    };
    here.advance(10.0, u64::MAX);
    let place = std::thread::scope(|scope| {
        let there = scope.spawn(move || {
            there.advance(10.0, u64::MAX);
            there.position(0)
        });
        there.join()
    });
    assert_eq!(place.ok(), Some(here.position(0)));
}
