import DeadzoneClaims
import DeadzoneGuide
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios

/// What may come next in a command line that is being typed, by the table that also reads it. The last word is the one
/// that is being typed; it may be empty.
struct Completion {
    struct Candidate: Sendable, Equatable {
        let word: String
        let meaning: String
    }

    /// What else the shell is to offer: it knows files better than we do.
    enum Paths: String, Sendable {
        case none, files, folders
    }

    private(set) var candidates: [Candidate] = []
    private(set) var paths = Paths.none
    private let table: CommandTable
    private let surroundings: Surroundings
    private let line: UnfinishedLine

    init(_ words: [String], _ table: CommandTable, _ surroundings: Surroundings) {
        self.table = table
        self.surroundings = surroundings
        line = UnfinishedLine(words, table)
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
        for form in verb.arguments.forms(at: line.arguments.count) { offer(form: form, before: line.typed) }
    }

    private mutating func offer(_ value: Flag.Value, before typed: String) {
        switch value {
        case .none, .number: return
        case .word(let words): add(words.map { Candidate(word: line.inline + $0, meaning: "") })
        case .text(let form): offer(form: form, before: typed)
        }
    }

    private mutating func offer(form: String, before typed: String) {
        guard let kind = FormKind(form) else {
            // A word of the form itself: `save|diff`.
            add(form.split(separator: "|").map { Candidate(word: String($0), meaning: "") })
            return
        }
        switch kind {
        case .files: paths = .files
        case .folders: paths = .folders
        case .unknown: return
        case .verbs: add(table.verbs.map { Candidate(word: $0.name, meaning: $0.summary) })
        case .topics: add(Topic.allCases.map { Candidate(word: $0.rawValue, meaning: "") })
        case .formats: offerFormats(typed)
        case .names(let topics): add(entries(topics))
        case .strategies: add(strategies())
        case .claims: add(ArticleClaim.all.map { Candidate(word: $0.id, meaning: $0.says) })
        case .pages: add(Guide.standard(surroundings).pages.map { Candidate(word: $0.name, meaning: $0.title) })
        }
    }

    /// Several, with commas between: those before the last comma stay.
    private mutating func offerFormats(_ typed: String) {
        let kept = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        let taken = kept.split(separator: ",")
        let formats = (line.verb?.formats ?? []).filter { !taken.contains(Substring($0)) }
        add(formats.map { Candidate(word: line.inline + kept + $0, meaning: "") })
    }

    private func entries(_ topics: [Topic]) -> [Candidate] {
        topics.flatMap { (try? Handbook.entries($0, surroundings)) ?? [] }.map {
            Candidate(word: line.inline + $0.name, meaning: $0.summary.firstSentence)
        }
    }

    /// Those of the scenarios in the line; where there are none that can be read, all that have a name.
    private func strategies() -> [Candidate] {
        let files = try? ScenarioFiles(line.arguments.filter { $0 != Expansion.standardInput }, surroundings).files
        let scenarios = (files ?? []).flatMap { $0.loaded.scenarios }
        let contenders = scenarios.flatMap { $0.strategies.map(\.name) }
        guard !contenders.isEmpty else { return entries([.strategies]) }
        return contenders.reduce(into: []) { known, name in
            let candidate = Candidate(word: line.inline + name, meaning: "")
            if !known.contains(candidate) { known.append(candidate) }
        }
    }
}

/// What a word of a certain form is: forms are the types of the command's table.
enum FormKind: Equatable {
    case files, folders, verbs, topics, formats, strategies, claims, pages
    case names([Topic])
    /// Numbers, spans and what only the user knows.
    case unknown

    init?(_ form: String) {
        switch form {
        case "FILE", "SCENARIO", "CAPTURE", "SHARD", "RESULT", "RECORDING", "POWER.csv", "PROBES.csv":
            self = .files
        case "DIR": self = .folders
        case "VERB": self = .verbs
        case "WHAT": self = .topics
        case "LIST": self = .formats
        case "STRATEGY": self = .strategies
        case "PRESET": self = .names([.strategies])
        case "PROFILE": self = .names([.profiles])
        case "NAME": self = .names(Topic.explained)
        case "ID": self = .claims
        case "PAGE": self = .pages
        case "SHELL", "WORD", "SEED", "--", "CLIENT", "INTERFACE", "T", "SPAN", "EXPR", "COMMAND", "ADDR", "KEY=VALUE",
            "SETTING", "LOW,HIGH", "DEMAND",
            "EVENT=COMMAND",
            "N/COUNT", "N|WORD",
            "NAME:PORT=TARGET":
            self = .unknown
        default: return nil
        }
    }
}

extension Arguments {
    /// The forms that the argument of this number may have; the last form is repeated.
    func forms(at index: Int) -> [String] {
        let words = form.filter { !"[]…".contains($0) }.split(separator: " ").map(String.init)
        guard let last = words.last else { return [] }
        return [index < words.count ? words[index] : last]
    }
}
