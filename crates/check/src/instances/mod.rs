//! Many instances of a formula at once, on a partial system: where each of them is proved and where refuted.
//!
//! Instances differ in the values of further propositions, which depend on the state and on the instance, or on the
//! instance alone (rigid ones). A set of states with values in a finite distributive lattice is a relation between
//! states and the join-irreducible elements of the lattice \[Bir37\], and each such element is an instance \[Bob09\]:
//! so this is temporal logic over a lattice of answers, for the whole mu-calculus and for systems that leave something
//! open. The relation is kept as one word for each state and equation, a bit for each of 64 instances; more instances
//! are further blocks.
//!
//! An instance has the value that `check` gives it by the standard semantics: both sides are solved by necessity, the
//! formula and its dual. What does not depend on further propositions is solved once, by the ordinary checker; the
//! rest block by block: equations without recursion in one pass, components of one sign by propagation of words
//! (`spread`), components of both signs by nested iteration or, where that takes many rounds, by a game for each instance (`nested`).
//!
//! Cost of a block without alternation: each step is looked at as often as the word at its target changes, which is at most 64 times and
//! mostly once or twice. Memory: eight bytes for each state and equation that depends on further propositions.

mod block;
mod nested;
mod spread;

use crate::check::verdict;
use crate::equations::{EquationId, Equations, Modalities, Operator};
use crate::necessity::{Necessity, Prepared, Problem, Record, solve_component};
use crate::question::SIDE_BY_SIDE;
use block::Block;
use rustc_hash::FxHashMap;
use tertium_logic::{Formula, FormulaGraph, Node};
use tertium_support::{Context, Id, StopReason, beside};
use tertium_system::StateId;
use tertium_truth::{Belnap, Verdict};

/// How many instances a block has.
pub(crate) const WIDTH: usize = 64;

/// What a further proposition says of 64 instances at one state: a bit for each instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The instances in which it must hold.
    pub must: u64,
    /// The instances in which it may hold.
    pub may: u64,
}

/// The values of a further proposition. Instance i is bit i mod 64 of word i / 64.
pub enum FurtherValues<'a> {
    /// It holds in these instances, whatever the state.
    Rigid(Vec<u64>),
    /// It depends on the state and the word. It is true or false, not open, wherever the labels of the system are.
    ByState(&'a (dyn Fn(StateId, usize) -> Word + Sync)),
}

/// A proposition that the system does not have.
pub struct Further<'a> {
    /// Its name in the formula.
    pub name: String,
    /// Its values.
    pub values: FurtherValues<'a>,
}

/// The values of the instances of a formula at the initial states.
#[derive(Clone, Debug)]
pub struct Instances {
    n: usize,
    initial: Vec<StateId>,
    /// For each initial state, in order: the words of instances that are proved, and that are refuted.
    proved: Vec<Vec<u64>>,
    refuted: Vec<Vec<u64>>,
}

impl Instances {
    /// The value of an instance at the initial state with this number.
    pub fn at(&self, initial: usize, instance: usize) -> Belnap {
        debug_assert!(instance < self.n, "one of the instances");
        let bit = |words: &[Vec<u64>]| words[initial][instance / WIDTH] >> (instance % WIDTH) & 1 == 1;
        Belnap::from_bits(bit(&self.proved), !bit(&self.refuted))
    }

    /// The verdict on an instance: all initial states together.
    pub fn verdict(&self, instance: usize) -> Verdict {
        let at = |(number, &state): (usize, &StateId)| (state, self.at(number, instance));
        verdict(&self.initial.iter().enumerate().map(at).collect::<Vec<_>>())
    }
}

/// Evaluates `n` instances of a formula by the standard semantics.
pub fn check_instances(
    context: &Context,
    prepared: &Prepared<'_>,
    formula: &Formula,
    further: &[Further<'_>],
    n: usize,
) -> Result<Instances, StopReason> {
    let system = prepared.system();
    let graph = FormulaGraph::new(formula);
    let proof = Side::new(prepared, &graph, further);
    let initial = system.initial().to_vec();
    let n_words = n.div_ceil(WIDTH);
    if system.is_complete() && !proof.has_unknown_proposition() {
        let proved = proof.solve(context, n)?;
        let refuted = proved.iter().map(|words| words.iter().map(|word| !word).collect()).collect();
        return Ok(Instances { n, initial, proved, refuted });
    }
    let dual = graph.dual();
    let refutation = Side::new(prepared, &dual, further);
    let (proved, refuted) = if system.transitions().len() * n_words >= SIDE_BY_SIDE {
        std::thread::scope(|scope| {
            let refuted = beside(scope, || refutation.solve(context, n));
            let proved = proof.solve(context, n);
            (proved, refuted.join())
        })
    } else {
        (proof.solve(context, n), refutation.solve(context, n))
    };
    Ok(Instances { n, initial, proved: proved?, refuted: refuted? })
}

/// The equations of the formula, or of its dual.
struct Side<'a> {
    prepared: &'a Prepared<'a>,
    equations: Equations,
    /// By equation: the further proposition that it is, and whether it is negated.
    further: Vec<Option<(&'a FurtherValues<'a>, bool)>>,
    /// By equation: whether it depends on a further proposition.
    depends: Vec<bool>,
}

impl<'a> Side<'a> {
    fn new(prepared: &'a Prepared<'a>, graph: &FormulaGraph, further: &'a [Further<'a>]) -> Self {
        let equations = Equations::new(prepared.system(), graph, Modalities::Standard);
        let named: FxHashMap<&str, &FurtherValues<'_>> =
            further.iter().map(|further| (further.name.as_str(), &further.values)).collect();
        let further_at = |id: EquationId| match graph.node(equations.node(id)) {
            Node::Literal { proposition, negated } => {
                Some((*named.get(graph.propositions().name(*proposition))?, *negated))
            }
            _ => None,
        };
        let further: Vec<_> = EquationId::first(equations.len()).map(further_at).collect();
        let mut depends = vec![false; equations.len()];
        for (members, _) in equations.components() {
            let some = members.iter().any(|&member| {
                let operands = equations.operator(member).operands();
                further[member.index()].is_some() || operands.iter().any(|other| depends[other.index()])
            });
            members.iter().for_each(|member| depends[member.index()] = some);
        }
        Self { prepared, equations, further, depends }
    }

    fn problem(&self) -> Problem<'_> {
        let (prepared, equations) = (self.prepared, &self.equations);
        Problem { prepared, equations, domain: None, record: Record::Values }
    }

    /// Whether a proposition occurs that neither the system nor the caller knows.
    fn has_unknown_proposition(&self) -> bool {
        EquationId::first(self.equations.len()).any(|id| {
            matches!(self.equations.operator(id), Operator::Literal { prop: None, .. })
                && self.further[id.index()].is_none()
        })
    }

    /// For each initial state the words of the instances where the equations hold.
    fn solve(&self, context: &Context, n: usize) -> Result<Vec<Vec<u64>>, StopReason> {
        let problem = self.problem();
        let mut shared = Necessity::unsolved(&self.equations);
        for (members, recursion) in self.equations.components() {
            if !self.depends[members[0].index()] {
                solve_component(context, &problem, members, *recursion, &mut shared)?;
            }
        }
        let initial = self.prepared.system().initial();
        let mut words = vec![Vec::with_capacity(n.div_ceil(WIDTH)); initial.len()];
        for number in 0..n.div_ceil(WIDTH) {
            let width = WIDTH.min(n - number * WIDTH);
            let root = Block::solve(context, self, &shared, number, width)?;
            words.iter_mut().zip(initial).for_each(|(words, &state)| words.push(root.at(state)));
        }
        Ok(words)
    }
}
