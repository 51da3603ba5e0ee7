import DeadzoneBase
import DeadzoneRuns

extension ToolFault {
    static func strategyTwice(_ name: String) -> Self {
        Self(
            .conflict, "two strategies are called \(quote(name))",
            help: ["give yours another name: `static let name`", "deadzone list strategies shows the names in use"])
    }

    static let noVerb = Self(
        .noVerb, "no verb",
        help: HelpText.overviewExamples.map { "\($0.command): \($0.meaning)" } + ["deadzone help lists the verbs"])

    static func unknownVerb(_ name: String, among known: [String]) -> Self {
        Self(
            .unknownVerb, "unknown verb \(quote(name))",
            help: didYouMean(name, known) + ["deadzone help lists the verbs"])
    }

    static func unknownFlag(_ flag: String, among known: [String], verb: String?) -> Self {
        Self(
            .unknownFlag, "unknown flag \(quote(flag))",
            help: didYouMean(flag, known) + [
                "deadzone help \(verb.map { visible($0, atMost: 40) + " " } ?? "")lists the flags"
            ])
    }

    static func flagNeedsValue(_ flag: Flag, _ spelled: String) -> Self {
        Self(.flagNeedsValue, "\(quote(spelled)) needs a value", help: ["write \(flag.synopsis.drop { $0 == " " })"])
    }

    static func flagTakesNoValue(_ spelled: String) -> Self {
        Self(.flagTakesNoValue, "\(quote(spelled)) takes no value", help: ["write \(spelled) alone"])
    }

    static func badFlagValue(_ spelled: String, _ value: String, oneOf words: [String]) -> Self {
        Self(
            .badFlagValue, "\(quote(spelled)) cannot be \(quote(value))",
            help: didYouMean(value, words) + ["it takes " + words.joined(separator: ", ")])
    }

    static func badFlagValue(_ spelled: String, _ value: String, in range: ClosedRange<Int>) -> Self {
        Self(
            .badFlagValue, "\(quote(spelled)) cannot be \(quote(value))",
            help: ["it takes a whole number from \(range.lowerBound) to \(range.upperBound)"])
    }

    static func flagTwice(_ spelled: String) -> Self {
        Self(.flagTwice, "\(quote(spelled)) is given twice", help: ["give it once"])
    }

    static func missingArgument(_ verb: Verb) -> Self {
        Self(
            .missingArgument, "deadzone \(verb.name) needs \(verb.arguments.synopsis)",
            help: ["example: \(verb.examples.first?.command ?? "deadzone help \(verb.name)")"])
    }

    static func tooManyArguments(_ verb: Verb, _ word: String) -> Self {
        Self(
            .tooManyArguments, "deadzone \(verb.name) does not know what to do with \(quote(word))",
            help: ["it takes " + (verb.arguments.synopsis.isEmpty ? "no arguments" : verb.arguments.synopsis)])
    }
}
