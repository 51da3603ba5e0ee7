/// Stretches of memory for bytes that come and go and are seldom long, in steps of sixteen bytes. They are cut from large pieces; one
/// that is given back is taken again by whoever wants as much, or cut once more for whoever wants less. So a million of them take what
/// they hold, and no call of the allocator each.
struct Plots: ~Copyable {
    /// So many steps lie side by side.
    struct Plot: BitwiseCopyable {
        /// Of all pieces one after the other; that of no plot is 0.
        fileprivate(set) var first: UInt32 = 0
        fileprivate(set) var steps: UInt16 = 0

        var isThere: Bool { first != 0 }
        var bytes: Int { Int(steps) &* Plots.step }
    }

    static let step = 16
    private static let stepsOfPiece = UInt32(1 << 16)
    /// A rest of fewer steps is of no use to anybody, and stays with the plot.
    private static let least = 4
    /// Of so many lengths it is known in one word which have a free plot. Longer ones are rare, and taken by those of their length alone.
    private static let searched = 64

    private var pieces: [UnsafeMutableRawPointer] = []
    /// What was cut off so far. Step 0 is nobody's.
    private var used: UInt32 = 0
    /// By length: the first step of a free plot, whose first bytes name the next one.
    private var free = Array(repeating: UInt32(0), count: searched)
    private var occupied: UInt64 = 0

    deinit { for piece in pieces { piece.deallocate() } }

    subscript(_ plot: Plot) -> UnsafeMutableRawPointer { place(plot.first) }

    /// A plot for so many bytes.
    mutating func take(_ bytes: Int) -> Plot {
        let wanted = Self.steps(bytes)
        let found = length(forSteps: wanted)
        guard found < free.count, free[found] != 0 else { return cut(wanted) }
        let first = free[found]
        free[found] = place(first).load(as: UInt32.self)
        if free[found] == 0 && found < Self.searched { occupied &= ~(1 &<< UInt64(found)) }
        guard found - wanted >= Self.least else { return Plot(first: first, steps: UInt16(found)) }
        giveBack(Plot(first: first &+ UInt32(wanted), steps: UInt16(found - wanted)))
        return Plot(first: first, steps: UInt16(wanted))
    }

    /// Of the free plots that are long enough the shortest, if there is one.
    private func length(forSteps wanted: Int) -> Int {
        guard wanted < Self.searched else { return wanted }
        let longEnough = occupied &>> UInt64(wanted)
        return longEnough == 0 ? free.count : wanted + longEnough.trailingZeroBitCount
    }

    /// What lies there is gone.
    mutating func giveBack(_ plot: Plot) {
        let steps = Int(plot.steps)
        if steps >= free.count { free += Array(repeating: 0, count: steps + 1 - free.count) }
        place(plot.first).storeBytes(of: free[steps], as: UInt32.self)
        free[steps] = plot.first
        if steps < Self.searched { occupied |= 1 &<< UInt64(steps) }
    }

    private mutating func cut(_ steps: Int) -> Plot {
        precondition(steps < Self.stepsOfPiece, "\(steps) steps are no small thing")
        let left = UInt32(pieces.count) * Self.stepsOfPiece - used
        if left < steps {
            // What is left over of a piece is no more than one of its plots.
            used = UInt32(pieces.count) * Self.stepsOfPiece
            pieces.append(.allocate(byteCount: Int(Self.stepsOfPiece) * Self.step, alignment: 64))
            if used == 0 { used = 1 }
        }
        defer { used += UInt32(steps) }
        return Plot(first: used, steps: UInt16(steps))
    }

    @inline(__always)
    private func place(_ first: UInt32) -> UnsafeMutableRawPointer {
        pieces[Int(first / Self.stepsOfPiece)] + Int(first % Self.stepsOfPiece) &* Self.step
    }

    private static func steps(_ bytes: Int) -> Int { (bytes &+ step &- 1) / step }
}
