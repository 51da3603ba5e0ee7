import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// The settings of a scenario as read from its file, before they are checked against each other.
struct ScenarioSketch {
    var name = ""
    var about = ""
    var replicas: Int64 = 1
    var seed: UInt64?
    var horizon = Instant.zero
    /// Time of day at the start; `nil` if the scenario does not say it.
    var startOfDay: TimeSpan?
    var phones: Int64 = 1
    var phone = PhoneSketch(battery: nil, tailAttribution: .latest)
    /// `true` if the phone has a platform, and with it a push service.
    var canPush = false
    var wifiLink = LinkPreset.usual(.wifi, roundTrip: nil).profile
    var cellularLink = LinkPreset.usual(.cellular, roundTrip: nil).profile
    /// The links of further radios, in the order of `phone.further`.
    var furtherLinks: [LinkProfile] = []
    /// Links with names of the user's own, for the timeline's `conditions`.
    var otherLinks: [(name: String, value: LinkProfile)] = []
    /// The links that the timeline switches to, by interface.
    var conditions = [[LinkProfile]](repeating: [], count: Interface.allCases.count)
    /// Indices of the cellular profiles for which the timeline has a weak signal.
    var weakRadios: [Int] = []
    var middleboxes = Middleboxes()
    var resolver: Resolver?
    var lines: [TimelineLine] = []
    /// `false` if the time of a timeline entry, or the change in it, could not be read. The states that the timeline
    /// reaches are then unknown.
    var isTimelineReadable = true
    var traffic = TrafficSketch()
    var consumer: Consumer?
    var server = ServerProfile()
    var serverVersions: [(name: String, value: ServerProfile)] = []
    var slowConsumersMark = SourceMark(line: 0, column: 0)
    var heartbeatMark = SourceMark(line: 0, column: 0)
    var sessionLimitMark = SourceMark(line: 0, column: 0)
    var namedStrategies: [NamedStrategy] = []
    /// Strategies that groups of the population run regardless of the compared strategy.
    var groupStrategies: [AnyStrategy] = []
    var expectedBounds: [ExpectedBound] = []
    var acrossShare: Int64?
    var columns: [String] = []
}

extension ScenarioSketch {
    /// Reads all keys of a scenario, in the order in which they are usually written.
    /// - Parameter groups: Names of the population's groups; empty without a population.
    init(
        reading settings: inout SettingsReader, _ vocabulary: Vocabulary, _ opened: OpenedFiles, groups: [String] = []
    ) {
        settings.version()
        settings.noteClientsAlone()
        let name = settings.required(
            "name", .visibleText, standIn: "", "name of the scenario in tables, reports and gates")
        let about = settings.text("about", default: "", "description in one or two sentences")
        settings.describeLoading()
        self = settings.part(&opened.lastSketch) { settings in
            opened.lastWorld = nil
            var sketch = ScenarioSketch()
            sketch.readWorld(&settings, vocabulary, opened)
            return sketch
        }
        (self.name, self.about) = (name, about)
        namedStrategies = settings.namedStrategies(vocabulary)
        let names = settings.peek("strategies")?.entries?.map(\.key) ?? []
        let expected = settings.expected(ExpectationReader(vocabulary, namedStrategies: names, groups: groups))
        (expectedBounds, acrossShare) = (expected.bounds, expected.acrossShare)
        let metric = ValueFormat<String>.word(noun: "a metric; `deadzone list metrics` lists them") {
            vocabulary.metrics.map { ($0.name, $0.name) }
        }
        columns =
            settings.list(
                "columns", of: metric, counts: 1...12,
                "metrics of the table in addition to the usual ones; a matrix shows only these, by default those of `expect`"
            ) ?? []
    }

    /// Reads all settings but the names and those that name strategies.
    private mutating func readWorld(_ settings: inout SettingsReader, _ vocabulary: Vocabulary, _ opened: OpenedFiles) {
        horizon =
            .zero
            + settings.required(
                "duration", .span(in: .milliseconds(1) ... .hours(24 * 366)), standIn: .hours(24 * 366),
                "simulated time, from the start of the scenario to its end")
        startOfDay = settings.value(
            "starts", .startOfDay,
            "time of day at the start; times of the timeline and of traffic can then be times of day, such as 15:00")
        settings.startOfDay = startOfDay.map { .at($0) } ?? (settings.has("starts") ? .unreadable : .notGiven)
        replicas = settings.count(
            "replicas", default: 1, in: 1...1_000_000, "number of runs with different random numbers")
        seed = settings.count("seed", in: 0 ... .max, "seed of the random numbers; the flag `--seed` overrides it").map(
            UInt64.init)
        phones = settings.count(
            "phones", default: 1, in: 1...10_000_000, "phones simulated together in each replica")
        if settings.isDescribing { _ = settings.population(vocabulary, opened) }
        readGroupSettings(&settings, vocabulary, opened)
        server = settings.group("server", "the server") { settings in
            slowConsumersMark = settings.mark(of: "slow-consumers")
            heartbeatMark = settings.mark(of: "heartbeat")
            sessionLimitMark = settings.mark(of: "session-limit")
            let server = settings.server(canPush: canPush)
            serverVersions =
                settings.namedSections(
                    "versions", noun: "version", atMost: 100,
                    "versions of the server with rules of their own, for `server-version` in the timeline"
                ) { $1.serverVersion(over: server) } ?? []
            return server
        }
    }

    /// Reads the settings that may differ between the groups of a population.
    mutating func readGroupSettings(_ settings: inout SettingsReader, _ vocabulary: Vocabulary, _ opened: OpenedFiles) {
        phone = settings.phone(vocabulary, opened)
        // A platform that could not be read still counts as one, to avoid follow-up faults.
        canPush = phone.platform != nil || settings.peek("phone")?["platform"] != nil
        settings.group("links", "links between phone and server") { settings in
            wifiLink = settings.link(.wifi, roundTrip: phone.wifi?.parsed.sheet.baseRoundTrip, opened)
            cellularLink = settings.link(.cellular, roundTrip: phone.cellular?.parsed.sheet.baseRoundTrip, opened)
            furtherLinks = settings.furtherLinks(of: phone, opened)
            otherLinks = settings.otherLinks(opened)
        }
        middleboxes = settings.middleboxes(of: phone, over: links)
        resolver = settings.resolver()
        readTimeline(&settings)
        traffic = settings.traffic(until: horizon, canPush: canPush)
        consumer = settings.consumer()
        if consumer == nil && lines.contains(where: \.stalls) { consumer = Consumer() }
    }

    private mutating func readTimeline(_ settings: inout SettingsReader) {
        // Number of faults before each entry. The unknown keys of an entry are noted after it is read.
        var counts: [Int] = []
        let first = settings.faults.found
        lines =
            settings.list(
                "timeline", counts: 0...TextLimits.timelineEntries,
                "changes to the phone, the network and the server, with their times"
            ) { settings, _ in
                counts.append(settings.faults.found)
                return TimelineLine(reading: &settings)
            } ?? []
        let last = settings.faults.found
        let ends = counts.dropFirst() + [last]
        for (index, (start, end)) in zip(counts, ends).enumerated() where index < lines.count {
            lines[index].isReadable = start == end
        }
        isTimelineReadable = first == last && settings.startOfDay != .unreadable
    }
}

extension SettingsReader {
    fileprivate mutating func version() {
        let found = custom("version", "version of the format; always 1", isRequired: true) { .integer(1...1) }
        resolve("version", to: .text("1"))
        guard !isDescribing, found?.scalar != "1" else { return }
        let width = found?.width ?? 1
        note(
            Fault(
                .version, at: found?.mark ?? mark, width: width,
                found == nil ? "`version: 1` is missing" : "this program reads version 1", label: "write `version: 1`",
                help: FaultCode.version.explanation))
    }

    /// Says what to do with a file of clients, which lacks all other keys of a scenario.
    fileprivate mutating func noteClientsAlone() {
        let key = "strategies"
        guard !isDescribing, has(key), !["name", "duration", "phone", "timeline"].contains(where: has) else { return }
        note(
            Fault(
                .missing, at: mark(of: key), width: key.utf8.count,
                "this file has only strategies, so it is no scenario",
                label: "a scenario also has a name, a duration and a phone",
                help: "add the file to a scenario with `--with`; a file of one client begins with `strategy:`"))
    }

    /// Describes the keys that are removed before a scenario is read, because they control loading.
    fileprivate mutating func describeLoading() {
        _ = either(
            "extends", "file that this file changes; maps are merged, everything else is replaced", plain: .text
        ) { settings in
            ExtendsSetting(reading: &settings).path
        }
        _ = custom(
            "matrix",
            "axes of values, named by the setting that they change or used as ${name}; every combination is a scenario"
        ) {
            .map(MapShape(userKeyShape: .anything))
        }
        // Also removed before a scenario is read: the matrix has drawn its points.
        _ = section("sample", "number of points that are drawn from the ranges of `matrix:`, as a Latin hypercube") {
            settings in
            MatrixSample(reading: &settings)
        }
    }

    fileprivate mutating func namedStrategies(_ vocabulary: Vocabulary) -> [NamedStrategy] {
        let key = "strategies"
        guard isDescribing || has(key) else {
            note(
                Fault(
                    .missing, at: mark, "`strategies` is missing", label: "a scenario compares at least one strategy",
                    help: "strategies: {mine: {strategy: \(vocabulary.strategies.first?.name ?? "NAME")}}"))
            return []
        }
        let written = peek(key)
        let named = namedSections(
            key, noun: "strategy", keepsOrder: true, "strategies to compare, with names of your own"
        ) {
            entry, settings -> NamedStrategy? in
            settings.checkName(entry)
            var strategy = settings.namedStrategy(entry.key, vocabulary)
            strategy?.mark = entry.keyMark
            strategy?.settings = written?[entry.key] ?? .map([])
            return strategy
        }
        if let named, named.isEmpty {
            note(
                Fault(
                    .missing, at: mark(of: key), width: key.utf8.count, "no strategies", label: "at least one is needed"
                ))
        }
        return (named ?? []).compactMap(\.value)
    }

    /// Reads a strategy. Its hash covers only what was read until now, so settings that are read later do not change
    /// it.
    mutating func namedStrategy(_ name: String, _ vocabulary: Vocabulary) -> NamedStrategy? {
        let found = variant(
            "strategy", or: "preset", of: vocabulary.strategyVariants, file: PresetExpander.fileShape,
            unknown: .unknownStrategy, noun: "strategy",
            "name of a strategy or preset; the other settings here override the preset")
        guard let found else { return nil }
        return NamedStrategy(name: name, strategy: found.value, hash: Fingerprint(of: blockText(resolved)))
    }

    private mutating func checkName(_ entry: Node.MapEntry) {
        guard !isDescribing else { return }
        let name = entry.key
        let width = max(1, name.unicodeScalars.count)
        if name.isEmpty || name.unicodeScalars.count > 64 {
            note(Fault(.wrongForm, at: entry.keyMark, width: width, "a strategy's name has 1 to 64 characters"))
        } else if name == "baseline" || name == ExpectationReader.across {
            let meaning = name == "baseline" ? "the name of saved results" : "a key of `expect`"
            note(
                Fault(
                    .wrongForm, at: entry.keyMark, width: width, "\(quote(name)) is \(meaning)",
                    label: "choose another name"))
        }
    }
}
