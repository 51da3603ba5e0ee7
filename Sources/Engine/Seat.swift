import DeadzonePrimitives

/// Where the lane lies whose turn it is: all that it consists of on one ground, and for each lane of a worker at the same places. So what
/// points from one part to another holds for all of them, and the whole can be put away as bytes.
struct Seat: ~Copyable {
    /// More than a lane has with every part that it may have. The strategy's state comes on top.
    private static let room = 16 << 10
    /// Flights that rest with their lane: one that waits has seldom more. If there are more, all stay in the pool.
    static let flights = 3

    private let ground: Ground
    /// What the strategy keeps of the phone.
    let state: UnsafeMutableRawPointer
    let lane: UnsafeMutablePointer<Lane>
    let flights: UnsafeMutablePointer<Flight>
    let flightCount: UnsafeMutablePointer<Int>
    private let parts: Ground.Mark

    init(stateBytes: Int, alignment: Int) {
        precondition(alignment <= Ground.alignment, "a strategy's state wants more than \(Ground.alignment)")
        ground = Ground(bytes: Self.room + stateBytes)
        let surveyor = ground.surveyor
        lane = surveyor.place(of: Lane.self)
        flightCount = surveyor.place(of: Int.self)
        flights = surveyor.place(of: Flight.self, Self.flights)
        state = surveyor.place(bytes: max(stateBytes, 1))
        parts = ground.mark
    }

    /// For the parts of the lane that sits here.
    var surveyor: Surveyor { ground.surveyor }
    var words: UnsafeMutablePointer<UInt64> {
        ground.used.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt64.self)
    }
    var wordCount: Int { ground.used.count / MemoryLayout<UInt64>.size }

    /// Nobody sits here any more, and every byte is zero.
    func clear() { ground.clear(keeping: parts) }

    /// Flights beyond these leave no trace.
    func rest(_ count: Int) {
        flightCount.pointee = count
        let rest = UnsafeMutableRawPointer(flights + count)
        rest.initializeMemory(as: UInt8.self, repeating: 0, count: (Self.flights - count) * MemoryLayout<Flight>.stride)
    }
}
