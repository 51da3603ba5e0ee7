import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Opens one connection when it starts, and again after each failure.
private struct Opener: Strategy {
    static let name = "opener"
    static let about = "opens one connection"
    let races: Bool
    let addressTimeout: TimeSpan?

    init(_ settings: inout SettingsReader) {
        races = settings.flag("races", default: true)
        addressTimeout = settings.span("patience")
    }

    func initialState() -> UInt8 { 0 }

    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .failed:
            var carrier = Transport.webSocket
            carrier.racesAddresses = races
            carrier.addressTimeout = addressTimeout
            out.append(.connect(ConnectionSlot(0), carrier, resuming: .fresh))
        default: break
        }
    }
}

@Suite struct NameRunTests {
    private func run(
        _ resolver: Resolver?, _ settings: [(String, String)] = [], changes: [TimelineEntry] = []
    ) -> AllRecords {
        var world = World(
            horizon: .zero + .minutes(3), wifi: Fixture.wifi, wifiLink: Fixture.link(delay: .milliseconds(10)),
            timeline: [TimelineEntry(at: .zero, .pathUp(.wifi, .plain))] + changes)
        world.resolver = resolver
        return Simulation(world: world, strategy: Fixture.strategy(Opener.self, settings), seed: 1).allRecords()
    }

    private func firstByte(_ everything: AllRecords) -> TimeSpan? {
        everything.records.first { $0.kind == .opened }.map { $0.at - .zero }
    }

    /// Broken: the cost of a name before the first byte: a round trip on the link and the resolver's processing time.
    @Test func aNameCostsARoundTrip() throws {
        let without = try #require(firstByte(run(nil)))
        let named = run(Resolver(work: .milliseconds(30)))
        let with = try #require(firstByte(named))
        #expect(.milliseconds(50) <= with - without && with - without < .milliseconds(52))
        #expect(named.ledger.bytes(.up, for: .dns, on: .wifi) == Int128(Resolver.questionBytes))
        #expect(named.ledger.bytes(.down, for: .dns, on: .wifi) == Int128(Resolver.answerBytes))
        #expect(named.records.filter { $0.kind == .resolved }.map(\.tag) == [0])
    }

    /// Broken: the cost of broken IPv6 (square/okhttp#6486, #5186). The first byte arrives within 0.6 s with a race,
    /// and after 60.16 s or 10 s without.
    @Test func aBrokenAddressCostsTheWholeTimeout() throws {
        let broken = Resolver(ipv6: .broken)
        let racing = try #require(firstByte(run(broken)))
        #expect(racing < .milliseconds(600) && .milliseconds(250) < racing)
        let patient = try #require(firstByte(run(broken, [("races", "false"), ("patience", "60s")])))
        #expect(.seconds(60) < patient && patient < .milliseconds(60_160))
        let hasty = try #require(firstByte(run(broken, [("races", "false"), ("patience", "10s")])))
        #expect(.seconds(10) < hasty && hasty < .milliseconds(10_160))
    }

    /// Broken: an unreachable resolver. The attempt fails as unresolved after 5 s × 2, again and again until names
    /// resolve.
    @Test func namesThatDoNotResolve() throws {
        let gone = run(
            Resolver(),
            changes: [
                TimelineEntry(at: .zero, .names(resolve: false)),
                TimelineEntry(at: .zero + .seconds(24), .names(resolve: true)),
            ])
        let failures = gone.records.filter { $0.kind == .failed }
        #expect(failures.map { $0.at.nanoseconds / 1_000_000_000 } == [10, 20])
        #expect(failures.allSatisfy { $0.tag == FailureCode.unresolved.rawValue })
        #expect(gone.records.filter { $0.kind == .resolved }.map(\.tag) == [2, 2, 0])
        let opened = try #require(firstByte(gone))
        #expect(.seconds(25) < opened && opened < .milliseconds(25_200))
    }

    /// Broken: the name cache. A reconnect within the TTL sends no query; after a change of address the name is
    /// resolved again.
    @Test func aCachedNameIsNotQueried() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(10))
        world.resolver = Resolver(ttl: .minutes(30))
        world.middleboxes.server = [Middlebox(tcp: .seconds(60), expiryAction: .close)]
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(300), .pathDown(.cellular, .error)),
            TimelineEntry(at: .zero + .seconds(301), .pathUp(.cellular, .plain)),
        ]
        let everything = Simulation(
            world: world, strategy: Fixture.strategy(Patient.self, [("ping", "20m")]), seed: 1
        ).allRecords()
        let tags = everything.records.filter { $0.kind == .resolved }.map(\.tag)
        #expect(tags.filter { $0 == 0 }.count == 2 && tags.first == 0)
        #expect(tags.filter { $0 == 1 }.count >= 4)
    }

    /// Broken: a slow resolver delays unrelated traffic. From 60 s on it takes three seconds per query; the probes of
    /// every second are answered as usual.
    @Test func aSlowResolverDelaysNoOtherTraffic() {
        func probes(_ resolver: Resolver?) -> [Int64] {
            var world = Fixture.wifiWorld(Traffic(probe: .every(.seconds(1))), horizon: .minutes(2))
            world.resolver = resolver
            world.timeline.append(TimelineEntry(at: .zero + .milliseconds(59_900), .readdress(.wifi, .error)))
            let run = RecoveringClient(.webSocket).run(world)
            if resolver != nil {
                #expect(run.values(.resolved).contains { $0 > TimeSpan.seconds(3).nanoseconds })
            }
            return run.values(.probeAnswered)
        }
        let slow = probes(Resolver(ttl: .seconds(1), timeout: .seconds(10), work: .seconds(3)))
        #expect(slow.count == probes(nil).count)
        #expect(slow.allSatisfy { $0 < TimeSpan.milliseconds(500).nanoseconds }, "\(slow.max() ?? 0)")
    }
}
