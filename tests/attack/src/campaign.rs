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
    fn count(&self, tally: &AttackTally) -> u64 {
        tally.tries
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
pub struct AttackTally {
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
) -> io::Result<Vec<AttackTally>> {
    let mut tallies = vec![AttackTally::default(); attacks.len()];
    let start = Instant::now();
    loop {
        // The one that has had the least of its share.
        let next = (0..attacks.len())
            .filter(|&index| is_open(attacks[index].as_ref(), &tallies[index], plan))
            .min_by(|&a, &b| {
                let share =
                    |index: usize| tallies[index].elapsed.as_secs_f64() / attacks[index].weight();
                share(a).total_cmp(&share(b))
            });
        let Some(next) = next.filter(|_| start.elapsed() < plan.time) else { break };
        let turn = Instant::now();
        while turn.elapsed() < TURN && is_open(attacks[next].as_ref(), &tallies[next], plan) {
            attempt(attacks[next].as_mut(), &mut tallies[next], plan, site)?;
        }
        tallies[next].elapsed += turn.elapsed();
    }
    Ok(tallies)
}

fn is_open(attack: &dyn Attack, tally: &AttackTally, plan: &CampaignPlan) -> bool {
    tally.findings < MOST_FINDINGS && plan.count.is_none_or(|count| attack.count(tally) < count)
}

fn attempt(
    attack: &mut dyn Attack,
    tally: &mut AttackTally,
    plan: &CampaignPlan,
    site: &AttackSite,
) -> io::Result<()> {
    let (name, case) = (attack.name(), plan.first + tally.tries);
    let _watch = crate::watchdog::AttemptWatchdog::of(format!(
        "--only {name} --seed {} --case {case}",
        plan.seed
    ));
    tally.tries += 1;
    match attack.attempt(&mut AttackRandom::of_case(plan.seed, &name, case), site) {
        Ok(outcome) => tally.outcomes[outcome as usize] += 1,
        Err(finding) => {
            tally.findings += 1;
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
pub fn table(attacks: &[Box<dyn Attack>], tallies: &[AttackTally]) -> String {
    let mut text = String::from(
        "| attack | what is tried | tries | accepted (0) | failed (1) | refused (2) | stopped (3) | findings |\n\
         |---|---|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut row = |name: &str, what: &str, tally: &AttackTally| {
        let [accepted, failed, refused, stopped] = tally.outcomes;
        text += &format!(
            "| {name} | {what} | {} | {accepted} | {failed} | {refused} | {stopped} | {} |\n",
            tally.tries, tally.findings
        );
    };
    let mut all = AttackTally::default();
    for (attack, tally) in attacks.iter().zip(tallies) {
        row(&attack.name(), &attack.attempt_description(), tally);
        all.tries += tally.tries;
        all.findings += tally.findings;
        for (sum, count) in all.outcomes.iter_mut().zip(tally.outcomes) {
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
