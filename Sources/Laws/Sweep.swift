import DeadzoneClient
import DeadzoneEngine
import DeadzoneSettings

/// Searches for broken invariants with many seeds. Each seed determines a random environment (world) and a random
/// client.
public struct Sweep: Sendable {
    /// The result of an invariant check with one seed.
    public struct SeedResult: Sendable {
        public let seed: UInt64
        public let client: String
        /// One sentence for each broken invariant.
        public let broken: [String]
        /// For each coverage goal: `true` if the required event occurred.
        public let seen: [Bool]
        /// The fewest timeline changes that still break an invariant; `nil` if none is broken, or if the random
        /// environment was not reduced.
        public var shortest: [String]?
    }

    /// Words for the summary: the subject that is counted ("worlds"), and the offence of those that fail ("broke a
    /// law").
    public let subject: String
    public let offence: String
    /// Events that must occur in many of the worlds. Without them the search proves nothing.
    public let coverageGoals: [String]
    private let check: @Sendable (UInt64) -> SeedResult

    init(
        of subject: String, which offence: String = "broke a law", coverageGoals: [String],
        check: @escaping @Sendable (UInt64) -> SeedResult
    ) {
        self.subject = subject
        self.offence = offence
        self.coverageGoals = coverageGoals
        self.check = check
    }

    public func result(_ seed: UInt64) -> SeedResult { check(seed) }
}

/// A client strategy with random settings for invariant tests, composed of facets such as backoff and keepalive.
struct RandomClient {
    let strategy: AnyStrategy
    /// The settings, on one line.
    let name: String
    /// Faults in the settings. A fault is a bug in the code that drew them.
    let faults: [String]

    /// - Parameter composed: The strategy that is composed of facets.
    init(_ composed: StrategyKind, _ settings: [Node.MapEntry]) {
        var reader = SettingsReader(.map(settings), of: composed.name)
        strategy = composed.make(&reader)
        name = settings.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ")
        faults = reader.faults.isEmpty ? [] : ["\(reader.faults)"]
    }
}

extension Node {
    static func entries(_ entries: [(String, String)]) -> Node {
        .map(entries.map { .init(key: $0.0, value: .text($0.1)) })
    }

    var flow: String {
        guard let entries else { return scalar ?? "" }
        return "{" + entries.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ") + "}"
    }
}
