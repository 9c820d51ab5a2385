//! Predicate-cartesian abstraction \[GHJ01\]: abstract states are vectors over 0, 1 and *, a star for a predicate that is left open.
//!
//! A vector stands for all states of the bit vectors that agree with it. So its may targets are the union of theirs, and a vector is
//! a must target iff it is one of each; both come from what is known of bit vectors without another solver call. Must targets are
//! closed under leaving more open, so the most precise ones say everything.
//!
//! Taken literally, the definition has a may step into every vector that overlaps, up to the one that leaves everything open, and then
//! hardly anything holds of all successors. [`Form::Mixed`] has may steps into bit vectors only; each concrete successor is still
//! covered, so it is as sound, and it is what to use.

use crate::transfer::most_precise;
use crate::{AbstractState, PredicateAbstraction, Predicates};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Program};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::{Belnap, Kleene, TriVector};

/// Which steps a cartesian abstraction has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// All that the definition has.
    Literal,
    /// May steps into bit vectors, must steps into the most precise vectors; a must step need not be a may step.
    #[default]
    Mixed,
    /// The most precise must targets are may targets too. Sound, but more predicates can lose a verdict.
    Reduced,
}

/// A value for each control variable and a vector over the predicates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TriState {
    /// The control variables, in the order of the program.
    pub control: Box<[Value]>,
    /// What is known of each predicate.
    pub vector: TriVector,
}

impl TriState {
    /// A state without stars.
    pub fn exact(state: &AbstractState) -> Self {
        Self { control: state.control.clone(), vector: state.vector() }
    }

    /// Whether a state of bits is one of those it stands for.
    pub fn covers(&self, state: &AbstractState) -> bool {
        self.control == state.control && self.vector.info_le(&state.vector())
    }

    /// Exactly the concrete states that it stands for.
    pub fn term(&self, program: &Program, predicates: &Predicates) -> Term {
        let terms = &program.terms;
        let control = crate::state::control_variables(program).into_iter().zip(&self.control);
        let control =
            control.map(|(variable, value)| terms.equal(terms.variable(variable), terms.value(value)));
        let literals =
            predicates.iter().zip(self.vector.components()).filter_map(|(predicate, known)| match known {
                Kleene::True => Some(predicate),
                Kleene::False => Some(terms.not(predicate)),
                Kleene::Unknown => None,
            });
        terms.and([program.within()].into_iter().chain(control).chain(literals))
    }
}

/// A cartesian abstract system with what its states are.
#[derive(Debug)]
pub struct CartesianSystem {
    /// The system. Its domain says which inhabited bit vectors each state stands for.
    pub system: PartialSystem,
    /// What the states are, by id.
    pub states: IndexSet<TriState>,
    /// The initial states that are known to stand for one of the program.
    pub inhabited: Vec<StateId>,
}

/// Explores everything that may or must be reached, with these propositions.
pub fn explore_cartesian(
    context: &Context,
    abstraction: &mut PredicateAbstraction<'_>,
    propositions: &[(String, Term)],
    form: Form,
) -> Result<CartesianSystem, StopReason> {
    let initial = abstraction.initial(context)?;
    let mut explorer =
        Explorer { context, abstraction, form, below: FxHashMap::default(), known: FxHashMap::default() };
    let mut ticker = context.ticker("exploring the abstract system");
    let mut states: IndexSet<TriState> = IndexSet::new();
    let mut inhabited = Vec::new();
    for (state, sure) in &initial {
        let (at, _) = states.insert_full(TriState::exact(state));
        if *sure {
            inhabited.push(StateId::new(at));
        }
    }
    let n_initial = states.len();
    let mut edges = Vec::new();
    let mut at = 0;
    while let Some(state) = states.get_index(at).cloned() {
        ticker.tick(1)?;
        for (command, targets) in explorer.targets(&state)? {
            for (target, modality) in explorer.steps(targets) {
                let (to, _) = states.insert_full(target);
                edges.push((StateId::new(at), command, StateId::new(to), modality));
            }
        }
        at += 1;
    }
    let mut builder = SystemBuilder::numbered(states.len());
    (0..n_initial).for_each(|n| builder.initial(StateId::new(n)));
    for (source, command, target, modality) in edges {
        let action = explorer.abstraction.program().commands()[command.index()].action.clone();
        let action = builder.action(&action);
        builder.edge(source, action, target, modality);
    }
    for (n, state) in states.iter().enumerate() {
        for exact in explorer.below(state)?.iter() {
            let concrete = builder.concrete(&format!("{:?} {}", exact.control, exact.vector()));
            builder.concretise(StateId::new(n), concrete);
        }
        for (name, term) in propositions {
            let proposition = builder.proposition(name, Belnap::Unknown);
            builder.label(StateId::new(n), proposition, explorer.value(state, *term));
        }
    }
    Ok(CartesianSystem { system: builder.build(), states, inhabited })
}

/// Where a command leads from a vector.
#[derive(Clone, Debug)]
struct TriTargets {
    /// Bit vectors.
    may: BTreeSet<AbstractState>,
    /// The most precise must vectors.
    must: Vec<TriState>,
}

type Known = Rc<Vec<(CommandId, TriTargets)>>;

struct Explorer<'a, 'p> {
    context: &'a Context,
    abstraction: &'a mut PredicateAbstraction<'p>,
    form: Form,
    /// The inhabited bit vectors of each control.
    below: FxHashMap<Box<[Value]>, Rc<Vec<AbstractState>>>,
    /// Where bit vectors lead.
    known: FxHashMap<AbstractState, Known>,
}

impl Explorer<'_, '_> {
    /// The inhabited bit vectors that a state stands for.
    fn below(&mut self, state: &TriState) -> Result<Vec<AbstractState>, StopReason> {
        let all = match self.below.get(&state.control) {
            Some(all) => Rc::clone(all),
            None => {
                let all = Rc::new(self.abstraction.inhabited(self.context, &state.control)?);
                self.below.insert(state.control.clone(), Rc::clone(&all));
                all
            }
        };
        Ok(all.iter().filter(|exact| state.covers(exact)).cloned().collect())
    }

    /// Where every command leads from a bit vector.
    fn exact(&mut self, state: &AbstractState) -> Result<Known, StopReason> {
        if let Some(known) = self.known.get(state) {
            return Ok(Rc::clone(known));
        }
        let mut all = Vec::new();
        for (command, targets) in self.abstraction.successors(self.context, state)? {
            let must = self.abstraction.cartesian_musts(self.context, state, command, &targets)?;
            all.push((command, TriTargets { may: targets.may, must }));
        }
        let known = Rc::new(all);
        self.known.insert(state.clone(), Rc::clone(&known));
        Ok(known)
    }

    /// Where every command leads from a vector.
    fn targets(&mut self, state: &TriState) -> Result<Vec<(CommandId, TriTargets)>, StopReason> {
        let below = self.below(state)?;
        let mut all: Vec<(CommandId, TriTargets)> = Vec::new();
        for (n, exact) in below.iter().enumerate() {
            let known = self.exact(exact)?;
            // A command that one of them lacks has no must target.
            for (command, targets) in &mut all {
                if !known.iter().any(|(other, _)| other == command) {
                    targets.must.clear();
                }
            }
            for (command, targets) in known.iter() {
                match all.iter_mut().find(|(other, _)| other == command) {
                    None => {
                        let must = if n == 0 { targets.must.clone() } else { Vec::new() };
                        all.push((*command, TriTargets { may: targets.may.clone(), must }));
                    }
                    Some((_, known)) => {
                        known.may.extend(targets.may.iter().cloned());
                        known.must = in_both(&known.must, &targets.must);
                    }
                }
            }
        }
        all.sort_by_key(|(command, _)| *command);
        Ok(all)
    }

    /// The steps that this form has.
    fn steps(&self, targets: TriTargets) -> Vec<(TriState, Modality)> {
        let exact = targets.may.iter().map(TriState::exact);
        match self.form {
            Form::Mixed | Form::Reduced => {
                let must = if self.form == Form::Mixed { Modality::Must } else { Modality::Both };
                exact
                    .map(|target| (target, Modality::May))
                    .chain(targets.must.into_iter().map(|t| (t, must)))
                    .collect()
            }
            Form::Literal => {
                let may: IndexSet<TriState> = exact.flat_map(|target| weaker(&target)).collect();
                let must: IndexSet<TriState> = targets.must.iter().flat_map(weaker).collect();
                let may = may.into_iter().map(|target| (target, Modality::May));
                may.chain(must.into_iter().map(|target| (target, Modality::Must))).collect()
            }
        }
    }

    fn value(&mut self, state: &TriState, term: Term) -> Belnap {
        let program = self.abstraction.program();
        let predicates = self.abstraction.predicates();
        let known = predicates.find_literal(&program.terms, term).map(|(id, positive)| {
            let known = state.vector.components()[id.index()];
            if positive { known } else { known.not() }
        });
        let value = match known {
            Some(known @ (Kleene::True | Kleene::False)) => known,
            // A predicate that is left open can still follow from the others.
            Some(Kleene::Unknown) | None => {
                let psi = state.term(program, predicates);
                self.abstraction.decided(self.context, psi, term)
            }
        };
        match value {
            Kleene::True => Belnap::True,
            Kleene::False => Belnap::False,
            Kleene::Unknown => Belnap::Unknown,
        }
    }
}

/// What is weaker than one of the first and than one of the second, by its most precise members.
fn in_both(first: &[TriState], second: &[TriState]) -> Vec<TriState> {
    let mut by_control: Vec<(Box<[Value]>, Vec<TriVector>)> = Vec::new();
    for one in first {
        for other in second.iter().filter(|other| other.control == one.control) {
            let vector = one.vector.align(&other.vector);
            match by_control.iter_mut().find(|(control, _)| *control == one.control) {
                Some((_, vectors)) => vectors.push(vector),
                None => by_control.push((one.control.clone(), vec![vector])),
            }
        }
    }
    let states = by_control.into_iter().flat_map(|(control, vectors)| {
        most_precise(vectors).into_iter().map(move |vector| TriState { control: control.clone(), vector })
    });
    states.collect()
}

/// All states that leave at least as much open.
fn weaker(state: &TriState) -> Vec<TriState> {
    let mut vectors = vec![Vec::new()];
    for &component in state.vector.components() {
        let options =
            if component == Kleene::Unknown { vec![component] } else { vec![component, Kleene::Unknown] };
        vectors = vectors
            .iter()
            .flat_map(|before: &Vec<Kleene>| {
                options.iter().map(|&option| [before.clone(), vec![option]].concat())
            })
            .collect();
    }
    let states = vectors
        .into_iter()
        .map(|vector| TriState { control: state.control.clone(), vector: TriVector::new(vector) });
    states.collect()
}
