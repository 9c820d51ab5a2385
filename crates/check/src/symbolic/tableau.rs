//! The symbolic tableau of a formula of linear time with past, and its product with a model.
//!
//! A tableau adds Boolean state variables to a model so that along every fair path of the product they say which sub-formulas
//! hold \[CGH97\], those of the past included \[LPZ85\]. The model has a path that satisfies the formula iff the product has
//! a fair path from an initial state.
//!
//! Propositions may read the input of a step, which belongs to no state. Therefore the *value* of a sub-formula at a place is
//! a function of the bits of the state there, of the input of the step that leaves it, and of the state after that:
//! - a proposition is its own value, Boolean operators are applied to values;
//! - `f U g` has a variable v with the constraint v ↔ g | f & v' on every step; the value is v;
//! - `X f` has the value of f with every state bit replaced by its next one, if the value of f has state bits only; otherwise f
//!   first gets a variable v with v ↔ f on every step, and the value is v';
//! - `Y f` has a memory m, false at first, with m' ↔ f on every step; the value is m;
//! - `f S g` has a memory m for `Y (f S g)`; the value is g | f & m.
//!
//! All other operators are abbreviations, and equal sub-formulas are one. The constraint on `f U g` has more than one solution: v may
//! also be true as long as f holds and g never comes. Where that would make the formula true wrongly, which is where the
//! until stands below an even number of negations, justice demands infinitely many steps with !v | g. Below an odd number of
//! negations such a v only makes the formula false, and the path has the right v as another choice; no justice is needed there.
//!
//! Paths are infinite: a path of the model that ends is no path of the product that counts.
//!
//! Cost: one variable for each temporal sub-formula at most, two for an `X` over inputs.

use rustc_hash::{FxHashMap, FxHashSet};
use tertium_dd::{Bdd, Frame, Manager, Var};
use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary};
use tertium_support::StopReason;
use tertium_system::{SymbolicModel, SymbolicVariable};

/// Bits for the variables of tableaus, now and after a step. They are made as they are needed and used again: one tableau is gone
/// before the next one is built, and what tableaus have in common is the same diagrams.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    pairs: Vec<(Var, Var)>,
}

impl Bits {
    fn pair(&mut self, manager: &Manager, number: usize) -> (Var, Var) {
        while self.pairs.len() <= number {
            let (current, next) = (manager.add_var(), manager.add_var());
            manager.group(&[current, next]);
            self.pairs.push((current, next));
        }
        self.pairs[number]
    }
}

/// The model together with the tableau of `formula`: its fair paths from initial states are those of the model from `start` that
/// satisfy the formula. The variables of the tableau stand after those of the model, and their bits belong to its manager.
///
/// Every proposition of the formula is one of the model.
pub(crate) fn product(
    model: &SymbolicModel,
    bits: &mut Bits,
    start: &Bdd,
    formula: &Ltl,
) -> Result<SymbolicModel, StopReason> {
    let mut core = Core::default();
    let root = core.literal(formula, model);
    let promises = core.promises(root);
    debug_assert_eq!(promises.len(), core.nodes.len(), "every node makes a promise or none");
    let mut tableau = Tableau::new(model, bits);
    for (id, node) in core.nodes.iter().enumerate() {
        tableau.add(node, promises[id])?;
    }
    let root = tableau.state_value(root)?;
    tableau.initial.extend([start.clone(), root]);
    tableau.into_product()
}

/// A node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Literal {
    node: usize,
    positive: bool,
}

impl Literal {
    fn negated(self) -> Self {
        Self { positive: !self.positive, ..self }
    }

    fn negated_if(self, condition: bool) -> Self {
        Self { positive: self.positive != condition, ..self }
    }
}

/// The operators that are no abbreviations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    True,
    Proposition(usize),
    And(Literal, Literal),
    Xor(Literal, Literal),
    Next(Literal),
    Until(Literal, Literal),
    Previous(Literal),
    Since(Literal, Literal),
}

/// The sub-formulas, each once, operands before operators.
#[derive(Debug, Default)]
struct Core {
    nodes: Vec<Node>,
    known: FxHashMap<Node, usize>,
}

impl Core {
    fn add(&mut self, node: Node) -> Literal {
        let next = self.nodes.len();
        let id = *self.known.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        Literal { node: id, positive: true }
    }

    fn constant(&mut self, value: bool) -> Literal {
        self.add(Node::True).negated_if(!value)
    }

    fn and(&mut self, f: Literal, g: Literal) -> Literal {
        let truth = self.constant(true);
        match (f.min(g), f.max(g)) {
            (f, g) if f == truth || f == g => g,
            (f, g) if g == truth => f,
            (f, g) if f == truth.negated() || g == truth.negated() || f == g.negated() => truth.negated(),
            (f, g) => self.add(Node::And(f, g)),
        }
    }

    fn literal(&mut self, formula: &Ltl, model: &SymbolicModel) -> Literal {
        match &formula.kind {
            LtlKind::True => self.constant(true),
            LtlKind::False => self.constant(false),
            LtlKind::Proposition(name) => {
                let index = model.propositions.get_index_of(name);
                self.add(Node::Proposition(index.expect("the model has every proposition of the formula")))
            }
            LtlKind::Unary(operator, f) => {
                let f = self.literal(f, model);
                self.unary(*operator, f)
            }
            LtlKind::Binary(operator, f, g) => {
                let (f, g) = (self.literal(f, model), self.literal(g, model));
                self.binary(*operator, f, g)
            }
        }
    }

    fn unary(&mut self, operator: LtlUnary, f: Literal) -> Literal {
        let truth = self.constant(true);
        match operator {
            LtlUnary::Not => f.negated(),
            // Negation passes through `X`, so one node serves both signs.
            LtlUnary::Next if f.node == truth.node => f,
            LtlUnary::Next => {
                let positive = Literal { positive: true, ..f };
                self.add(Node::Next(positive)).negated_if(!f.positive)
            }
            LtlUnary::Finally => self.binary(LtlBinary::Until, truth, f),
            LtlUnary::Globally => self.binary(LtlBinary::Until, truth, f.negated()).negated(),
            LtlUnary::Previous if f == truth.negated() => f,
            LtlUnary::Previous => self.add(Node::Previous(f)),
            LtlUnary::WeakPrevious => self.unary(LtlUnary::Previous, f.negated()).negated(),
            LtlUnary::Once => self.binary(LtlBinary::Since, truth, f),
            LtlUnary::Historically => self.binary(LtlBinary::Since, truth, f.negated()).negated(),
        }
    }

    fn binary(&mut self, operator: LtlBinary, f: Literal, g: Literal) -> Literal {
        let truth = self.constant(true);
        match operator {
            LtlBinary::And => self.and(f, g),
            LtlBinary::Or => self.and(f.negated(), g.negated()).negated(),
            LtlBinary::Implies => self.and(f, g.negated()).negated(),
            LtlBinary::Xor => {
                // The signs of both come out.
                let sign = f.positive != g.positive;
                let (f, g) = (f.node.min(g.node), f.node.max(g.node));
                let [f, g] = [f, g].map(|node| Literal { node, positive: true });
                if f == g {
                    return truth.negated_if(!sign);
                }
                self.add(Node::Xor(f, g)).negated_if(sign)
            }
            LtlBinary::Iff => self.binary(LtlBinary::Xor, f, g).negated(),
            // Without anything to wait through, only now counts.
            LtlBinary::Until | LtlBinary::Since if g.node == truth.node || f == truth.negated() || f == g => {
                g
            }
            LtlBinary::Until => self.add(Node::Until(f, g)),
            LtlBinary::Since => self.add(Node::Since(f, g)),
            LtlBinary::Releases => self.binary(LtlBinary::Until, f.negated(), g.negated()).negated(),
            LtlBinary::Triggered => self.binary(LtlBinary::Since, f.negated(), g.negated()).negated(),
        }
    }

    /// For each node whether it stands below an even number of negations somewhere, seen from the root: then an until
    /// must keep its promise.
    fn promises(&self, root: Literal) -> Vec<bool> {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![root];
        while let Some(literal) = waiting.pop() {
            if !seen.insert(literal) {
                continue;
            }
            let below = |operand: Literal| operand.negated_if(!literal.positive);
            match self.nodes[literal.node] {
                Node::True | Node::Proposition(_) => {}
                Node::Next(f) | Node::Previous(f) => waiting.push(below(f)),
                Node::And(f, g) | Node::Until(f, g) | Node::Since(f, g) => waiting.extend([f, g].map(below)),
                Node::Xor(f, g) => waiting.extend([f, f.negated(), g, g.negated()]),
            }
        }
        (0..self.nodes.len()).map(|node| seen.contains(&Literal { node, positive: true })).collect()
    }
}

/// A tableau under construction.
struct Tableau<'a> {
    model: &'a SymbolicModel,
    manager: Manager,
    bits: &'a mut Bits,
    /// The value of each node so far; see the head of the file.
    values: Vec<Bdd>,
    variables: Vec<SymbolicVariable>,
    /// The variables that nodes got because their values are no functions of states.
    names: FxHashMap<usize, Bdd>,
    /// The current bits of the product so far, each with its next one.
    next_of: FxHashMap<Var, Var>,
    /// Conditions on initial states, functions of current bits.
    initial: Vec<Bdd>,
    /// Conditions on steps.
    steps: Vec<Bdd>,
    /// Functions of current and input bits.
    justice: Vec<Bdd>,
}

impl<'a> Tableau<'a> {
    fn new(model: &'a SymbolicModel, bits: &'a mut Bits) -> Self {
        let frame = model.relation.frame();
        Self {
            model,
            manager: model.manager.clone(),
            bits,
            values: Vec::new(),
            variables: Vec::new(),
            names: FxHashMap::default(),
            next_of: frame.current.iter().copied().zip(frame.next.iter().copied()).collect(),
            initial: Vec::new(),
            steps: Vec::new(),
            justice: Vec::new(),
        }
    }

    fn value(&self, literal: Literal) -> Bdd {
        debug_assert!(literal.node < self.values.len(), "operands come before operators");
        let value = &self.values[literal.node];
        if literal.positive { value.clone() } else { value.not() }
    }

    /// Gives the node that comes next a value.
    fn add(&mut self, node: &Node, promise: bool) -> Result<(), StopReason> {
        let value = match *node {
            Node::True => self.manager.constant(true),
            Node::Proposition(index) => self.model.propositions[index].clone(),
            Node::And(f, g) => self.value(f).and(&self.value(g))?,
            Node::Xor(f, g) => self.value(f).xor(&self.value(g))?,
            Node::Next(f) => {
                let state = self.state_value(f)?;
                self.primed(&state)?
            }
            Node::Until(f, g) => {
                let (v, after) = self.variable()?;
                let unfolded = self.value(g).or(&self.value(f).and(&after)?)?;
                self.steps.push(v.iff(&unfolded)?);
                if promise {
                    let g = self.step_value(g)?;
                    self.justice.push(v.implies(&g)?);
                }
                v
            }
            Node::Previous(f) => {
                let (memory, after) = self.variable()?;
                self.steps.push(after.iff(&self.value(f))?);
                self.initial.push(memory.not());
                memory
            }
            Node::Since(f, g) => {
                let (memory, after) = self.variable()?;
                let value = self.value(g).or(&self.value(f).and(&memory)?)?;
                self.steps.push(after.iff(&value)?);
                self.initial.push(memory.not());
                value
            }
        };
        self.values.push(value);
        Ok(())
    }

    /// A new variable of the tableau, now and after a step.
    fn variable(&mut self) -> Result<(Bdd, Bdd), StopReason> {
        let (current, next) = self.bits.pair(&self.manager, self.variables.len());
        let known = self.next_of.insert(current, next);
        debug_assert!(known.is_none(), "a new variable has bits of its own");
        self.variables.push(SymbolicVariable {
            name: format!("_tableau_{}_", self.variables.len()),
            is_input: false,
            current: vec![current],
            next: vec![next],
            last_code: 1,
        });
        Ok((self.manager.var(current)?, self.manager.var(next)?))
    }

    /// The value as a function of current bits only, if need be by a variable of its own.
    fn state_value(&mut self, literal: Literal) -> Result<Bdd, StopReason> {
        let value = self.value(literal);
        if value.support().iter().all(|var| self.next_of.contains_key(var)) {
            return Ok(value);
        }
        self.named(literal)
    }

    /// The value as a function of current and input bits only.
    fn step_value(&mut self, literal: Literal) -> Result<Bdd, StopReason> {
        let value = self.value(literal);
        let inputs = &self.model.relation.frame().input;
        let known = |var: &Var| self.next_of.contains_key(var) || inputs.contains(var);
        if value.support().iter().all(known) { Ok(value) } else { self.named(literal) }
    }

    /// The value by a variable that has it at every place.
    fn named(&mut self, literal: Literal) -> Result<Bdd, StopReason> {
        let name = match self.names.get(&literal.node) {
            Some(name) => name.clone(),
            None => {
                let (v, _) = self.variable()?;
                self.steps.push(v.iff(&self.values[literal.node])?);
                self.names.insert(literal.node, v.clone());
                v
            }
        };
        Ok(if literal.positive { name } else { name.not() })
    }

    /// A function of current bits, one step later.
    fn primed(&self, state: &Bdd) -> Result<Bdd, StopReason> {
        let mut pairs: Vec<(Var, Var)> =
            self.next_of.iter().map(|(&current, &next)| (current, next)).collect();
        pairs.sort_unstable();
        state.rename(self.manager.renaming(pairs))
    }

    /// What a step constraint asks of the state before the step. Without it, states that contradict their own variables would
    /// be reached, only to have no way on.
    fn consistent(&self) -> Result<Vec<Bdd>, StopReason> {
        let inputs = self.model.relation.frame().input.iter().copied();
        let hidden = self.manager.var_set(self.next_of.values().copied().chain(inputs))?;
        let states = self.steps.iter().map(|step| step.exists(&hidden));
        states.filter(|state| !state.as_ref().is_ok_and(Bdd::is_true)).collect()
    }

    fn into_product(self) -> Result<SymbolicModel, StopReason> {
        let consistent = self.consistent()?;
        let mut product = self.model.clone();
        for state in &consistent {
            product.invar = product.invar.and(state)?;
        }
        product.init = product.invar.clone();
        for condition in &self.initial {
            product.init = product.init.and(condition)?;
        }
        let mut parts = self.steps.clone();
        for state in &consistent {
            parts.push(self.primed(state)?);
        }
        let further = Frame {
            current: self.variables.iter().flat_map(|variable| variable.current.clone()).collect(),
            next: self.variables.iter().flat_map(|variable| variable.next.clone()).collect(),
            input: Vec::new(),
        };
        debug_assert_eq!(further.current.len(), further.next.len(), "bits come in pairs");
        product.relation = self.model.relation.extended(&further, &parts)?;
        product.variables.extend(self.variables);
        product.justice.extend(self.justice);
        Ok(product)
    }
}
