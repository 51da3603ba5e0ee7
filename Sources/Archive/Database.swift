import CSQLite
import DeadzonePrimitives

/// Why an archive cannot be read or written.
public struct ArchiveFault: Error, Hashable, Sendable {
    public let message: String
}

/// One file of SQLite's, open for one who uses it.
final class Database {
    fileprivate let handle: OpaquePointer

    enum Use {
        /// An empty file that nobody else knows of: whoever is killed leaves nothing that is worth a journal.
        case writing
        /// Nothing is written, not even beside the file.
        case reading
    }

    init(_ path: String, for use: Use) throws(ArchiveFault) {
        var handle: OpaquePointer?
        let address = "file:" + Self.spelledOut(path) + (use == .reading ? "?immutable=1" : "")
        let flags = SQLITE_OPEN_URI | (use == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        let code = sqlite3_open_v2(address, &handle, flags, nil)
        guard let handle, code == SQLITE_OK else {
            let why = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "there is no memory"
            sqlite3_close(handle)
            throw ArchiveFault(message: why)
        }
        self.handle = handle
    }

    deinit { sqlite3_close_v2(handle) }

    /// Several statements, of which none gives rows.
    func run(_ text: String) throws(ArchiveFault) {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw fault }
    }

    func prepare(_ text: String) throws(ArchiveFault) -> Statement { try Statement(text, in: self) }

    fileprivate var fault: ArchiveFault { ArchiveFault(message: String(cString: sqlite3_errmsg(handle))) }

    /// A path as an address, in which `?`, `#` and `%` would mean something.
    private static func spelledOut(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain = byte == 0x2F || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte.isLetterOrDigit
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

/// One statement, to be run often. Values are given from the left to the right, and columns are read so.
final class Statement {
    private let database: Database
    private let handle: OpaquePointer
    private var place: Int32 = 0

    fileprivate init(_ text: String, in database: Database) throws(ArchiveFault) {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(database.handle, text, -1, &handle, nil) == SQLITE_OK, let handle else {
            throw database.fault
        }
        (self.database, self.handle) = (database, handle)
    }

    deinit { sqlite3_finalize(handle) }

    func give(_ text: String) {
        place += 1
        var text = text
        text.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) {
                deadzone_bind_text(handle, place, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
    }

    func give(_ number: Int) {
        place += 1
        sqlite3_bind_int64(handle, place, Int64(number))
    }

    func give(_ number: Double) {
        place += 1
        sqlite3_bind_double(handle, place, number)
    }

    func giveNothing() {
        place += 1
        sqlite3_bind_null(handle, place)
    }

    /// Runs it with what was given.
    func run() throws(ArchiveFault) {
        guard try !next() else { preconditionFailure("a statement without rows gave one") }
    }

    /// Goes on to the next row; false behind the last, and it can then be given other values.
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

    // What has another type is taken for what is asked for: the caller looks at what it means.

    func text(_ column: Int) -> String? {
        guard let text = sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func integer(_ column: Int) -> Int? {
        isNothing(column) ? nil : Int(sqlite3_column_int64(handle, Int32(column)))
    }

    func double(_ column: Int) -> Double? {
        isNothing(column) ? nil : sqlite3_column_double(handle, Int32(column))
    }

    private func isNothing(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
