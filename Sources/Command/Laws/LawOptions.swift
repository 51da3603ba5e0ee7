import DeadzoneSettings

/// The words and flags of `laws`, read.
struct LawOptions: Sendable {
    enum Part: String, CaseIterable, Sendable {
        case worlds, delivery, visits, strategies, chaos

        /// Those that are looked through where none is named.
        static let usual: [Part] = [.worlds, .delivery, .visits, .strategies]
    }

    let parts: [Part]
    /// Of worlds.
    let seeds: ClosedRange<UInt64>
    /// Of long histories for each strategy.
    let histories: ClosedRange<UInt64>
    /// Every history of so many upheavals at most.
    let length: Int
    /// Until so many the chaos test goes on.
    let disconnects: Int
    /// Empty: all of them.
    let strategies: [String]
    let jobs: Int

    init(_ invocation: Invocation, cores: Int) throws(CommandFault) {
        let named = try invocation.arguments.first.map(Self.part)
        strategies = invocation.texts(.strategy)
        jobs = invocation.number(.jobs) ?? cores
        length = invocation.number(.historyLength) ?? 3
        disconnects = invocation.number(.disconnects) ?? 50_000
        // What clients claim, and what they do with visits, is looked for with clients made for it.
        parts = named.map { [$0] } ?? (strategies.isEmpty ? Part.usual : [.worlds, .strategies])
        if invocation.arguments.count > 1 {
            let seed = try RunOptions.checkedSeed(invocation.arguments[1])
            (seeds, histories) = (seed...seed, seed...seed)
        } else {
            let count = invocation.number(.seeds).map { UInt64($0) }
            (seeds, histories) = (1...(count ?? 10_000), 1...(count ?? 300))
        }
        for (flag, parts) in Self.owners where invocation.has(flag) && !parts.contains(where: self.parts.contains) {
            throw CommandFault(
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

    private static func part(_ word: String) throws(CommandFault) -> Part {
        guard let part = Part(rawValue: word) else {
            throw .unknownName(
                word, "part", among: Part.allCases.map(\.rawValue), help: "deadzone help laws says what each looks for")
        }
        return part
    }
}
