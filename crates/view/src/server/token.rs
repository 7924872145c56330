//! The access token, which distinguishes who started the server from other users of the machine.

use crate::Error;
use std::fmt::Write;

/// A random token that every request for content of the run must show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Creates a token of 128 bits from the operating system, as hexadecimal digits.
    pub fn random() -> Result<Self, Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| Error::NoToken { reason: error.to_string() })?;
        let mut digits = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            let _ = write!(digits, "{byte:02x}");
        }
        Ok(AccessToken(digits))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a given text is the token.
    pub fn matches(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        // Constant time: an early exit would reveal how many bytes are right.
        own.len() == given.len() && own.iter().zip(given).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let [one, other] = [AccessToken::random().unwrap(), AccessToken::random().unwrap()];
        assert_ne!(one, other);
        assert_eq!(one.as_str().len(), 32);
        assert!(one.matches(one.as_str()));
        for wrong in ["", "0", other.as_str(), &one.as_str()[1..], &format!("{}0", one.as_str())] {
            assert!(!one.matches(wrong), "{wrong}");
        }
    }
}
