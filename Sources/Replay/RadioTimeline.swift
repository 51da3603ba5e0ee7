package import DeadzoneBase
package import DeadzoneCaptures

/// The power and traffic of a radio over time, in cells of equal length, for a chart.
///
/// When the maximum number of cells is reached, pairs of cells are merged, so a year of packets takes no more memory
/// than a second.
package struct RadioTimeline: Sendable {
    /// Maximum number of cells; at least half of them are used.
    package static let bound = 4_096

    package struct CellTraffic: Sendable {
        package internal(set) var packets = 0
        package internal(set) var bytes = 0
    }

    package struct TimelineCell: Sendable {
        /// Indexed by `RadioState`, in the order of its cases.
        package internal(set) var joules = [Double](repeating: 0, count: RadioState.allCases.count)
        package internal(set) var up = CellTraffic()
        package internal(set) var down = CellTraffic()
    }

    /// Beginning of the first cell; `nil` before the first event.
    package private(set) var begin: Timestamp?
    /// Length of a cell in nanoseconds.
    package private(set) var length: Int64 = 1_000_000
    package private(set) var cells: [TimelineCell] = []
    private var start: Int64 = 0

    /// Adds radio time at one power.
    mutating func addTime(_ state: RadioState, _ from: Int64, _ until: Int64, watts: Double) {
        guard from < until else { return }
        reserve(from, until)
        var at = from
        while at < until {
            let cell = place(at)
            let end = min(until, start + Int64(cell + 1) * length)
            cells[cell].joules[Int(state.rawValue)] += Double(end - at) * 1e-9 * watts
            // Time before the first cell is added to the first cell.
            at = max(end, at + 1)
        }
    }

    mutating func count(_ replayPacket: ReplayPacket, at now: Int64, _ state: RadioState, joules: Double) {
        reserve(now, now)
        let cell = place(now)
        cells[cell].joules[Int(state.rawValue)] += joules
        if replayPacket.isUp { cells[cell].up.add(replayPacket) } else { cells[cell].down.add(replayPacket) }
    }

    func finished(since origin: Timestamp) -> Self {
        var timeline = self
        timeline.begin = cells.isEmpty ? nil : origin + .nanoseconds(start)
        return timeline
    }

    private func place(_ at: Int64) -> Int { Int(max(at - start, 0) / length) }

    /// Makes room for a range of time.
    private mutating func reserve(_ from: Int64, _ until: Int64) {
        if cells.isEmpty { start = from }
        while place(until) >= Self.bound {
            length *= 2
            cells = stride(from: 0, to: cells.count, by: 2).map { index in
                index + 1 < cells.count ? cells[index].with(cells[index + 1]) : cells[index]
            }
        }
        let missing = place(until) + 1 - cells.count
        if missing > 0 { cells.append(contentsOf: repeatElement(TimelineCell(), count: missing)) }
    }
}

extension RadioTimeline.TimelineCell {
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

extension RadioTimeline.CellTraffic {
    fileprivate mutating func add(_ replayPacket: ReplayPacket) {
        packets += 1
        bytes += Int(replayPacket.bytes)
    }
}

extension RadioTimeline {
    /// Total length in nanoseconds.
    package var horizon: Int64 { length * Int64(cells.count) }

    /// Nanoseconds since the beginning.
    package func place(_ moment: Timestamp) -> Int64 { begin.map { (moment - $0).nanoseconds } ?? 0 }
}

extension RadioTimeline.TimelineCell {
    package subscript(state: RadioState) -> Double { joules[Int(state.rawValue)] }

    package var total: Double { joules.reduce(0, +) }
}
