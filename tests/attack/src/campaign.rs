//! A campaign: attacks in turn until the time is over, their outcomes, and their findings.

use crate::outcome::{AttackFinding, AttemptOutcome, AttemptResult};
use crate::program::Program;
use carom_attack::random::AttackRandom;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An attack that fails more often than this is not tried any further.
const MOST_FINDINGS: u64 = 20;
/// Least duration of a turn of an attack.
const TURN: Duration = Duration::from_millis(400);

/// A kind of attack.
pub trait Attack {
    /// Returns its name, for `--only` and the table.
    fn name(&self) -> String;
    /// Returns what a try is, for the table.
    fn attempt_description(&self) -> String;
    /// Makes one try, decided by the random numbers alone.
    fn attempt(&mut self, random: &mut AttackRandom, site: &AttackSite) -> AttemptResult;
    /// Returns the number that `--count` limits.
    fn count(&self, counts: &AttackCounts) -> u64 {
        counts.tries
    }
    /// Returns its share of the time, relative to the others.
    fn weight(&self) -> f64 {
        1.0
    }
}

/// The surroundings of an attack.
#[derive(Clone, Debug)]
pub struct AttackSite {
    /// Program under attack.
    pub program: Program,
}

/// Outcomes of an attack so far.
#[derive(Clone, Debug, Default)]
pub struct AttackCounts {
    /// Number of tries so far; also the number of the next case.
    pub tries: u64,
    /// Number of tries by exit code, 0 to 3.
    pub outcomes: [u64; 4],
    /// Number of tries that broke a promise.
    pub findings: u64,
    elapsed: Duration,
}

/// Duration, seed and the folder of findings.
#[derive(Clone, Debug)]
pub struct CampaignPlan {
    /// Seed of all random numbers.
    pub seed: u64,
    /// Time for all attacks together.
    pub time: Duration,
    /// Number of tries of each attack, if limited.
    pub count: Option<u64>,
    /// Number of the first case.
    pub first: u64,
    /// Folder of findings.
    pub findings: PathBuf,
}

/// Runs attacks in turn and returns the outcomes of each.
pub fn run(
    attacks: &mut [Box<dyn Attack>],
    plan: &CampaignPlan,
    site: &AttackSite,
) -> io::Result<Vec<AttackCounts>> {
    let mut counts = vec![AttackCounts::default(); attacks.len()];
    let start = Instant::now();
    loop {
        // The one that has had the least of its share.
        let next = (0..attacks.len())
            .filter(|&index| is_open(attacks[index].as_ref(), &counts[index], plan))
            .min_by(|&a, &b| {
                let share =
                    |index: usize| counts[index].elapsed.as_secs_f64() / attacks[index].weight();
                share(a).total_cmp(&share(b))
            });
        let Some(next) = next.filter(|_| start.elapsed() < plan.time) else { break };
        let turn = Instant::now();
        while turn.elapsed() < TURN && is_open(attacks[next].as_ref(), &counts[next], plan) {
            attempt(attacks[next].as_mut(), &mut counts[next], plan, site)?;
        }
        counts[next].elapsed += turn.elapsed();
    }
    Ok(counts)
}

fn is_open(attack: &dyn Attack, counts: &AttackCounts, plan: &CampaignPlan) -> bool {
    counts.findings < MOST_FINDINGS && plan.count.is_none_or(|count| attack.count(counts) < count)
}

fn attempt(
    attack: &mut dyn Attack,
    counts: &mut AttackCounts,
    plan: &CampaignPlan,
    site: &AttackSite,
) -> io::Result<()> {
    let (name, case) = (attack.name(), plan.first + counts.tries);
    let _watch = crate::watchdog::AttemptWatchdog::of(format!(
        "--only {name} --seed {} --case {case}",
        plan.seed
    ));
    counts.tries += 1;
    match attack.attempt(&mut AttackRandom::of_case(plan.seed, &name, case), site) {
        Ok(outcome) => counts.outcomes[outcome as usize] += 1,
        Err(finding) => {
            counts.findings += 1;
            let folder = plan.findings.join(format!("{name}-{}-{case}", plan.seed));
            eprintln!(
                "FOUND {name}, case {case} of seed {}: {} ({})",
                plan.seed,
                finding.sentence,
                folder.display()
            );
            write_finding(&folder, &name, case, plan.seed, &finding)?;
        }
    }
    Ok(())
}

/// Writes a finding to a folder of its own.
fn write_finding(
    folder: &Path,
    name: &str,
    case: u64,
    seed: u64,
    finding: &AttackFinding,
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (file, bytes) in &finding.files {
        let path = folder.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    let text = format!(
        "{}\n\n{}\n\ncargo xtask attack --only {name} --seed {seed} --case {case} --count 1\n",
        finding.sentence, finding.command
    );
    fs::write(folder.join("finding.txt"), text)
}

/// Returns the table of a campaign, in Markdown.
pub fn table(attacks: &[Box<dyn Attack>], counts: &[AttackCounts]) -> String {
    let mut text = String::from(
        "| attack | what is tried | tries | accepted (0) | failed (1) | refused (2) | stopped (3) | findings |\n\
         |---|---|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut row = |name: &str, what: &str, counts: &AttackCounts| {
        let [accepted, failed, refused, stopped] = counts.outcomes;
        text += &format!(
            "| {name} | {what} | {} | {accepted} | {failed} | {refused} | {stopped} | {} |\n",
            counts.tries, counts.findings
        );
    };
    let mut all = AttackCounts::default();
    for (attack, counts) in attacks.iter().zip(counts) {
        row(&attack.name(), &attack.attempt_description(), counts);
        all.tries += counts.tries;
        all.findings += counts.findings;
        for (sum, count) in all.outcomes.iter_mut().zip(counts.outcomes) {
            *sum += count;
        }
    }
    row("all", "", &all);
    text
}

/// Returns the outcome of a reader: accepted or refused.
pub fn reader_outcome(accepted: bool) -> AttemptOutcome {
    if accepted { AttemptOutcome::Accepted } else { AttemptOutcome::Refused }
}
