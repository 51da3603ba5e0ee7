import DeadzoneSettings

extension Composer {
    /// Keys in the order of the file, those of merged maps where `<<` stands. A key of the map itself wins over a merged one,
    /// an earlier merged map over a later one.
    mutating func map(_ start: YAMLEvent, depth: Int) throws(Stop) -> Part {
        var whole = Part(node: Node(.map([]), at: start.mark, width: 1), height: 1)
        var entries: [Node.Entry] = []
        // Room for as many keys as most maps have, so that it does not grow three times.
        var own: [String: Mark] = Dictionary(minimumCapacity: 12)
        var merged: [(at: Int, parts: [Node])] = []
        while true {
            let event = try next()
            if case .mapEnd = event.kind { break }
            let key = try part(event, depth: depth + 1)
            let value = try part(try next(), depth: depth + 1)
            whole.add(key)
            whole.add(value)
            guard let name = key.node.scalar else {
                note(
                    Fault(
                        .keyNotText, at: event.mark, "\(key.node.kind) where a key is expected",
                        help: FaultCode.keyNotText.explanation))
                continue
            }
            // Swift compares by canonical equivalence: keys that differ only in composition are one key here.
            if let first = own.updateValue(event.mark, forKey: name) {
                own[name] = first
                note(
                    Fault(
                        .duplicateKey, at: event.mark, width: event.width, "the key \(quote(name)) stands here again",
                        label: "first at line \(first.line), column \(first.column)", help: "remove one of the two"))
                continue
            }
            if key.node.content == .scalar("<<", quoted: false) {
                merged.append((entries.count, try mergedMaps(value.node)))
            } else {
                entries.append(Node.Entry(key: name, keyMark: event.mark, value: value.node))
            }
        }
        for merge in merged { insert(merge.parts, at: merge.at, into: &entries) }
        whole.node.content = .map(entries)
        return whole
    }

    private mutating func mergedMaps(_ value: Node) throws(Stop) -> [Node] {
        let maps = value.items ?? [value]
        for map in maps where map.entries == nil {
            note(
                Fault(
                    .mergeKey, at: map.mark, width: map.width, "\(map.kind) cannot be merged",
                    help: FaultCode.mergeKey.explanation))
        }
        return maps.filter { $0.entries != nil }
    }

    private func insert(_ maps: [Node], at place: Int, into entries: inout [Node.Entry]) {
        var taken = Set(entries.map(\.key))
        let added = maps.flatMap { $0.entries ?? [] }.filter { taken.insert($0.key).inserted }
        entries.insert(contentsOf: added, at: place)
    }

    /// What an alias stands for. The marks stay those of the anchor: a fault inside is put right there.
    mutating func expand(_ name: String, _ event: YAMLEvent, depth: Int) throws(Stop) -> Part {
        guard var part = anchors[name] else {
            let reason =
                open.contains(name)
                ? "\(quote("*" + name)) stands inside the thing it repeats"
                : "\(quote("*" + name)) has no anchor above it"
            let near = suggestion(for: name, among: anchors.keys.sorted()).map { "did you mean `*\($0)`?" } ?? ""
            note(
                Fault(
                    .unknownAlias, at: event.mark, width: event.width, reason, label: near,
                    help: FaultCode.unknownAlias.explanation))
            return Part(node: Node(.map([]), at: event.mark, width: event.width))
        }
        part.expansions += 1
        expansions += part.expansions
        addedNodes += part.nodes
        addedBytes += part.bytes
        if expansions > limits.expansions {
            throw stop(.tooManyAliases, event, "more than \(limits.expansions) alias expansions")
        }
        if addedNodes > limits.addedNodes || addedBytes > limits.addedBytes {
            throw stop(
                .tooManyAliases, event,
                "aliases add more than \(limits.addedNodes) values or \(limits.addedBytes) bytes")
        }
        if depth + part.height > limits.depth { throw tooDeep(event) }
        return part
    }
}

extension Composer.Part {
    mutating func add(_ inner: Self) {
        height = max(height, inner.height + 1)
        nodes += inner.nodes
        bytes += inner.bytes
        expansions += inner.expansions
    }
}
