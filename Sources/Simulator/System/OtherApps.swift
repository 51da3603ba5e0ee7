package import DeadzoneBase

/// Schedules when the other apps of one phone exchange packets with their servers.
///
/// The gaps between their exchanges are weather (no client influences them); the instants at which the system lets them
/// run are not.
package struct OtherApps: ~Copyable {
    private struct ScheduledApp: BitwiseCopyable {
        let otherApp: UnsafePointer<OtherApp>
        /// Random gaps between the exchanges.
        var dice: Dice
        /// Instant for which the app requested its next exchange.
        var wishedAt = Instant.never
        /// Instant at which the system lets the app run its next exchange.
        var firesAt = Instant.never
    }

    private let places: UnsafeMutableBufferPointer<ScheduledApp>

    /// - Parameter apps: The apps, which must exist as long as this value.
    package init(_ apps: borrowing PinnedArray<OtherApp>, seed: UInt64, phone: PhoneID) {
        // An empty allocation would cost memory, too.
        places = apps.count == 0 ? UnsafeMutableBufferPointer(start: nil, count: 0) : .allocate(capacity: apps.count)
        for index in places.indices {
            let dice = Dice(seed: seed, phone: phone, purpose: Purpose.otherApp(index))
            places.initializeElement(at: index, to: ScheduledApp(otherApp: apps[index], dice: dice))
        }
    }

    deinit { places.deallocate() }

    /// Index of the app that runs next, and the instant at which it runs; `.never` if there is none.
    package var next: (at: Instant, index: Int) {
        var first = (at: Instant.never, index: 0)
        for index in places.indices where places[index].firesAt < first.at { first = (places[index].firesAt, index) }
        return first
    }

    /// Schedules the first exchange of each app.
    /// - Parameter path: The phone's network; `nil` if it has none.
    package mutating func begin(on path: Interface?, at now: Instant) {
        for index in places.indices { scheduleNext(index, on: path, at: now) }
    }

    /// Runs the app that is next, and schedules its next exchange. Returns the app's request, with the app's index as
    /// its number.
    package mutating func runNext(on path: Interface?, at now: Instant) -> SystemMessage {
        let index = next.index
        scheduleNext(index, on: path, at: now)
        let otherApp = places[index].otherApp
        return SystemMessage(cause: otherApp.pointee.cause, bytes: otherApp.pointee.up, number: UInt16(index))
    }

    /// The response of the app's server to the request with this number.
    package func response(to number: UInt16) -> SystemMessage {
        let otherApp = places[Int(number)].otherApp
        return SystemMessage(cause: otherApp.pointee.cause, bytes: otherApp.pointee.down, number: number)
    }

    private mutating func scheduleNext(_ index: Int, on path: Interface?, at now: Instant) {
        let otherApp = places[index].otherApp
        let word = places[index].dice.next()
        let isCellular = path?.isCellular ?? false
        let gap =
            isCellular
            ? otherApp.pointee.cellularGap?.draw(word) ?? otherApp.pointee.gap.draw(word)
            : otherApp.pointee.gap.draw(word)
        places[index].wishedAt = now + TimeSpan(nanoseconds: max(gap, 1))
        places[index].firesAt = places[index].wishedAt
    }

    /// Updates the instants at which the system lets the apps run under the current conditions.
    package mutating func reschedule(from moment: (borrowing OtherApp, _ wishedAt: Instant) -> Instant) {
        for index in places.indices {
            places[index].firesAt = moment(places[index].otherApp.pointee, places[index].wishedAt)
        }
    }
}
