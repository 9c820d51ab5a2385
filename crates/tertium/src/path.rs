//! Paths and lassos in the user's names: states with values, steps with who moves and what changes.

use std::borrow::Cow;
use std::fmt;
use tertium_evidence::{NamedValue, Names, StepName, Trace};
use tertium_report::state_text;
use tertium_system::StateId;

/// A state that evidence speaks of.
#[derive(Clone, Copy)]
pub struct State<'a> {
    names: &'a dyn Names,
    id: StateId,
}

impl<'a> State<'a> {
    pub(crate) fn new(names: &'a dyn Names, id: StateId) -> Self {
        Self { names, id }
    }

    /// Its number: equal states of one answer have equal numbers.
    pub fn id(self) -> StateId {
        self.id
    }

    /// Its name; empty if its values say it all.
    pub fn name(self) -> String {
        self.names.state(self.id)
    }

    /// All variables or propositions with their values here, in the same order at every state.
    pub fn values(self) -> Vec<NamedValue> {
        self.names.values(self.id)
    }

    /// The value of one variable or proposition.
    pub fn value(self, name: &str) -> Option<String> {
        self.values().into_iter().find(|value| value.name == name).map(|value| value.value)
    }
}

/// The name, or the values, on one line.
impl fmt::Display for State<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&state_text(self.names, self.id))
    }
}

impl fmt::Debug for State<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({self})")
    }
}

/// A step of a path.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    name: StepName,
    source: State<'a>,
    target: State<'a>,
    closes_loop: bool,
}

impl<'a> Step<'a> {
    /// Who moves, where there are several.
    pub fn process(&self) -> Option<&str> {
        self.name.process.as_deref()
    }

    /// The action or command; empty if it has no name.
    pub fn action(&self) -> &str {
        &self.name.action
    }

    /// The line of the text where the command stands, where that is known.
    pub fn line(&self) -> Option<usize> {
        self.name.line
    }

    /// The inputs with their values.
    pub fn inputs(&self) -> &[(String, String)] {
        &self.name.inputs
    }

    /// Where it begins.
    pub fn source(&self) -> State<'a> {
        self.source
    }

    /// Where it leads.
    pub fn target(&self) -> State<'a> {
        self.target
    }

    /// Whether it leads back to a state of the path.
    pub fn closes_loop(&self) -> bool {
        self.closes_loop
    }

    /// The values that are different after it.
    pub fn changes(&self) -> Vec<NamedValue> {
        let before = self.source.values();
        let mut after = self.target.values();
        let mut old = before.iter();
        after.retain(|value| old.next().is_none_or(|old| old.value != value.value));
        after
    }
}

/// A path, or a lasso: a path whose last step leads back.
///
/// ```
/// use tertium::{Check, Model};
///
/// let model = Model::read(
///     "count.gcl",
///     "var x: int = 0;
///      [up] x < 2 -> x := x + 1;
///      invariant x < 2;",
/// )?;
/// let answer = Check::new().engine("predicate").ask(&model, &model.properties()[0])?;
/// let path = answer.path().expect("a path refutes it");
/// assert_eq!(path.start().value("x").as_deref(), Some("0"));
/// for step in path.steps() {
///     assert_eq!((step.action(), step.line()), ("up", Some(2)));
/// }
/// let changes: Vec<String> = path.steps().flat_map(|step| step.changes()).map(|new| new.text).collect();
/// assert_eq!(changes, ["x = 1", "x = 2"]);
/// # Ok::<(), tertium::Error>(())
/// ```
#[derive(Clone)]
pub struct Path<'a> {
    names: &'a dyn Names,
    trace: Cow<'a, Trace>,
}

impl<'a> Path<'a> {
    pub(crate) fn new(names: &'a dyn Names, trace: Cow<'a, Trace>) -> Self {
        Self { names, trace }
    }

    /// The first state.
    pub fn start(&self) -> State<'a> {
        State::new(self.names, self.trace.states[0])
    }

    /// The last state, before a loop closes.
    pub fn last(&self) -> State<'a> {
        State::new(self.names, *self.trace.last())
    }

    /// All states. Those of a loop are there once.
    pub fn states(&self) -> impl Iterator<Item = State<'a>> + '_ {
        self.trace.states.iter().map(|&state| State::new(self.names, state))
    }

    /// All steps; the last one of a lasso leads back.
    pub fn steps(&self) -> impl Iterator<Item = Step<'a>> + '_ {
        let state = |at: usize| State::new(self.names, self.trace.states[at]);
        self.trace.steps.iter().enumerate().map(move |(at, &step)| Step {
            name: self.names.step_between(
                self.trace.states[at],
                step,
                self.trace.states[self.trace.target(at)],
            ),
            source: state(at),
            target: state(self.trace.target(at)),
            closes_loop: self.trace.loop_start.is_some() && at + 1 == self.trace.steps.len(),
        })
    }

    /// For a lasso: the number of the state to which the last step leads back.
    pub fn loop_start(&self) -> Option<usize> {
        self.trace.loop_start
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Path")
            .field("states", &self.states().collect::<Vec<_>>())
            .field("loop_start", &self.loop_start())
            .finish()
    }
}
