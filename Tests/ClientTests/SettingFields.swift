import DeadzoneBase
@testable import DeadzoneClient

/// Reads all stored properties of a policy as text, so that a test can compare every one of them.
enum SettingFields {
    /// The properties of a value by path, such as `keepalive.interval` and `45s`.
    static func of(_ value: Any, _ path: String = "") -> [(path: String, text: String)] {
        if value is PassByAddress { return [] }
        if let text = text(value) { return [(path, text)] }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return of(mirror.children.first?.value ?? "nil", path) }
        if mirror.displayStyle == .enum, let payload = mirror.children.first {
            // A payload without a label would have the path of its case.
            let payloads = of(payload.value, path).map { $0.path == path ? (path: path + ".value", text: $0.text) : $0 }
            return [(path, payload.label ?? "")] + payloads
        }
        return mirror.children.flatMap { child in
            // The elements of a tuple have the labels `.0`, `.1`.
            let label = (child.label ?? "").drop { $0 == "." }
            return of(child.value, path + (path.isEmpty ? "" : ".") + label)
        }
    }

    /// The text of a value that is written as a whole; `nil` if its properties are written one by one.
    private static func text(_ value: Any) -> String? {
        switch value {
        case let span as TimeSpan: return text(span)
        case let slot as TimerSlot: return "slot \(slot.index)"
        case let waits as Backoff.WaitTable: return "\(waits.all.map(text))"
        case let failures as CallFailures:
            return CallFailure.allCases.filter { failures.contains($0) }.map { "\($0)" }.joined(separator: "+")
        case let range as ClosedRange<TimeSpan>: return "\(text(range.lowerBound))...\(text(range.upperBound))"
        case let library as QUICLibrary: return "\(library)"
        case let path as PathReaction:
            let reactions = NetworkChange.NetworkEventKind.allCases.map { "\(path[$0])" }.joined(separator: " ")
            return
                "\(reactions), \(path.comparison), \(text(path.debounce)), \(path.resetsBackoff), slot \(path.slot.index)"
        case let number as any FixedWidthInteger: return "\(number)"
        case is Bool, is String: return "\(value)"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .enum: return mirror.children.isEmpty ? "\(value)" : nil
        case .collection:
            return "[" + mirror.children.map { of($0.value).map(\.text).joined(separator: " ") }.joined(separator: ", ")
                + "]"
        default: return nil
        }
    }

    static func text(_ span: TimeSpan) -> String {
        let nanoseconds = span.nanoseconds
        if span == .longest { return "longest" }
        if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
        return nanoseconds % 1_000_000 == 0 ? "\(nanoseconds / 1_000_000)ms" : "\(nanoseconds)ns"
    }

    /// The properties that differ from those of another value of the same type, as `path=text`.
    static func difference(_ value: Any, from other: Any) -> String {
        let known = Dictionary(of(other).map { ($0.path, $0.text) }) { first, _ in first }
        return of(value).filter { known[$0.path] != $0.text }.map { "\($0.path)=\($0.text)" }.joined(separator: " ")
    }
}

/// Settings on one line: `keepalive.interval: 45s; keepalive.looks-every: [6s 12s]`. A point leads into a map.
struct SettingLine {
    let setting: Setting

    init(_ line: String) {
        var root: [(String, Setting)] = []
        for entry in line.split(separator: ";") {
            let halves = entry.split(separator: ":", maxSplits: 1)
            let path = halves[0].trimmed.split(separator: ".").map(String.init)
            root = Self.inserting(Self.value(halves[1].trimmed), at: path, in: root)
        }
        setting = .map(root)
    }

    private static func inserting(
        _ value: Setting, at path: [String], in map: [(String, Setting)]
    ) -> [(String, Setting)] {
        guard path.count > 1 else { return map + [(path[0], value)] }
        var map = map
        let index = map.firstIndex { $0.0 == path[0] } ?? map.count
        var inner: [(String, Setting)] = []
        if index < map.count, case .map(let entries) = map[index].1 { inner = entries }
        let entry = (path[0], Setting.map(inserting(value, at: Array(path.dropFirst()), in: inner)))
        if index < map.count { map[index] = entry } else { map.append(entry) }
        return map
    }

    /// A value: a word, a list in brackets, or a map of words in braces, as in `[{at=5s,ask=2} {at=9s}]`.
    private static func value(_ text: String) -> Setting {
        if text.hasPrefix("[") {
            return .list(text.dropFirst().dropLast().split(separator: " ").map { value(String($0)) })
        }
        guard text.hasPrefix("{") else { return .text(text) }
        return .map(
            text.dropFirst().dropLast().split(separator: ",").map { entry in
                let halves = entry.split(separator: "=", maxSplits: 1)
                return (String(halves[0]), value(String(halves[1])))
            })
    }

    /// The client with these settings, the faults of the settings, and their canonical form.
    func read() -> (client: Composed, faults: [String], resolved: Node) {
        var reader = SettingsReader(setting.node, of: "composed")
        let client = Composed(&reader)
        reader.finish()
        return (client, reader.faults.sorted.map(\.message), reader.resolved)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
