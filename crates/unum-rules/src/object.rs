//! Strict JSON: types with a single accepted form, and parse errors in plain words.

/// Makes types readable from JSON objects only.
///
/// A struct's derived deserializer also accepts a list of values without names, and so do tagged enums. A request such
/// as `[]` would then count as one with every field left out. A type that derives with `#[serde(remote = "Self")]` gets
/// its derived functions as methods; this macro implements the traits with them and refuses everything that is not an
/// object.
#[macro_export]
macro_rules! objects_only {
    ($($name:ident),+ $(,)?) => {$(
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Object;
                impl<'de> ::serde::de::Visitor<'de> for Object {
                    type Value = $name;

                    fn expecting(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                        f.write_str("an object with named fields")
                    }

                    fn visit_map<A: ::serde::de::MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                        $name::deserialize(::serde::de::value::MapAccessDeserializer::new(map))
                    }
                }
                deserializer.deserialize_map(Object)
            }
        }
    )+};
}

/// Makes enums without fields readable from JSON texts only.
///
/// Their derived deserializers also accept an object such as `{"original":null}`, and do not list the valid words when
/// they find a number. A type derives with `#[serde(remote = "Self")]`, as for [`objects_only!`](crate::objects_only).
#[macro_export]
macro_rules! words_only {
    ($($name:ident),+ $(,)?) => {$(
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Word;
                impl ::serde::de::Visitor<'_> for Word {
                    type Value = $name;

                    fn expecting(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                        let none = ::serde::de::value::StrDeserializer::<::serde::de::value::Error>::new("");
                        let why = $name::deserialize(none).map_or_else(|why| why.to_string(), |_| String::new());
                        f.write_str(why.split_once("expected ").map_or("a word", |(_, words)| words))
                    }

                    fn visit_str<E: ::serde::de::Error>(self, word: &str) -> Result<$name, E> {
                        $name::deserialize(::serde::de::value::StrDeserializer::new(word))
                    }
                }
                deserializer.deserialize_str(Word)
            }
        }
    )+};
}

/// Serde's words and plainer ones.
const WORDS: [(&str, &str); 12] = [
    ("invalid type: ", ""),
    ("invalid value: ", ""),
    ("unknown variant", "unknown word"),
    ("expected variant identifier", "expected a word"),
    ("expected struct Request", "expected an object with named fields"),
    ("expected u64", "expected a whole number"),
    ("expected u32", "expected a whole number"),
    ("expected u16", "expected a whole number"),
    ("expected u8", "expected a whole number"),
    ("expected a sequence", "expected a list"),
    ("sequence,", "a list,"),
    ("map,", "an object,"),
];

/// What is wrong with some JSON, in the words of the documentation. Only text that is not JSON at all gets a position: of
/// anything else the parser has seen only a part.
pub fn plain_words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if !error.is_data() {
        return format!("this is not JSON: see line {}, column {}", error.line(), error.column());
    }
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    WORDS.iter().fold(text.to_owned(), |text, (from, to)| text.replacen(from, to, 1))
}

#[cfg(test)]
mod tests {
    use super::plain_words;
    use crate::{RulesSpec, Stacking};

    #[test]
    fn words_are_read_from_words_only() {
        assert_eq!(serde_json::from_str::<Stacking>(r#""any""#).unwrap(), Stacking::Any);
        assert_eq!(serde_json::to_string(&Stacking::Any).unwrap(), r#""any""#);
        for (json, words) in [
            ("true", "boolean `true`, expected one of `off`, `same`, `any`"),
            (r#"{"any":null}"#, "an object, expected one of `off`, `same`, `any`"),
            (r#"["any"]"#, "a list, expected one of `off`, `same`, `any`"),
            (r#""all""#, "unknown word `all`, expected one of `off`, `same`, `any`"),
        ] {
            assert_eq!(plain_words(&serde_json::from_str::<Stacking>(json).unwrap_err()), words);
        }
    }

    #[test]
    fn no_type_of_rust_and_no_column_of_a_part_is_told() {
        for json in ["7", "[]", r#"{"edition":7}"#, r#"{"edition":"original","house":{"hand_size":"x"}}"#] {
            let words = plain_words(&serde_json::from_str::<RulesSpec>(json).unwrap_err());
            for technical in ["struct", "enum", "variant", "u8", "u64", "column", "sequence"] {
                assert!(!words.contains(technical), "{json}: {words}");
            }
        }
    }
}
