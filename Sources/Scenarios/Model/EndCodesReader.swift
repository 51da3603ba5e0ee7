import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator

extension SettingsReader {
    /// Reads the codes with which the server ends connections: `codes: {denied: 4401, ended: 1012}`.
    mutating func endCodes() -> EndCodes {
        section(
            "codes", "code that the server states when it ends a connection, for `on-end` of the clients' `backoff`"
        ) { settings in
            var codes = EndCodes()
            for kind in EndCodes.kinds {
                let range = Int64(EndReactions.codes.lowerBound)...Int64(EndReactions.codes.upperBound)
                codes[kind] = settings.count(kind.word, in: range, kind.meaning).map { UInt16($0) } ?? 0
            }
            return codes
        } ?? EndCodes()
    }
}

extension EndCodes {
    /// The codes that are stated, as canonical text.
    var entries: [Node.MapEntry] {
        Self.kinds.filter { self[$0] != 0 }.map { .init(key: "code-" + $0.word, value: .text(String(self[$0]))) }
    }
}
