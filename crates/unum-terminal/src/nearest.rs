//! "Did you mean …?": the known words closest to a mistyped one, by edit distance.

/// The most words that are suggested.
const MOST: usize = 3;

/// The known words most like a mistyped one, best first. A matching beginning (`stack`) counts as one typo.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = typed.trim().to_lowercase();
    if typed.is_empty() {
        return Vec::new();
    }
    let limit = (typed.chars().count() / 3).clamp(1, 3);
    let mut near: Vec<(usize, &str)> = known.into_iter().map(|word| (distance(&typed, word), word)).collect();
    near.retain(|(distance, _)| *distance <= limit);
    near.sort_by_key(|(distance, _)| *distance);
    near.truncate(MOST);
    near.into_iter().map(|(_, word)| word).collect()
}

/// A question to append to a message: ` Did you mean frozen?`, or nothing.
pub fn did_you_mean<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near: Vec<String> = nearest(typed, known).into_iter().map(str::to_owned).collect();
    if near.is_empty() { String::new() } else { format!(" Did you mean {}?", crate::story::either(&near)) }
}

fn distance(typed: &str, known: &str) -> usize {
    let known = known.to_lowercase();
    if typed.len() >= 3 && known.starts_with(typed) {
        return 1;
    }
    strsim::damerau_levenshtein(typed, &known)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 4] = ["frozen", "fairies", "stacking", "jump_in"];

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        assert_eq!(nearest("Frzen", WORDS), ["frozen"]);
        assert_eq!(nearest("stack", WORDS), ["stacking"]);
        assert_eq!(nearest("jumpin", WORDS), ["jump_in"]);
        assert!(nearest("", WORDS).is_empty() && nearest("nothing like it", WORDS).is_empty());
        assert_eq!(did_you_mean("frzen", WORDS), " Did you mean frozen?");
        assert_eq!(did_you_mean("qqq", WORDS), "");
        assert!(nearest("shout", ["host"]).is_empty(), "two mistakes in five letters make another word");
    }
}
