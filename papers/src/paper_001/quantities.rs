//! The numbers that the paper's claims rest on.

use crate::records::Record;
use crate::report::ReportPage;
use crate::verdict::Quantities;

/// All of them.
pub(super) fn quantities(page: &ReportPage) -> Quantities {
    let mut numbers = Quantities::default();
    for table in page.find_table("table").each("degrees") {
        let shares = table.iter().map(share_up_to_two).fold(f64::NAN, f64::min);
        let at = format!("at {}° per step", table.text("degrees"));
        numbers.add(format!("least part of queries of 1 or 2 iterations {at}"), shares);
        let ratio = table.most("microseconds") / table.least("microseconds");
        numbers.add(format!("slowest query over fastest over faces {at}"), ratio);
    }
    for growth in page.find_table("crowd_growth").each("lists") {
        let lists = growth.text("lists");
        let name = format!("highest power of N of the time of a step with {lists}");
        numbers.add(name, growth.most("total N^"));
        if lists == "one list per axis" {
            // The paper calls the exchanges that change no pair negligible.
            let ratio =
                |last: &Record| last.number("exchanges") / last.number("pair changes").max(1.0);
            let name = "exchanges per change of a pair with one list per axis";
            numbers.add(name, growth.iter().map(ratio).fold(f64::NAN, f64::max));
        } else {
            // All have the same number of bodies.
            let name = "time per body of the slowest shape over the fastest";
            numbers.add(name, growth.most("total ms") / growth.least("total ms"));
        }
    }
    numbers
}

/// The part of the queries that take one or two iterations.
fn share_up_to_two(row: &Record) -> f64 {
    let few = row.number("1 iteration") + row.number("2 iterations");
    few / (few + row.number("3 iterations") + row.number("more iterations"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use crate::paper_001::crowd;
    use crate::records::{Records, record};
    use crate::verdict::Verdict;

    /// Times of queries that grow by `slope` per face, and of steps that grow with a power of the bodies.
    fn verdicts(slope: f64, power: i32) -> [Verdict; 5] {
        let row = |faces: f64| {
            record! {
                "degrees": 0.5, "1 iteration": 98_000, "2 iterations": 1_900,
                "3 iterations": 90, "more iterations": 10, "microseconds": 0.1 + slope * faces,
            }
        };
        let table: Records = [4.0, 920.0].map(row).into_iter().collect();
        let mut crowds = Records::default();
        for lists in ["one list per axis", "lists for parts"] {
            crowds.extend([100.0f64, 1000.0, 10_000.0].map(|bodies| {
                let time = bodies.powi(power);
                record! {
                    "lists": lists, "faces": 4, "bodies": bodies, "broad ms": time,
                    "narrow ms": time, "total ms": 2.0 * time, "exchanges": 1.5 * bodies,
                    "pair changes": bodies,
                }
            }));
        }
        let mut page = ReportPage::new("001", &Settings::default());
        page.table("table", table);
        page.table("crowd_growth", crowd::growth(&crowds));
        let claims = ["iterations", "faces", "linear", "exchanges", "shapes"];
        quantities(&page).verdicts("001", claims)
    }

    #[test]
    fn growth_with_faces_and_with_bodies_is_reported() {
        assert_eq!(verdicts(0.0, 1), [Verdict::Agrees; 5]);
        assert_eq!(verdicts(1e-3, 2)[1..3], [Verdict::DoesNotAgree; 2]);
    }
}
