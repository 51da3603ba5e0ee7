import DeadzoneDevice
import DeadzoneDocuments
public import DeadzoneJournal
import DeadzonePrimitives

/// A record as one line of NDJSON: what happened, in words, with the units in the keys.
public struct EventLine: Sendable {
    private let strategy: String
    private let groups: [GroupName]
    private let replica: Int
    /// By index of the change in the world's timeline.
    private let conditions: [Int: String]

    /// - Parameters:
    ///   - strategy: what the run is of.
    ///   - groups: of the population, by the names they have in the file. What phones say that run another strategy whatever the run is of
    ///     names both.
    ///   - conditions: the line of the timeline, as it was written, that each change of the world's timeline comes from.
    public init(
        strategy: String, groups: [GroupName] = [], replica: Int, conditions: [Int: String] = [:]
    ) {
        self.strategy = strategy
        self.groups = groups
        self.replica = replica
        self.conditions = conditions
    }

    /// For people: `3 min 12.250 s  pinged, number 4`.
    public func words(_ record: Record, namesPhone: Bool) -> String {
        var members = record.members
        if record.kind == .weather, let text = conditions[Int(record.tag)] { members["change"] = .string(text) }
        let details = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { key, value in
            "\(key) \(value.string ?? value.text(.line))"
        }
        let milliseconds = record.at.nanoseconds / 1_000_000
        let group = place(of: record.lane).map { " of \(groups[$0].name)" } ?? ""
        let place = DurationText.clock(milliseconds) + (namesPhone ? "  phone \(record.lane)\(group)" : "")
        return "\(place)  \(record.kind.fact.name)" + details.map { ", " + $0 }.joined()
    }

    /// What is the same in all lines of these phones: the place of their group.
    fileprivate func place(of phone: UInt32) -> Int? { groups.firstIndex { $0.phones.contains(phone) } }

    /// Without a line end.
    public func text(_ record: Record) -> String {
        var bytes: [UInt8] = []
        form(of: record).append(record, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is the same in all lines of records of this kind and tag.
    fileprivate func form(of record: Record) -> LineForm {
        let fact = record.kind.fact
        var members: [String: LineForm.Member] = [
            "at_ns": .instant, "phone": .phone, "strategy": .word(.string(strategy)),
            "replica": .word(.integer(Int128(replica))), "event": .word(.string(fact.name)),
        ]
        if let place = place(of: record.lane) {
            members["group"] = .word(.string(groups[place].name))
            if let own = groups[place].strategy {
                members["strategy"] = .word(.string(own))
                members["run"] = .word(.string(strategy))
            }
        }
        members.merge(record.members.mapValues { .word($0) }) { first, _ in first }
        if fact.value.isNumber { members[fact.value.rawValue] = .value }
        if record.kind == .weather, let text = conditions[Int(record.tag)] { members["change"] = .word(.string(text)) }
        return LineForm(members)
    }
}

/// A group of the population.
public struct GroupName: Hashable, Sendable {
    public let name: String
    public let phones: Range<UInt32>
    /// What they run whatever a run is of; nil: what it is of.
    public let strategy: String?

    public init(_ name: String, of phones: Range<UInt32>, running strategy: String? = nil) {
        self.name = name
        self.phones = phones
        self.strategy = strategy
    }
}

/// Writes lines of one strategy and replica. A line is put together once for each kind and tag; of the others only the numbers
/// are written.
public struct EventLines: Sendable {
    private struct Key: Hashable {
        /// Kind, tag and group, in one word: it is looked up for each line.
        let name: UInt64
        let value: Int64

        init(_ record: Record, group: Int?) {
            name =
                UInt64(group.map { $0 + 1 } ?? 0) << 32 | UInt64(record.kind.rawValue) << 16 | UInt64(record.tag)
            value = record.kind.namesValue ? record.value : 0
        }
    }

    private let line: EventLine
    private var forms: [Key: LineForm] = [:]

    public init(_ line: EventLine) { self.line = line }

    /// With a line end.
    public mutating func append(_ record: Record, to bytes: inout [UInt8]) {
        let key = Key(record, group: line.place(of: record.lane))
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
    /// What it says beside when, of whom and what.
    fileprivate var members: [String: JSON] {
        var members: [String: JSON] = [:]
        tell { members[$0] = JSON($1) }
        return members
    }
}

extension JSON {
    fileprivate init(_ word: Fact.Word) {
        switch word {
        case .text(let text): self = .string(text)
        case .number(let number): self = .integer(Int128(number))
        case .flag(let flag): self = .bool(flag)
        }
    }
}
