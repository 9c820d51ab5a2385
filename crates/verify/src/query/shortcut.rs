//! Named queries: `:stable`, `:summaries(pc = done){x,y}` and the like.

use super::Initial;
use crate::Halt;
use tertium_support::nearest_names;

/// A query as it will be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The formula.
    pub(super) text: String,
    /// What its author has in mind, if it is a shortcut.
    pub(super) initial: Option<Initial>,
    /// Whether all solutions make one formula: the strongest invariant is that some reachable combination is there.
    pub(super) invariant: bool,
}

/// The shortcuts: name, formula with `?` and perhaps `CONDITION`, and initial states.
const SHORTCUTS: [(&str, &str, Initial); 6] = [
    ("reachable", "EF ?", Initial::Some),
    ("stable", "EF AG ?", Initial::Some),
    ("invariants", "EF ?", Initial::Some),
    ("postdominators", "AF ?", Initial::All),
    ("dominators", "!E [!? U ((CONDITION) & !?)]", Initial::All),
    ("summaries", "EF ((CONDITION) & ?)", Initial::Each),
];

/// Writes a shortcut out; any other text stays as it is.
pub(super) fn written(text: &str) -> Result<Written, Halt> {
    let Some(shortcut) = text.trim().strip_prefix(':') else {
        return Ok(Written { text: text.to_owned(), initial: None, invariant: false });
    };
    let end = shortcut.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(shortcut.len());
    let (name, rest) = shortcut.split_at(end);
    let Some((_, formula, initial)) = SHORTCUTS.iter().find(|(known, ..)| *known == name) else {
        let names: Vec<&str> = SHORTCUTS.iter().map(|(known, ..)| *known).collect();
        let near = nearest_names(name, names.iter().copied());
        let advice = if near.is_empty() {
            format!("there are :{}", names.join(", :"))
        } else {
            format!("did you mean :{}?", near.join(" or :"))
        };
        return Err(Halt::Usage(format!("there is no shortcut `:{name}`: {advice}")));
    };
    let rest = rest.trim();
    let (condition, variables) = match rest.strip_prefix('(') {
        None => (None, rest),
        Some(inside) => {
            let Some(close) = closing_bracket(inside) else {
                return Err(Halt::Usage(format!("`:{name}` has a bracket that is not closed")));
            };
            (Some(&inside[..close]), inside[close + 1..].trim())
        }
    };
    let wants = formula.contains("CONDITION");
    let condition = match (condition.map(str::trim), wants) {
        (Some(condition), true) if !condition.is_empty() => condition,
        (None, false) => "",
        (_, true) => {
            return Err(Halt::Usage(format!(
                "`:{name}` needs a condition in brackets, such as ':{name}(pc = done)'"
            )));
        }
        (Some(_), false) => {
            return Err(Halt::Usage(format!("`:{name}` takes no condition in brackets")));
        }
    };
    let braced = variables.starts_with('{') && variables.ends_with('}');
    if !variables.is_empty() && !braced {
        return Err(Halt::Usage(format!("after `:{name}` variables stand in braces, not `{variables}`")));
    }
    let text = formula.split("CONDITION").map(|part| part.replace('?', &format!("?{variables}")));
    let text = text.collect::<Vec<_>>().join(condition);
    Ok(Written { text, initial: Some(*initial), invariant: name == "invariants" })
}

/// Where the bracket is closed that was opened before this text. Names in quotation marks may have brackets in them.
fn closing_bracket(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_are_written_out_and_formulas_stay() {
        let text = |written_as: &str| written(written_as).map(|written| written.text).ok();
        assert_eq!(text("EF ?").as_deref(), Some("EF ?"));
        assert_eq!(text(":stable").as_deref(), Some("EF AG ?"));
        assert_eq!(text(" :reachable {a, b}").as_deref(), Some("EF ?{a, b}"));
        assert_eq!(text(":summaries(f(x) = (1)){y}").as_deref(), Some("EF ((f(x) = (1)) & ?{y})"));
        assert_eq!(text(":dominators(p)").as_deref(), Some("!E [!? U ((p) & !?)]"));
        assert_eq!(text(":summaries(p){CONDITION}").as_deref(), Some("EF ((p) & ?{CONDITION})"));
        assert_eq!(text(":summaries(CONDITION){y}").as_deref(), Some("EF ((CONDITION) & ?{y})"));
        let quoted = r#":summaries("(" && (p)){"q)"}"#;
        assert_eq!(text(quoted).as_deref(), Some(r#"EF (("(" && (p)) & ?{"q)"})"#));
        for wrong in [
            ":",
            ":stabel",
            ":stable(p)",
            ":summaries(p) | (q)",
            ":stable{a",
            ":summaries",
            ":summaries()",
            ":dominators(p",
        ] {
            assert!(written(wrong).is_err(), "{wrong}");
        }
    }
}
