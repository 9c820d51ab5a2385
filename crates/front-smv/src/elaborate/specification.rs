//! Properties: temporal and Boolean operators become formulas, what is below them becomes propositions.
//!
//! Properties come in the order of the text, as in every format. One of a module stands once for each instance of it: those of
//! the instances inside first, in the order of their declarations.

use super::assign::Reads;
use super::bounded::{bounded, bounded_until, linear_bounded, linear_size_of, size_of};
use super::{Elaborator, InstanceId, Parts};
use crate::print::{formula_text, ltl_text};
use crate::syntax::ROW;
use crate::syntax::tree::{
    CtlUnary, Expr as Tree, ExprKind as TreeKind, Item, PropertyTree, SpecificationTree,
};
use crate::{Atom, BinaryOp, ExprKind, Specification, SpecificationKind, UnaryOp, Value};
use rustc_hash::FxHashMap;
use tertium_logic::{Formula, FormulaKind, Ltl, LtlBinary, LtlKind, LtlUnary, PathOperator};
use tertium_support::{Diagnostic, Id, Span};

/// What may stand in a property of a kind.
#[derive(Clone, Copy)]
struct Rules {
    reads: Reads,
    what: &'static str,
    branching: bool,
}

impl Elaborator<'_> {
    /// All properties.
    pub(super) fn specify_all(&mut self, parts: &mut Parts) {
        if self.instances.is_empty() {
            return;
        }
        for scope in self.inside_out() {
            for item in self.instances[scope.index()].items.clone() {
                if let Item::Specification(specification) = item {
                    parts.specifications.extend(self.specification(scope, specification));
                }
            }
        }
        self.refuse_equal_names(&parts.specifications);
        parts.specifications.sort_by_key(|specification| specification.span.start);
    }

    /// Two properties of one instance cannot have the same name.
    fn refuse_equal_names(&mut self, specifications: &[Specification]) {
        let mut seen: FxHashMap<(&str, &str), Span> = FxHashMap::default();
        for specification in specifications {
            let Some(name) = &specification.name else { continue };
            let first = seen.insert((&specification.instance, name), specification.span);
            if let Some(first) = first {
                let message = format!("there are two properties with the name `{name}`");
                let complaint = Diagnostic::error(specification.span, message);
                self.complain(complaint.with_related(first, "the other one"));
            }
        }
    }

    /// The instances, each after those inside it.
    fn inside_out(&self) -> Vec<InstanceId> {
        let mut order = Vec::new();
        let mut path = vec![(InstanceId::new(0), 0)];
        while let Some((instance, at)) = path.last_mut() {
            match self.instances[instance.index()].children.get(*at) {
                Some(&child) => {
                    *at += 1;
                    path.push((child, 0));
                }
                None => {
                    order.push(*instance);
                    path.pop();
                }
            }
        }
        order
    }

    /// A property in an instance.
    pub(super) fn specification(
        &mut self,
        scope: InstanceId,
        tree: &SpecificationTree,
    ) -> Option<Specification> {
        let outer = scope;
        let scope = match &tree.context {
            Some(context) => self.instance_named(scope, context)?,
            None => scope,
        };
        let mut atoms = Vec::new();
        let rules = |what, branching| Rules { reads: Reads::State, what, branching };
        let (kind, text) = match &tree.kind {
            PropertyTree::Ctl(formula) => {
                let formula = self.formula(scope, formula, rules("a CTL formula", true), &mut atoms)?;
                let text = formula_text(&formula);
                (SpecificationKind::Ctl(formula), text)
            }
            PropertyTree::Invariant(formula) => {
                let formula = self.formula(scope, formula, rules("an invariant", false), &mut atoms)?;
                let text = formula_text(&formula);
                (SpecificationKind::Invariant(formula), text)
            }
            PropertyTree::Minimum(from, to) | PropertyTree::Maximum(from, to) => {
                let rules = rules("COMPUTE", false);
                let from = self.formula(scope, from, rules, &mut atoms);
                let to = self.formula(scope, to, rules, &mut atoms);
                let (from, to) = (from?, to?);
                let operands = format!("[{}, {}]", formula_text(&from), formula_text(&to));
                if matches!(tree.kind, PropertyTree::Minimum(..)) {
                    (SpecificationKind::ComputeMinimum(from, to), format!("MIN {operands}"))
                } else {
                    (SpecificationKind::ComputeMaximum(from, to), format!("MAX {operands}"))
                }
            }
            PropertyTree::Ltl(formula) => {
                let formula = self.ltl(scope, formula, &mut atoms)?;
                let text = ltl_text(&formula);
                (SpecificationKind::Ltl(formula), text)
            }
        };
        Some(Specification {
            name: tree.name.as_ref().map(|name| name.text.clone()),
            instance: self.instances[outer.index()].path.clone(),
            kind,
            atoms,
            text,
            span: tree.span,
        })
    }

    fn formula(
        &mut self,
        scope: InstanceId,
        tree: &Tree,
        rules: Rules,
        atoms: &mut Vec<Atom>,
    ) -> Option<Formula> {
        if tree.is_ltl() {
            let message = format!("an operator of LTL cannot stand in {}", rules.what);
            return self
                .refuse(Diagnostic::error(tree.span, message).with_note("LTLSPEC is for formulas of LTL"));
        }
        if tree.is_ctl() && !rules.branching {
            let message = format!("a temporal operator cannot stand in {}", rules.what);
            return self.refuse(Diagnostic::error(tree.span, message));
        }
        let kind = match &tree.kind {
            TreeKind::Unary(UnaryOp::Not, body) => {
                FormulaKind::Not(Box::new(self.formula(scope, body, rules, atoms)?))
            }
            TreeKind::Chain(op @ (BinaryOp::And | BinaryOp::Or), operands) => {
                let operands: Vec<Option<Formula>> =
                    operands.iter().map(|operand| self.formula(scope, operand, rules, atoms)).collect();
                let operands = operands.into_iter().collect::<Option<_>>()?;
                if *op == BinaryOp::And { FormulaKind::And(operands) } else { FormulaKind::Or(operands) }
            }
            TreeKind::Binary(op @ (BinaryOp::Implies | BinaryOp::Xor | BinaryOp::Xnor), left, right) => {
                let left = self.formula(scope, left, rules, atoms);
                let right = self.formula(scope, right, rules, atoms);
                let (left, right) = (Box::new(left?), Box::new(right?));
                match op {
                    BinaryOp::Implies => FormulaKind::Implies(left, right),
                    BinaryOp::Xnor => FormulaKind::Iff(left, right),
                    _ => FormulaKind::Not(Box::new(placed(FormulaKind::Iff(left, right), tree.span))),
                }
            }
            TreeKind::CtlUnary(quantifier, op, body) => {
                let body = Box::new(self.formula(scope, body, rules, atoms)?);
                let operator = match op {
                    CtlUnary::Next => PathOperator::Next(body),
                    CtlUnary::Finally => PathOperator::Finally(body),
                    CtlUnary::Globally => PathOperator::Globally(body),
                };
                FormulaKind::Path(*quantifier, operator)
            }
            TreeKind::CtlUntil(quantifier, left, right) => {
                let left = self.formula(scope, left, rules, atoms);
                let right = self.formula(scope, right, rules, atoms);
                FormulaKind::Path(*quantifier, PathOperator::Until(Box::new(left?), Box::new(right?)))
            }
            TreeKind::CtlBounded(quantifier, op, bounds, body) => {
                let body = self.formula(scope, body, rules, atoms)?;
                self.can_be_written_out(*bounds, size_of(&[&body]), tree.span)?;
                bounded(*quantifier, *op, *bounds, &body, tree.span).kind
            }
            TreeKind::CtlBoundedUntil(quantifier, bounds, left, right) => {
                let left = self.formula(scope, left, rules, atoms);
                let right = self.formula(scope, right, rules, atoms);
                let (left, right) = (left?, right?);
                self.can_be_written_out(*bounds, size_of(&[&left, &right]), tree.span)?;
                bounded_until(*quantifier, *bounds, &left, &right, tree.span).kind
            }
            TreeKind::Placeholder(names) => {
                FormulaKind::Proposition(self.placeholder(scope, names.as_deref(), tree.span)?)
            }
            _ => match self.atom(scope, tree, rules.reads, rules.what, atoms)? {
                Leaf::Constant(true) => FormulaKind::True,
                Leaf::Constant(false) => FormulaKind::False,
                Leaf::Proposition(name) => FormulaKind::Proposition(name),
            },
        };
        Some(placed(kind, tree.span))
    }

    fn ltl(&mut self, scope: InstanceId, tree: &Tree, atoms: &mut Vec<Atom>) -> Option<Ltl> {
        let kind = match &tree.kind {
            _ if tree.is_ctl() => {
                let message = "an operator of CTL cannot stand in an LTL formula";
                let complaint = Diagnostic::error(tree.span, message);
                return self.refuse(complaint.with_note("CTLSPEC is for formulas of CTL"));
            }
            TreeKind::Unary(UnaryOp::Not, body) => {
                LtlKind::Unary(LtlUnary::Not, Box::new(self.ltl(scope, body, atoms)?))
            }
            TreeKind::LtlUnary(op, body) => LtlKind::Unary(*op, Box::new(self.ltl(scope, body, atoms)?)),
            TreeKind::LtlBounded(op, bounds, body) => {
                let body = self.ltl(scope, body, atoms)?;
                self.can_be_written_out(*bounds, linear_size_of(&body), tree.span)?;
                linear_bounded(*op, *bounds, &body, tree.span).kind
            }
            TreeKind::Chain(op @ (BinaryOp::And | BinaryOp::Or), operands) => {
                let operands: Vec<Option<Ltl>> =
                    operands.iter().map(|operand| self.ltl(scope, operand, atoms)).collect();
                let op = if *op == BinaryOp::And { LtlBinary::And } else { LtlBinary::Or };
                row(op, operands.into_iter().collect::<Option<_>>()?)?.kind
            }
            TreeKind::Binary(op @ (BinaryOp::Implies | BinaryOp::Xor | BinaryOp::Xnor), left, right) => {
                let (left, right) = (self.ltl(scope, left, atoms), self.ltl(scope, right, atoms));
                let op = match op {
                    BinaryOp::Implies => LtlBinary::Implies,
                    BinaryOp::Xor => LtlBinary::Xor,
                    _ => LtlBinary::Iff,
                };
                LtlKind::Binary(op, Box::new(left?), Box::new(right?))
            }
            TreeKind::LtlBinary(op, left, right) => {
                let (left, right) = (self.ltl(scope, left, atoms), self.ltl(scope, right, atoms));
                LtlKind::Binary(*op, Box::new(left?), Box::new(right?))
            }
            _ => match self.atom(scope, tree, Reads::StateAndInputs, "an LTL formula", atoms)? {
                Leaf::Constant(true) => LtlKind::True,
                Leaf::Constant(false) => LtlKind::False,
                Leaf::Proposition(name) => LtlKind::Proposition(name),
            },
        };
        Some(Ltl { kind, span: tree.span })
    }

    fn atom(
        &mut self,
        scope: InstanceId,
        tree: &Tree,
        reads: Reads,
        what: &str,
        atoms: &mut Vec<Atom>,
    ) -> Option<Leaf> {
        let expr = self.expr(scope, tree)?;
        let expr = self.condition(expr)?;
        let expr = self.reads_only(expr, reads, what)?;
        if let ExprKind::Constant(Value::Boolean(value)) = expr.kind {
            return Some(Leaf::Constant(value));
        }
        let name = self.text_of(&expr);
        if !atoms.iter().any(|atom| atom.name == name) {
            atoms.push(Atom { name: name.clone(), expr });
        }
        Some(Leaf::Proposition(name))
    }
}

enum Leaf {
    Constant(bool),
    Proposition(String),
}

pub(super) fn placed(kind: FormulaKind, span: Span) -> Formula {
    Formula { kind, span }
}

/// A row of operands; rows as long as people write them associate to the left.
fn row(op: LtlBinary, mut operands: Vec<Ltl>) -> Option<Ltl> {
    let join = |left: Ltl, right: Ltl| {
        let span = left.span.to(right.span);
        Ltl { kind: LtlKind::Binary(op, Box::new(left), Box::new(right)), span }
    };
    if operands.len() > ROW {
        let right = operands.split_off(operands.len() / 2);
        return Some(join(row(op, operands)?, row(op, right)?));
    }
    operands.into_iter().reduce(join)
}
