//! How far a paper's run is, for progress bars.

/// Reports to a caller how far a run is, from the expected cost of each of its steps.
///
/// ```
/// let mut parts = Vec::new();
/// let mut on_progress = |_: &str, part: f64| parts.push(part);
/// let mut progress = carom_papers::PaperProgress::new(4.0, &mut on_progress);
/// progress.step("first", 1.0);
/// progress.step("second", 3.0);
/// progress.finish();
/// assert_eq!(parts, [0.0, 0.25, 1.0]);
/// ```
pub struct PaperProgress<'a> {
    total: f64,
    begun: f64,
    on_progress: &'a mut dyn FnMut(&str, f64),
}

impl<'a> PaperProgress<'a> {
    /// A run whose steps are expected to cost `total` in all, in any unit.
    pub fn new(total: f64, on_progress: &'a mut dyn FnMut(&str, f64)) -> Self {
        PaperProgress { total, begun: 0.0, on_progress }
    }

    /// A step begins that is expected to cost `cost`.
    pub fn step(&mut self, name: &str, cost: f64) {
        (self.on_progress)(name, (self.begun / self.total).clamp(0.0, 1.0));
        self.begun += cost;
    }

    /// The last step has ended.
    pub fn finish(self) {
        (self.on_progress)("done", 1.0);
    }
}
