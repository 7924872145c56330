//! How often bodies are examined, by how often they collide.

/// How long to look ahead.
#[derive(Debug, Default)]
pub struct Pace {
    /// A body that is not deflected is examined again after this time.
    pub look_ahead: f64,
    since: f64,
    examinations: u64,
    redirections: u64,
}

impl Pace {
    /// Begins to count anew.
    pub fn begin(&mut self, now: f64) {
        *self = Pace { look_ahead: self.look_ahead, since: now, ..Pace::default() };
    }

    /// One of so many bodies is examined. Every few examinations per body the time between them is
    /// chosen anew, by how often bodies were deflected.
    pub fn note(&mut self, reason: Reason, bodies: u64, now: f64) {
        self.examinations += 1;
        self.redirections += u64::from(reason == Reason::Deflected);
        if self.examinations >= 4 * bodies && now > self.since {
            let each = self.redirections as f64 / bodies as f64;
            let wanted = LOOK_AHEAD * (now - self.since) / each;
            let look_ahead = wanted.clamp(0.5 * self.look_ahead, 2.0 * self.look_ahead);
            *self = Pace { look_ahead, since: now, ..Pace::default() };
        }
    }
}

/// Why a body is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Deflected,
    Due,
}

/// A body is examined again after this many times the mean time between its deflections.
const LOOK_AHEAD: f64 = 2.0;
