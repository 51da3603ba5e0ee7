import DeadzoneHost
public import DeadzonePrimitives

/// What one shard has harvested: what was asked for, and what each of its parts came to, in the order of parts.
///
///     a line of text    deadzone shard 2
///     on a tape         tool, shard, request, the assignments in the order of their scenarios, the harvests
///     32 bytes          SHA-256 of all before
///
/// It finds accidents, not forgeries: who can write a file can write a result.
public struct ShardFile: Sendable {
    public static let suffix = ".shard"
    private static let title = Array("deadzone shard 2\n".utf8)
    private static let longest = 1 << 30

    public private(set) var shard: Shard
    public private(set) var request: ShardRequest
    /// Names of what was simulated, in order: another world, strategy or seed has another.
    private(set) var assignments: [String] = []
    /// What each part came to, on a tape of its own; those of one assignment after another.
    private(set) var harvests: [[UInt8]] = []

    public init(_ shard: Shard, _ request: ShardRequest) {
        self.shard = shard
        self.request = request
    }

    mutating func add(_ assignment: String, _ harvests: [[UInt8]]) {
        assignments.append(assignment)
        self.harvests += harvests
    }

    public var bytes: [UInt8] {
        var tape = Tape()
        var whole = self
        whole.pass(through: &tape)
        let sealed = Self.title + tape.bytes
        return sealed + Fingerprint(ofBytes: sealed).bytes
    }

    public init(reading path: String) throws(ToolFault) {
        let bytes: [UInt8]
        do throws(SystemFault) { bytes = try Files.read(path, limit: Self.longest) } catch { throw .unreadable(error) }
        guard bytes.starts(with: Self.title) else { throw .noShard(path, "it does not begin as one") }
        let sealed = Array(bytes.dropLast(Fingerprint.size))
        guard Fingerprint(ofBytes: sealed).bytes == Array(bytes.suffix(Fingerprint.size)) else {
            throw .noShard(path, "it is damaged, or its end is missing")
        }
        var tape = Tape(reading: Array(sealed.dropFirst(Self.title.count)))
        shard = Shard(1, of: 1)!
        request = ShardRequest()
        guard let tool = pass(through: &tape), tape.isReadWhole else { throw .noShard(path, "it makes no sense") }
        guard tool == toolVersion else {
            throw .noShard(path, "deadzone \(tool.visible) wrote it, and this is \(toolVersion)")
        }
    }

    /// Which version of the tool it is of; nil if it is of none.
    @discardableResult
    private mutating func pass(through tape: inout Tape) -> String? {
        var tool = toolVersion
        tape.pass(&tool)
        var (number, count) = (shard.number, shard.count)
        tape.pass(&number)
        tape.pass(&count)
        guard let shard = Shard(number, of: count) else { return nil }
        self.shard = shard
        tape.pass(&request)
        tape.pass(texts: &assignments)
        tape.pass(blobs: &harvests)
        return tool
    }
}

/// What a run was asked for that is divided among shards: the words of its command line that say what comes of it.
public struct ShardRequest: Hashable, Sendable, Taped {
    /// Scenarios, as they were named.
    public var arguments: [String] = []
    /// Nil: what each scenario says.
    public var seed: UInt64?
    public var replicas: Int?
    /// Empty: all.
    public var strategies: [String] = []

    public init() {}

    public mutating func pass(through tape: inout Tape) {
        tape.pass(texts: &arguments)
        tape.pass(optional: &seed)
        tape.pass(optional: &replicas)
        tape.pass(texts: &strategies)
    }
}
