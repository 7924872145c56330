//! What only collisions read of bodies, kept out of the record that predictions read.

use super::body::BodyStart;
use super::settings::Settings;
use super::storage_order::reorder;
use crate::Restitution;

/// Properties of bodies that only collisions read. An array is empty where all bodies are alike or no
/// setting needs it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollisionProperties<const D: usize> {
    /// Mass of every body if `masses` is empty.
    pub common_mass: f64,
    /// Mass of each body.
    pub masses: Vec<f64>,
    /// Material of each body; the first material for all if empty.
    pub materials: Vec<u16>,
    /// Time of the last collision of each body, for the contact-time rule (TC model).
    pub last_contacts: Vec<f64>,
    /// Passages of each body through periodic faces, upwards minus downwards.
    pub passages: Vec<[i32; D]>,
}

impl<const D: usize> CollisionProperties<D> {
    pub(super) fn of(bodies: &[BodyStart<D>], count_passages: bool) -> Self {
        let alike = bodies.iter().all(|body| body.mass == bodies[0].mass);
        let one_material = bodies.iter().all(|body| body.material == 0);
        let kept = |keep: bool| bodies.iter().take(if keep { bodies.len() } else { 0 });
        CollisionProperties {
            common_mass: bodies[0].mass,
            masses: kept(!alike).map(|body| body.mass).collect(),
            materials: kept(!one_material).map(|body| body.material).collect(),
            last_contacts: Vec::new(),
            passages: kept(count_passages).map(|_| [0; D]).collect(),
        }
    }

    #[inline]
    pub(super) fn mass(&self, body: u32) -> f64 {
        self.masses.get(body as usize).copied().unwrap_or(self.common_mass)
    }

    #[inline]
    pub(super) fn material(&self, body: u32) -> u16 {
        self.materials.get(body as usize).copied().unwrap_or(0)
    }

    /// Returns the coefficient of restitution of a body's material.
    #[inline]
    pub(super) fn restitution(&self, settings: &Settings<D>, body: u32) -> Restitution {
        settings.restitutions[usize::from(self.material(body))]
    }

    pub(super) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.masses, order);
        reorder(&mut self.materials, order);
        reorder(&mut self.last_contacts, order);
        reorder(&mut self.passages, order);
    }
}
