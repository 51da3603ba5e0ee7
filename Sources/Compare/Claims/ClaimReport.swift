public import DeadzoneMetrics

/// The result of testing one claim of a published article by simulation.
public struct ClaimReport: Sendable {
    /// A measured number for an article's claim: the claim is judged by it, or it is shown for comparison.
    public struct ClaimFinding: Hashable, Sendable {
        public let name: String
        public let unit: Metric.Unit
        public let figure: Figure
        /// Confidence interval over the replicas. `nil` if there is none.
        public let interval: Interval?

        public init(_ name: String, _ unit: Metric.Unit, _ figure: Figure, interval: Interval? = nil) {
            self.name = name
            self.unit = unit
            self.figure = figure
            self.interval = interval
        }
    }

    /// The results of one simulated environment (world) in which an article's claim was tested.
    public struct ClaimCell: Sendable {
        /// The value of the cell along each axis of a sweep: "lte-verizon-2021", "every 2 s". Empty if there is only
        /// one cell.
        public let labels: [String]
        public let findings: [ClaimFinding]
        public fileprivate(set) var verdict = ClaimVerdict.open

        public init(labels: [String], _ findings: [ClaimFinding]) {
            self.labels = labels
            self.findings = findings
        }

        /// Creates the only cell, or one of a sweep along a single axis.
        public init(_ name: String, _ findings: [ClaimFinding]) {
            self.init(labels: name.isEmpty ? [] : [name], findings)
        }

        public var name: String { labels.joined(separator: ", ") }
    }

    public enum ClaimMethod: Hashable, Sendable {
        /// Scenario file of this name under Scenarios/claims.
        case scenario(String)
        case computation
    }

    /// The user's changes of the world in which a claim is tested.
    public struct WorldChange: Hashable, Sendable {
        /// The user's scenario file; `nil` for the built-in scenario of the claim.
        public var file: String?
        /// Changed settings, as `KEY=VALUE`.
        public var settings: [String]
        /// The user's seed; `nil` for the scenario's.
        public var seed: UInt64?
        /// The user's number of replicas; `nil` for the scenario's.
        public var replicas: Int?

        public init(file: String? = nil, settings: [String] = [], seed: UInt64? = nil, replicas: Int? = nil) {
            self.file = file
            self.settings = settings
            self.seed = seed
            self.replicas = replicas
        }

        /// `true` if nothing is changed.
        public var isEmpty: Bool { self == WorldChange() }
    }

    public let id: String
    public let claim: String
    /// The number or effect that the article states.
    public let value: String
    /// Advice for the reader, given the verdict.
    public let instead: String
    public let method: ClaimMethod
    /// The user's changes of the world. Empty if the claim was tested in its built-in worlds.
    public let worldChange: WorldChange
    /// Command that repeats the measurement.
    public let rerunCommand: String
    public let rule: ClaimRule
    public let cells: [ClaimCell]
    public let picture: ClaimPicture?

    public init(
        id: String, claim: String, value: String, instead: String, method: ClaimMethod,
        worldChange: WorldChange = WorldChange(), rerunCommand: String, rule: ClaimRule, cells: [ClaimCell],
        picture: ClaimPicture?
    ) {
        self.id = id
        self.claim = claim
        self.value = value
        self.instead = instead
        self.method = method
        self.worldChange = worldChange
        self.rerunCommand = rerunCommand
        self.rule = rule
        self.cells = cells.map { cell in
            var cell = cell
            cell.verdict = rule.verdict(cell.findings)
            return cell
        }
        self.picture = picture
    }

    /// Conditions under which a conditional claim holds: values of one axis if that axis alone decides, otherwise names
    /// of cells. Empty if the claim is not conditional.
    public var holdingConditions: [String] {
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

    /// The findings that the rule judges. The others are only shown for comparison.
    public func judged(_ cell: ClaimCell) -> [ClaimFinding] {
        cell.findings.filter { finding in rule.bounds.contains { $0.finding == finding.name } }
    }
}

/// The published articles with tested claims, by the first letter of their claim numbers.
public enum Article: String, CaseIterable, Sendable {
    case workshop = "A"
    case webSocket = "B"
    case transitions = "C"
    case flowControl = "D"

    init(ofClaim id: String) {
        guard let article = Self(rawValue: String(id.prefix(1))) else {
            preconditionFailure("\(id) belongs to no article")
        }
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
