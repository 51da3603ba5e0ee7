public import DeadzoneMetrics

/// One sentence of an article, put to the test.
public struct ClaimReport: Sendable {
    /// One number that a claim is judged by, or that stands beside it.
    public struct Finding: Hashable, Sendable {
        public let name: String
        public let unit: Metric.Unit
        public let figure: Figure
        /// Where the replicas leave it; nil where there are none.
        public let interval: Interval?

        public init(_ name: String, _ unit: Metric.Unit, _ figure: Figure, interval: Interval? = nil) {
            self.name = name
            self.unit = unit
            self.figure = figure
            self.interval = interval
        }
    }

    /// One of the worlds that a claim was tried in.
    public struct Cell: Sendable {
        /// What tells it from the others, along each axis of a sweep: "lte-verizon-2021", "every 2 s". Empty where there is one.
        public let labels: [String]
        public let findings: [Finding]
        public fileprivate(set) var verdict = ClaimVerdict.open

        public init(labels: [String], _ findings: [Finding]) {
            self.labels = labels
            self.findings = findings
        }

        /// The only one, or one of a sweep along a single axis.
        public init(_ name: String, _ findings: [Finding]) {
            self.init(labels: name.isEmpty ? [] : [name], findings)
        }

        public var name: String { labels.joined(separator: ", ") }
    }

    public enum How: Hashable, Sendable {
        /// The file of this name under Scenarios/claims.
        case scenario(String)
        case computation
    }

    public let id: String
    public let claim: String
    /// What the article says it is.
    public let value: String
    /// What a reader should do, now that the verdict is known.
    public let instead: String
    public let how: How
    /// The command that does it again.
    public let again: String
    public let rule: ClaimRule
    public let cells: [Cell]
    public let picture: ClaimPicture?

    public init(
        id: String, claim: String, value: String, instead: String, how: How, again: String, rule: ClaimRule,
        cells: [Cell], picture: ClaimPicture?
    ) {
        self.id = id
        self.claim = claim
        self.value = value
        self.instead = instead
        self.how = how
        self.again = again
        self.rule = rule
        self.cells = cells.map { cell in
            var cell = cell
            cell.verdict = rule.verdict(cell.findings)
            return cell
        }
        self.picture = picture
    }

    /// For which worlds a claim holds that holds in some: by one axis, where it alone decides; else one by one. Empty where they
    /// agree.
    public var holdsFor: [String] {
        guard verdict == .conditional else { return [] }
        for axis in cells[0].labels.indices {
            let values = cells.map { $0.labels[axis] }
            let sides = Dictionary(grouping: cells.indices) { values[$0] }.mapValues { group in
                Set(group.map { cells[$0].verdict == .confirmed })
            }
            guard sides.values.allSatisfy({ $0.count == 1 }) else { continue }
            return values.enumerated().filter { values.firstIndex(of: $1) == $0 && sides[$1] == [true] }.map(\.element)
        }
        return cells.filter { $0.verdict == .confirmed }.map(\.name)
    }

    public var verdict: ClaimVerdict { ClaimRule.verdict(cells.map(\.verdict)) }

    public var article: Article { Article(ofClaim: id) }

    /// Those that the rule speaks of as its subject: the others stand beside them.
    public func judged(_ cell: Cell) -> [Finding] {
        cell.findings.filter { finding in rule.bounds.contains { $0.finding == finding.name } }
    }
}

/// Who claims something, by the letter that its claims begin with.
public enum Article: String, CaseIterable, Sendable {
    case workshop = "A"
    case webSocket = "B"
    case transitions = "C"
    case flowControl = "D"

    init(ofClaim id: String) {
        guard let article = Self(rawValue: String(id.prefix(1))) else { preconditionFailure("\(id) is of no article") }
        self = article
    }

    public var title: String {
        switch self {
        case .workshop: "gRPC Bidirectional Streaming for Mobile Apps: A Practical Workshop"
        case .webSocket: "The Mobile WebSocket Paradox"
        case .transitions: "gRPC iOS Network Transition Behaviors"
        case .flowControl: "gRFC L49, gRPC Objective-C Flow Control"
        }
    }
}
