import DeadzoneRuns

/// A parsed command line: the subcommand, its arguments, and the values of its flags.
struct Invocation: Sendable {
    let verb: Verb
    let arguments: [String]
    fileprivate let values: [(flag: Flag, value: String)]

    func has(_ flag: Flag) -> Bool { values.contains { $0.flag == flag } }

    /// The last one given counts, so that an alias can be overridden.
    func text(_ flag: Flag) -> String? { values.last { $0.flag == flag }?.value }

    func texts(_ flag: Flag) -> [String] { values.filter { $0.flag == flag }.map(\.value) }

    /// Checked when it was parsed.
    func number(_ flag: Flag) -> Int? { text(flag).flatMap { Int($0) } }
}

/// The action that a command line requests: execute a subcommand, or print help or the version.
enum Request {
    case perform(Invocation)
    /// Help on a verb, or on the whole command.
    case help(Verb?)
    case version
}

/// Parses the words of a command line into a request. Flags may stand anywhere, before the verb too; `--` ends them;
/// `-` is an argument; `-h` anywhere wins over whatever else is wrong.
struct CommandLineReader {
    private let table: CommandTable
    private var words: ArraySlice<String>
    private var arguments: [String] = []
    private var values: [(flag: Flag, value: String, spelled: String)] = []

    static func read(_ words: [String], _ table: CommandTable) throws(ToolFault) -> Request {
        // No argument at all: show the help instead of an error.
        if words.isEmpty { return .help(nil) }
        if let topic = helpTopic(words, table) { return .help(topic.verb) }
        var reader = Self(table: table, words: words[...])
        return try reader.read()
    }

    private init(table: CommandTable, words: ArraySlice<String>) {
        self.table = table
        self.words = words
    }

    private static func helpTopic(_ words: [String], _ table: CommandTable) -> (verb: Verb?, Void)? {
        let flags = words.prefix { $0 != "--" }
        guard flags.contains("-h") || flags.contains("--help") else { return nil }
        return (flags.lazy.compactMap(table.verb).first, ())
    }

    private mutating func read() throws(ToolFault) -> Request {
        while let word = words.popFirst() {
            if word == "--" {
                arguments += words
                break
            }
            if word == "-" || !word.hasPrefix("-") {
                arguments.append(word)
            } else if word.hasPrefix("--") {
                try readLong(word)
            } else {
                try readShort(word)
            }
        }
        if values.contains(where: { $0.flag == .version }) { return .version }
        return .perform(try invocation())
    }

    private mutating func readLong(_ word: String) throws(ToolFault) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let flag = known.first(where: { $0.name == name }) else {
            throw .unknownFlag("--" + name, among: flagsOfVerb().map { "--" + $0.name }, verb: arguments.first)
        }
        try take(flag, inline: parts.count > 1 ? String(parts[1]) : nil, spelled: "--" + name)
    }

    /// `-q`, or several without values at once: `-qv`.
    private mutating func readShort(_ word: String) throws(ToolFault) {
        for letter in word.dropFirst() {
            guard let flag = known.first(where: { $0.short == letter }) else {
                throw .unknownFlag(
                    word, among: flagsOfVerb().compactMap { $0.short.map { "-\($0)" } }, verb: arguments.first)
            }
            try take(flag, inline: nil, spelled: "-\(letter)")
        }
    }

    private mutating func take(_ flag: Flag, inline: String?, spelled: String) throws(ToolFault) {
        guard flag.value != .none else {
            guard inline == nil else { throw .flagTakesNoValue(spelled) }
            values.append((flag, "", spelled))
            return
        }
        guard let value = inline ?? words.popFirst() else { throw .flagNeedsValue(flag, spelled) }
        try check(value, flag, spelled)
        values.append((flag, value, spelled))
    }

    private func check(_ value: String, _ flag: Flag, _ spelled: String) throws(ToolFault) {
        switch flag.value {
        case .none, .text:
            return
        case .word(let words):
            guard words.contains(value) else { throw .badFlagValue(spelled, value, oneOf: words) }
        case .number(_, let range):
            guard let number = Int(value), range.contains(number) else {
                throw .badFlagValue(spelled, value, in: range)
            }
        }
    }

    private func invocation() throws(ToolFault) -> Invocation {
        guard let name = arguments.first else { throw .noVerb }
        guard let verb = table.verb(name) else { throw .unknownVerb(name, among: table.verbs.map(\.name)) }
        for (flag, _, spelled) in values where !verb.flags.contains(flag) {
            throw .unknownFlag(spelled, among: verb.flags.map { "--" + $0.name }, verb: name)
        }
        for (index, given) in values.enumerated() where !given.flag.isRepeatable && given.flag.value != .none {
            if values[..<index].contains(where: { $0.flag == given.flag }) { throw .flagTwice(given.spelled) }
        }
        let rest = Array(arguments.dropFirst())
        guard rest.count >= verb.arguments.count.lowerBound else { throw .missingArgument(verb) }
        guard rest.count <= verb.arguments.count.upperBound else {
            throw .tooManyArguments(verb, rest[verb.arguments.count.upperBound])
        }
        return Invocation(verb: verb, arguments: rest, values: values.map { ($0.flag, $0.value) })
    }

    private var known: [Flag] { table.flags + [.version] }

    private func flagsOfVerb() -> [Flag] { arguments.first.flatMap(table.verb)?.flags ?? known }
}

extension Flag {
    /// Belongs to the command as a whole.
    static let version = Flag("version", short: "V", "Print the version and exit")
}
