//! Where two bodies touch of which one at least is no sphere.

use super::body::Body;
use super::shape::{Convex, Form, Shape};
use carom_detect::inside::{InsideTest, NodeInside, NodesInside, NodesRoom, Side, Solid};
use carom_detect::narrow::{ClosestFeatures, ClosestToPoint, Pressure};
use carom_geometry::{Pose, Sphere, Vector, math};
use nalgebra::{Matrix3, UnitQuaternion};
use std::cell::RefCell;

/// A point in which two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    /// Tells it from other points in which the same bodies touch, from step to step.
    pub key: u32,
    /// From the first to the second, of length one.
    pub normal: Vector<3>,
    /// How deep they are in each other, of a touch that is wider than a point as a mean; zero or less if
    /// they do not touch.
    pub overlap: f64,
    /// How fast that grows where they come nearer with a speed of one.
    pub rate: f64,
    /// Where the force acts.
    pub position: Vector<3>,
    /// How round they are there.
    pub radii: [f64; 2],
    /// How wide they touch: the mean square of the way from the point, axis by axis.
    pub spread: Matrix3<f64>,
}

impl Meeting {
    pub(super) fn in_a_point(
        normal: Vector<3>,
        overlap: f64,
        position: Vector<3>,
        radii: [f64; 2],
    ) -> Self {
        Meeting { key: 0, normal, overlap, rate: 1.0, position, radii, spread: Matrix3::zeros() }
    }
}

/// Two bodies touch in so many points at most; of more the deepest count.
pub(super) const MOST: usize = 8;

/// The points in which two bodies touch.
#[derive(Default)]
pub(super) struct Meetings {
    points: [Option<Meeting>; MOST],
    count: usize,
}

impl Meetings {
    /// Adds a point; if there is no room, in place of the shallowest one if that is less deep.
    fn push(&mut self, point: Meeting) {
        if self.count < MOST {
            self.points[self.count] = Some(point);
            self.count += 1;
            return;
        }
        let all = self.points.iter_mut().flatten();
        if let Some(shallowest) = all.min_by(|one, two| one.overlap.total_cmp(&two.overlap))
            && shallowest.overlap < point.overlap
        {
            *shallowest = point;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Meeting> {
        self.points[..self.count].iter().flatten()
    }
}

/// A body where it is now.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    /// None of a sphere.
    pub shape: Option<&'a Shape>,
    pub pose: Pose,
    pub radius: f64,
}

/// What a body is made of.
enum Part<'a> {
    Sphere,
    Clump(&'a [Sphere<3>]),
    Convex(&'a Convex),
    Mesh(&'a Solid),
}

impl<'a> Placed<'a> {
    /// A body as it is told.
    pub(super) fn of(body: &Body, shapes: &'a [Shape]) -> Self {
        let shape = body.shape.map(|number| &shapes[number as usize]);
        let turn = body.orientation * shape.map_or_else(UnitQuaternion::identity, Shape::principal);
        let rotation = *turn.to_rotation_matrix().matrix();
        Placed { shape, pose: Pose { rotation, position: body.position }, radius: body.radius }
    }

    fn part(&self) -> Part<'a> {
        match self.shape.map(Shape::form) {
            None => Part::Sphere,
            Some(Form::Clump(spheres)) => Part::Clump(spheres),
            Some(Form::Convex(convex)) => Part::Convex(convex),
            Some(Form::Mesh(solid)) => Part::Mesh(solid),
        }
    }

    /// How round a body is: as a sphere of its volume.
    pub(super) fn roundness(&self) -> f64 {
        self.shape.map_or(self.radius, Shape::size)
    }

    /// One sphere of a clump.
    pub(super) fn member(&self, sphere: &Sphere<3>) -> Placed<'a> {
        let position = self.pose.apply(&sphere.center);
        Placed { shape: None, pose: Pose { position, ..self.pose }, radius: sphere.radius }
    }
}

/// Finds the points in which two bodies touch; of those that are single also the one that has just
/// parted. `tracked` remembers the closest features.
pub(super) fn meet(one: &Placed, two: &Placed, tracked: &mut ClosestFeatures) -> Meetings {
    let mut found = Meetings::default();
    collect(one, two, tracked, 0, &mut found);
    found
}

fn collect(
    one: &Placed,
    two: &Placed,
    tracked: &mut ClosestFeatures,
    key: u32,
    found: &mut Meetings,
) {
    let point = match (one.part(), two.part()) {
        (Part::Clump(spheres), _) => {
            for (number, sphere) in (0u32..).zip(spheres) {
                let member = one.member(sphere);
                if within_reach(&member, two) {
                    collect(&member, two, tracked, number, found);
                }
            }
            return;
        }
        (_, Part::Clump(spheres)) => {
            for (number, sphere) in (0u32..).zip(spheres) {
                let member = two.member(sphere);
                if within_reach(one, &member) {
                    collect(one, &member, tracked, key + (number << 16), found);
                }
            }
            return;
        }
        (Part::Sphere, Part::Sphere) => spheres(one, two),
        (Part::Sphere, Part::Convex(convex)) => sphere_and_convex(one, two, convex).map(exchanged),
        (Part::Convex(convex), Part::Sphere) => sphere_and_convex(two, one, convex),
        (Part::Convex(a), Part::Convex(b)) => convex(one, a, two, b, tracked),
        (Part::Sphere, Part::Mesh(solid)) => sphere_and_mesh(one, two, solid).map(exchanged),
        (Part::Mesh(solid), Part::Sphere) => sphere_and_mesh(two, one, solid),
        (Part::Mesh(a), Part::Mesh(b)) => solids(one, a, two, b),
        (Part::Convex(a), Part::Mesh(b)) => a.solid.as_ref().and_then(|a| solids(one, a, two, b)),
        (Part::Mesh(a), Part::Convex(b)) => b.solid.as_ref().and_then(|b| solids(one, a, two, b)),
    };
    if let Some(point) = point {
        found.push(Meeting { key, ..point });
    }
}

fn within_reach(one: &Placed, two: &Placed) -> bool {
    let reach = one.radius + two.radius;
    (one.pose.position - two.pose.position).norm_squared() < reach * reach
}

fn exchanged(point: Meeting) -> Meeting {
    let [first, second] = point.radii;
    Meeting { normal: -point.normal, radii: [second, first], ..point }
}

fn spheres(one: &Placed, two: &Placed) -> Option<Meeting> {
    let way = two.pose.position - one.pose.position;
    let distance = way.norm();
    let normal = way.try_normalize(0.0)?;
    let overlap = one.radius + two.radius - distance;
    let position = one.pose.position + normal * (one.radius - 0.5 * overlap);
    let radii = [one.radius, two.radius];
    Some(Meeting::in_a_point(normal, overlap, position, radii))
}

/// With the convex body as the first.
fn sphere_and_convex(sphere: &Placed, body: &Placed, convex: &Convex) -> Option<Meeting> {
    let closest = ClosestToPoint::new().query(&convex.core, &body.pose, &sphere.pose.position);
    let overlap = sphere.radius + convex.rounding - closest.distance;
    let position = closest.point + closest.normal * (convex.rounding - 0.5 * overlap);
    let radii = [body.roundness(), sphere.radius];
    Some(Meeting::in_a_point(closest.normal, overlap, position, radii))
}

fn convex(
    one: &Placed,
    a: &Convex,
    two: &Placed,
    b: &Convex,
    tracked: &mut ClosestFeatures,
) -> Option<Meeting> {
    let reach = a.rounding + b.rounding;
    let closest = tracked.query(&a.core, &one.pose, &b.core, &two.pose);
    let overlap = reach - closest.distance;
    let normal = closest.normal;
    if !normal.iter().all(|part| part.is_finite()) {
        return None;
    }
    let radii = [one.roundness(), two.roundness()];
    if overlap <= 0.0 {
        let position = (closest.on_a + closest.on_b) * 0.5;
        return Some(Meeting::in_a_point(normal, overlap, position, radii));
    }
    let Pressure { middle: position, spread, depth: overlap, rate } =
        closest.pressure(&a.core, &one.pose, &b.core, &two.pose, reach);
    Some(Meeting { key: 0, normal, overlap, rate, position, radii, spread })
}

/// With the mesh as the first.
fn sphere_and_mesh(sphere: &Placed, body: &Placed, solid: &Solid) -> Option<Meeting> {
    let seen = body.pose.unapply(&sphere.pose.position);
    let nearest = solid.nearest(&seen);
    let inside = solid.side(&seen) == Side::Inside;
    let out = if inside { nearest.place - seen } else { seen - nearest.place };
    let normal = body.pose.rotation * out.try_normalize(0.0)?;
    let distance = if inside { -nearest.distance } else { nearest.distance };
    let overlap = sphere.radius - distance;
    let position = sphere.pose.position - normal * (distance + 0.5 * overlap);
    let radii = [body.roundness(), sphere.radius];
    Some(Meeting::in_a_point(normal, overlap, position, radii))
}

/// Corners of each body in the other push it out, each by its depth and its share of the surface; all
/// together are one force. The overlap is the depth that a patch as wide as the bodies would have.
/// It is no gradient of an energy: the ledger of meshes that collide is off by some percent.
fn solids(one: &Placed, a: &Solid, two: &Placed, b: &Solid) -> Option<Meeting> {
    INSIDE.with_borrow_mut(|(room, inside)| {
        a.find_nodes_inside(&one.pose, b, &two.pose, room, inside);
        push_by_nodes(one, two, inside)
    })
}

thread_local! {
    /// Kept from pair to pair, so that steps allocate nothing.
    static INSIDE: RefCell<(NodesRoom, NodesInside)> = RefCell::default();
}

fn push_by_nodes(one: &Placed, two: &Placed, inside: &NodesInside) -> Option<Meeting> {
    let (mut push, mut sum, mut moment) = (Vector::zeros(), 0.0, Vector::zeros());
    let mut add = |node: &NodeInside, sign: f64| {
        let weight = node.area * node.depth;
        push += node.way_out * (sign * weight);
        sum += weight;
        moment += (node.place + node.way_out * (0.5 * node.depth)) * weight;
    };
    inside.of_first.iter().for_each(|node| add(node, -1.0));
    inside.of_second.iter().for_each(|node| add(node, 1.0));
    let normal = push.try_normalize(0.0)?;
    let radii = [one.roundness(), two.roundness()];
    let width = radii[0].min(radii[1]);
    let (overlap, position) = (push.norm() / (width * width), moment / sum);
    let mut squares = Matrix3::zeros();
    for node in inside.of_first.iter().chain(&inside.of_second) {
        let way = node.place - position;
        squares += way * way.transpose() * (node.area * node.depth / sum);
    }
    Some(Meeting { spread: squares, ..Meeting::in_a_point(normal, overlap, position, radii) })
}

/// Where a body, or one sphere of a clump, touches something flat or hollow, given by how far a point is
/// from it and which way is away from it.
pub(super) fn meet_wall(
    body: &Placed,
    member: u32,
    foot: &impl Fn(&Vector<3>) -> (f64, Vector<3>),
) -> Option<Meeting> {
    match body.part() {
        Part::Sphere => None,
        Part::Clump(spheres) => {
            let sphere = body.member(&spheres[member as usize]);
            let (distance, away) = foot(&sphere.pose.position);
            let position = sphere.pose.position - away * distance;
            let overlap = sphere.radius - distance;
            let radii = [sphere.radius, f64::INFINITY];
            Some(Meeting { key: member, ..Meeting::in_a_point(-away, overlap, position, radii) })
        }
        Part::Convex(convex) => convex_and_wall(body, convex, foot),
        Part::Mesh(solid) => {
            let weighed = solid.nodes().map(|(place, area)| (body.pose.apply(&place), area));
            let width = body.roundness();
            let mut pressed = Pressed::default();
            for (place, area) in weighed {
                let (distance, away) = foot(&place);
                pressed.add(&place, -distance, area, &away);
            }
            pressed.meeting(pressed.sum / (width * width), body)
        }
    }
}

/// Corners of the core that are nearer than the rounding: from the nearest one on, as far as they
/// hang together. Their depths are added in a high power, so that the sum grows without a jump as one
/// after the other comes to touch, and is the depth of the deepest or little more.
fn convex_and_wall(
    body: &Placed,
    convex: &Convex,
    foot: &impl Fn(&Vector<3>) -> (f64, Vector<3>),
) -> Option<Meeting> {
    let core = &convex.core;
    let place = |vertex: u32| body.pose.apply(&core.vertices()[vertex as usize]);
    let depth = |vertex: u32| convex.rounding - foot(&place(vertex)).0;
    let away = foot(&body.pose.position).1;
    let mut deepest = core.support(&-body.pose.rotation.tr_mul(&away));
    while let Some(deeper) = core.neighbours(deepest).find(|&other| depth(other) > depth(deepest)) {
        deepest = deeper;
    }
    let largest = depth(deepest);
    let radii = [body.roundness(), f64::INFINITY];
    if largest <= 0.0 {
        let (distance, away) = foot(&place(deepest));
        let position = place(deepest) - away * distance;
        return Some(Meeting::in_a_point(-away, largest, position, radii));
    }
    let mut pressed = Pressed::default();
    let mut sum = 0.0;
    let mut seen = [deepest; CORNERS];
    let (mut count, mut next) = (1, 0);
    while next < count {
        let vertex = seen[next];
        let (distance, away) = foot(&place(vertex));
        let part = (convex.rounding - distance) / largest;
        sum += part.powi(POWER);
        pressed.add(&(place(vertex) - away * distance), part.powi(POWER - 1), 1.0, &away);
        next += 1;
        for other in core.neighbours(vertex) {
            if count < CORNERS && depth(other) > 0.0 && !seen[..count].contains(&other) {
                seen[count] = other;
                count += 1;
            }
        }
    }
    let mean = math::powf(sum, 1.0 / f64::from(POWER));
    let meeting = pressed.meeting(largest * mean, body)?;
    Some(Meeting { rate: pressed.sum / mean.powi(POWER - 1), ..meeting })
}

/// Depths of corners are added in this power.
const POWER: i32 = 16;
/// At most so many corners press on a wall; a face with more is held by those next to the deepest.
const CORNERS: usize = 64;

/// Points that are pressed into a wall.
#[derive(Default)]
pub(super) struct Pressed {
    sum: f64,
    moment: Vector<3>,
    squares: Matrix3<f64>,
    away: Vector<3>,
}

impl Pressed {
    pub(super) fn add(&mut self, place: &Vector<3>, depth: f64, area: f64, away: &Vector<3>) {
        if depth > 0.0 {
            self.sum += depth * area;
            self.moment += place * (depth * area);
            self.squares += place * place.transpose() * (depth * area);
            self.away += away * (depth * area);
        }
    }

    /// All depths times areas.
    pub(super) fn sum(&self) -> f64 {
        self.sum
    }

    pub(super) fn meeting(&self, overlap: f64, body: &Placed) -> Option<Meeting> {
        let normal = -self.away.try_normalize(0.0)?;
        let radii = [body.roundness(), f64::INFINITY];
        let position = self.moment / self.sum;
        let spread = self.squares / self.sum - position * position.transpose();
        Some(Meeting { spread, ..Meeting::in_a_point(normal, overlap, position, radii) })
    }
}
