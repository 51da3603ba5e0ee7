import DeadzoneSettings

/// What `expect` may speak of: metrics, strategies, and groups of the population under them.
struct DemandReader {
    let vocabulary: Vocabulary
    let contenders: [String]
    let groups: [String]

    init(_ vocabulary: Vocabulary, contenders: [String], groups: [String]) {
        (self.vocabulary, self.contenders, self.groups) = (vocabulary, contenders, groups)
    }

    fileprivate var metrics: [String] { vocabulary.metrics.map(\.name) }

    /// Bounds by metric, whatever group they stand under.
    fileprivate func describe(_ settings: inout SettingsReader) {
        let bounds = metrics.map { Field(key: $0, help: "", shape: .text) }
        for metric in vocabulary.metrics { _ = settings.custom(metric.name) { .text } }
        // Nothing is read of what is only described.
        let form = Form<String>(
            "bounds by metric", shape: { .map(MapShape(fields: bounds)) }, read: { _, _ in nil }, write: { .text($0) })
        _ = settings.rest(of: form)
    }
}

extension SettingsReader {
    /// `expect: {growing: {battery.joules: under 30, new: {recovery.p95: under 10s}}}`
    mutating func demands(_ reader: DemandReader) -> [Demand] {
        let named = named(
            "expect", noun: "strategy",
            "bounds that have to hold, by strategy and metric; those of one group of the population under its name"
        ) { entry, settings -> [Demand] in
            if settings.isDescribing {
                reader.describe(&settings)
                return []
            }
            if !reader.contenders.contains(entry.key) {
                settings.note(entry.unknownKey("strategy", among: reader.contenders))
            }
            return settings.demands(of: entry, reader)
        }
        return (named ?? []).flatMap(\.value).sorted { a, b in
            let places = [a, b].map { demand in
                (
                    reader.contenders.firstIndex(of: demand.strategy) ?? reader.contenders.count,
                    demand.group.map { (reader.groups.firstIndex(of: $0) ?? 0) + 1 } ?? 0
                )
            }
            return (places[0].0, places[0].1, a.metric) < (places[1].0, places[1].1, b.metric)
        }
    }

    /// Of all phones, and of each group that has bounds of its own: what holds a map is a group.
    private mutating func demands(of strategy: Node.Entry, _ reader: DemandReader) -> [Demand] {
        let parts = (strategy.value.entries ?? []).filter { !$0.key.hasPrefix("x-") && $0.value.entries != nil }
        let whole = bounds(of: strategy.key, nil, reader, besides: parts.map(\.key))
        return whole
            + parts.flatMap { part -> [Demand] in
                if let fault = reader.fault(inGroup: part) {
                    note(fault)
                    return []
                }
                return section(part.key) { $0.bounds(of: strategy.key, part.key, reader) } ?? []
            }
    }

    private mutating func bounds(
        of strategy: String, _ group: String?, _ reader: DemandReader, besides parts: [String] = []
    ) -> [Demand] {
        let written = rest(of: .text) { entry, faults in
            if reader.metrics.contains(entry.key), !parts.contains(entry.key) { return true }
            if !parts.contains(entry.key) { faults.note(reader.fault(inMetric: entry, isOfGroup: group != nil)) }
            return false
        }
        for bound in written {
            guard let metric = reader.vocabulary.metrics.first(where: { $0.name == bound.name }),
                let node = peek(bound.name)
            else { continue }
            switch metric.check(bound.value) {
            case .failure(let trouble):
                note(node.fault(.badBound, "\(quote(bound.value)): \(trouble.message)", help: trouble.help))
            case .success(let reading):
                guard let other = reading.reference, other != "baseline" else { continue }
                if let fault = reader.fault(inReference: other, of: strategy, group, at: node) { note(fault) }
            }
        }
        return written.map {
            Demand(strategy: strategy, group: group, metric: $0.name, bound: $0.value, mark: $0.mark)
        }
    }
}

extension DemandReader {
    /// A map under a name that is no group, or is one that no number tells apart.
    fileprivate func fault(inGroup part: Node.Entry) -> Fault? {
        if metrics.contains(part.key) { return part.value.wrongType("a bound such as `under 15s`") }
        guard groups.contains(part.key) else {
            var fault = part.unknownKey("group", among: groups)
            if groups.isEmpty { fault.help = "a scenario has groups where it has a `population:`" }
            return fault
        }
        guard !Scenario.toldApart.contains(groups.count) else { return nil }
        let (least, most) = (Scenario.toldApart.lowerBound, Scenario.toldApart.upperBound)
        return Fault(
            .boundReference, at: part.keyMark, width: part.key.unicodeScalars.count,
            "a bound of one of \(groups.count) groups", label: "no number is of it alone",
            help: groups.count < least
                ? "one group is everybody: write the bound without it"
                : "groups are told apart where there are \(least) to \(most) of them")
    }

    fileprivate func fault(inMetric entry: Node.Entry, isOfGroup: Bool) -> Fault {
        if !isOfGroup, groups.contains(entry.key) { return entry.value.wrongType("a map of bounds, by metric") }
        var fault = entry.unknownKey("metric", among: metrics + (isOfGroup ? [] : groups), .unknownMetric)
        fault.help = "`deadzone list metrics` prints them"
        return fault
    }

    /// A name in a bound of a group is that of a strategy, under which it means the same phones, or of another group.
    fileprivate func fault(inReference name: String, of strategy: String, _ group: String?, at node: Node) -> Fault? {
        let isStrategy = contenders.contains(name)
        if name == strategy || (!isStrategy && name == group) {
            return node.fault(.boundReference, "a bound of \(quote(name)) against itself", label: "name another")
        }
        if isStrategy || (group != nil && groups.contains(name)) { return nil }
        let known = contenders + (group == nil ? [] : groups) + ["baseline"]
        return node.unknown(group == nil ? "strategy" : "strategy or group", name, among: known, .boundReference)
    }
}

extension Node.Entry {
    fileprivate func unknownKey(_ noun: String, among names: [String], _ code: FaultCode = .boundReference) -> Fault {
        Node(.scalar(key, quoted: false), at: keyMark, width: max(1, key.unicodeScalars.count))
            .unknown(noun, key, among: names, code)
    }
}
