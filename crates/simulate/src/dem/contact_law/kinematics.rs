//! What a contact law sees of a contact.

use carom_geometry::Vector;
use carom_geometry::simd::LaneNumber;

/// Kinematics of a contact of two bodies, or of a body and a wall. Vectors are of the first relative to the second.
///
/// By velocity Verlet, positions are at the present and velocities half a step behind; the
/// [`velocity_change`](Self::velocity_change) predicts the present ones. Overlap and tangential displacement have moved
/// with the velocity of half a step ago, so springs take that one, and damping and friction the present one.
///
/// ```
/// use carom_simulate::dem::ContactKinematics;
/// // A ball of radius 2 that slides over a floor at 3, while it sinks in at 1.
/// let contact = ContactKinematics {
///     normal: [0.0, -1.0, 0.0].into(),
///     velocity: [3.0, -1.0, 0.0].into(),
///     ..ContactKinematics::at_rest(0.01, 2.0)
/// };
/// assert_eq!((contact.approach_speed(), contact.sliding_velocity()), (1.0, [3.0, 0.0, 0.0].into()));
/// assert_eq!((contact.slip(0.5), contact.reduced_radius()), ([1.5, 0.0, 0.0].into(), 2.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactKinematics {
    /// Unit normal, from the first to the second.
    pub normal: Vector<3>,
    /// Overlap (penetration depth), a length; zero or less where the contact has just ended.
    pub overlap: f64,
    /// Whether they touched a step ago.
    pub was_touching: bool,
    /// Relative velocity at the contact point, half a step ago.
    pub velocity: Vector<3>,
    /// Predicted change of that velocity until now, by all forces.
    pub velocity_change: Vector<3>,
    /// Relative angular velocity now, in radians per time.
    pub angular_velocity: Vector<3>,
    /// Inverse effective mass of the contact along the normal: of spheres the sum of the inverse masses.
    pub inverse_mass: f64,
    /// Sum of the inverse moments of inertia.
    pub inverse_inertia: f64,
    /// Inverse effective mass of the contact in tangential direction: of spheres the sum over both of `1 / m + arm² / I`.
    pub inverse_effective_mass: f64,
    /// Radii of curvature of both; infinite for a wall.
    pub radii: [f64; 2],
    /// Growth of the overlap per approach: one, but where faces touch. There the overlap is a mean depth, the velocity
    /// along the normal is that at which it grows, and the normal force of the law acts on the bodies times this rate, so
    /// that it does the work that the law stores. Coulomb's limit grows with it, see
    /// [`friction_limit`](Self::friction_limit).
    pub overlap_rate: f64,
}

impl ContactKinematics {
    /// Returns a contact at rest along the first axis, of a body of this reduced radius and of mass and moment of inertia
    /// one, with a wall.
    ///
    /// ```
    /// use carom_simulate::dem::{CompositeLaw, ContactKinematics, ContactLaw};
    /// let contact = ContactKinematics::at_rest(0.5, 1.0);
    /// let force = CompositeLaw::spring(8.0).contact_force(&contact, &mut [0.0; 3].into(), 1e-3);
    /// assert_eq!(force.normal_force, 4.0);
    /// ```
    pub fn at_rest(overlap: f64, reduced_radius: f64) -> Self {
        ContactKinematics {
            normal: Vector::x(),
            overlap,
            was_touching: true,
            velocity: Vector::zeros(),
            velocity_change: Vector::zeros(),
            angular_velocity: Vector::zeros(),
            inverse_mass: 1.0,
            inverse_inertia: 1.0,
            inverse_effective_mass: 1.0,
            radii: [reduced_radius, f64::INFINITY],
            overlap_rate: 1.0,
        }
    }

    /// Returns the predicted relative velocity at the contact point now.
    #[inline(always)]
    pub fn current_velocity(&self) -> Vector<3> {
        self.velocity + self.velocity_change
    }

    /// Returns the predicted speed at which the overlap grows now; negative where the bodies part.
    #[inline(always)]
    pub fn approach_speed(&self) -> f64 {
        self.current_velocity().dot(&self.normal)
    }

    /// Returns the predicted velocity across the normal now, at which the contact slides.
    #[inline(always)]
    pub fn sliding_velocity(&self) -> Vector<3> {
        self.current_velocity() - self.normal * self.approach_speed()
    }

    /// Returns how far the contact point has moved across the normal in the time step before now.
    #[inline(always)]
    pub fn slip(&self, time_step: f64) -> Vector<3> {
        (self.velocity - self.normal * self.velocity.dot(&self.normal)) * time_step
    }

    /// Returns the overlap of a step ago, zero where the bodies did not touch.
    ///
    /// ```
    /// use carom_simulate::dem::ContactKinematics;
    /// let deep = ContactKinematics::at_rest(0.5, 1.0);
    /// let contact = ContactKinematics { velocity: [4.0, 0.0, 0.0].into(), ..deep };
    /// assert_eq!([0.0625, 0.25].map(|step| contact.previous_overlap(step)), [0.25, 0.0]);
    /// ```
    #[inline(always)]
    pub fn previous_overlap(&self, time_step: f64) -> f64 {
        (self.overlap - self.velocity.dot(&self.normal) * time_step).max(0.0)
    }

    /// Returns the reduced radius `r1 r2 / (r1 + r2)`, that of the first at a wall.
    #[inline(always)]
    pub fn reduced_radius(&self) -> f64 {
        reduced_radius(self.radii)
    }

    /// Returns the largest tangential force that friction holds at a normal force of the law: zero where that attracts.
    ///
    /// ```
    /// use carom_simulate::dem::ContactKinematics;
    /// let contact = ContactKinematics::at_rest(0.01, 1.0);
    /// assert_eq!((contact.friction_limit(0.5, 8.0), contact.friction_limit(0.5, -8.0)), (4.0, 0.0));
    /// ```
    #[inline(always)]
    pub fn friction_limit(&self, friction_coefficient: f64, normal_force: f64) -> f64 {
        friction_coefficient * self.overlap_rate * normal_force.max(0.0)
    }
}

/// Returns the reduced radius `r1 r2 / (r1 + r2)`, the first if the second is infinite.
#[inline(always)]
pub(in crate::dem) fn reduced_radius<N: LaneNumber>([first, second]: [N; 2]) -> N {
    first / (N::splat(1.0) + first / second)
}
