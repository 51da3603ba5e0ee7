/// The result of testing one claim of a published article by simulation.
package struct ClaimReport: Sendable {
    /// A measured number for an article's claim: the claim is judged by it, or it is shown for comparison.
    package struct ClaimFinding: Hashable, Sendable {
        package let name: String
        package let unit: Metric.Unit
        package let figure: Figure
        /// Confidence interval over the replicas. `nil` if there is none.
        package let interval: Interval?

        package init(_ name: String, _ unit: Metric.Unit, _ figure: Figure, interval: Interval? = nil) {
            self.name = name
            self.unit = unit
            self.figure = figure
            self.interval = interval
        }
    }

    /// The results of one simulated environment (world) in which an article's claim was tested.
    package struct ClaimCell: Sendable {
        /// The value of the cell along each axis of a sweep: "lte-verizon-2021", "every 2 s". Empty if there is only
        /// one cell.
        package let labels: [String]
        package let findings: [ClaimFinding]
        package fileprivate(set) var verdict = ClaimVerdict.open

        package init(labels: [String], _ findings: [ClaimFinding]) {
            self.labels = labels
            self.findings = findings
        }

        /// Creates the only cell, or one of a sweep along a single axis.
        package init(_ name: String, _ findings: [ClaimFinding]) {
            self.init(labels: name.isEmpty ? [] : [name], findings)
        }

        package var name: String { labels.joined(separator: ", ") }
    }

    package enum ClaimMethod: Hashable, Sendable {
        /// Scenario file of this name under Scenarios/claims.
        case scenario(String)
        case computation
    }

    /// The user's changes of the world in which a claim is tested.
    package struct WorldChange: Hashable, Sendable {
        /// The user's scenario file; `nil` for the built-in scenario of the claim.
        package var file: String?
        /// Changed settings, as `KEY=VALUE`.
        package var settings: [String]
        /// The user's seed; `nil` for the scenario's.
        package var seed: UInt64?
        /// The user's number of replicas; `nil` for the scenario's.
        package var replicas: Int?

        package init(file: String? = nil, settings: [String] = [], seed: UInt64? = nil, replicas: Int? = nil) {
            self.file = file
            self.settings = settings
            self.seed = seed
            self.replicas = replicas
        }

        /// `true` if nothing is changed.
        package var isEmpty: Bool { self == WorldChange() }
    }

    package let id: String
    package let claim: String
    /// The number or effect that the article states.
    package let value: String
    /// Advice for the reader, given the verdict.
    package let instead: String
    package let method: ClaimMethod
    /// The user's changes of the world. Empty if the claim was tested in its built-in worlds.
    package let worldChange: WorldChange
    /// Command that repeats the measurement.
    package let rerunCommand: String
    package let rule: ClaimRule
    package let cells: [ClaimCell]
    package let picture: ClaimPicture?

    package init(
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
    package var holdingConditions: [String] {
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

    package var verdict: ClaimVerdict { ClaimRule.verdict(cells.map(\.verdict)) }

    package var article: Article { Article(ofClaim: id) }

    /// The findings that the rule judges. The others are only shown for comparison.
    package func judged(_ cell: ClaimCell) -> [ClaimFinding] {
        cell.findings.filter { finding in rule.bounds.contains { $0.finding == finding.name } }
    }
}

/// The published articles with tested claims, by the first letter of their claim numbers.
package enum Article: String, CaseIterable, Sendable {
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

    package var title: String {
        switch self {
        case .workshop: "gRPC Bidirectional Streaming for Mobile Apps: A Practical Workshop"
        case .webSocket: "The Mobile WebSocket Paradox"
        case .transitions: "gRPC iOS Network Transition Behaviors"
        case .flowControl: "gRFC L49, gRPC Objective-C Flow Control"
        }
    }
}
