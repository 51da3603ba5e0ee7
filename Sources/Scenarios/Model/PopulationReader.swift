import DeadzoneBase

/// A group of phones in a scenario's population, as read from the file.
struct GroupSketch {
    /// The parts of a scenario that may differ between groups, in addition to the strategy. All other parts are common,
    /// such as the server and the duration.
    static let keys = ["phone", "links", "middleboxes", "resolver", "timeline", "traffic", "app"]
    /// 100% in parts per million.
    fileprivate static let whole: Int64 = 1_000_000

    let name: String
    fileprivate(set) var phones = 0
    fileprivate let share: Int64?
    /// Settings that are merged over the scenario for these phones.
    let own: Node
    /// The group's own strategy; `nil` if the group runs the compared strategies.
    let strategy: GroupStrategy?
}

extension [GroupSketch] {
    /// `true` if every group has its own strategy, so that no strategies are compared.
    var isFleet: Bool { !isEmpty && allSatisfy { $0.strategy != nil } }
}

extension SettingsReader {
    /// Reads the groups and computes the number of phones of each group:
    /// `population: {commuters: {share: 70%}, home: {share: 30%, timeline: []}}`
    /// Returns an empty list if the numbers do not add up.
    mutating func population(_ vocabulary: Vocabulary, _ opened: OpenedFiles) -> [GroupSketch] {
        // The scenario's reader describes `phones` itself.
        let total = isDescribing ? nil : count("phones", in: 1...10_000_000)
        let key = "population"
        let named = namedSections(
            key, noun: "group", keepsOrder: true,
            "groups of phones with names of your own, and the settings that differ for each group"
        ) { entry, settings in settings.populationGroup(entry.key, vocabulary, opened) }
        guard let groups = named?.map(\.value), !isDescribing else { return [] }
        // The fault of a group without a valid number of phones was already noted.
        guard groups.allSatisfy({ $0.share != nil || $0.phones > 0 }) else { return [] }
        let (shares, counts) = (groups.compactMap(\.share), groups.compactMap { $0.share == nil ? $0.phones : nil })
        if groups.isEmpty || shares.count * counts.count > 0 {
            return refuse(
                "\(shares.count) shares and \(counts.count) numbers of phones", "use the same kind for every group")
        }
        if shares.isEmpty {
            let sum = counts.reduce(0, +)
            guard let total, total != sum else { return groups }
            return refuse("\(sum) phones in all groups", "`phones` says \(total)")
        }
        let sum = shares.reduce(0, +)
        if sum != GroupSketch.whole {
            let text = ValueFormat<Int64>.ratio(in: 0 ... .max).write(sum).scalar ?? ""
            return refuse("shares that sum to \(text)", "they must sum to 100%")
        }
        let apportioned = apportion(Int(total ?? 1), by: shares)
        if let emptyGroup = apportioned.firstIndex(of: 0) {
            return refuse(
                "\(quote(groups[emptyGroup].name)) has no phones", "its share of \(total ?? 1) phones is less than one")
        }
        return zip(groups, apportioned).map { group, phones in
            var group = group
            group.phones = phones
            return group
        }
    }

    private mutating func populationGroup(_ name: String, _ vocabulary: Vocabulary, _ opened: OpenedFiles)
        -> GroupSketch
    {
        let share = ratio("share", in: 1...GroupSketch.whole, "share of all phones; the shares sum to 100%")
        let phones = count("phones", in: 1...10_000_000, "number of phones, in every group instead of `share`")
        if !has("share"), !has("phones"), !isDescribing {
            note(
                Fault(
                    .missing, at: mark, "the number of phones in \(quote(name)) is missing",
                    label: "needs `share` or `phones`"))
        }
        let strategy = groupStrategy(vocabulary)
        if isDescribing {
            var sketch = ScenarioSketch()
            sketch.readGroupSettings(&self, vocabulary, opened)
        }
        var own: [Node.MapEntry] = []
        for key in GroupSketch.keys {
            guard let node = isDescribing ? nil : custom(key, shape: { .anything }) else { continue }
            own.append(Node.MapEntry(key: key, keyMark: mark(of: key), value: node))
        }
        return GroupSketch(
            name: name, phones: Int(phones ?? 0), share: share, own: Node(.map(own), at: mark), strategy: strategy)
    }

    private mutating func refuse(_ message: String, _ label: String) -> [GroupSketch] {
        let key = "population"
        note(
            Fault(
                .population, at: mark(of: key), width: key.utf8.count, message, label: label,
                help: FaultCode.population.explanation))
        return []
    }
}

/// Apportions `count` by shares with the largest-remainder method. Each result differs from its exact share by less
/// than one.
func apportion(_ count: Int, by shares: [Int64]) -> [Int] {
    let whole = shares.reduce(0, +)
    let exact = shares.map { (Int64(count) * $0).quotientAndRemainder(dividingBy: whole) }
    var apportioned = exact.map { Int($0.quotient) }
    let byRemainder = exact.indices.sorted { (-exact[$0].remainder, $0) < (-exact[$1].remainder, $1) }
    for index in byRemainder.prefix(count - apportioned.reduce(0, +)) { apportioned[index] += 1 }
    return apportioned
}
