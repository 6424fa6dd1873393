//! What watches a server, made from the list of its figures: a dashboard for Grafana, alert rules for Prometheus.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::metrics::{Figure, Kind, all};

/// A dashboard for Grafana: a panel for every figure, one line for each server.
pub fn dashboard() -> String {
    let variable = |name: &str, kind: &str, query: &str| {
        let source = (kind == "query").then(|| json!({"type": "prometheus", "uid": "${datasource}"}));
        json!({"name": name, "type": kind, "query": query, "datasource": source, "refresh": 1})
    };
    let variables = [
        variable("datasource", "datasource", "prometheus"),
        variable("job", "query", "label_values(unum_connections, job)"),
    ];
    let panels: Vec<Value> = (0..).zip(all()).map(|(place, figure)| panel(place, &figure)).collect();
    let dashboard = json!({
        "uid": "unum",
        "title": "unum",
        "schemaVersion": 39,
        "time": {"from": "now-6h", "to": "now"},
        "refresh": "30s",
        "templating": {"list": variables},
        "panels": panels,
    });
    format!("{dashboard:#}\n")
}

/// How wide a dashboard is, and how wide and high a panel.
const WIDTH: u32 = 24;
const PANEL: (u32, u32) = (8, 7);

fn panel(place: u32, figure: &Figure) -> Value {
    let (width, height) = PANEL;
    let in_row = WIDTH / width;
    let targets: Vec<Value> = lines(figure)
        .into_iter()
        .zip(["A", "B"])
        .map(|((expression, legend), id)| json!({"refId": id, "expr": expression, "legendFormat": legend}))
        .collect();
    json!({
        "id": place + 1,
        "type": "timeseries",
        "title": figure.help.trim_end_matches('.'),
        "description": format!("unum_{}", figure.name),
        "datasource": {"type": "prometheus", "uid": "${datasource}"},
        "gridPos": {"x": place % in_row * width, "y": place / in_row * height, "w": width, "h": height},
        "fieldConfig": {"defaults": {"unit": unit(figure), "min": 0}, "overrides": []},
        "targets": targets,
    })
}

/// What is drawn of a figure, and how it is labeled.
fn lines(figure: &Figure) -> Vec<(String, String)> {
    let name = format!("unum_{}", figure.name);
    let only = "{job=\"$job\"}";
    match figure.kind {
        Kind::Gauge => vec![(format!("{name}{only}"), "{{instance}}".to_owned())],
        Kind::Counter => vec![(format!("rate({name}{only}[$__rate_interval])"), "{{instance}} per second".to_owned())],
        Kind::Histogram => [("0.5", "half"), ("0.99", "99 %")]
            .map(|(share, label)| {
                let rate = format!("sum by (instance, le) (rate({name}_bucket{only}[$__rate_interval]))");
                (format!("histogram_quantile({share}, {rate})"), format!("{{{{instance}}}} {label} below"))
            })
            .into(),
    }
}

/// Grafana's name for the unit of what is drawn.
fn unit(figure: &Figure) -> &'static str {
    match figure.kind {
        Kind::Counter if figure.name.ends_with("_bytes_total") => "Bps",
        // Seconds of work in a second.
        Kind::Counter if figure.name.ends_with("_seconds_total") => "percentunit",
        Kind::Counter => "cps",
        _ if figure.name.ends_with("_seconds") => "s",
        _ => "short",
    }
}

/// Something the operator should know.
struct Alert {
    name: &'static str,
    expression: &'static str,
    /// For how long it has to be so.
    lasts: &'static str,
    severity: &'static str,
    summary: &'static str,
    advice: &'static str,
}

const ALERTS: [Alert; 5] = [
    Alert {
        name: "UnumDown",
        expression: "up{job=\"unum\"} == 0",
        lasts: "2m",
        severity: "critical",
        summary: "unum on {{ $labels.instance }} does not answer",
        advice: "Nobody can play there. Look at the service and its log; players come back by themselves.",
    },
    Alert {
        name: "UnumCannotWrite",
        expression: "increase(unum_store_failures_total[5m]) > 0",
        lasts: "0m",
        severity: "critical",
        summary: "unum on {{ $labels.instance }} cannot write to its database",
        advice: "Tables stop until it can. `unum admin status` says why: a full disk, permissions, \
                 or a database that is away.",
    },
    Alert {
        name: "UnumWritesSlowly",
        expression: "histogram_quantile(0.99, sum by (job, instance, le) (rate(unum_journal_seconds_bucket[5m]))) > 0.25",
        lasts: "10m",
        severity: "warning",
        summary: "Moves on {{ $labels.instance }} take a quarter of a second to be stored",
        advice: "Players notice. Look at the disk, or at the database and the network to it.",
    },
    Alert {
        name: "UnumPanics",
        expression: "increase(unum_panics_total[15m]) + increase(unum_store_panics_total[15m]) > 0",
        lasts: "0m",
        severity: "warning",
        summary: "unum on {{ $labels.instance }} has contained a failure of its own",
        advice: "A table, a bot or a request ended; nothing that was acknowledged is lost. Please report what the log says.",
    },
    Alert {
        name: "UnumTurnsPeopleAway",
        expression: "rate(unum_turned_away_total[5m]) > 1",
        lasts: "15m",
        severity: "warning",
        summary: "unum on {{ $labels.instance }} turns people away",
        advice: "Limits refuse connections or requests: an attack, a proxy that is not trusted, or limits too low for so many \
                 players.",
    },
];

/// Alert rules for Prometheus, which has to scrape the servers as the job `unum`.
pub fn alerts() -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let mut text = String::from("groups:\n  - name: unum\n    rules:\n");
    for Alert { name, expression, lasts, severity, summary, advice } in &ALERTS {
        let _ = write!(
            text,
            "      - alert: {name}\n        expr: {}\n        for: {lasts}\n        labels:\n          severity: {severity}\n        \
             annotations:\n          summary: {}\n          description: {}\n",
            quoted(expression),
            quoted(summary),
            quoted(advice)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The figures in an expression, each with whether its rate is taken. Fails if one does not exist.
    fn figures(expression: &str) -> Vec<(Figure, bool)> {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let mut found = Vec::new();
        for (at, _) in expression.match_indices("unum_") {
            let name: String = expression[at + 5..].chars().take_while(|letter| is_part(*letter)).collect();
            let matches = |figure: &Figure| match figure.kind {
                Kind::Histogram => {
                    ["_bucket", "_sum", "_count"].iter().any(|end| name == format!("{}{end}", figure.name))
                }
                _ => name == figure.name,
            };
            let figure = all().into_iter().find(matches);
            let rated = ["rate(", "increase("].iter().any(|before| expression[..at].ends_with(before));
            found.push((figure.unwrap_or_else(|| panic!("there is no unum_{name}: {expression}")), rated));
        }
        found
    }

    #[test]
    fn every_figure_has_one_panel_that_draws_what_it_is() {
        let dashboard: Value = serde_json::from_str(&dashboard()).unwrap();
        let panels = dashboard["panels"].as_array().unwrap();
        let mut places = BTreeSet::new();
        let mut drawn = Vec::new();
        for panel in panels {
            assert!(places.insert((panel["gridPos"]["x"].as_u64(), panel["gridPos"]["y"].as_u64())), "{panel}");
            for target in panel["targets"].as_array().unwrap() {
                for (figure, rated) in figures(target["expr"].as_str().unwrap()) {
                    assert_eq!(rated, figure.kind != Kind::Gauge, "{panel}");
                    assert_eq!(panel["description"], format!("unum_{}", figure.name));
                    drawn.push(figure.name);
                }
            }
        }
        drawn.dedup();
        assert_eq!(drawn, all().iter().map(|figure| figure.name).collect::<Vec<_>>());
        let ids: BTreeSet<u64> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
        assert_eq!(ids.len(), panels.len());
    }

    #[test]
    fn alerts_are_about_figures_that_exist_and_say_what_to_do() {
        for Alert { name, expression, summary, advice, .. } in &ALERTS {
            let found = figures(expression);
            assert!(*name == "UnumDown" || !found.is_empty(), "{expression}");
            for (figure, rated) in found {
                assert_eq!(rated, figure.kind != Kind::Gauge, "{name}: only what counts up has a rate");
            }
            assert!(summary.contains("{{ $labels.instance }}") && advice.ends_with('.'), "{name}");
            assert!(alerts().contains(&format!("      - alert: {name}\n        expr: \"")), "{name}");
        }
        let names: BTreeSet<&str> = ALERTS.iter().map(|alert| alert.name).collect();
        assert_eq!(names.len(), ALERTS.len());
    }
}
