/// Parses an unfinished command line for shell completion: the complete words, and the kind of word expected last.
struct PartialCommandLine {
    enum Next {
        case flag, argument
        /// A word of the client's command, after `--`.
        case command
        case value(Flag)
        /// `--format=js`: the value is part of the word.
        case inlineValue(Flag, typed: String)
    }

    /// The last word as typed.
    let typed: String
    private(set) var verb: Verb?
    private(set) var arguments: [String] = []
    private(set) var given: [Flag] = []
    private(set) var next = Next.argument

    /// The part of the word before an inline value, such as `--format=`.
    var inline: String {
        guard case .inlineValue(_, let value) = next else { return "" }
        return String(typed.dropLast(value.count))
    }

    init(_ words: [String], _ table: CommandTable) {
        let words = Self.joined(words)
        typed = words.last ?? ""
        let flags = table.flags
        func flag(_ word: some StringProtocol) -> Flag? { flags.first { "--" + $0.name == word } }

        var awaiting: Flag?
        var isCommand = false
        for word in words.dropLast() {
            if awaiting != nil {
                awaiting = nil
            } else if isCommand {
                continue
            } else if word == "--" {
                isCommand = true
            } else if word.hasPrefix("-"), word != "-" {
                let known =
                    flag(word.prefix { $0 != "=" }) ?? word.last.flatMap { last in flags.first { $0.short == last } }
                guard let known else { continue }
                given.append(known)
                if known.value != .none, !word.contains("=") { awaiting = known }
            } else if verb == nil {
                verb = table.verb(word)
            } else {
                arguments.append(word)
            }
        }

        if let awaiting {
            next = .value(awaiting)
        } else if isCommand {
            next = .command
        } else if typed.hasPrefix("--"), let sign = typed.firstIndex(of: "="), let flag = flag(typed[..<sign]) {
            next = .inlineValue(flag, typed: String(typed[typed.index(after: sign)...]))
        } else if typed.hasPrefix("-") {
            next = .flag
        }
    }

    /// Joins `--format=js` again, which bash splits into three words.
    private static func joined(_ words: [String]) -> [String] {
        words.reduce(into: []) { joined, word in
            guard let last = joined.last, last.hasPrefix("--") else {
                joined.append(word)
                return
            }
            if word == "=", !last.contains("=") {
                joined[joined.count - 1] += word
            } else if last.hasSuffix("="), last.dropLast().allSatisfy({ $0 != "=" }) {
                joined[joined.count - 1] += word
            } else {
                joined.append(word)
            }
        }
    }
}
