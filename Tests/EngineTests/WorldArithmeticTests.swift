import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Numbers that a world computes before a run: disturbances, sync windows, spans and timelines.
@Suite struct WorldArithmeticTests {
    /// The generator of disturbances, written down a second time.
    private func disturbances(
        _ chaos: Chaos, _ radios: [Interface], _ isUp: inout [Bool]
    ) -> [(TimeSpan, ConditionChange)] {
        var moments: [(after: Int64, kind: UInt32, bits: UInt64)] = []
        for (kind, gaps) in [chaos.disconnect, chaos.handoff, chaos.kill, chaos.deadZone].enumerated() {
            guard let gaps else { continue }
            let dice = Dice(seed: chaos.seed, phone: PhoneID(UInt32(kind)), purpose: .timeline)
            var (after, slot) = (Int64(0), UInt64(0))
            while true {
                let (gap, bits) = dice.pair(at: slot)
                after += max(gaps.draw(gap), 1_000_000)
                guard after < chaos.length.nanoseconds else { break }
                moments.append((after, UInt32(kind), bits))
                if kind == 3 { after += max(chaos.deadZoneLength.draw(bits), 1_000_000) }
                slot += 1
            }
        }
        var changes: [(TimeSpan, ConditionChange)] = []
        for moment in moments.sorted(by: { ($0.after, $0.kind) < ($1.after, $1.kind) }) {
            let at = TimeSpan.nanoseconds(moment.after)
            let signals: [PathLossSignal] = [.error, .silent, .reset, .ended]
            let signal = chaos.ends ?? signals[Int(moment.bits.scaled(below: 4))]
            let current = isUp[0] ? Interface.allCases[0] : isUp[1] ? Interface.allCases[1] : nil
            if moment.kind == 2 {
                let back = Int64(1_000 + moment.bits.scaled(below: 4_000))
                changes += [(at, .kill), (at + .milliseconds(back), .app(foreground: true))]
            }
            guard let current else { continue }
            switch moment.kind {
            case 0: changes.append((at, .readdress(current, signal)))
            case 1:
                guard let other = radios.first(where: { $0 != current }) else { continue }
                if !isUp[Int(other.rawValue)] { changes.append((at, .pathUp(other, .plain))) }
                changes.append((at, .pathDown(current, signal)))
                (isUp[Int(current.rawValue)], isUp[Int(other.rawValue)]) = (false, true)
            case 3:
                let end = min(
                    moment.after + max(chaos.deadZoneLength.draw(moment.bits), 1_000_000), chaos.length.nanoseconds)
                changes += [(at, .coverage(current, false)), (.nanoseconds(end), .coverage(current, true))]
            default: break
            }
        }
        return changes
    }

    /// Broken: a disturbance comes at another time, is of another kind, or meets another network than its draw says.
    @Test func disturbancesFollowTheirDraws() {
        var count = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
            func gaps() -> Distribution? { draw(4) == 0 ? nil : .uniform(0, 40_000_000_000) }
            var chaos = Chaos(disconnect: gaps(), handoff: gaps(), kill: gaps(), length: .minutes(4), seed: seed)
            chaos.deadZone = gaps()
            chaos.deadZoneLength = .uniform(0, 30_000_000_000)
            chaos.ends = draw(2) == 0 ? .halfOpen : nil
            let radios: [Interface] = [[.wifi, .cellular], [.cellular, .wifi], [.wifi], [.cellular]][draw(4)]
            var isUp = [draw(2) == 0, draw(3) == 0]
            var expectedUp = isUp
            let changes = chaos.changes(of: radios, &isUp)
            let expected = disturbances(chaos, radios, &expectedUp)
            #expect(isUp == expectedUp && changes.map(\.after) == expected.map(\.0), "seed \(seed)")
            #expect(changes.map(\.change) == expected.map(\.1), "seed \(seed)")
            count += changes.count
        }
        #expect(count > 2_000)
    }

    private func world(floor: TimeSpan, horizon: TimeSpan = .seconds(60)) -> World {
        World(horizon: .zero + horizon, cellular: Fixture.lte, cellularLink: Fixture.link(delay: floor))
    }

    /// Broken: a window begins or ends elsewhere than at a multiple of its length, or the horizon does not end the last.
    @Test func syncWindowsAreMultiplesOfTheirLength() {
        let windows = SyncWindows(world(floor: .milliseconds(7), horizon: .milliseconds(50)))
        #expect(windows.length == .milliseconds(7) && windows.horizon == .zero + .milliseconds(50))
        for nanosecond in stride(from: Int64(0), through: 60_000_000, by: 500_000).flatMap({ [$0, $0 + 1] }) {
            let instant = Instant.zero + .nanoseconds(nanosecond)
            let number = windows.number(of: instant)
            #expect(windows.begin(of: number) <= instant && instant < windows.begin(of: number + 1))
            let first = windows.first(from: instant)
            #expect(instant <= windows.begin(of: first) && (first == 0 || windows.begin(of: first - 1) < instant))
            #expect(windows.isOver(instant) == (nanosecond >= 50_000_000))
        }
        for number in 0..<9 as Range<Int64> {
            #expect(windows.end(of: number) == .zero + .milliseconds(min((number + 1) * 7, 50)))
        }
        #expect(windows.maxPerLookahead == .max && windows.endsEarly)
    }

    /// Broken: phones run beyond the end of instances that shut down.
    @Test func aLookaheadIsNoLongerThanTheGraceOfInstances() {
        for (grace, isRemoved, expected) in [
            (nil, true, Int64.max), (20, true, 2), (21, true, 3), (6, true, 1), (0, true, 1), (70, false, .max),
        ] as [(Int64?, Bool, Int64)] {
            var world = world(floor: .milliseconds(7))
            world.server.cluster.autoscaling = .init(
                target: .one, every: .seconds(1), startUp: .seconds(1), maximum: 4,
                downAfter: isRemoved ? .seconds(5) : nil, grace: grace.map { .milliseconds($0) })
            let windows = SyncWindows(world)
            #expect(windows.maxPerLookahead == expected && windows.endsEarly == !(isRemoved && grace != nil))
        }
    }

    /// Broken: a removed change still has an effect, another change is removed, or the rest gets other numbers.
    @Test func aWorldWithoutChangesKeepsTheOthers() {
        func part(_ count: Int64, _ at: Int64) -> World {
            var world = world(floor: .milliseconds(7))
            world.timeline = (0..<count).map { TimelineEntry(at: .zero + .seconds(at + $0), .technology(UInt8($0))) }
            return world
        }
        let all = World(of: [("a", 1, part(3, 0)), ("b", 2, part(2, 10)), ("c", 1, part(3, 20))])
        let gone = ConditionChange.consumerStall(.zero)
        for removed in [[], [0], [2, 3], [4, 5, 7], [0, 1, 2, 3, 4, 5, 6, 7], [8, -1]] as [[Int]] {
            let rest = all.without(removed)
            func expected(_ entries: [TimelineEntry], from first: Int) -> [ConditionChange] {
                entries.enumerated().map { removed.contains($0 + first) ? gone : $1.change }
            }
            #expect(rest.timeline.map(\.change) == expected(all.timeline, from: 0))
            #expect(rest.timeline.map(\.at) == all.timeline.map(\.at))
            #expect(rest.groups.map(\.firstChange) == [0, 3, 5] && rest.groups.map(\.name) == ["a", "b", "c"])
            #expect(rest.groups.map(\.phones) == all.groups.map(\.phones))
            for (group, old) in zip(rest.groups, all.groups) {
                #expect(group.world.timeline.map(\.change) == expected(old.world.timeline, from: old.firstChange))
            }
        }
    }

    /// Broken: a distribution of spans has other bounds than its draws, or is accepted beyond its upper limit.
    @Test func spansAreTruncatedAtBothEnds() {
        let cut = UInt64.max / 2_000
        for (law, isCut) in [
            (.constant(9), false), (.uniform(5, 90), false), (.exponential(mean: 4_000), true),
            (.normal(mean: 60_000, deviation: 9_000), true), (.logNormal(median: 30_000, sigmaPPM: 500_000), true),
            (.pareto(scale: 5_000, shapePPM: 1_500_000), true),
        ] as [(Distribution, Bool)] {
            func at(_ bits: UInt64) -> Int64 { law.draw(isCut ? cut + bits.scaled(below: .max - 2 * cut) : bits) }
            let range = SpanRange(law, in: .nanoseconds(7) ... .seconds(1))
            #expect(range?.law == law)
            #expect(range?.least == .nanoseconds(max(at(0), 7)) && range?.greatest == .nanoseconds(max(at(.max), 7)))
            #expect(range?.spread == .nanoseconds(max(at(.max), 7) - max(at(0), 7)))
            for tenth in 0...10 as ClosedRange<UInt64> {
                let bits = UInt64.max / 10 * tenth
                #expect(range?.draw(bits) == .nanoseconds(max(at(bits), 7)))
            }
            let greatest = TimeSpan.nanoseconds(at(.max))
            #expect(SpanRange(law, in: .zero...greatest) != nil)
            #expect(SpanRange(law, in: .zero...greatest - .nanoseconds(1)) == nil)
        }
        let fixed = SpanRange(.seconds(3))
        #expect(fixed.least == .seconds(3) && fixed.greatest == .seconds(3) && fixed.draw(9) == .seconds(3))
    }

    /// Broken: a world loses or mixes up one of the parts that it was made of.
    @Test func aWorldKeepsItsParts() {
        let (near, far) = (Fixture.link(delay: .milliseconds(3)), Fixture.link(delay: .milliseconds(5)))
        let networks = NetworkRules(linger: .zero, validation: .zero, destroysSockets: true, leavesSocketsFrozen: false)
        let app = OtherApp(name: "a", gap: .constant(1), up: 1, down: 1, cause: .otherApps, wake: .none)
        let events: [TimelineEntry] = [
            TimelineEntry(at: .zero + .seconds(1), .instance(3, .down)), TimelineEntry(at: .zero + .seconds(2), .kill),
            TimelineEntry(at: .zero + .seconds(4), .instance(1, .up)),
        ]
        let traffic = Traffic(up: .every(.seconds(4)))
        var profile = ServerProfile()
        profile.acceptsPerSecond = 4
        var world = World(
            horizon: .zero + .seconds(9), phones: 4, wifi: Fixture.wifi, cellular: Fixture.lte, wifiLink: near,
            cellularLink: far, timeline: events, traffic: traffic, server: profile,
            platform: Platform(name: "p", family: .ios, release: 18, networks: networks), otherApps: [app],
            tailAttribution: .equalShares)
        #expect(world.horizon == .zero + .seconds(9) && world.phones == 4)
        #expect(world.wifi == Fixture.wifi && world.cellular == Fixture.lte && world.has(.wifi) && world.has(.cellular))
        #expect(world.wifiLink == near && world.cellularLink == far && world.timeline == events)
        #expect(world.traffic == traffic && world.server == profile && world.isCoupled)
        #expect(world.platform?.name == "p" && world.otherApps == [app] && world.tailAttribution == .equalShares)
        #expect(
            world.instanceEvents == [
                InstanceEvent(at: .zero + .seconds(1), 3, .down), InstanceEvent(at: .zero + .seconds(4), 1, .up),
            ])
        (world.wifiConditions, world.cellularConditions) = ([far], [near, near])
        #expect(world.conditions(of: .wifi) == [near, far] && world.conditions(of: .cellular) == [far, near, near])
        #expect(world.profiles(of: .wifi) == [Fixture.wifi] && world.profiles(of: .cellular) == [Fixture.lte])
        world.cellularAlternates = [Fixture.wifi]
        #expect(
            world.profiles(of: .cellular) == [Fixture.lte, Fixture.wifi] && world.profiles(of: .wifi) == [Fixture.wifi])
        (world.wifi, world.cellular) = (nil, Fixture.lte)
        #expect(!world.has(.wifi) && world.profiles(of: .wifi) == [])
        #expect(LinkProfile.none.up.loss == .independent(.one) && LinkProfile.none.down.bitsPerSecond == 1)
        #expect(LinkProfile.none.up.bitsPerSecond == 1 && LinkProfile.none.down.floor == .zero)
        var boxes = Middleboxes()
        (boxes.wifi, boxes.cellular, boxes.server) = (
            [Middlebox(tcp: .seconds(1))], [Middlebox(tcp: .seconds(3))], [Middlebox(tcp: .seconds(4))]
        )
        #expect(boxes.own(.wifi).map(\.tcp) == [.seconds(1)] && boxes.own(.cellular).map(\.tcp) == [.seconds(3)])
    }

    /// Broken: a change may be overtaken by more or fewer of the later changes than its latest moment allows.
    @Test func displacementIsThatOfTheLatestMoments() {
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int64 { Int64(dice.next().scaled(below: below)) }
            var at = Instant.zero
            let timeline = (0..<10).map { _ in
                at += .nanoseconds(draw(4))
                guard draw(2) == 0 else { return TimelineEntry(at: at, .cellHandover) }
                func span() -> SpanRange { SpanRange(.uniform(2, 2 + draw(6)), in: .zero ... .seconds(1))! }
                return TimelineEntry(
                    at: at, .cellHandover,
                    occurrence: OccurrenceRule(drawnAt: at, extraDelay: span(), extraLength: span()))
            }
            var most = 0
            for (index, entry) in timeline.enumerated() {
                let spread = entry.occurrence.map { $0.extraDelay.spread + $0.extraLength.spread } ?? .zero
                #expect(entry.latest == entry.at + spread)
                for later in index..<timeline.count where entry.occurrence != nil && timeline[later].at < entry.latest {
                    most = max(most, later - index)
                }
            }
            #expect(timeline.maxDisplacement == most, "seed \(seed)")
        }
    }
}
