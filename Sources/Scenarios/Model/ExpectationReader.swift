import DeadzoneBase

/// Reads the setting `expect` of a scenario, with the names that are valid there. These are the names of metrics,
/// strategies, and groups of the population.
struct ExpectationReader {
    /// Key of `expect` beside the names of strategies: the share of networks on which the bounds must hold.
    static let across = "across"

    let vocabulary: Vocabulary
    let namedStrategies: [String]
    let groups: [String]

    init(_ vocabulary: Vocabulary, namedStrategies: [String], groups: [String]) {
        (self.vocabulary, self.namedStrategies, self.groups) = (vocabulary, namedStrategies, groups)
    }

    fileprivate var metrics: [String] { vocabulary.metrics.map(\.name) }

    /// Describes bounds by metric, directly or under a group's name.
    fileprivate func describe(_ settings: inout SettingsReader) {
        let bounds = metrics.map { Field(key: $0, help: "", shape: .text) }
        for metric in vocabulary.metrics { _ = settings.custom(metric.name) { .text } }
        // Only described, so the parser is never called.
        let form = ValueFormat<String>(
            "bounds by metric", shape: { .map(MapShape(fields: bounds)) }, read: { _, _ in nil }, write: { .text($0) })
        _ = settings.userKeys(of: form)
    }
}

extension SettingsReader {
    /// Reads the expectations: `expect: {growing: {battery.joules: under 30, new: {recovery.p95: under 10s}}}`. The key
    /// `across` is no strategy: `across: {at-least: 90%}`.
    mutating func expected(_ reader: ExpectationReader) -> (bounds: [ExpectedBound], acrossShare: Int64?) {
        var share: Int64?
        let named = namedSections(
            "expect", noun: "strategy",
            "bounds that must hold, by strategy and metric; bounds of one group stand under the group's name; `across:` "
                + "sets on how many networks of `run --across` they must hold"
        ) { entry, settings -> [ExpectedBound] in
            if settings.isDescribing || entry.key == ExpectationReader.across {
                share = settings.acrossShare()
                if settings.isDescribing { reader.describe(&settings) }
                return []
            }
            if !reader.namedStrategies.contains(entry.key) {
                settings.note(entry.unknownKey("strategy", among: reader.namedStrategies))
            }
            return settings.expectedBounds(of: entry, reader)
        }
        let bounds = (named ?? []).flatMap(\.value).sorted { a, b in
            let places = [a, b].map { expectedBound in
                (
                    reader.namedStrategies.firstIndex(of: expectedBound.strategy) ?? reader.namedStrategies.count,
                    expectedBound.group.map { (reader.groups.firstIndex(of: $0) ?? 0) + 1 } ?? 0
                )
            }
            return (places[0].0, places[0].1, a.metric) < (places[1].0, places[1].1, b.metric)
        }
        return (bounds, share)
    }

    private mutating func acrossShare() -> Int64? {
        let key = "at-least"
        let share = ratio(
            key, in: 1...1_000_000,
            "under `across:`: share of the networks of `run --across` on which all bounds must hold (default 100%)")
        if !isDescribing, !has(key) {
            note(
                Fault(
                    .missing, at: mark, "the share of networks is missing", label: "needs `at-least`",
                    help: "across: {at-least: 90%}"))
        }
        return share
    }

    /// Bounds for all phones, and bounds for single groups. A map under a name holds the bounds of the group with that
    /// name.
    private mutating func expectedBounds(of strategy: Node.MapEntry, _ reader: ExpectationReader) -> [ExpectedBound] {
        let parts = (strategy.value.entries ?? []).filter { !$0.key.hasPrefix("x-") && $0.value.entries != nil }
        let whole = bounds(of: strategy.key, nil, reader, besides: parts.map(\.key))
        return whole
            + parts.flatMap { part -> [ExpectedBound] in
                if let fault = reader.fault(inGroup: part) {
                    note(fault)
                    return []
                }
                return section(part.key) { $0.bounds(of: strategy.key, part.key, reader) } ?? []
            }
    }

    private mutating func bounds(
        of strategy: String, _ group: String?, _ reader: ExpectationReader, besides parts: [String] = []
    ) -> [ExpectedBound] {
        let written = userKeys(of: .text) { entry, faults in
            if reader.metrics.contains(entry.key), !parts.contains(entry.key) { return true }
            if !parts.contains(entry.key) { faults.note(reader.fault(inMetric: entry, isOfGroup: group != nil)) }
            return false
        }
        var parsed: [String: ParsedBound] = [:]
        for bound in written {
            guard let metric = reader.vocabulary.metrics.first(where: { $0.name == bound.name }),
                let node = peek(bound.name)
            else { continue }
            switch metric.check(bound.value) {
            case .failure(let trouble):
                note(node.fault(.badBound, "\(quote(bound.value)): \(trouble.message)", help: trouble.help))
            case .success(let reading):
                parsed[bound.name] = reading
                guard let other = reading.reference, other != "baseline" else { continue }
                if let fault = reader.fault(inReference: other, of: strategy, group, at: node) { note(fault) }
            }
        }
        return written.map {
            ExpectedBound(
                strategy: strategy, group: group, metric: $0.name, bound: $0.value, mark: $0.mark,
                parsed: parsed[$0.name] ?? ParsedBound())
        }
    }
}

extension ExpectationReader {
    /// The fault of a map under a name that is not a group, or under a group that has no results of its own.
    fileprivate func fault(inGroup part: Node.MapEntry) -> Fault? {
        if metrics.contains(part.key) { return part.value.wrongType("a bound such as `under 15s`") }
        guard groups.contains(part.key) else {
            var fault = part.unknownKey("group", among: groups)
            if groups.isEmpty { fault.help = "a scenario has groups where it has a `population:`" }
            return fault
        }
        guard !Scenario.reportedGroupCounts.contains(groups.count) else { return nil }
        let (least, most) = (Scenario.reportedGroupCounts.lowerBound, Scenario.reportedGroupCounts.upperBound)
        return Fault(
            .boundReference, at: part.keyMark, width: part.key.unicodeScalars.count,
            "a bound for one of \(groups.count) groups", label: "single groups have no results here",
            help: groups.count < least
                ? "a single group contains all phones: write the bound without it"
                : "groups have their own results if there are \(least) to \(most) of them")
    }

    fileprivate func fault(inMetric entry: Node.MapEntry, isOfGroup: Bool) -> Fault {
        if !isOfGroup, groups.contains(entry.key) { return entry.value.wrongType("a map of bounds, by metric") }
        var fault = entry.unknownKey("metric", among: metrics + (isOfGroup ? [] : groups), .unknownMetric)
        fault.help = "`deadzone list metrics` prints them"
        return fault
    }

    /// The fault of a name in a bound that is not a valid reference; `nil` if it is valid. In a group's bound, a
    /// strategy's name refers to the same group under that strategy. The name may also be another group.
    fileprivate func fault(inReference name: String, of strategy: String, _ group: String?, at node: Node) -> Fault? {
        let isStrategy = namedStrategies.contains(name)
        if name == strategy || (!isStrategy && name == group) {
            return node.fault(.boundReference, "a bound of \(quote(name)) against itself", label: "name another one")
        }
        if isStrategy || (group != nil && groups.contains(name)) { return nil }
        let known = namedStrategies + (group == nil ? [] : groups) + ["baseline"]
        return node.unknown(group == nil ? "strategy" : "strategy or group", name, among: known, .boundReference)
    }
}

extension Node.MapEntry {
    fileprivate func unknownKey(_ noun: String, among names: [String], _ code: FaultCode = .boundReference) -> Fault {
        Node(.scalar(key, quoted: false), at: keyMark, width: max(1, key.unicodeScalars.count))
            .unknown(noun, key, among: names, code)
    }
}
