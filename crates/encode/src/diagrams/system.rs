//! What symbolic systems are made of, whatever language they come from: limits, bits of variables, the frame of the relation.

use super::circuit::{self, Made};
use std::cmp::Reverse;
use tertium_dd::{Bdd, Frame, Manager};
use tertium_support::Context;
use tertium_system::SymbolicVariable;

/// An equation between vectors of at most this many bits is one part of a relation.
const WHOLE: usize = 4;

/// A manager with at most this many nodes, which improves its order from this many nodes on.
pub fn manager_within(context: &Context, node_limit: Option<usize>, reorder_from: Option<usize>) -> Manager {
    let manager = Manager::new(context);
    if let Some(limit) = node_limit {
        manager.set_node_limit(limit);
    }
    manager.set_reordering(reorder_from);
    manager
}

/// Makes bits of variables that have none yet. `order` has each bit once, as the place of its variable and its number from the lowest.
/// Each current bit stands beside its next one; inputs have no next ones.
pub fn make_bits(
    manager: &Manager,
    variables: &mut [SymbolicVariable],
    order: impl IntoIterator<Item = (usize, usize)>,
) {
    let mut made: Vec<_> = order
        .into_iter()
        .map(|(variable, bit)| {
            let now = manager.add_var();
            let next = (!variables[variable].is_input).then(|| manager.add_var());
            if let Some(next) = next {
                manager.group(&[now, next]);
            }
            (variable, bit, now, next)
        })
        .collect();
    made.sort_unstable_by_key(|&(variable, bit, ..)| (variable, bit));
    for (variable, _, now, next) in made {
        variables[variable].current.push(now);
        variables[variable].next.extend(next);
    }
}

/// The bits of states before and after a step, and of inputs, in the order of the variables.
pub fn frame_of(variables: &[SymbolicVariable]) -> Frame {
    let mut frame = Frame::default();
    for variable in variables {
        if variable.is_input {
            frame.input.extend(&variable.current);
        } else {
            frame.current.extend(&variable.current);
            frame.next.extend(&variable.next);
        }
    }
    frame
}

/// The places of the variables in the present order of their first bits.
pub fn order_of(manager: &Manager, variables: &[SymbolicVariable]) -> Vec<usize> {
    let first = |at: &usize| variables[*at].current.iter().map(|&bit| manager.level(bit)).min();
    let mut order: Vec<usize> = (0..variables.len()).collect();
    order.sort_by_key(first);
    order
}

/// That two vectors are equal, as parts of a relation: one for each bit if there are many.
pub fn equations(manager: &Manager, left: &[Bdd], right: &[Bdd]) -> Made<Vec<Bdd>> {
    if left.len() <= WHOLE {
        Ok(vec![circuit::equal(manager, left, right)?])
    } else {
        left.iter().zip(right).map(|(left, right)| left.iff(right)).collect()
    }
}

/// The conjunction of any number of functions. Those that only read bits at the end of the order come first, so the result grows from
/// its leaves: many small functions of different bits take linear time.
pub fn conjoin<'a>(manager: &Manager, parts: impl IntoIterator<Item = &'a Bdd>) -> Made<Bdd> {
    deepest_first(manager, parts).into_iter().try_fold(manager.constant(true), |all, part| all.and(part))
}

/// The disjunction, likewise.
pub fn disjoin<'a>(manager: &Manager, parts: impl IntoIterator<Item = &'a Bdd>) -> Made<Bdd> {
    deepest_first(manager, parts).into_iter().try_fold(manager.constant(false), |any, part| any.or(part))
}

fn deepest_first<'a>(manager: &Manager, parts: impl IntoIterator<Item = &'a Bdd>) -> Vec<&'a Bdd> {
    let mut parts: Vec<&Bdd> = parts.into_iter().collect();
    parts.sort_by_key(|part| Reverse(part.top().map(|top| manager.level(top))));
    parts
}
