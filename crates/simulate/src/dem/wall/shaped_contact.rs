//! Contacts of bodies with shapes with walls.

use super::PosedWall;
use super::node_contact::node_contact;
use super::tile_contact::{TileContact, tile_contacts};
use super::wall_contact::{WallForceContext, WallPair, sphere_contact_point};
use crate::dem::body::ForceTorque;
use crate::dem::contact_law::{ContactKinematics, ContactLaw, LawHistory};
use crate::dem::contact_point::{DemContactPoint, PosedBody, wall_contact_point};
use crate::dem::forces::StepTotals;
use crate::dem::shape::{ContactShape, ShapeGeometry};
use crate::dem::shaped_contact::{
    ContactMobility, PatchContactForce, patch_contact_force, tangential_direction,
};
use carom_geometry::{Sphere, Vector};

impl<L: ContactLaw> WallForceContext<'_, L> {
    pub(super) fn is_shaped(&self, body: usize) -> bool {
        self.rotation_states.get(body).is_some_and(|turn| turn.shape().is_some())
    }

    fn posed_body(&self, body: usize) -> PosedBody<'_> {
        let (rotation_state, position) = (&self.rotation_states[body], &self.positions[body]);
        let shape = rotation_state.shape().map(|number| &self.shapes[number]);
        PosedBody { shape, pose: rotation_state.pose(position.position), radius: position.radius }
    }

    /// Adds the forces of a wall on a body with a shape, or on one sphere of a clump.
    pub(super) fn apply_shaped_contacts(
        &self,
        wall: &PosedWall,
        group: &mut [WallPair<L::History>],
        force_torque: &mut ForceTorque,
        totals: &mut StepTotals,
    ) {
        if wall.mesh().is_none() {
            let contact_point = self.plane_contact_point(wall, &group[0]);
            return self.apply_contact_point(
                wall,
                &mut group[0],
                contact_point,
                force_torque,
                totals,
            );
        }
        if let Some(ball) = self.clump_sphere(&group[0]) {
            return self.apply_triangle_contacts(wall, group, &ball, force_torque, totals);
        }
        let contacts = self.triangle_contacts(wall, group);
        let before: Vec<_> =
            group.iter().map(|pair| pair.is_touching.then_some(pair.history)).collect();
        group.iter_mut().for_each(|pair| {
            (pair.is_touching, pair.history) = (false, L::History::at_start());
        });
        for TileContact { contact_point, pairs } in contacts {
            // The nearest triangle takes over the history, whichever triangle had it.
            let pair = &mut group[pairs[0]];
            if let Some(history) = pairs.iter().find_map(|&pair| before[pair]) {
                (pair.is_touching, pair.history) = (true, history);
            }
            self.apply_contact_point(wall, pair, Some(contact_point), force_torque, totals);
        }
    }

    /// Returns the sphere of a clump that a pair is about; none for other bodies.
    fn clump_sphere(&self, pair: &WallPair<L::History>) -> Option<Sphere<3>> {
        let body = self.posed_body(pair.body as usize);
        let Some(ShapeGeometry::Clump(spheres)) = body.shape.map(ContactShape::geometry) else {
            return None;
        };
        let member = body.clump_sphere(&spheres[usize::from(pair.clump_sphere)]);
        Some(Sphere { center: member.pose.position, radius: member.radius })
    }

    /// Returns the contact point of a body with a shape, or of one of its spheres, with a plane or cylinder.
    pub(super) fn plane_contact_point(
        &self,
        wall: &PosedWall,
        pair: &WallPair<L::History>,
    ) -> Option<DemContactPoint> {
        // Infinitely far where there is no closest point.
        let closest_point = |point: &Vector<3>| {
            wall.closest_point(point)
                .map_or((f64::INFINITY, Vector::x()), |foot| (foot.distance, foot.normal))
        };
        wall_contact_point(
            &self.posed_body(pair.body as usize),
            u32::from(pair.clump_sphere),
            &closest_point,
        )
    }

    /// Returns the contacts of a body that is no clump with triangles.
    fn triangle_contacts(
        &self,
        wall: &PosedWall,
        group: &[WallPair<L::History>],
    ) -> Vec<TileContact> {
        let body = self.posed_body(group[0].body as usize);
        let (Some(mesh), Some(shape)) = (wall.mesh(), body.shape) else { return Vec::new() };
        let moved = wall.pose();
        let here = PosedBody { pose: moved.relative(&body.pose), ..body };
        let mut contacts = match shape.geometry() {
            ShapeGeometry::Convex(convex) => tile_contacts(&here, convex, mesh, group),
            ShapeGeometry::Mesh(solid) => {
                node_contact(&here, solid, mesh, group).into_iter().collect()
            }
            ShapeGeometry::Clump(_) => Vec::new(),
        };
        for TileContact { contact_point, .. } in &mut contacts {
            contact_point.normal = moved.rotation * contact_point.normal;
            contact_point.position = moved.transform_point(&contact_point.position);
            contact_point.patch_covariance =
                moved.rotation * contact_point.patch_covariance * moved.rotation.transpose();
        }
        contacts
    }

    /// Calls `visit` with every contact of a body with a shape.
    pub(super) fn each_shaped_contact_point(
        &self,
        wall: &PosedWall,
        group: &[WallPair<L::History>],
        visit: &mut impl FnMut(&WallPair<L::History>, &DemContactPoint),
    ) {
        let contacts = if wall.mesh().is_none() {
            let contact_point = self.plane_contact_point(wall, &group[0]);
            contact_point
                .map(|contact_point| TileContact { contact_point, pairs: vec![0] })
                .into_iter()
                .collect()
        } else if let Some(ball) = self.clump_sphere(&group[0]) {
            let on = |(pair, it): (usize, &WallPair<L::History>)| {
                let (closest, _) = wall.closest_point_on_triangle(it.triangle, &ball.center)?;
                Some(TileContact {
                    contact_point: sphere_contact_point(&ball, &closest),
                    pairs: vec![pair],
                })
            };
            group.iter().enumerate().filter_map(on).collect()
        } else {
            self.triangle_contacts(wall, group)
        };
        for TileContact { contact_point, pairs } in
            contacts.iter().filter(|met| met.contact_point.overlap > 0.0)
        {
            if let Some(&pair) = pairs.iter().find(|&&pair| group[pair].is_touching) {
                visit(&group[pair], contact_point);
            }
        }
    }

    /// Adds the force of a contact with a wall to a body with a shape.
    pub(super) fn apply_contact_point(
        &self,
        wall: &PosedWall,
        pair: &mut WallPair<L::History>,
        contact_point: Option<DemContactPoint>,
        force_torque: &mut ForceTorque,
        totals: &mut StepTotals,
    ) {
        let contact_point = contact_point.filter(|it| it.overlap > 0.0 || pair.is_touching);
        let Some(contact_point) = contact_point else {
            (pair.is_touching, pair.history) = (false, L::History::at_start());
            return;
        };
        let body = pair.body as usize;
        let (motion, rotation_state) = (&self.motions[body], &self.rotation_states[body]);
        let mobility = ContactMobility {
            motion,
            rotation_state,
            arm: contact_point.position - self.positions[body].position,
        };
        let wall_velocity = wall.velocity(&contact_point.position);
        let kinematics = wall_contact_kinematics(&contact_point, mobility, wall, pair.is_touching);
        let material = self.materials[body];
        let law = self.contact_laws.between(material, wall.material(material));
        let PatchContactForce { force, torque, losses } = patch_contact_force(
            law,
            &contact_point,
            &kinematics,
            &mut pair.history,
            self.time_step,
        );
        pair.is_touching = contact_point.overlap > 0.0;
        totals.wall_contacts += u64::from(pair.is_touching);
        totals.add_contact(losses, contact_point.overlap, contact_point.radii[0]);
        totals.virial -= force.dot(&mobility.arm);
        totals.external_work +=
            (force.dot(&wall_velocity) + torque.dot(&wall.angular_velocity())) * self.time_step;
        force_torque.force += force;
        force_torque.torque += mobility.arm.cross(&force) + torque;
    }
}

/// Returns the kinematics of a contact point of a body and a wall.
pub(in crate::dem) fn wall_contact_kinematics(
    contact_point: &DemContactPoint,
    mobility: ContactMobility,
    wall: &PosedWall,
    was_touching: bool,
) -> ContactKinematics {
    let velocity = mobility.velocity() - wall.velocity(&contact_point.position);
    ContactKinematics {
        normal: contact_point.normal,
        overlap: contact_point.overlap,
        was_touching,
        velocity,
        velocity_change: mobility.velocity_change(),
        angular_velocity: mobility.motion.current_angular_velocity() - wall.angular_velocity(),
        inverse_mass: mobility.inverse_effective_mass(&contact_point.normal),
        inverse_inertia: mobility.motion.inverse_inertia,
        inverse_effective_mass: mobility
            .inverse_effective_mass(&tangential_direction(&contact_point.normal, &velocity)),
        radii: contact_point.radii,
        overlap_rate: 1.0,
    }
}
