/// A type that encodes the tag of a journal record, such as a cause or an interface, in 16 bits.
public protocol RecordTag: Sendable {
    /// `nil` if the bits have no meaning.
    init?(bits: UInt16)
    var bits: UInt16 { get }
    /// Emits the tag as one field under `key`, or as several fields under their own keys.
    func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void)
    /// Range that contains all valid bits if there are only a few; empty otherwise.
    static var candidateBits: Range<UInt16> { get }
}

/// A kind of journal record, combined with the type of its tag. The compiler then ensures that only tags of this type
/// are written and read for that kind.
public struct TaggedKind<Tag: RecordTag>: Sendable {
    public let kind: RecordKind

    @inlinable init(_ kind: RecordKind) { self.kind = kind }
}

extension TaggedKind where Tag == RadioTag {
    @inlinable public static var residency: Self { Self(.residency) }
}

extension TaggedKind where Tag == BytesTag {
    @inlinable public static var bytes: Self { Self(.bytes) }
    @inlinable public static var queueDropped: Self { Self(.queueDropped) }
}

extension TaggedKind where Tag == Interface {
    @inlinable public static var promotion: Self { Self(.promotion) }
    @inlinable public static var mappingExpired: Self { Self(.mappingExpired) }
    @inlinable public static var protocolBlocked: Self { Self(.protocolBlocked) }
    @inlinable public static var downlinkHeld: Self { Self(.downlinkHeld) }
    @inlinable public static var downlinkDropped: Self { Self(.downlinkDropped) }
}

extension TaggedKind where Tag == Direction {
    @inlinable public static var windowShut: Self { Self(.windowShut) }
    @inlinable public static var flowStalled: Self { Self(.flowStalled) }
    @inlinable public static var gapNoticed: Self { Self(.gapNoticed) }
    @inlinable public static var gapUnnoticed: Self { Self(.gapUnnoticed) }
}

extension TaggedKind where Tag == Cause {
    @inlinable public static var awake: Self { Self(.awake) }
    @inlinable public static var woke: Self { Self(.woke) }
}

/// The tag is `true` if a timeline change started the herd, and `false` if the herd started with the run.
extension TaggedKind where Tag == Bool {
    @inlinable public static var connecting: Self { Self(.connecting) }
    @inlinable public static var herdBegan: Self { Self(.herdBegan) }
    @inlinable public static var herdBack: Self { Self(.herdBack) }
    @inlinable public static var herdMissing: Self { Self(.herdMissing) }
}

extension TaggedKind where Tag == UInt16 {
    @inlinable public static var timerFired: Self { Self(.timerFired) }
    @inlinable public static var timerLate: Self { Self(.timerLate) }
    @inlinable public static var weather: Self { Self(.weather) }
    @inlinable public static var callOutage: Self { Self(.callOutage) }
    @inlinable public static var stopped: Self { Self(.stopped) }
}

/// A plain number.
extension UInt16: RecordTag {
    @inlinable public init?(bits: UInt16) { self = bits }
    @inlinable public var bits: UInt16 { self }
    public func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .number(Int64(self)))
    }
    public static var candidateBits: Range<UInt16> { 0..<0 }
}

extension Bool: RecordTag {
    @inlinable public init?(bits: UInt16) {
        guard bits < 2 else { return nil }
        self = bits == 1
    }

    @inlinable public var bits: UInt16 { self ? 1 : 0 }
    public func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .flag(self))
    }
    public static var candidateBits: Range<UInt16> { 0..<2 }
}

extension Interface: RecordTag {
    @inlinable public init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable public var bits: UInt16 { UInt16(rawValue) }
    public func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .text(name))
    }
    public static var candidateBits: Range<UInt16> { 0..<UInt16(Interface.allCases.count) }
}

extension Direction: RecordTag {
    @inlinable public init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable public var bits: UInt16 { UInt16(rawValue) }
    public func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .text(name))
    }
    public static var candidateBits: Range<UInt16> { 0..<2 }
}

extension Cause: RecordTag {
    @inlinable public init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable public var bits: UInt16 { UInt16(rawValue) }
    public func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .text("\(name)"))
    }
    public static var candidateBits: Range<UInt16> { 0..<64 }
}

extension Interface {
    /// Bits 11 to 15 of a tag: the interface and its radio's technology.
    ///
    /// For the common interfaces, bit 12 is the number of the interface, and bits 13 to 15 are the technology. Bit 11
    /// marks a further interface. It has one technology, and bits 12 to 15 number it from the first further one on.
    @inlinable @inline(__always) func tagBits(technology: UInt8) -> UInt16 {
        guard rawValue < 2 else { return 1 << 11 | UInt16(rawValue - 2) << 12 }
        return UInt16(technology) << 13 | UInt16(rawValue) << 12
    }

    /// `nil` if no interface has this number.
    @inlinable static func decode(tagBits bits: UInt16) -> (interface: Interface, technology: UInt8)? {
        guard bits >> 11 & 1 == 1 else {
            return (bits >> 12 & 1 == 0 ? .wifi : .cellular, UInt8(truncatingIfNeeded: bits >> 13))
        }
        return Interface(rawValue: UInt8(truncatingIfNeeded: bits >> 12) + 2).map { ($0, 0) }
    }
}

/// The tag of records of radio time: interface, technology, power level and cause.
public struct RadioTag: RecordTag, Hashable, BitwiseCopyable {
    public let interface: Interface
    /// Index of the radio's technology, 0 to 7. 0 is the technology at the start.
    public let technology: UInt8
    public let level: PowerLevel
    public let cause: Cause
    /// `true` if the radio stays at the level of data transfer after the last bit: base power without data.
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
        guard let level = PowerLevel(rawValue: UInt8(truncatingIfNeeded: bits >> 6 & 31)),
            let cause = Cause(rawValue: UInt8(truncatingIfNeeded: bits & 31)),
            let place = Interface.decode(tagBits: bits)
        else { return nil }
        self.init(
            interface: place.interface, technology: place.technology, level: level, cause: cause,
            isSilent: bits >> 5 & 1 == 1)
    }

    @inlinable @inline(__always) public var bits: UInt16 {
        interface.tagBits(technology: technology) | UInt16(level.rawValue) << 6
            | (isSilent ? 1 << 5 : 0) | UInt16(cause.rawValue)
    }

    public func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit("interface", .text(interface.name))
        emit("state", .text("\(level.state.name)"))
        emit("level", .text("\(level.name)"))
        emit("cause", .text("\(cause.name)"))
        // Emitted only after a change of technology.
        if technology > 0 { emit("technology", .number(Int64(technology))) }
    }

    public static var candidateBits: Range<UInt16> { 0..<0 }
}

/// Labels a record of transmitted bytes with interface, technology, direction and cause.
public struct BytesTag: RecordTag, Hashable, BitwiseCopyable {
    public let interface: Interface
    /// Index of the radio's technology, 0 to 7. 0 is the technology at the start.
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
        guard let direction = Direction(rawValue: UInt8(truncatingIfNeeded: bits >> 6 & 31)),
            let cause = Cause(rawValue: UInt8(truncatingIfNeeded: bits & 63)),
            let place = Interface.decode(tagBits: bits)
        else { return nil }
        self.init(interface: place.interface, technology: place.technology, direction: direction, cause: cause)
    }

    @inlinable @inline(__always) public var bits: UInt16 {
        interface.tagBits(technology: technology) | UInt16(direction.rawValue) << 6 | UInt16(cause.rawValue)
    }

    public func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit("interface", .text(interface.name))
        emit("direction", .text(direction.name))
        emit("cause", .text("\(cause.name)"))
        if technology > 0 { emit("technology", .number(Int64(technology))) }
    }

    public static var candidateBits: Range<UInt16> { 0..<0 }
}
