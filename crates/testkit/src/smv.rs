//! Random SMV models as text, with formulas over them.
//!
//! Models are small (a few hundred states at most), well typed, and free of division by zero and of values outside their types.
//! They mix all ways to say what happens: assignments of all three times, INIT, INVAR and TRANS, definitions, instances of a
//! module, processes with a shared variable, frozen variables, inputs, and fairness. Constraints make deadlocks
//! now and then, and sometimes leave no initial state at all.

use tertium_support::Rng;

/// What random SMV models look like.
#[derive(Clone, Debug)]
pub struct SmvShape {
    /// At most so many combinations of values of the state variables of `main`.
    pub n_states: usize,
    /// Whether there are input variables.
    pub inputs: bool,
    /// Whether there may be processes.
    pub processes: bool,
    /// Whether there may be fairness constraints.
    pub fairness: bool,
    /// Whether INIT, INVAR and TRANS occur; they make deadlocks.
    pub constraints: bool,
    /// Whether there are words.
    pub words: bool,
}

impl Default for SmvShape {
    /// Everything occurs.
    fn default() -> Self {
        Self { n_states: 200, inputs: true, processes: true, fairness: true, constraints: true, words: true }
    }
}

/// A random model.
#[derive(Clone, Debug)]
pub struct SmvModel {
    /// Its text, without specifications.
    pub text: String,
    /// Boolean expressions over its state variables.
    pub atoms: Vec<String>,
    /// Boolean expressions that read inputs; none if there are no inputs.
    pub input_atoms: Vec<String>,
}

/// A random model of this shape.
pub fn random_smv(rng: &mut Rng, shape: &SmvShape) -> SmvModel {
    let mut generator = Generator { rng, variables: Vec::new() };
    generator.model(shape)
}

/// A random CTL formula over these propositions.
pub fn random_ctl_text(rng: &mut Rng, atoms: &[String], depth: usize) -> String {
    if depth == 0 || rng.chance(0.1) {
        return format!("({})", rng.pick(atoms));
    }
    let mut below = || random_ctl_text(rng, atoms, depth - 1);
    let (f, g) = (below(), below());
    match rng.below(16) {
        0 => format!("!{f}"),
        1 => format!("({f} & {g})"),
        2 => format!("({f} | {g})"),
        3 => format!("({f} -> {g})"),
        4 => format!("({f} <-> {g})"),
        5 => format!("({f} xor {g})"),
        6 | 7 => format!("{}X {f}", rng.pick(&["E", "A"])),
        8..=10 => format!("{}F {f}", rng.pick(&["E", "A"])),
        11..=13 => format!("{}G {f}", rng.pick(&["E", "A"])),
        _ => format!("{}[{f} U {g}]", rng.pick(&["E", "A"])),
    }
}

/// A random LTL formula over these propositions, with past operators.
pub fn random_ltl_text(rng: &mut Rng, atoms: &[String], depth: usize) -> String {
    if depth == 0 || rng.chance(0.1) {
        return format!("({})", rng.pick(atoms));
    }
    let mut below = || random_ltl_text(rng, atoms, depth - 1);
    let (f, g) = (below(), below());
    match rng.below(20) {
        0 | 1 => format!("!{f}"),
        2 => format!("({f} & {g})"),
        3 => format!("({f} | {g})"),
        4 => format!("({f} -> {g})"),
        5 => format!("({f} <-> {g})"),
        6 => format!("({f} U {g})"),
        7 => format!("({f} V {g})"),
        8 => format!("({f} S {g})"),
        9 => format!("({f} T {g})"),
        10 => format!("Y {f}"),
        11 => format!("Z {f}"),
        12 => format!("O {f}"),
        13 => format!("H {f}"),
        14 => format!("X {f}"),
        15 | 16 => format!("F {f}"),
        17 => format!("F G {f}"),
        18 => format!("G F {f}"),
        _ => format!("G {f}"),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Ty {
    Boolean,
    Range(i64, i64),
    Enumeration(Vec<&'static str>),
    Word(u32, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    State,
    Frozen,
    Input,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Ty,
    kind: Kind,
}

/// Names that an expression may use, with their types.
type Scope = Vec<(String, Ty)>;

struct Generator<'a> {
    rng: &'a mut Rng,
    variables: Vec<Variable>,
}

impl Generator<'_> {
    fn model(&mut self, shape: &SmvShape) -> SmvModel {
        self.declare(shape);
        let mut text = String::from("MODULE main\n");
        for (kind, section) in [(Kind::State, "VAR"), (Kind::Frozen, "FROZENVAR"), (Kind::Input, "IVAR")] {
            let of_kind: Vec<_> = self.variables.iter().filter(|variable| variable.kind == kind).collect();
            if !of_kind.is_empty() {
                text.push_str(&format!("{section}\n"));
                let line =
                    |variable: &&Variable| format!("  {} : {};\n", variable.name, type_text(&variable.ty));
                text.extend(of_kind.iter().map(line));
            }
        }
        let main: Scope = self.scope(&[Kind::State, Kind::Frozen]);
        let mut states = main.clone();
        let mut modules = String::new();
        if shape.processes && self.rng.chance(0.3) {
            self.processes(&mut text, &mut modules, &mut states);
        } else if self.rng.chance(0.3) {
            self.instance(&mut text, &mut modules, &mut states);
        }
        let define = self.rng.chance(0.5).then(|| self.boolean(&states, 2));
        if let Some(body) = &define {
            text.push_str(&format!("DEFINE\n  d := {body};\n"));
            states.push(("d".to_owned(), Ty::Boolean));
        }
        let mut steps = states.clone();
        steps.extend(self.scope(&[Kind::Input]));
        self.assignments(&mut text, &main, &steps);
        if shape.constraints {
            self.constraints(&mut text, &states, &steps);
        }
        if shape.fairness {
            self.fairness(&mut text, &states);
        }
        text.push_str(&modules);
        let atoms = (0..4).map(|_| self.boolean(&states, 1)).collect();
        let n_input_atoms = if self.scope(&[Kind::Input]).is_empty() { 0 } else { 2 };
        let input_atoms = (0..n_input_atoms).map(|_| self.boolean(&steps, 1)).collect();
        SmvModel { text, atoms, input_atoms }
    }

    fn declare(&mut self, shape: &SmvShape) {
        let mut product = 1;
        for at in 0..self.rng.between(1, 5) {
            let ty = self.ty(shape.words);
            product *= size(&ty);
            if product > shape.n_states && at > 0 {
                break;
            }
            let kind = if at > 0 && self.rng.chance(0.1) { Kind::Frozen } else { Kind::State };
            self.variables.push(Variable { name: format!("v{at}"), ty, kind });
        }
        if shape.inputs && self.rng.chance(0.3) {
            let ty = if self.rng.chance(0.5) { Ty::Boolean } else { Ty::Range(0, 2) };
            self.variables.push(Variable { name: "i".to_owned(), ty, kind: Kind::Input });
        }
    }

    fn ty(&mut self, words: bool) -> Ty {
        match self.rng.below(if words { 8 } else { 7 }) {
            0..=2 => Ty::Boolean,
            3 => Ty::Range(0, 3),
            4 => Ty::Range(-1, 1),
            5 => Ty::Enumeration(vec!["red", "green", "blue"]),
            6 => Ty::Enumeration(vec!["red", "black"]),
            _ => Ty::Word(self.rng.between(1, 3) as u32, self.rng.chance(0.4)),
        }
    }

    fn scope(&self, kinds: &[Kind]) -> Scope {
        let wanted = self.variables.iter().filter(|variable| kinds.contains(&variable.kind));
        wanted.map(|variable| (variable.name.clone(), variable.ty.clone())).collect()
    }

    /// Two processes of one module that share a variable of `main`, or a variable of their own.
    fn processes(&mut self, text: &mut String, modules: &mut String, states: &mut Scope) {
        let (shared, free) = match self.variables[0].kind {
            Kind::State if self.rng.chance(0.7) => (self.variables[0].clone(), false),
            _ => (Variable { name: "s".to_owned(), ty: Ty::Range(0, 2), kind: Kind::State }, true),
        };
        text.push_str("VAR\n");
        if free {
            text.push_str("  s : 0..2;\n");
            states.push(("s".to_owned(), shared.ty.clone()));
        }
        let flag = self.boolean(states, 1);
        text.push_str(&format!("  p : process worker({}, {flag});\n", shared.name));
        text.push_str(&format!("  q : process worker({}, !({flag}));\n", shared.name));
        states.push(("p.w".to_owned(), Ty::Range(0, 2)));
        states.push(("q.w".to_owned(), Ty::Range(0, 2)));
        let inside: Scope = vec![
            ("w".to_owned(), Ty::Range(0, 2)),
            ("flag".to_owned(), Ty::Boolean),
            ("shared".to_owned(), shared.ty.clone()),
        ];
        let own = self.choice(&Ty::Range(0, 2), &inside, 1);
        modules.push_str("MODULE worker(shared, flag)\nVAR\n  w : 0..2;\nASSIGN\n  init(w) := 0;\n");
        modules.push_str(&format!("  next(w) := {own};\n"));
        let value = self.choice(&shared.ty, &inside, 1);
        modules.push_str(&format!("  next(shared) := {value};\n"));
        if self.rng.chance(0.5) {
            modules.push_str("FAIRNESS running\n");
        }
        // The processes assign it, so `main` may not do so outside of `init`.
        self.variables.retain(|variable| variable.name != shared.name);
        self.variables.insert(0, Variable { kind: Kind::Frozen, ..shared });
    }

    /// An ordinary instance of a module.
    fn instance(&mut self, text: &mut String, modules: &mut String, states: &mut Scope) {
        let flag = self.boolean(states, 1);
        text.push_str(&format!("VAR\n  c : cell({flag});\n"));
        states.push(("c.m".to_owned(), Ty::Boolean));
        let inside: Scope = vec![("m".to_owned(), Ty::Boolean), ("flag".to_owned(), Ty::Boolean)];
        let value = self.choice(&Ty::Boolean, &inside, 1);
        modules.push_str(&format!("MODULE cell(flag)\nVAR\n  m : boolean;\nASSIGN\n  next(m) := {value};\n"));
    }

    fn assignments(&mut self, text: &mut String, main: &Scope, steps: &Scope) {
        text.push_str("ASSIGN\n");
        // A current assignment may read variables before its own only, and no definition: no circles.
        let mut earlier: Scope = Vec::new();
        for variable in self.variables.clone() {
            let (name, ty) = (&variable.name, &variable.ty);
            if variable.kind == Kind::State && !earlier.is_empty() && self.rng.chance(0.1) {
                let value = self.choice(ty, &earlier, 1);
                text.push_str(&format!("  {name} := {value};\n"));
            } else if variable.kind != Kind::Input {
                if self.rng.chance(0.6) {
                    let value = self.choice(ty, &earlier, 1);
                    text.push_str(&format!("  init({name}) := {value};\n"));
                }
                if variable.kind == Kind::State && self.rng.chance(0.7) {
                    let mut scope = steps.clone();
                    if self.rng.chance(0.2) {
                        scope.extend(earlier.iter().map(|(name, ty)| (format!("next({name})"), ty.clone())));
                    }
                    let value = self.choice(ty, &scope, 2);
                    text.push_str(&format!("  next({name}) := {value};\n"));
                }
            }
            if main.iter().any(|(other, _)| other == name) {
                earlier.push((name.clone(), ty.clone()));
            }
        }
    }

    fn constraints(&mut self, text: &mut String, states: &Scope, steps: &Scope) {
        if self.rng.chance(0.3) {
            let constraint = self.boolean(states, 2);
            text.push_str(&format!("INIT {constraint};\n"));
        }
        if self.rng.chance(0.2) {
            let constraint = self.boolean(states, 2);
            text.push_str(&format!("INVAR {constraint};\n"));
        }
        if self.rng.chance(0.35) {
            let mut scope = steps.clone();
            scope.extend(states.iter().map(|(name, ty)| (format!("next({name})"), ty.clone())));
            let constraint =
                if self.rng.chance(0.4) { self.moves(states, &scope) } else { self.boolean(&scope, 2) };
            text.push_str(&format!("TRANS {constraint};\n"));
        }
    }

    /// A disjunction of moves that keep most variables.
    fn moves(&mut self, states: &Scope, scope: &Scope) -> String {
        let moves: Vec<String> = (0..self.rng.between(2, 4))
            .map(|_| {
                let mut conjuncts = vec![self.boolean(scope, 1)];
                for (name, _) in states {
                    match self.rng.below(4) {
                        0 => {}
                        1 => conjuncts.push(format!("{name} = next({name})")),
                        _ => conjuncts.push(format!("next({name}) = {name}")),
                    }
                }
                format!("({})", conjuncts.join(" & "))
            })
            .collect();
        moves.join(" | ")
    }

    fn fairness(&mut self, text: &mut String, states: &Scope) {
        for _ in 0..self.rng.below(3) {
            let constraint = self.boolean(states, 1);
            text.push_str(&format!("{} {constraint};\n", self.rng.pick(&["FAIRNESS", "JUSTICE"])));
        }
        if self.rng.chance(0.2) {
            let (premise, conclusion) = (self.boolean(states, 1), self.boolean(states, 1));
            text.push_str(&format!("COMPASSION ({premise}, {conclusion});\n"));
        }
    }

    /// A value of this type, or a set of them.
    fn choice(&mut self, ty: &Ty, scope: &Scope, depth: usize) -> String {
        // There are no sets of words.
        let from = if matches!(ty, Ty::Word(..)) { 2 } else { 0 };
        match self.rng.between(from, 5) {
            0 | 1 => {
                let (a, b) = (self.value(ty, scope, depth), self.value(ty, scope, depth));
                format!("{{{a}, {b}}}")
            }
            2 => {
                let condition = self.boolean(scope, depth);
                let (a, b) = (self.choice(ty, scope, depth), self.value(ty, scope, depth));
                format!("case {condition} : {a}; TRUE : {b}; esac")
            }
            3 if from == 0 => {
                let (a, b) = (self.value(ty, scope, depth), self.value(ty, scope, depth));
                format!("({a}) union ({b})")
            }
            _ => self.value(ty, scope, depth),
        }
    }

    /// One value of this type.
    fn value(&mut self, ty: &Ty, scope: &Scope, depth: usize) -> String {
        if *ty == Ty::Boolean {
            return self.boolean(scope, depth);
        }
        let names: Vec<&String> =
            scope.iter().filter(|(_, other)| other == ty).map(|(name, _)| name).collect();
        if !names.is_empty() && self.rng.chance(0.3) {
            return self.rng.pick(&names).to_string();
        }
        if depth > 0 && self.rng.chance(0.4) {
            let condition = self.boolean(scope, depth - 1);
            let (a, b) = (self.value(ty, scope, depth - 1), self.value(ty, scope, depth - 1));
            return match self.rng.below(2) {
                0 => format!("({condition} ? {a} : {b})"),
                _ => format!("case {condition} : {a}; TRUE : {b}; esac"),
            };
        }
        match ty {
            Ty::Boolean => unreachable!("above"),
            Ty::Range(low, high) if depth > 0 && self.rng.chance(0.5) => {
                let number = self.number(scope, depth - 1);
                let n = high - low + 1;
                format!("(((({number}) mod {n}) + {n}) mod {n} + {low})")
            }
            Ty::Range(low, high) => (low + self.rng.below((high - low + 1) as usize) as i64).to_string(),
            Ty::Enumeration(constants) => self.rng.pick(constants).to_string(),
            Ty::Word(width, signed) => self.word(*width, *signed, scope, depth),
        }
    }

    fn word(&mut self, width: u32, signed: bool, scope: &Scope, depth: usize) -> String {
        let ty = Ty::Word(width, signed);
        if depth > 0 && self.rng.chance(0.6) {
            let (a, b) = (self.value(&ty, scope, depth - 1), self.value(&ty, scope, depth - 1));
            return match self.rng.below(9) {
                0 => format!("({a} + {b})"),
                1 => format!("({a} - {b})"),
                2 => format!("({a} * {b})"),
                3 => format!("({a} & {b})"),
                4 => format!("({a} | {b})"),
                5 => format!("({a} xor {b})"),
                6 => format!("(!{a})"),
                7 => format!("({a} << {})", self.rng.below(width as usize)),
                _ => format!("({a} >> {})", self.rng.below(width as usize)),
            };
        }
        let kind = if signed { 's' } else { 'u' };
        let values = if signed { 1 << (width - 1) } else { 1 << width };
        format!("0{kind}d{width}_{}", self.rng.below(values))
    }

    /// Some integer.
    fn number(&mut self, scope: &Scope, depth: usize) -> String {
        let numeric: Vec<&String> =
            scope.iter().filter(|(_, ty)| matches!(ty, Ty::Range(..))).map(|(name, _)| name).collect();
        if depth == 0 || self.rng.chance(0.3) {
            if numeric.is_empty() || self.rng.chance(0.3) {
                return self.rng.below(4).to_string();
            }
            return self.rng.pick(&numeric).to_string();
        }
        let (a, b) = (self.number(scope, depth - 1), self.number(scope, depth - 1));
        match self.rng.below(6) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("({a} / {})", self.rng.between(1, 3)),
            4 => format!("({a} mod {})", self.rng.between(1, 3)),
            _ => {
                let (c, d) = (self.boolean(scope, depth - 1), self.boolean(scope, depth - 1));
                format!("count({c}, {d})")
            }
        }
    }

    /// A truth value.
    fn boolean(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.rng.chance(0.25) {
            return self.test(scope);
        }
        let (a, b) = (self.boolean(scope, depth - 1), self.boolean(scope, depth - 1));
        match self.rng.below(9) {
            0 => format!("!({a})"),
            1 => format!("(({a}) & ({b}))"),
            2 => format!("(({a}) | ({b}))"),
            3 => format!("(({a}) xor ({b}))"),
            4 => format!("(({a}) -> ({b}))"),
            5 => format!("(({a}) <-> ({b}))"),
            6 => {
                let (x, y) = (self.number(scope, depth - 1), self.number(scope, depth - 1));
                format!("({x} {} {y})", self.rng.pick(&["=", "!=", "<", "<=", ">", ">="]))
            }
            _ => self.test(scope),
        }
    }

    /// A proposition about one variable.
    fn test(&mut self, scope: &Scope) -> String {
        if scope.is_empty() {
            return self.rng.pick(&["TRUE", "FALSE"]).to_string();
        }
        let (name, ty) = self.rng.pick(scope).clone();
        let value = match &ty {
            Ty::Boolean => return name,
            ty => self.value(ty, &Vec::new(), 0),
        };
        match (&ty, self.rng.below(4)) {
            (Ty::Enumeration(_), 0) => format!("({name} in {{{value}}})"),
            (Ty::Enumeration(_), 1) => format!("({name} != {value})"),
            (Ty::Enumeration(_), _) => format!("({name} = {value})"),
            (_, 0) => format!("({name} < {value})"),
            (_, 1) => format!("({name} >= {value})"),
            _ => format!("({name} = {value})"),
        }
    }
}

fn type_text(ty: &Ty) -> String {
    match ty {
        Ty::Boolean => "boolean".to_owned(),
        Ty::Range(low, high) => format!("{low}..{high}"),
        Ty::Enumeration(constants) => format!("{{{}}}", constants.join(", ")),
        Ty::Word(width, false) => format!("unsigned word[{width}]"),
        Ty::Word(width, true) => format!("signed word[{width}]"),
    }
}

fn size(ty: &Ty) -> usize {
    match ty {
        Ty::Boolean => 2,
        Ty::Range(low, high) => (high - low + 1) as usize,
        Ty::Enumeration(constants) => constants.len(),
        Ty::Word(width, _) => 1 << width,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases;

    #[test]
    fn every_section_of_the_language_occurs() {
        let sections = [
            "FROZENVAR",
            "IVAR",
            "DEFINE",
            "init(",
            "next(",
            "INIT",
            "INVAR",
            "TRANS",
            "FAIRNESS",
            "COMPASSION",
            "process",
            "cell(",
            "word[",
            "union",
            "case",
        ];
        let mut seen = vec![0; sections.len()];
        let run = random_cases(300, |rng| {
            let model = random_smv(rng, &SmvShape::default());
            assert_eq!(model.atoms.len(), 4);
            for (count, section) in seen.iter_mut().zip(sections) {
                *count += usize::from(model.text.contains(section));
            }
        });
        run.enough(seen.iter().all(|&count| count > 0), format_args!("{seen:?}"));
    }
}
