/// Times of Doze that a recording shows, and that replace those of the platform. Vendors enter Doze at other times than
/// Android's source, and a window ends early if no app has work.
package struct DozeTimes: Hashable, Sendable {
    /// Milliseconds from the end of use to light Doze, the median of all times; `nil` if the phone never entered it. A
    /// short look at a locked screen does not always restart the way to Doze. The model restarts it, so of two times
    /// the shorter one fits better.
    package let lightEntry: Int64?
    /// The same to deep Doze.
    package let deepEntry: Int64?
    /// Time that the waiting work of all apps takes in a window: zero if windows have their shortest length; `nil` if
    /// the recording has no window, or longer ones.
    package let work: Int64?
    /// Number of entries and windows behind each number.
    package let lightEntries: Int
    package let deepEntries: Int
    package let windows: Int

    package var isEmpty: Bool { lightEntry == nil && deepEntry == nil && work == nil }

    /// Length of a window without work, in Android's source: 5 s in light Doze, 30 s in deep Doze
    /// (`MIN_LIGHT_MAINTENANCE_TIME`, `MIN_DEEP_MAINTENANCE_TIME` of `DeviceIdleController`). A window that is less
    /// than half as long again had no work.
    private static let shortestWindows: [(RecordedDoze, Int64)] = [(.light, 7_500), (.deep, 45_000)]

    init(_ day: PhoneDay) {
        let atRest = day.atRest
        var light: [Int64] = []
        var deep: [Int64] = []
        for rest in atRest.stretches where rest.value && day.doze.value(at: rest.start) == .off {
            // With battery saver, deep Doze comes after a minute.
            guard day.powerSave.total(where: { $0 }, within: rest.start..<rest.end) == 0 else { continue }
            let states = day.doze.overlapping(rest.start..<rest.end).drop { $0.start <= rest.start }
            if let first = states.first, first.value == .light { light.append(first.start - rest.start) }
            if let first = states.first(where: { $0.value == .deep }) { deep.append(first.start - rest.start) }
        }
        lightEntry = Self.median(light)
        deepEntry = Self.median(deep)
        (lightEntries, deepEntries) = (light.count, deep.count)
        var short = 0
        var all = 0
        for (state, limit) in Self.shortestWindows {
            let windows = DozeSpans(day.doze, state, atRest).windows
            all += windows.count
            short += windows.count { $0 <= limit }
        }
        windows = all
        work = all > 0 && short * 2 > all ? 0 : nil
    }

    private static func median(_ values: [Int64]) -> Int64? {
        values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
    }
}

/// Idle times and maintenance windows of one kind of Doze.
package struct DozeSpans: Hashable, Sendable {
    /// Lengths of the idle times in milliseconds, in time order. An idle time that ends because the phone is used is
    /// left out.
    package let idle: [Int64]
    /// Lengths of the windows between two idle times.
    package let windows: [Int64]

    init(_ lane: Lane<RecordedDoze>, _ state: RecordedDoze, _ atRest: Lane<Bool>) {
        var idle: [Int64] = []
        var windows: [Int64] = []
        let all = lane.stretches
        for (index, stretch) in all.enumerated() where stretch.value == state && index + 1 < all.count {
            let window = all[index + 1]
            // Use of the phone also ends Doze, up to a few seconds after the screen is on.
            guard window.value == .off, atRest.value(at: max(stretch.end - 5_000, stretch.start)) == true,
                atRest.value(at: stretch.end) == true
            else { continue }
            idle.append(stretch.length)
            guard index + 2 < all.count, all[index + 2].value == state,
                atRest.total(where: { $0 }, within: window.start..<window.end) == window.length
            else { continue }
            windows.append(window.length)
        }
        self.idle = idle
        self.windows = windows
    }
}

extension PhoneDay {
    /// `true` while the screen is off and the phone is on battery, so that it may doze.
    package var atRest: Lane<Bool> {
        var lane = Lane(false)
        Lane.pairs(screen, plugged) { start, _, screen, plugged in lane.set(!screen && !plugged, at: start) }
        lane.finish(at: length)
        return lane
    }

    package var dozeTimes: DozeTimes { DozeTimes(self) }
}
