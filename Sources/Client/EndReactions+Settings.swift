import DeadzoneBase

extension SettingsReader {
    /// Reads reactions by kind of end, written as `on-end: {denied: stop, reset: 0s, 4400-4499: never}`.
    mutating func endReactions(_ key: String, _ help: String) -> EndReactions? {
        section(key, help) { settings in
            var reactions = EndReactions()
            for kind in EndKind.allCases {
                reactions[kind] = settings.value(kind.word, .endReaction, kind.meaning)
            }
            settings.describeUserKeys(ValueFormat<EndReactions.EndReaction>.endReaction.shape)
            for key in settings.keys where key.utf8.first.map({ 48...57 ~= $0 }) ?? false {
                let reaction = settings.value(key, .endReaction)
                guard let codes = settings.codes(key), let reaction else { continue }
                reactions.add(EndReactions.CodeRule(codes: codes, reaction: reaction))
            }
            return reactions
        }
    }

    /// Parses a key such as `4401` or `4400-4499`, and compares it with the earlier keys of the map.
    private mutating func codes(_ key: String) -> ClosedRange<UInt16>? {
        func parse(_ text: String) -> ClosedRange<UInt16>? {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last,
                EndReactions.codes.contains(first), EndReactions.codes.contains(last)
            else { return nil }
            return first...last
        }
        func report(_ code: FaultCode, _ message: String, _ label: String) {
            note(Fault(code, at: mark(of: key), width: key.utf8.count, message, label: label))
        }
        guard let codes = parse(key) else {
            report(
                .outOfRange, "\(quote(key)) is no code", "expected a code from 1 to 4999, or a range such as 4400-4499")
            return nil
        }
        let earlier = keys.prefix { $0 != key }.first { parse($0)?.overlaps(codes) ?? false }
        guard let earlier else { return codes }
        report(.contradiction, "`\(key)` beside `\(earlier)`", "one code has two reactions")
        return nil
    }
}

extension ValueFormat where Value == EndReactions.EndReaction {
    /// A word, or an exact wait.
    static var endReaction: ValueFormat {
        let words = ValueFormat.word([
            ("usual", .usual), ("uncounted", .uncounted), ("longest-wait", .longest), ("stop", .stop),
            ("until-foreground", .hold(.foreground)), ("until-path", .hold(.path)),
            ("refresh", .hold(.credentials)), ("never", .hold(.process)),
        ])
        let wait = ValueFormat<TimeSpan>.wait
        return ValueFormat(
            "a wait such as 30s, \(words.expected)",
            shape: { .either([words.shape(), wait.shape()]) },
            read: { node, faults in
                let isNumber = node.scalar?.utf8.first.map { 48...57 ~= $0 } ?? false
                guard isNumber else { return words.read(node, &faults) }
                return wait.read(node, &faults).map { .wait($0) }
            },
            write: { reaction in
                if case .wait(let exact) = reaction { return wait.write(exact) }
                return words.write(reaction)
            })
    }
}
