//! The log on standard error: as text for people, or structured, one JSON object a line.
//!
//! Only what unum itself says is logged: libraries may quote what they are sent.

use std::fmt;
use std::io::IsTerminal as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields, layer};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use unum_server::Config;
use unum_server::config::{ACCESS, LogFormat, LogLevel};

/// What the targets of all crates here begin with.
const OURS: &str = "unum";

/// Starts the log that a configuration asks for.
pub(crate) fn start(config: &Config) {
    let level = match config.log {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let access = if config.access_log { LevelFilter::INFO } else { LevelFilter::OFF };
    let targets = Targets::new().with_target(OURS, level).with_target(ACCESS, access);
    let colors = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let registry = tracing_subscriber::registry().with(targets);
    match config.log_format {
        LogFormat::Text => registry.with(layer().with_ansi(colors).with_writer(std::io::stderr)).init(),
        LogFormat::Json => {
            let json = layer().with_ansi(false).fmt_fields(Json).event_format(Json);
            registry.with(json.with_writer(std::io::stderr)).init();
        }
    }
}

/// Fields and events as JSON.
struct Json;

/// The fields of a span or an event.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl<'writer> FormatFields<'writer> for Json {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut found = Fields::default();
        fields.record(&mut found);
        write!(writer, "{}", Value::Object(found.0))
    }
}

impl<S, N> FormatEvent<S, N> for Json
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &tracing::Event<'_>,
    ) -> fmt::Result {
        let mut line = Fields::default();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        line.0.insert("at".to_owned(), timestamp(since).into());
        line.0.insert("level".to_owned(), event.metadata().level().as_str().to_lowercase().into());
        line.0.insert("from".to_owned(), event.metadata().target().into());
        for span in context.event_scope().into_iter().flat_map(|scope| scope.from_root()) {
            let extensions = span.extensions();
            let fields = extensions.get::<FormattedFields<N>>().map_or("", |fields| fields.fields.as_str());
            if let Ok(Value::Object(fields)) = serde_json::from_str(fields) {
                line.0.extend(fields);
            }
        }
        event.record(&mut line);
        writeln!(writer, "{}", Value::Object(line.0))
    }
}

/// A moment as RFC 3339 writes it, in UTC: 2026-11-19T04:10:00.123Z.
fn timestamp(since: Duration) -> String {
    let seconds = since.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second, millis) = (rest / 3600, rest / 60 % 60, rest % 60, since.subsec_millis());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The date that many days after the first of January 1970.
fn date(days: u64) -> (u64, u64, u64) {
    // In eras of 400 years that begin in March, so that a leap day is the last of its year.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (400 * era + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"),
            (951_868_800, "2000-03-01T00:00:00.007Z"),
            (1_735_689_599, "2024-12-31T23:59:59.007Z"),
            (1_795_061_400, "2026-11-19T04:10:00.007Z"),
        ] {
            assert_eq!(timestamp(Duration::new(seconds, 7_000_000)), text);
        }
    }
}
