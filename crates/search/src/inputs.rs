//! How values from outside are dealt with.
//!
//! Few values are tried one by one, each as a transition of its own. Infinitely many cannot be: then one value is
//! chosen for each combination of predicates that the step can lead to \[PPV07\], see `choose`. Which way takes less is
//! a matter of how many values and how many predicates there are.

use crate::Precision;
use tertium_expr::{BigInt, Terms, Value};
use tertium_program::{Domain, Input, Step};

/// Which way inputs go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Inputs {
    /// One by one if there are no more values than combinations of the predicates that depend on them, or few at all; else by choice.
    #[default]
    Auto,
    /// One by one.
    Enumerate,
    /// By choice.
    Solve,
}

/// How inputs are dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct InputSettings {
    /// Which way.
    pub how: Inputs,
    /// The integers that are tried one by one where there are infinitely or too many. Then errors can be found, and nothing can be proved.
    pub within: Option<(i64, i64)>,
}

impl InputSettings {
    /// What users write: `auto`, `each`, `chosen`, or a range such as `-8..8`.
    ///
    /// # Errors
    ///
    /// Any other text, and an empty range.
    pub fn parse(text: &str) -> Result<Self, String> {
        let how = |how| Ok(Self { how, within: None });
        match text {
            "auto" => return how(Inputs::Auto),
            "each" => return how(Inputs::Enumerate),
            "chosen" => return how(Inputs::Solve),
            _ => {}
        }
        let wrong = || "it is neither `auto`, `each`, `chosen` nor a range such as -8..8".to_owned();
        let (low, high) = text.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
        let (low, high) = (number(low)?, number(high)?);
        if low > high {
            return Err(format!("there is nothing in {low}..{high}"));
        }
        Ok(Self { how: Inputs::Enumerate, within: Some((low, high)) })
    }
}

/// How many values the inputs of one step may have together to be tried one by one.
const MOST: usize = 1 << 16;
/// So many are always tried one by one, unless choice is asked for.
const FEW: usize = 8;

/// What becomes of the inputs of a step.
pub(crate) enum Treatment {
    /// These are tried; all there are, or only some.
    Tried(Vec<Vec<Value>>, Completeness),
    /// They are chosen at each state.
    Chosen,
}

/// Whether all values are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completeness {
    All,
    Some,
}

impl InputSettings {
    /// What becomes of the inputs of a step where states are matched by these predicates. Nothing if they should be
    /// tried one by one, and are too many.
    pub(crate) fn treat(self, terms: &Terms, step: &Step, precision: &Precision) -> Option<Treatment> {
        if step.inputs.is_empty() {
            return Some(Treatment::Tried(vec![Vec::new()], Completeness::All));
        }
        match self.how {
            Inputs::Solve => Some(Treatment::Chosen),
            Inputs::Enumerate => self.enumerate(step),
            Inputs::Auto => {
                let all = match step.all_inputs() {
                    Some(all) if all.len() <= FEW || all.len() <= combinations(terms, step, precision) => all,
                    _ => return Some(Treatment::Chosen),
                };
                Some(Treatment::Tried(all, Completeness::All))
            }
        }
    }

    fn enumerate(self, step: &Step) -> Option<Treatment> {
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        let mut complete = Completeness::All;
        for Input { domain, .. } in &step.inputs {
            let most = MOST / all.len().max(1);
            let values = match (domain.values(most), self.within) {
                (Some(values), _) => values,
                (None, None) => return None,
                (None, Some((low, high))) => {
                    complete = Completeness::Some;
                    let values =
                        Domain::Range(BigInt::from(low), BigInt::from(high.max(low))).values(most)?;
                    values.into_iter().filter(|value| domain.has(value)).collect()
                }
            };
            let longer = |before: &Vec<Value>| {
                let before = before.clone();
                values
                    .iter()
                    .map(move |value| [before.clone(), vec![value.clone()]].concat())
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        debug_assert!(all.len() <= MOST, "no more values are tried than may be");
        debug_assert!(all.iter().all(|values| values.len() == step.inputs.len()), "every input has a value");
        Some(Treatment::Tried(all, complete))
    }
}

/// How many combinations the predicates can have that depend on the inputs of a step.
fn combinations(terms: &Terms, step: &Step, precision: &Precision) -> usize {
    let mut after = step.substitution();
    let is_input = |variable| step.inputs.iter().any(|input| input.variable == variable);
    let depends = |predicate: &&crate::Predicate| {
        terms.variables_of(after.apply(terms, predicate.term)).into_iter().any(is_input)
    };
    let n = precision.iter().filter(depends).count();
    u32::try_from(n).ok().and_then(|n| 1usize.checked_shl(n)).unwrap_or(usize::MAX)
}
