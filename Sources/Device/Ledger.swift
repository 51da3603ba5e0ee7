package import DeadzoneBase

/// Sums of radio time and bytes, of one phone or many: nanoseconds by interface, power level and cause; bytes by
/// interface, direction and cause. Each technology of a cellular radio has its own pages, because its powers differ.
/// Integers only, so that neither the times at which periods are closed nor the order of merging affects the sums. The
/// integers are 128 bits wide, because a million phones spend 2^63 nanoseconds in two and a half hours.
package struct Ledger: Hashable, Sendable {
    private var times: [Int128]
    private var octets: [Int128]

    package init() {
        times = Array(repeating: 0, count: Self.timesOfTechnology)
        octets = Array(repeating: 0, count: Self.octetsOfTechnology)
    }

    // MARK: Writing

    package mutating func add(_ residency: Residency, on interface: Interface, tails: TailAttribution = .latest) {
        residency.forEachShare(tails) { cause, span in
            add(span, at: residency.level, for: cause, on: interface)
        }
    }

    package mutating func add(
        _ span: TimeSpan, at level: PowerLevel, for cause: Cause, on interface: Interface, technology: UInt8 = 0
    ) {
        addPages(technology)
        times[Self.place(interface, level, cause, technology)] += Int128(span.nanoseconds)
    }

    package mutating func add(
        bytes: Int64, _ direction: Direction, for cause: Cause, on interface: Interface, technology: UInt8 = 0
    ) {
        addPages(technology)
        octets[Self.place(interface, direction, cause, technology)] += Int128(bytes)
    }

    package mutating func merge(_ other: Ledger) {
        addPages(UInt8(other.technologies - 1))
        for index in other.times.indices { times[index] += other.times[index] }
        for index in other.octets.indices { octets[index] += other.octets[index] }
    }

    /// Adds pages (counters) for all technologies up to this one. Most phones have one technology, so pages for others
    /// are added at the first write.
    private mutating func addPages(_ technology: UInt8) {
        let missing = Int(technology) + 1 - technologies
        guard missing > 0 else { return }
        times += Array(repeating: 0, count: missing * Self.timesOfTechnology)
        octets += Array(repeating: 0, count: missing * Self.octetsOfTechnology)
    }

    // MARK: Reading

    /// Number of radio technologies that have pages (counters) in the ledger.
    package var technologies: Int { times.count / Self.timesOfTechnology }

    package func nanoseconds(
        at level: PowerLevel, for cause: Cause, on interface: Interface, technology: Int
    ) -> Int128 {
        technology < technologies ? times[Self.place(interface, level, cause, UInt8(technology))] : 0
    }

    package func bytes(
        _ direction: Direction, for cause: Cause, on interface: Interface, technology: Int
    ) -> Int128 {
        technology < technologies ? octets[Self.place(interface, direction, cause, UInt8(technology))] : 0
    }

    package func nanoseconds(at level: PowerLevel, for cause: Cause, on interface: Interface) -> Int128 {
        (0..<technologies).reduce(0) { $0 + nanoseconds(at: level, for: cause, on: interface, technology: $1) }
    }

    package func bytes(_ direction: Direction, for cause: Cause, on interface: Interface) -> Int128 {
        (0..<technologies).reduce(0) { $0 + bytes(direction, for: cause, on: interface, technology: $1) }
    }

    package func nanoseconds(in state: RadioState, on interface: Interface) -> Int128 {
        var sum: Int128 = 0
        for technology in 0..<technologies {
            for level in PowerLevel.allCases where level.state == state {
                for place in Self.row(interface, level, UInt8(technology)) { sum += times[place] }
            }
        }
        return sum
    }

    /// Calls the body for each level and cause with nonzero time in one technology. Most levels have no time.
    func forEachTime(
        on interface: Interface, technology: Int, _ body: (PowerLevel, Cause, _ nanoseconds: Int128) -> Void
    ) {
        guard technology < technologies else { return }
        for level in PowerLevel.allCases {
            for (place, cause) in zip(Self.row(interface, level, UInt8(technology)), Cause.allCases)
            where times[place] != 0 { body(level, cause, times[place]) }
        }
    }

    /// Calls the body for each direction and cause with a nonzero byte count in one technology.
    func forEachBytes(
        on interface: Interface, technology: Int, _ body: (Direction, Cause, _ bytes: Int128) -> Void
    ) {
        guard technology < technologies else { return }
        for direction in Direction.allCases {
            for (place, cause) in zip(Self.row(interface, direction, UInt8(technology)), Cause.allCases)
            where octets[place] != 0 { body(direction, cause, octets[place]) }
        }
    }

    /// All time of this interface in the ledger: the elapsed time, summed over phones.
    package func nanoseconds(on interface: Interface) -> Int128 {
        RadioState.allCases.reduce(0) { $0 + nanoseconds(in: $1, on: interface) }
    }

    package func bytes(_ direction: Direction, on interface: Interface) -> Int128 {
        var sum: Int128 = 0
        for technology in 0..<technologies {
            for place in Self.row(interface, direction, UInt8(technology)) { sum += octets[place] }
        }
        return sum
    }

    // MARK: Reading the ledger of few phones, with times that fit into a span

    package func time(at level: PowerLevel, for cause: Cause, on interface: Interface) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: nanoseconds(at: level, for: cause, on: interface)))
    }

    package func time(in state: RadioState, on interface: Interface) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: nanoseconds(in: state, on: interface)))
    }

    package func time(on interface: Interface) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: nanoseconds(on: interface)))
    }

    // MARK: Layout

    private static let interfaces = Interface.allCases.count
    private static let levels = PowerLevel.allCases.count
    private static let directions = Direction.allCases.count
    private static let causes = Cause.allCases.count

    private static let timesOfTechnology = interfaces * levels * causes
    private static let octetsOfTechnology = interfaces * directions * causes

    private static func place(
        _ interface: Interface, _ level: PowerLevel, _ cause: Cause, _ technology: UInt8
    ) -> Int { row(interface, level, technology).lowerBound + Int(cause.rawValue) }

    private static func place(
        _ interface: Interface, _ direction: Direction, _ cause: Cause, _ technology: UInt8
    ) -> Int { row(interface, direction, technology).lowerBound + Int(cause.rawValue) }

    /// Returns the indices of all causes of a power level, in order of their raw values.
    private static func row(_ interface: Interface, _ level: PowerLevel, _ technology: UInt8) -> Range<Int> {
        let page = Int(technology) * interfaces + Int(interface.rawValue)
        let first = (page * levels + Int(level.rawValue)) * causes
        return first..<first + causes
    }

    private static func row(_ interface: Interface, _ direction: Direction, _ technology: UInt8) -> Range<Int> {
        let page = Int(technology) * interfaces + Int(interface.rawValue)
        let first = (page * directions + Int(direction.rawValue)) * causes
        return first..<first + causes
    }
}

extension Ledger: BinaryCodable {
    package mutating func code(through coder: inout BinaryCoder) {
        coder.code(growing: &times)
        coder.code(growing: &octets)
        coder.require((times + octets).allSatisfy(BinaryCoder.validSums.contains))
        let pages = times.count / Self.timesOfTechnology
        let isWhole = times.count == pages * Self.timesOfTechnology && octets.count == pages * Self.octetsOfTechnology
        guard !isWhole || !(1...256).contains(pages) else { return }
        coder.markCorrupt()
        self = Ledger()
    }
}
