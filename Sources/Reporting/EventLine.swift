import DeadzoneDevice
public import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives

/// A record as one line of NDJSON: what happened, in words, with the units in the keys.
public struct EventLine: Sendable {
    private let strategy: String
    private let replica: Int

    public init(strategy: String, replica: Int) {
        self.strategy = strategy
        self.replica = replica
    }

    /// Without a line end.
    public func text(_ record: Record) -> String {
        var members: [String: JSON] = [
            "at_ns": .integer(Int128(record.at.nanoseconds)),
            "phone": .integer(Int128(record.lane)),
            "strategy": .string(strategy),
            "replica": .integer(Int128(replica)),
            "event": .string(record.kind.name),
        ]
        if let key = record.kind.valueKey { members[key] = .integer(Int128(record.value)) }
        members.merge(record.tagged) { first, _ in first }
        return JSON.object(members).text(.line)
    }
}

extension Record {
    /// What the tag says, in words; a tag that names nothing is given as its number.
    fileprivate var tagged: [String: JSON] {
        switch kind {
        case .residency: Self.residency(RadioTag(rawValue: tag))
        case .bytes: Self.bytes(BytesTag(rawValue: tag))
        case .promotion:
            ["interface": Interface(rawValue: UInt8(clamping: tag)).map { .string($0.name) } ?? .integer(Int128(tag))]
        case .closed: ["reason": CloseCode(rawValue: tag).map { .string($0.name) } ?? .integer(Int128(tag))]
        case .failed: ["reason": FailureCode(rawValue: tag).map { .string($0.name) } ?? .integer(Int128(tag))]
        case .timerFired: ["timer": .integer(Int128(tag))]
        case .weather: ["change": .integer(Int128(tag)), "took_effect": .bool(value != 0)]
        case .stopped: ["code": .integer(Int128(tag))]
        default: [:]
        }
    }

    private static func residency(_ tag: RadioTag) -> [String: JSON] {
        guard let interface = tag.interface, let level = PowerLevel(rawValue: tag.level), let cause = tag.cause else {
            return ["tag": .integer(Int128(tag.rawValue))]
        }
        return [
            "interface": .string(interface.name), "state": .string("\(level.state.name)"), "level": .string(level.name),
            "cause": .string("\(cause.name)"),
        ]
    }

    private static func bytes(_ tag: BytesTag) -> [String: JSON] {
        guard let interface = tag.interface, let direction = tag.direction, let cause = tag.cause else {
            return ["tag": .integer(Int128(tag.rawValue))]
        }
        return [
            "interface": .string(interface.name), "direction": .string(direction == .up ? "up" : "down"),
            "cause": .string("\(cause.name)"),
        ]
    }
}
