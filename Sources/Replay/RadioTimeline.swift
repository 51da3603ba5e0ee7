public import DeadzoneCaptures
public import DeadzonePrimitives

/// What the radio drew and carried over time, for a picture: in cells of one length, of which two become one whenever there is
/// no more room. A year of packets takes no more memory than a second.
public struct RadioTimeline: Sendable {
    /// The most cells; at least half of them are used.
    public static let bound = 4_096

    public struct Traffic: Sendable {
        public internal(set) var packets = 0
        public internal(set) var bytes = 0
    }

    public struct Cell: Sendable {
        /// By `RadioState`, in the order of its cases.
        public internal(set) var joules = [Double](repeating: 0, count: RadioState.allCases.count)
        public internal(set) var up = Traffic()
        public internal(set) var down = Traffic()
    }

    /// Where the first cell begins; nil before anything happened.
    public private(set) var begin: Stamp?
    /// Of a cell, in nanoseconds.
    public private(set) var length: Int64 = 1_000_000
    public private(set) var cells: [Cell] = []
    private var start: Int64 = 0

    /// Radio time at one level.
    mutating func spend(_ state: RadioState, _ from: Int64, _ until: Int64, watts: Double) {
        guard from < until else { return }
        hold(from, until)
        var at = from
        while at < until {
            let cell = place(at)
            let end = min(until, start + Int64(cell + 1) * length)
            cells[cell].joules[Int(state.rawValue)] += Double(end - at) * 1e-9 * watts
            // What lies before the first cell is its.
            at = max(end, at + 1)
        }
    }

    mutating func count(_ blip: Blip, at now: Int64, _ state: RadioState, joules: Double) {
        hold(now, now)
        let cell = place(now)
        cells[cell].joules[Int(state.rawValue)] += joules
        if blip.isUp { cells[cell].up.add(blip) } else { cells[cell].down.add(blip) }
    }

    func finished(since origin: Stamp) -> Self {
        var timeline = self
        timeline.begin = cells.isEmpty ? nil : origin + .nanoseconds(start)
        return timeline
    }

    private func place(_ at: Int64) -> Int { Int(max(at - start, 0) / length) }

    /// Makes room for a stretch of time.
    private mutating func hold(_ from: Int64, _ until: Int64) {
        if cells.isEmpty { start = from }
        while place(until) >= Self.bound {
            length *= 2
            cells = stride(from: 0, to: cells.count, by: 2).map { index in
                index + 1 < cells.count ? cells[index].with(cells[index + 1]) : cells[index]
            }
        }
        let missing = place(until) + 1 - cells.count
        if missing > 0 { cells.append(contentsOf: repeatElement(Cell(), count: missing)) }
    }
}

extension RadioTimeline.Cell {
    fileprivate func with(_ later: Self) -> Self {
        var both = self
        for state in joules.indices { both.joules[state] += later.joules[state] }
        both.up.packets += later.up.packets
        both.up.bytes += later.up.bytes
        both.down.packets += later.down.packets
        both.down.bytes += later.down.bytes
        return both
    }
}

extension RadioTimeline.Traffic {
    fileprivate mutating func add(_ blip: Blip) {
        packets += 1
        bytes += Int(blip.bytes)
    }
}

extension RadioTimeline {
    /// From the beginning, in nanoseconds.
    public var horizon: Int64 { length * Int64(cells.count) }

    /// Nanoseconds since the beginning.
    public func place(_ moment: Stamp) -> Int64 { begin.map { (moment - $0).nanoseconds } ?? 0 }
}

extension RadioTimeline.Cell {
    public subscript(state: RadioState) -> Double { joules[Int(state.rawValue)] }

    public var total: Double { joules.reduce(0, +) }
}
