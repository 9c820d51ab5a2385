//! The `lattice` suite: CTL over lattices on multi-terminal diagrams beside join-irreducible elements on ordinary ones.
//!
//! The first table has the lattice of vacuity for the branching-time properties of the SMV families: every occurrence of a
//! proposition is marked, and the value of a property says which of them matter \[Bob09\]. The second has the lattice of sets of
//! states for queries: the placeholder has the value {s} at state s, so that the value of `EF ?` is the set of reachable states. Both
//! ways start from an encoding of their own with the reachable states known, and both must find the same value.

use crate::smv_families;
use crate::table::{Table, timed};
use std::time::Duration;
use tertium_check::lattice::{Coded, LatticeError, MultiTerminal, Valuation, Values};
use tertium_check::symbolic::{Options, SymbolicChecker};
use tertium_dd::{Bdd, Var};
use tertium_front_smv::{EncodeOptions, Encoded, FlatModel, SpecificationKind, encode, read};
use tertium_logic::{Formula, FormulaKind, parse};
use tertium_support::{Cancel, Context, Id, IdSet, Limits, Source};
use tertium_system::SymbolicModel;
use tertium_truth::{FiniteLattice, ItemId, Powerset, VacuityLattice};

/// Seconds for one way and one formula if nothing is said.
pub(crate) const LIMIT: u64 = 10;

/// Prints both tables; `limit` seconds for each way and formula.
pub(crate) fn run(limit: u64) {
    vacuity(limit);
    queries(limit);
}

fn vacuity(limit: u64) {
    let mut table = Table::new(COLUMNS);
    let sizes = [
        ("philosophers", [8, 12, 16]),
        ("token ring", [4, 8, 12]),
        ("counter", [8, 10, 12]),
        ("cells", [4, 6, 8]),
    ];
    for (name, sizes) in sizes {
        let family = smv_families::ALL.iter().find(|family| family.name == name).expect("the family exists");
        for size in sizes {
            let flat = flat_model((family.model)(size) + &smv_families::wide(name, size));
            let formulas = flat.specifications.iter().filter_map(|specification| match &specification.kind {
                SpecificationKind::Ctl(formula) => Some(formula),
                _ => None,
            });
            for (index, formula) in formulas.enumerate() {
                let mut marked = formula.clone();
                let mut occurrences = Vec::new();
                mark(&mut marked, &mut occurrences);
                let lattice = VacuityLattice::new(occurrences.len());
                let valuations = |model: &SymbolicModel| valuations_of(&lattice, &occurrences, model);
                let question =
                    Question { flat: &flat, formula: &marked, valuations: &valuations, codes: Codes::First };
                let title = format!("{name} {size}, {}", index + 1);
                question.row(&mut table, title, Values::with_negation(&lattice), limit);
            }
        }
    }
    table.print("CTL over lattices: vacuity of every occurrence");
}

/// Renames every occurrence of a proposition, and lists what the names were.
fn mark(formula: &mut Formula, occurrences: &mut Vec<String>) {
    match &mut formula.kind {
        FormulaKind::Proposition(name) => {
            let fresh = format!("occurrence {}", occurrences.len());
            occurrences.push(std::mem::replace(name, fresh));
        }
        FormulaKind::Not(f) => mark(f, occurrences),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter_mut().for_each(|part| mark(part, occurrences));
        }
        FormulaKind::Implies(f, g) | FormulaKind::Iff(f, g) => {
            [f, g].into_iter().for_each(|f| mark(f, occurrences))
        }
        FormulaKind::Path(_, operator) => mark_operands(operator, occurrences),
        _ => {}
    }
}

fn mark_operands(operator: &mut tertium_logic::PathOperator, occurrences: &mut Vec<String>) {
    use tertium_logic::PathOperator::{Finally, Globally, Next, Release, Until, WeakUntil};
    match operator {
        Next(f) | Finally(f) | Globally(f) => mark(f, occurrences),
        Until(f, g) | WeakUntil(f, g) | Release(f, g) => {
            [f, g].into_iter().for_each(|f| mark(f, occurrences))
        }
    }
}

/// Where the proposition holds, an occurrence is true whatever the others are; elsewhere it is false, likewise.
fn valuations_of(
    lattice: &VacuityLattice,
    occurrences: &[String],
    model: &SymbolicModel,
) -> Valuations<IdSet<ItemId>> {
    let valuation = |(at, name): (usize, &String)| {
        let parts = vec![
            (model.propositions[name].clone(), lattice.literal(at, true)),
            (model.manager.constant(true), lattice.literal(at, false)),
        ];
        (format!("occurrence {at}"), Valuation { parts })
    };
    occurrences.iter().enumerate().map(valuation).collect()
}

fn queries(limit: u64) {
    let mut table = Table::new(COLUMNS);
    let family = smv_families::ALL.iter().find(|family| family.name == "counter").expect("the family exists");
    for bits in [3, 5, 7, 9] {
        let flat = flat_model((family.model)(bits));
        for text in ["EF answer", "AG answer", "EF AG answer", "AF answer"] {
            let formula = parse(&Source::new("query", text)).expect("the query is a formula");
            let current = |model: &SymbolicModel| model.relation.frame().current.clone();
            // One variable more than the counter has bits: whether it counts.
            let lattice = Powerset::new(1 << (bits + 1));
            let valuations = |model: &SymbolicModel| {
                vec![("answer".to_owned(), placeholder(&lattice, model, &current(model)))]
            };
            let question = Question {
                flat: &flat,
                formula: &formula,
                valuations: &valuations,
                codes: Codes::NextToState,
            };
            let title = format!("counter {bits}, {}", text.replace("answer", "?"));
            question.row(&mut table, title, Values::with_negation(&lattice), limit);
        }
    }
    table.print("CTL over lattices: sets of states as answers to queries");
}

/// {s} at state s.
fn placeholder(lattice: &Powerset, model: &SymbolicModel, current: &[Var]) -> Valuation<IdSet<ItemId>> {
    let n = lattice.top().universe();
    let state = |item: ItemId| {
        let bits = current.iter().enumerate().map(|(bit, &var)| (var, item.index() >> bit & 1 == 1));
        Bdd::cube(&model.manager, bits).expect("no limit is near")
    };
    Valuation { parts: ItemId::first(n).map(|item| (state(item), IdSet::of(n, [item]))).collect() }
}

/// `placed s` is with the codes first for vacuity, and beside the state for queries.
const COLUMNS: [&str; 9] = [
    "question",
    "irreducible",
    "relation s",
    "leaves s",
    "nodes made",
    "last s",
    "placed s",
    "result nodes",
    "placed / leaves",
];

type Valuations<E> = Vec<(String, Valuation<E>)>;

struct Question<'a, E> {
    flat: &'a FlatModel,
    formula: &'a Formula,
    valuations: &'a dyn Fn(&SymbolicModel) -> Valuations<E>,
    codes: Codes,
}

/// Where the rigid variables stand.
#[derive(Clone, Copy)]
enum Codes {
    /// Behind all others: the diagram of a function is that with values for leaves, with diagrams of codes in place of values.
    Last,
    /// Before all others: a diagram of a set of states for each element, shared.
    First,
    /// Each bit behind a bit of the state and its next one.
    NextToState,
}

/// Moves the rigid bits, which are first, to their place.
fn arrange(model: &SymbolicModel, rigid: &[Var], codes: Codes) {
    let frame = model.relation.frame();
    let others = model.manager.order().into_iter().filter(|var| !rigid.contains(var));
    let order: Vec<Var> = match codes {
        Codes::First => return,
        Codes::Last => others.chain(rigid.iter().copied()).collect(),
        Codes::NextToState => {
            let beside =
                |var: Var| frame.next.iter().position(|&next| next == var).and_then(|bit| rigid.get(bit));
            others.flat_map(|var| [var].into_iter().chain(beside(var).copied())).collect()
        }
    };
    model.manager.set_order(&order).expect("no limit is near");
}

/// What one way took and found.
struct Found<E> {
    seconds: f64,
    nodes: usize,
    value: Result<E, LatticeError>,
}

impl<E: Clone + Eq + std::fmt::Debug> Question<'_, E> {
    fn row<L: FiniteLattice<Element = E>>(
        &self,
        table: &mut Table,
        title: String,
        values: Values<'_, L>,
        limit: u64,
    ) {
        let (leaves, relation_seconds) = self.by_leaves(values, limit);
        let last = self.coded(values, Codes::Last, limit);
        let coded = self.coded(values, self.codes, limit);
        for other in [&last, &coded] {
            if let (Ok(one), Ok(other)) = (&leaves.value, &other.value) {
                assert_eq!(one, other, "{title}: all ways must find the same value");
            }
        }
        let shown = |found: &Found<E>| match &found.value {
            Ok(_) => (format!("{:.3}", found.seconds), found.nodes.to_string()),
            Err(_) => (format!(">{limit}"), "-".to_owned()),
        };
        let ((leaves_seconds, made), (coded_seconds, result)) = (shown(&leaves), shown(&coded));
        let ratio = match (&leaves.value, &coded.value) {
            (Ok(_), Ok(_)) => format!("{:.2}", coded.seconds / leaves.seconds.max(1e-6)),
            _ => "-".to_owned(),
        };
        let irreducible = values.lattice.join_irreducibles().len().to_string();
        let relation = format!("{relation_seconds:.3}");
        let last_seconds = shown(&last).0;
        table.row([
            title,
            irreducible,
            relation,
            leaves_seconds,
            made,
            last_seconds,
            coded_seconds,
            result,
            ratio,
        ]);
    }

    /// Multi-terminal diagrams, and the seconds for the relation in one piece.
    fn by_leaves<L: FiniteLattice<Element = E>>(&self, values: Values<'_, L>, limit: u64) -> (Found<E>, f64) {
        let encoded = encoded(self.flat);
        let (context, valuations) = (limited(limit), (self.valuations)(&encoded.model));
        let states = reachable(&context, &encoded.model);
        let (diagrams, relation) =
            timed(|| MultiTerminal::new(&context, &encoded.model, &states, values, &valuations));
        let mut diagrams = match diagrams {
            Ok(diagrams) => diagrams,
            Err(reason) => return (Found { seconds: 0.0, nodes: 0, value: Err(reason.into()) }, relation),
        };
        let before = diagrams.n_nodes();
        let (value, seconds) = timed(|| {
            let function = diagrams.evaluate(self.formula)?;
            Ok(diagrams.meet_over(function, &encoded.model.init)?)
        });
        (Found { seconds, nodes: diagrams.n_nodes() - before, value }, relation)
    }

    fn coded<L: FiniteLattice<Element = E>>(
        &self,
        values: Values<'_, L>,
        codes: Codes,
        limit: u64,
    ) -> Found<E> {
        let encoded = encoded(self.flat);
        let (context, valuations) = (limited(limit), (self.valuations)(&encoded.model));
        let coded = match Coded::new(&encoded.model, values, &valuations) {
            Ok(coded) => coded,
            Err(reason) => return Found { seconds: 0.0, nodes: 0, value: Err(reason.into()) },
        };
        arrange(&coded.model, coded.irreducibles().bits(), codes);
        let mut checker = SymbolicChecker::new(&context, &coded.model, Options::default());
        let reached = checker.reachable().is_ok();
        assert!(reached, "reachable states are quick to find here");
        let mut nodes = 0;
        let (value, seconds) = timed(|| {
            let relation = coded.evaluate(&mut checker, self.formula)?;
            nodes = relation.n_nodes();
            Ok(coded.meet_over(&relation, &encoded.model.init)?)
        });
        Found { seconds, nodes, value }
    }
}

fn limited(seconds: u64) -> Context {
    let time = Some(Duration::from_secs(seconds));
    Context::new(Limits { time, memory: Some(4 << 30), ..Limits::default() }, Cancel::default())
}

fn flat_model(text: String) -> FlatModel {
    read(Source::new("family", text)).expect("the families are models").0
}

fn encoded(flat: &FlatModel) -> Encoded<'_> {
    let mut encoded =
        encode(&Context::default(), flat, &EncodeOptions::default()).expect("the families have a meaning");
    for specification in &flat.specifications {
        encoded.register(specification).expect("propositions have a meaning");
    }
    encoded
}

fn reachable(context: &Context, model: &SymbolicModel) -> Bdd {
    let mut checker = SymbolicChecker::new(context, model, Options::default());
    checker.reachable().expect("reachable states are quick to find here").states.clone()
}
