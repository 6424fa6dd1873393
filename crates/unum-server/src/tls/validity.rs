//! When certificates begin and end: the one thing about them that the TLS library does not tell.

use std::time::{Duration, SystemTime};

/// The tags of the encoding (DER) that are met on the way.
const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// When a certificate ends; `None` if that cannot be read.
pub(super) fn not_after(certificate: &[u8]) -> Option<SystemTime> {
    let (_, certificate, _) = value(certificate).filter(|(tag, ..)| *tag == SEQUENCE)?;
    let (_, mut body, _) = value(certificate).filter(|(tag, ..)| *tag == SEQUENCE)?;
    if let Some((VERSION, _, rest)) = value(body) {
        body = rest;
    }
    // The serial number, the algorithm, the issuer.
    for _ in 0..3 {
        body = value(body)?.2;
    }
    let (_, validity, _) = value(body).filter(|(tag, ..)| *tag == SEQUENCE)?;
    let (tag, text, _) = value(value(validity)?.2)?;
    moment(tag, std::str::from_utf8(text).ok()?)
}

/// The tag and the content of the first value, and what follows it.
fn value(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}

/// A time such as `361119034512Z`, or with four digits for the year.
fn moment(tag: u8, text: &str) -> Option<SystemTime> {
    let text = text.strip_suffix('Z').filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    let (year, rest) = match tag {
        UTC_TIME => {
            let (year, rest) = text.split_at_checked(2)?;
            let year: i64 = year.parse().ok()?;
            (if year < 50 { 2000 + year } else { 1900 + year }, rest)
        }
        GENERALIZED_TIME => {
            let (year, rest) = text.split_at_checked(4)?;
            (year.parse().ok()?, rest)
        }
        _ => return None,
    };
    let two = |at: usize| rest.get(at..at + 2)?.parse::<i64>().ok();
    let (month, day, hour, minute, second) = (two(0)?, two(2)?, two(4)?, two(6)?, two(8)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(seconds).ok()?))
}

/// The days from the beginning of 1970 to a date (Howard Hinnant's `days_from_civil`).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the day that some lack is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    fn ending(year: i32, month: u8, day: u8) -> Vec<u8> {
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.not_after = date_time_ymd(year, month, day);
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().to_vec()
    }

    #[test]
    fn the_end_is_read_from_both_forms_of_dates() {
        for (year, month, day, seconds) in [
            (2026, 11, 19, 1_795_046_400),
            (2000, 2, 29, 951_782_400),
            // From 2050 on, years have four digits.
            (2050, 1, 1, 2_524_608_000),
            (2400, 2, 29, 13_574_563_200),
        ] {
            let ends = not_after(&ending(year, month, day)).unwrap();
            assert_eq!(ends.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs(), seconds, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for day in (0..100_000_i64).step_by(13) {
            let date = date_time_ymd(1970, 1, 1) + Duration::from_secs(day as u64 * 86_400);
            let (year, month) = (i64::from(date.year()), i64::from(u8::from(date.month())));
            assert_eq!(days_from_civil(year, month, i64::from(date.day())), day);
        }
    }

    #[test]
    fn what_is_no_certificate_has_no_end() {
        let whole = ending(2026, 11, 19);
        for length in 0..whole.len() {
            assert_eq!(not_after(&whole[..length]), None, "cut after {length}");
        }
        for at in 0..whole.len().min(200) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            // Whatever it says, it does not panic.
            let _ = not_after(&damaged);
        }
    }
}
