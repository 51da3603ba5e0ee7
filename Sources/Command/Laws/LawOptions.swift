import DeadzoneBase
import DeadzoneRuns

/// The parsed arguments and flags of the command `laws`.
struct LawOptions: Sendable {
    typealias SearchedLawGroup = LawSearch.LawGroup

    let parts: [SearchedLawGroup]
    var wanted: LawSearch.LawSearchScope
    let jobs: Int

    init(_ invocation: Invocation, cores: Int) throws(ToolFault) {
        let named = try invocation.arguments.first.map(Self.part)
        let strategies = invocation.texts(.strategy)
        jobs = invocation.number(.jobs) ?? cores
        // The groups `delivery` and `visits` use clients of their own, so `--strategy` does not apply to them.
        parts = named.map { [$0] } ?? (strategies.isEmpty ? SearchedLawGroup.standard : [.worlds, .strategies])
        let seeds: ClosedRange<UInt64>
        let histories: ClosedRange<UInt64>
        if invocation.arguments.count > 1 {
            let seed = try RunOptions.checkedSeed(invocation.arguments[1])
            (seeds, histories) = (seed...seed, seed...seed)
        } else {
            let count = invocation.number(.seeds).map { UInt64($0) }
            (seeds, histories) = (1...(count ?? 10_000), 1...(count ?? 300))
        }
        wanted = LawSearch.LawSearchScope(
            seeds: seeds, histories: histories, maximumHistoryLength: invocation.number(.historyLength) ?? 3,
            disconnects: invocation.number(.disconnects) ?? 50_000, strategies: strategies)
        for (flag, parts) in Self.owners where invocation.has(flag) && !parts.contains(where: self.parts.contains) {
            throw ToolFault(
                .conflict,
                "`--\(flag.name)` does not apply to \(quote(self.parts.map(\.rawValue).joined(separator: ", ")))",
                help: ["it applies to \(parts.map { "`laws \($0.rawValue)`" }.joined(separator: ", "))"])
        }
    }

    /// Flags that only some groups of laws accept.
    private static let owners: [(flag: Flag, parts: [SearchedLawGroup])] = [
        (.seeds, SearchedLawGroup.standard), (.historyLength, [.strategies]), (.disconnects, [.chaos]),
        (.strategy, [.worlds, .strategies]),
    ]

    private static func part(_ word: String) throws(ToolFault) -> SearchedLawGroup {
        guard let part = SearchedLawGroup(rawValue: word) else {
            throw .unknownName(
                word, "part", among: SearchedLawGroup.allCases.map(\.rawValue),
                help: "deadzone help laws explains each kind")
        }
        return part
    }
}
