//! Written runs on programs of guarded commands: states by the values of their variables, steps by process, action and inputs.

use super::commands::Commands;
use super::commands_diagrams::ProgramReplay;
use crate::model::{input_names, taken_name};
use crate::replay::{
    Misfit, OffersRuns, Rereads, WrittenEvidence, WrittenTrace, reread, reread_evidence, stranger,
};
use crate::simulate::MOST_CHOICES;
use crate::{Flaw, Halt, Model, OffersProgram, PropertyId, Replay, Steps};
use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_evidence::StepName;
use tertium_expr::{BigInt, Sort, Value};
use tertium_program::{
    CommandId, Domain, Input, Interpreter, Program, ProgramVariable, State, Step, StepTaken, Successor,
    initial_states,
};
use tertium_report::{Choice, Offer, StateReport, StepReport, cut};
use tertium_support::{Context, Id};

/// No number of a state that is not huge has more digits.
const MOST_DIGITS: usize = 20_000;

impl OffersRuns for Commands {
    fn steps<'m>(&'m self) -> Box<dyn Steps + 'm> {
        Box::new(Runs::new(self))
    }

    fn follow(
        &self,
        context: &Context,
        trace: &WrittenTrace<'_>,
        begins: bool,
    ) -> Result<Option<Misfit>, Halt> {
        Ok(reread(context, &Runs::new(self), trace, begins)?.err())
    }

    fn shows(
        &self,
        context: &Context,
        property: PropertyId,
        holds: bool,
        evidence: &WrittenEvidence<'_>,
    ) -> Result<Result<(), String>, Halt> {
        let evidence = match reread_evidence(context, &Runs::new(self), evidence)? {
            Ok(evidence) => evidence,
            Err(misfit) => return Ok(Err(misfit.why)),
        };
        let replay = ProgramReplay {
            interpreter: Interpreter::new(&self.model.program),
            atoms: self.propositions(property).into_iter().collect(),
            logic: self.properties()[property.index()].logic.clone(),
            evidence,
            holds,
        };
        Ok(replay.replay(context).map_err(|flaw| match flaw {
            Flaw::Wrong(why) => why,
            Flaw::NoMeans | Flaw::GaveUp | Flaw::Stopped(_) => "it was not judged".to_owned(),
        }))
    }
}

/// What written states and steps are in a program.
struct Runs<'m> {
    own: &'m Commands,
    interpreter: Interpreter<'m>,
    /// The names of all variables, in their order.
    variables: Vec<String>,
    /// What steps are called, by command.
    steps: Vec<StepName>,
}

impl<'m> Runs<'m> {
    fn new(own: &'m Commands) -> Self {
        let program = &own.model.program;
        Self {
            own,
            interpreter: Interpreter::new(program),
            variables: program.variables().iter().map(|own| program.terms.name(own.variable)).collect(),
            steps: CommandId::first(program.commands().len()).map(|command| own.step_name(command)).collect(),
        }
    }

    fn report(&self, state: &State) -> StateReport {
        let values = self.variables.iter().zip(&state.0);
        let values = values.map(|(name, value)| (name.clone(), value.to_string().into()));
        StateReport { name: String::new(), values: values.collect() }
    }

    fn program(&self) -> &'m Program {
        &self.own.model.program
    }

    /// The commands that are called like the step: the one of its number first.
    fn commands(&self, step: &StepReport) -> Vec<CommandId> {
        let is_meant = |&command: &CommandId| {
            let name = &self.steps[command.index()];
            name.action == step.action && name.process == step.process
        };
        let mut meant: Vec<CommandId> =
            CommandId::first(self.program().commands().len()).filter(is_meant).collect();
        meant.sort_by_key(|command| step.command != Some(command.index() + 1));
        meant
    }

    /// The ways to take a command: with the inputs that were written, or those that the state after it shows, or all there are.
    fn ways(
        &self,
        command: CommandId,
        from: &State,
        step: &StepReport,
        to: &State,
    ) -> Option<Vec<StepTaken>> {
        let mut all = Vec::new();
        for (n, way) in self.program().commands()[command.index()].steps.iter().enumerate() {
            let taken = |inputs| StepTaken { command, step: n, inputs };
            match self.written(way, step).or_else(|| self.shown(way, to)) {
                Some(inputs) => all.push(taken(inputs)),
                None => {
                    let found = self.interpreter.successors_by(from, command, n)?;
                    all.extend(found.into_iter().map(|successor| taken(successor.inputs)));
                }
            }
        }
        Some(all)
    }

    /// The inputs of a step, as they were written.
    fn written(&self, way: &Step, step: &StepReport) -> Option<Vec<Value>> {
        let names = input_names(self.program(), way);
        let texts = names.iter().map(|name| step.inputs.get(name).and_then(|value| value.as_str()));
        way.inputs.iter().zip(texts).map(|(input, text)| value(&input.domain, text?)).collect()
    }

    /// The inputs of a step, as the variables show that take their values.
    fn shown(&self, way: &Step, to: &State) -> Option<Vec<Value>> {
        let taker = |name: String| {
            let at = self.variables.iter().position(|own| *own == name)?;
            Some(to.0[at].clone())
        };
        let names = input_names(self.program(), way).into_iter();
        let values = names.map(taker).collect::<Option<Vec<Value>>>()?;
        let legal =
            |(input, value): (&Input, &Value)| value.sort() == input.domain.sort() && input.domain.has(value);
        way.inputs.iter().zip(&values).all(legal).then_some(values)
    }

    /// How the state that a step leads to differs from the one that was written.
    fn differences(&self, has: &State, wanted: &State) -> Vec<String> {
        let pairs = self.variables.iter().zip(has.0.iter().zip(&wanted.0));
        let differing = pairs.filter(|(_, (has, wanted))| has != wanted);
        differing
            .map(|(name, (has, wanted))| {
                format!("{name} is {} instead of {}", cut(&has.to_string()), cut(&wanted.to_string()))
            })
            .collect()
    }
}

/// Of inputs with infinitely or too many values a few are tried.
impl Steps for Runs<'_> {
    fn initial(&self, context: &Context) -> Result<Offer, Halt> {
        let found = initial_states(context, self.program(), MOST_CHOICES)?;
        let begin = |state| Choice { step: None, state: self.report(state), unsure: false };
        Ok(Offer::of(found.states.iter().map(begin).collect(), !found.complete))
    }

    fn enabled(&self, context: &Context, state: &StateReport) -> Result<Offer, Halt> {
        let from = Rereads::state(self, state).map_err(Halt::Bug)?;
        let mut offer = Offer::default();
        if from.is_huge() {
            offer.more = Some("a number of this state is too large to go on".to_owned());
            return Ok(offer);
        }
        for command in CommandId::first(self.program().commands().len()) {
            context.poll()?;
            for (n, way) in self.program().commands()[command.index()].steps.iter().enumerate() {
                let all = self.interpreter.successors_by(&from, command, n);
                let found = all.unwrap_or_else(|| {
                    let few: Vec<Vec<Value>> = way.inputs.iter().map(|input| few(&input.domain)).collect();
                    offer.more = Some("of inputs with too many values only a few are tried".to_owned());
                    let taken = combinations(&few).into_iter().filter_map(|inputs| {
                        let state = self.interpreter.take(&from, way, &inputs)?;
                        Some(Successor { command, step: n, inputs, state })
                    });
                    taken.collect()
                });
                for Successor { command, step, inputs, state } in found {
                    let name = taken_name(self.own, &StepTaken { command, step, inputs });
                    let step = Some(StepReport { way: Some(step + 1), ..name.into() });
                    offer.choices.push(Choice { step, state: self.report(&state), unsure: false });
                }
            }
        }
        Ok(offer)
    }

    fn with_inputs(&self, state: &StateReport, step: &StepReport) -> Option<Result<Choice, String>> {
        let from = Rereads::state(self, state).ok()?;
        let commands = self.program().commands();
        let (command, n) = (step.command?.checked_sub(1)?, step.way?.checked_sub(1)?);
        let way = commands.get(command)?.steps.get(n)?;
        for (name, input) in input_names(self.program(), way).iter().zip(&way.inputs) {
            let text = step.inputs.get(name)?.as_str()?;
            if value(&input.domain, text).is_none() {
                return Some(Err(format!("{} is no value of `{name}`: {}", cut(text), input.domain)));
            }
        }
        let inputs = self.written(way, step)?;
        Some(match self.interpreter.take(&from, way, &inputs) {
            Some(state) => Ok(Choice { step: Some(step.clone()), state: self.report(&state), unsure: false }),
            None => Err("with these inputs the step is not enabled".to_owned()),
        })
    }

    fn holds(&self, property: PropertyId, proposition: &str, state: &StateReport) -> Option<bool> {
        let atoms = self.own.propositions(property);
        let (_, term) = atoms.iter().find(|(name, _)| name == proposition)?;
        Some(self.interpreter.holds(&Rereads::state(self, state).ok()?, *term))
    }
}

/// A few values of a domain that may have infinitely many.
fn few(domain: &Domain) -> Vec<Value> {
    let near = [0, 1, -1, 2, -2, 3, -3, 10, -10].map(BigInt::from);
    let numbers: Vec<Value> = match domain {
        Domain::Range(low, high) => near
            .into_iter()
            .map(Value::Int)
            .chain([Value::Int(low.clone()), Value::Int(high.clone())])
            .collect(),
        Domain::Bits(width) => (0..8).map(|value| Value::Bits { width: *width, value }).collect(),
        _ => near.into_iter().map(Value::Int).collect(),
    };
    let mut own: Vec<Value> = numbers
        .into_iter()
        .filter(|value| value.sort() == domain.sort() && domain.has(value))
        .chain([domain.first()])
        .collect();
    own.sort();
    own.dedup();
    own
}

/// The first combinations of one value of each list.
fn combinations(lists: &[Vec<Value>]) -> Vec<Vec<Value>> {
    const MOST: usize = 64;
    lists.iter().fold(vec![Vec::new()], |before, list| {
        let longer = before
            .iter()
            .flat_map(|own| list.iter().map(|value| [own.as_slice(), std::slice::from_ref(value)].concat()));
        longer.take(MOST).collect()
    })
}

impl Rereads for Runs<'_> {
    type State = State;
    type Step = StepTaken;

    fn state(&self, written: &StateReport) -> Result<State, String> {
        if !written.name.is_empty() {
            return Err(format!("states of the model have no names, such as `{}`", cut(&written.name)));
        }
        if let Some(other) = stranger(&written.values, &self.variables) {
            return Err(format!("the model has no variable `{}`", cut(other)));
        }
        let read = |(own, name): (&ProgramVariable, &String)| {
            let text = written.values.get(name).and_then(|value| value.as_str());
            let text = text.ok_or_else(|| format!("no value of `{name}` was written"))?;
            value(&own.domain, text)
                .ok_or_else(|| format!("{} is no value of `{name}`: {}", cut(text), own.domain))
        };
        let variables = self.program().variables().iter().zip(&self.variables);
        variables.map(read).collect::<Result<Box<[Value]>, String>>().map(State)
    }

    fn begins(&self, state: &State) -> Result<(), String> {
        match self.interpreter.is_initial(state) {
            true => Ok(()),
            false => Err("the model does not begin there".to_owned()),
        }
    }

    fn step(&self, from: &State, step: &StepReport, to: &State) -> Result<StepTaken, String> {
        let commands = self.commands(step);
        if commands.is_empty() {
            return Err("the model has no such command".to_owned());
        }
        let mut nearest: Option<Vec<String>> = None;
        let mut is_open = false;
        for command in commands {
            let Some(ways) = self.ways(command, from, step, to) else {
                is_open = true;
                continue;
            };
            for taken in ways {
                let Some(next) = self.interpreter.follow(from, &taken) else { continue };
                if next == *to {
                    return Ok(taken);
                }
                let differing = self.differences(&next, to);
                if nearest.as_ref().is_none_or(|nearest| differing.len() < nearest.len()) {
                    nearest = Some(differing);
                }
            }
        }
        Err(match nearest {
            _ if is_open => "it has inputs without bounds, which were not written".to_owned(),
            Some(differing) => differing.join(", "),
            None => "it is not enabled".to_owned(),
        })
    }
}

/// A value as it is printed.
fn value(domain: &Domain, text: &str) -> Option<Value> {
    let value = printed(&domain.sort(), text).filter(|(_, rest)| rest.is_empty()).map(|(value, _)| value);
    value.filter(|value| domain.has(value))
}

/// The value of a sort that a text begins with, and what is behind it.
fn printed<'t>(sort: &Sort, text: &'t str) -> Option<(Value, &'t str)> {
    if let Sort::Array(index, element) = sort {
        let mut rest = text.strip_prefix('[')?;
        let mut entries = BTreeMap::new();
        while !rest.starts_with("else ") {
            let (at, after) = printed(index, rest)?;
            let (own, after) = printed(element, after.strip_prefix(": ")?)?;
            entries.insert(at, own);
            rest = after.strip_prefix(", ")?;
        }
        let (other, after) = printed(element, rest.strip_prefix("else ")?)?;
        return Some((Value::array(Arc::clone(index), other, entries), after.strip_prefix(']')?));
    }
    let (own, rest) = text.split_at(text.find([',', ':', ']']).unwrap_or(text.len()));
    let value = match sort {
        Sort::Bool => Value::Bool(own.parse().ok()?),
        Sort::Int if own.len() > MOST_DIGITS => return None,
        Sort::Int => Value::Int(own.parse::<BigInt>().ok()?),
        Sort::Bits(width) => {
            let (digits, value) = own.split_once("'d")?;
            let value: u128 = value.parse().ok()?;
            let fits = digits.parse() == Ok(*width) && value <= u128::MAX >> (128 - width);
            fits.then_some(Value::Bits { width: *width, value })?
        }
        Sort::Enumeration(of) => {
            let index = of.values.iter().position(|name| name == own)?;
            Value::Constant { of: Arc::clone(of), index }
        }
        Sort::Array(..) => unreachable!("arrays are read above"),
    };
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::value;
    use tertium_program::Domain;

    #[test]
    fn values_are_read_as_they_are_printed() {
        let index = Domain::Range(0.into(), 2.into());
        let row = Domain::array(index.clone(), Domain::Bits(2));
        for domain in [row.clone(), Domain::array(Domain::Bool, index), Domain::Bits(3)] {
            for own in domain.values(100).expect("few values") {
                assert_eq!(value(&domain, &own.to_string()), Some(own));
            }
        }
        let table = Domain::array(Domain::Bool, row);
        assert_eq!(value(&table, &table.first().to_string()), Some(table.first()));
        for wrong in
            ["[else 2'd4]", "[3: 2'd1, else 2'd0]", "[0: 2'd1, else 2'd1]", "[else 2'd0", "2'd0", "[]"]
        {
            assert!(
                value(&Domain::array(Domain::Range(0.into(), 2.into()), Domain::Bits(2)), wrong).is_none()
            );
        }
        assert!(value(&Domain::Bits(3), "2'd1").is_none());
    }
}
