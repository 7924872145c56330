//! The tables of a document about beds in steps of time.

use super::contender::CAROM;
use super::rapier::{Manner, steps_of_default};
use super::results::Row;
use crate::readme::{grouped, push, push_origin, push_row, significant};
use crate::results::Kind;
use crate::table::Table;

/// A row for each bed and law with the program that ran it too, and a sentence about threads.
pub fn table(table: &Table<Row>) -> String {
    let mut text = String::from(
        "| law | spheres | carom, million sphere steps per second | contacts per sphere | ns per contact | \
         bytes per sphere | peer | carom is faster | its contacts per sphere |\n\
         |---|--:|--:|--:|--:|--:|---|--:|--:|\n",
    );
    for own in table.rows.iter().filter(|row| row.contender == CAROM && row.clock == "processor") {
        let is_peer = |row: &&Row| row.kind == Kind::Peer && row.is_of_case(own);
        let peer = table.rows.iter().find(is_peer);
        push_row(
            &mut text,
            &[
                own.workload.clone(),
                grouped(own.bodies),
                significant(own.rate),
                format!("{:.3}", own.contacts),
                significant(own.ns_per_contact),
                own.held_bytes.map_or("".into(), significant),
                peer.map_or("".into(), |peer| {
                    format!("{} {}", peer.contender, significant(peer.rate))
                }),
                peer.map_or("".into(), |peer| format!("{:.2}x", own.rate / peer.rate)),
                peer.map_or("".into(), |peer| format!("{:.3}", peer.contacts)),
            ],
        );
    }
    for many in table.rows.iter().filter(|row| row.threads > 1) {
        push(
            &mut text,
            format_args!(
                "\nOn {} threads the {} law with {} spheres is {:.2} times as fast by the wall clock as on \
                 one, with the same bits.\n",
                many.threads,
                many.workload,
                grouped(many.bodies),
                many.ratio_to_carom
            ),
        );
    }
    push_origin(&mut text, table);
    text
}

/// A row for each bed of polyhedra, with what rapier takes for a step of the same length and for one of its own.
pub fn polyhedra_table(table: &Table<Row>) -> String {
    let mut text = String::from(
        "| bodies | number | carom, ms per step | contacts per body | bytes per body | rapier3d-f64, contacts \
         found in every step, ms | carom is faster | contacts recycled, ms | carom is faster | its step of \
         1/60 s, ms | its contacts per body | its bytes per body |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let milliseconds = |row: &Row| row.bodies as f64 / row.rate * 1e-3;
    for own in table.rows.iter().filter(|row| row.contender == CAROM) {
        let of = |manner: Manner| {
            let is_it = |row: &&Row| row.contender == manner.name() && row.is_of_case(own);
            table.rows.iter().find(is_it)
        };
        let time = |row: Option<&Row>| row.map_or("".into(), |row| significant(milliseconds(row)));
        let lead =
            |row: Option<&Row>| row.map_or("".into(), |row| format!("{:.2}x", own.rate / row.rate));
        let [same, recycling, long] = Manner::ALL.map(of);
        push_row(
            &mut text,
            &[
                own.workload.clone(),
                grouped(own.bodies),
                significant(milliseconds(own)),
                format!("{:.3}", own.contacts),
                own.held_bytes.map_or("".into(), significant),
                time(same),
                lead(same),
                time(recycling),
                lead(recycling),
                time(long),
                same.map_or("".into(), |same| format!("{:.3}", same.contacts)),
                same.and_then(|same| same.held_bytes).map_or("".into(), significant),
            ],
        );
    }
    push(
        &mut text,
        format_args!(
            "\nrapier's step of 1/60 s is as long as {:.0} steps of the others.\n",
            steps_of_default()
        ),
    );
    push_origin(&mut text, table);
    text
}

#[cfg(test)]
mod tests {
    use super::super::results::made_up;
    use super::*;

    #[test]
    fn a_bed_is_a_row_with_its_peer() {
        let rows = vec![
            made_up("linear", 10_240, CAROM, 10.0),
            made_up("linear", 10_240, "LAMMPS", 5.0),
            Row {
                threads: 2,
                clock: "wall".into(),
                ratio_to_carom: 1.75,
                ..made_up("linear", 92_160, CAROM, 17.5)
            },
        ];
        let text = table(&Table { origin: "a command; a machine".into(), rows });
        let rows: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| linear | 10,240 | 10 | 2.000 | 50 | 300 | LAMMPS 5.0 | 2.00x | 2.000 |",
                "",
                "On 2 threads the linear law with 92,160 spheres is 1.75 times as fast by the wall clock as \
                 on one, with the same bits.",
                "",
                "Measured with: a command; a machine."
            ]
        );
    }

    #[test]
    fn a_bed_of_polyhedra_is_a_row_with_every_manner_of_rapier() {
        let mut rows: Vec<Row> = Manner::ALL
            .into_iter()
            .zip([0.1, 0.2, 0.08])
            .map(|(manner, rate)| made_up("polyhedra-20", 10_000, manner.name(), rate))
            .collect();
        rows.insert(0, made_up("polyhedra-20", 10_000, CAROM, 0.5));
        let text = polyhedra_table(&Table { origin: "a command; a machine".into(), rows });
        let rows: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| polyhedra-20 | 10,000 | 20 | 2.000 | 300 | 100 | 5.00x | 50 | 2.50x | 125 | 2.000 |  |",
                "",
                "rapier's step of 1/60 s is as long as 261 steps of the others.",
                "",
                "Measured with: a command; a machine."
            ]
        );
    }
}
