//! The `dd` suite: the core of the crate `dd` beside OxiDD, both with complement edges, one thread, the same operations in the
//! same order of variables, in one process.
//!
//! Results of both are compared by their number of nodes, which the order determines. Seconds are processor time of the
//! process, the least of three runs, so that other programs on the machine matter less.

use crate::table::Table;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager as _,
    ManagerRef, Subst,
};
use tertium_dd::{Bdd, Manager, Renaming, Var, VarSet};
use tertium_support::{Context, Rng};

/// Room for nodes and for remembered results of OxiDD, which does not grow. More of either made it slower here.
const OXIDD_NODES: usize = 1 << 24;
const OXIDD_CACHE: usize = 1 << 21;

/// What the problems need of a library.
trait Library {
    type Function: Clone + PartialEq;
    type Set;
    type Renaming;

    fn new(n_vars: usize) -> Self;
    fn constant(&self, value: bool) -> Self::Function;
    fn var(&self, var: usize) -> Self::Function;
    fn not(&self, f: &Self::Function) -> Self::Function;
    fn and(&self, f: &Self::Function, g: &Self::Function) -> Self::Function;
    fn or(&self, f: &Self::Function, g: &Self::Function) -> Self::Function;
    fn xor(&self, f: &Self::Function, g: &Self::Function) -> Self::Function;
    fn set(&self, vars: &[usize]) -> Self::Set;
    fn exists(&self, f: &Self::Function, set: &Self::Set) -> Self::Function;
    fn and_exists(&self, f: &Self::Function, g: &Self::Function, set: &Self::Set) -> Self::Function;
    fn renaming(&self, pairs: &[(usize, usize)]) -> Self::Renaming;
    fn rename(&self, f: &Self::Function, renaming: &Self::Renaming) -> Self::Function;
    /// The nodes of a function, without terminals.
    fn size(&self, f: &Self::Function) -> usize;
}

struct Ours {
    manager: Manager,
    vars: Vec<Var>,
}

impl Library for Ours {
    type Function = Bdd;
    type Set = VarSet;
    type Renaming = Renaming;

    fn new(n_vars: usize) -> Self {
        let manager = Manager::new(&Context::default());
        let vars = (0..n_vars).map(|_| manager.add_var()).collect();
        Self { manager, vars }
    }

    fn constant(&self, value: bool) -> Bdd {
        self.manager.constant(value)
    }

    fn var(&self, var: usize) -> Bdd {
        self.manager.var(self.vars[var]).expect("no limit")
    }

    fn not(&self, f: &Bdd) -> Bdd {
        f.not()
    }

    fn and(&self, f: &Bdd, g: &Bdd) -> Bdd {
        f.and(g).expect("no limit")
    }

    fn or(&self, f: &Bdd, g: &Bdd) -> Bdd {
        f.or(g).expect("no limit")
    }

    fn xor(&self, f: &Bdd, g: &Bdd) -> Bdd {
        f.xor(g).expect("no limit")
    }

    fn set(&self, vars: &[usize]) -> VarSet {
        self.manager.var_set(vars.iter().map(|&var| self.vars[var])).expect("no limit")
    }

    fn exists(&self, f: &Bdd, set: &VarSet) -> Bdd {
        f.exists(set).expect("no limit")
    }

    fn and_exists(&self, f: &Bdd, g: &Bdd, set: &VarSet) -> Bdd {
        f.and_exists(g, set).expect("no limit")
    }

    fn renaming(&self, pairs: &[(usize, usize)]) -> Renaming {
        self.manager.renaming(pairs.iter().map(|&(old, new)| (self.vars[old], self.vars[new])))
    }

    fn rename(&self, f: &Bdd, renaming: &Renaming) -> Bdd {
        f.rename(*renaming).expect("no limit")
    }

    fn size(&self, f: &Bdd) -> usize {
        f.n_nodes()
    }
}

struct OxiDd {
    vars: Vec<BCDDFunction>,
    manager: BCDDManagerRef,
}

impl Library for OxiDd {
    type Function = BCDDFunction;
    type Set = BCDDFunction;
    type Renaming = Subst<BCDDFunction, Vec<u32>, Vec<BCDDFunction>>;

    fn new(n_vars: usize) -> Self {
        let manager = oxidd::bcdd::new_manager(OXIDD_NODES, OXIDD_CACHE, 1);
        let vars = manager.with_manager_exclusive(|manager| {
            let vars = manager.add_vars(n_vars as u32);
            vars.map(|var| BCDDFunction::var(manager, var).expect("room")).collect()
        });
        Self { vars, manager }
    }

    fn constant(&self, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| {
            if value { BCDDFunction::t(manager) } else { BCDDFunction::f(manager) }
        })
    }

    fn var(&self, var: usize) -> BCDDFunction {
        self.vars[var].clone()
    }

    fn not(&self, f: &BCDDFunction) -> BCDDFunction {
        f.not().expect("room")
    }

    fn and(&self, f: &BCDDFunction, g: &BCDDFunction) -> BCDDFunction {
        f.and(g).expect("room")
    }

    fn or(&self, f: &BCDDFunction, g: &BCDDFunction) -> BCDDFunction {
        f.or(g).expect("room")
    }

    fn xor(&self, f: &BCDDFunction, g: &BCDDFunction) -> BCDDFunction {
        f.xor(g).expect("room")
    }

    fn set(&self, vars: &[usize]) -> BCDDFunction {
        vars.iter().fold(self.constant(true), |set, &var| set.and(&self.vars[var]).expect("room"))
    }

    fn exists(&self, f: &BCDDFunction, set: &BCDDFunction) -> BCDDFunction {
        f.exists(set).expect("room")
    }

    fn and_exists(&self, f: &BCDDFunction, g: &BCDDFunction, set: &BCDDFunction) -> BCDDFunction {
        f.apply_exists(BooleanOperator::And, g, set).expect("room")
    }

    fn renaming(&self, pairs: &[(usize, usize)]) -> Self::Renaming {
        let vars = pairs.iter().map(|&(old, _)| old as u32).collect();
        Subst::new(vars, pairs.iter().map(|&(_, new)| self.var(new)).collect())
    }

    fn rename(&self, f: &BCDDFunction, renaming: &Self::Renaming) -> BCDDFunction {
        f.substitute(renaming).expect("room")
    }

    fn size(&self, f: &BCDDFunction) -> usize {
        f.node_count() - 1
    }
}

/// All ways to place n queens on a board of n by n.
fn queens<L: Library>(n: usize) -> usize {
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
fn philosophers<L: Library>(n: usize) -> usize {
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
fn mix<L: Library>(n: usize) -> usize {
    let library = L::new(n);
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
    sum
}

/// Prints the table.
pub(crate) fn run() {
    let mut table = Table::new(["problem", "n", "nodes", "dd s", "oxidd s", "dd / oxidd"]);
    let mut total = (0.0, 0.0);
    let mut add = |name: &str, n: usize, ours: fn(usize) -> usize, theirs: fn(usize) -> usize| {
        let ((nodes, seconds), (other_nodes, other_seconds)) =
            (least_of_three(|| ours(n)), least_of_three(|| theirs(n)));
        assert_eq!(nodes, other_nodes, "both libraries must find the same functions");
        total = (total.0 + seconds, total.1 + other_seconds);
        let ratio = seconds / other_seconds;
        table.row([
            name.into(),
            n.to_string(),
            nodes.to_string(),
            format!("{seconds:.3}"),
            format!("{other_seconds:.3}"),
            format!("{ratio:.2}"),
        ]);
    };
    for n in 8..=11 {
        add("queens", n, queens::<Ours>, queens::<OxiDd>);
    }
    for n in [20, 30, 40] {
        add("philosophers", n, philosophers::<Ours>, philosophers::<OxiDd>);
    }
    for n in [20, 24, 28] {
        add("random mix", n, mix::<Ours>, mix::<OxiDd>);
    }
    let ratio = total.0 / total.1;
    table.row([
        "sum".into(),
        String::new(),
        String::new(),
        format!("{:.3}", total.0),
        format!("{:.3}", total.1),
        format!("{ratio:.2}"),
    ]);
    table.print("decision diagrams: the crate dd and OxiDD 0.13, one thread");
}

/// The result and the seconds of one run: the least of three rounds, each of as many runs as take a while.
fn least_of_three(work: impl Fn() -> usize) -> (usize, f64) {
    let round = || {
        let started = processor_seconds();
        for runs in 1.. {
            let result = work();
            let seconds = processor_seconds() - started;
            if seconds > 0.2 {
                return (result, seconds / f64::from(runs));
            }
        }
        unreachable!("time passes")
    };
    [round(), round(), round()].into_iter().min_by(|x, y| x.1.total_cmp(&y.1)).expect("three rounds")
}

/// Processor time of all threads of this process, as far as the system tells.
fn processor_seconds() -> f64 {
    let of_task = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        return since.map_or(0.0, |time| time.as_secs_f64());
    };
    tasks.flatten().filter_map(of_task).sum::<f64>() * 1e-9
}
