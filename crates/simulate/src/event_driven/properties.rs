use super::body::BodyStart;
use super::settings::Settings;
use super::storage_order::reorder;
use carom_scene::scene::Restitution;

/// What only collisions read of a body. Arrays are empty where all bodies are alike or nothing asks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollisionProperties<const D: usize> {
    /// Of every body, if `masses` is empty.
    pub common_mass: f64,
    /// Of each body.
    pub masses: Vec<f64>,
    /// Of each body; all of the first if empty.
    pub materials: Vec<u16>,
    /// Time of the last collision, for the contact-time rule.
    pub last_contacts: Vec<f64>,
    /// Passages through periodic sides, upwards less downwards.
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
    fn material(&self, body: u32) -> u16 {
        self.materials.get(body as usize).copied().unwrap_or(0)
    }

    /// Of the material of a body.
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
