//! Explorations that are cut or stopped: what they found is there, and what it says definitely holds.

use crate::against_naive::{explored, read, start_of};
use crate::naive::explore;
use std::time::Duration;
use tertium_check::evaluate;
use tertium_explore::{BatchSizes, Exploration, Gap, Settings, reachable, reachable_within};
use tertium_program::Program;
use tertium_support::{Cancel, Context, Limits, StopReason};
use tertium_system::PartialSystem;
use tertium_testkit::{FormulaShape, random_cases, random_formula, random_gcl};
use tertium_truth::Belnap;

fn system(program: &Program, found: &Exploration) -> PartialSystem {
    found.to_system(program, program.propositions.iter().map(|(name, &term)| (name.as_str(), term)))
}

/// The value of a formula at all initial states together.
fn verdict(system: &PartialSystem, formula: &tertium_logic::Formula) -> Belnap {
    let values = evaluate(system, formula);
    let at: Vec<Belnap> = system.initial().iter().map(|&state| values.at(state)).collect();
    let order = [Belnap::Inconsistent, Belnap::False, Belnap::Unknown];
    order.into_iter().find(|value| at.contains(value)).unwrap_or(Belnap::True)
}

#[test]
fn what_an_exploration_with_states_that_were_not_followed_says_definitely_holds() {
    let mut n_definite = 0;
    let run = random_cases(150, |rng| {
        let text = random_gcl(rng);
        let program = read(&text);
        let whole = system(&program, &explored(&program, usize::MAX, usize::MAX, 1));
        let formula =
            random_formula(rng, &FormulaShape { depth: 4, fixpoints: 2, ..FormulaShape::default() });
        let truth = verdict(&whole, &formula);
        for (kept, followed) in [(usize::MAX, 1), (usize::MAX, rng.below(20)), (20, rng.below(20))] {
            let answer = verdict(&system(&program, &explored(&program, kept, followed, 2)), &formula);
            if answer != Belnap::Unknown {
                n_definite += 1;
                assert_eq!(answer, truth, "{kept} and {followed} states of\n{text}\n{formula}");
            }
        }
    });
    run.enough(n_definite > 20, format_args!("{n_definite}"));
}

#[test]
fn a_stopped_exploration_leaves_what_was_found() {
    let program = read("var x, y: int = 0;\n[a] true -> x := x + 1;\n[b] true -> y := y + 1;\n");
    for threads in [1, 2] {
        let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
        let settings = Settings { threads, sizes: BatchSizes::tiny(), ..Settings::default() };
        let context = Context::new(limits.clone(), Cancel::default());
        let found = reachable_within(&context, &program, &settings).expect("the initial state was found");
        assert_eq!(found.gaps, [Gap::Stopped(StopReason::TimeLimit)]);
        assert!(found.n_followed() < found.n_states());
        let right = explore(&program, start_of(&program, &found, 1), usize::MAX, found.n_followed().min(100));
        assert!(found.steps().zip(&right.steps).all(|(found, right)| found == *right));
        assert_eq!(found.steps().count(), 2 * found.n_followed());
        let whole = reachable(&Context::new(limits, Cancel::default()), &program, usize::MAX);
        assert_eq!(whole.map(|found| found.n_states()), Err(StopReason::TimeLimit));
    }
}

#[test]
fn states_and_steps_take_little_memory() {
    let program = read(
        "var x, y: 0..299 = 0;\n[a] x < 299 -> x := x + 1;\n[b] y < 299 -> y := y + 1;\n[c] x = y -> x := 0;\n",
    );
    let found = explored(&program, usize::MAX, usize::MAX, 1);
    assert_eq!(found.n_states(), 90_000);
    assert!(found.bytes() < (8 + 40) * found.n_states() + 12 * found.n_steps(), "{}", found.bytes());
}
