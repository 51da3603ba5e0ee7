/// Compressed storage for idle phones and similar values: each is stored as its byte difference from a similar value.
/// That earlier value is called the template (delta encoding). A phone of a herd has thousands of bytes, of which a few
/// dozen words are its own.
///
///     mask of differing blocks ─▶ time elapsed since the template ─▶ for each block: mask of differing words ─▶
///     form of each word ─▶ difference of each word
///
/// A word that differs by exactly the elapsed time, as most instants do, takes two bits. Other words take three, six or
/// eight bytes.
///
/// Decompression restores every byte, whatever the template was. A bad template costs memory and nothing else.
package struct DeltaStore: ~Copyable {
    /// Number of words in a block, which share one bit mask: 64 bytes.
    package static let block = 8
    /// Length in bytes up to which a delta (stored difference) never counts as too long. A longer one adds
    /// `oversizePenalty` to the score of its group if it exceeds 1.5 times the typical length of the group. At a score
    /// of `oversizeLimit` the next value of the group becomes its template.
    private static let acceptableBytes = 112
    private static let oversizeLimit: Int32 = 256
    private static let oversizePenalty: Int32 = 16
    /// Maximum number of templates: they take some thousand bytes each and must stay in the processor's cache.
    private static let maxTemplates = 256

    private struct StoredDelta: BitwiseCopyable {
        var chain = BlockChains.Chain()
        var template: UInt16 = 0
        var bytes: UInt32 = 0
    }

    private struct TemplateGroup: BitwiseCopyable {
        var template: Int32 = -1
        var oversizeScore: Int32 = 0
        /// Number of deltas (stored differences) since the template was set, up to the maximum.
        var sampleCount = 0
        /// Sum of the lengths of these deltas, in bytes.
        var sampleBytes = 0
        static let maxSamples = 16

        /// Mean length in bytes of a delta (stored difference) just after its template was set: the best case.
        var typicalBytes: Int { sampleBytes / max(sampleCount, 1) }
    }

    private struct Template: BitwiseCopyable {
        let words: UnsafeMutableRawPointer
        var now: Instant
        /// Reference count: number of stored deltas and groups that use the template. The template's slot can be reused
        /// at zero.
        var references: UInt32 = 0
    }

    /// State of the image, the buffer of the value that was compressed last: its template and the blocks that differ.
    /// Valid until the image changes.
    private struct ImageState: BitwiseCopyable {
        var template = -1
        /// One bit for each block that differs from the template. Values with more blocks than the maximum are not
        /// tracked.
        var differing: (UInt64, UInt64) = (0, 0)
        static let maxBlocks = 128
    }

    private let deltas: UnsafeMutablePointer<StoredDelta>
    package let count: Int
    private let kinds: UnsafeMutablePointer<TemplateGroup>
    private let templates: UnsafeMutablePointer<Template>
    private var templateCount = 0
    private var chains = BlockChains()
    private(set) var scratch: UnsafeMutableRawPointer?
    /// Length of every value, in words.
    private(set) var words = 0
    private let imageState: UnsafeMutablePointer<ImageState>

    /// Creates an empty store for `count` values.
    /// - Parameter kinds: The number of groups of similar values, each with its own template.
    package init(count: Int, kinds: Int) {
        self.count = count
        deltas = .allocate(capacity: count)
        deltas.initialize(repeating: StoredDelta(), count: count)
        self.kinds = .allocate(capacity: kinds)
        self.kinds.initialize(repeating: TemplateGroup(), count: kinds)
        templates = .allocate(capacity: Self.maxTemplates)
        imageState = .allocate(capacity: 1)
        imageState.initialize(to: ImageState())
    }

    deinit {
        deltas.deallocate()
        kinds.deallocate()
        imageState.deallocate()
        for number in 0..<templateCount { templates[number].words.deallocate() }
        templates.deallocate()
        scratch?.deallocate()
    }

    package func contains(_ index: Int) -> Bool { deltas[index].chain.isStored }
    /// Returns the number of bytes that one stored value uses, including its index entry.
    package func storedBytes(of index: Int) -> Int { Int(deltas[index].bytes) + MemoryLayout<StoredDelta>.stride }

    /// Records that the image (the buffer of the current value) was changed: it no longer holds the value that was
    /// compressed last.
    package func invalidateImage() { imageState.pointee = ImageState() }

    package mutating func remove(_ index: Int) {
        invalidateImage()
        guard contains(index) else { return }
        templates[Int(deltas[index].template)].references -= 1
        chains.remove(&deltas[index].chain)
        deltas[index] = StoredDelta()
    }

    // MARK: Compression

    /// Compresses the value in the buffer `image` and stores it at this index.
    /// - Parameter now: The time of the last change of the value.
    package mutating func compress(_ index: Int, _ image: UnsafeRawPointer, words: Int, kind: Int, at now: Instant) {
        precondition(self.words == 0 || self.words == words, "a value of \(words) words among those of \(self.words)")
        if self.words == 0 { allocateScratch(words) }
        if kinds[kind].template < 0 || kinds[kind].oversizeScore >= Self.oversizeLimit {
            setTemplate(image, kind, at: now)
        }
        let template = Int(kinds[kind].template)
        let elapsed = UInt64(bitPattern: (now - templates[template].now).nanoseconds)
        let bytes = write(image, against: templates[template].words, elapsed: elapsed)
        recordImageState(template)
        store(index, bytes, template: template)
        recordSize(bytes, kind)
    }

    private func recordSize(_ bytes: Int, _ kind: Int) {
        if kinds[kind].sampleCount < TemplateGroup.maxSamples {
            kinds[kind].sampleCount += 1
            kinds[kind].sampleBytes += bytes
        }
        if bytes <= Self.acceptableBytes {
            kinds[kind].oversizeScore = max(kinds[kind].oversizeScore - Self.oversizePenalty, 0)
        } else if bytes > kinds[kind].typicalBytes * 3 / 2 {
            kinds[kind].oversizeScore += Self.oversizePenalty
        } else if templateCount < Self.maxTemplates / 2 {
            // Another template may be better, but some must remain free for groups that need one.
            kinds[kind].oversizeScore += 1
        }
    }

    private mutating func allocateScratch(_ words: Int) {
        precondition(words % Self.block == 0, "\(words) words are not whole blocks")
        self.words = words
        // The buffer holds the masks, the lengths and the words of a value. A chain copies up to a block more.
        scratch = .allocate(
            byteCount: words / Self.block * 11 + words * 8 + 64 + BlockChains.contentBytes, alignment: 8)
    }

    private mutating func setTemplate(_ image: UnsafeRawPointer, _ kind: Int, at now: Instant) {
        let old = Int(kinds[kind].template)
        if old >= 0 { templates[old].references -= 1 }
        let number = unusedTemplate() ?? max(old, 0)
        kinds[kind] = TemplateGroup(template: Int32(number))
        templates[number].references += 1
        // No template slot is free: a template that others use stays unchanged.
        guard templates[number].references == 1 else { return }
        if imageState.pointee.template == number { invalidateImage() }
        templates[number].words.copyMemory(from: image, byteCount: words * 8)
        templates[number].now = now
    }

    /// Returns an unused template slot; `nil` if all are in use.
    private mutating func unusedTemplate() -> Int? {
        if let number = (0..<templateCount).first(where: { templates[$0].references == 0 }) { return number }
        guard templateCount < Self.maxTemplates else { return nil }
        let place = UnsafeMutableRawPointer.allocate(byteCount: words * 8, alignment: 16)
        (templates + templateCount).initialize(to: Template(words: place, now: .zero))
        templateCount += 1
        return templateCount - 1
    }

    /// Records that the image (the buffer of the current value) still holds the value that was compressed last.
    private func recordImageState(_ template: Int) {
        guard let scratch, words <= ImageState.maxBlocks * Self.block else { return invalidateImage() }
        imageState.pointee.template = template
        imageState.pointee.differing.0 = scratch.load(as: UInt64.self)
        imageState.pointee.differing.1 = words > 64 * Self.block ? scratch.load(fromByteOffset: 8, as: UInt64.self) : 0
    }

    private mutating func store(_ index: Int, _ bytes: Int, template: Int) {
        guard let scratch else { return }
        templates[template].references += 1
        if contains(index) { templates[Int(deltas[index].template)].references -= 1 }
        chains.store(scratch, count: bytes, in: &deltas[index].chain)
        deltas[index].bytes = UInt32(truncatingIfNeeded: bytes)
        deltas[index].template = UInt16(truncatingIfNeeded: template)
    }

    // MARK: Decompression

    /// Restores the value that is stored at this index.
    /// - Parameter image: The buffer from which the last value was compressed.
    package func decompress(_ index: Int, in image: UnsafeMutableRawPointer) {
        guard let place = scratch, contains(index) else { preconditionFailure("nothing is stored at \(index)") }
        chains.load(deltas[index].chain, into: place)
        copyTemplate(Int(deltas[index].template), in: image)
        let blocks = words / Self.block
        let sets = (blocks &+ 63) / 64
        let elapsed = place.load(fromByteOffset: sets &* 8, as: UInt64.self)
        var next = UnsafeRawPointer(place) + (sets &+ 1) &* 8
        for set in 0..<sets {
            var differing = place.load(fromByteOffset: set &* 8, as: UInt64.self)
            while differing != 0 {
                let block = set &* 64 &+ differing.trailingZeroBitCount
                differing &= differing &- 1
                next = Self.read(next, elapsed: elapsed, into: image + block &* Self.blockBytes)
            }
        }
    }

    /// Copies the template to the image (the buffer of the value). If the image already holds the same template, only
    /// the differing blocks are copied.
    private func copyTemplate(_ number: Int, in image: UnsafeMutableRawPointer) {
        let template = UnsafeRawPointer(templates[number].words)
        defer { invalidateImage() }
        guard number == imageState.pointee.template else {
            return image.copyMemory(from: template, byteCount: words &* 8)
        }
        Self.restore(imageState.pointee.differing.0, of: template, in: image)
        if imageState.pointee.differing.1 != 0 {
            let second = 64 &* Self.blockBytes
            Self.restore(imageState.pointee.differing.1, of: template + second, in: image + second)
        }
    }

    @inline(__always)
    private static func restore(_ blocks: UInt64, of template: UnsafeRawPointer, in image: UnsafeMutableRawPointer) {
        var rest = blocks
        while rest != 0 {
            var offset = rest.trailingZeroBitCount &* blockBytes
            let end = offset &+ blockBytes
            rest &= rest &- 1
            while offset < end {
                let pair = template.load(fromByteOffset: offset, as: WordPair.self)
                image.storeBytes(of: pair, toByteOffset: offset, as: WordPair.self)
                offset &+= MemoryLayout<WordPair>.size
            }
        }
    }
}
