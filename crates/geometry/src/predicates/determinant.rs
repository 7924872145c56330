//! Determinants of order two to four over any kind of number, and what their signs mean.
//!
//! Rows are the points relative to the last one, columns the axes and, for powers, the lift. The
//! expansion goes by the last column, over minors that are shared (Shewchuk's scheme for `insphere`):
//! 28 products in order four.

use std::cmp::Ordering;

/// What a determinant is made of.
pub(super) trait Number: Clone {
    fn zero() -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn zero() -> Self {
        0.0
    }
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        self * other
    }
}

/// Room for the largest matrix; smaller ones use the first rows and columns.
pub(super) type Rows<T> = [[T; 4]; 4];

#[inline(always)]
pub(super) fn zeros<T: Number>() -> Rows<T> {
    std::array::from_fn(|_| std::array::from_fn(|_| T::zero()))
}

/// The squared length of the first `D` numbers.
#[inline(always)]
pub(super) fn squared_length<T: Number, const D: usize>(row: &[T; 4]) -> T {
    let mut sum = row[0].times(&row[0]);
    for x in &row[1..D] {
        sum = sum.plus(&x.times(x));
    }
    sum
}

/// The determinant of the first `order` rows and columns.
#[inline(always)]
pub(super) fn determinant<T: Number>(rows: &Rows<T>, order: usize) -> T {
    let [a, b, c, d] = rows;
    match order {
        2 => order_two(a, b),
        3 => order_three([a, b, c], &order_two(a, b), &order_two(a, c), &order_two(b, c)),
        _ => order_four(a, b, c, d),
    }
}

#[inline(always)]
fn order_two<T: Number>(a: &[T; 4], b: &[T; 4]) -> T {
    a[0].times(&b[1]).minus(&b[0].times(&a[1]))
}

#[inline(always)]
fn order_three<T: Number>([a, b, c]: [&[T; 4]; 3], ab: &T, ac: &T, bc: &T) -> T {
    ab.times(&c[2]).minus(&ac.times(&b[2])).plus(&bc.times(&a[2]))
}

#[inline(always)]
fn order_four<T: Number>(a: &[T; 4], b: &[T; 4], c: &[T; 4], d: &[T; 4]) -> T {
    let (ab, ac, ad) = (order_two(a, b), order_two(a, c), order_two(a, d));
    let (bc, bd, cd) = (order_two(b, c), order_two(b, d), order_two(c, d));
    let abc = order_three([a, b, c], &ab, &ac, &bc);
    let abd = order_three([a, b, d], &ab, &ad, &bd);
    let acd = order_three([a, c, d], &ac, &ad, &cd);
    let bcd = order_three([b, c, d], &bc, &bd, &cd);
    let first = abc.times(&d[3]).minus(&abd.times(&c[3]));
    let second = acd.times(&b[3]).minus(&bcd.times(&a[3]));
    first.plus(&second)
}

/// From the sign of `det[p0-pD; ..]` to that of `det[p1-p0; ..]`: moving the row of ones, which
/// both share, from the last to the first place takes `D` exchanges.
#[inline(always)]
pub(super) fn orientation_of<const D: usize>(sign: Ordering) -> Ordering {
    if D == 2 { sign } else { sign.reverse() }
}

/// From the sign of `det[p0-q, lift; ..]` to that of the power of `q`.
///
/// The plane through the lifted points passes `det[p-q, lift] / det[p-q, 1]` above `q` by Cramer's
/// rule; the denominator is `(-1)^D` times the orientation, and the height of `q` over the plane is
/// the negative of this.
#[inline(always)]
pub(super) fn power_of<const D: usize>(sign: Ordering) -> Ordering {
    if D == 2 { sign.reverse() } else { sign }
}
