//! Rows of PLY in binary.

use super::super::MeshProblem;
use super::super::problem::Fault;
use super::Rows;
use super::header::{Element, Number};
use crate::files::cell::{self, Quantity};

/// Numbers with their big end first or their little one.
pub(super) struct Binary<'a, const BIG: bool> {
    bytes: &'a [u8],
    at: usize,
    /// Where in the file the bytes start.
    start: usize,
    /// Where the number that was read last starts.
    last: usize,
}

impl<'a, const BIG: bool> Binary<'a, BIG> {
    pub(super) fn new(bytes: &'a [u8], start: usize) -> Self {
        Binary { bytes, at: 0, start, last: 0 }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        self.last = self.at;
        let Some(&found) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.cut_short());
        };
        self.at += N;
        let mut bytes = found;
        if BIG {
            bytes.reverse();
        }
        Ok(bytes)
    }

    #[inline]
    fn integer(&mut self, number: Number) -> Result<i64, Fault> {
        Ok(match number {
            Number::I8 => i8::from_le_bytes(self.take()?).into(),
            Number::U8 => u8::from_le_bytes(self.take()?).into(),
            Number::I16 => i16::from_le_bytes(self.take()?).into(),
            Number::U16 => u16::from_le_bytes(self.take()?).into(),
            Number::I32 => i32::from_le_bytes(self.take()?).into(),
            Number::U32 => u32::from_le_bytes(self.take()?).into(),
            // The header has refused them.
            Number::F32 => f32::from_le_bytes(self.take()?) as i64,
            Number::F64 => f64::from_le_bytes(self.take()?) as i64,
        })
    }

    fn cut_short(&self) -> Fault {
        let rule = "the file ends in the middle of a row";
        self.fault(MeshProblem::Missing { what: "a number", rule })
    }
}

impl<const BIG: bool> Rows for Binary<'_, BIG> {
    #[inline]
    fn start_row(&mut self, element: &Element, row: u64) -> Result<(), Fault> {
        if self.at < self.bytes.len() {
            return Ok(());
        }
        self.last = self.at;
        let (what, promised) = (element.title(), element.count);
        Err(self.fault(MeshProblem::CutShort { what, found: row, promised }))
    }

    #[inline]
    fn coordinate(&mut self, number: Number, axis: &'static str) -> Result<f64, Fault> {
        let value = match number {
            Number::F32 => f32::from_le_bytes(self.take()?).into(),
            Number::F64 => f64::from_le_bytes(self.take()?),
            whole => self.integer(whole)? as f64,
        };
        cell::check(value, Quantity::Coordinate).map_err(|rule| {
            self.fault(MeshProblem::value(axis, format!("{value:e}").as_bytes(), rule))
        })
    }

    #[inline]
    fn count(&mut self, number: Number) -> Result<u64, Fault> {
        let count = self.integer(number)?;
        u64::try_from(count).map_err(|_| {
            let (what, rule) = ("the count of a list", "it must not be negative");
            self.fault(MeshProblem::value(what, count.to_string().as_bytes(), rule))
        })
    }

    #[inline]
    fn corner(&mut self, number: Number) -> Result<i64, Fault> {
        self.integer(number)
    }

    #[inline]
    fn skip(&mut self, number: Number, count: u64) -> Result<(), Fault> {
        self.last = self.at;
        // Counts have 32 bits at most.
        let length = count as usize * number.size();
        if length > self.bytes.len() - self.at {
            return Err(self.cut_short());
        }
        self.at += length;
        Ok(())
    }

    #[inline]
    fn end_row(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        let rest = self.bytes[self.at..].trim_ascii();
        if rest.is_empty() {
            return Ok(());
        }
        self.last = self.at;
        let rule = "nothing may stand after the rows that the header promises";
        Err(self.fault(MeshProblem::value("what follows", rest, rule)))
    }

    fn fault(&self, problem: MeshProblem) -> Fault {
        problem.at_byte(self.start + self.last)
    }
}
