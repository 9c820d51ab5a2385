//! From a bounded program to a symbolic system.
//!
//! A state is a value for each variable, as in the interpreter. The system has no inputs: those of the program are
//! quantified. Which command a step between two states is, and with which inputs, is found afterwards, for the few
//! steps that are shown: see [`EncodedProgram::step_between`].
//!
//! Codes that stand for no value occur in no initial state. From a state, every step leads to a state.

use super::steps::{Steps, fresh};
use super::together::lay_out;
use super::{
    EncodeError, Encoder, Finite, Layout, Values, circuit, conjoin, frame_of, manager_within, order_of,
};
use indexmap::IndexMap;
use tertium_dd::{Manager, Relation, Var};
use tertium_expr::{Term, Terms, Value};
use tertium_program::{CommandId, Interpreter, Program, State, Step, StepTaken, VarId};
use tertium_support::{Context, Id};
use tertium_system::SymbolicModel;

/// What can be chosen about an encoding.
#[derive(Clone, Debug, Default)]
pub struct ProgramOptions {
    /// These variables first, in this order; the others follow as the commands put them together.
    pub order: Option<Vec<VarId>>,
    /// At most this many nodes.
    pub node_limit: Option<usize>,
    /// From this many nodes on the order is improved on the way.
    pub reorder_from: Option<usize>,
}

/// A program as a symbolic system, with the way back.
#[derive(Debug)]
pub struct EncodedProgram<'p> {
    /// The system. Its variables are those of the program, in their order; it has no inputs.
    pub model: SymbolicModel,
    program: &'p Program,
    encoder: Encoder<&'p Terms>,
    /// By variable.
    values: Vec<Values>,
}

/// Whether all variables and inputs of a program have finitely many values, so that it can be encoded.
pub fn is_bounded(program: &Program) -> bool {
    let inputs = program.commands().iter().flat_map(|command| &command.steps).flat_map(|step| &step.inputs);
    program.variables().iter().all(|own| Values::of_domain(&own.domain).is_some())
        && inputs.into_iter().all(|input| Values::of_domain(&input.domain).is_some())
}

/// Encodes a program.
pub fn encode_program<'p>(
    context: &Context,
    program: &'p Program,
    options: &ProgramOptions,
) -> Result<EncodedProgram<'p>, EncodeError> {
    let manager = manager_within(context, options.node_limit, options.reorder_from);
    let values = program
        .variables()
        .iter()
        .map(|own| Values::of_domain(&own.domain).ok_or(EncodeError::Unbounded(own.variable)));
    let values = values.collect::<Result<Vec<Values>, _>>()?;
    let (layout, variables) = lay_out(&manager, program, &values, options.order.as_deref());
    let mut encoder = Encoder::new(&program.terms, &manager, layout);
    let mut valid = Vec::new();
    for own in program.variables() {
        let finite = encoder.layout().get(own.variable).expect("every variable has bits");
        valid.push(finite.valid(&manager)?);
    }
    let invar = conjoin(&manager, &valid)?;
    let init = encoder.truth(program.initial)?.and(&invar)?;
    let changes =
        Steps { program, encoder: &mut encoder, variables: &variables, values: &values }.changes()?;
    encoder.forget();
    let relation = Relation::changing(&manager, frame_of(&variables), changes)?;
    let model = SymbolicModel {
        faulty: manager.constant(false),
        manager,
        variables,
        init,
        invar,
        relation,
        justice: Vec::new(),
        compassion: Vec::new(),
        propositions: IndexMap::new(),
    };
    Ok(EncodedProgram { model, program, encoder, values })
}

impl EncodedProgram<'_> {
    /// Makes a truth value known under a name.
    pub fn name(&mut self, name: &str, term: Term) -> Result<(), EncodeError> {
        if !self.model.propositions.contains_key(name) {
            let holds = self.encoder.truth(term)?;
            self.model.propositions.insert(name.to_owned(), holds);
        }
        Ok(())
    }

    /// The state with these codes.
    pub fn state(&self, codes: &[u64]) -> Option<State> {
        let value = |(values, &code): (&Values, &u64)| values.value(code);
        self.values.iter().zip(codes).map(value).collect::<Option<_>>().map(State)
    }

    /// Each bit of the current states, as a truth value over the variables of the program.
    pub fn bits(&self) -> Vec<(Var, Term)> {
        let terms = &self.program.terms;
        let mut bits = Vec::new();
        for ((own, values), variable) in
            self.program.variables().iter().zip(&self.values).zip(&self.model.variables)
        {
            let code = values.code_bits(terms, terms.variable(own.variable));
            debug_assert_eq!(code.len(), variable.current.len(), "both count the bits of codes");
            bits.extend(variable.current.iter().copied().zip(code));
        }
        bits
    }

    /// The variables in the present order of their first bits.
    pub fn order(&self) -> Vec<VarId> {
        order_of(&self.model.manager, &self.model.variables).into_iter().map(VarId::new).collect()
    }

    /// The first step of the program that leads from one state to another; nothing if there is none.
    pub fn step_between(
        &self,
        context: &Context,
        from: &State,
        to: &State,
    ) -> Result<Option<StepTaken>, EncodeError> {
        for command in CommandId::first(self.program.commands().len()) {
            for (step, way) in self.program.commands()[command.index()].steps.iter().enumerate() {
                context.poll()?;
                if let Some(inputs) = self.inputs_between(context, way, from, to)? {
                    return Ok(Some(StepTaken { command, step, inputs }));
                }
            }
        }
        Ok(None)
    }

    /// Values of inputs with which a step leads from one state to another, if there are any.
    fn inputs_between(
        &self,
        context: &Context,
        step: &Step,
        from: &State,
        to: &State,
    ) -> Result<Option<Vec<Value>>, EncodeError> {
        let own = self.program.variables();
        let keeps = |at: usize| from.0[at] == to.0[at] || step.updates.contains_key(&own[at].variable);
        if !(0..own.len()).all(keeps) {
            return Ok(None);
        }
        if step.inputs.is_empty() {
            let there = Interpreter::new(self.program).take(from, step, &[]);
            return Ok((there.as_ref() == Some(to)).then(Vec::new));
        }
        // Everything but the inputs is a constant.
        let manager = Manager::new(context);
        let mut layout = Layout::new();
        let mut allowed = manager.constant(true);
        for input in &step.inputs {
            let finite = fresh(&manager, input)?;
            allowed = allowed.and(&finite.valid(&manager)?)?;
            layout.insert(input.variable, finite);
        }
        let mut encoder = Encoder::new(&self.program.terms, &manager, layout);
        encoder.fix(own.iter().map(|own| own.variable).zip(&from.0))?;
        allowed = allowed.and(&encoder.truth(step.guard)?)?;
        for (at, own) in own.iter().enumerate() {
            if let Some(&term) = step.updates.get(&own.variable) {
                let code = encoder.code(term, &self.values[at])?;
                let outside = encoder.outside(term, &self.values[at])?;
                let Some(wanted) = self.values[at].code(&to.0[at]) else { return Ok(None) };
                let wanted = circuit::constant(&manager, wanted.into(), code.len());
                allowed = allowed.and(&circuit::equal(&manager, &code, &wanted)?)?.diff(&outside)?;
            }
        }
        let layout = encoder.layout();
        let finite = step.inputs.iter().filter_map(|input| layout.get(input.variable));
        let finite: Vec<&Finite> = finite.collect();
        let bits: Vec<Var> = finite.iter().flat_map(|finite| finite.bits.iter().copied()).collect();
        let Some(chosen) = allowed.pick(&bits) else { return Ok(None) };
        let mut chosen = chosen.into_iter();
        let code = |finite: &&Finite| {
            let code = (0..finite.bits.len())
                .fold(0, |code, bit| code | u64::from(chosen.next() == Some(true)) << bit);
            finite.values.value(code)
        };
        Ok(finite.iter().map(code).collect())
    }
}
