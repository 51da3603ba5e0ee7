import DeadzoneBase
import DeadzoneDevice
import DeadzoneScenarios
import DeadzoneTestKit
import Testing

/// Simulates the probes of RRC-Probe in the order in which the network sent them: a packet, the phone's answer, and a
/// silence that grows by 0.1 s each time. Each probe meets the state that the previous one left behind.
/// Raw round trips in milliseconds from github SIGCOMM21-5G/artifact@35aaf28, RRC-Probe/data, rows `YEP`.
@Suite struct ProbeTests {
    struct Network: Sendable, CustomStringConvertible {
        let name: String
        /// Probes after silences up to `connectedUntil` met a connected phone, those from `idleFrom` on an idle one. In
        /// tenths of a second.
        let connectedUntil, idleFrom, sweepUntil: Int
        /// Percentiles 5, 10 … 95 of the raw round trips of connected and of idle phones.
        let connected, idle: [Int]
        /// The first silence with a median round trip 50 ms above 99 % of the connected ones.
        let boundary: Int
        /// The grid of scheduling requests in milliseconds, if phones answer on one. Both sets of round trips are
        /// rounded to it.
        var grid = 1
        /// For a range of silences: the percentage of probes that met a connected phone, after a probe that had woken
        /// the phone and after one that had not.
        var history: [(from: Int, to: Int, woken: Int, connected: Int)] = []

        var description: String { name }
    }

    static let networks = [
        Network(
            name: "lte-tmobile-2021", connectedUntil: 45, idleFrom: 155, sweepUntil: 199,
            connected: [
                99, 100, 100, 100, 117, 120, 120, 120, 130, 140, 140, 140, 140, 155, 160, 160, 160, 190, 271,
            ],
            idle: [
                411, 501, 564, 610, 654, 710, 784, 834, 882, 932, 1002, 1058, 1105, 1180, 1245, 1292, 1372, 1489, 1534,
            ], boundary: 51, grid: 20, history: [(56, 199, 0, 0)]),
        Network(
            name: "lte-verizon-2021", connectedUntil: 95, idleFrom: 155, sweepUntil: 199,
            connected: [
                80, 90, 102, 116, 129, 150, 170, 182, 200, 220, 240, 259, 280, 290, 310, 322, 337, 359, 371,
            ],
            idle: [
                415, 499, 550, 622, 674, 722, 791, 835, 904, 955, 1019, 1069, 1120, 1194, 1250, 1320, 1400, 1482, 1532,
            ], boundary: 99, history: [(106, 199, 0, 0)]),
        Network(
            name: "nr-nsa-low-tmobile-2021", connectedUntil: 95, idleFrom: 155, sweepUntil: 199,
            connected: [
                91, 107, 124, 139, 155, 173, 189, 200, 219, 236, 250, 269, 282, 295, 317, 330, 350, 366, 380,
            ],
            idle: [
                484, 546, 616, 647, 711, 781, 827, 881, 934, 999, 1051, 1105, 1150, 1214, 1296, 1362, 1425, 1513, 1598,
            ], boundary: 99, history: [(103, 114, 100, 0), (118, 150, 0, 0)]),
        // Two phones.
        Network(
            name: "nr-nsa-low-verizon-2021", connectedUntil: 95, idleFrom: 190, sweepUntil: 399,
            connected: [
                78, 92, 101, 116, 131, 148, 163, 182, 199, 219, 235, 254, 271, 287, 303, 321, 338, 359, 374,
            ],
            idle: [
                395, 468, 541, 600, 667, 743, 797, 858, 923, 987, 1051, 1108, 1172, 1231, 1292, 1360, 1411, 1479, 1547,
            ], boundary: 102,
            history: [(103, 113, 51, 3), (115, 140, 22, 8), (141, 186, 10, 9), (190, 399, 0, 0)]),
        Network(
            name: "nr-nsa-mmwave-verizon-2021", connectedUntil: 95, idleFrom: 155, sweepUntil: 199,
            connected: [62, 67, 70, 75, 77, 80, 82, 88, 94, 97, 101, 103, 108, 115, 118, 120, 123, 129, 138],
            idle: [
                416, 460, 540, 606, 659, 702, 758, 826, 873, 920, 1000, 1044, 1103, 1145, 1216, 1303, 1388, 1456, 1518,
            ], boundary: 102, history: [(103, 114, 100, 0), (119, 150, 0, 0)]),
        // Without the ends of two sweeps, in which answers are missing or other traffic kept the phone connected.
        Network(
            name: "nr-sa-low-tmobile-2021", connectedUntil: 95, idleFrom: 155, sweepUntil: 199,
            connected: [79, 79, 79, 79, 80, 80, 80, 87, 99, 99, 99, 99, 99, 100, 100, 100, 119, 119, 121],
            idle: [
                530, 574, 645, 726, 757, 831, 889, 913, 984, 1042, 1080, 1145, 1221, 1278, 1386, 1427, 1520, 1583, 1681,
            ], boundary: 100, grid: 20, history: [(102, 147, 100, 0), (150, 199, 0, 0)]),
    ]

    /// One probe: the silence before it in tenths of a second, its round trip, and the state of the phone.
    private struct Probe {
        var silence: Int
        var milliseconds: Double
        var wasConnected: Bool
        var isAfterWake: Bool
    }

    /// Broken: release, DRX or paging differ from those of the network, or tails depend on the state instead of the
    /// history.
    @Test(arguments: networks)
    func simulatedProbesMatchRawProbes(_ network: Network) throws {
        let profile = try #require(Shipped.reading(network.name)).profile
        let probes = (0..<32).flatMap { sweep(profile, network, seed: $0) }
        let connected = probes.filter { 5...network.connectedUntil ~= $0.silence }
        let idle = probes.filter { network.idleFrom <= $0.silence }
        let connectedApart = Self.distance(connected, network.connected, grid: network.grid)
        #expect(connectedApart < 0.15, "connected: \(connectedApart)")
        let idleApart = Self.distance(idle, network.idle, grid: 1)
        #expect(idleApart < 0.15, "idle: \(idleApart)")
        let boundary = Self.boundary(probes, beyond: connected)
        #expect(abs(boundary - network.boundary) <= 3, "released at \(boundary)")
        for window in network.history {
            let met = probes.filter { window.from...window.to ~= $0.silence }
            for (isAfterWake, percent) in [(true, window.woken), (false, window.connected)] {
                let those = met.filter { $0.isAfterWake == isAfterWake }
                guard those.count > 20 else { continue }
                let share = those.count { $0.wasConnected } * 100 / those.count
                #expect(abs(share - percent) <= 10, "\(window), after a wake: \(isAfterWake): \(share) %")
            }
        }
    }

    /// One phone through one sweep. The path's delay is the smallest connected round trip, less 10 ms, and up to 25 ms
    /// in the Internet.
    private func sweep(_ profile: RadioProfile, _ network: Network, seed: UInt64) -> [Probe] {
        var radio = Radio(profile: profile, phases: RadioPhases.draw(profile, seed: seed, phone: PhoneID(1)), at: .zero)
        var dice = Dice(seed: seed, phone: PhoneID(1), purpose: .test)
        let half = TimeSpan.milliseconds(Int64(network.connected[0] - 10)) / 2
        var (sent, now, wasWoken) = (Instant.zero + .seconds(30), Instant.zero, true)
        var probes: [Probe] = []
        func run(until end: Instant) {
            while radio.nextTransition <= end {
                now = radio.nextTransition
                _ = radio.advance(profile)
            }
            now = end
        }
        func burst(_ direction: Direction) -> Burst {
            Burst(direction: direction, bytes: 0, airtime: .zero, cause: .payload)
        }
        for silence in 0...network.sweepUntil {
            run(until: sent + half + .nanoseconds(Int64(dice.next().scaled(below: 25_000_000))))
            let isConnected = radio.level != .idle
            let flowsAt = radio.carry(burst(.down), at: now, profile).flowsAt
            run(until: flowsAt)
            _ = radio.carry(burst(.up), at: now, profile)
            let answered = now + half
            probes.append(
                Probe(
                    silence: silence, milliseconds: Double((answered - sent).nanoseconds) / 1e6,
                    wasConnected: isConnected, isAfterWake: wasWoken))
            wasWoken = !isConnected
            sent = answered + .milliseconds(100 * Int64(silence + 1))
        }
        return probes
    }

    /// The largest distance between the two distribution functions at the known percentiles.
    private static func distance(_ probes: [Probe], _ raw: [Int], grid: Int) -> Double {
        let sorted = probes.map { onGrid($0.milliseconds, grid) }.sorted()
        let raw = raw.map { onGrid(Double($0), grid) }
        return raw.indices.map { index in
            let below = Double(sorted.count { $0 < raw[index] }) / Double(sorted.count)
            let upTo = Double(sorted.count { $0 <= raw[index] }) / Double(sorted.count)
            let first = Double(raw.firstIndex(of: raw[index])! + 1) / 20
            let last = Double(raw.lastIndex(of: raw[index])! + 1) / 20
            return max(below - first, last - upTo, 0)
        }.max()!
    }

    private static func onGrid(_ milliseconds: Double, _ grid: Int) -> Double {
        grid == 1 ? milliseconds : (milliseconds / Double(grid)).rounded() * Double(grid)
    }

    private static func boundary(_ probes: [Probe], beyond connected: [Probe]) -> Int {
        let sorted = connected.map(\.milliseconds).sorted()
        let limit = sorted[sorted.count * 99 / 100] + 50
        return (6...).first { silence in
            let trips = probes.filter { $0.silence == silence }.map(\.milliseconds).sorted()
            return limit < trips[trips.count / 2]
        }!
    }
}
