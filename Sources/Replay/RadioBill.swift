package import DeadzoneBase
import DeadzoneDevice

/// The energy and time that the traffic of a capture costs one radio, by radio state.
package struct RadioBill: Hashable, Sendable {
    /// States that occurred, in the order of `RadioState`.
    package internal(set) var states: [StateBill] = []
    /// Packets that arrived later than the reorder bound and were moved to the latest processed time (physical rules).
    package internal(set) var clamped = 0
    /// Seconds from the beginning of the window to its end, with nanosecond resolution.
    package internal(set) var seconds = 0.0
    /// Energy of the same time without any traffic, in joules (physical rules): the definition of
    /// `battery.above_idle_joules`.
    package internal(set) var idling = 0.0

    package var joules: Double { states.reduce(0) { $0 + $1.joules } }
    package var aboveIdle: Double { joules - idling }

    mutating func add(_ state: RadioState, count: Int, seconds: Double, joules: Double) {
        if let index = states.firstIndex(where: { $0.state == state }) {
            states[index].count += count
            states[index].seconds += seconds
            states[index].joules += joules
        } else {
            let index = states.firstIndex { state.rawValue < $0.state.rawValue } ?? states.endIndex
            states.insert(StateBill(state: state, count: count, seconds: seconds, joules: joules), at: index)
        }
    }
}

/// The energy and time of a radio in one of its states.
package struct StateBill: Hashable, Sendable {
    package let state: RadioState
    /// Number of time ranges.
    package internal(set) var count: Int
    package internal(set) var seconds: Double
    package internal(set) var joules: Double
}
