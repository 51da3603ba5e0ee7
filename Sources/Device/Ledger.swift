public import DeadzonePrimitives

/// The books of a phone, or of many: nanoseconds by interface, level and cause; bytes by interface, direction and cause. What a
/// cellular radio spends while it is another technology is on pages of its own, since it has other prices.
/// Integers only, so that it does not matter when periods were closed or in what order books were merged; wide ones, because
/// a million phones spend 2^63 nanoseconds in two and a half hours.
public struct Ledger: Hashable, Sendable {
    private var times: [Int128]
    private var octets: [Int128]

    public init() {
        times = Array(repeating: 0, count: Self.timesOfTechnology)
        octets = Array(repeating: 0, count: Self.octetsOfTechnology)
    }

    // MARK: Writing

    public mutating func add(_ residency: Residency, on interface: Interface, tails: TailAttribution = .latest) {
        residency.forEachShare(tails) { cause, span in
            add(span, at: residency.level, for: cause, on: interface)
        }
    }

    public mutating func add(
        _ span: TimeSpan, at level: PowerLevel, for cause: Cause, on interface: Interface, technology: UInt8 = 0
    ) {
        open(technology)
        times[Self.place(interface, level, cause, technology)] += Int128(span.nanoseconds)
    }

    public mutating func add(
        bytes: Int64, _ direction: Direction, for cause: Cause, on interface: Interface, technology: UInt8 = 0
    ) {
        open(technology)
        octets[Self.place(interface, direction, cause, technology)] += Int128(bytes)
    }

    public mutating func merge(_ other: Ledger) {
        open(UInt8(other.technologies - 1))
        for index in other.times.indices { times[index] += other.times[index] }
        for index in other.octets.indices { octets[index] += other.octets[index] }
    }

    /// Most phones have one technology: pages for others are added when something is written on them.
    private mutating func open(_ technology: UInt8) {
        let missing = Int(technology) + 1 - technologies
        guard missing > 0 else { return }
        times += Array(repeating: 0, count: missing * Self.timesOfTechnology)
        octets += Array(repeating: 0, count: missing * Self.octetsOfTechnology)
    }

    // MARK: Reading

    /// How many technologies there are pages for.
    public var technologies: Int { times.count / Self.timesOfTechnology }

    public func nanoseconds(
        at level: PowerLevel, for cause: Cause, on interface: Interface, technology: Int
    ) -> Int128 {
        technology < technologies ? times[Self.place(interface, level, cause, UInt8(technology))] : 0
    }

    public func bytes(
        _ direction: Direction, for cause: Cause, on interface: Interface, technology: Int
    ) -> Int128 {
        technology < technologies ? octets[Self.place(interface, direction, cause, UInt8(technology))] : 0
    }

    public func nanoseconds(at level: PowerLevel, for cause: Cause, on interface: Interface) -> Int128 {
        (0..<technologies).reduce(0) { $0 + nanoseconds(at: level, for: cause, on: interface, technology: $1) }
    }

    public func bytes(_ direction: Direction, for cause: Cause, on interface: Interface) -> Int128 {
        (0..<technologies).reduce(0) { $0 + bytes(direction, for: cause, on: interface, technology: $1) }
    }

    public func nanoseconds(in state: RadioState, on interface: Interface) -> Int128 {
        var sum: Int128 = 0
        for technology in 0..<technologies {
            for level in PowerLevel.allCases where level.state == state {
                for place in Self.row(interface, level, UInt8(technology)) { sum += times[place] }
            }
        }
        return sum
    }

    /// All time of one technology; most levels are of nobody.
    func forEachTime(
        on interface: Interface, technology: Int, _ body: (PowerLevel, Cause, _ nanoseconds: Int128) -> Void
    ) {
        guard technology < technologies else { return }
        for level in PowerLevel.allCases {
            for (place, cause) in zip(Self.row(interface, level, UInt8(technology)), Cause.allCases)
            where times[place] != 0 { body(level, cause, times[place]) }
        }
    }

    /// All bytes of one technology.
    func forEachBytes(
        on interface: Interface, technology: Int, _ body: (Direction, Cause, _ bytes: Int128) -> Void
    ) {
        guard technology < technologies else { return }
        for direction in Direction.allCases {
            for (place, cause) in zip(Self.row(interface, direction, UInt8(technology)), Cause.allCases)
            where octets[place] != 0 { body(direction, cause, octets[place]) }
        }
    }

    /// All time on the books: the time that has passed, for each phone.
    public func nanoseconds(on interface: Interface) -> Int128 {
        RadioState.allCases.reduce(0) { $0 + nanoseconds(in: $1, on: interface) }
    }

    public func bytes(_ direction: Direction, on interface: Interface) -> Int128 {
        var sum: Int128 = 0
        for technology in 0..<technologies {
            for place in Self.row(interface, direction, UInt8(technology)) { sum += octets[place] }
        }
        return sum
    }

    // MARK: Reading the books of few phones, whose time fits into a span

    public func time(at level: PowerLevel, for cause: Cause, on interface: Interface) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: nanoseconds(at: level, for: cause, on: interface)))
    }

    public func time(in state: RadioState, on interface: Interface) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: nanoseconds(in: state, on: interface)))
    }

    public func time(on interface: Interface) -> TimeSpan {
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

    /// Of all causes, in their order.
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

extension Ledger: Taped {
    public mutating func pass(through tape: inout Tape) {
        tape.pass(growing: &times)
        tape.pass(growing: &octets)
        let pages = times.count / Self.timesOfTechnology
        let isWhole = times.count == pages * Self.timesOfTechnology && octets.count == pages * Self.octetsOfTechnology
        guard !isWhole || !(1...256).contains(pages) else { return }
        tape.spoil()
        self = Ledger()
    }
}
