public import DeadzonePrimitives

/// Where the other programs of one phone stand. Their gaps are weather; when the system lets them run is not.
public struct Tenants: ~Copyable {
    private struct Tenancy: BitwiseCopyable {
        /// Exchanges so far.
        var count: UInt32 = 0
        /// When it wants the next one.
        var wishedAt = Instant.never
        /// When the system lets it.
        var firesAt = Instant.never
    }

    private let places: UnsafeMutableBufferPointer<Tenancy>

    public init(count: Int) {
        // Room for nothing would cost some, too.
        places = count == 0 ? UnsafeMutableBufferPointer(start: nil, count: 0) : .allocate(capacity: count)
        places.initialize(repeating: Tenancy())
    }

    deinit { places.deallocate() }

    /// Which of them is next, and when.
    public var next: (at: Instant, index: Int) {
        var first = (at: Instant.never, index: 0)
        for index in places.indices where places[index].firesAt < first.at { first = (places[index].firesAt, index) }
        return first
    }

    /// It makes its next wish.
    public mutating func wish(
        _ index: Int, _ tenant: borrowing Tenant, on path: Interface?, dice: Dice, at now: Instant
    ) {
        let count = places[index].count
        let gap = path == .cellular ? tenant.cellularGap ?? tenant.gap : tenant.gap
        let at = now + TimeSpan(nanoseconds: max(gap.draw(dice.at(UInt64(count))), 1))
        places[index] = Tenancy(count: count + 1, wishedAt: at, firesAt: at)
    }

    /// The system will let it run then, as things stand now.
    public mutating func allow(_ index: Int, from moment: (_ wishedAt: Instant) -> Instant) {
        places[index].firesAt = moment(places[index].wishedAt)
    }
}
