import CSQLite

/// A SQLite file of unknown origin, in memory and for reading only.
///
/// Only tables that store all their columns are read, each with one SELECT of this program. Views, triggers, virtual
/// tables, generated columns and indexes of the file are not used, so no SQL of its author runs. Rows, steps and sizes
/// are limited, because a damaged file may contain the same page many times.
final class PowerlogDatabase {
    /// First bytes of a SQLite file.
    static let signature: StaticString = "SQLite format 3\0"
    /// Largest file that is read. Powerlogs of real phones have a tenth of it.
    static let maximumBytes = 1 << 29
    /// Rows that are read from one table.
    static let maximumRows = 1_000_000
    /// Tables of the file that are looked at. Powerlogs of real phones have fewer than a thousand.
    private static let maximumTables = 10_000
    /// Bytes of one value.
    private static let maximumValue: Int32 = 1 << 20
    /// Steps of the virtual machine between two calls of the progress handler, and calls for the file.
    private static let steps: Int32 = 1_000_000
    private static let maximumCalls = 300

    private var handle: OpaquePointer?
    private let calls: UnsafeMutablePointer<Int>
    /// Names of the tables that can be read, by their name in lower case.
    private var tables: [String: String] = [:]

    /// Opens the file. The bytes must stay at their address while the database is in use.
    init(_ bytes: UnsafeMutableRawBufferPointer) throws(DayFault) {
        calls = .allocate(capacity: 1)
        calls.initialize(to: 0)
        // A file in WAL mode cannot be opened in memory. Its main file is complete up to the last checkpoint.
        if bytes.count > 19, bytes[18] == 2 { (bytes[18], bytes[19]) = (1, 1) }
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard
            sqlite3_open_v2(
                ":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, nil)
                == SQLITE_OK,
            sqlite3_deserialize(
                handle, "main", start, Int64(bytes.count), Int64(bytes.count), UInt32(SQLITE_DESERIALIZE_READONLY))
                == SQLITE_OK, deadzone_distrust(handle) == 0
        else { throw Self.damaged("SQLite cannot open it") }
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, Self.maximumValue), (SQLITE_LIMIT_SQL_LENGTH, Self.maximumValue),
            (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_EXPR_DEPTH, 50), (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
            (SQLITE_LIMIT_WORKER_THREADS, 0),
        ] {
            sqlite3_limit(handle, limit, value)
        }
        sqlite3_progress_handler(
            handle, Self.steps,
            { context in
                guard let calls = context?.assumingMemoryBound(to: Int.self) else { return 1 }
                calls.pointee += 1
                return calls.pointee > PowerlogDatabase.maximumCalls ? 1 : 0
            }, calls)
        try findTables()
    }

    deinit {
        sqlite3_close_v2(handle)
        calls.deallocate()
    }

    static func damaged(_ reason: String) -> DayFault {
        DayFault(
            "the SQLite file is damaged: \(reason)",
            help: ["copy it from the phone again, or run `sqlite3 FILE .recover` and read the result"])
    }

    /// Finds the tables. A virtual table has no page of its own.
    private func findTables() throws(DayFault) {
        try select("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 LIMIT \(Self.maximumTables)") {
            row in
            let name = row.text(0)
            if !name.isEmpty { tables[name.lowercased()] = name }
        }
    }

    /// Calls `use` with each row of a table; returns `false` if the file has no such table, or one that lacks a column.
    ///
    /// The release of iOS decides whether a name has a suffix such as `_1_2`, so the last name that begins with `name`
    /// and continues with a number is taken.
    func read(_ name: String, _ columns: [PowerlogColumn], _ use: (PowerlogRow) -> Void) throws(DayFault) -> Bool {
        let wanted = name.lowercased()
        let versions = tables.keys.filter { key in
            key.hasPrefix(wanted + "_")
                && key.dropFirst(wanted.count + 1).first.map { ("0"..."9").contains($0) } == true
        }
        guard let table = tables[wanted] ?? versions.max().flatMap({ tables[$0] }) else { return false }
        var known: Set<String> = []
        var isComputed = false
        try select("SELECT name, hidden FROM pragma_table_xinfo(\(Self.quoted(table, "'")))") { row in
            known.insert(row.text(0).lowercased())
            if row.number(1) != 0 { isComputed = true }
        }
        guard !isComputed, columns.allSatisfy({ $0.isOptional || known.contains($0.name.lowercased()) }) else {
            return false
        }
        let values = columns.map { column in
            known.contains(column.name.lowercased()) ? column.expression(Self.quoted(column.name, "\"")) : "NULL"
        }
        try select(
            "SELECT \(values.joined(separator: ", ")) FROM \(Self.quoted(table, "\"")) NOT INDEXED "
                + "LIMIT \(Self.maximumRows)", use)
        return true
    }

    private static func quoted(_ name: String, _ mark: String) -> String {
        mark + name.replacing(mark, with: mark + mark) + mark
    }

    private func select(_ text: String, _ use: (PowerlogRow) -> Void) throws(DayFault) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK, let statement else { throw fault }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: use(PowerlogRow(statement: statement))
            case SQLITE_DONE: return
            case SQLITE_INTERRUPT: throw Self.damaged("reading it takes too many steps")
            default: throw fault
            }
        }
    }

    private var fault: DayFault {
        Self.damaged(handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
    }
}

/// A column of a Powerlog table, and how it is read. SQLite converts the value, so a value of another type is a zero or
/// a text.
struct PowerlogColumn {
    enum ValueKind {
        /// A number of seconds, read in milliseconds.
        case seconds
        case integer
        /// A text of at most 300 characters.
        case text
    }

    let name: String
    let kind: ValueKind
    /// `true` if some releases of iOS lack the column. It is then `NULL`.
    var isOptional = false

    static func seconds(_ name: String) -> Self { Self(name: name, kind: .seconds) }
    static func integer(_ name: String) -> Self { Self(name: name, kind: .integer) }
    static func text(_ name: String) -> Self { Self(name: name, kind: .text) }
    var optional: Self { Self(name: name, kind: kind, isOptional: true) }

    fileprivate func expression(_ column: String) -> String {
        switch kind {
        case .seconds: "CAST(ROUND(\(column) * 1000.0) AS INTEGER)"
        case .integer: "CAST(\(column) AS INTEGER)"
        case .text: "SUBSTR(CAST(\(column) AS TEXT), 1, 300)"
        }
    }
}

/// One row of a query.
struct PowerlogRow {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    func number(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    func text(_ column: Int) -> String {
        guard let text = sqlite3_column_text(statement, Int32(column)) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, Int32(column)))),
            as: UTF8.self)
    }
}
