//! Minimization of a finding: whatever can be left out without losing the finding is left out.

use std::time::{Duration, Instant};

/// Removes lines, then smaller and smaller pieces, while `fails` says that the finding remains.
///
/// Greedy, as delta debugging (Zeller and Hildebrandt 2002) without its complements; gives up after `patience`.
pub fn minimize(bytes: &[u8], patience: Duration, mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let end = Instant::now() + patience;
    let lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let lines = remove_pieces(lines, end, &mut |left| fails(&left.concat()));
    remove_pieces(lines.concat(), end, &mut |left| fails(left))
}

fn remove_pieces<T: Clone>(
    mut items: Vec<T>,
    end: Instant,
    fails: &mut dyn FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut size = items.len().div_ceil(2);
    while size > 0 {
        let mut first = 0;
        while first < items.len() {
            if Instant::now() > end {
                return items;
            }
            let behind = items.len().min(first + size);
            let left = [&items[..first], &items[behind..]].concat();
            match fails(&left) {
                true => items = left,
                false => first = behind,
            }
        }
        size /= 2;
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_not_is_left_out() {
        let text = b"first line\nsecond with a needle inside\nthird\nfourth and a pin\n";
        let has = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|part| part == word);
        let fails = |text: &[u8]| has(text, b"needle") && has(text, b"pin");
        assert_eq!(minimize(text, Duration::from_secs(10), fails), b"needlepin");
    }
}
