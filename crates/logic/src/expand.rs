//! Abbreviations written out: what remains is the core that the header of `formula` names.
//!
//! The meaning of abbreviations is defined here and tested against the graph, which removes them on its own way. A
//! choice copies what follows it and an equivalence its sides, so the result can be exponentially larger: this is for
//! small formulas and for the naive checker, not for the fast one.

use crate::{ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular, Sign};
use rustc_hash::FxHashSet;
use tertium_support::Span;

impl Formula {
    /// The same formula without `=>`, `<=>`, regular modalities and CTL. Variables that this needs have names that
    /// occur nowhere else.
    #[must_use]
    pub fn expand(&self) -> Formula {
        let taken = self
            .preorder()
            .filter_map(|formula| match &formula.kind {
                FormulaKind::Proposition(name)
                | FormulaKind::Variable(name)
                | FormulaKind::Fixpoint(_, name, _) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        Expansion { taken, n_fresh: 0 }.formula(self)
    }
}

struct Expansion<'a> {
    taken: FxHashSet<&'a str>,
    n_fresh: usize,
}

impl Expansion<'_> {
    fn formula(&mut self, formula: &Formula) -> Formula {
        let kind = match &formula.kind {
            FormulaKind::True
            | FormulaKind::False
            | FormulaKind::Proposition(_)
            | FormulaKind::Variable(_) => formula.kind.clone(),
            FormulaKind::Not(f) => FormulaKind::Not(Box::new(self.formula(f))),
            FormulaKind::And(parts) => FormulaKind::And(self.formulas(parts)),
            FormulaKind::Or(parts) => FormulaKind::Or(self.formulas(parts)),
            FormulaKind::Implies(f, g) => FormulaKind::Or(vec![self.formula(f).negated(), self.formula(g)]),
            FormulaKind::Iff(f, g) => {
                let (f, g) = (self.formula(f), self.formula(g));
                let forth = FormulaKind::Or(vec![f.clone().negated(), g.clone()]).into();
                let back = FormulaKind::Or(vec![g.negated(), f]).into();
                FormulaKind::And(vec![forth, back])
            }
            FormulaKind::Modal(quantifier, regular, f) => {
                let next = self.formula(f);
                self.regular(*quantifier, regular, next).kind
            }
            FormulaKind::Fixpoint(sign, name, body) => {
                FormulaKind::Fixpoint(*sign, name.clone(), Box::new(self.formula(body)))
            }
            FormulaKind::Path(quantifier, operator) => self.path(*quantifier, operator).kind,
        };
        place(Formula::from(kind), formula.span)
    }

    fn formulas(&mut self, parts: &[Formula]) -> Vec<Formula> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    fn regular(&mut self, quantifier: PathQuantifier, regular: &Regular, next: Formula) -> Formula {
        let (join, sign): (fn(Vec<Formula>) -> FormulaKind, Sign) = match quantifier {
            PathQuantifier::Some => (FormulaKind::Or, Sign::Least),
            PathQuantifier::All => (FormulaKind::And, Sign::Greatest),
        };
        match regular {
            Regular::Step(actions) => step(quantifier, actions.clone(), next),
            Regular::Sequence(parts) => {
                parts.iter().rev().fold(next, |next, part| self.regular(quantifier, part, next))
            }
            Regular::Choice(parts) => {
                join(parts.iter().map(|part| self.regular(quantifier, part, next.clone())).collect()).into()
            }
            Regular::Star(body) => {
                let name = self.fresh();
                let again = self.regular(quantifier, body, Formula::variable(name.clone()));
                Formula::fixpoint(sign, name, join(vec![next, again]).into())
            }
            Regular::Plus(body) => {
                // <R+>f is <R><R*>f, here as mu X. <R>(f || X): R is written once.
                let name = self.fresh();
                let after = join(vec![next, Formula::variable(name.clone())]).into();
                Formula::fixpoint(sign, name, self.regular(quantifier, body, after))
            }
        }
    }

    fn path(&mut self, quantifier: PathQuantifier, operator: &PathOperator) -> Formula {
        let name = self.fresh();
        let again = step(quantifier, ActionFormula::True, Formula::variable(name.clone()));
        let (sign, body) = match operator {
            PathOperator::Next(f) => return step(quantifier, ActionFormula::True, self.formula(f)),
            PathOperator::Finally(f) => (Sign::Least, Formula::any(vec![self.formula(f), again])),
            PathOperator::Globally(f) => (Sign::Greatest, Formula::all(vec![self.formula(f), again])),
            PathOperator::Until(f, g) => (Sign::Least, self.until(f, g, again)),
            PathOperator::WeakUntil(f, g) => (Sign::Greatest, self.until(f, g, again)),
            PathOperator::Release(f, g) => {
                let stay = Formula::any(vec![self.formula(f), again]);
                (Sign::Greatest, Formula::all(vec![self.formula(g), stay]))
            }
        };
        Formula::fixpoint(sign, name, body)
    }

    fn until(&mut self, f: &Formula, g: &Formula, again: Formula) -> Formula {
        let stay = Formula::all(vec![self.formula(f), again]);
        Formula::any(vec![self.formula(g), stay])
    }

    fn fresh(&mut self) -> String {
        loop {
            self.n_fresh += 1;
            let name = format!("Z{}", self.n_fresh);
            if !self.taken.contains(name.as_str()) {
                return name;
            }
        }
    }
}

fn step(quantifier: PathQuantifier, actions: ActionFormula, body: Formula) -> Formula {
    FormulaKind::Modal(quantifier, Regular::Step(actions), Box::new(body)).into()
}

/// Where an abbreviation stood, all that it stands for stands.
fn place(mut formula: Formula, span: Span) -> Formula {
    formula.span = span;
    formula
}

#[cfg(test)]
mod tests {
    use crate::{Formula, parse};
    use tertium_support::Source;

    fn formula(text: &str) -> Formula {
        parse(&Source::new("test", text)).unwrap()
    }

    #[test]
    fn abbreviations_are_written_out() {
        for (text, expected) in [
            ("p => q", "!p || q"),
            ("p <=> q", "(!p || q) && (!q || p)"),
            ("EF p", "mu Z1. p || <>Z1"),
            ("A[p R q]", "nu Z1. q && (p || []Z1)"),
            ("<a . b + c>p", "<a><b>p || <c>p"),
            ("[a*]p", "nu Z1. p && [a]Z1"),
            ("<a+>p", "mu Z1. <a>(p || Z1)"),
        ] {
            assert_eq!(formula(text).expand(), formula(expected), "{text}");
        }
    }

    #[test]
    fn fresh_variables_avoid_all_names_of_the_formula() {
        assert_eq!(formula("Z1 && mu Z2. EF Z2").expand(), formula("Z1 && mu Z2. mu Z3. Z2 || <>Z3"));
    }
}
