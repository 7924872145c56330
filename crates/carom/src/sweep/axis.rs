//! A setting that is swept, with its values.

use super::Error;
use carom_io::excerpt;
use carom_scene::scene::SceneValue;
use std::fmt;
use std::ops::RangeInclusive;

/// Largest number of values of a setting, and of runs of a sweep.
pub(super) const MOST_RUNS: usize = 1_000_000;

/// Significant decimals of evenly spaced values; one more would show the rounding of binary numbers.
const DECIMALS: i32 = 14;

/// Below it every whole number with a decimal point can be converted to a whole one.
const LARGEST_EXACT: f64 = 1e38;

/// A setting that is swept, with its values.
///
/// ```
/// use carom::sweep::SweepAxis;
/// let values = |text: &str| {
///     let axis = SweepAxis::parse(text)?;
///     Ok::<_, carom::sweep::Error>(axis.values().iter().map(ToString::to_string).collect::<Vec<_>>())
/// };
/// assert_eq!(values("seed=1..3,10")?, ["1", "2", "3", "10"]);
/// assert_eq!(values("materials.default.friction=0..0.6:4")?, ["0.0", "0.2", "0.4", "0.6"]);
/// assert_eq!(values("box.size=[10,10],[20,10]")?, ["[10,10]", "[20,10]"]);
/// let refusal = values("seed=3..1").unwrap_err().to_string();
/// assert_eq!(refusal, "seed=3..1: the range must ascend");
/// # Ok::<(), carom::sweep::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SweepAxis {
    key: String,
    values: Vec<SweepValue>,
}

/// A value of a setting, as text: TOML, or else a string, as behind `carom run --set key=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepValue(String);

/// The values of a setting that is swept: a list of numbers, texts or other values of a scene, or a range of whole
/// numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepValues(Vec<SweepValue>);

/// Meaning of the text of a value, for comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SweepMeaning<'a> {
    /// A whole number, which may have more digits than a number with a decimal point.
    Whole(i128),
    /// Any other number, by its bits.
    Real(u64),
    /// No number.
    Text(&'a str),
}

impl SweepAxis {
    /// Names a setting, such as `seed` or `generate.0.count`, with its values.
    pub fn new(key: impl Into<String>, values: impl Into<SweepValues>) -> Self {
        SweepAxis { key: key.into(), values: values.into().0 }
    }

    /// Parses `KEY=VALUES`, values separated by commas: `1,2,5` is a list, `1..20` the whole numbers from 1 to 20,
    /// `0.1..0.9:9` nine evenly spaced numbers from 0.1 to 0.9. Commas in brackets, braces and quotes belong to a value.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |rule: String| Error::Values { setting: excerpt::truncated(text), rule };
        let (key, list) = text.split_once('=').ok_or_else(|| {
            refuse("it must be written KEY=VALUES, for example seed=1..20".to_owned())
        })?;
        let mut values = Vec::new();
        for item in items(list) {
            values.extend(expanded(item.trim()).map_err(&refuse)?);
            if values.len() > MOST_RUNS {
                return Err(refuse(format!("it has more than {MOST_RUNS} values")));
            }
        }
        Ok(SweepAxis { key: key.trim().to_owned(), values })
    }

    /// Returns the key of the setting.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the values in order.
    pub fn values(&self) -> &[SweepValue] {
        &self.values
    }

    /// Returns an error if the key is none, or if there is no value or one twice.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.check_key()?;
        let mut values: Vec<&SweepValue> = self.values.iter().collect();
        // Equal ones stay in their order, so that the later one is named.
        values.sort_by_cached_key(|value| value.meaning());
        match values.windows(2).find(|pair| pair[0].meaning() == pair[1].meaning()) {
            Some(pair) => self.refuse(&pair[1].0, "the value is given twice"),
            None => Ok(()),
        }
    }

    /// Returns an error if the key is none, or if there is no value.
    pub(super) fn check_key(&self) -> Result<(), Error> {
        match () {
            () if self.key.is_empty() || self.key.contains('=') => {
                self.refuse("", "its key must be that of a setting, such as seed")
            }
            () if self.values.is_empty() => self.refuse("", "it has no values"),
            () => Ok(()),
        }
    }

    fn refuse(&self, value: &str, rule: &str) -> Result<(), Error> {
        let setting = excerpt::truncated(&format!("{}={value}", self.key));
        Err(Error::Values { setting, rule: rule.to_owned() })
    }
}

impl SweepValue {
    /// Returns the value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        number(&self.0)
    }

    /// Returns what the text means: the same for a number however it is written.
    pub(super) fn meaning(&self) -> SweepMeaning<'_> {
        if let Some(whole) = whole(&self.0) {
            return SweepMeaning::Whole(whole.into());
        }
        match number(&self.0) {
            Some(number) if number.fract() == 0.0 && number.abs() < LARGEST_EXACT => {
                SweepMeaning::Whole(number as i128)
            }
            Some(number) => SweepMeaning::Real(number.to_bits()),
            None => SweepMeaning::Text(&self.0),
        }
    }

    /// Returns the value as it is written behind the key of a setting.
    pub(super) fn toml(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SweepValue {
    /// Writes the value, a string without its quotes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.0.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let plain = inner.filter(|text| !text.contains(['"', '\\']));
        formatter.write_str(plain.unwrap_or(&self.0))
    }
}

impl<T: Into<SceneValue>> From<Vec<T>> for SweepValues {
    fn from(values: Vec<T>) -> Self {
        let text = |value: T| SweepValue(value.into().to_string());
        SweepValues(values.into_iter().map(text).collect())
    }
}

impl<T: Into<SceneValue>, const N: usize> From<[T; N]> for SweepValues {
    fn from(values: [T; N]) -> Self {
        Vec::from(values).into()
    }
}

impl<T: Into<SceneValue>> From<RangeInclusive<T>> for SweepValues
where
    RangeInclusive<T>: Iterator<Item = T>,
{
    fn from(range: RangeInclusive<T>) -> Self {
        // One more than allowed, so that a range that is too long is refused and not held.
        range.take(MOST_RUNS + 1).collect::<Vec<T>>().into()
    }
}

/// Splits a list at its commas, but not within brackets, braces and quotes.
fn items(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_usize, None);
    for (place, letter) in list.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                items.push(&list[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    items
}

/// Returns the values of an item of a list, or the rule that it breaks.
fn expanded(item: &str) -> Result<Vec<SweepValue>, String> {
    if item.is_empty() {
        return Err("one of its values is empty; write it like seed=1,2,3".to_owned());
    }
    let one = || Ok(vec![SweepValue(item.to_owned())]);
    let Some((low, rest)) = item.split_once("..") else { return one() };
    let (high, count) = match rest.split_once(':') {
        Some((high, count)) => (high, Some(count.trim())),
        None => (rest, None),
    };
    let (low, high) = (low.trim(), high.trim());
    let (Some(from), Some(to)) = (number(low), number(high)) else {
        // A path such as ../grains.csv has dots too.
        return match number(low).or(number(high)) {
            None => one(),
            Some(_) => Err("both ends of a range must be numbers".to_owned()),
        };
    };
    if from > to {
        return Err("the range must ascend".to_owned());
    }
    match (count, whole(low), whole(high)) {
        (None, Some(from), Some(to)) => {
            if to.abs_diff(from) >= MOST_RUNS as u64 {
                return Err(format!("a range may have at most {MOST_RUNS} values"));
            }
            Ok((from..=to).map(|number| SweepValue(number.to_string())).collect())
        }
        (None, ..) => Err(format!(
            "a range of numbers that are not whole needs their number, as in {low}..{high}:9"
        )),
        (Some(count), ..) => {
            let count: Option<usize> = count.parse().ok();
            let count = count.filter(|count| (2..=MOST_RUNS).contains(count)).ok_or_else(|| {
                format!("the number of values behind the colon must be from 2 to {MOST_RUNS}")
            })?;
            if from == to {
                return Err("the ends of a range must differ".to_owned());
            }
            let numbers: Vec<f64> =
                (0..count).map(|index| between(from, to, index, count)).collect();
            // Counts and seeds take whole numbers only.
            let are_whole = whole(low).is_some()
                && whole(high).is_some()
                && numbers.iter().all(|number| number.fract() == 0.0);
            let text = |number: &f64| match are_whole {
                true => format!("{number:.0}"),
                false => format!("{number:?}"),
            };
            Ok(numbers.iter().map(|number| SweepValue(text(number))).collect())
        }
    }
}

/// Returns one of `count` evenly spaced numbers, rounded so that it is written with few digits.
fn between(from: f64, to: f64, index: usize, count: usize) -> f64 {
    if index + 1 == count {
        return to;
    }
    let part = index as f64 / (count - 1) as f64;
    // Neither product overflows, and numbers of both signs meet at zero.
    let number = from * (1.0 - part) + to * part;
    let size = format!("{:e}", from.abs().max(to.abs()));
    let exponent: i32 = size.split_once('e').and_then(|(_, it)| it.parse().ok()).unwrap_or(0);
    match usize::try_from(DECIMALS - exponent) {
        Ok(decimals) => {
            let rounded = format!("{number:.decimals$}").parse().unwrap_or(number);
            // No minus before a zero.
            if rounded == 0.0 { 0.0 } else { rounded }
        }
        Err(_) => number,
    }
}

/// Returns a finite number as TOML writes it.
fn number(text: &str) -> Option<f64> {
    let begins = text.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter));
    let number: Option<f64> = text.replace('_', "").parse().ok();
    number.filter(|number| begins && number.is_finite())
}

fn whole(text: &str) -> Option<i64> {
    text.replace('_', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let axis = SweepAxis::parse(text).unwrap();
        axis.check().unwrap();
        axis.values().iter().map(ToString::to_string).collect()
    }

    fn refusal(text: &str) -> String {
        let axis = SweepAxis::parse(text);
        axis.and_then(|axis| axis.check()).unwrap_err().to_string()
    }

    #[test]
    fn lists_and_ranges_may_be_mixed() {
        assert_eq!(texts("seed=1..3, 7,10..11"), ["1", "2", "3", "7", "10", "11"]);
        assert_eq!(texts("x=-2..1"), ["-2", "-1", "0", "1"]);
        assert_eq!(texts("seed=5..5"), ["5"]);
        assert_eq!(texts("generate.0.count=500,1e3,2_000"), ["500", "1e3", "2_000"]);
    }

    #[test]
    fn evenly_spaced_numbers_have_few_digits_and_exact_ends() {
        let nine = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"];
        assert_eq!(texts("f=0.1..0.9:9"), nine);
        assert_eq!(texts("f=-0.1..0.3:5"), ["-0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(texts("n=0..100:5"), ["0", "25", "50", "75", "100"]);
        assert_eq!(texts("n=0..1:3"), ["0.0", "0.5", "1.0"]);
        assert_eq!(texts("n=1e-300..3e-300:3"), ["1e-300", "2e-300", "3e-300"]);
        assert_eq!(texts("n=-1e308..1e308:3"), ["-1e308", "0.0", "1e308"]);
        assert_eq!(texts("f=0..1:4"), ["0.0", "0.33333333333333", "0.66666666666667", "1.0"]);
    }

    #[test]
    fn commas_within_a_value_do_not_separate() {
        assert_eq!(texts("box.size=[10,5],[20,5]"), ["[10,5]", "[20,5]"]);
        assert_eq!(texts("r={ min = 1, max = 2 },0.5"), ["{ min = 1, max = 2 }", "0.5"]);
        assert_eq!(texts("name='a,b',\"c,d\""), ["'a,b'", "c,d"]);
        assert_eq!(texts("bodies.0.file=../a.csv,b..c.csv"), ["../a.csv", "b..c.csv"]);
    }

    #[test]
    fn what_is_no_list_of_values_is_refused_with_the_rule() {
        for (text, rule) in [
            ("seed", "it must be written KEY=VALUES, for example seed=1..20"),
            ("=1,2", "its key must be that of a setting, such as seed"),
            ("seed=", "one of its values is empty; write it like seed=1,2,3"),
            ("seed=1,,2", "one of its values is empty; write it like seed=1,2,3"),
            ("seed=1,2,", "one of its values is empty; write it like seed=1,2,3"),
            ("seed=20..1", "the range must ascend"),
            ("seed=1..", "both ends of a range must be numbers"),
            ("seed=..9", "both ends of a range must be numbers"),
            ("seed=1..x", "both ends of a range must be numbers"),
            ("seed=1..9999999", "a range may have at most 1000000 values"),
            (
                "seed=-9e18..9",
                "a range of numbers that are not whole needs their number, as in -9e18..9:9",
            ),
            (
                "f=0.1..0.9",
                "a range of numbers that are not whole needs their number, as in 0.1..0.9:9",
            ),
            ("f=0.1..0.9:1", "the number of values behind the colon must be from 2 to 1000000"),
            ("f=0.1..0.9:-3", "the number of values behind the colon must be from 2 to 1000000"),
            ("f=0.1..0.9:2.5", "the number of values behind the colon must be from 2 to 1000000"),
            ("f=0.1..0.9:", "the number of values behind the colon must be from 2 to 1000000"),
            ("f=0.5..0.5:3", "the ends of a range must differ"),
            ("f=1..1e400:3", "both ends of a range must be numbers"),
        ] {
            let sentence = refusal(text);
            assert!(sentence.ends_with(rule), "{text}: {sentence}");
            assert!(sentence.contains(text.trim_end_matches("1,2")), "{text}: {sentence}");
        }
        assert_eq!(refusal("seed=1..3,2"), "seed=2: the value is given twice");
    }

    #[test]
    fn values_of_a_program_are_written_as_toml() {
        let texts = |axis: SweepAxis| -> Vec<(String, String)> {
            let text = |it: &SweepValue| (it.toml().to_owned(), it.to_string());
            axis.values().iter().map(text).collect()
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(texts(SweepAxis::new("seed", 1..=2)), [pair("1", "1"), pair("2", "2")]);
        assert_eq!(
            texts(SweepAxis::new("f", [0.1, 1.0])),
            [pair("0.1", "0.1"), pair("1.0", "1.0")]
        );
        assert_eq!(texts(SweepAxis::new("b", ["wall"])), [pair("\"wall\"", "wall")]);
        assert_eq!(
            texts(SweepAxis::new("s", vec![[1.0, 2.0]])),
            [pair("[1.0, 2.0]", "[1.0, 2.0]")]
        );
        let endless = SweepAxis::new("seed", 0..=u64::MAX);
        assert_eq!(endless.values().len(), MOST_RUNS + 1);
        assert_eq!(
            SweepAxis::new("seed", Vec::<f64>::new()).check().unwrap_err().to_string(),
            "seed=: it has no values"
        );
    }
}
