//! Bounded numbers for the JSON schema of scenes: an editor refuses what the checks refuse.
//!
//! A field of the written form is read as a plain number, so that a message can name the rule of the key;
//! `#[schemars(with = "…")]` gives the schema its bounds. The tests of the schema compare both.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

macro_rules! bounds {
    ($($(#[$doc:meta])* $name:ident: $schema:tt;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}

bounds! {
    /// A number greater than zero.
    Positive: { "type": "number", "exclusiveMinimum": 0, "maximum": 1e100 };
    /// A number of zero or more.
    NotNegative: { "type": "number", "minimum": 0, "maximum": 1e100 };
    /// A number from zero to one, both included.
    ZeroToOne: { "type": "number", "minimum": 0, "maximum": 1 };
    /// A number between zero and one, both excluded.
    OpenFraction: { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 };
    /// A number of at least zero and below one.
    BelowOne: { "type": "number", "minimum": 0, "exclusiveMaximum": 1 };
    /// Poisson's ratio ν of a stable isotropic solid: -1 < ν ≤ 1/2.
    PoissonsRatio: { "type": "number", "exclusiveMinimum": -1, "maximum": 0.5 };
}

/// A number within bounds, or a table with more keys.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum BoundedOr<N, T> {
    Number(N),
    Table(T),
}
