//! χCTL on diagrams whose leaves are values \[FMY97\].
//!
//! One diagram for each function; `EX` joins over the next bits along the relation, which is in one piece here and without
//! inputs. Its conditions are made once, in the order that the variables of the system have then, so that later reordering of the
//! system costs nothing here. Nothing is collected while a formula is evaluated: nodes and memory are bounded by the
//! limits, which are values.
//!
//! Invariant: functions depend on current bits only. What they are outside of the given states does not matter, since no step
//! leads there from inside.

use super::semantics::{Functions, Steps, evaluate};
use super::values::{LatticeError, Valuation, Values};
use rustc_hash::FxHashMap;
use tertium_dd::{Bdd, Condition, Mtbdd, MtbddManager, Var};
use tertium_logic::Formula;
use tertium_support::{Context, StopReason};
use tertium_system::SymbolicModel;
use tertium_truth::FiniteLattice;

/// A symbolic system with multi-terminal diagrams over it.
#[derive(Debug)]
pub struct MultiTerminal<'m, 'l, L: FiniteLattice> {
    context: &'m Context,
    values: Values<'l, L>,
    diagrams: Diagrams<'m, L::Element>,
    states: Condition,
}

impl<'m, 'l, L: FiniteLattice> MultiTerminal<'m, 'l, L> {
    /// For a system and the given states of it, which must be closed under steps. The propositions are those of the system, true
    /// and false being top and bottom, and the given ones, which hide those of the same name.
    pub fn new(
        context: &'m Context,
        model: &'m SymbolicModel,
        states: &Bdd,
        values: Values<'l, L>,
        valuations: &[(String, Valuation<L::Element>)],
    ) -> Result<Self, StopReason> {
        let mut manager = MtbddManager::new(context, model.manager.order());
        let inputs = model.relation.input();
        let all = manager.condition(&model.relation.steps(states, states)?.exists(inputs)?)?;
        let mut justice = Vec::new();
        for constraint in &model.justice {
            let steps = model.relation.steps(&states.and(constraint)?, states)?;
            justice.push(manager.condition(&steps.exists(inputs)?)?);
        }
        let states = manager.condition(states)?;
        let frame = model.relation.frame();
        let (top, bottom) = (values.lattice.top(), values.lattice.bottom());
        let mut diagrams = Diagrams {
            all,
            justice,
            prime: frame.pairs().collect(),
            next: frame.next.clone(),
            given: FxHashMap::default(),
            model,
            two: [bottom.clone(), top],
            manager,
        };
        for (name, valuation) in valuations {
            let mut function = diagrams.manager.constant(bottom.clone());
            for (set, value) in &valuation.parts {
                let part = diagrams.on(set, value.clone(), bottom.clone())?;
                function = diagrams.manager.apply(function, part, |a, b| values.lattice.join(a, b))?;
            }
            diagrams.given.insert(name.clone(), function);
        }
        Ok(Self { context, values, diagrams, states })
    }

    /// From now on at most this many nodes; reaching it is an error of the operation.
    pub fn set_node_limit(&mut self, nodes: usize) {
        self.diagrams.manager.set_node_limit(nodes);
    }

    /// The value of a formula at each of the states, and bottom elsewhere.
    pub fn evaluate(&mut self, formula: &Formula) -> Result<Mtbdd, LatticeError> {
        let function = evaluate(self.context, self.values, &mut self.diagrams, formula)?;
        let manager = &mut self.diagrams.manager;
        let outside = manager.constant(self.values.lattice.bottom());
        Ok(manager.ite(self.states, function, outside)?)
    }

    /// The value of a function at a point.
    pub fn value(&self, function: Mtbdd, point: impl Fn(Var) -> bool) -> L::Element {
        self.diagrams.manager.eval(function, point).clone()
    }

    /// The meet of the values of a function over a set of states; top if it is empty.
    pub fn meet_over(&mut self, function: Mtbdd, set: &Bdd) -> Result<L::Element, StopReason> {
        let manager = &mut self.diagrams.manager;
        let (set, top) = (manager.condition(set)?, manager.constant(self.values.lattice.top()));
        let inside = manager.ite(set, function, top)?;
        Ok(self.values.lattice.meet_all(manager.values(inside)))
    }

    /// Nodes that were made so far.
    pub fn n_nodes(&self) -> usize {
        self.diagrams.manager.n_nodes()
    }
}

#[derive(Debug)]
struct Diagrams<'m, E> {
    model: &'m SymbolicModel,
    manager: MtbddManager<E>,
    all: Condition,
    justice: Vec<Condition>,
    /// Each current variable with its next one.
    prime: Vec<(Var, Var)>,
    next: Vec<Var>,
    given: FxHashMap<String, Mtbdd>,
    /// What false and true are.
    two: [E; 2],
}

impl<E: Clone + Eq + std::hash::Hash> Diagrams<'_, E> {
    fn on(&mut self, set: &Bdd, inside: E, outside: E) -> Result<Mtbdd, StopReason> {
        let set = self.manager.condition(set)?;
        let (inside, outside) = (self.manager.constant(inside), self.manager.constant(outside));
        self.manager.ite(set, inside, outside)
    }
}

impl<E: Clone + Eq + std::hash::Hash> Functions<E> for Diagrams<'_, E> {
    type Function = Mtbdd;

    fn n_justice(&self) -> usize {
        self.justice.len()
    }

    fn constant(&mut self, value: E) -> Mtbdd {
        self.manager.constant(value)
    }

    fn proposition(&mut self, name: &str) -> Result<Mtbdd, LatticeError> {
        if let Some(given) = self.given.get(name) {
            return Ok(*given);
        }
        let own = self.model.propositions.get(name);
        let set = own.ok_or_else(|| LatticeError::UnknownProposition(name.to_owned()))?;
        let inputs = &self.model.relation.frame().input;
        if set.support().iter().any(|var| inputs.contains(var)) {
            return Err(LatticeError::ReadsInput(name.to_owned()));
        }
        let [bottom, top] = self.two.clone();
        let function = self.on(set, top, bottom)?;
        self.given.insert(name.to_owned(), function);
        Ok(function)
    }

    fn map(&mut self, f: &Mtbdd, op: &mut dyn FnMut(&E) -> E) -> Result<Mtbdd, StopReason> {
        self.manager.map(*f, op)
    }

    fn combine(
        &mut self,
        f: &Mtbdd,
        g: &Mtbdd,
        op: &mut dyn FnMut(&E, &E) -> E,
    ) -> Result<Mtbdd, StopReason> {
        self.manager.apply(*f, *g, op)
    }

    fn before(
        &mut self,
        steps: Steps,
        f: &Mtbdd,
        none: E,
        op: &mut dyn FnMut(&E, &E) -> E,
    ) -> Result<Mtbdd, StopReason> {
        let relation = match steps {
            Steps::All => self.all,
            Steps::Of(constraint) => self.justice[constraint],
        };
        let after = self.manager.rename(*f, &self.prime)?;
        self.manager.join_along(relation, after, &self.next, none, op)
    }
}
