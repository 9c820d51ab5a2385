//! From the flat model to a symbolic system: bits, functions of bits, and relations in parts.
//!
//! The result has the states, initial states and steps that the interpreter gives one by one, for all at once. Where
//! the model has no meaning at some state, or in a step from a reachable state (a value outside its type, a division by zero, a `case`
//! without a branch), this is an error with an example. The order of the variables comes from [`crate::order`], and variables
//! that cannot matter may be left out: see [`cone_of_influence`].
//!
//! Invariants: codes that stand for no value occur in no state and no step; every disjunct of the relation allows only steps
//! between states.

mod alternatives;
mod certain;
mod cone;
mod encoding;
mod exhaustive;
mod fault;
mod interleave;
mod laws;
mod layout;
mod share;

pub(crate) use cone::Influence;
pub use cone::{cone_of_influence, cone_of_query};
pub(crate) use exhaustive::gaps;
pub(crate) use interleave::bit_classes;
pub use share::{SharedCone, share_cones};

use crate::lower::{Lowered, When, lower};
use crate::order::VariableOrder;
use crate::{Expr, FlatModel, Specification, Value, VarId, VarKind};
use alternatives::Alternative;
use encoding::Encoding;
use indexmap::IndexMap;
use laws::{Law, Origin};
use layout::Layout;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_dd::{Bdd, Frame, Manager, Relation};
use tertium_encode::diagrams::{conjoin, disjoin, frame_of, manager_within, order_of};
use tertium_support::{Context, Diagnostic, Id, StopReason};
use tertium_system::SymbolicModel;

/// What can be chosen about an encoding.
#[derive(Clone, Debug, Default)]
pub struct EncodeOptions {
    /// The order of the variables.
    pub order: VariableOrder,
    /// Only these variables, which must be closed under what they need: see [`cone_of_influence`]. All if nothing is given.
    pub keep: Option<BTreeSet<VarId>>,
    /// At most this many nodes.
    pub node_limit: Option<usize>,
    /// From this many nodes on the order is improved on the way.
    pub reorder_from: Option<usize>,
}

/// Why there is no encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// A limit was reached.
    Stopped(StopReason),
    /// The model has no meaning at some state, or in a step from a reachable one.
    Model(Box<Diagnostic>),
}

impl From<StopReason> for EncodeError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

/// A flat model as a symbolic system, with the way back.
#[derive(Debug)]
pub struct Encoded<'m> {
    /// The system. Its variables are those of the flat model that are encoded, in its order.
    pub model: SymbolicModel,
    encoding: Encoding<'m>,
    /// The states with all valid inputs.
    steps: Bdd,
}

/// Encodes a model.
pub fn encode<'m>(
    context: &Context,
    model: &'m FlatModel,
    options: &EncodeOptions,
) -> Result<Encoded<'m>, EncodeError> {
    encode_lowered(context, lower(model, options.keep.as_ref()), options)
}

/// Encodes a model, or the part of one that was lowered. Costs what the part costs, however large the model is.
pub fn encode_lowered<'m>(
    context: &Context,
    lowered: Lowered<'m>,
    options: &EncodeOptions,
) -> Result<Encoded<'m>, EncodeError> {
    let manager = manager_within(context, options.node_limit, options.reorder_from);
    let (model, outline) = (lowered.flat(), Rc::clone(&lowered.evaluator.outline));
    let order = outline.ordered(model, &options.order, &lowered.evaluator.kept);
    let layout = Layout::new(&manager, model, &interleave::order_bits(model, &outline, &order));
    let frame = frame_of(&layout.variables);
    let mut encoding = Encoding::new(&manager, layout, lowered);

    let state_laws = encoding.state_laws()?;
    fault::check_states(&encoding, &state_laws.iter().collect::<Vec<_>>())?;
    let initial_laws = encoding.initial_laws()?;
    fault::check_states(&encoding, &initial_laws.iter().chain(&state_laws).collect::<Vec<_>>())?;
    let invar = conjoin(&manager, state_laws.iter().flat_map(|law| &law.parts))?;
    let init = conjoin(&manager, initial_laws.iter().flat_map(|law| &law.parts))?.and(&invar)?;

    let step_laws = encoding.step_laws()?;
    let next_laws = encoding.next_laws()?;
    let is_faulty = |law: &Law<'_>| !law.fault.is_false();
    let all_step_laws = next_laws.iter().flatten().chain(&step_laws);
    let entered = if all_step_laws.into_iter().any(is_faulty) {
        primed(&manager, &frame, &state_laws)?
    } else {
        Vec::new()
    };
    let mut faulty_steps = Vec::new();
    for laws in &next_laws {
        let laws: Vec<&Law<'_>> = laws.iter().chain(&step_laws).collect();
        if laws.iter().any(|law| is_faulty(law)) {
            let laws: Vec<&Law<'_>> = laws.into_iter().chain(&entered).collect();
            faulty_steps.extend(fault::faulty_steps(&encoding, &frame, &invar, &laws)?);
        }
    }
    let faulty = disjoin(&manager, faulty_steps.iter().map(|steps| &steps.from))?;
    let relation = relation_of(&manager, frame, &faulty, &state_laws, &step_laws, &next_laws)?;
    fault::check_steps(context, &encoding, &init, &relation, &faulty_steps)?;
    drop(faulty_steps);

    let steps = valid_steps(&encoding, &invar)?;
    let mut encoded = Encoded {
        model: SymbolicModel {
            manager,
            variables: encoding.layout.variables.clone(),
            init,
            invar,
            faulty,
            relation,
            justice: Vec::new(),
            compassion: Vec::new(),
            propositions: IndexMap::new(),
        },
        encoding,
        steps,
    };
    for constraint in &model.justice {
        let constraint = encoded.atom(constraint)?;
        encoded.model.justice.push(constraint);
    }
    for (often, then) in &model.compassion {
        let pair = (encoded.atom(often)?, encoded.atom(then)?);
        encoded.model.compassion.push(pair);
    }
    Ok(encoded)
}

impl<'m> Encoded<'m> {
    /// The flat model.
    pub fn flat(&self) -> &'m FlatModel {
        self.encoding.model
    }

    /// The same variables as terms.
    pub fn lowered(&self) -> &Lowered<'m> {
        &self.encoding.lowered
    }

    /// The variables of the flat model that are encoded; variable k of the symbolic system is number k of these.
    pub fn variables(&self) -> &[VarId] {
        &self.encoding.layout.kept
    }

    /// The encoded variables in the present order of their first bits.
    pub fn order(&self) -> Vec<VarId> {
        let order = order_of(&self.model.manager, &self.model.variables);
        order.into_iter().map(|at| self.variables()[at]).collect()
    }

    /// Which variable of the symbolic system stands for a variable of the flat model, if one does.
    pub fn symbolic(&self, id: VarId) -> Option<usize> {
        self.encoding.layout.place(id)
    }

    /// The value of a variable that has this code; `None` for a code that stands for nothing.
    pub fn value(&self, id: VarId, code: u64) -> Option<Value> {
        layout::decode(&self.flat().variables[id.index()].ty, code)
    }

    /// The code of a value of a variable; `None` if it is not of its type.
    pub fn code(&self, id: VarId, value: Value) -> Option<u64> {
        layout::code_of(&self.flat().variables[id.index()].ty, value)
    }

    /// A Boolean expression without `next`, as a function of current and input bits. An expression without meaning
    /// at some state is an error, and so is one that reads a variable that is not encoded.
    pub fn atom(&mut self, expr: &Expr) -> Result<Bdd, EncodeError> {
        let (holds, fault) = self.encoding.truth(expr, When::Now)?;
        let law = Law {
            parts: vec![holds.clone()],
            alternatives: Vec::new(),
            fault,
            origin: Origin::Constraint(expr, When::Now),
        };
        fault::check_everywhere(&self.encoding, &law, &self.steps)?;
        Ok(holds)
    }

    /// Makes the propositions of a specification known under their names.
    pub fn register(&mut self, specification: &Specification) -> Result<(), EncodeError> {
        for atom in &specification.atoms {
            if !self.model.propositions.contains_key(&atom.name) {
                let function = self.atom(&atom.expr)?;
                self.model.propositions.insert(atom.name.clone(), function);
            }
        }
        Ok(())
    }
}

/// The laws of states for the state after a step.
fn primed<'m>(manager: &Manager, frame: &Frame, laws: &[Law<'m>]) -> Result<Vec<Law<'m>>, StopReason> {
    let pairs = frame.current.iter().copied().zip(frame.next.iter().copied());
    let renaming = manager.renaming(pairs);
    let prime = |law: &Law<'m>| {
        let parts = law.parts.iter().map(|part| part.rename(renaming)).collect::<Result<_, _>>()?;
        Ok(Law { parts, alternatives: Vec::new(), fault: law.fault.rename(renaming)?, origin: law.origin })
    };
    laws.iter().map(prime).collect()
}

/// The steps. From states where some step has no meaning there are none.
fn relation_of(
    manager: &Manager,
    frame: Frame,
    faulty: &Bdd,
    state_laws: &[Law<'_>],
    step_laws: &[Law<'_>],
    next_laws: &[Vec<Law<'_>>],
) -> Result<Relation, StopReason> {
    let entered = primed(manager, &frame, state_laws)?;
    let common = || step_laws.iter().chain(state_laws).chain(&entered);
    let parts = |law: &Law<'_>| law.parts.clone();
    let mut disjuncts: Vec<Vec<Bdd>> =
        next_laws.iter().map(|laws| laws.iter().chain(common()).flat_map(parts).collect()).collect();
    // Only one law is multiplied out, and only where there are no processes.
    let n_alternatives = |law: &&Law<'_>| law.alternatives.len();
    let most = step_laws.iter().max_by_key(n_alternatives).filter(|_| disjuncts.len() == 1);
    for law in step_laws.iter().filter(|law| !law.alternatives.is_empty()) {
        if most.is_some_and(|most| std::ptr::eq(most, law)) {
            let whole = disjuncts.swap_remove(0);
            let with = |one: &Alternative| whole.iter().chain(&one.parts).cloned().collect();
            disjuncts = law.alternatives.iter().map(with).collect();
        } else {
            let any = law.any_alternative(manager)?;
            disjuncts.iter_mut().for_each(|parts| parts.push(any.clone()));
        }
    }
    if !faulty.is_false() {
        disjuncts.iter_mut().for_each(|parts| parts.push(faulty.not()));
    }
    Relation::new(manager, frame, disjuncts)
}

/// The states together with inputs whose codes stand for values.
fn valid_steps(encoding: &Encoding<'_>, invar: &Bdd) -> Result<Bdd, StopReason> {
    let mut parts = vec![invar.clone()];
    for &id in &encoding.layout.kept {
        if encoding.model.variables[id.index()].kind == VarKind::Input {
            parts.push(encoding.layout.valid(&encoding.manager, encoding.model, id, When::Now)?);
        }
    }
    conjoin(&encoding.manager, &parts)
}

#[cfg(test)]
mod tests;
