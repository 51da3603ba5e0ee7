import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Results archived as SQLite tables.
struct ArchiveTests {
    private static let matrix = TestWorkspace.scenario.replacing(
        "replicas: 3", with: "replicas: 4\nmatrix:\n  traffic.down.every: [10s, 20s]")
    /// Enough replicas to decide between better and worse.
    private static let sure = TestWorkspace.scenario.replacing("replicas: 3", with: "replicas: 10")
    /// The same world with other settings for `patient`.
    private static let changed = sure.replacing(
        "patient: {strategy: patient}", with: "patient: {strategy: patient, ping: 20s, timeout: 5s}")
    /// Phones still wait when the run ends, so a quantile is only known as a lower bound.
    private static let unserved = TestWorkspace.scenario.replacing(
        "{at: 1m, handoff: cellular, gap: 400ms, old-path: silent}", with: "{at: 150s, wifi: off}")

    private func archive(
        _ text: String, in workspace: TestWorkspace, _ flags: String = "", as name: String = "a"
    ) throws -> String {
        try workspace.write("\(name).yaml", text)
        let outcome = workspace.run("run @\(name).yaml --format sqlite,json --out @\(name) --exit-zero -q \(flags)")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        return workspace.file(name + "/results.sqlite")
    }

    private func document(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func strategies(_ text: String) throws -> [[String: Any]] {
        try #require(try document(text)["strategies"] as? [[String: Any]])
    }

    /// Returns the number of a JSON metric or its `at_least` bound. Infinite values are null in JSON as well.
    private func value(_ json: Any?) -> Double? {
        (json as? Double) ?? (json as? [String: Any]).flatMap { $0["at_least"] as? Double }
    }

    private func column(_ text: String??) -> Double? {
        text.flatMap { $0 }.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }

    @Test(
        "Every figure in the tables equals the figure in the JSON document",
        arguments: [TestWorkspace.scenario, unserved])
    func figuresEqualTheDocument(_ text: String) throws {
        let workspace = try TestWorkspace()
        let path = try archive(text, in: workspace)
        var open = 0
        for (number, strategy) in try strategies(workspace.text("a/results.json")).enumerated() {
            let (metrics, intervals) = (strategy["metrics"] as? [String: Any], strategy["ci95"] as? [String: [Any]])
            let rows = try SQLiteRows.query(
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

    @Test(
        "The row of a replica equals the result of that replica run alone",
        arguments: [TestWorkspace.scenario, unserved])
    func rowEqualsItsReplicaRunAlone(_ text: String) throws {
        let workspace = try TestWorkspace()
        let path = try archive(text, in: workspace)
        for replica in 0..<3 {
            let alone = try strategies(workspace.run("run @a.yaml --replica \(replica) --json").output)
            for (number, strategy) in alone.enumerated() {
                let metrics = try #require(strategy["metrics"] as? [String: Any])
                let names = metrics.keys.sorted()
                let question =
                    "SELECT digest, \(names.map { "\"\($0)\"" }.joined(separator: ", ")) FROM replicas "
                    + "WHERE replica = \(replica) AND strategy = \(number)"
                let row = try #require(try SQLiteRows.query(question, in: path).first)
                for (name, text) in zip(names, row.dropFirst()) {
                    #expect(column(text) == value(metrics[name]), "\(name)")
                }
                let open = try SQLiteRows.query(
                    "SELECT metric FROM at_least WHERE replica = \(replica) AND strategy = \(number) ORDER BY metric",
                    in: path
                ).compactMap(\.first)
                #expect(open == names.filter { metrics[$0] is [String: Any] })
            }
        }
    }

    @Test("The archive does not depend on the number of threads")
    func bytesDoNotDependOnThreads() throws {
        let workspace = try TestWorkspace()
        let one = try Data(contentsOf: URL(filePath: archive(Self.matrix, in: workspace, "--jobs 1", as: "one")))
        for jobs in [2, 8] {
            let other = try archive(Self.matrix, in: workspace, "--jobs \(jobs)", as: "many")
            #expect(try Data(contentsOf: URL(filePath: other)) == one, "--jobs \(jobs)")
        }
        let rows = try SQLiteRows.query(
            "SELECT run, replica, strategy, digest FROM replicas", in: workspace.file("one/results.sqlite"))
        #expect(rows.count == 2 * 4 * 2 && Set(rows.map { $0[3] }).count == rows.count)
    }

    @Test("A report made from the tables equals the original result")
    func reportFromTablesEqualsTheResult() throws {
        let workspace = try TestWorkspace()
        for (text, name) in [(TestWorkspace.scenario, "a"), (Self.matrix, "b")] {
            let path = try archive(text, in: workspace, as: name)
            #expect(try workspace.run("report \(path) --json").output == workspace.text("\(name)/results.json"))
            #expect(workspace.run("report \(path) --format sqlite --out @again").code == .ok)
            #expect(try workspace.data("again/results.sqlite") == workspace.data("\(name)/results.sqlite"))
        }
    }

    @Test("A comparison with tables equals one with a baseline file, and two tables equal two runs")
    func comparesLikeABaseline() throws {
        let workspace = try TestWorkspace()
        let before = try archive(Self.sure, in: workspace, as: "before")
        #expect(workspace.run("baseline save @before.yaml --baseline @base.json").code == .ok)
        let now = try archive(Self.changed, in: workspace, as: "now")
        for scenario in ["before", "now"] {
            let usual = workspace.run("compare @\(scenario).yaml --baseline @base.json --json")
            let other = workspace.run("compare @\(scenario).yaml --baseline \(before) --json")
            #expect(
                usual.code == other.code && usual.code == (scenario == "now" ? .gateFailed : .ok), "\(usual.errors)")
            #expect(try withoutMinutes(usual.output) == withoutMinutes(other.output))
        }
        let runs = workspace.run("compare @now.yaml --baseline @base.json --json")
        let tables = workspace.run("compare \(now) --baseline \(before) --json")
        #expect(tables.code == runs.code, "\(tables.errors)")
        #expect(try withoutMinutes(runs.output) == withoutMinutes(tables.output))
        #expect(workspace.run("compare \(before) --baseline \(before)").code == .ok)
        #expect(workspace.run("compare \(before) --against eager").output.contains("patient"))
    }

    /// Drops the fields that an archive cannot supply: the minute of the first difference, the command and the source
    /// file.
    private func withoutMinutes(_ text: String) throws -> NSDictionary {
        func stripped(_ value: Any) -> Any {
            if let members = value as? [String: Any] {
                return members.filter { !["first_divergence", "command", "file"].contains($0.key) }.mapValues(stripped)
            }
            return (value as? [Any])?.map(stripped) ?? value
        }
        return try #require(stripped(document(text)) as? NSDictionary)
    }

    @Test("A damaged or incomplete archive is refused")
    func damagedArchiveIsRefused() throws {
        let workspace = try TestWorkspace()
        let path = try archive(TestWorkspace.scenario, in: workspace)
        let whole = try Data(contentsOf: URL(filePath: path))
        func refuses(_ word: String) {
            for line in ["report @x.sqlite --json", "compare @a.yaml --baseline @x.sqlite"] {
                let outcome = workspace.run(line)
                #expect(outcome.code == .badInput && outcome.errors.contains(word), "\(line): \(outcome.errors)")
            }
        }
        func changed(_ text: String) throws {
            try whole.write(to: URL(filePath: workspace.file("x.sqlite")))
            try #require(SQLiteRows.execute(workspace.file("x.sqlite"), text))
        }
        try changed("PRAGMA user_version = 9")
        refuses("version is 9")
        try changed("DROP TABLE runs; CREATE VIEW runs AS SELECT 1 AS run")
        refuses("no table `runs`")
        try changed("DELETE FROM result")
        refuses("it is incomplete")
        try changed("UPDATE result SET complete = 0")
        refuses("E0420")
        try changed("UPDATE runs SET seed = 'x'")
        refuses("no seed")
        try changed("UPDATE runs SET replicas = 9223372036854775807")
        refuses("no valid number of replicas")
        try changed("UPDATE runs SET replica = -1")
        refuses("invalid replica")
        try changed("DELETE FROM strategies")
        refuses("no strategies")
        try changed("UPDATE strategies SET name = 'eager'")
        refuses("a strategy twice")
        // A file of a few kilobytes with a value of 450 MB that is computed during reading.
        let large = "hex(zeroblob(450000000))"
        try changed(
            "DROP TABLE result; CREATE TABLE result (tool_version AS (\(large)), complete INTEGER, single INTEGER); "
                + "INSERT INTO result VALUES (1, 1)")
        refuses("generated column")
        try changed(
            "DROP TABLE result; CREATE TABLE result (tool_version TEXT, complete INTEGER, single INTEGER); "
                + "INSERT INTO result VALUES (zeroblob(70000000), 1, 1)")
        refuses("too big")
        try changed("DELETE FROM replicas WHERE replica = 1")
        #expect(workspace.run("compare @a.yaml --baseline @x.sqlite").errors.contains("2 replicas, not 3"))
        try changed("UPDATE strategies SET digest = '0' WHERE strategy = 0")
        #expect(workspace.run("report @x.sqlite --json").errors.contains("E0421"))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: workspace.file("x.sqlite")))
        for line in ["report @x.sqlite --json", "compare @a.yaml --baseline @x.sqlite"] {
            #expect(workspace.run(line).code == .badInput)
        }
        // Results cannot be added to a database as to a baseline document.
        let saved = workspace.run("baseline save @a.yaml --baseline \(path)")
        #expect(saved.code != .ok && saved.errors.contains("E0404"))
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
        #expect(
            workspace.run("compare \(path) --baseline \(path) --seed 2").errors.contains(
                "`--seed` applies to a new run"))
        #expect(workspace.run("run @a.yaml --format sqlite").errors.contains("name a folder"))
    }

    @Test("The guide page lists every table and column, and its queries work")
    func thePageHasEveryTableAndColumn() throws {
        let workspace = try TestWorkspace()
        let path = try archive(TestWorkspace.scenario, in: workspace)
        let page = try String(
            contentsOfFile: Repository.root + "/Sources/Command/Guide/pages/results-as-tables.md", encoding: .utf8)
        let tables = try SQLiteRows.query("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')", in: path)
            .compactMap { $0[0] }
        #expect(tables.count == 16)
        for table in tables {
            let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(table)` |") }, "\(table)")
            for column in try SQLiteRows.query("SELECT name FROM pragma_table_info('\(table)')", in: path).compactMap({
                $0[0]
            })
            where !column.contains(".") { #expect(row.contains("`\(column)`"), "\(table).\(column)") }
        }
        for question in page.split(separator: "```sql\n").dropFirst().compactMap({ $0.split(separator: "```").first }) {
            #expect(try !SQLiteRows.query(String(question), in: path).isEmpty, "\(question)")
        }
    }
}
