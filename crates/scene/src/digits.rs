/// The number with commas between groups of three digits.
///
/// ```
/// assert_eq!(carom_scene::grouped(1_234_567), "1,234,567");
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        let texts = [0, 12, 999, 1000, 123_456, u64::MAX].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "123,456", "18,446,744,073,709,551,615"]);
    }
}
