import DeadzoneBase
@testable import DeadzoneScenarios

/// The stored values of a value, by their paths.
func flattened(_ value: Any, _ path: String = "") -> [(path: String, text: String)] {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
        return mirror.children.first.map { flattened($0.value, path) } ?? [(path, "nil")]
    }
    if mirror.children.isEmpty { return [(path, "\(value)")] }
    return mirror.children.enumerated().flatMap { index, child in
        flattened(child.value, path + (path.isEmpty ? "" : ".") + (child.label ?? "\(index)"))
    }
}

/// The values that two values of one type have at different paths, in one line.
func differences(_ old: Any, _ new: Any) -> String {
    let (before, after) = (flattened(old), flattened(new))
    let (known, now) = (
        Dictionary(before.map { ($0.path, $0.text) }) { first, _ in first },
        Dictionary(after.map { ($0.path, $0.text) }) { first, _ in first }
    )
    let changed = after.filter { known[$0.path] != $0.text }.map { "\($0.path) \(known[$0.path] ?? "-") → \($0.text)" }
    let gone = before.filter { now[$0.path] == nil }.map { "\($0.path) \($0.text) → -" }
    let all = changed + gone
    return all.prefix(4).joined(separator: "; ") + (all.count > 4 ? "; and \(all.count - 4) more" : "")
}

/// The faults of a file, one line each.
func faultLines(_ faults: Faults) -> String {
    faults.sorted.map { fault in
        "\(fault.code.rawValue) \(fault.mark.line):\(fault.mark.column)+\(fault.width) \(fault.message)"
            + (fault.label.isEmpty ? "" : " | \(fault.label)") + (fault.help.isEmpty ? "" : " | help: \(fault.help)")
    }.joined(separator: "\n    ")
}
