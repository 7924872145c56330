use super::end::End;

/// What is to come for one body: its next own event and the next change of its neighbours.
///
/// There is one own event per body, the earliest. That is enough: of two bodies that will meet, the
/// one predicted last knows of it or of something earlier, at which it is predicted again. An event
/// whose partner has been deflected since (its `turns` differ) is stale and leads to a new
/// prediction.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Time of the own event.
    pub time: f64,
    /// Time at which the neighbour structure must change for this body.
    pub change: f64,
    pub partner: u32,
    pub partner_turns: u32,
    /// How often this body has been deflected.
    pub turns: u32,
    /// The user's number of the body; storage is re-ordered, this is not.
    pub id: u32,
}

impl Schedule {
    pub fn of(id: u32) -> Self {
        Schedule {
            time: f64::INFINITY,
            change: f64::INFINITY,
            partner: NOTHING,
            partner_turns: 0,
            turns: 0,
            id,
        }
    }

    /// The body that is met, if the next event is to meet one of so many bodies.
    #[inline]
    pub fn coming_partner(&self, bodies: usize) -> Option<u32> {
        (self.change > self.time && (self.partner as usize) < bodies).then_some(self.partner)
    }

    #[inline]
    pub fn next(&self) -> f64 {
        if self.changes_first() { self.change } else { self.time }
    }

    /// Whether what comes next is a change of neighbours.
    #[inline]
    pub fn changes_first(&self) -> bool {
        self.change <= self.time
    }
}

/// What a body meets, packed into the number of a partner: bodies are below `FIRST_END`.
pub const NOTHING: u32 = u32::MAX;
/// The acceleration of the body must be asked for again.
pub const PREDICTION: u32 = u32::MAX - 1;
const FIRST_END: u32 = u32::MAX - 15;
/// So many bodies have numbers of their own.
pub const MOST_BODIES: usize = FIRST_END as usize;

pub enum Partner {
    Body(u32),
    End(End),
    Prediction,
}

impl Partner {
    #[inline]
    pub fn of(code: u32) -> Self {
        match code {
            ..FIRST_END => Partner::Body(code),
            PREDICTION | NOTHING => Partner::Prediction,
            end => {
                let number = (end - FIRST_END) as usize;
                Partner::End(End { axis: number / 2, high: number % 2 == 1 })
            }
        }
    }

    #[inline]
    pub fn end_code(end: End) -> u32 {
        FIRST_END + 2 * end.axis as u32 + u32::from(end.high)
    }
}

/// Orders events at one and the same time: changes of neighbours first, then by the users' numbers
/// of the bodies, so that the order does not depend on how bodies are stored.
pub fn tie_key(schedules: &[Schedule], body: u32) -> (bool, u32, u32) {
    let own = &schedules[body as usize];
    let partner = match schedules.get(own.partner as usize) {
        Some(partner) => partner.id,
        None => own.partner,
    };
    (!own.changes_first(), own.id.min(partner), own.id.max(partner))
}
