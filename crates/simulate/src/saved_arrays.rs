//! The state of a simulation as named arrays of numbers.

use crate::Error;
use carom_geometry::Vector;

/// The numbers of one array.
#[derive(Clone, Debug)]
pub enum SavedArray {
    /// Real numbers.
    F64(Vec<f64>),
    /// Whole numbers of 64 bits.
    U64(Vec<u64>),
    /// Whole numbers of 32 bits.
    U32(Vec<u32>),
}

impl SavedArray {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            SavedArray::F64(values) => values.len(),
            SavedArray::U64(values) => values.len(),
            SavedArray::U32(values) => values.len(),
        }
    }

    /// Whether it has no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the name of the type of its values: f64, u64 or u32.
    pub fn type_name(&self) -> &'static str {
        match self {
            SavedArray::F64(_) => "f64",
            SavedArray::U64(_) => "u64",
            SavedArray::U32(_) => "u32",
        }
    }
}

/// Compares bits, so that NaN equals itself.
impl PartialEq for SavedArray {
    fn eq(&self, other: &Self) -> bool {
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        match (self, other) {
            (SavedArray::F64(own), SavedArray::F64(others)) => bits(own) == bits(others),
            (SavedArray::U64(own), SavedArray::U64(others)) => own == others,
            (SavedArray::U32(own), SavedArray::U32(others)) => own == others,
            _ => false,
        }
    }
}

/// Named arrays of numbers, in order, with the engine and dimension that they belong to: what
/// [`Engine::save`](crate::Engine::save) writes and [`Engine::restore`](crate::Engine::restore) reads.
///
/// What the arrays mean only the engine knows. A program may add arrays of its own; a checkpoint file is such arrays and the
/// digest of a scene.
///
/// ```
/// use carom_simulate::SavedArrays;
/// let mut arrays = SavedArrays::of_engine("dem", 2);
/// arrays.put_f64("positions", [0.5, 1.5]);
/// assert_eq!(arrays.count("positions"), Some(2));
/// let error = arrays.take_f64("positions", 3).unwrap_err().to_string();
/// let sentence = "the saved state does not fit: it has 2 values of \"positions\" where 3 are needed";
/// assert_eq!(error, sentence);
/// assert_eq!(arrays.take_f64("positions", 2)?, [0.5, 1.5]);
/// assert_eq!(arrays.count("positions"), None);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedArrays {
    /// Name of the engine that saved them, for example `event-driven`.
    pub engine: String,
    /// Number of dimensions of its simulation, 2 or 3.
    pub dimension: usize,
    arrays: Vec<(String, SavedArray)>,
}

impl SavedArrays {
    /// Creates no arrays, of an engine and a dimension.
    pub fn of_engine(engine: &str, dimension: usize) -> Self {
        SavedArrays { engine: engine.to_owned(), dimension, arrays: Vec::new() }
    }

    /// Adds arrays, whose names must differ from each other and from those that are there.
    pub fn with_arrays(mut self, arrays: impl IntoIterator<Item = (String, SavedArray)>) -> Self {
        self.arrays.extend(arrays);
        self
    }

    /// Returns an error unless they are of this engine and dimension.
    pub fn expect(&self, engine: &str, dimension: usize) -> Result<(), Error> {
        if self.engine != engine {
            let reason = match self.engine.as_str() {
                "" => format!("it is of no engine, and the simulation is of {engine:?}"),
                other => format!("it is of the engine {other:?}, and the simulation of {engine:?}"),
            };
            return Err(Error::Saved(reason));
        }
        if self.dimension != dimension {
            let found = self.dimension;
            let reason = format!("it has {found} dimensions, and the simulation has {dimension}");
            return Err(Error::Saved(reason));
        }
        Ok(())
    }

    /// Stores an array under a name, behind all others; the same name again replaces it.
    pub fn put(&mut self, name: &str, array: SavedArray) {
        self.arrays.retain(|(other, _)| other != name);
        self.arrays.push((name.to_owned(), array));
    }

    /// Stores numbers as [`put`](Self::put) does.
    pub fn put_f64(&mut self, name: &str, values: impl Into<Vec<f64>>) {
        self.put(name, SavedArray::F64(values.into()));
    }

    /// As [`put_f64`](Self::put_f64), for 64-bit whole numbers.
    pub fn put_u64(&mut self, name: &str, values: impl Into<Vec<u64>>) {
        self.put(name, SavedArray::U64(values.into()));
    }

    /// As [`put_f64`](Self::put_f64), for 32-bit whole numbers.
    pub fn put_u32(&mut self, name: &str, values: impl Into<Vec<u32>>) {
        self.put(name, SavedArray::U32(values.into()));
    }

    /// Returns the array under a name.
    pub fn get(&self, name: &str) -> Option<&SavedArray> {
        self.iter().find(|(other, _)| *other == name).map(|(_, array)| array)
    }

    /// Returns the number of values under a name, if there is such an array.
    pub fn count(&self, name: &str) -> Option<usize> {
        self.get(name).map(SavedArray::len)
    }

    /// Returns all arrays that have not been taken out, with their names, in the order in which they were stored.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &SavedArray)> {
        self.arrays.iter().map(|(name, array)| (name.as_str(), array))
    }

    /// Takes numbers out. Errors unless they exist, are of this type, and are `count` many; then they stay.
    pub fn take_f64(&mut self, name: &str, count: usize) -> Result<Vec<f64>, Error> {
        match self.take(name, count, "f64")? {
            SavedArray::F64(values) => Ok(values),
            _ => unreachable!("the type was compared"),
        }
    }

    /// As [`take_f64`](Self::take_f64); errors also if one of them is NaN.
    pub fn take_numbers(&mut self, name: &str, count: usize) -> Result<Vec<f64>, Error> {
        if let Some(SavedArray::F64(values)) = self.get(name)
            && let Some(index) = values.iter().position(|value| value.is_nan())
        {
            return Err(Error::Saved(format!("value {index} of {name:?} is NaN")));
        }
        self.take_f64(name, count)
    }

    /// As [`take_f64`](Self::take_f64), for 64-bit whole numbers.
    pub fn take_u64(&mut self, name: &str, count: usize) -> Result<Vec<u64>, Error> {
        match self.take(name, count, "u64")? {
            SavedArray::U64(values) => Ok(values),
            _ => unreachable!("the type was compared"),
        }
    }

    /// As [`take_f64`](Self::take_f64), for 32-bit whole numbers.
    pub fn take_u32(&mut self, name: &str, count: usize) -> Result<Vec<u32>, Error> {
        match self.take(name, count, "u32")? {
            SavedArray::U32(values) => Ok(values),
            _ => unreachable!("the type was compared"),
        }
    }

    /// Stores vectors, one after the other.
    pub(crate) fn put_vectors<'a, const N: usize>(
        &mut self,
        name: &str,
        vectors: impl IntoIterator<Item = &'a Vector<N>>,
    ) {
        let numbers = vectors.into_iter().flat_map(|vector| vector.iter().copied());
        self.put_f64(name, numbers.collect::<Vec<f64>>());
    }

    /// Takes `count` vectors out, none of which has NaN.
    pub(crate) fn take_vectors<const N: usize>(
        &mut self,
        name: &str,
        count: usize,
    ) -> Result<Vec<Vector<N>>, Error> {
        let numbers = self.take_numbers(name, N * count)?;
        Ok(numbers.chunks_exact(N).map(Vector::from_column_slice).collect())
    }

    /// Takes all numbers of an array out, in rows of `N`.
    pub(crate) fn take_rows<const N: usize>(&mut self, name: &str) -> Result<Vec<[u32; N]>, Error> {
        let rows = self.count(name).unwrap_or(0) / N;
        Ok(self.take_u32(name, N * rows)?.as_chunks::<N>().0.to_vec())
    }

    /// Takes all numbers of an array out, in rows of `N`; none if there is no such array.
    pub(crate) fn take_rows_if_any<const N: usize>(
        &mut self,
        name: &str,
    ) -> Result<Vec<[u32; N]>, Error> {
        if self.get(name).is_some() { self.take_rows(name) } else { Ok(Vec::new()) }
    }

    /// Takes a single number out; zero if there is no such array.
    pub(crate) fn take_number_or_zero(&mut self, name: &str) -> Result<f64, Error> {
        if self.get(name).is_some() { Ok(self.take_numbers(name, 1)?[0]) } else { Ok(0.0) }
    }

    fn take(&mut self, name: &str, count: usize, type_name: &str) -> Result<SavedArray, Error> {
        let refuse = |reason: String| Err(Error::Saved(reason));
        let Some(place) = self.arrays.iter().position(|(other, _)| other == name) else {
            return refuse(format!("it has no array {name:?}"));
        };
        let (found, found_type) = (self.arrays[place].1.len(), self.arrays[place].1.type_name());
        if found != count {
            return refuse(format!("it has {found} values of {name:?} where {count} are needed"));
        }
        if found_type != type_name {
            return refuse(format!(
                "it has values of type {found_type} in {name:?} where {type_name} are needed"
            ));
        }
        Ok(self.arrays.remove(place).1)
    }
}
