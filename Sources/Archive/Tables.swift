import DeadzoneMetrics

/// What an archive holds. Names are those of the JSON of a run; a table that changes makes another version.
///
/// What a figure is, wherever one stands: a number; infinite, where it never comes; null, where there was nothing to measure. A quantile among
/// what was still waited for is the number that it is no less than, and is noted as such.
enum Tables {
    static let version = 2
    /// `DZON`, where SQLite keeps whose a file is: `file` and others look there.
    static let owner = 0x445A_4F4E

    /// One row: whose result it is.
    static let result = Table(
        "result", ["tool_version TEXT", "complete INTEGER", "single INTEGER"])

    /// What the tool could measure. What it could not is not known of any run.
    static let metrics = Table("metrics", ["metric TEXT PRIMARY KEY", "unit TEXT", "better TEXT", "meaning TEXT"])

    /// One scenario, or one cell of a matrix. A seed is text: it may be larger than any integer of SQLite's.
    static let runs = Table(
        "runs",
        [
            "run INTEGER PRIMARY KEY", "name TEXT", "about TEXT", "duration_s REAL", "phones INTEGER",
            "world_hash TEXT",
            "resolved TEXT", "seed TEXT", "replicas INTEGER", "replica INTEGER", "phone INTEGER", "verdict TEXT",
            "complete INTEGER",
        ])

    /// What sets a run apart from others of its matrix.
    static let cells = Table("cells", ["run INTEGER", "place INTEGER", "key TEXT", "value TEXT"], key: "run, place")

    static let strategies = Table(
        "strategies", ["run INTEGER", "strategy INTEGER", "name TEXT", "strategy_hash TEXT", "digest TEXT"],
        key: "run, strategy")

    /// What a strategy came to over all replicas.
    static let figures = Table(
        "figures",
        [
            "run INTEGER", "strategy INTEGER", "metric TEXT", "value REAL", "at_least INTEGER", "ci95_low REAL",
            "ci95_high REAL",
        ], key: "run, strategy, metric")

    /// What a strategy is held to, and one of its groups where a name stands.
    static let expectations = Table(
        "expectations",
        [
            "run INTEGER", "strategy INTEGER", "place INTEGER", "metric TEXT", "op TEXT", "bound_low REAL",
            "bound_high REAL", "of TEXT", "value REAL", "verdict TEXT", "group_name TEXT",
        ], key: "run, strategy, place")

    /// Why a run proves nothing.
    static let troubles = Table("troubles", ["run INTEGER", "place INTEGER", "trouble TEXT"], key: "run, place")

    /// What a strategy came to in one replica: a column for each metric, named as it is.
    static let replicas = Table(
        "replicas",
        ["run INTEGER", "replica INTEGER", "strategy INTEGER", "digest TEXT"]
            + Catalogue.all.map { quoted($0.name) + " REAL" }, key: "run, replica, strategy")

    /// Where a figure of a replica is only known to be no less.
    static let atLeast = Table(
        "at_least", ["run INTEGER", "replica INTEGER", "strategy INTEGER", "metric TEXT"],
        key: "run, replica, strategy, metric")

    /// The groups of a population that numbers tell apart, and what each runs whatever is compared.
    static let groups = Table(
        "groups",
        [
            "run INTEGER", "strategy INTEGER", "place INTEGER", "name TEXT", "phones INTEGER", "own_strategy TEXT",
        ], key: "run, strategy, place")

    /// As `figures`, `replicas` and `at_least`, of one group.
    static let groupFigures = Table(
        "group_figures",
        [
            "run INTEGER", "strategy INTEGER", "place INTEGER", "metric TEXT", "value REAL", "at_least INTEGER",
            "ci95_low REAL", "ci95_high REAL",
        ], key: "run, strategy, place, metric")

    static let groupReplicas = Table(
        "group_replicas",
        ["run INTEGER", "replica INTEGER", "strategy INTEGER", "place INTEGER"]
            + Catalogue.all.map { quoted($0.name) + " REAL" }, key: "run, replica, strategy, place")

    static let groupAtLeast = Table(
        "group_at_least", ["run INTEGER", "replica INTEGER", "strategy INTEGER", "place INTEGER", "metric TEXT"],
        key: "run, replica, strategy, place, metric")

    static let all = [
        result, metrics, runs, cells, strategies, figures, expectations, troubles, replicas, atLeast, groups,
        groupFigures, groupReplicas, groupAtLeast,
    ]

    /// With the names of scenarios and strategies in the place of their numbers, for who asks by hand.
    private static let named =
        "CREATE VIEW named AS SELECT runs.name AS scenario, strategies.name AS strategy, replicas.replica, replicas.digest"
        + Catalogue.all.map { ", " + quoted($0.name) }.joined()
        + " FROM replicas JOIN runs USING (run) JOIN strategies USING (run, strategy);"

    private static let namedGroups =
        "CREATE VIEW named_groups AS SELECT runs.name AS scenario, strategies.name AS strategy, groups.name AS group_name, "
        + "group_replicas.replica" + Catalogue.all.map { ", " + quoted($0.name) }.joined()
        + " FROM group_replicas JOIN runs USING (run) JOIN strategies USING (run, strategy) "
        + "JOIN groups USING (run, strategy, place);"

    static let made = all.map(\.made).joined() + named + namedGroups

    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}

/// A table, and what writes a row of it.
struct Table {
    let name: String
    fileprivate let columns: [String]
    /// Where rows lie, if not in the order in which they came.
    fileprivate let key: String?

    init(_ name: String, _ columns: [String], key: String? = nil) {
        (self.name, self.columns, self.key) = (name, columns, key)
    }

    fileprivate var made: String {
        let primary = key.map { ", PRIMARY KEY (\($0))) WITHOUT ROWID;\n" } ?? ");\n"
        return "CREATE TABLE \(name) (" + columns.joined(separator: ", ") + primary
    }

    var insertion: String {
        "INSERT INTO \(name) VALUES (" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    }
}
