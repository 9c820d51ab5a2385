//! One undefined operation in a program that has none otherwise, and what sanitizers call it.

use tertium_front_c::ir::Undefined;
use tertium_support::Rng;

/// Marks the line where the operation stands.
pub(super) const HERE: &str = "/* here */";

/// An operation: what it is, a text in front of the program, and statements. `#` is the prefix of the program, `@` marks the operation.
/// The variable `z` is zero, but nobody knows.
pub(super) struct Plant {
    pub(super) what: Undefined,
    pub(super) before: &'static str,
    statements: &'static str,
}

impl Plant {
    const fn new(what: Undefined, statements: &'static str) -> Self {
        Self { what, before: "", statements }
    }

    /// The statements, one a line, in a program with this prefix.
    pub(super) fn text(&self, prefix: &str) -> String {
        let mut text = format!("    {{\n    int z = (int)({prefix}sum & 0u);\n");
        for statement in self.statements.replace('#', prefix).split("; ") {
            let statement = statement.trim_end_matches(';');
            let line = match statement.strip_prefix('@') {
                Some(statement) => format!("    {statement}; {HERE}\n"),
                None => format!("    {statement};\n"),
            };
            text.push_str(&line);
        }
        text.push_str("    }\n");
        text
    }

    pub(super) fn any(rng: &mut Rng) -> &'static Self {
        rng.pick(PLANTS)
    }
}

const PLANTS: &[Plant] = &[
    Plant::new(Undefined::Overflow, "int y = 2147483647 - z; @#mix((unsigned int)(y + 1))"),
    Plant::new(Undefined::Overflow, "int y = z - 2147483647; @y -= 2"),
    Plant::new(Undefined::Overflow, "long long y = 9223372036854775807LL - z; @y++"),
    Plant::new(Undefined::Overflow, "int y = -2147483647 - 1 + z; @y--"),
    Plant::new(Undefined::Overflow, "int y = 65536 + z; @y = y * y"),
    Plant::new(Undefined::Overflow, "int y = -2147483647 - 1 + z; @y = -y"),
    Plant::new(Undefined::Overflow, "int y = -2147483647 - 1 + z; int x = z - 1; @y = y / x"),
    Plant::new(Undefined::Overflow, "unsigned short y = (unsigned short)(65535 + z); @z = y * y"),
    Plant::new(Undefined::Overflow, "long y = 4611686018427387904L + z; @y += y"),
    Plant::new(Undefined::DivisionByZero, "int y = 7; @y = y / z"),
    Plant::new(Undefined::DivisionByZero, "int y = 7; @y %= z"),
    Plant::new(Undefined::DivisionByZero, "unsigned long y = 7; @y = y / (unsigned long)z"),
    Plant::new(Undefined::DivisionByZero, "unsigned y = 7; @y = y % (unsigned)z"),
    Plant::new(Undefined::Shift, "int y = 32 + z; @#mix(1u << y)"),
    Plant::new(Undefined::Shift, "int y = z - 1; @#mix(#sum >> y)"),
    Plant::new(Undefined::Shift, "long long y = 5; @y = y >> (64 + z)"),
    Plant::new(Undefined::Shift, "unsigned char y = 5; @y <<= 40 + z"),
    Plant::new(Undefined::NullAccess, "int *y = (int *)(long)z; @z = *y"),
    Plant::new(Undefined::NullAccess, "int *y = (int *)(long)z; @*y = 3"),
    Plant::new(Undefined::NullAccess, "struct { int a, b; } *y = (void *)(long)z; @z = y->b"),
    Plant::new(Undefined::NullAccess, "struct { int a, b; } *y = (void *)(long)z; @y->a = 1"),
    Plant::new(Undefined::OutOfBounds, "int y[5] = {1, 2, 3}; @z = y[5 + z]"),
    Plant::new(Undefined::OutOfBounds, "int y[5] = {1, 2, 3}; @y[z - 1] = 4"),
    Plant::new(Undefined::OutOfBounds, "int y[2][3] = {{1}}; @z = y[1][3 + z]"),
    Plant::new(Undefined::OutOfBounds, "struct { char a[4]; int b; } y = {\"abc\", 2}; @y.a[4 + z] = 4"),
    Plant::new(Undefined::OutOfBounds, "int *y = malloc(3 * sizeof(int)); y[0] = 1; @y[3 + z] = 2"),
    Plant::new(Undefined::OutOfBounds, "char *y = malloc(7); y[6] = 1; y = y + 7; @z = *y"),
    Plant::new(Undefined::OutOfBounds, "int y[4] = {0}; int *x = &y[3]; x++; @#mix((unsigned int)*x)"),
    Plant::new(Undefined::OutOfBounds, "char y[3] = {'a', 'b', 'c'}; @#mix((unsigned int)strlen(y))"),
    Plant::new(Undefined::OutOfBounds, "char y[3] = {'a', 'b', 'c'}; @memset(y, z, 4 + z)"),
    Plant::new(Undefined::OutOfBounds, "long y[2] = {1, 2}; char x[4] = {0}; @memcpy(x, y, 5 + z)"),
    Plant::new(Undefined::DeadAccess, "int *y = malloc(sizeof(int)); *y = 1; free(y); @z = *y"),
    Plant::new(Undefined::DeadAccess, "char *y = malloc(9); free(y); @y[3] = 1"),
    Plant {
        what: Undefined::DeadAccess,
        before: "int *#dangling; void #leave(void) { int x[3] = {1, 2, 3}; #dangling = x; }\n",
        statements: "#leave(); @z = #dangling[1]",
    },
    Plant::new(Undefined::InvalidFree, "int *y = malloc(4); free(y); @free(y)"),
    Plant::new(Undefined::InvalidFree, "int y[2] = {0}; int *x = y; @free(x)"),
    Plant::new(Undefined::InvalidFree, "char *y = malloc(4); y++; @free(y)"),
    Plant::new(Undefined::InvalidFree, "@free(&#sum)"),
    Plant::new(Undefined::InvalidCall, "void (*y)(unsigned int) = (void (*)(unsigned int))(long)z; @y(3u)"),
    Plant::new(Undefined::FloatConversion, "double y = 1e20 + z; @z = (int)y"),
    Plant::new(Undefined::FloatConversion, "float y = -3.0f - z; @#mix((unsigned int)y)"),
    Plant::new(Undefined::FloatConversion, "double y = 2147483648.0 + z; @z = y"),
    Plant::new(
        Undefined::PointerArithmetic,
        "char y[4]; char *x = y; @for (int w = 0;w < 2;w++) x = x + (9223372036854775800L - z)",
    ),
    Plant::new(Undefined::Unreachable, "if (z) #mix(1u); @__builtin_unreachable()"),
];

/// What sanitizers complain of.
pub(super) fn named(complaint: &str) -> Option<Undefined> {
    const NAMES: &[(&str, Undefined)] = &[
        ("signed integer overflow", Undefined::Overflow),
        ("cannot be represented in type", Undefined::Overflow),
        ("division by zero", Undefined::DivisionByZero),
        ("shift exponent", Undefined::Shift),
        ("is outside the range of representable values", Undefined::FloatConversion),
        ("execution reached an unreachable", Undefined::Unreachable),
        ("load of null pointer", Undefined::NullAccess),
        ("store to null pointer", Undefined::NullAccess),
        ("within null pointer", Undefined::NullAccess),
        ("pointer index expression", Undefined::PointerArithmetic),
        ("out of bounds", Undefined::OutOfBounds),
        ("buffer-overflow", Undefined::OutOfBounds),
        ("buffer-underflow", Undefined::OutOfBounds),
        ("heap-use-after-free", Undefined::DeadAccess),
        ("stack-use-after-return", Undefined::DeadAccess),
        ("attempting double-free", Undefined::InvalidFree),
        ("attempting free on address which was not malloc", Undefined::InvalidFree),
        ("pc 0x000000000000", Undefined::InvalidCall),
    ];
    NAMES.iter().find(|(text, _)| complaint.contains(text)).map(|&(_, what)| what)
}
