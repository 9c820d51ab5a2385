//! The combinations of values of some propositions, as far as a system tells them apart.
//!
//! With a combination in its place, the placeholder is at each state the conjunction of the propositions, some negated.
//! Combinations for which this has the same value at every reachable state are one *class*: the formula has the same
//! value with each of them. A state with definite labels tells one combination apart from all others; one with open
//! labels tells those that it may have from those that it cannot have. All combinations that no reachable state can
//! have are one class, in which the placeholder is false everywhere. So there are about as many classes as different
//! labellings, not as many as combinations.

use rustc_hash::FxHashMap;
use tertium_check::Word;
use tertium_dd::{Bdd, Manager, Var};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{PartialSystem, PropId, StateId};
use tertium_truth::Belnap;

/// The labels of a state, as far as the placeholder is about them.
pub(super) type Labelling = Vec<Belnap>;

/// A class: all its combinations, and one of them.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) members: Bdd,
    example: Vec<bool>,
}

/// The classes of combinations.
#[derive(Debug)]
pub(super) struct Combinations {
    pub(super) classes: Vec<Class>,
    pub(super) table: Table,
}

/// What the states say of each class.
#[derive(Debug)]
pub(super) struct Table {
    /// For each state its labelling; `None` for states that cannot be reached.
    labelling_of: Vec<Option<u32>>,
    /// For each labelling, in words of 64 classes: those that it is, and those that it may be.
    words: Vec<Vec<Word>>,
}

impl Combinations {
    /// The classes that have combinations in `allowed`, which is a function of the variables; each proposition has one.
    pub(super) fn new(
        context: &Context,
        system: &PartialSystem,
        propositions: &[(PropId, Var)],
        allowed: &Bdd,
    ) -> Result<Self, StopReason> {
        let (labellings, labelling_of) = labellings(context, system, propositions)?;
        let vars: Vec<Var> = propositions.iter().map(|&(_, var)| var).collect();
        let manager = allowed.manager();
        let mut points: Vec<Bdd> = Vec::new();
        let mut classes: Vec<Class> = Vec::new();
        let is_definite =
            |labels: &Labelling| labels.iter().all(|label| matches!(label, Belnap::True | Belnap::False));
        // The class of each definite labelling that is allowed.
        let mut own: Vec<Option<usize>> = vec![None; labellings.len()];
        for (at, labels) in labellings.iter().enumerate().filter(|(_, labels)| is_definite(labels)) {
            context.poll()?;
            let example: Vec<bool> = labels.iter().map(|label| *label == Belnap::True).collect();
            let point = Bdd::cube(manager, vars.iter().copied().zip(example.iter().copied()))?;
            points.push(point.clone());
            if point.is_subset(allowed)? {
                own[at] = Some(classes.len());
                classes.push(Class { members: point, example });
            }
        }
        let mut regions = vec![allowed.diff(&union(manager, points)?)?];
        for labels in labellings.iter().filter(|labels| !is_definite(labels)) {
            for cube in [
                cube(manager, &vars, labels, Belnap::may, Belnap::must)?,
                cube(manager, &vars, labels, Belnap::must, Belnap::may)?,
            ] {
                context.poll()?;
                regions = divided(regions, &cube)?;
            }
        }
        for members in regions {
            if let Some(example) = members.pick(&vars) {
                classes.push(Class { members, example });
            }
        }
        let n_words = classes.len().div_ceil(64);
        let mut words = Vec::with_capacity(labellings.len());
        for (at, labels) in labellings.iter().enumerate() {
            context.poll()?;
            let mut row = Vec::new();
            // A definite labelling is its own class only, which its number tells.
            if !is_definite(labels) {
                row = vec![Word::default(); n_words];
                for (number, class) in classes.iter().enumerate() {
                    let (must, may) = value(labels, &class.example);
                    row[number / 64].must |= u64::from(must) << (number % 64);
                    row[number / 64].may |= u64::from(may) << (number % 64);
                }
            } else if let Some(class) = own[at] {
                let bit = 1 << (class % 64);
                row = vec![Word::default(); class / 64 + 1];
                row[class / 64] = Word { must: bit, may: bit };
            }
            words.push(row);
        }
        debug_assert!(
            words.iter().all(|row: &Vec<Word>| row.len() <= n_words),
            "a labelling speaks of classes only"
        );
        Ok(Self { classes, table: Table { labelling_of, words } })
    }
}

impl Table {
    /// What the placeholder is at a state with the combinations of 64 classes.
    pub(super) fn word(&self, state: StateId, number: usize) -> Word {
        let labelling = self.labelling_of[state.index()];
        let row = labelling.map(|labelling| &self.words[labelling as usize]);
        row.and_then(|row| row.get(number)).copied().unwrap_or_default()
    }
}

/// The different labellings of reachable states, and which each state has.
pub(super) fn labellings(
    context: &Context,
    system: &PartialSystem,
    propositions: &[(PropId, Var)],
) -> Result<(Vec<Labelling>, Vec<Option<u32>>), StopReason> {
    let mut ticker = context.ticker("labels");
    let mut known: FxHashMap<Labelling, u32> = FxHashMap::default();
    let mut found: Vec<Labelling> = Vec::new();
    let mut labelling_of = vec![None; system.n_states()];
    for state in system.reachable().iter() {
        ticker.tick(propositions.len() + 1)?;
        let labels: Labelling =
            propositions.iter().map(|&(prop, _)| system.labels().get(prop, state)).collect();
        let number = *known.entry(labels).or_insert_with_key(|labels| {
            found.push(labels.clone());
            found.len() as u32 - 1
        });
        labelling_of[state.index()] = Some(number);
    }
    debug_assert_eq!(found.len(), known.len(), "labellings are listed once");
    Ok((found, labelling_of))
}

/// Whether the conjunction that stands for a combination must hold, and may hold, where these are the labels.
fn value(labels: &Labelling, combination: &[bool]) -> (bool, bool) {
    debug_assert_eq!(labels.len(), combination.len(), "every proposition has a label and a wanted value");
    let both = labels.iter().zip(combination);
    let must = both.clone().all(|(label, &wanted)| if wanted { label.must() } else { !label.may() });
    let may = both.clone().all(|(label, &wanted)| if wanted { label.may() } else { !label.must() });
    (must, may)
}

/// The combinations whose conjunction may hold at these labels, or with the two sides swapped must hold.
fn cube(
    manager: &Manager,
    vars: &[Var],
    labels: &Labelling,
    positive: fn(Belnap) -> bool,
    negative: fn(Belnap) -> bool,
) -> Result<Bdd, StopReason> {
    let mut literals = Vec::new();
    for (&var, &label) in vars.iter().zip(labels) {
        match (positive(label), !negative(label)) {
            (true, true) => {}
            (true, false) => literals.push((var, true)),
            (false, true) => literals.push((var, false)),
            (false, false) => return Ok(manager.constant(false)),
        }
    }
    Bdd::cube(manager, literals)
}

/// The parts of the regions inside and outside of a set.
fn divided(regions: Vec<Bdd>, set: &Bdd) -> Result<Vec<Bdd>, StopReason> {
    let mut parts = Vec::with_capacity(regions.len() + 1);
    for region in regions {
        let inside = region.and(set)?;
        let outside = region.diff(set)?;
        parts.extend([inside, outside].into_iter().filter(|part| !part.is_false()));
    }
    Ok(parts)
}

/// The union of many sets, in pairs, so that intermediate results stay small.
pub(super) fn union(manager: &Manager, mut sets: Vec<Bdd>) -> Result<Bdd, StopReason> {
    while sets.len() > 1 {
        let pairs = sets.chunks(2).map(|pair| match pair {
            [one, other] => one.or(other),
            _ => Ok(pair[0].clone()),
        });
        sets = pairs.collect::<Result<_, StopReason>>()?;
    }
    Ok(sets.pop().unwrap_or_else(|| manager.constant(false)))
}
