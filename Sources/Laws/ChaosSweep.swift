import DeadzoneBase
package import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// Repeats the chaos test of the WebSocket article with many seeds, until 50,000 disconnects are reached. One test
/// takes ten minutes, with a disconnect every 5 to 30 s, network changes, process kills, and latency spikes of half a
/// second to two seconds.
package struct ChaosSweep: Sendable {
    let radios: RandomWorld.RadioChoices

    package init(radios: RandomWorld.RadioChoices) { self.radios = radios }

    package struct ChaosTally: Sendable {
        package var runs = 0
        package var disconnects = 0
        package var sent = 0
        package var lost: Int64 = 0
        package var duplicated: Int64 = 0
        package var pending: Int64 = 0
        /// Kills while a message of the app was sent but not yet delivered to the server.
        package var killedInFlight = 0
        /// The lowest seed in which a message was lost or duplicated.
        package var firstFailure: UInt64?

        package mutating func add(_ other: ChaosTally) {
            runs += other.runs
            disconnects += other.disconnects
            sent += other.sent
            lost += other.lost
            duplicated += other.duplicated
            pending += other.pending
            killedInFlight += other.killedInFlight
            firstFailure = [firstFailure, other.firstFailure].compactMap(\.self).min()
        }

        package init() {}
    }

    package func tally(_ seed: UInt64, _ client: AnyStrategy) -> ChaosTally {
        let world = world(seed)
        var laws = WorldLaws()
        Simulation(world: world, strategy: client, seed: seed).run(0..<1, into: &laws)
        var tally = ChaosTally()
        tally.runs = 1
        var inFlight = 0
        for record in laws.records {
            switch record.kind {
            case .sentDown: tally.sent += 1
            case .sentUp:
                tally.sent += 1
                inFlight += 1
            case .deliveredUp: inFlight -= 1
            case .killed: tally.killedInFlight += inFlight > 0 ? 1 : 0
            case .lostDown, .lostUp: tally.lost += record.amount
            case .duplicatedDown, .duplicatedUp: tally.duplicated += record.value
            case .pendingDown, .pendingUp: tally.pending += record.value
            case .weather: tally.disconnects += world.timeline[Int(record.tag)].change.isDisconnect ? 1 : 0
            default: break
            }
        }
        if tally.lost + tally.duplicated > 0 { tally.firstFailure = seed }
        return tally
    }

    /// A world of 15 minutes, with chaos in the first ten. The server deduplicates the last 1,000 messages and sends
    /// its own receipts, as in the article.
    func world(_ seed: UInt64) -> World {
        let chaos = Chaos(
            disconnect: .uniform(5_000_000_000, 30_000_000_000), handoff: .uniform(40_000_000_000, 80_000_000_000),
            kill: .uniform(60_000_000_000, 120_000_000_000), length: .minutes(10), seed: seed)
        var isUp = [true, false]
        let trouble = chaos.changes(of: [.wifi, .cellular], &isUp)
        let until = Instant.zero + .minutes(10)
        var world = World(
            horizon: .zero + .minutes(15), wifi: radios.wifi[0], cellular: radios.cellular[0],
            wifiLink: Self.link(.milliseconds(15)), cellularLink: Self.link(.milliseconds(45)),
            timeline: [TimelineEntry(at: .zero, .pathUp(.wifi, .plain))]
                + trouble.map { TimelineEntry(at: .zero + $0.after, $0.change) },
            traffic: Traffic(
                down: TrafficStream(gap: .exponential(mean: 1_000_000_000), size: .constant(300), until: until),
                up: TrafficStream(gap: .exponential(mean: 2_000_000_000), size: .constant(200), until: until)))
        world.timeline = world.timeline.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
        world.platform = ShippedPlatform.all.first { $0.name == "android-15" }?.platform
        world.server.dedup = .bitmap(window: 1_000)
        world.server.receipts = ReceiptRules()
        return world
    }

    private static func link(_ delay: TimeSpan) -> LinkProfile {
        var direction = LinkDirection(
            delay: .constant(delay.nanoseconds), floor: delay, bitsPerSecond: 10_000_000, loss: .independent(.zero))
        direction.spikes = LatencySpikes(
            every: .exponential(mean: 20_000_000_000), length: .constant(3_000_000_000),
            extra: .uniform(500_000_000, 2_000_000_000))
        return LinkProfile(up: direction, down: direction)
    }
}

extension ConditionChange {
    /// `true` if the change ends connections.
    var isDisconnect: Bool {
        switch self {
        case .readdress, .pathDown: true
        default: false
        }
    }
}
