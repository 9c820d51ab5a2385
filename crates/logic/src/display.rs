//! Formulas as text that parses back to an equal formula, with as few brackets as the grammar needs.
//!
//! A fixpoint extends as far to the right as possible. So it needs no brackets, wherever it stands, unless something
//! follows it that it would swallow. Names are quoted if they are no identifiers, are words with a meaning of their
//! own, or are propositions that bear the name of some variable of the formula.

use crate::token::{is_name, is_reserved_in_actions, is_reserved_in_states, quote};
use crate::{ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular, Sign};
use rustc_hash::FxHashSet;
use std::fmt::{self, Display, Formatter, Write};

/// How tightly the outermost operator binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Or,
    And,
    Operand,
}

/// What stands to the right of a formula within the same brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Nothing,
    Operator,
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let variables = self
            .preorder()
            .filter_map(|formula| match &formula.kind {
                FormulaKind::Fixpoint(_, name, _) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        Printer { out: f, variables }.formula(self, Level::Iff, Follows::Nothing)
    }
}

impl Display for Regular {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        regular(f, self, RegularLevel::Choice)
    }
}

impl Display for ActionFormula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        actions(f, self, ActionLevel::Or)
    }
}

struct Printer<'a, 'f> {
    out: &'a mut Formatter<'f>,
    variables: FxHashSet<&'a str>,
}

impl Printer<'_, '_> {
    fn formula(&mut self, formula: &Formula, loosest: Level, follows: Follows) -> fmt::Result {
        let brackets = match &formula.kind {
            FormulaKind::Fixpoint(..) => follows == Follows::Operator,
            _ => level(formula) < loosest,
        };
        if brackets {
            self.out.write_char('(')?;
            self.bare(formula, Follows::Nothing)?;
            self.out.write_char(')')
        } else {
            self.bare(formula, follows)
        }
    }

    fn bare(&mut self, formula: &Formula, follows: Follows) -> fmt::Result {
        match &formula.kind {
            FormulaKind::True => self.out.write_str("true"),
            FormulaKind::False => self.out.write_str("false"),
            FormulaKind::Proposition(name) => self.proposition(name),
            FormulaKind::Variable(name) => self.out.write_str(name),
            FormulaKind::Not(f) => {
                self.out.write_char('!')?;
                self.formula(f, Level::Operand, follows)
            }
            FormulaKind::And(parts) => self.chain(parts, "true", " && ", Level::Operand, follows),
            FormulaKind::Or(parts) => self.chain(parts, "false", " || ", Level::And, follows),
            FormulaKind::Implies(f, g) => {
                self.infix(f, Level::Or, " => ")?;
                self.formula(g, Level::Implies, follows)
            }
            FormulaKind::Iff(f, g) => {
                self.infix(f, Level::Implies, " <=> ")?;
                self.formula(g, Level::Iff, follows)
            }
            FormulaKind::Modal(quantifier, regular, f) => {
                self.modality(*quantifier, regular)?;
                self.formula(f, Level::Operand, follows)
            }
            FormulaKind::Fixpoint(sign, name, body) => {
                let sign = if *sign == Sign::Least { "mu" } else { "nu" };
                write!(self.out, "{sign} {name}. ")?;
                self.formula(body, Level::Iff, follows)
            }
            FormulaKind::Path(quantifier, operator) => self.path(*quantifier, operator, follows),
        }
    }

    fn proposition(&mut self, name: &str) -> fmt::Result {
        if is_name(name) && !is_reserved_in_states(name) && !self.variables.contains(name) {
            self.out.write_str(name)
        } else {
            self.out.write_str(&quote(name))
        }
    }

    fn infix(&mut self, left: &Formula, loosest: Level, operator: &str) -> fmt::Result {
        self.formula(left, loosest, Follows::Operator)?;
        self.out.write_str(operator)
    }

    fn chain(
        &mut self,
        parts: &[Formula],
        empty: &str,
        operator: &str,
        loosest: Level,
        follows: Follows,
    ) -> fmt::Result {
        let Some((last, before)) = parts.split_last() else {
            return self.out.write_str(empty);
        };
        before.iter().try_for_each(|part| self.infix(part, loosest, operator))?;
        self.formula(last, loosest, follows)
    }

    fn modality(&mut self, quantifier: PathQuantifier, regular: &Regular) -> fmt::Result {
        let (open, close) = match quantifier {
            PathQuantifier::Some => ('<', '>'),
            PathQuantifier::All => ('[', ']'),
        };
        match regular {
            Regular::Step(ActionFormula::True) => write!(self.out, "{open}{close}"),
            _ => write!(self.out, "{open}{regular}{close}"),
        }
    }

    fn path(&mut self, quantifier: PathQuantifier, operator: &PathOperator, follows: Follows) -> fmt::Result {
        let quantifier = if quantifier == PathQuantifier::Some { 'E' } else { 'A' };
        match operator {
            PathOperator::Next(f) => self.unary_path(quantifier, 'X', f, follows),
            PathOperator::Finally(f) => self.unary_path(quantifier, 'F', f, follows),
            PathOperator::Globally(f) => self.unary_path(quantifier, 'G', f, follows),
            PathOperator::Until(f, g) => self.binary_path(quantifier, f, 'U', g),
            PathOperator::WeakUntil(f, g) => self.binary_path(quantifier, f, 'W', g),
            PathOperator::Release(f, g) => self.binary_path(quantifier, f, 'R', g),
        }
    }

    fn unary_path(&mut self, quantifier: char, operator: char, f: &Formula, follows: Follows) -> fmt::Result {
        write!(self.out, "{quantifier}{operator} ")?;
        self.formula(f, Level::Operand, follows)
    }

    /// The operator between the sides ends any formula, as a bracket does.
    fn binary_path(&mut self, quantifier: char, f: &Formula, operator: char, g: &Formula) -> fmt::Result {
        write!(self.out, "{quantifier}[")?;
        self.formula(f, Level::Iff, Follows::Nothing)?;
        write!(self.out, " {operator} ")?;
        self.formula(g, Level::Iff, Follows::Nothing)?;
        self.out.write_char(']')
    }
}

fn level(formula: &Formula) -> Level {
    match &formula.kind {
        FormulaKind::Iff(..) => Level::Iff,
        FormulaKind::Implies(..) => Level::Implies,
        // A chain of one, which only programs make, is printed as its only part.
        FormulaKind::Or(parts) if !parts.is_empty() => Level::Or,
        FormulaKind::And(parts) if !parts.is_empty() => Level::And,
        _ => Level::Operand,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RegularLevel {
    Choice,
    Sequence,
    Repeated,
}

/// Action formulas bind tighter than the operators on sequences, but get brackets below these: `(a || b)*` is easier
/// to read than `a || b*`.
fn regular(f: &mut Formatter<'_>, formula: &Regular, loosest: RegularLevel) -> fmt::Result {
    let (own, brackets) = match formula {
        Regular::Step(ActionFormula::And(parts) | ActionFormula::Or(parts)) if parts.len() > 1 => {
            (RegularLevel::Repeated, loosest > RegularLevel::Choice)
        }
        Regular::Choice(parts) if !parts.is_empty() => (RegularLevel::Choice, loosest > RegularLevel::Choice),
        Regular::Sequence(parts) if !parts.is_empty() => {
            (RegularLevel::Sequence, loosest > RegularLevel::Sequence)
        }
        _ => (RegularLevel::Repeated, false),
    };
    if brackets {
        f.write_char('(')?;
    }
    match formula {
        Regular::Step(step) => actions(f, step, ActionLevel::Or)?,
        Regular::Sequence(parts) if parts.is_empty() => f.write_str("false*")?,
        Regular::Choice(parts) if parts.is_empty() => f.write_str("false")?,
        Regular::Sequence(parts) | Regular::Choice(parts) => {
            let (operator, inner) = match own {
                RegularLevel::Choice => (" + ", RegularLevel::Sequence),
                _ => (" . ", RegularLevel::Repeated),
            };
            for (at, part) in parts.iter().enumerate() {
                f.write_str(if at == 0 { "" } else { operator })?;
                regular(f, part, inner)?;
            }
        }
        Regular::Star(body) => {
            regular(f, body, RegularLevel::Repeated)?;
            f.write_char('*')?;
        }
        Regular::Plus(body) => {
            regular(f, body, RegularLevel::Repeated)?;
            f.write_char('+')?;
        }
    }
    if brackets { f.write_char(')') } else { Ok(()) }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ActionLevel {
    Or,
    And,
    Operand,
}

fn actions(f: &mut Formatter<'_>, formula: &ActionFormula, loosest: ActionLevel) -> fmt::Result {
    match formula {
        ActionFormula::True => f.write_str("true"),
        ActionFormula::False => f.write_str("false"),
        ActionFormula::Action(label, _) => f.write_str(&label_text(label)),
        ActionFormula::Not(operand) => {
            f.write_char('!')?;
            actions(f, operand, ActionLevel::Operand)
        }
        ActionFormula::And(parts) => {
            action_chain(f, parts, "true", " && ", loosest > ActionLevel::And, ActionLevel::Operand)
        }
        ActionFormula::Or(parts) => {
            action_chain(f, parts, "false", " || ", loosest > ActionLevel::Or, ActionLevel::And)
        }
    }
}

fn action_chain(
    f: &mut Formatter<'_>,
    parts: &[ActionFormula],
    empty: &str,
    operator: &str,
    brackets: bool,
    inner: ActionLevel,
) -> fmt::Result {
    if parts.is_empty() {
        return f.write_str(empty);
    }
    f.write_str(if brackets { "(" } else { "" })?;
    for (at, part) in parts.iter().enumerate() {
        f.write_str(if at == 0 { "" } else { operator })?;
        actions(f, part, inner)?;
    }
    f.write_str(if brackets { ")" } else { "" })
}

/// A label, or a multi-action in its normal form, as it is; anything else in quotes.
fn label_text(label: &str) -> String {
    let parts: Vec<&str> = label.split('|').collect();
    let plain = parts.iter().all(|part| is_name(part) && !is_reserved_in_actions(part));
    let normal = parts.len() == 1 || (parts.is_sorted() && !parts.contains(&"tau"));
    if plain && normal { label.to_owned() } else { quote(label) }
}

#[cfg(test)]
mod tests {
    use crate::parse;
    use tertium_support::Source;

    /// Formulas that print as they are written, and parse back equal.
    fn check(text: &str) {
        let formula = parse(&Source::new("test", text)).unwrap();
        assert_eq!(formula.to_string(), text);
        assert_eq!(parse(&Source::new("test", formula.to_string())).unwrap(), formula);
    }

    #[test]
    fn formulas_with_no_needless_brackets_print_as_they_are_written() {
        for text in [
            "p && q && (r && s) || t => u => v <=> w",
            "(p => q) => r",
            "(p || q) && !(r && s)",
            "p && mu X. q || <a>X",
            "(mu X. q || <a>X) && p",
            "<a>(nu X. p && [b]X) || q",
            "E[p => q U mu X. p || <>X]",
            "A[p W E[q R r]]",
            "AG (p => AF q)",
            "!EX !p",
            "E && A && U",
            "form && init",
            "\"in critical\" && \"EX\" && \"a\\\"b\"",
            "\"X\" && mu X. X || \"X\"",
        ] {
            check(text);
        }
    }

    #[test]
    fn regular_modalities_print_as_they_are_written() {
        for text in [
            "<>true",
            "[true*]<>true",
            "[(a || b)* . c]false",
            "<a + b . c+>p",
            "<a+ + b>p",
            "<a++>p",
            "<(a + b)+>p",
            "<(a . b) . c>p",
            "[!(a && !b) || c]p",
            "<a|b>p",
            "<\"send(1)\" . \"true\" . nil'>p",
            "<\"b|a\">p",
            "<tau>p",
        ] {
            check(text);
        }
    }
}
