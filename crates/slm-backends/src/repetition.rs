//! Does a text end in something that is said again and again? The usual failure of a small model under a grammar.

/// The longest piece that is looked for.
const LONGEST_PERIOD: usize = 256;
/// So often it has to stand there.
const LEAST_COUNT: usize = 10;
/// And fill so much: a row of dashes is no loop yet.
const LEAST_LENGTH: usize = 600;
/// Documents repeat themselves in their structure: equal items of an array are no loop for a long time.
const LEAST_STRUCTURE: usize = 4096;
/// How far back is looked.
const WINDOW: usize = LEAST_STRUCTURE + LONGEST_PERIOD;

/// Does `text` end in a loop?
pub(crate) fn ends_in_loop(text: &[u8]) -> bool {
    let window: Vec<u8> = text.iter().rev().take(WINDOW).copied().collect();
    let matches = matches_with_start(&window);
    matches.iter().enumerate().take(LONGEST_PERIOD + 1).skip(1).any(|(period, matched)| {
        let length = matched + period;
        let piece = window.get(..period).unwrap_or_default();
        let least = if is_structure(piece) { LEAST_STRUCTURE } else { LEAST_LENGTH };
        length >= least && length / period >= LEAST_COUNT
    })
}

/// Could the piece be whole items of an array, or digits?
fn is_structure(piece: &[u8]) -> bool {
    piece.contains(&b'"') || piece.iter().all(|byte| byte.is_ascii_digit() || b",:[]{} .-+eE\t\r\n".contains(byte))
}

/// For each place, how many bytes from there on equal those at the start. (The Z function, in linear time.)
fn matches_with_start(text: &[u8]) -> Vec<usize> {
    let mut matches: Vec<usize> = Vec::with_capacity(text.len());
    // The match that reaches furthest: where it begins and ends.
    let (mut begin, mut end) = (0, 0);
    for place in 0..text.len() {
        let known = if place < end { matches.get(place - begin).copied().unwrap_or(0).min(end - place) } else { 0 };
        let start = text.iter().skip(known);
        let here = text.iter().skip(place + known);
        let more = if place == 0 { 0 } else { here.zip(start).take_while(|(a, b)| a == b).count() };
        let length = known + more;
        if place > 0 && place + length > end {
            (begin, end) = (place, place + length);
        }
        matches.push(length);
    }
    matches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(text: &str) -> bool {
        ends_in_loop(text.as_bytes())
    }

    #[test]
    fn a_string_that_says_the_same_without_end_is_a_loop() {
        assert!(loops(&format!("{{\"a\": \"{}", "and so on ".repeat(60))));
        assert!(loops(&format!("{{\"a\": \"{}", "é".repeat(400))));
        assert!(loops(&format!("{{\"a\": [{}", r#""x","#.repeat(1100))));
    }

    #[test]
    fn what_documents_say_several_times_is_none() {
        assert!(!loops(&"and so on ".repeat(20)));
        assert!(!loops(&format!("[{}", r#""x","#.repeat(500))));
        assert!(!loops(&format!("[{}", "0,".repeat(1000))));
        let counted: Vec<String> = (0..500).map(|n| format!("item {n}, ")).collect();
        assert!(!loops(&counted.concat()));
        assert!(!loops(&format!("{}The end.", "and so on ".repeat(100))));
        assert!(!loops(""));
    }
}
