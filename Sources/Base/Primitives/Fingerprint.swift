/// SHA-256 digest (FIPS 180-4) of the text of a scenario without its strategies (world), or of a strategy. It
/// identifies the text in a result: two results with the same fingerprint came from the same text.
package struct Fingerprint: Hashable, Sendable, BitwiseCopyable {
    private var words: (UInt64, UInt64, UInt64, UInt64)

    /// Computes the digest of the text's UTF-8 bytes, without normalisation.
    package init(of text: String) { self.init(ofBytes: Array(text.utf8)) }

    package init(ofBytes message: [UInt8]) {
        var padded = message
        padded.append(0x80)
        padded.append(contentsOf: repeatElement(0, count: (120 - padded.count % 64) % 64))
        let bitCount = UInt64(message.count) * 8
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: bitCount >> shift))
        }

        var state = Self.initial
        padded.withUnsafeBufferPointer { padded in
            for start in stride(from: 0, to: padded.count, by: 64) {
                Self.compress(UnsafeBufferPointer(rebasing: padded[start..<start + 64]), into: &state)
            }
        }
        let words = stride(from: 0, to: 8, by: 2).map { UInt64(state[$0]) << 32 | UInt64(state[$0 + 1]) }
        self.words = (words[0], words[1], words[2], words[3])
    }

    package static let size = 32

    /// The bytes of the digest, in the byte order of FIPS 180-4.
    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    /// The digest as 64 hexadecimal digits.
    package var hex: String { String(hexOf: [words.0, words.1, words.2, words.3]) }

    /// The first 16 hexadecimal digits of the digest: enough to distinguish all texts that one person compares.
    package var short: String { words.0.hex }

    package static func == (a: Self, b: Self) -> Bool { a.words == b.words }
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

    /// Applies the compression function of SHA-256 to one block (FIPS 180-4, 6.2.2).
    private static func compress(_ block: UnsafeBufferPointer<UInt8>, into state: inout [UInt32]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            for t in 0..<16 {
                let high = UInt32(block[4 * t]) << 24 | UInt32(block[4 * t + 1]) << 16
                schedule[t] = high | UInt32(block[4 * t + 2]) << 8 | UInt32(block[4 * t + 3])
            }
            for t in 16..<64 {
                let (far, near) = (schedule[t - 15], schedule[t - 2])
                let small0 = far.rotated(7) ^ far.rotated(18) ^ far >> 3
                let small1 = near.rotated(17) ^ near.rotated(19) ^ near >> 10
                schedule[t] = small1 &+ schedule[t - 7] &+ small0 &+ schedule[t - 16]
            }
            mix(UnsafeBufferPointer(schedule), into: &state)
        }
    }

    private static func mix(_ schedule: UnsafeBufferPointer<UInt32>, into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for t in 0..<64 {
            let big1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let choice = e & f ^ ~e & g
            let first = h &+ big1 &+ choice &+ constants[t] &+ schedule[t]
            let big0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let majority = a & b ^ a & c ^ b & c
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ big0 &+ majority)
        }
        for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= word }
    }

    /// Initial hash values of SHA-256: the first 32 bits of the fractional parts of the square roots of the first 8
    /// primes.
    private static let initial: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// Round constants of SHA-256: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}

extension UInt64 {
    /// The word as sixteen hexadecimal digits.
    package var hex: String { String(hexOf: [self]) }
}

extension String {
    /// Each word as sixteen hexadecimal digits.
    fileprivate init(hexOf words: [UInt64]) {
        self.init(unsafeUninitializedCapacity: 16 * words.count) { digits in
            for (index, word) in words.enumerated() {
                for place in 0..<16 {
                    let digit = UInt8(truncatingIfNeeded: word &>> (60 - 4 * place)) & 15
                    digits[16 * index + place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                }
            }
            return 16 * words.count
        }
    }
}
