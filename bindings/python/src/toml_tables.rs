//! TOML as dicts of Python, and back.

use crate::errors;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString};
use toml::{Table, Value};

/// Tables within tables are no deeper than this, so that a list that holds itself is refused.
const DEEPEST: usize = 64;

/// Returns a table as a dict.
pub fn to_python<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in table {
        dict.set_item(name, value_to_python(py, value)?)?;
    }
    Ok(dict)
}

fn value_to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => PyFloat::new(py, *number).into_any(),
        Value::Boolean(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        // Scenes have no dates; a check says so.
        Value::Datetime(date) => PyString::new(py, &date.to_string()).into_any(),
        Value::Array(list) => {
            let items = list.iter().map(|item| value_to_python(py, item));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Table(table) => to_python(py, table)?.into_any(),
    })
}

/// Returns the table of a mapping.
pub fn of_python(mapping: &Bound<'_, PyAny>) -> PyResult<Table> {
    match value_of_python("", mapping, 0)? {
        Value::Table(table) => Ok(table),
        _ => Err(refuse(mapping, "the scene", "it must be a dict")),
    }
}

/// Returns the value that an object stands for under a key.
pub fn value_of_python(key: &str, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(refuse(value, key, "its lists and tables are too deep"));
    }
    if value.is_none() {
        return Err(refuse(value, key, "leave the key out instead"));
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::String(text.to_str()?.to_owned()));
    }
    if value.is_instance_of::<PyInt>() {
        let number = value.extract::<i64>();
        let rule = "a whole number must be within 64 bits; write a larger one as a float";
        return number.map(Value::Integer).map_err(|_| refuse(value, key, rule));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        return Ok(Value::Table(table_of_python(key, mapping, depth)?));
    }
    // Numbers and arrays of NumPy.
    if value.hasattr("tolist")? {
        return value_of_python(key, &value.call_method0("tolist")?, depth + 1);
    }
    if value.hasattr("__fspath__")? {
        let path = value.call_method0("__fspath__")?;
        let text = path.extract::<String>();
        let rule = "a path must be text in UTF-8";
        return text.map(Value::String).map_err(|_| refuse(value, key, rule));
    }
    if let Ok(list) = value.cast::<PySequence>() {
        let mut items = Vec::new();
        for (number, item) in list.try_iter()?.enumerate() {
            items.push(value_of_python(&below(key, &number.to_string()), &item?, depth + 1)?);
        }
        return Ok(Value::Array(items));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Value::Float(number));
    }
    Err(refuse(value, key, "it must be a number, a text, a truth value, a list or a dict"))
}

fn table_of_python(key: &str, mapping: &Bound<'_, PyMapping>, depth: usize) -> PyResult<Table> {
    let mut table = Table::new();
    for item in mapping.items()?.try_iter()? {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
        let Ok(name) = name.extract::<String>() else {
            return Err(refuse(&name, key, "names of keys must be texts"));
        };
        let value = value_of_python(&below(key, &name), &value, depth + 1)?;
        table.insert(name, value);
    }
    Ok(table)
}

fn below(key: &str, name: &str) -> String {
    if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") }
}

fn refuse(value: &Bound<'_, PyAny>, key: &str, rule: &str) -> PyErr {
    let py = value.py();
    let kind = value.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    let what = if key.is_empty() { "the scene" } else { key };
    let error = errors::SCENE.with(py, format!("{what} is a {kind}; {rule}"));
    match error.value(py).setattr("key", Some(what)) {
        Ok(()) => error,
        Err(other) => other,
    }
}
