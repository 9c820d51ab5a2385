//! "Did you mean …?": the known names nearest to an unknown one.

/// Longer names are compared with nothing: that takes the product of the lengths.
const LONGEST: usize = 100;

/// At most three of `known` that are near to `unknown`, nearest first, by Damerau–Levenshtein distance without
/// regard to case. "Near" is a distance of at most a third of the length, and at least one.
pub fn nearest_names<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = unknown.to_lowercase();
    let length = unknown.chars().count();
    if length > LONGEST {
        return Vec::new();
    }
    let bound = (length / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|name| name.chars().take(length + bound + 1).count().abs_diff(length) <= bound)
        .map(|name| (strsim::damerau_levenshtein(&wanted, &name.to_lowercase()), name))
        .filter(|&(distance, _)| distance <= bound)
        .collect();
    near.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)));
    near.dedup();
    near.truncate(3);
    near.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest_names;

    #[test]
    fn a_swapped_letter_is_near_and_a_different_word_is_not() {
        assert_eq!(nearest_names("rqeuest", ["request", "grant"]), ["request"]);
        assert_eq!(nearest_names("Grant", ["request", "grant"]), ["grant"]);
        assert!(nearest_names("x", ["request", "grant"]).is_empty());
    }

    #[test]
    fn endless_names_take_no_time() {
        let long = "n".repeat(1_000_000);
        assert!(nearest_names(&long, [long.as_str(), "n"]).is_empty());
        assert!(nearest_names("nn", [long.as_str(), "mn"]) == ["mn"]);
    }
}
