//! Programs in C: `.c`, and `.i` for texts that went through the preprocessor.
//!
//! A program that has no property of its own is asked whether the error function can be called, or an assertion fails.

mod conditions;
mod documents;
mod doubts;
mod goal;
mod led;
mod linear;
mod meaning;
mod plain;
mod recorder;
mod runs;
mod shown;

use self::goal::{Asked, asked, plan};
use self::meaning::{Meaning, points_of, read_meaning};
use self::plain::{NoPlain, Plain, untied};
use self::recorder::RunNames;
use self::runs::Programs;
use crate::{
    Conditioned, DataModel, Format, Goal, Halt, Input, Integers, Led, Logic, Model, OffersExecution,
    OffersProcedures, OffersProgram, OffersSystem, OffersWitnesses, Posed, Preprocessing, Property,
    PropertyId, Read, ReadOptions,
};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use tertium_evidence::{
    Advice, Assumption, Change, Document, DocumentKind, Evidence, Names, PropertyName, Summaries,
};
use tertium_expr::Variable;
use tertium_front_c::ir::{self, Unit};
use tertium_front_c::lower::{
    Construct, Doubt, Granularity, InputOrigin, IntegerModel, LowerOptions, Lowered, lower,
};
use tertium_front_c::{needs_preprocessor, read};
use tertium_program::{EdgeId, Icfg, PointId, ProcedureId};
use tertium_recursion::{IcfgRun, Invariants};
use tertium_report::Comments;
use tertium_report::witness::{Witness, WitnessInvariant, WitnessTask, sha256};
use tertium_support::{Context, Diagnostic, Diagnostics, Id, Source, Span};

/// The row of the table.
pub(crate) const C: Format = Format {
    name: "c",
    title: "programs in C",
    extensions: &["c", "i"],
    has_properties: true,
    modal: false,
    has_parameters: false,
    preprocessing: Some(Preprocessing { is_needed: is_unprocessed, commands: preprocessors }),
    on_machine: true,
    written_as: "pts",
    looks_like: |_| false,
    read: read_c,
};

/// What the property of a program without property is called.
const NO_ERROR: &str = "no_error";
/// What it says.
const NO_ERROR_TEXT: &str = "AG !error";
/// The label of points where something begins that is not supported.
const UNSUPPORTED: &str = "unsupported";

fn is_unprocessed(bytes: &[u8]) -> bool {
    needs_preprocessor(&String::from_utf8_lossy(bytes))
}

/// The preprocessor of the machine's compiler. Where it has no headers for the data model, those of its own do with the sizes of
/// types changed.
fn preprocessors(options: &ReadOptions, folder: &Path) -> Vec<Vec<String>> {
    let folder = folder.to_string_lossy().into_owned();
    let folder = if folder.is_empty() { ".".to_owned() } else { folder };
    let sizes: &[&str] = match options.machine.data_model.unwrap_or(DataModel::Ilp32) {
        DataModel::Lp64 => &["-m64"],
        DataModel::Ilp32 => &["-m32"],
    };
    let changed: &[&str] = match options.machine.data_model.unwrap_or(DataModel::Ilp32) {
        DataModel::Lp64 => &[],
        DataModel::Ilp32 => &[
            "-U__LONG_MAX__",
            "-D__LONG_MAX__=2147483647L",
            "-U__SIZEOF_LONG__",
            "-D__SIZEOF_LONG__=4",
            "-U__SIZEOF_POINTER__",
            "-D__SIZEOF_POINTER__=4",
            "-U__SIZE_TYPE__",
            "-D__SIZE_TYPE__=unsigned int",
            "-U__PTRDIFF_TYPE__",
            "-D__PTRDIFF_TYPE__=int",
            "-U__LP64__",
            "-U_LP64",
        ],
    };
    let command = |program: &str, flags: &[&str]| {
        let common = ["-E", "-x", "c", "-iquote", &folder];
        let words = [program].into_iter().chain(common).chain(flags.iter().copied()).chain(["-"]);
        words.map(str::to_owned).collect()
    };
    ["cc", "gcc", "clang"]
        .into_iter()
        .flat_map(|program| [command(program, sizes), command(program, changed)])
        .collect()
}

fn read_c(context: &Context, input: Input, options: &ReadOptions) -> Result<Read, Halt> {
    let original = input.original;
    let source = Source::from_bytes(input.name, input.bytes)
        .map_err(|wrong| Halt::Faulty(Box::new(wrong.0), vec![wrong.1]))?;
    let data_model = match options.machine.data_model.unwrap_or(DataModel::Ilp32) {
        DataModel::Ilp32 => ir::DataModel::Ilp32,
        DataModel::Lp64 => ir::DataModel::Lp64,
    };
    let how = tertium_front_c::ReadOptions { data_model, ..tertium_front_c::ReadOptions::default() };
    let (unit, found) = read(context, &source, &how).map_err(|error| Halt::unread(error, &source))?;
    let integers = match options.machine.integers {
        Integers::Machine => IntegerModel::Machine,
        Integers::Mathematical => IntegerModel::Mathematical,
    };
    let how = LowerOptions { integers, ..LowerOptions::default() };
    let lowered = lower(context, &unit, &how)?;
    Ok((Box::new(CProgram::new(context.clone(), (source, original), unit, lowered, how)), found))
}

/// A program as a graph, with what leads back from it to the program.
struct Graph {
    icfg: Rc<Icfg>,
    /// Where the inputs of steps come from.
    inputs: BTreeMap<Variable, InputOrigin>,
    /// What is not followed exactly, by edge.
    doubts: BTreeMap<EdgeId, Vec<Doubt>>,
    /// What is not supported, with the point where control comes to it.
    unsupported: Vec<(PointId, Construct)>,
    /// The functions, by procedure.
    functions: BTreeMap<ProcedureId, ir::FunctionId>,
    /// The blocks that begin at points.
    blocks: BTreeMap<PointId, ir::BlockId>,
}

impl Graph {
    fn new(lowered: Lowered) -> Self {
        let Lowered { icfg, inputs, doubts, unsupported, functions, blocks, .. } = lowered;
        Self { icfg: Rc::new(icfg), inputs, doubts, unsupported, functions, blocks }
    }
}

/// A program with the meanings of its properties.
pub(crate) struct CProgram {
    /// For what is made later.
    context: Context,
    source: Source,
    /// The file itself, where its text went through a preprocessor.
    original: Option<Vec<u8>>,
    unit: Unit,
    how: LowerOptions,
    /// What every answer relies on.
    assumptions: Vec<Assumption>,
    graph: Graph,
    /// Graphs that were made for single questions.
    others: RefCell<Vec<Graph>>,
    programs: Programs,
    /// The program as commands, made when it is asked for.
    plain: OnceCell<Result<Plain, NoPlain>>,
    properties: Vec<Property>,
    /// By property.
    meanings: Vec<Meaning>,
}

impl CProgram {
    /// Of the text that was read, and the file itself where that is another text.
    fn new(
        context: Context,
        (source, original): (Source, Option<Vec<u8>>),
        unit: Unit,
        lowered: Lowered,
        how: LowerOptions,
    ) -> Self {
        let assumptions = shown::assumptions(&unit, &lowered);
        let (graph, others) = (Graph::new(lowered), RefCell::default());
        let programs = Programs::default();
        let (plain, properties, meanings) = (OnceCell::new(), Vec::new(), Vec::new());
        let mut own = Self {
            context,
            source,
            original,
            unit,
            how,
            assumptions,
            graph,
            others,
            programs,
            plain,
            properties,
            meanings,
        };
        let name = PropertyName {
            file: own.source.name().to_owned(),
            given: NO_ERROR.to_owned(),
            label: Some(NO_ERROR.to_owned()),
            text: NO_ERROR_TEXT.to_owned(),
            line: None,
        };
        let text = Source::new("<no error>", NO_ERROR_TEXT);
        own.read_property(name, &text).expect("it speaks of errors only");
        own
    }

    /// SHA-256 of the file.
    fn sha256(&self) -> String {
        sha256(self.original.as_deref().unwrap_or(self.source.text().as_bytes()))
    }

    fn meaning(&self, property: PropertyId) -> &Meaning {
        &self.meanings[property.index()]
    }
}

impl Model for CProgram {
    fn source(&self) -> &Source {
        &self.source
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn read_property(
        &mut self,
        name: PropertyName,
        source: &Source,
    ) -> Result<(PropertyId, Diagnostics), Diagnostics> {
        let meaning = read_meaning(&self.graph.icfg, &self.unit, source)?;
        let logic = Logic::Branching(meaning.formula.clone());
        let icfg = &self.graph.icfg;
        let unseen = match plan(icfg, &meaning, &asked(&logic)) {
            Some(plan) => plan.unseen(icfg),
            None => untied(icfg, &meaning),
        };
        if let Some(why) = unseen {
            return Err(vec![Diagnostic::error(Span::new(0, source.text().len()), why)]);
        }
        self.properties.push(Property { name, source: source.clone(), logic });
        self.meanings.push(meaning);
        self.plain = OnceCell::new();
        Ok((PropertyId::new(self.properties.len() - 1), Vec::new()))
    }

    fn comments(&self) -> Comments {
        Comments::Formula
    }

    fn system(&self) -> Option<&dyn OffersSystem> {
        self.has_plain().then_some(self as _)
    }

    fn program(&self) -> Option<&dyn OffersProgram> {
        self.has_plain().then_some(self as _)
    }

    fn procedures(&self) -> Option<&dyn OffersProcedures> {
        Some(self)
    }

    fn execution(&self) -> Option<&dyn OffersExecution> {
        Some(self)
    }

    fn witnesses(&self) -> Option<&dyn OffersWitnesses> {
        Some(self)
    }
}

impl OffersWitnesses for CProgram {
    fn is_about(&self, task: &WitnessTask) -> Result<(), String> {
        let own = self.sha256();
        let mut hashes = task.input_files.iter().map(|file| &file.sha256).filter(|hash| !hash.is_empty());
        let is_known = hashes.clone().any(|hash| *hash == own);
        match hashes.next() {
            Some(other) if !is_known => {
                let short = |hash: &str| hash.chars().take(12).collect::<String>();
                let (own, other) = (short(&own), short(other));
                Err(format!(
                    "it is about another program: the hash of its file is {other}…, here it is {own}…"
                ))
            }
            _ => Ok(()),
        }
    }

    fn specification(&self, task: &WitnessTask) -> String {
        let text = task.specification.trim();
        if text.is_empty() {
            NO_ERROR_TEXT.to_owned()
        } else if text.contains("CHECK") {
            text.to_owned()
        } else {
            format!("CHECK( init(main()), LTL({text}) )")
        }
    }

    fn lead(&self, context: &Context, property: PropertyId, witness: &Witness) -> Result<Led, Halt> {
        self.led(context, property, witness)
    }

    fn with_conditions(
        &self,
        context: &Context,
        conditions: &[WitnessInvariant],
    ) -> Result<Result<Conditioned, Vec<String>>, Halt> {
        self.text_with(context, conditions)
    }

    fn together(&self, property: PropertyId, never: &[String]) -> Option<String> {
        let Asked::Reach { state, holds: false } = asked(&self.properties[property.index()].logic) else {
            return None;
        };
        let all: Vec<String> = std::iter::once(format!("({state})")).chain(never.iter().cloned()).collect();
        Some(format!("AG !({})", all.join(" | ")))
    }
}

impl OffersProcedures for CProgram {
    fn pose(&self, context: &Context, property: PropertyId, logic: &Logic) -> Result<Option<Posed>, Halt> {
        let Some(own) = plan(&self.graph.icfg, self.meaning(property), &asked(logic)) else {
            return Ok(None);
        };
        if own.watched.is_empty() {
            return Ok(Some(Posed {
                icfg: Rc::clone(&self.graph.icfg),
                goal: own.goal,
                unsupported: points_of(&self.graph.icfg, [UNSUPPORTED]),
            }));
        }
        // Values decide: a graph of its own, where every statement ends at a point.
        let mut lowered =
            lower(context, &self.unit, &LowerOptions { granularity: Granularity::Instructions, ..self.how })?;
        let text = &self.properties[property.index()].source;
        let meaning =
            read_meaning(&lowered.icfg, &self.unit, text).map_err(|found| Halt::faulty(text, found))?;
        let Some(plan) = plan(&lowered.icfg, &meaning, &asked(logic)) else { return Ok(None) };
        let goal = plan.watch(&mut lowered.icfg).map_err(Halt::Refused)?;
        let graph = Graph::new(lowered);
        let unsupported = points_of(&graph.icfg, [UNSUPPORTED]);
        let posed = Posed { icfg: Rc::clone(&graph.icfg), goal, unsupported };
        self.others.borrow_mut().push(graph);
        Ok(Some(posed))
    }

    fn has_goal(&self, _: PropertyId, logic: &Logic) -> bool {
        !matches!(asked(logic), Asked::Else)
    }

    fn ends_for_lack_of_room(&self, property: PropertyId, logic: &Logic) -> bool {
        let asks_for_ends = || {
            let plan = plan(&self.graph.icfg, self.meaning(property), &asked(logic));
            plan.is_some_and(|plan| matches!(plan.goal, Goal::Diverge { .. }))
        };
        self.how.integers == IntegerModel::Machine && asks_for_ends()
    }

    fn beyond_goals(&self, _: PropertyId, logic: &Logic) -> Option<Vec<String>> {
        self.beyond(logic)
    }

    fn assumptions(&self) -> Vec<Assumption> {
        self.assumptions.clone()
    }

    fn unsupported(&self, points: &[PointId]) -> Vec<String> {
        shown::unsupported(&self.source, &self.unit, &self.graph.unsupported, points)
    }

    fn show_run(
        &self,
        icfg: &Icfg,
        run: &IcfgRun,
        cycle: Option<usize>,
    ) -> Option<(Arc<dyn Names>, Evidence)> {
        let (names, evidence) = RunNames::of_graph(&self.source, &self.unit, icfg, run, cycle)?;
        Some((Arc::new(names), evidence))
    }

    fn documents(&self, wanted: &[DocumentKind], posed: &Posed, invariants: &Invariants) -> Vec<Document> {
        self.documents_of_proof(wanted, posed, invariants)
    }

    fn easier_reading(&self) -> Option<Advice> {
        let change = Change { with: vec![("--integers", "math".to_owned())], ..Change::default() };
        (self.how.integers == IntegerModel::Machine).then_some(Advice::Ask(change))
    }

    fn place(&self, span: Span) -> String {
        let line = shown::line_of(&self.source, &self.unit, span);
        line.map_or(String::new(), |line| format!("line {line}"))
    }

    fn summaries(&self, icfg: &Icfg, invariants: &Invariants) -> Summaries {
        shown::summaries(&self.source, &self.unit, icfg, invariants)
    }
}
