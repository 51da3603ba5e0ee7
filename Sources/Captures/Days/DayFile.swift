/// Finds the battery history in a file, by its content: a text, a zip archive such as `adb bugreport` writes, or a
/// Powerlog of iOS. Any of them may be compressed with gzip.
package enum DayFile {
    private static let gzip: UInt32 = 0x8b1f
    /// `BZ`.
    private static let bzip2: UInt32 = 0x5a42
    /// Place of the word `ustar` in the first block of a tar archive.
    private static let tarMark = 257..<262
    /// Bytes of a text, and bytes that are unpacked from gzip. Bug reports of real phones have less than a fifth.
    package static let maximumUnpacked = 1 << 30

    /// Reads the source to its end, in constant memory except for the changes and for a Powerlog.
    /// - Parameter limit: greatest number of bytes of a text.
    package static func history(
        from source: @escaping DaySource, limit: Int = maximumUnpacked
    ) throws(DayFault) -> BatteryHistory {
        var input = InputWindow(source)
        if try input.fill(2), input.number(at: 0, bytes: 2) == gzip { input = InputWindow(unpacked(input)) }
        guard try input.fill(1) else { throw DayFault("it is empty", help: DayFault.noHistory.help) }
        let history = try isPowerlog(&input) ? powerlog(&input) : android(&input, limit)
        guard history.length > 0 else {
            throw DayFault(
                "its battery history lasts 0 s, because all \(history.entries) entries have one time; it was probably cut",
                help: DayFault.noHistory.help)
        }
        return history
    }

    private static func android(_ input: inout InputWindow, _ limit: Int) throws(DayFault) -> BatteryHistory {
        var reader = HistoryReader()
        if try input.startsWith(ZipReader.localHeader) {
            var zip = ZipReader()
            try zip.read(&input) {
                reader.beginSource($0)
            } _: {
                reader.read($0)
            }
            guard let history = reader.finish() else { throw zip.obstacle ?? .noHistory }
            return history
        }
        try refuseOtherFormats(&input)
        // A byte order mark of UTF-8.
        if try input.fill(3), input.number(at: 0, bytes: 3) == 0xbf_bbef { _ = try input.skip(3) }
        var rest = limit
        while try input.refill() {
            rest -= input.count
            guard rest >= 0 else {
                throw DayFault(
                    "it has more than \(limit >> 30) GiB, and a bug report has less",
                    help: ["name a file or a pipe that ends"] + DayFault.noHistory.help)
            }
            input.take(input.count) { reader.read($0) }
        }
        guard let history = reader.finish() else { throw .noHistory }
        return history
    }

    /// Throws the reason for files that contain a history in a form that is not read here.
    private static func refuseOtherFormats(_ input: inout InputWindow) throws(DayFault) {
        if try input.fill(2), [0xfeff, 0xfffe].contains(input.number(at: 0, bytes: 2)) {
            throw DayFault(
                "it is UTF-16 text, as PowerShell writes it with `>`",
                help: ["cmd /c \"adb shell dumpsys batterystats > day.txt\"", "or save the file as UTF-8"])
        }
        if try input.fill(2), input.number(at: 0, bytes: 2) == bzip2, try input.fill(4), input[2] == UInt8(ascii: "h") {
            throw DayFault(
                "it is compressed with bzip2, which is not supported", help: ["unpack it with bunzip2 first"])
        }
        if try input.fill(tarMark.lowerBound + 5),
            zip(tarMark, "ustar".utf8).allSatisfy({ input[$0] == $1 })
        {
            throw DayFault(
                "it is a tar archive", help: ["unpack it with tar -xf, and name the bug report or Powerlog in it"])
        }
    }
}

extension DayFile {
    private static func isPowerlog(_ input: inout InputWindow) throws(DayFault) -> Bool {
        let signature = PowerlogDatabase.signature
        guard try input.fill(signature.utf8CodeUnitCount) else { return false }
        return signature.withUTF8Buffer { wanted in wanted.indices.allSatisfy { input[$0] == wanted[$0] } }
    }

    /// Reads a SQLite file into memory, because it cannot be read from beginning to end.
    private static func powerlog(_ input: inout InputWindow) throws(DayFault) -> BatteryHistory {
        var bytes: [UInt8] = []
        while try input.refill() {
            guard bytes.count + input.count <= PowerlogDatabase.maximumBytes else {
                throw DayFault("the Powerlog is larger than \(PowerlogDatabase.maximumBytes >> 20) MiB")
            }
            input.take(input.count) { bytes.append(contentsOf: $0) }
        }
        var result: Result<BatteryHistory?, DayFault> = .success(nil)
        bytes.withUnsafeMutableBytes { buffer in
            do throws(DayFault) { result = .success(try PowerlogReader.history(buffer)) } catch {
                result = .failure(error)
            }
        }
        guard let history = try result.get() else {
            throw DayFault(
                "it is a SQLite file without the tables of a Powerlog",
                help: ["a sysdiagnose of iOS contains it: logs/powerlogs/powerlog_*.PLSQL"])
        }
        return history
    }

    /// The bytes that a gzip file contains.
    private static func unpacked(_ input: InputWindow) -> DaySource {
        var packed = input
        let gunzip = Gunzip { buffer throws(SourceFailure) in
            do throws(DayFault) {
                guard try packed.refill() else { return 0 }
            } catch { throw SourceFailure(error.message) }
            let count = min(packed.count, buffer.count)
            packed.take(count) { buffer.copyMemory(from: $0) }
            return count
        }
        var rest = maximumUnpacked
        return { buffer throws(DayFault) in
            let count: Int
            do throws(SourceFailure) { count = try gunzip.read(buffer) } catch { throw DayFault(error.message) }
            rest -= count
            guard rest >= 0 else { throw DayFault("the gzip file has more than \(maximumUnpacked >> 30) GiB of data") }
            return count
        }
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
