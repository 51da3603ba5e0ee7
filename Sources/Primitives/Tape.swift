/// Numbers on bytes, one after another. A value passes its fields through a tape in one order, and that list both writes them and
/// reads them back: none can be forgotten on one of the two ways. Small numbers take a byte, and in a row zeros take nothing.
public struct Tape: Sendable {
    /// What was written so far, or is to be read.
    public private(set) var bytes: [UInt8]
    /// What was read is nothing that was written: numbers of another version, or damaged ones. What comes after is zero.
    public private(set) var isSpoilt = false
    private let isRead: Bool
    private var place = 0

    /// No row that is written is longer.
    private static let longestRow = 1 << 24

    public init() {
        bytes = []
        isRead = false
    }

    public init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isRead = true
    }

    /// Everything has been read, and all of it was understood.
    public var isReadWhole: Bool { isRead && !isSpoilt && place == bytes.count }

    public mutating func spoil() {
        precondition(isRead, "what is written cannot be spoilt")
        isSpoilt = true
    }

    public mutating func pass<Number: FixedWidthInteger>(_ number: inout Number) {
        guard isRead else { return write(Int128(number)) }
        if let known = Number(exactly: read()) {
            number = known
        } else {
            spoil()
            number = 0
        }
    }

    public mutating func pass<Value: Taped>(_ value: inout Value) { value.pass(through: &self) }

    /// As many as there are.
    public mutating func pass<Value: Taped>(_ values: inout [Value]) {
        for index in values.indices { pass(&values[index]) }
    }

    /// As many as there are.
    public mutating func pass<Number: FixedWidthInteger>(_ row: inout [Number]) {
        let length = row.count
        pass(growing: &row)
        guard row.count != length else { return }
        spoil()
        row = Array(repeating: 0, count: length)
    }

    /// As many as were written.
    public mutating func pass<Number: FixedWidthInteger>(growing row: inout [Number]) {
        var length = row.count
        pass(&length)
        if isRead {
            if !(0...Self.longestRow).contains(length) {
                spoil()
                length = 0
            }
            row = Array(repeating: 0, count: length)
        }
        let numbers = isRead ? [] : row.indices.filter { row[$0] != 0 }.map { ($0, Int128(row[$0])) }
        pass(pairs: numbers) { place, wide in
            guard row.indices.contains(place), let number = Number(exactly: wide) else { return false }
            row[place] = number
            return true
        }
    }

    /// Pairs whose firsts rise.
    /// - Parameter take: for each pair that is read; false if it cannot be one.
    public mutating func pass(pairs: [(Int, Int128)], _ take: (Int, Int128) -> Bool) {
        var count = pairs.count
        pass(&count)
        guard isRead else {
            var last = 0
            for (first, second) in pairs {
                write(Int128(first - last))
                write(second)
                last = first
            }
            return
        }
        var first = Int128(0)
        // Each takes two bytes at least.
        guard (0...(bytes.count / 2)).contains(count) else { return spoil() }
        for _ in 0..<count where !isSpoilt {
            first &+= read()
            let second = read()
            guard !isSpoilt, let first = Int(exactly: first), take(first, second) else { return spoil() }
        }
    }

    /// Seven bits a byte, the lowest first; the sign is the lowest of all.
    private mutating func write(_ number: Int128) {
        var rest = UInt128(truncatingIfNeeded: number << 1 ^ number >> 127)
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func read() -> Int128 {
        var (rest, shift) = (UInt128(0), UInt128(0))
        while !isSpoilt {
            guard place < bytes.count, shift < 128 else {
                spoil()
                break
            }
            let byte = bytes[place]
            place += 1
            rest |= UInt128(byte & 127) << shift
            if byte < 128 { return Int128(truncatingIfNeeded: rest >> 1) ^ -Int128(rest & 1) }
            shift += 7
        }
        return 0
    }
}

/// A value that is all numbers.
public protocol Taped {
    mutating func pass(through tape: inout Tape)
}

// What is made of bytes.
extension Tape {
    public mutating func pass(blob: inout [UInt8]) {
        var count = blob.count
        pass(&count)
        guard isRead else { return bytes += blob }
        guard (0...(bytes.count - place)).contains(count) else {
            blob = []
            return spoil()
        }
        blob = Array(bytes[place..<(place + count)])
        place += count
    }

    public mutating func pass(blobs: inout [[UInt8]]) {
        var count = blobs.count
        pass(&count)
        if isRead {
            // Each takes a byte at least.
            guard (0...(bytes.count - place)).contains(count) else { return spoil() }
            blobs = Array(repeating: [], count: count)
        }
        for index in blobs.indices { pass(blob: &blobs[index]) }
    }

    public mutating func pass(_ text: inout String) {
        var blob = Array(text.utf8)
        pass(blob: &blob)
        guard isRead else { return }
        if let known = String(validating: blob, as: UTF8.self) { text = known } else { spoil() }
    }

    public mutating func pass(texts: inout [String]) {
        var blobs = texts.map { Array($0.utf8) }
        pass(blobs: &blobs)
        guard isRead else { return }
        texts = blobs.compactMap { String(validating: $0, as: UTF8.self) }
        if texts.count != blobs.count { spoil() }
    }

    public mutating func pass<Number: FixedWidthInteger>(optional number: inout Number?) {
        var count = number == nil ? 0 : 1
        pass(&count)
        guard count == 1 else { return number = nil }
        var known = number ?? 0
        pass(&known)
        number = known
    }
}
