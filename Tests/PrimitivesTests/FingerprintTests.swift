import DeadzoneBase
import Testing

struct FingerprintTests {
    /// The examples of FIPS 180-2 (B.1 to B.3), and the empty message of NIST's CAVP short-message vectors.
    static let known: [(String, String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 100_000),
            "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
        ),
    ]

    @Test(arguments: known)
    func `is SHA-256`(_ text: String, _ digest: String) {
        // With a standard hash, users can recompute the fingerprint from the text in a result.
        #expect(Fingerprint(of: text).hex == digest)
        #expect(Fingerprint(of: text).short == digest.prefix(16))
    }

    @Test func `every length around a block is padded correctly`() {
        // An error where the padding spills into another block would drop the length or the last byte.
        // The expected hash of the hashes of 0 to 200 zero bytes was computed with Python's hashlib.
        let prints = (0...200).map { Fingerprint(ofBytes: [UInt8](repeating: 0, count: $0)).hex }
        let bytes = prints.flatMap { hex in
            stride(from: 0, to: 64, by: 2).map { at in
                let pair = hex.dropFirst(at).prefix(2)
                return UInt8(pair, radix: 16) ?? 0
            }
        }
        #expect(
            Fingerprint(ofBytes: bytes).hex == "b9c4ebeeb7d1825824131cf7b7d28469cca4f9166473bf51bb519365ae27eccd")
    }

    @Test func `text is its UTF-8 bytes and is not normalised`() {
        // Swift treats composed and decomposed text as equal. Their files differ, so their fingerprints must differ as
        // well.
        #expect(Fingerprint(of: "é").hex == Fingerprint(ofBytes: [0xC3, 0xA9]).hex)
        #expect(Fingerprint(of: "e\u{301}") != Fingerprint(of: "\u{E9}"))
        #expect(Fingerprint(of: "same") == Fingerprint(of: "same"))
    }
}
