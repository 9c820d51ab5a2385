//! The systems on demand, the three steps and the pushdown reference agree.

use crate::random_programs::random_program;
use tertium_program::{PointId, ProcedureId};
use tertium_recursion::demand::{
    Activations, Diverging, Goal, Path, PathStep, Reaching, Side, StateId, Strategy, Summary, follow,
};
use tertium_recursion::finite::{FiniteProgram, Pushdown, ThreeSteps};
use tertium_support::{Context, Id};
use tertium_testkit::long_random_cases;

#[test]
fn reachability_is_the_same_on_demand_by_three_steps_and_by_pushdown() {
    let context = Context::default();
    let (mut smaller, mut some, mut nontrivial) = (0, 0, 0);
    let run = long_random_cases(3000, |rng| {
        let icfg = random_program(rng);
        let program = FiniteProgram::new(&context, &icfg).expect("the program is finite");
        let (three, pushdown, exact) = (ThreeSteps::new(&program), Pushdown::new(&program), program.exact());
        for _ in 0..2 {
            let point = PointId::new(rng.below(icfg.points().len()));
            let is_goal = |state: usize| program.states_at(point).contains(&state);
            let expected = three.reaching(is_goal);
            assert_eq!(expected, pushdown.reaching(is_goal), "three steps and pushdown");
            nontrivial += usize::from(expected.iter().any(|&is| !is));
            for side in [Side::Must, Side::May] {
                let reaching = Reaching::solve(&context, &exact, &Goal::at(&exact, &[point]), side)
                    .expect("there is no limit");
                for (state, &expected) in expected.iter().enumerate() {
                    assert_eq!(reaching.contains(StateId::new(state)), expected, "state {state}");
                }
                let (part, whole) = compare(&program, &three, &reaching.summaries());
                some += usize::from(part > 0);
                smaller += usize::from(part < whole);
                check_paths(&program, &reaching, is_goal);
            }
        }
    });
    run.enough(smaller >= run.share(3000), (smaller, some, nontrivial));
    run.enough(some >= run.share(1000) && nontrivial >= run.share(1000), (smaller, some, nontrivial));
}

#[test]
fn non_termination_is_the_same_on_demand_by_three_steps_and_by_pushdown() {
    let context = Context::default();
    let (mut smaller, mut some, mut both, mut deeper, mut nested) = (0, 0, 0, 0, 0);
    let run = long_random_cases(3000, |rng| {
        let icfg = random_program(rng);
        let program = FiniteProgram::new(&context, &icfg).expect("the program is finite");
        let (three, pushdown, exact) = (ThreeSteps::new(&program), Pushdown::new(&program), program.exact());
        let expected = three.diverging();
        assert_eq!(expected, pushdown.diverging(), "three steps and pushdown");
        both += usize::from(expected.contains(&true) && expected.contains(&false));
        for side in [Side::Must, Side::May] {
            let diverging = Diverging::solve(&context, &exact, side).expect("there is no limit");
            for (state, &expected) in expected.iter().enumerate() {
                assert_eq!(diverging.contains(StateId::new(state)), expected, "state {state}");
            }
            let (part, whole) = compare(&program, &three, &diverging.summaries());
            some += usize::from(part > 0);
            smaller += usize::from(part < whole);
            let (mut goes_deeper, mut jumps) = (false, false);
            for start in diverging.states().filter_map(|state| diverging.from_state(state)) {
                let path = follow(&diverging, start);
                assert!(path.cycle.is_some_and(|at| at < path.steps.len()), "a run in NT comes back");
                check_path(&program, &diverging, &path);
                let mut cycle = path.steps[path.cycle.unwrap_or(0)..].iter();
                goes_deeper |= cycle.clone().any(|step| matches!(step, PathStep::Enter(_)));
                jumps |= cycle.any(|step| matches!(step, PathStep::Over { .. }));
            }
            deeper += usize::from(goes_deeper);
            nested += usize::from(jumps);
        }
    });
    run.enough(smaller >= run.share(1500) && some >= run.share(200), (smaller, some, both));
    run.enough(deeper >= run.share(300) && nested >= run.share(100), (deeper, nested));
}

#[test]
fn activations_are_what_can_be_reached() {
    let context = Context::default();
    long_random_cases(500, |rng| {
        let icfg = random_program(rng);
        let program = FiniteProgram::new(&context, &icfg).expect("the program is finite");
        let three = ThreeSteps::new(&program);
        let exact = program.exact();
        let activations = Activations::explore(&context, &exact).expect("there is no limit");
        let mut reached = vec![false; program.n_states()];
        let mut queue: Vec<usize> = program.initial().collect();
        while let Some(state) = queue.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                queue.extend(three.successors(state));
            }
        }
        for (state, reached) in reached.into_iter().enumerate() {
            assert_eq!(activations.reaches(StateId::new(state)), reached, "state {state}");
        }
        for (index, procedure) in icfg.procedures().iter().enumerate() {
            let full = three.summary(ProcedureId::new(index));
            for exit in program.states_at(procedure.exit) {
                let entries: Vec<usize> = activations.entries(StateId::new(exit)).map(Id::index).collect();
                // Control may also come back to an entry in a loop; that is no activation.
                let begins = |entry: usize| {
                    let entry = StateId::new(entry);
                    activations.entries(entry).any(|other| other == entry)
                };
                let expected = full.iter().filter(|&&(entry, to)| to == exit && begins(entry));
                assert_eq!(entries, expected.map(|&(entry, _)| entry).collect::<Vec<_>>());
            }
        }
    });
}

/// How many pairs the summaries have, and how many the full ones have. They are among these.
fn compare(program: &FiniteProgram<'_>, three: &ThreeSteps, summaries: &[Summary]) -> (usize, usize) {
    for summary in summaries {
        assert_eq!(summary.exits.len(), 1, "exact programs have exact summaries");
        let pair = (summary.entry.index(), summary.exits[0].index());
        assert!(three.summary(summary.procedure).contains(&pair), "summaries are parts of the full ones");
    }
    let procedures = ProcedureId::first(program.icfg().procedures().len());
    (summaries.len(), procedures.map(|id| three.summary(id).len()).sum())
}

fn check_paths(program: &FiniteProgram<'_>, reaching: &Reaching<'_>, is_goal: impl Fn(usize) -> bool) {
    for start in reaching.states().filter_map(|state| reaching.from_state(state)) {
        let path = follow(reaching, start);
        assert!(path.cycle.is_none(), "a path to the goal has an end");
        let end = check_path(program, reaching, &path);
        assert!(is_goal(end), "a path ends in the goal");
    }
}

/// Checks the steps of a path, those inside of calls too, and gives its end.
fn check_path(program: &FiniteProgram<'_>, strategy: &impl Strategy, path: &Path) -> usize {
    let mut at = path.start;
    for step in &path.steps {
        at = match *step {
            PathStep::Move(step) => {
                assert!(program.steps(at.index()).contains(&(step.edge, step.target.index())));
                step.target
            }
            PathStep::Enter(entering) => {
                let calls = program.calls(at.index()).iter();
                assert!(calls.flat_map(|(_, entries)| entries).any(|&entry| entry == entering.entry.index()));
                entering.entry
            }
            PathStep::Over { entering, inside, exit, target } => {
                let calls = program.calls(at.index());
                let edge = calls.iter().find(|(edge, entries)| {
                    entries.contains(&entering.entry.index())
                        && program.after_return(at.index(), *edge, exit.index()) == Some(target.index())
                });
                assert!(edge.is_some(), "the return is one of the call");
                let inside = follow(strategy, inside);
                assert!(inside.cycle.is_none(), "summaries are made of finite runs");
                assert_eq!(check_path(program, strategy, &inside), exit.index());
                target
            }
        };
    }
    at.index()
}

#[test]
fn the_printed_systems_are_wrong_now_and_then() {
    let context = Context::default();
    let (mut reach, mut diverge) = (0, 0);
    let run = long_random_cases(300, |rng| {
        let icfg = random_program(rng);
        let program = FiniteProgram::new(&context, &icfg).expect("the program is finite");
        let three = ThreeSteps::new(&program);
        let points: Vec<PointId> = PointId::first(icfg.points().len()).collect();
        let point = *rng.pick(&points);
        let is_goal = |state: usize| program.states_at(point).contains(&state);
        reach += usize::from(three.reaching(is_goal) != crate::printed::reaching(&program, is_goal));
        diverge += usize::from(three.diverging() != crate::printed::diverging(&program));
    });
    run.enough(reach + diverge >= run.share(10), (reach, diverge));
}
