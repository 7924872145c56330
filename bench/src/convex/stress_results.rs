//! Who was wrong how often: one row per body, gap and contender.

use crate::table::{Record, number};
use std::fmt;

/// Answers to questions whose answer is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnswerCounts {
    /// How many questions.
    pub questions: usize,
    /// Answers that are wrong by more than 1e-9, or no numbers.
    pub wrong: usize,
    /// Answers that call apart what is not, or the other way round.
    pub wrong_signs: usize,
    /// By how much the worst answer is wrong.
    pub worst: f64,
}

const RIGHT: f64 = 1e-9;

impl AnswerCounts {
    /// Of answers to questions whose answer is the gap.
    pub fn of(gap: f64, answers: impl Iterator<Item = f64>) -> Self {
        let mut tally = AnswerCounts::default();
        for answer in answers {
            let error = if answer.is_finite() { (answer - gap).abs() } else { f64::INFINITY };
            tally.questions += 1;
            tally.wrong += usize::from(error > RIGHT);
            tally.wrong_signs += usize::from((answer > 0.0) != (gap > 0.0));
            tally.worst = tally.worst.max(error);
        }
        tally
    }
}

/// One contender on one body and gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the body.
    pub shape: String,
    /// The true distance.
    pub gap: f64,
    /// carom or a library.
    pub contender: String,
    /// How often it was wrong.
    pub tally: AnswerCounts,
}

impl Record for Row {
    const COLUMNS: &'static str = "shape,gap,contender,questions,wrong,wrong_signs,worst_error";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let &[shape, gap, contender, questions, wrong, wrong_signs, worst] = &fields[..] else {
            return Err(format!("{} fields; a row has 7", fields.len()));
        };
        Ok(Row {
            shape: shape.to_string(),
            gap: number(gap, "gap")?,
            contender: contender.to_string(),
            tally: AnswerCounts {
                questions: number(questions, "questions")?,
                wrong: number(wrong, "wrong")?,
                wrong_signs: number(wrong_signs, "wrong_signs")?,
                worst: number(worst, "worst_error")?,
            },
        })
    }

    fn fields(&self) -> String {
        let AnswerCounts { questions, wrong, wrong_signs, worst } = self.tally;
        format!(
            "{},{:e},{},{questions},{wrong},{wrong_signs},{worst:.1e}",
            self.shape, self.gap, self.contender
        )
    }
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnswerCounts { questions, wrong, wrong_signs, worst } = self.tally;
        write!(
            formatter,
            "stress       {:<10} gap {:>6} {:<17} {wrong:>5} of {questions} wrong by more than 1e-9, \
             {wrong_signs:>5} wrong signs, worst error {worst:.1e}",
            self.shape,
            format!("{:e}", self.gap),
            self.contender
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn what_is_no_number_is_wrong() {
        let tally = AnswerCounts::of(1e-6, [1e-6, 0.0, f64::NAN, 1e-6 + 1e-12].into_iter());
        assert_eq!((tally.questions, tally.wrong, tally.wrong_signs), (4, 2, 2));
        assert_eq!(tally.worst, f64::INFINITY);
    }

    #[test]
    fn a_table_survives_writing_and_reading() {
        let tally = AnswerCounts { questions: 2000, wrong: 1, wrong_signs: 2, worst: 1e-8 };
        let row = Row { shape: "cube".into(), gap: -1e-9, contender: "carom".into(), tally };
        let table = Table { origin: "carom-bench convex; a machine".into(), rows: vec![row] };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }
}
