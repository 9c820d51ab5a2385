//! The equations of χCTL, for functions from states to values however they are kept.
//!
//! `E` is written out; `A` is `E` of the dual operator in the lattice upside down, where join is meet and bottom is top. No
//! negation is needed for that. With f, g and Z functions:
//!
//! - EX f = before(f ⊓ fair);  E\[f U g\] = μZ. (g ⊓ fair) ⊔ (f ⊓ before(Z))
//! - EG f = νZ. f ⊓ before(Z), and with justice C₁ … Cₖ the greatest Z with Z ⊑ μY. f ⊓ (beforeᵢ(Z) ⊔ before(Y)) for each i,
//!   where beforeᵢ looks at steps of Cᵢ only \[EL86\]
//! - fair = EG ⊤ with justice, ⊤ everywhere without
//! - E\[f W g\] = E\[f U g\] ⊔ EG f;  E\[f R g\] = E\[g W (f ⊓ g)\]
//!
//! For a join-irreducible element j, `j ⊑ ·` takes meets to conjunctions and joins to disjunctions \[Bir37\], so it commutes with
//! every operator here: a function is as many classical sets as there are such elements, side by side. Each set settles in at
//! most |S| rounds of a fixpoint, and all go on at once: |S| + 1 rounds for any lattice, and for each round one join for each step.

use super::values::{LatticeError, Values};
use tertium_logic::{ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular};
use tertium_support::{Context, StopReason};
use tertium_testkit::lattice::FiniteLattice;

/// Which steps to look along.
#[derive(Clone, Copy, Debug)]
pub(super) enum Steps {
    All,
    /// Those of a justice constraint.
    Of(usize),
}

/// Functions from the states of a system to values E.
pub(super) trait Functions<E> {
    type Function: Clone + PartialEq;

    fn n_justice(&self) -> usize;
    fn constant(&mut self, value: E) -> Self::Function;
    /// The function of a proposition, if it exists.
    fn proposition(&mut self, name: &str) -> Result<Self::Function, LatticeError>;
    fn map(&mut self, f: &Self::Function, op: &mut dyn FnMut(&E) -> E) -> Result<Self::Function, StopReason>;
    fn combine(
        &mut self,
        f: &Self::Function,
        g: &Self::Function,
        op: &mut dyn FnMut(&E, &E) -> E,
    ) -> Result<Self::Function, StopReason>;
    /// At each state the values of f after these steps, folded from `none`, which is neutral for the operation.
    fn before(
        &mut self,
        steps: Steps,
        f: &Self::Function,
        none: E,
        op: &mut dyn FnMut(&E, &E) -> E,
    ) -> Result<Self::Function, StopReason>;
}

/// A lattice as it is for `E`, and upside down for `A`.
#[derive(Debug)]
struct Order<'l, L> {
    lattice: &'l L,
    quantifier: PathQuantifier,
}

impl<L> Clone for Order<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Order<'_, L> {}

impl<L: FiniteLattice> Order<'_, L> {
    fn join(self, a: &L::Element, b: &L::Element) -> L::Element {
        match self.quantifier {
            PathQuantifier::Some => self.lattice.join(a, b),
            PathQuantifier::All => self.lattice.meet(a, b),
        }
    }

    fn meet(self, a: &L::Element, b: &L::Element) -> L::Element {
        match self.quantifier {
            PathQuantifier::Some => self.lattice.meet(a, b),
            PathQuantifier::All => self.lattice.join(a, b),
        }
    }

    fn bottom(self) -> L::Element {
        match self.quantifier {
            PathQuantifier::Some => self.lattice.bottom(),
            PathQuantifier::All => self.lattice.top(),
        }
    }

    fn top(self) -> L::Element {
        match self.quantifier {
            PathQuantifier::Some => self.lattice.top(),
            PathQuantifier::All => self.lattice.bottom(),
        }
    }
}

/// The function of a formula.
pub(super) fn evaluate<L: FiniteLattice, F: Functions<L::Element>>(
    context: &Context,
    values: Values<'_, L>,
    functions: &mut F,
    formula: &Formula,
) -> Result<F::Function, LatticeError> {
    Evaluation { context, values, functions, fair: None }.formula(formula)
}

struct Evaluation<'a, 'l, L: FiniteLattice, F: Functions<L::Element>> {
    context: &'a Context,
    values: Values<'l, L>,
    functions: &'a mut F,
    /// Top where a fair path begins and bottom elsewhere, once it is known.
    fair: Option<F::Function>,
}

impl<'l, L: FiniteLattice, F: Functions<L::Element>> Evaluation<'_, 'l, L, F> {
    fn formula(&mut self, formula: &Formula) -> Result<F::Function, LatticeError> {
        let lattice = self.values.lattice;
        Ok(match &formula.kind {
            FormulaKind::True => self.functions.constant(lattice.top()),
            FormulaKind::False => self.functions.constant(lattice.bottom()),
            FormulaKind::Proposition(name) => self.functions.proposition(name)?,
            FormulaKind::Not(f) => {
                let f = self.formula(f)?;
                self.negate(&f)?
            }
            FormulaKind::And(parts) => {
                let mut all = self.functions.constant(lattice.top());
                for part in parts {
                    let part = self.formula(part)?;
                    all = self.meet(self.order(PathQuantifier::Some), &all, &part)?;
                }
                all
            }
            FormulaKind::Or(parts) => {
                let mut any = self.functions.constant(lattice.bottom());
                for part in parts {
                    let part = self.formula(part)?;
                    any = self.join(self.order(PathQuantifier::Some), &any, &part)?;
                }
                any
            }
            FormulaKind::Implies(f, g) => {
                let (f, g) = (self.formula(f)?, self.formula(g)?);
                self.implies(&f, &g)?
            }
            FormulaKind::Iff(f, g) => {
                let (f, g) = (self.formula(f)?, self.formula(g)?);
                let (there, back) = (self.implies(&f, &g)?, self.implies(&g, &f)?);
                self.meet(self.order(PathQuantifier::Some), &there, &back)?
            }
            FormulaKind::Modal(quantifier, regular, f) if *regular == Regular::Step(ActionFormula::True) => {
                let f = self.formula(f)?;
                self.before(self.order(*quantifier), Steps::All, &f)?
            }
            FormulaKind::Path(quantifier, operator) => self.path(*quantifier, operator)?,
            FormulaKind::Modal(..) | FormulaKind::Variable(_) | FormulaKind::Fixpoint(..) => {
                return Err(LatticeError::NotCtl);
            }
        })
    }

    fn path(
        &mut self,
        quantifier: PathQuantifier,
        operator: &PathOperator,
    ) -> Result<F::Function, LatticeError> {
        use PathOperator::{Finally, Globally, Next, Release, Until, WeakUntil};
        use PathQuantifier::{All, Some};
        let mut operands = Vec::new();
        for operand in operator.operands() {
            operands.push(self.formula(operand)?);
        }
        let order = self.order(quantifier);
        let (f, g) = (&operands[0], &operands[operands.len() - 1]);
        // For `A`, the operator that the paths of a refutation satisfy.
        Ok(match (quantifier, operator) {
            (_, Next(_)) => {
                let goal = self.if_fair(order, f)?;
                self.before(order, Steps::All, &goal)?
            }
            (Some, Finally(_)) | (All, Globally(_)) => {
                let anything = self.functions.constant(order.top());
                self.until(order, &anything, f)?
            }
            (Some, Globally(_)) | (All, Finally(_)) => self.globally(order, f)?,
            (Some, Until(..)) | (All, Release(..)) => self.until(order, f, g)?,
            (Some, WeakUntil(..)) => self.weak_until(order, f, g)?,
            (Some, Release(..)) | (All, Until(..)) => {
                let both = self.meet(order, f, g)?;
                self.weak_until(order, g, &both)?
            }
            (All, WeakUntil(..)) => {
                let both = self.meet(order, f, g)?;
                self.until(order, g, &both)?
            }
        })
    }

    fn weak_until(
        &mut self,
        order: Order<'l, L>,
        f: &F::Function,
        g: &F::Function,
    ) -> Result<F::Function, StopReason> {
        let (until, globally) = (self.until(order, f, g)?, self.globally(order, f)?);
        self.join(order, &until, &globally)
    }

    fn until(
        &mut self,
        order: Order<'l, L>,
        f: &F::Function,
        g: &F::Function,
    ) -> Result<F::Function, StopReason> {
        let goal = self.if_fair(order, g)?;
        let start = self.functions.constant(order.bottom());
        self.iterate(start, |this, z| {
            let before = this.before(order, Steps::All, z)?;
            let through = this.meet(order, f, &before)?;
            this.join(order, &goal, &through)
        })
    }

    fn globally(&mut self, order: Order<'l, L>, f: &F::Function) -> Result<F::Function, StopReason> {
        self.iterate(f.clone(), |this, z| {
            if this.functions.n_justice() == 0 {
                let before = this.before(order, Steps::All, z)?;
                return this.meet(order, f, &before);
            }
            let mut z = z.clone();
            for constraint in 0..this.functions.n_justice() {
                let met = this.before(order, Steps::Of(constraint), &z)?;
                let bottom = this.functions.constant(order.bottom());
                let leading = this.iterate(bottom, |this, y| {
                    let before = this.before(order, Steps::All, y)?;
                    let either = this.join(order, &met, &before)?;
                    this.meet(order, f, &either)
                })?;
                z = this.meet(order, &z, &leading)?;
            }
            Ok(z)
        })
    }

    /// Applies a monotone step until nothing changes.
    fn iterate(
        &mut self,
        start: F::Function,
        mut step: impl FnMut(&mut Self, &F::Function) -> Result<F::Function, StopReason>,
    ) -> Result<F::Function, StopReason> {
        let mut current = start;
        loop {
            self.context.poll()?;
            let next = step(self, &current)?;
            if next == current {
                return Ok(current);
            }
            current = next;
        }
    }

    /// The values of f where a fair path begins, and the bottom of the order elsewhere.
    fn if_fair(&mut self, order: Order<'l, L>, f: &F::Function) -> Result<F::Function, StopReason> {
        if self.functions.n_justice() == 0 {
            return Ok(f.clone());
        }
        let top = self.values.lattice.top();
        let fair = match &self.fair {
            Some(fair) => fair.clone(),
            None => {
                let everything = self.functions.constant(top.clone());
                let fair = self.globally(self.order(PathQuantifier::Some), &everything)?;
                self.fair.insert(fair).clone()
            }
        };
        let bottom = order.bottom();
        self.functions.combine(f, &fair, &mut |value, fair| {
            if *fair == top { value.clone() } else { bottom.clone() }
        })
    }

    fn order(&self, quantifier: PathQuantifier) -> Order<'l, L> {
        Order { lattice: self.values.lattice, quantifier }
    }

    fn before(
        &mut self,
        order: Order<'l, L>,
        steps: Steps,
        f: &F::Function,
    ) -> Result<F::Function, StopReason> {
        self.functions.before(steps, f, order.bottom(), &mut |a, b| order.join(a, b))
    }

    fn join(
        &mut self,
        order: Order<'l, L>,
        f: &F::Function,
        g: &F::Function,
    ) -> Result<F::Function, StopReason> {
        self.functions.combine(f, g, &mut |a, b| order.join(a, b))
    }

    fn meet(
        &mut self,
        order: Order<'l, L>,
        f: &F::Function,
        g: &F::Function,
    ) -> Result<F::Function, StopReason> {
        self.functions.combine(f, g, &mut |a, b| order.meet(a, b))
    }

    fn implies(&mut self, f: &F::Function, g: &F::Function) -> Result<F::Function, LatticeError> {
        let not_f = self.negate(f)?;
        Ok(self.join(self.order(PathQuantifier::Some), &not_f, g)?)
    }

    fn negate(&mut self, f: &F::Function) -> Result<F::Function, LatticeError> {
        let negate = self.values.negation().ok_or(LatticeError::NoNegation)?;
        Ok(self.functions.map(f, &mut |value| negate(value))?)
    }
}
