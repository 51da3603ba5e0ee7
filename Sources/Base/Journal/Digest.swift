/// A 64-bit hash of all journal records of a run. Two runs with equal digests did the same things in the same order on
/// every phone. The digest does not depend on how phones interleave or how they were split among threads. It detects
/// accidental differences, not deliberate forgery.
///
/// For each phone, starting from the seed, for each record:
///
///     hash = fold(hash ^ fold(at ^ k0, value ^ k1), (phone, kind, tag) ^ k2)
///
/// `fold(a, b)` is the exclusive or of the two halves of the 128-bit product a × b, the multiply-fold of wyhash
/// (wangyi-fudan/wyhash, `wyhash.h`, `_wymix`). Only the outer fold depends on the previous record. At the end the
/// hashes of all phones with records are folded in order of phone.
package struct Digest: Recorder {
    private var phones = PhoneHashes(empty: Self.seed)

    package init() {}

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        var next = batch.startIndex
        while next < batch.endIndex {
            let phone = batch[next].phone
            let slot = phones.slot(of: phone)
            var hash = phones[slot]
            repeat {
                hash = Self.mix(hash, batch[next])
                next += 1
            } while next < batch.endIndex && batch[next].phone == phone
            phones[slot] = hash
        }
    }

    /// Adds the hashes of another digest. All records of one phone must be in one recorder: between two recorders they
    /// have no order.
    package mutating func merge(_ other: Digest) {
        other.phones.forEach { phone, hash in
            let slot = phones.slot(of: phone)
            precondition(phones[slot] == Self.seed, "two recorders have records of phone \(phone)")
            phones[slot] = hash
        }
    }

    package var value: UInt64 {
        var sum = Self.seed
        phones.forEach { phone, hash in sum = Self.fold(sum ^ hash, UInt64(phone) ^ Self.k2) }
        return sum
    }

    /// Sixteen hexadecimal digits.
    package var hex: String { value.hex }

    /// One digest of several in order, such as those of the replicas of a run.
    package static func combined(_ values: some Sequence<UInt64>) -> UInt64 {
        values.reduce(seed) { fold($0 ^ $1, k0) }
    }

    @inline(__always) static func mix(_ hash: UInt64, _ record: Record) -> UInt64 {
        let what = fold(UInt64(bitPattern: record.at.nanoseconds) ^ k0, UInt64(bitPattern: record.value) ^ k1)
        let name = UInt64(record.phone) << 32 | UInt64(record.kind.rawValue) << 16 | UInt64(record.tag)
        return fold(hash ^ what, name ^ k2)
    }

    @inline(__always) private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    // Nothing-up-my-sleeve constants: digits of pi after the point, as in the key of Philox's third known answer. k0
    // has its highest bit set and time is never negative, so no factor that contains a time is zero.
    static let seed: UInt64 = 0x243F_6A88_85A3_08D3
    private static let k0: UInt64 = 0xA409_3822_299F_31D0
    private static let k1: UInt64 = 0x082E_FA98_EC4E_6C89
    private static let k2: UInt64 = 0x4528_21E6_38D0_1377
}

extension Digest: BinaryCodable {
    package mutating func code(through coder: inout BinaryCoder) { coder.code(&phones) }
}
