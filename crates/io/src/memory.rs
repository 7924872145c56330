//! The memory that a program may take, so that what cannot fit is refused before it is begun.
//!
//! | want | take |
//! |---|---|
//! | to refuse work that needs too much | [`check`] |
//! | to know how much there is | [`available_bytes`] |
//! | to allow less than the machine has | [`set_limit`], with [`parse_size`] for a size such as `2G` |

use crate::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Limit of [`set_limit`]; zero if there is none.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Limits the memory to this number of bytes from now on, whatever the machine has.
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Returns an error if `bytes` are more than are available.
///
/// `what` is the subject of the sentence, in the plural.
///
/// ```
/// use carom_io::memory;
/// assert!(memory::check("10 bodies", 1e3).is_ok());
/// let refusal = memory::check("1e18 bodies", 1e20).unwrap_err().to_string();
/// assert!(refusal.starts_with("1e18 bodies need about 100000000 TB of memory"), "{refusal}");
/// ```
pub fn check(what: impl std::fmt::Display, bytes: f64) -> Result<(), Error> {
    match available_bytes() {
        Some(most) if bytes > most as f64 => Err(Error::Memory {
            what: what.to_string(),
            needed: format_size(bytes),
            available: format_size(most as f64),
        }),
        _ => Ok(()),
    }
}

/// Returns the available bytes: the limit of [`set_limit`]; without it the least of the free memory of the machine, the
/// limit of the process's control group and its remaining address space. `None` where nothing is known.
pub fn available_bytes() -> Option<u64> {
    match LIMIT.load(Ordering::Relaxed) {
        0 => [free_memory(), cgroup_limit(), free_address_space()].into_iter().flatten().min(),
        allowed => Some(allowed),
    }
}

/// Parses a size such as `500MB`, `4G` or `2e9`; thousands, not 1024.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim().trim_end_matches(['b', 'B']);
    let (number, factor) = match text.chars().last()?.to_ascii_lowercase() {
        'k' => (&text[..text.len() - 1], 1e3),
        'm' => (&text[..text.len() - 1], 1e6),
        'g' => (&text[..text.len() - 1], 1e9),
        't' => (&text[..text.len() - 1], 1e12),
        _ => (text, 1.0),
    };
    let bytes = number.trim().parse::<f64>().ok()? * factor;
    (1.0..=1e18).contains(&bytes).then_some(bytes as u64)
}

/// Formats a size in the largest unit that leaves a whole number or two digits.
fn format_size(bytes: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let (factor, unit) =
        units.into_iter().find(|(factor, _)| bytes >= *factor).unwrap_or((1.0, "bytes"));
    let number = bytes / factor;
    if number < 10.0 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

fn free_memory() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

fn free_address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
    let taken = kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    Some(limit.saturating_sub(taken))
}

/// Returns the number behind a key of a kernel table, in bytes.
fn kilobytes(table: &str, key: &str) -> Option<u64> {
    let value = table.lines().find_map(|line| line.strip_prefix(key))?;
    value.split_whitespace().next()?.parse::<u64>().ok().map(|number| number * 1024)
}

/// Returns the lowest limit of the process's control groups, of either version.
fn cgroup_limit() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let limits = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (kind, path) = (parts.next()?, parts.next()?);
        match kind {
            "" => lowest_cgroup_limit("/sys/fs/cgroup", path, "memory.max"),
            "memory" => lowest_cgroup_limit("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"),
            _ => None,
        }
    });
    limits.min()
}

/// Returns the lowest limit of nested groups; in a container only their root may be visible.
fn lowest_cgroup_limit(root: &str, path: &str, name: &str) -> Option<u64> {
    let own = PathBuf::from(format!("{root}{path}"));
    let groups = own.ancestors().take_while(|group| group.starts_with(root));
    let groups: Vec<&Path> = groups.chain([Path::new(root)]).collect();
    let limit = |group: &&Path| fs::read_to_string(group.join(name)).ok()?.trim().parse().ok();
    groups.iter().filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("500MB", 500_000_000),
            ("4G", 4_000_000_000),
            ("2e9", 2_000_000_000),
            ("1.5 kB", 1500),
        ] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for text in ["", "G", "-1G", "many", "0", "1e30", "nan"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_are_written_in_two_digits_or_more() {
        assert_eq!(
            [12.0, 1500.0, 25e9, 3.2e12].map(format_size),
            ["12 bytes", "1.5 kB", "25 GB", "3.2 TB"]
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_machine_has_is_known() {
        assert!(available_bytes().is_some_and(|bytes| bytes > 1_000_000));
        assert_eq!(kilobytes("A: 1 kB\nMemAvailable:   12 kB\n", "MemAvailable:"), Some(12 * 1024));
    }
}
