//! Comma-separated values.

use std::fmt::Write;

use unum_lab::Estimate;

/// A document of rows with the same columns.
pub(crate) struct Csv {
    text: String,
}

impl Csv {
    /// A document with these columns.
    pub(crate) fn new(columns: &[&str]) -> Csv {
        Csv { text: columns.join(",") + "\n" }
    }

    /// Adds a row that ends with a mean and its interval, empty where there is none.
    pub(crate) fn row(&mut self, cells: &[&str], estimate: Option<&Estimate>) {
        for cell in cells {
            self.text += &quoted(cell);
            self.text.push(',');
        }
        let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        let (mean, low, high) = estimate.map_or((None, None, None), |it| (Some(it.mean), it.low, it.high));
        let _ = writeln!(self.text, "{},{},{}", number(mean), number(low), number(high));
    }

    /// The whole document.
    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_are_quoted() {
        let mut csv = Csv::new(&["name", "mean", "low", "high"]);
        csv.row(&["a,\"b\""], Some(&Estimate::new(0.5, Some(0.25))));
        csv.row(&["c"], None);
        assert_eq!(csv.into_text(), "name,mean,low,high\n\"a,\"\"b\"\"\",0.5,0.25,0.75\nc,,,\n");
    }
}
