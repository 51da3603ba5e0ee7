package import DeadzoneBase
import DeadzoneHost

/// A file with the results of one shard (share of a divided run). It contains the request of the run, and the result of
/// each part of the shard, in order. Its format is:
///
///     a line of text    deadzone shard 4
///     binary coder      tool, shard, request, the plan identities in the order of their scenarios, the part results
///     32 bytes          SHA-256 of all before
///
/// The checksum detects accidental damage, not forgery: write access to the file is enough to forge a result.
package struct ShardFile: Sendable {
    package static let suffix = ".shard"
    private static let title = Array("deadzone shard 4\n".utf8)
    private static let maximumBytes = 1 << 30

    package private(set) var shard: Shard
    package private(set) var request: ShardRequest
    /// Identities of the simulation plans, in order. Another world, strategy or seed has another identity.
    private(set) var planIdentities: [String] = []
    /// Encoded result of each part, in the order of plans and parts.
    private(set) var partResults: [[UInt8]] = []

    package init(_ shard: Shard, _ request: ShardRequest) {
        self.shard = shard
        self.request = request
    }

    mutating func add(_ simulationPlan: String, _ partResults: [[UInt8]]) {
        planIdentities.append(simulationPlan)
        self.partResults += partResults
    }

    package var bytes: [UInt8] {
        var coder = BinaryCoder()
        var whole = self
        whole.pass(through: &coder)
        let sealed = Self.title + coder.bytes
        return sealed + Fingerprint(ofBytes: sealed).bytes
    }

    package init(reading path: String) throws(ToolFault) {
        let bytes: [UInt8]
        do throws(SystemFault) { bytes = try Files.read(path, limit: Self.maximumBytes) } catch {
            throw .unreadable(error)
        }
        guard bytes.starts(with: Self.title) else { throw .noShard(path, "it does not begin like a shard file") }
        let sealed = Array(bytes.dropLast(Fingerprint.size))
        guard Fingerprint(ofBytes: sealed).bytes == Array(bytes.suffix(Fingerprint.size)) else {
            throw .noShard(path, "it is damaged, or its end is missing")
        }
        var coder = BinaryCoder(reading: Array(sealed.dropFirst(Self.title.count)))
        shard = Shard(1, of: 1)!
        request = ShardRequest()
        guard let tool = pass(through: &coder), coder.isFullyRead else {
            throw .noShard(path, "its contents are invalid")
        }
        guard tool == toolVersion else {
            throw .noShard(path, "deadzone \(tool.escapedForTerminal) wrote it, but this is version \(toolVersion)")
        }
    }

    /// Encodes or decodes the file. Returns the version of the tool that wrote it; `nil` if the shard number is
    /// invalid.
    @discardableResult
    private mutating func pass(through coder: inout BinaryCoder) -> String? {
        var tool = toolVersion
        coder.code(&tool)
        var (number, count) = (shard.number, shard.count)
        coder.code(&number)
        coder.code(&count)
        guard let shard = Shard(number, of: count) else { return nil }
        self.shard = shard
        coder.code(&request)
        coder.code(texts: &planIdentities)
        coder.code(blobs: &partResults)
        return tool
    }
}

/// The command-line arguments that affect the results of a run that is divided into shards.
package struct ShardRequest: Hashable, Sendable, BinaryCodable {
    /// Scenarios, as given on the command line.
    package var arguments: [String] = []
    /// `nil` takes the value of each scenario.
    package var seed: UInt64?
    package var replicas: Int?
    /// Strategies to run; empty means all.
    package var strategies: [String] = []
    /// Strategies that were added to the scenarios, as given on the command line.
    package var added: [String] = []
    /// `true` if only the added strategies run.
    package var isOnlyAdded = false
    /// The networks on which the scenarios run, as given on the command line; empty for their own.
    package var across = ""

    package init() {}

    package mutating func code(through coder: inout BinaryCoder) {
        coder.code(texts: &arguments)
        coder.code(optional: &seed)
        coder.code(optional: &replicas)
        coder.code(texts: &strategies)
        coder.code(texts: &added)
        var only: UInt8 = isOnlyAdded ? 1 : 0
        coder.code(&only)
        isOnlyAdded = only != 0
        coder.code(&across)
    }
}
