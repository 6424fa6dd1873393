//! The options that say which rules are played, the same for all commands.

use std::fs;

use anyhow::{Context as _, anyhow, bail};
use serde_json::{Map, Value};
use unum_protocol::{Group, SETTINGS, Setting, SettingId, SettingValue, Settings};
use unum_rules::{CustomCard, CustomRule, Edition, Rules, RulesSpec, plain_words};

use unum_terminal::nearest::did_you_mean;
use unum_terminal::settings;
use unum_terminal::story::either;

use super::{edition_value, house_value, parse_edition};
use crate::usage::OrUsage as _;

/// What is played.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RulesArgs {
    #[arg(long, value_name = "EDITION", value_parser = edition_value(), hide_possible_values = true, help = edition_help())]
    edition: Option<Edition>,

    /// House rules, such as stacking=any,seven_zero,hand_size=5; `unum rules` explains them
    #[arg(long, value_name = "RULE,RULE=VALUE", value_parser = house_value(), hide_possible_values = true)]
    house: Vec<String>,

    /// How a match is scored: first_to:500, lowest_at:500 or single_round [default: the edition's]
    #[arg(long, value_name = "SCORING")]
    scoring: Option<String>,

    /// Rules on the Customizable cards (edition custom): starter numbers, or null for none, as in 4,null,7; `unum rules C2`
    /// lists them
    #[arg(long, value_name = "CARD,CARD")]
    custom: Option<String>,

    /// Rules as JSON, such as {"house":{"stacking":"any"}}, or a file with such JSON
    #[arg(long, value_name = "JSON|FILE")]
    rules: Option<String>,
}

impl RulesArgs {
    /// The options that were given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let options = [
            ("--edition", self.edition.is_some()),
            ("--house", !self.house.is_empty()),
            ("--scoring", self.scoring.is_some()),
            ("--custom", self.custom.is_some()),
            ("--rules", self.rules.is_some()),
        ];
        options.into_iter().filter(|(_, given)| *given).map(|(option, _)| option).collect()
    }

    /// Whether the options say anything about a house rule.
    pub(crate) fn mention(&self, id: SettingId) -> bool {
        let name = |change: &str| change.split('=').next().map(str::trim) == Some(id.as_str());
        let written = self.written().ok().and_then(|fields| fields.get("house")?.get(id.as_str()).cloned());
        written.is_some() || self.house.iter().flat_map(|changes| changes.split(',')).any(name)
    }

    /// The rules as a table agrees on them.
    ///
    /// # Errors
    /// When the options are invalid or contradict each other.
    pub(crate) fn spec(&self) -> anyhow::Result<RulesSpec> {
        self.read().or_usage()
    }

    fn read(&self) -> anyhow::Result<RulesSpec> {
        let mut fields = self.written()?;
        if let Some(edition) = self.edition {
            let given = fields.get("edition").and_then(Value::as_str);
            if let Some(given) = given.filter(|given| *given != edition.id()) {
                bail!("--edition says {edition}, --rules {given:?}: choose one");
            }
        }
        let edition = self.edition.unwrap_or_default();
        fields.entry("edition").or_insert_with(|| edition.id().into());
        let mut spec: RulesSpec = serde_json::from_value(fields.into()).map_err(in_words).context("--rules")?;
        for house in &self.house {
            spec = with_changes(&spec, house).with_context(|| format!("--house {house}"))?;
        }
        if let Some(scoring) = &self.scoring {
            spec = with_scoring(spec, scoring).with_context(|| format!("--scoring {scoring}"))?;
        }
        if let Some(custom) = &self.custom {
            spec.custom_cards = Some(custom_cards(custom).with_context(|| format!("--custom {custom}"))?);
        }
        Ok(spec)
    }

    /// The rules, checked.
    ///
    /// # Errors
    /// As for `spec`, and when no game can be played by such rules.
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        Rules::new(self.spec()?).or_usage()
    }

    /// What `--rules` says, in the argument itself or in the file it names.
    fn written(&self) -> anyhow::Result<Map<String, Value>> {
        let json = match &self.rules {
            None => return Ok(Map::new()),
            Some(json) if json.trim_start().starts_with('{') => json.clone(),
            Some(file) => fs::read_to_string(file).with_context(|| format!("--rules {file}"))?,
        };
        serde_json::from_str(&json).map_err(in_words).context("--rules")
    }
}

fn edition_help() -> String {
    let ids = Edition::ALL.map(|edition| edition.id().to_owned());
    format!("The edition to play: {} [default: {}]", either(&ids), Edition::default())
}

fn in_words(error: serde_json::Error) -> anyhow::Error {
    anyhow!(plain_words(&error))
}

/// What `--custom` says.
fn custom_cards(text: &str) -> anyhow::Result<Vec<CustomCard>> {
    let most = CustomRule::starters().count();
    let ideas =
        format!("write numbers of starters from 1 to {most}, or null, as in 4,null,7; `unum rules C2` lists them");
    serde_json::from_str(&format!("[{text}]")).map_err(|_| anyhow!(ideas))
}

/// The options that give these rules again, to be put on a command line.
pub(crate) fn options(spec: &RulesSpec) -> anyhow::Result<Vec<String>> {
    if *spec != RulesSpec::of(spec.edition) {
        return Ok(vec!["--rules".to_owned(), serde_json::to_string(spec)?]);
    }
    let usual = spec.edition == Edition::default();
    Ok(if !usual { vec!["--edition".to_owned(), spec.edition.id().to_owned()] } else { Vec::new() })
}

/// Rules with some changes, written as `stacking=any,seven_zero`; `edition=frozen` changes the edition.
///
/// # Errors
/// When there are no such rules.
pub(crate) fn with_changes(spec: &RulesSpec, changes: &str) -> anyhow::Result<RulesSpec> {
    let mut rules = spec.clone();
    for change in changes.split(',').map(str::trim) {
        let (name, value) = change.split_once('=').unwrap_or((change, "on"));
        if name == "edition" {
            rules.edition = parse_edition(value).map_err(anyhow::Error::msg)?;
        } else {
            rules = with(rules, house_rule(name)?, value)?;
        }
    }
    Ok(rules)
}

fn house_rule(name: &str) -> anyhow::Result<&'static Setting> {
    let house: Vec<&Setting> =
        SETTINGS.iter().filter(|setting| setting.group == Group::House && setting.agreed).collect();
    let known = || house.iter().map(|setting| setting.id.as_str()).collect::<Vec<_>>().join(", ");
    let found = house.iter().find(|setting| setting.id.as_str() == name);
    let near = || did_you_mean(name, house.iter().map(|setting| setting.id.as_str()));
    found.copied().with_context(|| format!("there is no house rule {name:?}.{} There are {}", near(), known()))
}

/// Rules with another value of a setting.
fn with(rules: RulesSpec, setting: &Setting, value: &str) -> anyhow::Result<RulesSpec> {
    let settings = Settings { rules, ..Settings::default() };
    let allowed = |_| anyhow!("{} takes {}", setting.id, settings::allowed(setting));
    let value = setting.parse(value).map_err(allowed)?;
    let on = SettingValue::Switch(true);
    if let Some(other) = setting.excludes.filter(|other| value == on && settings.get(*other) == on) {
        bail!("{} and {other} exclude each other: choose one", setting.id);
    }
    Ok(settings.with(setting.id, &value)?.rules)
}

/// `first_to:500` is a way to score and its target.
fn with_scoring(rules: RulesSpec, text: &str) -> anyhow::Result<RulesSpec> {
    let (kind, target) = text.split_once(':').map_or((text, None), |(kind, target)| (kind, Some(target)));
    let rules = with(rules, SettingId::Scoring.setting(), kind)?;
    match target {
        Some(target) => with(rules, SettingId::Target.setting(), target),
        None => Ok(rules),
    }
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
            (
                &["--house", "stack=any"][..],
                "no house rule \"stack\". Did you mean stacking? There are stacking, seven_zero",
            ),
            (&["--house", "stacking"], "--house stacking"),
            (&["--house", "stacking=all"], "stacking takes off, same or any"),
            (&["--house", "hand_size=many"], "hand_size takes printed, or a number from 1 to 20"),
            (&["--house", "no_bluffing,no_challenges"], "exclude each other"),
            (&["--house", ""], "seven_zero"),
            (&["--scoring", "first_to:none"], "a number from 1 to 10000"),
            (&["--scoring", "best_of:3"], "scoring takes printed, or first_to, lowest_at or single_round"),
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
