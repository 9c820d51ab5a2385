//! Whatever the text, reading ends without harm, and complaints point at places inside the text.

use tertium_front_c::ir::{DataModel, ExpressionKind, InstructionKind};
use tertium_front_c::{ReadOptions, needs_preprocessor, read};
use tertium_support::{Context, Rng, Severity, Source, render};
use tertium_testkit::fuzz_cases;

const TOKENS: [&str; 112] = [
    "int",
    "char",
    "unsigned",
    "long",
    "short",
    "signed",
    "float",
    "double",
    "void",
    "_Bool",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "register",
    "inline",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "return",
    "sizeof",
    "a",
    "b",
    "f",
    "g",
    "T",
    "S",
    "main",
    "x",
    "y",
    "0",
    "1",
    "2",
    "0x7f",
    "1u",
    "2ll",
    "1.5",
    "'a'",
    "'\\n'",
    "\"s\"",
    "L'x'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "?",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "~",
    "!",
    "<",
    ">",
    "<<",
    ">>",
    "==",
    "!=",
    "<=",
    ">=",
    "&&",
    "||",
    "+=",
    "-=",
    "<<=",
    "++",
    "--",
    "->",
    ".",
    "...",
    "__attribute__((packed))",
    "__extension__",
    "__asm__(\"\")",
    "__int128",
    "// c\n",
    "/* c */",
    "\n# 3 \"f.h\"\n",
    "#pragma x\n",
    "int main() {",
    "__VERIFIER_nondet_int()",
    "reach_error();",
    "assert(x);",
    "malloc(4)",
    "abort();",
    "printf(\"\");",
    "typeof(x)",
    "({",
    "})",
    "\\",
    "\u{3bc}",
];

const EXAMPLES: [&str; 7] = [
    include_str!("programs/language.c"),
    "typedef unsigned int uint;\nstruct S { int a : 3; unsigned b : 5; struct S *next; union { int c; char d[4]; }; };\n\
     static struct S s = { 1, 2, 0, { .c = 3 } };\nint a[] = { [2] = 1, 2, [0 ... 1] = 5 };\n\
     int main(void) { s.next = &s; s.c += a[s.a++]; return s.next->b ? s.d[1] : sizeof(struct S); }\n",
    "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n\
     int main() { int x = __VERIFIER_nondet_int(); if (fact(x) == 24 && x != 4) { ERROR: reach_error(); } return 0; }\n",
    "f(a, b) char a; { switch (a) { case 1: b++; case 2 ... 5: break; default: goto out; } out: return b; }\n\
<<<<<<< HEAD
     main() { static x = 3; int (*p)() = f; for (int i = 0, j; i < 3; i++) { \
     if (i == 1) continue; else if (i == 2) x--; else break; j = p(i, x); } \
=======
     main() { static x = 3; int (*p)() = f; \
     for (int i = 0, j; i < 3; i++) { if (i == 1) continue; else if (i == 2) x--; else break; j = p(i, x); } \
>>>>>>> main
     do { x = (x, x + 1); } while (x < 5 || p(1, 2)); return x ?: 3; }\n",
    "enum e { A, B = 5, C };\nint g(const char *s, ...);\nlong long v = 1LL << 40;\ndouble d = 1.5e3;\n\
     int main() { char t[] = \"ab\\x41\" \"c\"; enum e k = C; int n = k; int vla[n]; vla[0] = t[1]; \
     return g(\"%d\", n, (char)300, (struct { int x; }) { 3 }.x) + vla[0] + (int)d; }\n",
    "void *malloc(unsigned long);\nint main() { int *p = malloc(10 * sizeof *p); *p++ = 3; p[-1] |= 4; \
     return &p[2] - p > 0 && *p ? !p : ~*(p + 1); }\n",
    "# 1 \"x.c\"\nint main() { int i; while (1) { asm volatile (\"nop\" : \"=r\"(i)); L: if (i) goto L; goto *p; x = &&L; } }\n",
];

fn check(text: &str, model: DataModel) {
    let source = Source::new("fuzz.c", text);
    let options = ReadOptions { data_model: model, ..ReadOptions::default() };
    needs_preprocessor(text);
    let complaints = match read(&Context::default(), &source, &options) {
        Ok((unit, warnings)) => {
            assert!(!unit.to_string().is_empty(), "{text}");
            for function in &unit.functions {
                let blocks = function.body.iter().flat_map(|body| &body.blocks);
                for instruction in blocks.flat_map(|block| &block.instructions) {
                    if let InstructionKind::Assign { to, value } = &instruction.kind {
                        assert_eq!(to.ty, value.ty, "{text}");
                        let is_integer = matches!(value.kind, ExpressionKind::Integer(_));
                        assert!(!is_integer || unit.size_of(value.ty).is_some(), "{text}");
                    }
                }
            }
            warnings
        }
        Err(error) => {
            let complaints = error.into_complaints();
            assert!(complaints.iter().any(|found| found.severity == Severity::Error), "{text}");
            complaints
        }
    };
    for complaint in &complaints {
        let spans = complaint.related.iter().map(|(span, _)| *span).chain([complaint.span]);
        for span in spans {
            assert!(span.start <= span.end && span.end <= text.len(), "{text}\n{complaint:?}");
            assert!(
                text.is_char_boundary(span.start) && text.is_char_boundary(span.end),
                "{text}\n{complaint:?}"
            );
        }
    }
    render(&source, &complaints, false);
}

/// A small change somewhere.
fn mutated(rng: &mut Rng, text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = rng.between(0, chars.len());
    let until = (at + rng.between(0, 6)).min(chars.len());
    let (before, after): (String, String) = (chars[..at].iter().collect(), chars[until..].iter().collect());
    let between = match rng.between(0, 4) {
        0 => String::new(),
        1 => (*rng.pick(&['μ', '\u{0}', '\\', '"', '{', '}', ';', '=', '.', '\'', '('])).to_string(),
        2 => {
            let from = rng.between(0, chars.len());
            chars[from..(from + 20).min(chars.len())].iter().collect()
        }
        3 => return before,
        _ => format!(" {} ", rng.pick(&TOKENS)),
    };
    format!("{before}{between}{after}")
}

fn model(rng: &mut Rng) -> DataModel {
    if rng.chance(0.5) { DataModel::Ilp32 } else { DataModel::Lp64 }
}

#[test]
fn token_soups() {
    fuzz_cases(|rng| {
        let n = rng.between(0, 60);
        let soup = (0..n).map(|_| *rng.pick(&TOKENS)).collect::<Vec<_>>();
        check(&soup.join(if rng.chance(0.8) { " " } else { "" }), model(rng));
    });
}

#[test]
fn changed_examples() {
    for example in EXAMPLES {
        check(example, DataModel::Lp64);
    }
    fuzz_cases(|rng| {
        let mut text = (*rng.pick(&EXAMPLES)).to_owned();
        for _ in 0..rng.between(1, 4) {
            text = mutated(rng, &text);
        }
        check(&text, model(rng));
    });
}
