package import DeadzoneBase
import DeadzoneScenarios

/// Settings that the user overrides with `--set`. `backoff.cap=30s` becomes `backoff: {cap: 30s}`. The value is parsed
/// as YAML. The settings are those of a strategy, or of a scenario.
package struct SettingOverrides: Sendable {
    /// File number of these settings. It marks faults that have no position in a file.
    private static let file = -1
    private static let mark = SourceMark(line: 0, column: 0, file: file)

    /// The settings as one map; empty without settings.
    package private(set) var root = Node(.map([]), at: mark)

    /// The settings as one map; `nil` without settings.
    package var node: Node? { root.entries?.isEmpty == false ? root : nil }

    package init(_ words: [String]) throws(ToolFault) {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !path.contains("") else {
                throw ToolFault(
                    .badFlagValue, "`--set` cannot be \(quote(word))", help: ["write --set KEY=VALUE or KEY.KEY=VALUE"])
            }
            let composition = compose(Array(parts[1].utf8), file: Self.file)
            guard composition.faults.isEmpty, let value = composition.node else {
                throw ToolFault(
                    .badFlagValue, "`--set` cannot be \(quote(word))", help: composition.faults.sorted.map(\.advice))
            }
            root = Self.set(path[...], to: value, in: root)
        }
    }

    /// The map with one value set; maps on the way are created.
    static func set(_ path: ArraySlice<String>, to value: Node, in node: Node) -> Node {
        guard let key = path.first else { return value }
        var entries = node.entries ?? []
        let inner = set(path.dropFirst(), to: value, in: node[key] ?? Node(.map([]), at: mark))
        entries.removeAll { $0.key == key }
        entries.append(Node.MapEntry(key: key, keyMark: mark, value: inner))
        return Node(.map(entries), at: mark)
    }

    /// The first fault in these settings.
    package func fault(among faults: Faults) -> ToolFault? {
        guard let fault = faults.sorted.first(where: { $0.mark.file == Self.file }) else { return nil }
        return ToolFault(
            .badFlagValue, "`--set`: \(fault.message)", help: [fault.advice].filter { !$0.isEmpty })
    }
}

extension Fault {
    /// The suggested correction without a position.
    package var advice: String { [label, help].filter { !$0.isEmpty }.joined(separator: "; ") }
}
