//! One list of end points, kept sorted along one axis.
//!
//! An end point is eight bytes: in the upper half its place in units of a 2^32th of the bucket, in
//! the lower half whose end it is and which. Places that fall into the same unit are compared again
//! by the coordinates themselves, so that the order is exact: by coordinate, low ends before high
//! ends at the same one. Then a low end stands before a high end if and only if the two intervals
//! meet on that side, and boxes that touch overlap.

use std::cmp::Ordering;

/// An end point: its key above its tag.
pub(super) type SweepEndpoint = u64;

/// Which end of which member: the member twice, and one more for the high end.
pub(super) type EndpointTag = u32;

/// The end with an empty key.
pub(super) fn unkeyed_endpoint(tag: EndpointTag) -> SweepEndpoint {
    SweepEndpoint::from(tag)
}

/// The tag of an end.
pub(super) fn tag(end: SweepEndpoint) -> EndpointTag {
    end as EndpointTag
}

/// The member whose end it is.
pub(super) fn member(tag: EndpointTag) -> u32 {
    tag >> 1
}

/// Whether it is the high end.
pub(super) fn is_high(tag: EndpointTag) -> bool {
    tag & 1 == 1
}

/// More exchanges than were allowed; the list is out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IncrementalSortAbandoned;

/// Gives every end its new key and brings the list into order by insertion.
///
/// `coordinate` tells ends of the same key apart. `passed` is told the members of each low end that
/// comes to stand before a high end it stood behind. Returns the number of exchanges.
// Apart from its callers, so that the loop has the registers for itself.
#[inline(never)]
pub(super) fn insertion_sort(
    ends: &mut [SweepEndpoint],
    keys: &[u32],
    allowed: u64,
    coordinate: impl Fn(EndpointTag) -> f64,
    mut passed: impl FnMut(u32, u32),
) -> Result<u64, IncrementalSortAbandoned> {
    let mut exchanges = 0;
    let mut previous = 0;
    for place in 0..ends.len() {
        let end = with_key(ends[place], keys);
        ends[place] = end;
        // Bodies move little between steps: most ends are where they belong.
        if previous >> 32 < end >> 32 {
            previous = end;
            continue;
        }
        let mut target = place;
        while target > 0 {
            let other = ends[target - 1];
            if !stands_behind(other, end, &coordinate) {
                break;
            }
            ends[target] = other;
            target -= 1;
            if tag(other) & !tag(end) & 1 == 1 {
                passed(member(tag(end)), member(tag(other)));
            }
        }
        ends[target] = end;
        previous = ends[place];
        exchanges += (place - target) as u64;
        if exchanges > allowed {
            return Err(IncrementalSortAbandoned);
        }
    }
    Ok(exchanges)
}

/// The end with the key it has now.
#[inline(always)]
pub(super) fn with_key(end: SweepEndpoint, keys: &[u32]) -> SweepEndpoint {
    u64::from(keys[tag(end) as usize]) << 32 | u64::from(tag(end))
}

/// Which of two ends stands first.
pub(super) fn compare_endpoints(
    one: SweepEndpoint,
    other: SweepEndpoint,
    coordinate: &impl Fn(EndpointTag) -> f64,
) -> Ordering {
    (one >> 32).cmp(&(other >> 32)).then_with(|| {
        let (one, other) = (tag(one), tag(other));
        match (is_after(one, other, coordinate), is_after(other, one, coordinate)) {
            (true, _) => Ordering::Greater,
            (_, true) => Ordering::Less,
            _ => one.cmp(&other),
        }
    })
}

#[inline(always)]
fn stands_behind(
    other: SweepEndpoint,
    end: SweepEndpoint,
    coordinate: &impl Fn(EndpointTag) -> f64,
) -> bool {
    match (other >> 32).cmp(&(end >> 32)) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => is_after(tag(other), tag(end), coordinate),
    }
}

/// Whether one end stands behind another: by coordinate, low ends first.
#[inline(never)]
pub(super) fn is_after(
    one: EndpointTag,
    other: EndpointTag,
    coordinate: &impl Fn(EndpointTag) -> f64,
) -> bool {
    let (one_at, other_at) = (coordinate(one), coordinate(other));
    one_at > other_at || (one_at == other_at && is_high(one) && !is_high(other))
}
