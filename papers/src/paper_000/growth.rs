//! Growth of the columns of table 1 with the number of bodies, beside their bounds.

use super::measured::STRUCTURES;
use crate::fit;
use crate::records::{Record, Records, Value, record};

/// The columns of the table.
const COLUMNS: [&str; 7] = ["A", "B", "C", "D", "E", "F", "G"];

/// The bounds of each structure: as printed, and for those that the paper does not have as their construction lets
/// expect.
pub fn bounds() -> Records {
    Records::parse(include_str!("../../data/000_table_1.csv"))
}

/// The bounds that are printed.
pub fn printed() -> Records {
    let is_printed = |row: &Record| *row.value("as printed") != Value::Missing;
    bounds().into_iter().filter(is_printed).collect()
}

/// The paper's name of a structure, or carom's where the paper has none.
pub fn name(structure: &str) -> String {
    let printed = printed().of("structure", structure);
    if printed.is_empty() {
        return structure.into();
    }
    format!("{} ({structure})", printed.text("as printed"))
}

/// Every column of every structure in every system: the power of the number of bodies with which it grows, that of its
/// bound, by how much the first is greater, and how they compare. Column C is that of the thin gas.
pub fn measure(runs: &Records, thin: &Records) -> Records {
    let mut growth = Records::default();
    for own in runs.each("dimension | structure") {
        let (dimension, structure) = (own.number("dimension"), own.text("structure"));
        let thin = thin.of("dimension", dimension).of("structure", structure);
        for column in COLUMNS {
            let runs = if column == "C" { &thin } else { &own };
            growth.extend(runs.each("system").iter().filter_map(|runs| fitted(runs, column)));
        }
    }
    growth
}

/// A column of one structure in one system; nothing where no power can be fitted, as where all is zero.
fn fitted(runs: &Records, column: &str) -> Option<Record> {
    let dimension = runs.number("dimension");
    let bound = bounds().of("structure", runs.text("structure")).text(column);
    let of = |numbers: fn(&Record, &str) -> f64, name: &str| {
        let points = runs.iter().map(|run| (run.number("bodies"), numbers(run, name)));
        let points: Vec<_> = points.collect();
        let allowed = points.iter().map(|point| (point.0, bound_at(&bound, point.0, dimension)));
        let allowed = fit::upper_exponent(&allowed.collect::<Vec<_>>())?;
        Some((fit::upper_exponent(&points)?, allowed))
    };
    let figure = |name: &str| of(|run, name| run.number(name), name);
    let (power, allowed) = match column {
        "A" => {
            // The bound is one of the body with the most neighbors.
            let (mean, most) = (figure("A mean")?, figure("A most")?);
            let rank = |(power, allowed)| rank(power - allowed, column);
            if rank(most) > rank(mean) { most } else { mean }
        }
        "C" => figure("C ns")?,
        "D" => figure("D pair tests")?,
        "F" => figure("F ms")?,
        "G" => of(|run, name| run.number(name) * run.number("bodies"), "G bytes per body")?,
        other => figure(other)?,
    };
    let comparison = ["smaller", "within", "exceeds"][(1 + rank(power - allowed, column)) as usize];
    Some(record! {
        "dimension": dimension, "structure": runs.text("structure"), "column": column,
        "system": runs.text("system"), "bound": bound, "bound exponent": allowed,
        "fitted exponent": power, "excess": power - allowed, "comparison": comparison,
    })
}

/// Above a bound, with it or below. Exponents nearer than this count as equal: counts are bent by small boxes, times
/// also by caches and by whatever else the machine does.
fn rank(excess: f64, column: &str) -> i32 {
    let tolerance = if matches!(column, "C" | "F") { 0.25 } else { 0.15 };
    i32::from(excess > tolerance) - i32::from(excess < -tolerance)
}

/// An upper bound, up to a factor, for this many bodies at a constant density: k cells along a side of the box are
/// then a multiple of the d-th root of n. The incremental construction of `O(n^ceil(d+1/2))` is read as one of
/// n^ceil((d+1)/2), and the length of a Davenport-Schinzel sequence is nearly n.
fn bound_at(bound: &str, count: f64, dimension: f64) -> f64 {
    let power = match bound {
        "1" | "0 or 1" | "O(1)" | "O(log n)" => 0.0,
        "O(n)" | "O(n + k^d)" | "O(n log n)" => 1.0,
        "O(nk)" => 1.0 + 1.0 / dimension,
        "O(n^2)" => 2.0,
        "O(n^2 lambda_s(n))" => 3.0,
        "O(n^ceil(d+1/2))" => ((dimension + 1.0) / 2.0).ceil(),
        // The most simplices there can be: n in the plane, n^2 in space.
        "O(n^ceil(d/2))" => (dimension / 2.0).ceil(),
        other => panic!("table 1 has no bound {other:?}"),
    };
    let logarithm = if bound.contains("log") { count.ln() } else { 1.0 };
    count.powf(power) * logarithm
}

/// A cell as good as its worst system: that whose power exceeds the bound by most, or stays below it by least.
pub fn fastest(cell: &Records) -> Option<&Record> {
    cell.iter().max_by(|a, b| a.number("excess").total_cmp(&b.number("excess")))
}

/// The table of a dimension as measured: per cell the range of powers over the systems and how the worst of them
/// compares with the bound, such as `0.00..0.06 within`.
pub fn overview(growth: &Records, dimension: usize) -> Records {
    let growth = growth.of("dimension", dimension);
    let cell = |structure: &str, column: &'static str| {
        let own = growth.of("structure", structure).of("column", column);
        let text = fastest(&own).map(|fastest| {
            let [low, high] = [own.least("fitted exponent"), own.most("fitted exponent")]
                .map(|power| format!("{power:.2}"));
            let range = if low == high { low } else { format!("{low}..{high}") };
            format!("{range} {}", fastest.text("comparison"))
        });
        record! {
            "measured": name(structure), "column": column, "growth": text.unwrap_or("–".into()),
        }
    };
    let names = STRUCTURES.map(|structure| structure.name());
    names.iter().flat_map(|structure| COLUMNS.map(|column| cell(structure, column))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: [f64; 5] = [1e3, 3e3, 1e4, 3e4, 1e5];

    /// Cell grids in space, with a number of events per collision and one of most neighbors over that of bodies.
    fn growth(events: fn(f64) -> f64, most_neighbors: fn(f64) -> f64) -> Records {
        let run = |count: f64| {
            record! {
                "dimension": 3, "system": "dense", "structure": "cell-grid", "bodies": count,
                "A mean": 8, "A most": most_neighbors(count), "B": 0, "D pair tests": 8.0,
                "E": events(count), "F ms": 1e-3 * count, "G bytes per body": 24,
            }
        };
        measure(&COUNTS.map(run).into_iter().collect(), &Records::default())
    }

    #[test]
    fn known_growth_is_judged_by_the_printed_bounds() {
        let growth = growth(|_| 0.3, |_| 20.0);
        let judged = COLUMNS.map(|column| growth.of("column", column).text("comparison"));
        assert_eq!(judged, ["within", "", "", "within", "smaller", "within", "within"]);
        let text = &overview(&growth, 3).of("column", "E");
        assert!(text.iter().any(|cell| cell.text("growth") == "0.00 smaller"), "{text:?}");
    }

    #[test]
    fn the_body_with_the_most_neighbors_counts_too() {
        let growth = growth(|_| 0.3, |count| count / 100.0).of("column", "A");
        assert_eq!(growth.text("comparison"), "exceeds");
        assert!((growth.number("excess") - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_bound_is_exceeded_by_faster_growth_only() {
        let compared = |events| growth(events, |_| 20.0).of("column", "E").text("comparison");
        assert_eq!(compared(|count| count.powf(4.0 / 3.0)), "within");
        assert_eq!(compared(|count| count.powf(1.6)), "exceeds");
    }

    #[test]
    fn exponents_of_bounds_are_known() {
        let of = |bound: &str, dimension| {
            fit::upper_exponent(&COUNTS.map(|count| (count, bound_at(bound, count, dimension))))
        };
        for (bound, plane, space) in [
            ("O(1)", 0.0, 0.0),
            ("O(nk)", 1.5, 4.0 / 3.0),
            ("O(n^2)", 2.0, 2.0),
            ("O(n^ceil(d+1/2))", 2.0, 2.0),
            ("O(n^ceil(d/2))", 1.0, 2.0),
            // The logarithm grows by two thirds while its argument does a hundredfold.
            ("O(log n)", 0.11, 0.11),
        ] {
            let found = [2.0, 3.0].map(|dimension| of(bound, dimension).unwrap());
            assert!((found[0] - plane).abs() < 0.01 && (found[1] - space).abs() < 0.01, "{bound}");
        }
    }
}
