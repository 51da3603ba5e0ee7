/// Finds the battery history in a file, by its content: a text, or a zip archive such as `adb bugreport` writes.
package enum DayFile {
    /// Reads the source to its end, in constant memory except for the changes.
    package static func history(from source: @escaping DaySource) throws(DayFault) -> BatteryHistory {
        var input = InputWindow(source)
        var reader = HistoryReader()
        if try input.startsWith(ZipReader.localHeader) {
            var zip = ZipReader()
            try zip.read(&input) { reader.read($0) }
        } else {
            while try input.refill() { input.take(input.count) { reader.read($0) } }
        }
        guard let history = reader.finish() else { throw .noHistory }
        return history
    }
}

/// A buffer of bytes that were read from a source and not used yet.
struct InputWindow {
    private static let size = 1 << 16

    private let source: DaySource
    private var bytes: [UInt8] = Array(repeating: 0, count: size)
    private var start = 0
    private var end = 0
    private var isOver = false

    init(_ source: @escaping DaySource) { self.source = source }

    var count: Int { end - start }

    subscript(index: Int) -> UInt8 { bytes[start + index] }

    /// Little-endian number of two or four bytes.
    func number(at index: Int, bytes count: Int) -> UInt32 {
        (0..<count).reduce(0) { $0 | UInt32(self[index + $1]) << UInt32(8 * $1) }
    }

    /// Reads more bytes if there are none. Returns `false` at the end.
    mutating func refill() throws(DayFault) -> Bool {
        if count == 0 { try readMore() }
        return count > 0
    }

    /// Reads until `wanted` bytes are there. Returns `false` if the source ends before.
    mutating func fill(_ wanted: Int) throws(DayFault) -> Bool {
        while count < wanted, !isOver { try readMore() }
        return count >= wanted
    }

    private mutating func readMore() throws(DayFault) {
        guard !isOver else { return }
        if start > 0 {
            bytes.withUnsafeMutableBytes { buffer in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
            }
            end -= start
            start = 0
        }
        var got = 0
        var failure: DayFault?
        let (source, place) = (self.source, end)
        bytes.withUnsafeMutableBytes { buffer in
            do throws(DayFault) {
                got = try source(UnsafeMutableRawBufferPointer(rebasing: buffer[place...]))
            } catch { failure = error }
        }
        if let failure { throw failure }
        isOver = got <= 0
        end += max(got, 0)
    }

    mutating func startsWith(_ signature: UInt32) throws(DayFault) -> Bool {
        try fill(4) && number(at: 0, bytes: 4) == signature
    }

    /// Uses the next bytes.
    mutating func take(_ count: Int, _ use: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
        start += count
    }

    /// Skips bytes. Returns `false` if the source ends before.
    mutating func skip(_ wanted: Int) throws(DayFault) -> Bool {
        var rest = wanted
        while rest > 0 {
            guard try refill() else { return false }
            let part = min(rest, count)
            start += part
            rest -= part
        }
        return true
    }

    /// Calls the closure with the unused bytes; it returns the number of bytes that it used.
    mutating func use(_ body: (UnsafeMutableRawBufferPointer) throws(DayFault) -> Int) throws(DayFault) {
        var used = 0
        var failure: DayFault?
        let (from, to) = (start, end)
        bytes.withUnsafeMutableBytes { buffer in
            do throws(DayFault) {
                used = try body(UnsafeMutableRawBufferPointer(rebasing: buffer[from..<to]))
            } catch { failure = error }
        }
        if let failure { throw failure }
        start += used
    }
}
