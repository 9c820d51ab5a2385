//! Which specifications are checked on which part of a model.
//!
//! Every specification has its cone of influence. Specifications with the same cone share it; beyond that, cones are
//! joined as long as all of them together are dearer than the whole model once. What a part costs is guessed as the third
//! power of its number of bits: reachable states are searched again for each part, but small diagrams are much cheaper than
//! large ones. Of all pairs, the one is joined that saves most, so a cone goes into one that holds it, and cones without
//! much in common stay apart. A union of cones is closed under what its variables need, hence as good as each of them.
//!
//! Cost: linear in the size of the model and of all cones together, which is bounded: where there is too much to look at, the whole
//! model is the only part. Joining the pair that saves most is cubic in the number of cones. If there are very many, the largest,
//! which are nearest to the whole model, are joined first.

use super::cone::Influence;
use super::layout::width_of;
use crate::{FlatModel, Outline, Specification, VarId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
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

/// All cones together have at most so many variables for each variable and each specification.
const BREADTH: usize = 256;

/// Divides specifications among parts of the model.
pub fn share_cones(
    model: &FlatModel,
    outline: &Outline,
    specifications: &[&Specification],
) -> Vec<SharedCone> {
    let Some(cones) = different_cones(outline.influence(model), specifications) else {
        return vec![SharedCone { keep: None, specifications: (0..specifications.len()).collect() }];
    };
    let widths: Vec<usize> = model.variables.iter().map(|variable| width_of(&variable.ty)).collect();
    let mut parts: Vec<Part> =
        cones.into_iter().map(|(keep, members)| Part::new(&widths, keep, members)).collect();
    let whole = cost(widths.iter().sum());
    join_largest(&mut parts, &widths, whole);
    join_alike(&mut parts, &widths, whole);
    let shared = |part: Part| SharedCone {
        keep: (part.keep.len() < model.variables.len()).then(|| part.keep.into_iter().collect()),
        specifications: part.members,
    };
    parts.into_iter().map(shared).collect()
}

/// A sorted set of variables.
type Cone = Vec<VarId>;

/// The cones with the specifications that have them, in the order of the first of each; nothing if there is too much to look at.
fn different_cones(
    influence: &Influence,
    specifications: &[&Specification],
) -> Option<IndexMap<Cone, Vec<usize>>> {
    let mut walk = influence.walk();
    let mut cones: IndexMap<Cone, Vec<usize>> = IndexMap::new();
    // By what is read: the place of the cone.
    let mut known: FxHashMap<_, usize> = FxHashMap::default();
    let mut left = BREADTH * (influence.n_variables() + specifications.len());
    for (at, specification) in specifications.iter().enumerate() {
        let roots = influence.roots(specification);
        if let Some(&place) = known.get(&roots) {
            cones[place].push(at);
            continue;
        }
        let cone = walk.close(roots.clone());
        left = left.checked_sub(cone.len())?;
        let entry = cones.entry(cone);
        known.insert(roots, entry.index());
        entry.or_default().push(at);
    }
    Some(cones)
}

/// What a part of this many bits costs.
fn cost(n_bits: usize) -> i128 {
    (n_bits as i128).pow(3)
}

/// A union of cones.
struct Part {
    keep: Cone,
    n_bits: usize,
    /// The specifications, sorted.
    members: Vec<usize>,
}

impl Part {
    fn new(widths: &[usize], keep: Cone, members: Vec<usize>) -> Self {
        let n_bits = keep.iter().map(|id| widths[id.index()]).sum();
        Self { keep, n_bits, members }
    }

    fn cost(&self) -> i128 {
        cost(self.n_bits)
    }

    /// The union of several parts.
    fn union(widths: &[usize], parts: impl Iterator<Item = Self>) -> Self {
        let (mut keep, mut members) = (Vec::new(), Vec::new());
        for part in parts {
            keep.extend(part.keep);
            members.extend(part.members);
        }
        keep.sort_unstable();
        keep.dedup();
        members.sort_unstable();
        Self::new(widths, keep, members)
    }
}

/// Joins the largest parts while there are too many and all together are too dear.
fn join_largest(parts: &mut Vec<Part>, widths: &[usize], whole: i128) {
    let mut total: i128 = parts.iter().map(Part::cost).sum();
    if parts.len() <= MOST || total <= whole {
        return;
    }
    parts.sort_by_key(Part::cost);
    let mut kept = vec![false; widths.len()];
    let mut n_bits = 0;
    let mut n_small = parts.len();
    while n_small == parts.len() || (n_small >= MOST && total > whole) {
        n_small -= 1;
        let next = &parts[n_small];
        total -= cost(n_bits) + next.cost();
        for id in &next.keep {
            if !std::mem::replace(&mut kept[id.index()], true) {
                n_bits += widths[id.index()];
            }
        }
        total += cost(n_bits);
    }
    let large = Part::union(widths, parts.drain(n_small..));
    debug_assert_eq!(large.n_bits, n_bits, "the union was counted while it grew");
    parts.push(large);
    parts.sort_by_key(|part| part.members.first().copied());
}

/// Joins the pair that saves most, again and again, as long as all together are too dear.
fn join_alike(parts: &mut Vec<Part>, widths: &[usize], whole: i128) {
    let mut total: i128 = parts.iter().map(Part::cost).sum();
    if total <= whole {
        return;
    }
    let mut bits: Vec<Bits> = parts.iter().map(|part| Bits::new(widths, &part.keep)).collect();
    // By part, with each part before it: how much dearer they are as one.
    let mut dearer: Vec<Vec<i128>> = Vec::new();
    for (right, part) in bits.iter().enumerate() {
        dearer.push(bits[..right].iter().map(|left| left.dearer_with(part)).collect());
    }
    while total > whole {
        let pairs = (1..parts.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        let Some((left, right)) = pairs.min_by_key(|&(left, right)| dearer[right][left]) else { break };
        total += dearer[right][left];
        let joined = [parts.remove(right), parts.remove(left)];
        parts.insert(left, Part::union(widths, joined.into_iter()));
        let joined = bits.remove(right);
        bits[left].join(&joined);
        dearer.remove(right);
        for row in &mut dearer[right..] {
            row.remove(right);
        }
        for other in (0..parts.len()).filter(|&other| other != left) {
            dearer[other.max(left)][other.min(left)] = bits[left].dearer_with(&bits[other]);
        }
    }
}

/// The bits of a part: one place for each bit of each variable of the model.
struct Bits {
    words: Vec<u64>,
    n_bits: usize,
}

impl Bits {
    fn new(widths: &[usize], keep: &[VarId]) -> Self {
        let mut words = vec![0; widths.iter().sum::<usize>().div_ceil(64)];
        let mut kept = keep.iter().peekable();
        let mut n_bits = 0;
        let mut first = 0;
        for (id, width) in VarId::first(widths.len()).zip(widths) {
            if kept.next_if(|next| **next == id).is_some() {
                (first..first + width).for_each(|bit| words[bit / 64] |= 1u64 << (bit % 64));
                n_bits += width;
            }
            first += width;
        }
        Self { words, n_bits }
    }

    /// How much dearer both are as one.
    fn dearer_with(&self, other: &Self) -> i128 {
        let both = self.words.iter().zip(&other.words).map(|(x, y)| (x | y).count_ones() as usize).sum();
        cost(both) - cost(self.n_bits) - cost(other.n_bits)
    }

    fn join(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(x, y)| *x |= y);
        self.n_bits = self.words.iter().map(|word| word.count_ones() as usize).sum();
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
        let parts = share_cones(&model, &Outline::new(&model), &specifications);
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
    fn too_many_cones_to_look_at_are_the_whole_model() {
        let n = 2000;
        let variables: String = (0..n).map(|k| format!("x{k} : boolean;\n")).collect();
        let laws: String = (1..n).map(|k| format!("next(x{k}) := x{};\n", k - 1)).collect();
        let all: String = (0..n).map(|k| format!("SPEC AG x{k}\n")).collect();
        let (_, parts) = parts(&format!("MODULE main\nVAR\n{variables}ASSIGN\n{laws}{all}"));
        assert_eq!(parts, [SharedCone { keep: None, specifications: (0..n).collect() }]);
    }

    #[test]
    fn what_needs_each_other_has_one_cone() {
        let (model, parts) = parts(
            "MODULE main\nVAR a : boolean; b : boolean; c : 0..3;\n\
             ASSIGN next(a) := d; next(b) := !a;\nDEFINE d := !b;\nSPEC AG a\nSPEC AG d\n",
        );
        assert_eq!(parts.len(), 1);
        assert_eq!(names(&model, &parts[0]), ["a", "b"]);
    }

    #[test]
    fn without_specifications_there_is_no_part() {
        assert_eq!(parts("MODULE main\nVAR a : boolean;\n").1, []);
    }
}
