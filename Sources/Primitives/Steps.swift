/// What a value asks of whoever drives it, in the order in which it wants it done. It is done one by one, and what one of them
/// leads to is done before the next: the pile is turned over after each, so that what was asked first lies on top.
public struct Steps<Step: BitwiseCopyable>: ~Copyable {
    private var places: UnsafeMutablePointer<Step>
    private var capacity = 16
    public private(set) var count = 0
    /// So many at the bottom lie in the order in which they are taken.
    private var turned = 0

    public init() { places = .allocate(capacity: capacity) }

    deinit { places.deallocate() }

    public mutating func append(_ step: Step) {
        if count == capacity { grow() }
        (places + count).initialize(to: step)
        count += 1
    }

    /// What was asked since the last turn comes next, the first of it first. Returns how many lie below it.
    @discardableResult
    public mutating func turn() -> Int {
        let below = turned
        var (low, high) = (turned, count - 1)
        while low < high {
            (places[low], places[high]) = (places[high], places[low])
            (low, high) = (low + 1, high - 1)
        }
        turned = count
        return below
    }

    /// The next of those above so many.
    public mutating func next(above below: Int) -> Step? {
        guard below < count else { return nil }
        count -= 1
        turned = count
        return places[count]
    }

    public mutating func removeAll() { (count, turned) = (0, 0) }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Step>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: places, count: count)
        places.deallocate()
        places = larger
        capacity *= 2
    }
}
