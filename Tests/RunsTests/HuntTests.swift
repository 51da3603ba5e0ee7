import DeadzoneBase
import DeadzoneLaws
import DeadzoneMetrics
import DeadzoneScenarios
import Testing

@testable import DeadzoneRuns

/// The search for worlds that break a client.
struct HuntTests {
    private static func loaded(_ text: String) -> LoadedScenarios {
        ScenarioLoader(.standard, read: ScenarioFiles.read).load(Array(text.utf8), name: "chat.yaml")
    }

    private static func plan(
        _ loaded: LoadedScenarios, strategy: String, _ demand: String, budget: Int = 2_000
    ) throws -> HuntPlan {
        var request = HuntRequest(file: "chat.yaml", loaded, demands: [demand])
        request.strategy = strategy
        request.budget = budget
        return try HuntPlan(request, .standard)
    }

    private static func find(_ plan: HuntPlan, jobs: Int = 1) throws -> (HuntSearch.FoundWorld, HuntShrinker)? {
        let task = plan.task(Array(plan.demands.indices))
        let executor = ParallelExecutor(jobs: jobs)
        var search = HuntSearch(
            task, by: executor, seed: plan.seed, budget: plan.request.budget, isUnguided: plan.request.isUnguided)
        let isComplete = search.run(executor.progress("test", total: 0))
        #expect(isComplete)
        guard let found = search.found.first else { return nil }
        var shrinker = HuntShrinker(found, HuntEvaluator(task))
        let isShrunk = shrinker.shrink()
        #expect(isShrunk)
        return (found, shrinker)
    }

    // MARK: Worlds

    /// Scenarios with different parts, so that every kind of disturbance can happen in one of them.
    private static let texts = [
        """
        version: 1
        name: An iPhone
        duration: 30m
        phone: {platform: ios-18, radios: {cellular: lte-verizon-2021}}
        resolver: {}
        timeline: [{at: 0s, app: background, screen: off}, {at: 20m, app: foreground, screen: on}]
        traffic: {calls: {every: 1m, size: 300B, answer: 2KiB}}
        server: {rate-limit: {every: 100ms, burst: 10}}
        strategies: {broken: {strategy: composed, transport: grpc}}

        """,
        """
        version: 1
        name: No operating system
        duration: 30m
        phone: {radios: {wifi: wifi-oneplus-8, cellular: lte-verizon-2021}}
        timeline: [{at: 0s, cellular: on, wifi: off}]
        strategies: {broken: {strategy: patient}}

        """,
    ]

    @Test func everyWorldLints() throws {
        // Broken: a disturbance is written with a key, a time or a state that the language refuses, so the search runs
        // fewer worlds than it counts.
        var seen: Set<TimedDisturbance.DisturbanceKind> = []
        for ground in Self.texts.map(Self.loaded) + [PlantedFaults.loaded] {
            let name = try #require(ground.scenarios.first?.strategies.last?.name)
            let worlds = try Self.plan(ground, strategy: name, "zombie.max: under 60s").worlds
            var kept: [WorldGenome] = []
            for number in 0..<120 {
                var drawer = GenomeDrawer(seed: 7, number: number, on: worlds.ground)
                let genome =
                    number < 60
                    ? drawer.guidedGenome() : drawer.changed(kept[number - 60], and: kept[(number * 7) % 60])
                kept.append(genome)
                let loaded = worlds.loaded(genome)
                let lines = worlds.text(genome, extending: "x", title: "x", ("zombie.max", "0"))
                #expect(loaded.faults.isEmpty, "\(loaded.faults.sorted.map(\.message)) in\n\(lines)")
                #expect(genome.entries.count <= WorldGenome.mostEntries && genome.trouble <= worlds.ground.trouble)
                seen.formUnion(genome.entries.map(\.kind))
            }
        }
        #expect(
            seen == Set(TimedDisturbance.DisturbanceKind.allCases),
            "\(Set(TimedDisturbance.DisturbanceKind.allCases).subtracting(seen))")
    }

    @Test func allPairsOfKindsTakeTurns() throws {
        // Broken: worlds of scenes leave a pair of kinds out, or begin with the same pairs for every seed.
        let name = try #require(PlantedFaults.loaded.scenarios.first?.strategies.first?.name)
        var ground = try Self.plan(PlantedFaults.loaded, strategy: name, "zombie.max: under 60s").worlds.ground
        ground.canLosePlatform = false
        let all = ground
        let kinds = all.kinds(withPlatform: true)
        let pairs = kinds.count * kinds.count(where: \.hasLength)
        func seen(_ seed: UInt64, _ count: Int) -> Set<[TimedDisturbance.DisturbanceKind]> {
            var seen: Set<[TimedDisturbance.DisturbanceKind]> = []
            for number in 0..<count {
                var drawer = GenomeDrawer(seed: seed, number: number, on: all)
                let entries = drawer.guidedGenome().entries
                for index in entries.indices.dropLast() where entries[index].kind.hasLength {
                    seen.insert([entries[index].kind, entries[index + 1].kind])
                }
            }
            return seen
        }
        // Two of six worlds have ten scenes. A bound of a world seldom removes the last ones.
        #expect(seen(7, pairs / 10 * 3 + 6).count > pairs * 9 / 10)
        #expect(seen(7, 1) != seen(8, 1))
    }

    // MARK: Planted faults

    @Test(arguments: PlantedFaults.all.map(\.name))
    func plantedFaultIsFoundAndShrunk(_ name: String) throws {
        // Broken: the search misses a broken facet, or shrinking leaves entries or messages that do not matter.
        let demand = try #require(PlantedFaults.all.first { $0.name == name }?.demand)
        let plan = try Self.plan(PlantedFaults.loaded, strategy: name, demand)
        let answer = try #require(try Self.find(plan))
        let found = answer.0
        var shrinker = answer.1
        let genome = shrinker.genome
        #expect(genome.entries.count <= 3, "\(genome)")
        #expect(genome.complexity <= found.genome.complexity)
        for index in genome.entries.indices {
            var shorter = genome
            let wait = shorter.entries.remove(at: index).wait
            if shorter.entries.indices.contains(index) { shorter.entries[index].wait += wait }
            let isBroken = shrinker.breaks(shorter)
            #expect(!isBroken, "entry \(index) does not matter")
        }
        for stream in genome.streams.indices {
            guard case .at(let times) = genome.streams[stream] else { continue }
            for index in times.indices {
                var (shorter, kept) = (genome, times)
                kept.remove(at: index)
                shorter.streams[stream] = kept.isEmpty ? .none : .at(kept)
                let isBroken = shrinker.breaks(shorter)
                #expect(!isBroken, "message \(index) does not matter")
            }
        }
        let isBroken = shrinker.breaks(genome)
        #expect(isBroken)
        let text = plan.worlds.text(genome, extending: "chat.yaml", title: "a find", ("zombie.max", "0"))
        #expect(text.split(separator: "\n").count <= 12, "\(text)")
    }

    @Test(
        arguments: ["backoff without a cap", "interval longer than the NAT's", "cursor not kept", "queue in memory"])
    func rangesEndWhereTheDemandHolds(_ name: String) throws {
        // Broken: the report says that a length or a time does not matter, although another one saves the client, or that
        // it matters although each longer one breaks the client as well.
        let demand = try #require(PlantedFaults.all.first { $0.name == name }?.demand)
        let plan = try Self.plan(PlantedFaults.loaded, strategy: name, demand)
        let (found, shrinker) = try #require(try Self.find(plan))
        let genome = shrinker.genome
        let evaluator = HuntEvaluator(plan.task(Array(plan.demands.indices)))
        var examiner = HuntExaminer(evaluator, demand: found.demand)
        var ranges = examiner.ranges(genome)[...]
        func check(_ value: TimeSpan, _ set: (inout WorldGenome, TimeSpan) -> Void) throws {
            func breaks(_ span: TimeSpan) -> Bool {
                var other = genome
                set(&other, span)
                return evaluator.trial(other)?.breaches[found.demand] != nil
            }
            let next = ranges.popFirst()
            let range = try #require(next)
            #expect(range.value == value && range.from <= value && value <= range.to, "\(range)")
            #expect(breaks(range.from) && breaks(range.to), "\(range)")
            // All times are seconds, so the next second is known to save the client.
            #expect(range.isOpenBelow || !breaks(range.from - .seconds(1)), "\(range)")
            #expect(range.isOpenAbove || !breaks(range.to + .seconds(1)), "\(range)")
        }
        for (index, entry) in genome.entries.enumerated() {
            if entry.kind.hasLength { try check(entry.length) { $0.entries[index].length = $1 } }
            try check(entry.wait) { $0.entries[index].wait = $1 }
        }
        #expect(ranges.isEmpty && !genome.entries.isEmpty)
    }

    @Test func entriesTellWhatTheClientBelieved() throws {
        // Broken: the report does not say that the client believed in a dead connection, or describes another entry.
        let name = "queue in memory"
        let demand = try #require(PlantedFaults.all.first { $0.name == name }?.demand)
        let plan = try Self.plan(PlantedFaults.loaded, strategy: name, demand)
        let genome = WorldGenome(
            entries: [
                TimedDisturbance(.deadZone, wait: .zero, length: .seconds(2)),
                TimedDisturbance(.kill, wait: .seconds(2), length: .seconds(1)),
            ], streams: [.none, .at([.seconds(1)])], hasPlatform: true)
        let evaluator = HuntEvaluator(plan.task(Array(plan.demands.indices)))
        let scenario = try #require(evaluator.scenario(genome))
        let client = try #require(scenario.strategies.first { $0.name == name })
        let entries = HuntStory(scenario, strategy: client, seed: genome.seed ?? evaluator.seed).entries
        // A dead zone begins, and the app is killed before the client notices.
        #expect(entries.count == genome.entries.count + 1, "\(entries.map(\.story))")
        let (zone, kill) = (entries[0].story, entries[1].story)
        #expect(
            zone.hasSuffix("the app was told nothing; the client believed that its connection was open."), "\(zone)")
        #expect(kill.contains("the client: closed (by client) after 0s, process ended after 0s."), "\(kill)")
    }

    @Test func entriesTellThatTheAppIsMoved() throws {
        // Broken: the report says that an app was told nothing when the user left it or came back to it, or that an app
        // without a process was told something.
        let text = """
            version: 1
            name: In and out
            duration: 30m
            phone: {platform: android-15, radios: {wifi: wifi-oneplus-8}}
            timeline:
              - {at: 1m, app: background}
              - {at: 2m, app: foreground}
              - {at: 3m, kill: app}
              - {at: 5m, app: foreground}
            strategies: {ours: {strategy: patient}}

            """
        let scenario = try #require(Self.loaded(text).scenarios.first)
        let client = try #require(scenario.strategies.first)
        let told = HuntStory(scenario, strategy: client, seed: 1).entries.map { entry in
            entry.story.split(separator: "the app was told ").last?.split { $0 == ";" || $0 == "," }.first ?? ""
        }
        #expect(told == ["background after 0s", "foreground after 0s", "nothing", "nothing"], "\(told)")
    }

    @Test func entriesAreCountedInOneWay() throws {
        // Broken: the found world has fewer entries than the shrunk one, because only the latter counts all lines.
        let name = "queue in memory"
        let demand = try #require(PlantedFaults.all.first { $0.name == name }?.demand)
        let plan = try Self.plan(PlantedFaults.loaded, strategy: name, demand)
        let (found, shrinker) = try #require(try Self.find(plan))
        let evaluator = HuntEvaluator(plan.task(Array(plan.demands.indices)))
        let find = try #require(plan.find(found, evaluator)).0
        let lines = try [found.genome, shrinker.genome].map { genome in
            try #require(evaluator.scenario(genome)).timelineLines.count
        }
        #expect(find.foundEntries == lines[0] && find.entries.count == lines[1])
        #expect(lines[1] > shrinker.genome.entries.count && lines[1] <= lines[0], "\(lines)")
    }

    @Test func soundClientIsNotBroken() throws {
        // Broken: a demand counts as broken although the client keeps it, so that every planted fault is found.
        // The sound client cannot refer to itself.
        let demands = Set(PlantedFaults.all.map(\.demand)).filter { !$0.hasSuffix("of sound") }
        for demand in demands.sorted() {
            let plan = try Self.plan(PlantedFaults.loaded, strategy: "sound", demand, budget: 400)
            let found = try Self.find(plan)
            #expect(found == nil, "\(demand): \(String(describing: found?.1.genome))")
        }
    }

    @Test func numberOfThreadsDoesNotShow() throws {
        // Broken: the order in which threads finish changes the worlds of the next generation.
        let fault = try #require(PlantedFaults.all.first)
        let plan = try Self.plan(PlantedFaults.loaded, strategy: fault.name, fault.demand)
        let answers = try [1, 2, 8].map { try #require(try Self.find(plan, jobs: $0)) }
        #expect(Set(answers.map(\.0.genome)).count == 1 && Set(answers.map(\.1.genome)).count == 1)
        #expect(Set(answers.map(\.0.number)).count == 1 && Set(answers.map(\.1.runs)).count == 1)
    }

    @Test(arguments: [32, 64])
    func theNearestWorldsAreKept(_ budget: Int) throws {
        // Broken: while few worlds are kept, a world is kept only if it comes nearer to breaking the demand than all.
        // The search then has fewer worlds to change. Or one of the first 64 worlds is not drawn anew.
        let plan = try Self.plan(PlantedFaults.loaded, strategy: "sound", "latency.down.max: under 10h", budget: budget)
        let task = plan.task(Array(plan.demands.indices))
        let executor = ParallelExecutor(jobs: 1)
        var search = HuntSearch(task, by: executor, seed: 5, budget: budget, isUnguided: false)
        let isComplete = search.run(executor.progress("test", total: 0))
        #expect(isComplete && search.worlds == budget)
        let evaluator = HuntEvaluator(task)
        let all = (0..<budget).compactMap { number -> Double? in
            var drawer = GenomeDrawer(seed: 5, number: number, on: task.worlds.ground)
            return evaluator.trial(drawer.guidedGenome())?.closeness[0]
        }
        let nearest = try #require(search.closest.first).map(\.closeness)
        #expect(nearest == Array(all.filter { $0 > 0 }.sorted(by: >).prefix(8)) && Set(nearest).count > 3, "\(nearest)")
    }

    // MARK: Parts

    @Test func listIsShrunkToItsNecessarySteps() {
        // Broken: a step that matters is removed, or one that does not is kept.
        for size in 0..<40 {
            for needed in [[], [size / 2], [size / 3, size / 2, size - 1]] where size > 3 {
                let answer = minimal(Array(0..<size)) { Set(needed).isSubset(of: $0) ? $0.count : nil }
                #expect(answer?.steps == Array(Set(needed)).sorted() && answer?.proof == Set(needed).count)
            }
        }
        #expect(minimal([1, 2]) { _ in Int?.none } == nil)
    }

    @Test func pathLeadsFromFolderToFile() {
        // Broken: a find in a folder extends a file that is not there.
        let table = [
            ("corpus", "mine.yaml", "../mine.yaml"), ("a/b", "a/mine.yaml", "../mine.yaml"),
            ("", "mine.yaml", "mine.yaml"), ("a/", "./b/mine.yaml", "../b/mine.yaml"),
            ("/x/corpus", "/x/y/mine.yaml", "../y/mine.yaml"), ("/x", "mine.yaml", "../w/me/mine.yaml"),
            ("../corpus", "mine.yaml", "../me/mine.yaml"), ("corpus", "/w/you/a.yaml", "../../you/a.yaml"),
            (".", "mine.yaml", "mine.yaml"), ("mine.yaml", "mine.yaml", "../mine.yaml"),
            ("a/mine.yaml", "a/mine.yaml", "../mine.yaml"),
        ]
        for (folder, file, path) in table { #expect(RelativePath.from(folder, to: file, inside: "/w/me") == path) }
    }
}
