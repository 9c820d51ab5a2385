//! Enumeration of a set: by cubes, which leave open what does not matter, or point by point.
//!
//! A cube is a path to the terminal, so cubes are disjoint. What is still to come is kept as handles, each with the literals
//! chosen so far; other operations, even reordering, may go on meanwhile.

use crate::bdd::Bdd;
use crate::edge::{Edge, FALSE};
use crate::store::Var;

impl Bdd {
    /// Disjoint conjunctions of literals whose disjunction is the function.
    pub fn cubes(&self) -> Cubes {
        Cubes { left: vec![(Vec::new(), self.clone())] }
    }

    /// The assignments to `vars` that satisfy the function, which must depend on no other variables.
    pub fn minterms(&self, vars: &[Var]) -> Minterms {
        debug_assert!(self.support().iter().all(|var| vars.contains(var)), "a variable is not listed");
        Minterms {
            cubes: self.cubes(),
            vars: vars.to_vec(),
            point: Vec::new(),
            open: Vec::new(),
            is_over: true,
        }
    }

    /// The top variable and both cofactors by it; nothing for a constant.
    pub fn split(&self) -> Option<(Var, Bdd, Bdd)> {
        if self.edge.is_terminal() {
            return None;
        }
        let (var, low, high) = {
            let store = self.manager.0.borrow();
            let (low, high) = store.children(self.edge);
            (Var(store.nodes[self.edge.node()].var), low, high)
        };
        let hold = |edge: Edge| self.manager.hold(edge);
        Some((var, hold(low), hold(high)))
    }
}

/// The cubes of a function. See [`Bdd::cubes`].
#[derive(Debug)]
pub struct Cubes {
    /// What is still to be split: conjunctions of literals, each with what must hold besides.
    left: Vec<(Vec<(Var, bool)>, Bdd)>,
}

impl Iterator for Cubes {
    type Item = Vec<(Var, bool)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (mut literals, rest) = self.left.pop()?;
            if rest.edge == FALSE {
                continue;
            }
            let Some((var, low, high)) = rest.split() else { return Some(literals) };
            let mut with_high = literals.clone();
            with_high.push((var, true));
            literals.push((var, false));
            self.left.push((with_high, high));
            self.left.push((literals, low));
        }
    }
}

/// The points of a function. See [`Bdd::minterms`].
#[derive(Debug)]
pub struct Minterms {
    cubes: Cubes,
    vars: Vec<Var>,
    /// The next point, unless the cube is over.
    point: Vec<bool>,
    /// The places in the point that the cube leaves open.
    open: Vec<usize>,
    is_over: bool,
}

impl Iterator for Minterms {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        if self.is_over {
            let cube = self.cubes.next()?;
            let value = |var: &Var| cube.iter().find(|(other, _)| other == var).map(|&(_, value)| value);
            let values: Vec<Option<bool>> = self.vars.iter().map(value).collect();
            self.open = (0..values.len()).filter(|&at| values[at].is_none()).collect();
            self.point = values.into_iter().map(Option::unwrap_or_default).collect();
        }
        debug_assert_eq!(self.point.len(), self.vars.len(), "a point has a value for every variable");
        let found = self.point.clone();
        // Counts up in the open places.
        self.is_over = true;
        for &at in self.open.iter().rev() {
            self.point[at] = !self.point[at];
            if self.point[at] {
                self.is_over = false;
                break;
            }
        }
        Some(found)
    }
}
