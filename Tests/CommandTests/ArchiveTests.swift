import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Results as tables.
struct ArchiveTests {
    private static let matrix = Workshop.scenario.replacing(
        "replicas: 3", with: "replicas: 4\nmatrix:\n  traffic.down.every: [10s, 20s]")
    /// Enough of them to tell better from worse.
    private static let sure = Workshop.scenario.replacing("replicas: 3", with: "replicas: 10")
    /// The same world; what `patient` does is another thing.
    private static let changed = sure.replacing(
        "patient: {strategy: patient}", with: "patient: {strategy: patient, ping: 20s, timeout: 5s}")
    /// Phones wait at the horizon, so that a quantile is only known to be no less.
    private static let unserved = Workshop.scenario.replacing(
        "{at: 1m, handoff: cellular, gap: 400ms, old-path: silent}", with: "{at: 150s, wifi: off}")

    private func archive(
        _ text: String, in shop: Workshop, _ flags: String = "", as name: String = "a"
    ) throws -> String {
        try shop.write("\(name).yaml", text)
        let outcome = shop.run("run @\(name).yaml --format sqlite,json --out @\(name) --exit-zero -q \(flags)")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        return shop.file(name + "/results.sqlite")
    }

    private func document(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func strategies(_ text: String) throws -> [[String: Any]] {
        try #require(try document(text)["strategies"] as? [[String: Any]])
    }

    /// As a column has it: infinite and null are both null in JSON.
    private func value(_ json: Any?) -> Double? {
        (json as? Double) ?? (json as? [String: Any]).flatMap { $0["at_least"] as? Double }
    }

    private func column(_ text: String??) -> Double? {
        text.flatMap { $0 }.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }

    @Test(
        "Else a figure of the tables would be another than that of the document",
        arguments: [Workshop.scenario, unserved])
    func figuresAreThoseOfTheDocument(_ text: String) throws {
        let shop = try Workshop()
        let path = try archive(text, in: shop)
        var open = 0
        for (number, strategy) in try strategies(shop.text("a/results.json")).enumerated() {
            let (metrics, intervals) = (strategy["metrics"] as? [String: Any], strategy["ci95"] as? [String: [Any]])
            let rows = try Rows.of(
                "SELECT metric, value, at_least, ci95_low, ci95_high FROM figures WHERE strategy = \(number)", in: path)
            #expect(rows.count > 150)
            for row in rows {
                guard let name = row[0], let json = metrics?[name] else { continue }
                #expect(column(row[1]) == value(json), "\(name)")
                #expect((row[2] == "1") == (json is [String: Any]), "\(name)")
                #expect(column(row[3]) == value(intervals?[name]?.first), "\(name)")
                #expect(column(row[4]) == value(intervals?[name]?.last), "\(name)")
                if row[2] == "1" { open += 1 }
            }
        }
        #expect((open > 0) == (text == Self.unserved))
    }

    @Test("Else a row would not be what its replica comes to alone", arguments: [Workshop.scenario, unserved])
    func aRowIsWhatItsReplicaComesToAlone(_ text: String) throws {
        let shop = try Workshop()
        let path = try archive(text, in: shop)
        for replica in 0..<3 {
            let alone = try strategies(shop.run("run @a.yaml --replica \(replica) --json").output)
            for (number, strategy) in alone.enumerated() {
                let metrics = try #require(strategy["metrics"] as? [String: Any])
                let names = metrics.keys.sorted()
                let question =
                    "SELECT digest, \(names.map { "\"\($0)\"" }.joined(separator: ", ")) FROM replicas "
                    + "WHERE replica = \(replica) AND strategy = \(number)"
                let row = try #require(try Rows.of(question, in: path).first)
                for (name, text) in zip(names, row.dropFirst()) {
                    #expect(column(text) == value(metrics[name]), "\(name)")
                }
                let open = try Rows.of(
                    "SELECT metric FROM at_least WHERE replica = \(replica) AND strategy = \(number) ORDER BY metric",
                    in: path
                ).compactMap(\.first)
                #expect(open == names.filter { metrics[$0] is [String: Any] })
            }
        }
    }

    @Test("Else what is kept would hang on how many threads there are")
    func bytesDoNotHangOnThreads() throws {
        let shop = try Workshop()
        let one = try Data(contentsOf: URL(filePath: archive(Self.matrix, in: shop, "--jobs 1", as: "one")))
        for jobs in [2, 8] {
            let other = try archive(Self.matrix, in: shop, "--jobs \(jobs)", as: "many")
            #expect(try Data(contentsOf: URL(filePath: other)) == one, "--jobs \(jobs)")
        }
        let rows = try Rows.of(
            "SELECT run, replica, strategy, digest FROM replicas", in: shop.file("one/results.sqlite"))
        #expect(rows.count == 2 * 4 * 2 && Set(rows.map { $0[3] }).count == rows.count)
    }

    @Test("Else a result in tables would be a dead end")
    func aReportIsMadeOfIt() throws {
        let shop = try Workshop()
        for (text, name) in [(Workshop.scenario, "a"), (Self.matrix, "b")] {
            let path = try archive(text, in: shop, as: name)
            #expect(try shop.run("report \(path) --json").output == shop.text("\(name)/results.json"))
            #expect(shop.run("report \(path) --format sqlite --out @again").code == .ok)
            #expect(try shop.data("again/results.sqlite") == shop.data("\(name)/results.sqlite"))
        }
    }

    @Test("Else a comparison with tables would be another one than with a baseline, or two tables than two runs")
    func comparesAsABaselineDoes() throws {
        let shop = try Workshop()
        let before = try archive(Self.sure, in: shop, as: "before")
        #expect(shop.run("baseline save @before.yaml --baseline @base.json").code == .ok)
        let now = try archive(Self.changed, in: shop, as: "now")
        for scenario in ["before", "now"] {
            let usual = shop.run("compare @\(scenario).yaml --baseline @base.json --json")
            let other = shop.run("compare @\(scenario).yaml --baseline \(before) --json")
            #expect(
                usual.code == other.code && usual.code == (scenario == "now" ? .gateFailed : .ok), "\(usual.errors)")
            #expect(try withoutMinutes(usual.output) == withoutMinutes(other.output))
        }
        let runs = shop.run("compare @now.yaml --baseline @base.json --json")
        let tables = shop.run("compare \(now) --baseline \(before) --json")
        #expect(tables.code == runs.code, "\(tables.errors)")
        #expect(try withoutMinutes(runs.output) == withoutMinutes(tables.output))
        #expect(shop.run("compare \(before) --baseline \(before)").code == .ok)
        #expect(shop.run("compare \(before) --against eager").output.contains("patient"))
    }

    /// An archive knows which replica is another one, and not since when; and nobody knows which file it was made from.
    private func withoutMinutes(_ text: String) throws -> NSDictionary {
        func stripped(_ value: Any) -> Any {
            if let members = value as? [String: Any] {
                return members.filter { !["first_divergence", "command", "file"].contains($0.key) }.mapValues(stripped)
            }
            return (value as? [Any])?.map(stripped) ?? value
        }
        return try #require(stripped(document(text)) as? NSDictionary)
    }

    @Test("Else what is no sound result would be read as one")
    func whatIsNotSoundIsRefused() throws {
        let shop = try Workshop()
        let path = try archive(Workshop.scenario, in: shop)
        let whole = try Data(contentsOf: URL(filePath: path))
        func refuses(_ word: String) {
            for line in ["report @x.sqlite --json", "compare @a.yaml --baseline @x.sqlite"] {
                let outcome = shop.run(line)
                #expect(outcome.code == .badInput && outcome.errors.contains(word), "\(line): \(outcome.errors)")
            }
        }
        func changed(_ text: String) throws {
            try whole.write(to: URL(filePath: shop.file("x.sqlite")))
            try #require(Rows.change(shop.file("x.sqlite"), text))
        }
        try changed("PRAGMA user_version = 9")
        refuses("version is 9")
        try changed("DROP TABLE runs; CREATE VIEW runs AS SELECT 1 AS run")
        refuses("no table `runs`")
        try changed("DELETE FROM result")
        refuses("not written to its end")
        try changed("UPDATE result SET complete = 0")
        refuses("E0420")
        try changed("UPDATE runs SET seed = 'x'")
        refuses("no seed")
        try changed("DELETE FROM replicas WHERE replica = 1")
        #expect(shop.run("compare @a.yaml --baseline @x.sqlite").errors.contains("2 replicas, and not 3"))
        try changed("UPDATE strategies SET digest = '0' WHERE strategy = 0")
        #expect(shop.run("report @x.sqlite --json").errors.contains("E0421"))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: shop.file("x.sqlite")))
        for line in ["report @x.sqlite --json", "compare @a.yaml --baseline @x.sqlite"] {
            #expect(shop.run(line).code == .badInput)
        }
        // It is no document that could be added to.
        let saved = shop.run("baseline save @a.yaml --baseline \(path)")
        #expect(saved.code != .ok && saved.errors.contains("E0404"))
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
        #expect(shop.run("compare \(path) --baseline \(path) --seed 2").errors.contains("`--seed` is about a run"))
        #expect(shop.run("run @a.yaml --format sqlite").errors.contains("name a folder"))
    }

    @Test("Else who asks by hand would have to guess what is where")
    func thePageHasEveryTableAndColumn() throws {
        let shop = try Workshop()
        let path = try archive(Workshop.scenario, in: shop)
        let page = try String(
            contentsOfFile: Repository.root + "/Sources/Guide/pages/results-as-tables.md", encoding: .utf8)
        let tables = try Rows.of("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')", in: path).compactMap
        { $0[0] }
        #expect(tables.count == 16)
        for table in tables {
            let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(table)` |") }, "\(table)")
            for column in try Rows.of("SELECT name FROM pragma_table_info('\(table)')", in: path).compactMap({ $0[0] })
            where !column.contains(".") { #expect(row.contains("`\(column)`"), "\(table).\(column)") }
        }
        for question in page.split(separator: "```sql\n").dropFirst().compactMap({ $0.split(separator: "```").first }) {
            #expect(try !Rows.of(String(question), in: path).isEmpty, "\(question)")
        }
    }
}
