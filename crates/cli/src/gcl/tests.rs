//! Tests of models of guarded commands: found by a search, written as the user's values, and replayed by the interpreter.

use super::refining::{given, search_settings};
use super::{Loaded, load};
use crate::args::{CoverArg, TestsArgs};
use crate::board::{print_json, result_word};
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{read_file, text};
use crate::run::Run;
use crate::settings::SearchSettings;
use serde_json::{Map, json};
use std::path::Path;
use tertium_abstraction::{AbstractState, Predicates};
use tertium_expr::{BigInt, Value};
use tertium_front_gcl::Model;
use tertium_program::{Domain, Interpreter, Program, State, check_run};
use tertium_refine::cause_of;
use tertium_report::{
    CoverageReport, Message, SCHEMA, SearchRound, TestReport, TestStep, TestsReport, ToolInfo,
    UntakenCommand, WrittenTests,
};
use tertium_search::{
    Answer, Cover, Ending, Scope, Suite, Test, Written, search_with_refinement, starting_predicates, suite,
};
use tertium_solve::{Prover, Z3};
use tertium_support::{Context, Id, Source};
use tertium_truth::Cause;

/// Tests of a model, with the status that says whether they cover it.
pub(crate) fn find_tests(run: &Run, args: &TestsArgs) -> Result<(TestsReport, Status), Failure> {
    let (source, model, warnings) = load(&run.context, &args.file)?;
    run.output.complaints(&source, &warnings);
    let program = &model.program;
    let settings = search_settings(&SearchSettings::from(&args.search), args.states, args.iterations);
    let mut precision = starting_predicates(program, program.terms.boolean(true), &settings);
    let given = given(&run.context, &model, args.predicates.as_ref())?;
    let named = program.propositions.values().flat_map(|&term| program.terms.atoms_of(term));
    for atom in named.chain(given.iter()) {
        precision.add(program, Written::new(&program.terms, atom), Scope::Everywhere);
    }
    let mut prover = Prover::new(Z3::new());
    let answer = search_with_refinement(&run.context, program, None, precision, &settings, &mut prover);
    let cover = match args.cover {
        CoverArg::States => Cover::States,
        CoverArg::Steps => Cover::Steps,
    };
    if answer.ending == Ending::Exact && answer.last().n_visits() == 0 {
        return Err(Failure::Input(format!("{} has no initial state", args.file.display())));
    }
    // What was found before a limit is worth writing, so from here on none counts.
    let mut suite = suite(&Context::default(), &answer, cover)?;
    if args.longest {
        suite.keep_longest();
    }
    let writer = Writer { source: &source, model: &model, answer: &answer };
    for (number, test) in suite.tests.iter().enumerate() {
        check_run(program, &test.run, program.terms.boolean(true)).map_err(|flaw| {
            Failure::Bug(format!("the interpreter does not replay test {}: {flaw:?}", number + 1))
        })?;
    }
    let (status, cause) = match answer.ending {
        Ending::Exact => (Status::True, None),
        Ending::Open(reason) => (Status::Unknown, Some(cause_of(reason))),
        Ending::Reached(_) => (Status::Unknown, Some(Cause::Iterations)),
    };
    let report = TestsReport {
        schema: SCHEMA,
        tool: ToolInfo::default(),
        command: "tests",
        file: args.file.display().to_string(),
        predicates: writer.predicates(),
        tests: suite.tests.iter().map(|test| writer.test(test)).collect(),
        coverage: writer.coverage(&suite),
        rounds: rounds(&answer),
        messages: warnings.iter().map(|warning| Message::located(&source, warning)).collect(),
        result: result_word(status, cause),
        exit_status: status.code(),
    };
    Ok((report, status))
}

/// The rounds of a search in numbers.
fn rounds(answer: &Answer<'_>) -> Vec<SearchRound> {
    let round = |iteration: &tertium_search::Iteration| SearchRound {
        concrete: iteration.n_concrete,
        abstract_states: iteration.n_abstract,
        new_predicates: iteration.added.len(),
        queries: iteration.counted.queries,
        hits: iteration.counted.hits,
    };
    answer.iterations.iter().map(round).collect()
}

struct Writer<'a> {
    source: &'a Source,
    model: &'a Model,
    answer: &'a Answer<'a>,
}

impl Writer<'_> {
    fn program(&self) -> &Program {
        &self.model.program
    }

    fn predicates(&self) -> Vec<String> {
        let terms = &self.program().terms;
        self.answer.precision.iter().map(|own| terms.print(own.term).to_string()).collect()
    }

    fn values(&self, state: &State) -> Map<String, serde_json::Value> {
        let pairs = self.program().variables().iter().zip(&state.0);
        pairs
            .map(|(own, value)| (self.program().terms.name(own.variable), json!(value.to_string())))
            .collect()
    }

    fn line(&self, command: usize) -> usize {
        self.source.line_column(self.model.commands[command].guard_span.start).0
    }

    fn test(&self, test: &Test) -> TestReport {
        let program = self.program();
        let terms = &program.terms;
        let control = program.variables().iter().filter(|own| own.role == tertium_program::Role::Control);
        let control = control
            .zip(&test.covers.control)
            .map(|(own, value)| format!("{} = {value}", terms.name(own.variable)));
        let last = test.run.last();
        let predicates = self.answer.precision.active(program, last).into_iter().map(|number| {
            let term = self.answer.precision.get(number).term;
            let literal = if test.covers.bits.contains(number) { term } else { terms.not(term) };
            terms.print(literal).to_string()
        });
        let mut seen_through = Predicates::new();
        self.answer.precision.iter().for_each(|own| {
            seen_through.add(program, own.term);
        });
        let title = AbstractState::of(&Interpreter::new(program), &seen_through, last);
        TestReport {
            covers: control.chain(predicates).collect(),
            title: title.describe(program, &seen_through),
            round: test.round + 1,
            start: self.values(&test.run.start),
            steps: test
                .run
                .steps
                .iter()
                .map(|step| TestStep {
                    command: step.command.index() + 1,
                    line: self.line(step.command.index()),
                    action: program.commands()[step.command.index()].action.clone(),
                    way: step.step + 1,
                    inputs: step.inputs.iter().map(ToString::to_string).collect(),
                    state: self.values(&step.state),
                })
                .collect(),
        }
    }

    fn coverage(&self, suite: &Suite) -> CoverageReport {
        let own = &suite.coverage;
        let untaken =
            own.commands.iter().enumerate().filter(|(_, taken)| **taken == 0).map(|(n, _)| UntakenCommand {
                command: n + 1,
                line: self.line(n),
                action: self.program().commands()[n].action.clone(),
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
            never_true: without(&|n| own.seen_true.contains(n)),
            never_false: without(&|n| own.seen_false.contains(n)),
        }
    }
}

/// Runs written tests on a model.
pub(crate) fn replay_tests(run: &Run, model: &Path, tests: &Path, json: bool) -> Result<Status, Failure> {
    let (source, model, warnings): Loaded = load(&run.context, model)?;
    run.output.complaints(&source, &warnings);
    let name = tests.display().to_string();
    let written = text(name.clone(), read_file(&run.context, tests)?)?;
    let read: WrittenTests = serde_json::from_str(written.text())
        .map_err(|error| Failure::Input(format!("{name} is no file of tests: {error}")))?;
    if !read.is_ours() {
        return Err(Failure::Input(format!("{name} is no file of tests of this version")));
    }
    let mut failures = Vec::new();
    for (number, test) in read.tests.iter().enumerate() {
        run.context.poll()?;
        if let Err(why) = replay(&model.program, test) {
            failures.push((number + 1, why));
        }
    }
    let status = if failures.is_empty() { Status::True } else { Status::False };
    let n_passed = read.tests.len() - failures.len();
    if json {
        let failures: Vec<_> =
            failures.iter().map(|(test, why)| json!({ "test": test, "reason": why })).collect();
        let report = json!({
            "schema": SCHEMA,
            "tool": ToolInfo::default(),
            "command": "tests",
            "tests": read.tests.len(),
            "passed": n_passed,
            "failures": failures,
            "result": result_word(status, None),
            "exit_status": status.code(),
        });
        print_json(&run.output, &report);
    } else {
        let lines: String = failures.iter().map(|(test, why)| format!("TEST {test}  {why}\n")).collect();
        let n = read.tests.len();
        run.output.result(&format!(
            "{lines}REPLAY  {n_passed} of {n} tests pass\nRESULT: {}\n",
            result_word(status, None)
        ));
    }
    Ok(status)
}

/// Runs one test; on a difference, says where.
fn replay(program: &Program, test: &TestReport) -> Result<(), String> {
    let interpreter = Interpreter::new(program);
    let mut state = state(program, &test.start).map_err(|why| format!("start: {why}"))?;
    if !interpreter.is_initial(&state) {
        return Err("start: the model does not begin there".to_owned());
    }
    for (n, step) in test.steps.iter().enumerate() {
        let at = |why: &str| format!("step {}, [{}]: {why}", n + 1, step.action);
        let command = step.command.checked_sub(1).and_then(|n| program.commands().get(n));
        let command = command.filter(|command| command.action == step.action);
        let command = command.ok_or_else(|| at("the model has no such command"))?;
        let way = step.way.checked_sub(1).and_then(|n| command.steps.get(n));
        let way = way.filter(|way| way.inputs.len() == step.inputs.len());
        let way = way.ok_or_else(|| at("the command has no such way"))?;
        let inputs = way.inputs.iter().zip(&step.inputs).map(|(input, text)| value(&input.domain, text));
        let inputs: Result<Vec<Value>, String> = inputs.collect();
        let inputs = inputs.map_err(|why| at(&why))?;
        let next = interpreter.take(&state, way, &inputs).ok_or_else(|| at("it is not enabled"))?;
        let expected = self::state(program, &step.state).map_err(|why| at(&why))?;
        if next != expected {
            let pairs = program.variables().iter().zip(next.0.iter().zip(&expected.0));
            let differing = pairs.filter(|(_, (has, wanted))| has != wanted);
            let texts: Vec<String> = differing
                .map(|(own, (has, wanted))| {
                    format!("{} is {has} instead of {wanted}", program.terms.name(own.variable))
                })
                .collect();
            return Err(at(&texts.join(", ")));
        }
        state = next;
    }
    Ok(())
}

fn state(program: &Program, values: &Map<String, serde_json::Value>) -> Result<State, String> {
    if let Some(other) = values
        .keys()
        .find(|&name| program.variables().iter().all(|own| program.terms.name(own.variable) != *name))
    {
        return Err(format!("the model has no variable {other}"));
    }
    let own = program.variables().iter().map(|own| {
        let name = program.terms.name(own.variable);
        let text = values.get(&name).and_then(|value| value.as_str());
        text.ok_or_else(|| format!("there is no value for {name}")).and_then(|text| value(&own.domain, text))
    });
    own.collect::<Result<Box<[Value]>, String>>().map(State)
}

/// A value as it is printed.
fn value(domain: &Domain, text: &str) -> Result<Value, String> {
    let value = match domain {
        Domain::Bool => text.parse().ok().map(Value::Bool),
        Domain::Int | Domain::Range(..) => text.parse::<BigInt>().ok().map(Value::Int),
        Domain::Enumeration(of) => {
            let index = of.values.iter().position(|name| name == text);
            index.map(|index| Value::Constant { of: std::sync::Arc::clone(of), index })
        }
    };
    value.filter(|value| domain.has(value)).ok_or_else(|| format!("{text} is no value of {domain}"))
}
