//! Contact points of bodies that are no spheres, with each other and with planes and cylinders: the narrow
//! phase of DEM.

use super::body::Body;
use super::shape::{ContactShape, RoundedPolyhedron, ShapeGeometry};
use carom_detect::inside::{
    Containment, InsideTest, PenetratingNode, PenetratingNodeBuffers, PenetratingNodes, Solid,
};
use carom_detect::narrow::{ClosestFeatures, ClosestToPoint, ContactPatch};
use carom_geometry::{Pose, Sphere, Vector, math};
use nalgebra::{Matrix3, UnitQuaternion};
use std::cell::RefCell;

/// A contact point of two bodies, or the mean of a contact patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DemContactPoint {
    /// Identifies it among the contact points of the same bodies, from step to step.
    pub contact_key: u32,
    /// Unit normal, from the first to the second.
    pub normal: Vector<3>,
    /// Penetration depth, the mean one of a contact patch; zero or less if they do not touch.
    pub overlap: f64,
    /// Growth of the penetration depth per approach.
    pub overlap_rate: f64,
    /// Position at which the force acts.
    pub position: Vector<3>,
    /// Radii of curvature for Hertz's law.
    pub radii: [f64; 2],
    /// Extent of the contact patch: mean of the outer product of the offset from the position.
    pub patch_covariance: Matrix3<f64>,
}

impl DemContactPoint {
    pub(super) fn at_point(
        normal: Vector<3>,
        overlap: f64,
        position: Vector<3>,
        radii: [f64; 2],
    ) -> Self {
        DemContactPoint {
            contact_key: 0,
            normal,
            overlap,
            overlap_rate: 1.0,
            position,
            radii,
            patch_covariance: Matrix3::zeros(),
        }
    }
}

/// Largest number of contact points of two bodies; of more the deepest count.
pub(super) const MAX_CONTACT_POINTS: usize = 8;

/// The contact points of two bodies.
#[derive(Default)]
pub(super) struct DemContactPoints {
    points: [Option<DemContactPoint>; MAX_CONTACT_POINTS],
    count: usize,
}

impl DemContactPoints {
    /// Adds a point; if there is no room, it replaces the shallowest one if that is less deep.
    fn push(&mut self, point: DemContactPoint) {
        if self.count < MAX_CONTACT_POINTS {
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

    pub(super) fn iter(&self) -> impl Iterator<Item = &DemContactPoint> {
        self.points[..self.count].iter().flatten()
    }
}

/// A body in its present pose.
#[derive(Clone, Copy)]
pub(super) struct PosedBody<'a> {
    /// The shape; none for a sphere.
    pub shape: Option<&'a ContactShape>,
    pub pose: Pose,
    pub radius: f64,
}

/// Geometry of a body.
enum BodyGeometry<'a> {
    Sphere,
    Clump(&'a [Sphere<3>]),
    Convex(&'a RoundedPolyhedron),
    Mesh(&'a Solid),
}

impl<'a> PosedBody<'a> {
    /// Returns a body of the interface in its pose.
    pub(super) fn of_body(body: &Body, shapes: &'a [ContactShape]) -> Self {
        let shape = body.shape.map(|number| &shapes[number as usize]);
        let orientation = body.orientation
            * shape.map_or_else(UnitQuaternion::identity, ContactShape::principal_rotation);
        let rotation = *orientation.to_rotation_matrix().matrix();
        PosedBody { shape, pose: Pose { rotation, position: body.position }, radius: body.radius }
    }

    fn geometry(&self) -> BodyGeometry<'a> {
        match self.shape.map(ContactShape::geometry) {
            None => BodyGeometry::Sphere,
            Some(ShapeGeometry::Clump(spheres)) => BodyGeometry::Clump(spheres),
            Some(ShapeGeometry::Convex(convex)) => BodyGeometry::Convex(convex),
            Some(ShapeGeometry::Mesh(solid)) => BodyGeometry::Mesh(solid),
        }
    }

    /// Returns the radius of the sphere with the volume of the body.
    pub(super) fn equivalent_radius(&self) -> f64 {
        self.shape.map_or(self.radius, ContactShape::equivalent_radius)
    }

    /// Returns one sphere of a clump as a body.
    pub(super) fn clump_sphere(&self, sphere: &Sphere<3>) -> PosedBody<'a> {
        let position = self.pose.transform_point(&sphere.center);
        PosedBody { shape: None, pose: Pose { position, ..self.pose }, radius: sphere.radius }
    }
}

/// Returns the contact points of two bodies. Convex bodies and spheres also report their closest point with
/// a negative overlap where they do not touch. `warm_start` holds the closest features of the last step.
pub(super) fn find_contact_points(
    one: &PosedBody,
    two: &PosedBody,
    warm_start: &mut ClosestFeatures,
) -> DemContactPoints {
    let mut found = DemContactPoints::default();
    collect(one, two, warm_start, 0, &mut found);
    found
}

/// Adds the contact points of two bodies to `found`; clumps recurse into their spheres. The contact key is
/// the sphere of the first body in its lower 16 bits and that of the second in its upper ones.
fn collect(
    one: &PosedBody,
    two: &PosedBody,
    warm_start: &mut ClosestFeatures,
    contact_key: u32,
    found: &mut DemContactPoints,
) {
    let point = match (one.geometry(), two.geometry()) {
        (BodyGeometry::Clump(spheres), _) => {
            for (number, sphere) in (0u32..).zip(spheres) {
                let member = one.clump_sphere(sphere);
                if bounding_spheres_overlap(&member, two) {
                    collect(&member, two, warm_start, number, found);
                }
            }
            return;
        }
        (_, BodyGeometry::Clump(spheres)) => {
            for (number, sphere) in (0u32..).zip(spheres) {
                let member = two.clump_sphere(sphere);
                if bounding_spheres_overlap(one, &member) {
                    collect(one, &member, warm_start, contact_key + (number << 16), found);
                }
            }
            return;
        }
        (BodyGeometry::Sphere, BodyGeometry::Sphere) => sphere_sphere(one, two),
        (BodyGeometry::Sphere, BodyGeometry::Convex(convex)) => {
            sphere_convex(one, two, convex).map(swapped)
        }
        (BodyGeometry::Convex(convex), BodyGeometry::Sphere) => sphere_convex(two, one, convex),
        (BodyGeometry::Convex(a), BodyGeometry::Convex(b)) => {
            convex_convex(one, a, two, b, warm_start)
        }
        (BodyGeometry::Sphere, BodyGeometry::Mesh(solid)) => {
            sphere_mesh(one, two, solid).map(swapped)
        }
        (BodyGeometry::Mesh(solid), BodyGeometry::Sphere) => sphere_mesh(two, one, solid),
        (BodyGeometry::Mesh(a), BodyGeometry::Mesh(b)) => mesh_mesh(one, a, two, b),
        (BodyGeometry::Convex(a), BodyGeometry::Mesh(b)) => {
            a.solid.as_ref().and_then(|a| mesh_mesh(one, a, two, b))
        }
        (BodyGeometry::Mesh(a), BodyGeometry::Convex(b)) => {
            b.solid.as_ref().and_then(|b| mesh_mesh(one, a, two, b))
        }
    };
    if let Some(point) = point {
        found.push(DemContactPoint { contact_key, ..point });
    }
}

fn bounding_spheres_overlap(one: &PosedBody, two: &PosedBody) -> bool {
    let reach = one.radius + two.radius;
    (one.pose.position - two.pose.position).norm_squared() < reach * reach
}

fn swapped(point: DemContactPoint) -> DemContactPoint {
    let [first, second] = point.radii;
    DemContactPoint { normal: -point.normal, radii: [second, first], ..point }
}

fn sphere_sphere(one: &PosedBody, two: &PosedBody) -> Option<DemContactPoint> {
    let separation = two.pose.position - one.pose.position;
    let distance = separation.norm();
    let normal = separation.try_normalize(0.0)?;
    let overlap = one.radius + two.radius - distance;
    let position = one.pose.position + normal * (one.radius - 0.5 * overlap);
    let radii = [one.radius, two.radius];
    Some(DemContactPoint::at_point(normal, overlap, position, radii))
}

/// Returns the contact point with the convex body as the first.
fn sphere_convex(
    sphere: &PosedBody,
    body: &PosedBody,
    convex: &RoundedPolyhedron,
) -> Option<DemContactPoint> {
    let closest = ClosestToPoint::new().query(&convex.core, &body.pose, &sphere.pose.position);
    let overlap = sphere.radius + convex.rounding_radius - closest.distance;
    let position = closest.point + closest.normal * (convex.rounding_radius - 0.5 * overlap);
    let radii = [body.equivalent_radius(), sphere.radius];
    Some(DemContactPoint::at_point(closest.normal, overlap, position, radii))
}

fn convex_convex(
    one: &PosedBody,
    a: &RoundedPolyhedron,
    two: &PosedBody,
    b: &RoundedPolyhedron,
    warm_start: &mut ClosestFeatures,
) -> Option<DemContactPoint> {
    let reach = a.rounding_radius + b.rounding_radius;
    // As long as the overlap is less than both rounding radii the cores are apart, and GJK, warm-started
    // by the last features, suffices; EPA is needed only for deeper contacts.
    let closest = warm_start.query(&a.core, &one.pose, &b.core, &two.pose);
    let overlap = reach - closest.distance;
    let normal = closest.normal;
    // Cores that coincide have no normal.
    if !normal.iter().all(|part| part.is_finite()) {
        return None;
    }
    let radii = [one.equivalent_radius(), two.equivalent_radius()];
    if overlap <= 0.0 {
        let position = (closest.on_a + closest.on_b) * 0.5;
        return Some(DemContactPoint::at_point(normal, overlap, position, radii));
    }
    let ContactPatch {
        center: position,
        second_moment: patch_covariance,
        depth: overlap,
        depth_rate: overlap_rate,
    } = closest.contact_patch(&a.core, &one.pose, &b.core, &two.pose, reach);
    Some(DemContactPoint {
        contact_key: 0,
        normal,
        overlap,
        overlap_rate,
        position,
        radii,
        patch_covariance,
    })
}

/// Returns the contact point with the mesh as the first.
fn sphere_mesh(sphere: &PosedBody, body: &PosedBody, solid: &Solid) -> Option<DemContactPoint> {
    let seen = body.pose.inverse_transform_point(&sphere.pose.position);
    let nearest = solid.closest_point(&seen);
    let inside = solid.classify(&seen) == Containment::Inside;
    // A center inside is pushed out through the nearest point of the surface.
    let out = if inside { nearest.position - seen } else { seen - nearest.position };
    let normal = body.pose.rotation * out.try_normalize(0.0)?;
    let distance = if inside { -nearest.distance } else { nearest.distance };
    let overlap = sphere.radius - distance;
    let position = sphere.pose.position - normal * (distance + 0.5 * overlap);
    let radii = [body.equivalent_radius(), sphere.radius];
    Some(DemContactPoint::at_point(normal, overlap, position, radii))
}

/// Returns the contact of two meshes from the nodes of each that are inside the other, weighted by
/// penetration depth and area; all together are one force. The overlap is the depth that a patch as wide as
/// the bodies would have.
///
/// This force is not the gradient of an energy: the energy balance of colliding meshes is off by some
/// percent.
fn mesh_mesh(one: &PosedBody, a: &Solid, two: &PosedBody, b: &Solid) -> Option<DemContactPoint> {
    INSIDE.with_borrow_mut(|(room, inside)| {
        a.find_penetrating_nodes(&one.pose, b, &two.pose, room, inside);
        contact_from_nodes(one, two, inside)
    })
}

thread_local! {
    /// Buffers that are reused from pair to pair, so that time steps allocate nothing.
    static INSIDE: RefCell<(PenetratingNodeBuffers, PenetratingNodes)> = RefCell::default();
}

fn contact_from_nodes(
    one: &PosedBody,
    two: &PosedBody,
    inside: &PenetratingNodes,
) -> Option<DemContactPoint> {
    let (mut force_direction, mut sum, mut moment) = (Vector::zeros(), 0.0, Vector::zeros());
    let mut add = |node: &PenetratingNode, sign: f64| {
        // A pressure that grows with the depth, times the area of the node.
        let weight = node.area * node.depth;
        force_direction += node.exit_direction * (sign * weight);
        sum += weight;
        // Halfway between the node and the surface it has passed: in the middle of the overlap.
        moment += (node.position + node.exit_direction * (0.5 * node.depth)) * weight;
    };
    inside.of_first.iter().for_each(|node| add(node, -1.0));
    inside.of_second.iter().for_each(|node| add(node, 1.0));
    let normal = force_direction.try_normalize(0.0)?;
    let radii = [one.equivalent_radius(), two.equivalent_radius()];
    let width = radii[0].min(radii[1]);
    let (overlap, position) = (force_direction.norm() / (width * width), moment / sum);
    let mut second_moment = Matrix3::zeros();
    for node in inside.of_first.iter().chain(&inside.of_second) {
        let offset = node.position - position;
        second_moment += offset * offset.transpose() * (node.area * node.depth / sum);
    }
    Some(DemContactPoint {
        patch_covariance: second_moment,
        ..DemContactPoint::at_point(normal, overlap, position, radii)
    })
}

/// Returns the contact point of a body, or of one sphere of a clump, with a plane or cylinder, which is given
/// by a function that returns the distance of a point and the direction away from the wall.
pub(super) fn wall_contact_point(
    body: &PosedBody,
    clump_sphere: u32,
    closest_point: &impl Fn(&Vector<3>) -> (f64, Vector<3>),
) -> Option<DemContactPoint> {
    match body.geometry() {
        BodyGeometry::Sphere => None,
        BodyGeometry::Clump(spheres) => {
            let sphere = body.clump_sphere(&spheres[clump_sphere as usize]);
            let (distance, away) = closest_point(&sphere.pose.position);
            let position = sphere.pose.position - away * distance;
            let overlap = sphere.radius - distance;
            let radii = [sphere.radius, f64::INFINITY];
            Some(DemContactPoint {
                contact_key: clump_sphere,
                ..DemContactPoint::at_point(-away, overlap, position, radii)
            })
        }
        BodyGeometry::Convex(convex) => convex_wall(body, convex, closest_point),
        BodyGeometry::Mesh(solid) => {
            let weighed =
                solid.nodes().map(|(place, area)| (body.pose.transform_point(&place), area));
            let width = body.equivalent_radius();
            let mut moments = PenetrationMoments::default();
            for (place, area) in weighed {
                let (distance, away) = closest_point(&place);
                moments.add(&place, -distance, area, &away);
            }
            moments.contact_point(moments.depth_sum / (width * width), body)
        }
    }
}

/// Returns the contact of a convex body with a plane or cylinder, by the vertices of its core that are closer
/// than the rounding radius: a connected set around the deepest one.
///
/// Their depths are combined by a p-norm of high power, so that the overlap changes without a jump as one
/// vertex after the other touches, and is the depth of the deepest or little more.
fn convex_wall(
    body: &PosedBody,
    convex: &RoundedPolyhedron,
    closest_point: &impl Fn(&Vector<3>) -> (f64, Vector<3>),
) -> Option<DemContactPoint> {
    let core = &convex.core;
    let place = |vertex: u32| body.pose.transform_point(&core.vertices()[vertex as usize]);
    let depth = |vertex: u32| convex.rounding_radius - closest_point(&place(vertex)).0;
    let away = closest_point(&body.pose.position).1;
    let mut deepest = core.support(&-body.pose.rotation.tr_mul(&away));
    // Hill climbing from the support vertex: a cylinder may be deepest elsewhere.
    while let Some(deeper) = core.neighbors(deepest).find(|&other| depth(other) > depth(deepest)) {
        deepest = deeper;
    }
    let largest = depth(deepest);
    let radii = [body.equivalent_radius(), f64::INFINITY];
    if largest <= 0.0 {
        let (distance, away) = closest_point(&place(deepest));
        let position = place(deepest) - away * distance;
        return Some(DemContactPoint::at_point(-away, largest, position, radii));
    }
    let mut moments = PenetrationMoments::default();
    let mut sum = 0.0;
    let mut seen = [deepest; MAX_CORNERS];
    let (mut count, mut next) = (1, 0);
    while next < count {
        let vertex = seen[next];
        let (distance, away) = closest_point(&place(vertex));
        let part = (convex.rounding_radius - distance) / largest;
        sum += part.powi(DEPTH_POWER);
        // The weight is the derivative of the p-norm, so that the force follows a potential.
        moments.add(&(place(vertex) - away * distance), part.powi(DEPTH_POWER - 1), 1.0, &away);
        next += 1;
        for other in core.neighbors(vertex) {
            if count < MAX_CORNERS && depth(other) > 0.0 && !seen[..count].contains(&other) {
                seen[count] = other;
                count += 1;
            }
        }
    }
    let mean = math::powf(sum, 1.0 / f64::from(DEPTH_POWER));
    let contact_point = moments.contact_point(largest * mean, body)?;
    Some(DemContactPoint {
        // Growth of the p-norm per approach: one for a single vertex, more where several share the contact.
        overlap_rate: moments.depth_sum / mean.powi(DEPTH_POWER - 1),
        ..contact_point
    })
}

/// Exponent of the p-norm of the depths of vertices.
const DEPTH_POWER: i32 = 16;
/// Largest number of vertices in contact with a wall; of a face with more those next to the deepest count.
const MAX_CORNERS: usize = 64;

/// Sums over the points of a body that penetrate a wall, weighted by depth and area.
#[derive(Default)]
pub(super) struct PenetrationMoments {
    depth_sum: f64,
    moment: Vector<3>,
    second_moment: Matrix3<f64>,
    normal_sum: Vector<3>,
}

impl PenetrationMoments {
    pub(super) fn add(&mut self, place: &Vector<3>, depth: f64, area: f64, away: &Vector<3>) {
        if depth > 0.0 {
            self.depth_sum += depth * area;
            self.moment += place * (depth * area);
            self.second_moment += place * place.transpose() * (depth * area);
            self.normal_sum += away * (depth * area);
        }
    }

    /// Returns the sum of depths times areas.
    pub(super) fn depth_sum(&self) -> f64 {
        self.depth_sum
    }

    pub(super) fn contact_point(&self, overlap: f64, body: &PosedBody) -> Option<DemContactPoint> {
        let normal = -self.normal_sum.try_normalize(0.0)?;
        let radii = [body.equivalent_radius(), f64::INFINITY];
        let position = self.moment / self.depth_sum;
        let patch_covariance =
            // Steiner's theorem: from the origin to the center of pressure.
            self.second_moment / self.depth_sum - position * position.transpose();
        Some(DemContactPoint {
            patch_covariance,
            ..DemContactPoint::at_point(normal, overlap, position, radii)
        })
    }
}
