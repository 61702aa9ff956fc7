//! `Endpoint::parse`: an address that is normal stays as it is.

use slm_backends::Endpoint;

/// Reads the bytes as an address.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Endpoint::parse(&text) {
        Ok(endpoint) => {
            let again = Endpoint::parse(endpoint.url()).expect("what was normalised is an address");
            assert_eq!(again.url(), endpoint.url());
            assert!(!endpoint.url().ends_with('/') && !endpoint.url().contains(['?', '#']), "{}", endpoint.url());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
