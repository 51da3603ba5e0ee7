/// A type that encodes the tag of a journal record, such as a cause or an interface, in 16 bits.
@usableFromInline package protocol RecordTag: Sendable {
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
@usableFromInline package struct TaggedKind<Tag: RecordTag>: Sendable {
    @usableFromInline package let kind: RecordKind

    @inlinable init(_ kind: RecordKind) { self.kind = kind }
}

extension TaggedKind where Tag == RadioTag {
    @inlinable package static var residency: Self { Self(.residency) }
}

extension TaggedKind where Tag == BytesTag {
    @inlinable package static var bytes: Self { Self(.bytes) }
    @inlinable package static var queueDropped: Self { Self(.queueDropped) }
}

extension TaggedKind where Tag == Interface {
    @inlinable package static var promotion: Self { Self(.promotion) }
    @inlinable package static var mappingExpired: Self { Self(.mappingExpired) }
    @inlinable package static var protocolBlocked: Self { Self(.protocolBlocked) }
    @inlinable package static var downlinkHeld: Self { Self(.downlinkHeld) }
    @inlinable package static var downlinkDropped: Self { Self(.downlinkDropped) }
}

extension TaggedKind where Tag == Direction {
    @inlinable package static var windowShut: Self { Self(.windowShut) }
    @inlinable package static var flowStalled: Self { Self(.flowStalled) }
    @inlinable package static var gapNoticed: Self { Self(.gapNoticed) }
    @inlinable package static var gapUnnoticed: Self { Self(.gapUnnoticed) }
}

extension TaggedKind where Tag == Cause {
    @inlinable package static var awake: Self { Self(.awake) }
    @inlinable package static var woke: Self { Self(.woke) }
}

/// The tag is `true` if a timeline change started the herd, and `false` if the herd started with the run.
extension TaggedKind where Tag == Bool {
    @inlinable package static var connecting: Self { Self(.connecting) }
    @inlinable package static var herdBegan: Self { Self(.herdBegan) }
    @inlinable package static var herdBack: Self { Self(.herdBack) }
    @inlinable package static var herdMissing: Self { Self(.herdMissing) }
}

extension TaggedKind where Tag == UInt16 {
    @inlinable package static var timerFired: Self { Self(.timerFired) }
    @inlinable package static var timerLate: Self { Self(.timerLate) }
    @inlinable package static var weather: Self { Self(.weather) }
    @inlinable package static var callOutage: Self { Self(.callOutage) }
    @inlinable package static var stopped: Self { Self(.stopped) }
}

/// A plain number.
extension UInt16: RecordTag {
    @inlinable package init?(bits: UInt16) { self = bits }
    @inlinable package var bits: UInt16 { self }
    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .number(Int64(self)))
    }
    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<0 }
}

extension Bool: RecordTag {
    @inlinable package init?(bits: UInt16) {
        guard bits < 2 else { return nil }
        self = bits == 1
    }

    @inlinable package var bits: UInt16 { self ? 1 : 0 }
    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .flag(self))
    }
    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<2 }
}

extension Interface: RecordTag {
    @inlinable package init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable package var bits: UInt16 { UInt16(rawValue) }
    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .text(name))
    }
    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<UInt16(Interface.allCases.count) }
}

extension Direction: RecordTag {
    @inlinable package init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable package var bits: UInt16 { UInt16(rawValue) }
    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .text(name))
    }
    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<2 }
}

extension Cause: RecordTag {
    @inlinable package init?(bits: UInt16) { self.init(rawValue: UInt8(truncatingIfNeeded: min(bits, 255))) }
    @inlinable package var bits: UInt16 { UInt16(rawValue) }
    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .text("\(name)"))
    }
    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<64 }
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
@usableFromInline package struct RadioTag: RecordTag, Hashable, BitwiseCopyable {
    @usableFromInline package let interface: Interface
    /// Index of the radio's technology, 0 to 7. 0 is the technology at the start.
    @usableFromInline package let technology: UInt8
    @usableFromInline package let level: PowerLevel
    @usableFromInline package let cause: Cause
    /// `true` if the radio stays at the level of data transfer after the last bit: base power without data.
    @usableFromInline package let isSilent: Bool

    @inlinable package init(
        interface: Interface, technology: UInt8 = 0, level: PowerLevel, cause: Cause, isSilent: Bool = false
    ) {
        self.interface = interface
        self.technology = technology
        self.level = level
        self.cause = cause
        self.isSilent = isSilent
    }

    @inlinable package init?(bits: UInt16) {
        guard let level = PowerLevel(rawValue: UInt8(truncatingIfNeeded: bits >> 6 & 31)),
            let cause = Cause(rawValue: UInt8(truncatingIfNeeded: bits & 31)),
            let place = Interface.decode(tagBits: bits)
        else { return nil }
        self.init(
            interface: place.interface, technology: place.technology, level: level, cause: cause,
            isSilent: bits >> 5 & 1 == 1)
    }

    @inlinable @inline(__always) package var bits: UInt16 {
        interface.tagBits(technology: technology) | UInt16(level.rawValue) << 6
            | (isSilent ? 1 << 5 : 0) | UInt16(cause.rawValue)
    }

    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit("interface", .text(interface.name))
        emit("state", .text("\(level.state.name)"))
        emit("level", .text("\(level.name)"))
        emit("cause", .text("\(cause.name)"))
        // Emitted only after a change of technology.
        if technology > 0 { emit("technology", .number(Int64(technology))) }
    }

    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<0 }
}

/// Labels a record of transmitted bytes with interface, technology, direction and cause.
@usableFromInline package struct BytesTag: RecordTag, Hashable, BitwiseCopyable {
    @usableFromInline package let interface: Interface
    /// Index of the radio's technology, 0 to 7. 0 is the technology at the start.
    @usableFromInline package let technology: UInt8
    @usableFromInline package let direction: Direction
    @usableFromInline package let cause: Cause

    @inlinable package init(interface: Interface, technology: UInt8 = 0, direction: Direction, cause: Cause) {
        self.interface = interface
        self.technology = technology
        self.direction = direction
        self.cause = cause
    }

    @inlinable package init?(bits: UInt16) {
        guard let direction = Direction(rawValue: UInt8(truncatingIfNeeded: bits >> 6 & 31)),
            let cause = Cause(rawValue: UInt8(truncatingIfNeeded: bits & 63)),
            let place = Interface.decode(tagBits: bits)
        else { return nil }
        self.init(interface: place.interface, technology: place.technology, direction: direction, cause: cause)
    }

    @inlinable @inline(__always) package var bits: UInt16 {
        interface.tagBits(technology: technology) | UInt16(direction.rawValue) << 6 | UInt16(cause.rawValue)
    }

    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit("interface", .text(interface.name))
        emit("direction", .text(direction.name))
        emit("cause", .text("\(cause.name)"))
        if technology > 0 { emit("technology", .number(Int64(technology))) }
    }

    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<0 }
}
