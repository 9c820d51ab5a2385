//! "Did you mean …?": the known names nearest to an unknown one.

/// At most three of `known` that are near to `unknown`, nearest first, by Damerau–Levenshtein distance without
/// regard to case. "Near" is a distance of at most a third of the length, and at least one.
pub fn nearest_names<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = unknown.to_lowercase();
    let bound = (unknown.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
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
}
