import DeadzoneBase
import DeadzoneClient
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Flag {
    static let with = Flag(
        "with", takes: .text("STRATEGY|FILE"), repeatable: true,
        "Also run a strategy (NAME=STRATEGY names it) or a file's; taken names are prefixed")
    static let only = Flag("only", "Run only the strategies of `--with`, not those of the scenario")
}

extension StrategySelection {
    /// Reads and checks `--with`, `--only` and `--strategy`.
    init(_ invocation: Invocation, _ context: CommandContext) throws(ToolFault) {
        let vocabulary = context.vocabulary
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        var added = invocation.texts(.with).map(AddedStrategy.init)
        for index in added.indices {
            added[index].isUnmarkedFile = Self.isUnmarkedFile(added[index], among: names)
            try Self.check(added[index], among: names)
        }
        if invocation.has(.only), added.isEmpty {
            throw ToolFault(.conflict, "`--only` needs `--with`", help: ["add --with STRATEGY or --with FILE.yaml"])
        }
        self.init(
            added: added, isOnlyAdded: invocation.has(.only), names: invocation.texts(.strategy), addable: names)
    }

    private static func isExisting(_ path: String) -> Bool { Files.kind(of: InstalledFiles.resolved(path)) == .file }

    /// `true` for an existing file such as `chat.before`. The name of a strategy means the strategy.
    private static func isUnmarkedFile(_ added: AddedStrategy, among names: [String]) -> Bool {
        !added.isFile && !names.contains(added.source) && !added.source.isEmpty && isExisting(added.source)
    }

    private static func check(_ added: AddedStrategy, among names: [String]) throws(ToolFault) {
        guard added.name != "", !added.source.isEmpty else {
            throw ToolFault(
                .badFlagValue, "`--with` cannot be \(quote(added.text))",
                help: ["write --with STRATEGY, --with FILE.yaml or --with NAME=STRATEGY"])
        }
        if added.isFile {
            if isExisting(added.source) { return }
            throw ToolFault(
                .nothingMatched, "there is no file \(quote(added.source))",
                help: ["`--with` takes a strategy, a preset file, or a scenario file"])
        }
        guard !names.contains(added.source) else { return }
        let file = [".yaml", ".yml"].map { added.source + $0 }.first(where: isExisting)
        throw ToolFault(
            .unknownName, "unknown strategy \(quote(added.source))",
            help: ToolFault.didYouMean(added.source, names)
                + (file.map { ["write the whole name of the file: --with \(ShellWord.text($0))"] } ?? [])
                + ["deadzone list strategies shows all strategies"])
    }

    /// The same additions without a choice of names.
    var onlyAdditions: StrategySelection { StrategySelection(added: added) }

    /// The flags of this selection after a command, quoted for a shell; empty if everything runs.
    var shellText: String { flags.map { " " + ShellWord.text($0) }.joined() }
}
