import DeadzoneDocuments
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let sweep: Verb = Verb(
        "sweep", "prints what starts a run as many shards on a cluster, and merges them",
        arguments: .some("SCENARIO", "files, folders or patterns"),
        flags: [.shards, .cluster, .seed, .replicas, .strategy, .out],
        examples: [
            Example(
                "deadzone sweep mine.yaml --replicas 1000 --shards 64 --cluster slurm > sweep.sh",
                "then: sbatch sweep.sh"),
            Example("deadzone sweep mine.yaml --shards 8", "for this machine, some shards at a time"),
        ],
        next: [Example("deadzone merge shards", "what they came to, once all are there")],
        details: """
            Nothing is started. What is printed calls `deadzone run --shard`, with --resume: starting it once more runs what is
            missing. Scenarios are read first: mistakes in them are told now, and not by every shard.
            """
    ) { invocation, surroundings in
        let options = try RunOptions(invocation, surroundings)
        let files = try ScenarioFiles(invocation.arguments, surroundings)
        guard files.areSound else { return try files.refuse(isJSON: false, junit: nil, invocation, surroundings) }
        for scenario in files.files.flatMap(\.loaded.scenarios) { _ = try options.selected(scenario) }
        let start = try Submission(
            count: invocation.number(.shards) ?? 8, folder: options.results.folder ?? "shards",
            words: ["deadzone", "run"] + invocation.arguments + options.spelledOut)
        surroundings.output.write(try start.text(for: invocation.text(.cluster) ?? Submission.local))
        return .ok
    }
}

extension RunOptions {
    /// The flags that decide what comes of it.
    fileprivate var spelledOut: [String] {
        (seed.map { ["--seed", "\($0)"] } ?? []) + (replicas.map { ["--replicas", "\($0)"] } ?? [])
            + strategies.flatMap { ["--strategy", $0] }
    }
}

/// What a cluster is handed so that it runs all shards of one command.
struct Submission {
    static let local = "local"
    static let clusters = [local, "slurm", "kubernetes", "github", "ray"]
    /// Jobs that one matrix of GitHub's can have.
    private static let mostJobs = 256

    private let count: Int
    private let folder: String
    /// The command but for its shard.
    private let words: [String]

    init(count: Int, folder: String, words: [String]) throws(ToolFault) {
        if words.contains("-") {
            throw ToolFault(.conflict, "a cluster has no standard input of yours", help: ["name a file"])
        }
        (self.count, self.folder, self.words) = (count, folder, words)
    }

    func text(for cluster: String) throws(ToolFault) -> String {
        switch cluster {
        case "slurm": slurm
        case "kubernetes": kubernetes
        case "github": try github
        case "ray": ray
        default: localText
        }
    }

    private func words(shard: String, jobs: Int? = 1) -> [String] {
        words + ["--shard", shard, "--resume"] + (jobs.map { ["--jobs", "\($0)"] } ?? []) + ["--out", folder]
    }

    private func line(shard: String, jobs: Int? = 1) -> String {
        words(shard: shard, jobs: jobs).map { ShellWord.text($0) }.joined(separator: " ")
    }

    private var merge: String { "deadzone merge " + ShellWord.text(folder) }

    private var localText: String {
        """
        #!/bin/sh
        # \(count) shards, as many at a time as there are processors.
        set -e
        seq 1 \(count) | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I {} \(line(shard: "{}/\(count)"))
        \(merge)

        """
    }

    private var slurm: String {
        """
        #!/bin/sh
        # sbatch --wait THIS && \(merge)
        # Of a task that died: sbatch --array=NUMBER THIS
        #SBATCH --job-name=deadzone
        #SBATCH --array=0-\(count - 1)
        #SBATCH --ntasks=1
        #SBATCH --cpus-per-task=1
        #SBATCH --output=/dev/null
        exec \(line(shard: "auto/\(count)"))

        """
    }

    private var kubernetes: String {
        """
        # kubectl apply -f THIS; kubectl wait --for=condition=complete --timeout=-1s job/deadzone
        # Yours to fill in: an image with deadzone and the scenarios, and a claim that all pods can write to.
        # Then, where the claim is mounted: \(merge)
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: deadzone
        spec:
          completionMode: Indexed
          completions: \(count)
          parallelism: \(min(count, 64))
          backoffLimit: \(count)
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: deadzone
                  image: deadzone
                  workingDir: /work
                  command: [\(words(shard: "auto/\(count)").map(quoted).joined(separator: ", "))]
                  resources:
                    requests: {cpu: "1"}
                  volumeMounts:
                    - {name: work, mountPath: /work}
              volumes:
                - name: work
                  persistentVolumeClaim: {claimName: deadzone}

        """
    }

    private var github: String {
        get throws(ToolFault) {
            guard count <= Self.mostJobs else {
                throw ToolFault(
                    .badFlagValue, "a matrix of GitHub's has at most \(Self.mostJobs) jobs",
                    help: ["`--shards \(Self.mostJobs)`: each runs on all processors of its machine"])
            }
            return """
                # As .github/workflows/sweep.yml. Yours to fill in, twice: the step that puts deadzone on the PATH.
                name: sweep
                on: workflow_dispatch
                jobs:
                  shard:
                    runs-on: ubuntu-latest
                    strategy:
                      fail-fast: false
                      matrix:
                        shard: [\((1...count).map(String.init).joined(separator: ", "))]
                    steps:
                      - uses: actions/checkout@v4
                      - run: deadzone --version
                      - run: \(quoted(line(shard: "${{ matrix.shard }}/\(count)", jobs: nil)))
                      - uses: actions/upload-artifact@v4
                        with: {name: "shard-${{ matrix.shard }}", path: \(quoted(folder))}
                  merge:
                    needs: shard
                    runs-on: ubuntu-latest
                    steps:
                      - uses: actions/checkout@v4
                      - run: deadzone --version
                      - uses: actions/download-artifact@v4
                        with: {pattern: "shard-*", path: \(quoted(folder)), merge-multiple: true}
                      - run: \(quoted(merge))

                """
        }
    }

    private var ray: String {
        """
        # python THIS, on a machine of the cluster; its nodes have deadzone, and share this folder
        import subprocess
        import ray

        ray.init(address="auto")


        @ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
        def shard(number):
            command = [\(words.map(quoted).joined(separator: ", "))]
            command += ["--shard", f"{number}/\(count)", "--resume", "--jobs", "1", "--out", \(quoted(folder))]
            subprocess.run(command, check=True)


        ray.get([shard.remote(number) for number in range(1, \(count + 1))])
        subprocess.run(["deadzone", "merge", \(quoted(folder))], check=True)

        """
    }

    /// As JSON, YAML and Python write a text.
    private func quoted(_ word: String) -> String { JSON.string(word).text() }
}
