//! Determinants of order two to four over any scalar type, and the meaning of their signs.
//!
//! Rows are the points relative to the last one, columns the axes and, for powers, the lift. The expansion
//! is along the last column with shared minors (Shewchuk's scheme for `insphere`): 28 products in order
//! four.

use std::cmp::Ordering;

/// A scalar type of determinants: `f64`, double-double or big integer.
pub(super) trait DeterminantScalar: Clone {
    fn zero() -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
}

impl DeterminantScalar for f64 {
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

/// A matrix of up to four rows and columns; smaller ones use the first of each.
pub(super) type DeterminantMatrix<T> = [[T; 4]; 4];

/// Returns a matrix of `count` rows; the others are zero.
///
/// Built as a whole: rows of `f64` filled in afterwards would pass through memory. For the planar power
/// estimate this halved the time.
#[inline(always)]
pub(super) fn matrix_of_rows<T: DeterminantScalar>(
    count: usize,
    row: impl Fn(usize) -> [T; 4],
) -> DeterminantMatrix<T> {
    std::array::from_fn(|i| if i < count { row(i) } else { padded::<T, 0>(|_| T::zero()) })
}

/// Returns a row of `D` numbers; the others are zero.
#[inline(always)]
pub(super) fn padded<T: DeterminantScalar, const D: usize>(number: impl Fn(usize) -> T) -> [T; 4] {
    std::array::from_fn(|column| if column < D { number(column) } else { T::zero() })
}

/// Returns the row followed by its lift, the squared length of its first `D` numbers plus `weight`.
#[inline(always)]
pub(super) fn lifted<T: DeterminantScalar, const D: usize>(row: [T; 4], weight: &T) -> [T; 4] {
    let mut lift = row[0].times(&row[0]);
    for x in &row[1..D] {
        lift = lift.plus(&x.times(x));
    }
    lift = lift.plus(weight);
    let [x, y, z, _] = row;
    if D == 2 { [x, y, lift, T::zero()] } else { [x, y, z, lift] }
}

/// Returns the determinant of the first `order` rows and columns.
#[inline(always)]
pub(super) fn determinant<T: DeterminantScalar>(rows: &DeterminantMatrix<T>, order: usize) -> T {
    let [a, b, c, d] = rows;
    match order {
        2 => minor(a, b),
        3 => order_three([a, b, c], [&minor(a, b), &minor(a, c), &minor(b, c)]),
        _ => order_four(a, b, c, d),
    }
}

/// Returns the 2x2 minor of two rows in the first two columns.
#[inline(always)]
fn minor<T: DeterminantScalar>(a: &[T; 4], b: &[T; 4]) -> T {
    a[0].times(&b[1]).minus(&b[0].times(&a[1]))
}

/// Expands along the last column, with minors given.
#[inline(always)]
fn order_three<T: DeterminantScalar>([a, b, c]: [&[T; 4]; 3], [ab, ac, bc]: [&T; 3]) -> T {
    ab.times(&c[2]).minus(&ac.times(&b[2])).plus(&bc.times(&a[2]))
}

/// Expands along the last column; each minor of the first two columns is used twice.
#[inline(always)]
fn order_four<T: DeterminantScalar>(a: &[T; 4], b: &[T; 4], c: &[T; 4], d: &[T; 4]) -> T {
    let [ab, ac, ad] = [minor(a, b), minor(a, c), minor(a, d)];
    let [bc, bd, cd] = [minor(b, c), minor(b, d), minor(c, d)];
    let abc = order_three([a, b, c], [&ab, &ac, &bc]);
    let abd = order_three([a, b, d], [&ab, &ad, &bd]);
    let acd = order_three([a, c, d], [&ac, &ad, &cd]);
    let bcd = order_three([b, c, d], [&bc, &bd, &cd]);
    let first = abc.times(&d[3]).minus(&abd.times(&c[3]));
    let second = acd.times(&b[3]).minus(&bcd.times(&a[3]));
    first.plus(&second)
}

/// Converts the sign of `det[p0-pD; ..]` to that of `det[p1-p0; ..]`: both are the determinant of all points
/// with a column of ones, which takes `D` exchanges to move from the last to the first place.
#[inline(always)]
pub(super) fn orientation_of<const D: usize>(sign: Ordering) -> Ordering {
    if D == 2 { sign } else { sign.reverse() }
}

/// Converts the sign of `det[p0-q, lift; ..]` to that of the power of `q`.
///
/// The plane through the lifted points passes `det[p-q, lift] / det[p-q, 1]` above `q` by Cramer's
/// rule; the denominator is `(-1)^D` times the orientation, and the height of `q` over the plane is
/// the negative of this.
#[inline(always)]
pub(super) fn power_of<const D: usize>(sign: Ordering) -> Ordering {
    if D == 2 { sign.reverse() } else { sign }
}
