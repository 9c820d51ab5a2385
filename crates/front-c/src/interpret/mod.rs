//! Running programs: one run with given values from outside, on an explicit stack, with the arithmetic of the machine.
//!
//! A program is prepared once ([`Interpreter::new`]) and can be run often. A run ends by itself, with the name of what is undefined as
//! soon as that is done, or at a limit; see [`Ending`]. What it reads and nobody wrote it asks for, as it asks for the values of
//! `__VERIFIER_nondet_*`; so a run is a function of the program and its [`Inputs`].
//!
//! Strings, pointers and integers are those of a machine with bytes of 8 bits, the lowest first, and two's complement. Not modelled:
//! alignment, effective types, `restrict`; block-scope objects live until their function returns or their block begins again.
//! `long double` is computed as `double`, see [`Run::is_machine_bound`].
//!
//! | module | holds |
//! |---|---|
//! | `code` | what a program is prepared to |
//! | `prepare` | how |
//! | `machine`, `calls` | the loop, observers; calls and returns |
//! | `builtins` | library functions |
//! | `memory`, `addresses` | objects; pointers as numbers |
//! | `scalar`, `arithmetic` | values |

mod addresses;
mod arithmetic;
mod builtins;
mod calls;
mod code;
mod ending;
mod inputs;
mod machine;
mod memory;
mod observer;
mod prepare;
mod scalar;
mod shares;

pub use ending::{Ending, Halt, IntegerModel, Run, RunLimits};
pub use inputs::{
    ChosenInputs, Holder, InputSource, InputType, Inputs, ListedInputs, NoInputs, RandomInputs, Request, Then,
};
pub use observer::{Assignment, NoObserver, Observer, Shown};

use crate::ir::{FunctionId, Unit};
use code::Code;
use machine::Machine;
use memory::Memory;
use prepare::Prepared;
use tertium_support::{Context, Span};

/// Why a program cannot be run at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// An object is larger than any machine has room for.
    TooLarge(Span),
    /// The initial value of a global is none.
    BadInitial(Span),
}

/// A program that is ready to run.
#[derive(Clone, Debug)]
pub struct Interpreter {
    code: Code,
    model: IntegerModel,
    main: FunctionId,
    main_span: Span,
    /// What absolute registers hold when the program begins, and its objects.
    absolute: Vec<i128>,
    memory: Memory,
}

impl Interpreter {
    /// Prepares a program for runs with machine integers.
    pub fn new(unit: &Unit) -> Result<Self, Unfit> {
        Self::with_integers(unit, IntegerModel::Machine)
    }

    /// Prepares a program.
    pub fn with_integers(unit: &Unit, model: IntegerModel) -> Result<Self, Unfit> {
        let Prepared { code, absolute, memory, initial, n_registers } = prepare::prepare(unit, model)?;
        let main_span = unit.function(unit.main).span;
        let mut this = Self { code, model, main: unit.main, main_span, absolute, memory };
        let context = Context::default();
        let (mut inputs, mut observer) = (NoInputs, NoObserver);
        let mut machine = Machine::new(&this, &context, &mut inputs, &mut observer, RunLimits::default());
        let ending = machine.initialise(initial, n_registers);
        let (absolute, memory) = machine.state();
        match ending {
            Ending::Finished(_) => {}
            Ending::Undefined(_, span) | Ending::Unsupported(_, span) => return Err(Unfit::BadInitial(span)),
            _ => return Err(Unfit::BadInitial(Span::default())),
        }
        (this.absolute, this.memory) = (absolute, memory);
        Ok(this)
    }

    /// Runs the program once.
    pub fn run(
        &self,
        context: &Context,
        inputs: &mut dyn Inputs,
        observer: &mut dyn Observer,
        limits: RunLimits,
    ) -> Run {
        Machine::new(self, context, inputs, observer, limits).run()
    }
}
