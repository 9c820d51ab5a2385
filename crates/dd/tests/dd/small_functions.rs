//! Every operation on all functions of three variables, against truth tables held in an integer.

use tertium_dd::{Bdd, Manager, Var};
use tertium_support::Context;

/// The function with this truth table: bit k is its value where variable i is bit i of k.
fn function(manager: &Manager, vars: &[Var], table: u8) -> Bdd {
    (0..8).filter(|k| table >> k & 1 == 1).fold(manager.constant(false), |sum, k| {
        let cube =
            Bdd::cube(manager, vars.iter().enumerate().map(|(i, &var)| (var, k >> i & 1 == 1))).unwrap();
        sum.or(&cube).unwrap()
    })
}

fn table(vars: &[Var], f: &Bdd) -> u8 {
    let at = |k: usize| f.eval(|var| vars.iter().position(|&v| v == var).is_some_and(|i| k >> i & 1 == 1));
    (0..8).filter(|&k| at(k)).fold(0, |table, k| table | 1 << k)
}

/// The table of `exists` over the variables in the mask.
fn some(table: u8, mask: usize) -> u8 {
    let holds = |k: usize| (0..8).any(|other| other & !mask == k & !mask && table >> other & 1 == 1);
    (0..8).filter(|&k| holds(k)).fold(0, |result, k| result | 1 << k)
}

#[test]
fn all_binary_operations_on_all_pairs_agree_with_truth_tables() {
    let manager = Manager::new(&Context::default());
    let vars: Vec<Var> = (0..3).map(|_| manager.add_var()).collect();
    let all: Vec<Bdd> = (0..=255).map(|table| function(&manager, &vars, table)).collect();
    let set = manager.var_set([vars[0], vars[2]]).unwrap();
    for f in 0..=255u8 {
        let bdd = &all[f as usize];
        assert_eq!(table(&vars, bdd), f);
        assert_eq!(bdd.not(), all[!f as usize]);
        assert_eq!(bdd.exists(&set).unwrap(), all[some(f, 0b101) as usize]);
        assert_eq!(bdd.forall(&set).unwrap(), all[!some(!f, 0b101) as usize]);
        for g in 0..=255u8 {
            let other = &all[g as usize];
            assert_eq!(bdd.and(other).unwrap(), all[(f & g) as usize]);
            assert_eq!(bdd.or(other).unwrap(), all[(f | g) as usize]);
            assert_eq!(bdd.xor(other).unwrap(), all[(f ^ g) as usize]);
            assert_eq!(bdd.and_exists(other, &set).unwrap(), all[some(f & g, 0b101) as usize]);
            let h = f.rotate_left(3) ^ g.rotate_left(1);
            let third = &all[h as usize];
            assert_eq!(bdd.ite(other, third).unwrap(), all[(f & g | !f & h) as usize]);
            if g != 0 {
                assert_eq!(table(&vars, &bdd.constrain(other).unwrap()) & g, f & g);
                assert_eq!(table(&vars, &bdd.restrict(other).unwrap()) & g, f & g);
            }
        }
    }
}
