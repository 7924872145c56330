//! The text of a scene followed by its settings, as one buffer.
//!
//! Each setting stands behind the text on a line of its own, so that every value has one place in the buffer wherever
//! it comes from: a place within the text is a line of the file, one behind it is a setting.

use super::problem::{ScenePlace, SceneProblem, SceneValidationError, ValidationResult};
use super::{overrides, stage};
use crate::Error;
use carom_io::excerpt;
use std::cmp::Ordering;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// The names and indices that lead to a value, outermost first.
pub(super) type KeyPath = Vec<String>;

/// Text, settings and the name of the file in messages.
#[derive(Clone, Debug)]
pub(super) struct SceneSource {
    file: String,
    buffer: String,
    /// Length of the file's text, in bytes.
    text: usize,
    /// Places of the settings.
    settings: Vec<Range<usize>>,
    /// Keys and list entries that are treated as not written.
    omitted: Vec<KeyPath>,
    /// Keys whose value is not the user's.
    substituted: Vec<KeyPath>,
    /// Number of the stage that is merged into the tables, if one is.
    stage: Option<usize>,
}

impl SceneSource {
    pub(super) fn new(text: &str, name: &str, settings: &[String]) -> Self {
        // Some programs write a byte order mark before UTF-8.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut source = SceneSource {
            file: excerpt::escape_control_characters(name),
            buffer: text.to_owned(),
            text: text.len(),
            settings: Vec::new(),
            omitted: Vec::new(),
            substituted: Vec::new(),
            stage: None,
        };
        settings.iter().for_each(|setting| source.add_setting(setting));
        source
    }

    /// Returns the source of the scene in one of its stages.
    pub(super) fn in_stage(&self, number: usize) -> Self {
        SceneSource { stage: Some(number), ..self.clone() }
    }

    fn add_setting(&mut self, setting: &str) {
        self.buffer.push('\n');
        let start = self.buffer.len();
        self.buffer.push_str(setting);
        self.settings.push(start..self.buffer.len());
    }

    /// Returns the name of the file in messages.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// Returns the file's text, without the settings.
    pub(super) fn text(&self) -> &str {
        &self.buffer[..self.text]
    }

    /// Returns what stands at a place of the buffer; an empty text if there is no such place.
    pub(super) fn written(&self, span: &Range<usize>) -> &str {
        self.buffer.get(span.clone()).unwrap_or_default()
    }

    /// Returns the dotted keys of the settings.
    pub(super) fn setting_keys(&self) -> Vec<String> {
        let key = |setting| self.written(setting).split('=').next().unwrap_or_default().to_owned();
        self.settings.iter().map(key).collect()
    }

    /// Returns the tables of the file with the settings applied in order, without omitted keys and entries.
    pub(super) fn tables(&self) -> ValidationResult<Spanned<DeTable<'_>>> {
        let mut tables = self.whole_tables()?;
        // Later entries of a list are removed first, so that earlier ones keep their numbers.
        for path in self.omitted.iter().rev() {
            remove(tables.get_mut(), path);
        }
        if let Some(number) = self.stage {
            stage::merge(tables.get_mut(), number);
        }
        Ok(tables)
    }

    /// Returns the omitted keys and entries.
    pub(super) fn omitted(&self) -> &[KeyPath] {
        &self.omitted
    }

    /// Omits a key or an entry of a list; returns false if it was omitted before.
    pub(super) fn leave_out(&mut self, path: KeyPath) -> bool {
        let Err(place) = self.omitted.binary_search_by(|other| in_order(other, &path)) else {
            return false;
        };
        self.omitted.insert(place, path);
        true
    }

    /// Treats a value as if it had been set to another one, which was not written by the user.
    pub(super) fn substitute(&mut self, setting: &str) {
        let key = setting.split('=').next().unwrap_or_default();
        self.substituted.push(key.split('.').map(str::to_owned).collect());
        self.add_setting(setting);
    }

    /// Whether a value or the list that it stands in was substituted.
    pub(super) fn is_substituted(&self, path: &KeyPath) -> bool {
        self.substituted.iter().any(|key| path.starts_with(key))
    }

    /// Replaces a number by 1, which most rules allow, so that its neighbors can be checked; returns false if it is no
    /// number or was replaced before.
    pub(super) fn replace_by_one(&mut self, span: &Range<usize>) -> bool {
        let written = self.written(span);
        if written == "1" || written.parse::<f64>().is_err() {
            return false;
        }
        // Padded to the old length, so that all other places stay.
        let one = format!("{:<width$}", 1, width = span.len());
        self.buffer.replace_range(span.clone(), &one);
        true
    }

    fn whole_tables(&self) -> ValidationResult<Spanned<DeTable<'_>>> {
        let mut tables = DeTable::parse(self.text()).map_err(|error| {
            let (mut message, span) =
                (excerpt::escape_control_characters(error.message()), error.span());
            if let ("duplicate key", Some(span)) = (message.as_str(), &span) {
                message += &format!(" {}", excerpt::truncated(self.written(span).trim()));
            }
            SceneValidationError::Problem {
                span,
                problem: Box::new(SceneProblem::Syntax { message }),
            }
        })?;
        for setting in &self.settings {
            overrides::apply(tables.get_mut(), &self.buffer, setting)?;
        }
        Ok(tables)
    }

    /// Returns the refusal with its place as file and line, or setting.
    pub(super) fn locate(&self, refusal: SceneValidationError) -> Error {
        match refusal {
            SceneValidationError::Elsewhere { error, .. } => *error,
            SceneValidationError::Problem { span, problem } => {
                let mut path = span.as_ref().and_then(|span| self.path(span)).unwrap_or_default();
                if let SceneProblem::Missing { key, .. } = problem.as_ref() {
                    path.push(key.clone());
                }
                let key = (!path.is_empty()).then(|| dotted(&path));
                Error::Scene { place: self.place(span.as_ref()), key, problem }
            }
            SceneValidationError::Value { span, rule } => {
                let key = self.key(&span);
                let value = excerpt::truncated(self.written(&span));
                let named = key.clone().unwrap_or_else(|| "the scene".to_owned());
                let problem = Box::new(SceneProblem::Value { key: named, value, rule });
                Error::Scene { place: self.place(Some(&span)), key, problem }
            }
        }
    }

    fn place(&self, span: Option<&Range<usize>>) -> ScenePlace {
        let file = self.file.clone();
        let Some(span) = span else { return ScenePlace::File { file } };
        if let Some(setting) = self.settings.iter().rfind(|setting| setting.start <= span.start) {
            let setting = excerpt::truncated(self.written(setting));
            return ScenePlace::Setting { setting };
        }
        let before = &self.buffer.as_bytes()[..span.start.min(self.text)];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let in_line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        // Letters of several bytes count once: the bytes that continue one are left out.
        let column = 1 + in_line.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        ScenePlace::Line { file, line, column }
    }

    /// Returns the dotted key of the value at a place.
    pub(super) fn key(&self, span: &Range<usize>) -> Option<String> {
        let tables = self.whole_tables().ok()?;
        let names = key_in_table(tables.get_ref(), span)?;
        Some(dotted(&names.into_iter().rev().collect()))
    }

    /// Returns the names that lead to the value, or to the name of a value, at a place.
    pub(super) fn path(&self, span: &Range<usize>) -> Option<KeyPath> {
        let tables = self.whole_tables().ok()?;
        let mut names = key_in_table(tables.get_ref(), span)
            .or_else(|| name_in_table(tables.get_ref(), span))?;
        names.reverse();
        Some(names)
    }
}

/// Returns the names that lead to a value as one key, safe for a message.
fn dotted(path: &KeyPath) -> String {
    path.iter().map(|name| excerpt::value(name.as_bytes())).collect::<Vec<_>>().join(".")
}

/// Orders names by their letters and indices by their numbers; what is nested comes behind its table.
fn in_order(a: &KeyPath, b: &KeyPath) -> Ordering {
    let index = |name: &String| name.parse::<usize>().ok();
    let of_names = |(a, b): (&String, &String)| match (index(a), index(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.cmp(b),
    };
    let differing = a.iter().zip(b).map(of_names).find(|order| order.is_ne());
    differing.unwrap_or(a.len().cmp(&b.len()))
}

/// Removes what a path leads to. A list that does not hold tables is removed as a whole.
fn remove(table: &mut DeTable, path: &[String]) {
    let Some((name, rest)) = path.split_first() else { return };
    let entry = rest.first().and_then(|index| index.parse::<usize>().ok());
    let inner = table.get_mut(name.as_str()).map(Spanned::get_mut);
    match (inner, entry) {
        (Some(DeValue::Table(inner)), _) if !rest.is_empty() => remove(inner, rest),
        (Some(DeValue::Array(array)), Some(index)) => {
            let Some(item) = array.get_mut(index).map(Spanned::get_mut) else { return };
            match (item, rest.len()) {
                (DeValue::Table(_), 1) => {
                    let items = std::mem::replace(array, DeArray::new()).into_iter().enumerate();
                    *array = items.filter(|(other, _)| *other != index).map(|(_, it)| it).collect();
                }
                (DeValue::Table(inner), _) => remove(inner, &rest[1..]),
                _ => drop(table.remove(name.as_str())),
            }
        }
        _ => drop(table.remove(name.as_str())),
    }
}

/// Returns the key whose name has this span, innermost name first.
fn name_in_table(table: &DeTable, span: &Range<usize>) -> Option<Vec<String>> {
    let in_value = |value: &Spanned<DeValue>| match value.get_ref() {
        DeValue::Table(table) => name_in_table(table, span),
        DeValue::Array(array) => array.iter().enumerate().find_map(|(index, value)| {
            let DeValue::Table(table) = value.get_ref() else { return None };
            let mut names = name_in_table(table, span)?;
            names.push(index.to_string());
            Some(names)
        }),
        _ => None,
    };
    table.iter().find_map(|(name, value)| {
        let mut names = if name.span() == *span { Vec::new() } else { in_value(value)? };
        names.push(name.get_ref().to_string());
        Some(names)
    })
}

/// Returns the key of the value with this span, innermost name first.
fn key_in_table(table: &DeTable, span: &Range<usize>) -> Option<Vec<String>> {
    table.iter().find_map(|(name, value)| {
        let mut names = key_in_value(value, span)?;
        names.push(name.get_ref().to_string());
        Some(names)
    })
}

fn key_in_value(value: &Spanned<DeValue>, span: &Range<usize>) -> Option<Vec<String>> {
    let deeper = match value.get_ref() {
        DeValue::Table(table) => key_in_table(table, span),
        DeValue::Array(array) => array.iter().enumerate().find_map(|(index, value)| {
            let mut names = key_in_value(value, span)?;
            names.push(index.to_string());
            Some(names)
        }),
        _ => None,
    };
    // A list of tables starts where its first table does, so the inner one comes first.
    deeper.or_else(|| (value.span() == *span).then(Vec::new))
}
