import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

/// Phones with more networks than Wi-Fi and a cellular one.
@Suite struct FurtherNetworkTests {
    private static let bluetooth = ShippedRadios.profiles.first { $0.technology == .bluetooth }

    /// A watch: Bluetooth of its phone from minute 0 to 10 and from minute 20 on, and Wi-Fi at home.
    private func watch(_ order: [Interface] = [.bluetooth, .wifi], reach: Reach = .all) throws -> World {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(20), until: .zero + .minutes(29))), horizon: .minutes(30))
        (world.cellular, world.wifi, world.wifiLink) = (nil, Fixture.wifi, Fixture.link())
        world.platform = Platform.named("android-15")
        let radio = try #require(Self.bluetooth)
        world.furtherNetworks = [FurtherNetwork(.bluetooth, radio, links: [Fixture.link()])]
        world.preference = NetworkPreference(order)
        func minutes(_ count: Int64) -> Instant { .zero + .minutes(count) }
        world.timeline = [
            TimelineEntry(at: .zero, .pathUp(.bluetooth, Attachment(reach: reach))),
            TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
            TimelineEntry(at: minutes(10), .pathDown(.bluetooth, .error)),
            TimelineEntry(at: minutes(20), .pathUp(.bluetooth, .plain)),
        ]
        return world
    }

    private func run(_ world: World, _ connect: [(String, String)] = []) -> AllRecords {
        let settings = [("transport", [("kind", "websocket")]), ("on-path-change", [("available", "reconnect")])]
        let strategy = Fixture.composed(settings + (connect.isEmpty ? [] : [("connect", connect)]))
        return Simulation(world: world, strategy: strategy, seed: 3).allRecords()
    }

    /// The seconds in which Wi-Fi had a network: its first one and its last one.
    private func wifiTime(_ records: AllRecords) -> (from: Int64, until: Int64, total: Int64) {
        let periods = records.records.filter {
            guard let tag = $0.tag(of: .residency) else { return false }
            return tag.interface == .wifi && tag.level != .unassociated
        }
        .map { (end: $0.at - Instant.zero, length: TimeSpan.nanoseconds($0.value)) }
        let starts = periods.map { ($0.end - $0.length).nanoseconds / 1_000_000_000 }
        let ends = periods.map { $0.end.nanoseconds / 1_000_000_000 }
        let total = periods.reduce(Int64(0)) { $0 + $1.length.nanoseconds } / 1_000_000_000
        return (starts.min() ?? 0, ends.max() ?? 0, total)
    }

    /// Broken: a watch keeps its Wi-Fi up beside Bluetooth, does not use it without Bluetooth, or keeps it afterwards.
    @Test func aWatchUsesWiFiOnlyWithoutItsPhone() throws {
        let records = run(try watch())
        let wifi = wifiTime(records)
        #expect(wifi.from == 601, "a network that is needed comes up after a second")
        // Android keeps a network for 30 s after a better one is validated.
        #expect(1_230...1_235 ~= wifi.until, "\(wifi)")
        #expect(records.count(.sentDown) == records.count(.deliveredDown))
        #expect(records.ledger.bytes(.down, on: .bluetooth) > records.ledger.bytes(.down, on: .wifi))
        #expect(records.ledger.time(on: .bluetooth) == .minutes(30))
    }

    /// Broken: the order of preference has no effect, so a phone with Bluetooth behaves as a watch.
    @Test func aPhoneKeepsWiFiBesideBluetooth() throws {
        let records = run(try watch([.wifi, .bluetooth]))
        #expect(wifiTime(records).total == 1_800)
        #expect(records.ledger.bytes(.down, on: .bluetooth) == 0)
    }

    /// Broken: an app that asks for Wi-Fi uses the network that the system prefers, or Wi-Fi stays down.
    @Test func anAppThatAsksForWiFiGetsIt() throws {
        let records = run(try watch(), [("network", "wifi")])
        #expect(wifiTime(records).total == 1_800)
        #expect(records.ledger.bytes(.down, on: .bluetooth) == 0 && records.count(.deliveredDown) > 80)
    }

    /// Broken: a network leads to a host that it does not reach, or the system takes a network without internet for one
    /// with internet.
    @Test(arguments: Reach.allCases)
    func aNetworkLeadsToSomeHostsOnly(_ reach: Reach) throws {
        var world = try watch(reach: reach)
        world.wifi = nil
        world.horizon = .zero + .minutes(9)
        world.traffic.down = .every(.seconds(20), until: .zero + .minutes(8))
        world.timeline = [world.timeline[0], TimelineEntry(at: .zero + .minutes(5), .push(urgent: true))]
        let records = run(world)
        #expect(records.count(.opened) == (reach == .all || reach == .server ? 1 : 0), "\(reach)")
        #expect(records.count(.pushed) == (reach == .all || reach == .internet ? 1 : 0), "\(reach)")
        let told = records.records.compactMap { $0.tag(of: .networkTold) }
        #expect(told.contains(.unvalidated) == (reach == .server || reach == .nothing), "\(reach) \(told)")
    }

    /// Broken: on Android, a network without internet keeps the default from one with internet.
    @Test func aNetworkWithoutInternetIsNotTheDefault() throws {
        let records = run(try watch(reach: .nothing))
        #expect(wifiTime(records).from <= 2 && records.ledger.bytes(.down, on: .wifi) > 0)
        #expect(records.count(.sentDown) == records.count(.deliveredDown))
    }

    /// Broken: a second SIM is up beside the first one, or does not replace it.
    @Test func theSecondSIMReplacesTheFirst() throws {
        var world = Fixture.cellularWorld(Traffic(down: .every(.seconds(20))), horizon: .minutes(20))
        world.platform = Platform.named("android-15")
        let radio = try #require(world.cellular)
        world.furtherNetworks = [FurtherNetwork(.sim2, radio, links: [Fixture.link()])]
        world.timeline = [
            TimelineEntry(at: .zero, .pathUp(.cellular, .plain)), TimelineEntry(at: .zero, .pathUp(.sim2, .plain)),
            TimelineEntry(at: .zero + .minutes(10), .pathDown(.cellular, .silent)),
        ]
        let records = run(world)
        let changes = records.records.filter { $0.kind == .networkTold }.map(\.value)
        #expect(changes == [3, 3] || changes == [3], "\(changes)")
        #expect(records.ledger.bytes(.down, on: .sim2) > 0 && records.ledger.bytes(.down, on: .cellular) > 0)
        let promotions = records.records.compactMap { $0.tag(of: .promotion) }
        #expect(Set(promotions) == [.cellular, .sim2])
    }
}
