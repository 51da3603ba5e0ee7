import DeadzoneSettings

/// A group of a population as it was written.
struct GroupSketch {
    /// What of a scenario may be different for some of its phones, beside their strategy. The rest they share: server, end.
    static let keys = ["phone", "links", "middleboxes", "resolver", "timeline", "traffic", "app"]
    /// In parts of a million.
    fileprivate static let whole: Int64 = 1_000_000

    let name: String
    fileprivate(set) var phones = 0
    fileprivate let share: Int64?
    /// What is laid over the scenario for these phones.
    let own: Node
    /// What they run whatever is compared, and its canonical text; nil: what is compared.
    let strategy: OwnStrategy?
}

extension [GroupSketch] {
    /// Each has a strategy of its own, so that nothing is compared.
    var areFleet: Bool { !isEmpty && allSatisfy { $0.strategy != nil } }
}

extension SettingsReader {
    /// `population: {commuters: {share: 70%}, home: {share: 30%, timeline: []}}`, and how many of the `phones` each group has; none
    /// where that does not add up.
    mutating func population(_ vocabulary: Vocabulary, _ opened: OpenedFiles) -> [GroupSketch] {
        // Whoever describes a scenario has described that.
        let total = isDescribing ? nil : count("phones", in: 1...10_000_000)
        let key = "population"
        let named = named(
            key, noun: "group", keepsOrder: true,
            "different people: groups under names of your own, and what of the scenario is different for them"
        ) { entry, settings in settings.populationGroup(entry.key, vocabulary, opened) }
        guard let groups = named?.map(\.value), !isDescribing else { return [] }
        // A group that says nothing sound was told of.
        guard groups.allSatisfy({ $0.share != nil || $0.phones > 0 }) else { return [] }
        let (shares, counts) = (groups.compactMap(\.share), groups.compactMap { $0.share == nil ? $0.phones : nil })
        if groups.isEmpty || shares.count * counts.count > 0 {
            return refuse(
                "\(shares.count) shares and \(counts.count) numbers of phones", "one or the other of each group")
        }
        if shares.isEmpty {
            let sum = counts.reduce(0, +)
            guard let total, total != sum else { return groups }
            return refuse("\(sum) phones in all groups", "`phones` says \(total)")
        }
        let sum = shares.reduce(0, +)
        if sum != GroupSketch.whole {
            let text = Form<Int64>.ratio(in: 0 ... .max).write(sum).scalar ?? ""
            return refuse("shares that sum to \(text)", "they sum to 100%")
        }
        let dealt = deal(Int(total ?? 1), by: shares)
        if let nobody = dealt.firstIndex(of: 0) {
            return refuse(
                "nobody is in \(quote(groups[nobody].name))", "its share of \(total ?? 1) phones is less than one")
        }
        return zip(groups, dealt).map { group, phones in
            var group = group
            group.phones = phones
            return group
        }
    }

    private mutating func populationGroup(_ name: String, _ vocabulary: Vocabulary, _ opened: OpenedFiles)
        -> GroupSketch
    {
        let share = ratio("share", in: 1...GroupSketch.whole, "of the phones: shares sum to 100%")
        let phones = count("phones", in: 1...10_000_000, "or how many of the phones, of each group")
        if !has("share"), !has("phones"), !isDescribing {
            note(Fault(.missing, at: mark, "how many phones are in \(quote(name))", label: "needs `share` or `phones`"))
        }
        let strategy = ownStrategy(vocabulary)
        if isDescribing {
            var sketch = ScenarioSketch()
            sketch.readCircumstances(&self, vocabulary, opened)
        }
        var own: [Node.Entry] = []
        for key in GroupSketch.keys {
            guard let node = isDescribing ? nil : custom(key, shape: { .anything }) else { continue }
            own.append(Node.Entry(key: key, keyMark: mark(of: key), value: node))
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

/// So many to each, and what is left over to the largest remainders: every share is met to within one.
func deal(_ count: Int, by shares: [Int64]) -> [Int] {
    let whole = shares.reduce(0, +)
    let exact = shares.map { (Int64(count) * $0).quotientAndRemainder(dividingBy: whole) }
    var dealt = exact.map { Int($0.quotient) }
    let byRemainder = exact.indices.sorted { (-exact[$0].remainder, $0) < (-exact[$1].remainder, $1) }
    for index in byRemainder.prefix(count - dealt.reduce(0, +)) { dealt[index] += 1 }
    return dealt
}
