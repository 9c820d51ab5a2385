//! Solver calls as predicates are added, against the bounds of \[GHJ01\].
//!
//! A row is a program and its first n predicates, with a solver that has seen nothing. Sources are the abstract states
//! that are found first, breadth first; all figures are sums over them. A step is a source and a command that may lead
//! somewhere from it: for each the definition has at most 2^n calls for may and as many for must, and 3^n each for
//! vectors with stars, so the bounds are these times the number of steps. Commands that lead nowhere cost calls too,
//! but add nothing to the bound.
//!
//! May calls are those that find all may targets. Must calls are those that come on top of them, with the may targets
//! known: whether guards are implied, and what inputs and several ways can be chosen for. So `must/may` is what musts
//! cost for whoever has the mays; all must calls for stars are those for bit vectors and those for what is left open.

use super::programs::{ALL, Family, MOST};
use crate::table::{Table, timed};
use std::collections::VecDeque;
use std::time::Duration;
use tertium_abstraction::{AbstractState, PredicateAbstraction};
use tertium_front_gcl::{Model, read};
use tertium_program::{LocId, Precision};
use tertium_solve::{Prover, ProverStatistics, Z3};
use tertium_support::{Cancel, Context, Limits, Source, StopReason};

/// So many sources count at most.
const SOURCES: usize = 16;
/// The most that must may cost, as a multiple of may.
const AIM: f64 = 1.5;

/// What the sources of one row cost.
#[derive(Clone, Default)]
struct Cost {
    n_sources: usize,
    n_steps: u64,
    may: ProverStatistics,
    must: ProverStatistics,
    /// For must targets with stars, where the bit vectors are known.
    starred: ProverStatistics,
    /// What had been asked when the last source was finished, and when stars came to the one after it.
    finished: ProverStatistics,
    before_stars: Option<ProverStatistics>,
    /// Whether it was stopped, and how many calls the source had cost by then that was not finished: without stars, and for them.
    stopped: Option<[u64; 2]>,
}

impl Cost {
    /// All calls for musts.
    fn must_calls(&self) -> u64 {
        self.must.n_calls + self.starred.n_calls
    }

    /// They as a multiple of those for mays.
    fn ratio(&self) -> f64 {
        self.must_calls() as f64 / self.may.n_calls.max(1) as f64
    }
}

/// Prints the tables, at most `limit` for each row.
pub(crate) fn run(limit: Duration, filter: &str) {
    let mut bits = Table::new([
        "model",
        "n",
        "sources",
        "steps",
        "2^n",
        "may calls",
        "must calls",
        "of bound",
        "must/may",
        "may hits",
        "must hits",
        "s",
    ]);
    let mut stars = Table::new([
        "model",
        "n",
        "steps",
        "2^n",
        "may calls",
        "3^n",
        "must calls",
        "of bound",
        "must/may",
        "hits",
        "s",
    ]);
    let (mut worst, mut worst_starred, mut n_rows) = (0.0f64, 0.0f64, 0);
    for family in ALL.iter().filter(|family| family.name.contains(filter)) {
        for n in 2..=MOST {
            let (cost, seconds) = timed(|| measure(family, n, limit, false));
            worst = worst.max(cost.ratio());
            n_rows += 1;
            bits.row(bit_row(family.name, n, &cost, seconds));
            let (cost, seconds) = timed(|| measure(family, n, limit, true));
            worst_starred = worst_starred.max(cost.ratio());
            stars.row(star_row(family.name, n, &cost, seconds));
        }
    }
    if n_rows > 0 {
        bits.print(
            "Predicate abstraction: solver calls against 2^n for each step, summed up over the sources",
        );
        println!("  Must costs at most {worst:.2} times may in calls; the aim is at most {AIM}.");
        stars.print(
            "Cartesian abstraction of the same sources: may by the union law, must with stars against 3^n",
        );
        println!(
            "  Must with stars costs at most {worst_starred:.2} times may in calls; the aim is at most {AIM}."
        );
    }
}

/// Calls as a share of what the bound allows.
fn share(calls: u64, steps: u64, bound: f64) -> String {
    if steps == 0 { "-".into() } else { format!("{:.2} %", 100.0 * calls as f64 / (steps as f64 * bound)) }
}

fn seconds_cell(seconds: f64, cost: &Cost) -> String {
    if cost.stopped.is_some() { format!(">{seconds:.1}") } else { format!("{seconds:.2}") }
}

/// Calls, and if no source was finished, how many there were in the first one until it was stopped.
fn calls_cell(calls: u64, cost: &Cost, part: usize) -> String {
    match cost.stopped.map(|unfinished| unfinished[part]) {
        Some(unfinished) if cost.n_sources == 0 => format!(">{unfinished}"),
        _ => calls.to_string(),
    }
}

fn bit_row(name: &str, n: usize, cost: &Cost, seconds: f64) -> [String; 12] {
    let bound = 2f64.powi(n as i32);
    [
        name.into(),
        n.to_string(),
        cost.n_sources.to_string(),
        cost.n_steps.to_string(),
        format!("{bound:.0}"),
        calls_cell(cost.may.n_calls, cost, 0),
        cost.must.n_calls.to_string(),
        share(cost.may.n_calls + cost.must.n_calls, cost.n_steps, 2.0 * bound),
        format!("{:.2}", cost.ratio()),
        cost.may.n_hits().to_string(),
        cost.must.n_hits().to_string(),
        seconds_cell(seconds, cost),
    ]
}

fn star_row(name: &str, n: usize, cost: &Cost, seconds: f64) -> [String; 11] {
    let (may_bound, must_bound) = (2f64.powi(n as i32), 3f64.powi(n as i32));
    [
        name.into(),
        n.to_string(),
        cost.n_steps.to_string(),
        format!("{may_bound:.0}"),
        calls_cell(cost.may.n_calls, cost, 0),
        format!("{must_bound:.0}"),
        calls_cell(cost.must_calls(), cost, 1),
        share(cost.must_calls(), cost.n_steps, must_bound),
        format!("{:.2}", cost.ratio()),
        (cost.may.n_hits() + cost.must.n_hits() + cost.starred.n_hits()).to_string(),
        seconds_cell(seconds, cost),
    ]
}

/// The cost of the first sources, up to the last that was finished within the limit.
fn measure(family: &Family, n: usize, limit: Duration, stars: bool) -> Cost {
    let free = Context::default();
    let model = program(&free, &(family.text)(n));
    let predicates = predicates(&model, family, n);
    let context = Context::new(Limits { time: Some(limit), ..Limits::default() }, Cancel::default());
    let mut abstraction = PredicateAbstraction::new(&model.program, predicates, Prover::new(Z3::new()));
    let mut cost = Cost::default();
    if search(&context, &mut abstraction, stars, &mut cost).is_err() {
        let now = abstraction.statistics();
        let between = cost.before_stars.unwrap_or(now);
        cost.stopped = Some([between.since(&cost.finished).n_calls, now.since(&between).n_calls]);
    }
    cost
}

/// The first n predicates of a family.
fn predicates(model: &Model, family: &Family, n: usize) -> Precision {
    let list: String = (family.predicates)(n).iter().map(|predicate| format!("{predicate};\n")).collect();
    let list = model.predicates(&Source::new("predicates", list)).expect("the predicates are of the program");
    let mut predicates = Precision::new();
    for (term, _) in list {
        assert!(
            predicates.add(&model.program, term, LocId::ANYWHERE),
            "predicates of {} differ",
            family.name
        );
    }
    predicates
}

fn program(context: &Context, text: &str) -> Model {
    match read(context, &Source::new("program", text)) {
        Ok((model, _)) => model,
        Err(complaints) => panic!("the families are programs: {complaints:?}"),
    }
}

fn search(
    context: &Context,
    abstraction: &mut PredicateAbstraction<'_>,
    stars: bool,
    cost: &mut Cost,
) -> Result<(), StopReason> {
    let mut queue: VecDeque<AbstractState> =
        abstraction.initial(context)?.into_iter().map(|(state, _)| state).collect();
    cost.finished = abstraction.statistics();
    let mut seen: Vec<AbstractState> = queue.iter().cloned().collect();
    while let Some(state) = queue.pop_front()
        && cost.n_sources < SOURCES
    {
        let (before, musts_before) = (abstraction.statistics(), abstraction.must_statistics());
        let successors = abstraction.successors(context, &state)?;
        let all = abstraction.statistics().since(&before);
        let must = abstraction.must_statistics().since(&musts_before);
        let before = abstraction.statistics();
        cost.before_stars = Some(before);
        if stars {
            for (command, targets) in &successors {
                abstraction.cartesian_musts(context, &state, *command, targets)?;
            }
        }
        cost.starred += abstraction.statistics().since(&before);
        cost.finished = abstraction.statistics();
        cost.before_stars = None;
        cost.n_sources += 1;
        cost.n_steps += successors.len() as u64;
        cost.must += must;
        cost.may += all.since(&must);
        for (_, targets) in successors {
            for target in targets.may {
                // More will not be looked at.
                if seen.len() < SOURCES && !seen.contains(&target) {
                    seen.push(target.clone());
                    queue.push_back(target);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_a_program_with_enough_different_predicates() {
        for family in &ALL {
            let cost = measure(family, 2, Duration::from_secs(60), true);
            assert!(cost.stopped.is_none() && cost.n_steps > 0, "{}", family.name);
            let model = program(&Context::default(), &(family.text)(MOST));
            assert_eq!(predicates(&model, family, MOST).len(), MOST, "{}", family.name);
        }
    }

    #[test]
    fn calls_stay_within_the_bounds() {
        for family in &ALL {
            for n in 2..=4 {
                let cost = measure(family, n, Duration::from_secs(60), true);
                let (may, must) = (cost.may.n_calls, cost.must.n_calls);
                assert!(may <= cost.n_steps << n, "{} with {n}: {may} calls for may", family.name);
                assert!(must <= cost.n_steps << n, "{} with {n}: {must} calls for must", family.name);
                let starred = must + cost.starred.n_calls;
                assert!(starred <= cost.n_steps * 3u64.pow(n as u32), "{} with {n}: {starred}", family.name);
            }
        }
    }
}
