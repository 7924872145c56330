//! Unequal sizes (tables 1 to 3, section 4) and the choice of the origin.

use super::listed;
use crate::digits::significant;
use crate::finding::{ClaimVerdict, Finding};
use crate::paper_002::dispersion::Dispersion;
use crate::paper_002::origins::OriginRun;
use crate::paper_002::search_measurement::SearchMeasurement;
use crate::paper_002::tables::{MethodEntry, TableRun};
use crate::paper_002::theory::OriginPlacement;
use carom::scene::group_thousands;

pub(super) fn findings(tables: &[TableRun; 3], dispersion: &Dispersion) -> Vec<Finding> {
    let mut findings: Vec<_> = tables.iter().map(order).collect();
    findings.push(no_influence_of_sizes(dispersion));
    findings
}

/// Whether each of a table's methods is on the printed side of the distance sort.
fn order(table: &TableRun) -> Finding {
    let ratios: Vec<MethodRatios> =
        table.linked_cells().iter().filter_map(|entry| MethodRatios::of(table, entry)).collect();
    let texts: Vec<_> = ratios.iter().map(MethodRatios::text).collect();
    Finding {
        verdict: ClaimVerdict::of_all(ratios.iter().map(MethodRatios::on_the_same_side)),
        claim: format!("which methods of table {} are slower than the distance sort", table.number),
        evidence: format!(
            "Times in units of the distance sort's: {}.{}",
            texts.join("; "),
            why(table, &ratios)
        ),
    }
}

/// Times and tests of linked cells in units of the distance sort's.
struct MethodRatios {
    name: String,
    published: f64,
    measured: f64,
    tests: f64,
    nanoseconds_per_test: f64,
}

impl MethodRatios {
    fn of(table: &TableRun, entry: &MethodEntry) -> Option<Self> {
        let sort_tests = table.distance_sort().measurement.pair_tests;
        Some(MethodRatios {
            name: entry.name.clone(),
            published: table.published_ratio(entry)?,
            measured: table.measured_ratio(entry),
            tests: entry.measurement.pair_tests as f64 / sort_tests as f64,
            nanoseconds_per_test: nanoseconds_per_test(table, &entry.measurement),
        })
    }

    fn on_the_same_side(&self) -> bool {
        (self.published > 1.0) == (self.measured > 1.0)
    }

    fn text(&self) -> String {
        format!(
            "{} printed {}, measured {}, in counted tests {}",
            self.name,
            significant(self.published, 2),
            significant(self.measured, 2),
            significant(self.tests, 2)
        )
    }
}

/// Why times differ from the printed ones, where they do.
fn why(table: &TableRun, ratios: &[MethodRatios]) -> String {
    let sort = &table.distance_sort().measurement;
    let mut text = String::new();
    if let Some(other) = ratios.iter().find(|ratio| !ratio.on_the_same_side()) {
        text += &format!(
            " {} is on the other side: a test costs it {} ns, as it follows lists through memory, \
             and the distance sort, which reads its particles in order, {} ns.",
            other.name,
            significant(other.nanoseconds_per_test, 2),
            significant(nanoseconds_per_test(table, sort), 2)
        );
    }
    let extreme = ratios.iter().max_by(|a, b| a.published.total_cmp(&b.published));
    if let Some(extreme) = extreme.filter(|ratio| ratio.measured < 0.9 * ratio.published) {
        text += &format!(
            " {} falls less far behind than printed: the list of the {} contacts in order, the \
             same for all methods, is {:.0} % of the distance sort's time, and sorting, which cells \
             do without, another part that does not grow with the tests.",
            extreme.name,
            group_thousands(sort.contacts as u64),
            100.0 * table.listing_milliseconds / sort.milliseconds
        );
    }
    text
}

/// Building and searching, without listing the contacts.
fn nanoseconds_per_test(table: &TableRun, searched: &SearchMeasurement) -> f64 {
    let searching = searched.milliseconds - table.listing_milliseconds;
    1e6 * searching / searched.pair_tests as f64
}

/// Counts may differ by so much before sizes count as having an influence.
const NO_INFLUENCE: f64 = 0.05;

fn no_influence_of_sizes(dispersion: &Dispersion) -> Finding {
    let Dispersion { unequal_tests, equal_tests } = *dispersion;
    let ratio = unequal_tests as f64 / equal_tests as f64;
    Finding {
        verdict: ClaimVerdict::of((ratio - 1.0).abs() <= NO_INFLUENCE),
        claim: "the spread of sizes has no influence on the distance sort".into(),
        evidence: format!(
            "The discs of table 1 need {} tests, discs of equal size and the same mean diameter at \
             the same places {}, a ratio of {}: the mean diameter is what counts.",
            group_thousands(unequal_tests),
            group_thousands(equal_tests),
            significant(ratio, 3)
        ),
    }
}

/// Whether an origin from which all positions have the same sign is the right choice.
pub(super) fn origin(runs: &[OriginRun]) -> Option<Finding> {
    let mut figures = Vec::new();
    let mut holds = Vec::new();
    for dimension in [2, 3] {
        let tests = |view: OriginPlacement| {
            let found = runs.iter().find(|run| run.dimension == dimension && run.placement == view);
            found.map(|run| run.pair_tests as f64)
        };
        let corner = tests(OriginPlacement::Corner)?;
        let [center, diagonal, axis] = [
            tests(OriginPlacement::Center)? / corner,
            tests(OriginPlacement::FarDiagonal)? / corner,
            tests(OriginPlacement::FarAxis)? / corner,
        ];
        holds.push(center > 1.0);
        figures.push(format!(
            "{} from the center, {} from far along the diagonal and {} from far along an axis in \
             {dimension}D",
            significant(center, 3),
            significant(diagonal, 3),
            significant(axis, 3)
        ));
    }
    Some(Finding {
        verdict: ClaimVerdict::of_all(holds),
        claim: "the origin should see all positions with the same sign".into(),
        evidence: format!(
            "Pair tests in units of those from the corner: {}. Far away the shells become plane \
             layers; from an axis, the distance sort is a sweep along that axis.",
            listed(&figures)
        ),
    })
}
