//! Action formulas and regular formulas over them: what stands between `<` and `>` or `[` and `]`.

use std::hash::{Hash, Hasher};
use tertium_support::Span;

/// A set of actions, described by names.
#[derive(Clone, Debug)]
pub enum ActionFormula {
    /// Every action.
    True,
    /// No action.
    False,
    /// The action with this label. A multi-action `a|b` is the label of its parts, sorted and joined by `|`.
    Action(String, Span),
    /// All other actions.
    Not(Box<ActionFormula>),
    /// The actions in all of these sets.
    And(Vec<ActionFormula>),
    /// The actions in some of these sets.
    Or(Vec<ActionFormula>),
}

/// A regular set of finite action sequences.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Regular {
    /// One step with an action of this set.
    Step(ActionFormula),
    /// One after the other.
    Sequence(Vec<Regular>),
    /// Any of these.
    Choice(Vec<Regular>),
    /// Any number of times, also none.
    Star(Box<Regular>),
    /// Any number of times, at least once.
    Plus(Box<Regular>),
}

/// Action formulas are equal when they are written alike, wherever they stand.
impl PartialEq for ActionFormula {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::True, Self::True) | (Self::False, Self::False) => true,
            (Self::Action(a, _), Self::Action(b, _)) => a == b,
            (Self::Not(a), Self::Not(b)) => a == b,
            (Self::And(a), Self::And(b)) | (Self::Or(a), Self::Or(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for ActionFormula {}

impl Hash for ActionFormula {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::True | Self::False => {}
            Self::Action(label, _) => label.hash(state),
            Self::Not(operand) => operand.hash(state),
            Self::And(parts) | Self::Or(parts) => parts.hash(state),
        }
    }
}

impl ActionFormula {
    /// The action with this label.
    pub fn action(label: impl Into<String>) -> Self {
        Self::Action(label.into(), Span::default())
    }

    /// Whether the action with this label is in the set. Labels are compared letter by letter, except that the parts
    /// of a multi-action `a|b` may come in any order, and that blanks between arguments do not count: `a(1,2)` is `a(1, 2)`.
    pub fn contains(&self, label: &str) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Action(own, _) => own == label || same_action(own, label),
            Self::Not(operand) => !operand.contains(label),
            Self::And(parts) => parts.iter().all(|part| part.contains(label)),
            Self::Or(parts) => parts.iter().any(|part| part.contains(label)),
        }
    }

    /// Calls `visit` for every label written in this formula, in order.
    pub fn for_each_label<'a>(&'a self, visit: &mut impl FnMut(&'a str, Span)) {
        match self {
            Self::True | Self::False => {}
            Self::Action(label, span) => visit(label, *span),
            Self::Not(operand) => operand.for_each_label(visit),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.for_each_label(visit)),
        }
    }
}

/// Whether a label has parts or arguments, so that it can be written in several ways.
pub fn has_structure(label: &str) -> bool {
    label.contains(['|', '('])
}

/// Whether two labels are the same up to the order of parts and blanks between arguments.
fn same_action(one: &str, other: &str) -> bool {
    has_structure(one) && has_structure(other) && parts(one) == parts(other)
}

/// The parts of a multi-action in order, without blanks outside of quotations. A bar inside brackets belongs to an argument.
fn parts(label: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut quoted) = (0_usize, false);
    for letter in label.chars() {
        match letter {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            '|' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if quoted || !letter.is_whitespace() {
            parts.last_mut().expect("there is one from the beginning").push(letter);
        }
    }
    parts.sort_unstable();
    parts
}

impl Regular {
    /// Calls `visit` for every label written in this formula, in order.
    pub fn for_each_label<'a>(&'a self, visit: &mut impl FnMut(&'a str, Span)) {
        match self {
            Self::Step(actions) => actions.for_each_label(visit),
            Self::Sequence(parts) | Self::Choice(parts) => {
                parts.iter().for_each(|part| part.for_each_label(visit));
            }
            Self::Star(body) | Self::Plus(body) => body.for_each_label(visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_formula_is_the_set_of_labels_it_contains() {
        let neither = ActionFormula::And(vec![
            ActionFormula::Not(Box::new(ActionFormula::action("a"))),
            ActionFormula::Not(Box::new(ActionFormula::action("b"))),
        ]);
        assert!(neither.contains("c") && !neither.contains("a") && !neither.contains("b"));
        assert!(ActionFormula::And(vec![]).contains("a") && !ActionFormula::Or(vec![]).contains("a"));
    }

    #[test]
    fn equality_does_not_look_at_positions() {
        assert_eq!(ActionFormula::Action("a".into(), Span::new(3, 4)), ActionFormula::action("a"));
        assert_ne!(ActionFormula::action("a"), ActionFormula::action("b"));
    }
}
