import DeadzoneCommand
import Foundation
import Testing

/// Names of all kinds of malice in every place that a file has for one, through everything that prints them.
struct HostileNamesTests {
    /// As YAML in double quotes writes them: workflow commands of GitHub and Azure, formulas, controls, marks that turn the
    /// line around, what nobody sees, tags.
    private static let names = [
        "::error file=a.yaml,line=1::pwned", "\\u00a0 ::stop-commands::abc", "##[group]x", "##vso[task.complete]x",
        "=1+1", "+1+1", "-2+3", "@SUM(A1)", "\\e[2J", "\\u202egnp.exe", "\\u2066x\\u2069", "a\\u200bb", "a\\ufeffb",
        "a\\U000E0041\\U000E0042b", "a\\u2028::warning::b", "a\\n::error::b",
    ]

    private static let scenario: String = {
        let strategies = names.dropFirst().map { "  \"\($0)\": {strategy: patient}\n" }.joined()
        return """
            version: 1
            name: "\(names[0])"
            about: "::stop-commands::abc \(String(repeating: "x", count: 70)) ::add-mask::1 \(names.joined(separator: " "))"
            duration: 1m
            replicas: 2
            phone: {battery: 15.4Wh, radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}}
            timeline:
              - {at: 0s, wifi: "::error::net"}
              - {at: 30s, handoff: cellular, gap: 400ms, old-path: silent}
            traffic: {down: {every: 20s, size: 300B}}
            strategies:
            \(strategies)expect:
              "\(names[1])": {delivery.down.lost: "over 5"}

            """
    }()

    private static let calls = [
        "run @a.yaml --annotate", "run @a.yaml -v", "run @a.yaml --json", "run @a.yaml --events -", "run @",
        "run @a.yaml --format md", "run @a.yaml --format csv", "run @a.yaml --format html",
        "run @a.yaml --format junit",
        "run @a.yaml --strategy =1+1 --strategy +1+1", "run @a.yaml --strategy ::error::x",
        "lint @a.yaml --print-resolved", "lint @broken.yaml --annotate", "lint @broken.yaml --json",
        "compare @a.yaml --against =1+1 --annotate", "compare @a.yaml --against ::error::x",
        "compare @a.yaml --against =1+1 --format md", "compare @a.yaml --against =1+1 --format junit",
        "baseline save @a.yaml --baseline @base.json", "report @results.json --format csv",
        "explain ::error::x", "schedule ::error::x", "::error::x",
    ]

    @Test(arguments: calls)
    func nothingThatIsPrintedIsObeyed(_ line: String) throws {
        // Broken: a file of somebody else's fails or silences a job in CI, moves the cursor or turns the line around.
        let shop = try Workshop()
        try shop.write("a.yaml", Self.scenario)
        try shop.write("results.json", shop.run("run @a.yaml --json").output)
        try shop.write(
            "broken.yaml", Self.scenario + "\"::error::\\u202e key\": \"\u{202E}::error::x ##[error]\"\n")
        let outcome = shop.run(line)
        #expect(outcome.output + outcome.errors != "")
        for text in [outcome.output, outcome.errors] {
            let bad = text.unicodeScalars.filter { scalar in
                scalar != "\n" && scalar != "\r"
                    && (scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                        || scalar.properties.isDefaultIgnorableCodePoint)
            }
            #expect(bad.map(\.value) == [])
            let lines = text.split { $0.isNewline }.map { $0.drop { $0.isWhitespace } }
            let commands = lines.filter { $0.hasPrefix("::") || $0.contains("##[") || $0.contains("##vso[") }
            // Our own, and only where they were asked for.
            let foreign = commands.filter { !$0.hasPrefix("::error file=/") || !line.contains("--annotate") }
            #expect(foreign == [])
        }
    }

    @Test func aResolvedScenarioReadsBackTheSame() throws {
        // Broken: what is spelled out for the eye is no longer the name.
        let shop = try Workshop()
        try shop.write("a.yaml", Self.scenario)
        let resolved = shop.run("lint @a.yaml --print-resolved").output
        #expect(resolved.contains("\\u202e") && resolved.contains("\\U000e0041"))
        try shop.write("b.yaml", resolved)
        #expect(shop.run("lint @b.yaml --print-resolved").output == resolved)
    }

    @Test func aSpreadsheetSeesText() throws {
        // Broken: a name that is opened in a spreadsheet computes, or calls a program.
        let shop = try Workshop()
        try shop.write("a.yaml", Self.scenario)
        let lines = shop.run("run @a.yaml --format csv").output.split(separator: "\r\n").dropFirst()
        let cells = lines.flatMap { $0.split(separator: ",") }.filter {
            !"-+".contains($0.first ?? " ") || Double($0) == nil
        }
        #expect(cells.count > 1_000)
        for cell in cells {
            let content = cell.hasPrefix("\"") ? cell.dropFirst() : cell
            #expect(!"=+-@".contains(content.first ?? " "), "\(cell)")
        }
        for name in ["=1+1", "+1+1", "-2+3", "@SUM(A1)"] { #expect(cells.contains("\"'\(name)\"")) }
    }
}
