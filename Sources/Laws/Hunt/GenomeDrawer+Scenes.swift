import DeadzoneBase

/// Worlds of scenes. A scene is a pair of disturbances in a certain order: the second one begins while the first one
/// lasts, or just before or after its end. All pairs of kinds take turns, so a search reaches each pair sooner than
/// by chance. Many scenes in one world cost little, because shrinking removes those that do not matter.
extension GenomeDrawer {
    /// The shapes of worlds in the order in which they take turns.
    private enum WorldShape {
        /// Many scenes, the client recovers in between, and a long trouble at the end.
        case dense
        /// One long trouble, which another disturbance interrupts or ends.
        case long
        /// One or two scenes.
        case few
        /// Independent disturbances.
        case independent
    }

    private static let shapes: [WorldShape] = [.dense, .long, .dense, .long, .few, .independent]
    /// Scenes before the long trouble of a dense world.
    private static let mostScenes = 10
    /// Most scenes of a world with few ones.
    private static let fewScenes = 2
    /// Lengths of short disturbances, in seconds.
    private static let short: [Int64] = [1, 2, 5, 5, 10, 10, 20, 30, 60, 120]
    /// Times in the background and with battery saver, in seconds: long enough for deep sleep and expired tokens.
    private static let away: [Int64] = [1, 20, 120, 600, 1_800, 3_600, 7_200, 14_400]
    /// Times in which a client recovers or its timers run out, in seconds.
    private static let calm: [Int64] = [1, 5, 20, 60, 120, 120, 180, 300, 300, 600, 600, 1_800, 3_600, 7_200]
    /// Lengths of the disturbance at the end of a long trouble, in seconds.
    private static let last: [Int64] = [1, 2, 5, 10, 20, 60]
    private static let endings: [TimedDisturbance.PathEnding] = [.error, .silent, .silent, .reset, .end, .halfOpen]

    /// A new world of a guided search.
    package mutating func guidedGenome() -> WorldGenome {
        let kinds = ground.kinds(withPlatform: hasPlatform)
        let bases = kinds.filter(\.hasLength)
        guard !bases.isEmpty else { return genome() }
        var genome = WorldGenome(
            entries: [], streams: ground.streams.map { _ in .none }, hasPlatform: hasPlatform,
            seed: once(in: 2) ? nil : UInt64(1 + below(1_000)))
        let shape = Self.shapes[number % Self.shapes.count]
        switch shape {
        case .independent: return self.genome()
        case .few: addScenes(1 + below(Self.fewScenes), bases, kinds, to: &genome)
        case .dense:
            addScenes(Self.mostScenes, bases, kinds, to: &genome)
            addTrouble(bases, kinds, to: &genome)
        case .long: addTrouble(bases, kinds, to: &genome)
        }
        genome = bounded(genome)
        for index in genome.streams.indices {
            genome.streams[index] = shape != .few ? manyMessages(in: genome) : messages(in: genome)
            if genome.streams[index] == .none, ground.needed.contains(ground.streams[index]) {
                genome.streams[index] = manyMessages(in: genome)
            }
        }
        if once(in: 4) { genome.rest = span() }
        return genome
    }

    /// Number of earlier worlds of this shape.
    private var turn: Int {
        let (round, place) = number.quotientAndRemainder(dividingBy: Self.shapes.count)
        func count(_ shapes: ArraySlice<WorldShape>) -> Int { shapes.count { $0 == Self.shapes[place] } }
        return round * count(Self.shapes[...]) + count(Self.shapes[..<place])
    }

    /// The pair of a scene. A step that is near the golden section of the number of pairs visits very different pairs
    /// in a row, and all pairs before one repeats.
    private func pair(
        _ visit: Int, _ bases: [TimedDisturbance.DisturbanceKind], _ kinds: [TimedDisturbance.DisturbanceKind]
    ) -> (first: TimedDisturbance.DisturbanceKind, second: TimedDisturbance.DisturbanceKind) {
        let count = bases.count * kinds.count
        var step = max(1, count * 618 / 1_000)
        while Self.divisor(step, count) > 1 { step += 1 }
        let index = (firstPair + visit % count * step) % count
        return (bases[index / kinds.count], kinds[index % kinds.count])
    }

    private static func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }

    private mutating func addScenes(
        _ count: Int, _ bases: [TimedDisturbance.DisturbanceKind], _ kinds: [TimedDisturbance.DisturbanceKind],
        to genome: inout WorldGenome
    ) {
        let isFew = count < Self.mostScenes
        // Time until the present scene is over, from the beginning of its last disturbance.
        var left = TimeSpan.zero
        for scene in 0..<count {
            let kinds = pair(turn * (isFew ? Self.fewScenes : Self.mostScenes) + scene, bases, kinds)
            let wait = once(in: 3) ? span() : .seconds(pick(Self.calm))
            var first = entry(kinds.first, wait: left + wait)
            if isFew, once(in: 2) { first.length = span() }
            let second = entry(kinds.second, wait: meeting(first.length))
            left = max(second.length, first.length - second.wait)
            genome.entries += [first, second]
        }
        genome.entries = Array(genome.entries.prefix(WorldGenome.mostEntries - 4))
    }

    /// A disturbance that lasts for most of the time that a world may have trouble, with disturbances inside it and at
    /// its end. The reaction of a client at the end of a long trouble decides whether it recovers.
    private mutating func addTrouble(
        _ bases: [TimedDisturbance.DisturbanceKind], _ kinds: [TimedDisturbance.DisturbanceKind],
        to genome: inout WorldGenome
    ) {
        let troubles = bases.filter(\.isTrouble)
        guard !troubles.isEmpty else { return }
        let isAlone = genome.entries.isEmpty
        let before = genome.entries.last.map { max($0.length, .minutes(1)) } ?? .zero
        let pair = pair(2 * turn + (isAlone ? 0 : 1), troubles, troubles)
        var last = once(in: 3) ? nil : entry(pair.second, wait: .seconds(pick([0, 0, 0, 1, 5])))
        if last != nil, !once(in: 4) { last?.length = .seconds(pick(Self.last)) }
        // A later bound would shorten the long trouble, and leave a gap before the disturbance at its end.
        let most = ground.trouble - genome.trouble - (last?.length ?? .zero)
        let wait = once(in: 3) ? span() : .seconds(pick(Self.calm))
        var left = max(.seconds(1), min(longTrouble(), most))
        genome.entries.append(TimedDisturbance(pair.first, wait: before + wait, length: left))
        if once(in: 3) {
            let inner = entry(pick(kinds), wait: .seconds(Int64(below(Int(left.nanoseconds / 1_000_000_000) + 1))))
            genome.entries.append(inner)
            left = max(.zero, left - inner.wait)
        }
        guard var last else { return }
        last.wait += left
        genome.entries.append(last)
    }

    /// All of the time that a world may have trouble, or a part of it beyond the grace, or a value like others.
    private mutating func longTrouble() -> TimeSpan {
        switch below(5) {
        case 0, 1: return ground.trouble
        case 2: return min(ground.trouble, span())
        default:
            let least = min(ground.grace, ground.trouble)
            let steps = max(1, Int((ground.trouble - least).nanoseconds / 60_000_000_000))
            return least + .minutes(Int64(below(steps + 1)))
        }
    }

    /// A disturbance with a short length, or any length if it is no trouble.
    private mutating func entry(_ kind: TimedDisturbance.DisturbanceKind, wait: TimeSpan) -> TimedDisturbance {
        var entry = TimedDisturbance(kind, wait: wait)
        if kind.hasLength {
            let choices = kind.isTrouble || once(in: 2) ? Self.short : Self.away
            entry.length = once(in: 6) ? min(span(), kind.isTrouble ? .minutes(5) : .hours(6)) : .seconds(pick(choices))
        }
        if kind == .handoff, once(in: 3) { entry.gap = pick(Self.gaps) }
        if kind.losesPath { entry.ending = pick(Self.endings) }
        return entry
    }

    /// Time from the beginning of a disturbance to the next one that meets it: at its beginning, in the middle, or just
    /// before or after its end.
    private mutating func meeting(_ length: TimeSpan) -> TimeSpan {
        let end = [.zero, TimeSpan.seconds(1), .seconds(5), .seconds(20)]
        switch below(6) {
        case 0: return min(length, .seconds(pick([0, 1, 2, 5])))
        case 1: return .seconds(length.nanoseconds / 2_000_000_000)
        case 2: return .seconds(Int64(below(Int(length.nanoseconds / 1_000_000_000) + 1)))
        case 3: return max(.zero, length - pick(end))
        default: return length + pick(end)
        }
    }

    /// Messages at many times: often, or around the times at which disturbances begin and end.
    private mutating func manyMessages(in genome: WorldGenome) -> WorldGenome.MessageGene {
        let placed = PlacedGenome(genome, on: ground)
        switch below(ground.isCalm ? 3 : 5) {
        case 0: return .every(.seconds(placed.messageTime < .hours(2) ? 1 : 2))
        case 1: return .every(.seconds(5))
        case 2: return messages(in: genome)
        default:
            let times = placed.lines.flatMap { line in
                [-2, -1, 0, 1].map { line.at - placed.firstMessage + .seconds($0) }
            }
            let later = Set(times.filter { $0 >= .seconds(1) }).sorted()
            return later.isEmpty ? .every(.seconds(5)) : .at(later)
        }
    }
}
