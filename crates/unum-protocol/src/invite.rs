//! Invite codes of tables: their format, and how typed ones are read.

/// The length of a table's code: 45 bits, short enough to say on the phone. docs/server.md has the odds of guessing one.
pub const CODE_LENGTH: usize = 9;
/// How many of them are shown together.
pub const CODE_GROUP: usize = 3;
/// The length of older servers' codes; their links still work.
pub const LONG_CODE_LENGTH: usize = 16;
/// The alphabet of codes: no letter that looks like another, none that makes words by accident.
pub const CODE_ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Letters outside the alphabet, and the ones they are taken for.
pub const CODE_LOOKALIKES: [(char, char); 3] = [('o', '0'), ('i', '1'), ('l', '1')];
/// An example code.
pub const EXAMPLE_CODE: &str = "k3m9pqx7t";
/// What a server has at its root, or below the path in its public address: no part of that path is called so, so a link
/// tells where the one ends and the other begins.
pub const OWN_PATHS: [&str; 12] = [
    "api",
    "assets",
    "g",
    "healthz",
    "icons",
    "manifest.webmanifest",
    "readyz",
    "rules",
    "style.css",
    "sw.js",
    "t",
    "ws",
];

/// Whether a part of that path is of letters that mean the same everywhere: in links, cookies and names of files.
pub fn is_base_part(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// The path in a link to a server below which everything of it lies: empty, or such as `/uno`. `path` begins with a slash
/// or is empty.
pub fn base_in(path: &str) -> &str {
    let mut end = 0;
    for segment in path.split('/').skip(1) {
        if !is_base_part(segment) || OWN_PATHS.contains(&segment) {
            break;
        }
        end += 1 + segment.len();
    }
    &path[..end]
}

/// What precedes the code in an invite link.
const PATH: &str = "/t/";
/// The longest text searched for a code.
const LONGEST: usize = 2_000;

/// Whether a text is the code of a table, letter by letter.
pub fn is_table_code(text: &str) -> bool {
    let length = text.len();
    (length == CODE_LENGTH || length == LONG_CODE_LENGTH) && text.bytes().all(|byte| CODE_ALPHABET.contains(&byte))
}

/// The code in what somebody has typed or pasted: a code or an invite link, in any case, with any spaces, dashes or dots,
/// and with letters that look like those of the code.
pub fn read_code(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let typed = match text.rfind(PATH) {
        Some(at) => text[at + PATH.len()..].split(['?', '#', '/']).next().unwrap_or_default(),
        None => text,
    };
    let code: String = typed.chars().filter(|letter| !is_gap(*letter)).map(meant).collect();
    is_table_code(&code).then_some(code)
}

/// A code in groups that can be said and read one by one.
pub fn show_code(code: &str) -> String {
    let letters: Vec<char> = code.chars().collect();
    let groups = letters.chunks(CODE_GROUP).map(|group| group.iter().collect::<String>());
    groups.collect::<Vec<_>>().join(" ")
}

/// Separators that are ignored in a code.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '-' | '_' | '.' | ',' | '\u{2010}'..='\u{2015}')
}

/// The letter a typed one is taken for.
fn meant(letter: char) -> char {
    let small = letter.to_ascii_lowercase();
    CODE_LOOKALIKES.iter().find(|(typed, _)| *typed == small).map_or(small, |(_, code)| *code)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_link_tells_below_what_a_server_lies() {
        for (path, base) in [
            ("", ""),
            ("/", ""),
            ("/t/k3m9pqx7t", ""),
            ("/uno", "/uno"),
            ("/uno/", "/uno"),
            ("/games/uno/t/k3m9pqx7t", "/games/uno"),
            ("/uno/g/7", "/uno"),
            ("//x", ""),
            ("/uno/login.php", "/uno"),
        ] {
            assert_eq!(super::base_in(path), base, "{path}");
        }
    }

    use unum_rules::{Chance as _, Seeded};

    use super::*;

    fn random_code(rng: &mut Seeded, length: usize) -> String {
        (0..length).map(|_| char::from(CODE_ALPHABET[rng.below(32) as usize])).collect()
    }

    /// A code as somebody might type it.
    fn typed(code: &str, rng: &mut Seeded) -> String {
        let gaps = ["", "", "", " ", "-", "  ", "\t", ".", "–"];
        let mut text = String::new();
        for letter in code.chars() {
            let letter = match (letter, rng.below(3)) {
                ('0', 0) => ['o', 'O'][rng.below(2) as usize],
                ('1', 0) => ['i', 'I', 'l', 'L'][rng.below(4) as usize],
                (letter, 1) => letter.to_ascii_uppercase(),
                (letter, _) => letter,
            };
            text.push(letter);
            text.push_str(gaps[rng.below(gaps.len() as u32) as usize]);
        }
        text
    }

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let mut rng = Seeded::new(16);
        for _ in 0..5_000 {
            let length = if rng.below(8) == 0 { LONG_CODE_LENGTH } else { CODE_LENGTH };
            let code = random_code(&mut rng, length);
            assert_eq!(read_code(&code).as_deref(), Some(&*code));
            assert_eq!(read_code(&show_code(&code)).as_deref(), Some(&*code));
            for text in [typed(&code, &mut rng), format!("  {}\n", typed(&code, &mut rng).to_uppercase())] {
                assert_eq!(read_code(&text).as_deref(), Some(&*code), "{text:?}");
            }
            let link = format!("https://uno.example.org/t/{}?from=qr#x", typed(&code, &mut rng));
            assert_eq!(read_code(&link).as_deref(), Some(&*code), "{link:?}");
        }
    }

    #[test]
    fn whatever_is_typed_is_a_code_or_none() {
        let mut rng = Seeded::new(17);
        let letters: Vec<char> = "0Oo1iIlLuU8b-–_ ./?#tTé国\u{202e}\u{0}zZ%+".chars().collect();
        for _ in 0..50_000 {
            let length = rng.below(24);
            let text: String = (0..length).map(|_| letters[rng.below(letters.len() as u32) as usize]).collect();
            if let Some(code) = read_code(&text) {
                assert!(is_table_code(&code), "{text:?}");
                assert_eq!(read_code(&show_code(&code)), Some(code));
            }
        }
        for none in ["", "k3m9pqx7", "k3m9pqx7tt", "k3m9pqx7u", "../../etc", "https://uno.example.org/", "k3m/9pqx7t"] {
            assert_eq!(read_code(none), None, "{none}");
        }
        assert_eq!(read_code(&"k ".repeat(2_000)), None);
    }

    #[test]
    fn codes_have_forty_bits_and_letters_of_their_own() {
        assert!(CODE_LENGTH as u32 * CODE_ALPHABET.len().ilog2() >= 40);
        assert!(is_table_code(EXAMPLE_CODE) && EXAMPLE_CODE.len() == CODE_LENGTH);
        assert!(!is_table_code("K3M9PQX7T") && !is_table_code("k3m 9pqx7"));
        for (typed, code) in CODE_LOOKALIKES {
            assert!(!CODE_ALPHABET.contains(&(typed as u8)) && CODE_ALPHABET.contains(&(code as u8)));
        }
        assert_eq!(show_code("k3m9pqx7t"), "k3m 9pq x7t");
    }
}
