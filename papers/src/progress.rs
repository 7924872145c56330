//! Progress of a paper's run.

/// Reports to a caller how far a run is: how many of its steps are done, however long each takes.
///
/// ```
/// let mut parts = Vec::new();
/// let mut on_progress = |_: &str, part: f64| parts.push(part);
/// let mut progress = carom_papers::PaperProgress::new(2, &mut on_progress);
/// progress.step("first");
/// progress.step("second");
/// progress.finish();
/// assert_eq!(parts, [0.0, 0.5, 1.0]);
/// ```
pub struct PaperProgress<'a> {
    steps: usize,
    begun: usize,
    on_progress: &'a mut dyn FnMut(&str, f64),
}

impl<'a> PaperProgress<'a> {
    /// A run of this many steps.
    pub fn new(steps: usize, on_progress: &'a mut dyn FnMut(&str, f64)) -> Self {
        PaperProgress { steps, begun: 0, on_progress }
    }

    /// A step begins.
    pub fn step(&mut self, name: &str) {
        (self.on_progress)(name, self.begun as f64 / self.steps as f64);
        self.begun += 1;
    }

    /// The last step has ended.
    pub fn finish(self) {
        (self.on_progress)("done", 1.0);
    }
}
