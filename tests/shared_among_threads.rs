//! Whatever holds a search, a mesh or a simulation can be moved to another thread and shared with it.

use carom::detect::inside::{PreparedSurface, Solid, TriangleBvh};
use carom::detect::laguerre::Triangulation;
use carom::detect::narrow::{ClosestFeatures, ContactManifold};
use carom::detect::world::PairHistory;
use carom::geometry::mesh::TriangleMesh;
use carom::geometry::shape::ConvexPolyhedron;
use carom::run;
use carom::simulate::{SavedArrays, bonded, dem, event_driven};
use carom::sweep::Sweep;
use carom::{BodyShape, ContactSearch, Mesh, Results, World, scene::AnyScene};

/// A contact law of a program's own.
#[derive(Clone)]
struct Spring(f64);

impl dem::ContactLaw for Spring {
    type History = ();

    fn contact_force(
        &self,
        contact: &dem::ContactKinematics,
        _: &mut (),
        _: f64,
    ) -> dem::ContactForce {
        let normal_force = self.0 * contact.overlap;
        dem::ContactForce { normal_force, ..dem::ContactForce::default() }
    }

    fn stored_energy(&self, overlap: f64, _: f64, _: &()) -> f64 {
        self.0 * overlap * overlap / 2.0
    }
}

/// Compiles for types that threads can share.
const fn shared<T: Send + Sync>() {}

/// Compiles for types that can be moved to another thread.
const fn sent<T: Send>() {}

const _: () = {
    shared::<ContactSearch<2>>();
    shared::<ContactSearch<3>>();
    shared::<Triangulation<2>>();
    shared::<Triangulation<3>>();
    shared::<ClosestFeatures>();
    shared::<ContactManifold>();
    shared::<Mesh>();
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
    shared::<dem::Simulation<2>>();
    shared::<dem::Simulation<3>>();
    shared::<dem::Simulation<2, Spring>>();
    shared::<dem::Simulation<3, Spring>>();
    shared::<bonded::Simulation<2>>();
    shared::<bonded::Simulation<3>>();
    shared::<run::Run<2>>();
    shared::<run::Run<3>>();
    shared::<run::SceneRun>();
    shared::<run::Recording<2>>();
    shared::<run::Recording<3>>();
    shared::<SavedArrays>();
    sent::<run::ResultsFolder<'_, 2>>();
    sent::<run::ResultsFolder<'_, 3>>();
    shared::<Results>();
    shared::<Sweep<'_>>();
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

/// Two bodies under a law of one's own bounce alike here and there.
#[test]
fn a_simulation_with_a_law_of_ones_own_goes_on_in_another_thread() {
    let bodies = [0.0, 0.9].map(|x| dem::Body::at_rest([x, 0.0], 0.5, 1.0));
    let start = || dem::Simulation::new(&bodies, dem::Settings::with_law(Spring(1e3)));
    let (Ok(mut here), Ok(mut there)) = (start(), start()) else { panic!("the scene can be run") };
    let advance = |simulation: &mut dem::Simulation<2, Spring>| {
        simulation.advance(500).map(|()| simulation.body(0).velocity)
    };
    let result = std::thread::scope(|scope| scope.spawn(move || advance(&mut there)).join());
    let Ok(Ok(velocity)) = result else { panic!("the simulation continues") };
    assert!(velocity.x < -0.1, "{velocity}");
    assert_eq!(advance(&mut here).ok(), Some(velocity));
}
