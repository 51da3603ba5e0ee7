/// A recorded day of a phone: lanes of states, and moments. Made from a battery history; contains no personal data
/// except names of packages.
package struct PhoneDay: Sendable {
    /// The network that apps used.
    package enum DefaultNetwork: UInt8, Hashable, Sendable { case none, wifi, cellular }

    /// A moment at which an app was woken by a push.
    package struct RecordedPush: Hashable, Sendable {
        package let at: Int64
        package let isForApp: Bool
    }

    /// A time in which a radio was busy, without the timeout that the phone adds.
    package struct RadioBurst: Hashable, Sendable {
        package let start: Int64
        /// Time of the last packet.
        package let end: Int64
        package let isMobile: Bool
        /// User id of the app with the packet that woke the radio; `nil` if the file does not say it.
        package let uid: Int32?
        package let isOfApp: Bool
    }

    /// A restart of the phone: from the last to the first moment that is recorded.
    package struct PhoneRestart: Hashable, Sendable {
        package let at: Int64
        /// Time without power according to the wall clock, in milliseconds; `nil` if the clock was not read.
        package let downtime: Int64?
    }

    package struct ClockJump: Hashable, Sendable {
        package let at: Int64
        /// Milliseconds by which the wall clock was set forward; negative if back.
        package let by: Int64
    }

    /// The history of the file. Only its first change is kept, because the lanes replace the others.
    package private(set) var history: BatteryHistory
    /// Milliseconds from the first to the last entry.
    package let length: Int64
    /// Package under study; `nil` if none was named.
    package let app: String?
    /// `true` if a package was named and the file mentions it.
    package internal(set) var appIsKnown = false
    package internal(set) var network = Lane(DefaultNetwork.none)
    package internal(set) var cellular = Lane(CellularState.none)
    /// `true` while the radio is switched off, as in airplane mode.
    package internal(set) var radioOff = Lane(false)
    /// `true` while a voice call stops cellular data.
    package internal(set) var suspended = Lane(false)
    package internal(set) var call = Lane(false)
    package internal(set) var doze = Lane(RecordedDoze.off)
    package internal(set) var screen = Lane(false)
    package internal(set) var plugged = Lane(false)
    /// `true` while the phone is locked. Only a Powerlog tells it.
    package internal(set) var locked = Lane(false)
    /// Bars of the cellular signal; the largest number while unknown. Only a Powerlog tells it.
    package internal(set) var signalBars = Lane(UInt8.max)
    package internal(set) var powerSave = Lane(false)
    package internal(set) var mobileRadio = Lane(false)
    package internal(set) var wifiRadio = Lane(false)
    package internal(set) var wifiConnected = Lane(false)
    package internal(set) var running = Lane(false)
    /// `true` while the app under study is in front and the screen is on.
    package internal(set) var foreground = Lane(false)
    /// `true` while the app under study is the one that a lit screen shows.
    package internal(set) var front = Lane(false)
    /// Changes to another access point of the same Wi-Fi network, with the length of the interruption.
    package internal(set) var roams: [LaneStretch<Bool>] = []
    package internal(set) var pushes: [RecordedPush] = []
    /// Times at which a job of an app ended, in order.
    package internal(set) var jobEnds: [Int64] = []
    package internal(set) var bursts: [RadioBurst] = []
    /// Busy times of the radios: from the first packet to the timeout after the last one.
    package internal(set) var mobileBusy = Lane(false)
    package internal(set) var wifiBusy = Lane(false)
    package internal(set) var restarts: [PhoneRestart] = []
    package internal(set) var clockJumps: [ClockJump] = []
    /// Time after the last packet for which the phone reports the radio as busy, in milliseconds.
    package internal(set) var mobileTimeout = RadioTimeout(10_000)
    package internal(set) var wifiTimeout = RadioTimeout(15_000)
    /// Bytes on each network, of all apps and of the app under study. `nil` if the file has no bytes.
    package internal(set) var bytes: DayBytes?
    /// Apps by time in front, longest first.
    package internal(set) var topApps: [(package: String, time: Int64)] = []

    /// - Parameter app: name of the package under study.
    package init(_ history: BatteryHistory, app: String? = nil) {
        self.history = history
        self.app = app
        length = history.length
        var builder = DayBuilder(history, app: app)
        for event in history.events { builder.add(event) }
        builder.finish(into: &self)
        if history.form == .powerlog { addTraffic() } else { addBursts(builder.wakes) }
        addClock()
        self.history.events = Array(history.events.prefix(1))
    }
}

/// Bytes of a day, by network and of the app under study.
package struct DayBytes: Hashable, Sendable {
    package internal(set) var cellular = TrafficInterval.ByteCount()
    package internal(set) var wifi = TrafficInterval.ByteCount()
    package internal(set) var ofApp = TrafficInterval.ByteCount()
}

/// The time after the last packet at which the kernel's idle timer reports a radio as idle.
///
/// `mobile_radio` and `wifi_radio` are not radio states: Android sets a timer for each interface
/// (`ConnectivityService.setupDataActivityTracking`: `DATA_ACTIVITY_TIMEOUT_MOBILE` and `_WIFI`), and the state ends
/// when no packet has passed for that time. So most short intervals have just this length.
package struct RadioTimeout: Hashable, Sendable {
    package let milliseconds: Int64
    /// `true` if the timeout was found in the file, `false` if it is Android's usual value.
    package let isMeasured: Bool

    init(_ milliseconds: Int64, isMeasured: Bool = false) {
        self.milliseconds = milliseconds
        self.isMeasured = isMeasured
    }

    /// Finds the timeout as the most frequent length of the intervals, if it stands out: at least six intervals and a
    /// twentieth of all lie within 0.7 s.
    init(_ lane: Lane<Bool>, usual: Int64) {
        let lengths = lane.stretches.filter(\.value).map(\.length).filter { (2_000...30_000).contains($0) }.sorted()
        var best = (count: 0, start: 0)
        var first = 0
        for (index, length) in lengths.enumerated() {
            while lengths[first] < length - 700 { first += 1 }
            if best.count < index + 1 - first { best = (index + 1 - first, first) }
        }
        let all = lane.stretches.count { $0.value }
        let standsOut = best.count >= 6 && best.count * 20 >= all
        self.init(standsOut ? lengths[best.start] / 100 * 100 : usual, isMeasured: standsOut)
    }
}

extension PhoneDay {
    /// Corrects the ends of the radios' busy times, and names the app with the first packet of each.
    private mutating func addBursts(_ wakes: [(at: Int64, uid: Int32, isOfApp: Bool)]) {
        mobileTimeout = RadioTimeout(mobileRadio, usual: 10_000)
        wifiTimeout = RadioTimeout(wifiRadio, usual: 15_000)
        var found: [RadioBurst] = []
        for (lane, isMobile) in [(mobileRadio, true), (wifiRadio, false)] {
            let timeout = (isMobile ? mobileTimeout : wifiTimeout).milliseconds
            var busy = Lane(false)
            var next = 0
            for stretch in lane.stretches where stretch.value {
                while next < wakes.count, wakes[next].at < stretch.start - 500 { next += 1 }
                let wake = next < wakes.count && wakes[next].at <= stretch.start ? wakes[next] : nil
                let last = max(stretch.start, lastAwake(stretch.end - timeout))
                busy.set(true, at: stretch.start)
                busy.set(false, at: min(last + timeout, stretch.end))
                found.append(
                    RadioBurst(
                        start: stretch.start, end: last, isMobile: isMobile, uid: wake?.uid,
                        isOfApp: wake?.isOfApp ?? false))
            }
            busy.finish(at: length)
            if isMobile { mobileBusy = busy } else { wifiBusy = busy }
        }
        bursts = found.sorted { ($0.start, $0.isMobile ? 0 : 1) < ($1.start, $1.isMobile ? 0 : 1) }
    }

    /// Sums the bytes of a Powerlog, and makes a burst of each interval with traffic.
    private mutating func addTraffic() {
        let own = app.flatMap { history.packages.firstIndex(of: $0) }.map { Int32($0) }
        var sums = DayBytes()
        for interval in history.traffic {
            sums.cellular = sums.cellular + interval.cellular
            sums.wifi = sums.wifi + interval.wifi
            guard interval.package == own else { continue }
            sums.ofApp = sums.ofApp + interval.cellular + interval.wifi
        }
        bytes = history.traffic.isEmpty ? nil : sums
        // A Powerlog does not say when a radio was busy.
        mobileBusy.finish(at: length)
        wifiBusy.finish(at: length)
        for isOfApp in [true, false] {
            let part = history.traffic.filter { ($0.package == own) == isOfApp }
            bursts += TrafficInterval.windows(part).compactMap { window in
                guard window.cellular.sum + window.wifi.sum > 0 else { return nil }
                return RadioBurst(
                    start: window.start, end: window.end, isMobile: window.cellular.sum > window.wifi.sum,
                    uid: isOfApp ? own : nil, isOfApp: isOfApp)
            }
        }
        bursts.sort { ($0.start, $0.isOfApp ? 0 : 1) < ($1.start, $1.isOfApp ? 0 : 1) }
    }

    /// The latest time up to `time` at which the processor was awake, and could send or receive a packet. While it
    /// sleeps, the timeout of a radio is reported late.
    private func lastAwake(_ time: Int64) -> Int64 {
        guard running.stretches.count > 1, let stretch = running.stretch(at: time), !stretch.value else { return time }
        return stretch.start
    }

    /// Compares the wall clock with the clock of the history. A start of the phone explains any step.
    private mutating func addClock() {
        var restart = 0
        for (before, reading) in zip(history.clock, history.clock.dropFirst()) {
            let step = (reading.wall - before.wall) - (reading.at - before.at)
            // The long form prints seconds without a fraction.
            if reading.followsStart {
                // The phone reads its clock within a second after the start.
                while restart < restarts.count, restarts[restart].at < reading.at - 1_000 { restart += 1 }
                if restart < restarts.count, restarts[restart].at <= reading.at {
                    restarts[restart] = PhoneRestart(at: restarts[restart].at, downtime: step > 0 ? step : nil)
                    restart += 1
                }
            } else if abs(step) >= 2_000 {
                clockJumps.append(ClockJump(at: reading.at, by: step))
            }
        }
    }
}
