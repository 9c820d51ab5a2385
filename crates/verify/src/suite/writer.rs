//! Tests and what they cover, in the user's values.

use super::missing::Missing;
use crate::OffersProgram;
use crate::model::taken_name;
use serde_json::json;
use tertium_abstraction::AbstractState;
use tertium_program::{CommandId, Interpreter, LocId, Precision, Program, Role, State, StepTaken};
use tertium_report::{
    BranchReport, CoverageReport, PathReport, SearchRound, StateReport, StepReport, TestReport,
    UntakenCommand,
};
use tertium_search::{Answer, Branch, Cover, Iteration, Suite, Test};
use tertium_support::Id;

/// Writes what a search found.
pub(super) struct Writer<'a> {
    pub(super) offer: &'a dyn OffersProgram,
    pub(super) answer: &'a Answer<'a>,
    pub(super) cover: Cover,
}

impl Writer<'_> {
    fn program(&self) -> &Program {
        self.offer.program()
    }

    /// What abstract states are told apart by.
    pub(super) fn predicates(&self) -> Vec<String> {
        let terms = &self.program().terms;
        self.answer.precision.iter().map(|own| terms.print(own.term).to_string()).collect()
    }

    /// The rounds of the search in numbers.
    pub(super) fn rounds(&self) -> Vec<SearchRound> {
        let round = |iteration: &Iteration| SearchRound {
            concrete: iteration.n_concrete,
            abstract_states: iteration.n_abstract,
            new_predicates: iteration.added.len(),
            queries: iteration.counted.queries,
            hits: iteration.counted.hits,
        };
        self.answer.iterations.iter().map(round).collect()
    }

    fn state(&self, state: &State) -> StateReport {
        let pairs = self.program().variables().iter().zip(&state.0);
        let values =
            pairs.map(|(own, value)| (self.program().terms.name(own.variable), json!(value.to_string())));
        StateReport { name: String::new(), values: values.collect() }
    }

    fn line(&self, command: CommandId) -> usize {
        self.offer.step_name(command).line.unwrap_or(0)
    }

    fn action(&self, command: CommandId) -> String {
        self.program().commands()[command.index()].action.clone()
    }

    /// All tests. Those for branches say which ones they take first.
    pub(super) fn tests(&self, suite: &Suite) -> Vec<TestReport> {
        let interpreter = self.answer.machine.interpreter();
        let mut untaken: Vec<Branch> = suite.coverage.branches.iter().map(|(branch, _)| *branch).collect();
        let mut all = Vec::new();
        for test in &suite.tests {
            let mut report = self.test(test);
            if self.cover == Cover::Branches {
                let takes = |branch: &Branch| {
                    test.run.moves().any(|(before, step, _)| branch.is_taken(interpreter, before, step))
                };
                let (new, others): (Vec<Branch>, Vec<Branch>) = untaken.into_iter().partition(takes);
                untaken = others;
                report.covers = new.iter().map(|branch| self.branch(branch).to_string()).collect();
                report.title = report.covers.join("; ");
            }
            all.push(report);
        }
        all
    }

    /// A branch, as if nobody looked for runs that take it.
    fn branch(&self, branch: &Branch) -> BranchReport {
        let program = self.program();
        BranchReport {
            command: branch.command.index() + 1,
            line: self.line(branch.command),
            action: self.action(branch.command),
            way: branch.way + 1,
            ways: program.commands()[branch.command.index()].steps.len(),
            condition: branch.side.map(|(condition, _)| program.terms.print(condition).to_string()),
            holds: branch.side.map(|(_, holds)| holds),
            status: None,
            cause: None,
        }
    }

    fn test(&self, test: &Test) -> TestReport {
        let program = self.program();
        let terms = &program.terms;
        let control = program.variables().iter().filter(|own| own.role == Role::Control);
        let control = control
            .zip(&test.covers.control)
            .map(|(own, value)| format!("{} = {value}", terms.name(own.variable)));
        let last = test.run.last();
        let predicates = self.answer.precision.active(program, last).into_iter().map(|number| {
            let term = self.answer.precision.get(number).term;
            let literal = if test.covers.bits.contains(number) { term } else { terms.not(term) };
            terms.print(literal).to_string()
        });
        let mut seen_through = Precision::new();
        self.answer.precision.iter().for_each(|own| {
            seen_through.add(program, own.term, LocId::ANYWHERE);
        });
        let title = AbstractState::of(&Interpreter::new(program), &seen_through, last);
        TestReport {
            covers: control.chain(predicates).collect(),
            title: title.map_or_else(String::new, |title| title.describe(program, &seen_through)),
            round: test.round + 1,
            run: PathReport {
                states: test.run.states.iter().map(|state| self.state(state)).collect(),
                steps: test.run.steps.iter().map(|step| self.step(step)).collect(),
                loop_start: test.run.loop_start,
            },
        }
    }

    fn step(&self, step: &StepTaken) -> StepReport {
        StepReport { way: Some(step.step + 1), ..taken_name(self.offer, step).into() }
    }

    /// What all tests cover together.
    pub(super) fn coverage(&self, suite: &Suite, missing: &[(Branch, Missing)]) -> CoverageReport {
        let own = &suite.coverage;
        let untaken = own.commands.iter().enumerate().filter(|(_, taken)| **taken == 0).map(|(n, _)| {
            let command = CommandId::new(n);
            UntakenCommand { command: n + 1, line: self.line(command), action: self.action(command) }
        });
        let untaken_branches = own.branches.iter().filter(|(_, taken)| *taken == 0).map(|(branch, _)| {
            let mut report = self.branch(branch);
            match missing.iter().find(|(own, _)| own == branch).map(|(_, why)| why) {
                Some(Missing::Unreachable) => report.status = Some("unreachable"),
                Some(Missing::Open(cause)) => {
                    report.status = Some("open");
                    report.cause = Some(cause.code().to_owned());
                }
                None => {}
            }
            report
        });
        let predicates = self.predicates();
        let without = |is_seen: &dyn Fn(usize) -> bool| {
            let missing = predicates.iter().enumerate().filter(|(n, _)| !is_seen(*n));
            missing.map(|(_, text)| text.clone()).collect()
        };
        CoverageReport {
            abstract_states: own.n_states,
            complete: own.complete,
            commands: own.commands.len(),
            untaken: untaken.collect(),
            branches: own.branches.len(),
            untaken_branches: untaken_branches.collect(),
            never_true: without(&|n| own.seen_true.contains(n)),
            never_false: without(&|n| own.seen_false.contains(n)),
        }
    }
}
