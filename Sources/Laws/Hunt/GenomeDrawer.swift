import DeadzoneBase

/// Draws worlds for `hunt`, and changes worlds that were interesting. All choices are functions of the dice, so a world
/// depends on the seed and its number only.
package struct GenomeDrawer: Sendable {
    private var dice: Dice
    let ground: HuntGround
    /// Number of the world.
    let number: Int
    /// Chooses the pair with which the systematic worlds of a search begin.
    let firstPair: Int
    /// The kinds that this world may draw. Each world draws from its own subset, because a subset reaches combinations
    /// that the full alphabet drowns (swarm testing).
    private let alphabet: [TimedDisturbance.DisturbanceKind]
    let hasPlatform: Bool
    private let isPlain: Bool

    /// Lengths and waits, in seconds: round values from a second to six hours.
    private static let table: [Int64] = [
        1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600,
    ]
    /// Most disturbances beyond few ones.
    private static let mostMore = 9
    /// Factors of constants.
    private static let multiples: [Int64] = [2, 3, 5, 10, 20]
    static let gaps: [TimeSpan] = [.milliseconds(400), .seconds(2), .seconds(10), .seconds(60)]
    /// Intervals of messages, in seconds.
    private static let intervals: [Int64] = [5, 10, 20, 60, 120, 300, 900]

    /// - Parameters:
    ///   - isPlain: `true` draws without the constants of the client and from the full alphabet, for comparison.
    package init(seed: UInt64, number: Int, on ground: HuntGround, isPlain: Bool = false) {
        var dice = Dice(seed: seed, phone: PhoneID(UInt32(truncatingIfNeeded: number)), purpose: .test)
        func once(in count: UInt64) -> Bool { dice.next().scaled(below: count) == 0 }
        hasPlatform = ground.hasPlatform && !(ground.canLosePlatform && once(in: 4))
        let kinds = ground.kinds(withPlatform: hasPlatform)
        let chosen = isPlain || once(in: 3) ? [] : kinds.filter { _ in once(in: 3) }
        alphabet = chosen.isEmpty ? kinds : chosen
        self.dice = dice
        self.ground = ground
        self.number = number
        // All worlds of a search share this value.
        var common = Dice(seed: seed, phone: PhoneID(.max), purpose: .test)
        firstPair = Int(common.next().scaled(below: 1 << 20))
        self.isPlain = isPlain
    }

    package mutating func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }

    mutating func once(in count: Int) -> Bool { below(count) == 0 }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

    /// A new world.
    package mutating func genome() -> WorldGenome {
        var genome = WorldGenome(
            entries: [], streams: ground.streams.map { _ in .none }, hasPlatform: hasPlatform,
            seed: once(in: 2) ? nil : UInt64(1 + below(1_000)))
        // A world with many disturbances tests many sequences at once. A later disturbance can repair what an earlier one
        // broke, so half of the worlds have few.
        let few = 1 + min(below(8), below(8))
        let count = alphabet.isEmpty ? 0 : isPlain || once(in: 2) ? few : few + below(Self.mostMore)
        for _ in 0..<count { genome.entries.append(disturbance(after: genome.entries.last)) }
        for index in genome.streams.indices { genome.streams[index] = messages(in: genome) }
        if once(in: 4) { genome.rest = span() }
        return bounded(genome)
    }

    private mutating func disturbance(after previous: TimedDisturbance?) -> TimedDisturbance {
        let kind = pick(alphabet)
        var entry = TimedDisturbance(
            kind, wait: wait(after: previous), length: kind.hasLength ? span() : .zero)
        if kind == .handoff, once(in: 3) { entry.gap = pick(Self.gaps) }
        if kind.losesPath { entry.ending = pick(TimedDisturbance.PathEnding.allCases) }
        return entry
    }

    /// Time since the previous disturbance began. In a third of the cases it ends while that one lasts, or just after it.
    private mutating func wait(after previous: TimedDisturbance?) -> TimeSpan {
        guard !isPlain, let previous, previous.length > .zero, once(in: 3) else { return span() }
        switch below(3) {
        case 0: return .seconds(previous.length.nanoseconds / 2_000_000_000)
        case 1: return max(.zero, previous.length - .seconds(1))
        default: return previous.length + .seconds(pick([0, 1, 5, 20]))
        }
    }

    mutating func messages(in genome: WorldGenome) -> WorldGenome.MessageGene {
        switch below(6) {
        case 0: .none
        case 1: .at(!isPlain && once(in: 2) ? times(near: genome) : times(1 + below(3)))
        default: .every(.seconds(pick(Self.intervals)))
        }
    }

    /// Times of messages just before or just after disturbances begin or end.
    private mutating func times(near genome: WorldGenome) -> [TimeSpan] {
        let placed = PlacedGenome(genome, on: ground)
        guard !ground.isCalm, !placed.lines.isEmpty else { return times(1 + below(3)) }
        let times = (0...below(3)).map { _ in
            let line = pick(placed.lines)
            let length = once(in: 2) ? genome.entries[line.entry].length : .zero
            return max(.seconds(1), line.at + length - placed.firstMessage + .seconds(pick([-1, 1, 5])))
        }
        return Array(Set(times)).sorted()
    }

    private mutating func times(_ count: Int) -> [TimeSpan] {
        var times: [TimeSpan] = []
        var at = TimeSpan.zero
        for _ in 0..<count {
            at += max(span(), .seconds(1))
            times.append(at)
        }
        return times
    }

    /// Half of a time or twice as much, or a fifth less or more.
    private mutating func scaled(_ span: TimeSpan) -> TimeSpan {
        let (times, parts) = pick([(2, 1), (1, 2), (6, 5), (4, 5)] as [(Int64, Int64)])
        return min(.hours(6), max(.seconds(1), .seconds(span.nanoseconds / 1_000_000_000 * times / parts)))
    }

    /// A round duration, or one just below or above a constant of the client, the NATs or the server, or a multiple of one.
    mutating func span() -> TimeSpan {
        if !isPlain, !ground.constants.isEmpty, once(in: 3) {
            // A client may act only after several intervals.
            let constant = pick(ground.constants) * (once(in: 3) ? pick(Self.multiples) : 1)
            let margin = max(.seconds(1), constant / 20)
            return min(.hours(6), max(.seconds(1), constant + pick([margin, margin * 3, .zero - margin])))
        }
        // Long times are rarer, because their worlds take longer to simulate.
        let most = once(in: 4) ? Self.table.count : 14
        return .seconds(Self.table[below(most)])
    }

    /// The world with one to three changes.
    /// - Parameter other: Another interesting world, to take entries from.
    package mutating func changed(_ parent: WorldGenome, and other: WorldGenome) -> WorldGenome {
        var genome = parent
        for _ in 0..<(1 + min(below(3), below(3))) { change(&genome, other) }
        return bounded(genome)
    }

    private mutating func change(_ genome: inout WorldGenome, _ other: WorldGenome) {
        let count = genome.entries.count
        switch below(10) {
        case 0, 1:
            guard !alphabet.isEmpty else { return }
            let place = below(count + 1)
            genome.entries.insert(disturbance(after: place > 0 ? genome.entries[place - 1] : nil), at: place)
        case 2: if count > 1 { genome.entries.remove(at: below(count)) }
        case 3: if count > 0 { genome.entries.insert(genome.entries[below(count)], at: below(count + 1)) }
        case 4: if count > 1 { genome.entries.swapAt(below(count), below(count)) }
        case 5, 6: if count > 0 { changeValue(&genome.entries[below(count)]) }
        case 7:
            // The beginning of this world and the end of the other one.
            let tail = other.entries.suffix(below(other.entries.count + 1))
            genome.entries = Array(genome.entries.prefix(below(count + 1)) + tail)
        case 8:
            if once(in: 3) { genome.rest = once(in: 2) ? .zero : span() }
            if !genome.streams.isEmpty { genome.streams[below(genome.streams.count)] = messages(in: genome) }
        default:
            if once(in: 3), ground.canLosePlatform { genome.hasPlatform.toggle() }
            genome.seed = once(in: 3) ? nil : UInt64(1 + below(1_000))
        }
    }

    private mutating func changeValue(_ entry: inout TimedDisturbance) {
        switch below(6) {
        case 0: entry.wait = span()
        case 1 where entry.kind.hasLength: entry.length = span()
        case 4: entry.wait = scaled(entry.wait)
        case 5 where entry.kind.hasLength: entry.length = scaled(entry.length)
        case 2 where entry.kind.losesPath: entry.ending = pick(TimedDisturbance.PathEnding.allCases)
        case 3 where entry.kind == .handoff: entry.gap = once(in: 2) ? .zero : pick(Self.gaps)
        default: if entry.kind.hasLength { entry.length = span() } else { entry.wait = span() }
        }
    }

    /// The world within its bounds: number of entries, time of trouble, and time until the last entry. Entries that the
    /// phone cannot have without its operating system are removed.
    package func bounded(_ genome: WorldGenome) -> WorldGenome {
        var genome = genome
        let possible = Set(ground.kinds(withPlatform: genome.hasPlatform))
        genome.entries = Array(genome.entries.filter { possible.contains($0.kind) }.prefix(WorldGenome.mostEntries))
        while genome.trouble > ground.trouble, !genome.entries.isEmpty {
            // The longest disturbance is shortened first, so that short ones keep their times.
            let longest = genome.entries.indices.filter { genome.entries[$0].kind.isTrouble }
                .max { genome.entries[$0].length < genome.entries[$1].length }
            guard let longest, genome.entries[longest].length > .seconds(1) else {
                genome.entries.removeLast()
                continue
            }
            let excess = genome.trouble - ground.trouble
            genome.entries[longest].length = max(.seconds(1), genome.entries[longest].length - excess)
        }
        while PlacedGenome(genome, on: ground).calm > WorldGenome.longest, !genome.entries.isEmpty {
            genome.entries.removeLast()
        }
        return genome
    }
}
