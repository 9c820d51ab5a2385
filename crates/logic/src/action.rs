//! Action formulas and regular formulas over them: what stands between `<` and `>` or `[` and `]`.

use tertium_support::Span;

/// A set of actions, described by names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
