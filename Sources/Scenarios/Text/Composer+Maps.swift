import DeadzoneBase

extension Composer {
    /// Reads a map. Keys keep the file's order; merged keys take the place of `<<`. A key of the map itself overrides a
    /// merged one, and an earlier merged map overrides a later one.
    mutating func map(_ start: YAMLEvent, depth: Int) throws(Stop) -> ComposedNode {
        var whole = ComposedNode(node: Node(.map([]), at: start.mark, width: 1), height: 1)
        var entries: [Node.MapEntry] = []
        // Capacity for the keys of most maps, which avoids three reallocations.
        var own: [String: SourceMark] = Dictionary(minimumCapacity: 12)
        var merged: [(at: Int, parts: [Node])] = []
        while true {
            let event = try next()
            if case .mapEnd = event.kind { break }
            let key = try composeNode(event, depth: depth + 1)
            let value = try composeNode(try next(), depth: depth + 1)
            whole.add(key)
            whole.add(value)
            guard let name = key.node.scalar else {
                note(
                    Fault(
                        .keyNotText, at: event.mark, "\(key.node.kind) where a key is expected",
                        help: FaultCode.keyNotText.explanation))
                continue
            }
            // Swift compares strings by canonical equivalence: keys that differ only in Unicode composition are the
            // same key.
            if let first = own.updateValue(event.mark, forKey: name) {
                own[name] = first
                note(
                    Fault(
                        .duplicateKey, at: event.mark, width: event.width, "the key \(quote(name)) appears twice",
                        label: "first at line \(first.line), column \(first.column)", help: "remove one of the two"))
                continue
            }
            if key.node.content == .scalar("<<", quoted: false) {
                merged.append((entries.count, try mergedMaps(value.node)))
            } else {
                entries.append(Node.MapEntry(key: name, keyMark: event.mark, value: value.node))
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

    private func insert(_ maps: [Node], at place: Int, into entries: inout [Node.MapEntry]) {
        var taken = Set(entries.map(\.key))
        let added = maps.flatMap { $0.entries ?? [] }.filter { taken.insert($0.key).inserted }
        entries.insert(contentsOf: added, at: place)
    }

    /// Expands an alias. The positions stay those of the anchor, because a fault inside must be corrected there.
    mutating func expand(_ name: String, _ event: YAMLEvent, depth: Int) throws(Stop) -> ComposedNode {
        guard var part = anchors[name] else {
            let reason =
                openAnchors.contains(name)
                ? "\(quote("*" + name)) is inside the value that it repeats"
                : "\(quote("*" + name)) has no anchor above it"
            let near = suggestion(for: name, among: anchors.keys.sorted()).map { "did you mean `*\($0)`?" } ?? ""
            note(
                Fault(
                    .unknownAlias, at: event.mark, width: event.width, reason, label: near,
                    help: FaultCode.unknownAlias.explanation))
            return ComposedNode(node: Node(.map([]), at: event.mark, width: event.width))
        }
        part.expansions += 1
        expansions += part.expansions
        addedNodes += part.nodes
        addedBytes += part.bytes
        if expansions > TextLimits.expansions {
            throw stop(.tooManyAliases, event, "more than \(TextLimits.expansions) alias expansions")
        }
        if addedNodes > TextLimits.addedNodes || addedBytes > TextLimits.addedBytes {
            throw stop(
                .tooManyAliases, event,
                "aliases add more than \(TextLimits.addedNodes) values or \(TextLimits.addedBytes) bytes")
        }
        if depth + part.height > TextLimits.depth { throw tooDeep(event) }
        return part
    }
}

extension Composer.ComposedNode {
    mutating func add(_ inner: Self) {
        height = max(height, inner.height + 1)
        nodes += inner.nodes
        bytes += inner.bytes
        expansions += inner.expansions
    }
}
