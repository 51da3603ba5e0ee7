/// What a value asks of whoever drives it, in the order in which it wants it done. It is done one by one, and what one of them
/// leads to is done before the next: the pile is turned over after each, so that what was asked first lies on top. Inlined, it
/// is made for each kind of step, which a generic value of another module is not.
public struct Steps<Step: BitwiseCopyable>: ~Copyable {
    @usableFromInline var places: UnsafeMutablePointer<Step>
    @usableFromInline var capacity = 16
    @usableFromInline var kept = 0
    /// So many at the bottom lie in the order in which they are taken.
    @usableFromInline var turned = 0

    public var count: Int { kept }

    @inlinable public init() { places = .allocate(capacity: capacity) }

    @inlinable deinit { places.deallocate() }

    @inlinable public mutating func append(_ step: Step) {
        if kept == capacity { grow() }
        (places + kept).initialize(to: step)
        kept += 1
    }

    /// What was asked since the last turn comes next, the first of it first. Returns how many lie below it.
    @discardableResult
    @inlinable public mutating func turn() -> Int {
        let below = turned
        var (low, high) = (turned, kept - 1)
        while low < high {
            (places[low], places[high]) = (places[high], places[low])
            (low, high) = (low + 1, high - 1)
        }
        turned = kept
        return below
    }

    /// The next of those above so many.
    @inlinable public mutating func next(above below: Int) -> Step? {
        guard below < kept else { return nil }
        kept -= 1
        turned = kept
        return places[kept]
    }

    @usableFromInline mutating func grow() {
        let larger = UnsafeMutablePointer<Step>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: places, count: kept)
        places.deallocate()
        places = larger
        capacity *= 2
    }
}
