//! `tertium explain`: a page for every code, exit status and notion that the output mentions.

use crate::exit::Status;
use crate::output::Output;
use tertium_support::nearest_names;

/// A page and the word it is found under. Its first line is its title.
struct Page {
    code: &'static str,
    text: &'static str,
}

macro_rules! pages {
    ($($code:literal => $file:literal),* $(,)?) => {
        &[$(Page { code: $code, text: include_str!(concat!("../../explain/", $file, ".md")) }),*]
    };
}

const PAGES: &[Page] = pages![
    "U-TIME" => "U-TIME",
    "U-WORK" => "U-WORK",
    "U-MEMORY" => "U-MEMORY",
    "U-NODES" => "U-NODES",
    "U-ITERATIONS" => "U-ITERATIONS",
    "U-SOLVER" => "U-SOLVER",
    "U-INTERRUPTED" => "U-INTERRUPTED",
    "U-BOUND" => "U-BOUND",
    "U-IMPRECISE" => "U-IMPRECISE",
    "U-INCONSISTENT" => "U-INCONSISTENT",
    "U-EVIDENCE" => "U-EVIDENCE",
    "0" => "exit-0",
    "1" => "exit-1",
    "2" => "exit-2",
    "5" => "exit-5",
    "6" => "exit-6",
    "10" => "exit-10",
    "deadlock" => "deadlock",
    "semantics" => "semantics",
];

/// Other words for the same pages.
const ALIASES: &[(&str, &str)] =
    &[("flat-domain", "semantics"), ("sis", "semantics"), ("ris", "semantics"), ("thorough", "semantics")];

/// Prints a page, or the list of all.
pub(crate) fn run(code: Option<&str>, output: &Output) -> Status {
    let Some(code) = code else {
        output.result(&list());
        return Status::True;
    };
    match find(code) {
        Some(page) => {
            output.result(page.text);
            Status::True
        }
        None => {
            output.message(&unknown(code));
            Status::Usage
        }
    }
}

fn find(code: &str) -> Option<&'static Page> {
    let wanted =
        ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(code)).map_or(code, |(_, page)| page);
    PAGES.iter().find(|page| page.code.eq_ignore_ascii_case(wanted))
}

fn list() -> String {
    PAGES.iter().map(|page| format!("  {:<16} {}\n", page.code, title(page))).collect()
}

/// The title without the code in front of it.
fn title(page: &Page) -> &'static str {
    let first = page.text.lines().next().unwrap_or_default().trim_start_matches("# ");
    first.split_once(": ").map_or(first, |(_, title)| title)
}

fn unknown(code: &str) -> String {
    let near = nearest_names(code, PAGES.iter().map(|page| page.code));
    let hint = match near.first() {
        Some(near) => format!("did you mean `{near}`? "),
        None => String::new(),
    };
    format!("error: there is no page `{code}`; {hint}these exist:\n{}", list())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_truth::Cause;

    #[test]
    fn every_cause_and_every_exit_status_has_a_page_with_an_example() {
        let codes = Cause::ALL.map(|cause| cause.code().to_owned());
        let statuses = Status::ALL.map(|status| status.code().to_string());
        for code in codes.iter().chain(&statuses) {
            let page = find(code).unwrap_or_else(|| panic!("no page for {code}"));
            assert!(page.text.contains("    $ tertium"), "the page {code} has no example");
            assert!(page.text.starts_with("# "), "the page {code} has no title");
        }
    }

    #[test]
    fn pages_are_found_in_any_case_and_near_words_are_suggested() {
        assert!(find("u-time").is_some());
        assert!(find("flat-domain").is_some());
        assert!(unknown("U-TMIE").contains("did you mean `U-TIME`?"));
    }
}
