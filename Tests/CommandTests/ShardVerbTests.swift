import DeadzoneCommand
import DeadzoneHost
import DeadzoneTestKit
import Foundation
import Testing

@Suite struct ShardVerbTests {
    private static let matrix = Workshop.scenario.replacing(
        "replicas: 3", with: "replicas: 5\nmatrix:\n  traffic.down.every: [10s, 20s]")

    @Test("Else a run that was divided would be told otherwise in some file, or end otherwise")
    func everyFormatIsThatOfTheWholeRun() throws {
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        try shop.write("b.yaml", Self.matrix)
        let formats = "--format json,csv,html,perfetto,pcapng,md,junit,sqlite"
        let whole = shop.run("run @a.yaml @b.yaml --seed 5 \(formats) --out @whole")
        #expect(whole.code == .ok, "\(whole.errors)")
        for number in [3, 1, 4, 2] {
            let outcome = shop.run("run @a.yaml @b.yaml --seed 5 --shard \(number)/4 --out @parts")
            #expect(outcome.code == .ok && outcome.output.contains("\(number)-of-4.shard: "), "\(outcome.errors)")
        }
        let merged = shop.run("merge @parts \(formats) --out @merged")
        #expect(merged.code == .ok && merged.output == whole.output, "\(merged.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: shop.file("whole")).sorted()
        #expect(names == (try FileManager.default.contentsOfDirectory(atPath: shop.file("merged")).sorted()))
        #expect(names.count == 8)
        for name in names {
            #expect(try shop.data("whole/\(name)") == (try shop.data("merged/\(name)")), "\(name)")
        }
    }

    @Test("Else what was not met would be met once it was divided")
    func endsAsTheRunWould() throws {
        let shop = try Workshop()
        try shop.write(
            "a.yaml", Workshop.scenario.replacing("delivery.down.lost: 0", with: "battery.joules: under 1mJ"))
        #expect(shop.run("run @a.yaml --shard 1/1 --out @parts").code == .ok)
        #expect(shop.run("merge @parts").code == .gateFailed)
        #expect(shop.run("merge @parts --exit-zero").code == .ok)
    }

    @Test("Else a shard that died would be run by hand, and one that did not would be run again")
    func holesAreNamedAndFilled() throws {
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        for number in [1, 3] { _ = shop.run("run @a.yaml --shard \(number)/3 --out @parts") }
        let holes = shop.run("merge @parts")
        #expect(holes.code == .badInput && holes.errors.contains("E0441"))
        #expect(holes.errors.contains("1 shard of 3 is missing: 2") && holes.errors.contains("--shard 2/3"))
        let known = try shop.data("parts/3-of-3.shard")
        #expect(
            shop.run("run @a.yaml --shard 3/3 --resume --out @parts").output.contains("is there already, and whole"))
        try Data(known.dropLast()).write(to: URL(filePath: shop.file("parts/3-of-3.shard")))
        #expect(shop.run("merge @parts").errors.contains("E0440"))
        #expect(shop.run("run @a.yaml --shard 3/3 --resume --out @parts").output.contains("parts/3-of-3.shard: 2 of 6"))
        #expect(try shop.data("parts/3-of-3.shard") == known)
        #expect(shop.run("run @a.yaml --shard 2/3 --resume --out @parts").output.contains("parts/2-of-3.shard: 2 of 6"))
        #expect(shop.run("merge @parts").output == shop.run("run @a.yaml").output)
    }

    @Test("Else shards of two runs would be one result")
    func strangersAreRefused() throws {
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        _ = shop.run("run @a.yaml --shard 1/2 --out @parts")
        for (flags, reason) in [("--seed 2 --shard 2/2", "another run"), ("--shard 1/3", "another run")] {
            _ = shop.run("run @a.yaml \(flags) --out @others")
            let outcome = shop.run("merge @parts @others")
            #expect(outcome.code == .badInput && outcome.errors.contains("E0442") && outcome.errors.contains(reason))
            try FileManager.default.removeItem(atPath: shop.file("others"))
        }
        _ = shop.run("run @a.yaml --shard 2/2 --out @parts")
        #expect(shop.run("merge @parts").code == .ok)
        // The scenario was changed meanwhile.
        try shop.write("a.yaml", Workshop.scenario.replacing("every: 10s", with: "every: 11s"))
        let outcome = shop.run("merge @parts")
        #expect(outcome.code == .badInput && outcome.errors.contains("is not what the shards simulated"))
    }

    @Test(
        "Else two tasks of a cluster would run the same shard, or one would run none",
        arguments: [
            ("auto", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=64", "01-of-64"),
            ("auto", "SLURM_ARRAY_TASK_ID=64 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=64", "64-of-64"),
            (
                "auto",
                "SLURM_ARRAY_TASK_ID=30 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=5 SLURM_ARRAY_TASK_COUNT=7",
                "5-of-7"
            ),
            // One task of an array of 64, begun again alone.
            ("auto/64", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=7 SLURM_ARRAY_TASK_COUNT=1", "08-of-64"),
            ("auto", "AWS_BATCH_JOB_ARRAY_INDEX=9 AWS_BATCH_JOB_ARRAY_SIZE=10", "10-of-10"),
            ("auto/8", "JOB_COMPLETION_INDEX=0", "1-of-8"),
            ("auto", "CI_NODE_INDEX=1 CI_NODE_TOTAL=3", "1-of-3"),
            ("auto", "DEADZONE_SHARD_INDEX=2 DEADZONE_SHARD_COUNT=3 CI_NODE_INDEX=1 CI_NODE_TOTAL=9", "3-of-3"),
            ("env:MINE/ALL", "MINE=4 ALL=5", "5-of-5"), ("env:MINE/12", "MINE=4", "05-of-12"),
        ])
    func clustersSayWhichOneItIs(_ flag: String, _ environment: String, _ name: String) throws {
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let outcome = shop.run("run @a.yaml --shard \(flag) --out @parts") { $0.environment = Self.read(environment) }
        #expect(outcome.code == .ok, "\(outcome.errors)")
        #expect(shop.exists("parts/\(name).shard"), "\(outcome.output)")
    }

    @Test(
        "Else a task that was told nonsense would run some shard, and the merge would miss its own",
        arguments: [
            ("0/3", "", "there is no shard 0 of 3"), ("4/3", "", "there is no shard 4 of 3"),
            ("1/0", "", "no shard 1 of 0"),
            ("1", "", "how many"), ("x/3", "", "`x` is no number"), ("auto", "", "no variable"),
            ("auto", "JOB_COMPLETION_INDEX=1", "how many"), ("auto/2", "JOB_COMPLETION_INDEX=2", "no shard 3 of 2"),
            ("env:MINE/3", "", "MINE is no number"), ("1/ALL", "ALL=x", "`ALL` is no number"),
        ])
    func nonsenseIsRefused(_ flag: String, _ environment: String, _ reason: String) throws {
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let outcome = shop.run("run @a.yaml --shard \(flag) --out @parts") { $0.environment = Self.read(environment) }
        #expect(outcome.code == .usage && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(!shop.exists("parts"))
    }

    @Test(
        "Else a shard would print a part of a run as if it were the run",
        arguments: [
            "--json", "--format csv", "--events -", "--replica 1", "--phone 0",
        ])
    func aShardSaysNothingByItself(_ flags: String) throws {
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        #expect(shop.run("run @a.yaml --shard 1/2 --out @parts \(flags)").code == .usage)
        #expect(shop.run("run @a.yaml --shard 1/2").code == .usage)
        #expect(shop.run("run @a.yaml --resume").code == .usage)
        #expect(shop.run("run - --shard 1/2 --out @parts", input: Workshop.scenario).code == .usage)
    }

    @Test(
        "Else a cluster would be handed a script that it refuses, or that runs something else",
        arguments: [
            ("local", "seq 1 4 | xargs"), ("slurm", "#SBATCH --array=0-3"), ("kubernetes", "completions: 4"),
            ("github", "shard: [1, 2, 3, 4]"), ("ray", "range(1, 5)"),
        ])
    func sweepSaysWhatStartsAll(_ cluster: String, _ word: String) throws {
        let shop = try Workshop()
        try shop.write("it's.yaml", Workshop.scenario)
        let flags = "--seed 5 --replicas 8 --strategy eager --shards 4"
        let outcome = shop.run("sweep @it's.yaml \(flags) --cluster \(cluster) --out shards")
        #expect(outcome.code == .ok && outcome.output.contains(word), "\(outcome.errors)\(outcome.output)")
        for word in ["deadzone", "--resume", "--seed", "--replicas", "--strategy", "merge"] {
            #expect(outcome.output.contains(word), "\(word)")
        }
        if cluster == "github", Oracle.isWanted {
            try shop.write("sweep.yml", outcome.output)
            let schema = ["--builtin-schema", "vendor.github-workflows", shop.file("sweep.yml")]
            _ = try Oracle.run(module: "check_jsonschema", arguments: schema)
        }
        #expect(shop.run("sweep @none.yaml --cluster \(cluster)").code == .nothingMatched)
        #expect(shop.run("sweep @it's.yaml --strategy none").code == .usage)
        #expect(shop.run("sweep @it's.yaml --cluster github --shards 257").code == .usage)
        #expect(shop.run("sweep - --cluster \(cluster)", input: Workshop.scenario).code == .usage)
    }

    @Test func whoStopsAShardLeavesNoFile() throws {
        // Broken: half a shard is merged as a whole one.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let outcome = shop.run("run @a.yaml --shard 1/2 --out @parts") { $0.isInterrupted = { true } }
        #expect(outcome.code == .interrupted && outcome.errors.contains("was not written"))
        #expect(!shop.exists("parts/1-of-2.shard"))
    }

    private static func read(_ text: String) -> Environment {
        let pairs = text.split(separator: " ").map { $0.split(separator: "=").map(String.init) }
        return Environment(Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }))
    }
}
