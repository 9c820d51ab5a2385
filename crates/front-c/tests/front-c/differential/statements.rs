//! Random statements. Loops have bounds; every full expression has one side effect, or some in an order that the standard fixes.

use super::generate::Generator;
use super::types::{INT, Int, Ty, Var};

impl Generator<'_> {
    /// Some statements of at most this depth.
    pub(super) fn statements(&mut self, depth: usize) {
        let n_locals = self.locals.len();
        for _ in 0..self.rng.between(1, 4) {
            self.statement(depth);
        }
        // What was declared at the top of a function stays; blocks forget theirs.
        if self.indent > 1 {
            self.locals.truncate(n_locals);
        }
    }

    fn block(&mut self, depth: usize) {
        let n_locals = self.locals.len();
        self.indent += 1;
        self.statements(depth);
        self.indent -= 1;
        self.locals.truncate(n_locals);
    }

    fn statement(&mut self, depth: usize) {
        self.spend(1);
        let is_deep = depth > 0 && self.weight < 200;
        match self.rng.below(26) {
            0..=5 => self.assignment(),
            6..=7 => self.compound(),
            8 => self.step(),
            9 => self.sequenced(),
            10..=11 if is_deep => self.condition(depth),
            12..=13 if is_deep => self.counted(depth),
            14 if is_deep => self.while_loop(depth),
            15 if is_deep => self.choice(depth),
            16 if is_deep => self.jump(depth),
            17..=18 => self.local(),
            19 => self.pointer(),
            20..=21 if !self.is_pure => self.call(),
            22 if !self.is_pure => self.whole(),
            23 if !self.is_pure => self.library(),
            24 if self.in_loop => {
                let (text, _) = self.int(1);
                let word = *self.rng.pick(&["break", "continue"]);
                self.line(&format!("if ({text}) {word};"));
            }
            _ => self.mix(),
        }
    }

    /// A place that can be written, with its type.
    fn target(&mut self) -> Option<(String, Int)> {
        let vars: Vec<Var> = self
            .vars()
            .filter(|var| !matches!(var.ty, Ty::Float(_)))
            .filter(|var| !var.is_constant || matches!(var.ty, Ty::Pointer(..)))
            .cloned()
            .collect();
        if vars.is_empty() {
            return None;
        }
        let var = self.rng.pick(&vars).clone();
        Some(self.int_inside(var.name, &var.ty))
    }

    fn assignment(&mut self) {
        let floats: Vec<Var> = self.vars().filter(|var| matches!(var.ty, Ty::Float(_))).cloned().collect();
        if !floats.is_empty() && self.rng.chance(0.15) {
            let name = self.rng.pick(&floats).name.clone();
            let value = self.float(2);
            let text = if self.rng.chance(0.5) { format!("{value} + {name} * 0.5") } else { value };
            return self.line(&format!("{name} = {text};"));
        }
        let Some((place, _)) = self.target() else { return };
        let depth = self.rng.between(1, 4);
        let (value, _) = self.int(depth);
        self.line(&format!("{place} = {value};"));
    }

    fn compound(&mut self) {
        let Some((place, ty)) = self.target() else { return };
        let (value, of) = self.int(2);
        let common = ty.with(of);
        let (is_safe, most) = (!common.signed, ty.promoted().bits - 1);
        let text = match self.rng.below(8) {
            0 if is_safe => format!("{place} += {value};"),
            1 if is_safe => format!("{place} -= {value};"),
            2 if is_safe => format!("{place} *= {value};"),
            0..=2 if ty.promoted().bits > ty.bits => format!("{place} += (({value}) & 0xff);"),
            3 => format!("{place} /= ((({value}) & 0x1f) + 1);"),
            4 => format!("{place} %= ((({value}) & 0x1f) + 1);"),
            5 if !ty.promoted().signed => format!("{place} <<= (({value}) & {most});"),
            5 => format!("{place} >>= (({value}) & {most});"),
            6 => format!("{place} &= {value};"),
            7 => format!("{place} |= {value};"),
            _ => format!("{place} ^= {value};"),
        };
        self.line(&text);
    }

    /// `++` and `--`, of types where that cannot overflow.
    fn step(&mut self) {
        let Some((place, ty)) = self.target() else { return };
        if ty.signed && ty.promoted().bits == ty.bits {
            return self.line(&format!("{place} = ({place}) / 2;"));
        }
        let text = *self.rng.pick(&["++%", "--%", "%++", "%--"]);
        let step = text.replace('%', &format!("({place})"));
        self.line(&format!("{step};"));
    }

    /// Side effects inside of expressions, in an order that is fixed. Both variables are new.
    fn sequenced(&mut self) {
        let (v, w) = (self.name("v"), self.name("w"));
        let (a, _) = self.int(1);
        self.line(&format!("unsigned int {v} = 0, {w} = (unsigned int)({a});"));
        let ((a, _), (b, _)) = (self.int(2), self.int(2));
        let text = match self.rng.below(9) {
            0 => format!("{v} = ({w}++, {a});"),
            1 => format!("{v} = ({a}) ? {w}++ : --{w};"),
            2 => format!("{v} = (({a}) && ({w} = (unsigned int)({b}))) || {w} > 7u;"),
            3 => format!("{v} = ({w} = (unsigned int)({a})) * 3u;"),
            4 => format!("{v} = {w} += (unsigned int)({a});"),
            5 => format!("if (({a}) || {w}++ > 3u) {v} = {w}; else {v} = {w}--;"),
            6 => format!("for ({v} = 0; {v}++ < 5u && ({w} & 1u); ) {w} >>= 1;"),
            7 => format!("{v} = ({a}) ? ({w} -= 3u) : ({w} ^= 0x55u, ({b}));"),
            _ => format!("do {{ {v} += {w}; }} while (({w} >>= 3) != 0);"),
        };
        self.line(&text);
        for name in [v, w] {
            let ty = Ty::Int(super::types::UNSIGNED);
            self.locals.push(Var { name, ty, is_constant: false });
        }
    }

    fn condition(&mut self, depth: usize) {
        let (text, _) = self.int(3);
        self.line(&format!("if ({text}) {{"));
        self.block(depth - 1);
        if self.rng.chance(0.5) {
            self.line("} else {");
            self.block(depth - 1);
        }
        self.line("}");
    }

    fn in_loop(&mut self, n: usize, body: impl FnOnce(&mut Self)) {
        let (weight, in_loop) = (self.weight, self.in_loop);
        self.weight *= n as u64;
        self.in_loop = true;
        body(self);
        (self.weight, self.in_loop) = (weight, in_loop);
    }

    fn counted(&mut self, depth: usize) {
        let (name, n) = (self.name("i"), self.rng.between(1, 6));
        let ty = *self.rng.pick(&[INT, super::types::UNSIGNED, super::types::BYTE]);
        let head = if self.rng.chance(0.5) {
            format!("for ({} {name} = 0; {name} < {n}; {name}++) {{", ty.name)
        } else {
            format!("for ({} {name} = {n}; {name} > 0; --{name}) {{", ty.name)
        };
        self.line(&head);
        self.locals.push(Var { name, ty: Ty::Int(ty), is_constant: true });
        self.in_loop(n, |this| this.block(depth - 1));
        self.locals.pop();
        self.line("}");
    }

    fn while_loop(&mut self, depth: usize) {
        let (name, n) = (self.name("i"), self.rng.between(1, 5));
        self.line(&format!("int {name} = {n};"));
        self.locals.push(Var { name: name.clone(), ty: Ty::Int(INT), is_constant: true });
        let (text, _) = self.int(1);
        let is_first = self.rng.chance(0.5);
        self.line(&if is_first { format!("while ({name} > 0 && ({text})) {{") } else { "do {".to_owned() });
        self.indent += 1;
        self.line(&format!("{name}--;"));
        self.indent -= 1;
        self.in_loop(n, |this| this.block(depth - 1));
        self.line(&if is_first { "}".to_owned() } else { format!("}} while ({name} > 0 && ({text}));") });
    }

    fn choice(&mut self, depth: usize) {
        let (text, ty) = self.int(2);
        let is_mixed = self.rng.chance(0.3);
        let head = if is_mixed { format!("(signed char)({text})") } else { format!("({text}) & 7") };
        let _ = ty;
        self.line(&format!("switch ({head}) {{"));
        let in_loop = std::mem::replace(&mut self.in_loop, false);
        let n = self.rng.between(1, 5);
        let default = self.rng.below(n + 2);
        for at in 0..n {
            if at == default {
                self.line("default:");
            }
            let value = if is_mixed { at as i64 * 37 - 80 } else { at as i64 };
            self.line(&format!("case {value}: {{"));
            self.block(depth - 1);
            self.line("}");
            if self.rng.chance(0.7) {
                self.line("    break;");
            }
        }
        self.in_loop = in_loop;
        self.line("}");
    }

    fn jump(&mut self, depth: usize) {
        let prefix = self.prefix.clone();
        let label = self.name(&format!("{prefix}l"));
        let (text, _) = self.int(2);
        self.line(&format!("if ({text}) goto {label};"));
        self.line("{");
        self.block(depth - 1);
        self.line("}");
        self.line(&format!("{label}: ;"));
    }

    pub(super) fn local(&mut self) {
        let name = self.name("x");
        let ty = if self.is_pure { Ty::Int(self.any_int()) } else { self.any_type() };
        let value = self.initialiser(&ty, false);
        let text = self.declaration(&ty, &name);
        self.line(&format!("{text} = {value};"));
        self.locals.push(Var { name, ty, is_constant: false });
    }

    /// A pointer into something that lives as long as the name.
    fn pointer(&mut self) {
        let targets: Vec<Var> = self
            .vars()
            .filter(|var| !var.is_constant && !matches!(var.ty, Ty::Pointer(..) | Ty::Float(_)))
            .cloned()
            .collect();
        if targets.is_empty() {
            return;
        }
        let var = self.rng.pick(&targets).clone();
        let (to, ty) = match var.ty {
            Ty::Array(element, n) => {
                let from = self.rng.below(n);
                (format!("&{}[{from}]", var.name), Ty::Pointer(element, n - from))
            }
            ty => (format!("&{}", var.name), Ty::Pointer(Box::new(ty), 1)),
        };
        let name = self.name("p");
        let text = self.declaration(&ty, &name);
        self.line(&format!("{text} = {to};"));
        self.locals.push(Var { name, ty, is_constant: true });
    }

    /// An argument for a parameter.
    pub(super) fn argument(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Int(_) => self.int(2).0,
            Ty::Float(_) => self.float(1),
            Ty::Struct(_) | Ty::Array(..) => self.object(ty),
            Ty::Pointer(element, n) => {
                let own: Vec<String> = self
                    .vars()
                    .filter(|var| matches!(&var.ty, Ty::Pointer(of, m) if of == element && m >= n))
                    .map(|var| var.name.clone())
                    .collect();
                if !own.is_empty() && self.rng.chance(0.5) {
                    return self.rng.pick(&own).clone();
                }
                let array = Ty::Array(element.clone(), *n);
                let name = self.object(&array);
                format!("&{name}[0]")
            }
        }
    }

    /// An object of a type: one that is there, or a new one.
    fn object(&mut self, ty: &Ty) -> String {
        let own: Vec<String> = self.vars().filter(|var| var.ty == *ty).map(|var| var.name.clone()).collect();
        if !own.is_empty() && self.rng.chance(0.7) {
            return self.rng.pick(&own).clone();
        }
        let name = self.name("x");
        let value = self.initialiser(ty, false);
        let text = self.declaration(ty, &name);
        self.line(&format!("{text} = {value};"));
        self.locals.push(Var { name: name.clone(), ty: ty.clone(), is_constant: false });
        name
    }

    pub(super) fn call(&mut self) {
        let room = self.room();
        let known: Vec<_> = self.functions.iter().filter(|sig| sig.cost < room).cloned().collect();
        if known.is_empty() {
            return;
        }
        let sig = self.rng.pick(&known).clone();
        self.spend(sig.cost);
        let mut arguments = Vec::new();
        for (at, ty) in sig.parameters.iter().enumerate() {
            let is_depth = at == 0 && sig.is_recursive;
            arguments.push(if is_depth { self.rng.below(6).to_string() } else { self.argument(ty) });
        }
        let mut call = format!("{}({})", sig.name, arguments.join(", "));
        if let (Some(Ty::Int(returns)), true) = (&sig.returns, self.rng.chance(0.2)) {
            // Through a pointer to the function.
            let types: Vec<String> = sig.parameters.iter().map(|ty| self.declaration(ty, "")).collect();
            let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
            let name = self.name("h");
            let address = *self.rng.pick(&["", "&"]);
            self.line(&format!("{} (*{name})({types}) = {address}{};", returns.name, sig.name));
            let callee = if self.rng.chance(0.5) { name } else { format!("(*{name})") };
            call = format!("{callee}({})", arguments.join(", "));
        }
        self.take(&call, &sig.returns);
    }

    /// Does something with what a call gives.
    pub(super) fn take(&mut self, call: &str, returns: &Option<Ty>) {
        match returns {
            Some(Ty::Int(int)) => {
                let name = self.name("x");
                let int = if self.rng.chance(0.7) { *int } else { self.any_int() };
                self.line(&format!("{} {name} = {call};", int.name));
                self.locals.push(Var { name, ty: Ty::Int(int), is_constant: false });
            }
            Some(Ty::Struct(of)) => {
                let tag = self.tag(*of);
                if self.rng.chance(0.3) {
                    let (member, _) = self.int_inside(call.to_owned(), &Ty::Struct(*of));
                    let prefix = self.prefix.clone();
                    return self.line(&format!("{prefix}mix((unsigned int)({member}));"));
                }
                let name = self.name("x");
                self.line(&format!("{tag} {name} = {call};"));
                self.locals.push(Var { name, ty: Ty::Struct(*of), is_constant: false });
            }
            _ => self.line(&format!("{call};")),
        }
    }

    /// Copies a structure.
    fn whole(&mut self) {
        let structs: Vec<Var> =
            self.vars().filter(|var| matches!(var.ty, Ty::Struct(_)) && !var.is_constant).cloned().collect();
        if structs.is_empty() {
            return;
        }
        let to = self.rng.pick(&structs).clone();
        let from = self.object(&to.ty);
        if from == to.name || self.rng.chance(0.7) {
            self.line(&format!("{} = {from};", to.name));
        } else {
            self.line(&format!("memcpy(&{}, &{from}, sizeof({from}));", to.name));
        }
    }

    /// Memory from the heap, and texts.
    fn library(&mut self) {
        let prefix = self.prefix.clone();
        match self.rng.below(4) {
            0 => {
                let text = &"what a lovely day"[..self.rng.between(0, 17)];
                self.line(&format!("{prefix}mix((unsigned int)strlen(\"{text}\"));"));
            }
            1 => {
                let arrays: Vec<Var> =
                    self.vars().filter(|var| matches!(var.ty, Ty::Array(..))).cloned().collect();
                let Some(var) = (!arrays.is_empty()).then(|| self.rng.pick(&arrays).clone()) else { return };
                // Every byte of _Bool must be zero or one.
                let (name, byte) = (var.name, self.rng.below(2));
                self.line(&format!("memset({name}, {byte}, sizeof({name}));"));
            }
            _ => {
                let (ty, n, name, at) =
                    (self.any_int(), self.rng.between(1, 5), self.name("p"), self.name("i"));
                let ty = ty.name;
                self.line("{");
                self.indent += 1;
                self.line(&format!("{ty} *{name} = malloc({n} * sizeof(*{name}));"));
                let (value, _) = self.int(1);
                self.line(&format!(
                    "for (int {at} = 0; {at} < {n}; {at}++) {name}[{at}] = ({ty})(({value}) ^ {at});"
                ));
                let n_locals = self.locals.len();
                let element = *self.ints.iter().find(|int| int.name == ty).expect("it was chosen there");
                let pointer = Ty::Pointer(Box::new(Ty::Int(element)), n);
                self.locals.push(Var { name: name.clone(), ty: pointer, is_constant: true });
                self.assignment();
                self.assignment();
                self.mix();
                self.line(&format!("{prefix}mix((unsigned int)({name}[{}]));", n - 1));
                self.line(&format!("free({name});"));
                self.locals.truncate(n_locals);
                self.indent -= 1;
                self.line("}");
            }
        }
    }

    fn mix(&mut self) {
        if self.is_pure {
            return self.assignment();
        }
        let prefix = self.prefix.clone();
        let (text, _) = self.int(3);
        self.line(&format!("{prefix}mix((unsigned int)({text}));"));
    }
}
