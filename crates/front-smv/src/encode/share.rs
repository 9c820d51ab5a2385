//! Which specifications are checked on which part of a model.
//!
//! Every specification has its cone of influence. Specifications with the same cone share it; beyond that, cones are
//! joined as long as all of them together are dearer than the whole model once. What a part costs is guessed as the third
//! power of its number of bits: reachable states are searched again for each part, but small diagrams are much cheaper than
//! large ones. Of all pairs, the one is joined that saves most, so a cone goes into one that holds it, and cones without
//! much in common stay apart. A union of cones is closed under what its variables need, hence as good as each of them.
//!
//! Cost: cubic in the number of different cones. If there are very many, the largest, which are nearest to the whole model,
//! are joined first.

use super::cone::Influence;
use super::layout::width_of;
use crate::{FlatModel, Specification, VarId};
use indexmap::IndexMap;
use std::collections::BTreeSet;
use tertium_support::Id;

/// A part of a model, and what is to be checked on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCone {
    /// The variables; `None` for all of them.
    pub keep: Option<BTreeSet<VarId>>,
    /// The specifications, by their place in the list that was given, in its order.
    pub specifications: Vec<usize>,
}

/// Beyond this many different cones that are too dear together, the largest are joined at once.
const MOST: usize = 64;

/// Divides specifications among parts of the model.
pub fn share_cones(model: &FlatModel, specifications: &[&Specification]) -> Vec<SharedCone> {
    let influence = Influence::new(model);
    let mut cones: IndexMap<BTreeSet<VarId>, Vec<usize>> = IndexMap::new();
    for (at, specification) in specifications.iter().enumerate() {
        cones.entry(influence.cone(specification)).or_default().push(at);
    }
    let widths: Vec<usize> = model.variables.iter().map(|variable| width_of(&variable.ty)).collect();
    let mut parts: Vec<Part> =
        cones.into_iter().map(|(keep, members)| Part::new(&widths, keep, members)).collect();
    let whole = cost(widths.iter().sum());
    join_largest(&mut parts, whole);
    join_equal(&mut parts, whole);
    let shared = |part: Part| SharedCone {
        keep: (part.keep.len() < model.variables.len()).then_some(part.keep),
        specifications: part.members,
    };
    parts.into_iter().map(shared).collect()
}

/// What a part of this many bits costs.
fn cost(n_bits: usize) -> i128 {
    (n_bits as i128).pow(3)
}

/// A union of cones.
struct Part {
    keep: BTreeSet<VarId>,
    /// One place for each bit of each variable of the model.
    bits: Vec<u64>,
    n_bits: usize,
    /// The specifications, sorted.
    members: Vec<usize>,
}

impl Part {
    fn new(widths: &[usize], keep: BTreeSet<VarId>, members: Vec<usize>) -> Self {
        let mut bits = vec![0; widths.iter().sum::<usize>().div_ceil(64)];
        let mut n_bits = 0;
        let mut first = 0;
        for (id, width) in VarId::first(widths.len()).zip(widths) {
            if keep.contains(&id) {
                (first..first + width).for_each(|bit| bits[bit / 64] |= 1u64 << (bit % 64));
                n_bits += width;
            }
            first += width;
        }
        Self { keep, bits, n_bits, members }
    }

    fn cost(&self) -> i128 {
        cost(self.n_bits)
    }

    /// How much dearer both are as one.
    fn dearer_with(&self, other: &Self) -> i128 {
        let both = self.bits.iter().zip(&other.bits).map(|(x, y)| (x | y).count_ones() as usize).sum();
        cost(both) - self.cost() - other.cost()
    }

    fn join(&mut self, other: Self) {
        self.bits.iter_mut().zip(&other.bits).for_each(|(x, y)| *x |= y);
        self.n_bits = self.bits.iter().map(|word| word.count_ones() as usize).sum();
        self.keep.extend(other.keep);
        self.members.extend(other.members);
        self.members.sort_unstable();
    }
}

/// Joins the largest parts while there are too many and all together are too dear.
fn join_largest(parts: &mut Vec<Part>, whole: i128) {
    let mut total: i128 = parts.iter().map(Part::cost).sum();
    if parts.len() <= MOST || total <= whole {
        return;
    }
    parts.sort_by_key(Part::cost);
    let Some(mut large) = parts.pop() else { return };
    while parts.len() >= MOST && total > whole {
        let Some(next) = parts.pop() else { break };
        total -= large.cost() + next.cost();
        large.join(next);
        total += large.cost();
    }
    parts.push(large);
    parts.sort_by_key(|part| part.members.first().copied());
}

/// Joins the pair that saves most, again and again, as long as all together are too dear.
fn join_equal(parts: &mut Vec<Part>, whole: i128) {
    let mut total: i128 = parts.iter().map(Part::cost).sum();
    if total <= whole {
        return;
    }
    // By part, with each part before it: how much dearer they are as one.
    let mut dearer: Vec<Vec<i128>> = Vec::new();
    for (right, part) in parts.iter().enumerate() {
        dearer.push(parts[..right].iter().map(|left| left.dearer_with(part)).collect());
    }
    while total > whole {
        let pairs = (1..parts.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        let Some((left, right)) = pairs.min_by_key(|&(left, right)| dearer[right][left]) else { break };
        total += dearer[right][left];
        let part = parts.remove(right);
        parts[left].join(part);
        dearer.remove(right);
        for row in &mut dearer[right..] {
            row.remove(right);
        }
        for other in (0..parts.len()).filter(|&other| other != left) {
            dearer[other.max(left)][other.min(left)] = parts[left].dearer_with(&parts[other]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use tertium_support::Source;

    fn parts(text: &str) -> (FlatModel, Vec<SharedCone>) {
        let (model, _) = read(Source::new("m.smv", text)).expect("the model is right");
        let specifications: Vec<&Specification> = model.specifications.iter().collect();
        let parts = share_cones(&model, &specifications);
        (model, parts)
    }

    fn names(model: &FlatModel, part: &SharedCone) -> Vec<String> {
        let keep = part.keep.iter().flatten();
        keep.map(|id| model.variables[id.index()].name.clone()).collect()
    }

    #[test]
    fn specifications_about_separate_parts_stay_apart() {
        let (model, parts) = parts(
            "MODULE main\nVAR a : boolean; b : boolean; c : 0..3;\nASSIGN next(a) := !a; next(b) := !b;\n\
             SPEC AG a\nSPEC AG b\nSPEC EF a\n",
        );
        assert_eq!(parts.len(), 2);
        assert_eq!((names(&model, &parts[0]), &parts[0].specifications), (vec!["a".to_owned()], &vec![0, 2]));
        assert_eq!((names(&model, &parts[1]), &parts[1].specifications), (vec!["b".to_owned()], &vec![1]));
    }

    #[test]
    fn cones_that_are_nearly_everything_become_the_whole_model() {
        let (_, parts) = parts(
            "MODULE main\nVAR a : 0..255; b : boolean; c : boolean;\n\
             ASSIGN next(b) := a > 3; next(c) := a > 4;\nSPEC AG b\nSPEC AG c\n",
        );
        assert_eq!(parts, [SharedCone { keep: None, specifications: vec![0, 1] }]);
    }

    #[test]
    fn very_many_cones_are_shared_and_each_specification_is_in_one_part_that_has_its_variables() {
        let n = 1000;
        let mut text = String::from("MODULE main\nVAR\n");
        (0..n).for_each(|k| text.push_str(&format!("x{k} : boolean;\n")));
        text.push_str("ASSIGN\n");
        (1..n).for_each(|k| text.push_str(&format!("next(x{k}) := x{};\n", k - 1)));
        (0..n).for_each(|k| text.push_str(&format!("SPEC AG x{k}\n")));
        let (model, parts) = parts(&text);
        let total: usize = parts.iter().map(|part| part.specifications.len()).sum();
        assert_eq!(total, n);
        for part in &parts {
            let n_kept = part.keep.as_ref().map_or(n, BTreeSet::len);
            assert!(part.specifications.iter().all(|&specification| specification < n_kept));
        }
        assert_eq!(model.variables.len(), n);
    }

    #[test]
    fn without_specifications_there_is_no_part() {
        assert_eq!(parts("MODULE main\nVAR a : boolean;\n").1, []);
    }
}
