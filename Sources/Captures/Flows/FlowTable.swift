/// Which flow a packet belongs to: an exact table of undirected 5-tuples.
///
/// A hundred bytes of packet leave no time for a Dictionary (tens of nanoseconds for hashing alone) and no memory for one of a
/// million flows. So: keys in chunks that never move, found through an open table of 32-bit numbers at most a quarter full, the
/// IPv4 keys in a half of what IPv6 takes.
struct FlowTable: ~Copyable {
    /// Flows that are told apart. Packets of flows beyond are counted, and the count of flows is then a lower bound.
    static let capacity = 1 << 20

    /// What is known of every flow, however many there are.
    struct State {
        var id: FlowID
        /// Which of the two ends, the lower or the higher, opened it, and which is the device's.
        var isOpenerLower: Bool
        var device: DeviceEnd
    }

    enum DeviceEnd: UInt8 { case unknown, lower, higher }

    private var small = KeyChunks<SmallKey>()
    private var large = KeyChunks<LargeKey>()
    private(set) var count = 0

    @inline(__always) init() {}

    /// The flow of a packet with ports, and whether its sender is the lower of the two ends; a new one if it is new. Nil where
    /// the table is full.
    @inline(__always) mutating func find(
        _ result: inout Dissection, isIPv6: Bool, isUDP: Bool
    ) -> (state: UnsafeMutablePointer<State>, isLower: Bool, isNew: Bool)? {
        if isIPv6 {
            let (key, isLower) = LargeKey.of(&result, isUDP)
            return found(large.find(key, mayGrow: count < Self.capacity), isLower)
        }
        let (key, isLower) = SmallKey.of(&result, isUDP)
        return found(small.find(key, mayGrow: count < Self.capacity), isLower)
    }

    @inline(__always) private mutating func found(
        _ entry: (state: UnsafeMutablePointer<State>, isNew: Bool)?, _ isLower: Bool
    ) -> (state: UnsafeMutablePointer<State>, isLower: Bool, isNew: Bool)? {
        guard let entry else { return nil }
        if entry.isNew {
            entry.state.pointee = State(id: .none, isOpenerLower: isLower, device: .unknown)
            count += 1
        }
        return (entry.state, isLower, entry.isNew)
    }
}

protocol FlowKey: BitwiseCopyable, Equatable {
    var hash: UInt64 { get }
}

/// Both ends of an IPv4 flow: address and port in 48 bits each, the transport above the second.
struct SmallKey: FlowKey {
    private let lower: UInt64
    private let higher: UInt64

    @inline(__always) static func of(_ result: inout Dissection, _ isUDP: Bool) -> (Self, isLower: Bool) {
        let source = UInt64(truncatingIfNeeded: result.source) << 16 | UInt64(result.sourcePort)
        let destination = UInt64(truncatingIfNeeded: result.destination) << 16 | UInt64(result.destinationPort)
        let isLower = source <= destination
        let transport = isUDP ? UInt64(1) << 48 : 0
        return (
            Self(lower: isLower ? source : destination, higher: (isLower ? destination : source) | transport), isLower
        )
    }

    @inline(__always) var hash: UInt64 { Mixing.mix(lower, higher) }
}

struct LargeKey: FlowKey {
    private let lower: UInt128
    private let higher: UInt128
    private let ports: UInt64

    @inline(__always) static func of(_ result: inout Dissection, _ isUDP: Bool) -> (Self, isLower: Bool) {
        let isLower =
            (result.source, result.sourcePort) <= (result.destination, result.destinationPort)
        let (source, destination) = (UInt64(result.sourcePort), UInt64(result.destinationPort))
        let transport = isUDP ? UInt64(1) << 32 : 0
        return isLower
            ? (
                Self(lower: result.source, higher: result.destination, ports: source << 16 | destination | transport),
                true
            )
            : (
                Self(lower: result.destination, higher: result.source, ports: destination << 16 | source | transport),
                false
            )
    }

    @inline(__always) var hash: UInt64 {
        func fold(_ bits: UInt128) -> UInt64 {
            Mixing.mix(UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64))
        }
        return Mixing.mix(fold(lower) ^ ports, fold(higher))
    }
}

enum Mixing {
    /// Two multiplications to 128 bits, folded. The odd constants are fractions of the golden ratio and of the square root of
    /// three: no secret, so that a file always takes the same time; whoever builds a file against them slows down his own run.
    @inline(__always) static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let first = (a ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: b ^ 0xbb67_ae85_84ca_a73b)
        let folded = first.high ^ first.low
        let second = (folded ^ a).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return second.high ^ second.low
    }
}

/// Keys with their states, in chunks that never move, and the open table that finds them.
struct KeyChunks<Key: FlowKey>: ~Copyable {
    private struct Entry {
        var key: Key
        var state: FlowTable.State
    }

    private static var chunkBits: Int { 12 }
    private static var chunkLength: Int { 1 << chunkBits }
    private static var empty: UInt32 { .max }

    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    private var table: UnsafeMutablePointer<UInt32>
    private var mask: Int
    private var count = 0

    init() {
        let most = FlowTable.capacity >> Self.chunkBits
        chunks = .allocate(capacity: most)
        chunks.initialize(repeating: nil, count: most)
        mask = 4_095
        table = .allocate(capacity: mask + 1)
        table.initialize(repeating: Self.empty, count: mask + 1)
    }

    deinit {
        for index in 0..<(FlowTable.capacity >> Self.chunkBits) { chunks[index]?.deallocate() }
        chunks.deallocate()
        table.deallocate()
    }

    @inline(__always) private func entry(_ number: UInt32) -> UnsafeMutablePointer<Entry> {
        // Every number in the table has been given out, with its chunk.
        chunks[Int(number) &>> Self.chunkBits].unsafelyUnwrapped + (Int(number) & (Self.chunkLength &- 1))
    }

    @inline(__always) mutating func find(
        _ key: Key, mayGrow: Bool
    ) -> (state: UnsafeMutablePointer<FlowTable.State>, isNew: Bool)? {
        var place = Int(truncatingIfNeeded: key.hash) & mask
        while true {
            let number = table[place]
            if number == Self.empty { break }
            let entry = entry(number)
            if entry.pointee.key == key { return (Self.state(of: entry), false) }
            place = (place &+ 1) & mask
        }
        return mayGrow ? add(key) : nil
    }

    @inline(__always) private static func state(
        of entry: UnsafeMutablePointer<Entry>
    ) -> UnsafeMutablePointer<FlowTable.State> {
        UnsafeMutableRawPointer(entry).advanced(by: MemoryLayout<Entry>.offset(of: \.state)!)
            .assumingMemoryBound(to: FlowTable.State.self)
    }

    @inline(never) private mutating func add(
        _ key: Key
    ) -> (state: UnsafeMutablePointer<FlowTable.State>, isNew: Bool) {
        if 4 * (count + 1) > mask + 1 { grow() }
        let chunk = count >> Self.chunkBits
        if chunks[chunk] == nil { chunks[chunk] = .allocate(capacity: Self.chunkLength) }
        let number = UInt32(count)
        count += 1
        let entry = entry(number)
        entry.initialize(
            to: Entry(key: key, state: FlowTable.State(id: .none, isOpenerLower: true, device: .unknown)))
        place(number, key.hash)
        return (Self.state(of: entry), true)
    }

    private func place(_ number: UInt32, _ hash: UInt64) {
        var place = Int(truncatingIfNeeded: hash) & mask
        while table[place] != Self.empty { place = (place + 1) & mask }
        table[place] = number
    }

    private mutating func grow() {
        table.deallocate()
        mask = 2 * mask + 1
        table = .allocate(capacity: mask + 1)
        table.initialize(repeating: Self.empty, count: mask + 1)
        for number in 0..<UInt32(count) { place(number, entry(number).pointee.key.hash) }
    }
}
