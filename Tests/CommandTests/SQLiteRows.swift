import CSQLite
import Foundation

/// Rows of an SQLite file, read by a plain SQL query. Each value is text, or `nil` for NULL.
enum SQLiteRows {
    static func query(_ question: String, in path: String) throws -> [[String?]] {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(database)
        }
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, question, -1, &statement, nil) == SQLITE_OK
        else { throw CocoaError(.fileReadCorruptFile) }
        var rows: [[String?]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    switch sqlite3_column_type(statement, column) {
                    case SQLITE_NULL: nil
                    case SQLITE_FLOAT: "\(sqlite3_column_double(statement, column))"
                    default: sqlite3_column_text(statement, column).map { String(cString: $0) }
                    }
                })
        }
        return rows
    }

    /// Changes a file by an SQL statement, as any user of the file can. Returns `true` on success.
    static func execute(_ path: String, _ text: String) -> Bool {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        return sqlite3_open(path, &database) == SQLITE_OK && sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK
    }
}
