//! When a gap of constant acceleration closes, as between a body and a wall.

/// Returns the first time at which a gap `gap + speed t + acceleration t^2 / 2` is closed and closing;
/// infinite if it never is.
///
/// A gap that is not open (bodies that touch, or overlap by rounding) is a defined state: it counts as
/// closed at time zero if it is closing, and at the time it closes again if it is opening.
#[inline]
pub fn gap_closing_time(gap: f64, speed: f64, acceleration: f64) -> f64 {
    let discriminant = speed * speed - 2.0 * acceleration * gap;
    if gap <= 0.0 && (speed < 0.0 || (speed == 0.0 && acceleration < 0.0)) {
        return 0.0;
    }
    if speed < 0.0 {
        // 2 gap / (sqrt - speed) instead of (-speed - sqrt) / acceleration: both terms of the sum are
        // positive, so nothing cancels, and the limit of zero acceleration needs no case of its own.
        let closes = discriminant >= 0.0;
        return if closes { 2.0 * gap / (discriminant.sqrt() - speed) } else { f64::INFINITY };
    }
    if acceleration >= 0.0 {
        return f64::INFINITY;
    }
    (speed + discriminant.max(0.0).sqrt()) / -acceleration
}

#[cfg(test)]
mod tests {
    use super::gap_closing_time;

    #[test]
    fn steady_approach_takes_gap_over_speed() {
        assert_eq!(gap_closing_time(3.0, -1.5, 0.0), 2.0);
        assert_eq!(gap_closing_time(3.0, 1.5, 0.0), f64::INFINITY);
        assert_eq!(gap_closing_time(3.0, 0.0, 0.0), f64::INFINITY);
    }

    #[test]
    fn a_thrown_ball_comes_back() {
        assert_eq!(gap_closing_time(0.0, 5.0, -10.0), 1.0);
        assert_eq!(gap_closing_time(5.0, 0.0, -10.0), 1.0);
        assert_eq!(gap_closing_time(-1e-17, 5.0, -10.0), 1.0);
    }

    #[test]
    fn a_braked_approach_may_turn_back() {
        assert_eq!(gap_closing_time(1.0, -1.0, 1.0), f64::INFINITY);
        assert_eq!(gap_closing_time(0.5, -1.0, 1.0), 1.0);
        assert_eq!(gap_closing_time(0.375, -1.0, 1.0), 0.5);
    }

    #[test]
    fn a_closing_overlap_is_now_and_an_opening_one_never() {
        assert_eq!(gap_closing_time(-1e-17, -1.0, 0.0), 0.0);
        assert_eq!(gap_closing_time(0.0, -1.0, 5.0), 0.0);
        assert_eq!(gap_closing_time(-1e-17, 1.0, 2.0), f64::INFINITY);
        assert_eq!(gap_closing_time(0.0, 0.0, -1.0), 0.0);
    }
}
