import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Networks that block UDP, and clients with several transports on them.
@Suite struct BlockedProtocolTests {
    private static let box = Middlebox(udp: Middlebox.blocked)

    /// Cellular from the start, and Wi-Fi from the second minute. `blocked` lists the interfaces without UDP.
    private func world(_ blocked: [Interface], changes: [TimelineEntry] = [], minutes: Int64 = 6) -> World {
        var world = World(
            horizon: .zero + .minutes(minutes), wifi: Fixture.wifi, cellular: Fixture.lte,
            wifiLink: Fixture.link(delay: .milliseconds(10)), cellularLink: Fixture.link(),
            timeline: [
                TimelineEntry(at: .zero, .pathUp(.cellular, .plain)),
                TimelineEntry(at: .zero + .minutes(2), .pathUp(.wifi, .plain)),
            ] + changes, traffic: Traffic(down: .every(.seconds(5)), up: .every(.seconds(7))))
        if blocked.contains(.cellular) { world.middleboxes.cellular = [Self.box] }
        if blocked.contains(.wifi) { world.middleboxes.wifi = [Self.box] }
        return world
    }

    private func run(_ world: World, _ settings: String) -> AllRecords {
        Simulation(world: world, strategy: Fixture.composed(settings), seed: 3).allRecords()
    }

    private func records(_ run: AllRecords, _ kind: RecordKind) -> [Record] { run.records.filter { $0.kind == kind } }

    private static let common =
        "connect: {timeout: 5s}, backoff: {base: 1s, cap: 1s, jitter: none}, on-path-change: reconnect, keepalive: 20s"

    /// Broken: a QUIC connection opens on a network that blocks UDP, an attempt there lasts longer than its limit or is
    /// recorded twice, or TCP meets the same box.
    @Test func noQUICConnectionOpens() {
        let blocked = run(world([.cellular, .wifi]), "{transport: quic, \(Self.common)}")
        #expect(blocked.count(.opened) == 0 && blocked.count(.deliveredDown) == 0)
        let attempts = blocked.count(.connecting)
        #expect((55...62).contains(attempts), "\(attempts)")
        #expect((attempts - 1...attempts).contains(blocked.count(.protocolBlocked)))
        let silent = records(blocked, .silent).compactMap { $0.tag(of: .silent)?.cause }
        #expect(silent.last == .notConnected)
        // The promotion ends after 260 ms.
        let first = records(blocked, .protocolBlocked)[0]
        #expect(first.tag(of: .protocolBlocked) == .cellular && first.at < .zero + .seconds(1))

        let tcp = "{transport: http2, \(Self.common)}"
        #expect(run(world([.cellular, .wifi]), tcp).records == run(world([]), tcp).records)
        let half = run(world([.cellular]), "{transport: quic, \(Self.common)}")
        #expect(half.count(.opened) == 1 && records(half, .opened)[0].at >= .zero + .minutes(2))
    }

    /// Broken: a datagram flow counts as working although no datagram passes, or its losses are charged to a NAT.
    @Test func datagramsVanish() {
        let blocked = run(world([.cellular], minutes: 2), "{transport: datagram, keepalive: 20s}")
        #expect(blocked.count(.opened) > 0 && blocked.count(.deliveredDown) == 0)
        // A flow is open at once. The first datagram, after seven seconds, is the first that the box drops.
        let (available, zombie) = (blocked.sum(.available), blocked.sum(.zombie))
        #expect(available < 60_000_000_000 && zombie > 50_000_000_000, "\(available), \(zombie)")
        let causes = Set(records(blocked, .silent).compactMap { $0.tag(of: .silent)?.cause })
        #expect(causes.contains(.deadConnection) && !causes.contains(.mappingForgotten), "\(causes)")
    }

    /// Broken: a client with a ladder does not fall, falls without a record, or uses another transport than it should.
    @Test(arguments: [("network", [2, 1]), ("process", [1, 0])])
    func aLadderReachesTheServer(memory: String, changes: [Int]) {
        let ladder = "{transport: {ladder: [quic, http2], falls-after: 2s, remembers: \(memory)}, \(Self.common)}"
        let both = run(world([.cellular, .wifi]), ladder)
        #expect(both.count(.opened) == 2)
        let opened = records(both, .opened).map(\.at)
        #expect((2_000...3_000).contains(opened[0].nanoseconds / 1_000_000))
        let later = opened[1].nanoseconds / 1_000_000 - 120_000
        #expect(memory == "network" ? (2_000...3_000).contains(later) : later < 1_000, "\(later)")
        let kinds = records(both, .transportChanged).compactMap { $0.tag(of: .transportChanged) }
        #expect(kinds == (memory == "network" ? [.http2, .quic, .http2] : [.http2]))
        #expect(both.count(.protocolBlocked) == changes[0])
        // On a network without the box QUIC is used again, or never again.
        let free = run(world([.cellular]), ladder)
        let after = records(free, .transportChanged).filter { $0.at >= .zero + .minutes(2) }
        #expect(after.compactMap { $0.tag(of: .transportChanged) } == (changes[1] == 1 ? [.quic] : []))
        #expect(free.count(.opened) == 2 && free.count(.deliveredDown) > 60)
    }

    /// Broken: a QUIC connection that moves to a network without UDP is found dead, although it works again on its old
    /// network, or it is never given up, or giving it up counts as a mistake.
    @Test func aMovedConnectionIsCutOff() {
        let migrating = "on-path-change: {available: migrate, lost: ignore}, keepalive: {interval: 10s, timeout: 3s}"
        let rest = "connect: {timeout: 5s}, backoff: {base: 1s, cap: 1s, jitter: none}"
        let moved = run(
            world([.wifi]), "{transport: {ladder: [quic, http2], falls-after: 2s}, \(migrating), \(rest)}")
        #expect(moved.sum(.blocked) > 2_000_000_000 && moved.sum(.zombie) == 0)
        #expect(records(moved, .transportChanged).compactMap { $0.tag(of: .transportChanged) } == [.http2])
        let opened = records(moved, .opened).map(\.at)
        #expect(opened.count == 2 && opened[1] < .zero + .seconds(120 + 20))
        #expect(moved.count(.falseDrop) == 0)
    }

    /// Broken: an attempt with early data counts as an open connection before the server has answered. On a network
    /// without UDP no attempt opens, each lasts as long as its limit, and the waits grow as after failures.
    @Test func earlyDataOpensNoConnection() {
        let rest =
            "connect: {timeout: 5s}, backoff: {base: 1s, cap: 16s, jitter: none}, keepalive: {interval: 10s, timeout: 3s}"
        let moving = "on-path-change: {available: migrate, lost: ignore}"
        let early = run(
            world([.wifi], minutes: 8), "{transport: {kind: quic, tls: 1.3-early}, \(moving), \(rest)}")
        #expect(early.count(.opened) == 1 && early.count(.falseDrop) == 0)
        #expect(early.count(.protocolBlocked) > 5)
        let attempts = records(early, .connecting).map(\.at).dropFirst()
        let gaps = zip(attempts, attempts.dropFirst()).map { ($1 - $0).nanoseconds / 1_000_000_000 }
        #expect(gaps.prefix(5) == [7, 9, 13, 21, 21], "\(gaps)")
        let resumed = "{transport: {kind: quic, tls: 1.3-resumed}, \(moving), \(rest)}"
        let full = records(run(world([.wifi], minutes: 8), resumed), .connecting).map(\.at).dropFirst()
        #expect(attempts.count == full.count)
    }
}
