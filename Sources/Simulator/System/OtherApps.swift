package import DeadzoneBase

/// Schedules when the other apps of one phone exchange packets with their servers.
///
/// The gaps between their exchanges are weather (no client influences them); the instants at which the system lets them
/// run are not.
package struct OtherApps: ~Copyable {
    private struct AppSchedule: BitwiseCopyable {
        /// Number of past exchanges of the app.
        var count: UInt32 = 0
        /// Instant for which the app requested its next exchange.
        var wishedAt = Instant.never
        /// Instant at which the system lets the app run its next exchange.
        var firesAt = Instant.never
    }

    private let places: UnsafeMutableBufferPointer<AppSchedule>

    package init(count: Int) {
        // An empty allocation would cost memory, too.
        places = count == 0 ? UnsafeMutableBufferPointer(start: nil, count: 0) : .allocate(capacity: count)
        places.initialize(repeating: AppSchedule())
    }

    deinit { places.deallocate() }

    /// Index of the app that runs next, and the instant at which it runs; `.never` if there is none.
    package var next: (at: Instant, index: Int) {
        var first = (at: Instant.never, index: 0)
        for index in places.indices where places[index].firesAt < first.at { first = (places[index].firesAt, index) }
        return first
    }

    /// Schedules the app's next exchange.
    package mutating func scheduleNext(
        _ index: Int, _ otherApp: borrowing OtherApp, on path: Interface?, dice: Dice, at now: Instant
    ) {
        let count = places[index].count
        let gap = path?.isCellular ?? false ? otherApp.cellularGap ?? otherApp.gap : otherApp.gap
        let at = now + TimeSpan(nanoseconds: max(gap.draw(dice.at(UInt64(count))), 1))
        places[index] = AppSchedule(count: count + 1, wishedAt: at, firesAt: at)
    }

    /// Updates the instant at which the system lets the app run under the current conditions.
    package mutating func reschedule(_ index: Int, from moment: (_ wishedAt: Instant) -> Instant) {
        places[index].firesAt = moment(places[index].wishedAt)
    }
}
