//! A map from small numbers whose copies cost nothing and share all that is the same.
//!
//! States are kept wherever ways are left, thousands along one run, and differ in a variable or two. The map is a tree with sixteen
//! branches, by four bits of the number at each level; a change makes a new path from the root.

use std::rc::Rc;

/// Bits of the number for each level.
const BITS: u32 = 4;

#[derive(Clone, Debug)]
enum Node<T> {
    Leaf(usize, T),
    Inner([Option<Rc<Node<T>>>; 1 << BITS]),
}

/// Values by number.
#[derive(Clone, Debug)]
pub(super) struct Map<T> {
    root: Option<Rc<Node<T>>>,
    n_entries: usize,
}

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self { root: None, n_entries: 0 }
    }
}

fn branch(number: usize, level: u32) -> usize {
    (number >> (level * BITS)) & ((1 << BITS) - 1)
}

impl<T: Clone> Map<T> {
    pub(super) fn len(&self) -> usize {
        self.n_entries
    }

    pub(super) fn get(&self, number: usize) -> Option<&T> {
        let mut node = self.root.as_deref()?;
        let mut level = 0;
        loop {
            match node {
                Node::Leaf(own, value) => return (*own == number).then_some(value),
                Node::Inner(below) => node = below[branch(number, level)].as_deref()?,
            }
            level += 1;
        }
    }

    pub(super) fn insert(&mut self, number: usize, value: T) {
        let is_new = self.get(number).is_none();
        self.root = Some(Self::with(self.root.as_ref(), 0, number, value));
        self.n_entries += usize::from(is_new);
    }

    /// A node with another entry. At most as deep as a number has groups of bits.
    fn with(node: Option<&Rc<Node<T>>>, level: u32, number: usize, value: T) -> Rc<Node<T>> {
        match node.map(Rc::as_ref) {
            None => Rc::new(Node::Leaf(number, value)),
            Some(Node::Leaf(own, _)) if *own == number => Rc::new(Node::Leaf(number, value)),
            Some(Node::Leaf(own, _)) => {
                let mut below = [const { None }; 1 << BITS];
                below[branch(*own, level)] = node.cloned();
                let inner = Rc::new(Node::Inner(below));
                Self::with(Some(&inner), level, number, value)
            }
            Some(Node::Inner(below)) => {
                let mut below = below.clone();
                let at = branch(number, level);
                below[at] = Some(Self::with(below[at].as_ref(), level + 1, number, value));
                Rc::new(Node::Inner(below))
            }
        }
    }

    /// All entries, in an order that depends on the numbers alone.
    pub(super) fn entries(&self) -> Vec<(usize, &T)> {
        let mut entries = Vec::with_capacity(self.n_entries);
        let mut open: Vec<&Node<T>> = self.root.iter().map(Rc::as_ref).collect();
        while let Some(node) = open.pop() {
            match node {
                Node::Leaf(number, value) => entries.push((*number, value)),
                Node::Inner(below) => open.extend(below.iter().flatten().map(Rc::as_ref)),
            }
        }
        entries
    }

    /// Whether two maps are one by construction.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tertium_testkit::random_cases;

    #[test]
    fn it_is_a_map_and_copies_do_not_change() {
        random_cases(50, |rng| {
            let (mut map, mut plain) = (Map::default(), BTreeMap::new());
            let mut copies = Vec::new();
            for value in 0..200 {
                let number = rng.below(300) * (1 + rng.below(3) * 1000);
                map.insert(number, value);
                plain.insert(number, value);
                copies.push((map.clone(), plain.clone()));
            }
            for (map, plain) in copies {
                let mut entries: Vec<(usize, usize)> =
                    map.entries().into_iter().map(|(number, &value)| (number, value)).collect();
                entries.sort_unstable();
                assert_eq!(entries, plain.clone().into_iter().collect::<Vec<_>>());
                assert_eq!(map.len(), plain.len());
                assert!(plain.iter().all(|(&number, value)| map.get(number) == Some(value)));
                assert_eq!(map.get(1_000_000), None);
            }
        });
    }
}
