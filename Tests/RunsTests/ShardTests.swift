import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneRuns

@Suite struct ShardTests {
    private static let worlds = ["handoff/elevator", "herd/lockstep-storm", "doze/alarm-batching", "herd/sixty-people"]

    private func scenario(_ name: String) throws -> Scenario {
        let files = try ScenarioFiles(["\(Repository.root)/Scenarios/\(name).yaml"], .standard) { _ in [] }
        return try #require(files.files.first?.loaded.scenarios.first)
    }

    private func simulationPlan(_ scenario: Scenario, replicas: Int) -> SimulationPlan {
        SimulationPlan(scenario, scenario.strategies.map(\.strategy), seed: 7, replicas: replicas)
    }

    @Test("Every part of a run belongs to exactly one shard", arguments: worlds)
    func everyPartBelongsToOneShard(_ name: String) throws {
        let parts = simulationPlan(try scenario(name), replicas: 13).parts
        for count in [1, 2, 3, 13, 64] {
            var assigner = ShardAssigner(among: count)
            // The cells of a matrix are dealt one after another.
            let owners = assigner.assignShards(parts) + assigner.assignShards(parts)
            let shares = (0..<count).map { owner in owners.count { $0 == owner } }
            #expect(shares.reduce(0, +) == 2 * parts.count)
            #expect(shares.max()! - shares.min()! <= 1)
            for strategy in Set(parts.map(\.strategy)) {
                // One client can cost fifty times as much as another, so each shard gets the same share of each.
                let ofOne = (0..<count).map { owner in
                    parts.indices.count { parts[$0].strategy == strategy && owners[$0] == owner }
                }
                #expect(ofOne.max()! - ofOne.min()! <= 1)
            }
        }
    }

    @Test("The result does not depend on the number of threads", arguments: worlds)
    func threadsDoNotChangeTheResult(_ name: String) throws {
        let simulationPlan = simulationPlan(try scenario(name), replicas: 2)
        let one = simulationPlan.run(by: ParallelExecutor(jobs: 1)).byStrategy.map(\.digest)
        for jobs in [2, 8] {
            #expect(
                simulationPlan.run(by: ParallelExecutor(jobs: jobs)).byStrategy.map(\.digest) == one, "--jobs \(jobs)")
        }
    }

    @Test(
        "Merged shards give the same result as an undivided run", arguments: worlds, [1, 3, 64])
    func mergedShardsEqualTheRun(_ name: String, _ count: Int) throws {
        let folder = NSTemporaryDirectory() + "deadzone-shards-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scenario = try scenario(name)
        let simulationPlan = simulationPlan(scenario, replicas: 2)
        var request = ShardRequest()
        request.arguments = [name]
        for number in (1...count).reversed() {
            let shard = try #require(Shard(number, of: count))
            var maker = ShardMaker(shard, request)
            let size = maker.countOwnParts(of: simulationPlan)
            let isDone = maker.run(simulationPlan, scenario, scenario.strategies, by: ParallelExecutor(jobs: number))
            #expect(isDone && maker.ownPartCount == size && maker.totalPartCount == simulationPlan.parts.count)
            try Data(maker.file.bytes).write(to: URL(filePath: folder + "/" + shard.fileName))
        }
        let paths = try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
        // A file that is named twice counts once.
        var shards = try ShardSet(paths + paths.suffix(1))
        #expect(shards.request == request)
        let gathered = try shards.gather(simulationPlan, scenario, scenario.strategies)
        let (apart, together) = (
            simulationPlan.run(by: ParallelExecutor(jobs: 2), from: gathered),
            simulationPlan.run(by: ParallelExecutor(jobs: 1))
        )
        #expect(apart.isComplete && apart.byStrategy.count == scenario.strategies.count)
        for (one, other) in zip(apart.byStrategy, together.byStrategy) {
            #expect(one.digest == other.digest && one.replicas.merged == other.replicas.merged)
            #expect(one.stops.sentences == other.stops.sentences)
            #expect(one.groups.map(\.merged) == other.groups.map(\.merged))
        }
        // Results of another seed are refused.
        let others = SimulationPlan(scenario, scenario.strategies.map(\.strategy), seed: 8, replicas: 2)
        #expect(throws: ToolFault.otherScenario(scenario.name)) {
            var again = try ShardSet(paths)
            _ = try again.gather(others, scenario, scenario.strategies)
        }
    }

    @Test("A damaged file is refused and does not crash the program")
    func damagedFilesAreRefused() throws {
        let scenario = try scenario("handoff/elevator")
        var maker = ShardMaker(try #require(Shard(1, of: 2)), ShardRequest())
        let isDone = maker.run(
            simulationPlan(scenario, replicas: 1), scenario, scenario.strategies, by: ParallelExecutor(jobs: 1))
        #expect(isDone)
        let bytes = maker.file.bytes
        let path = NSTemporaryDirectory() + "deadzone-" + UUID().uuidString + ShardFile.suffix
        defer { try? FileManager.default.removeItem(atPath: path) }
        var damaged = stride(from: 0, to: bytes.count, by: 97).map { place in
            var other = bytes
            other[place] ^= 4
            return other
        }
        damaged += [0, 5, 40, bytes.count - 1].map { Array(bytes.prefix($0)) }
        for other in damaged {
            try Data(other).write(to: URL(filePath: path))
            #expect { try ShardFile(reading: path) } throws: { ($0 as? ToolFault)?.code == .noShard }
        }
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try ShardFile(reading: path).shard == Shard(1, of: 2))
        #expect { try ShardSet([path]) } throws: { ($0 as? ToolFault)?.message == "1 shard of 2 is missing: 2" }
    }

    @Test("A forged result with a right checksum is refused, or can be measured; it never crashes the program")
    func forgedResultsNeverTrap() throws {
        let scenario = try scenario("handoff/elevator")
        let simulationPlan = simulationPlan(scenario, replicas: 1)
        let whole = try #require(
            simulationPlan.partResults(ofParts: [0], by: ParallelExecutor(jobs: 1)) {}.first)
        let bytes = whole.encoded
        var (refused, measured) = (0, 0)
        // The lowest bit of a number is its sign. The highest one joins it with the next number.
        for (place, bit) in bytes.indices.flatMap({ place in [1, 2, 64, 128].map { (place, UInt8($0)) } }) {
            var other = bytes
            other[place] ^= bit
            guard let forged = SimulationPlan.PartResult(encoded: other) else {
                refused += 1
                continue
            }
            var replicas = Replicas(of: forged.fold, prices: scenario.prices, planned: 2)
            replicas.add(whole.fold)
            measured += replicas.count == 2 ? 1 : 0
        }
        #expect(refused > bytes.count && measured > 0, "\(refused) \(measured) of \(bytes.count)")
        // A merge names the file of a result that cannot be read.
        var file = ShardFile(try #require(Shard(1, of: 1)), ShardRequest())
        let parts = simulationPlan.parts.map { _ in [UInt8(1)] }
        file.add(simulationPlan.identity(scenario, scenario.strategies), parts)
        let path = NSTemporaryDirectory() + "deadzone-" + UUID().uuidString + ShardFile.suffix
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(file.bytes).write(to: URL(filePath: path))
        var shards = try ShardSet([path])
        #expect {
            _ = try shards.gather(simulationPlan, scenario, scenario.strategies)
        } throws: { ($0 as? ToolFault)?.code == .noShard }
    }

    @Test("Two different files of the same shard are refused")
    func differentFilesOfOneShardAreRefused() throws {
        let folder = NSTemporaryDirectory() + "deadzone-twins-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scenario = try scenario("doze/alarm-batching")
        // The same request with two seeds, as if its input had changed in between.
        for seed in [7, 8] as [UInt64] {
            var maker = ShardMaker(try #require(Shard(1, of: 1)), ShardRequest())
            let simulationPlan = SimulationPlan(scenario, scenario.strategies.map(\.strategy), seed: seed, replicas: 1)
            let isDone = maker.run(simulationPlan, scenario, scenario.strategies, by: ParallelExecutor(jobs: 1))
            #expect(isDone)
            try Data(maker.file.bytes).write(to: URL(filePath: "\(folder)/\(seed)"))
        }
        #expect {
            try ShardSet(["\(folder)/7", "\(folder)/8"])
        } throws: {
            ($0 as? ToolFault)?.message.contains("is the same shard with other contents") == true
        }
    }
}
