import DeadzonePrimitives
public import DeadzoneScenarios

/// Runs the parts that are one shard's, of one assignment after another.
public struct ShardMaker {
    public private(set) var file: ShardFile
    /// Parts that were this shard's, and all there were.
    public private(set) var (own, all) = (0, 0)
    private var dealer: ShardDealer

    public init(_ shard: Shard, _ request: ShardRequest) {
        file = ShardFile(shard, request)
        dealer = ShardDealer(among: shard.count)
    }

    /// How many parts of it are this shard's; to be asked before it is run.
    public func size(of assignment: Assignment) -> Int {
        var next = dealer
        return next.deal(assignment.parts).count { $0 == file.shard.number - 1 }
    }

    /// False if somebody stopped it; the file is then worth nothing.
    public mutating func run(
        _ assignment: Assignment, _ scenario: Scenario, _ contenders: [Contender], by crew: Crew,
        onPart: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        let owners = dealer.deal(assignment.parts)
        let mine = owners.indices.filter { owners[$0] == file.shard.number - 1 }
        all += owners.count
        own += mine.count
        let harvests = assignment.harvests(ofParts: mine, by: crew, onPart: onPart)
        guard harvests.count == mine.count else { return false }
        file.add(assignment.identity(scenario, contenders), harvests.map(\.taped))
        return true
    }
}

extension Assignment {
    /// One text for everything that decides what comes of it.
    func identity(_ scenario: Scenario, _ contenders: [Contender]) -> String {
        let strategies = contenders.map { "\($0.name) \($0.hash.hex)" }
        let text = [scenario.name, scenario.worldHash.hex] + strategies + seeds.map(\.hex)
        return Fingerprint(of: text.joined(separator: "\n")).hex
    }
}

extension Assignment.Harvest: Taped {
    /// Nil if it is not one.
    init?(taped bytes: [UInt8]) {
        self.init()
        var tape = Tape(reading: bytes)
        tape.pass(&self)
        guard tape.isReadWhole else { return nil }
    }

    var taped: [UInt8] {
        var tape = Tape()
        var whole = self
        tape.pass(&whole)
        return tape.bytes
    }
}
