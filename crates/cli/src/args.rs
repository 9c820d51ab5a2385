//! The command line as plain data. Nothing is decided here: `settings` turns it into what commands use.
//!
//! The doc comments are the help texts, the first sentence is what `-h` shows. Every long option is described in
//! docs/cli.md; a test compares.

use crate::choices::{
    COVER, DATA_MODELS, EQUIVALENCES, FORMATS, INTEGERS, QUERY, SEMANTICS, VACUITY, one_engine, one_of,
};
use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use tertium_check::Semantics;
use tertium_search::{Cover, InputSettings};
use tertium_support::{parse_count, parse_duration, parse_memory};
use tertium_system::format::SystemFormat;
use tertium_system::relation::Equivalence;
use tertium_verify::{DataModel, Integers, Parameter, QueryMethod, VacuityMethod};

/// The headings of options.
const ASKED: &str = "What is asked";
const HOW: &str = "How it is answered";
const ABSTRACTION: &str = "Abstraction of .gcl models";
const SEARCH: &str = "Search of .gcl models";
const DIAGRAMS: &str = "Decision diagrams";
const LIMITS: &str = "Limits";
const EVIDENCE: &str = "Evidence";
const OUTPUT: &str = "Output";

/// A three-valued model checker: it proves a temporal property, refutes it with evidence, or says what leaves it open.
#[derive(Clone, Debug, Parser)]
#[command(name = "tertium", version, max_term_width = 100, after_help = ROOT_EXAMPLES)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Whether verdicts and messages are coloured; `auto`: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorArg::Auto, help_heading = OUTPUT)]
    pub(crate) color: ColorArg,
}

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

const ROOT_EXAMPLES: &str = "\
Examples:
  tertium check peterson.gcl                     are its properties true? If not, see a run that shows it
  tertium check coffee.pts -p 'AG EF ready'      a system that leaves something open
  tertium vacuity arbiter.smv                    true for the right reason?
  tertium query arbiter.smv 'AG ?{req,ack}'      what is always so?
  tertium tests ticket.gcl -o tests.json         runs that cover a model
  tertium explain engines                        what an answer, a code or a word means

Exit status: 0 true, 10 false, 5 unknown, 1 usage, 2 wrong input, 6 a bug in Tertium.";

/// The commands.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Prove or refute temporal properties of models and systems
    Check(Box<CheckArgs>),
    /// Find the parts of properties that do not matter for their verdict
    Vacuity(Box<VacuityArgs>),
    /// Find what can stand for the placeholder `?` in a formula about a model
    Query(Box<QueryArgs>),
    /// Write tests of a .gcl model: runs that take every command and branch
    Tests(Box<TestsArgs>),
    /// Run a model step by step, at random or as you choose
    Simulate(Box<SimulateArgs>),
    /// Replay the runs that `check`, `tests` or `simulate` wrote, on the same model or a changed one; judge witnesses
    Replay(Box<ReplayArgs>),
    /// Look at, compare and convert transition systems
    #[command(subcommand)]
    Model(ModelCommand),
    /// Parity games
    #[command(subcommand)]
    Game(GameCommand),
    /// Explain a code, an exit status or a notion
    #[command(after_help = "Example:\n  tertium explain U-IMPRECISE")]
    Explain {
        /// A code such as U-TIME, an exit status such as 5, or a word; without it, the list of all
        code: Option<String>,
    },
    /// List the file formats, or describe one
    #[command(after_help = "Example:\n  tertium formats pts")]
    Formats {
        /// A format such as pts; without it, the list of all
        name: Option<String>,
    },
    /// Print the JSON Schema of what --json prints and --output writes
    #[command(after_help = "Example:\n  tertium schema > tertium.schema.json")]
    Schema,
    /// Print the manual page of the program, or of a command
    #[command(
        after_help = "Examples:\n  tertium man | man -l -\n  tertium man model minimise > tertium-model-minimise.1"
    )]
    Man {
        /// The command, such as check or model minimise
        command: Vec<String>,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  tertium completions bash > ~/.local/share/bash-completion/completions/tertium"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// What `check` takes.
#[derive(Clone, Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Systems, as .pts or .aut files, or models, as .smv or .gcl files; `-` for standard input; .mcf files have formulas
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// A formula, or @FILE or FILE.mcf to read formulas from a file; may be repeated
    ///
    /// Modal mu-calculus over states and actions, regular modalities and CTL; see `tertium formats formulas`. Every
    /// property is checked on every file. Of .smv and .gcl files all specifications are checked unless properties are given; those of
    /// .smv files are written in the language of the file, CTL or LTL, or with a keyword such as INVARSPEC before them.
    /// Of other files, a formula behind LTLSPEC is of linear time.
    #[arg(short, long = "property", value_name = "FORMULA", allow_hyphen_values = true, help_heading = ASKED)]
    pub(crate) properties: Vec<String>,

    /// Get more answers about systems that leave something open: how they are read
    ///
    /// Each is at least as precise as the one before, and costs more; see `tertium explain semantics`.
    #[arg(long, value_parser = one_of(SEMANTICS), default_value = "sis", help_heading = HOW)]
    pub(crate) semantics: Semantics,

    /// Ask one engine instead of all that fit; see `tertium explain engines`
    #[arg(long, value_parser = one_engine(), default_value = "auto", help_heading = HOW)]
    pub(crate) engine: String,

    /// Go through at most N states one by one, and leave open what lies beyond [default: 50000; as many as it takes with
    /// --engine auto, in a round of --engine search, and for .smv models]
    #[arg(long, value_name = "N", help_heading = HOW)]
    pub(crate) states: Option<usize>,

    #[command(flatten)]
    pub(crate) refinement: RefinementArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) symbolic: SymbolicArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Work for the whole run, in elementary steps such as 10M: the same in every run, on any machine [default: no limit]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = LIMITS)]
    pub(crate) work: Option<u64>,
    /// Work for each property
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = LIMITS)]
    pub(crate) work_each: Option<u64>,
    /// Wall time for each property; what one leaves over is shared out among the rest [default: its share of --time]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = LIMITS)]
    pub(crate) time_each: Option<Duration>,

    /// Seed of everything that is drawn at random; the same seed gives the same output
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = HOW)]
    pub(crate) seed: u64,

    /// Print one JSON object instead of text; see `tertium formats json`
    #[arg(long, conflicts_with = "quiet", help_heading = OUTPUT)]
    pub(crate) json: bool,
    /// See what an answer cost: states, nodes, questions to the solver, times
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) stats: bool,
    /// Print verdicts only: no evidence, no notes, no warnings
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
    /// Print all of the evidence, however long
    #[arg(long, help_heading = EVIDENCE)]
    pub(crate) full: bool,
    /// Print what holds at the entries and exits of the functions of a C program, where that is the proof
    #[arg(long, conflicts_with_all = ["no_evidence", "full"], help_heading = EVIDENCE)]
    pub(crate) summaries: bool,
    /// Write the result to this file, as JSON, and print the text; `tertium replay` reads it
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Draw the evidence into a DOT file; for one property on one file
    #[arg(long, value_name = "FILE", conflicts_with = "no_evidence", help_heading = EVIDENCE)]
    pub(crate) dot: Option<PathBuf>,
    /// Write what other verifiers of C programs can check, a witness in format 2.0; for one property on one file
    #[arg(long, value_name = "FILE", conflicts_with = "no_evidence", help_heading = EVIDENCE)]
    pub(crate) witness: Option<PathBuf>,
    /// Write a C program that runs into the error: compile it, run it, debug it; for one property on one file
    #[arg(long, value_name = "FILE", conflicts_with = "no_evidence", help_heading = EVIDENCE)]
    pub(crate) harness: Option<PathBuf>,
    /// Write the question about a C program as Horn clauses, for other solvers; for one property on one file
    #[arg(long, value_name = "FILE", help_heading = EVIDENCE)]
    pub(crate) emit_horn: Option<PathBuf>,

    /// Warn about names that the system does not have, instead of refusing the formula
    #[arg(long, help_heading = ASKED)]
    pub(crate) allow_unknown_names: bool,
    /// Save time and memory: verdicts without evidence
    #[arg(long, help_heading = EVIDENCE)]
    pub(crate) no_evidence: bool,
    /// Save time: do not have the evidence checked by the independent validator
    #[arg(long, help_heading = EVIDENCE)]
    pub(crate) no_validate: bool,
    /// Save time: do not look whether true properties are vacuous
    #[arg(long, help_heading = EVIDENCE)]
    pub(crate) no_vacuity: bool,
    /// Count a property that is vacuously true like a false one, and look for that as long as it takes
    #[arg(long, conflicts_with = "no_vacuity", help_heading = EVIDENCE)]
    pub(crate) strict: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  tertium check peterson.gcl                               guarded commands: all properties in the file
  tertium check ring.gcl --set N=5 --name mutex            one of them, with another constant
  tertium check arbiter.smv                                a model as NuSMV reads it
  tertium check arbiter.smv -p 'LTLSPEC G (req -> F ack)'  a property that is not in the file
  tertium check bit.aut live.mcf                           a system and formulas as mCRL2 has them
  tertium check coffee.pts -p 'AG EF ready'                a system that leaves something open
  tertium check coffee.pts -p 'EF bad' --semantics thorough --time 60s
  tertium check peterson.gcl --dot why.dot -o run.json     draw the evidence, and keep it for `replay`";

/// What `vacuity` takes.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  tertium vacuity m.smv\n  tertium vacuity m.smv -p 'AG (req -> AF ack)' --all\n\n\
    Exit status: 0 if every part of every property matters, 10 if some do not."
)]
pub(crate) struct VacuityArgs {
    /// The model, an .smv or .gcl file, or a system, as a .pts or .aut file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A formula, or @FILE to read one; may be repeated [default: those of the file]
    ///
    /// Of .smv files a formula of CTL or LTL, or an invariant; of other files any formula that `check` takes.
    #[arg(short, long = "property", value_name = "FORMULA", allow_hyphen_values = true, help_heading = ASKED)]
    pub(crate) properties: Vec<String>,
    /// How to find out
    #[arg(long, value_parser = one_of(VACUITY), default_value = "refine", help_heading = HOW)]
    pub(crate) method: VacuityMethod,
    /// Also list everything inside the parts that do not matter, and show for every atom that matters why it does
    #[arg(long, help_heading = EVIDENCE)]
    pub(crate) all: bool,
    /// Do not show why parts matter
    #[arg(long, help_heading = EVIDENCE)]
    pub(crate) no_evidence: bool,
    /// Print all of the evidence, however long
    #[arg(long, help_heading = EVIDENCE)]
    pub(crate) full: bool,
    /// Look at no more than N states of a .gcl model [default: 50000]
    #[arg(long, value_name = "N", help_heading = HOW)]
    pub(crate) states: Option<usize>,
    #[command(flatten)]
    pub(crate) diagrams: DiagramArgs,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What `query` takes.
#[derive(Clone, Debug, Args)]
#[command(after_help = QUERY_EXAMPLES)]
pub(crate) struct QueryArgs {
    /// The model, an .smv or .gcl file, or a system, as a .pts or .aut file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A formula with the placeholder `?` or `?{a,b}`, @FILE to read one from a file, or a shortcut such as :stable
    ///
    /// `?` is about all variables of a model, or all propositions of a system, `?{a,b}` about these. Shortcuts, each
    /// with or without variables in braces: :reachable, :stable, :invariants, :postdominators, :dominators(CONDITION),
    /// :summaries(CONDITION).
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(crate) query: String,

    /// How it is solved
    #[arg(long, value_parser = one_of(QUERY), default_value = "tlq", help_heading = HOW)]
    pub(crate) method: QueryMethod,
    /// Say which initial states have which solutions
    #[arg(long, conflicts_with = "some_initial", help_heading = ASKED)]
    pub(crate) per_initial: bool,
    /// Ask for solutions at some initial state, instead of at all of them
    #[arg(long, help_heading = ASKED)]
    pub(crate) some_initial: bool,
    /// Print at most so many lines of solutions, and with --per-initial so many groups of initial states
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = OUTPUT)]
    pub(crate) max: usize,
    /// Also write the solutions to this file, as comma-separated values
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) csv: Option<PathBuf>,
    /// Look at no more than N states of a .gcl model [default: 50000]
    #[arg(long, value_name = "N", help_heading = HOW)]
    pub(crate) states: Option<usize>,

    #[command(flatten)]
    pub(crate) diagrams: DiagramArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) result: ResultArgs,
    /// Also print what was counted
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) stats: bool,
}

const QUERY_EXAMPLES: &str = "\
Examples:
  tertium query m.smv 'EF AG ?'                     states that can be reached and are never left
  tertium query m.smv 'AG (req -> AF ?{ack,mode})'  what surely follows a request
  tertium query m.smv :stable --per-initial         which initial states lead to which stable state
  tertium query m.smv ':summaries(pc = done){x,y}'  input to output
  tertium query m.smv 'AF ?{p,q}' --method general  the strongest formulas over p and q

Exit status: 0 there is a solution, 10 there is none, 5 unknown, 1 usage, 2 wrong input, 6 a bug in Tertium.";

/// What `tests` takes.
#[derive(Clone, Debug, Args)]
#[command(after_help = TESTS_EXAMPLES)]
pub(crate) struct TestsArgs {
    /// The model, a .gcl file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What has a test of its own
    #[arg(long, value_parser = one_of(COVER), default_value = "branches", help_heading = ASKED)]
    pub(crate) cover: Cover,
    /// Leave out tests that are the beginning of another
    #[arg(long, help_heading = ASKED)]
    pub(crate) longest: bool,
    /// Tell states apart by the predicates in FILE too, each followed by `;`
    #[arg(long, value_name = "FILE", help_heading = HOW)]
    pub(crate) predicates: Option<PathBuf>,
    /// Follow no more than N states in a round [default: as many as the memory holds]
    #[arg(long, value_name = "N", help_heading = HOW)]
    pub(crate) states: Option<usize>,
    /// Search in no more than N rounds
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = HOW)]
    pub(crate) iterations: usize,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
    /// Print all tests, however many
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) full: bool,
}

/// Where a result goes.
#[derive(Clone, Debug, Args)]
pub(crate) struct ResultArgs {
    /// Print one JSON object instead of text; see `tertium formats json`
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) json: bool,
    /// Write the result to this file, as JSON, and print text about it
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
}

impl ResultArgs {
    /// Whether standard output has text.
    pub(crate) fn is_text(&self) -> bool {
        !self.json || self.output.is_some()
    }

    /// The command, if standard output has one object of it.
    pub(crate) fn json_of(&self, command: &'static str) -> Option<&'static str> {
        (!self.is_text()).then_some(command)
    }
}

const TESTS_EXAMPLES: &str = "\
Examples:
  tertium tests ticket.gcl                      runs that take each command and each branch
  tertium tests ticket.gcl -o ticket.json       the same into a file
  tertium replay new.gcl ticket.json            does another version behave alike?

Exit status: 0 every reachable abstract state is covered, 5 there may be more.";

/// What `simulate` takes.
#[derive(Clone, Debug, Args)]
#[command(after_help = SIMULATE_EXAMPLES)]
pub(crate) struct SimulateArgs {
    /// The model, an .smv or .gcl file, or a system, as a .pts or .aut file
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,
    /// Choose the steps by commands on standard input; `?` lists them
    #[arg(short, long, conflicts_with_all = ["steps", "json"], help_heading = HOW)]
    pub(crate) interactive: bool,
    /// Take N random steps, or as many as there are before a deadlock
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = HOW)]
    pub(crate) steps: usize,
    /// Seed of what is drawn at random; the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = HOW)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
    /// Print all of the run and of its states, however long
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) full: bool,
}

const SIMULATE_EXAMPLES: &str = "\
Examples:
  tertium simulate m.gcl --steps 20 --seed 7 -o run.json
  tertium simulate m.smv --interactive";

/// What `replay` takes.
#[derive(Clone, Debug, Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// The model: the one that was checked, or another version of it
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,
    /// What `check -o FILE`, `tests -o FILE` or `simulate -o FILE` wrote; or a witness of a C program, as `check --witness FILE` writes it
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Replay only the runs of the property called P; may be repeated
    #[arg(long = "name", value_name = "P", help_heading = ASKED)]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
    /// Print all of a run that does not fit, however long
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) full: bool,
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  tertium check m.gcl -o run.json        keep the answers, with every trace
  tertium replay m.gcl run.json          do the traces still fit?
  tertium replay new.gcl run.json --name mutex
  tertium replay prog.c witness.yml      is this witness right, whoever wrote it?

Exit status: 0 every run fits and still shows what it did, 10 some do not, 5 the proof of a witness was not found.";

/// How decision diagrams are made.
#[derive(Clone, Debug, Args)]
pub(crate) struct DiagramArgs {
    /// At most so many nodes of decision diagrams [default: as the memory allows]
    #[arg(long, value_name = "N", help_heading = DIAGRAMS)]
    pub(crate) nodes: Option<usize>,
    /// Ask the whole model, instead of the variables that an answer can depend on
    #[arg(long, help_heading = DIAGRAMS)]
    pub(crate) whole_model: bool,
    /// Keep the order of the variables as it is at first, instead of improving it on the way
    #[arg(long, help_heading = DIAGRAMS)]
    pub(crate) keep_order: bool,
    /// Take the order of the variables from this file, one name on each line
    #[arg(long, value_name = "FILE", help_heading = DIAGRAMS)]
    pub(crate) order: Option<PathBuf>,
}

/// What concerns models that are checked symbolically.
#[derive(Clone, Debug, Args)]
pub(crate) struct SymbolicArgs {
    /// Of an .smv file, check only the specification with this name; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "properties", help_heading = ASKED)]
    pub(crate) name: Vec<String>,
    /// Of an .smv file, check only the specification with this number, from 1; may be repeated
    #[arg(long, value_name = "N", conflicts_with = "properties", help_heading = ASKED)]
    pub(crate) index: Vec<usize>,
    #[command(flatten)]
    pub(crate) diagrams: DiagramArgs,
    /// Write the order of the variables at the end of the run to this file
    #[arg(long, value_name = "FILE", help_heading = DIAGRAMS)]
    pub(crate) write_order: Option<PathBuf>,
}

/// How files are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReadingArgs {
    /// Read labels may:a and must:a of .aut files as modalities
    #[arg(long, help_heading = ASKED)]
    pub(crate) modal: bool,
    /// Give a constant of a .gcl model another value; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = |text: &str| Parameter::given("--set", text),
        allow_hyphen_values = true, help_heading = ASKED)]
    pub(crate) set: Vec<Parameter>,
    /// How many bits the types of a .c program have [default: ilp32, or what a task file says]
    #[arg(long, value_name = "MODEL", ignore_case = true, value_parser = one_of(DATA_MODELS), help_heading = ASKED)]
    pub(crate) data_model: Option<DataModel>,
    /// What integers of .c programs are
    #[arg(long, value_name = "MODEL", default_value = "machine", value_parser = one_of(INTEGERS), help_heading = ASKED)]
    pub(crate) integers: Integers,
}

/// What a run may use.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Wall time for the whole run, such as 500ms, 60s, 5m, 1h [default: no limit]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = LIMITS)]
    pub(crate) time: Option<Duration>,
    /// Memory for the whole run, such as 512M, 4G or a number of bytes [default: nine tenths of the machine's]
    #[arg(long, value_name = "AMOUNT", value_parser = parse_memory, help_heading = LIMITS)]
    pub(crate) memory: Option<u64>,
}

/// How .gcl models are abstracted by predicates.
#[derive(Clone, Debug, Args)]
pub(crate) struct RefinementArgs {
    /// Start with the predicates in FILE too, each followed by `;`
    #[arg(long, value_name = "FILE", help_heading = ABSTRACTION)]
    pub(crate) predicates: Option<PathBuf>,
    /// Write the predicates of the last round to FILE
    #[arg(long, value_name = "FILE", help_heading = ABSTRACTION)]
    pub(crate) save_predicates: Option<PathBuf>,
    /// Refine in no more than N rounds
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = ABSTRACTION)]
    pub(crate) iterations: usize,
    /// With --engine cartesian, ask for the values of at most K predicates together after a step
    #[arg(long, value_name = "K", help_heading = ABSTRACTION)]
    pub(crate) depth: Option<usize>,
}

/// How .gcl models are searched.
#[derive(Clone, Debug, Args)]
pub(crate) struct SearchArgs {
    /// Follow the state that was found last, instead of the one that waits longest
    #[arg(long, help_heading = SEARCH)]
    pub(crate) depth_first: bool,
    /// Let predicates count only at the values of control variables where they are needed
    #[arg(long, help_heading = SEARCH)]
    pub(crate) by_location: bool,
    /// Take all predicates that could be needed and never ask the solver: finds errors, rarely proves anything
    #[arg(long, help_heading = SEARCH)]
    pub(crate) light: bool,
    /// Begin without the atoms of guards; for abstractions too
    #[arg(long, help_heading = SEARCH)]
    pub(crate) no_guards: bool,
    /// After N rounds that lost something at the same place, tell its values apart; 0: never
    #[arg(long, value_name = "N", default_value_t = VALUES_AFTER, help_heading = SEARCH)]
    pub(crate) values_after: usize,
    /// Which values of inputs are tried: auto, each, chosen, or each integer of a range such as -8..8
    ///
    /// `each`: one after the other; `chosen`: one for each combination of what predicates can say of them; `auto`: whichever are
    /// fewer. A range is for inputs with infinitely or too many values: then errors are found, and nothing is proved.
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = InputSettings::parse,
        allow_hyphen_values = true, help_heading = SEARCH)]
    pub(crate) inputs: InputSettings,
    /// Search with N threads; the answer does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=256), help_heading = SEARCH)]
    pub(crate) threads: usize,
}

const VALUES_AFTER: usize = 3;

impl Default for SearchArgs {
    fn default() -> Self {
        Self {
            depth_first: false,
            by_location: false,
            light: false,
            no_guards: false,
            values_after: VALUES_AFTER,
            inputs: InputSettings::default(),
            threads: 1,
        }
    }
}

/// What can be done with systems.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Print a system in the .pts format, or as a picture
    #[command(
        after_help = "Examples:\n  tertium model show ring.aut\n  tertium model show small.smv --reachable --dot | dot -Tsvg > small.svg"
    )]
    Show {
        #[command(flatten)]
        model: ModelArgs,
        /// Of an .smv model, list the reachable states; for small models
        #[arg(long)]
        reachable: bool,
        /// Of a .gcl model, list up to N states that a search finds, with their steps
        #[arg(long, value_name = "N")]
        reach: Option<usize>,
        /// Print a picture for Graphviz instead
        #[arg(long)]
        dot: bool,
    },
    /// Say which family a system belongs to, and what is true of it
    #[command(after_help = "Example:\n  tertium model classify m.pts --json")]
    Classify {
        #[command(flatten)]
        model: ModelArgs,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
    },
    /// Decide whether one system refines another
    ///
    /// Answers with the relation between the states, or with a formula that is true of the second and not of the first.
    #[command(after_help = "Example:\n  tertium model refines implementation.pts specification.pts")]
    Refines {
        /// The system that should refine
        #[arg(value_name = "A")]
        left: PathBuf,
        /// The system that should be refined
        #[arg(value_name = "B")]
        right: PathBuf,
        #[command(flatten)]
        reading: ReadingArgs,
        #[command(flatten)]
        limits: LimitArgs,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
        /// Print all of the relation, however long
        #[arg(long)]
        full: bool,
    },
    /// Merge equivalent states
    #[command(after_help = "Example:\n  tertium model minimise big.aut -o small.aut")]
    Minimise {
        #[command(flatten)]
        model: ModelArgs,
        #[command(flatten)]
        target: TargetArgs,
        /// When states are merged
        #[arg(long, value_parser = one_of(EQUIVALENCES), default_value = "bisimulation")]
        by: Equivalence,
    },
    /// Make a system monotone over its abstract domain
    #[command(after_help = "Example:\n  tertium model monotone m.pts -o closed.pts")]
    Monotone {
        #[command(flatten)]
        model: ModelArgs,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Decide whether a system has a concrete refinement at all
    ///
    /// Answers with a refinement, or with the must or label that rules every one out.
    #[command(after_help = "Example:\n  tertium model consistent m.pts")]
    Consistent {
        #[command(flatten)]
        model: ModelArgs,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
        /// Write the constructed refinement to this file
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Write a system in another format or as a system of another family
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert {
        #[command(flatten)]
        model: ModelArgs,
        #[command(flatten)]
        target: TargetArgs,
        /// The family of the result
        #[arg(long, value_enum)]
        to: Option<FamilyArg>,
    },
    /// Abstract a system along a relation between its states and abstract ones
    ///
    /// The relation is a text file with one line `concrete -> abstract` for each pair; every state needs at least one.
    #[command(after_help = "Example:\n  tertium model abstract m.pts --relation parity.txt -o abstract.pts")]
    Abstract {
        #[command(flatten)]
        model: ModelArgs,
        #[command(flatten)]
        target: TargetArgs,
        /// The file with the relation
        #[arg(long, value_name = "FILE")]
        relation: PathBuf,
    },
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  tertium model convert m.aut -o m.pts               the format is that of the name
  tertium model convert m.pts --format dot | dot -Tsvg > m.svg
  tertium model convert m.pts --to mixts -o g.pts    hyper-musts become single musts
  tertium model convert m.pts --to kmts -o k.pts     every must becomes a may as well";

/// One system.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelArgs {
    /// The system, a .pts or .aut file; of an .smv or .gcl model, its reachable states
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Where a system goes.
#[derive(Clone, Debug, Args)]
pub(crate) struct TargetArgs {
    /// Write to this file, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The format of the result [default: that of the file name, else that of the input]
    #[arg(long, value_parser = one_of(FORMATS))]
    pub(crate) format: Option<SystemFormat>,
}

/// Families that systems are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FamilyArg {
    /// Mixed: no hyper-musts, the same refinements
    Mixts,
    /// Kripke modal: every must is a may, the same refinements
    Kmts,
    /// Partial Kripke structure: transitions become labels
    Pks,
    /// Modal transition system: labels become actions
    Mts,
}

/// What can be done with games.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum GameCommand {
    /// Solve a parity game and print the solution in PGSolver's form
    #[command(after_help = "Example:\n  tertium game solve elevator.pg > elevator.sol")]
    Solve {
        /// The game, in PGSolver's format
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
        /// Also print what was counted, and times, on standard error (in JSON: in the object)
        #[arg(long)]
        stats: bool,
        /// Draw the game with winners and strategies into a DOT file
        #[arg(long, value_name = "FILE")]
        dot: Option<PathBuf>,
        /// Do not have the solution checked by the independent validator
        #[arg(long)]
        no_validate: bool,
        #[command(flatten)]
        limits: LimitArgs,
    },
}
