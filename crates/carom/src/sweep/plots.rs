//! Plots of numbers of the table over swept settings.

use super::Error;
use super::folder::SweepFolder;
use super::plan::Plan;
use super::point::safe_name;
use super::table::{SweepRow, SweepTable};
use carom_io::excerpt;
use carom_render::{Plot, PlotPoint, PlotSeries};
use carom_simulate::quantity;
use std::path::PathBuf;

/// Runs that differ in this setting alone are repeats of each other.
const REPEAT: &str = "seed";

/// Most lines of a plot; with more combinations of the other settings these are averaged over.
const MOST_LINES: usize = 10;

/// Plots that were written, and sentences about those that were not.
#[derive(Debug, Default)]
pub(super) struct WrittenPlots {
    pub paths: Vec<PathBuf>,
    pub warnings: Vec<String>,
}

/// Returns an error if a plot would replace a file that no sweep has written, or if no run will have a quantity, as far as
/// that is known before the runs.
pub(super) fn check(
    quantities: &[String],
    folder: &SweepFolder<'_>,
    plan: &Plan,
) -> Result<(), Error> {
    let table = folder.table();
    for quantity in quantities {
        for key in plot_keys(table) {
            folder.check_plot(&file_name(table, quantity, key))?;
        }
    }
    let in_table = table.quantities();
    let is_open = |name: &&String| !in_table.contains(name) && quantity_of(name).is_none();
    let open: Vec<&String> = quantities.iter().filter(is_open).collect();
    // Each engine has numbers of its own.
    if open.is_empty() || table.keys.iter().any(|key| key == "engine") {
        return Ok(());
    }
    let known = match in_table.is_empty() {
        true => plan.names_at_start(),
        false => in_table,
    };
    match open.into_iter().find(|name| !known.is_empty() && !known.contains(name)) {
        Some(name) => Err(unknown(name, &known)),
        None => Ok(()),
    }
}

/// Writes the plots of these numbers. Without any finished run there is nothing to plot.
pub(super) fn write(
    quantities: &[String],
    folder: &SweepFolder<'_>,
) -> Result<WrittenPlots, Error> {
    let table = folder.table();
    let known = table.quantities();
    let mut written = WrittenPlots::default();
    if known.is_empty() {
        return Ok(written);
    }
    for quantity in quantities {
        if !known.contains(quantity) {
            written.warnings.push(unknown(quantity, &known).to_string());
            continue;
        }
        for key in plot_keys(table) {
            let name = file_name(table, quantity, key);
            folder.write(&name, &plot(table, quantity, key).svg())?;
            written.paths.push(folder.file(&name));
        }
    }
    Ok(written)
}

/// The file of the plot of a quantity over a setting.
fn file_name(table: &SweepTable, quantity: &str, key: usize) -> String {
    safe_name(&format!("{quantity}_over_{}", table.keys[key])) + ".svg"
}

fn unknown(quantity: &str, known: &[String]) -> Error {
    let nearest = excerpt::nearest_name(quantity, known.iter().map(String::as_str));
    let remedy = match nearest {
        Some(name) => format!("did you mean {name}?"),
        None => {
            // Those of groups are too many.
            let plain = known.iter().map(String::as_str).filter(|name| !name.contains('.'));
            format!("there are {}", plain.collect::<Vec<_>>().join(", "))
        }
    };
    Error::Quantity { quantity: excerpt::truncated(quantity), remedy }
}

/// The settings over which there is something to plot: numbers of which there are two at least, the seed only if it is
/// the only one.
fn plot_keys(table: &SweepTable) -> Vec<usize> {
    let is_plotted = |key: &usize| {
        let numbers = table.rows.iter().map(|row| row.settings[*key].number());
        let numbers: Option<Vec<f64>> = numbers.collect();
        numbers.is_some_and(|numbers| numbers.iter().any(|number| *number != numbers[0]))
    };
    let keys: Vec<usize> = (0..table.keys.len()).filter(is_plotted).collect();
    let without: Vec<usize> =
        keys.iter().copied().filter(|key| table.keys[*key] != REPEAT).collect();
    if without.is_empty() { keys } else { without }
}

fn plot(table: &SweepTable, name: &str, key: usize) -> Plot {
    let others = line_keys(table, key);
    let mut lines: Vec<(Vec<String>, Vec<&SweepRow>)> = Vec::new();
    for row in table.rows.iter().filter(|row| row.number(name).is_some_and(f64::is_finite)) {
        let values: Vec<String> = others.iter().map(|&key| row.settings[key].to_string()).collect();
        match lines.iter_mut().find(|(of_line, _)| *of_line == values) {
            Some((_, rows)) => rows.push(row),
            None => lines.push((values, vec![row])),
        }
    }
    let mut counts = Vec::new();
    let series = lines.into_iter().map(|(values, rows)| {
        let label = others.iter().zip(values).map(|(&key, value)| {
            let key = &table.keys[key];
            format!("{key} = {value}")
        });
        let label = label.collect::<Vec<_>>().join(", ");
        PlotSeries { label, points: means(&rows, name, key, &mut counts) }
    });
    let series = series.collect();
    let unit = quantity_of(name).map_or("", |known| known.unit);
    Plot {
        title: format!("{name} over {}", table.keys[key]),
        subtitle: repeats(&counts),
        x_label: table.keys[key].clone(),
        y_label: if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") },
        series,
    }
}

/// The settings besides `key` whose values have lines of their own.
fn line_keys(table: &SweepTable, key: usize) -> Vec<usize> {
    let value = |row: &SweepRow, key: usize| row.settings[key].to_string();
    // Settings that advance together with the plotted one say nothing more.
    let is_free = |other: &usize| {
        let mut pairs: Vec<(String, String)> =
            table.rows.iter().map(|row| (value(row, key), value(row, *other))).collect();
        pairs.sort();
        pairs.dedup();
        pairs.windows(2).any(|two| two[0].0 == two[1].0)
    };
    let others = (0..table.keys.len()).filter(|other| *other != key);
    let others: Vec<usize> =
        others.filter(|other| table.keys[*other] != REPEAT).filter(is_free).collect();
    let mut lines: Vec<Vec<String>> = (table.rows.iter())
        .map(|row| others.iter().map(|&key| value(row, key)).collect())
        .collect();
    lines.sort();
    lines.dedup();
    if lines.len() > MOST_LINES { Vec::new() } else { others }
}

/// The mean and standard error of runs with the same value of a setting, in ascending order; adds their numbers.
fn means(rows: &[&SweepRow], name: &str, key: usize, counts: &mut Vec<usize>) -> Vec<PlotPoint> {
    let pair = |row: &&SweepRow| Some((row.settings[key].number()?, row.number(name)?));
    let mut pairs: Vec<(f64, f64)> = rows.iter().filter_map(pair).collect();
    // In a fixed order, so that the sums have the same bits.
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let repeats = pairs.chunk_by(|a, b| a.0 == b.0);
    let point = |repeats: &[(f64, f64)]| {
        let count = repeats.len() as f64;
        let mean = repeats.iter().map(|pair| pair.1).sum::<f64>() / count;
        let squares = repeats.iter().map(|pair| (pair.1 - mean).powi(2)).sum::<f64>();
        let error = (repeats.len() > 1).then(|| (squares / (count * (count - 1.0))).sqrt());
        counts.push(repeats.len());
        PlotPoint { x: repeats[0].0, y: mean, error }
    };
    repeats.map(point).collect()
}

/// Says of how many runs the points are means.
fn repeats(counts: &[usize]) -> String {
    let (least, most) = (counts.iter().min(), counts.iter().max());
    match (least, most) {
        (_, None | Some(1)) | (None, _) => String::new(),
        (Some(least), Some(most)) if least == most => {
            format!("mean and standard error of {most} runs")
        }
        (Some(least), Some(most)) => format!("mean and standard error of {least} to {most} runs"),
    }
}

/// The quantity that a number of a summary is, or is the mean of.
fn quantity_of(name: &str) -> Option<&'static carom_simulate::Quantity> {
    name.split('.').rev().find_map(quantity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::table::tests::table;

    #[test]
    fn repeats_are_averaged_and_have_a_standard_error() {
        let mut table =
            table("x=1,2,3,4", "kinetic_energy", &[Some(1.0), Some(3.0), Some(8.0), None]);
        table.keys = vec!["mass".into(), "seed".into()];
        let values = |text: &str| crate::sweep::SweepAxis::parse(text).unwrap().values().to_vec();
        let (masses, seeds) = (values("m=5,7"), values("s=1,2"));
        for (index, row) in table.rows.iter_mut().enumerate() {
            row.settings = vec![masses[index / 2].clone(), seeds[index % 2].clone()];
        }
        assert_eq!(plot_keys(&table), [0]);
        let plot = plot(&table, "kinetic_energy", 0);
        let [series] = &plot.series[..] else { panic!("one line: {plot:?}") };
        assert_eq!(series.points[0], PlotPoint { x: 5.0, y: 2.0, error: Some(1.0) });
        assert_eq!(series.points[1], PlotPoint { x: 7.0, y: 8.0, error: None });
        assert_eq!(plot.subtitle, "mean and standard error of 1 to 2 runs");
        assert_eq!(plot.y_label, "kinetic_energy (energy)");
        // What is no seed has lines of its own.
        table.keys[1] = "friction".into();
        let lines = super::plot(&table, "kinetic_energy", 0).series;
        assert_eq!(
            lines.iter().map(|it| it.label.as_str()).collect::<Vec<_>>(),
            ["friction = 1", "friction = 2"]
        );
        assert_eq!(plot_keys(&table), [0, 1]);
        // Settings that advance together do not.
        for row in &mut table.rows {
            row.settings[1] = row.settings[0].clone();
        }
        assert_eq!(super::plot(&table, "kinetic_energy", 0).series.len(), 1);
    }

    #[test]
    fn only_numbers_are_plotted_over() {
        let table = |axis: &str| table(axis, "time", &[Some(1.0), Some(2.0)]);
        assert_eq!(plot_keys(&table("seed=1,2")), [0]);
        assert!(plot_keys(&table("box.boundary=wall,periodic")).is_empty());
    }

    #[test]
    fn an_unknown_number_is_refused_with_the_nearest_name() {
        let known = ["kinetic_energy".to_owned(), "time".to_owned()];
        assert_eq!(
            unknown("kinetik_energy", &known).to_string(),
            "no run has the quantity \"kinetik_energy\"; did you mean kinetic_energy?"
        );
    }
}
