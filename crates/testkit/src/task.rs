//! Golden tasks: inputs with the answers that are expected, as `tests/tasks/<language>/<topic>/<name>.toml`.
//!
//! A sidecar names its input and says what is true of it. For systems:
//!
//! ```toml
//! input = "coffee.pts"
//! modal = true                                # `.aut` only: read `may:` and `must:`
//! alone = true                                # models only: ask each property in a run of its own
//!
//! [[property]]
//! formula = "AG ready"                        # or "@live.mcf", a file beside the sidecar
//! verdict = "false"                           # true, false, unknown, inconsistent
//! semantics = "ris"                           # sis (if nothing is said), ris, thorough
//! engines = ["explicit"]                      # these must decide; if nothing is said, all that apply
//! skip = ["cartesian"]                        # these are not asked, because they would take too long
//! limits = { iterations = 4, states = 200 }   # `--iterations` and `--states`; also once for all properties
//! value = "3"                                 # of COMPUTE, beside the verdict `true`
//! states = { idle = "t", broken = "m" }       # t, f, m or d; as many states as you like
//! ```
//!
//! The engines that apply are, under `sis`, explicit and naive for systems, symbolic and explicit for `.smv` models,
//! and explicit, naive, symbolic, predicate, cartesian and search for `.gcl` models. An engine that applies, but is not
//! among `engines`, must give the same verdict or none. `engines = []` says that no engine is known to decide; with
//! the verdict `unknown`, that nobody may. Limits count work, not time, so that answers do not depend on the machine.
//! Of models only verdicts are expected, not values at states. An engine is asked all properties of a model with the
//! same limits in one run, which is cheaper, unless they are to be asked alone: an abstraction keeps what it learnt
//! from one property for the next, and where that costs too much or loses an answer, `alone` says so.
//!
//! For parity games, instead of properties: `[winners]` with `even = [0, 3]` and `odd = [1, 2]`, which together name
//! every vertex once.
//!
//! For programs in C, a property may have a name instead of a formula, or neither: then what is asked is what is asked of a C file
//! of which nobody says anything, namely that no error function is called and no assertion fails. Where the verdict is false, the
//! sidecar has inputs that lead to the error.
//!
//! ```toml
//! input = "sum.c"                             # or `.i`
//!
//! [[property]]
//! name = "unreach-label"                      # as in the name of a property file
//! verdict = "false"
//! inputs = ["int 4", "uchar 255"]             # __VERIFIER_nondet_int gives 4, then __VERIFIER_nondet_uchar 255
//! data_model = "ILP32"                        # LP64 if nothing is said
//! ```
//!
//! Anything else in a sidecar is an error: a misspelt key would otherwise be an expectation that nobody checks. This
//! file only finds and reads tasks; the runner is `crates/cli/tests/cli/tasks.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tertium_truth::Belnap;
use toml::{Table, Value};

/// One input and what is expected of it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The sidecar.
    pub sidecar: PathBuf,
    /// The name of the input, in the folder of the sidecar.
    pub input: String,
    /// What is asked, and the answers.
    pub expected: Expected,
}

/// What is expected of an input.
#[derive(Clone, Debug)]
pub enum Expected {
    /// Of a system: answers to properties.
    Properties {
        /// Whether labels of `.aut` files are read as modalities.
        modal: bool,
        /// Whether each property has a run of its own.
        alone: bool,
        /// The properties, at least one.
        properties: Vec<Property>,
    },
    /// Of a program in C: answers to properties, at least one.
    Programs(Vec<ProgramProperty>),
    /// Of a parity game: who wins where.
    Winners {
        /// The vertices that Even wins.
        even: BTreeSet<usize>,
        /// The vertices that Odd wins.
        odd: BTreeSet<usize>,
    },
}

/// A question about a system with its answer.
#[derive(Clone, Debug)]
pub struct Property {
    /// The formula, or `@FILE`.
    pub formula: String,
    /// The value at the initial states together; `Unknown` and `Inconsistent` for the answers of these names.
    pub verdict: Belnap,
    /// `sis`, `ris` or `thorough`.
    pub semantics: String,
    /// The engines that must give this verdict, as on the command line.
    pub engines: Vec<String>,
    /// The engines that must give this verdict or none.
    pub others: Vec<String>,
    /// The limits as arguments of the command line.
    pub limits: Vec<String>,
    /// The number that COMPUTE gives.
    pub value: Option<String>,
    /// Values at states by name.
    pub states: Vec<(String, Belnap)>,
}

/// A question about a program in C with its answer.
#[derive(Clone, Debug)]
pub struct ProgramProperty {
    /// The name of a standard property, such as `unreach-label`.
    pub name: Option<String>,
    /// The formula, or `@FILE`.
    pub formula: Option<String>,
    /// Whether it holds.
    pub holds: bool,
    /// Inputs that lead to the error, where it does not hold: the end of the name of `__VERIFIER_nondet_...`, and a number.
    pub inputs: Vec<(String, i128)>,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

/// All tasks below a folder, sorted by path. Panics on the first sidecar that is wrong, with what is wrong.
pub fn find_tasks(folder: &Path) -> Vec<Task> {
    let mut sidecars = Vec::new();
    let mut stack = vec![folder.to_owned()];
    while let Some(folder) = stack.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("a readable folder").path()) {
            if path.is_dir() {
                stack.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                sidecars.push(path);
            }
        }
    }
    sidecars.sort();
    sidecars.into_iter().map(read).collect()
}

fn read(sidecar: PathBuf) -> Task {
    let text = fs::read_to_string(&sidecar).unwrap_or_else(|error| panic!("{}: {error}", sidecar.display()));
    let (input, expected) = parse_sidecar(&text).unwrap_or_else(|why| panic!("{}: {why}", sidecar.display()));
    assert!(sidecar.with_file_name(&input).is_file(), "{}: there is no `{input}`", sidecar.display());
    assert_eq!(
        sidecar.file_stem(),
        Path::new(&input).file_stem(),
        "{} and its input have one name",
        sidecar.display()
    );
    Task { sidecar, input, expected }
}

/// The input and the expectations of a sidecar, or what is wrong with it.
pub fn parse_sidecar(text: &str) -> Result<(String, Expected), String> {
    let mut table = Keys(text.parse::<Table>().map_err(|error| error.to_string())?);
    let input = table.text("input")?.ok_or("there is no `input`")?;
    let extension =
        Path::new(&input).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let expected = match extension {
        "pts" | "aut" | "smv" | "gcl" => {
            let model = matches!(extension, "smv" | "gcl");
            let modal = table.switch("modal", extension == "aut")?;
            let alone = table.switch("alone", model)? || !model;
            let common = limits(table.0.remove("limits"))?;
            let Some(Value::Array(list)) = table.0.remove("property") else {
                return Err("there is no `[[property]]`".into());
            };
            let properties = list
                .into_iter()
                .map(|value| property(value, extension, common.as_deref()))
                .collect::<Result<_, _>>()?;
            Expected::Properties { modal, alone, properties }
        }
        "c" | "i" => {
            let Some(Value::Array(list)) = table.0.remove("property") else {
                return Err("there is no `[[property]]`".into());
            };
            Expected::Programs(list.into_iter().map(program_property).collect::<Result<_, _>>()?)
        }
        "pg" => winners(table.0.remove("winners"))?,
        other => return Err(format!("no task is an input with the extension `{other}`")),
    };
    table.finish()?;
    Ok((input, expected))
}

/// A property of an input with this extension. The limits are those of all properties of the task.
fn property(value: Value, extension: &str, common: Option<&[String]>) -> Result<Property, String> {
    let Value::Table(table) = value else { return Err("a property is a table".into()) };
    let mut keys = Keys(table);
    let formula = keys.text("formula")?.ok_or("a property has a `formula`")?;
    let verdict = match keys.text("verdict")?.as_deref() {
        Some("true") => Belnap::True,
        Some("false") => Belnap::False,
        Some("unknown") => Belnap::Unknown,
        Some("inconsistent") => Belnap::Inconsistent,
        other => return Err(format!("`{formula}`: {other:?} is no verdict")),
    };
    let semantics = keys.text("semantics")?.unwrap_or_else(|| "sis".to_owned());
    let mut able = applicable(extension, &semantics)
        .ok_or_else(|| format!("`{formula}`: `{semantics}` is no semantics of `.{extension}` files"))?;
    let skip = engines(keys.0.remove("skip"), &able, &formula)?.unwrap_or_default();
    able.retain(|engine| !skip.iter().any(|other| other == engine));
    let named = engines(keys.0.remove("engines"), &able, &formula)?;
    let deciding = named.unwrap_or_else(|| able.iter().map(|&engine| engine.to_owned()).collect());
    let others = able.iter().filter(|&engine| !deciding.iter().any(|other| other == engine));
    let others: Vec<String> = others.map(|&engine| engine.to_owned()).collect();
    if deciding.is_empty() && (others.is_empty() || !matches!(extension, "smv" | "gcl")) {
        return Err(format!("`{formula}`: no engine is asked"));
    }
    let limits = limits(keys.0.remove("limits"))?.or(common.map(<[_]>::to_vec)).unwrap_or_default();
    let value = keys.text("value")?;
    let states = match keys.0.remove("states") {
        None => Vec::new(),
        Some(Value::Table(table)) => table
            .into_iter()
            .map(|(state, value)| Ok((state, belnap(&value)?)))
            .collect::<Result<_, String>>()?,
        Some(other) => return Err(format!("`{formula}`: `states` is a table, not {other}")),
    };
    keys.finish()?;
    Ok(Property { formula, verdict, semantics, engines: deciding, others, limits, value, states })
}

/// A property of a program in C.
fn program_property(value: Value) -> Result<ProgramProperty, String> {
    let Value::Table(table) = value else { return Err("a property is a table".into()) };
    let mut keys = Keys(table);
    let name = keys.text("name")?;
    let formula = keys.text("formula")?;
    if name.is_some() && formula.is_some() {
        return Err("a property has a `name` or a `formula`".into());
    }
    let holds = match keys.text("verdict")?.as_deref() {
        Some("true") => true,
        Some("false") => false,
        other => return Err(format!("{other:?} is no verdict about a program")),
    };
    let inputs = match keys.0.remove("inputs") {
        None => Vec::new(),
        Some(Value::Array(list)) => list.iter().map(program_input).collect::<Result<_, _>>()?,
        Some(other) => return Err(format!("`inputs` are a list, not {other}")),
    };
    let data_model = keys.text("data_model")?.unwrap_or_else(|| "LP64".to_owned());
    if !["ILP32", "LP64"].contains(&&data_model[..]) {
        return Err(format!("`{data_model}` is no data model"));
    }
    keys.finish()?;
    Ok(ProgramProperty { name, formula, holds, inputs, data_model })
}

/// An input such as `int -3`.
fn program_input(value: &Value) -> Result<(String, i128), String> {
    let parts = value.as_str().and_then(|text| text.split_once(' '));
    let read = parts.and_then(|(function, number)| Some((function.to_owned(), number.trim().parse().ok()?)));
    read.ok_or_else(|| format!("{value} is no input such as \"int -3\""))
}

/// The engines that answer under a semantics for files with an extension, if there is such a semantics.
fn applicable(extension: &str, semantics: &str) -> Option<Vec<&'static str>> {
    Some(match (extension, semantics) {
        ("smv", "sis") => vec!["symbolic", "explicit"],
        ("gcl", "sis") => vec!["explicit", "naive", "symbolic", "predicate", "cartesian", "search"],
        ("pts" | "aut", "sis" | "ris") => vec!["explicit", "naive"],
        ("pts" | "aut", "thorough") => vec!["explicit"],
        _ => return None,
    })
}

/// A list of engines, each of them among the given ones.
fn engines(value: Option<Value>, able: &[&str], formula: &str) -> Result<Option<Vec<String>>, String> {
    let known = |value: Value| match value {
        Value::String(engine) if able.contains(&&engine[..]) => Ok(engine),
        other => Err(format!("`{formula}`: {other} does not apply here")),
    };
    match value {
        None => Ok(None),
        Some(Value::Array(list)) => list.into_iter().map(known).collect::<Result<_, _>>().map(Some),
        Some(other) => Err(format!("`{formula}`: engines are a list, not {other}")),
    }
}

/// Limits on work as arguments of the command line.
fn limits(value: Option<Value>) -> Result<Option<Vec<String>>, String> {
    let Some(value) = value else { return Ok(None) };
    let Value::Table(table) = value else { return Err(format!("`limits` is a table, not {value}")) };
    let mut arguments = Vec::new();
    for (name, count) in table {
        match count.as_integer() {
            Some(count) if count > 0 && ["iterations", "states"].contains(&&name[..]) => {
                arguments.extend([format!("--{name}"), count.to_string()]);
            }
            _ => return Err(format!("`{name} = {count}` is no limit")),
        }
    }
    Ok(Some(arguments))
}

fn belnap(value: &Value) -> Result<Belnap, String> {
    match value.as_str() {
        Some("t") => Ok(Belnap::True),
        Some("f") => Ok(Belnap::False),
        Some("m") => Ok(Belnap::Unknown),
        Some("d") => Ok(Belnap::Inconsistent),
        _ => Err(format!("{value} is none of \"t\", \"f\", \"m\", \"d\"")),
    }
}

fn winners(value: Option<Value>) -> Result<Expected, String> {
    let Some(Value::Table(table)) = value else { return Err("a game has `[winners]`".into()) };
    let mut keys = Keys(table);
    let mut region = |player: &str| match keys.0.remove(player) {
        Some(Value::Array(list)) => list
            .iter()
            .map(|vertex| vertex.as_integer().and_then(|vertex| usize::try_from(vertex).ok()))
            .collect::<Option<BTreeSet<usize>>>()
            .ok_or(format!("`{player}` holds vertices")),
        _ => Err(format!("`[winners]` says what `{player}` wins")),
    };
    let (even, odd) = (region("even")?, region("odd")?);
    keys.finish()?;
    match even.intersection(&odd).next() {
        Some(vertex) => Err(format!("vertex {vertex} has two winners")),
        None => Ok(Expected::Winners { even, odd }),
    }
}

/// A table whose keys are taken out one by one.
struct Keys(Table);

impl Keys {
    fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.0.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{key}` is a text, not {other}")),
        }
    }

    /// A truth value, false if there is none, where there may be one.
    fn switch(&mut self, key: &str, allowed: bool) -> Result<bool, String> {
        match self.0.remove(key) {
            None => Ok(false),
            Some(Value::Boolean(value)) if allowed => Ok(value),
            Some(_) => Err(format!("`{key}` is true or false, and means nothing for some formats")),
        }
    }

    fn finish(self) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(key) => Err(format!("`{key}` means nothing here")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_asks_all_engines_that_know_its_semantics() {
        let text = "input = 'a.pts'\n[[property]]\nformula = 'p'\nverdict = 'inconsistent'\nstates = { s = 'd' }\n\
                    [[property]]\nformula = 'p'\nverdict = 'true'\nsemantics = 'thorough'";
        let Ok((input, Expected::Properties { modal: false, alone: true, properties })) = parse_sidecar(text)
        else {
            panic!("it is right");
        };
        assert_eq!(input, "a.pts");
        assert_eq!(properties[0].engines, ["explicit", "naive"]);
        assert_eq!(properties[0].verdict, Belnap::Inconsistent);
        assert_eq!(properties[0].states, [("s".to_owned(), Belnap::Inconsistent)]);
        assert_eq!(properties[1].engines, ["explicit"]);
    }

    #[test]
    fn engines_that_need_not_decide_are_asked_unless_they_are_skipped() {
        let text = "input = 'a.gcl'\nlimits = { states = 9 }\n\
                    [[property]]\nformula = 'p'\nverdict = 'true'\nengines = ['search']\nskip = ['naive']\n\
                    [[property]]\nformula = 'q'\nverdict = 'unknown'\nengines = []\nlimits = { iterations = 2 }";
        let Ok((_, Expected::Properties { properties, .. })) = parse_sidecar(text) else {
            panic!("it is right");
        };
        assert_eq!(properties[0].engines, ["search"]);
        assert_eq!(properties[0].others, ["explicit", "symbolic", "predicate", "cartesian"]);
        assert_eq!(properties[0].limits, ["--states", "9"]);
        assert_eq!(properties[1].others.len(), 6);
        assert_eq!(properties[1].limits, ["--iterations", "2"]);
    }

    #[test]
    fn wrong_and_unused_keys_are_errors() {
        let property = "[[property]]\nformula = 'p'\nverdict = 'true'\n";
        let wrong = |text: &str| parse_sidecar(text).expect_err(text);
        assert!(wrong(property).contains("`input`"));
        assert!(wrong("input = 'a.pts'").contains("[[property]]"));
        assert!(wrong(&format!("input = 'a.txt'\n{property}")).contains("extension"));
        assert!(wrong("input = 'a.c'\n[[property]]\nverdict = 'unknown'").contains("no verdict"));
        assert!(
            wrong("input = 'a.i'\n[[property]]\nverdict = 'false'\ninputs = ['int']").contains("no input")
        );
        assert!(wrong(&format!("input = 'a.pts'\nmodal = true\n{property}")).contains("`modal`"));
        assert!(wrong(&format!("input = 'a.pts'\ncolour = 1\n{property}")).contains("`colour`"));
        assert!(wrong(&format!("input = 'a.pts'\n{property}verdit = 'true'")).contains("`verdit`"));
        assert!(wrong(&format!("input = 'a.pts'\n{property}states = {{ s = 'x' }}")).contains("\"x\""));
        assert!(wrong(&format!("input = 'a.pts'\n{property}engines = []")).contains("no engine"));
        let thorough = format!("input = 'a.pts'\n{property}semantics = 'thorough'\nengines = ['naive']");
        assert!(wrong(&thorough).contains("naive"));
        assert!(wrong("input = 'a.pts'\n[[property]]\nformula = 'p'\nverdict = 'maybe'").contains("maybe"));
        assert!(wrong(&format!("input = 'a.pg'\n{property}")).contains("[winners]"));
        let model = |rest: &str| wrong(&format!("input = 'a.gcl'\n{property}{rest}"));
        assert!(model("limits = { time = 3 }").contains("no limit"));
        assert!(model("limits = { states = 0 }").contains("no limit"));
        assert!(model("skip = ['auto']").contains("auto"));
        assert!(model("skip = ['naive']\nengines = ['naive']").contains("naive"));
        assert!(wrong(&format!("input = 'a.pts'\nalone = true\n{property}")).contains("`alone`"));
        assert!(model("semantics = 'ris'").contains("no semantics"));
        assert!(wrong("input = 'a.pg'\n[winners]\neven = [0]\nodd = [0]").contains("two winners"));
    }
}
