import DeadzoneClient
import DeadzoneEngine
import DeadzoneSettings

/// Laws that are looked for over many seeds: each seed is a world and a client of its own.
public struct Sweep: Sendable {
    /// What one seed showed.
    public struct Finding: Sendable {
        public let seed: UInt64
        public let client: String
        /// A sentence for each law that did not hold.
        public let broken: [String]
        /// Which of the sights were met.
        public let seen: [Bool]
        /// Where a law was broken and the world could be cut down: the fewest changes with which it is.
        public var shortest: [String]?
    }

    /// What is counted, and what those do that break a law: "worlds", "broke a law".
    public let subject: String
    public let offence: String
    /// What must have happened in many of the worlds, or they were too kind to prove anything.
    public let sights: [String]
    private let look: @Sendable (UInt64) -> Finding

    init(
        of subject: String, which offence: String = "broke a law", sights: [String],
        look: @escaping @Sendable (UInt64) -> Finding
    ) {
        self.subject = subject
        self.offence = offence
        self.sights = sights
        self.look = look
    }

    public func finding(_ seed: UInt64) -> Finding { look(seed) }
}

/// A client that is made of facets, with settings that were drawn.
struct DrawnClient {
    let strategy: AnyStrategy
    /// The settings, on one line.
    let name: String
    /// What is wrong with them, which would be a fault of who drew them.
    let faults: [String]

    /// - Parameter composed: The strategy that is made of facets.
    init(_ composed: StrategyKind, _ settings: [Node.Entry]) {
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
