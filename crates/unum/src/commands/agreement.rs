//! The options that say which rules are played, the same for all commands.

use std::fs;

use anyhow::{Context as _, bail};
use serde_json::{Map, Value};
use unum_rules::{Edition, Rules, RulesSpec};

use super::parse_edition;

/// What is played.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RulesArgs {
    /// The edition to play: original, fairies, frozen, custom or modern [default: original]
    #[arg(long, value_name = "EDITION", value_parser = parse_edition)]
    edition: Option<Edition>,

    /// House rules, for instance stacking=any,seven_zero,hand_size=5; `unum rules` explains them
    #[arg(long, value_name = "RULE,RULE=VALUE")]
    house: Vec<String>,

    /// How a match is scored: first_to:500, lowest_at:500 or single_round [default: the edition's way]
    #[arg(long, value_name = "SCORING")]
    scoring: Option<String>,

    /// What the Customizable cards carry (edition custom): numbers of starters, or null, as in 4,null,7
    #[arg(long, value_name = "CARD,CARD")]
    custom: Option<String>,

    /// Rules as JSON, for instance {"house":{"stacking":"any"}}, or a file that holds such JSON
    #[arg(long, value_name = "JSON|FILE")]
    rules: Option<String>,
}

impl RulesArgs {
    /// Whether nothing is said about the rules.
    pub(crate) fn is_empty(&self) -> bool {
        let told = self.edition.is_some() || self.scoring.is_some() || self.custom.is_some() || self.rules.is_some();
        !told && self.house.is_empty()
    }

    /// The rules as a table agrees on them.
    ///
    /// # Errors
    /// When the options are no rules, or contradict each other.
    pub(crate) fn spec(&self) -> anyhow::Result<RulesSpec> {
        let mut fields = self.written()?;
        if let Some(edition) = self.edition {
            let given = fields.get("edition").and_then(Value::as_str);
            if let Some(given) = given.filter(|given| *given != edition.id()) {
                bail!("--edition says {edition}, --rules {given:?}: choose one");
            }
        }
        let edition = self.edition.unwrap_or(Edition::Original);
        fields.entry("edition").or_insert_with(|| edition.id().into());
        let mut spec: RulesSpec = serde_json::from_value(fields.into()).context("--rules")?;
        for house in &self.house {
            spec = with_changes(&spec, house).with_context(|| format!("--house {house}"))?;
        }
        if let Some(scoring) = &self.scoring {
            spec.scoring = Some(scoring_json(scoring).with_context(|| format!("--scoring {scoring}"))?);
        }
        if let Some(custom) = &self.custom {
            let cards = serde_json::from_str(&format!("[{custom}]"));
            spec.custom_cards = Some(cards.with_context(|| format!("--custom {custom}"))?);
        }
        Ok(spec)
    }

    /// The rules, checked.
    ///
    /// # Errors
    /// As for `spec`, and when no game can be played by such rules.
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        Ok(Rules::new(self.spec()?)?)
    }

    /// What `--rules` says, in the argument itself or in the file it names.
    fn written(&self) -> anyhow::Result<Map<String, Value>> {
        let json = match &self.rules {
            None => return Ok(Map::new()),
            Some(json) if json.trim_start().starts_with('{') => json.clone(),
            Some(file) => fs::read_to_string(file).with_context(|| format!("--rules {file}"))?,
        };
        serde_json::from_str(&json).context("--rules")
    }
}

/// The options that give these rules again, to be put on a command line.
pub(crate) fn options(spec: &RulesSpec) -> anyhow::Result<Vec<String>> {
    if *spec != RulesSpec::of(spec.edition) {
        return Ok(vec!["--rules".to_owned(), serde_json::to_string(spec)?]);
    }
    let printed = spec.edition != Edition::Original;
    Ok(if printed { vec!["--edition".to_owned(), spec.edition.id().to_owned()] } else { Vec::new() })
}

/// Rules with some changes, written as `stacking=any,seven_zero`; `edition=frozen` changes the edition.
///
/// # Errors
/// When there are no such rules.
pub(crate) fn with_changes(spec: &RulesSpec, changes: &str) -> anyhow::Result<RulesSpec> {
    let Value::Object(mut fields) = serde_json::to_value(spec)? else { bail!("rules are a JSON object") };
    for change in changes.split(',').map(str::trim) {
        let (name, value) = change.split_once('=').unwrap_or((change, "true"));
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        if name == "edition" {
            fields.insert(name.to_owned(), value);
            continue;
        }
        let house = fields.entry("house").or_insert_with(|| Map::new().into());
        if let Value::Object(house) = house {
            house.insert(name.to_owned(), value);
        }
    }
    serde_json::from_value(fields.into()).context("such a rule is written as seven_zero, stacking=any or hand_size=5")
}

/// `first_to:500` in JSON is `{"type":"first_to","target":500}`.
fn scoring_json(text: &str) -> anyhow::Result<unum_rules::Scoring> {
    let mut fields = Map::new();
    let (kind, target) = text.split_once(':').map_or((text, None), |(kind, target)| (kind, Some(target)));
    fields.insert("type".to_owned(), kind.into());
    if let Some(target) = target {
        fields.insert("target".to_owned(), target.parse::<u32>().context("the target is a number")?.into());
    }
    serde_json::from_value(fields.into()).context("write first_to:500, lowest_at:500 or single_round")
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use unum_rules::{CustomCard, Scoring, Stacking};

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        rules: RulesArgs,
    }

    fn spec(options: &[&str]) -> anyhow::Result<RulesSpec> {
        Cli::try_parse_from(["unum"].iter().chain(options))?.rules.spec()
    }

    #[test]
    fn options_add_up() {
        let options_given = [
            "--edition",
            "custom",
            "--house",
            "stacking=any,seven_zero",
            "--house",
            "hand_size=5",
            "--scoring",
            "lowest_at:200",
            "--custom",
            "4,null",
            "--rules",
            r#"{"house":{"jump_in":true,"hand_size":9}}"#,
        ];
        let spec = spec(&options_given).unwrap();
        let house = &spec.house;
        assert_eq!((house.stacking, house.seven_zero, house.jump_in), (Stacking::Any, true, true));
        assert_eq!((house.hand_size, spec.scoring), (Some(5), Some(Scoring::LowestAt(200))));
        assert_eq!(spec.custom_cards, Some(vec![CustomCard::Starter(4), CustomCard::Plain]));
        assert_eq!(Rules::new(spec.clone()).unwrap().edition(), Edition::Custom);
        let again = options(&spec).unwrap();
        assert_eq!(super::tests::spec(&again.iter().map(String::as_str).collect::<Vec<_>>()).unwrap(), spec);
    }

    #[test]
    fn a_printed_edition_is_an_option_of_its_own() {
        assert!(options(&spec(&[]).unwrap()).unwrap().is_empty());
        assert_eq!(options(&spec(&["--edition", "frozen"]).unwrap()).unwrap(), ["--edition", "frozen"]);
        assert_eq!(spec(&["--scoring", "first_to"]).unwrap().scoring, Some(Scoring::FirstTo(500)));
    }

    #[test]
    fn what_is_no_rule_is_refused_in_words() {
        for (options, words) in [
            (&["--house", "stack=any"][..], "expected one of"),
            (&["--house", "stacking"], "--house stacking"),
            (&["--house", "stacking=all"], "expected one of `off`, `same`, `any`"),
            (&["--house", "hand_size=many"], "hand_size=5"),
            (&["--house", ""], "seven_zero"),
            (&["--scoring", "first_to:none"], "a number"),
            (&["--scoring", "best_of:3"], "first_to:500"),
            (&["--custom", "x"], "--custom x"),
            (&["--edition", "custom", "--rules", r#"{"edition":"modern"}"#], "choose one"),
            (&["--rules", "no/such/file"], "--rules no/such/file"),
            (&["--rules", r#"{"hause":{}}"#], "--rules"),
        ] {
            let error = spec(options).map(|_| ()).unwrap_err();
            assert!(format!("{error:#}").contains(words), "{options:?}: {error:#}");
        }
    }

    #[test]
    fn changes_are_laid_over_rules() {
        let base = spec(&["--house", "stacking=same,jump_in"]).unwrap();
        let changed = with_changes(&base, "stacking=off, draw_to_match,edition=modern").unwrap();
        assert_eq!((changed.edition, changed.house.stacking), (Edition::Modern, Stacking::Off));
        assert!(changed.house.jump_in && changed.house.draw_to_match);
        assert!(with_changes(&base, "edition=classic").is_err());
    }
}
