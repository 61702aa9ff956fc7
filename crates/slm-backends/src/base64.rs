//! Base64 as RFC 4648 has it, for bytes that are no text.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = three.iter().fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let six = usize::try_from((number >> (18 - 6 * place)) & 63).unwrap_or_default();
            let letter = ALPHABET.get(six).map_or('=', |byte| char::from(*byte));
            text.push(if place <= three.len() { letter } else { '=' });
        }
    }
    text
}

/// `None` where a character is none of the alphabet's.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=').bytes();
    let place = |byte: u8| ALPHABET.iter().position(|known| *known == byte).and_then(|six| u32::try_from(six).ok());
    let sixes = letters.map(place).collect::<Option<Vec<u32>>>()?;
    let mut bytes = Vec::new();
    for four in sixes.chunks(4) {
        let number = four.iter().fold(0_u32, |sum, six| (sum << 6) | six) << (6 * (4 - four.len()));
        bytes.extend(number.to_be_bytes().into_iter().skip(1).take(four.len().saturating_sub(1)));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back() {
        assert_eq!(encode(b"Lyon"), "THlvbg==");
        let bytes: Vec<u8> = (0..=255).collect();
        for length in 0..=bytes.len() {
            assert_eq!(decode(&encode(&bytes[..length])).as_deref(), Some(&bytes[..length]));
        }
        assert_eq!(decode("a b"), None);
    }
}
