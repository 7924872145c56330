//! The table of a document about points inside of meshes.

use super::contender::{CELLS, MULTIPOLE};
use super::peers::FMM;
use super::results::Row;
use crate::readme::{grouped, push, push_origin, push_row, significant};
use crate::results::Kind;
use crate::table::Table;

/// A row for each mesh and grid with the peers that answered, and sentences about threads and expansions.
pub fn table(table: &Table<Row>) -> String {
    let peers = peers(&table.rows);
    let mut text = String::from(
        "| mesh | triangles | points | carom, ms | of these to prepare | ns per point | \
         bytes per triangle |",
    );
    peers.iter().for_each(|peer| push(&mut text, format_args!(" {peer} |")));
    let aligned = "--:|".repeat(6 + peers.len());
    push(&mut text, format_args!("\n|---|{aligned}\n"));
    for own in table.rows.iter().filter(|row| row.contender == CELLS && row.clock == "processor") {
        let mut columns = vec![
            name(own),
            grouped(own.triangles),
            grouped(own.points),
            significant(own.total_ms),
            significant(own.build_ms),
            significant(own.query_ns),
            own.held_bytes.map_or("".into(), significant),
        ];
        columns.extend(peers.iter().map(|peer| times(&table.rows, own, peer)));
        push_row(&mut text, &columns);
    }
    push_threads(&mut text, &table.rows);
    push_expansions(&mut text, &table.rows);
    push_origin(&mut text, table);
    text
}

/// Those that answer for every mesh, in their order.
fn peers(rows: &[Row]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == Kind::Peer && row.contender != FMM) {
        if !names.contains(&row.contender.as_str()) {
            names.push(&row.contender);
        }
    }
    names
}

fn name(row: &Row) -> String {
    match row.order.as_str() {
        "grid" => row.workload.clone(),
        order => format!("{}, {order}", row.workload),
    }
}

fn times(rows: &[Row], own: &Row, peer: &str) -> String {
    let row = rows.iter().find(|row| row.contender == peer && row.is_of_case(own));
    row.map_or("".into(), |row| {
        format!("{}x ({}x)", significant(row.ratio_to_carom), significant(row.query_ratio))
    })
}

fn push_threads(text: &mut String, rows: &[Row]) {
    let many: Vec<&Row> =
        rows.iter().filter(|row| row.contender == CELLS && row.threads > 1).collect();
    let Some(first) = many.first() else { return };
    let faster = |row: &&Row| format!("{} {:.1}", row.workload, 1.0 / row.ratio_to_carom);
    let listed = many.iter().map(faster).collect::<Vec<_>>().join(", ");
    push(
        text,
        format_args!(
            "\nTimes as fast by the wall clock on {} threads as on one: {listed}.\n",
            first.threads
        ),
    );
}

fn push_expansions(text: &mut String, rows: &[Row]) {
    let beside = |fmm: &Row| {
        let own = |row: &&Row| row.contender == MULTIPOLE && row.is_of_case(fmm);
        let own = rows.iter().find(own)?;
        Some(format!(
            "{} {} ms ({}; {}x)",
            own.workload,
            significant(own.total_ms),
            significant(own.build_ms),
            significant(fmm.total_ms / own.total_ms)
        ))
    };
    let listed: Vec<String> =
        rows.iter().filter(|row| row.contender == FMM).filter_map(beside).collect();
    if !listed.is_empty() {
        let listed = listed.join(", ");
        push(
            text,
            format_args!(
                "\nWinding numbers by expansions, within 1e-3 for certain, with as many points as in \
                 the table (of these to prepare; {FMM} asked for 1e-3): {listed}.\n"
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::{made_up, set_ratios};
    use super::*;

    #[test]
    fn a_mesh_is_a_row_with_all_peers() {
        let mut rows = vec![
            made_up("foam-29k", 512_000, CELLS, 16.0, 31.25),
            made_up("foam-29k", 512_000, MULTIPOLE, 88.0, 1000.0),
            made_up("foam-29k", 512_000, "parry3d-f64", 32.0, 2000.0),
            made_up("foam-29k", 512_000, FMM, 0.0, 24_000.0),
        ];
        set_ratios(&mut rows);
        let by_wall =
            Row { threads: 2, clock: "wall".into(), ratio_to_carom: 0.5, ..rows[0].clone() };
        rows.push(by_wall);
        assert_eq!(
            table(&Table { origin: "a command; a machine".into(), rows }),
            "| mesh | triangles | points | carom, ms | of these to prepare | ns per point | bytes per \
             triangle | parry3d-f64 |\n|---|--:|--:|--:|--:|--:|--:|--:|\n\
             | foam-29k | 1,000 | 512,000 | 32 | 16 | 31 | 100 | 33x (64x) |\n\n\
             Times as fast by the wall clock on 2 threads as on one: foam-29k 2.0.\n\n\
             Winding numbers by expansions, within 1e-3 for certain, with as many points as in the table \
             (of these to prepare; fmm3dpy asked for 1e-3): foam-29k 600 ms (88; 20x).\n\n\
             Measured with: a command; a machine.\n"
        );
    }
}
