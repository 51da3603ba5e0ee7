/// A hash table that assigns captured packets to numbered flows, by addresses, ports and transport protocol. A flow is
/// an undirected 5-tuple. Flows are numbered in order of appearance.
///
/// A Dictionary is too slow and too large. Hashing alone takes tens of nanoseconds, too long for a packet of a hundred
/// bytes, and a million flows take too much memory. Therefore keys of 16 bytes are stored contiguously and found
/// through an open-addressing table of 32-bit slots, at most half full. A slot holds the number of a key and eleven
/// bits of its hash, so a wrong key is hardly ever compared.
struct FlowTable: ~Copyable {
    /// Number of distinguished flows. Packets of further flows are counted; the flow count is then a lower bound.
    static let capacity = 1 << 20

    /// The data that the table keeps for each flow: the end that opened it, and the device's end.
    struct State {
        /// `true` if the end with the lower address and port opened the flow.
        var isOpenerLower: Bool
        var device: DeviceEnd
    }

    enum DeviceEnd: UInt8 { case unknown, lower, higher }

    /// Bits of a slot that hold the key number, from 1; the other bits are from the hash.
    private static let numberMask: UInt32 = 1 << 21 - 1

    // Allocated for the full capacity; memory pages are touched only as flows appear.
    private let keys: UnsafeMutablePointer<FlowKey>
    private let states: UnsafeMutablePointer<State>
    private var slots: UnsafeMutablePointer<UInt32>
    private var mask = 4_095
    private(set) var count = 0
    /// Flow of the previous packet: most packets follow one of their own flow.
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

    /// Returns the number of the flow and whether it is new; `nil` if the table is full.
    @inline(__always) mutating func find(_ key: FlowKey) -> (number: Int, isNew: Bool)? {
        if let number = look(for: key) { return (number, false) }
        return add(key)
    }

    /// Returns the number of an existing flow; `nil` if it is not in the table.
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

/// The key of a flow in the hash table: both ends, the lower first, and the transport protocol.
///
/// For IPv4 the key is exact: address and port take 48 bits for each end. For IPv6 it is a fingerprint of 127 bits,
/// because a million keys of 40 bytes would take too much memory. The chance that two of a million flows have the same
/// fingerprint is one in 10^26.
struct FlowKey: BitwiseCopyable, Equatable {
    private let first: UInt64
    private let second: UInt64

    private static let ofIPv6: UInt64 = 1 << 63
    /// A key that no packet has: the first half of an IPv4 key has 48 bits, and IPv6 keys have the highest bit set.
    static let none = Self(first: 1 << 62, second: .max)

    /// Returns the key of a packet with ports, and whether its sender is the lower end.
    @inline(__always) static func of(_ result: inout Dissection, isIPv6: Bool, isUDP: Bool) -> (Self, isLower: Bool) {
        if isIPv6 { return fingerprint(&result, isUDP) }
        return of(
            UInt64(truncatingIfNeeded: result.source) << 16 | UInt64(result.sourcePort),
            UInt64(truncatingIfNeeded: result.destination) << 16 | UInt64(result.destinationPort), isUDP: isUDP)
    }

    /// The key of an IPv4 flow. Each end is an address and a port.
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
        func fold(_ mixing: HashMixer) -> UInt64 {
            func half(_ bits: UInt128) -> UInt64 {
                mixing.mix(UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64))
            }
            return mixing.mix(half(lower) ^ ports, half(higher))
        }
        return (Self(first: fold(.one) | ofIPv6, second: fold(.other)), isLower)
    }

    @inline(__always) var hash: UInt64 { HashMixer.one.mix(first, second) }
}

/// The hash function of the flow table: two multiplications to 128 bits, folded.
///
/// The odd constants are fractions of the golden ratio and of the square roots of two and three. They are not secret,
/// so a file always takes the same time. A file crafted to cause collisions only slows down its own run.
struct HashMixer {
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
