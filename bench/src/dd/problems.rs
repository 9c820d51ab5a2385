//! The problems, for any library; each gives the number of nodes of its result.

use super::library::Library;
use tertium_support::Rng;

/// All ways to place n queens on a board of n by n.
pub(crate) fn queens<L: Library>(n: usize) -> usize {
    let library = L::new(n * n);
    let at = |row: usize, column: usize| library.var(row * n + column);
    let mut all = library.constant(true);
    for row in 0..n {
        let mut some = library.constant(false);
        for column in 0..n {
            some = library.or(&some, &at(row, column));
            let mut alone = library.constant(true);
            for (other_row, other_column) in (0..n * n).map(|square| (square / n, square % n)) {
                let (down, across) = (other_row.abs_diff(row), other_column.abs_diff(column));
                if (down, across) != (0, 0) && (down == 0 || across == 0 || down == across) {
                    alone = library.and(&alone, &library.not(&at(other_row, other_column)));
                }
            }
            all = library.and(&all, &library.or(&library.not(&at(row, column)), &alone));
        }
        all = library.and(&all, &some);
    }
    library.size(&all)
}

/// The reachable states of n philosophers, breadth first. Each takes the left fork, then the right one, then puts both back.
/// Three bits for each: has left, has right, fork is free; each beside its next value.
pub(crate) fn philosophers<L: Library>(n: usize) -> usize {
    let library = L::new(6 * n);
    let current = |bit: usize| library.var(2 * bit);
    let next = |bit: usize| library.var(2 * bit + 1);
    let (left, right, fork) = (|i: usize| 3 * i, |i: usize| 3 * i + 1, |i: usize| 3 * (i % n) + 2);
    // A step: values before and after, everything else unchanged.
    let step = |changes: &[(usize, bool, bool)]| {
        let literal = |f: L::Function, value: bool| if value { f } else { library.not(&f) };
        let mut step = library.constant(true);
        for bit in (0..3 * n).rev() {
            let part = match changes.iter().find(|change| change.0 == bit) {
                Some(&(_, before, after)) => {
                    library.and(&literal(current(bit), before), &literal(next(bit), after))
                }
                None => library.not(&library.xor(&current(bit), &next(bit))),
            };
            step = library.and(&part, &step);
        }
        step
    };
    let mut steps = Vec::new();
    for i in 0..n {
        steps.push(step(&[(left(i), false, true), (fork(i), true, false)]));
        steps.push(step(&[(left(i), true, true), (right(i), false, true), (fork(i + 1), true, false)]));
        steps.push(step(&[
            (left(i), true, false),
            (right(i), true, false),
            (fork(i), false, true),
            (fork(i + 1), false, true),
        ]));
    }
    let before = library.set(&(0..3 * n).map(|bit| 2 * bit).collect::<Vec<_>>());
    let renaming = library.renaming(&(0..3 * n).map(|bit| (2 * bit + 1, 2 * bit)).collect::<Vec<_>>());
    let mut reached = (0..3 * n).rev().fold(library.constant(true), |all, bit| {
        let value = if bit % 3 == 2 { current(bit) } else { library.not(&current(bit)) };
        library.and(&value, &all)
    });
    let mut new = reached.clone();
    let nothing = library.constant(false);
    while new != nothing {
        let mut image = nothing.clone();
        for step in &steps {
            image = library.or(&image, &library.and_exists(&new, step, &before));
        }
        let image = library.rename(&image, &renaming);
        new = library.and(&image, &library.not(&reached));
        reached = library.or(&reached, &new);
    }
    library.size(&reached)
}

/// Conjunctions, exclusive disjunctions and quantifications of random functions of n variables.
pub(crate) fn mix<L: Library>(n: usize) -> usize {
    mix_of(&L::new(n), n).1
}

/// The functions in the end, and the sum of the nodes of all results.
pub(crate) fn mix_of<L: Library>(library: &L, n: usize) -> (Vec<L::Function>, usize) {
    let rng = &mut Rng::seeded(17);
    // A disjunction of a few conjunctions of literals.
    let fresh = |rng: &mut Rng| {
        (0..6).fold(library.constant(false), |sum, _| {
            let term = (0..5).fold(library.constant(true), |term, _| {
                let literal = library.var(rng.below(n));
                library.and(&term, &if rng.chance(0.5) { literal } else { library.not(&literal) })
            });
            library.or(&sum, &term)
        })
    };
    let mut pool: Vec<L::Function> = (0..n).map(|_| fresh(rng)).collect();
    let mut sum = 0;
    for _ in 0..40 * n {
        let (f, g, at) = (rng.pick(&pool).clone(), rng.pick(&pool).clone(), rng.below(n));
        let mut vars: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut vars);
        let result = match rng.below(6) {
            0 => library.and(&f, &g),
            1 => library.or(&f, &g),
            2 | 3 => library.xor(&f, &g),
            4 => library.exists(&f, &library.set(&vars[..2])),
            _ => library.and_exists(&f, &g, &library.set(&vars[..2])),
        };
        let size = library.size(&result);
        sum += size;
        // Neither constants nor the largest functions may take over.
        pool[at] = if (n..1_000 * n).contains(&size) { result } else { fresh(rng) };
    }
    (pool, sum)
}
