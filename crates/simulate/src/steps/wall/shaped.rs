//! Bodies with shapes that touch walls.

use super::PlacedWall;
use super::nodes::on_nodes;
use super::tiles::{OnTiles, on_tiles};
use super::touch::{Touched, WallPair, on_ball};
use crate::steps::body::Load;
use crate::steps::forces::Tally;
use crate::steps::law::Touch;
use crate::steps::meeting::{Meeting, Placed, meet_wall};
use crate::steps::shape::{Form, Shape};
use crate::steps::shaped::{Grip, Wide, across, respond};
use carom_geometry::{Sphere, Vector};

impl Touched<'_> {
    pub(super) fn is_shaped(&self, body: usize) -> bool {
        self.turns.get(body).is_some_and(|turn| turn.shape().is_some())
    }

    fn placed(&self, body: usize) -> Placed<'_> {
        let (turn, place) = (&self.turns[body], &self.places[body]);
        let shape = turn.shape().map(|number| &self.shapes[number]);
        Placed { shape, pose: turn.pose(place.vector), radius: place.fourth }
    }

    /// What a wall does to a body with a shape, or to one sphere of it.
    pub(super) fn push_shaped(
        &self,
        wall: &PlacedWall,
        group: &mut [WallPair],
        load: &mut Load,
        tally: &mut Tally,
    ) {
        if wall.mesh().is_none() {
            let meeting = self.meet(wall, &group[0]);
            return self.push_meeting(wall, &mut group[0], meeting, load, tally);
        }
        if let Some(ball) = self.ball(&group[0]) {
            return self.push_by_triangles(wall, group, &ball, load, tally);
        }
        let met = self.meet_triangles(wall, group);
        let before: Vec<_> = group.iter().map(|pair| pair.touches.then_some(pair.memory)).collect();
        group.iter_mut().for_each(|pair| (pair.touches, pair.memory) = (false, Vector::zeros()));
        for OnTiles { meeting, pairs } in met {
            // The nearest triangle remembers, whichever it was before.
            let pair = &mut group[pairs[0]];
            if let Some(memory) = pairs.iter().find_map(|&pair| before[pair]) {
                (pair.touches, pair.memory) = (true, memory);
            }
            self.push_meeting(wall, pair, Some(meeting), load, tally);
        }
    }

    /// The sphere of a clump that is meant.
    fn ball(&self, pair: &WallPair) -> Option<Sphere<3>> {
        let body = self.placed(pair.body as usize);
        let Some(Form::Clump(spheres)) = body.shape.map(Shape::form) else { return None };
        let member = body.member(&spheres[usize::from(pair.member)]);
        Some(Sphere { center: member.pose.position, radius: member.radius })
    }

    /// Where a body with a shape, or one of its spheres, touches a plane or cylinder.
    pub(super) fn meet(&self, wall: &PlacedWall, pair: &WallPair) -> Option<Meeting> {
        // Far from everything where there is no foot, as on the axis of a cylinder.
        let foot = |point: &Vector<3>| {
            wall.foot(point)
                .map_or((f64::INFINITY, Vector::x()), |foot| (foot.distance, foot.normal))
        };
        meet_wall(&self.placed(pair.body as usize), u32::from(pair.member), &foot)
    }

    /// Where a body that is no clump touches triangles.
    fn meet_triangles(&self, wall: &PlacedWall, group: &[WallPair]) -> Vec<OnTiles> {
        let body = self.placed(group[0].body as usize);
        let (Some(mesh), Some(shape)) = (wall.mesh(), body.shape) else { return Vec::new() };
        let moved = wall.pose();
        let here = Placed { pose: moved.relative(&body.pose), ..body };
        let mut met = match shape.form() {
            Form::Convex(convex) => on_tiles(&here, convex, mesh, group),
            Form::Mesh(solid) => on_nodes(&here, solid, mesh, group).into_iter().collect(),
            Form::Clump(_) => Vec::new(),
        };
        for OnTiles { meeting, .. } in &mut met {
            meeting.normal = moved.rotation * meeting.normal;
            meeting.position = moved.apply(&meeting.position);
            meeting.spread = moved.rotation * meeting.spread * moved.rotation.transpose();
        }
        met
    }

    /// Calls `visit` with every contact of a body with a shape, and what it remembers.
    pub(super) fn each_shaped_meeting(
        &self,
        wall: &PlacedWall,
        group: &[WallPair],
        visit: &mut impl FnMut(&WallPair, &Meeting, &Vector<3>),
    ) {
        let met = if wall.mesh().is_none() {
            let meeting = self.meet(wall, &group[0]);
            meeting.map(|meeting| OnTiles { meeting, pairs: vec![0] }).into_iter().collect()
        } else if let Some(ball) = self.ball(&group[0]) {
            let on = |(pair, it): (usize, &WallPair)| {
                let (foot, _) = wall.foot_on(it.part, &ball.center)?;
                Some(OnTiles { meeting: on_ball(&ball, &foot), pairs: vec![pair] })
            };
            group.iter().enumerate().filter_map(on).collect()
        } else {
            self.meet_triangles(wall, group)
        };
        for OnTiles { meeting, pairs } in met.iter().filter(|met| met.meeting.overlap > 0.0) {
            if let Some(&pair) = pairs.iter().find(|&&pair| group[pair].touches) {
                visit(&group[pair], meeting, &group[pair].memory);
            }
        }
    }

    /// What a contact does to a body with a shape.
    pub(super) fn push_meeting(
        &self,
        wall: &PlacedWall,
        pair: &mut WallPair,
        meeting: Option<Meeting>,
        load: &mut Load,
        tally: &mut Tally,
    ) {
        let meeting = meeting.filter(|it| it.overlap > 0.0 || pair.touches);
        let Some(meeting) = meeting else {
            (pair.touches, pair.memory) = (false, Vector::zeros());
            return;
        };
        let body = pair.body as usize;
        let (motion, turn) = (&self.motions[body], &self.turns[body]);
        let grip = Grip { motion, turn, arm: meeting.position - self.places[body].vector };
        let wall_velocity = wall.velocity(&meeting.position);
        let velocity = grip.velocity() - wall_velocity;
        let touch = Touch {
            normal: meeting.normal,
            overlap: meeting.overlap,
            touched: pair.touches,
            velocity,
            change: grip.velocity_change(),
            spin: motion.spin_now() - wall.spin(),
            lightness: grip.give(&meeting.normal),
            agility: motion.agility(),
            give: grip.give(&across(&meeting.normal, &velocity)),
            radii: meeting.radii,
        };
        let law = self.laws.of(self.materials[body], wall.material());
        let Wide { force, torque, lost } =
            respond(law, &meeting, &touch, &mut pair.memory, self.step);
        pair.touches = meeting.overlap > 0.0;
        tally.wall_contacts += u64::from(pair.touches);
        tally.count(lost, meeting.overlap, meeting.radii[0]);
        tally.virial -= force.dot(&grip.arm);
        tally.driven += (force.dot(&wall_velocity) + torque.dot(&wall.spin())) * self.step;
        load.force += force;
        load.torque += grip.arm.cross(&force) + torque;
    }
}
