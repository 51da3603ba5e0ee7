import DeadzoneBase
import DeadzoneLaws
import Testing

@testable import DeadzoneRuns

/// Shrinking of worlds, with a rule in place of a client: the simplest world that keeps the rule is known.
struct HuntShrinkerTests {
    private typealias Kind = TimedDisturbance.DisturbanceKind

    private static let ground = HuntGround(
        radios: [.wifi, .cellular], start: .wifi, hasPlatform: true, streams: [.down, .up])

    private static func entry(
        _ kind: Kind, wait: TimeSpan = .zero, length: TimeSpan = .zero, gap: TimeSpan = .zero,
        _ ending: TimedDisturbance.PathEnding = .error
    ) -> TimedDisturbance {
        var entry = TimedDisturbance(kind, wait: wait, length: length)
        (entry.gap, entry.ending) = (gap, ending)
        return entry
    }

    private static func world(
        _ entries: [TimedDisturbance] = [], _ streams: [WorldGenome.MessageGene] = [.none, .none],
        rest: TimeSpan = .zero, hasPlatform: Bool = true, seed: UInt64? = nil
    ) -> WorldGenome {
        var world = WorldGenome(entries: entries, streams: streams, hasPlatform: hasPlatform, seed: seed)
        world.rest = rest
        return world
    }

    /// A world in which nothing has its usual value.
    private static let found = world(
        [
            entry(.readdress, wait: .seconds(20), .silent),
            entry(.deadZone, wait: .seconds(333), length: .seconds(777)),
            entry(.handoff, wait: .seconds(40), gap: .milliseconds(400), .reset),
            entry(.away, wait: .seconds(60), length: .seconds(50)),
        ], [.every(.seconds(20)), .at([5, 9, 30].map(TimeSpan.seconds))], rest: .seconds(77), hasPlatform: false,
        seed: 5)

    /// Shrinks a world.
    /// - Parameter isEffective: `true` for worlds in which each entry has an effect.
    private static func shrunk(
        _ genome: WorldGenome, on ground: HuntGround = ground, isEffective: (WorldGenome) -> Bool = { _ in true },
        _ isBroken: (WorldGenome) -> Bool
    ) -> (genome: WorldGenome, isShrunk: Bool, tried: [WorldGenome], runs: Int) {
        withoutActuallyEscaping(isBroken) { isBroken in
            withoutActuallyEscaping(isEffective) { isEffective in
                var tried: [WorldGenome] = []
                var shrinker = HuntShrinker(genome, on: ground) { genome in
                    tried.append(genome)
                    return .init(isBroken: isBroken(genome), isEffective: isEffective(genome))
                }
                let isShrunk = shrinker.shrink()
                return (shrinker.genome, isShrunk, tried, shrinker.runs)
            }
        }
    }

    private static func times(_ world: WorldGenome, _ stream: Int) -> [TimeSpan] {
        if case .at(let times) = world.streams[stream] { times } else { [] }
    }

    private static func longest(_ world: WorldGenome, _ kind: Kind) -> TimeSpan {
        world.entries.filter { $0.kind == kind }.map(\.length).max() ?? .zero
    }

    /// Rules of a break, and the world that is left of the found one.
    private static let remains: [(name: String, rule: @Sendable (WorldGenome) -> Bool, left: WorldGenome)] = [
        ("nothing", { _ in true }, Self.world()), ("the seed", { $0.seed == 5 }, Self.world(seed: 5)),
        ("no system", { !$0.hasPlatform }, Self.world(hasPlatform: false)),
        (
            "an ending", { $0.entries.contains { $0.ending == .reset } },
            Self.world([Self.entry(.handoff, .reset)])
        ),
        // Only one second is written with fewer characters than 400 ms.
        (
            "a gap", { $0.entries.contains { $0.gap >= .milliseconds(300) } },
            Self.world([Self.entry(.handoff, gap: .seconds(1))])
        ),
        // Two minutes are the first usual time from 100 s on.
        (
            "a length", { Self.longest($0, .deadZone) >= .seconds(100) },
            Self.world([Self.entry(.deadZone, length: .minutes(2))])
        ),
        (
            "a usual length", { Self.longest($0, .deadZone) >= .seconds(300) },
            Self.world([Self.entry(.deadZone, length: .minutes(5))])
        ),
        // The next usual time is longer than the found one and not shorter to write.
        (
            "a length near the found one", { Self.longest($0, .deadZone) >= .seconds(775) },
            Self.world([Self.entry(.deadZone, length: .minutes(20))])
        ),
        (
            "a length in a range", { (.seconds(700) ... .seconds(800)).contains(Self.longest($0, .deadZone)) },
            Self.world([Self.entry(.deadZone, length: .seconds(700))])
        ),
        // The simplest kind with a length that is neither a dead zone nor a handoff.
        (
            "a kind", { $0.entries.contains { $0.kind.hasLength && $0.kind != .deadZone } },
            Self.world([Self.entry(.airplane, length: .seconds(1))])
        ),
        // Without the first entry, the other ones begin at the same time.
        (
            "a time",
            {
                PlacedGenome($0, on: Self.ground).lines.contains {
                    $0.at >= .seconds(300) && $0.node["dead-zone"] != nil
                }
            }, Self.world([Self.entry(.deadZone, wait: .minutes(5), length: .seconds(1))])
        ),
        // The time between two entries stays if an entry before both leaves.
        (
            "a distance",
            {
                let lines = PlacedGenome($0, on: Self.ground).lines
                guard let zone = lines.first(where: { $0.node["dead-zone"] != nil })?.at,
                    let handoff = lines.first(where: { $0.node["handoff"] != nil })?.at
                else { return false }
                return zone >= .seconds(363) && zone <= handoff && handoff - zone <= .seconds(50)
            }, Self.world([Self.entry(.deadZone, wait: .minutes(10), length: .seconds(1)), Self.entry(.handoff)])
        ),
        // Without entries and messages, a world ends after 10 s of warm-up and 10 minutes of grace.
        (
            "the end", { PlacedGenome($0, on: Self.ground).duration >= .seconds(910) },
            Self.world(rest: .minutes(5))
        ),
        // A world without some of its entries does not end later.
        (
            "no later end",
            {
                PlacedGenome($0, on: Self.ground).duration <= PlacedGenome(Self.found, on: Self.ground).duration
            }, Self.world()
        ),
        (
            "two kinds",
            { world in [.handoff, .away].allSatisfy { kind in world.entries.contains { $0.kind == kind } } },
            Self.world([Self.entry(.handoff), Self.entry(.away, length: .seconds(1))])
        ),
        (
            "a periodic stream", { $0.streams[0] == .every(.seconds(20)) },
            Self.world([], [.every(.seconds(20)), .none])
        ),
        // Messages of one second, of the first usual time behind it, and of the first one behind both.
        (
            "three messages", { Self.times($0, 1).count >= 3 },
            Self.world([], [.none, .at([1, 2, 5].map(TimeSpan.seconds))])
        ),
        (
            "a late message", { Self.times($0, 1).contains { $0 > .seconds(20) } },
            Self.world([], [.none, .at([.seconds(30)])])
        ),
    ]

    @Test func onlyWhatMattersIsLeft() {
        // Broken: an entry, a message, a setting or a part of a time is kept although the client breaks without it.
        for row in Self.remains {
            let answer = Self.shrunk(Self.found, row.rule)
            #expect(answer.isShrunk && answer.genome == row.left, "\(row.name): \(answer.genome)")
            // Each world runs once.
            #expect(Set(answer.tried).count == answer.tried.count && answer.runs == answer.tried.count, "\(row.name)")
        }
    }

    @Test func timesBecomeUsualOnes() {
        // Broken: a time stays longer than necessary, becomes shorter than necessary, or a shorter one is made longer.
        let usual = [0, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 21_600] as [Int64]
        for seconds in [1, 2, 3, 7, 10, 11, 45, 60, 61, 119, 120, 121, 599, 601, 1_801, 3_601, 20_000, 21_600]
            as [Int64]
        {
            let (least, next) = (TimeSpan.seconds(seconds), usual.first { $0 >= seconds } ?? 0)
            let length = Self.shrunk(Self.world([Self.entry(.away, wait: .seconds(9), length: .hours(8))])) {
                Self.longest($0, .away) >= least
            }
            #expect(length.genome == Self.world([Self.entry(.away, length: .seconds(next))]), "\(seconds) s")
            let wait = Self.shrunk(Self.world([Self.entry(.flap, wait: .hours(8))])) {
                $0.entries.contains { $0.kind == .flap && $0.wait >= least }
            }
            #expect(wait.genome == Self.world([Self.entry(.flap, wait: .seconds(next))]), "\(seconds) s")
        }
        // Above all usual times, the found edge is kept.
        let long = Self.shrunk(Self.world([Self.entry(.away, length: .hours(9))])) {
            Self.longest($0, .away) >= .seconds(25_001)
        }
        #expect(Self.longest(long.genome, .away) == .seconds(25_001))
        // The shortest gap, length and message time are left alone, although one second has fewer characters than 1 ms.
        for shortest in [
            Self.world([Self.entry(.handoff, gap: .milliseconds(1))]),
            Self.world([Self.entry(.away, length: .seconds(1))]),
            Self.world([], [.none, .at([.seconds(1)])]),
        ] {
            let answer = Self.shrunk(shortest) { world in
                world.entries.count + world.streams.reduce(0) { $0 + $1.count } > 0
                    && world.entries.allSatisfy { $0.kind == .away || $0.gap > .zero }
            }
            #expect(answer.genome == shortest, "\(answer.genome)")
        }
    }

    @Test func simplerKindsReplaceOthers() {
        // Broken: a kind is replaced by one that cannot happen, that has no length, or by a more special one; or a kind
        // that loses no path keeps the ending of the one that did.
        var ground = Self.ground
        ground.allowed = [.roam, .slowLink, .drain, .push, .forgetMappings]
        let (down, up) = (Self.entry(.serverDown, length: .seconds(1)), Self.entry(.push))
        #expect(
            Self.shrunk(Self.world([down]), on: ground) { !$0.entries.isEmpty }.genome.entries.map(\.kind) == [.roam])
        #expect(
            Self.shrunk(Self.world([up]), on: ground) { !$0.entries.isEmpty }.genome.entries.map(\.kind) == [.drain])
        ground.allowed = [.serverDown, .noNames, .frozenUI, .clock]
        #expect(Self.shrunk(Self.world([down]), on: ground) { !$0.entries.isEmpty }.genome == Self.world([down]))
        let airplane = Self.world([Self.entry(.airplane, length: .seconds(1), .silent)])
        let zone = Self.world([Self.entry(.deadZone, length: .seconds(1))])
        #expect(Self.shrunk(airplane) { [airplane, zone].contains($0) }.genome == zone)
        let other = Self.world([Self.entry(.handoff, .silent)])
        let readdress = Self.world([Self.entry(.readdress, .silent)])
        #expect(Self.shrunk(readdress) { [readdress, other].contains($0) }.genome == other)
        // A scenario without an operating system has none to restore.
        ground.hasPlatform = false
        let bare = Self.world(hasPlatform: false)
        #expect(Self.shrunk(bare, on: ground) { _ in true }.genome == bare)
    }

    @Test func simplerKindsReplaceOthersWithAnotherLength() {
        // Broken: a visit to the background stays before a kill, although a longer dead zone breaks the client too and
        // has one line; or two disturbances in a row stay where one that lasts as long as both is enough.
        let visit = [
            Self.entry(.away, wait: .seconds(20), length: .seconds(1)),
            Self.entry(.kill, wait: .seconds(1), length: .seconds(1)),
        ]
        let killed = Self.shrunk(Self.world(visit)) { world in
            world.entries.contains { $0.kind == .kill }
                && (world.entries.contains { $0.kind == .away } || Self.longest(world, .deadZone) >= .seconds(15))
        }
        #expect(
            killed.genome.entries == [
                Self.entry(.deadZone, length: .seconds(20)), Self.entry(.kill, length: .seconds(1)),
            ],
            "\(killed.genome)")
        let zones = [
            Self.entry(.deadZone, length: .seconds(200)),
            Self.entry(.deadZone, wait: .seconds(200), length: .seconds(300)),
        ]
        let merged = Self.shrunk(Self.world(zones)) { world in
            world.entries.reduce(.zero) { $0 + $1.length } >= .seconds(450)
        }
        #expect(merged.genome == Self.world([Self.entry(.deadZone, length: .minutes(10))]), "\(merged.genome)")
    }

    @Test(arguments: [(Kind.handoff, Kind.handoff), (.handoff, .readdress), (.readdress, .flap)])
    private func twoEntriesCanLeaveTogether(_ first: Kind, _ second: Kind) {
        // Broken: two entries that undo each other stay, because the world breaks without both, but not without one.
        func isEven(_ world: WorldGenome) -> Bool {
            let counts = [first, second].map { kind in world.entries.count { $0.kind == kind } }
            return first == second ? counts[0].isMultiple(of: 2) : counts[0] == counts[1]
        }
        let zone = Self.entry(.deadZone, length: .seconds(1))
        for entries in [[Self.entry(first), zone, Self.entry(second)], [zone, Self.entry(first), Self.entry(second)]] {
            let answer = Self.shrunk(Self.world(entries)) { world in
                isEven(world) && world.entries.contains { $0.kind == .deadZone }
            }
            #expect(answer.genome == Self.world([zone]), "\(answer.genome)")
        }
        // With more than ten entries, that would take too many runs.
        for count in [8, 9] {
            let zones = Array(repeating: zone, count: count)
            let all = [Self.entry(first)] + zones + [Self.entry(second)]
            let answer = Self.shrunk(Self.world(all)) { world in
                isEven(world) && world.entries.count { $0.kind == .deadZone } == count
            }
            #expect(answer.genome.entries.count == (count == 8 ? 8 : 11), "\(answer.genome)")
        }
    }

    @Test func aStreamBecomesAListOfMessages() {
        // Broken: a periodic stream stays, although some of its messages are enough: the last ones, the first ones, or
        // those around a disturbance.
        let zone = Self.entry(.deadZone, wait: .seconds(200), length: .seconds(300))
        let world = Self.world([zone], [.every(.seconds(2)), .none])
        // Messages begin 10 s after the start, the dead zone after 210 s, and messages end 5 minutes after it.
        let rows: [(TimeSpan, TimeSpan, [Int64])] = [
            (.seconds(2), .seconds(2), [2]), (.seconds(4), .seconds(4), [4]), (.seconds(798), .seconds(800), [798]),
            (.seconds(200), .seconds(202), [200]),
            (.seconds(174), .seconds(175), [174]), (.seconds(240), .seconds(240), [240]),
        ]
        for (from, until, left) in rows {
            let answer = Self.shrunk(world) { world in
                guard world.entries == [zone] else { return false }
                return world.streams[0] == .every(.seconds(2))
                    || Self.times(world, 0).contains { (from...until).contains($0) }
            }
            #expect(answer.genome == Self.world([zone], [.at(left.map(TimeSpan.seconds)), .none]), "\(from)")
        }
        // A stream may have one message.
        let rare = Self.world([], [.every(.minutes(5)), .none])
        let single = Self.shrunk(rare) { $0.streams[0] == .every(.minutes(5)) || Self.times($0, 0) == [.minutes(5)] }
        #expect(single.genome == Self.world([], [.at([.minutes(5)]), .none]), "\(single.genome)")
        // No list of 40 messages is enough.
        let many = Self.shrunk(world) { $0.entries == [zone] && $0.streams[0].count > 40 }
        #expect(many.genome == world)
    }

    @Test func entriesWithoutEffectAreRemoved() {
        // Broken: a find contains an entry that never takes effect, or a world that always has one counts as a find.
        let zone = Self.entry(.deadZone, length: .seconds(1))
        let world = Self.world([Self.entry(.push), zone, Self.entry(.push), zone])
        func has(_ kind: Kind, _ world: WorldGenome) -> Bool { world.entries.contains { $0.kind == kind } }
        let answer = Self.shrunk(world, isEffective: { !has(.push, $0) }) { has(.deadZone, $0) }
        #expect(answer.isShrunk && answer.genome == Self.world([zone]), "\(answer.genome)")
        #expect(!Self.shrunk(world, isEffective: { !has(.deadZone, $0) }) { has(.deadZone, $0) }.isShrunk)
        #expect(!Self.shrunk(world) { _ in false }.isShrunk)
        var shrinker = HuntShrinker(world, on: Self.ground) { _ in nil }
        let isShrunk = shrinker.shrink()
        #expect(!isShrunk, "a world that cannot run is no find")
    }
}
