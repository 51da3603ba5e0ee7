public import DeadzonePrimitives

/// The books of a phone, or of many: nanoseconds by interface, level and cause; bytes by interface, direction and cause.
/// Integers only, so that it does not matter when periods were closed or in what order books were merged; wide ones, because
/// a million phones spend 2^63 nanoseconds in two and a half hours.
public struct Ledger: Hashable, Sendable {
    private var times: [Int128]
    private var octets: [Int128]

    public init() {
        times = Array(repeating: 0, count: Self.interfaces * Self.levels * Self.causes)
        octets = Array(repeating: 0, count: Self.interfaces * Self.directions * Self.causes)
    }

    // MARK: Writing

    public mutating func add(_ residency: Residency, on interface: Interface, tails: TailAttribution = .latest) {
        residency.forEachShare(tails) { cause, span in
            add(span, at: residency.level, for: cause, on: interface)
        }
    }

    public mutating func add(_ span: TimeSpan, at level: PowerLevel, for cause: Cause, on interface: Interface) {
        times[Self.place(interface, level, cause)] += Int128(span.nanoseconds)
    }

    public mutating func add(bytes: Int64, _ direction: Direction, for cause: Cause, on interface: Interface) {
        octets[Self.place(interface, direction, cause)] += Int128(bytes)
    }

    public mutating func merge(_ other: Ledger) {
        for index in times.indices { times[index] += other.times[index] }
        for index in octets.indices { octets[index] += other.octets[index] }
    }

    // MARK: Reading

    public func nanoseconds(at level: PowerLevel, for cause: Cause, on interface: Interface) -> Int128 {
        times[Self.place(interface, level, cause)]
    }

    public func bytes(_ direction: Direction, for cause: Cause, on interface: Interface) -> Int128 {
        octets[Self.place(interface, direction, cause)]
    }

    public func nanoseconds(in state: RadioState, on interface: Interface) -> Int128 {
        var sum: Int128 = 0
        for level in PowerLevel.allCases where level.state == state {
            for cause in Cause.allCases { sum += nanoseconds(at: level, for: cause, on: interface) }
        }
        return sum
    }

    /// All time on the books: the time that has passed, for each phone.
    public func nanoseconds(on interface: Interface) -> Int128 {
        RadioState.allCases.reduce(0) { $0 + nanoseconds(in: $1, on: interface) }
    }

    public func bytes(_ direction: Direction, on interface: Interface) -> Int128 {
        Cause.allCases.reduce(0) { $0 + bytes(direction, for: $1, on: interface) }
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

    private static func place(_ interface: Interface, _ level: PowerLevel, _ cause: Cause) -> Int {
        (Int(interface.rawValue) * levels + Int(level.rawValue)) * causes + Int(cause.rawValue)
    }

    private static func place(_ interface: Interface, _ direction: Direction, _ cause: Cause) -> Int {
        (Int(interface.rawValue) * directions + Int(direction.rawValue)) * causes + Int(cause.rawValue)
    }
}
