import DeadzoneHost
import Testing

@testable import DeadzoneCommand

struct CompletionTests {
    private func completion(_ line: String) -> Completion {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return Completion(words, .standard, .memory())
    }

    private func words(_ line: String) -> [String] { completion(line).candidates.map(\.word) }

    @Test func everyVerbAndEveryFlagIsOffered() {
        // Broken: a verb is added to the table, but no shell completes it.
        let table = CommandTable.standard
        #expect(words("") == table.verbs.map(\.name))
        for verb in table.verbs {
            #expect(words(verb.name + " -") == verb.flags.map { "--" + $0.name })
            #expect(words(String(verb.name.dropLast())).contains(verb.name))
        }
    }

    @Test func everyArgumentFormHasAKind() {
        // Broken: a flag's value has no completion, and it is not marked as one that cannot have any.
        for verb in CommandTable.standard.verbs {
            for flag in verb.flags {
                guard case .text(let form) = flag.value else { continue }
                #expect(PlaceholderKind(form) != nil, "\(verb.name) --\(flag.name) \(form)")
            }
            for form in (0..<2).flatMap(verb.arguments.placeholders) {
                #expect(PlaceholderKind(form) != nil || form.contains("|"), "\(verb.name) \(form)")
            }
        }
    }

    @Test(arguments: [
        ("ru", ["run"]),
        ("list me", ["metrics"]),
        ("help sch", ["schedule", "schema"]),
        ("baseline ", ["save", "diff"]),
        ("explain zombie.m", ["zombie.max"]),
        ("schedule grpc-ja", ["grpc-java"]),
        ("replay x.pcap --profile lte-att-2012-a", ["lte-att-2012-aro"]),
        ("sweep a.yaml --cluster s", ["slurm"]),
        ("run --color a", ["auto", "always"]),
        ("run a.yaml --format json,h", ["json,html"]),
        ("run a.yaml --format json,j", ["json,junit"]),
        ("run a.yaml --across lte,pl", ["lte,platforms"]),
        ("run a.yaml --format=js", ["--format=json"]),
        ("run a.yaml --format = js", ["--format=json"]),
        ("run a.yaml --format=json,h", ["--format=json,html"]),
        ("run a.yaml --seed 3 --repli", ["--replicas", "--replica"]),
        ("run a.yaml --seed 3 --see", []),
        ("run a.yaml --strategy x --strat", ["--strategy"]),
        ("run --replicas ", []),
        ("schema g", ["gates"]), ("laws v", ["visits"]),
        ("claims A1", ["A1", "A10", "A11"] + (12...19).map { "A\($0)" }),
        ("claims A1 C9", ["C9"]), ("guide glos", ["glossary"]),
    ])
    func linesAreCompleted(_ line: String, _ expected: [String]) {
        #expect(words(line) == expected)
    }

    @Test(arguments: [
        ("run ", Completion.Paths.files), ("run a.yaml ", .files), ("run --gates ", .files), ("run --out ", .folders),
        ("run --events=", .files), ("compare a.yaml --gates ", .files), ("init ", .files), ("init a.yaml ", .none),
        ("live a.yaml -- ", .files), ("", .none), ("list ", .none),
    ])
    func shellCompletesFiles(_ line: String, _ paths: Completion.Paths) {
        #expect(completion(line).paths == paths, "\(line)")
    }

    @Test func strategiesComeFromTheScenario() throws {
        // Broken: a completion offers a name that the run refuses.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let known = words("run \(workspace.file("a.yaml")) --strategy ")
        #expect(!known.isEmpty)
        for name in known { #expect(workspace.run("run @a.yaml -q --strategy \(name)").code == .ok) }
        #expect(words("run \(workspace.file("none.yaml")) --strategy ").contains("grpc-java"))
    }

    @Test func shellsGetTheirOwnForm() {
        let surroundings = CommandContext.memory()
        #expect(run(["completions", "bash", "--", "run", "a.yaml", "--format", "=", "js"], in: surroundings) == .ok)
        #expect(surroundings.output.text == "json\n")
        let fish = CommandContext.memory()
        #expect(run(["completions", "fish", "--", "lin"], in: fish) == .ok)
        #expect(fish.output.text == "lint\t\(Verb.lint.summary)\n")
        let zsh = CommandContext.memory()
        #expect(run(["completions", "zsh", "--", "run", "--ou"], in: zsh) == .ok)
        #expect(zsh.output.text == "--out:\(Flag.out.meaning)\n")
        #expect(run(["completions", "tcsh"], in: .memory()) == .usage)
    }

    @Test(arguments: Shell.allCases)
    func scriptsCallCompletionsForTheirShell(_ shell: Shell) {
        let surroundings = CommandContext.memory()
        #expect(run(["completions", shell.rawValue], in: surroundings) == .ok)
        #expect(surroundings.output.text.contains("deadzone completions \(shell) -- "))
    }
}
