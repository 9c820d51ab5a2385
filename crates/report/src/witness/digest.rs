//! SHA-256 of files, and names of witnesses made of it.

use sha2::{Digest, Sha256};

/// SHA-256 of bytes as 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// A name in the form of a UUID that depends on the bytes only.
pub(super) fn uuid_of(bytes: &[u8]) -> String {
    let mut digest = [0; 16];
    digest.copy_from_slice(&Sha256::digest(bytes)[..16]);
    // The form of version 5: a name made of what is named.
    digest[6] = digest[6] & 0x0f | 0x50;
    digest[8] = digest[8] & 0x3f | 0x80;
    let text = hexadecimal(&digest);
    [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn names_have_the_form_of_a_uuid() {
        assert_eq!(uuid_of(b"abc"), "ba7816bf-8f01-5fea-8141-40de5dae2223");
    }
}
