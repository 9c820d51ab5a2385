//! Truth tables: the slow twin of decision diagrams.

use tertium_dd::{Bdd, Manager, Var};
use tertium_support::Rng;

/// A Boolean function of n variables: entry k is its value where variable i is bit i of k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table(pub(crate) Vec<bool>);

impl Table {
    pub(crate) fn constant(n: usize, value: bool) -> Self {
        Self(vec![value; 1 << n])
    }

    pub(crate) fn var(n: usize, i: usize) -> Self {
        Self((0..1 << n).map(|k| k >> i & 1 == 1).collect())
    }

    pub(crate) fn random(rng: &mut Rng, n: usize) -> Self {
        let share = *rng.pick(&[0.05, 0.3, 0.5, 0.9]);
        Self((0..1 << n).map(|_| rng.chance(share)).collect())
    }

    pub(crate) fn not(&self) -> Self {
        Self(self.0.iter().map(|value| !value).collect())
    }

    pub(crate) fn with(&self, other: &Self, op: impl Fn(bool, bool) -> bool) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(&f, &g)| op(f, g)).collect())
    }

    /// Some value of the variables in the mask makes it true.
    pub(crate) fn exists(&self, mask: usize) -> Self {
        let mut some = vec![false; self.0.len()];
        (0..self.0.len()).filter(|&k| self.0[k]).for_each(|k| some[k & !mask] = true);
        Self((0..self.0.len()).map(|k| some[k & !mask]).collect())
    }

    /// The function with variable i replaced by the i-th of `by`.
    pub(crate) fn compose(&self, by: &[Table]) -> Self {
        let point = |k: usize| (0..by.len()).filter(|&i| by[i].0[k]).map(|i| 1 << i).sum::<usize>();
        Self((0..self.0.len()).map(|k| self.0[point(k)]).collect())
    }

    /// What a diagram says at all points.
    pub(crate) fn of(vars: &[Var], f: &Bdd) -> Self {
        let at = |k: usize| f.eval(|var| k >> vars.iter().position(|&v| v == var).expect("known") & 1 == 1);
        Self((0..1 << vars.len()).map(at).collect())
    }

    /// The diagram, by cofactors.
    pub(crate) fn diagram(&self, manager: &Manager, vars: &[Var]) -> Bdd {
        let mut layer: Vec<Bdd> = self.0.iter().map(|&value| manager.constant(value)).collect();
        for &var in vars {
            let var = manager.var(var).unwrap();
            layer = layer.chunks(2).map(|pair| var.ite(&pair[1], &pair[0]).unwrap()).collect();
        }
        layer.swap_remove(0)
    }
}

/// A manager with n variables in a random order.
pub(crate) fn random_manager(rng: &mut Rng, n: usize) -> (Manager, Vec<Var>) {
    let manager = Manager::new(&tertium_support::Context::default());
    let mut vars: Vec<Var> = (0..n).map(|_| manager.add_var()).collect();
    rng.shuffle(&mut vars);
    (manager, vars)
}
