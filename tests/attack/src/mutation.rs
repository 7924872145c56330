//! Random changes to valid files that keep most of their structure: numbers become other numbers, words other words,
//! lines are lost, doubled, swapped and taken from other files; and now and then any byte.

use crate::random::AttackRandom;

/// Numbers at which readers and algorithms have gone wrong before.
const NUMBERS: [&str; 40] = [
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "0.5",
    "1e-3",
    "1e-9",
    "1e-16",
    "1e-30",
    "1e-160",
    "1e-308",
    "5e-324",
    "1e3",
    "1e6",
    "1e9",
    "1e18",
    "1e30",
    "1e100",
    "1e154",
    "1e300",
    "1.7976931348623157e308",
    "1e309",
    "-1e100",
    "nan",
    "inf",
    "-inf",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999",
    "1_000",
    "0x10",
];

/// Letters with a meaning in some format, or none in any.
const LETTERS: [&str; 30] = [
    " ", "\t", "\n", "\r", "\r\n", ",", ";", ":", "=", "#", "\"", "'", "[", "]", "{", "}", "<",
    ">", "/", "\\", "-", "+", ".", "e", "\0", "\x1b[31m", "é", "\u{2028}", "\u{feff}", "$",
];

/// Makes several random changes to a text; lines may come from `others`.
pub fn text(original: &[u8], others: &[&[u8]], random: &mut AttackRandom) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..random.between(1, 4) {
        bytes = match random.below(12) {
            0..=3 => change_number(&bytes, random),
            4 | 5 => change_word(&bytes, others, random),
            6 | 7 => change_lines(&bytes, random),
            8 | 9 => take_lines(&bytes, others, random),
            10 => put_letter(bytes, random),
            _ => raw(&bytes, random),
        };
    }
    bytes
}

/// Makes several random changes to any bytes.
pub fn binary(original: &[u8], others: &[&[u8]], random: &mut AttackRandom) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..random.between(1, 4) {
        bytes = match random.below(8) {
            0 => change_number(&bytes, random),
            1 => change_word(&bytes, others, random),
            2 => splice(&bytes, others, random),
            _ => raw(&bytes, random),
        };
    }
    bytes
}

/// Returns the ranges of runs of bytes of one kind.
fn tokens(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (index, &byte) in bytes.iter().enumerate() {
        match (start, belongs(byte)) {
            (None, true) => start = Some(index),
            (Some(first), false) => {
                found.push((first, index));
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|first| (first, bytes.len())));
    found
}

fn number_tokens(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = tokens(bytes, |byte| byte.is_ascii_digit() || b".+-eE_".contains(&byte));
    found.retain(|&(first, end)| bytes[first..end].iter().any(u8::is_ascii_digit));
    found
}

fn word_tokens(bytes: &[u8]) -> Vec<(usize, usize)> {
    tokens(bytes, |byte| byte.is_ascii_alphabetic() || byte == b'_')
}

fn change_number(bytes: &[u8], random: &mut AttackRandom) -> Vec<u8> {
    let numbers = number_tokens(bytes);
    if numbers.is_empty() {
        return raw(bytes, random);
    }
    let &(first, end) = random.choose(&numbers);
    let value = str::from_utf8(&bytes[first..end]).ok().and_then(|text| text.parse::<f64>().ok());
    let new = match (random.below(4), value) {
        (0, Some(value)) => format!("{:e}", value * 10_f64.powi(random.between(0, 40) as i32 - 20)),
        (1, Some(value)) => format!("{}", value * random.uniform(0.5, 2.0)),
        (2, _) => {
            let &(other, behind) = random.choose(&numbers);
            return replace(bytes, first, end, &bytes[other..behind]);
        }
        _ => (*random.choose(&NUMBERS)).to_owned(),
    };
    replace(bytes, first, end, new.as_bytes())
}

fn change_word(bytes: &[u8], others: &[&[u8]], random: &mut AttackRandom) -> Vec<u8> {
    let words = word_tokens(bytes);
    if words.is_empty() {
        return raw(bytes, random);
    }
    let &(first, end) = random.choose(&words);
    let source = if others.is_empty() { bytes } else { random.choose(others) };
    let new = word_tokens(source);
    if new.is_empty() {
        return replace(bytes, first, end, b"");
    }
    let &(other, behind) = random.choose(&new);
    replace(bytes, first, end, &source[other..behind])
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

fn change_lines(bytes: &[u8], random: &mut AttackRandom) -> Vec<u8> {
    let mut lines = lines(bytes);
    if lines.is_empty() {
        return Vec::new();
    }
    let at = random.below(lines.len());
    match random.below(4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at]),
        2 => {
            let other = random.below(lines.len());
            lines.swap(at, other);
        }
        _ => lines.truncate(at),
    }
    lines.concat()
}

fn take_lines(bytes: &[u8], others: &[&[u8]], random: &mut AttackRandom) -> Vec<u8> {
    let source = if others.is_empty() { bytes } else { random.choose(others) };
    let taken = lines(source);
    let mut own = lines(bytes);
    if taken.is_empty() {
        return bytes.to_vec();
    }
    let first = random.below(taken.len());
    let count = random.between(1, 6).min(taken.len() - first);
    let at = random.between(0, own.len());
    own.splice(at..at, taken[first..first + count].iter().copied());
    own.concat()
}

fn put_letter(mut bytes: Vec<u8>, random: &mut AttackRandom) -> Vec<u8> {
    let at = random.between(0, bytes.len());
    bytes.splice(at..at, random.choose(&LETTERS).bytes());
    bytes
}

fn splice(bytes: &[u8], others: &[&[u8]], random: &mut AttackRandom) -> Vec<u8> {
    let source = if others.is_empty() { bytes } else { random.choose(others) };
    let (at, from) = (random.between(0, bytes.len()), random.between(0, source.len()));
    [&bytes[..at], &source[from..]].concat()
}

/// Makes a change that ignores any structure.
fn raw(bytes: &[u8], random: &mut AttackRandom) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.is_empty() {
        return vec![random.bits() as u8];
    }
    let at = random.below(bytes.len());
    let end = bytes.len().min(at + random.between(1, 16));
    match random.below(8) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.bits() as u8,
        2 => bytes.insert(at, random.bits() as u8),
        3 => drop(bytes.drain(at..end)),
        4 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        5 => bytes.truncate(at),
        6 => write_over(&mut bytes, at, &integer(random)),
        _ => write_over(&mut bytes, at, &float(random)),
    }
    bytes
}

fn integer(random: &mut AttackRandom) -> Vec<u8> {
    let value = *random.choose(&[
        0,
        1,
        0x7f,
        0xff,
        0x7fff_ffff,
        0xffff_ffff,
        u64::MAX,
        1 << 63,
        1 << 40,
        1 << 31,
    ]);
    let wide = random.once_in(2);
    let bytes = if random.once_in(3) { value.to_be_bytes() } else { value.to_le_bytes() };
    if wide { bytes.to_vec() } else { bytes[..4].to_vec() }
}

fn float(random: &mut AttackRandom) -> Vec<u8> {
    let value = *random.choose(&[
        f64::NAN,
        f64::INFINITY,
        -f64::INFINITY,
        0.0,
        -0.0,
        1e300,
        -1e300,
        1e-300,
        f64::MAX,
        5e-324,
    ]);
    if random.once_in(3) {
        (value as f32).to_le_bytes().to_vec()
    } else {
        value.to_le_bytes().to_vec()
    }
}

fn write_over(bytes: &mut [u8], at: usize, new: &[u8]) {
    let count = new.len().min(bytes.len() - at);
    bytes[at..at + count].copy_from_slice(&new[..count]);
}

fn replace(bytes: &[u8], first: usize, end: usize, new: &[u8]) -> Vec<u8> {
    [&bytes[..first], new, &bytes[end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_decided_by_the_random_numbers_alone() {
        let (original, other) = (&b"a = 1\nb = 2.5\n"[..], &b"c = [3]\n"[..]);
        for case in 0..200 {
            let change = || text(original, &[other], &mut AttackRandom::of_case(1, "test", case));
            assert_eq!(change(), change());
            let change = || binary(original, &[other], &mut AttackRandom::of_case(1, "test", case));
            assert_eq!(change(), change());
        }
    }

    #[test]
    fn numbers_and_words_are_found() {
        let text = b"key = -1.5e3, x2";
        let shown = |found: Vec<(usize, usize)>| {
            found.into_iter().map(|(a, b)| str::from_utf8(&text[a..b]).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(shown(number_tokens(text)), ["-1.5e3", "2"]);
        assert_eq!(shown(word_tokens(text)), ["key", "e", "x"]);
    }

    #[test]
    fn nothing_at_all_can_be_changed() {
        for case in 0..500 {
            let mut random = AttackRandom::of_case(1, "test", case);
            text(b"", &[], &mut random);
            binary(b"", &[b""], &mut random);
        }
    }
}
