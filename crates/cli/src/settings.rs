//! Arguments turned into settings, once, with everything checked that can be checked without reading files.

use crate::args::{CheckArgs, DiagramArgs, LimitArgs, ReadingArgs, SearchArgs};
use crate::failure::Failure;
use crate::input::{PropertySource, read_text};
use crate::write::keep_apart;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tertium_check::Record;
use tertium_evidence::DocumentKind;
use tertium_report::Detail;
use tertium_support::{Context, Limits};
use tertium_verify::{
    Chosen, Formats, Machine, NO_PROPERTY, Options, ReadOptions, SearchOptions, SymbolicOptions, Tables,
    Taken, VacuityCheck,
};

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

/// What `check` does.
#[derive(Clone, Debug)]
pub(crate) struct CheckSettings {
    /// The systems and models.
    pub(crate) files: Vec<PathBuf>,
    /// How they are read.
    pub(crate) read: ReadOptions,
    /// The properties.
    pub(crate) properties: Vec<PropertySource>,
    /// Which properties of a file are checked.
    pub(crate) chosen: Chosen,
    /// How questions are answered, but for texts that stand in files.
    pub(crate) options: Options,
    /// The file with predicates to start with.
    pub(crate) predicates: Option<PathBuf>,
    /// The file that the predicates at the end go to.
    pub(crate) save_predicates: Option<PathBuf>,
    /// The file with the order of the variables to start with.
    pub(crate) order: Option<PathBuf>,
    /// The file that the order at the end goes to.
    pub(crate) write_order: Option<PathBuf>,
    /// Where files go that say the same as an answer, each with the option that asks for it.
    pub(crate) documents: Vec<(DocumentKind, &'static str, PathBuf)>,
    /// Where all answers go as one object.
    pub(crate) output: Option<PathBuf>,
    /// How answers are shown.
    pub(crate) style: Style,
    /// Whether counters and times are shown.
    pub(crate) statistics: bool,
    pub(crate) summaries: bool,
    /// The seed.
    pub(crate) seed: u64,
    /// The limits.
    pub(crate) limits: Limits,
    /// How long each property may take.
    pub(crate) time_each: Option<Duration>,
    /// How much work each property may take.
    pub(crate) work_each: Option<u64>,
}

impl TryFrom<&CheckArgs> for CheckSettings {
    type Error = Failure;

    fn try_from(args: &CheckArgs) -> Result<Self, Failure> {
        let (formulas, files) = args.files.iter().cloned().partition(|path| Formats::are_formulas(path));
        let given = args.properties.iter().map(|argument| PropertySource::new(argument));
        let settings = Self {
            files,
            read: ReadOptions { unknown_names: args.allow_unknown_names, ..args.reading.options() },
            properties: given.chain(Vec::into_iter(formulas).map(PropertySource::File)).collect(),
            chosen: Chosen { names: args.symbolic.name.clone(), indices: args.symbolic.index.clone() },
            options: options(args),
            predicates: args.refinement.predicates.clone(),
            save_predicates: args.refinement.save_predicates.clone(),
            order: args.symbolic.diagrams.order.clone(),
            write_order: args.symbolic.write_order.clone(),
            documents: documents(args),
            output: args.output.clone(),
            style: style(args),
            statistics: args.stats,
            summaries: args.summaries,
            seed: args.seed,
            limits: Limits { work: args.work, ..limits(&args.limits) },
            work_each: args.work_each,
            time_each: args.time_each,
        };
        settings.fit().map(|()| settings)
    }
}

/// How questions are answered.
fn options(args: &CheckArgs) -> Options {
    Options {
        engine: Some(args.engine.clone()).filter(|name| name != "auto"),
        semantics: args.semantics,
        record: if args.no_evidence { Record::Values } else { Record::Moves },
        validate: !args.no_validate,
        vacuity: match (args.strict, args.no_vacuity || args.quiet) {
            (true, _) => VacuityCheck::Full,
            (false, false) => VacuityCheck::Cheap,
            // A warning that is not printed need not be found.
            (false, true) => VacuityCheck::Off,
        },
        states: args.states,
        iterations: args.refinement.iterations,
        depth: args.refinement.depth,
        guards: !args.search.no_guards,
        predicates: None,
        search: search_options(&args.search),
        symbolic: SymbolicOptions {
            give_order: args.symbolic.write_order.is_some(),
            ..symbolic_options(&args.symbolic.diagrams)
        },
        documents: documents(args).into_iter().map(|(kind, ..)| kind).collect(),
        used: used(args),
    }
}

/// Files that are wanted besides answers.
fn documents(args: &CheckArgs) -> Vec<(DocumentKind, &'static str, PathBuf)> {
    let all = [
        (DocumentKind::Picture, "--dot", &args.dot),
        (DocumentKind::Witness, "--witness", &args.witness),
        (DocumentKind::Harness, "--harness", &args.harness),
        (DocumentKind::Clauses, "--emit-horn", &args.emit_horn),
    ];
    all.into_iter().filter_map(|(kind, flag, path)| Some((kind, flag, path.clone()?))).collect()
}

/// The options that were given and that not every engine takes.
fn used(args: &CheckArgs) -> Vec<(&'static str, Taken)> {
    let diagrams = &args.symbolic.diagrams;
    let search = &args.search;
    let all = [
        (args.states.is_some(), "--states", Taken::States),
        (args.refinement.iterations != Options::default().iterations, "--iterations", Taken::Iterations),
        (args.refinement.depth.is_some(), "--depth", Taken::Depth),
        (args.refinement.predicates.is_some(), "--predicates", Taken::Predicates),
        (args.refinement.save_predicates.is_some(), "--save-predicates", Taken::Predicates),
        (search.no_guards, "--no-guards", Taken::Guards),
        (search.depth_first, "--depth-first", Taken::Search),
        (search.by_location, "--by-location", Taken::Search),
        (search.light, "--light", Taken::Search),
        (search.values_after != SearchArgs::default().values_after, "--values-after", Taken::Search),
        (search.inputs != SearchArgs::default().inputs, "--inputs", Taken::Search),
        (search.threads != SearchArgs::default().threads, "--threads", Taken::Search),
        (diagrams.nodes.is_some(), "--nodes", Taken::Nodes),
        (diagrams.whole_model, "--whole-model", Taken::Order),
        (diagrams.keep_order, "--keep-order", Taken::Order),
        (diagrams.order.is_some(), "--order", Taken::Order),
        (args.symbolic.write_order.is_some(), "--write-order", Taken::Order),
        (args.dot.is_some(), "--dot", Taken::Dot),
    ];
    all.into_iter().filter(|(is_used, ..)| *is_used).map(|(_, flag, taken)| (flag, taken)).collect()
}

impl CheckSettings {
    /// Refuses what does not fit together.
    fn fit(&self) -> Result<(), Failure> {
        if self.files.is_empty() {
            return Err(Failure::Usage("these are files of formulas; name a model as well".to_owned()));
        }
        let one_file = self.files.len() == 1;
        let single = [
            ("--save-predicates", self.save_predicates.is_some()),
            ("--order", self.order.is_some()),
            ("--write-order", self.write_order.is_some()),
        ];
        if let Some((flag, _)) = single.into_iter().find(|(_, is_used)| *is_used && !one_file) {
            return Err(Failure::Usage(format!("{flag} is for one file")));
        }
        if let Some((_, flag, _)) = self.documents.first() {
            if !one_file {
                return Err(Failure::Usage(format!("{flag} is for one file")));
            }
            if self.properties.len() > 1 {
                return Err(Failure::Usage(format!("{flag} is about one property")));
            }
        }
        if self.properties.is_empty() && !self.have_properties() {
            return Err(Failure::Usage(NO_PROPERTY.to_owned()));
        }
        self.keep_inputs()
    }

    /// Whether every file can have properties of its own, as far as its name tells. Of several, none is answered in vain.
    fn have_properties(&self) -> bool {
        let formats = Tables::default().formats;
        self.files.iter().filter_map(|path| formats.by_name(path)).all(|format| format.has_properties)
    }

    /// Refuses outputs that are inputs or each other. Predicates and orders may be read and written back.
    fn keep_inputs(&self) -> Result<(), Failure> {
        let properties = self.properties.iter().filter_map(PropertySource::file);
        let inputs = self.files.iter().map(PathBuf::as_path).chain(properties);
        let documents = self.documents.iter().map(|(_, flag, path)| (*flag, Some(path.as_path())));
        let own = [
            ("--save-predicates", self.save_predicates.as_deref()),
            ("--write-order", self.write_order.as_deref()),
            ("--output", self.output.as_deref()),
        ];
        let outputs: Vec<(&str, Option<&Path>)> = documents.chain(own).collect();
        keep_apart(&outputs, inputs)?;
        // What is written back may replace what it was read from, but nothing else.
        let mut read: Vec<Option<&Path>> = vec![None; self.documents.len()];
        read.extend([self.predicates.as_deref(), self.order.as_deref()]);
        for (at, &output) in outputs.iter().enumerate() {
            let others =
                read.iter().enumerate().filter(|(other, _)| *other != at).filter_map(|(_, path)| *path);
            keep_apart(&[output], others)?;
        }
        Ok(())
    }

    /// How questions are answered, with the texts that stand in files.
    pub(crate) fn read_options(&self, context: &Context) -> Result<Options, Failure> {
        let mut options = self.options.clone();
        let read = |path: &Option<PathBuf>| path.as_ref().map(|path| read_text(context, path)).transpose();
        options.predicates = read(&self.predicates)?;
        options.symbolic.order = read(&self.order)?;
        Ok(options)
    }

    /// The settings that matter for an answer, for the report.
    pub(crate) fn report(&self) -> Map<String, Value> {
        let millis =
            |time: Option<Duration>| time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let set = self.read.parameters.iter().map(|own| (own.name.clone(), json!(own.value)));
        let entries = [
            ("semantics", json!(self.options.semantics.word())),
            ("engine", json!(self.options.engine.as_deref().unwrap_or("auto"))),
            ("modal", json!(self.read.modal)),
            ("set", Value::Object(set.collect())),
            ("time_limit_ms", json!(millis(self.limits.time))),
            ("time_each_ms", json!(millis(self.time_each))),
            ("work_limit", json!(self.limits.work)),
            ("work_each", json!(self.work_each)),
            ("memory_limit_bytes", json!(self.limits.memory)),
            ("states_limit", json!(self.options.states)),
            ("iterations_limit", json!(self.options.iterations)),
            ("depth_limit", json!(self.options.depth)),
            ("seed", json!(self.seed)),
        ];
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

impl ReadingArgs {
    /// How files are read.
    pub(crate) fn options(&self) -> ReadOptions {
        let machine = Machine { data_model: self.data_model, integers: self.integers };
        let parameters = self.set.clone();
        ReadOptions { modal: self.modal, parameters, machine, ..ReadOptions::default() }
    }
}

/// How programs are searched.
pub(crate) fn search_options(args: &SearchArgs) -> SearchOptions {
    SearchOptions {
        depth_first: args.depth_first,
        by_location: args.by_location,
        light: args.light,
        values_after: Some(args.values_after).filter(|&rounds| rounds > 0),
        inputs: args.inputs,
        threads: args.threads,
    }
}

/// How models become decision diagrams, but for an order in a file.
pub(crate) fn symbolic_options(args: &DiagramArgs) -> SymbolicOptions {
    SymbolicOptions {
        nodes: args.nodes,
        keep_order: args.keep_order,
        whole_model: args.whole_model,
        order: None,
        give_order: false,
    }
}

/// The limits of a run.
pub(crate) fn limits(args: &LimitArgs) -> Limits {
    Limits { time: args.time, memory: args.memory, ..Limits::default() }
}

/// How much of the evidence is printed.
pub(crate) fn detail(full: bool) -> Detail {
    if full { Detail::Full } else { Detail::Screen }
}

fn style(args: &CheckArgs) -> Style {
    match (args.json && args.output.is_none(), args.quiet) {
        (true, _) => Style::Json(detail(args.full)),
        (false, true) => Style::Quiet,
        (false, false) => Style::Text(detail(args.full)),
    }
}
