//! Golden tasks: inputs with the answers that are expected, as `tests/tasks/<language>/<topic>/<name>.toml`.
//!
//! A sidecar names its input and says what is true of it. For systems:
//!
//! ```toml
//! input = "coffee.pts"
//! modal = true                                # `.aut` only: read `may:` and `must:`
//!
//! [[property]]
//! formula = "AG ready"                        # or "@live.mcf", a file beside the sidecar
//! verdict = "false"                           # true, false, unknown, inconsistent
//! semantics = "ris"                           # sis (if nothing is said), ris, thorough
//! engines = ["explicit"]                      # if nothing is said, all that know the semantics
//! states = { idle = "t", broken = "m" }       # t, f, m or d; as many states as you like
//! ```
//!
//! Of `.smv` models only verdicts are expected, by the engines symbolic and explicit; of `.gcl` models likewise, by explicit and naive.
//!
//! For parity games, instead of properties: `[winners]` with `even = [0, 3]` and `odd = [1, 2]`, which together name
//! every vertex once.
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
        /// The properties, at least one.
        properties: Vec<Property>,
    },
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
    /// The engines that answer, as on the command line.
    pub engines: Vec<String>,
    /// Values at states by name.
    pub states: Vec<(String, Belnap)>,
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
            let modal = match table.0.remove("modal") {
                None => false,
                Some(Value::Boolean(modal)) if extension == "aut" => modal,
                Some(_) => return Err("`modal` is true or false, and for `.aut` files only".into()),
            };
            let Some(Value::Array(list)) = table.0.remove("property") else {
                return Err("there is no `[[property]]`".into());
            };
            let properties = list
                .into_iter()
                .map(|value| property(value, extension == "smv"))
                .collect::<Result<_, _>>()?;
            Expected::Properties { modal, properties }
        }
        "pg" => winners(table.0.remove("winners"))?,
        other => return Err(format!("no task is an input with the extension `{other}`")),
    };
    table.finish()?;
    Ok((input, expected))
}

/// A property of a system, or of a model in the SMV language.
fn property(value: Value, smv: bool) -> Result<Property, String> {
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
    let able: &[&str] = match &semantics[..] {
        "sis" if smv => &["symbolic", "explicit"],
        "sis" | "ris" => &["explicit", "naive"],
        "thorough" => &["explicit"],
        other => return Err(format!("`{formula}`: `{other}` is no semantics")),
    };
    let engines = match keys.0.remove("engines") {
        None => able.iter().map(|&engine| engine.to_owned()).collect(),
        Some(Value::Array(list)) => {
            let known = |value: Value| match value {
                Value::String(engine) if able.contains(&&engine[..]) => Ok(engine),
                other => Err(format!("`{formula}`: {other} does not answer under {semantics}")),
            };
            list.into_iter().map(known).collect::<Result<Vec<_>, _>>()?
        }
        Some(other) => return Err(format!("`{formula}`: `engines` is a list, not {other}")),
    };
    if engines.is_empty() {
        return Err(format!("`{formula}`: no engine is asked"));
    }
    let states = match keys.0.remove("states") {
        None => Vec::new(),
        Some(Value::Table(table)) => table
            .into_iter()
            .map(|(state, value)| Ok((state, belnap(&value)?)))
            .collect::<Result<_, String>>()?,
        Some(other) => return Err(format!("`{formula}`: `states` is a table, not {other}")),
    };
    keys.finish()?;
    Ok(Property { formula, verdict, semantics, engines, states })
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
        let Ok((input, Expected::Properties { modal: false, properties })) = parse_sidecar(text) else {
            panic!("it is right");
        };
        assert_eq!(input, "a.pts");
        assert_eq!(properties[0].engines, ["explicit", "naive"]);
        assert_eq!(properties[0].verdict, Belnap::Inconsistent);
        assert_eq!(properties[0].states, [("s".to_owned(), Belnap::Inconsistent)]);
        assert_eq!(properties[1].engines, ["explicit"]);
    }

    #[test]
    fn wrong_and_unused_keys_are_errors() {
        let property = "[[property]]\nformula = 'p'\nverdict = 'true'\n";
        let wrong = |text: &str| parse_sidecar(text).expect_err(text);
        assert!(wrong(property).contains("`input`"));
        assert!(wrong("input = 'a.pts'").contains("[[property]]"));
        assert!(wrong(&format!("input = 'a.c'\n{property}")).contains("extension"));
        assert!(wrong(&format!("input = 'a.pts'\nmodal = true\n{property}")).contains("`modal`"));
        assert!(wrong(&format!("input = 'a.pts'\ncolour = 1\n{property}")).contains("`colour`"));
        assert!(wrong(&format!("input = 'a.pts'\n{property}verdit = 'true'")).contains("`verdit`"));
        assert!(wrong(&format!("input = 'a.pts'\n{property}states = {{ s = 'x' }}")).contains("\"x\""));
        assert!(wrong(&format!("input = 'a.pts'\n{property}engines = []")).contains("no engine"));
        let thorough = format!("input = 'a.pts'\n{property}semantics = 'thorough'\nengines = ['naive']");
        assert!(wrong(&thorough).contains("naive"));
        assert!(wrong("input = 'a.pts'\n[[property]]\nformula = 'p'\nverdict = 'maybe'").contains("maybe"));
        assert!(wrong(&format!("input = 'a.pg'\n{property}")).contains("[winners]"));
        assert!(wrong("input = 'a.pg'\n[winners]\neven = [0]\nodd = [0]").contains("two winners"));
    }
}
