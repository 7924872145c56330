//! What a contact law keeps of a contact from step to step.

use carom_geometry::Vector;

/// The contact history of a contact law: its state of each contact, from one time step to the next.
///
/// There are histories of a tangential displacement (`Vector<3>`), of numbers (`[f64; N]`), of nothing (`()`), and pairs of
/// histories.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_simulate::dem::LawHistory;
/// // A tangential displacement and the deepest overlap so far.
/// type History = (Vector<3>, [f64; 1]);
/// let history: History = ([1.0, 0.0, 2.0].into(), [0.25]);
/// // As the other body sees it.
/// assert_eq!(history.exchanged(), ([-1.0, 0.0, -2.0].into(), [0.25]));
/// // In a saved state.
/// let mut numbers = Vec::new();
/// history.save(&mut numbers);
/// assert_eq!((History::NUMBERS, &numbers[..]), (4, &[1.0, 0.0, 2.0, 0.25][..]));
/// assert_eq!(History::restore(&numbers), history);
/// ```
pub trait LawHistory: Copy + Send + Sync + 'static {
    /// Number of numbers of a history in a saved state.
    const NUMBERS: usize;

    /// Returns the history of a contact that begins.
    fn at_start() -> Self;

    /// Returns the history as the other body sees it: displacements have the opposite sign.
    fn exchanged(self) -> Self;

    /// Returns the history before displacements have advanced by a slip. It is taken back so where the force of a moment is
    /// asked for, since no time passes.
    fn rewound(self, slip: &Vector<3>) -> Self;

    /// Returns the tangential displacement, if there is one.
    fn tangential_displacement(&mut self) -> Option<&mut Vector<3>>;

    /// Appends its numbers.
    fn save(&self, numbers: &mut Vec<f64>);

    /// Returns the history of saved numbers, of which there are [`NUMBERS`](Self::NUMBERS).
    fn restore(numbers: &[f64]) -> Self;
}

impl LawHistory for Vector<3> {
    const NUMBERS: usize = 3;

    #[inline(always)]
    fn at_start() -> Self {
        Vector::zeros()
    }

    #[inline(always)]
    fn exchanged(self) -> Self {
        -self
    }

    #[inline(always)]
    fn rewound(self, slip: &Vector<3>) -> Self {
        self - slip
    }

    #[inline(always)]
    fn tangential_displacement(&mut self) -> Option<&mut Vector<3>> {
        Some(self)
    }

    fn save(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.iter());
    }

    fn restore(numbers: &[f64]) -> Self {
        Vector::from_column_slice(numbers)
    }
}

impl<const N: usize> LawHistory for [f64; N] {
    const NUMBERS: usize = N;

    #[inline(always)]
    fn at_start() -> Self {
        [0.0; N]
    }

    #[inline(always)]
    fn exchanged(self) -> Self {
        self
    }

    #[inline(always)]
    fn rewound(self, _slip: &Vector<3>) -> Self {
        self
    }

    #[inline(always)]
    fn tangential_displacement(&mut self) -> Option<&mut Vector<3>> {
        None
    }

    fn save(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self);
    }

    fn restore(numbers: &[f64]) -> Self {
        std::array::from_fn(|number| numbers[number])
    }
}

impl LawHistory for () {
    const NUMBERS: usize = 0;

    fn at_start() -> Self {}

    fn exchanged(self) -> Self {}

    fn rewound(self, _slip: &Vector<3>) -> Self {}

    fn tangential_displacement(&mut self) -> Option<&mut Vector<3>> {
        None
    }

    fn save(&self, _numbers: &mut Vec<f64>) {}

    fn restore(_numbers: &[f64]) -> Self {}
}

impl<A: LawHistory, B: LawHistory> LawHistory for (A, B) {
    const NUMBERS: usize = A::NUMBERS + B::NUMBERS;

    #[inline(always)]
    fn at_start() -> Self {
        (A::at_start(), B::at_start())
    }

    #[inline(always)]
    fn exchanged(self) -> Self {
        (self.0.exchanged(), self.1.exchanged())
    }

    #[inline(always)]
    fn rewound(self, slip: &Vector<3>) -> Self {
        (self.0.rewound(slip), self.1.rewound(slip))
    }

    #[inline(always)]
    fn tangential_displacement(&mut self) -> Option<&mut Vector<3>> {
        match self.0.tangential_displacement() {
            Some(displacement) => Some(displacement),
            None => self.1.tangential_displacement(),
        }
    }

    fn save(&self, numbers: &mut Vec<f64>) {
        self.0.save(numbers);
        self.1.save(numbers);
    }

    fn restore(numbers: &[f64]) -> Self {
        let (first, second) = numbers.split_at(A::NUMBERS);
        (A::restore(first), B::restore(second))
    }
}
