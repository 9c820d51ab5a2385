//! Programs in C as graphs of terms.
//!
//! [`lower`] makes an [`Icfg`] of a [`Unit`]: a procedure for each function that main can reach, variables for scalars, and one edge for
//! all that lies between two branch points. What a run does until undefined behaviour ends it, a path of the graph does, with the same
//! values; and what a path over exact edges does, a run does. Edges over what is not followed are not exact: they cover all that may
//! happen. What is not supported is a point with a name, from where nothing goes on.
//!
//! | file | holds |
//! |---|---|
//! | `options` | what is asked for, and what is given |
//! | `calls` | who calls whom |
//! | `layout`, `memory` | objects as slots, slots as variables; reading and writing |
//! | `pointees`, `points_to`, `sites`, `pointers` | what pointers point to; operations on them |
//! | `interval`, `ranges` | which values there can be |
//! | `value`, `arithmetic`, `bits`, `classes`, `expression` | values as terms: integers, or bit-vectors where these do not do |
//! | `state`, `instruction`, `graph`, `passing` | what a path does, the graph of a function, calls |
//!
//! Linear in the program, up to the analyses' limits. Expressions are followed by recursion: the reader limits how deep they are.

mod arithmetic;
mod bits;
mod calls;
mod classes;
mod expression;
mod graph;
mod initial;
mod instruction;
mod interval;
mod layout;
mod live;
mod memory;
mod options;
mod passing;
mod pointees;
mod pointers;
mod points_to;
mod ranges;
mod sites;
mod state;
mod value;

pub use options::{
    Assumption, Construct, Doubt, Granularity, InputOrigin, IntegerModel, LowerOptions, Lowered, Meaning,
    Meant, Part, Representation,
};

use crate::ir::{BlockId, FunctionId, Integer, LocalId, Rank, Undefined, Unit};
use calls::Calls;
use classes::{Classes, WantBits};
use layout::{Layout, ObjectId, ObjectKind, SlotId};
use live::Live;
use memory::{Cell, Storage};
use points_to::PointsTo;
use ranges::Ranges;
use state::State;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Sort, Terms, Variable};
use tertium_program::{EdgeId, Icfg, PointId, ProcedureId};
use tertium_support::{Context, Id, Span, StopReason, Ticker};

/// The type of indices and other numbers that the program does not name.
const LONG: Integer = Integer { rank: Rank::LongLong, bits: 64, signed: true };

/// The formals of each parameter: its slots with their cells.
type FormalSlots = Vec<Vec<(SlotId, Vec<Cell>)>>;

/// A lowering on its way.
struct Lowering<'a> {
    unit: &'a Unit,
    options: LowerOptions,
    layout: &'a Layout,
    points_to: &'a PointsTo,
    classes: &'a Classes,
    /// The classes that are bit-vectors.
    bits: &'a WantBits,
    /// The classes that should be, too.
    wanted: WantBits,
    /// Arrays that are asked for other than by constants.
    indexed: &'a BTreeSet<ObjectId>,
    /// What holds of types alone.
    plain: &'a Ranges<'a>,
    /// What the analysis found.
    known: &'a Ranges<'a>,
    /// What is live in the current function.
    live: Live,
    icfg: Icfg,
    procedures: BTreeMap<FunctionId, ProcedureId>,
    formal_slots: BTreeMap<FunctionId, FormalSlots>,
    /// By function, formals whose values go to variables that other procedures see.
    copied_formals: BTreeMap<FunctionId, Vec<(Variable, Variable)>>,
    storage: Vec<Option<Storage>>,
    /// The current function.
    function: FunctionId,
    /// The current instruction: its block, and its number there.
    at: (usize, usize),
    /// Whether the address of a place is taken, not what is there.
    is_address: bool,
    /// How many elements there are of what is allocated, where that is not fixed.
    lengths: BTreeMap<ObjectId, Variable>,
    n_temporaries: usize,
    inputs: BTreeMap<Variable, InputOrigin>,
    meanings: BTreeMap<Variable, Meaning>,
    assumptions: BTreeSet<Assumption>,
    doubts: BTreeMap<EdgeId, Vec<Doubt>>,
    unsupported: Vec<(PointId, Construct)>,
    blocks: BTreeMap<PointId, BlockId>,
}

/// Makes a graph of a program.
pub fn lower(context: &Context, unit: &Unit, options: &LowerOptions) -> Result<Lowered, StopReason> {
    let mut ticker = context.ticker("making a graph of the program");
    let calls = Calls::new(unit);
    let mut layout = Layout::new(unit, &calls.functions);
    let points_to = PointsTo::find(unit, &calls, &mut layout, &mut ticker)?;
    let classes = Classes::find(unit, &layout, &points_to, &calls, &mut ticker)?;
    let known = Ranges::find(unit, options.integers, &layout, &calls, &mut ticker)?;
    let plain = Ranges::unknown(unit, options.integers);
    let indexed = memory::indexed(unit, &layout, &calls.functions);
    let mut bits = WantBits::new();
    loop {
        let lowering = Lowering {
            unit,
            options: *options,
            layout: &layout,
            points_to: &points_to,
            classes: &classes,
            bits: &bits,
            wanted: WantBits::new(),
            indexed: &indexed,
            storage: vec![None; layout.slots().len()],
            plain: &plain,
            known: &known,
            live: Live::default(),
            icfg: Icfg::new(Terms::new()),
            procedures: BTreeMap::new(),
            formal_slots: BTreeMap::new(),
            copied_formals: BTreeMap::new(),
            function: unit.main,
            at: (0, 0),
            is_address: false,
            lengths: BTreeMap::new(),
            n_temporaries: 0,
            inputs: BTreeMap::new(),
            meanings: BTreeMap::new(),
            assumptions: BTreeSet::new(),
            doubts: BTreeMap::new(),
            unsupported: Vec::new(),
            blocks: BTreeMap::new(),
        };
        // What integers cannot say is said with bit-vectors in the next round; each has more of them.
        let (lowered, wanted) = lowering.all(&calls, &mut ticker)?;
        let before = bits.len();
        bits.extend(wanted);
        if bits.len() == before {
            return Ok(lowered);
        }
    }
}

impl Lowering<'_> {
    /// Makes the graph; gives the classes too that should be bit-vectors.
    fn all(mut self, calls: &Calls, ticker: &mut Ticker<'_>) -> Result<(Lowered, WantBits), StopReason> {
        self.declare_procedures(calls);
        for &id in &calls.functions {
            self.live = Live::find(self.unit.function(id), ticker)?;
            self.graph(id, ticker)?;
        }
        if calls.calls_main {
            self.add_start();
        }
        self.set_initial();
        let wanted = std::mem::take(&mut self.wanted);
        Ok((self.finish(calls), wanted))
    }

    /// Procedures with their formals and results.
    fn declare_procedures(&mut self, calls: &Calls) {
        for &id in &calls.functions {
            let function = self.unit.function(id);
            let procedure = self.icfg.add_procedure(&function.name, function.span);
            self.procedures.insert(id, procedure);
        }
        for &id in &calls.functions {
            let mut formals = Vec::new();
            for number in 0..self.unit.function(id).n_parameters {
                let object = self.layout.object(ObjectKind::Local(id, LocalId::new(number)));
                let slots = object.map(|object| self.layout.below(object, &[])).unwrap_or_default();
                formals.push(slots.into_iter().map(|slot| (slot, self.formal_cells(id, slot))).collect());
            }
            self.formal_slots.insert(id, formals);
            if id == self.unit.main && !calls.calls_main {
                // Nobody passes anything: the parameters have any values.
                continue;
            }
            let result = self.layout.object(ObjectKind::Result(id));
            for slot in result.map(|object| self.layout.below(object, &[])).unwrap_or_default() {
                for variable in variables(&self.storage(slot)) {
                    self.icfg.add_result(self.procedures[&id], variable);
                }
            }
        }
    }

    /// The formals of a slot of a parameter: its own variables, or others if the slot is seen by other procedures.
    fn formal_cells(&mut self, id: FunctionId, slot: SlotId) -> Vec<Cell> {
        let cells = match self.storage(slot) {
            Storage::Cells(cells) => cells,
            Storage::Arrays(cell) => vec![cell],
            Storage::Nothing => return Vec::new(),
        };
        let is_shared = self.points_to.is_shared(self.layout.slot(slot).object);
        let procedure = self.procedures[&id];
        let formal = |this: &mut Self, own: Variable| {
            let variable = if is_shared {
                let cell = this.icfg.cell(own).expect("it is a variable of the graph");
                let (domain, span) = (cell.domain.clone(), cell.span);
                let name = cell.name.rsplit("::").next().unwrap_or_default().to_owned();
                let variable = this.icfg.add_variable(procedure, &format!(".{name}"), domain, span);
                this.copied_formals.entry(id).or_default().push((variable, own));
                variable
            } else {
                own
            };
            this.icfg.add_formal(procedure, variable);
            variable
        };
        cells
            .into_iter()
            .map(|cell| Cell {
                value: formal(self, cell.value),
                index: cell.index.map(|own| formal(self, own)),
            })
            .collect()
    }

    /// A procedure that only calls main, since main is called by others too.
    fn add_start(&mut self) {
        let span = self.unit.function(self.unit.main).span;
        let start = self.icfg.add_procedure("start", span);
        let (entry, exit) = (self.icfg.procedure(start).entry, self.icfg.procedure(start).exit);
        let main = self.procedures[&self.unit.main];
        let formals = self.icfg.procedure(main).formals.clone();
        let mut arguments = Vec::new();
        for formal in formals {
            let domain = self.icfg.cell(formal).expect("it is a variable of the graph").domain.clone();
            let variable = self.icfg.add_variable(start, &self.icfg.terms.name(formal), domain, span);
            arguments.push(self.icfg.terms.variable(variable));
        }
        let results = vec![None; self.icfg.procedure(main).results.len()];
        let call = tertium_program::Call { callee: main, arguments, results };
        self.icfg.add_edge(entry, exit, tertium_program::Action::Call(call), true, span);
        self.icfg.main = start;
    }

    fn finish(mut self, calls: &Calls) -> Lowered {
        let representation = match self.options.integers {
            IntegerModel::Machine => Representation::Ranges,
            IntegerModel::Mathematical => Representation::Unbounded,
        };
        for &id in &calls.functions {
            let name = self.unit.function(id).name.clone();
            let own = self.icfg.procedure(self.procedures[&id]).variables.iter();
            let is_bits = |&variable: &Variable| matches!(self.icfg.terms.sort_of(variable), Sort::Bits(_));
            let representation =
                if own.copied().any(|own| is_bits(&own)) { Representation::Bits } else { representation };
            self.assumptions.insert(Assumption::Integers(name, representation));
        }
        Lowered {
            pointees: self.points_to.names(self.layout, self.unit),
            icfg: self.icfg,
            inputs: self.inputs,
            meanings: self.meanings,
            assumptions: self.assumptions,
            doubts: self.doubts,
            unsupported: self.unsupported,
            functions: self.procedures.iter().map(|(&id, &procedure)| (procedure, id)).collect(),
            blocks: self.blocks,
        }
    }

    /// Undefined behaviour of this kind ends a path somewhere.
    fn assumed(&mut self, undefined: Undefined) {
        self.assumptions.insert(Assumption::Ends(undefined));
    }

    /// Notes what is not followed.
    fn approximate(&self, state: &mut State, what: &str, span: Span) {
        state.doubt(Doubt::Construct(Construct { span, what: what.to_owned() }));
    }

    /// Whether the first value of a local may be read.
    fn is_read_before_written(&self, local: LocalId) -> bool {
        self.live.read_first.contains(&local)
    }
}

/// The cells of a slot, in order.
fn cells(storage: &Storage) -> Vec<Cell> {
    match storage {
        Storage::Cells(cells) => cells.clone(),
        Storage::Arrays(cell) => vec![*cell],
        Storage::Nothing => Vec::new(),
    }
}

/// All variables of a slot, in order.
fn variables(storage: &Storage) -> Vec<Variable> {
    cells(storage).into_iter().flat_map(|cell| [Some(cell.value), cell.index]).flatten().collect()
}
