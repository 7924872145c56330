//! Which frames of a run are not there.

/// So many gaps are told one by one.
const MOST: usize = 5;

/// What is missing among ascending numbers from zero to the last, in a sentence; none if nothing is.
pub fn told(numbers: impl Iterator<Item = usize>) -> Option<String> {
    let (mut gaps, mut count, mut next) = (Vec::new(), 0, 0);
    for number in numbers {
        if number > next {
            count += number - next;
            gaps.push((next, number - 1));
        }
        next = number + 1;
    }
    let gap = |&(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    };
    let list: Vec<String> = gaps.iter().take(MOST).map(gap).collect();
    let more = if gaps.len() > MOST { " and more" } else { "" };
    let list = list.join(", ") + more;
    match count {
        0 => None,
        1 => Some(format!("frame {list} is missing")),
        _ => Some(format!("{count} frames are missing: {list}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_told_in_short() {
        let said = |numbers: &[usize]| told(numbers.iter().copied());
        assert_eq!(said(&[]), None);
        assert_eq!(said(&[0, 1, 2]), None);
        assert_eq!(said(&[0, 2]).unwrap(), "frame 1 is missing");
        assert_eq!(said(&[2, 3, 7, 9]).unwrap(), "6 frames are missing: 0, 1, 4 to 6, 8");
        let odd: Vec<usize> = (0..20).map(|k| 2 * k + 1).collect();
        assert_eq!(said(&odd).unwrap(), "20 frames are missing: 0, 2, 4, 6, 8 and more");
    }
}
