//! Random expressions without side effects and without undefined behaviour.
//!
//! Each comes with its type, so that guards can be chosen: signed arithmetic goes through unsigned types or small operands,
//! divisors are positive, shift counts masked, indices taken modulo the length.

use super::generate::Generator;
use super::types::{Field, INT, Int, Ty, Var};

/// A text and its type.
pub(super) type Typed = (String, Int);

impl Generator<'_> {
    /// An integer expression.
    pub(super) fn int(&mut self, depth: usize) -> Typed {
        if depth == 0 {
            return self.leaf();
        }
        match self.rng.below(24) {
            0..=3 => self.arithmetic(depth),
            4 => self.small_arithmetic(depth),
            5..=6 => self.division(depth),
            7..=8 => self.bitwise(depth),
            9..=10 => self.shift(depth),
            11..=12 => self.comparison(depth),
            13 => self.logical(depth),
            14..=15 => {
                let to = self.any_int();
                let (text, _) = self.int(depth - 1);
                (format!("(({})({text}))", to.name), to)
            }
            16 => {
                let (text, ty) = self.int(depth - 1);
                match self.rng.below(4) {
                    0 => (format!("(~({text}))"), ty.promoted()),
                    1 => (format!("(!({text}))"), INT),
                    2 => (format!("(+({text}))"), ty.promoted()),
                    _ => self.negated(text, ty.promoted()),
                }
            }
            17 => {
                let (condition, _) = self.int(depth - 1);
                let ((a, of_a), (b, of_b)) = (self.int(depth - 1), self.int(depth - 1));
                (format!("(({condition}) ? ({a}) : ({b}))"), of_a.with(of_b))
            }
            18 => {
                let ((a, _), (b, of_b)) = (self.int(depth - 1), self.int(depth - 1));
                // Without the conversion gcc 12 has an internal error where both are constants.
                (format!("((void)({a}), ({b}))"), of_b)
            }
            19 if self.has_floats => self.of_float(depth),
            20 => self.pure_call(depth).unwrap_or_else(|| self.leaf()),
            21 => self.about_pointers().unwrap_or_else(|| self.leaf()),
            22 => self.size(),
            _ => self.leaf(),
        }
    }

    fn two(&mut self, depth: usize) -> (Typed, Typed) {
        let less = self.rng.below(depth);
        let (a, b) = (self.int(depth - 1), self.int(less));
        if self.rng.chance(0.5) { (a, b) } else { (b, a) }
    }

    fn arithmetic(&mut self, depth: usize) -> Typed {
        let ((a, of_a), (b, of_b)) = self.two(depth);
        let ty = of_a.with(of_b);
        let operator = *self.rng.pick(&["+", "-", "*"]);
        if !ty.signed {
            return (format!("(({a}) {operator} ({b}))"), ty);
        }
        let (name, unsigned) = (ty.name, ty.unsigned().name);
        (format!("(({name})(({unsigned})({a}) {operator} ({unsigned})({b})))"), ty)
    }

    fn small_arithmetic(&mut self, depth: usize) -> Typed {
        let ((a, of_a), (b, of_b)) = self.two(depth);
        let ty = of_a.with(INT).with(of_b);
        let (operator, mask) = *self.rng.pick(&[("+", 0x7fff), ("-", 0x7fff), ("*", 0xff)]);
        (format!("((({a}) & {mask}) {operator} (({b}) & {mask}))"), ty)
    }

    fn negated(&mut self, text: String, ty: Int) -> Typed {
        match (ty.signed, self.rng.chance(0.5)) {
            (false, _) => (format!("(-({text}))"), ty),
            (true, true) => (format!("(-(({text}) & 0xff))"), ty),
            (true, false) => (format!("(({})(-({})({text})))", ty.name, ty.unsigned().name), ty),
        }
    }

    fn division(&mut self, depth: usize) -> Typed {
        let (a, of_a) = self.int(depth - 1);
        let operator = *self.rng.pick(&["/", "%"]);
        if self.rng.chance(0.5) {
            let (b, of_b) = self.int(depth - 1);
            return (format!("(({a}) {operator} ((({b}) & 0x3f) + 1))"), of_a.with(of_b.with(INT)));
        }
        let (b, of_b) = self.leaf();
        let ty = of_a.with(of_b);
        (format!("((({b}) == 0 || ({b}) == -1) ? ({a}) : (({a}) {operator} ({b})))"), of_a.with(ty))
    }

    fn bitwise(&mut self, depth: usize) -> Typed {
        let ((a, of_a), (b, of_b)) = self.two(depth);
        let operator = *self.rng.pick(&["&", "|", "^"]);
        (format!("(({a}) {operator} ({b}))"), of_a.with(of_b))
    }

    fn shift(&mut self, depth: usize) -> Typed {
        let ((a, of_a), (b, _)) = self.two(depth);
        let ty = of_a.promoted();
        let most = ty.bits - 1;
        match (self.rng.chance(0.5), ty.signed) {
            (true, true) => (format!("((({a}) & 0x7f) << (({b}) & 7))"), of_a.with(INT)),
            (true, false) => (format!("(({a}) << (({b}) & {most}))"), ty),
            (false, _) => (format!("(({a}) >> (({b}) & {most}))"), ty),
        }
    }

    fn comparison(&mut self, depth: usize) -> Typed {
        let ((a, _), (b, _)) = self.two(depth);
        let operator = *self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        (format!("(({a}) {operator} ({b}))"), INT)
    }

    fn logical(&mut self, depth: usize) -> Typed {
        let ((a, _), (b, _)) = self.two(depth);
        let operator = *self.rng.pick(&["&&", "||"]);
        (format!("(({a}) {operator} ({b}))"), INT)
    }

    /// A floating number of at most some millions: `double`, or `float`.
    pub(super) fn float(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => format!(
                    "{}.{}",
                    self.rng.below(50),
                    *self.rng.pick(&["0", "5", "25", "1", "75f", "0f", "3f"])
                ),
                1 => {
                    let (text, _) = self.leaf();
                    format!("({})(({text}) & 0x3ff)", *self.rng.pick(&["double", "float"]))
                }
                _ => {
                    let (text, _) = self.leaf();
                    format!("(float)(int)(signed char)({text})")
                }
            };
        }
        let (a, b) = (self.float(depth - 1), self.float(depth - 1));
        match self.rng.below(5) {
            0 => format!("(({a}) / 3.0f)"),
            1 => format!("(({a}) / (({b}) * ({b}) + 1.0))"),
            2 => format!("(-({a}))"),
            _ => format!("(({a}) {} ({b}))", *self.rng.pick(&["+", "-", "*"])),
        }
    }

    fn of_float(&mut self, depth: usize) -> Typed {
        let depth = depth.min(2);
        let a = self.float_operand(depth);
        match self.rng.below(5) {
            0 => {
                let b = self.float_operand(depth - 1);
                let operator = *self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
                (format!("(({a}) {operator} ({b}))"), INT)
            }
            1 => (format!("(!({a}))"), INT),
            2 => {
                let (b, of_b) = self.leaf();
                (format!("(({a}) ? ({b}) : 3)"), of_b.with(INT))
            }
            3 => (format!("((_Bool)({a}))"), super::types::BOOL),
            _ => {
                let to = *self.rng.pick(&self.wide_ints());
                (format!("(({})({a}))", to.name), to)
            }
        }
    }

    fn wide_ints(&self) -> Vec<Int> {
        self.ints.iter().copied().filter(|int| int.signed && int.rank >= 3).collect()
    }

    /// A floating variable, or an expression.
    fn float_operand(&mut self, depth: usize) -> String {
        let floats: Vec<String> =
            self.vars().filter(|var| matches!(var.ty, Ty::Float(_))).map(|var| var.name.clone()).collect();
        if !floats.is_empty() && self.rng.chance(0.6) {
            self.rng.pick(&floats).clone()
        } else {
            self.float(depth)
        }
    }

    /// A constant, or something that is read.
    pub(super) fn leaf(&mut self) -> Typed {
        if self.rng.chance(0.25) {
            let ty = self.any_int();
            let text = ty.constant(self.rng);
            // Small types have no constants of their own.
            let ty = ty.promoted();
            return (text, ty);
        }
        if self.rng.chance(0.03) {
            let (text, _) = self.read_place();
            return (
                format!("\"wonders\"[(unsigned)({text}) % 8u]"),
                Int { name: "char", rank: 1, bits: 8, signed: true },
            );
        }
        self.read_place()
    }

    /// An integer place that is read.
    fn read_place(&mut self) -> Typed {
        let vars: Vec<Var> = self.vars().filter(|var| !matches!(var.ty, Ty::Float(_))).cloned().collect();
        if vars.is_empty() {
            return ("7".to_owned(), INT);
        }
        let var = if self.rng.chance(0.6) && vars.len() > 6 {
            vars[vars.len() - 1 - self.rng.below(6)].clone()
        } else {
            self.rng.pick(&vars).clone()
        };
        self.int_inside(var.name, &var.ty)
    }

    /// Goes on from an object to an integer in it.
    pub(super) fn int_inside(&mut self, text: String, ty: &Ty) -> Typed {
        let (mut text, mut ty) = (text, ty.clone());
        loop {
            match ty {
                Ty::Int(int) => return (text, int),
                Ty::Float(_) => return (format!("(int)({text})"), INT),
                Ty::Array(element, n) => {
                    text = format!("{text}[{}]", self.index(n));
                    ty = *element;
                }
                Ty::Struct(of) => {
                    let fields = &self.structs[of].fields;
                    let field = fields[self.rng.below(fields.len())].clone();
                    text = format!("{text}.{}", field.name);
                    ty = match (field.ty, field.width) {
                        // Narrow bit-fields are promoted to int like narrow types.
                        (Ty::Int(int), Some(width)) => {
                            Ty::Int(Int { bits: width.min(int.bits), rank: int.rank.min(3), ..int })
                        }
                        (ty, _) => ty,
                    };
                }
                Ty::Pointer(element, n) => {
                    text = match (&*element, self.rng.below(3)) {
                        (Ty::Struct(of), 0) => {
                            let fields = &self.structs[*of].fields;
                            let plain = fields
                                .iter()
                                .find(|field| field.width.is_none() && matches!(field.ty, Ty::Int(_)));
                            match plain {
                                Some(Field { name, ty: Ty::Int(int), .. }) => {
                                    return (format!("{text}->{name}"), *int);
                                }
                                _ => format!("(*{text})"),
                            }
                        }
                        (_, 0) => format!("(*{text})"),
                        (_, 1) => format!("(*({text} + {}))", self.index(n)),
                        _ => format!("{text}[{}]", self.index(n)),
                    };
                    ty = *element;
                }
            }
        }
    }

    /// An index below a length.
    pub(super) fn index(&mut self, n: usize) -> String {
        if self.rng.chance(0.5) {
            return self.rng.below(n).to_string();
        }
        let names: Vec<String> =
            self.vars().filter(|var| matches!(var.ty, Ty::Int(_))).map(|var| var.name.clone()).collect();
        match names.is_empty() {
            true => self.rng.below(n).to_string(),
            false => format!("(unsigned)({}) % {n}u", self.rng.pick(&names)),
        }
    }

    fn pure_call(&mut self, depth: usize) -> Option<Typed> {
        let room = self.room();
        let pure: Vec<_> =
            self.functions.iter().filter(|sig| sig.is_pure && sig.cost < room).cloned().collect();
        if pure.is_empty() {
            return None;
        }
        let sig = self.rng.pick(&pure).clone();
        self.spend(sig.cost);
        let Some(Ty::Int(returns)) = sig.returns else { return None };
        let arguments: Vec<String> = (0..sig.parameters.len())
            .map(|at| {
                if at == 0 && sig.is_recursive {
                    return self.rng.below(6).to_string();
                }
                self.int(depth.saturating_sub(2)).0
            })
            .collect();
        Some((format!("{}({})", sig.name, arguments.join(", ")), returns))
    }

    fn about_pointers(&mut self) -> Option<Typed> {
        let pointers: Vec<Var> =
            self.vars().filter(|var| matches!(var.ty, Ty::Pointer(..))).cloned().collect();
        if pointers.is_empty() {
            return None;
        }
        let var = self.rng.pick(&pointers).clone();
        let Ty::Pointer(_, n) = var.ty else { return None };
        let (a, b) = (self.index(n), self.index(n));
        let name = var.name;
        let text = match self.rng.below(4) {
            0 => format!("((int)(&{name}[{a}] - &{name}[{b}]))"),
            1 => format!("(({name} + {a}) < ({name} + {b}))"),
            2 => format!("(&{name}[{a}] == {name} + ({b}))"),
            _ => format!("(!{name})"),
        };
        Some((text, INT))
    }

    fn size(&mut self) -> Typed {
        let vars: Vec<String> = self.vars().map(|var| var.name.clone()).collect();
        if vars.is_empty() || self.rng.chance(0.3) {
            let ty = self.any_int();
            return (format!("((int)sizeof({}))", ty.name), INT);
        }
        (format!("((int)sizeof({}))", self.rng.pick(&vars)), INT)
    }
}
