/// Which flow a packet belongs to: a table of undirected 5-tuples, numbered in the order in which they came.
///
/// A hundred bytes of packet leave no time for a Dictionary (tens of nanoseconds for hashing alone) and no memory for one of a
/// million flows. So: keys of 16 bytes in a row, found through an open table of 32-bit slots, at most half full. A slot holds
/// the number of a key and eleven bits of its hash, so that hardly ever a wrong key is looked at.
struct FlowTable: ~Copyable {
    /// Flows that are told apart. Packets of flows beyond are counted, and the count of flows is then a lower bound.
    static let capacity = 1 << 20

    /// What is known of every flow, however many there are.
    struct State {
        /// Which of the two ends, the lower or the higher, opened it, and which is the device's.
        var isOpenerLower: Bool
        var device: DeviceEnd
    }

    enum DeviceEnd: UInt8 { case unknown, lower, higher }

    /// Of a slot: the number of its key, from 1; the rest is of the hash.
    private static let numberMask: UInt32 = 1 << 21 - 1

    // Room for all, in memory that is touched only as flows come.
    private let keys: UnsafeMutablePointer<FlowKey>
    private let states: UnsafeMutablePointer<State>
    private var slots: UnsafeMutablePointer<UInt32>
    private var mask = 4_095
    private(set) var count = 0
    /// Of the packet before: most follow one of their own flow.
    private var latest: (key: FlowKey, number: Int) = (.none, 0)

    init() {
        keys = .allocate(capacity: Self.capacity)
        states = .allocate(capacity: Self.capacity)
        slots = Self.empty(mask + 1)
    }

    deinit {
        keys.deallocate()
        states.deallocate()
        slots.deallocate()
    }

    func state(_ number: Int) -> UnsafeMutablePointer<State> { states + number }

    /// The number of a flow, and whether it is new; nil where the table is full.
    @inline(__always) mutating func find(_ key: FlowKey) -> (number: Int, isNew: Bool)? {
        if let number = look(for: key) { return (number, false) }
        return add(key)
    }

    /// The number of a flow that there is.
    @inline(__always) mutating func look(for key: FlowKey) -> Int? {
        if key == latest.key { return latest.number }
        let hash = key.hash
        let mark = UInt32(truncatingIfNeeded: hash >> 32) & ~Self.numberMask
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = slots[place]
            if slot == 0 { return nil }
            let number = Int(slot & Self.numberMask) &- 1
            if slot & ~Self.numberMask == mark, keys[number] == key {
                latest = (key, number)
                return number
            }
            place = (place &+ 1) & mask
        }
    }

    @inline(never) private mutating func add(_ key: FlowKey) -> (number: Int, isNew: Bool)? {
        guard count < Self.capacity else { return nil }
        if 2 * (count + 1) > mask + 1 { grow() }
        (keys + count).initialize(to: key)
        (states + count).initialize(to: State(isOpenerLower: true, device: .unknown))
        place(count)
        count += 1
        return (count - 1, true)
    }

    private func place(_ number: Int) {
        let hash = keys[number].hash
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place] != 0 { place = (place + 1) & mask }
        slots[place] = UInt32(truncatingIfNeeded: hash >> 32) & ~Self.numberMask | UInt32(number + 1)
    }

    private mutating func grow() {
        slots.deallocate()
        mask = 2 * mask + 1
        slots = Self.empty(mask + 1)
        for number in 0..<count { place(number) }
    }

    private static func empty(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        slots.initialize(repeating: 0, count: count)
        return slots
    }
}

/// Both ends of a flow, the lower first, and the transport.
///
/// Of IPv4 all of it fits: address and port in 48 bits each. Of IPv6 it is a fingerprint of 127 bits, since a million keys of
/// 40 bytes would be too many bytes: that two of a million flows have the same is one chance in 10^26.
struct FlowKey: BitwiseCopyable, Equatable {
    private let first: UInt64
    private let second: UInt64

    private static let ofIPv6: UInt64 = 1 << 63
    /// That of no packet: the first of IPv4 has 48 bits, and the ends of IPv6 have both.
    static let none = Self(first: 1 << 62, second: .max)

    /// The key of a packet with ports, and whether its sender is the lower of the two ends.
    @inline(__always) static func of(_ result: inout Dissection, isIPv6: Bool, isUDP: Bool) -> (Self, isLower: Bool) {
        if isIPv6 { return fingerprint(&result, isUDP) }
        return of(
            UInt64(truncatingIfNeeded: result.source) << 16 | UInt64(result.sourcePort),
            UInt64(truncatingIfNeeded: result.destination) << 16 | UInt64(result.destinationPort), isUDP: isUDP)
    }

    /// Of IPv4: each end an address and a port.
    @inline(__always) static func of(_ source: UInt64, _ destination: UInt64, isUDP: Bool) -> (Self, isLower: Bool) {
        let isLower = source <= destination
        let transport = isUDP ? UInt64(1) << 48 : 0
        return (
            Self(first: isLower ? source : destination, second: (isLower ? destination : source) | transport), isLower
        )
    }

    private static func fingerprint(_ result: inout Dissection, _ isUDP: Bool) -> (Self, isLower: Bool) {
        let isLower = (result.source, result.sourcePort) <= (result.destination, result.destinationPort)
        let (source, destination) = (UInt64(result.sourcePort), UInt64(result.destinationPort))
        let transport = isUDP ? UInt64(1) << 32 : 0
        let (lower, higher) = isLower ? (result.source, result.destination) : (result.destination, result.source)
        let ports = (isLower ? source << 16 | destination : destination << 16 | source) | transport
        func fold(_ mixing: Mixing) -> UInt64 {
            func half(_ bits: UInt128) -> UInt64 {
                mixing.mix(UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64))
            }
            return mixing.mix(half(lower) ^ ports, half(higher))
        }
        return (Self(first: fold(.one) | ofIPv6, second: fold(.other)), isLower)
    }

    @inline(__always) var hash: UInt64 { Mixing.one.mix(first, second) }
}

/// Two multiplications to 128 bits, folded. The odd constants are fractions of the golden ratio and of the square roots of
/// two and three: no secret, so that a file always takes the same time; whoever builds a file against them slows down his own
/// run.
struct Mixing {
    private let own: UInt64
    private let others: UInt64

    static var one: Self { @inline(__always) get { Self(own: 0x9e37_79b9_7f4a_7c15, others: 0xbb67_ae85_84ca_a73b) } }
    static var other: Self { @inline(__always) get { Self(own: 0x6a09_e667_f3bc_c909, others: 0x9e37_79b9_7f4a_7c15) } }

    @inline(__always) func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let first = (a ^ own).multipliedFullWidth(by: b ^ others)
        let folded = first.high ^ first.low
        let second = (folded ^ a).multipliedFullWidth(by: own)
        return second.high ^ second.low
    }
}
