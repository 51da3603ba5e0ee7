public import DeadzonePrimitives

/// A 64-bit hash of everything a run recorded: two runs with one digest did the same things in the same order, lane by lane.
/// It does not depend on how lanes interleave, nor on how they were split among threads. It finds accidents, not forgeries.
///
/// Per lane, from the seed, for each record
///
///     hash = fold(hash ^ fold(at ^ k0, value ^ k1), (lane, kind, tag) ^ k2)
///
/// where fold(a, b) is the exclusive or of the two halves of the 128-bit product a × b, the multiply-fold of wyhash
/// (wangyi-fudan/wyhash, `wyhash.h`, `_wymix`). Only the outer fold waits for the record before. At the end the hashes of
/// all lanes that recorded anything are folded in the order of lanes.
public struct Digest: Recorder {
    private var lanes = LaneHashes(empty: Self.seed)

    public init() {}

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        var next = batch.startIndex
        while next < batch.endIndex {
            let lane = batch[next].lane
            let slot = lanes.slot(of: lane)
            var hash = lanes[slot]
            repeat {
                hash = Self.mix(hash, batch[next])
                next += 1
            } while next < batch.endIndex && batch[next].lane == lane
            lanes[slot] = hash
        }
    }

    /// A lane lives in one recorder: what two of them say of one lane has no order.
    public mutating func merge(_ other: Digest) {
        other.lanes.forEach { lane, hash in
            let slot = lanes.slot(of: lane)
            precondition(lanes[slot] == Self.seed, "lane \(lane) was recorded twice, apart")
            lanes[slot] = hash
        }
    }

    public var value: UInt64 {
        var sum = Self.seed
        lanes.forEach { lane, hash in sum = Self.fold(sum ^ hash, UInt64(lane) ^ Self.k2) }
        return sum
    }

    /// Sixteen hexadecimal digits.
    public var hex: String { value.hex }

    /// One digest of several in their order, as of the replicas of a run.
    public static func combined(_ values: some Sequence<UInt64>) -> UInt64 {
        values.reduce(seed) { fold($0 ^ $1, k0) }
    }

    @inline(__always) static func mix(_ hash: UInt64, _ record: Record) -> UInt64 {
        let what = fold(UInt64(bitPattern: record.at.nanoseconds) ^ k0, UInt64(bitPattern: record.value) ^ k1)
        let name = UInt64(record.lane) << 32 | UInt64(record.kind.rawValue) << 16 | UInt64(record.tag)
        return fold(hash ^ what, name ^ k2)
    }

    @inline(__always) private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    // Digits of pi after the point, as in the key of Philox's third known answer: nothing up a sleeve. k0 has its highest
    // bit set, and time is never negative, so no factor made from a time is zero.
    static let seed: UInt64 = 0x243F_6A88_85A3_08D3
    private static let k0: UInt64 = 0xA409_3822_299F_31D0
    private static let k1: UInt64 = 0x082E_FA98_EC4E_6C89
    private static let k2: UInt64 = 0x4528_21E6_38D0_1377
}

extension Digest: Taped {
    public mutating func pass(through tape: inout Tape) { tape.pass(&lanes) }
}
