import DeadzoneCommand
import DeadzoneHost
import Foundation
import Testing

struct ReportVerbTests {
    private static let matrix = """

        matrix:
          every: [10s, 20s]

        """

    @Test(arguments: [false, true])
    func givesTheSameBytesAgain(_ isMatrix: Bool) throws {
        // Broken: something of a run shows in its reports that its result does not hold.
        let shop = try Workshop()
        let text =
            isMatrix
            ? Workshop.scenario.replacing("every: 10s", with: "every: \"${every}\"") + Self.matrix : Workshop.scenario
        try shop.write("a.yaml", text)
        let formats = "json,csv,html,perfetto"
        #expect(shop.run("run @a.yaml --seed monday --strategy patient --out @first --format \(formats)").code == .ok)
        let again = shop.run("report @first/results.json --out @second --format \(formats) --jobs 3")
        #expect(again.code == .ok, "\(again.errors)")
        let names = try Files.names(in: shop.file("first"))
        #expect(names.count == 4)
        for name in names {
            let (first, second) = (try shop.data("first/" + name), try shop.data("second/" + name))
            #expect(first == second, "\(name)")
            #expect(first.count > 500)
        }
        let printed = shop.run("report @first/results.json --json").output
        #expect(printed == (try shop.text("first/results.json")))
    }

    @Test(arguments: [
        ("\"digest\": \"", "E0421"), ("\"world_hash\": \"", "E0421"), ("\"strategy_hash\": \"", "E0421"),
        ("\"schema\": \"deadzone/run", "E0420"), ("{\n", "E0420"), ("\"resolved\": \"", "E0420"),
    ])
    func refusesWhatDoesNotComeOutAgain(_ place: String, _ code: String) throws {
        // Broken: a result that a hand has changed, or that another version made, is reported as if it were true.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        _ = shop.run("run @a.yaml --out @out")
        var text = try shop.text("out/results.json")
        let range = try #require(text.range(of: place))
        let next = text[range.upperBound]
        text.replaceSubrange(range.upperBound...range.upperBound, with: next == "0" ? "1" : "0")
        try shop.write("changed.json", text)
        let outcome = shop.run("report @changed.json --json")
        #expect(outcome.code == .badInput)
        #expect(outcome.errors.contains(code), "\(outcome.errors)")
    }

    @Test(arguments: [
        "", "[", "{}", "null", "{\"schema\": 1}", "\u{1B}]0;x\u{7}", String(repeating: "[", count: 9_999),
    ])
    func anyOtherFileIsAnErrorOfTheInput(_ text: String) throws {
        // Broken: a trap, or a pass, on what is no result.
        let shop = try Workshop()
        try shop.write("x.json", text)
        let outcome = shop.run("report @x.json --format html")
        #expect(outcome.code == .badInput)
        #expect(outcome.errors.contains("E0420"))
        #expect(!outcome.errors.contains("\u{1B}"))
    }

    @Test func binaryFormatsWantAFolder() throws {
        // Broken: a trace is poured over a terminal.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        #expect(shop.run("run @a.yaml --format perfetto").code == .usage)
        #expect(shop.run("run @a.yaml --format html,csv").code == .usage)
        #expect(shop.run("run @a.yaml --format htm").errors.contains("did you mean `html`?"))
        #expect(shop.run("report @a.yaml").code == .usage)
    }
}
