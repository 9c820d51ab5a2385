//! Named queries: `:stable`, `:summaries(pc = done){x,y}` and the like.

use crate::failure::Failure;
use tertium_support::nearest_names;

/// At which initial states something must be a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Initial {
    /// At all.
    All,
    /// At some.
    Some,
    /// One answer for each.
    Each,
}

impl Initial {
    /// As in reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Initial::All => "all",
            Initial::Some => "some",
            Initial::Each => "each",
        }
    }
}

/// A query as it will be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The formula.
    pub(crate) text: String,
    /// What its author has in mind, if it is a shortcut.
    pub(crate) initial: Option<Initial>,
    /// Whether all solutions make one formula: the strongest invariant is that some reachable combination is there.
    pub(crate) invariant: bool,
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
pub(crate) fn written(text: &str) -> Result<Written, Failure> {
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
        return Err(Failure::Usage(format!("there is no shortcut `:{name}`: {advice}")));
    };
    let rest = rest.trim();
    let (condition, variables) = match rest.strip_prefix('(') {
        None => (None, rest),
        Some(inside) => {
            let Some(close) = inside.rfind(')') else {
                return Err(Failure::Usage(format!("`:{name}` has a bracket that is not closed")));
            };
            (Some(&inside[..close]), inside[close + 1..].trim())
        }
    };
    let wants = formula.contains("CONDITION");
    let condition = match (condition.map(str::trim), wants) {
        (Some(condition), true) if !condition.is_empty() => condition,
        (None, false) => "",
        (_, true) => {
            return Err(Failure::Usage(format!(
                "`:{name}` needs a condition in brackets, such as ':{name}(pc = done)'"
            )));
        }
        (Some(_), false) => {
            return Err(Failure::Usage(format!("`:{name}` takes no condition in brackets")));
        }
    };
    let braced = variables.starts_with('{') && variables.ends_with('}');
    if !variables.is_empty() && !braced {
        return Err(Failure::Usage(format!("after `:{name}` variables stand in braces, not `{variables}`")));
    }
    let text = formula.replace('?', &format!("?{variables}")).replace("CONDITION", condition);
    Ok(Written { text, initial: Some(*initial), invariant: name == "invariants" })
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
        for wrong in
            [":", ":stabel", ":stable(p)", ":stable{a", ":summaries", ":summaries()", ":dominators(p"]
        {
            assert!(written(wrong).is_err(), "{wrong}");
        }
    }
}
