//! Random abstract domains, and random partial systems over them.
//!
//! A valid domain is made from a random preorder on the concrete states: the concrete states at or above c form the
//! least set m(c) that can be told from outside, and α(c) stands for it. Every further state stands for a union of such
//! sets, so that best abstractions exist; sets are drawn without repetition. With an equivalence as preorder this is a
//! partition into blocks and unions of blocks.

use crate::system::letter;
use tertium_support::{Id, IdSet, Rng};
use tertium_system::{ConcreteId, Domain, Modality, PartialSystem, StateId, SystemBuilder, UNLABELLED};
use tertium_truth::Belnap;

/// What random systems over domains look like. Shares are probabilities.
#[derive(Clone, Copy, Debug)]
pub struct DomainShape {
    /// Number of concrete states, at least 1; they are called by their numbers.
    pub concrete: usize,
    /// How many unions are drawn as further, vaguer states; those that repeat a set are dropped.
    pub vague: usize,
    /// Share of systems with a state that stands for nothing.
    pub nothing: f64,
    /// Number of actions, at least 1; a single one has no name.
    pub actions: usize,
    /// Number of propositions; they are called `p`, `q`, …
    pub propositions: usize,
    /// Share of pairs of states, per action, with a may.
    pub may: f64,
    /// Share of pairs of states, per action, with a must.
    pub must: f64,
    /// Share of states, per action, with a hyper-must.
    pub hyper: f64,
    /// Share of hyper-musts into nothing.
    pub empty_targets: f64,
    /// Share of labels that are given where they fit.
    pub labelled: f64,
}

impl DomainShape {
    /// May and must are independent.
    pub fn mixed(concrete: usize) -> Self {
        Self {
            concrete,
            vague: 2,
            nothing: 0.2,
            actions: 1,
            propositions: 0,
            may: 0.45,
            must: 0.12,
            hyper: 0.0,
            empty_targets: 0.0,
            labelled: 0.5,
        }
    }

    /// Hyper-musts as well.
    pub fn gkmts(concrete: usize) -> Self {
        Self { hyper: 0.3, empty_targets: 0.05, ..Self::mixed(concrete) }
    }
}

/// A random system over a random valid domain, with labels that fit it. State 0 is initial.
pub fn random_domain_system(rng: &mut Rng, shape: DomainShape) -> PartialSystem {
    draw(rng, shape, None)
}

/// The same, but with a concrete refinement: musts that a random concrete system breaks are left out, and mays that
/// it needs are added.
pub fn random_consistent_system(rng: &mut Rng, shape: DomainShape) -> PartialSystem {
    let n = shape.concrete;
    let share = 0.2 + 0.5 * (rng.below(100) as f64 / 100.0);
    let steps: Vec<_> = (0..n * shape.actions).map(|_| IdSet::filter(n, |_| rng.chance(share))).collect();
    draw(rng, shape, Some(&steps))
}

/// The sets that states stand for: one for each α(c), then vaguer ones, perhaps the empty one.
fn random_meanings(rng: &mut Rng, shape: DomainShape) -> Vec<IdSet<ConcreteId>> {
    let n = shape.concrete;
    let symmetric = rng.chance(0.4);
    // Few enough pairs that the closure below does not make all concrete states alike.
    let share = 0.6 / n as f64;
    let mut best: Vec<IdSet<ConcreteId>> = ConcreteId::first(n).map(|c| IdSet::of(n, [c])).collect();
    for c in ConcreteId::first(n) {
        for d in ConcreteId::first(n).filter(|_| rng.chance(share)) {
            best[c.index()].insert(d);
            if symmetric {
                best[d.index()].insert(c);
            }
        }
    }
    // Warshall's closure makes it a preorder.
    for middle in ConcreteId::first(n) {
        let above = best[middle.index()].clone();
        best.iter_mut().filter(|set| set.contains(middle)).for_each(|set| set.union_with(&above));
    }
    let mut meanings: Vec<IdSet<ConcreteId>> = Vec::new();
    let mut add = |set: IdSet<ConcreteId>| {
        if !meanings.contains(&set) {
            meanings.push(set);
        }
    };
    best.iter().cloned().for_each(&mut add);
    for _ in 0..shape.vague {
        let mut union = rng.pick(&best).clone();
        for _ in 0..rng.between(1, 2) {
            union.union_with(rng.pick(&best));
        }
        add(union);
    }
    if rng.chance(shape.nothing) {
        add(IdSet::empty(n));
    }
    rng.shuffle(&mut meanings);
    meanings
}

fn draw(rng: &mut Rng, shape: DomainShape, steps: Option<&[IdSet<ConcreteId>]>) -> PartialSystem {
    let meanings = random_meanings(rng, shape);
    let mut builder = SystemBuilder::named();
    for c in 0..shape.concrete {
        builder.concrete(&c.to_string());
    }
    let states: Vec<StateId> = (0..meanings.len()).map(|index| builder.state(&format!("s{index}"))).collect();
    for (&state, meaning) in states.iter().zip(&meanings) {
        meaning.iter().for_each(|c| builder.concretise(state, c));
    }
    builder.initial(states[0]);
    let domain = Domain::new((0..shape.concrete).map(|c| c.to_string()).collect(), meanings);
    for index in 0..shape.actions {
        let name = if shape.actions == 1 { UNLABELLED.to_owned() } else { letter('a', index) };
        let action = builder.action(&name);
        let row = |c: ConcreteId| steps.map(|steps| &steps[c.index() * shape.actions + index]);
        for &source in &states {
            // A must is kept if every concrete source meets it.
            let kept = |targets: &[StateId]| {
                let demanded = domain.gamma_of(targets.iter().copied());
                let meets = |c| row(c).is_none_or(|steps| !steps.is_disjoint(&demanded));
                domain.gamma(source).iter().all(meets)
            };
            for &target in &states {
                if rng.chance(shape.may) {
                    builder.edge(source, action, target, Modality::May);
                }
                if rng.chance(shape.must) && kept(&[target]) {
                    builder.edge(source, action, target, Modality::Must);
                }
            }
            if rng.chance(shape.hyper) {
                let size = if rng.chance(shape.empty_targets) { 0 } else { rng.between(2, 3) };
                let targets: Vec<StateId> = (0..size).map(|_| *rng.pick(&states)).collect();
                if kept(&targets) {
                    builder.hyper_must(source, action, targets);
                }
            }
            let needed = domain.gamma(source).iter().filter_map(row).flat_map(|steps| steps.iter());
            for target in needed {
                let around: Vec<StateId> = domain.abstractions(target).collect();
                builder.edge(source, action, *rng.pick(&around), Modality::May);
            }
        }
    }
    for index in 0..shape.propositions {
        draw_labels(rng, shape, &domain, &mut builder, &letter('p', index));
    }
    builder.build()
}

/// Labels that some valuation of the concrete states satisfies, passed on to all more precise states.
fn draw_labels(rng: &mut Rng, shape: DomainShape, domain: &Domain, builder: &mut SystemBuilder, name: &str) {
    let proposition = builder.proposition(name, Belnap::Unknown);
    let holds: IdSet<ConcreteId> = IdSet::filter(shape.concrete, |_| rng.chance(0.5));
    let fits = |s: StateId| match domain.gamma(s) {
        meaning if meaning.is_empty() => Belnap::Inconsistent,
        meaning if meaning.is_subset(&holds) => Belnap::True,
        meaning if meaning.is_disjoint(&holds) => Belnap::False,
        _ => Belnap::Unknown,
    };
    let states = StateId::first(domain.n_states());
    let given: Vec<Belnap> =
        states.clone().map(|s| if rng.chance(shape.labelled) { fits(s) } else { Belnap::Unknown }).collect();
    for state in states.clone() {
        let inherited = states.clone().filter(|&vague| domain.precision_le(vague, state));
        let value = inherited.map(|vague| given[vague.index()]).fold(Belnap::Unknown, Belnap::join);
        builder.label(state, proposition, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_system::partial::{domain_flaws, is_consistent};

    #[test]
    fn random_domains_are_valid_and_their_labels_fit() {
        for seed in 0..500 {
            let mut rng = Rng::seeded(seed);
            let concrete = rng.between(1, 5);
            let shape = DomainShape { propositions: 2, actions: 2, ..DomainShape::gkmts(concrete) };
            let system = random_domain_system(&mut rng, shape);
            assert_eq!(domain_flaws(&system), [], "seed {seed}");
            let system = random_consistent_system(&mut rng, shape);
            assert_eq!(domain_flaws(&system), [], "seed {seed}");
            assert_eq!(is_consistent(&system), Ok(true), "seed {seed}");
        }
    }
}
