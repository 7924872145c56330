//! Numbers and words as written in a scene, with their place in the text.

use super::problem::{SceneValidationError, ValidationResult};
use carom_detect::LARGEST_NUMBER;
use carom_geometry::Vector;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

/// A value and its byte range in the source.
#[derive(Clone, Debug)]
pub(super) struct LocatedValue<T> {
    pub value: T,
    pub span: Range<usize>,
}

impl<T> LocatedValue<T> {
    /// Returns a refusal of this value.
    pub(super) fn refuse(&self, rule: impl Into<Cow<'static, str>>) -> SceneValidationError {
        SceneValidationError::Value { span: self.span.clone(), rule: rule.into() }
    }

    /// Returns a refusal of the file that this value names.
    pub(super) fn refuse_file(&self, error: carom_io::Error) -> SceneValidationError {
        let error = Box::new(error.into());
        SceneValidationError::Elsewhere { span: Some(self.span.clone()), error }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for LocatedValue<T> {
    fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
        let spanned = toml::Spanned::<T>::deserialize(reader)?;
        Ok(LocatedValue { span: spanned.span(), value: spanned.into_inner() })
    }
}

/// The place is not part of what is written, so the schema is that of the value.
impl<T: JsonSchema> JsonSchema for LocatedValue<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Rule of lengths, masses and times.
pub(super) const POSITIVE: &str = "it must be finite and greater than zero";
const USABLE: &str = "it must lie between 1e-100 and 1e100";

impl LocatedValue<f64> {
    /// Returns the number if it is greater than zero and of usable size.
    pub(super) fn positive(&self, rule: &'static str) -> ValidationResult<f64> {
        if !(self.value > 0.0 && self.value.is_finite()) {
            return Err(self.refuse(rule));
        }
        let usable = (1.0 / LARGEST_NUMBER..=LARGEST_NUMBER).contains(&self.value);
        if usable { Ok(self.value) } else { Err(self.refuse(USABLE)) }
    }

    /// Returns the number if it is zero or usable as a positive one.
    pub(super) fn not_negative(&self) -> ValidationResult<f64> {
        if self.value == 0.0 {
            return Ok(0.0);
        }
        self.positive("it must be finite and not negative")
    }

    /// Returns the number if it lies between zero and one.
    pub(super) fn zero_to_one(&self, rule: &'static str) -> ValidationResult<f64> {
        if (0.0..=1.0).contains(&self.value) { Ok(self.value) } else { Err(self.refuse(rule)) }
    }
}

/// Returns the positive number of a key that may be left out.
pub(super) fn optional_positive(
    number: &Option<LocatedValue<f64>>,
) -> ValidationResult<Option<f64>> {
    number.as_ref().map(|number| number.positive(POSITIVE)).transpose()
}

impl LocatedValue<Vec<f64>> {
    /// Returns the vector if it has one usable number per axis.
    pub(super) fn vector<const D: usize>(&self) -> ValidationResult<Vector<D>> {
        let numbers: [f64; D] = self.value.as_slice().try_into().map_err(|_| {
            self.refuse(format!("in {D} dimensions it must hold {D} numbers, one per axis"))
        })?;
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(self.refuse("every number must be finite"));
        }
        if numbers.iter().any(|number| number.abs() > LARGEST_NUMBER) {
            return Err(self.refuse("every number must lie between -1e100 and 1e100"));
        }
        Ok(numbers.into())
    }
}

impl LocatedValue<OneOrEach<f64>> {
    /// Returns an axial vector, such as an angular velocity: in 2D one number, along z.
    pub(super) fn axial_vector<const D: usize>(&self) -> ValidationResult<Vector<3>> {
        let numbers = match (&self.value, D) {
            (OneOrEach::One(number), 2) => vec![0.0, 0.0, *number],
            (OneOrEach::Each(numbers), 3) => numbers.clone(),
            (_, 2) => return Err(self.refuse("in 2 dimensions it must be one number")),
            _ => return Err(self.refuse("in 3 dimensions it must hold 3 numbers, one per axis")),
        };
        LocatedValue { value: numbers, span: self.span.clone() }.vector::<3>()
    }
}

/// A whole number that may also be written like `1e6`.
#[derive(Clone, Copy, Debug)]
pub(super) struct WholeNumber(pub u64);

/// A whole number that must not be zero, which its user checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositiveWholeNumber(pub u64);

/// A whole number that must be 2 or 3, which its user checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dimension(pub u64);

/// Reads a whole number; holds what it must be, for messages.
struct WholeNumberVisitor(&'static str);

impl Visitor<'_> for WholeNumberVisitor {
    type Value = u64;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.0)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        // TOML has no larger integers.
        let wrong = || E::invalid_value(de::Unexpected::Unsigned(number), &self);
        i64::try_from(number).map(|_| number).map_err(|_| wrong())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<u64, E> {
        let wrong = |_| E::invalid_value(de::Unexpected::Signed(number), &self);
        u64::try_from(number).map_err(wrong)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<u64, E> {
        let whole = number.fract() == 0.0 && (0.0..BEYOND_TOML).contains(&number);
        let wrong = || E::invalid_value(de::Unexpected::Float(number), &self);
        whole.then_some(number as u64).ok_or_else(wrong)
    }
}

/// The first whole number that TOML's integers cannot hold, 2^63.
const BEYOND_TOML: f64 = (1_u64 << 63) as f64;

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
        let words = "a whole number from 0 to 9223372036854775807";
        reader.deserialize_any(WholeNumberVisitor(words)).map(WholeNumber)
    }
}

impl<'de> Deserialize<'de> for PositiveWholeNumber {
    fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
        let words = "a whole number from 1 to 9223372036854775807";
        reader.deserialize_any(WholeNumberVisitor(words)).map(PositiveWholeNumber)
    }
}

impl<'de> Deserialize<'de> for Dimension {
    fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
        reader.deserialize_any(WholeNumberVisitor("2 or 3")).map(Dimension)
    }
}

/// Returns the schema of whole numbers from `least`.
fn whole_schema(least: u64) -> Schema {
    schemars::json_schema!({ "type": "integer", "minimum": least })
}

impl JsonSchema for WholeNumber {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        whole_schema(0)
    }
}

impl JsonSchema for PositiveWholeNumber {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CountFromOne".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        whole_schema(1)
    }
}

impl JsonSchema for Dimension {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Dimension".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        whole_schema(0)
    }
}

/// One value for all axes, or one for each.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged, inline)]
pub(super) enum OneOrEach<T> {
    One(T),
    Each(Vec<T>),
}

impl<T: Copy> LocatedValue<OneOrEach<T>> {
    /// Returns the value of every axis.
    pub(super) fn per_axis<const D: usize>(&self) -> ValidationResult<[T; D]> {
        match &self.value {
            OneOrEach::One(value) => Ok([*value; D]),
            OneOrEach::Each(values) => values.as_slice().try_into().map_err(|_| {
                self.refuse(format!("it must be one value or a list of {D}, one per axis"))
            }),
        }
    }
}

struct OneOrEachVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrEachVisitor<T> {
    type Value = OneOrEach<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("one value or a list with one per axis")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(OneOrEach::One)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(OneOrEach::One)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(OneOrEach::One)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(OneOrEach::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(OneOrEach::Each(values))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrEach<T> {
    fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
        reader.deserialize_any(OneOrEachVisitor(PhantomData))
    }
}

/// A plain number, or a table with more keys.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged, inline)]
pub(super) enum NumberOr<T> {
    Number(f64),
    Table(T),
}

struct NumberOrVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NumberOrVisitor<T> {
    type Value = NumberOr<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a number or a table")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(NumberOr::Number(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(NumberOr::Number(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(NumberOr::Number(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(table)).map(NumberOr::Table)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for NumberOr<T> {
    fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
        reader.deserialize_any(NumberOrVisitor(PhantomData))
    }
}
