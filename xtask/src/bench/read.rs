//! Times as benchmarks print them, read back. Pure.

use std::collections::BTreeMap;

/// Medians in nanoseconds, by group and name, of what divan prints.
pub(crate) fn divan(text: &str) -> BTreeMap<(String, String), f64> {
    let mut found = BTreeMap::new();
    let mut group = String::new();
    for line in text.lines() {
        // The tree is drawn with characters of its own, three for each level; names begin behind them.
        let depth = line.chars().take_while(|c| " │├╰─".contains(*c)).count();
        let rest: String = line.chars().skip(depth).collect();
        let mut columns = rest.split('│');
        let name = columns.next().unwrap_or_default().split_whitespace().next().unwrap_or_default().to_owned();
        let median = columns.nth(1).and_then(nanoseconds);
        match (depth, median) {
            (3, None) => group = name,
            (3, Some(median)) => drop(found.insert((name, String::new()), median)),
            (6, Some(median)) => drop(found.insert((group.clone(), name), median)),
            _ => {}
        }
    }
    found
}

/// The time behind a name at the beginning of a line, whatever follows the time behind a comma.
pub(crate) fn named(text: &str, name: &str) -> Option<f64> {
    let behind = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    nanoseconds(behind.split(',').next()?)
}

/// A time like `12.3 µs`.
pub(crate) fn nanoseconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim() {
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    number.parse::<f64>().ok().map(|number| number * unit)
}

/// A time for a reader.
pub(crate) fn shown(nanoseconds: f64) -> String {
    match nanoseconds {
        short if short < 1e3 => format!("{short:.0} ns"),
        short if short < 1e6 => format!("{:.1} µs", short / 1e3),
        long => format!("{:.1} ms", long / 1e6),
    }
}

/// The Markdown tables in a text, an empty line between them, without what stands around them.
pub(crate) fn tables(text: &str) -> String {
    let mut tables = String::new();
    let mut is_within = false;
    for line in text.lines() {
        let is_row = line.starts_with('|');
        if is_row {
            let begins = !is_within && !tables.is_empty();
            tables.extend([if begins { "\n" } else { "" }, line, "\n"]);
        }
        is_within = is_row;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
Timer precision: 20 ns
grammar                           fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ compile                                      │               │               │               │         │
│  ├─ architect                   10.1 µs       │ 41.9 µs       │ 12.5 µs       │ 13 µs         │ 100     │ 400
│  ╰─ worker                      901 ns        │ 2 µs          │ 950.5 ns      │ 1 µs          │ 100     │ 400
├─ hundred_properties_compile     1.1 ms        │ 2 ms          │ 1.25 ms       │ 1.3 ms        │ 100     │ 100
╰─ serde_json_reads_the_schema                  │               │               │               │         │
   ╰─ worker                      1 µs          │ 2 µs          │ 1.5 µs        │ 1 µs          │ 100     │ 400
";

    #[test]
    fn medians_are_found_in_their_groups() {
        let found = divan(PRINTED);
        let at = |group: &str, name: &str| found.get(&(group.to_owned(), name.to_owned())).copied();
        assert_eq!(at("compile", "architect"), Some(12_500.0));
        assert_eq!(at("compile", "worker"), Some(950.5));
        assert_eq!(at("hundred_properties_compile", ""), Some(1_250_000.0));
        assert_eq!(at("serde_json_reads_the_schema", "worker"), Some(1_500.0));
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn times_are_read_and_shown() {
        for (text, expected) in
            [("5 ns", Some(5.0)), (" 1.5 µs ", Some(1500.0)), ("2 s", Some(2e9)), ("", None), ("3 h", None)]
        {
            assert_eq!(nanoseconds(text), expected, "{text}");
        }
        assert_eq!([950.4, 12_340.0, 2_500_000.0].map(shown), ["950 ns", "12.3 µs", "2.5 ms"]);
    }

    #[test]
    fn only_tables_are_taken() {
        let printed = "noise\n| a |\n| --- |\n| 1 |\nnoise\n\n| b |\n";
        assert_eq!(tables(printed), "| a |\n| --- |\n| 1 |\n\n| b |\n");
    }

    #[test]
    fn a_named_time_ends_at_a_comma() {
        let text =
            "bare request          94.0µs\nset                  149.3µs, added    55.3µs  (x1.59)\nsettled  1.0s\n";
        assert_eq!(named(text, "bare request"), Some(94_000.0));
        assert_eq!(named(text, "set"), Some(149_300.0));
        assert_eq!(named(text, "bare"), None);
        assert_eq!(named(text, "negotiated"), None);
    }
}
