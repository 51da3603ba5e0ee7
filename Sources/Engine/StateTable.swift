import DeadzoneClient

/// The plain states of a strategy, one for each phone of a worker.
///
/// A large one has room for what few clients ever do, such as thirty calls at once, behind what all of them do. It lies whole
/// while its phone is told something; while that rests it is kept up to where it differs from a new one.
struct StateTable: ~Copyable {
    /// Up to here a state costs less than to keep it apart.
    private static let small = 128

    private struct Kept: BitwiseCopyable {
        var place: UnsafeMutableRawPointer?
        var bytes = 0
    }

    private let stride: Int
    private let count: Int
    /// All states, if they are small; else the one that is awake.
    private let base: UnsafeMutableRawPointer
    /// A new one. Nil if they are small.
    private let new: UnsafeMutableRawPointer?
    private let kept: UnsafeMutablePointer<Kept>
    private var awake: Int?

    init(_ strategy: AnyStrategy, count: Int) {
        let alignment = max(strategy.stateAlignment, MemoryLayout<Word>.alignment)
        let size = max(strategy.stateSize, 1)
        let isSmall = size <= Self.small
        stride = isSmall ? Self.rounded(size, strategy.stateAlignment) : Self.rounded(size, max(alignment, 16))
        self.count = count
        base = .allocate(byteCount: stride * (isSmall ? max(count, 1) : 1), alignment: alignment)
        new = isSmall ? nil : .allocate(byteCount: stride, alignment: alignment)
        kept = .allocate(capacity: isSmall ? 0 : count)
        if let new {
            new.initializeMemory(as: UInt8.self, repeating: 0, count: stride)
            strategy.initialize(new)
            base.copyMemory(from: new, byteCount: stride)
            kept.initialize(repeating: Kept(), count: count)
        } else {
            for index in 0..<count { strategy.initialize(base + index * stride) }
        }
    }

    deinit {
        if let new {
            new.deallocate()
            for index in 0..<count { kept[index].place?.deallocate() }
        }
        kept.deallocate()
        base.deallocate()
    }

    /// What is kept of one that rests.
    func bytes(of index: Int) -> Int { new == nil ? stride : kept[index].bytes + MemoryLayout<Kept>.stride }

    /// Where the state lies, whole, until another is asked for.
    mutating func place(_ index: Int) -> UnsafeMutableRawPointer {
        guard let new else { return base + index * stride }
        if awake == index { return base }
        rest(new)
        let (before, now) = (usedUpTo, kept[index].bytes)
        if let place = kept[index].place { base.copyMemory(from: place, byteCount: now) }
        if now < before { (base + now).copyMemory(from: new + now, byteCount: before - now) }
        awake = index
        return base
    }

    /// The one that is awake, or was, is as new from here on.
    private var usedUpTo = 0

    /// To be called before another wakes, and before anybody asks what is kept.
    mutating func rest() { if let new { rest(new) } }

    private mutating func rest(_ new: UnsafeMutableRawPointer) {
        guard let index = awake else { return }
        awake = nil
        let known = kept[index].bytes
        usedUpTo = isNew(from: known, new) ? known : end(new)
        if known < usedUpTo {
            kept[index].place?.deallocate()
            kept[index] = Kept(
                place: .allocate(byteCount: usedUpTo, alignment: MemoryLayout<Word>.alignment), bytes: usedUpTo)
        }
        kept[index].place?.copyMemory(from: base, byteCount: usedUpTo)
    }

    private typealias Word = SIMD2<UInt64>

    private func isNew(from first: Int, _ new: UnsafeMutableRawPointer) -> Bool {
        var difference = Word.zero
        for offset in Swift.stride(from: first, to: stride, by: MemoryLayout<Word>.size) {
            difference |= word(base, offset) ^ word(new, offset)
        }
        return difference == .zero
    }

    /// Where the last word ends that is not as in a new one.
    private func end(_ new: UnsafeMutableRawPointer) -> Int {
        var end = stride
        while end > 0, word(base, end - MemoryLayout<Word>.size) == word(new, end - MemoryLayout<Word>.size) {
            end -= MemoryLayout<Word>.size
        }
        return end
    }

    private func word(_ place: UnsafeMutableRawPointer, _ offset: Int) -> Word {
        place.load(fromByteOffset: offset, as: Word.self)
    }

    private static func rounded(_ size: Int, _ step: Int) -> Int { (size + step - 1) / step * step }
}
