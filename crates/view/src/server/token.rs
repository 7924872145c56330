//! What tells the one who started the server from everybody else on the machine.

use crate::Error;
use std::fmt::Write;

/// A random word, which whoever wants something of the run has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// 128 bits from the operating system, as hexadecimal digits.
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

    /// Whether somebody knows it.
    pub fn matches(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        // All bytes are looked at, or the time this takes would tell how many are right.
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
