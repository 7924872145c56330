//! Finds the frames that are missing in a run.

/// Number of gaps that are listed one by one.
const MOST_LISTED: usize = 5;

/// Describes the gaps among ascending frame numbers from zero, in a sentence; none if there are none.
pub fn missing_frames_message(numbers: impl Iterator<Item = usize>) -> Option<String> {
    let (mut gaps, mut count, mut next) = (Vec::new(), 0, 0);
    for number in numbers {
        if number > next {
            count += number - next;
            gaps.push((next, number - 1));
        }
        next = number.saturating_add(1);
    }
    let name = |number: usize| format!("frame_{number:06}");
    let gap = |&(first, last): &(usize, usize)| match last - first {
        0 => name(first),
        1 => format!("{}, {}", name(first), name(last)),
        _ => format!("{} to {}", name(first), name(last)),
    };
    let list: Vec<String> = gaps.iter().take(MOST_LISTED).map(gap).collect();
    let more = if gaps.len() > MOST_LISTED { " and more" } else { "" };
    let list = list.join(", ") + more;
    match count {
        0 => None,
        1 => Some(format!("{list} is missing")),
        _ => Some(format!("{count} frames are missing: {list}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_reported_in_short() {
        let said = |numbers: &[usize]| missing_frames_message(numbers.iter().copied());
        assert_eq!(said(&[]), None);
        assert_eq!(said(&[0, 1, 2]), None);
        assert_eq!(said(&[0, 2]).unwrap(), "frame_000001 is missing");
        assert_eq!(
            said(&[2, 3, 7]).unwrap(),
            "5 frames are missing: frame_000000, frame_000001, frame_000004 to frame_000006"
        );
        let odd: Vec<usize> = (0..20).map(|k| 2 * k + 1).collect();
        let text = said(&odd).unwrap();
        assert!(text.starts_with("20 frames are missing: frame_000000, frame_000002, "), "{text}");
        assert!(text.ends_with("frame_000008 and more"), "{text}");
        assert!(said(&[0, usize::MAX]).is_some());
    }
}
