//! The runs of a sweep: the product of its settings, and the name of the folder of each.

use super::Error;
use super::axis::{MOST_RUNS, SweepAxis, SweepMeaning, SweepValue};
use carom_io::digest;
use std::fmt;

/// Longest name of a folder, in bytes; file systems take 255.
const LONGEST_NAME: usize = 150;

/// Digits of the digest in names that do not say everything.
const DIGEST_DIGITS: usize = 8;

/// The settings of one run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweepPoint {
    /// Keys and values, in the order of the columns of the table.
    pub settings: Vec<(String, SweepValue)>,
}

/// Returns the runs of a sweep in order: settings that advance together vary slowest, the last of the others fastest.
pub(super) fn points(
    together: &[SweepAxis],
    product: &[SweepAxis],
) -> Result<Vec<SweepPoint>, Error> {
    check(together, product)?;
    let groups: Vec<&[SweepAxis]> =
        [together].into_iter().filter(|group| !group.is_empty()).chain(product.chunks(1)).collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group[0].values().len()).collect();
    let count = lengths.iter().try_fold(1_usize, |count, length| count.checked_mul(*length));
    let count = count.filter(|count| *count <= MOST_RUNS).ok_or_else(|| {
        let factors: Vec<String> = lengths.iter().map(usize::to_string).collect();
        Error::TooMany { product: factors.join(" x "), most: MOST_RUNS }
    })?;
    let points: Vec<SweepPoint> =
        (0..count).map(|number| point(&groups, &lengths, number)).collect();
    let mut sorted: Vec<&SweepPoint> = points.iter().collect();
    sorted.sort_by_cached_key(|point| point.meanings());
    match sorted.windows(2).find(|pair| pair[0].meanings() == pair[1].meanings()) {
        Some(pair) => {
            let rule = "the sweep has this run twice".to_owned();
            Err(Error::Values { setting: pair[1].name(), rule })
        }
        None => Ok(points),
    }
}

fn point(groups: &[&[SweepAxis]], lengths: &[usize], mut number: usize) -> SweepPoint {
    let mut settings = Vec::new();
    for (group, length) in groups.iter().zip(lengths).rev() {
        let value = number % length;
        number /= length;
        for axis in group.iter().rev() {
            settings.push((axis.key().to_owned(), axis.values()[value].clone()));
        }
    }
    settings.reverse();
    SweepPoint { settings }
}

fn check(together: &[SweepAxis], product: &[SweepAxis]) -> Result<(), Error> {
    let axes: Vec<&SweepAxis> = together.iter().chain(product).collect();
    if axes.is_empty() {
        return Err(Error::Empty);
    }
    // Of settings that advance together one may have a value twice.
    together.iter().try_for_each(SweepAxis::check_key)?;
    product.iter().try_for_each(SweepAxis::check)?;
    for (place, axis) in axes.iter().enumerate() {
        if axes[..place].iter().any(|other| other.key() == axis.key()) {
            return Err(Error::Values {
                setting: axis.key().to_owned(),
                rule: "it is swept twice; give all its values at once".to_owned(),
            });
        }
    }
    let Some(first) = together.first() else { return Ok(()) };
    match together.iter().find(|axis| axis.values().len() != first.values().len()) {
        Some(other) => Err(Error::Lengths {
            first: first.key().to_owned(),
            values: first.values().len(),
            second: other.key().to_owned(),
            others: other.values().len(),
        }),
        None => Ok(()),
    }
}

impl SweepPoint {
    /// Returns the settings as `carom run --set` takes them.
    pub fn to_settings(&self) -> Vec<String> {
        self.settings.iter().map(|(key, value)| format!("{key}={}", value.toml())).collect()
    }

    /// Returns what its values mean: the same for the same run, however its numbers are written.
    fn meanings(&self) -> Vec<SweepMeaning<'_>> {
        self.settings.iter().map(|(_, value)| value.meaning()).collect()
    }

    /// Returns the name of its folder: the settings, such as `generate.0.count=500+seed=3`.
    ///
    /// It depends on the settings of this run alone. Letters that may mean something to a file system or a shell are
    /// replaced by `_`, and long names are cut; both have a digest of the settings at their end, so that different
    /// settings have different names.
    pub fn name(&self) -> String {
        let texts: Vec<String> =
            self.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let name = texts.iter().map(|text| safe_name(text)).collect::<Vec<_>>().join("+");
        let is_exact = name == texts.join("+") && !texts.iter().any(|text| text.contains('+'));
        if is_exact && name.len() <= LONGEST_NAME {
            return name;
        }
        let end = digest(texts.join("\n").as_bytes());
        let end = &format!("{end:016x}")[..DIGEST_DIGITS];
        // All letters are of one byte.
        let start = &name[..name.len().min(LONGEST_NAME - DIGEST_DIGITS - 1)];
        format!("{start}-{end}")
    }
}

/// Returns a text with `_` for every letter that may mean something to a file system or a shell.
pub(super) fn safe_name(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-=".contains(letter);
    text.replace(|letter: char| !is_plain(letter), "_")
}

impl fmt::Display for SweepPoint {
    /// Writes the settings for people.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_settings().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(texts: &[&str]) -> Vec<SweepAxis> {
        texts.iter().map(|text| SweepAxis::parse(text).unwrap()).collect()
    }

    fn names(together: &[&str], product: &[&str]) -> Vec<String> {
        let points = points(&axes(together), &axes(product)).unwrap();
        points.iter().map(SweepPoint::name).collect()
    }

    fn refusal(together: &[&str], product: &[&str]) -> String {
        points(&axes(together), &axes(product)).unwrap_err().to_string()
    }

    #[test]
    fn the_last_setting_varies_fastest() {
        assert_eq!(names(&[], &["a=1,2", "b=x,y"]), ["a=1+b=x", "a=1+b=y", "a=2+b=x", "a=2+b=y"]);
        assert_eq!(
            names(&["p=1,2", "q=5,5"], &["seed=3..4"]),
            ["p=1+q=5+seed=3", "p=1+q=5+seed=4", "p=2+q=5+seed=3", "p=2+q=5+seed=4"]
        );
    }

    #[test]
    fn names_are_safe_and_different() {
        let found = names(&[], &["f=../a,..|a,__/a,1e+5a,1e_5a"]);
        assert_eq!(found[4], "f=1e_5a");
        for (name, start) in found.iter().zip(["f=.._a-", "f=.._a-", "f=___a-", "f=1e_5a-"]) {
            assert!(name.starts_with(start), "{name}");
        }
        let long: Vec<String> = (0..2).map(|end| format!("f={}{end}", "x".repeat(300))).collect();
        let long = [&long[0], &long[1]].map(|text| names(&[], &[text]).remove(0));
        assert!(
            long[0] != long[1] && long.iter().all(|name| name.len() == LONGEST_NAME),
            "{long:?}"
        );
        let mut all = [found, long.to_vec()].concat();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 7);
    }

    #[test]
    fn what_makes_no_product_is_refused() {
        let sentence = "a sweep needs a setting to vary, such as --over seed=1..20";
        assert_eq!(refusal(&[], &[]), sentence);
        assert_eq!(
            refusal(&[], &["seed=1..2", "seed=5..6"]),
            "seed: it is swept twice; give all its values at once"
        );
        assert_eq!(
            refusal(&["a=1..3", "b=1..2"], &[]),
            "a has 3 values and b has 2; settings that advance together must have the same number"
        );
        assert_eq!(refusal(&["a=1,1", "b=2,2"], &[]), "a=1+b=2: the sweep has this run twice");
        assert_eq!(
            refusal(&[], &["a=1..2000", "b=1..2000"]),
            "the sweep has 2000 x 2000 runs; at most 1000000 are possible"
        );
    }
}
