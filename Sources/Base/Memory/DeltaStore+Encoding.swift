/// Encodes a value as its byte difference from a template, and decodes it. Only this file depends on the format.
extension DeltaStore {
    /// Encodes the difference between the value and the template into the scratch buffer. Returns its length in bytes.
    func write(_ image: UnsafeRawPointer, against template: UnsafeRawPointer, elapsed: UInt64) -> Int {
        guard let scratch else { return 0 }
        let blocks = words / Self.block
        let sets = (blocks &+ 63) / 64
        scratch.storeBytes(of: elapsed, toByteOffset: sets &* 8, as: UInt64.self)
        var end = scratch + (sets &+ 1) &* 8
        for set in 0..<sets {
            var differing: UInt64 = 0
            var bit: UInt64 = 1
            var offset = set &* 64 &* Self.blockBytes
            let last = min(offset &+ 64 &* Self.blockBytes, words &* 8)
            while offset < last {
                if !Self.isSame(image + offset, template + offset) {
                    differing |= bit
                    end = Self.write(image + offset, template + offset, elapsed: elapsed, at: end)
                }
                bit &<<= 1
                offset &+= Self.blockBytes
            }
            scratch.storeBytes(of: differing, toByteOffset: set &* 8, as: UInt64.self)
        }
        return end - scratch
    }

    static let blockBytes = block * 8

    /// Two adjacent words of a block of eight words, compared together.
    typealias WordPair = SIMD2<UInt64>

    @inline(__always)
    private static func isSame(_ image: UnsafeRawPointer, _ template: UnsafeRawPointer) -> Bool {
        @inline(__always) func difference(_ offset: Int) -> WordPair {
            image.load(fromByteOffset: offset, as: WordPair.self)
                ^ template.load(fromByteOffset: offset, as: WordPair.self)
        }
        let differences = difference(0) | difference(16) | difference(32) | difference(48)
        return differences[0] | differences[1] == 0
    }

    /// Encodes one block of eight words that differs from the template. Returns the end of the encoded bytes.
    @inline(__always)
    private static func write(
        _ image: UnsafeRawPointer, _ template: UnsafeRawPointer, elapsed: UInt64, at address: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        var (differing, forms) = (UInt64(0), UInt64(0))
        var end = address + 3
        var word: UInt64 = 0
        while word < UInt64(Self.block) {
            let offset = Int(truncatingIfNeeded: word &<< 3)
            let difference =
                image.load(fromByteOffset: offset, as: UInt64.self)
                &- template.load(fromByteOffset: offset, as: UInt64.self)
            if difference != 0 {
                differing |= 1 &<< word
                if difference != elapsed {
                    let folded = difference &<< 1 ^ (0 &- difference &>> 63)
                    let form = Self.form(of: folded)
                    forms |= form &<< (word &<< 1)
                    end.storeBytes(of: folded, as: UInt64.self)
                    end += Self.length(form)
                }
            }
            word &+= 1
        }
        address.storeBytes(of: UInt8(truncatingIfNeeded: differing), as: UInt8.self)
        (address + 1).storeBytes(of: UInt16(truncatingIfNeeded: forms), as: UInt16.self)
        return end
    }

    @inline(__always)
    private static func form(of folded: UInt64) -> UInt64 { folded < 1 << 24 ? 1 : folded < 1 << 48 ? 2 : 3 }

    /// Returns the encoded length of a word in bytes, by its form: 0 if the difference equals the elapsed time,
    /// otherwise 3, 6 or 8.
    @inline(__always)
    private static func length(_ form: UInt64) -> Int { Int(truncatingIfNeeded: form &* 3 &- (form & form &>> 1)) }

    @inline(__always)
    static func read(
        _ address: UnsafeRawPointer, elapsed: UInt64, into image: UnsafeMutableRawPointer
    ) -> UnsafeRawPointer {
        var differing = address.load(as: UInt8.self)
        let forms = UInt64((address + 1).loadUnaligned(as: UInt16.self))
        var next = address + 3
        while differing != 0 {
            let word = UInt64(truncatingIfNeeded: differing.trailingZeroBitCount)
            differing &= differing &- 1
            let form = forms &>> (word &<< 1) & 3
            let offset = Int(truncatingIfNeeded: word &<< 3)
            var difference = elapsed
            if form > 0 {
                let folded = next.loadUnaligned(as: UInt64.self) & masks(form)
                next += Self.length(form)
                difference = folded &>> 1 ^ (0 &- (folded & 1))
            }
            image.storeBytes(
                of: image.load(fromByteOffset: offset, as: UInt64.self) &+ difference, toByteOffset: offset,
                as: UInt64.self)
        }
        return next
    }

    /// Returns the bit mask of the encoded bytes of a word, by its form.
    @inline(__always)
    private static func masks(_ form: UInt64) -> UInt64 { .max &>> (64 &- UInt64(length(form)) &* 8) }
}
