/// A queue of effects (requests such as a packet to send) that a value leaves for its driver, applied in order. The
/// driver applies effects one at a time. The effects that one of them causes are applied before the next one:
///
///     let batch = effects.begin()
///     for index in batch { apply effects[index]; if effects.hasMore { do the same for the effects that it caused } }
///     effects.end(batch)
///
/// The methods are `@inlinable` so that the compiler specialises them for each effect type. It does not specialise a
/// generic type of another module otherwise.
@usableFromInline package struct EffectQueue<Effect: BitwiseCopyable>: ~Copyable {
    @usableFromInline var storage: UnsafeMutablePointer<Effect>
    @usableFromInline var capacity = 16
    @usableFromInline var pendingCount = 0
    /// Number of effects in the batches that have begun; later effects in the queue are new.
    @usableFromInline var begunCount = 0

    package var count: Int { pendingCount }

    @inlinable package init() { storage = .allocate(capacity: capacity) }

    @inlinable deinit { storage.deallocate() }

    @inlinable package mutating func append(_ effect: Effect) {
        if pendingCount == capacity { grow() }
        (storage + pendingCount).initialize(to: effect)
        pendingCount += 1
    }

    /// `true` if effects were added that do not belong to a batch yet.
    @inlinable package var hasMore: Bool { begunCount < pendingCount }

    /// Begins a batch of the effects that were added since the last call, in order, and returns their indices. The
    /// driver applies them next.
    @inlinable package mutating func begin() -> Range<Int> {
        defer { begunCount = pendingCount }
        return Range(uncheckedBounds: (begunCount, pendingCount))
    }

    /// Returns the effect at an index. Its content does not change while the driver applies it, but its address may.
    @inlinable package subscript(index: Int) -> Effect {
        unsafeAddress { UnsafePointer(storage + index) }
    }

    /// Ends a batch: removes its effects, after the driver has applied them and all effects that they caused.
    @inlinable package mutating func end(_ batch: Range<Int>) {
        precondition(pendingCount == begunCount, "\(pendingCount - begunCount) steps were asked for and not done")
        pendingCount = batch.lowerBound
        begunCount = pendingCount
    }

    @usableFromInline mutating func grow() {
        let larger = UnsafeMutablePointer<Effect>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: storage, count: pendingCount)
        storage.deallocate()
        storage = larger
        capacity *= 2
    }
}
