//! Which specifications are checked on which part of a model.
//!
//! Every specification has its cone of influence. Specifications with the same cone share it; beyond that, cones are
//! joined as long as all of them together are dearer than the whole model once. What a part costs is guessed as the third
//! power of its number of bits: reachable states are searched again for each part, but small diagrams are much cheaper than
//! large ones. Of all pairs, the one is joined that saves most, so a cone goes into one that holds it, and cones without
//! much in common stay apart. A union of cones is closed under what its variables need, hence as good as each of them.
//!
//! Cost: cubic in the number of different cones, which are few.

use super::cone::Influence;
use super::layout::width_of;
use crate::{FlatModel, Specification, VarId};
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

/// Divides specifications among parts of the model.
pub fn share_cones(model: &FlatModel, specifications: &[&Specification]) -> Vec<SharedCone> {
    let influence = Influence::new(model);
    let mut parts: Vec<(BTreeSet<VarId>, Vec<usize>)> = Vec::new();
    for (at, specification) in specifications.iter().enumerate() {
        let cone = influence.cone(specification);
        match parts.iter_mut().find(|(known, _)| *known == cone) {
            Some((_, members)) => members.push(at),
            None => parts.push((cone, vec![at])),
        }
    }
    let cost = |cone: &BTreeSet<VarId>| -> i128 {
        let bits: usize = cone.iter().map(|id| width_of(&model.variables[id.index()].ty)).sum();
        (bits as i128).pow(3)
    };
    let whole = cost(&VarId::first(model.variables.len()).collect());
    while parts.len() > 1 && parts.iter().map(|(cone, _)| cost(cone)).sum::<i128>() > whole {
        let pairs = (1..parts.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        let dearer = |&(left, right): &(usize, usize)| {
            let (left, right) = (&parts[left].0, &parts[right].0);
            cost(&(left | right)) - cost(left) - cost(right)
        };
        let Some((left, right)) = pairs.min_by_key(dearer) else { break };
        let (cone, members) = parts.remove(right);
        parts[left].0.extend(cone);
        parts[left].1.extend(members);
        parts[left].1.sort_unstable();
    }
    let shared = |(cone, specifications): (BTreeSet<VarId>, Vec<usize>)| SharedCone {
        keep: (cone.len() < model.variables.len()).then_some(cone),
        specifications,
    };
    parts.into_iter().map(shared).collect()
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
    fn without_specifications_there_is_no_part() {
        assert_eq!(parts("MODULE main\nVAR a : boolean;\n").1, []);
    }
}
