//! Contact laws of a program's own: they do what the built-in law does, in everything that a simulation does with a law.

#![allow(clippy::unwrap_used)]

use carom::geometry::mesh::{TriangleMesh, octahedron_sphere};
use carom::geometry::shape::ConvexPolyhedron;
use carom::geometry::{Boundary, Sphere, Vector, embed_in_3d};
use carom::io::Checkpoint;
use carom::run::{Run, SceneRun, Sink};
use carom::scene::generate::SplitMix64;
use carom::scene::scene::{AnyScene, Material};
use carom::simulate::dem::{
    Body, Cohesion, CompositeLaw, ContactForce, ContactKinematics, ContactLaw, ContactLosses,
    Damping, LawHistory, RollingResistance, SavedState, Settings, Simulation, TangentialForceLaw,
};
use carom::simulate::observe::{ContactPressure, Observable, Sample, WallLoads};
use carom::simulate::{
    BodyChange, BodyProperty, Engine, MeshSurface, Shape, Values, Wall, WallMotion, WallSurface,
};
use std::sync::Arc;

/// Spheres of several sizes and two materials in a periodic box, fast and close.
fn crowd(count: usize) -> (Vec<Body>, Settings) {
    let mut random = SplitMix64::new(5);
    let mut next = || 2.0 * random.uniform() - 1.0;
    let per_axis = (count as f64).cbrt().ceil() as usize;
    let bodies = (0..count).map(|number| {
        let site = [0, 1, 2].map(|axis| number / per_axis.pow(axis) % per_axis);
        let radius = 0.4 + 0.1 * next();
        Body {
            velocity: Vector::from_fn(|_, _| next()),
            angular_velocity: Vector::from_fn(|_, _| next()),
            material: (number % 2) as u32,
            ..Body::at_rest(site.map(|k| 0.9 * (k as f64 + 0.5)), radius, radius.powi(3))
        }
    });
    let soft = CompositeLaw {
        damping: Damping::restitution(0.3),
        tangential: TangentialForceLaw::Spring { stiffness: 6e3, damping: 0.5 },
        friction_coefficient: 0.4,
        ..CompositeLaw::spring(2e4)
    };
    let hard = CompositeLaw {
        tangential: TangentialForceLaw::Mindlin { modulus: 5e4, damping: 1.0 },
        damping: Damping::restitution(0.7),
        friction_coefficient: 0.3,
        ..CompositeLaw::hertz(1e5)
    };
    let size = Some(0.9 * per_axis as f64);
    let settings = Settings {
        boundary: Boundary::periodic([size; 3]).unwrap(),
        material_count: 2,
        contact_laws: vec![soft, hard, hard, hard],
        ..Settings::with_law(soft)
    };
    (bodies.collect(), settings)
}

fn cube() -> Shape {
    let corner = |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(|bit| f64::from(bit) - 0.5));
    let hull = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
    Shape::convex(&hull, None).unwrap()
}

/// Bodies of all kinds that fall between planes.
fn mixture() -> (Vec<Body>, Settings) {
    let corners = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]];
    let corners = corners.map(|corner| Vector::from(corner) * 0.5);
    let dumbbell = [Sphere::new([0.0, 0.0, 0.0], 0.3), Sphere::new([0.5, 0.0, 0.0], 0.4)];
    let ball = octahedron_sphere(2);
    let vertices = ball.vertices().iter().map(|vertex| vertex * 0.6).collect();
    let ball = TriangleMesh::new(vertices, ball.triangles().to_vec()).unwrap();
    let shapes = vec![
        cube(),
        Shape::convex(&ConvexPolyhedron::hull(&corners).unwrap(), Some(0.02)).unwrap(),
        Shape::clump(&dumbbell).unwrap(),
        Shape::mesh(&ball).unwrap(),
    ];
    let body = |k: u32| {
        let place = [k % 4, k / 4 % 4, k / 16].map(|n| 0.9 + 1.9 * f64::from(n));
        let body = match shapes.get(k as usize % 5) {
            Some(shape) => Body::shaped(place, k % 5, shape, 1.0),
            None => Body::at_rest(place, 0.5, 0.7),
        };
        let turn = 0.4 * f64::from(k);
        let velocity = Vector::from([turn.sin(), turn.cos(), -3.0]);
        Body { velocity, angular_velocity: velocity * 3.0, ..body }
    };
    let bodies = (0..48).map(body).collect();
    let walls = (0..3).flat_map(|axis| {
        let normal: Vector<3> = Vector::ith(axis, 1.0);
        [Wall::plane(normal, 0.0), Wall::plane(-normal, -7.6)]
    });
    let law = CompositeLaw {
        damping: Damping::restitution(0.5),
        tangential: TangentialForceLaw::Spring { stiffness: 6e3, damping: 0.5 },
        friction_coefficient: 0.5,
        ..CompositeLaw::spring(2e4)
    };
    let (walls, gravity) = (walls.collect(), [0.0, 0.0, -9.81].into());
    (bodies, Settings { shapes, gravity, walls, ..Settings::with_law(law) })
}

/// The plane z = 0 in squares of two triangles each.
fn tiles() -> WallSurface {
    let row = 19;
    let corner = |k: u32| Vector::from([f64::from(k % row) - 9.0, f64::from(k / row) - 9.0, 0.0]);
    let squares = (0..row - 1).flat_map(|y| (0..row - 1).map(move |x| y * row + x));
    let triangles: Vec<[u32; 3]> =
        squares.flat_map(|k| [[k, k + 1, k + row], [k + 1, k + row + 1, k + row]]).collect();
    let mesh = TriangleMesh::new((0..row * row).map(corner).collect(), triangles).unwrap();
    WallSurface::Mesh(Arc::new(MeshSurface::new(mesh)))
}

/// The built-in law, contact by contact, with a history that also counts the steps of a contact.
#[derive(Clone)]
struct WrappedLaw(CompositeLaw);

impl ContactLaw for WrappedLaw {
    type History = (Vector<3>, [f64; 1]);

    #[inline(always)]
    fn contact_force(
        &self,
        contact: &ContactKinematics,
        (displacement, [steps]): &mut (Vector<3>, [f64; 1]),
        time_step: f64,
    ) -> ContactForce {
        *steps += 1.0;
        self.0.contact_force(contact, displacement, time_step)
    }

    fn end_contact(
        &self,
        contact: &ContactKinematics,
        (displacement, _): &(Vector<3>, [f64; 1]),
        time_step: f64,
    ) -> ContactForce {
        self.0.end_contact(contact, displacement, time_step)
    }

    fn stored_energy(&self, overlap: f64, radius: f64, history: &(Vector<3>, [f64; 1])) -> f64 {
        self.0.stored_energy(overlap, radius, &history.0)
    }

    fn stiffness(&self, reduced_radius: f64) -> f64 {
        self.0.stiffness(reduced_radius)
    }
}

/// Returns a saved state without what laws keep of contacts.
fn without_histories(saved: SavedState) -> SavedState {
    SavedState { histories: Vec::new(), wall_histories: Vec::new(), ..saved }
}

/// Compares everything that can be asked for, to the bit.
fn assert_same<const D: usize, A: ContactLaw, B: ContactLaw>(
    one: &Simulation<D, A>,
    two: &Simulation<D, B>,
) {
    assert!(without_histories(one.saved_state()) == without_histories(two.saved_state()), "saved");
    assert_eq!(one.energy(), two.energy());
    assert!(one.contacts() == two.contacts(), "contacts");
    assert!(one.triangle_loads() == two.triangle_loads(), "loads");
    assert!(one.body_contacts() == two.body_contacts(), "pressures");
    assert_eq!(one.virial_integral(), two.virial_integral());
    assert_eq!(one.warnings(), two.warnings());
}

/// Returns settings under which the built-in law, too, is called contact by contact: a rolling resistance of zero is no
/// different law, but sums over contacts are those of one after the other.
fn contact_by_contact<const D: usize>(settings: Settings<D>) -> Settings<D> {
    let alone = |law: CompositeLaw| match law.rolling {
        RollingResistance::None => {
            CompositeLaw { rolling: RollingResistance::Constant(0.0), ..law }
        }
        _ => law,
    };
    settings.map_laws(alone)
}

/// Runs a simulation with changes of everything on its way.
fn run<const D: usize, L: ContactLaw>(
    bodies: &[Body<D>],
    settings: &Settings<D, L>,
    steps: u64,
) -> Simulation<D, L> {
    let mut simulation = Simulation::new(bodies, settings.clone()).unwrap();
    simulation.advance(steps).unwrap();
    let velocity = BodyProperty::Velocity(Vector::zeros());
    simulation.apply(&[BodyChange { body: 3, to: velocity }]).unwrap();
    simulation.remove(&[1]).unwrap();
    simulation.advance(steps).unwrap();
    let mut simulation = Simulation::resume(&simulation.saved_state(), settings.clone()).unwrap();
    // The last wall becomes the first.
    let mut changed = settings.clone();
    changed.walls.rotate_right(1);
    let count = changed.walls.len() as u32;
    let numbers: Vec<_> = (0..count).map(|number| Some((number + 1) % count)).collect();
    simulation.change_settings(changed, &numbers).unwrap();
    simulation.advance(steps).unwrap();
    simulation
}

fn assert_wrapped_is_built_in<const D: usize>(
    bodies: &[Body<D>],
    settings: &Settings<D>,
    steps: u64,
) {
    let settings = contact_by_contact(settings.clone());
    let built_in = run(bodies, &settings, steps);
    let wrapped = run(bodies, &settings.map_laws(WrappedLaw), steps);
    assert_same(&built_in, &wrapped);
    let totals = built_in.step_totals();
    assert!(totals.contacts > 5 && totals.wall_contacts > 5, "{totals:?}");
    let (one, two) = (built_in.saved_state(), wrapped.saved_state());
    for (displacements, both) in
        [(&one.histories, &two.histories), (&one.wall_histories, &two.wall_histories)]
    {
        let displacements = displacements.as_chunks::<3>().0;
        let both = both.as_chunks::<4>().0;
        assert_eq!(displacements.len(), both.len());
        for (displacement, [x, y, z, contact_steps]) in displacements.iter().zip(both) {
            assert_eq!(displacement, &[*x, *y, *z]);
            assert!(*contact_steps >= 1.0);
        }
    }
}

#[test]
fn the_built_in_law_as_a_law_of_ones_own_gives_the_same_bits_for_spheres() {
    let (bodies, settings) = crowd(512);
    let size = settings.boundary.period(0);
    let lid = Wall {
        motion: WallMotion { velocity: [0.0, 0.0, -0.3].into(), ..WallMotion::none() },
        material: Some(1),
        ..Wall::plane([0.0, 0.0, -1.0], -7.5)
    };
    let settings = Settings {
        boundary: Boundary::periodic([size, size, None]).unwrap(),
        walls: vec![Wall::plane([0.0, 0.0, 1.0], 0.0), lid],
        gravity: [0.0, 0.0, -5.0].into(),
        ..settings
    };
    assert_wrapped_is_built_in(&bodies, &settings, 1500);
    let sticky = |law| CompositeLaw {
        rolling: RollingResistance::Constant(0.1),
        cohesion: Cohesion::Dmt { work_of_adhesion: 1.0 },
        ..law
    };
    assert_wrapped_is_built_in(&bodies, &settings.map_laws(sticky), 500);
}

#[test]
fn the_built_in_law_as_a_law_of_ones_own_gives_the_same_bits_for_all_shapes_and_walls() {
    let (bodies, settings) = mixture();
    assert_wrapped_is_built_in(&bodies, &settings, 3000);
    let mut walls = settings.walls.clone();
    walls[4] = Wall {
        motion: WallMotion {
            amplitude: [0.02, 0.0, 0.01].into(),
            frequency: 5.0,
            ..WallMotion::none()
        },
        ..Wall::at_rest(tiles())
    };
    assert_wrapped_is_built_in(&bodies, &Settings { walls, ..settings }, 3000);
}

#[test]
fn the_built_in_law_as_a_law_of_ones_own_gives_the_same_bits_in_two_dimensions() {
    let law = CompositeLaw {
        damping: Damping::restitution(0.3),
        tangential: TangentialForceLaw::Mindlin { modulus: 6e4, damping: 0.7 },
        friction_coefficient: 0.4,
        ..CompositeLaw::hertz(1e5)
    };
    let site = |k: i32| [0.6 + 1.01 * f64::from(k % 8), 0.6 + 1.02 * f64::from(k / 8)];
    let bodies: Vec<Body<2>> = (0..48).map(|k| Body::at_rest(site(k), 0.5, 1.0)).collect();
    let walls = vec![Wall::plane([0.0, 1.0, 0.0], 0.0), Wall::plane([1.0, 0.0, 0.0], 0.0)];
    let settings = Settings { walls, gravity: [-2.0, -9.0].into(), ..Settings::with_law(law) };
    assert_wrapped_is_built_in(&bodies, &settings, 2000);
}

/// A linear spring and a dashpot.
#[derive(Clone, Copy)]
struct SpringDashpot {
    stiffness: f64,
    /// Damping coefficient times the inverse mass.
    rate: f64,
}

impl ContactLaw for SpringDashpot {
    type History = ();

    fn contact_force(
        &self,
        contact: &ContactKinematics,
        _: &mut (),
        time_step: f64,
    ) -> ContactForce {
        let (speed, damping_coefficient) =
            (contact.approach_speed(), self.rate / contact.inverse_mass);
        let damping_loss = damping_coefficient * speed * speed * time_step;
        ContactForce {
            normal_force: self.stiffness * contact.overlap + damping_coefficient * speed,
            losses: ContactLosses { damping_loss, ..ContactLosses::default() },
            damping_coefficient,
            ..ContactForce::default()
        }
    }

    fn stored_energy(&self, overlap: f64, _reduced_radius: f64, _: &()) -> f64 {
        0.5 * self.stiffness * overlap * overlap
    }
}

/// A body that hits another or, if there is none, a wall, along a direction.
fn collision<const D: usize>(
    along: Vector<D>,
    shape: Option<&Shape>,
    with_wall: bool,
    law: CompositeLaw,
) -> (Vec<Body<D>>, Settings<D>) {
    let body = |place: Vector<D>, mass| match shape {
        Some(shape) => Body::shaped(place, 0, shape, mass),
        None => Body::at_rest(place, 0.5, mass),
    };
    let first = Body { velocity: along, ..body(Vector::zeros(), 1.0) };
    let far = along * 1.1;
    let normal = embed_in_3d(&-along);
    let walls = if with_wall { vec![Wall::plane(normal, -0.6)] } else { Vec::new() };
    let bodies = if with_wall { vec![first] } else { vec![first, body(far, 3.0)] };
    let shapes = shape.cloned().into_iter().collect();
    (bodies, Settings { walls, shapes, time_step: Some(2e-5), ..Settings::with_law(law) })
}

fn assert_that_springs_agree<const D: usize>(along: Vector<D>, shape: Option<&Shape>) {
    let (stiffness, rate) = (1e4, 20.0);
    for (with_wall, rate) in [(false, 0.0), (false, rate), (true, 0.0), (true, rate)] {
        let damping = if rate > 0.0 { Damping::Rate(rate) } else { Damping::None };
        let law = CompositeLaw { damping, ..CompositeLaw::spring(stiffness) };
        let (bodies, settings) = collision(along, shape, with_wall, law);
        let own = settings.clone().map_laws(|_| SpringDashpot { stiffness, rate });
        let mut expected = Simulation::new(&bodies, settings).unwrap();
        let mut found = Simulation::new(&bodies, own).unwrap();
        expected.advance(8000).unwrap();
        found.advance(8000).unwrap();
        assert!(expected.body(0).velocity.dot(&along) < 0.0, "it has bounced");
        for number in 0..bodies.len() {
            let [expected, found] =
                [expected.body(number), found.body(number)].map(|body| body.velocity);
            // Without damping the same numbers are summed; with it the built-in law averages over steps.
            let tolerance = if rate > 0.0 { 1e-3 } else { 0.0 };
            assert!((found - expected).norm() <= tolerance, "{along} {found} {expected}");
        }
        let drift = found.energy().total() - 0.5;
        assert!(drift.abs() < 1e-4, "{drift} {:?}", found.energy());
    }
}

#[test]
fn a_spring_and_dashpot_of_ones_own_move_bodies_as_the_built_in_ones() {
    for along in [[1.0, 0.0, 0.0], [0.0, 0.6, -0.8], [-0.48, 0.6, 0.64]] {
        assert_that_springs_agree(Vector::from(along), None);
    }
    for along in [[0.0, -1.0], [0.6, 0.8]] {
        assert_that_springs_agree(Vector::from(along), None);
    }
    for along in [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]] {
        assert_that_springs_agree(Vector::from(along), Some(&cube()));
    }
}

/// Springs along and across the normal with Coulomb's limit and a dashpot: friction with history.
#[derive(Clone, Copy)]
struct Slider {
    stiffness: f64,
    rate: f64,
    friction_coefficient: f64,
}

impl ContactLaw for Slider {
    type History = Vector<3>;

    fn contact_force(
        &self,
        contact: &ContactKinematics,
        displacement: &mut Vector<3>,
        time_step: f64,
    ) -> ContactForce {
        let dashpot = SpringDashpot { stiffness: self.stiffness, rate: self.rate };
        let mut force = dashpot.contact_force(contact, &mut (), time_step);
        force.friction_limit =
            contact.friction_limit(self.friction_coefficient, force.normal_force);
        let before = *displacement;
        *displacement -= contact.normal * contact.normal.dot(displacement);
        let lost = before.norm_squared() - displacement.norm_squared();
        force.losses.friction_loss = 0.5 * self.stiffness * lost;
        *displacement += contact.slip(time_step);
        let size = self.stiffness * displacement.norm();
        if size > force.friction_limit {
            let held = *displacement * (force.friction_limit / size);
            // The mean of the forces before and after, times the slip that was not held.
            let mean = (*displacement - contact.slip(time_step) + held) * (0.5 * self.stiffness);
            force.losses.friction_loss += mean.dot(&(*displacement - held));
            *displacement = held;
        }
        force.tangential_force = *displacement * -self.stiffness;
        force
    }

    fn stored_energy(&self, overlap: f64, _reduced_radius: f64, displacement: &Vector<3>) -> f64 {
        0.5 * self.stiffness * (overlap * overlap + displacement.norm_squared())
    }
}

#[test]
fn friction_of_ones_own_makes_a_sphere_roll() {
    // Without a dashpot across the normal the rolling sphere swings, the less the stiffer the spring.
    let law = Slider { stiffness: 1e7, rate: 500.0, friction_coefficient: 0.3 };
    let walls = vec![Wall::plane([0.0, 0.0, 1.0], 0.0)];
    let settings = Settings { walls, gravity: [0.0, 0.0, -10.0].into(), ..Settings::with_law(law) };
    let start = Body::at_rest([0.0, 0.0, 0.5 - 1e-6], 0.5, 1.0);
    let body = Body { velocity: [0.6, 0.8, 0.0].into(), ..start };
    let mut simulation = Simulation::new(&[body], settings).unwrap();
    let before = simulation.energy().total();
    while simulation.now() < 2.0 {
        simulation.advance(100).unwrap();
    }
    let (body, energy) = (simulation.body(0), simulation.energy());
    assert!((body.velocity.xy().norm() - 5.0 / 7.0).abs() < 2e-3, "{body:?}");
    let rolling = body.angular_velocity.cross(&Vector::from([0.0, 0.0, 0.5]));
    assert!((rolling - body.velocity).xy().norm() < 5e-3, "{body:?}");
    assert!((energy.friction_loss - 0.5 * 2.0 / 7.0).abs() < 1e-3, "{energy:?}");
    assert!((energy.total() - before).abs() < 1e-3, "{energy:?} {before}");
}

#[test]
fn a_spring_of_ones_own_holds_a_cube_on_a_slope_through_searches() {
    let law = Slider { stiffness: 1e5, rate: 100.0, friction_coefficient: 0.5 };
    let slope = 0.2_f64;
    let settings = Settings {
        walls: vec![Wall::plane([0.0, 0.0, 1.0], 0.0)],
        gravity: [10.0 * slope.sin(), 0.0, -10.0 * slope.cos()].into(),
        shapes: vec![cube()],
        time_step: Some(2e-4),
        ..Settings::with_law(law)
    };
    let body = Body::shaped([0.0, 0.0, 0.5 - 1e-4], 0, &settings.shapes[0], 1.0);
    let fast =
        Body { velocity: [0.0, 50.0, 0.0].into(), ..Body::at_rest([0.0, 9.0, 90.0], 0.5, 1.0) };
    let [alone, passed] = [&[body][..], &[body, fast]].map(|bodies| {
        let mut simulation = Simulation::new(bodies, settings.clone()).unwrap();
        simulation.advance(10_000).unwrap();
        (simulation.searches(), simulation.body(0).position)
    });
    assert!(alone.0 < 3 && passed.0 > 100, "{alone:?} {passed:?}");
    assert!((alone.1 - passed.1).norm() < 1e-9, "{alone:?} {passed:?}");
    // It would have slid by two lengths without friction, and by far more if contacts began again with each search.
    assert!((alone.1 - body.position).norm() < 5e-3, "{alone:?}");
}

#[test]
fn numbers_of_contacts_are_kept_through_all_that_a_simulation_does() {
    let dumbbell = [[-0.3, 0.0, 0.0], [0.3, 0.0, 0.0]].map(|center| Sphere::new(center, 0.4));
    let shapes = vec![Shape::clump(&dumbbell).unwrap(), cube()];
    let law = CompositeLaw { damping: Damping::restitution(0.3), ..CompositeLaw::spring(1e4) };
    let mut bodies = Vec::new();
    for level in 0..2 {
        let height = |half: f64| 0.998 * half * (1.0 + 2.0 * f64::from(level));
        bodies.push(Body::at_rest([0.0, 0.0, height(0.5)], 0.5, 1.0));
        bodies.push(Body::shaped([3.0, 0.0, height(0.4)], 0, &shapes[0], 1.0));
        bodies.push(Body::shaped([6.0, 0.0, height(0.5)], 1, &shapes[1], 1.0));
    }
    let fast =
        Body { velocity: [0.0, 50.0, 0.0].into(), ..Body::at_rest([0.0, 9.0, 90.0], 0.5, 1.0) };
    bodies.push(fast);
    let settings = Settings {
        walls: vec![Wall::plane([0.0, 0.0, 1.0], -9.0), Wall::plane([0.0, 0.0, 1.0], 0.0)],
        gravity: [0.0, 0.0, -10.0].into(),
        shapes,
        ..Settings::with_law(WrappedLaw(law))
    };
    let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
    simulation.advance(400).unwrap();
    assert!(simulation.searches() > 5);
    simulation.remove(&[6]).unwrap();
    simulation.insert(&[Body { position: [0.0, 0.0, 50.0].into(), ..fast }]).unwrap();
    let mut simulation = Simulation::resume(&simulation.saved_state(), settings.clone()).unwrap();
    simulation.advance(100).unwrap();
    let walls = vec![Wall::plane([0.0, 0.0, 1.0], 0.0)];
    simulation.change_settings(Settings { walls, ..settings }, &[None, Some(0)]).unwrap();
    simulation.advance(100).unwrap();
    // Each contact has been there from the start: one of spheres and of cubes, and one of each sphere of the clump, between
    // the levels and with the floor. Before the first step forces were computed once.
    let saved = simulation.saved_state();
    for histories in [saved.histories, saved.wall_histories] {
        let steps: Vec<f64> =
            histories.as_chunks::<4>().0.iter().map(|numbers| numbers[3]).collect();
        assert_eq!(steps, [601.0; 4]);
    }
}

#[test]
fn friction_of_ones_own_has_the_same_bits_on_threads_and_when_it_is_resumed() {
    // More than one block, so that bodies of different blocks touch.
    let (bodies, settings) = crowd(3000);
    let law = Slider { stiffness: 2e4, rate: 50.0, friction_coefficient: 0.4 };
    let settings = settings.map_laws(|_| law);
    let run = |threads: usize, cut: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
            simulation.advance(cut).unwrap();
            let mut simulation =
                Simulation::resume(&simulation.saved_state(), settings.clone()).unwrap();
            simulation.advance(600 - cut).unwrap();
            simulation
        })
    };
    let one = run(1, 0);
    assert!(one.step_totals().contacts > 100 && one.searches() > 2);
    let saved = one.saved_state();
    assert!(saved.histories.iter().any(|&number| number != 0.0));
    assert!(run(2, 137).saved_state() == saved && run(3, 400).saved_state() == saved);
    let before = Simulation::new(&bodies, settings.clone()).unwrap().energy().total();
    let after = one.energy();
    assert!(
        after.friction_loss > 0.005 * before && after.damping_loss > 0.02 * before,
        "{after:?}"
    );
    assert!((after.total() / before - 1.0).abs() < 2e-3, "{after:?} {before}");
}

/// Plastic springs, loaded with one stiffness and unloaded with another (O. Walton and R. Braun, 1986).
#[derive(Clone, Copy)]
struct PlasticSpring {
    loading: f64,
    unloading: f64,
}

impl ContactLaw for PlasticSpring {
    /// The deepest overlap.
    type History = [f64; 1];

    fn contact_force(
        &self,
        contact: &ContactKinematics,
        [deepest]: &mut [f64; 1],
        _time_step: f64,
    ) -> ContactForce {
        let before = std::mem::replace(deepest, deepest.max(contact.overlap));
        let work = 0.5 * self.loading * (deepest.powi(2) - before.powi(2));
        let damping_loss = work * (1.0 - self.loading / self.unloading);
        let unloaded = self.unloading * (contact.overlap - *deepest);
        ContactForce {
            normal_force: (unloaded + self.loading * *deepest).max(0.0),
            losses: ContactLosses { damping_loss, ..ContactLosses::default() },
            ..ContactForce::default()
        }
    }

    fn stored_energy(&self, overlap: f64, radius: f64, history: &[f64; 1]) -> f64 {
        self.static_normal_force(overlap, radius, history).powi(2) / (2.0 * self.unloading)
    }

    fn stiffness(&self, _reduced_radius: f64) -> f64 {
        self.unloading
    }
}

#[test]
fn plastic_springs_have_their_restitution_also_when_cut_within_the_collision() {
    let law = PlasticSpring { loading: 1e4, unloading: 4e4 };
    for along in [[1.0, 0.0, 0.0], [0.0, 0.6, -0.8]].map(Vector::from) {
        for with_wall in [false, true] {
            let (bodies, settings) = collision(along, None, with_wall, CompositeLaw::spring(1.0));
            let settings = settings.map_laws(|_| law);
            let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
            while simulation.energy().damping_loss < 0.1 {
                simulation.advance(1).unwrap();
            }
            let mut cut = Simulation::resume(&simulation.saved_state(), settings).unwrap();
            simulation.advance(4000).unwrap();
            cut.advance(4000).unwrap();
            assert_eq!(cut.state(), simulation.state());
            let other = bodies.get(1).map_or(Vector::zeros(), |_| simulation.body(1).velocity);
            let restitution = (other - simulation.body(0).velocity).dot(&along);
            assert!((restitution - 0.5).abs() < 1e-3, "{restitution}");
            let energy = simulation.energy();
            assert!((energy.total() - 0.5).abs() < 1e-4, "{energy:?}");
        }
    }
}

#[test]
fn plastic_springs_of_all_shapes_keep_the_books() {
    let (bodies, settings) = mixture();
    // Meshes and patches of faces do not follow any law to the last part; spheres, cubes and clumps do.
    let bodies: Vec<Body> = bodies.into_iter().filter(|body| body.shape != Some(3)).collect();
    let settings = settings.map_laws(|_| PlasticSpring { loading: 2e4, unloading: 6e4 });
    let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
    let before = simulation.energy();
    simulation.advance(2000).unwrap();
    let mut cut = Simulation::resume(&simulation.saved_state(), settings).unwrap();
    simulation.advance(4000).unwrap();
    cut.advance(4000).unwrap();
    assert!(cut.saved_state() == simulation.saved_state());
    let (after, scale) = (simulation.energy(), before.kinetic_energy + before.potential_energy);
    let drift = (after.total() - before.total()).abs() / scale;
    assert!(after.damping_loss > 0.1 * scale && drift < 0.01, "{drift} {before:?} {after:?}");
}

/// What a law may get wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Force,
    InfiniteForce,
    TangentialForce,
    Torque,
    Loss,
    Energy,
    Stiffness,
    Parameter,
}

#[derive(Clone, Copy)]
struct LawWithFault(Fault);

impl ContactLaw for LawWithFault {
    type History = ();

    fn contact_force(&self, contact: &ContactKinematics, _: &mut (), _: f64) -> ContactForce {
        let wrong = Vector::repeat(f64::NAN);
        let mut force =
            ContactForce { normal_force: 1e4 * contact.overlap, ..ContactForce::default() };
        match self.0 {
            Fault::Force => force.normal_force = f64::NAN,
            Fault::InfiniteForce => force.normal_force = f64::INFINITY,
            Fault::TangentialForce => force.tangential_force = wrong,
            Fault::Torque => force.rolling_torque = wrong,
            Fault::Loss => force.losses.friction_loss = f64::NAN,
            Fault::Energy | Fault::Stiffness | Fault::Parameter => {}
        }
        force
    }

    fn stored_energy(&self, overlap: f64, _reduced_radius: f64, _: &()) -> f64 {
        if self.0 == Fault::Energy { f64::NAN } else { 5e3 * overlap * overlap }
    }

    fn stiffness(&self, _reduced_radius: f64) -> f64 {
        if self.0 == Fault::Stiffness { f64::NAN } else { 1e4 }
    }

    fn check(&self) -> Result<(), String> {
        match self.0 {
            Fault::Parameter => Err("its stiffness is -3; it must be positive".to_owned()),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_law_that_is_wrong_ends_in_a_sentence() {
    let law = "the contact law gives body 0, which touches body 1,";
    let faults = [
        (Fault::Force, format!("{law} a force of NaN")),
        // In the directions across the normal infinity times zero is no number.
        (Fault::InfiniteForce, format!("{law} a force of NaN")),
        (Fault::TangentialForce, format!("{law} a force of NaN")),
        (Fault::Torque, format!("{law} a torque of NaN")),
        (Fault::Loss, "the contact law gives a loss of NaN".to_owned()),
        (Fault::Energy, "the contact law gives contacts a stored energy of NaN".to_owned()),
        (
            Fault::Stiffness,
            "the contact law of materials 0 and 0 cannot be used: its stiffness is NaN; it must be \
             finite and not negative"
                .to_owned(),
        ),
        (
            Fault::Parameter,
            "the contact law of materials 0 and 0 cannot be used: its stiffness is -3; it must be \
             positive"
                .to_owned(),
        ),
    ];
    for (fault, beginning) in faults {
        for gap in [-0.001, 0.002] {
            let bodies = [
                Body { velocity: [0.0, 1.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 1.0) },
                Body::at_rest([0.0, 1.0 + gap], 0.5, 1.0),
            ];
            let settings = Settings::with_law(LawWithFault(fault));
            let run = Simulation::new(&bodies, settings).and_then(|mut simulation| {
                // Energies are looked at where bodies become faster.
                let push = BodyProperty::Velocity([0.0, 9.0].into());
                while simulation.now() < 0.02 {
                    simulation.advance(7)?;
                    if fault == Fault::Energy && simulation.now() > 0.005 {
                        simulation.apply(&[BodyChange { body: 0, to: push }])?;
                    }
                }
                Ok(())
            });
            let sentence = run.expect_err("it is wrong").to_string();
            assert!(sentence.starts_with(&beginning), "{fault:?} {gap}: {sentence}");
            assert!(sentence.contains("it must be"), "{sentence}");
        }
    }
}

#[test]
fn parameters_of_the_built_in_law_are_checked() {
    let law = CompositeLaw::spring(1e4);
    let tangential = TangentialForceLaw::Spring { stiffness: f64::INFINITY, damping: 0.5 };
    let wrong = [
        (CompositeLaw::spring(-1.0), "its stiffness is -1"),
        (CompositeLaw::hertz(f64::NAN), "its reduced modulus is NaN"),
        (CompositeLaw { tangential, ..law }, "its tangential stiffness is inf"),
        (CompositeLaw { friction_coefficient: -0.5, ..law }, "its friction coefficient is -0.5"),
        (CompositeLaw { damping: Damping::Rate(-2.0), ..law }, "its damping rate is -2"),
    ];
    let bodies = [0.0, 2.0].map(|x| Body::at_rest([x, 0.0], 0.5, 1.0));
    for (law, reason) in wrong {
        let settings: Settings<2> = Settings::with_law(law);
        let error = Simulation::new(&bodies, settings).err().unwrap().to_string();
        let beginning = format!("the contact law of materials 0 and 0 cannot be used: {reason}; ");
        assert!(error.starts_with(&beginning), "{error}");
    }
    let none: Settings<2> = Settings::with_law(CompositeLaw::spring(0.0));
    let error = Simulation::new(&bodies, none.clone()).err().unwrap().to_string();
    assert!(error.starts_with("the time step is inf; contact laws without stiffness"), "{error}");
    assert!(Simulation::new(&bodies, Settings { time_step: Some(1e-3), ..none }).is_ok());
}

#[test]
fn the_slope_of_the_static_force_is_the_stiffness() {
    let law = CompositeLaw { damping: Damping::restitution(0.5), ..CompositeLaw::hertz(300.0) };
    // The default of the trait, at an overlap of a twentieth of the radius.
    let slope = Slope(law).stiffness(0.25);
    assert!((slope / law.stiffness(0.25) - 1.0).abs() < 1e-8, "{slope}");
    assert_eq!(
        Slope(law).static_normal_force(0.01, 0.25, &()),
        law.static_normal_force(0.01, 0.25, &Vector::zeros())
    );
}

/// A law that leaves everything to the defaults of the trait, and claims to be a composed law though it has no
/// displacement.
#[derive(Clone)]
struct Slope(CompositeLaw);

impl ContactLaw for Slope {
    type History = ();

    fn contact_force(
        &self,
        contact: &ContactKinematics,
        _: &mut (),
        time_step: f64,
    ) -> ContactForce {
        self.0.contact_force(contact, &mut Vector::zeros(), time_step)
    }

    fn stored_energy(&self, overlap: f64, reduced_radius: f64, _: &()) -> f64 {
        self.0.stored_energy(overlap, reduced_radius, &Vector::zeros())
    }

    fn as_composite(&self) -> Option<&CompositeLaw> {
        Some(&self.0)
    }
}

#[test]
fn a_law_without_displacement_is_computed_contact_by_contact() {
    let (bodies, settings) = crowd(500);
    let settings = Settings { time_step: Some(1e-4), ..settings };
    let law = CompositeLaw::spring(2e4);
    let alone = contact_by_contact(settings.clone().map_laws(|_| law));
    let mut built_in = Simulation::new(&bodies, alone).unwrap();
    let mut own = Simulation::new(&bodies, settings.map_laws(|_| Slope(law))).unwrap();
    built_in.advance(300).unwrap();
    own.advance(300).unwrap();
    assert!(own.step_totals().contacts > 50);
    assert_same(&built_in, &own);
}

#[test]
fn an_engine_with_a_law_of_ones_own_is_observed_as_any() {
    let walls = vec![Wall::plane([0.0, 1.0, 0.0], 0.0)];
    let gravity = [0.0, -10.0].into();
    let bodies = [0.0, 3.0].map(|x| Body::at_rest([x, 0.499], 0.5, 1.0));
    let law = CompositeLaw::spring(1e4);
    let settings = Settings { walls, gravity, ..Settings::with_law(law) };
    let own = settings.clone().map_laws(|_| SpringDashpot { stiffness: 1e4, rate: 0.0 });
    let own = Settings { time_step: Some(1e-4), ..own };
    let settings = Settings { time_step: Some(1e-4), ..settings };
    let engines: [Box<dyn Engine<2>>; 2] = [
        Box::new(Simulation::new(&bodies, settings).unwrap()),
        Box::new(Simulation::new(&bodies, own).unwrap()),
    ];
    let [built_in, own] = engines.map(|mut engine| {
        let mut pressure = ContactPressure::new(100.0);
        let mut loads = WallLoads::new(vec!["floor".to_owned()]);
        let mut samples = Vec::new();
        for time in [0.0, 0.1, 0.2] {
            engine.advance_to(time).unwrap();
            let sample =
                if time == 0.0 { Sample::at_start(&*engine) } else { Sample::of(&*engine) };
            samples.push((pressure.sample(&sample), loads.sample(&sample)));
        }
        (samples, engine.contacts(), engine.quantities(), engine.state())
    });
    assert_eq!(built_in.1.len(), 2);
    assert!(built_in == own, "{built_in:?} {own:?}");
}

#[test]
fn histories_survive_being_saved_and_seen_from_the_other_body() {
    fn check<H: LawHistory + PartialEq + std::fmt::Debug>(history: H) {
        let mut numbers = Vec::new();
        history.save(&mut numbers);
        assert_eq!(numbers.len(), H::NUMBERS);
        assert_eq!(H::restore(&numbers), history);
        assert_eq!(history.exchanged().exchanged(), history);
    }
    check(());
    check([1.0, 2.0]);
    check(Vector::from([1.0, -2.0, 3.0]));
    check(([7.0], Vector::from([1.0, -2.0, 3.0])));
    let mut history = ([7.0], Vector::from([1.0, -2.0, 3.0]));
    assert_eq!(history.exchanged(), ([7.0], Vector::from([-1.0, 2.0, -3.0])));
    assert_eq!(history.rewound(&Vector::x()), ([7.0], Vector::from([0.0, -2.0, 3.0])));
    assert_eq!(history.tangential_displacement().map(|it| it.z), Some(3.0));
}

/// Grains are poured into a box in a stage, and slide out of it to one side in the next.
const SCENE: &str = "
engine = 'dem'
dimension = 2
seed = 4
box = { size = [8, 8], boundary = 'wall' }
materials.default = { density = 1.0, stiffness = 1e4, restitution = 0.4, friction = 0.4, rolling_friction = 0.02 }
output.log_interval = 0.1
observe.wall_loads = true
[[generate]]
kind = 'random'
count = 12
radius = 0.4
[[pour]]
count = 8
radius = 0.3
rate = 20
region = { low = [0, 5], high = [8, 8] }
[[stages]]
name = 'fill'
duration = 1.0
gravity.acceleration = [0, -9.81]
[[stages]]
name = 'tilt'
duration = 0.5
gravity.acceleration = [5, -8]
";

#[derive(Default)]
struct Rows(Vec<String>);

impl Sink<2> for Rows {
    fn log(&mut self, row: &Values) -> Result<(), carom::run::Error> {
        // As text, so that NaN is equal to itself.
        self.0.push(format!("{row:?}"));
        Ok(())
    }
}

#[test]
fn a_scene_has_the_same_log_with_a_law_of_ones_own_also_when_it_is_cut() {
    let parse = |text: &str| match AnyScene::parse(text, "own.toml", "".as_ref(), &[]).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => unreachable!("it is of the plane"),
    };
    let scene = parse(SCENE);
    let wrapped = |materials: [&Material; 2], law| {
        assert_eq!(materials.map(|material| material.name.as_str()), ["default"; 2]);
        WrappedLaw(law)
    };
    let [mut built_in, mut whole, mut cut] = [Rows::default(), Rows::default(), Rows::default()];
    Run::new(&scene).unwrap().run_to_end(&mut built_in).unwrap();
    Run::with_contact_law(&scene, wrapped).unwrap().run_to_end(&mut whole).unwrap();
    assert!(built_in.0.len() == 16 && built_in.0 == whole.0, "{:#?}", whole.0);
    let mut run = Run::with_contact_law(&scene, wrapped).unwrap();
    run.emit_due_output(&mut cut).unwrap();
    while run.is_over().is_none() {
        run.advance().unwrap();
        run.emit_due_output(&mut cut).unwrap();
        let stored = || Checkpoint::decode(&run.checkpoint().encode(), "a checkpoint").unwrap();
        assert!(Run::resume(&scene, stored()).is_err(), "it has other histories");
        run = Run::resume_with_contact_law(&scene, stored(), wrapped).unwrap();
    }
    run.emit_final_output(&mut cut).unwrap();
    assert!(cut.0 == whole.0, "{:#?}", cut.0);
    assert!(!run.estimate(&scene).json().to_string().contains("stiffness_reason"));
    let outcome = SceneRun::parse(SCENE).unwrap().contact_law(wrapped).run().unwrap();
    assert_eq!(outcome.summary["bodies"], 20);
    let gas = parse(
        "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\n[[generate]]\nkind = 'random'\n\
         count = 9\nradius = 0.5\npacking_fraction = 0.2\ntemperature = 1.0",
    );
    let error = Run::with_contact_law(&gas, wrapped).err().unwrap().to_string();
    assert_eq!(error, "the engine is event-driven; only dem has contact laws");
}
