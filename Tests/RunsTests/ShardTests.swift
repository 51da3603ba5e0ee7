import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
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

    private func assignment(_ scenario: Scenario, replicas: Int) -> Assignment {
        Assignment(scenario, scenario.strategies.map(\.strategy), seed: 7, replicas: replicas)
    }

    @Test("Else a part of a run would be missing, or be counted twice", arguments: worlds)
    func everyPartIsOneShards(_ name: String) throws {
        let parts = assignment(try scenario(name), replicas: 13).parts
        for count in [1, 2, 3, 13, 64] {
            var dealer = ShardDealer(among: count)
            // A matrix deals one cell after another.
            let owners = dealer.deal(parts) + dealer.deal(parts)
            let shares = (0..<count).map { owner in owners.count { $0 == owner } }
            #expect(shares.reduce(0, +) == 2 * parts.count)
            #expect(shares.max()! - shares.min()! <= 1)
            for strategy in Set(parts.map(\.strategy)) {
                // One client can cost fifty times another: each shard has as much of each.
                let ofOne = (0..<count).map { owner in
                    parts.indices.count { parts[$0].strategy == strategy && owners[$0] == owner }
                }
                #expect(ofOne.max()! - ofOne.min()! <= 1)
            }
        }
    }

    @Test("Else what comes of a run would hang on how many threads ran it", arguments: worlds)
    func threads(_ name: String) throws {
        let assignment = assignment(try scenario(name), replicas: 2)
        let one = assignment.run(by: Crew(jobs: 1)).crops.map(\.digest)
        for jobs in [2, 8] {
            #expect(assignment.run(by: Crew(jobs: jobs)).crops.map(\.digest) == one, "--jobs \(jobs)")
        }
    }

    @Test(
        "Else a run that was divided would come to something else than one that was not", arguments: worlds, [1, 3, 64])
    func merged(_ name: String, _ count: Int) throws {
        let folder = NSTemporaryDirectory() + "deadzone-shards-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scenario = try scenario(name)
        let assignment = assignment(scenario, replicas: 2)
        var request = ShardRequest()
        request.arguments = [name]
        for number in (1...count).reversed() {
            let shard = try #require(Shard(number, of: count))
            var maker = ShardMaker(shard, request)
            let size = maker.size(of: assignment)
            let isDone = maker.run(assignment, scenario, scenario.strategies, by: Crew(jobs: number))
            #expect(isDone && maker.own == size && maker.all == assignment.parts.count)
            try Data(maker.file.bytes).write(to: URL(filePath: folder + "/" + shard.fileName))
        }
        let paths = try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
        // Whoever names one twice means it once.
        var shards = try ShardSet(paths + paths.suffix(1))
        #expect(shards.request == request)
        let gathered = try shards.gather(assignment, scenario, scenario.strategies)
        let (apart, together) = (assignment.run(by: Crew(jobs: 2), from: gathered), assignment.run(by: Crew(jobs: 1)))
        #expect(apart.isComplete && apart.crops.count == scenario.strategies.count)
        for (one, other) in zip(apart.crops, together.crops) {
            #expect(one.digest == other.digest && one.replicas.whole == other.replicas.whole)
            #expect(one.stops.sentences == other.stops.sentences)
            #expect(one.groups.map(\.whole) == other.groups.map(\.whole))
        }
        // What other seeds came to is not what these did.
        let others = Assignment(scenario, scenario.strategies.map(\.strategy), seed: 8, replicas: 2)
        #expect(throws: ToolFault.otherScenario(scenario.name)) {
            var again = try ShardSet(paths)
            _ = try again.gather(others, scenario, scenario.strategies)
        }
    }

    @Test("Else a damaged file would end the program, or count as a whole one")
    func damagedFilesAreRefused() throws {
        let scenario = try scenario("handoff/elevator")
        var maker = ShardMaker(try #require(Shard(1, of: 2)), ShardRequest())
        let isDone = maker.run(assignment(scenario, replicas: 1), scenario, scenario.strategies, by: Crew(jobs: 1))
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

    @Test("Else of two files that cannot both be of the same shard the second would be taken for the truth")
    func twinsSayTheSame() throws {
        let folder = NSTemporaryDirectory() + "deadzone-twins-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scenario = try scenario("doze/alarm-batching")
        // The same request, of two seeds: somebody has changed what it is for.
        for seed in [7, 8] as [UInt64] {
            var maker = ShardMaker(try #require(Shard(1, of: 1)), ShardRequest())
            let assignment = Assignment(scenario, scenario.strategies.map(\.strategy), seed: seed, replicas: 1)
            let isDone = maker.run(assignment, scenario, scenario.strategies, by: Crew(jobs: 1))
            #expect(isDone)
            try Data(maker.file.bytes).write(to: URL(filePath: "\(folder)/\(seed)"))
        }
        #expect {
            try ShardSet(["\(folder)/7", "\(folder)/8"])
        } throws: {
            ($0 as? ToolFault)?.message.contains("is the same shard, and says something else") == true
        }
    }
}
