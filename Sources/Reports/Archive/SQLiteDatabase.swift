import CSQLite
import DeadzoneBase

/// Error with the reason why an archive (SQLite file with results) cannot be read or written.
package struct ArchiveFault: Error, Hashable, Sendable {
    package let message: String
}

/// An open SQLite database file with one user.
final class SQLiteDatabase {
    fileprivate let handle: OpaquePointer

    enum OpenMode {
        /// Writes an empty file that no other process uses. It has no journal, because an interrupted run leaves
        /// nothing worth recovering.
        case writing
        /// Writes nothing, not even a file beside it.
        case reading
    }

    init(_ path: String, for use: OpenMode) throws(ArchiveFault) {
        var handle: OpaquePointer?
        let address = "file:" + Self.percentEncoded(path) + (use == .reading ? "?immutable=1" : "")
        let flags = SQLITE_OPEN_URI | (use == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        let code = sqlite3_open_v2(address, &handle, flags, nil)
        guard let handle, code == SQLITE_OK else {
            let why = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close(handle)
            throw ArchiveFault(message: why)
        }
        self.handle = handle
        if use == .reading { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.maxValueBytes) }
    }

    /// Maximum size of a value that is read. The text of a scenario is the largest, and no scenario file may be larger.
    private static let maxValueBytes: Int32 = 64 << 20

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements that return no rows.
    func run(_ text: String) throws(ArchiveFault) {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw fault }
    }

    func prepare(_ text: String) throws(ArchiveFault) -> SQLiteStatement { try SQLiteStatement(text, in: self) }

    fileprivate var fault: ArchiveFault { ArchiveFault(message: String(cString: sqlite3_errmsg(handle))) }

    /// The path percent-encoded for a URI, in which `?`, `#` and `%` have a meaning.
    private static func percentEncoded(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain = byte == 0x2F || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte.isLetterOrDigit
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

/// A prepared SQL statement that can be executed repeatedly. Values are bound from left to right, in the order of the
/// columns.
final class SQLiteStatement {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer
    private var place: Int32 = 0

    fileprivate init(_ text: String, in database: SQLiteDatabase) throws(ArchiveFault) {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(database.handle, text, -1, &handle, nil) == SQLITE_OK, let handle else {
            throw database.fault
        }
        (self.database, self.handle) = (database, handle)
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ text: String) {
        place += 1
        var text = text
        text.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) {
                deadzone_bind_text(handle, place, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
    }

    func bind(_ number: Int) {
        place += 1
        sqlite3_bind_int64(handle, place, Int64(number))
    }

    func bind(_ number: Double) {
        place += 1
        sqlite3_bind_double(handle, place, number)
    }

    func bindNull() {
        place += 1
        sqlite3_bind_null(handle, place)
    }

    /// Runs the statement with the bound values.
    func run() throws(ArchiveFault) {
        guard try !next() else { preconditionFailure("a statement that returns no rows returned one") }
    }

    /// Advances to the next row. Returns `false` after the last one; the statement is then reset and takes new values.
    func next() throws(ArchiveFault) -> Bool {
        place = 0
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        let fault = database.fault
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw fault }
        return false
    }

    var columns: Int { Int(sqlite3_column_count(handle)) }

    // SQLite converts a column of another type to the requested one. The caller checks the value.

    func text(_ column: Int) -> String? {
        guard let text = sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func integer(_ column: Int) -> Int? {
        isNull(column) ? nil : Int(sqlite3_column_int64(handle, Int32(column)))
    }

    func double(_ column: Int) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(handle, Int32(column))
    }

    private func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
