//! Arguments turned into settings, once, with everything checked that can be checked without reading files.

use crate::args::{CheckArgs, DiagramArgs, EngineArg, LimitArgs, SearchArgs, SemanticsArg};
use crate::failure::Failure;
use crate::input::{MODAL_MODEL, PropertySource};
use crate::write::refuse_overwriting;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use tertium_check::{Record, Semantics};
use tertium_report::Detail;
use tertium_search::InputSettings;
use tertium_support::Limits;

/// Which engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// The one that fits the file.
    Auto,
    /// Decision diagrams.
    Symbolic,
    /// Propagation and parity games.
    Explicit,
    /// Abstraction by predicates.
    Predicate,
    /// Abstraction by predicates that can be left open.
    Cartesian,
    /// Concrete search that matches states by predicates.
    Search,
    /// Direct evaluation.
    Naive,
}

/// How an answer is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Verdicts and evidence.
    Text(Detail),
    /// Verdicts only.
    Quiet,
    /// One object at the end.
    Json(Detail),
}

impl Style {
    /// How much of the evidence is shown.
    pub(crate) fn detail(self) -> Detail {
        match self {
            Style::Text(detail) | Style::Json(detail) => detail,
            Style::Quiet => Detail::Screen,
        }
    }
}

/// What becomes of names that the system does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnknownNames {
    /// The formula is refused.
    Refused,
    /// The user is warned.
    Allowed,
}

/// Whether evidence is checked before it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validation {
    /// By the independent validator.
    On,
    /// Not at all.
    Off,
}

/// What becomes of true properties of models that are vacuous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VacuityWarnings {
    /// Nobody looks.
    Off,
    /// The user is warned, as far as it is cheap to find out.
    On,
    /// They count like false ones, whatever it takes to find out.
    Strict,
}

/// Which specifications of a file are checked; none named means all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    /// Those with these names.
    pub(crate) names: Vec<String>,
    /// Those with these numbers, from 1.
    pub(crate) indices: Vec<usize>,
}

impl Chosen {
    /// Whether some are named at all.
    pub(crate) fn is_everything(&self) -> bool {
        self.names.is_empty() && self.indices.is_empty()
    }
}

/// How models are checked symbolically.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolicSettings {
    /// The most nodes.
    pub(crate) nodes: Option<usize>,
    /// Whether the order stays as it is at first.
    pub(crate) keep_order: bool,
    /// Whether every property is checked on the whole model.
    pub(crate) whole_model: bool,
    /// The file with the order to start with.
    pub(crate) order: Option<PathBuf>,
    /// The file that the order at the end goes to.
    pub(crate) write_order: Option<PathBuf>,
}

impl From<&DiagramArgs> for SymbolicSettings {
    fn from(args: &DiagramArgs) -> Self {
        Self {
            nodes: args.nodes,
            keep_order: args.keep_order,
            whole_model: args.whole_model,
            order: args.order.clone(),
            write_order: None,
        }
    }
}

/// How models of guarded commands are searched by matching states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SearchSettings {
    /// Whether the state found last is followed first.
    pub(crate) depth_first: bool,
    /// Whether predicates count where they are needed only.
    pub(crate) by_location: bool,
    /// Whether the solver is left alone.
    pub(crate) light: bool,
    /// Whether atoms of guards are predicates from the start, here and in abstractions.
    pub(crate) guards: bool,
    /// After how many rounds values become predicates.
    pub(crate) values_after: Option<usize>,
    /// Which values of inputs are tried.
    pub(crate) inputs: InputSettings,
    /// How many threads.
    pub(crate) threads: usize,
}

impl From<&SearchArgs> for SearchSettings {
    fn from(args: &SearchArgs) -> Self {
        Self {
            depth_first: args.depth_first,
            by_location: args.by_location,
            light: args.light,
            guards: !args.no_guards,
            values_after: Some(args.values_after).filter(|&rounds| rounds > 0),
            inputs: args.inputs,
            threads: args.threads,
        }
    }
}

impl SearchSettings {
    /// Whether anything but the usual was asked for that other engines do not have.
    fn is_about_search(&self) -> bool {
        let usual = Self { guards: self.guards, ..Self::from(&SearchArgs::default()) };
        *self != usual
    }
}

/// What `check` does.
#[derive(Clone, Debug)]
pub(crate) struct CheckSettings {
    /// The systems.
    pub(crate) files: Vec<PathBuf>,
    /// Whether labels of `.aut` files carry modalities.
    pub(crate) modal: bool,
    /// The properties.
    pub(crate) properties: Vec<PropertySource>,
    /// Which semantics.
    pub(crate) semantics: Semantics,
    /// Which engine.
    pub(crate) engine: Engine,
    /// Whether evidence is collected.
    pub(crate) record: Record,
    /// Whether evidence is validated.
    pub(crate) validation: Validation,
    /// What becomes of unknown names.
    pub(crate) unknown_names: UnknownNames,
    /// How answers are shown.
    pub(crate) style: Style,
    /// Whether counters and times are shown.
    pub(crate) statistics: bool,
    /// Which specifications of a file are checked.
    pub(crate) chosen: Chosen,
    /// How models are checked symbolically.
    pub(crate) symbolic: SymbolicSettings,
    /// How many states of models of guarded commands are looked at.
    pub(crate) states: Option<usize>,
    /// The file with predicates to start with.
    pub(crate) predicates: Option<PathBuf>,
    /// The file that the predicates at the end go to.
    pub(crate) save_predicates: Option<PathBuf>,
    /// How many rounds of refinement.
    pub(crate) iterations: usize,
    /// How many predicates a question about a target looks at together.
    pub(crate) depth: Option<usize>,
    /// How models of guarded commands are searched.
    pub(crate) search: SearchSettings,
    /// Where the evidence is drawn.
    pub(crate) dot: Option<PathBuf>,
    /// What becomes of vacuous properties of models.
    pub(crate) vacuity: VacuityWarnings,
    /// The seed.
    pub(crate) seed: u64,
    /// The limits.
    pub(crate) limits: Limits,
}

impl TryFrom<&CheckArgs> for CheckSettings {
    type Error = Failure;

    fn try_from(args: &CheckArgs) -> Result<Self, Failure> {
        let settings = Self {
            files: args.files.clone(),
            modal: args.reading.modal,
            properties: args.properties.iter().map(|argument| PropertySource::new(argument)).collect(),
            semantics: semantics(args.semantics),
            engine: engine(args.engine),
            record: if args.no_evidence { Record::Values } else { Record::Moves },
            validation: if args.no_validate { Validation::Off } else { Validation::On },
            unknown_names: if args.allow_unknown_names {
                UnknownNames::Allowed
            } else {
                UnknownNames::Refused
            },
            style: style(args),
            statistics: args.stats,
            chosen: Chosen { names: args.symbolic.name.clone(), indices: args.symbolic.index.clone() },
            symbolic: SymbolicSettings {
                write_order: args.symbolic.write_order.clone(),
                ..SymbolicSettings::from(&args.symbolic.diagrams)
            },
            states: args.states,
            predicates: args.refinement.predicates.clone(),
            save_predicates: args.refinement.save_predicates.clone(),
            iterations: args.refinement.iterations,
            depth: args.refinement.depth,
            search: SearchSettings::from(&args.search),
            dot: args.dot.clone(),
            vacuity: match (args.strict, args.no_vacuity || args.quiet) {
                (true, _) => VacuityWarnings::Strict,
                (false, false) => VacuityWarnings::On,
                // A warning that is not printed need not be found.
                (false, true) => VacuityWarnings::Off,
            },
            seed: args.seed,
            limits: limits(&args.limits),
        };
        settings.fit().map(|()| settings)
    }
}

impl CheckSettings {
    /// Refuses what does not fit together.
    fn fit(&self) -> Result<(), Failure> {
        let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
        let (programs, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.files.iter().partition(|file| is_gcl(file));
        let (models, systems): (Vec<&PathBuf>, Vec<&PathBuf>) =
            others.into_iter().partition(|file| is_smv(file));
        let diagrams = !programs.is_empty() && self.engine == Engine::Symbolic;
        if diagrams && self.semantics == Semantics::Thorough {
            return usage("--engine symbolic has --semantics sis and ris for .gcl models");
        }
        if diagrams && self.dot.is_some() {
            return usage("--engine symbolic gives no evidence of .gcl models that --dot could draw");
        }
        if !programs.is_empty() && self.modal {
            return usage(MODAL_MODEL);
        }
        if programs.is_empty() && self.states.is_some() {
            return usage(STATES_ELSEWHERE);
        }
        let others = self.files.len() > programs.len();
        if others && matches!(self.engine, Engine::Predicate | Engine::Cartesian | Engine::Search) {
            return usage("--engine predicate, cartesian and search are for .gcl models");
        }
        if self.depth.is_some() && self.engine != Engine::Cartesian {
            return usage("--depth is for --engine cartesian");
        }
        if programs.is_empty() && (self.predicates.is_some() || self.save_predicates.is_some()) {
            return usage("--predicates and --save-predicates are about .gcl models");
        }
        if self.save_predicates.is_some() && self.files.len() > 1 {
            return usage("--save-predicates is for one .gcl model");
        }
        if self.search.is_about_search() && !matches!(self.engine, Engine::Search | Engine::Auto) {
            return usage(
                "--depth-first, --by-location, --light, --values-after, --inputs and --threads are for --engine search",
            );
        }
        if programs.is_empty() && (self.search.is_about_search() || !self.search.guards) {
            return usage("searching by predicates is for .gcl models");
        }
        if self.engine == Engine::Search && self.semantics != Semantics::Sis {
            return usage("--semantics is about what is left open, and --engine search leaves nothing open");
        }
        let abstracts = matches!(self.engine, Engine::Predicate | Engine::Cartesian);
        if !programs.is_empty() && abstracts && self.semantics == Semantics::Thorough {
            return usage("--engine predicate and --engine cartesian have --semantics sis and ris");
        }
        if self.properties.is_empty() && !systems.is_empty() {
            return usage(
                "there is no property to check: give a formula with -p FORMULA, or a file with -p @FILE",
            );
        }
        if !systems.is_empty() && self.engine == Engine::Symbolic {
            return usage(
                "the symbolic engine checks .smv models; transition systems have --engine explicit and naive",
            );
        }
        if !systems.is_empty() && !self.chosen.is_everything() {
            return usage("--name and --index choose specifications of models; other files have none");
        }
        if !models.is_empty() && self.engine == Engine::Naive {
            return usage(
                "the naive engine evaluates transition systems; .smv models have --engine symbolic and explicit",
            );
        }
        if !models.is_empty() && self.semantics != Semantics::Sis {
            return usage("--semantics is about partial systems; .smv models leave nothing open");
        }
        if !models.is_empty() && self.modal {
            return usage(MODAL_MODEL);
        }
        let symbolic = &self.symbolic;
        let ordered = symbolic.order.is_some() || symbolic.write_order.is_some();
        if ordered && (models.len() != 1 || self.files.len() != 1) {
            return usage("--order and --write-order are for one .smv model");
        }
        if models.is_empty() && (symbolic.keep_order || symbolic.whole_model) {
            return usage("--keep-order and --whole-model are about the diagrams of .smv models");
        }
        if models.is_empty() && symbolic.nodes.is_some() && !diagrams {
            return usage(
                "--nodes is about decision diagrams: of .smv models, and of .gcl models with --engine symbolic",
            );
        }
        if self.vacuity == VacuityWarnings::Strict && (models.is_empty() || self.engine == Engine::Explicit) {
            return usage("--strict is for .smv models that are checked symbolically");
        }
        if self.engine == Engine::Naive && self.semantics == Semantics::Thorough {
            return usage(
                "the naive engine evaluates --semantics sis and ris; thorough semantics has one engine only",
            );
        }
        if self.dot.is_some() && (self.files.len() > 1 || self.properties.len() > 1) {
            return usage("--dot draws the evidence of one property on one file");
        }
        if self.dot.is_some() && self.engine == Engine::Naive {
            return usage("the naive engine gives no evidence that --dot could draw");
        }
        self.keep_inputs()
    }

    /// Refuses outputs that are inputs. Predicates may be read and written back.
    fn keep_inputs(&self) -> Result<(), Failure> {
        let properties = self.properties.iter().filter_map(PropertySource::file);
        let inputs = self.files.iter().map(PathBuf::as_path).chain(properties);
        let outputs = [
            ("--dot", &self.dot),
            ("--save-predicates", &self.save_predicates),
            ("--write-order", &self.symbolic.write_order),
        ];
        outputs.into_iter().try_for_each(|(option, output)| match output {
            Some(output) => refuse_overwriting(option, output, inputs.clone()),
            None => Ok(()),
        })
    }

    /// Engine and semantics in a few words.
    pub(crate) fn engine_text(&self) -> String {
        let engine = match self.engine {
            Engine::Auto | Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
            Engine::Predicate => "predicate",
            Engine::Cartesian => "cartesian",
            Engine::Search => "search",
            Engine::Naive => "naive",
        };
        match self.semantics {
            Semantics::Sis => engine.to_owned(),
            Semantics::Ris | Semantics::Thorough => format!("{engine}, {}", self.semantics_word()),
        }
    }

    fn semantics_word(&self) -> &'static str {
        match self.semantics {
            Semantics::Sis => "sis",
            Semantics::Ris => "ris",
            Semantics::Thorough => "thorough",
        }
    }

    /// The settings that matter for an answer, for the report.
    pub(crate) fn report(&self) -> Map<String, Value> {
        let engine = match self.engine {
            Engine::Auto if self.files.iter().all(|file| is_smv(file)) => "symbolic",
            Engine::Auto if self.files.iter().any(|file| is_smv(file) || is_gcl(file)) => "auto",
            Engine::Auto | Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
            Engine::Predicate => "predicate",
            Engine::Cartesian => "cartesian",
            Engine::Search => "search",
            Engine::Naive => "naive",
        };
        let entries = [
            ("semantics", json!(self.semantics_word())),
            ("engine", json!(engine)),
            ("modal", json!(self.modal)),
            (
                "time_limit_ms",
                json!(self.limits.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))),
            ),
            ("memory_limit_bytes", json!(self.limits.memory)),
            ("states_limit", json!(self.states)),
            ("iterations_limit", json!(self.iterations)),
            ("depth_limit", json!(self.depth)),
            ("seed", json!(self.seed)),
        ];
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Why `--states` is refused beside other files.
pub(crate) const STATES_ELSEWHERE: &str = "--states is about .gcl models";

/// Whether a file is a model in the SMV language.
pub(crate) fn is_smv(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("smv"))
}

/// Whether a file is a model of guarded commands.
pub(crate) fn is_gcl(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gcl"))
}

/// The limits of a run.
pub(crate) fn limits(args: &LimitArgs) -> Limits {
    Limits { time: args.time, memory: args.memory, ..Limits::default() }
}

/// How much of the evidence is printed.
pub(crate) fn detail(full: bool) -> Detail {
    if full { Detail::Full } else { Detail::Screen }
}

fn semantics(arg: SemanticsArg) -> Semantics {
    match arg {
        SemanticsArg::Sis => Semantics::Sis,
        SemanticsArg::Ris => Semantics::Ris,
        SemanticsArg::Thorough => Semantics::Thorough,
    }
}

fn engine(arg: EngineArg) -> Engine {
    match arg {
        EngineArg::Auto => Engine::Auto,
        EngineArg::Explicit => Engine::Explicit,
        EngineArg::Symbolic => Engine::Symbolic,
        EngineArg::Predicate => Engine::Predicate,
        EngineArg::Cartesian => Engine::Cartesian,
        EngineArg::Search => Engine::Search,
        EngineArg::Naive => Engine::Naive,
    }
}

fn style(args: &CheckArgs) -> Style {
    match (args.json, args.quiet) {
        (true, _) => Style::Json(detail(args.full)),
        (false, true) => Style::Quiet,
        (false, false) => Style::Text(detail(args.full)),
    }
}
