import Testing

@testable import DeadzoneHost

struct TerminalTests {
    @Test(arguments: [
        (true, [:], true),
        (false, [:], false),
        (true, ["NO_COLOR": "1"], false),
        (true, ["NO_COLOR": ""], true),
        (true, ["TERM": "dumb"], false),
        (true, ["TERM": "xterm"], true),
        (false, ["CLICOLOR_FORCE": "1"], true),
        (false, ["CLICOLOR_FORCE": "0"], false),
        (false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true),
        (false, ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true),
    ])
    func coloursOnlyIfRequested(_ interactive: Bool, _ variables: [String: String], _ expected: Bool) {
        // Broken: escape codes in a log file, or a user's setting is ignored.
        #expect(Terminal.wantsColors(interactive: interactive, Environment(variables)) == expected)
    }
}
