import DeadzoneDevice
public import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives

/// A record as one line of NDJSON: what happened, in words, with the units in the keys.
public struct EventLine: Sendable {
    private let strategy: String
    private let replica: Int
    /// By index of the change in the world's timeline.
    private let conditions: [Int: String]

    /// - Parameter conditions: the line of the timeline, as it was written, that each change of the world's timeline comes from.
    public init(strategy: String, replica: Int, conditions: [Int: String] = [:]) {
        self.strategy = strategy
        self.replica = replica
        self.conditions = conditions
    }

    /// For people: `3 min 12.250 s  pinged, number 4`.
    public func words(_ record: Record, namesPhone: Bool) -> String {
        var members = record.tagged
        if let key = record.kind.valueKey { members[key] = .integer(Int128(record.value)) }
        if record.kind == .weather, let text = conditions[Int(record.tag)] { members["change"] = .string(text) }
        let details = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { key, value in
            "\(key) \(value.string ?? value.text(.line))"
        }
        let milliseconds = record.at.nanoseconds / 1_000_000
        let place = DurationText.clock(milliseconds) + (namesPhone ? "  phone \(record.lane)" : "")
        return "\(place)  \(record.kind.name)" + details.map { ", " + $0 }.joined()
    }

    /// Without a line end.
    public func text(_ record: Record) -> String {
        var bytes: [UInt8] = []
        form(of: record).append(record, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is the same in all lines of records of this kind and tag.
    fileprivate func form(of record: Record) -> LineForm {
        var members: [String: LineForm.Member] = [
            "at_ns": .instant, "phone": .phone, "strategy": .word(.string(strategy)),
            "replica": .word(.integer(Int128(replica))), "event": .word(.string(record.kind.name)),
        ]
        if let key = record.kind.valueKey { members[key] = .value }
        members.merge(record.tagged.mapValues { .word($0) }) { first, _ in first }
        if record.kind == .weather, let text = conditions[Int(record.tag)] { members["change"] = .word(.string(text)) }
        return LineForm(members)
    }
}

/// Writes lines of one strategy and replica. A line is put together once for each kind and tag; of the others only the numbers
/// are written.
public struct EventLines: Sendable {
    private struct Key: Hashable {
        let kind: Kind
        let tag: UInt16
        let value: Int64
    }

    private let line: EventLine
    private var forms: [Key: LineForm] = [:]

    public init(_ line: EventLine) { self.line = line }

    /// With a line end.
    public mutating func append(_ record: Record, to bytes: inout [UInt8]) {
        let key = Key(kind: record.kind, tag: record.tag, value: record.isNamedByValue ? record.value : 0)
        if let form = forms[key] {
            form.append(record, to: &bytes)
        } else {
            let form = line.form(of: record)
            forms[key] = form
            form.append(record, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension Record {
    /// What the tag says, in words; a tag that names nothing is given as its number.
    fileprivate var tagged: [String: JSON] {
        switch kind {
        case .residency: Self.residency(RadioTag(rawValue: tag))
        case .bytes: Self.bytes(BytesTag(rawValue: tag))
        case .promotion, .mappingExpired: ["interface": word(Interface.init(rawValue:), \.name)]
        case .closed: ["reason": word(CloseCode.init(rawValue:), \.name)]
        case .failed: ["reason": word(FailureCode.init(rawValue:), \.name)]
        case .callFailed: ["reason": word(CallCode.init(rawValue:), \.name)]
        case .bufferDropped: ["overflow": word(OverflowCode.init(rawValue:), \.name)]
        case .windowShut, .flowStalled: ["direction": .string(tag == 0 ? "up" : "down")]
        case .serverRejected: ["reason": word(RejectionCode.init(rawValue:), \.name)]
        case .suspended: ["reason": word(SuspensionCode.init(rawValue:), \.name)]
        case .serverExpired: ["reason": word(ExpiryCode.init(rawValue:), \.name)]
        case .goAway: ["reason": word(GoAwayCode.init(rawValue:), \.name)]
        case .resolved: ["result": word(ResolutionCode.init(rawValue:), \.name)]
        case .networkTold:
            [
                "network": word(NetworkCode.init(rawValue:), \.name),
                "interface": Self.word(UInt8(exactly: value).flatMap(Interface.init(rawValue:))?.name, value),
            ]
        case .awake, .woke: ["cause": word(Cause.init(rawValue:)) { "\($0.name)" }]
        case .timerFired, .timerLate: ["timer": .integer(Int128(tag))]
        case .callOutage: ["calls": .integer(Int128(tag))]
        case .weather: ["change": .integer(Int128(tag)), "took_effect": .bool(value != 0)]
        case .stopped: ["code": .integer(Int128(tag))]
        case .connecting, .herdBack, .herdMissing: ["after_trigger": .bool(tag != 0)]
        default: [:]
        }
    }

    /// The words depend on the value, too.
    fileprivate var isNamedByValue: Bool { kind == .networkTold || kind == .weather }

    private func word<Code>(_ read: (UInt16) -> Code?, _ name: (Code) -> String) -> JSON {
        Self.word(read(tag).map(name), Int64(tag))
    }

    private func word<Code>(_ read: (UInt8) -> Code?, _ name: (Code) -> String) -> JSON {
        Self.word(UInt8(exactly: tag).flatMap(read).map(name), Int64(tag))
    }

    private static func word(_ name: String?, _ number: Int64) -> JSON {
        name.map { .string($0) } ?? .integer(Int128(number))
    }

    private static func residency(_ tag: RadioTag) -> [String: JSON] {
        guard let interface = tag.interface, let level = PowerLevel(rawValue: tag.level), let cause = tag.cause else {
            return ["tag": .integer(Int128(tag.rawValue))]
        }
        return [
            "interface": .string(interface.name), "state": .string("\(level.state.name)"), "level": .string(level.name),
            "cause": .string("\(cause.name)"),
        ].merging(technology(tag.technology)) { $1 }
    }

    /// Said only of a radio that has changed.
    private static func technology(_ number: UInt8) -> [String: JSON] {
        number == 0 ? [:] : ["technology": .integer(Int128(number))]
    }

    private static func bytes(_ tag: BytesTag) -> [String: JSON] {
        guard let interface = tag.interface, let direction = tag.direction, let cause = tag.cause else {
            return ["tag": .integer(Int128(tag.rawValue))]
        }
        return [
            "interface": .string(interface.name), "direction": .string(direction == .up ? "up" : "down"),
            "cause": .string("\(cause.name)"),
        ].merging(technology(tag.technology)) { $1 }
    }
}
