import DeadzoneClaims
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios

/// Shell completion: computes the candidates for the last word of a partial command line. It uses the same table that
/// parses command lines. The last word may be empty.
struct Completion {
    struct Candidate: Sendable, Equatable {
        let word: String
        let meaning: String
    }

    /// Kinds of file path that shell completion offers for an argument. The shell completes file names better than this
    /// command can.
    enum Paths: String, Sendable {
        case none, files, folders
    }

    private(set) var candidates: [Candidate] = []
    private(set) var paths = Paths.none
    private let table: CommandTable
    private let context: CommandContext
    private let line: PartialCommandLine

    init(_ words: [String], _ table: CommandTable, _ context: CommandContext) {
        self.table = table
        self.context = context
        line = PartialCommandLine(words, table)
        switch line.next {
        case .value(let flag): offer(flag.value, before: line.typed)
        case .flag: offerFlags()
        case .inlineValue(let flag, let typed): offer(flag.value, before: typed)
        case .command: paths = .files
        case .argument: offerArguments()
        }
    }

    private mutating func add(_ words: some Sequence<Candidate>) {
        candidates += words.filter { $0.word.hasPrefix(line.typed) }
    }

    private mutating func offerFlags() {
        let flags = line.verb?.flags ?? Flag.everywhere + [.version]
        add(
            flags.filter { $0.isRepeatable || !line.given.contains($0) }.map { flag in
                Candidate(word: "--" + flag.name, meaning: line.verb?.meaning(of: flag) ?? flag.meaning)
            })
    }

    private mutating func offerArguments() {
        guard let verb = line.verb else {
            add(table.verbs.map { Candidate(word: $0.name, meaning: $0.summary) })
            return
        }
        guard line.arguments.count < verb.arguments.count.upperBound else { return }
        for placeholder in verb.arguments.placeholders(at: line.arguments.count) {
            offer(placeholder: placeholder, before: line.typed)
        }
    }

    private mutating func offer(_ value: Flag.FlagArgument, before typed: String) {
        switch value {
        case .none, .number: return
        case .word(let words): add(words.map { Candidate(word: line.inline + $0, meaning: "") })
        case .text(let placeholder): offer(placeholder: placeholder, before: typed)
        }
    }

    private mutating func offer(placeholder: String, before typed: String) {
        guard let kind = PlaceholderKind(placeholder) else {
            // A literal of the placeholder itself: `save|diff`.
            add(placeholder.split(separator: "|").map { Candidate(word: String($0), meaning: "") })
            return
        }
        switch kind {
        case .files: paths = .files
        case .folders: paths = .folders
        case .unknown: return
        case .verbs: add(table.verbs.map { Candidate(word: $0.name, meaning: $0.summary) })
        case .topics: add(Topic.allCases.map { Candidate(word: $0.rawValue, meaning: "") })
        case .formats: offerList(line.verb?.formats ?? [], typed)
        case .networks: offerList(AcrossSelection.names(context.vocabulary), typed)
        case .names(let topics): add(entries(topics))
        case .strategies: add(strategies())
        case .strategiesOrFiles:
            add(entries([.strategies]))
            paths = .files
        case .claims: add(ArticleClaim.all.map { Candidate(word: $0.id, meaning: $0.statement) })
        case .pages: add(Guide.standard(context).pages.map { Candidate(word: $0.name, meaning: $0.title) })
        }
    }

    /// Completes a comma-separated list: the words before the last comma stay.
    private mutating func offerList(_ words: [String], _ typed: String) {
        let kept = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        let taken = kept.split(separator: ",")
        let free = words.filter { !taken.contains(Substring($0)) }
        add(free.map { Candidate(word: line.inline + kept + $0, meaning: "") })
    }

    private func entries(_ topics: [Topic]) -> [Candidate] {
        topics.flatMap { (try? ReferenceIndex.entries($0, context)) ?? [] }.map {
            Candidate(word: line.inline + $0.name, meaning: $0.summary.firstSentence)
        }
    }

    /// Strategies of the scenarios in the line. If no scenario can be read, all named strategies.
    private func strategies() -> [Candidate] {
        let files = try? ScenarioFiles(line.arguments.filter { $0 != PathExpansion.standardInput }, context).files
        let scenarios = (files ?? []).flatMap { $0.loaded.scenarios }
        let namedStrategies = scenarios.flatMap { $0.strategies.map(\.name) }
        guard !namedStrategies.isEmpty else { return entries([.strategies]) }
        return namedStrategies.reduce(into: []) { known, name in
            let candidate = Candidate(word: line.inline + name, meaning: "")
            if !known.contains(candidate) { known.append(candidate) }
        }
    }
}

/// The kind of value that a placeholder in the command's help stands for, such as a file or a strategy name.
enum PlaceholderKind: Equatable {
    case files, folders, verbs, topics, formats, networks, strategies, strategiesOrFiles, claims, pages
    case names([Topic])
    /// Numbers, durations and other values that only the user can provide.
    case unknown

    init?(_ placeholder: String) {
        switch placeholder {
        case "FILE", "SCENARIO", "CAPTURE", "REPORT", "SHARD", "RESULT", "RECORDING", "POWER", "PROBES.csv":
            self = .files
        case "DIR": self = .folders
        case "VERB": self = .verbs
        case "WHAT": self = .topics
        case "LIST": self = .formats
        case "NETWORKS": self = .networks
        case "STRATEGY": self = .strategies
        case "STRATEGY|FILE": self = .strategiesOrFiles
        case "PRESET": self = .names([.strategies])
        case "PROFILE": self = .names([.profiles])
        case "NAME": self = .names(Topic.explainable)
        case "ID": self = .claims
        case "PAGE": self = .pages
        case "SHELL", "WORD", "SEED", "--", "CLIENT", "INTERFACE", "T", "SPAN", "PACKAGE", "RAIL", "EXPR", "COMMAND",
            "ADDR",
            "KEY=VALUE", "AXIS=VALUE",
            "SETTING", "LOW,HIGH", "DEMAND", "KINDS",
            "EVENT=COMMAND",
            "N/COUNT", "N|WORD",
            "NAME:PORT=TARGET":
            self = .unknown
        default: return nil
        }
    }
}

extension Arguments {
    /// The placeholder of the argument at this index. The last placeholder repeats.
    func placeholders(at index: Int) -> [String] {
        let words = synopsis.filter { !"[]…".contains($0) }.split(separator: " ").map(String.init)
        guard let last = words.last else { return [] }
        return [index < words.count ? words[index] : last]
    }
}
