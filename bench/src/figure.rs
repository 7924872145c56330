//! A figure: what is made of the records of one quantity, as a goal or a column of a table asks for it.

use crate::record::{Record, Results};

/// `A`, the quantity of a contender; `A / B`, how many times as long or as large as that of another;
/// `A - B`, their relative difference |A/B - 1|. `B in CASES` compares with other cases. Contenders are
/// names or the words that [`Results::find`] knows; `any own` stands for each of carom's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure<'a> {
    contender: &'a str,
    compared_with: Option<(Comparison, &'a str, Option<&'a str>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Ratio,
    Difference,
}

/// A figure that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureValue {
    /// The value as text.
    pub value: String,
    /// The unit; "x" for a ratio.
    pub unit: String,
    /// Whose it is.
    pub contender: String,
}

impl<'a> Figure<'a> {
    /// Reads a figure; every text is one.
    pub fn parse(text: &'a str) -> Self {
        let parts = [(" / ", Comparison::Ratio), (" - ", Comparison::Difference)]
            .into_iter()
            .find_map(|(sign, comparison)| Some((comparison, text.split_once(sign)?)));
        let Some((comparison, (contender, other))) = parts else {
            return Figure { contender: text, compared_with: None };
        };
        let in_cases = other.split_once(" in ");
        let (other, cases) = in_cases.map_or((other, None), |(other, cases)| (other, Some(cases)));
        Figure { contender, compared_with: Some((comparison, other, cases)) }
    }

    /// Returns everything that the figure is in a case: nothing if it was not measured, several if it
    /// names several contenders or cases.
    pub fn measured(&self, results: &Results, case: &str, quantity: &str) -> Vec<FigureValue> {
        let records: Vec<&Record> = match self.contender {
            "any own" => results.of(case, quantity).filter(|record| record.is_own()).collect(),
            name => results.find(case, name, quantity).into_iter().collect(),
        };
        let compared = |record: &Record| match self.compared_with {
            None => {
                let (value, unit) = (record.value.clone(), record.unit.clone());
                vec![FigureValue { value, unit, contender: record.contender.clone() }]
            }
            Some((comparison, other, cases)) => {
                let cases = cases.map_or(vec![case], |cases| results.cases(cases));
                let bases =
                    cases.into_iter().filter_map(|case| results.find(case, other, quantity));
                bases.filter_map(|base| compare(record, base, comparison)).collect()
            }
        };
        records.into_iter().flat_map(compared).collect()
    }
}

fn compare(record: &Record, base: &Record, comparison: Comparison) -> Option<FigureValue> {
    let ratio = record.ratio_to(base)?;
    let (value, unit, sign) = match comparison {
        Comparison::Ratio => (ratio, "x", '/'),
        Comparison::Difference => ((ratio - 1.0).abs(), "", '-'),
    };
    let contender = match record.case == base.case {
        true => format!("{} {sign} {}", record.contender, base.contender),
        false => format!("{} {sign} {} in {}", record.contender, base.contender, base.case),
    };
    Some(FigureValue { value: value.to_string(), unit: unit.into(), contender })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::made_up;

    #[test]
    fn contenders_and_cases_are_compared() {
        let results = made_up(
            "3B 10; carom; time; 20; ns
             3B 10; kiddo; time; 100; ns
             3B 10; zelll; time; 60; ns
             3B 99; carom; time; 30; ns
             3B 99; carom cold; time; 33; ns",
        );
        let measured = |case, text| {
            let measured = Figure::parse(text).measured(&results, case, "time");
            measured.iter().map(|one| one.value.parse::<f64>().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(measured("3B 10", "kiddo"), [100.0]);
        assert_eq!(measured("3B 10", "fastest peer / carom"), [3.0]);
        assert_eq!(measured("3B 10", "kiddo - carom"), [4.0]);
        assert_eq!(measured("3B 99", "carom / carom in 3B *"), [1.5, 1.0]);
        assert_eq!(measured("3B 99", "any own"), [30.0, 33.0]);
        assert!(measured("3B 99", "kiddo / carom").is_empty());
        let found = Figure::parse("fastest peer / carom").measured(&results, "3B 10", "time");
        assert_eq!(found[0].contender, "zelll / carom");
    }
}
