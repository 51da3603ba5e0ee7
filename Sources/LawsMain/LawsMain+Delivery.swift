import DeadzoneCatalog
import DeadzoneClient
import DeadzoneHost
import DeadzoneLaws
import DeadzoneScenarios
import DeadzoneSettings

extension LawsMain {
    /// What clients claim of their messages, over random worlds.
    static func deliver(_ seeds: ClosedRange<UInt64>, _ output: Console) -> Int32 {
        guard let composed else { return 70 }
        let sweep = DeliverySweep(radios: radios, composed: composed)
        let findings = Workers.run(count: seeds.count, jobs: Machine.cores) {
            sweep.finding(seeds.lowerBound + UInt64($0))
        }.compactMap(\.self)
        let failures = findings.filter { !$0.broken.isEmpty }
        for failure in failures.prefix(10) {
            output.write(
                "delivery, seed \(failure.seed), \(failure.client): \(failure.broken.joined(separator: "; "))\n")
            output.write("  to repeat: deadzone-laws --delivery \(failure.seed)\n")
        }
        for (place, sight) in DeliverySweep.sights.enumerated() {
            output.write("\(sight.name): in \(findings.count { $0.seen[place] }) worlds\n")
        }
        output.write("\(findings.count) clients with claims, \(failures.count) did not keep them\n")
        return failures.isEmpty ? 0 : 1
    }

    /// The chaos test for the article's client as written, and for one that does it right. 0 if that one loses nothing.
    static func rage(_ cycles: Int, _ output: Console) -> Int32 {
        var worst: Int32 = 0
        for (name, text) in ChaosSweep.clients {
            guard let composed, let node = compose(Array(text.utf8)).node else { return 70 }
            var reader = SettingsReader(node, of: name)
            let client = composed.make(&reader)
            guard reader.faults.isEmpty else { return 70 }
            let sweep = ChaosSweep(radios: radios)
            var tally = ChaosSweep.Tally()
            var seed: UInt64 = 1
            while tally.disconnects < cycles {
                let first = seed
                let tallies = Workers.run(count: 64, jobs: Machine.cores) { sweep.tally(first + UInt64($0), client) }
                for one in tallies.compactMap(\.self) { tally.add(one) }
                seed += 64
            }
            output.write(
                "\(name): \(tally.disconnects) disconnects in \(tally.runs) runs (seeds 1 to \(seed - 1)), \(tally.sent) messages, "
            )
            output.write(
                "\(tally.lost) lost, \(tally.duplicated) duplicated, \(tally.pending) on their way at the end, ")
            output.write("\(tally.killedInFlight) kills in mid-message\n")
            if name == ChaosSweep.repaired, tally.lost + tally.duplicated + tally.pending > 0 { worst = 1 }
        }
        return worst
    }

    private static let radios = RandomWorld.Radios(ProfileReader.profiles(on: Clients.profiles))
    private static let composed = Catalog.strategies.first { $0.name == "composed" }
}
