import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Damaged files and values far out of range. Each ended the command by a trap or took minutes.
struct DamagedInputTests {
    @Test(arguments: [
        "matrix: {traffic.up.every: [1s, 2s]}\n",
        "population:\n  office: {phones: 2}\n  home: {phones: 2}\n",
    ])
    func aFaultyDistributionThatIsReadTwiceIsOneFault(_ more: String) throws {
        // Broken: the second reading of the same fault counts as success, and its stand-in numbers trap.
        let workspace = try TestWorkspace()
        let faulty = TestWorkspace.scenario.replacing(
            "down: {every: 10s, arrivals: poisson, size: 300B}",
            with: "down: {every: 10s, size: {pareto: {scale: 300B, shape: 0}}}\n  up: {every: 10s, size: 20B}")
        #expect(faulty != TestWorkspace.scenario)
        try workspace.write("a.yaml", faulty + more)
        let outcome = workspace.run("lint @a.yaml")
        #expect(outcome.code == .badInput && outcome.errors.contains("shape"), "\(outcome.errors)")
    }

    @Test func aBoundaryHasNoBaseline() throws {
        // Broken: `boundary` traps on a bound that refers to a baseline.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let outcome = workspace.run(
            "boundary @a.yaml --vary traffic.down.every --range 5s,60s --expect zombie.max:\u{a0}within\u{a0}1%\u{a0}of\u{a0}baseline"
        )
        #expect(outcome.code == .usage && outcome.errors.contains("a boundary has no baseline"), "\(outcome.errors)")
    }

    /// Round trips after silences from 1 s to 20 s: above a silence of `release` the radio is asleep.
    private func probes(asleepAfter release: Double, extra: [String] = []) -> String {
        let rows = (0..<200).map { index in
            let silence = 1 + Double(index % 20)
            return "\(silence),\(silence > release ? 900 + index : 50 + index % 7)"
        }
        return "interval,RTT1\n" + (rows + extra).joined(separator: "\n") + "\n"
    }

    private func fit(_ csv: String) throws -> TestWorkspace.Outcome {
        let workspace = try TestWorkspace()
        try workspace.write("probes.csv", csv)
        return workspace.run("fit --silences @probes.csv --base lte-verizon-2021")
    }

    @Test func silencesWithoutAConnectedRadioAreUndetermined() throws {
        // Broken: `fit` traps if no probe found the radio connected.
        let rows = (0..<200).map { $0 % 2 == 0 ? "1,50" : "5,900" }
        let outcome = try fit("interval,RTT1\n" + rows.joined(separator: "\n") + "\n")
        #expect(outcome.code == .ok && outcome.output.contains("no probe found the radio connected"), "\(outcome)")
    }

    @Test(arguments: ["1e18,100", "5,1e30", "-4,100", "nan,100", "5,inf", "86401,50"])
    func probesBeyondAnyRadioAreLeftOut(_ row: String) throws {
        // Broken: one huge silence or round trip traps in a conversion to nanoseconds.
        let (plain, damaged) = (try fit(probes(asleepAfter: 10)), try fit(probes(asleepAfter: 10, extra: [row])))
        #expect(plain.code == .ok && damaged.code == .ok, "\(damaged.errors)")
        #expect(plain.output == damaged.output)
    }

    @Test(arguments: [[], ["--format html", "--out @out"]])
    func aClockThatJumpsByCenturiesIsReplayed(_ flags: [String]) throws {
        // Broken: `replay` traps if the times of a capture differ by more than 292 years.
        var file = PcapngWriter()
        file.addInterface(linkType: 101)
        let packet = PacketBytes.ipv4(PacketBytes.udp(1_000, 2_000))
        for second in [0, 1, 9_300_000_000, 9_300_000_001, 18_400_000_000] as [UInt64] {
            file.add(packet, at: second * 1_000_000)
        }
        let workspace = try TestWorkspace()
        try workspace.write("jump.pcapng", file.bytes)
        let outcome = workspace.run(
            (["replay @jump.pcapng --profile lte-verizon-2021"] + flags).joined(separator: " "))
        #expect(outcome.code == .ok && outcome.errors.isEmpty, "\(outcome.errors)")
        if flags.isEmpty {
            #expect(outcome.output.contains("the time jumps forward by 107638 days"), "\(outcome.output)")
        }
    }

    @Test func aNameOfAMegabyteIsUnknown() throws {
        // Broken: `explain` takes minutes to compare a long text with every name and page.
        let workspace = try TestWorkspace()
        let outcome = workspace.run(
            "explain " + String(repeating: "ping ", count: 200_000).replacing(" ", with: "\u{a0}"))
        #expect(outcome.code == .usage && outcome.errors.count < 2_000, "\(outcome.code)")
    }
}
