//! Contacts at the present moment with their forces, and the loads that they put on walls.

use super::contact_law::{ContactKinematics, ContactLaw, LawHistory};
use super::contact_point::DemContactPoint;
use super::forces;
use super::rotation_state::RotationState;
use super::shaped_contact::{ContactMobility, contact_kinematics, patch_contact_force};
use super::simulation::Simulation;
use super::wall::{self, PosedWall, wall_contact_kinematics};
use crate::{ContactObstacle, EngineContact, Wall, WallLoad, WallSurface};
use carom_geometry::Vector;

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Returns all contacts now: those of two bodies by ascending ids of both, then those with walls. Bodies whose
    /// shapes touch in several points have a contact for each. Costs about as much as a time step on one thread.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let bodies = [0.0, 0.75].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
    /// let simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(8.0)))?;
    /// let [contact] = simulation.contacts()[..] else { panic!("there is one") };
    /// assert_eq!((contact.overlap, contact.normal_force), (0.25, 2.0));
    /// assert_eq!(contact.force().x, -2.0);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn contacts(&self) -> Vec<EngineContact<D>> {
        let mut contacts = Vec::new();
        self.visit_contacts(|visited| contacts.push(visited.contact));
        let key = |contact: &EngineContact<D>| match contact.obstacle {
            ContactObstacle::Body(other) => (0, contact.body, other),
            ContactObstacle::Wall(wall) => (1, contact.body, wall),
        };
        // A stable sort keeps the order of several contacts of one pair.
        contacts.sort_by_key(key);
        contacts
    }

    /// Returns the load on each wall now.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation, Wall};
    /// // Two spheres, each 0.0625 deep in the floor z = 0.
    /// let walls = vec![Wall::plane([0.0, 0.0, 1.0], 0.0)];
    /// let settings = Settings { walls, ..Settings::with_law(CompositeLaw::spring(1024.0)) };
    /// let bodies = [0.0, 3.0].map(|x| Body::at_rest([x, 0.0, 0.4375], 0.5, 1.0));
    /// let load = Simulation::new(&bodies, settings)?.wall_loads()[0];
    /// assert_eq!((load.contacts, load.force), (2, [0.0, 0.0, -128.0].into()));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn wall_loads(&self) -> Vec<WallLoad> {
        let mut loads = vec![WallLoad::default(); self.settings.walls.len()];
        self.visit_wall_loads(|wall, _, load| loads[wall].add(load));
        loads
    }

    /// Returns what contacts do to each triangle of every wall that is a mesh, in the order of the mesh; walls of other
    /// kinds have one entry.
    ///
    /// ```
    /// use carom_geometry::mesh::TriangleMesh;
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// use carom_simulate::{MeshSurface, Wall, WallSurface};
    /// // A floor of two triangles, of which a sphere presses on the second, at y > x.
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    /// let mesh = TriangleMesh::new(corners.map(Into::into).into(), vec![[0, 1, 2], [0, 2, 3]])?;
    /// let mut floor = Wall::plane([0.0, 0.0, 1.0], 0.0);
    /// floor.surface = WallSurface::Mesh(std::sync::Arc::new(MeshSurface::new(mesh)));
    /// let settings = Settings { walls: vec![floor], ..Settings::with_law(CompositeLaw::spring(1024.0)) };
    /// let simulation = Simulation::new(&[Body::at_rest([1.0, 3.0, 0.4375], 0.5, 1.0)], settings)?;
    /// let loads = &simulation.triangle_loads()[0];
    /// assert_eq!((loads[0].contacts, loads[1].contacts), (0, 1));
    /// assert_eq!(loads[1].force.z, -64.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn triangle_loads(&self) -> Vec<Vec<WallLoad>> {
        let triangles = |wall: &Wall| match &wall.surface {
            WallSurface::Mesh(surface) => surface.mesh().triangles().len(),
            _ => 1,
        };
        let walls = self.settings.walls.iter();
        let mut loads: Vec<Vec<WallLoad>> =
            walls.map(|wall| vec![WallLoad::default(); triangles(wall)]).collect();
        self.visit_wall_loads(|wall, triangle, load| {
            if let Some(sum) = loads[wall].get_mut(triangle) {
                sum.add(load);
            }
        });
        loads
    }

    /// Calls `visit` with the wall, its triangle and the load of every contact with a wall.
    fn visit_wall_loads(&self, mut visit: impl FnMut(usize, usize, &WallLoad)) {
        let centers: Vec<_> = self.settings.walls.iter().map(|wall| wall.motion.center).collect();
        let now = self.now();
        let poses: Vec<_> = self.settings.walls.iter().map(|wall| wall.motion.pose(now)).collect();
        self.visit_contacts(|visited| {
            let obstacle = visited.contact.obstacle;
            let (ContactObstacle::Wall(wall), Some(on_wall)) = (obstacle, visited.on_wall) else {
                return;
            };
            let number = wall as usize;
            let center = poses[number].transform_point(&centers[number]);
            let load = WallLoad {
                contacts: 1,
                force: on_wall.force,
                torque: (on_wall.position - center).cross(&on_wall.force),
                power: -on_wall.force.dot(&on_wall.velocity),
            };
            visit(number, visited.contact.triangle as usize, &load);
        });
    }

    /// Calls `visit` with every contact.
    fn visit_contacts(&self, mut visit: impl FnMut(VisitedContact<D>)) {
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        let Simulation { bodies, neighbors, contact_laws, shapes, .. } = self;
        let context = forces::force_context(bodies, neighbors, contact_laws, shapes, &walls);
        let round = RotationState::sphere();
        // Where the state has the body: bodies are put back into a periodic box at searches only.
        let in_box = |contact: EngineContact<D>, center: &Vector<3>| {
            let center = Vector::from_fn(|axis, _| center[axis]);
            let shift = self.settings.boundary.wrap(center) - center;
            EngineContact { position: contact.position + shift, ..contact }
        };
        let mobility = |body: usize, arm: Vector<3>| ContactMobility {
            motion: &context.motions[body],
            rotation_state: context.rotation_states.get(body).unwrap_or(&round),
            arm,
        };
        context.each_contact(neighbors, |pair, image, point, history| {
            let [first, second] = pair;
            let centers = [first, second].map(|body| context.positions[body].position);
            let arms = [point.position - centers[0], point.position - centers[1] - image];
            let mobilities = [mobility(first, arms[0]), mobility(second, arms[1])];
            let kinematics = contact_kinematics(point, mobilities, true);
            let law = context.law(first, second);
            let force = present_force(law, point, kinematics, history, self.time_step);
            let [one, two] = pair.map(|body| self.body_ids.id(bodies.ids[body]));
            let contact = engine_contact(point, &force, one, ContactObstacle::Body(two), 0);
            let contact = match one < two {
                true => in_box(contact, &centers[0]),
                false => in_box(exchanged(contact, two, image), &centers[1]),
            };
            visit(VisitedContact { contact, on_wall: None });
        });
        let wall_context = context.wall_force_context();
        wall::each_contact(&wall_context, &neighbors.wall_pairs, |pair, law, point| {
            let (body, wall) = (pair.body as usize, &walls[usize::from(pair.wall)]);
            let arm = point.position - context.positions[body].position;
            let kinematics = wall_contact_kinematics(point, mobility(body, arm), wall, true);
            let force = present_force(law, point, kinematics, &pair.history, self.time_step);
            let obstacle = ContactObstacle::Wall(u32::from(pair.wall));
            let id = self.body_ids.id(bodies.ids[body]);
            let contact = engine_contact(point, &force, id, obstacle, pair.triangle);
            let contact = in_box(contact, &context.positions[body].position);
            let on_wall = Some(ForceOnWall::of(point, &force, wall));
            visit(VisitedContact { contact, on_wall });
        });
    }
}

/// A contact, and what it does to a wall.
struct VisitedContact<const D: usize> {
    contact: EngineContact<D>,
    on_wall: Option<ForceOnWall>,
}

/// Force of a contact on a wall.
struct ForceOnWall {
    position: Vector<3>,
    force: Vector<3>,
    velocity: Vector<3>,
}

impl ForceOnWall {
    fn of(point: &DemContactPoint, force: &Vector<3>, wall: &PosedWall) -> Self {
        let position = point.position;
        ForceOnWall { position, force: -force, velocity: wall.velocity(&position) }
    }
}

/// Returns the force of a contact on its first body now. The law advances the tangential displacement by a step, which
/// is taken back before, since no time passes.
fn present_force<L: ContactLaw>(
    law: &L,
    point: &DemContactPoint,
    kinematics: ContactKinematics,
    history: &L::History,
    time_step: f64,
) -> Vector<3> {
    let slip = kinematics.velocity - point.normal * point.normal.dot(&kinematics.velocity);
    let mut before = history.rewound(&(slip * time_step));
    patch_contact_force(law, point, &kinematics, &mut before, time_step).force
}

fn engine_contact<const D: usize>(
    point: &DemContactPoint,
    force: &Vector<3>,
    body: u32,
    obstacle: ContactObstacle,
    triangle: u32,
) -> EngineContact<D> {
    let in_scene = |vector: Vector<3>| Vector::from_fn(|axis, _| vector[axis]);
    let normal_force = -force.dot(&point.normal);
    EngineContact {
        body,
        obstacle,
        triangle,
        position: in_scene(point.position),
        normal: in_scene(point.normal),
        overlap: point.overlap,
        normal_force,
        tangential_force: in_scene(force + point.normal * normal_force),
    }
}

/// Returns the contact as seen by its other body, which is shifted by `image` where it touches the first.
fn exchanged<const D: usize>(
    contact: EngineContact<D>,
    body: u32,
    image: &Vector<3>,
) -> EngineContact<D> {
    EngineContact {
        body,
        obstacle: ContactObstacle::Body(contact.body),
        position: contact.position - Vector::from_fn(|axis, _| image[axis]),
        normal: -contact.normal,
        tangential_force: -contact.tangential_force,
        ..contact
    }
}
