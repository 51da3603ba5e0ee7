import DeadzoneCatalog
import DeadzoneClient
import DeadzoneHost
import DeadzoneLaws
import DeadzoneProfiles
import DeadzoneScenarios
import DeadzoneSettings

/// `deadzone-laws`: laws over many seeds, in an optimized build.
enum LawsMain {
    static let usage = """
        deadzone-laws                  10,000 random worlds
        deadzone-laws --seeds 100000   so many
        deadzone-laws --seed 4711      this one

        """

    /// 0 all laws hold, 1 one does not, 2 usage.
    static func run(_ words: [String], _ output: Console, _ errors: Console) -> Int32 {
        defer { output.flush() }
        switch (words.first, words.dropFirst().first.flatMap { UInt64($0) }, words.count) {
        case (nil, _, _): return sweep(1...10_000, output)
        case ("--seeds", let count?, 2) where count > 0: return sweep(1...count, output)
        case ("--seed", let seed?, 2): return sweep(seed...seed, output)
        default:
            errors.write(usage)
            errors.flush()
            return 2
        }
    }

    private static func sweep(_ seeds: ClosedRange<UInt64>, _ output: Console) -> Int32 {
        let shelf = shippedProfiles.map { ProfileText(name: $0.name, text: $0.text) }
        let sweep = WorldSweep(radios: .init(ProfileReader.profiles(on: shelf)), clients: clients)
        let findings = Workers.run(count: seeds.count, jobs: Machine.cores) {
            sweep.finding(seeds.lowerBound + UInt64($0))
        }.compactMap(\.self)
        let failures = findings.filter { !$0.broken.isEmpty }
        for failure in failures.prefix(10) {
            output.write("seed \(failure.seed), \(failure.client): \(failure.broken.joined(separator: "; "))\n")
            output.write("  to repeat: deadzone-laws --seed \(failure.seed)\n")
        }
        for (place, sight) in WorldSweep.sights.enumerated() {
            output.write("\(sight.name): in \(findings.count { $0.seen[place] }) worlds\n")
        }
        output.write("\(findings.count) worlds, \(failures.count) broke a law\n")
        return failures.isEmpty ? 0 : 1
    }

    /// Every strategy with its own defaults.
    private static let clients = Catalog.strategies.map { kind in
        var settings = SettingsReader.describing(kind.name)
        return kind.make(&settings)
    }
}
