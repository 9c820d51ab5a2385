//! Random C programs that do nothing undefined and leave nothing unspecified: by construction, see `expressions` and `statements`.
//!
//! A program is a function without parameters that returns a checksum of all that it computed. Names begin with a prefix, so that many
//! programs fit into one text.

use super::types::{self, BOOL, BYTE, Field, INT, Int, Sig, Struct, Ty, UNSIGNED, Var};
use std::fmt::Write;
use tertium_front_c::ir::DataModel;
use tertium_support::Rng;

/// How many statements a program may do, roughly.
const COST: u64 = 20_000;

/// Makes one program.
pub(crate) struct Generator<'r> {
    pub(super) rng: &'r mut Rng,
    pub(super) prefix: String,
    pub(super) ints: Vec<Int>,
    pub(super) structs: Vec<Struct>,
    pub(super) globals: Vec<Var>,
    pub(super) functions: Vec<Sig>,
    pub(super) locals: Vec<Var>,
    pub(super) is_pure: bool,
    pub(super) out: String,
    pub(super) indent: usize,
    /// How often what is written now may be done, and what was spent on this function.
    pub(super) weight: u64,
    pub(super) spent: u64,
    pub(super) n_names: usize,
    /// What the enclosing statements allow: `break`, `continue`.
    pub(super) in_loop: bool,
    /// Whether there may be floating numbers.
    pub(crate) has_floats: bool,
    /// Whether there may be unions.
    pub(crate) has_unions: bool,
    /// A statement to be written once in the body of the main function, on a line of its own.
    pub(super) planted: Option<String>,
}

/// Declarations that all programs share.
pub(crate) fn prelude(model: DataModel) -> String {
    let size = if model == DataModel::Lp64 { "unsigned long" } else { "unsigned int" };
    format!(
        "extern void *malloc({size});\nextern void free(void *);\nextern void *memset(void *, int, {size});\n\
         extern void *memcpy(void *, const void *, {size});\nextern {size} strlen(const char *);\n\
         extern int memcmp(const void *, const void *, {size});\n"
    )
}

impl<'r> Generator<'r> {
    pub(crate) fn new(rng: &'r mut Rng, prefix: &str, model: DataModel) -> Self {
        Self {
            rng,
            prefix: prefix.to_owned(),
            ints: types::all(model),
            structs: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            locals: Vec::new(),
            is_pure: false,
            out: String::new(),
            indent: 0,
            weight: 1,
            spent: 0,
            n_names: 0,
            in_loop: false,
            has_floats: true,
            has_unions: true,
            planted: None,
        }
    }

    /// The text of a whole program; its main function is the prefix followed by `main`.
    pub(crate) fn program(mut self) -> String {
        let prefix = self.prefix.clone();
        let _ = writeln!(self.out, "unsigned int {prefix}sum = 1u;");
        let _ =
            writeln!(self.out, "void {prefix}mix(unsigned int v) {{ {prefix}sum = {prefix}sum * 31u + v; }}");
        for _ in 0..self.rng.between(1, 3) {
            self.structure();
        }
        for _ in 0..self.rng.between(2, 7) {
            self.global();
        }
        for _ in 0..self.rng.below(3) {
            self.function(true);
        }
        for _ in 0..self.rng.between(1, 3) {
            self.function(false);
        }
        self.main();
        self.out
    }

    pub(super) fn any_int(&mut self) -> Int {
        *self.rng.pick(&self.ints)
    }

    /// What can be named here.
    pub(super) fn vars(&self) -> impl Iterator<Item = &Var> {
        let globals = if self.is_pure { &[][..] } else { &self.globals };
        globals.iter().chain(&self.locals)
    }

    pub(super) fn name(&mut self, kind: &str) -> String {
        self.n_names += 1;
        format!("{kind}{}", self.n_names)
    }

    /// How expensive a call may be here.
    pub(super) fn room(&self) -> u64 {
        (COST / 4).saturating_sub(self.spent) / self.weight
    }

    pub(super) fn spend(&mut self, cost: u64) {
        self.spent += self.weight * cost;
    }

    pub(super) fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 4 * self.indent);
    }

    fn structure(&mut self) {
        let prefix = self.prefix.clone();
        let name = self.name(&format!("{prefix}s"));
        let number = self.structs.len();
        if self.has_unions && self.rng.chance(0.2) {
            self.union(name);
            return;
        }
        let mut fields = Vec::new();
        for at in 0..self.rng.between(1, 5) {
            let name = format!("f{at}");
            let (ty, width) = match self.rng.below(8) {
                0..=1 => {
                    let narrow = [INT, UNSIGNED, BYTE, BOOL, self.ints[4], self.ints[5]];
                    let of = *self.rng.pick(&narrow);
                    (Ty::Int(of), Some(self.rng.between(1, of.bits as usize) as u32))
                }
                2 => (Ty::Array(Box::new(Ty::Int(self.any_int())), self.rng.between(1, 4)), None),
                3 if number > 0 => (Ty::Struct(self.rng.below(number)), None),
                _ => (Ty::Int(self.any_int()), None),
            };
            fields.push(Field { name, ty, width });
        }
        self.declare(Struct { name, is_union: false, fields });
    }

    /// A union whose members are all full of bits that mean something.
    fn union(&mut self, name: String) {
        let field = |name: &str, ty| Field { name: name.to_owned(), ty, width: None };
        let (short, signed) = (self.ints[5], self.ints[2]);
        let fields = vec![
            field("whole", Ty::Int(if self.rng.chance(0.5) { INT } else { UNSIGNED })),
            field("halves", Ty::Array(Box::new(Ty::Int(short)), 2)),
            field("bytes", Ty::Array(Box::new(Ty::Int(if self.rng.chance(0.5) { BYTE } else { signed })), 4)),
        ];
        self.declare(Struct { name, is_union: true, fields });
    }

    fn declare(&mut self, new: Struct) {
        let kind = if new.is_union { "union" } else { "struct" };
        let _ = writeln!(self.out, "{kind} {} {{", new.name);
        for field in &new.fields {
            let width = field.width.map(|width| format!(" : {width}")).unwrap_or_default();
            let text = self.declaration(&field.ty, &field.name);
            let _ = writeln!(self.out, "    {text}{width};");
        }
        self.out.push_str("};\n");
        self.structs.push(new);
    }

    /// The text that declares an object.
    pub(super) fn declaration(&self, ty: &Ty, name: &str) -> String {
        match ty {
            Ty::Int(int) => format!("{} {name}", int.name),
            Ty::Float(kind) => format!("{kind} {name}"),
            Ty::Struct(of) => format!("{} {name}", self.tag(*of)),
            Ty::Array(element, n) => self.declaration(element, &format!("{name}[{n}]")),
            Ty::Pointer(element, _) if matches!(**element, Ty::Array(..)) => {
                self.declaration(element, &format!("(*{name})"))
            }
            Ty::Pointer(element, _) => self.declaration(element, &format!("*{name}")),
        }
    }

    pub(super) fn tag(&self, of: usize) -> String {
        let of = &self.structs[of];
        format!("{} {}", if of.is_union { "union" } else { "struct" }, of.name)
    }

    /// The type of an object.
    pub(super) fn any_type(&mut self) -> Ty {
        match self.rng.below(10) {
            0 | 1 => Ty::Struct(self.rng.below(self.structs.len())),
            2 => Ty::Array(Box::new(Ty::Int(self.any_int())), self.rng.between(1, 8)),
            3 if self.rng.chance(0.5) => {
                Ty::Array(Box::new(Ty::Struct(self.rng.below(self.structs.len()))), 3)
            }
            3 => Ty::Array(Box::new(Ty::Array(Box::new(Ty::Int(self.any_int())), 3)), 2),
            4 if self.has_floats => Ty::Float(if self.rng.chance(0.5) { "double" } else { "float" }),
            _ => Ty::Int(self.any_int()),
        }
    }

    fn global(&mut self) {
        let prefix = self.prefix.clone();
        let name = self.name(&format!("{prefix}g"));
        let ty = self.any_type();
        let text = self.declaration(&ty, &name);
        if self.rng.chance(0.4) {
            self.line(&format!("{text};"));
        } else {
            let value = self.initialiser(&ty, true);
            self.line(&format!("{text} = {value};"));
        }
        if let (Ty::Array(element, n), true) = (&ty, self.rng.chance(0.4)) {
            let pointer = Ty::Pointer(element.clone(), *n);
            let of = self.name(&format!("{prefix}g"));
            let text = self.declaration(&pointer, &of);
            self.line(&format!("{text} = {name};"));
            self.globals.push(Var { name: of, ty: pointer, is_constant: true });
        }
        self.globals.push(Var { name, ty, is_constant: false });
    }

    /// A value that an object is initialised with; of constants only where the standard asks for it.
    pub(super) fn initialiser(&mut self, ty: &Ty, is_constant: bool) -> String {
        match ty {
            Ty::Int(int) if is_constant => int.constant(self.rng),
            Ty::Int(_) => self.int(2).0,
            Ty::Float(_) if is_constant => format!("{}.5", self.rng.below(100)),
            Ty::Float(_) => self.float(1),
            Ty::Array(element, n) => {
                let mut parts = Vec::new();
                let mut at = 0;
                while at < *n && self.rng.chance(0.8) {
                    if self.rng.chance(0.15) {
                        at = self.rng.between(at, *n - 1);
                        parts.push(format!("[{at}] = {}", self.initialiser(element, is_constant)));
                    } else {
                        parts.push(self.initialiser(element, is_constant));
                    }
                    at += 1;
                }
                if parts.is_empty() {
                    parts.push(self.initialiser(element, is_constant));
                }
                format!("{{{}}}", parts.join(", "))
            }
            Ty::Struct(of) => {
                let new = self.structs[*of].clone();
                if new.is_union {
                    return format!("{{{}}}", self.initialiser(&new.fields[0].ty, is_constant));
                }
                let by_name = self.rng.chance(0.4);
                let mut parts = Vec::new();
                for field in &new.fields {
                    let value = self.initialiser(&field.ty, is_constant);
                    if by_name && self.rng.chance(0.3) {
                        continue;
                    }
                    parts.push(if by_name { format!(".{} = {value}", field.name) } else { value });
                }
                if parts.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", parts.join(", ")) }
            }
            Ty::Pointer(..) => unreachable!("pointers are made of objects"),
        }
    }

    fn function(&mut self, is_pure: bool) {
        let prefix = self.prefix.clone();
        let name = self.name(&format!("{prefix}f"));
        let is_recursive = self.rng.chance(0.4);
        let mut parameters = Vec::new();
        if is_recursive {
            parameters.push(Ty::Int(INT));
        }
        for _ in 0..self.rng.below(4) {
            let ty = match self.rng.below(6) {
                0 if !is_pure => Ty::Struct(self.rng.below(self.structs.len())),
                1 if !is_pure => Ty::Pointer(Box::new(Ty::Int(self.any_int())), self.rng.between(1, 4)),
                2 if !is_pure => Ty::Pointer(Box::new(Ty::Struct(self.rng.below(self.structs.len()))), 1),
                3 if !is_pure && self.has_floats => Ty::Float("double"),
                _ => Ty::Int(self.any_int()),
            };
            parameters.push(ty);
        }
        let returns = match self.rng.below(6) {
            0 if !is_pure => None,
            1 if !is_pure => Some(Ty::Struct(self.rng.below(self.structs.len()))),
            _ => Some(Ty::Int(self.any_int())),
        };
        let names: Vec<String> = (0..parameters.len()).map(|at| format!("a{at}")).collect();
        let list: Vec<String> =
            names.iter().zip(&parameters).map(|(name, ty)| self.declaration(ty, name)).collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        let head = match &returns {
            Some(ty) => self.declaration(ty, &format!("{name}({list})")),
            None => format!("void {name}({list})"),
        };
        self.line(&format!("{head} {{"));
        (self.is_pure, self.weight, self.spent) = (is_pure, 1, 0);
        let variables = names.iter().zip(&parameters);
        self.locals = variables
            .map(|(name, ty)| Var {
                name: name.clone(),
                ty: ty.clone(),
                is_constant: matches!(ty, Ty::Pointer(..)) || is_recursive && name == "a0",
            })
            .collect();
        self.indent = 1;
        if is_recursive {
            self.line("if (a0 <= 0) {");
            self.indent += 1;
            self.end(&returns);
            self.indent -= 1;
            self.line("}");
        }
        for _ in 0..self.rng.between(1, 3) {
            self.local();
        }
        self.statements(2);
        let mut cost = self.spent + 10;
        if is_recursive {
            let n_calls = self.rng.between(1, 2);
            for _ in 0..n_calls {
                let rest: Vec<String> = parameters.iter().skip(1).map(|ty| self.argument(ty)).collect();
                let arguments = std::iter::once("a0 - 1".to_owned()).chain(rest);
                let call = format!("{name}({})", arguments.collect::<Vec<_>>().join(", "));
                self.take(&call, &returns);
            }
            cost = cost.saturating_mul(if n_calls == 2 { 64 } else { 6 });
        }
        self.end(&returns);
        self.indent = 0;
        self.line("}");
        self.locals.clear();
        self.functions.push(Sig { name, returns, parameters, is_pure, is_recursive, cost });
    }

    /// Leaves a function.
    fn end(&mut self, returns: &Option<Ty>) {
        match returns {
            None => self.line("return;"),
            Some(Ty::Struct(of)) => {
                let name = self.name("r");
                let value = self.initialiser(&Ty::Struct(*of), false);
                let tag = self.tag(*of);
                self.line(&format!("{tag} {name} = {value};"));
                self.line(&format!("return {name};"));
            }
            Some(_) => {
                let (value, _) = self.int(2);
                self.line(&format!("return {value};"));
            }
        }
    }

    fn main(&mut self) {
        let prefix = self.prefix.clone();
        self.line(&format!("int {prefix}main(void) {{"));
        (self.is_pure, self.weight, self.spent) = (false, 1, 0);
        self.indent = 1;
        for _ in 0..self.rng.between(2, 5) {
            self.local();
        }
        self.statements(4);
        if let Some(text) = self.planted.take() {
            self.out.push_str(&text);
            self.statements(1);
        }
        for _ in 0..self.rng.between(1, 4) {
            self.call();
        }
        self.statements(3);
        for var in self.vars().cloned().collect::<Vec<_>>() {
            self.mix_all(&var.name, &var.ty);
        }
        self.line(&format!("return (int)({prefix}sum & 0x7fffffffu);"));
        self.indent = 0;
        self.line("}");
        self.locals.clear();
    }

    /// Puts all integers of an object into the checksum.
    fn mix_all(&mut self, name: &str, ty: &Ty) {
        let prefix = self.prefix.clone();
        match ty {
            Ty::Int(_) => self.line(&format!("{prefix}mix((unsigned int)({name}));")),
            Ty::Float(_) => self.line(&format!("{prefix}mix((unsigned int)(long long)({name} * 16.0));")),
            Ty::Array(element, n) => (0..*n).for_each(|at| self.mix_all(&format!("{name}[{at}]"), element)),
            Ty::Struct(of) => {
                for field in self.structs[*of].fields.clone() {
                    self.mix_all(&format!("{name}.{}", field.name), &field.ty);
                }
                let name = format!("sizeof({name})");
                self.mix_all(&name, &Ty::Int(INT));
            }
            Ty::Pointer(..) => {}
        }
    }
}
