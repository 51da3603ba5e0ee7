package import DeadzoneBase
package import DeadzoneSimulator

/// Records the situations in which a client decided something: what its phone was doing, what it believed, and what was
/// true. A search that prefers worlds with new situations reaches rare ones sooner than chance does.
///
/// A situation is a decision (a timer, an announcement, an opened or closed connection, a message) together with app and
/// screen, sleep, radio, belief, path, connection and server. Pairs of consecutive situations count as well.
package struct DecisionCoverage: Recorder {
    /// Hits by bucket. Situations and their pairs are hashed into 65,536 buckets.
    private var hits: [UInt16: UInt32] = [:]
    private let changes: [ConditionChange]
    private var situation = Situation()
    private var last: UInt64 = 0

    private struct Situation {
        var isInFront = true
        var hasScreen = true
        var sleep: UInt8 = 0
        var radio: UInt8 = 0
        /// The client's belief: 0 nothing, 1 connecting, 2 open, 3 failed, 4 closed.
        var belief: UInt8 = 0
        /// Networks that are up, without signal, without internet or one-way, as bits.
        var path: UInt16 = 0
        /// Bits of the connection: forgotten by a NAT, ended by the server.
        var connection: UInt8 = 0
        var server: UInt8 = 0
        var names = true

        var bits: UInt64 {
            UInt64(isInFront ? 1 : 0) | UInt64(hasScreen ? 2 : 0) | UInt64(sleep) << 2 | UInt64(radio) << 6
                | UInt64(belief) << 12 | UInt64(path) << 16 | UInt64(connection) << 32 | UInt64(server) << 36
                | UInt64(names ? 1 : 0) << 40
        }
    }

    package init(of world: World) { changes = world.timeline.map(\.change) }

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch { note(record) }
    }

    /// A searched world has one phone, so there is one recorder.
    package mutating func merge(_ other: Self) { hits.merge(other.hits, uniquingKeysWith: +) }

    private mutating func note(_ record: Record) {
        switch record.kind {
        case .residency:
            if let tag = RadioTag(bits: record.tag) { situation.radio = tag.level.rawValue & 31 }
        case .weather: if record.value > 0 { apply(record) }
        case .woke: situation.sleep = 1
        case .window: situation.sleep = 2
        case .suspended: situation.sleep = 3 + UInt8(record.tag & 3)
        case .mappingExpired, .protocolBlocked: situation.connection |= 1
        case .serverExpired, .goAway: situation.connection |= 2
        case .connecting: decide(record, believing: 1)
        case .opened:
            situation.connection = 0
            decide(record, believing: 2)
        case .failed: decide(record, believing: 3)
        case .closed: decide(record, believing: 4)
        case .timerFired, .networkTold, .ponged, .resumed, .pushed, .relaunched, .callFailed, .deliveredDown,
            .gapNoticed, .timerLate:
            decide(record, believing: situation.belief)
        default: break
        }
    }

    private mutating func apply(_ record: Record) {
        guard changes.indices.contains(Int(record.tag)) else { return }
        func set(_ bit: Int, _ interface: Interface, _ value: Bool) {
            let mask: UInt16 = 1 << (UInt16(bit) + 4 * UInt16(interface.rawValue))
            situation.path = value ? situation.path | mask : situation.path & ~mask
        }
        switch changes[Int(record.tag)] {
        case .pathUp(let interface, _): set(0, interface, true)
        case .pathDown(let interface, _): set(0, interface, false)
        case .coverage(let interface, let isThere): set(1, interface, !isThere)
        case .roamed: set(1, .wifi, false)
        case .uplink(let interface, let isThere): set(2, interface, !isThere)
        case .oneWay(let interface, _, let passes): set(3, interface, !passes)
        case .app(let isInFront): situation.isInFront = isInFront
        case .screen(let isOn):
            situation.hasScreen = isOn
            if isOn { situation.sleep = 0 }
        case .server(let change): situation.server = change.rawValue
        case .names(let resolve): situation.names = resolve
        default: break
        }
    }

    private mutating func decide(_ record: Record, believing belief: UInt8) {
        situation.belief = belief
        let decision = UInt64(record.kind.rawValue) << 44 | UInt64(record.tag & 0xF) << 56
        let now = Self.mixed(situation.bits ^ decision)
        hits[UInt16(truncatingIfNeeded: now), default: 0] += 1
        hits[UInt16(truncatingIfNeeded: Self.mixed(now ^ (last << 1))), default: 0] += 1
        last = now
    }

    /// Finaliser of SplitMix64, which spreads close inputs over all bits.
    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Buckets with their class of hits, in ascending order. Classes are 1, 2, 3, 4 to 7, 8 to 15 and so on, as AFL
    /// counts them: a loop that runs once more is no news.
    package var classes: [(bucket: UInt16, hits: UInt8)] {
        hits.map {
            ($0.key, $0.value < 4 ? UInt8($0.value) : UInt8(1 + UInt32.bitWidth - $0.value.leadingZeroBitCount))
        }
        .sorted { $0.0 < $1.0 }
    }
}

/// The situations that a search has seen.
package struct CoverageMap: Sendable {
    /// Seen classes of each bucket, as bits.
    private var seen = [UInt64](repeating: 0, count: 1 << 16)
    package private(set) var buckets = 0

    package init() {}

    /// Adds a world. Returns the number of situations, and of classes of hits, that are new.
    package mutating func add(_ classes: [(bucket: UInt16, hits: UInt8)]) -> Int {
        var new = 0
        for (bucket, hits) in classes {
            let bit: UInt64 = 1 << UInt64(hits & 63)
            if seen[Int(bucket)] & bit != 0 { continue }
            if seen[Int(bucket)] == 0 { buckets += 1 }
            seen[Int(bucket)] |= bit
            new += 1
        }
        return new
    }
}
