//! Pages that are found by a word: about codes and notions, and about formats. Each begins with a line `# Title`.

use tertium_support::nearest_names;

/// Pages that one command shows.
#[derive(Debug)]
pub struct Manual {
    /// What a page is about, for messages.
    noun: &'static str,
    pages: &'static [Page],
    /// Other words for pages.
    aliases: &'static [(&'static str, &'static str)],
    /// The last line of the list.
    hint: &'static str,
}

/// A page, the word it is found under, and its line in the list.
#[derive(Debug)]
struct Page {
    word: &'static str,
    line: &'static str,
    text: &'static str,
}

macro_rules! pages {
    ($folder:literal: $($word:literal $file:literal $line:literal)*) => {
        &[$(Page { word: $word, line: $line, text: include_str!(concat!($folder, $file, ".md")) }),*]
    };
}

/// A page for every code, exit status and notion that the output mentions.
pub const EXPLAIN: Manual = Manual {
    noun: "page",
    pages: pages!["../explain/":
        "U-TIME" "U-TIME" "the time limit was reached"
        "U-WORK" "U-WORK" "the limit on work was reached"
        "U-MEMORY" "U-MEMORY" "the memory limit was reached"
        "U-NODES" "U-NODES" "the limit on nodes was reached"
        "U-ITERATIONS" "U-ITERATIONS" "the limit on rounds of refinement was reached"
        "U-SOLVER" "U-SOLVER" "the solver gave up where it mattered"
        "U-INTERRUPTED" "U-INTERRUPTED" "the run was interrupted"
        "U-BOUND" "U-BOUND" "more than a bound allows"
        "U-IMPRECISE" "U-IMPRECISE" "the system leaves it open"
        "U-UNSUPPORTED" "U-UNSUPPORTED" "something that is not supported can be reached"
        "U-INCONSISTENT" "U-INCONSISTENT" "the system both proves and refutes it"
        "U-EVIDENCE" "U-EVIDENCE" "the evidence did not stand up to its validator"
        "0" "exit-0" "true, or done"
        "1" "exit-1" "usage"
        "2" "exit-2" "wrong input"
        "5" "exit-5" "unknown"
        "6" "exit-6" "a bug in Tertium"
        "10" "exit-10" "false"
        "deadlock" "deadlock" "states without successors"
        "semantics" "semantics" "how partial systems are read"
        "engines" "engines" "which one answers, and which to ask for"
        "fairness" "fairness" "which paths count"
        "vacuity" "vacuity" "true for the wrong reason"
        "limits" "limits" "time, memory, work"
    ],
    aliases: &[
        ("flat-domain", "semantics"),
        ("sis", "semantics"),
        ("ris", "semantics"),
        ("thorough", "semantics"),
        ("auto", "engines"),
        ("engine", "engines"),
        ("justice", "fairness"),
        ("compassion", "fairness"),
        ("limit", "limits"),
        ("vacuous", "vacuity"),
    ],
    hint: "`tertium explain WORD` prints one.",
};

/// A page for every format that is read or written.
pub const FORMATS: Manual = Manual {
    noun: "format",
    pages: pages!["../../../docs/formats/":
        "pts" "pts" "*.pts         partial transition systems, in and out"
        "aut" "aut" "*.aut         Aldebaran systems, plain and modal, in and out"
        "smv" "smv" "*.smv         models in the language of NuSMV, with their specifications, in"
        "gcl" "gcl" "*.gcl         models of guarded commands over integers, with their properties, in"
        "c" "c" "*.c, *.i      programs in C, in"
        "formulas" "formulas" "-p FORMULA    mu-calculus, regular modalities, CTL"
        "mcf" "mcf" "-p @FILE      formula files as mCRL2 writes them, in"
        "dot" "dot" "--dot, *.dot  pictures for Graphviz, out"
        "pgsolver" "pgsolver" "game solve    parity games, in; their solutions, out"
        "json" "json" "--json        results for programs, out"
        "verdicts" "verdicts" "always        verdict lines, RESULT line and exit status"
    ],
    aliases: &[("pg", "pgsolver")],
    hint: "`tertium formats NAME` prints the page of one.",
};

impl Manual {
    /// The page of this word, or the list of all. Where there is no such page, the error says which there are.
    ///
    /// # Errors
    ///
    /// A message.
    pub fn page(&self, word: Option<&str>) -> Result<String, String> {
        match word.map(|word| self.find(word).ok_or(word)) {
            None => Ok(self.list()),
            Some(Ok(page)) => Ok(page.text.to_owned()),
            Some(Err(word)) => Err(self.unknown(word)),
        }
    }

    /// The page of this word in any case; files are called `.pts` as well as `pts`.
    fn find(&self, word: &str) -> Option<&'static Page> {
        let word = word.trim_start_matches('.');
        let same = |other: &str| other.eq_ignore_ascii_case(word);
        let named = self.aliases.iter().find(|(alias, _)| same(alias)).map(|(_, name)| *name);
        self.pages.iter().find(|page| named.map_or_else(|| same(page.word), |name| page.word == name))
    }

    fn list(&self) -> String {
        let width = self.pages.iter().map(|page| page.word.len()).max().unwrap_or(0) + 1;
        let lines: String =
            self.pages.iter().map(|page| format!("  {:<width$} {}\n", page.word, page.line)).collect();
        format!("{lines}\n{}\n", self.hint)
    }

    fn unknown(&self, word: &str) -> String {
        let near = nearest_names(word, self.pages.iter().map(|page| page.word));
        let hint = near.first().map_or(String::new(), |near| format!("did you mean `{near}`? "));
        format!("error: there is no {} `{word}`; {hint}these exist:\n{}", self.noun, self.list())
    }
}
