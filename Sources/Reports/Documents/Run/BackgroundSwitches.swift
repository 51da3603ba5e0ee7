import DeadzoneBase

/// The switches that let a client run, or be woken, while its app is in the background. They are read from the resolved
/// text of a scenario, which every result contains.
struct BackgroundSwitches {
    private let lines: ArraySlice<Substring>

    init(_ resolved: String) { lines = resolved.split(separator: "\n")[...] }

    /// The switches that at least one of the strategies does not have.
    func missing(_ names: [String]) -> [String] {
        let all = Self.section("strategies", indent: 0, of: lines)
        let clients = names.map { name in
            Self.section(flowText(.text(name)), indent: 2, of: all).map { $0.drop { $0 == " " } }
        }
        func isSet(_ isSwitch: (Substring) -> Bool) -> Bool { clients.allSatisfy { $0.contains(where: isSwitch) } }
        var missing: [String] = []
        if !isSet({ $0 == "foreground-service: true" }) { missing.append("foreground-service") }
        if !isSet({ $0.hasPrefix("wake: ") && $0 != "wake: none" }) { missing.append("wake") }
        let push = Self.section("server", indent: 0, of: lines).first { $0.hasPrefix("  push:") }
        if push == nil || push == "  push: none" { missing.append("push") }
        return missing
    }

    /// The lines below a key, up to the next line that is not indented further.
    private static func section(_ key: String, indent: Int, of lines: ArraySlice<Substring>) -> ArraySlice<Substring> {
        let head = String(repeating: " ", count: indent) + key + ":"
        guard let start = lines.firstIndex(where: { $0 == head }) else { return [] }
        let below = lines[(start + 1)...]
        let end = below.firstIndex { $0.prefix { $0 == " " }.count <= indent }
        return below[..<(end ?? below.endIndex)]
    }
}
