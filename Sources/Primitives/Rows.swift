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
    /// A row of no more is never too long. Others are, and far too long if they take half as much again as those did that came right
    /// after their pattern; once enough are, the next one of their kind is the pattern.
    private static let long = 112
    private static let patience: Int32 = 256
    private static let far: Int32 = 16
    /// What a row may have more than it takes.
    private static let spare = 64
    /// Patterns take some thousand bytes each, and are to stay in the processor's cache.
    private static let mostPatterns = 256

    private struct Row: BitwiseCopyable {
        var plot = Plots.Plot()
        var pattern: UInt16 = 0
        var bytes: UInt32 = 0
    }

    private struct Kind: BitwiseCopyable {
        var pattern: Int32 = -1
        var tooLong: Int32 = 0
        /// How many rows came since its pattern, up to so many; and their bytes together.
        var first = 0
        var firstBytes = 0
        static let mostFirst = 16

        /// What a row of this kind takes, at best.
        var usual: Int { firstBytes / max(first, 1) }
    }

    private struct Pattern: BitwiseCopyable {
        let words: UnsafeMutableRawPointer
        var now: Instant
        /// Rows and kinds that hold to it: who has none can be another one.
        var holders: UInt32 = 0
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
    private let patterns: UnsafeMutablePointer<Pattern>
    private var patternCount = 0
    private var plots = Plots()
    private(set) var scratch: UnsafeMutableRawPointer?
    /// Of each lane, the same for all.
    private(set) var words = 0
    private let known: UnsafeMutablePointer<Known>

    /// - Parameter kinds: How many ways of resting are told apart.
    public init(count: Int, kinds: Int) {
        self.count = count
        kindCount = kinds
        rows = .allocate(capacity: count)
        rows.initialize(repeating: Row(), count: count)
        self.kinds = .allocate(capacity: kinds)
        self.kinds.initialize(repeating: Kind(), count: kinds)
        patterns = .allocate(capacity: Self.mostPatterns)
        known = .allocate(capacity: 1)
        known.initialize(to: Known())
    }

    deinit {
        rows.deallocate()
        kinds.deallocate()
        known.deallocate()
        for number in 0..<patternCount { patterns[number].words.deallocate() }
        patterns.deallocate()
        scratch?.deallocate()
    }

    public func isKept(_ index: Int) -> Bool { rows[index].plot.isThere }
    /// What is kept of one that rests, and of where that is.
    public func bytes(of index: Int) -> Int { Int(rows[index].bytes) + MemoryLayout<Row>.stride }

    /// Something else lies where an image was put away.
    public func loseImage() { known.pointee = Known() }

    public mutating func forget(_ index: Int) {
        loseImage()
        guard isKept(index) else { return }
        patterns[Int(rows[index].pattern)].holders -= 1
        plots.giveBack(rows[index].plot)
        rows[index] = Row()
    }

    // MARK: Putting away

    /// - Parameter now: When something last happened to it.
    public mutating func keep(_ index: Int, _ image: UnsafeRawPointer, words: Int, kind: Int, at now: Instant) {
        precondition(self.words == 0 || self.words == words, "a value of \(words) words among those of \(self.words)")
        if self.words == 0 { measure(words) }
        if kinds[kind].pattern < 0 || kinds[kind].tooLong >= Self.patience { learn(image, kind, at: now) }
        let pattern = Int(kinds[kind].pattern)
        let later = UInt64(bitPattern: (now - patterns[pattern].now).nanoseconds)
        let bytes = write(image, against: patterns[pattern].words, later: later)
        know(pattern)
        store(index, bytes, pattern: pattern)
        compare(bytes, kind)
    }

    private func compare(_ bytes: Int, _ kind: Int) {
        if kinds[kind].first < Kind.mostFirst {
            kinds[kind].first += 1
            kinds[kind].firstBytes += bytes
        }
        if bytes <= Self.long {
            kinds[kind].tooLong = max(kinds[kind].tooLong - Self.far, 0)
        } else if bytes > kinds[kind].usual * 3 / 2 {
            kinds[kind].tooLong += Self.far
        } else if patternCount < Self.mostPatterns / 2 {
            // Perhaps another pattern is better; but there are to be some left for when one must be.
            kinds[kind].tooLong += 1
        }
    }

    private mutating func measure(_ words: Int) {
        precondition(words % Self.block == 0, "\(words) words are not whole blocks")
        self.words = words
        // Each block's bits, lengths, and all of its words, and a word over.
        scratch = .allocate(byteCount: words / Self.block * 11 + words * 8 + 64, alignment: 8)
    }

    private mutating func learn(_ image: UnsafeRawPointer, _ kind: Int, at now: Instant) {
        let old = Int(kinds[kind].pattern)
        if old >= 0 { patterns[old].holders -= 1 }
        let number = unheldPattern() ?? max(old, 0)
        kinds[kind] = Kind(pattern: Int32(number))
        patterns[number].holders += 1
        // There is no room for another: one that others hold to stays what it is.
        guard patterns[number].holders == 1 else { return }
        if known.pointee.pattern == number { loseImage() }
        patterns[number].words.copyMemory(from: image, byteCount: words * 8)
        patterns[number].now = now
    }

    /// One that nobody holds to.
    private mutating func unheldPattern() -> Int? {
        if let number = (0..<patternCount).first(where: { patterns[$0].holders == 0 }) { return number }
        guard patternCount < Self.mostPatterns else { return nil }
        let place = UnsafeMutableRawPointer.allocate(byteCount: words * 8, alignment: 16)
        (patterns + patternCount).initialize(to: Pattern(words: place, now: .zero))
        patternCount += 1
        return patternCount - 1
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
        // The reader takes words, and sees beyond the end.
        let room = bytes &+ 7
        let row = rows[index]
        patterns[pattern].holders += 1
        if row.plot.isThere { patterns[Int(row.pattern)].holders -= 1 }
        // One that is much too long is another's.
        if row.plot.bytes < room || row.plot.bytes - room > Self.spare {
            if row.plot.isThere { plots.giveBack(row.plot) }
            rows[index].plot = plots.take(room)
        }
        plots[rows[index].plot].copyMemory(from: scratch, byteCount: bytes)
        rows[index].bytes = UInt32(truncatingIfNeeded: bytes)
        rows[index].pattern = UInt16(truncatingIfNeeded: pattern)
    }

    // MARK: Laying out

    /// - Parameter image: Where the last one was put away.
    public func layOut(_ index: Int, on image: UnsafeMutableRawPointer) {
        precondition(isKept(index), "nothing rests at \(index)")
        let place = plots[rows[index].plot]
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
        let pattern = UnsafeRawPointer(patterns[number].words)
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
}
