import DeadzoneCommand
import Foundation
import Testing

/// Hostile names in every field of a scenario that takes a name, passed through every command that prints them.
struct HostileNamesTests {
    /// The names as YAML writes them in double quotes: workflow commands of GitHub and Azure, spreadsheet formulas,
    /// control characters, marks that reverse the text direction, invisible characters, tag characters.
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
    func printedNamesAreNeverExecuted(_ line: String) throws {
        // Broken: a foreign scenario fails or silences a CI job, moves the cursor, or reverses the text direction.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.scenario)
        try workspace.write("results.json", workspace.run("run @a.yaml --json").output)
        try workspace.write(
            "broken.yaml", Self.scenario + "\"::error::\\u202e key\": \"\u{202E}::error::x ##[error]\"\n")
        let outcome = workspace.run(line)
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
            // Only our own commands are allowed, and only with `--annotate`.
            let foreign = commands.filter { !$0.hasPrefix("::error file=/") || !line.contains("--annotate") }
            #expect(foreign == [])
        }
    }

    @Test func aResolvedScenarioReadsBackTheSame() throws {
        // Broken: a name that is printed with escapes does not read back as the same name.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.scenario)
        let resolved = workspace.run("lint @a.yaml --print-resolved").output
        #expect(resolved.contains("\\u202e") && resolved.contains("\\U000e0041"))
        try workspace.write("b.yaml", resolved)
        #expect(workspace.run("lint @b.yaml --print-resolved").output == resolved)
    }

    @Test func spreadsheetCellsAreText() throws {
        // Broken: a name computes a formula or starts a program when a spreadsheet opens the file.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.scenario)
        let lines = workspace.run("run @a.yaml --format csv").output.split(separator: "\r\n").dropFirst()
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
