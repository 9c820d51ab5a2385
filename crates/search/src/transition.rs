//! Programs taken apart into transitions.
//!
//! Without inputs, and for each value of inputs that are tried one by one, a way through a command is a transition with
//! one successor at most. The other steps are open: their inputs are chosen at each state, and each choice that was
//! made is a transition, too.

use crate::inputs::{Completeness, Treatment};
use crate::{InputSettings, Inputs, Precision};
use indexmap::IndexSet;
use std::sync::Arc;
use tertium_explore::{Moves, StepTerms};
use tertium_expr::{Substitution, Term, Variable};
use tertium_program::{CommandId, Interpreter, Program, State, Step, StepTaken};
use tertium_support::{Id, define_id};

define_id!(
    /// A transition of a machine.
    TransitionId
);

/// A transition with what it asks for and does.
pub(crate) struct Deterministic<'p> {
    pub(crate) transition: StepTaken,
    step: &'p Step,
    /// Where it is enabled.
    pub(crate) guard: Term,
    /// What variables become.
    pub(crate) updates: Vec<(Variable, Term)>,
}

/// A way through a command whose inputs are chosen at each state.
pub(crate) struct OpenStep<'p> {
    pub(crate) command: CommandId,
    /// Which of its steps.
    pub(crate) number: usize,
    pub(crate) step: &'p Step,
}

/// A program as its transitions, in the order of the text.
pub struct Machine<'p> {
    interpreter: Interpreter<'p>,
    /// All transitions that ever were, by id.
    known: IndexSet<StepTaken>,
    fixed: Vec<(TransitionId, Deterministic<'p>)>,
    open: Vec<OpenStep<'p>>,
    truncated: bool,
    /// The fixed ones as code.
    moves: Arc<Moves>,
}

impl<'p> Machine<'p> {
    /// Takes a program apart, all inputs tried one by one. If one has too many values, the command is given.
    pub fn new(program: &'p Program) -> Result<Self, CommandId> {
        let mut machine = Self::empty(program);
        let settings = InputSettings { how: Inputs::Enumerate, within: None };
        machine.treat_inputs(settings, &Precision::new(crate::Identity::default()))?;
        Ok(machine)
    }

    /// A program not yet taken apart.
    pub(crate) fn empty(program: &'p Program) -> Self {
        let (fixed, open) = (Vec::new(), Vec::new());
        let interpreter = Interpreter::new(program);
        Self { interpreter, known: IndexSet::new(), fixed, open, truncated: false, moves: Arc::default() }
    }

    /// Takes the program apart anew. Inputs go the way that is set, with regard to the predicates that states are
    /// matched by. If they should be tried one by one and are too many, the command is given. Ids stay what they were.
    pub fn treat_inputs(&mut self, settings: InputSettings, precision: &Precision) -> Result<(), CommandId> {
        let program = self.program();
        let terms = &program.terms;
        self.fixed.clear();
        self.open.clear();
        self.truncated = false;
        for command in CommandId::first(program.commands().len()) {
            for (number, step) in program.commands()[command.index()].steps.iter().enumerate() {
                let all = match settings.treat(terms, step, precision).ok_or(command)? {
                    Treatment::Chosen => {
                        self.open.push(OpenStep { command, number, step });
                        continue;
                    }
                    Treatment::Tried(all, complete) => {
                        self.truncated |= complete == Completeness::Some;
                        all
                    }
                };
                for inputs in all {
                    let values = step.inputs.iter().zip(&inputs);
                    let mut chosen =
                        Substitution::new(values.map(|(input, value)| (input.variable, terms.value(value))));
                    let guard = chosen.apply(terms, step.guard);
                    let updates =
                        step.updates.iter().map(|(&variable, &term)| (variable, chosen.apply(terms, term)));
                    let updates = updates.collect();
                    let transition = StepTaken { command, step: number, inputs };
                    let (id, _) = self.known.insert_full(transition.clone());
                    let own = Deterministic { transition, step, guard, updates };
                    self.fixed.push((TransitionId::new(id), own));
                }
            }
        }
        let steps = self.fixed.iter().map(|(id, own)| StepTerms {
            label: id.raw(),
            guard: own.guard,
            updates: own.updates.clone(),
            inputs: &[],
        });
        self.moves = Arc::new(Moves::new(program, steps));
        debug_assert_eq!(self.moves.len(), self.fixed.len(), "each transition is compiled");
        Ok(())
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.interpreter.program()
    }

    /// What runs it.
    pub fn interpreter(&self) -> &Interpreter<'p> {
        &self.interpreter
    }

    /// The transition with an id.
    pub fn transition(&self, id: TransitionId) -> &StepTaken {
        &self.known[id.index()]
    }

    /// Whether some values of inputs are left out.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The transitions whose inputs are not chosen at each state, as code.
    pub(crate) fn moves(&self) -> &Arc<Moves> {
        &self.moves
    }

    /// Where the transition with an id leads; nothing if it is not enabled.
    pub(crate) fn follow(&self, state: &State, id: TransitionId) -> Option<State> {
        self.interpreter.follow(state, self.transition(id))
    }

    /// All transitions whose inputs are not chosen at each state.
    pub(crate) fn transitions(&self) -> impl Iterator<Item = (TransitionId, &Deterministic<'p>)> {
        self.fixed.iter().map(|(id, own)| (*id, own))
    }

    /// The steps whose inputs are chosen at each state.
    pub(crate) fn open_steps(&self) -> &[OpenStep<'p>] {
        &self.open
    }

    /// The id of a choice, given the choices that are not kept yet; to these it is added if it is new.
    pub(crate) fn id_of_choice(&self, transition: StepTaken, new: &mut IndexSet<StepTaken>) -> TransitionId {
        let known = self.known.get_index_of(&transition);
        TransitionId::new(known.unwrap_or_else(|| self.known.len() + new.insert_full(transition).0))
    }

    /// Keeps new choices, with the ids that they got.
    pub(crate) fn keep(&mut self, new: IndexSet<StepTaken>) {
        let n_known = self.known.len() + new.len();
        self.known.extend(new);
        debug_assert_eq!(self.known.len(), n_known, "new choices were not known");
    }

    /// Where a transition leads; nothing if it is not enabled.
    pub(crate) fn take(&self, state: &State, own: &Deterministic<'p>) -> Option<State> {
        self.interpreter.take(state, own.step, &own.transition.inputs)
    }
}
