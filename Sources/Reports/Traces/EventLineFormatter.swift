package import DeadzoneBase
import DeadzoneDevice

/// Formats simulation records as lines of NDJSON (one JSON object per line). A line has the event in words, and units
/// in the keys.
package struct EventLineFormatter: Sendable {
    private let strategy: String
    private let groups: [PhoneGroup]
    private let replica: Int
    /// Timeline text, by index of the change in the world's timeline.
    private let conditions: [Int: String]

    /// - Parameters:
    ///   - strategy: Name of the strategy that the run is about.
    ///   - groups: Phone groups, by their names in the file. Lines of phones with a strategy of their own name both
    ///     strategies.
    ///   - conditions: For each change of the world's timeline, the timeline entry that it comes from, as it was
    ///     written.
    package init(
        strategy: String, groups: [PhoneGroup] = [], replica: Int, conditions: [Int: String] = [:]
    ) {
        self.strategy = strategy
        self.groups = groups
        self.replica = replica
        self.conditions = conditions
    }

    /// Text for people, such as `03:12.250  pinged, number 4`.
    package func readableText(_ record: Record, namesPhone: Bool) -> String {
        var members = record.members
        if let text = changeText(record) { members["change"] = .string(text) }
        let details = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { key, value in
            "\(key) \(value.string ?? value.text(.line))"
        }
        let milliseconds = record.at.nanoseconds / 1_000_000
        let group = groupIndex(of: record.phone).map { " of \(groups[$0].name)" } ?? ""
        let place = DurationText.clock(milliseconds) + (namesPhone ? "  phone \(record.phone)\(group)" : "")
        return "\(place)  \(record.kind.definition.name)" + details.map { ", " + $0 }.joined()
    }

    /// Index of the phone's group, which is the same in all lines of these phones. `nil` if it has no group.
    fileprivate func groupIndex(of phone: UInt32) -> Int? { groups.firstIndex { $0.phones.contains(phone) } }

    /// The line, without a line end.
    package func text(_ record: Record) -> String {
        var bytes: [UInt8] = []
        template(of: record).append(record, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Template of the line: the text that all records of this kind, tag and group share.
    fileprivate func template(of record: Record) -> LineTemplate {
        let fact = record.kind.definition
        var members: [String: LineTemplate.TemplateMember] = [
            "at_ns": .instant, "phone": .phone, "strategy": .constant(.string(strategy)),
            "replica": .constant(.integer(Int128(replica))), "event": .constant(.string(fact.name)),
        ]
        if let place = groupIndex(of: record.phone) {
            members["group"] = .constant(.string(groups[place].name))
            if let own = groups[place].strategy {
                members["strategy"] = .constant(.string(own))
                members["run"] = .constant(.string(strategy))
            }
        }
        members.merge(record.members.mapValues { .constant($0) }) { first, _ in first }
        if fact.value.isNumber { members[fact.value.rawValue] = .value }
        if let text = changeText(record) { members["change"] = .constant(.string(text)) }
        return LineTemplate(members)
    }

    /// The timeline entry of the change that the record names, as it was written.
    private func changeText(_ record: Record) -> String? {
        switch record.kind {
        case .weather: conditions[Int(record.tag)]
        case .lostDown, .lostUp: record.loss?.change.flatMap { conditions[Int($0)] }
        case .silent: record.tag(of: .silent)?.change.flatMap { conditions[Int($0)] }
        case .presenceAway: record.tag(of: .presenceAway)?.change.flatMap { conditions[Int($0)] }
        default: nil
        }
    }
}

/// A group of phones in a population: its name, its range of phones, and its strategy.
package struct PhoneGroup: Hashable, Sendable {
    package let name: String
    package let phones: Range<UInt32>
    /// Strategy that these phones always run. `nil` if they run the strategy that the run is about.
    package let strategy: String?

    package init(_ name: String, of phones: Range<UInt32>, running strategy: String? = nil) {
        self.name = name
        self.phones = phones
        self.strategy = strategy
    }
}

/// Writes the event lines of one strategy in one replica. The text is built once for each kind, tag and group; further
/// lines only insert numbers.
package struct EventLineWriter: Sendable {
    private struct Key: Hashable {
        /// Kind, tag and group in one integer, because it is looked up for each line.
        let name: UInt64
        let value: Int64

        init(_ record: Record, group: Int?) {
            name =
                UInt64(group.map { $0 + 1 } ?? 0) << 32 | UInt64(record.kind.rawValue) << 16 | UInt64(record.tag)
            value = record.kind.valueHasName ? record.value : 0
        }
    }

    private let line: EventLineFormatter
    private var templates: [Key: LineTemplate] = [:]

    package init(_ line: EventLineFormatter) { self.line = line }

    /// Appends the line and a line end.
    package mutating func append(_ record: Record, to bytes: inout [UInt8]) {
        // Nearly every loss has another text, so that a template would serve only once.
        if record.kind.isLoss {
            line.template(of: record).append(record, to: &bytes)
            return bytes.append(UInt8(ascii: "\n"))
        }
        let key = Key(record, group: line.groupIndex(of: record.phone))
        if let template = templates[key] {
            template.append(record, to: &bytes)
        } else {
            let template = line.template(of: record)
            templates[key] = template
            template.append(record, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension Record {
    /// Fields of the record other than time, phone and event name.
    fileprivate var members: [String: JSON] {
        var members: [String: JSON] = [:]
        emitFields { members[$0] = JSON($1) }
        return members
    }
}

extension JSON {
    fileprivate init(_ word: RecordDefinition.FieldValue) {
        switch word {
        case .text(let text): self = .string(text)
        case .number(let number): self = .integer(Int128(number))
        case .flag(let flag): self = .bool(flag)
        }
    }
}
