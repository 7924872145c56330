//! The bodies of a DEM or event-driven checkpoint, for scenes that continue with them.
//!
//! The names of their sections are those of `crates/simulate/src/dem/saved_arrays.rs` and
//! `crates/simulate/src/event_driven/saved_arrays.rs`.

use super::Checkpoint;
use carom_simulate::SavedArray;

/// Index that stands for no shape.
const NO_SHAPE: u32 = u32::MAX;

/// The bodies of a checkpoint, in the order of their indices.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedBodies {
    /// Centers, as the engine keeps them: an image outside a periodic box is possible.
    pub positions: Vec<[f64; 3]>,
    /// Velocities of the centers of mass, in length / time.
    pub velocities: Vec<[f64; 3]>,
    /// Angular velocities, in radians per time about each axis.
    pub angular_velocities: Vec<[f64; 3]>,
    /// Radii; those of the bounding spheres of bodies with a shape.
    pub radii: Vec<f64>,
    /// Masses of the bodies, in the unit of mass of the scene.
    pub masses: Vec<f64>,
    /// Indices of their materials in the scene of the run.
    pub materials: Vec<u32>,
    /// Indices of their shapes, if some bodies have one; `None` for a disc or sphere.
    pub shapes: Option<Vec<Option<u32>>>,
    /// Orientations of shapes, if some bodies have one: quaternions w, x, y, z.
    pub orientations: Option<Vec<[f64; 4]>>,
}

impl Checkpoint {
    /// Returns the numbers under a name, if there are any of this type.
    pub fn f64s(&self, name: &str) -> Option<&[f64]> {
        match self.arrays.get(name)? {
            SavedArray::F64(values) => Some(values),
            _ => None,
        }
    }

    /// As [`f64s`](Self::f64s), for 32-bit whole numbers.
    pub fn u32s(&self, name: &str) -> Option<&[u32]> {
        match self.arrays.get(name)? {
            SavedArray::U32(values) => Some(values),
            _ => None,
        }
    }

    /// As [`f64s`](Self::f64s), for 64-bit whole numbers.
    pub fn u64s(&self, name: &str) -> Option<&[u64]> {
        match self.arrays.get(name)? {
            SavedArray::U64(values) => Some(values),
            _ => None,
        }
    }

    /// Returns its bodies; `None` unless every array is complete.
    pub fn bodies(&self) -> Option<SavedBodies> {
        match self.arrays.engine.as_str() {
            "event-driven" => self.hard_spheres(),
            _ => self.grains(),
        }
    }

    /// Returns the bodies of an event-driven run at its present. Each of them stands there as it was at its own last
    /// event, from which it has flown on since.
    fn hard_spheres(&self) -> Option<SavedBodies> {
        let dimension = self.arrays.dimension;
        let clocks = self.f64s("clocks")?;
        let count = clocks.len();
        let vectors = |name: &str| padded(self.f64s(name)?, dimension, count);
        let [now, scale, rate, since, .., common_mass] = self.f64s("engine")? else { return None };
        let accelerations = match self.f64s("accelerations") {
            None | Some([]) => vec![padded(self.f64s("gravity")?, dimension, 1)?[0]; count],
            Some(of_field) => padded(of_field, dimension, count)?,
        };
        // In this order of operations, which is that of the engine, they have its bits.
        let flown = |clock: &f64| now - clock;
        let (starts, velocities) = (vectors("positions")?, vectors("velocities")?);
        let position = |body: usize| {
            let (time, acceleration) = (flown(&clocks[body]), accelerations[body]);
            std::array::from_fn(|axis| {
                let straight = starts[body][axis] + velocities[body][axis] * time;
                straight + acceleration[axis] * (0.5 * time * time)
            })
        };
        let velocity = |body: usize| {
            let time = flown(&clocks[body]);
            std::array::from_fn(|axis| velocities[body][axis] + accelerations[body][axis] * time)
        };
        let radii = self.f64s("radii").filter(|radii| radii.len() == count)?;
        let scale = scale + rate * (now - since);
        let of_each = |length: usize| length == 0 || length == count;
        let masses = self.f64s("masses").filter(|masses| of_each(masses.len()))?;
        let materials = self.u32s("materials").filter(|materials| of_each(materials.len()))?;
        Some(SavedBodies {
            positions: (0..count).map(position).collect(),
            velocities: (0..count).map(velocity).collect(),
            angular_velocities: vec![[0.0; 3]; count],
            radii: radii.iter().map(|radius| radius * scale).collect(),
            masses: (0..count)
                .map(|body| masses.get(body).copied().unwrap_or(*common_mass))
                .collect(),
            materials: (0..count).map(|body| materials.get(body).copied().unwrap_or(0)).collect(),
            shapes: None,
            orientations: None,
        })
    }

    fn grains(&self) -> Option<SavedBodies> {
        let places = inverse_permutation(self.u32s("order")?)?;
        let vectors = |name: &str| permuted::<f64, 3>(self.f64s(name)?, &places);
        let numbers = |name: &str| Some(permuted::<f64, 1>(self.f64s(name)?, &places)?.concat());
        Some(SavedBodies {
            positions: vectors("positions")?,
            velocities: vectors("velocities")?,
            angular_velocities: vectors("angular_velocities")?,
            radii: numbers("radii")?,
            masses: numbers("masses")?,
            materials: permuted::<u32, 1>(self.u32s("materials")?, &places)?.concat(),
            shapes: match self.u32s("shapes") {
                Some(shapes) => {
                    let shapes = permuted::<u32, 1>(shapes, &places)?.concat();
                    let shape = |shape: u32| (shape != NO_SHAPE).then_some(shape);
                    Some(shapes.into_iter().map(shape).collect())
                }
                None => None,
            },
            orientations: match self.u32s("shapes") {
                Some(_) => Some(permuted(self.f64s("orientations")?, &places)?),
                None => None,
            },
        })
    }
}

/// Returns vectors of a dimension as those of space; `None` unless there is this number of them.
fn padded(numbers: &[f64], dimension: usize, count: usize) -> Option<Vec<[f64; 3]>> {
    if !(1..=3).contains(&dimension) || numbers.len() != dimension * count {
        return None;
    }
    let vector = |part: &[f64]| std::array::from_fn(|axis| part.get(axis).copied().unwrap_or(0.0));
    Some(numbers.chunks_exact(dimension).map(vector).collect())
}

/// Returns the place of each index; `None` unless each of them is there once.
fn inverse_permutation(order: &[u32]) -> Option<Vec<usize>> {
    let mut places = vec![usize::MAX; order.len()];
    for (place, &number) in order.iter().enumerate() {
        let entry = places.get_mut(number as usize)?;
        if *entry != usize::MAX {
            return None;
        }
        *entry = place;
    }
    Some(places)
}

fn permuted<T: Copy, const N: usize>(values: &[T], places: &[usize]) -> Option<Vec<[T; N]>> {
    let (rows, []) = values.as_chunks::<N>() else { return None };
    (rows.len() == places.len()).then(|| places.iter().map(|&place| rows[place]).collect())
}
