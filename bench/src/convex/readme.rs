//! The table of a document about distances of convex bodies.

use super::results::Row;
use crate::readme::{push, push_origin, push_row, significant};
use crate::results::Kind;
use crate::table::Table;

/// A row for each body and motion, with every peer that answered.
pub fn table(table: &Table<Row>) -> String {
    let peers = peers(&table.rows);
    let mut text = String::from("| motion | body | faces | carom, ns | without memory | steps |");
    peers.iter().for_each(|peer| push(&mut text, format_args!(" {peer} |")));
    push(&mut text, format_args!("\n|---|---|{}\n", "--:|".repeat(4 + peers.len())));
    for own in table.rows.iter().filter(|row| row.kind == Kind::Own) {
        let of_case = |kind: Kind, name: Option<&str>| {
            table.rows.iter().find(|row| {
                row.kind == kind
                    && (&row.workload, &row.shape, row.faces)
                        == (&own.workload, &own.shape, own.faces)
                    && name.is_none_or(|name| row.contender == name)
            })
        };
        let cold = of_case(Kind::OwnCold, None);
        let mut columns = vec![
            own.workload.clone(),
            own.shape.clone(),
            own.faces.to_string(),
            significant(own.ns_per_query),
            cold.map_or("".into(), |row| significant(row.ns_per_query)),
            own.steps.map_or("".into(), |steps| format!("{:.2}", steps.mean)),
        ];
        columns.extend(peers.iter().map(|peer| {
            let row = of_case(Kind::Peer, Some(peer));
            row.map_or("".into(), |row| format!("{}x", significant(row.ratio_to_carom)))
        }));
        push_row(&mut text, &columns);
    }
    push_origin(&mut text, table);
    text
}

/// In their order.
fn peers(rows: &[Row]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == Kind::Peer) {
        if !names.contains(&row.contender.as_str()) {
            names.push(&row.contender);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::results::{made_up, set_ratios};
    use crate::convex::workload::full;

    #[test]
    fn a_body_is_a_row_with_all_peers() {
        let case = full()[0];
        let mut rows = vec![
            made_up(&case, "carom", Kind::Own, 60.0),
            made_up(&case, "carom cold", Kind::OwnCold, 240.0),
            made_up(&case, "coal warm", Kind::Peer, 390.0),
        ];
        set_ratios(&mut rows);
        let steps = rows[0].steps.map_or("".into(), |steps| format!("{:.2}", steps.mean));
        assert_eq!(
            table(&Table { origin: "a command; a machine".into(), rows }),
            format!(
                "| motion | body | faces | carom, ns | without memory | steps | coal warm |\n\
                 |---|---|--:|--:|--:|--:|--:|\n\
                 | half-degree | even | 4 | 60 | 240 | {steps} | 6.5x |\n\n\
                 Measured with: a command; a machine.\n"
            )
        );
    }
}
