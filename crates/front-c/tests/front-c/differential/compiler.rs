//! The C compiler of this machine: many programs in one text, and what they print.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tertium_front_c::ir::DataModel;

/// How programs are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    /// For 64 bits.
    Lp64,
    /// For 32 bits.
    Ilp32,
    /// For 64 bits, with sanitizers.
    Sanitized,
}

impl Build {
    pub(super) fn model(self) -> DataModel {
        match self {
            Self::Lp64 | Self::Sanitized => DataModel::Lp64,
            Self::Ilp32 => DataModel::Ilp32,
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Lp64 => &["-m64"],
            Self::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
            Self::Sanitized => &[
                "-m64",
                "-fsanitize=undefined,address",
                "-fsanitize=float-cast-overflow,float-divide-by-zero",
                "-fno-sanitize=alignment",
                "-fno-sanitize-recover=all",
            ],
        }
    }
}

/// A compiled text, and what is beside it.
pub(super) struct Compiled {
    program: PathBuf,
}

/// Compiles programs whose main functions have these prefixes into one; nothing if that does not work on this machine.
pub(super) fn compile(name: &str, build: Build, text: &str, prefixes: &[String]) -> Result<Compiled, String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("differential");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    let mut whole = String::from(text);
    whole.push_str("int printf(const char *, ...); int atoi(const char *); int fflush(void *);\n");
    whole.push_str("void tertium_print(int v) { printf(\"%d\\n\", v); fflush(0); }\n");
    // With an argument, one program is run, otherwise all.
    whole.push_str("int main(int argc, char **argv) {\n    int one = argc > 1 ? atoi(argv[1]) : -1;\n");
    for (number, prefix) in prefixes.iter().enumerate() {
        let _ = writeln!(whole, "    if (one < 0 || one == {number}) tertium_print({prefix}main());");
    }
    whole.push_str("    return 0;\n}\n");
    std::fs::write(&source, whole).map_err(|error| error.to_string())?;
    let output = Command::new("cc")
        .args(["-O0", "-w", "-std=gnu11", "-o"])
        .arg(&program)
        .args(build.options())
        .arg(&source)
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(Compiled { program })
}

impl Compiled {
    /// What all programs print, one number each.
    pub(super) fn run_all(&self) -> Result<Vec<i128>, String> {
        let output = Command::new(&self.program).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!("{:?} after {} lines", output.status, text.lines().count()));
        }
        Ok(text.lines().map(|line| line.parse().expect("a number")).collect())
    }

    /// What one program writes to standard error before it stops.
    pub(super) fn complaint(&self, number: usize) -> String {
        let output = Command::new(&self.program)
            .arg(number.to_string())
            .env("ASAN_OPTIONS", "detect_stack_use_after_return=1:detect_leaks=0:abort_on_error=0")
            .env("UBSAN_OPTIONS", "print_stacktrace=0")
            .stdout(Stdio::null())
            .output()
            .expect("it was compiled");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

/// Whether programs can be built like this here.
pub(super) fn works(build: Build) -> bool {
    let compiled =
        compile(&format!("probe-{build:?}"), build, "int p_main(void) { return 3; }\n", &["p_".to_owned()]);
    compiled.is_ok_and(|compiled| compiled.run_all() == Ok(vec![3]))
}
