/// How a value is told from its pattern, and laid out again. Of both ways only these lines know the form.
extension Rows {
    /// Returns how many bytes it takes.
    func write(_ image: UnsafeRawPointer, against pattern: UnsafeRawPointer, later: UInt64) -> Int {
        guard let scratch else { return 0 }
        let blocks = words / Self.block
        let sets = (blocks &+ 63) / 64
        scratch.storeBytes(of: later, toByteOffset: sets &* 8, as: UInt64.self)
        var end = scratch + (sets &+ 1) &* 8
        for set in 0..<sets {
            var differing: UInt64 = 0
            var bit: UInt64 = 1
            var offset = set &* 64 &* Self.blockBytes
            let last = min(offset &+ 64 &* Self.blockBytes, words &* 8)
            while offset < last {
                if !Self.isSame(image + offset, pattern + offset) {
                    differing |= bit
                    end = Self.write(image + offset, pattern + offset, later: later, at: end)
                }
                bit &<<= 1
                offset &+= Self.blockBytes
            }
            scratch.storeBytes(of: differing, toByteOffset: set &* 8, as: UInt64.self)
        }
        return end - scratch
    }

    static let blockBytes = block * 8

    /// Words at a place for pairs of them, of which a block has four.
    typealias Pair = SIMD2<UInt64>

    @inline(__always)
    private static func isSame(_ image: UnsafeRawPointer, _ pattern: UnsafeRawPointer) -> Bool {
        @inline(__always) func difference(_ offset: Int) -> Pair {
            image.load(fromByteOffset: offset, as: Pair.self) ^ pattern.load(fromByteOffset: offset, as: Pair.self)
        }
        let differences = difference(0) | difference(16) | difference(32) | difference(48)
        return differences[0] | differences[1] == 0
    }

    /// A block that differs. Returns where it ends.
    @inline(__always)
    private static func write(
        _ image: UnsafeRawPointer, _ pattern: UnsafeRawPointer, later: UInt64, at place: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        var (differing, forms) = (UInt64(0), UInt64(0))
        var end = place + 3
        var word: UInt64 = 0
        while word < UInt64(Self.block) {
            let offset = Int(truncatingIfNeeded: word &<< 3)
            let more =
                image.load(fromByteOffset: offset, as: UInt64.self)
                &- pattern.load(fromByteOffset: offset, as: UInt64.self)
            if more != 0 {
                differing |= 1 &<< word
                if more != later {
                    let folded = more &<< 1 ^ (0 &- more &>> 63)
                    let form = Self.form(of: folded)
                    forms |= form &<< (word &<< 1)
                    end.storeBytes(of: folded, as: UInt64.self)
                    end += Self.length(form)
                }
            }
            word &+= 1
        }
        place.storeBytes(of: UInt8(truncatingIfNeeded: differing), as: UInt8.self)
        (place + 1).storeBytes(of: UInt16(truncatingIfNeeded: forms), as: UInt16.self)
        return end
    }

    @inline(__always)
    private static func form(of folded: UInt64) -> UInt64 { folded < 1 << 24 ? 1 : folded < 1 << 48 ? 2 : 3 }

    /// In bytes: of what is later as the lane is none, then three, six, eight.
    @inline(__always)
    private static func length(_ form: UInt64) -> Int { Int(truncatingIfNeeded: form &* 3 &- (form & form &>> 1)) }

    @inline(__always)
    static func read(
        _ place: UnsafeRawPointer, later: UInt64, into image: UnsafeMutableRawPointer
    ) -> UnsafeRawPointer {
        var differing = place.load(as: UInt8.self)
        let forms = UInt64((place + 1).loadUnaligned(as: UInt16.self))
        var next = place + 3
        while differing != 0 {
            let word = UInt64(truncatingIfNeeded: differing.trailingZeroBitCount)
            differing &= differing &- 1
            let form = forms &>> (word &<< 1) & 3
            let offset = Int(truncatingIfNeeded: word &<< 3)
            var more = later
            if form > 0 {
                let folded = next.loadUnaligned(as: UInt64.self) & masks(form)
                next += Self.length(form)
                more = folded &>> 1 ^ (0 &- (folded & 1))
            }
            image.storeBytes(
                of: image.load(fromByteOffset: offset, as: UInt64.self) &+ more, toByteOffset: offset, as: UInt64.self)
        }
        return next
    }

    /// Of a word as long as its form says.
    @inline(__always)
    private static func masks(_ form: UInt64) -> UInt64 { .max &>> (64 &- UInt64(length(form)) &* 8) }
}
