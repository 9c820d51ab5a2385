//! Flat expressions and properties as text that can be read back, in the way NuSMV writes them: Boolean operators in
//! brackets, comparisons without, names with their instances. Other than NuSMV, a row of conjunctions or disjunctions in a property has
//! only the brackets it is written with: it is read as a row.

use crate::{BinaryOp, Define, Expr, ExprKind, FlatModel, SymbolId, Type, UnaryOp, Value, VarId, Variable};
use tertium_logic::{Formula, FormulaKind, Ltl, LtlBinary, LtlKind, LtlUnary, PathOperator, PathQuantifier};
use tertium_support::{Id, Interner, Span};

/// Strengths of what is printed, as the parser has them.
const CHOICE: u32 = 3;
const COMPARISON: u32 = 8;
const IN: u32 = 9;
const SHIFT: u32 = 12;
const SUM: u32 = 13;
const PRODUCT: u32 = 14;
const CONCATENATE: u32 = 15;
const MINUS: u32 = 16;
const NOT: u32 = 17;
const PRIMARY: u32 = 18;

impl FlatModel {
    /// An expression of this model as text.
    pub fn expr_text(&self, expr: &Expr) -> String {
        Names {
            symbols: &self.symbols,
            variables: &self.variables,
            defines: &self.defines,
            selector: self.selector,
        }
        .expr(expr)
    }

    /// A type of this model as text, as it stands in declarations.
    pub fn type_text(&self, ty: &Type) -> String {
        match ty {
            Type::Boolean => "boolean".to_owned(),
            Type::Range(low, high) => format!("{low}..{high}"),
            Type::Enumeration(values) => {
                let values: Vec<String> =
                    values.iter().map(|value| value_text(&self.symbols, *value)).collect();
                format!("{{{}}}", values.join(", "))
            }
            Type::Word { width, signed: true } => format!("signed word[{width}]"),
            Type::Word { width, signed: false } => format!("unsigned word[{width}]"),
        }
    }
}

/// A value as text.
pub(crate) fn value_text(symbols: &Interner<SymbolId>, value: Value) -> String {
    match value {
        Value::Boolean(true) => "TRUE".to_owned(),
        Value::Boolean(false) => "FALSE".to_owned(),
        Value::Integer(value) => value.to_string(),
        Value::Symbol(symbol) => symbols.name(symbol).to_owned(),
        Value::Word { bits, width, signed } => {
            format!("0{}d{width}_{bits}", if signed { "s" } else { "u" })
        }
    }
}

/// What the ids in expressions are called.
pub(crate) struct Names<'a> {
    /// The symbols.
    pub(crate) symbols: &'a Interner<SymbolId>,
    /// The variables.
    pub(crate) variables: &'a [Variable],
    /// The definitions.
    pub(crate) defines: &'a [Define],
    /// The variable that says which process runs.
    pub(crate) selector: Option<VarId>,
}

impl Names<'_> {
    /// An expression as text.
    pub(crate) fn expr(&self, expr: &Expr) -> String {
        self.with_strength(expr).0
    }

    /// An expression as text that can stand below every operator but the negation.
    pub(crate) fn proposition(&self, expr: &Expr) -> String {
        self.within(expr, CHOICE)
    }

    /// The expression, in brackets if it is not stronger than what is around it.
    fn within(&self, expr: &Expr, around: u32) -> String {
        let (text, strength) = self.with_strength(expr);
        if strength > around { text } else { format!("({text})") }
    }

    fn with_strength(&self, expr: &Expr) -> (String, u32) {
        match &expr.kind {
            // A negative number is not one token.
            ExprKind::Constant(Value::Integer(value)) if *value < 0 => (value.to_string(), MINUS),
            ExprKind::Constant(value) => (value_text(self.symbols, *value), PRIMARY),
            ExprKind::Variable(id) => (self.variables[id.index()].name.clone(), PRIMARY),
            ExprKind::Define(id) => (self.defines[id.index()].name.clone(), PRIMARY),
            ExprKind::Next(body) => (format!("next({})", self.expr(body)), PRIMARY),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, &expr.ty),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Case(arms) => self.case(arms),
            ExprKind::Set(parts) => (format!("{{{}}}", self.list(parts)), PRIMARY),
            ExprKind::Bits(word, high, low) => (format!("{}[{high}:{low}]", self.within(word, NOT)), PRIMARY),
            ExprKind::Count(parts) => (format!("count({})", self.list(parts)), PRIMARY),
        }
    }

    fn list(&self, parts: &[Expr]) -> String {
        parts.iter().map(|part| self.expr(part)).collect::<Vec<_>>().join(", ")
    }

    fn unary(&self, op: UnaryOp, operand: &Expr, ty: &Type) -> (String, u32) {
        let function = match op {
            UnaryOp::Not => return (format!("!{}", self.within(operand, NOT - 1)), NOT),
            UnaryOp::Minus => return (format!("-{}", self.within(operand, MINUS)), MINUS),
            UnaryOp::ToBoolean => "bool",
            UnaryOp::ToWord1 => "word1",
            UnaryOp::ToInteger => "toint",
            UnaryOp::ToUnsigned => "unsigned",
            UnaryOp::ToSigned => "signed",
            UnaryOp::Resize => {
                let width = if let Type::Word { width, .. } = ty { *width } else { 0 };
                return (format!("resize({}, {width})", self.expr(operand)), PRIMARY);
            }
        };
        (format!("{function}({})", self.expr(operand)), PRIMARY)
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> (String, u32) {
        if let Some(running) = self.running(op, left, right) {
            return (running, PRIMARY);
        }
        let (word, strength) = match op {
            BinaryOp::And => ("&", PRIMARY),
            BinaryOp::Or => ("|", PRIMARY),
            BinaryOp::Xor => ("xor", PRIMARY),
            BinaryOp::Xnor => ("<->", PRIMARY),
            BinaryOp::Implies => ("->", PRIMARY),
            BinaryOp::Equal => ("=", COMPARISON),
            BinaryOp::NotEqual => ("!=", COMPARISON),
            BinaryOp::Less => ("<", COMPARISON),
            BinaryOp::LessEqual => ("<=", COMPARISON),
            BinaryOp::Greater => (">", COMPARISON),
            BinaryOp::GreaterEqual => (">=", COMPARISON),
            BinaryOp::In => ("in", IN),
            BinaryOp::ShiftLeft => ("<<", SHIFT),
            BinaryOp::ShiftRight => (">>", SHIFT),
            BinaryOp::Add => ("+", SUM),
            BinaryOp::Subtract => ("-", SUM),
            BinaryOp::Multiply => ("*", PRODUCT),
            BinaryOp::Divide => ("/", PRODUCT),
            BinaryOp::Modulo => ("mod", PRODUCT),
            BinaryOp::Concatenate => ("::", CONCATENATE),
        };
        if strength == PRIMARY {
            return (
                format!("({} {word} {})", self.within(left, CHOICE), self.within(right, CHOICE)),
                PRIMARY,
            );
        }
        // To the left everywhere; comparisons in brackets on both sides, for the reader.
        let on_left = if strength == COMPARISON { strength } else { strength - 1 };
        (format!("{} {word} {}", self.within(left, on_left), self.within(right, strength)), strength)
    }

    /// `p.running` instead of a comparison with the selector.
    fn running(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<String> {
        let (ExprKind::Variable(variable), ExprKind::Constant(Value::Symbol(process))) =
            (&left.kind, &right.kind)
        else {
            return None;
        };
        if op != BinaryOp::Equal || self.selector != Some(*variable) {
            return None;
        }
        let name = self.symbols.name(*process);
        Some(if name == "main" { "running".to_owned() } else { format!("{name}.running") })
    }

    fn case(&self, arms: &[(Expr, Expr)]) -> (String, u32) {
        if let [(condition, value), (always, otherwise)] = arms
            && always.kind == ExprKind::Constant(Value::Boolean(true))
        {
            let condition = self.within(condition, CHOICE);
            return (
                format!("{condition} ? {} : {}", self.within(value, CHOICE), self.within(otherwise, CHOICE)),
                CHOICE,
            );
        }
        let arms: String = arms
            .iter()
            .map(|(condition, value)| format!("{} : {}; ", self.expr(condition), self.expr(value)))
            .collect();
        (format!("case {arms}esac"), PRIMARY)
    }
}

/// How a formula is put below an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// It can follow any operator.
    Closed,
    /// It needs brackets below a negation.
    Comparison,
    /// It needs brackets below a prefix operator.
    Prefix,
}

/// A formula of CTL as text, its propositions being expressions.
pub fn formula_text(formula: &Formula) -> String {
    formula_with_shape(formula).0
}

fn formula_with_shape(formula: &Formula) -> (String, Shape) {
    match &formula.kind {
        FormulaKind::True => ("TRUE".to_owned(), Shape::Closed),
        FormulaKind::False => ("FALSE".to_owned(), Shape::Closed),
        FormulaKind::Proposition(name) | FormulaKind::Variable(name) => proposition(name),
        FormulaKind::Not(body) => {
            (format!("!{}", below(formula_with_shape(body), Shape::Comparison)), Shape::Closed)
        }
        FormulaKind::And(parts) => (row(parts, "&", same_row(formula)), Shape::Closed),
        FormulaKind::Or(parts) => (row(parts, "|", same_row(formula)), Shape::Closed),
        FormulaKind::Implies(left, right) => {
            (pair(formula_text(left), "->", formula_text(right)), Shape::Closed)
        }
        FormulaKind::Iff(left, right) => {
            (pair(formula_text(left), "<->", formula_text(right)), Shape::Closed)
        }
        FormulaKind::Path(quantifier, operator) => path_text(*quantifier, operator),
        // Not made by this front end, and not part of the language; shown as the logic has it.
        FormulaKind::Modal(..) | FormulaKind::Fixpoint(..) => (format!("({formula})"), Shape::Closed),
    }
}

fn path_text(quantifier: PathQuantifier, operator: &PathOperator) -> (String, Shape) {
    let quantifier = if quantifier == PathQuantifier::Some { "E" } else { "A" };
    let prefix = |word: &str, body: &Formula| {
        let text = format!("{quantifier}{word} {}", below(formula_with_shape(body), Shape::Prefix));
        (text, Shape::Prefix)
    };
    let infix = |word: &str, left: &Formula, right: &Formula| {
        let text = format!("{quantifier} [ {} {word} {} ]", formula_text(left), formula_text(right));
        (text, Shape::Closed)
    };
    match operator {
        PathOperator::Next(body) => prefix("X", body),
        PathOperator::Finally(body) => prefix("F", body),
        PathOperator::Globally(body) => prefix("G", body),
        PathOperator::Until(left, right) => infix("U", left, right),
        PathOperator::WeakUntil(left, right) => infix("W", left, right),
        PathOperator::Release(left, right) => infix("R", left, right),
    }
}

/// A formula of LTL as text, its propositions being expressions.
pub fn ltl_text(formula: &Ltl) -> String {
    ltl_with_shape(formula).0
}

fn ltl_with_shape(formula: &Ltl) -> (String, Shape) {
    match &formula.kind {
        LtlKind::True => ("TRUE".to_owned(), Shape::Closed),
        LtlKind::False => ("FALSE".to_owned(), Shape::Closed),
        LtlKind::Proposition(name) => proposition(name),
        LtlKind::Unary(LtlUnary::Not, body) => {
            (format!("!{}", below(ltl_with_shape(body), Shape::Comparison)), Shape::Closed)
        }
        LtlKind::Unary(op, body) => {
            let word = match op {
                LtlUnary::Not => "!",
                LtlUnary::Next => "X",
                LtlUnary::Finally => "F",
                LtlUnary::Globally => "G",
                LtlUnary::Previous => "Y",
                LtlUnary::WeakPrevious => "Z",
                LtlUnary::Once => "O",
                LtlUnary::Historically => "H",
            };
            (format!("{word} {}", below(ltl_with_shape(body), Shape::Prefix)), Shape::Prefix)
        }
        LtlKind::Binary(op, left, right) => {
            let word = match op {
                LtlBinary::And => "&",
                LtlBinary::Or => "|",
                LtlBinary::Xor => "xor",
                LtlBinary::Implies => "->",
                LtlBinary::Iff => "<->",
                LtlBinary::Until => "U",
                LtlBinary::Releases => "V",
                LtlBinary::Since => "S",
                LtlBinary::Triggered => "T",
            };
            if !matches!(op, LtlBinary::And | LtlBinary::Or) {
                return (pair(ltl_text(left), word, ltl_text(right)), Shape::Closed);
            }
            let mut texts = Vec::new();
            let mut waiting = vec![&**right, &**left];
            while let Some(operand) = waiting.pop() {
                match &operand.kind {
                    // Rows are read from left to right.
                    LtlKind::Binary(own, f, g)
                        if own == op && (texts.is_empty() || is_tail(operand.span, g.span)) =>
                    {
                        waiting.extend([&**g, &**f]);
                    }
                    _ => texts.push(ltl_text(operand)),
                }
            }
            (format!("({})", texts.join(&format!(" {word} "))), Shape::Closed)
        }
    }
}

fn proposition(name: &str) -> (String, Shape) {
    let shape = if name.contains(' ') { Shape::Comparison } else { Shape::Closed };
    (name.to_owned(), shape)
}

/// The text, in brackets unless its shape is simpler than the given one.
fn below((text, shape): (String, Shape), brackets_from: Shape) -> String {
    let simpler = match brackets_from {
        Shape::Prefix => shape != Shape::Prefix,
        _ => shape == Shape::Closed,
    };
    if simpler { text } else { format!("({text})") }
}

fn pair(left: String, word: &str, right: String) -> String {
    format!("({left} {word} {right})")
}

/// A row of operands, those of an operand that continues the row among them.
fn row(parts: &[Formula], word: &str, continues: impl Fn(&Formula) -> bool) -> String {
    let mut texts = Vec::new();
    let mut waiting: Vec<&Formula> = parts.iter().rev().collect();
    while let Some(part) = waiting.pop() {
        match &part.kind {
            FormulaKind::And(inner) | FormulaKind::Or(inner) if continues(part) => {
                waiting.extend(inner.iter().rev());
            }
            _ => texts.push(formula_text(part)),
        }
    }
    if let [only] = texts.as_slice() {
        return only.clone();
    }
    format!("({})", texts.join(&format!(" {word} ")))
}

/// Whether an operand is the tail of the row.
fn same_row(whole: &Formula) -> impl Fn(&Formula) -> bool {
    move |part: &Formula| match (&whole.kind, &part.kind) {
        (FormulaKind::And(_), FormulaKind::And(inner)) | (FormulaKind::Or(_), FormulaKind::Or(inner)) => {
            inner.last().is_some_and(|last| is_tail(part.span, last.span))
        }
        _ => false,
    }
}

/// Whether something stands in the text and ends where its last operand does, so without a bracket behind it.
fn is_tail(whole: Span, last: Span) -> bool {
    whole != Span::default() && whole.end == last.end
}
