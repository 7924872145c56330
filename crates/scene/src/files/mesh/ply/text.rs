//! Rows of PLY as lines of text.

use super::super::MeshProblem;
use super::super::problem::Fault;
use super::super::words::Words;
use super::Rows;
use super::header::{Element, Number};

const ROW_RULE: &str =
    "a row is a line with a number for each property; a list starts with its count";

pub(super) struct Text<'a>(pub Words<'a>);

impl Rows for Text<'_> {
    #[inline]
    fn start_row(&mut self, element: &Element, row: u64) -> Result<(), Fault> {
        if self.0.next_content() {
            return Ok(());
        }
        let (what, promised) = (element.title(), element.count);
        Err(self.fault(MeshProblem::CutShort { what, found: row, promised }))
    }

    #[inline]
    fn coordinate(&mut self, _: Number, axis: &'static str) -> Result<f64, Fault> {
        self.0.coordinate(axis)
    }

    #[inline]
    fn count(&mut self, _: Number) -> Result<u64, Fault> {
        self.0.count("the count of a list", ROW_RULE)
    }

    #[inline]
    fn corner(&mut self, _: Number) -> Result<i64, Fault> {
        self.0.integer("a corner", ROW_RULE)
    }

    fn skip(&mut self, _: Number, count: u64) -> Result<(), Fault> {
        (0..count).try_for_each(|_| self.0.required("a number", ROW_RULE).map(drop))
    }

    #[inline]
    fn end_row(&mut self) -> Result<(), Fault> {
        self.0.end_line(ROW_RULE)?;
        self.0.next_line();
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        if self.0.next_content() {
            self.0.end_line("nothing may stand after the rows that the header promises")?;
        }
        Ok(())
    }

    fn fault(&self, problem: MeshProblem) -> Fault {
        problem.at_line(self.0.line())
    }
}
