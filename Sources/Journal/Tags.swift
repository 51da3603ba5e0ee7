public import DeadzonePrimitives

/// What the tag of a record says, in its 16 bits.
public protocol RecordTag: Sendable {
    /// Nil: they say nothing.
    init?(bits: UInt16)
    var bits: UInt16 { get }
    /// Under this key, or under keys of its own.
    func tell(_ key: String, _ say: (String, Fact.Word) -> Void)
    /// All bits that may say something, where that is a short list of words.
    static var few: Range<UInt16> { get }
}

/// A kind of record whose tag is a `Tag`: nobody writes or reads another.
public struct Tagged<Tag: RecordTag>: Sendable {
    public let kind: Kind

    @inlinable init(_ kind: Kind) { self.kind = kind }
}

extension Tagged where Tag == RadioTag {
    @inlinable public static var residency: Self { Self(.residency) }
}

extension Tagged where Tag == BytesTag {
    @inlinable public static var bytes: Self { Self(.bytes) }
    @inlinable public static var queueDropped: Self { Self(.queueDropped) }
}

extension Tagged where Tag == Interface {
    @inlinable public static var promotion: Self { Self(.promotion) }
    @inlinable public static var mappingExpired: Self { Self(.mappingExpired) }
}

extension Tagged where Tag == Direction {
    @inlinable public static var windowShut: Self { Self(.windowShut) }
    @inlinable public static var flowStalled: Self { Self(.flowStalled) }
    @inlinable public static var gapNoticed: Self { Self(.gapNoticed) }
    @inlinable public static var gapUnnoticed: Self { Self(.gapUnnoticed) }
}

extension Tagged where Tag == Cause {
    @inlinable public static var awake: Self { Self(.awake) }
    @inlinable public static var woke: Self { Self(.woke) }
}

/// Whether a herd has begun by a change of the timeline, and not with the run.
extension Tagged where Tag == Bool {
    @inlinable public static var connecting: Self { Self(.connecting) }
    @inlinable public static var herdBegan: Self { Self(.herdBegan) }
    @inlinable public static var herdBack: Self { Self(.herdBack) }
    @inlinable public static var herdMissing: Self { Self(.herdMissing) }
}

extension Tagged where Tag == UInt16 {
    @inlinable public static var timerFired: Self { Self(.timerFired) }
    @inlinable public static var timerLate: Self { Self(.timerLate) }
    @inlinable public static var weather: Self { Self(.weather) }
    @inlinable public static var callOutage: Self { Self(.callOutage) }
    @inlinable public static var stopped: Self { Self(.stopped) }
}

/// A number.
extension UInt16: RecordTag {
    @inlinable public init?(bits: UInt16) { self = bits }
    @inlinable public var bits: UInt16 { self }
    public func tell(_ key: String, _ say: (String, Fact.Word) -> Void) { say(key, .number(Int64(self))) }
    public static var few: Range<UInt16> { 0..<0 }
}

extension Bool: RecordTag {
    @inlinable public init?(bits: UInt16) {
        guard bits < 2 else { return nil }
        self = bits == 1
    }

    @inlinable public var bits: UInt16 { self ? 1 : 0 }
    public func tell(_ key: String, _ say: (String, Fact.Word) -> Void) { say(key, .flag(self)) }
    public static var few: Range<UInt16> { 0..<2 }
}

extension Interface: RecordTag {
    @inlinable public init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable public var bits: UInt16 { UInt16(rawValue) }
    public func tell(_ key: String, _ say: (String, Fact.Word) -> Void) { say(key, .text(name)) }
    public static var few: Range<UInt16> { 0..<2 }
}

extension Direction: RecordTag {
    @inlinable public init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable public var bits: UInt16 { UInt16(rawValue) }
    public func tell(_ key: String, _ say: (String, Fact.Word) -> Void) { say(key, .text(name)) }
    public static var few: Range<UInt16> { 0..<2 }
}

extension Cause: RecordTag {
    @inlinable public init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable public var bits: UInt16 { UInt16(rawValue) }
    public func tell(_ key: String, _ say: (String, Fact.Word) -> Void) { say(key, .text("\(name)")) }
    public static var few: Range<UInt16> { 0..<64 }
}

/// Of a period of a radio.
public struct RadioTag: RecordTag, Hashable, BitwiseCopyable {
    public let interface: Interface
    /// 0 for what the radio is at first; eight at most.
    public let technology: UInt8
    public let level: PowerLevel
    public let cause: Cause
    /// The level is that of bits that flow, and none do: a base power that goes on after the last bit.
    public let isSilent: Bool

    @inlinable public init(
        interface: Interface, technology: UInt8 = 0, level: PowerLevel, cause: Cause, isSilent: Bool = false
    ) {
        self.interface = interface
        self.technology = technology
        self.level = level
        self.cause = cause
        self.isSilent = isSilent
    }

    @inlinable public init?(bits: UInt16) {
        guard let level = PowerLevel(rawValue: UInt8(truncatingIfNeeded: bits >> 6 & 63)),
            let cause = Cause(rawValue: UInt8(truncatingIfNeeded: bits & 31))
        else { return nil }
        self.init(
            interface: bits >> 12 & 1 == 0 ? .wifi : .cellular, technology: UInt8(truncatingIfNeeded: bits >> 13),
            level: level, cause: cause, isSilent: bits >> 5 & 1 == 1)
    }

    @inlinable public var bits: UInt16 {
        UInt16(technology) << 13 | UInt16(interface.rawValue) << 12 | UInt16(level.rawValue) << 6
            | (isSilent ? 1 << 5 : 0) | UInt16(cause.rawValue)
    }

    public func tell(_ key: String, _ say: (String, Fact.Word) -> Void) {
        say("interface", .text(interface.name))
        say("state", .text("\(level.state.name)"))
        say("level", .text("\(level.name)"))
        say("cause", .text("\(cause.name)"))
        // Said only of a radio that has changed.
        if technology > 0 { say("technology", .number(Int64(technology))) }
    }

    public static var few: Range<UInt16> { 0..<0 }
}

/// Of bytes on the air.
public struct BytesTag: RecordTag, Hashable, BitwiseCopyable {
    public let interface: Interface
    /// 0 for what the radio is at first; eight at most.
    public let technology: UInt8
    public let direction: Direction
    public let cause: Cause

    @inlinable public init(interface: Interface, technology: UInt8 = 0, direction: Direction, cause: Cause) {
        self.interface = interface
        self.technology = technology
        self.direction = direction
        self.cause = cause
    }

    @inlinable public init?(bits: UInt16) {
        guard let direction = Direction(rawValue: UInt8(truncatingIfNeeded: bits >> 6 & 63)),
            let cause = Cause(rawValue: UInt8(truncatingIfNeeded: bits & 63))
        else { return nil }
        self.init(
            interface: bits >> 12 & 1 == 0 ? .wifi : .cellular, technology: UInt8(truncatingIfNeeded: bits >> 13),
            direction: direction, cause: cause)
    }

    @inlinable public var bits: UInt16 {
        UInt16(technology) << 13 | UInt16(interface.rawValue) << 12 | UInt16(direction.rawValue) << 6
            | UInt16(cause.rawValue)
    }

    public func tell(_ key: String, _ say: (String, Fact.Word) -> Void) {
        say("interface", .text(interface.name))
        say("direction", .text(direction.name))
        say("cause", .text("\(cause.name)"))
        if technology > 0 { say("technology", .number(Int64(technology))) }
    }

    public static var few: Range<UInt16> { 0..<0 }
}
