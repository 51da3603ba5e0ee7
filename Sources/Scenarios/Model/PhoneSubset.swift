import DeadzoneBase
import DeadzoneSimulator

/// Selects the phones that a timeline entry affects: a share of all phones, or a fixed number.
enum PhoneSubset: Hashable, Sendable {
    /// Each phone independently, with this probability.
    case share(Probability)
    /// A fixed number of phones, drawn at random.
    case count(Int64)

    static let all = PhoneSubset.share(.one)

    /// `50%`, `0.5` or `3`.
    static let form: ValueFormat<PhoneSubset> = {
        let (share, count) = (ValueFormat<Probability>.probability, ValueFormat<Int64>.count(in: 1...10_000_000))
        return ValueFormat(
            "a share or number of phones, such as 50% or 3", shape: { .either([.fraction, .integer(1...10_000_000)]) },
            read: { node, faults in
                let isCount = node.scalar.map { !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 } } ?? false
                if isCount { return count.read(node, &faults).map(PhoneSubset.count) }
                return share.read(node, &faults).map(PhoneSubset.share)
            },
            write: { subset in
                switch subset {
                // A plain 1 would mean one phone.
                case .share(.one): .text("100%")
                case .share(let probability): share.write(probability)
                case .count(let number): count.write(number)
                }
            })
    }()
}

/// The set of phones that share one timeline, as a number of phones and a number to skip.
struct TimelineScope {
    var phones: Int
    /// Number of phones before or between them that follow another timeline.
    var skipped = 0

    /// The sampler for a fixed number of phones; `nil` if the subset is a share or contains all phones.
    func sampler(of subset: PhoneSubset) -> PhoneSampler? {
        guard case .count(let count) = subset, count < phones else { return nil }
        return PhoneSampler(count: UInt32(count), of: UInt32(phones), skipped: UInt32(skipped))
    }
}

extension [GroupSketch] {
    /// The phones that follow the same timeline as this group: the group's own timeline, or that of the scenario.
    func timelineScope(of index: Int) -> TimelineScope {
        let isOwn = map { $0.own["timeline"] != nil }
        let before = indices.prefix(index)
        guard !isOwn[index] else {
            return TimelineScope(phones: self[index].phones, skipped: before.reduce(0) { $0 + self[$1].phones })
        }
        func sum(_ groups: some Sequence<Int>, own: Bool) -> Int {
            groups.reduce(0) { $0 + (isOwn[$1] == own ? self[$1].phones : 0) }
        }
        return TimelineScope(phones: sum(indices, own: false), skipped: sum(before, own: true))
    }
}
