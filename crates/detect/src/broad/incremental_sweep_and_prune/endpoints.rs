//! One list of endpoints, kept sorted along one axis.
//!
//! An endpoint is eight bytes: its coordinate as a 32-bit key in the upper half, its member and which of
//! the two ends it is in the lower half. Equal keys are compared by the `f64` coordinates themselves, so
//! that the order is exact: by coordinate, low endpoints before high ones at the same coordinate. Then a
//! low endpoint stands before a high one if and only if the two intervals overlap on that side, and boxes
//! that touch overlap.

use std::cmp::Ordering;

/// An endpoint: its key in the upper 32 bits, its tag in the lower ones.
pub(super) type SweepEndpoint = u64;

/// Twice the number of the member, plus one for its high endpoint.
pub(super) type EndpointTag = u32;

/// Returns an endpoint whose key is still to be set.
pub(super) fn unkeyed_endpoint(tag: EndpointTag) -> SweepEndpoint {
    SweepEndpoint::from(tag)
}

/// Returns the tag of an endpoint.
pub(super) fn tag(end: SweepEndpoint) -> EndpointTag {
    end as EndpointTag
}

/// Returns the member an endpoint belongs to.
pub(super) fn member(tag: EndpointTag) -> u32 {
    tag >> 1
}

/// Returns whether it is the high endpoint.
pub(super) fn is_high(tag: EndpointTag) -> bool {
    tag & 1 == 1
}

/// Insertion sort took more exchanges than allowed and left the list unsorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IncrementalSortAbandoned;

/// Gives every endpoint its new key and sorts the list by insertion.
///
/// `coordinate` decides between endpoints of equal key. `passed` is called with the members of each low
/// endpoint and each high one that it moves below. Returns the number of exchanges.
// Not inlined, so that the loop has all registers for itself.
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
        // Bodies move little between steps, so most endpoints are in order already. Only a strictly
        // smaller predecessor is accepted here: equal keys need the coordinates.
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
            // `other` is a high endpoint and `end` a low one.
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

/// Returns the endpoint with its current key.
#[inline(always)]
pub(super) fn with_key(end: SweepEndpoint, keys: &[u32]) -> SweepEndpoint {
    u64::from(keys[tag(end) as usize]) << 32 | u64::from(tag(end))
}

/// Compares two endpoints by key, coordinate, low before high, and tag, so that no two are equal.
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

/// Returns whether one endpoint belongs behind another: by coordinate, low endpoints first.
#[inline(never)]
pub(super) fn is_after(
    one: EndpointTag,
    other: EndpointTag,
    coordinate: &impl Fn(EndpointTag) -> f64,
) -> bool {
    let (one_at, other_at) = (coordinate(one), coordinate(other));
    one_at > other_at || (one_at == other_at && is_high(one) && !is_high(other))
}
