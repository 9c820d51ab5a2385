//! Tests of models that are programs: found by a search, and written in the user's values.

mod missing;
mod writer;

use crate::check::read;
use crate::engines::abstraction::read_given;
use crate::{Halt, Model, OffersProgram, Request};
use missing::{Missing, look_for};
use tertium_explore::check_run;
use tertium_refine::cause_of;
use tertium_report::{Message, SCHEMA, TestsReport, ToolInfo};
use tertium_search::{Cover, Ending, Scope, Written, search_with_refinement, starting_predicates, suite};
use tertium_solve::{Prover, Z3};
use tertium_support::{Context, Diagnostics, Source};
use tertium_truth::{Cause, Verdict};
use writer::Writer;

/// What is wanted of tests.
#[derive(Clone, Copy, Debug)]
pub struct TestsOptions {
    /// What has a test of its own.
    pub cover: Cover,
    /// Whether tests that are the beginning of another are left out.
    pub longest: bool,
}

/// Tests of a model.
#[derive(Clone, Debug)]
pub struct TestsFound {
    /// The tests as a record; whoever ends the run sets its exit status.
    pub report: TestsReport,
    /// Whether everything is covered that can be reached.
    pub verdict: Verdict,
    /// What is suspicious about the file.
    pub warnings: Option<(Source, Diagnostics)>,
}

/// The program of a model, which is what tests are made of.
fn program(model: &dyn Model) -> Result<&dyn OffersProgram, Halt> {
    model.program().ok_or_else(|| Halt::Usage("tests are made of .gcl models".to_owned()))
}

/// Finds tests.
pub fn find_tests(request: &Request<'_>, options: &TestsOptions) -> Result<TestsFound, Halt> {
    let (model, warnings) = read(request)?;
    let offer = program(model.as_ref())?;
    let program = offer.program();
    let mut settings = request.options.search_settings();
    if options.cover == Cover::Branches {
        // States that are matched by guards show most branches; the others are looked for one by one.
        settings.iterations = 1;
    }
    let mut precision = starting_predicates(program, program.terms.boolean(true), &settings);
    let given = read_given(request.options, offer)?;
    let named = program.propositions.values().flat_map(|&term| program.terms.atoms_of(term));
    for atom in named.chain(given.iter().copied()) {
        precision.add(program, Written::new(&program.terms, atom), Scope::Everywhere);
    }
    let mut prover = Prover::new(Z3::new());
    let answer = search_with_refinement(request.context, program, None, precision, &settings, &mut prover);
    let file = model.source().name();
    if answer.ending.is_complete() && answer.last().n_visits() == 0 {
        return Err(Halt::Refused(format!("{file} has no initial state")));
    }
    // What was found before a limit is worth writing, so from here on none counts.
    let mut suite = suite(&Context::default(), &answer, options.cover)?;
    let missing = match options.cover {
        Cover::Branches => look_for(request.context, program, request.options, &answer, &given, &mut suite)?,
        Cover::States | Cover::Steps => Vec::new(),
    };
    if options.longest {
        suite.keep_longest();
    }
    for (number, test) in suite.tests.iter().enumerate() {
        check_run(program, &test.run, program.terms.boolean(true)).map_err(|flaw| {
            Halt::Bug(format!("the interpreter does not replay test {}: {flaw}", number + 1))
        })?;
    }
    let open = missing.iter().find_map(|(_, why)| match why {
        Missing::Open(cause) => Some(*cause),
        Missing::Unreachable => None,
    });
    let verdict = match answer.ending {
        _ if options.cover == Cover::Branches => open.map_or(Verdict::True, Verdict::Unknown),
        Ending::Exact | Ending::AllStates => Verdict::True,
        Ending::Open(reason) => Verdict::Unknown(cause_of(reason)),
        Ending::Reached(_) => Verdict::Unknown(Cause::Iterations),
    };
    let writer = Writer { offer, answer: &answer, cover: options.cover };
    let report = TestsReport {
        schema: SCHEMA,
        tool: ToolInfo::default(),
        command: "tests",
        file: file.to_owned(),
        cover: match options.cover {
            Cover::Branches => "branches",
            Cover::States => "states",
            Cover::Steps => "steps",
        },
        predicates: writer.predicates(),
        tests: writer.tests(&suite),
        coverage: writer.coverage(&suite, &missing),
        rounds: writer.rounds(),
        messages: warnings.iter().map(|warning| Message::located(model.source(), warning)).collect(),
        result: verdict.to_string(),
        exit_status: 0,
    };
    let warnings = (!warnings.is_empty()).then(|| (model.source().clone(), warnings));
    Ok(TestsFound { report, verdict, warnings })
}
