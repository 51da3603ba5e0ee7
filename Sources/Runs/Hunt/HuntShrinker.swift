import DeadzoneBase
import DeadzoneLaws
import DeadzoneMetrics

/// Shrinks a world that breaks a demand to a simpler one that breaks it in the same way: fewer entries, fewer messages,
/// default values, then shorter and rounder times. Each step is deterministic, and a smaller world is only accepted if
/// it orders before the present one.
struct HuntShrinker {
    /// Most worlds that one find may cost.
    private static let mostRuns = 4_000
    /// Most rounds over all steps. Usually the second round changes nothing.
    private static let mostRounds = 6
    /// With more entries, pairs are not removed together.
    private static let mostPaired = 10
    /// With more entries, none is replaced by one with another length.
    private static let mostReplaced = 4

    /// The run of one world.
    struct TriedWorld {
        /// `true` if the demand breaks in the same way as in the found world.
        let isBroken: Bool
        /// `true` if each entry of the world has an effect.
        let isEffective: Bool
    }

    private(set) var genome: WorldGenome
    private(set) var runs = 0
    private let ground: HuntGround
    private let tried: (WorldGenome) -> TriedWorld?
    private var known: [WorldGenome: Bool] = [:]

    /// - Parameter found: A world that breaks the demand.
    init(_ found: HuntSearch.FoundWorld, _ evaluator: HuntEvaluator) {
        self.init(found.genome, on: evaluator.worlds.ground) { genome in
            evaluator.trial(genome).map { trial in
                TriedWorld(isBroken: trial.breaches[found.demand] == found.breach, isEffective: trial.isEffective)
            }
        }
    }

    /// - Parameter tried: Runs a world; `nil` if the world cannot be run.
    init(_ genome: WorldGenome, on ground: HuntGround, tried: @escaping (WorldGenome) -> TriedWorld?) {
        self.genome = genome
        self.ground = ground
        self.tried = tried
    }

    /// `true` if the world breaks the demand in the same way, and if each of its entries has an effect. A scenario with
    /// an entry without effect proves nothing.
    mutating func breaks(_ genome: WorldGenome) -> Bool {
        if let answer = known[genome] { return answer }
        guard runs < Self.mostRuns else { return false }
        runs += 1
        let answer = tried(genome).map { $0.isEffective && $0.isBroken } ?? false
        known[genome] = answer
        return answer
    }

    /// Replaces the world if the candidate is simpler and breaks the demand.
    @discardableResult private mutating func accept(_ candidate: WorldGenome) -> Bool {
        guard candidate.complexity < genome.complexity, breaks(candidate) else { return false }
        genome = candidate
        return true
    }

    /// Shrinks the world. `false` if no world with an effect of each entry breaks the demand.
    mutating func shrink() -> Bool {
        guard makeEffective() else { return false }
        for _ in 0..<Self.mostRounds {
            let before = genome
            removeEntries()
            removePairs()
            removeMessages()
            useDefaults()
            useSimpleKinds()
            mergeEntries()
            replaceEntries()
            shortenTimes()
            if genome == before { break }
        }
        return true
    }

    /// Removes entries without effect, one after another, until all have one.
    private mutating func makeEffective() -> Bool {
        if breaks(genome) { return true }
        var candidate = genome
        for index in genome.entries.indices.reversed() {
            let shorter = without([index], candidate)
            guard let trial = tried(shorter) else { continue }
            runs += 1
            if trial.isBroken { candidate = shorter }
        }
        genome = candidate
        return breaks(genome)
    }

    /// The world without some entries. The others, and the end of the world, keep their times.
    private func without(_ indices: Set<Int>, _ genome: WorldGenome) -> WorldGenome {
        var shorter = genome
        shorter.entries = []
        var carried = TimeSpan.zero
        for (index, entry) in genome.entries.enumerated() {
            if indices.contains(index) {
                carried += entry.wait
            } else {
                var entry = entry
                entry.wait += carried
                carried = .zero
                shorter.entries.append(entry)
            }
        }
        let (before, after) = (PlacedGenome(genome, on: ground), PlacedGenome(shorter, on: ground))
        shorter.rest += max(.zero, before.duration - after.duration)
        return shorter
    }

    private mutating func removeEntries() {
        let whole = genome
        let answer = minimal(Array(whole.entries.indices)) { kept -> WorldGenome? in
            let candidate = without(Set(whole.entries.indices).subtracting(kept), whole)
            return breaks(candidate) ? candidate : nil
        }
        if let answer { genome = answer.proof }
    }

    /// Removes two entries at once: a handoff away and the handoff back, of which neither can go alone.
    private mutating func removePairs() {
        guard genome.entries.count <= Self.mostPaired else { return }
        var first = 0
        while first < genome.entries.count {
            let second = genome.entries.indices.dropFirst(first + 1).first { breaks(without([first, $0], genome)) }
            if let second { genome = without([first, second], genome) } else { first += 1 }
        }
    }

    private mutating func removeMessages() {
        for stream in genome.streams.indices {
            var candidate = genome
            candidate.streams[stream] = .none
            if accept(candidate) { continue }
            if case .every(let gap) = genome.streams[stream] { list(stream, every: gap) }
            guard case .at(let times) = genome.streams[stream] else { continue }
            let whole = genome
            let answer = minimal(times) { kept -> WorldGenome? in
                var shorter = whole
                shorter.streams[stream] = kept.isEmpty ? .none : .at(kept)
                return breaks(shorter) ? shorter : nil
            }
            if let answer { genome = answer.proof }
        }
    }

    /// Replaces a periodic stream by a list of its messages: the last or first ones, or those around a disturbance.
    private mutating func list(_ stream: Int, every gap: TimeSpan) {
        let placed = PlacedGenome(genome, on: ground)
        let count = Int(min(4_000, placed.messageTime.nanoseconds / max(1, gap.nanoseconds)))
        guard count > 0 else { return }
        let times = (1...count).map { gap * Int64($0) }
        let most = WorldGenome.MessageGene.mostListed
        let half = gap * Int64(most / 2)
        let around = placed.lines.map { line in
            times.filter { time in
                let at = placed.firstMessage + time
                return at > line.at - half && at <= line.at + half
            }
        }
        for choice in [Array(times.suffix(most)), Array(times.prefix(most))] + around {
            var candidate = genome
            candidate.streams[stream] = .at(choice)
            if !choice.isEmpty, accept(candidate) { return }
        }
    }

    private mutating func useDefaults() {
        var candidate = genome
        candidate.seed = nil
        accept(candidate)
        if ground.hasPlatform {
            candidate = genome
            candidate.hasPlatform = true
            accept(candidate)
        }
        for index in genome.entries.indices {
            candidate = genome
            candidate.entries[index].gap = .zero
            accept(candidate)
            candidate = genome
            candidate.entries[index].ending = .error
            accept(candidate)
        }
    }

    /// Replaces each disturbance by the simplest kind that breaks the demand too, such as a dead zone.
    private mutating func useSimpleKinds() {
        let possible = ground.kinds(withPlatform: genome.hasPlatform)
        for index in genome.entries.indices {
            let present = genome.entries[index]
            for kind in possible where kind.isSimpler(than: present.kind) && kind.hasLength == present.kind.hasLength {
                var candidate = genome
                candidate.entries[index].kind = kind
                if !kind.losesPath { candidate.entries[index].ending = .error }
                if accept(candidate) { break }
            }
        }
    }

    /// Lengths with which a simpler disturbance is tried in the place of another one.
    private static let usualLengths: [TimeSpan] = [.seconds(20), .minutes(2), .minutes(10)]

    /// Replaces two disturbances in a row by one that lasts as long as both.
    private mutating func mergeEntries() {
        var index = 0
        while index + 1 < genome.entries.count {
            let (first, second) = (genome.entries[index], genome.entries[index + 1])
            let merged = [first, second].filter { $0.kind.hasLength && $0.kind.isTrouble }.contains { entry in
                [max(first.length, second.wait + second.length), ground.trouble].contains { length in
                    var candidate = without([index + 1], genome)
                    candidate.entries[index] = TimedDisturbance(entry.kind, wait: first.wait, length: length)
                    return candidate.trouble <= ground.trouble && accept(candidate)
                }
            }
            if !merged { index += 1 }
        }
    }

    /// Replaces a disturbance by a simpler one with another length. The disturbance after it keeps its time, or begins
    /// just after the simpler one began: an app that is killed in a dead zone instead of in the background.
    private mutating func replaceEntries() {
        let possible = ground.kinds(withPlatform: genome.hasPlatform).filter(\.hasLength)
        guard genome.entries.count <= Self.mostReplaced else { return }
        for index in genome.entries.indices where genome.entries[index].kind.hasLength {
            let present = genome.entries[index].kind
            for kind in possible where kind.isSimpler(than: present) {
                if replace(index, by: kind) { break }
            }
        }
    }

    private mutating func replace(_ index: Int, by kind: TimedDisturbance.DisturbanceKind) -> Bool {
        let present = genome.entries[index]
        let next = genome.entries.indices.contains(index + 1) ? index + 1 : nil
        let waits = next.map { Set([genome.entries[$0].wait, .zero, .seconds(1), .seconds(5)]).sorted() } ?? [.zero]
        for length in Set([present.length] + Self.usualLengths).sorted() {
            for wait in waits {
                var candidate = genome
                candidate.entries[index] = TimedDisturbance(kind, wait: present.wait, length: length)
                if let next { candidate.entries[next].wait = wait }
                if candidate.trouble <= ground.trouble, accept(candidate) { return true }
            }
        }
        return false
    }

    private mutating func shortenTimes() {
        for index in genome.entries.indices {
            if genome.entries[index].kind.hasLength {
                shorten(from: .seconds(1)) {
                    $0.entries[index].length
                } set: {
                    $0.entries[index].length = $1
                }
            }
            shorten(from: .zero) {
                $0.entries[index].wait
            } set: {
                $0.entries[index].wait = $1
            }
            if genome.entries[index].gap > .zero {
                shorten(from: .milliseconds(1)) {
                    $0.entries[index].gap
                } set: {
                    $0.entries[index].gap = $1
                }
            }
        }
        shorten(from: .zero, { $0.rest }) { $0.rest = $1 }
        for stream in genome.streams.indices {
            guard case .at(let times) = genome.streams[stream] else { continue }
            for index in times.indices {
                shorten(from: .seconds(1)) {
                    $0.streams[stream].time(index)
                } set: {
                    $0.streams[stream].set(index, to: $1)
                }
            }
        }
    }

    /// Finds a short time that still breaks the demand, by bisection in seconds, then a round one near it.
    private mutating func shorten(
        from least: TimeSpan, _ get: (WorldGenome) -> TimeSpan, set: (inout WorldGenome, TimeSpan) -> Void
    ) {
        func with(_ span: TimeSpan) -> WorldGenome {
            var candidate = genome
            set(&candidate, span)
            return candidate
        }
        let present = get(genome)
        guard present > least else { return }
        var edge = present
        if breaks(with(least)) {
            edge = least
        } else {
            var low = least
            while edge - low > .seconds(1) {
                let middle = TimeSpan.seconds((low + edge).nanoseconds / 2_000_000_000)
                guard middle > low, middle < edge else { break }
                if breaks(with(middle)) { edge = middle } else { low = middle }
            }
        }
        // A round time above the edge is easier to read than the edge itself.
        let round = Self.roundTimes.first { $0 >= edge } ?? edge
        for span in ([round, edge] + RoundNumbers.spans(near: edge.nanoseconds).map { .nanoseconds($0) })
        where span >= edge && span <= max(present, round) {
            if span == present { return }
            let candidate = with(span)
            if breaks(candidate), span < present || candidate.complexity < genome.complexity {
                genome = candidate
                return
            }
        }
    }

    /// Times that people write, ascending.
    private static let roundTimes: [TimeSpan] =
        [.zero]
        + [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 21_600].map(TimeSpan.seconds)
}

extension WorldGenome.MessageGene {
    fileprivate func time(_ index: Int) -> TimeSpan {
        if case .at(let times) = self, times.indices.contains(index) { times[index] } else { .zero }
    }

    fileprivate mutating func set(_ index: Int, to time: TimeSpan) {
        guard case .at(var times) = self, times.indices.contains(index) else { return }
        times[index] = time
        // Two messages at one time are one. The order of a list is part of the language.
        self = .at(Array(Set(times)).sorted())
    }
}

extension TimedDisturbance.DisturbanceKind {
    /// `true` if the kind comes first in the order and has no more lines of the timeline.
    fileprivate func isSimpler(than other: Self) -> Bool { rank < other.rank && lines <= other.lines }
}
