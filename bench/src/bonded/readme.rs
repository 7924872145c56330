//! The table of a document about bodies of springs.

use super::contender::{ALONE, WHOLE};
use super::peers::{LAMMPS, TAICHI, TAICHI_64};
use super::results::Row;
use super::verdict::beside;
use crate::readme::{grouped, push, push_origin, push_row, significant};
use crate::table::Table;

/// A row for each lattice with its peers, and sentences about threads, contact and fronts.
pub fn table(table: &Table<Row>) -> String {
    let mut text = String::from(
        "| lattice | particles | springs | carom, million springs per second | bytes per particle | LAMMPS BPM | \
         carom is faster | Taichi, 32 bits | carom is faster | Taichi, 64 bits | carom is faster |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let is_part = |row: &Row| [ALONE, WHOLE].contains(&row.contender.as_str());
    let has_part = |own: &Row| table.rows.iter().any(|row| is_part(row) && row.is_of_case(own));
    for own in table.rows.iter().filter(|row| row.is_own() && !has_part(row)) {
        let mut columns = vec![
            own.workload.clone(),
            grouped(own.particles),
            grouped(own.springs as usize),
            significant(own.rate),
            own.bytes.map_or("".into(), significant),
        ];
        for name in [LAMMPS, TAICHI, TAICHI_64] {
            let is_peer = |row: &&Row| row.contender == name && row.is_of_case(own);
            let peer = table.rows.iter().find(is_peer);
            columns.push(peer.map_or("".into(), |peer| significant(peer.rate)));
            columns.push(peer.map_or("".into(), |peer| format!("{:.1}x", own.rate / peer.rate)));
        }
        push_row(&mut text, &columns);
    }
    for many in table.rows.iter().filter(|row| row.threads > 1) {
        push(
            &mut text,
            format_args!(
                "\nOn {} threads {} with {} particles is {:.2} times as fast by the wall clock as on one, with the \
                 same bits.\n",
                many.threads,
                many.workload,
                grouped(many.particles),
                many.ratio_to_carom
            ),
        );
    }
    for (own, alone) in beside(&table.rows, ALONE) {
        push(
            &mut text,
            format_args!(
                "\nBlocks of 20 by 20 particles that bump into each other, {} particles in all: contact takes {:.0} \
                 per cent of the time of a step.\n",
                grouped(own.particles),
                100.0 * (1.0 - own.rate / alone.rate)
            ),
        );
    }
    for (own, whole) in beside(&table.rows, WHOLE) {
        let stepped = 100.0 * own.stepped.unwrap_or(1.0);
        push(
            &mut text,
            format_args!(
                "\nA block of {} particles that is hit, until the wave has crossed it: {stepped:.0} per cent of all \
                 particle steps are made, in {:.0} per cent of the time.\n",
                grouped(own.particles),
                100.0 * whole.rate / own.rate
            ),
        );
    }
    push_origin(&mut text, table);
    text
}

#[cfg(test)]
mod tests {
    use super::super::results::made_up;
    use super::*;
    use crate::dem::contender::CAROM;

    #[test]
    fn a_lattice_is_a_row_with_its_peers_and_parts_are_sentences() {
        let front = Row { stepped: Some(0.75), ..made_up("front", 100, CAROM, 500.0) };
        let rows = vec![
            made_up("square-4", 99_856, CAROM, 600.0),
            made_up("square-4", 99_856, LAMMPS, 60.0),
            made_up("square-4", 99_856, TAICHI, 150.0),
            made_up("blocks", 400, CAROM, 300.0),
            made_up("blocks", 400, ALONE, 400.0),
            front,
            made_up("front", 100, WHOLE, 400.0),
        ];
        let text = table(&Table { origin: "a command; a machine".into(), rows });
        let rows: Vec<&str> = text.lines().skip(2).filter(|line| !line.is_empty()).collect();
        assert_eq!(
            rows,
            [
                "| square-4 | 99,856 | 199,712 | 600 | 80 | 60 | 10.0x | 150 | 4.0x |  |  |",
                "Blocks of 20 by 20 particles that bump into each other, 400 particles in all: contact takes 25 \
                 per cent of the time of a step.",
                "A block of 100 particles that is hit, until the wave has crossed it: 75 per cent of all particle \
                 steps are made, in 80 per cent of the time.",
                "Measured with: a command; a machine."
            ]
        );
    }
}
