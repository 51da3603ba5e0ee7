import DeadzoneRuns
import DeadzoneSettings

/// The words and flags of `laws`, read.
struct LawOptions: Sendable {
    typealias Part = LawSearch.Part

    let parts: [Part]
    let wanted: LawSearch.Wanted
    let jobs: Int

    init(_ invocation: Invocation, cores: Int) throws(ToolFault) {
        let named = try invocation.arguments.first.map(Self.part)
        let strategies = invocation.texts(.strategy)
        jobs = invocation.number(.jobs) ?? cores
        // What clients claim, and what they do with visits, is looked for with clients made for it.
        parts = named.map { [$0] } ?? (strategies.isEmpty ? Part.usual : [.worlds, .strategies])
        let seeds: ClosedRange<UInt64>
        let histories: ClosedRange<UInt64>
        if invocation.arguments.count > 1 {
            let seed = try RunOptions.checkedSeed(invocation.arguments[1])
            (seeds, histories) = (seed...seed, seed...seed)
        } else {
            let count = invocation.number(.seeds).map { UInt64($0) }
            (seeds, histories) = (1...(count ?? 10_000), 1...(count ?? 300))
        }
        wanted = LawSearch.Wanted(
            seeds: seeds, histories: histories, length: invocation.number(.historyLength) ?? 3,
            disconnects: invocation.number(.disconnects) ?? 50_000, strategies: strategies)
        for (flag, parts) in Self.owners where invocation.has(flag) && !parts.contains(where: self.parts.contains) {
            throw ToolFault(
                .conflict,
                "`--\(flag.name)` means nothing to \(quote(self.parts.map(\.rawValue).joined(separator: ", ")))",
                help: ["it belongs to \(parts.map { "`laws \($0.rawValue)`" }.joined(separator: ", "))"])
        }
    }

    /// Flags that not every part heeds.
    private static let owners: [(flag: Flag, parts: [Part])] = [
        (.seeds, Part.usual), (.historyLength, [.strategies]), (.disconnects, [.chaos]),
        (.strategy, [.worlds, .strategies]),
    ]

    private static func part(_ word: String) throws(ToolFault) -> Part {
        guard let part = Part(rawValue: word) else {
            throw .unknownName(
                word, "part", among: Part.allCases.map(\.rawValue), help: "deadzone help laws says what each looks for")
        }
        return part
    }
}
