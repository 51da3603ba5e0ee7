import DeadzoneMetrics

/// The database tables of an archive (SQLite file with results of simulation runs). Names are the same as in the JSON
/// of a run. A change of a table requires a new `version`.
///
/// Encoding of figures in all tables: a number; infinity for `never`; null if there was nothing to measure. A quantile
/// among samples that still wait is stored as its lower bound and marked as such.
enum ArchiveSchema {
    static let version = 2
    /// `DZON`, in SQLite's application ID field, by which `file` and other tools identify a file.
    static let applicationID = 0x445A_4F4E

    /// A single row: the tool that wrote the file, and whether the result is complete.
    static let result = ArchiveTable(
        "result", ["tool_version TEXT", "complete INTEGER", "single INTEGER"])

    /// Metrics that the tool could measure. For any other metric, the value of a run is unknown.
    static let metrics = ArchiveTable(
        "metrics", ["metric TEXT PRIMARY KEY", "unit TEXT", "better TEXT", "meaning TEXT"])

    /// One scenario, or one cell of a matrix. A seed is stored as text, because it may exceed SQLite's integers.
    static let runs = ArchiveTable(
        "runs",
        [
            "run INTEGER PRIMARY KEY", "name TEXT", "about TEXT", "duration_s REAL", "phones INTEGER",
            "world_hash TEXT",
            "resolved TEXT", "seed TEXT", "replicas INTEGER", "replica INTEGER", "phone INTEGER", "verdict TEXT",
            "complete INTEGER",
        ])

    /// Axis values that distinguish a run from others of its matrix.
    static let cells = ArchiveTable(
        "cells", ["run INTEGER", "place INTEGER", "key TEXT", "value TEXT"], key: "run, place")

    static let strategies = ArchiveTable(
        "strategies", ["run INTEGER", "strategy INTEGER", "name TEXT", "strategy_hash TEXT", "digest TEXT"],
        key: "run, strategy")

    /// Values of a strategy over all replicas.
    static let figures = ArchiveTable(
        "figures",
        [
            "run INTEGER", "strategy INTEGER", "metric TEXT", "value REAL", "at_least INTEGER", "ci95_low REAL",
            "ci95_high REAL",
        ], key: "run, strategy, metric")

    /// Expectations of a strategy, or of one of its groups if a group is named.
    static let expectations = ArchiveTable(
        "expectations",
        [
            "run INTEGER", "strategy INTEGER", "place INTEGER", "metric TEXT", "op TEXT", "bound_low REAL",
            "bound_high REAL", "of TEXT", "value REAL", "verdict TEXT", "group_name TEXT",
        ], key: "run, strategy, place")

    /// Reasons why a run proves nothing.
    static let troubles = ArchiveTable("troubles", ["run INTEGER", "place INTEGER", "trouble TEXT"], key: "run, place")

    /// Values of a strategy in one replica. Each metric has a column with its name.
    static let replicas = ArchiveTable(
        "replicas",
        ["run INTEGER", "replica INTEGER", "strategy INTEGER", "digest TEXT"]
            + Catalogue.all.map { quoted($0.name) + " REAL" }, key: "run, replica, strategy")

    /// Figures of a replica that are only lower bounds.
    static let atLeast = ArchiveTable(
        "at_least", ["run INTEGER", "replica INTEGER", "strategy INTEGER", "metric TEXT"],
        key: "run, replica, strategy, metric")

    /// Population groups with figures of their own, and the fixed strategy of each, if any.
    static let groups = ArchiveTable(
        "groups",
        [
            "run INTEGER", "strategy INTEGER", "place INTEGER", "name TEXT", "phones INTEGER", "own_strategy TEXT",
        ], key: "run, strategy, place")

    /// Like `figures`, `replicas` and `at_least`, but for one group.
    static let groupFigures = ArchiveTable(
        "group_figures",
        [
            "run INTEGER", "strategy INTEGER", "place INTEGER", "metric TEXT", "value REAL", "at_least INTEGER",
            "ci95_low REAL", "ci95_high REAL",
        ], key: "run, strategy, place, metric")

    static let groupReplicas = ArchiveTable(
        "group_replicas",
        ["run INTEGER", "replica INTEGER", "strategy INTEGER", "place INTEGER"]
            + Catalogue.all.map { quoted($0.name) + " REAL" }, key: "run, replica, strategy, place")

    static let groupAtLeast = ArchiveTable(
        "group_at_least", ["run INTEGER", "replica INTEGER", "strategy INTEGER", "place INTEGER", "metric TEXT"],
        key: "run, replica, strategy, place, metric")

    static let all = [
        result, metrics, runs, cells, strategies, figures, expectations, troubles, replicas, atLeast, groups,
        groupFigures, groupReplicas, groupAtLeast,
    ]

    /// A view with the names of scenarios and strategies instead of their numbers, for manual queries.
    private static let named =
        "CREATE VIEW named AS SELECT runs.name AS scenario, strategies.name AS strategy, replicas.replica, replicas.digest"
        + Catalogue.all.map { ", " + quoted($0.name) }.joined()
        + " FROM replicas JOIN runs USING (run) JOIN strategies USING (run, strategy);"

    private static let namedGroups =
        "CREATE VIEW named_groups AS SELECT runs.name AS scenario, strategies.name AS strategy, groups.name AS group_name, "
        + "group_replicas.replica" + Catalogue.all.map { ", " + quoted($0.name) }.joined()
        + " FROM group_replicas JOIN runs USING (run) JOIN strategies USING (run, strategy) "
        + "JOIN groups USING (run, strategy, place);"

    static let creationSQL = all.map(\.creationSQL).joined() + named + namedGroups

    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}

/// A database table: its name and columns, and the SQL to create it and to insert a row.
struct ArchiveTable {
    let name: String
    fileprivate let columns: [String]
    /// Primary key that sorts the rows. `nil` keeps the order of insertion.
    fileprivate let key: String?

    init(_ name: String, _ columns: [String], key: String? = nil) {
        (self.name, self.columns, self.key) = (name, columns, key)
    }

    fileprivate var creationSQL: String {
        let primary = key.map { ", PRIMARY KEY (\($0))) WITHOUT ROWID;\n" } ?? ");\n"
        return "CREATE TABLE \(name) (" + columns.joined(separator: ", ") + primary
    }

    var insertSQL: String {
        "INSERT INTO \(name) VALUES (" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    }
}
