import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let sweep: Verb = Verb(
        "sweep", "Print a script that divides a run into shards and starts them on a cluster",
        arguments: .some("SCENARIO", "scenario files, folders or file name patterns"),
        flags: [.shards, .cluster, .seed, .replicas, .strategy, .with, .only, .across, .out],
        examples: [
            Example(
                "deadzone sweep mine.yaml --replicas 1000 --shards 64 --cluster slurm > sweep.sh",
                "write a script for Slurm; start it with: sbatch sweep.sh"),
            Example(
                "deadzone sweep mine.yaml --shards 8", "print a script for this machine; each shard uses one processor"),
        ],
        next: [Example("deadzone merge shards", "merge the results when all shards are done")],
        details: """
            `sweep` only prints the script and starts nothing. The script calls `deadzone run --shard` with --resume, so
            a second start of the script runs only the missing shards. `sweep` checks the scenarios first, so errors in
            scenarios are reported at once, and not by every shard.
            """
    ) { invocation, context in
        let options = try RunOptions(invocation, context)
        let files = try ScenarioFiles(
            invocation.arguments, adding: options.selection, across: options.across, jobs: invocation.number(.jobs),
            context)
        guard files.areValid else { return try files.publishFaults(isJSON: false, junit: nil, invocation, context) }
        files.noteRenamed(invocation, context)
        files.noteUnfit(invocation, context)
        for scenario in files.files.flatMap(\.loaded.scenarios) { _ = try options.selected(scenario) }
        let start = try ClusterScript(
            count: invocation.number(.shards) ?? 8, folder: options.results.folder ?? "shards",
            words: ["deadzone", "run"] + invocation.arguments + options.spelledOut)
        context.output.write(try start.text(for: invocation.text(.cluster) ?? ClusterScript.local))
        return .ok
    }
}

extension RunOptions {
    /// The flags that affect the result.
    fileprivate var spelledOut: [String] {
        (seed.map { ["--seed", "\($0)"] } ?? []) + (replicas.map { ["--replicas", "\($0)"] } ?? [])
            + (across.map { ["--across", $0.text] } ?? []) + selection.flags
    }
}

/// Generates the script that runs all shards (shares) of one command on a cluster.
struct ClusterScript {
    static let local = "local"
    static let clusters = [local, "slurm", "kubernetes", "github", "ray"]
    /// Maximum number of jobs in a GitHub matrix.
    private static let maxMatrixJobs = 256

    private let count: Int
    private let folder: String
    /// The command without its shard.
    private let words: [String]

    init(count: Int, folder: String, words: [String]) throws(ToolFault) {
        if words.contains("-") {
            throw ToolFault(.conflict, "a cluster job cannot read your standard input", help: ["name a file"])
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

    private func line(shard: String) -> String {
        words(shard: shard).map { ShellWord.text($0) }.joined(separator: " ")
    }

    private var merge: String { "deadzone merge " + ShellWord.text(folder) }

    private var localText: String {
        """
        #!/bin/sh
        # \(count) shards, one per processor at a time.
        set -e
        seq 1 \(count) | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I {} \(line(shard: "{}/\(count)"))
        \(merge)

        """
    }

    private var slurm: String {
        """
        #!/bin/sh
        # sbatch --wait THIS && \(merge)
        # If a task failed: sbatch --array=NUMBER THIS
        #SBATCH --job-name=deadzone
        #SBATCH --array=0-\(count - 1)
        #SBATCH --ntasks=1
        #SBATCH --cpus-per-task=1
        #SBATCH --output=/dev/null
        exec \(line(shard: "auto/\(count)"))

        """
    }

    /// Kubernetes replaces `$(NAME)` in a command by a variable; `$$` is a dollar sign.
    private func kubernetesWord(_ word: String) -> String { quoted(word.replacing("$(", with: "$$(")) }

    private var kubernetes: String {
        """
        # kubectl apply -f THIS; kubectl wait --for=condition=complete --timeout=-1s job/deadzone
        # Replace: an image with deadzone and the scenarios, and a volume claim that all pods can write to.
        # Then, in a pod or machine that mounts the claim: \(merge)
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
                  command: [\(words(shard: "auto/\(count)").map(kubernetesWord).joined(separator: ", "))]
                  resources:
                    requests: {cpu: "1"}
                  volumeMounts:
                    - {name: work, mountPath: /work}
              volumes:
                - name: work
                  persistentVolumeClaim: {claimName: deadzone}

        """
    }

    /// GitHub evaluates `${{ … }}` everywhere in a workflow, also in the name of a file. This expression gives the text
    /// itself.
    private static func githubText(_ text: String) -> String { text.replacing("${{", with: "${{ '${{' }}") }

    private func githubLine(shard: String) -> String {
        words(shard: shard, jobs: nil)
            .map { $0 == shard ? ShellWord.text($0) : Self.githubText(ShellWord.text($0)) }.joined(separator: " ")
    }

    private var github: String {
        get throws(ToolFault) {
            guard count <= Self.maxMatrixJobs else {
                throw ToolFault(
                    .badFlagValue, "a GitHub matrix has at most \(Self.maxMatrixJobs) jobs",
                    help: ["`--shards \(Self.maxMatrixJobs)`: each runs on all processors of its machine"])
            }
            return """
                # Save as .github/workflows/sweep.yml. Add, in both jobs, a step that puts deadzone on the PATH.
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
                      - run: \(quoted(githubLine(shard: "${{ matrix.shard }}/\(count)")))
                      - uses: actions/upload-artifact@v4
                        with: {name: "shard-${{ matrix.shard }}", path: \(quoted(Self.githubText(folder)))}
                  merge:
                    needs: shard
                    runs-on: ubuntu-latest
                    steps:
                      - uses: actions/checkout@v4
                      - run: deadzone --version
                      - uses: actions/download-artifact@v4
                        with: {pattern: "shard-*", path: \(quoted(Self.githubText(folder))), merge-multiple: true}
                      - run: \(quoted(Self.githubText(merge)))

                """
        }
    }

    private var ray: String {
        """
        # Run on a machine of the cluster: python THIS. Its nodes need deadzone and this folder.
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

    /// Quotes a string for JSON, YAML and Python.
    private func quoted(_ word: String) -> String { JSON.string(word).text() }
}
