import DeadzoneBase
package import DeadzoneMetrics

// Wording of a hunt, shared by its formats.

extension HuntReport {
    /// The answer to one demand in one sentence.
    package func sentence(_ index: Int) -> String {
        let demand = demands[index]
        let bound = "\(demand.metric) \(demand.threshold.words(demand.unit, nil))"
        guard let find = finds.first(where: { $0.demand == index }) else {
            return "\(bound) holds in every world that was tried."
        }
        return "\(bound) breaks: \(value(of: find))."
    }

    /// Name for a file of the find: strategy, metric, and a part of the hash of the text.
    package func fileName(of find: HuntFind) -> String {
        let words = "\(strategy)-\(demands[find.demand].metric)".map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
        }
        return String(words) + "-" + Fingerprint(of: find.yaml).hex.prefix(8) + ".yaml"
    }

    /// The value of a find, beside the value of the reference strategy.
    package func value(of find: HuntFind) -> String {
        let unit = demands[find.demand].unit
        let own = find.value.text(unit)
        guard let name = demands[find.demand].threshold.reference, let other = find.reference else { return own }
        return "\(own), and \(name.escapedForTerminal) has \(other.text(unit))"
    }

    /// Where the find comes from: the search and the shrinking.
    package func origin(of find: HuntFind) -> String {
        "World \(find.world) of the search broke it, with \(plural(find.foundEntries, "entry", "entries")); "
            + "\(plural(find.entries.count, "entry is", "entries are")) left."
    }

    package func seeds(of find: HuntFind) -> String {
        "It breaks in \(find.brokenSeeds) of \(find.testedSeeds) fresh seeds."
    }

    /// A reason to doubt the demand; empty if there is none.
    private func doubt(of find: HuntFind) -> [String] {
        guard find.entries.isEmpty else { return [] }
        return ["It breaks without a disturbance. Is the bound the right way round, and can a client keep it?"]
    }

    /// The shipped clients in the world of a find.
    package func clients(of find: HuntFind) -> [String] { doubt(of: find) + survivors(of: find) }

    private func survivors(of find: HuntFind) -> [String] {
        let unit = demands[find.demand].unit
        guard let nearest = find.survivors.first else {
            return find.casualties.isEmpty ? [] : ["No shipped client survives it."]
        }
        let transport = nearest.hasSameTransport ? " with the same transport" : ""
        var lines = [
            "Nearest shipped client\(transport) that survives it: \(nearest.name) (\(nearest.value.text(unit))); "
                + "\(plural(nearest.distance, "setting differs", "settings differ"))"
                + (nearest.differences.isEmpty ? "." : ", among them \(nearest.differences.joined(separator: "; ")).")
        ]
        let total = find.casualties.count + find.survivorCount
        lines.append("\(find.casualties.count) of \(total) shipped clients break it too.")
        return lines
    }

    /// A range in words: `length of dead-zone: anything from 41s to 9m (now 1m)`.
    package func text(of range: FreeRange) -> String {
        let now = " (now \(range.value.compoundText))"
        if range.from == range.to { return "\(range.name): only \(range.value.compoundText) (tried in whole seconds)" }
        switch (range.isOpenBelow, range.isOpenAbove) {
        case (true, true): return "\(range.name): anything up to \(range.to.compoundText) and more" + now
        case (true, false): return "\(range.name): anything up to \(range.to.compoundText)" + now
        case (false, true):
            return "\(range.name): anything from \(range.from.compoundText), up to \(range.to.compoundText) and more"
                + now
        case (false, false):
            return "\(range.name): anything from \(range.from.compoundText) to \(range.to.compoundText)" + now
        }
    }

    /// The numbers behind the answer.
    package var effortText: String {
        var text =
            "\(plural(effort.worlds, "world")) searched, \(plural(effort.situations, "situation")) of the client seen"
        if effort.refused > 0 { text += "; \(plural(effort.refused, "world")) left out, because the phone was stopped" }
        if effort.shrinkRuns > 0 { text += "; \(effort.shrinkRuns) more to shrink and to examine" }
        return text + ". Seed \(seed)." + (isComplete ? "" : " Stopped early; the same command begins again.")
    }
}
