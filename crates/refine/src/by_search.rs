//! Answers by concrete search.
//!
//! A search that finds the goal of a property shows its run. One that lost nothing has visited a system that is
//! bisimilar to the program \[PPV07\], with everything that the property speaks of seen by its predicates: every
//! property has the same value on both, so it is checked there. What was visited becomes an abstract system all of
//! whose steps must exist, which [`crate::recheck()`] confirms like any other. One that matched no two states has
//! visited all of them; the property is checked on these, and their steps are found once more from the program.

use crate::by_predicates::{Answer, Question};
use crate::goal::{begins_once, goal};
use crate::refinement::{AllStates, Refined, Round, Support, unless_limited};
use crate::visited::{seen_through, visited_system};
use tertium_check::{Prepared, check};
use tertium_evidence::{Assumption, Outcome, SearchRound};
use tertium_explore::cut_around;
use tertium_expr::Term;
use tertium_program::State;
use tertium_search::{Ending, Reason, Scope, Settings, Written, search_with_refinement, starting_predicates};
use tertium_solve::Prover;
use tertium_support::{Context, StopReason};
use tertium_system::PartialSystem;
use tertium_truth::{Cause, Verdict};

/// So many visits are looked at for what was seen of each proposition.
const MOST_LOOKED_AT: usize = 100_000;

/// Answers the question by a search. `prover` has to be new, or used for this program only.
pub fn decide_by_search<'p>(
    context: &Context,
    question: &Question<'p>,
    settings: &Settings,
    prover: Prover<'p>,
) -> Answer {
    let mut answer = Refined::open();
    let mut prover = prover;
    let result = search(context, question, settings, &mut prover, &mut answer);
    if let Err(reason) = result.and_then(|()| unless_limited(context, answer.outcome.verdict, ())) {
        answer.stop(reason);
    }
    answer.learnt.solver = prover.statistics();
    answer.learnt.hard.clone_from(prover.hard());
    answer
}

fn search<'p>(
    context: &Context,
    question: &Question<'p>,
    settings: &Settings,
    prover: &mut Prover<'p>,
    answer: &mut Answer,
) -> Result<(), StopReason> {
    let program = question.program;
    let goal = goal(program, question.formula, question.propositions);
    let mut precision = starting_predicates(program, program.terms.boolean(true), settings);
    let atoms = question.propositions.iter().flat_map(|(_, term)| program.terms.atoms_of(*term));
    for atom in atoms.chain(question.precision.iter().copied()) {
        precision.add(program, Written::new(&program.terms, atom), Scope::Everywhere);
    }
    let wanted = match goal {
        Some(goal) if goal.proves && !begins_once(context, program)? => None,
        goal => goal,
    };
    let term = wanted.map(|goal| goal.term);
    let found = search_with_refinement(context, program, term, precision, settings, prover);
    let machine = &found.machine;
    answer.learnt.precision = seen_through(program, &found.precision);
    answer.rounds = found.iterations.iter().map(round).collect();
    if matches!(found.ending, Ending::Open(_)) {
        let look = |(name, &term): (&String, &Term)| {
            let seen = found.seen(term, MOST_LOOKED_AT);
            (name.clone(), seen.holds.is_some(), seen.fails.is_some())
        };
        answer.learnt.seen = program.propositions.iter().map(look).collect();
    }
    answer.outcome = match (found.ending, wanted) {
        (Ending::Reached(visit), Some(goal)) => {
            answer.support = Support::Run((found.last().run_to(machine, visit), goal.term));
            Outcome::new(goal.shows(), Default::default())
        }
        (Ending::Exact | Ending::AllStates, _) if found.last().n_visits() == 0 => {
            let mut outcome = Outcome::new(Verdict::True, Default::default());
            outcome.assumptions.push(Assumption::NoInitialState);
            outcome
        }
        (Ending::Exact, _) => {
            let system = visited_system(machine, &found.precision, found.last(), question.propositions);
            let outcome = outcome(context, question, &system.system)?;
            answer.support = Support::Abstract(Box::new(system));
            outcome
        }
        (Ending::AllStates, _) => {
            let all = all_states(context, question, found.last())?;
            let outcome = outcome(context, question, &all.system)?;
            answer.support = Support::AllStates(Box::new(all));
            outcome
        }
        (Ending::Reached(_), None) => Outcome::unknown(Cause::Iterations),
        (Ending::Open(reason), _) => {
            answer.learnt.stopped_short = stopped_short(reason);
            // Without questions that it gave up on, the solver is not to blame.
            let unsettled = reason == Reason::Unsettled && prover.statistics().n_gave_up == 0;
            Outcome::unknown(if unsettled { Cause::Imprecise } else { cause_of(reason) })
        }
    };
    Ok(())
}

/// What a search stopped short of, where the cause alone does not tell.
fn stopped_short(reason: Reason) -> Option<&'static str> {
    match reason {
        Reason::Iterations | Reason::Stopped(_) => None,
        Reason::States => Some("a round came upon more states than it may follow"),
        Reason::Predicates => Some("there would be too many predicates"),
        Reason::TooManyInputs(_) => Some("inputs of a command have too many values to try them one by one"),
        Reason::Truncated => Some("not all values of inputs were tried"),
        Reason::Inputs => Some("the solver gave up where values of inputs were chosen"),
        Reason::InitialStates => Some("the solver gave up on the initial states"),
        Reason::Unsettled => {
            Some("states were matched that may differ, and no predicate was found that tells them apart")
        }
    }
}

/// Why the answer is unknown if a search stays open for this reason.
pub fn cause_of(reason: Reason) -> Cause {
    match reason {
        Reason::Iterations | Reason::Predicates => Cause::Iterations,
        Reason::Stopped(reason) => reason.into(),
        Reason::States | Reason::TooManyInputs(_) | Reason::Truncated => Cause::Bound,
        Reason::Inputs | Reason::InitialStates | Reason::Unsettled => Cause::Solver,
    }
}

fn round(iteration: &tertium_search::Iteration) -> Round {
    let searched = SearchRound {
        concrete: iteration.n_concrete,
        abstract_states: iteration.n_abstract,
        new_predicates: iteration.added.len(),
        queries: iteration.counted.queries,
        hits: iteration.counted.hits,
    };
    Round {
        n_states: iteration.n_abstract,
        n_steps: iteration.n_concrete,
        n_predicates: iteration.n_predicates,
        searched: Some(searched),
    }
}

/// The system of a round that visited all states.
fn all_states(
    context: &Context,
    question: &Question<'_>,
    round: &tertium_search::Round,
) -> Result<AllStates, StopReason> {
    let program = question.program;
    let visited: Vec<State> = (0..round.n_visits()).map(|visit| round.state(visit)).collect();
    let n_initial = (0..visited.len()).take_while(|&visit| round.parent(visit).is_none()).count();
    let states = cut_around(context, program, &visited, n_initial, true)?;
    debug_assert!(states.gaps.is_empty(), "a round that visited all states left some out");
    let system =
        states.to_system(program, question.propositions.iter().map(|(name, term)| (name.as_str(), *term)));
    Ok(AllStates { states, system })
}

fn outcome(
    context: &Context,
    question: &Question<'_>,
    system: &PartialSystem,
) -> Result<Outcome, StopReason> {
    let prepared = Prepared::new(context, system)?;
    let mut outcome = check(context, &prepared, question.formula, &tertium_check::Settings::default());
    // That states without stars do not overlap is no assumption; those that differ in stars differ in control.
    outcome.assumptions.retain(|assumption| *assumption != Assumption::FlatDomain);
    Ok(outcome)
}
