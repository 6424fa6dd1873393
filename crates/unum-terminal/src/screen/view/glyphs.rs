//! Large digits and signs for large cards, drawn in half blocks: three rows and three or five columns each, or twice that.

/// Five rows of pixels; `#` is ink.
fn pixels(sign: char) -> Option<[&'static str; 5]> {
    Some(match sign {
        '0' => ["###", "# #", "# #", "# #", "###"],
        '1' => [" # ", "## ", " # ", " # ", "###"],
        '2' => ["###", "  #", "###", "#  ", "###"],
        '3' => ["###", "  #", " ##", "  #", "###"],
        '4' => ["# #", "# #", "###", "  #", "  #"],
        '5' => ["###", "#  ", "###", "  #", "###"],
        '6' => ["###", "#  ", "###", "# #", "###"],
        '7' => ["###", "  #", "  #", " # ", " # "],
        '8' => ["###", "# #", "###", "# #", "###"],
        '9' => ["###", "# #", "###", "  #", "###"],
        '+' => ["   ", " # ", "###", " # ", "   "],
        '⊘' => [" ### ", "#  ##", "# # #", "##  #", " ### "],
        _ => return None,
    })
}

/// A number, a plus and a number, or the sign of Skip or Reverse, in that scale; `None` for anything else.
pub(super) fn large(text: &str, scale: usize) -> Option<Vec<String>> {
    if text == "⇄" {
        // The heads of arrows need more than pixels.
        let shaft = "━".repeat(5 * scale - 1);
        return Some(vec![format!("{shaft}▶"), String::new(), format!("◀{shaft}")]);
    }
    let signs: Vec<[&str; 5]> = text.chars().map(pixels).collect::<Option<_>>()?;
    let row = |row: usize| -> String {
        let blank = |sign: &[&str; 5]| if sign[0].len() > 3 { "     " } else { "   " };
        let part = |sign: &[&'static str; 5]| sign.get(row / scale).copied().unwrap_or(blank(sign));
        let parts: Vec<&str> = signs.iter().map(part).collect();
        parts.join(" ").chars().flat_map(|pixel| std::iter::repeat_n(pixel, scale)).collect()
    };
    let halves = |upper: char, lower: char| match (upper, lower) {
        ('#', '#') => '█',
        ('#', _) => '▀',
        (_, '#') => '▄',
        _ => ' ',
    };
    let both = |pair: usize| row(2 * pair).chars().zip(row(2 * pair + 1).chars()).map(|(a, b)| halves(a, b)).collect();
    Some((0..(5 * scale).div_ceil(2)).map(both).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_drawn_and_words_are_not() {
        assert_eq!(large("7", 1).unwrap(), ["▀▀█", " ▄▀", " ▀ "]);
        assert_eq!(large("7", 2).unwrap(), ["██████", "    ██", "    ██", "  ██  ", "  ██  "]);
        assert_eq!(large("+2", 1).unwrap(), [" ▄  ▀▀█", "▀█▀ █▀▀", "    ▀▀▀"]);
        assert_eq!(large("⊘", 1).unwrap(), ["▄▀▀█▄", "█▄▀ █", " ▀▀▀ "]);
        assert_eq!(large("⇄", 1).unwrap(), ["━━━━▶", "", "◀━━━━"]);
        assert!(large("WILD", 1).is_none());
    }
}
