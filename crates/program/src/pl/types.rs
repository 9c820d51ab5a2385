//! The types of relations between valuations, and the rules of their operators \[Wei09, Table 4.1\].
//!
//! A valuation gives values to a set of variables; a relation of type `U -> V` relates valuations of U to valuations of V. The
//! rules say which relations an operator can be applied to. What has no type is told with the reason.

use std::collections::BTreeSet;
use std::fmt;

/// Names of variables.
pub type Names = BTreeSet<String>;

/// What kind of relation: between valuations of which variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelationType {
    /// The variables before.
    pub from: Names,
    /// The variables after.
    pub to: Names,
}

/// Why an operator cannot be applied, in one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllTyped(pub String);

/// A relation type, or why there is none.
pub type Typing = Result<RelationType, IllTyped>;

impl RelationType {
    /// `from -> to`
    pub fn new(from: Names, to: Names) -> Self {
        Self { from, to }
    }

    /// `decl(V)`: from nothing to any values.
    pub fn declare(names: Names) -> Self {
        Self::new(Names::new(), names)
    }

    /// `kill(V)`: forgets.
    pub fn kill(names: Names) -> Self {
        Self::new(names, Names::new())
    }

    /// `id(V)`
    pub fn identity(names: Names) -> Self {
        Self::new(names.clone(), names)
    }

    /// `assume(Q)`, where Q is a set of valuations of these variables.
    pub fn assume(names: Names) -> Self {
        Self::identity(names)
    }

    /// `r1 or r2`: both have the same type.
    pub fn or(&self, other: &Self) -> Typing {
        if self == other {
            return Ok(self.clone());
        }
        Err(IllTyped(format!("one branch is of type {self}, the other of type {other}")))
    }

    /// `r1 . r2`, one after the other.
    pub fn then(&self, other: &Self) -> Typing {
        if self.to == other.from {
            return Ok(Self::new(self.from.clone(), other.to.clone()));
        }
        let (before, after) = (shown(&self.to), shown(&other.from));
        Err(IllTyped(format!("{after} is expected before it, but {before} is in scope")))
    }

    /// `r1 x r2`: both start from the same variables, and lead to different ones.
    pub fn product(&self, other: &Self) -> Typing {
        if self.from != other.from {
            let (one, other) = (shown(&self.from), shown(&other.from));
            return Err(IllTyped(format!("one factor is about {one}, the other about {other}")));
        }
        let common: Names = self.to.intersection(&other.to).cloned().collect();
        if !common.is_empty() {
            return Err(IllTyped(format!("both factors give values to {}", shown(&common))));
        }
        Ok(Self::new(self.from.clone(), &self.to | &other.to))
    }

    /// `[W]r`: introduces variables that it does not depend on.
    #[must_use]
    pub fn introduce(&self, names: &Names) -> Self {
        Self::new(&self.from | names, self.to.clone())
    }

    /// `(W -> Z)r`: extends the scope; what is not touched keeps its value.
    pub fn extend(&self, from: &Names, to: &Names) -> Typing {
        let missing: Names = self.from.difference(from).cloned().collect();
        if !missing.is_empty() {
            return Err(IllTyped(format!("it needs {}, which is not in {}", shown(&missing), shown(from))));
        }
        let lost: Names = self.to.difference(to).cloned().collect();
        if !lost.is_empty() {
            return Err(IllTyped(format!(
                "it gives values to {}, which is not in {}",
                shown(&lost),
                shown(to)
            )));
        }
        let kept: Names = to.difference(&self.to).cloned().collect();
        let nowhere: Names = kept.difference(from).cloned().collect();
        if !nowhere.is_empty() {
            let message =
                format!("{} has no value: it is not in {}, and not assigned", shown(&nowhere), shown(from));
            return Err(IllTyped(message));
        }
        self.introduce(from).product(&Self::identity(kept).introduce(from))
    }
}

/// A set of names as it is written.
pub(super) fn shown(names: &Names) -> String {
    let list: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("{{{}}}", list.join(", "))
}

impl fmt::Display for RelationType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", shown(&self.from), shown(&self.to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Names {
        list.split_whitespace().map(str::to_owned).collect()
    }

    fn relation(from: &str, to: &str) -> RelationType {
        RelationType::new(names(from), names(to))
    }

    #[test]
    fn every_operator_refuses_what_has_no_type() {
        let (x_from_y, y_from_x) = (relation("y", "x"), relation("x", "y"));
        assert!(x_from_y.or(&y_from_x).is_err());
        assert!(x_from_y.then(&relation("y", "z")).is_err());
        assert!(x_from_y.product(&y_from_x).is_err(), "(x' = y) x (y' = x)");
        assert!(relation("", "x").product(&relation("", "x")).is_err(), "two values for one variable");
        let increment = relation("x", "x");
        assert!(increment.extend(&names("x y"), &names("x z")).is_err(), "z is not available");
        assert!(increment.extend(&names("y"), &names("x")).is_err(), "x is not there before");
        assert!(increment.extend(&names("x y"), &names("y")).is_err(), "x is not there after");
    }

    #[test]
    fn what_has_a_type_gets_it() {
        let both = names("x y");
        let swap = relation("y", "x").introduce(&both).product(&relation("x", "y").introduce(&both));
        assert_eq!(swap, Ok(RelationType::identity(both.clone())));
        assert_eq!(relation("x", "x").extend(&both, &both), Ok(RelationType::identity(both.clone())));
        assert_eq!(relation("x", "x").extend(&both, &names("x")), Ok(relation("x y", "x")));
        assert_eq!(RelationType::declare(both.clone()).then(&RelationType::kill(both)), Ok(relation("", "")));
        assert_eq!(relation("x", "y").or(&relation("x", "y")), Ok(relation("x", "y")));
        assert_eq!(RelationType::assume(names("x")), relation("x", "x"));
    }
}
