//! Tables of a page in the documentation, made from the outcome of an attack.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Replaces the text between `<!-- NAME -->` and `<!-- end of NAME -->` by a table with its command and the day.
pub fn write(path: &Path, name: &str, command: &str, table: &str) -> Result<(), String> {
    let message = |error: std::io::Error| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(message)?;
    let new = format!("`{command}`, {}:\n\n{}", today(), table.trim_end());
    fs::write(path, replaced(&text, name, &new)?).map_err(message)
}

fn replaced(text: &str, name: &str, new: &str) -> Result<String, String> {
    let (start, end) = (format!("<!-- {name} -->"), format!("<!-- end of {name} -->"));
    let missing = || format!("the page has no {start} followed by {end}");
    let (before, rest) = text.split_once(&start).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{start}\n\n{new}\n\n{end}{after}"))
}

fn today() -> String {
    let output = Command::new("date").args(["-u", "+%Y-%m-%d"]).output();
    output.map_or_else(
        |_| "today".into(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_the_marks_is_replaced() {
        let text = "a\n<!-- attack -->\nold\n<!-- end of attack -->\nb\n";
        let once = replaced(text, "attack", "new").unwrap();
        assert_eq!(once, "a\n<!-- attack -->\n\nnew\n\n<!-- end of attack -->\nb\n");
        assert_eq!(replaced(&once, "attack", "new").unwrap(), once);
        assert!(replaced(text, "soak", "new").is_err());
    }
}
