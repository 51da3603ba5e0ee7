import DeadzoneBase

/// Writes a recorded day as a scenario that a person can read and edit. Times are rounded to a tenth of a second.
///
/// Networks are those of `conn`, `wifi_suppl` and `data_conn`. The screen, charger and battery saver are their states,
/// the app in front is that of `top`, pushes are on the allow list, and restarts and clock changes have entries of their
/// own. Traffic of other apps becomes one app with the mean rate of their wake-ups.
package struct DayScenario {
    /// Inputs of a scenario beside the recording.
    package struct ScenarioOptions {
        /// Stretches of a lane that are shorter are merged with the one before, in milliseconds.
        package var simplify: Int64
        /// Strategies in YAML, as they stand under `strategies:`.
        package var strategies: String
        /// File name of the schema, for editors.
        package var schema: String
        /// Greatest number of entries of the timeline, and of bytes of the text. A longer day leaves out short states, see
        /// `shortening`.
        package var maximumEntries: Int
        package var maximumBytes: Int

        package init(
            simplify: Int64, strategies: String, schema: String, maximumEntries: Int = .max, maximumBytes: Int = .max
        ) {
            self.simplify = simplify
            self.strategies = strategies
            self.schema = schema
            self.maximumEntries = maximumEntries
            self.maximumBytes = maximumBytes
        }
    }

    /// Profiles of the radios by technology.
    private static let profiles: [(CellularState, word: String, profile: String)] = [
        (.lte, "lte", "lte-verizon-2021"), (.nr, "nr", "nr-sa-low-tmobile-2021"),
        (.thirdGeneration, "umts", "umts-2012-mobisys"),
    ]
    /// Releases of Android with a platform.
    private static let platforms = [6, 7, 8, 9, 11, 12, 13, 14, 15, 16]
    /// Longest duration of a scenario, and largest change of its clock, in milliseconds.
    private static let longest: Int64 = 366 * 86_400_000
    /// Moments of the app's traffic that are written.
    private static let maximumMoments = 2_000
    /// Comments about single moments that are written.
    private static let maximumRemarks = 20

    private let day: PhoneDay
    private let options: ScenarioOptions
    private let duration: Int64
    private var entries: [(at: Int64, text: String)] = []
    /// Comments above the timeline.
    private var remarks: [String] = []
    /// Stretches of a lane that are shorter are merged with the one before, in milliseconds.
    private let simplify: Int64
    /// Shortest time between two moments of one kind, in milliseconds. Positive only if the day does not fit otherwise.
    private let thinning: Int64
    /// The scenario in YAML. Empty while the day does not fit.
    package private(set) var text = ""
    /// Which states and moments are left out, and why. `nil` if `simplify` alone decides.
    package private(set) var shortening: String?
    /// Which changes of the wall clock are left out, and why. `nil` if there are none.
    package private(set) var omittedJumps: String?

    /// Writes the day. If the text is longer than allowed, merges states up to the shortest span with which it fits.
    package init(_ day: PhoneDay, _ options: ScenarioOptions) {
        self.init(day, options, span: nil)
        guard text.isEmpty else { return }
        let spans = Self.spans.filter { options.simplify < $0 }
        var (low, high) = (0, spans.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if Self(day, options, span: spans[middle]).text.isEmpty { low = middle + 1 } else { high = middle }
        }
        self.init(day, options, span: low < spans.count ? spans[low] : options.simplify)
    }

    /// Spans for a day that does not fit, in milliseconds. With the last one, the longest history fits.
    private static let spans: [Int64] =
        [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400].map { $0 * 1_000 }

    /// - Parameter span: states and times between moments that are shorter are left out; `nil` for `simplify` alone.
    private init(_ day: PhoneDay, _ options: ScenarioOptions, span: Int64?) {
        self.day = day
        self.options = options
        simplify = span ?? options.simplify
        thinning = span ?? 0
        duration = min(max((day.length + 99) / 100 * 100, 1_000), Self.longest)
        addRemarks()
        addPhone()
        addApp()
        addMoments()
        guard !isTooLong else { return }
        var networks = DayNetworks(day, simplify: simplify, thinning: thinning)
        entries = networks.entries(atMost: options.maximumEntries) + entries
        guard !isTooLong else { return }
        let end = duration
        entries = entries.enumerated().filter { $0.element.at < end }.sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
        text = head + phone + timeline + traffic + "\nstrategies:\n" + options.strategies
        if text.utf8.count > options.maximumBytes { text = "" }
    }

    private var isTooLong: Bool { entries.count > options.maximumEntries }

    private mutating func addRemarks() {
        if duration < day.length {
            remarks.append("A scenario has at most 366 days, so the rest of \(PhoneDay.span(day.length)) is left out.")
        }
        guard simplify > 0 else { return }
        let text = PhoneDay.span(simplify)
        guard thinning > 0 else {
            return remarks.append(
                "States of networks, charger and battery saver shorter than \(text) are merged with the one before.")
        }
        let given = options.simplify > 0 ? "with `--simplify \(Self.time(options.simplify))`" : "with all of them"
        let what = "states shorter than \(text), and moments less than \(text) after one of their kind, are left out"
        let bytes = options.maximumBytes
        let size = bytes % 1_048_576 == 0 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
        let limits = options.maximumEntries < .max ? "\(options.maximumEntries) entries and \(size)" : size
        shortening = "\(what), because \(given) the scenario would be larger than `run` accepts: at most \(limits)"
        remarks.append("A scenario has at most \(limits), so \(what).")
    }

    /// Name of the platform for the phone's release of its system.
    package static func platform(_ day: PhoneDay) -> String {
        day.isIOS ? "ios-18" : "android-\(platforms.last { $0 <= day.release.number } ?? platforms[0])"
    }

    /// Name of the technology in a timeline, for one that has a radio profile. 2G has none: 3G stands for it.
    static func word(_ state: CellularState) -> String? {
        let known = state == .secondGeneration ? .thirdGeneration : state
        return profiles.first { $0.0 == known }?.word
    }

    /// Rounded time: `1h43m42.8s`.
    static func time(_ milliseconds: Int64) -> String {
        let tenths = max(milliseconds + 50, 0) / 100
        let (hours, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths % 600)
        var text = hours > 0 ? "\(hours)h" : ""
        if minutes > 0 { text += "\(minutes)m" }
        if rest > 0 || text.isEmpty { text += "\(rest / 10)" + (rest % 10 > 0 ? ".\(rest % 10)" : "") + "s" }
        return text
    }

    // MARK: Entries

    private mutating func add(_ at: Int64, _ text: String) {
        if !isTooLong { entries.append(((at + 50) / 100 * 100, text)) }
    }

    private mutating func addPhone() {
        let lanes: [(Lane<Bool>, String, Bool)] = [
            (day.use, "screen", true), (day.plugged, "charging", false), (day.powerSave, "battery-saver", false),
        ]
        for (lane, word, usual) in lanes {
            // A short look at the phone restarts the way to Doze, so the screen keeps all of its states if possible.
            addSwitch(lane.simplified(word == "screen" ? thinning : simplify), usual) {
                "{\(word): \"\($0 ? "on" : "off")\"}"
            }
        }
    }

    /// Adds an entry for each change of a lane, except that the first value is left out if it is the usual one.
    private mutating func addSwitch(_ lane: Lane<Bool>, _ usual: Bool, _ text: (Bool) -> String) {
        var present = usual
        var at: Int64 = 0
        for stretch in lane.stretches where stretch.value != present && !isTooLong {
            // Rounding may place two changes on one moment. The later one then follows a tenth of a second later.
            at = max((stretch.start + 50) / 100 * 100, at + (stretch.start == 0 ? 0 : 100))
            present = stretch.value
            entries.append((at, text(present)))
        }
    }

    private mutating func addApp() {
        // An app that is opened connects and fetches, however short the user looks at it.
        addSwitch(day.front.simplified(thinning), true) { "{app: \($0 ? "foreground" : "background")}" }
    }

    private mutating func addMoments() {
        var last = -thinning
        for push in day.pushes where push.isForApp && push.at >= last + thinning {
            add(push.at, "{push: high}  # allow list: a push of high priority")
            last = push.at
        }
        addRestarts()
        addClockJumps()
    }

    private mutating func addClockJumps() {
        // A phone without a time boots in 1970, and sets its clock as soon as it knows the time.
        let omitted = day.clockJumps.count { $0.at < duration && $0.by.magnitude > Self.longest }
        if omitted > 0 {
            let text =
                "\(plural(omitted, "change")) of the wall clock by more than 366 days \(omitted == 1 ? "is" : "are") "
                + "left out, because a scenario can set its clock by at most 366 days"
            omittedJumps = text
            remarks.append(text + ".")
        }
        var last = -thinning
        for jump in day.clockJumps where jump.at >= last + thinning && jump.by.magnitude <= Self.longest {
            let size = Self.time(abs(jump.by))
            add(jump.at, "{clock: \"\(jump.by < 0 ? "-" : "+")\(size)\"}  # the wall clock was set")
            last = jump.at
        }
    }

    private mutating func addRestarts() {
        let open = opened
        var killed: Int64?
        var unseen = 0
        for (index, restart) in day.restarts.enumerated() where killed.map({ $0 + thinning <= restart.at }) ?? true {
            let next = index + 1 < day.restarts.count ? day.restarts[index + 1].at : duration + 1
            let downtime = restart.downtime.map { ", \(PhoneDay.span($0)) without power" } ?? ""
            // The process ends, if it runs: after the end before, only the user's use of the app shows that it began
            // again.
            let runs = killed.map { open.total(where: { $0 }, within: $0..<max(restart.at, $0 + 1)) > 0 } ?? true
            let later = open.overlapping(restart.at..<max(next, restart.at + 1))
            if runs, later.contains(where: { $0.value && restart.at < $0.start }) {
                add(restart.at, "{kill: app}  # the phone restarted\(downtime)")
                killed = restart.at
            } else if unseen >= Self.maximumRemarks {
                unseen += 1
            } else {
                unseen += 1
                remarks.append(
                    "The phone restarted at \(Self.time(restart.at))\(downtime). The app is assumed to start with it.")
            }
        }
        if unseen > Self.maximumRemarks {
            remarks.append("The same is true of \(unseen - Self.maximumRemarks) more restarts.")
        }
    }

    /// `true` while the user sees the app in the scenario.
    private var opened: Lane<Bool> {
        var lane = Lane(false)
        Lane.pairs(day.front.simplified(thinning), day.screen) { start, _, front, screen in
            lane.set(front && screen, at: start)
        }
        lane.finish(at: day.length)
        return lane
    }

    // MARK: Text

    /// Number of entries of the timeline.
    package var entryCount: Int { entries.count }

    private var head: String {
        let began = day.began.map { " from \(PhoneDay.date($0))" } ?? ""
        return """
            # yaml-language-server: $schema=\(options.schema)
            version: 1
            name: A recorded day
            about: >-
              \(PhoneDay.span(day.length)) of a phone\(began), from its \(day.isIOS ? "Powerlog" : "battery history").
            duration: \(Self.time(duration))
            replicas: 5

            """
    }

    private var phone: String {
        let release = day.release
        let source =
            day.isIOS
            ? "release assumed"
            : (release.isGuessed
                ? "release guessed from the form of the history" : "release of the report's properties")
                + (day.dozeTimes.isEmpty ? "" : day.dozeTimes.isAbsent ? "; no Doze" : "; times of Doze")
                + (day.dozeTimes.isEmpty ? "" : " as recorded")
        var text = """

            phone:
              battery: 15.4Wh  # assumed
              platform: \(platform)  # \(source)
              radios: {\(radios)}  # profiles of other phones: choose with `deadzone list profiles`

            """
        if let others = otherApps { text += "  apps:\n" + others }
        return text
    }

    /// The platform, with the times of Doze that the recording shows.
    private var platform: String {
        let name = Self.platform(day)
        let own = day.dozeTimes.texts(release: day.release.number)
        return own.isEmpty ? name : "{profile: \(name), \(own.joined(separator: ", "))}"
    }

    private var radios: String {
        var parts: [String] = []
        if day.network.stretches.contains(where: { $0.value == .wifi }) || !usesCellular {
            parts.append("wifi: wifi-oneplus-8")
        }
        guard usesCellular else { return parts.joined(separator: ", ") }
        let used = DayNetworks.technologies(of: day)
        for (index, word) in used.enumerated() {
            let profile = Self.profiles.first { $0.word == word }?.profile ?? Self.profiles[0].profile
            parts.append("\(index == 0 ? "cellular" : word): \(profile)")
        }
        return parts.joined(separator: ", ")
    }

    private var usesCellular: Bool { day.network.stretches.contains { $0.value == .cellular } }

    /// Other apps: the mean time between wake-ups that were not of the app under study, while the screen was off.
    private var otherApps: String? {
        let dark = day.screen.total { !$0 }
        let wakes = day.bursts.count { burst in !burst.isOfApp && day.screen.value(at: burst.start) == false }
        guard wakes >= 3, dark >= 600_000 else { return nil }
        let gap = max(dark / Int64(wakes) / 1_000, 1)
        if let bytes = day.bytes {
            let all = bytes.cellular + bytes.wifi
            let count = Int64(day.bursts.count { !$0.isOfApp })
            let (up, down) = ((all.up - bytes.ofApp.up) / count, (all.down - bytes.ofApp.down) / count)
            return """
                    # \(plural(wakes, "interval")) with traffic of other apps in \(PhoneDay.span(dark)) with a dark \
                screen; one request for each is assumed
                    others: {every: {exponential: \(Self.time(gap * 1_000))}, up: \(max(up, 1))B, down: \
                \(max(down, 1))B, wake: alarm}

                """
        }
        return """
                # \(plural(wakes, "wake-up")) of the radios by other apps in \(PhoneDay.span(dark)) with a dark screen; \
            sizes are assumed
                others: {every: {exponential: \(Self.time(gap * 1_000))}, up: 2kB, down: 20kB, wake: alarm}

            """
    }

    private static let sourcesOfHistory = """
        Networks: conn, wifi_suppl and data_conn of the history. Screen, charger and battery saver: the states of
        # these names; a look at a locked screen that did not end Doze is left out. The app: top. A dead zone is a time
        # out of service, or in which a call stopped data.
        """
    private static let sourcesOfPowerlog = """
        Networks: bytes and pushes by network, and TelephonyRegistration. Screen: the backlight. The app: ScreenState.
        # A dead zone is a time without registration.
        """

    private var timeline: String {
        guard !entries.isEmpty else { return "" }
        var text = """

            # \(day.isIOS ? Self.sourcesOfPowerlog : Self.sourcesOfHistory)

            """
        for remark in remarks { text += "# \(remark)\n" }
        text += "timeline:\n"
        for entry in entries {
            text += "  - {at: \(Self.time(entry.at)), \(entry.text.dropFirst())\n"
        }
        return text
    }

    private var traffic: String {
        let own = day.bursts.filter(\.isOfApp).map(\.start)
        guard !own.isEmpty else {
            return """

                traffic:  # assumed: the file does not tell the app's messages
                  down: {every: 5m, arrivals: poisson, size: 300B}
                  up: {every: 20m, arrivals: poisson, size: 200B}

                """
        }
        var moments: [Int64] = []
        for start in own.prefix(Self.maximumMoments) {
            let at = max((start + 50) / 100 * 100, (moments.last ?? 0) + 100)
            if at < duration { moments.append(at) }
        }
        let origin =
            day.bytes == nil
            ? "Each time a packet of the app woke a radio. Direction and size are assumed."
            : "Each interval with bytes of the app: one message of their mean is assumed."
        let left = own.count - Self.maximumMoments
        let cut = left > 0 ? " The last \(left) are left out." : ""
        let size = day.bytes.map { max($0.ofApp.down / Int64(own.count), 1) } ?? 300
        var text = """

            traffic:
              # \(origin)\(cut)
              down:
                size: \(size)B
                at:

            """
        for start in stride(from: 0, to: moments.count, by: 10) {
            let part = moments[start..<min(start + 10, moments.count)].map(Self.time).joined(separator: ", ")
            text += "      \(start == 0 ? "[" : " ")\(part)\(start + 10 < moments.count ? "," : "]")\n"
        }
        return text
    }
}
