import DeadzoneCommand
import Foundation
import Testing

/// `signal: weak` has the measured effect where one was measured, and is refused elsewhere.
struct SignalTests {
    private static func scenario(_ timeline: String, radio: String = "nr-nsa-mmwave-verizon-2021", more: String = "")
        -> String
    {
        """
        version: 1
        name: Signal
        duration: 5m
        phone: {radios: {cellular: \(radio)\(more)}}
        links: {cellular: {delay: 15ms, rate: 1600Mbps}}
        timeline: [{at: 0s, cellular: on}\(timeline)]
        traffic: {down: {every: 60s, size: 20MB}}
        strategies: {client: {strategy: patient}}
        """
    }

    private func document(_ text: String) throws -> [String: Any] {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", text)
        let result = workspace.run("run @a.yaml --json")
        let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return try #require(document, "\(result.errors)")
    }

    private func metrics(_ text: String) throws -> [String: Any] {
        let document = try document(text)
        let strategies = try #require(document["strategies"] as? [[String: Any]])
        return try #require(strategies[0]["metrics"] as? [String: Any])
    }

    private func number(_ name: String, _ metrics: [String: Any]) throws -> Double {
        try #require(metrics[name] as? Double, "\(name)")
    }

    /// Broken: a weak signal costs nothing, closes the connection, or continues after its end.
    @Test func weakSignalIsSlowerAndCostsMore() throws {
        let good = try metrics(Self.scenario(""))
        let weak = try metrics(Self.scenario(", {at: 10s, signal: weak}"))
        let passing = try metrics(Self.scenario(", {at: 10s, signal: weak, for: 110s}"))
        let ended = try metrics(Self.scenario(", {at: 10s, signal: weak}, {at: 2m, signal: usual}"))
        // 20 MB take 0.77 s at 207 Mbit/s and 0.1 s at 1,600 Mbit/s.
        let slower = try number("latency.down.max", weak) - number("latency.down.max", good)
        #expect((500...900).contains(slower), "\(slower) ms")
        // 664 Mbit at 4.71 instead of 1.81 mW/Mbps, minus 0.38 W of base power for some four seconds.
        let dearer = try number("battery.joules", weak) - number("battery.joules", good)
        #expect((0.3...0.9).contains(dearer), "\(dearer) J")
        for name in ["connection.handshakes", "delivery.down.delivered"] {
            #expect(try number(name, weak) == number(name, good), "\(name)")
        }
        let joules = try number("battery.joules", passing)
        #expect(try joules < number("battery.joules", weak) && joules > number("battery.joules", good))
        #expect(try number("battery.joules", ended) == joules)
    }

    /// Broken: a saved baseline does not distinguish a weak signal from a good one.
    @Test func weakSignalChangesTheWorldHash() throws {
        let hashes = try ["", ", {at: 10s, signal: weak}", ", {at: 10s, signal: weak, for: 1m}"].map {
            let scenario = try document(Self.scenario($0))["scenario"] as? [String: Any]
            return try #require(scenario?["world_hash"] as? String)
        }
        #expect(Set(hashes).count == 3)
    }

    /// Broken: a network without a measured weak signal gets numbers for one, or a second `signal: weak` is accepted.
    @Test(arguments: [
        (", {at: 1m, signal: weak}", "lte-verizon-2021", "has no values for a weak signal"),
        (", {at: 1m, signal: weak}", "nr-sa-low-tmobile-2021", "has no values for a weak signal"),
        (", {at: 1m, signal: weak}, {at: 2m, signal: weak}", "nr-nsa-mmwave-verizon-2021", "weak already"),
        (", {at: 1m, signal: usual}", "nr-nsa-mmwave-verizon-2021", "as usual already"),
        (
            ", {at: 1m, signal: weak, for: 1m}, {at: 90s, conditions: {cellular: emulator-edge}}",
            "nr-nsa-mmwave-verizon-2021", "the signal is still weak"
        ),
        (
            ", {at: 1m, conditions: {cellular: emulator-edge}, for: 1m}, {at: 90s, signal: weak}",
            "nr-nsa-mmwave-verizon-2021", "the previous conditions still hold"
        ),
    ])
    func unmeasuredWeakSignalIsRefused(timeline: String, radio: String, problem: String) throws {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.scenario(timeline, radio: radio))
        let result = workspace.run("lint @a.yaml")
        #expect(
            result.code != .ok && (result.output + result.errors).contains(problem), "\(result.output)\(result.errors)")
    }

    /// Broken: a custom profile cannot define a weak signal, or the weak signal of one technology is used for another.
    /// Also broken: a link that is slower than the weakest signal becomes faster.
    @Test func customProfileDefinesAWeakSignal() throws {
        let own = "lte-verizon-2021, weak-signal-cost-down: 100mW/Mbps}"
        let good = try metrics(Self.scenario("", radio: "{profile: lte-verizon-2021}"))
        let weak = try metrics(Self.scenario(", {at: 0s, signal: weak}", radio: "{profile: " + own))
        #expect(try number("battery.joules", weak) > number("battery.joules", good) + 10)
        #expect(try number("latency.down.max", weak) == number("latency.down.max", good))
        let both = try metrics(
            Self.scenario(
                ", {at: 10s, technology: lte}, {at: 20s, signal: weak}, {at: 3m, signal: usual}, {at: 3m, technology: cellular}",
                more: ", lte: {profile: " + own))
        #expect(try number("delivery.down.delivered", both) == 4)
    }
}
