//! Where a search begins.
//!
//! From all initial states if they are few. Else from one for each key that initial states have: the solver is asked
//! for an initial state with another key until there is none. As many questions as keys, and one more; if the solver
//! gives up on one, keys may be missing.

use crate::Precision;
use tertium_program::{InitialStates, Interpreter, Program, initial_states, state_of};
use tertium_solve::{Answer, Prover};
use tertium_support::{Context, StopReason};

/// So many initial states are all searched from.
const FEW: usize = 16;

/// What is known of the initial states of a program.
pub(crate) enum Roots {
    /// All of them.
    All(InitialStates),
    /// That they are many, or that not all were found.
    Many,
}

impl Roots {
    /// Looks at the initial states of a program.
    pub(crate) fn of(context: &Context, program: &Program) -> Result<Self, StopReason> {
        let few = initial_states(context, program, FEW)?;
        Ok(if few.complete { Self::All(few) } else { Self::Many })
    }

    /// States to search from. They are complete if every initial state is matched with one of them.
    pub(crate) fn states<'p>(
        &self,
        context: &Context,
        program: &'p Program,
        precision: &Precision,
        prover: &mut Prover<'p>,
    ) -> Result<InitialStates, StopReason> {
        match self {
            Self::All(all) => Ok(all.clone()),
            Self::Many => representatives(context, program, precision, prover),
        }
    }
}

fn representatives<'p>(
    context: &Context,
    program: &'p Program,
    precision: &Precision,
    prover: &mut Prover<'p>,
) -> Result<InitialStates, StopReason> {
    let terms = &program.terms;
    let interpreter = Interpreter::new(program);
    let mut together = vec![program.within(), program.initial];
    let mut states = Vec::new();
    loop {
        context.poll()?;
        let (answer, model) = prover.find(context, terms, together.iter().copied());
        if answer.unless_stopped()? == Answer::Unsatisfiable {
            return Ok(InitialStates { states, complete: true });
        }
        let state = model.map(|model| state_of(program, &model));
        // The solver gave up, or its model is of no use.
        let Some(state) = state.filter(|state| interpreter.is_initial(state)) else {
            return Ok(InitialStates { states, complete: false });
        };
        let key = precision.key(&interpreter, &state);
        debug_assert!(
            states.iter().all(|other| precision.key(&interpreter, other) != key),
            "known keys are excluded"
        );
        let equal = precision.knowledge(program, &key, &precision.active(program, &state));
        together.push(terms.not(terms.and(equal)));
        states.push(state);
    }
}
