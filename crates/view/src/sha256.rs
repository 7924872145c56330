//! SHA-256 of FIPS 180-4, for the policy that allows a page its own script and style and nothing else.

/// Fractional parts of the square roots of the first eight primes.
const INITIAL_HASH: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The digest of some bytes.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    let constants = round_constants();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    let mut state = INITIAL_HASH;
    for block in padded.as_chunks::<64>().0 {
        compress(&mut state, block, &constants);
    }
    let mut digest = [0; 32];
    for (place, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *place = word.to_be_bytes();
    }
    digest
}

/// Fractional parts of the cube roots of the first 64 primes.
fn round_constants() -> [u32; 64] {
    let is_prime = |number: &u64| (2..*number).all(|factor| !number.is_multiple_of(factor));
    let mut primes = (2..).filter(is_prime);
    std::array::from_fn(|_| {
        let prime = u128::from(primes.next().unwrap_or(2));
        // The root of a prime times 2^96 has 32 bits behind the point.
        let (mut low, mut high) = (0u128, 1 << 36);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if middle * middle * middle <= prime << 96 { low = middle } else { high = middle }
        }
        low as u32
    })
}

fn compress(state: &mut [u32; 8], block: &[u8; 64], constants: &[u32; 64]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..64 {
        let (early, late) = (words[t - 15], words[t - 2]);
        let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        words[t] = words[t - 16].wrapping_add(early).wrapping_add(words[t - 7]).wrapping_add(late);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for t in 0..64 {
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = (e & f) ^ (!e & g);
        let first = h.wrapping_add(turned).wrapping_add(chosen);
        let first = first.wrapping_add(constants[t]).wrapping_add(words[t]);
        let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = turned.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hexadecimal(bytes: &[u8]) -> String {
        digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_examples_of_the_standard() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let two_blocks = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(hexadecimal(b""), empty);
        assert_eq!(hexadecimal(b"abc"), abc);
        let text = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hexadecimal(text), two_blocks);
        let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(hexadecimal(&vec![b'a'; 1_000_000]), million);
    }
}
