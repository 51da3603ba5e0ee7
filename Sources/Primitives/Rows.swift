/// Values that rest, each as plain bytes: how it differs from a pattern, which is one that rested in much the same way before it. A
/// phone of a herd has thousands of bytes, of which a few dozen words are its own.
///
///     blocks that differ: a bit each ─▶ how much later it is than the pattern ─▶ for each block: its words that differ, a bit each ─▶
///     of what form each is ─▶ what it is more
///
/// A word that is so much more as it is later, as most instants are, takes two bits; others three, six or eight bytes.
///
/// It is laid out again byte for byte, whatever the pattern was: a bad one costs room and nothing else.
public struct Rows: ~Copyable {
    /// Words whose difference is told together: 64 bytes.
    public static let block = 8
    /// Beyond this a row is too long, and once enough are, the next one of its kind is their pattern.
    private static let long = 112
    private static let patience: Int32 = 16
    /// Patterns take some thousand bytes each.
    private static let mostPatterns = 512

    private struct Row: BitwiseCopyable {
        var place: UnsafeMutableRawPointer?
        var bytes: UInt32 = 0
        var pattern: UInt16 = 0
    }

    private struct Kind: BitwiseCopyable {
        var pattern: Int32 = -1
        var tooLong: Int32 = 0
    }

    /// What is the same as in its pattern in the image that was put away last, for as long as nothing else lies there.
    private struct Known: BitwiseCopyable {
        var pattern = -1
        /// A bit for each block that differs; of more blocks nothing is known.
        var differing: (UInt64, UInt64) = (0, 0)
        static let most = 128
    }

    private let rows: UnsafeMutablePointer<Row>
    public let count: Int
    private let kinds: UnsafeMutablePointer<Kind>
    private let kindCount: Int
    private var patterns: [UnsafeRawPointer] = []
    private var instants: [Instant] = []
    private var scratch: UnsafeMutableRawPointer?
    /// Of each lane, the same for all.
    private var words = 0
    private let known: UnsafeMutablePointer<Known>

    /// - Parameter kinds: How many ways of resting are told apart.
    public init(count: Int, kinds: Int) {
        self.count = count
        kindCount = kinds
        rows = .allocate(capacity: count)
        rows.initialize(repeating: Row(), count: count)
        self.kinds = .allocate(capacity: kinds)
        self.kinds.initialize(repeating: Kind(), count: kinds)
        known = .allocate(capacity: 1)
        known.initialize(to: Known())
    }

    deinit {
        for index in 0..<count { rows[index].place?.deallocate() }
        rows.deallocate()
        kinds.deallocate()
        known.deallocate()
        for pattern in patterns { pattern.deallocate() }
        scratch?.deallocate()
    }

    public func isKept(_ index: Int) -> Bool { rows[index].place != nil }
    /// What is kept of one that rests, and of where that is.
    public func bytes(of index: Int) -> Int { Int(rows[index].bytes) + MemoryLayout<Row>.stride }

    /// Something else lies where an image was put away.
    public func loseImage() { known.pointee = Known() }

    public mutating func forget(_ index: Int) {
        loseImage()
        rows[index].place?.deallocate()
        rows[index] = Row()
    }

    // MARK: Putting away

    /// - Parameter now: When something last happened to it.
    public mutating func keep(_ index: Int, _ image: UnsafeRawPointer, words: Int, kind: Int, at now: Instant) {
        precondition(self.words == 0 || self.words == words, "a value of \(words) words among those of \(self.words)")
        if self.words == 0 { measure(words) }
        if kinds[kind].pattern < 0 { learn(image, kind, at: now) }
        let pattern = Int(kinds[kind].pattern)
        let later = UInt64(bitPattern: (now - instants[pattern]).nanoseconds)
        let bytes = write(image, against: patterns[pattern], later: later)
        know(pattern)
        store(index, bytes, pattern: pattern)
        guard bytes > Self.long else { return kinds[kind].tooLong = max(kinds[kind].tooLong - 1, 0) }
        kinds[kind].tooLong += 1
        if kinds[kind].tooLong >= Self.patience && patterns.count < Self.mostPatterns { learn(image, kind, at: now) }
    }

    private mutating func measure(_ words: Int) {
        precondition(words % Self.block == 0, "\(words) words are not whole blocks")
        self.words = words
        // Each block's bits, lengths, and all of its words, and a word over.
        scratch = .allocate(byteCount: words / Self.block * 11 + words * 8 + 64, alignment: 8)
    }

    private mutating func learn(_ image: UnsafeRawPointer, _ kind: Int, at now: Instant) {
        let pattern = UnsafeMutableRawPointer.allocate(byteCount: words * 8, alignment: 16)
        pattern.copyMemory(from: image, byteCount: words * 8)
        kinds[kind] = Kind(pattern: Int32(patterns.count))
        patterns.append(UnsafeRawPointer(pattern))
        instants.append(now)
    }

    /// What was written last still lies where it was.
    private func know(_ pattern: Int) {
        guard let scratch, words <= Known.most * Self.block else { return loseImage() }
        known.pointee.pattern = pattern
        known.pointee.differing.0 = scratch.load(as: UInt64.self)
        known.pointee.differing.1 = words > 64 * Self.block ? scratch.load(fromByteOffset: 8, as: UInt64.self) : 0
    }

    private mutating func store(_ index: Int, _ bytes: Int, pattern: Int) {
        guard let scratch else { return }
        // As many whole steps as the reader, who takes words, can see.
        func room(_ bytes: Int) -> Int { (bytes &+ 7 &+ 15) & ~15 }
        if rows[index].place == nil || room(Int(rows[index].bytes)) != room(bytes) {
            rows[index].place?.deallocate()
            rows[index].place = .allocate(byteCount: room(bytes), alignment: 8)
        }
        rows[index].place?.copyMemory(from: scratch, byteCount: bytes)
        rows[index].bytes = UInt32(truncatingIfNeeded: bytes)
        rows[index].pattern = UInt16(truncatingIfNeeded: pattern)
    }

    /// Returns how many bytes it takes.
    private func write(_ image: UnsafeRawPointer, against pattern: UnsafeRawPointer, later: UInt64) -> Int {
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

    private static let blockBytes = block * 8

    /// Words at a place for pairs of them, of which a block has four.
    private typealias Pair = SIMD2<UInt64>

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

    // MARK: Laying out

    /// - Parameter image: Where the last one was put away.
    public func layOut(_ index: Int, on image: UnsafeMutableRawPointer) {
        guard let place = rows[index].place else { preconditionFailure("nothing rests at \(index)") }
        layOutPattern(Int(rows[index].pattern), on: image)
        let blocks = words / Self.block
        let sets = (blocks &+ 63) / 64
        let later = place.load(fromByteOffset: sets &* 8, as: UInt64.self)
        var next = UnsafeRawPointer(place) + (sets &+ 1) &* 8
        for set in 0..<sets {
            var differing = place.load(fromByteOffset: set &* 8, as: UInt64.self)
            while differing != 0 {
                let block = set &* 64 &+ differing.trailingZeroBitCount
                differing &= differing &- 1
                next = Self.read(next, later: later, into: image + block &* Self.blockBytes)
            }
        }
    }

    /// Where the same pattern lies already, only what differed from it.
    private func layOutPattern(_ number: Int, on image: UnsafeMutableRawPointer) {
        let pattern = patterns[number]
        defer { loseImage() }
        guard number == known.pointee.pattern else { return image.copyMemory(from: pattern, byteCount: words &* 8) }
        Self.restore(known.pointee.differing.0, of: pattern, on: image)
        if known.pointee.differing.1 != 0 {
            let second = 64 &* Self.blockBytes
            Self.restore(known.pointee.differing.1, of: pattern + second, on: image + second)
        }
    }

    @inline(__always)
    private static func restore(_ blocks: UInt64, of pattern: UnsafeRawPointer, on image: UnsafeMutableRawPointer) {
        var rest = blocks
        while rest != 0 {
            var offset = rest.trailingZeroBitCount &* blockBytes
            let end = offset &+ blockBytes
            rest &= rest &- 1
            while offset < end {
                let pair = pattern.load(fromByteOffset: offset, as: Pair.self)
                image.storeBytes(of: pair, toByteOffset: offset, as: Pair.self)
                offset &+= MemoryLayout<Pair>.size
            }
        }
    }

    @inline(__always)
    private static func read(
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
