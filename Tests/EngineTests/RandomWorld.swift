import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneStrategies

/// A world and a strategy drawn from one seed.
struct RandomWorld {
    var dice: Dice

    init(seed: UInt64) { dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test) }

    private mutating func pick(_ profiles: [RadioProfile]) -> RadioProfile {
        profiles[Int(below(UInt64(profiles.count)))]
    }

    mutating func below(_ bound: UInt64) -> UInt64 { dice.next().scaled(below: bound) }

    func make() -> (World, AnyStrategy) {
        var copy = self
        return copy.draw()
    }

    private mutating func draw() -> (World, AnyStrategy) {
        let horizon = TimeSpan.seconds(Int64(30 + below(600)))
        let loss: LossModel =
            below(2) == 0
            ? .independent(Probability(below(20), of: 100))
            : .gilbertElliott(
                goodMean: .seconds(20), badMean: .seconds(2), lossInGood: .zero, lossInBad: Probability(1, of: 2))
        let traffic = Traffic(
            down: .poisson(.seconds(Int64(1 + below(20))), bytes: Int64(below(3_000))),
            up: .poisson(.seconds(Int64(1 + below(30))), bytes: Int64(below(500))),
            probe: below(3) == 0 ? .every(.seconds(7)) : nil)
        var world = World(
            horizon: .zero + horizon, wifi: pick(Shipped.wifi), cellular: pick(Shipped.cellular),
            wifiLink: Fixture.link(delay: .milliseconds(10), loss: loss),
            cellularLink: Fixture.link(delay: .milliseconds(35), loss: loss, bitsPerSecond: 2_000_000),
            timeline: timeline(until: horizon), traffic: traffic)
        if below(2) == 0 { world.server.pingFloor = .seconds(Int64(1 + below(60))) }
        world.server.grace = .seconds(Int64(below(20)))
        world.server.hold = .seconds(Int64(1 + below(60)))
        world.server.allowsMigration = below(3) > 0
        return (world, strategy())
    }

    private mutating func strategy() -> AnyStrategy {
        switch below(7) {
        case 0...2:
            AnyStrategy(
                Rider(
                    Carrier(
                        Carrier.Kind.allCases[Int(below(UInt64(Carrier.Kind.allCases.count)))],
                        security: Carrier.Security.allCases[Int(below(UInt64(Carrier.Security.allCases.count)))]),
                    ping: below(3) == 0 ? nil : .seconds(Int64(1 + below(40))), moves: below(3) > 0))
        case 3: Fixture.strategy(Eager.self)
        case 4: Fixture.strategy(Datagrams.self, [("ping", "13s")])
        case 5: Fixture.strategy(Patient.self, [("ping", "3s"), ("timeout", "500ms")])
        default: Fixture.strategy(Patient.self)
        }
    }

    private mutating func timeline(until horizon: TimeSpan) -> [TimelineEntry] {
        var entries = [TimelineEntry(at: .zero, .pathUp(below(2) == 0 ? .wifi : .cellular, .plain))]
        var at = Instant.zero
        for _ in 0..<below(12) {
            at += .milliseconds(Int64(below(60_000)))
            entries.append(TimelineEntry(at: at, below(2) == 0 ? pathChange() : otherChange()))
        }
        return entries
    }

    private mutating func interface() -> Interface { below(2) == 0 ? .wifi : .cellular }

    private mutating func manner() -> OldPath {
        // The silent death is the one that hurts.
        below(2) == 0 ? .silent : [OldPath.error, .reset, .ended][Int(below(3))]
    }

    private mutating func attachment() -> Attachment {
        guard below(3) == 0 else { return .plain }
        return Attachment(
            usableAfter: .milliseconds(Int64(below(4_000))), portal: below(3) == 0 ? .seconds(20) : nil,
            announcedAfter: below(3) == 0 ? .milliseconds(Int64(below(3_000))) : nil)
    }

    /// What moves a phone about.
    private mutating func pathChange() -> Change {
        switch below(8) {
        case 0, 1: .pathUp(interface(), attachment())
        case 2: .pathDown(interface(), manner())
        case 3: .readdress(interface(), manner())
        case 4, 5: .coverage(interface(), below(2) == 0)
        case 6: .cellHandover
        default: .technology(UInt8(below(2)))
        }
    }

    private mutating func otherChange() -> Change {
        switch below(14) {
        case 0: .app(foreground: below(2) == 0)
        case 1: .oneWay(interface(), below(2) == 0 ? .up : .down, passes: below(2) == 0)
        case 2: .uplink(interface(), below(2) == 0)
        case 3: .mappingsLost(interface())
        case 4: .spurious(interface(), Spurious.allCases[Int(below(3))])
        case 5: .names(resolve: below(2) == 0)
        case 6, 7: .screen(below(2) == 0)
        case 8: .charging(below(2) == 0)
        case 9: .moving(below(2) == 0)
        case 10: .kill
        case 11: .clockSet(.seconds(Int64(below(7_200)) - 3_600))
        case 12: .push(urgent: below(2) == 0)
        default: .server(ServerChange.allCases[Int(below(5))])
        }
    }
}
