import DeadzoneBase
import DeadzoneRuns
import DeadzoneScenarios

extension Flag {
    static let across = Flag(
        "across", takes: .text("NETWORKS"),
        "Repeat on other networks: profiles, platforms or a list (lte,nr); compare the rankings")
}

extension AcrossSelection {
    /// Reads and checks `--across`. `nil` if the flag is not given.
    init?(_ invocation: Invocation, _ context: CommandContext) throws(ToolFault) {
        guard let text = invocation.text(.across) else { return nil }
        self.init(text)
        let known = Self.names(context.vocabulary)
        for word in words where !known.contains(word) {
            throw ToolFault(
                .unknownName, "`--across`: unknown network \(quote(word))",
                help: ToolFault.didYouMean(word, known) + [
                    "profiles, platforms, a technology (lte, nr, umts, wifi), or names of profiles and platforms",
                    "deadzone list profiles shows all profiles",
                ])
        }
    }
}
