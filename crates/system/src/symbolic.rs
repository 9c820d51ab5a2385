//! Symbolic systems: sets of states and steps as decision diagrams over the bits of finite variables.
//!
//! What a front end hands to the symbolic checkers. States are those that satisfy `invar`; the relation allows only steps
//! between such states. Justice and compassion are about steps: a fair path takes infinitely many steps that satisfy each justice
//! constraint, and if infinitely many that satisfy the first of a compassion pair, then infinitely many of the second.

use indexmap::IndexMap;
use tertium_dd::{Bdd, Manager, Relation, Var};

/// A symbolic transition system.
#[derive(Clone, Debug)]
pub struct SymbolicModel {
    /// The owner of all diagrams here.
    pub manager: Manager,
    /// The variables; bits of state and frozen ones are the current variables of the relation, in this order.
    pub variables: Vec<SymbolicVariable>,
    /// The initial states, inside `invar`.
    pub init: Bdd,
    /// The states.
    pub invar: Bdd,
    /// States from which some step has no meaning. None of them is reachable, and the relation has no steps from them.
    pub faulty: Bdd,
    /// The steps, between states only.
    pub relation: Relation,
    /// Functions of current and input bits.
    pub justice: Vec<Bdd>,
    /// Pairs of functions of current and input bits.
    pub compassion: Vec<(Bdd, Bdd)>,
    /// Functions of current bits, for linear time also of input bits.
    pub propositions: IndexMap<String, Bdd>,
}

/// A finite variable. Its values are codes: numbers in binary.
#[derive(Clone, Debug)]
pub struct SymbolicVariable {
    /// Its name.
    pub name: String,
    /// Whether it belongs to steps rather than to states.
    pub is_input: bool,
    /// Its bits, the lowest first.
    pub current: Vec<Var>,
    /// Its bits after a step; empty for inputs.
    pub next: Vec<Var>,
    /// The highest code that stands for a value.
    pub last_code: u64,
}

impl SymbolicModel {
    /// The code of each state variable in one state of `set`, or `None` if it is empty.
    pub fn pick_state(&self, set: &Bdd) -> Option<Vec<u64>> {
        self.pick(set, |variable| (!variable.is_input).then_some(&variable.current))
    }

    fn pick<'a>(
        &'a self,
        set: &Bdd,
        bits: impl Fn(&'a SymbolicVariable) -> Option<&'a Vec<Var>>,
    ) -> Option<Vec<u64>> {
        let groups: Vec<&Vec<Var>> = self.variables.iter().filter_map(bits).collect();
        let all: Vec<Var> = groups.iter().flat_map(|group| group.iter().copied()).collect();
        let mut values = set.pick(&all)?.into_iter();
        let code = |group: &&Vec<Var>| {
            (0..group.len()).fold(0, |code, bit| code | u64::from(values.next() == Some(true)) << bit)
        };
        Some(groups.iter().map(code).collect())
    }

    /// One step of a set of steps over current, input and next bits: state before, input, state after.
    pub fn pick_step(&self, steps: &Bdd) -> Option<(Vec<u64>, Vec<u64>, Vec<u64>)> {
        // Each pick follows the same path through the diagram, so the three parts belong together.
        let before = self.pick(steps, |variable| (!variable.is_input).then_some(&variable.current));
        let input = self.pick(steps, |variable| variable.is_input.then_some(&variable.current));
        let after = self.pick(steps, |variable| (!variable.is_input).then_some(&variable.next));
        Some((before?, input?, after?))
    }

    /// The state with these codes, as a set.
    pub fn state(&self, codes: &[u64]) -> Result<Bdd, tertium_support::StopReason> {
        let states = self.variables.iter().filter(|variable| !variable.is_input);
        let bits = states.zip(codes).flat_map(|(variable, &code)| {
            variable.current.iter().enumerate().map(move |(bit, &var)| (var, code >> bit & 1 == 1))
        });
        Bdd::cube(&self.manager, bits)
    }
}
