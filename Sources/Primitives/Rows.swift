import DeadzonePrimitives

/// Lanes that rest, each as plain bytes: how it differs from a pattern, which is a lane that rested in much the same way before it. A lane
/// of a herd has thousands of bytes, of which a few dozen words are its own.
///
///     blocks that differ: a bit each ─▶ how much later it is than the pattern ─▶ for each block: its words that differ, a bit each ─▶
///     of what form each is ─▶ what it is more
///
/// A word that is so much more as it is later, as most instants are, takes two bits; others three, six or eight bytes.
///
/// It is laid out again byte for byte, whatever the pattern was: a bad one costs room and nothing else.
struct Rows: ~Copyable {
    /// Words whose difference is told together: 64 bytes.
    static let block = 8
    /// Beyond this a row is too long, and once enough are, the next one of its kind is their pattern.
    private static let long = 112
    private static let patience: Int32 = 16
    /// Patterns take some thousand bytes each.
    private static let mostPatterns = 512

    private typealias Pair = SIMD2<UInt64>

    private struct Row: BitwiseCopyable {
        var place: UnsafeMutableRawPointer?
        var bytes: UInt32 = 0
        var pattern: UInt16 = 0
    }

    private struct Kind: BitwiseCopyable {
        var pattern: Int32 = -1
        var tooLong: Int32 = 0
    }

    private let rows: UnsafeMutablePointer<Row>
    let count: Int
    private let kinds: UnsafeMutablePointer<Kind>
    private let kindCount: Int
    private var patterns: [UnsafeMutablePointer<UInt64>] = []
    private var instants: [Instant] = []
    private var scratch: UnsafeMutableRawPointer?
    /// Of each lane, the same for all.
    private var words = 0

    /// - Parameter kinds: How many ways of resting are told apart.
    init(count: Int, kinds: Int) {
        self.count = count
        kindCount = kinds
        rows = .allocate(capacity: count)
        rows.initialize(repeating: Row(), count: count)
        self.kinds = .allocate(capacity: kinds)
        self.kinds.initialize(repeating: Kind(), count: kinds)
    }

    deinit {
        for index in 0..<count { rows[index].place?.deallocate() }
        rows.deallocate()
        kinds.deallocate()
        for pattern in patterns { pattern.deallocate() }
        scratch?.deallocate()
    }

    func isKept(_ index: Int) -> Bool { rows[index].place != nil }
    /// What is kept of one that rests, and of where that is.
    func bytes(of index: Int) -> Int { Int(rows[index].bytes) + MemoryLayout<Row>.stride }

    mutating func forget(_ index: Int) {
        rows[index].place?.deallocate()
        rows[index] = Row()
    }

    // MARK: Putting away

    /// - Parameter now: When something last happened to it.
    mutating func keep(
        _ index: Int, _ image: UnsafeMutablePointer<UInt64>, words: Int, kind: Int, at now: Instant
    ) {
        precondition(self.words == 0 || self.words == words, "a lane of \(words) words among those of \(self.words)")
        if self.words == 0 { measure(words) }
        if kinds[kind].pattern < 0 { learn(image, kind, at: now) }
        let pattern = Int(kinds[kind].pattern)
        let later = UInt64(bitPattern: (now - instants[pattern]).nanoseconds)
        let bytes = write(image, against: patterns[pattern], later: later)
        store(index, bytes, pattern: pattern)
        guard bytes > Self.long else { return kinds[kind].tooLong = max(kinds[kind].tooLong - 1, 0) }
        kinds[kind].tooLong += 1
        if kinds[kind].tooLong >= Self.patience && patterns.count < Self.mostPatterns { learn(image, kind, at: now) }
    }

    private mutating func measure(_ words: Int) {
        precondition(words % Self.block == 0, "\(words) words are not whole blocks")
        self.words = words
        // Each block's bits, lengths, and all of its words, and a word over.
        scratch = .allocate(byteCount: words / Self.block * 11 + words * 8 + 64, alignment: 16)
    }

    private mutating func learn(_ image: UnsafeMutablePointer<UInt64>, _ kind: Int, at now: Instant) {
        let pattern = Self.place(words: words)
        pattern.initialize(from: image, count: words)
        kinds[kind] = Kind(pattern: Int32(patterns.count))
        patterns.append(pattern)
        instants.append(now)
    }

    /// Aligned for pairs.
    private static func place(words: Int) -> UnsafeMutablePointer<UInt64> {
        UnsafeMutableRawPointer.allocate(byteCount: words * 8, alignment: 16).bindMemory(
            to: UInt64.self, capacity: words)
    }

    private mutating func store(_ index: Int, _ bytes: Int, pattern: Int) {
        guard let scratch else { return }
        // As many whole steps as the reader, who takes words, can see.
        func room(_ bytes: Int) -> Int { (bytes + 7 + 15) / 16 * 16 }
        if rows[index].place == nil || room(Int(rows[index].bytes)) != room(bytes) {
            rows[index].place?.deallocate()
            rows[index].place = .allocate(byteCount: room(bytes), alignment: 16)
        }
        rows[index].place?.copyMemory(from: scratch, byteCount: bytes)
        rows[index].bytes = UInt32(bytes)
        rows[index].pattern = UInt16(pattern)
    }

    /// Returns how many bytes it takes.
    private func write(
        _ image: UnsafeMutablePointer<UInt64>, against pattern: UnsafeMutablePointer<UInt64>, later: UInt64
    ) -> Int {
        guard let scratch else { return 0 }
        let blocks = words / Self.block
        let sets = (blocks + 63) / 64
        scratch.storeBytes(of: later, toByteOffset: sets * 8, as: UInt64.self)
        var end = scratch + (sets + 1) * 8
        for set in 0..<sets {
            var differing: UInt64 = 0
            for block in set * 64..<min(set * 64 + 64, blocks) where !isSame(image, pattern, block) {
                differing |= 1 << UInt64(block - set * 64)
                end = write(image + block * Self.block, pattern + block * Self.block, later: later, at: end)
            }
            scratch.storeBytes(of: differing, toByteOffset: set * 8, as: UInt64.self)
        }
        return end - scratch
    }

    @inline(__always)
    private func isSame(
        _ image: UnsafeMutablePointer<UInt64>, _ pattern: UnsafeMutablePointer<UInt64>, _ block: Int
    ) -> Bool {
        let mine = UnsafeRawPointer(image + block * Self.block).assumingMemoryBound(to: Pair.self)
        let its = UnsafeRawPointer(pattern + block * Self.block).assumingMemoryBound(to: Pair.self)
        let difference = (mine[0] ^ its[0]) | (mine[1] ^ its[1]) | (mine[2] ^ its[2]) | (mine[3] ^ its[3])
        return difference[0] | difference[1] == 0
    }

    /// A block that differs. Returns where it ends.
    @inline(__always)
    private func write(
        _ image: UnsafeMutablePointer<UInt64>, _ pattern: UnsafeMutablePointer<UInt64>, later: UInt64,
        at place: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        var (differing, forms) = (UInt8(0), UInt16(0))
        var end = place + 3
        for word in 0..<Self.block where image[word] != pattern[word] {
            differing |= 1 << UInt8(word)
            let more = image[word] &- pattern[word]
            guard more != later else { continue }
            let folded = UInt64(bitPattern: Int64(bitPattern: more) << 1 ^ Int64(bitPattern: more) >> 63)
            let form = folded < 1 << 24 ? 1 : folded < 1 << 48 ? 2 : 3
            forms |= UInt16(form) << UInt16(word * 2)
            end.storeBytes(of: folded, as: UInt64.self)
            end += Self.length(form)
        }
        place.storeBytes(of: differing, as: UInt8.self)
        (place + 1).storeBytes(of: forms, as: UInt16.self)
        return end
    }

    /// In bytes: of what is later as the lane is none, then three, six, eight.
    @inline(__always)
    private static func length(_ form: Int) -> Int { form * 3 - (form & form >> 1) }

    // MARK: Laying out

    func layOut(_ index: Int, on image: UnsafeMutablePointer<UInt64>) {
        guard let place = rows[index].place else { preconditionFailure("lane \(index) does not rest") }
        image.update(from: patterns[Int(rows[index].pattern)], count: words)
        let blocks = words / Self.block
        let sets = (blocks + 63) / 64
        let later = place.load(fromByteOffset: sets * 8, as: UInt64.self)
        var next = UnsafeRawPointer(place) + (sets + 1) * 8
        for set in 0..<sets {
            var differing = place.load(fromByteOffset: set * 8, as: UInt64.self)
            while differing != 0 {
                let block = set * 64 + differing.trailingZeroBitCount
                differing &= differing - 1
                next = read(next, later: later, into: image + block * Self.block)
            }
        }
    }

    @inline(__always)
    private func read(
        _ place: UnsafeRawPointer, later: UInt64, into image: UnsafeMutablePointer<UInt64>
    ) -> UnsafeRawPointer {
        var differing = place.load(as: UInt8.self)
        let forms = (place + 1).loadUnaligned(as: UInt16.self)
        var next = place + 3
        while differing != 0 {
            let word = differing.trailingZeroBitCount
            differing &= differing - 1
            let form = Int(forms >> UInt16(word * 2) & 3)
            guard form > 0 else {
                image[word] &+= later
                continue
            }
            let folded = next.loadUnaligned(as: UInt64.self) & (.max >> UInt64(64 - Self.length(form) * 8))
            next += Self.length(form)
            image[word] &+= folded >> 1 ^ (0 &- (folded & 1))
        }
        return next
    }
}
