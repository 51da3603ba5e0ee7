import DeadzoneMetrics

/// Wording of the number of bounds that hold, for all formats: `the gate holds`, `both expectations hold`,
/// `1 of 4 gates does not hold`.
struct BoundCount {
    let one: String
    let many: String

    static let expectations = BoundCount(one: "expectation", many: "expectations")
    static let gates = BoundCount(one: "gate", many: "gates")
    /// Two or more bounds of both kinds.
    static let both = BoundCount(one: "bound", many: "gates and expectations")

    var heading: String { many.prefix(1).uppercased() + many.dropFirst() }

    func allHold(_ count: Int) -> String {
        "\(Self.all(count, one, many)) \(count == 1 ? "holds" : "hold")"
    }

    func someHold(_ held: Int, of count: Int) -> String {
        if held == count { return allHold(count) }
        return count == 1 ? doNotHold(1, of: 1) : "\(held) of \(count) \(many) \(held == 1 ? "holds" : "hold")"
    }

    func doNotHold(_ failed: Int, of count: Int) -> String {
        let verb = failed == 1 ? "does not hold" : "do not hold"
        return count == 1 ? "the \(one) \(verb)" : "\(failed) of \(count) \(many) \(verb)"
    }

    /// The number of expectations that hold, under the heading `Expectations`: `both hold`, `1 of 4 does not hold`.
    static func sum(_ failed: Int, of count: Int) -> String {
        if count == 1 { return failed == 0 ? expectations.allHold(1) : expectations.doNotHold(1, of: 1) }
        if failed == 0 { return count == 2 ? "both hold" : "all \(count) hold" }
        return "\(failed) of \(count) \(failed == 1 ? "does" : "do") not hold"
    }

    /// `the scenario`, `both scenarios` or `all 7 scenarios`.
    static func all(_ count: Int, _ one: String, _ many: String) -> String {
        switch count {
        case 1: "the \(one)"
        case 2: "both \(many)"
        default: "all \(count) \(many)"
        }
    }
}

extension BoundCount {
    fileprivate init(_ areExpectations: [Bool]) {
        let kinds = Set(areExpectations)
        self = kinds.count > 1 ? .both : kinds == [false] ? .gates : .expectations
    }
}

extension CompareReport {
    /// The kind of the judged bounds. `check` and `compare --gates` judge expectations, too.
    var boundCount: BoundCount { BoundCount(outcomes.map(\.isExpectation)) }

    /// Heading of the judged and unjudged bounds: `Gates`, `Expectations` or both.
    var boundHeading: String {
        BoundCount(outcomes.map(\.isExpectation) + unjudged.map(\.place.isExpectation)).heading
    }
}
