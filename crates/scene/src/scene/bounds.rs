//! Numbers within bounds, for the JSON schema of scenes: what the checks refuse, an editor refuses too.
//!
//! A field of the written form is read as a plain number, so that a message can name the rule of the key;
//! `#[schemars(with = "…")]` says between which bounds the schema has it. The tests of the schema hold both
//! to the same values.

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
    /// Greater than zero.
    Positive: { "type": "number", "exclusiveMinimum": 0, "maximum": 1e100 };
    /// Zero or more.
    NotNegative: { "type": "number", "minimum": 0, "maximum": 1e100 };
    /// From zero to one, both included.
    ZeroToOne: { "type": "number", "minimum": 0, "maximum": 1 };
    /// Between zero and one, both excluded.
    OpenFraction: { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 };
    /// At least zero and below one.
    BelowOne: { "type": "number", "minimum": 0, "exclusiveMaximum": 1 };
    /// Poisson's ratio of a stable isotropic solid: above -1 and at most 1/2.
    PoissonsRatio: { "type": "number", "exclusiveMinimum": -1, "maximum": 0.5 };
}

/// A number within bounds, or a table that says more.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum BoundedOr<N, T> {
    Number(N),
    Table(T),
}
