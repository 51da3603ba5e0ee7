import DeadzonePhoneEnd
package import DeadzonePrimitives
import DeadzoneServer

/// Where a lane lies whose turn it is: all that it consists of on one ground, and for each lane of a worker at the same places. So what
/// points from one part to another holds for all of them who sit there, and the whole can be put away as bytes.
package struct Seat: BitwiseCopyable {
    /// More than a lane has with every part that it may have. The strategy's state comes on top.
    private static let room = 16 << 10
    /// Flights that rest with their lane: one that waits has seldom more. If there are more, all stay in the pool.
    static let flights = 3

    private let ground: UnsafeMutablePointer<Ground>
    /// What the strategy keeps of the phone.
    let state: UnsafeMutableRawPointer
    package let lane: UnsafeMutablePointer<Lane>
    let flights: UnsafeMutablePointer<Flight>
    let flightCount: UnsafeMutablePointer<Int>
    private let parts: Ground.Mark

    /// - Parameter bytes: What the lanes of this worker take; nil: nobody knows yet.
    init(stateBytes: Int, alignment: Int, bytes: Int? = nil) {
        ground = .allocate(capacity: 1)
        ground.initialize(to: Ground(bytes: bytes ?? Self.room + stateBytes + alignment, alignment: alignment))
        let surveyor = ground.pointee.surveyor
        lane = surveyor.place(of: Lane.self)
        flightCount = surveyor.place(of: Int.self)
        flights = surveyor.place(of: Flight.self, Self.flights)
        state = surveyor.place(bytes: max(stateBytes, 1), alignment: alignment)
        parts = ground.pointee.mark
    }

    /// Nobody sits here, or ever will.
    package func takeAway() { ground.deinitialize(count: 1).deallocate() }

    /// For the parts of the lane that sits here.
    package var surveyor: Surveyor { ground.pointee.surveyor }
    /// As bytes, whatever lies there.
    package var words: UnsafeMutableRawPointer { ground.pointee.used.baseAddress.unsafelyUnwrapped }
    package var wordCount: Int { ground.pointee.used.count / MemoryLayout<UInt64>.size }

    /// Nobody sits here any more, and every byte is zero.
    func clear() { ground.pointee.clear(keeping: parts) }

    /// Flights beyond these leave no trace.
    func keep(_ count: Int) {
        flightCount.pointee = count
        let rest = UnsafeMutableRawPointer(flights + count)
        rest.initializeMemory(as: UInt8.self, repeating: 0, count: (Self.flights - count) * MemoryLayout<Flight>.stride)
    }

    package static let kindCount = 4 << 4

    /// Lanes that are alike in this have most of their words in common.
    package var kind: Int {
        let belief = Int(lane.pointee.phoneEnd[0].belief.rawValue)
        let server = (lane.pointee.server.isHeld(0) ? 1 : 0) + (lane.pointee.server.isAttached(0) ? 1 : 0)
        return flightCount.pointee << 4 | belief << 2 | server
    }
}
