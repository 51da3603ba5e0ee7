import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneWorld

/// Which of the phones of a timeline meet an entry of it.
enum Company: Hashable, Sendable {
    /// Each by a chance of its own.
    case share(Probability)
    /// So many, drawn.
    case count(Int64)

    static let everybody = Company.share(.one)

    /// `50%`, `0.5` or `3`
    static let form: Form<Company> = {
        let (share, count) = (Form<Probability>.probability, Form<Int64>.count(in: 1...10_000_000))
        return Form(
            "so many of the phones, as 50% or 3", shape: { .either([.fraction, .integer(1...10_000_000)]) },
            read: { node, faults in
                let isCount = node.scalar.map { !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 } } ?? false
                if isCount { return count.read(node, &faults).map(Company.count) }
                return share.read(node, &faults).map(Company.share)
            },
            write: { company in
                switch company {
                // A plain 1 would be one phone.
                case .share(.one): .text("100%")
                case .share(let probability): share.write(probability)
                case .count(let number): count.write(number)
                }
            })
    }()
}

/// The phones that live by one timeline.
struct Readership {
    var phones: Int
    /// Phones before them, or between them, that live by another.
    var skipped = 0

    /// Nil: all of them.
    func lot(of company: Company) -> Lot? {
        guard case .count(let count) = company, count < phones else { return nil }
        return Lot(count: UInt32(count), of: UInt32(phones), skipped: UInt32(skipped))
    }
}

extension [GroupSketch] {
    /// Those who live by the same timeline as this group: its own, or that of the scenario.
    func readership(of index: Int) -> Readership {
        let isOwn = map { $0.own["timeline"] != nil }
        let before = indices.prefix(index)
        guard !isOwn[index] else {
            return Readership(phones: self[index].phones, skipped: before.reduce(0) { $0 + self[$1].phones })
        }
        func sum(_ groups: some Sequence<Int>, own: Bool) -> Int {
            groups.reduce(0) { $0 + (isOwn[$1] == own ? self[$1].phones : 0) }
        }
        return Readership(phones: sum(indices, own: false), skipped: sum(before, own: true))
    }
}
