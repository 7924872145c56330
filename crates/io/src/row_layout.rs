//! The quantity of each field of a row.

use super::cell::{self, CellQuantity};
use crate::LineProblem;
use carom_geometry::{Sphere, Vector};

/// A run of ignored fields, or a field to read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FieldAction {
    /// This number of fields is skipped.
    Skip(usize),
    /// The field is stored in this slot: axis `0..D`, or `D` for the size.
    Take(usize),
}

/// The values of a row by slot; one more than the largest dimension.
pub(super) type RowSlots = [f64; 4];

/// The fields of a row from left to right, for particles in `D` dimensions.
#[derive(Clone, Debug)]
pub(super) struct RowLayout<const D: usize> {
    actions: Vec<FieldAction>,
    fields: usize,
    /// Names of the slots in the file, for messages.
    names: Vec<String>,
    /// Quantity in the slots of the axes.
    axes: CellQuantity,
    size: CellQuantity,
}

impl<const D: usize> RowLayout<D> {
    /// Creates the layout of a row of `fields` fields with `slots[s]` = (field, name) of slot `s`.
    pub(super) fn new(fields: usize, slots: Vec<(usize, String)>, size: CellQuantity) -> Self {
        let mut order: Vec<usize> = (0..slots.len()).collect();
        order.sort_by_key(|&slot| slots[slot].0);
        let mut actions = Vec::new();
        let mut next = 0;
        let skip_to = |field: usize, next: usize, steps: &mut Vec<FieldAction>| {
            if field > next {
                steps.push(FieldAction::Skip(field - next));
            }
        };
        for slot in order {
            let field = slots[slot].0;
            skip_to(field, next, &mut actions);
            actions.push(FieldAction::Take(slot));
            next = field + 1;
        }
        skip_to(fields, next, &mut actions);
        let names = slots.into_iter().map(|(_, name)| name).collect();
        RowLayout { actions, fields, names, axes: CellQuantity::Coordinate, size }
    }

    /// Returns the same fields with velocities in the slots of the axes: what is read as a center is then a velocity.
    pub(super) fn with_velocities(self) -> Self {
        RowLayout { axes: CellQuantity::Velocity, ..self }
    }

    pub(super) fn actions(&self) -> &[FieldAction] {
        &self.actions
    }

    /// Returns an error unless a row has as many fields as the header announces.
    pub(super) fn check_count(&self, found: usize) -> Result<(), LineProblem> {
        let expected = self.fields;
        if found == expected { Ok(()) } else { Err(LineProblem::Ragged { found, expected }) }
    }

    /// Returns the sphere of a row whose fields have been counted, or its leftmost error.
    pub(super) fn sphere<'a>(
        &self,
        mut fields: impl Iterator<Item = &'a [u8]>,
    ) -> Result<Sphere<D>, LineProblem> {
        let mut values = RowSlots::default();
        for step in &self.actions {
            match *step {
                FieldAction::Skip(count) => drop(fields.nth(count - 1)),
                FieldAction::Take(slot) => {
                    let text = fields.next().unwrap_or_default();
                    values[slot] = cell::parse_cell(text, self.quantity(slot), &self.names[slot])?;
                }
            }
        }
        Ok(self.assemble(&values))
    }

    /// Returns the sphere of numbers that keep every rule; `None` if one does not.
    #[inline(always)]
    pub(super) fn checked(&self, values: &RowSlots) -> Option<Sphere<D>> {
        let along_axes = values[..D].iter().all(|&number| self.axes.allows(number));
        (along_axes && self.size.allows(values[D])).then(|| self.assemble(values))
    }

    #[inline(always)]
    fn quantity(&self, slot: usize) -> CellQuantity {
        if slot < D { self.axes } else { self.size }
    }

    #[inline(always)]
    fn assemble(&self, values: &RowSlots) -> Sphere<D> {
        let scale = if self.size == CellQuantity::Diameter { 0.5 } else { 1.0 };
        Sphere { center: Vector::from_fn(|axis, _| values[axis]), radius: scale * values[D] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_without_interest_are_merged_into_runs() {
        let slots = vec![(4, "x".to_owned()), (1, "y".to_owned()), (5, "r".to_owned())];
        let layout = RowLayout::<2>::new(9, slots, CellQuantity::Radius);
        let expected = [
            FieldAction::Skip(1),
            FieldAction::Take(1),
            FieldAction::Skip(2),
            FieldAction::Take(0),
            FieldAction::Take(2),
            FieldAction::Skip(3),
        ];
        assert_eq!(layout.actions(), expected);
    }
}
