//! Bytes as letters, for addresses that hold their data (RFC 4648).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | u32::from(*three.get(i).unwrap_or(&0)));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place > three.len() { '=' } else { letter as char });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_examples_of_the_standard() {
        let encoded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"]
            .map(|text| super::encode(text.as_bytes()));
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        assert_eq!(encoded, expected);
    }
}
