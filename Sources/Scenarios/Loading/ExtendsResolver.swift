package import DeadzoneBase

/// Resolves the key `extends:` of a scenario file by merging the file over the file that it extends.
struct ExtendsResolver {
    /// Maximum number of files in a chain, including the scenario. In longer chains the origin of a setting is hard to
    /// find.
    static let longestChain = 16

    let opened: OpenedFiles
    var faults: Faults
    /// `true` if a file of the chain could not be read. A setting that seems to be missing may be in that file.
    private(set) var isBroken = false

    /// The document merged over all documents that it extends.
    mutating func extended(_ node: Node, chain: [String]) -> Node {
        guard let entries = node.entries, let place = entries.firstIndex(where: { $0.key == "extends" }) else {
            return node
        }
        let entry = entries[place]
        var own = node
        own.content = .map(entries.filter { $0.key != "extends" })
        guard let setting = ExtendsSetting(entry.value, &faults) else {
            isBroken = true
            return own
        }
        let path = opened.path(setting.path, from: entry.value.mark)
        let isCircle = chain.contains(path)
        if isCircle || chain.count >= Self.longestChain {
            isBroken = true
            let names = (chain + [path]).map { visible($0, atMost: 80) }.joined(separator: " extends ")
            faults.note(
                isCircle
                    ? entry.value.fault(.extendsCycle, "files that extend each other in a circle", help: names)
                    : entry.value.fault(
                        .longChain, "a chain of more than \(Self.longestChain) files that extend each other",
                        help: names))
            return own
        }
        switch opened.open(path) {
        case .failure(let trouble):
            isBroken = true
            faults.note(
                entry.value.fault(
                    .extendsUnreadable, "cannot read \(quote(path)): \(trouble.message)",
                    help: FaultCode.extendsUnreadable.explanation))
            return own
        case .success(let composition):
            faults.note(contentsOf: composition.faults)
            guard let base = composition.node else {
                isBroken = true
                return own
            }
            guard base.entries != nil else {
                isBroken = true
                faults.note(
                    entry.value.fault(
                        .wrongType, "\(quote(path)) contains no scenario", label: "expected a file with a map",
                        help: FaultCode.wrongType.explanation))
                return own
            }
            return overlaid(own, over: setting.remaining(of: extended(base, chain: chain + [path])))
        }
    }
}

/// Merges one node over another: maps are merged, everything else is replaced, and `key: ~` removes the key.
package func overlaid(_ upper: Node, over lower: Node) -> Node {
    guard let above = upper.entries, let below = lower.entries else { return upper }
    var result = below
    for entry in above {
        if let place = result.firstIndex(where: { $0.key == entry.key }) {
            if entry.value.isEmpty {
                result.remove(at: place)
                continue
            }
            result[place] = Node.MapEntry(
                key: entry.key, keyMark: entry.keyMark, value: overlaid(entry.value, over: result[place].value))
        } else {
            result.append(entry)
        }
    }
    return Node(.map(result), at: upper.mark, width: upper.width)
}
