/// Writes or reads the numbers of a value in a binary format, with the same list of fields for both. A value passes its
/// fields through the coder in one order. So no field can be missing in one direction. Small numbers take one byte, and
/// zeros in an array take none.
package struct BinaryCoder: Sendable {
    /// The bytes that are already written, or the bytes to read.
    package private(set) var bytes: [UInt8]
    /// `true` if the input was not written by this version of the code, or is damaged. All numbers read after that are
    /// zero.
    package private(set) var isCorrupt = false
    private let isReading: Bool
    private var offset = 0

    /// Maximum length of an array, in elements. No array that is written is longer.
    private static let maxRowLength = 1 << 24

    package init() {
        bytes = []
        isReading = false
    }

    package init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    /// `true` if the whole input was read without an error.
    package var isFullyRead: Bool { isReading && !isCorrupt && offset == bytes.count }

    package mutating func markCorrupt() {
        precondition(isReading, "what is written cannot be spoilt")
        isCorrupt = true
    }

    /// Bounds of what one part of a run can count and sum: a million parts add up without overflow, and so do prices
    /// of sums.
    package static let validCounts: ClosedRange<Int64> = 0...(1 << 43)
    package static let validSums: ClosedRange<Int128> = 0...(1 << 76)

    /// Marks the input as corrupt if numbers that were read break a rule of their type. No effect on writing.
    package mutating func require(_ isValid: @autoclosure () -> Bool) {
        if isReading, !isCorrupt, !isValid() { isCorrupt = true }
    }

    // Callers in other modules get the generic function unspecialised, ten times slower. Nearly all numbers of results
    // have these two types.
    package mutating func code(_ number: inout Int64) { codeNumber(&number) }
    package mutating func code(_ number: inout Int128) { codeNumber(&number) }
    package mutating func code<Number: FixedWidthInteger>(_ number: inout Number) { codeNumber(&number) }

    @inline(__always) private mutating func codeNumber<Number: FixedWidthInteger>(_ number: inout Number) {
        guard isReading else { return write(Int128(number)) }
        if let known = Number(exactly: read()) {
            number = known
        } else {
            markCorrupt()
            number = 0
        }
    }

    package mutating func code<Value: BinaryCodable>(_ value: inout Value) { value.code(through: &self) }

    /// Writes or reads an array of values. When reading, the number of elements does not change.
    package mutating func code<Value: BinaryCodable>(_ values: inout [Value]) {
        for index in values.indices { code(&values[index]) }
    }

    /// Writes or reads an array of integers. Reading fails if the stored length differs from the array's length.
    package mutating func code<Number: FixedWidthInteger>(_ row: inout [Number]) {
        let length = row.count
        code(growing: &row)
        guard row.count != length else { return }
        markCorrupt()
        row = Array(repeating: 0, count: length)
    }

    /// Writes or reads an array of integers with its length. When reading, the array gets the stored length.
    package mutating func code<Number: FixedWidthInteger>(growing row: inout [Number]) {
        var length = row.count
        code(&length)
        if isReading {
            if !(0...Self.maxRowLength).contains(length) {
                markCorrupt()
                length = 0
            }
            row = Array(repeating: 0, count: length)
        }
        let numbers = isReading ? [] : row.indices.filter { row[$0] != 0 }.map { ($0, Int128(row[$0])) }
        code(pairs: numbers) { offset, wide in
            guard row.indices.contains(offset), let number = Number(exactly: wide) else { return false }
            row[offset] = number
            return true
        }
    }

    /// Writes or reads pairs in increasing order of their first numbers.
    /// - Parameter accept: Called for each pair that is read. Returns `false` if the pair is not valid.
    package mutating func code(pairs: [(Int, Int128)], _ accept: (Int, Int128) -> Bool) {
        var count = pairs.count
        code(&count)
        guard isReading else {
            var last = 0
            for (first, second) in pairs {
                write(Int128(first - last))
                write(second)
                last = first
            }
            return
        }
        var first = Int128(0)
        // Each pair takes at least two bytes.
        guard (0...(bytes.count / 2)).contains(count) else { return markCorrupt() }
        for _ in 0..<count where !isCorrupt {
            first &+= read()
            let second = read()
            guard !isCorrupt, let first = Int(exactly: first), accept(first, second) else { return markCorrupt() }
        }
    }

    /// Writes a number as a varint: seven bits per byte, lowest bits first. The sign is the lowest bit (zigzag
    /// encoding).
    private mutating func write(_ number: Int128) {
        var rest = UInt128(truncatingIfNeeded: number << 1 ^ number >> 127)
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func read() -> Int128 {
        // Nearly all numbers have at most nine bytes.
        var (rest, shift, next) = (UInt64(0), UInt64(0), offset)
        while next < bytes.count, shift < 63, !isCorrupt {
            let byte = bytes[next]
            next += 1
            rest |= UInt64(byte & 127) << shift
            if byte < 128 {
                offset = next
                return Int128(Int64(rest >> 1) ^ -Int64(rest & 1))
            }
            shift += 7
        }
        return readWide()
    }

    private mutating func readWide() -> Int128 {
        var (rest, shift) = (UInt128(0), UInt128(0))
        while !isCorrupt {
            guard offset < bytes.count, shift < 128 else {
                markCorrupt()
                break
            }
            let byte = bytes[offset]
            offset += 1
            rest |= UInt128(byte & 127) << shift
            if byte < 128 { return Int128(truncatingIfNeeded: rest >> 1) ^ -Int128(rest & 1) }
            shift += 7
        }
        return 0
    }
}

/// A value that consists of numbers and can be written and read with a `BinaryCoder`.
package protocol BinaryCodable {
    mutating func code(through coder: inout BinaryCoder)
}

// Byte strings, texts and optional numbers.
extension BinaryCoder {
    package mutating func code(blob: inout [UInt8]) {
        var count = blob.count
        code(&count)
        guard isReading else { return bytes += blob }
        guard (0...(bytes.count - offset)).contains(count) else {
            blob = []
            return markCorrupt()
        }
        blob = Array(bytes[offset..<(offset + count)])
        offset += count
    }

    package mutating func code(blobs: inout [[UInt8]]) {
        var count = blobs.count
        code(&count)
        if isReading {
            // Each blob takes at least one byte.
            guard (0...(bytes.count - offset)).contains(count) else { return markCorrupt() }
            blobs = Array(repeating: [], count: count)
        }
        for index in blobs.indices { code(blob: &blobs[index]) }
    }

    package mutating func code(_ text: inout String) {
        var blob = Array(text.utf8)
        code(blob: &blob)
        guard isReading else { return }
        if let known = String(validating: blob, as: UTF8.self) { text = known } else { markCorrupt() }
    }

    package mutating func code(texts: inout [String]) {
        var blobs = texts.map { Array($0.utf8) }
        code(blobs: &blobs)
        guard isReading else { return }
        texts = blobs.compactMap { String(validating: $0, as: UTF8.self) }
        if texts.count != blobs.count { markCorrupt() }
    }

    package mutating func code<Number: FixedWidthInteger>(optional number: inout Number?) {
        var count = number == nil ? 0 : 1
        code(&count)
        guard count == 1 else { return number = nil }
        var known = number ?? 0
        code(&known)
        number = known
    }
}
