import DeadzoneClient
import DeadzoneHost
import DeadzoneLaws
import DeadzoneScenarios
import DeadzoneStrategies

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
            let shortest = failure.shortest.joined(separator: ", ")
            output.write("  no more than this has to happen: \(shortest.isEmpty ? "nothing" : shortest)\n")
            output.write("  to repeat: deadzone-laws --delivery \(failure.seed)\n")
        }
        for (place, sight) in DeliverySweep.sights.enumerated() {
            output.write("\(sight.name): in \(findings.count { $0.seen[place] }) worlds\n")
        }
        output.write("\(findings.count) clients with claims, \(failures.count) did not keep them\n")
        return failures.isEmpty ? 0 : 1
    }

    /// What clients in a pocket do with their visits, over random worlds.
    static func visit(_ seeds: ClosedRange<UInt64>, _ output: Console) -> Int32 {
        guard let composed else { return 70 }
        let sweep = VisitSweep(radios: radios, composed: composed)
        let findings = Workers.run(count: seeds.count, jobs: Machine.cores) {
            sweep.finding(seeds.lowerBound + UInt64($0))
        }.compactMap(\.self)
        let failures = findings.filter { !$0.broken.isEmpty }
        for failure in failures.prefix(10) {
            output.write(
                "visits, seed \(failure.seed), \(failure.client): \(failure.broken.joined(separator: "; "))\n")
            output.write("  to repeat: deadzone-laws --visits \(failure.seed)\n")
        }
        for (place, sight) in VisitSweep.sights.enumerated() {
            output.write("\(sight): in \(findings.count { $0.seen[place] }) worlds\n")
        }
        output.write("\(findings.count) clients that visit, \(failures.count) broke a law\n")
        return failures.isEmpty ? 0 : 1
    }

    /// Who goes through the chaos test: the article's client, and ours, which has to lose nothing and to show nothing twice.
    private static let raging = ["article-websocket", "deadzone-recommended"]

    /// 0 if the last of them does what it has to.
    static func rage(_ cycles: Int, _ output: Console) -> Int32 {
        var isPassed = false
        for name in raging {
            guard let client = Clients.all.first(where: { $0.name == name })?.strategy else { return 70 }
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
            let failure = tally.firstFailure.map { ", the first failure with seed \($0)" } ?? ""
            output.write("\(tally.killedInFlight) kills in mid-message\(failure)\n")
            isPassed = tally.lost + tally.duplicated + tally.pending == 0
        }
        return isPassed ? 0 : 1
    }

    private static let radios = RandomWorld.Radios(ProfileReader.profiles(on: Clients.profiles))
    private static let composed = Catalog.strategies.first { $0.name == "composed" }
}
