import DeadzoneClient
import DeadzoneDevice
import DeadzoneMessages
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneTransport
import DeadzoneWorld

/// What one document says, before it is checked as a whole.
struct ScenarioSketch {
    var name = ""
    var about = ""
    var replicas: Int64 = 1
    var seed: UInt64?
    var horizon = Instant.zero
    var phones: Int64 = 1
    var phone = PhoneSketch(battery: nil, tailAttribution: .latest)
    var wifiLink = LinkPreset.usual(.wifi, roundTrip: nil).profile
    var cellularLink = LinkPreset.usual(.cellular, roundTrip: nil).profile
    /// Links under names of the user's own, for the timeline to switch to.
    var otherLinks: [(name: String, value: LinkProfile)] = []
    /// Those that it does switch to, by interface.
    var conditions: [[LinkProfile]] = [[], []]
    /// Places of the cellular profiles whose weak signal the timeline meets.
    var weakRadios: [Int] = []
    var middleboxes = Middleboxes()
    var resolver: Resolver?
    var lines: [TimelineLine] = []
    var traffic = TrafficSketch()
    var consumer: Consumer?
    var server = ServerProfile()
    var slowConsumersMark = Mark(line: 0, column: 0)
    var heartbeatMark = Mark(line: 0, column: 0)
    var contenders: [Contender] = []
    /// What groups of the population run whatever is compared.
    var own: [AnyStrategy] = []
    var demands: [Demand] = []
    var columns: [String] = []
}

extension ScenarioSketch {
    /// The keys of a scenario, in the order in which they are usually written.
    /// - Parameter groups: of the population that it is read for; none: there is no population.
    init(
        reading settings: inout SettingsReader, _ vocabulary: Vocabulary, _ opened: OpenedFiles, groups: [String] = []
    ) {
        settings.version()
        name = settings.required("name", .text, standIn: "", "what reports call it")
        about = settings.text("about", default: "", "the story, in a sentence or two")
        settings.describeLoading()
        horizon =
            .zero
            + settings.required(
                "duration", .span(in: .milliseconds(1) ... .hours(24 * 366)), standIn: .hours(24 * 366),
                "how long it lasts")
        replicas = settings.count(
            "replicas", default: 1, in: 1...1_000_000, "how often it runs, each time with other dice")
        seed = settings.count("seed", in: 0 ... .max, "where the dice begin; a flag wins over it").map(UInt64.init)
        phones = settings.count(
            "phones", default: 1, in: 1...10_000_000, "how many phones run side by side in each replica")
        if settings.isDescribing { _ = settings.population(vocabulary, opened) }
        readCircumstances(&settings, vocabulary, opened)
        server = settings.group("server", "the other end") { settings in
            slowConsumersMark = settings.mark(of: "slow-consumers")
            heartbeatMark = settings.mark(of: "heartbeat")
            return settings.server(canPush: phone.platform != nil)
        }
        contenders = settings.contenders(vocabulary)
        let names = settings.peek("strategies")?.entries?.map(\.key) ?? []
        demands = settings.demands(DemandReader(vocabulary, contenders: names, groups: groups))
        let metrics = vocabulary.metrics.map { ($0.name, $0.name) }
        columns =
            settings.list(
                "columns", of: .word(metrics), counts: 1...12,
                "metrics that the table shows beside the usual ones; that of a matrix shows them alone, by default those of `expect`"
            ) ?? []
    }

    /// What may be different for each group of a population.
    mutating func readCircumstances(_ settings: inout SettingsReader, _ vocabulary: Vocabulary, _ opened: OpenedFiles) {
        phone = settings.phone(vocabulary, opened)
        settings.group("links", "what packets meet between phone and server") { settings in
            wifiLink = settings.link(.wifi, roundTrip: phone.wifi?.reading.sheet.baseRoundTrip, opened)
            cellularLink = settings.link(.cellular, roundTrip: phone.cellular?.reading.sheet.baseRoundTrip, opened)
            otherLinks = settings.otherLinks(opened)
        }
        middleboxes = settings.middleboxes()
        resolver = settings.resolver()
        lines =
            settings.list("timeline", counts: 0...10_000, "what happens to the phone, and when") { settings, _ in
                TimelineLine(reading: &settings)
            } ?? []
        traffic = settings.traffic(until: horizon)
        consumer = settings.consumer()
        if consumer == nil && lines.contains(where: \.stalls) { consumer = Consumer() }
    }
}

extension SettingsReader {
    fileprivate mutating func version() {
        let found = custom("version", "of the language; always 1", isRequired: true) { .integer(1...1) }
        resolve("version", to: .text("1"))
        guard !isDescribing, found?.scalar != "1" else { return }
        let width = found?.width ?? 1
        note(
            Fault(
                .version, at: found?.mark ?? mark, width: width,
                found == nil ? "`version: 1` is missing" : "this program reads version 1", label: "write `version: 1`",
                help: FaultCode.version.explanation))
    }

    /// Keys that are gone when a scenario is read, because they say how it is put together.
    fileprivate mutating func describeLoading() {
        _ = custom("extends", "a file that this one is laid over; maps are merged, everything else is replaced") {
            .text
        }
        _ = custom(
            "matrix", "axes of values, named by the place they change or by ${name}; every combination is a scenario"
        ) {
            .map(MapShape(free: .anything))
        }
        // Gone, too, when a scenario is read: the matrix has drawn.
        _ = section("sample", "how many points of the ranges of `matrix:` are tried, as a Latin hypercube") {
            settings in
            MatrixSample(reading: &settings)
        }
    }

    fileprivate mutating func contenders(_ vocabulary: Vocabulary) -> [Contender] {
        let key = "strategies"
        guard isDescribing || has(key) else {
            note(
                Fault(
                    .missing, at: mark, "`strategies` is missing", label: "a scenario compares at least one strategy",
                    help: "strategies: {mine: {strategy: \(vocabulary.strategies.first?.name ?? "NAME")}}"))
            return []
        }
        let named = named(key, noun: "strategy", keepsOrder: true, "who runs, under names of your own") {
            entry, settings -> Contender? in
            settings.checkName(entry)
            return settings.contender(entry.key, vocabulary)
        }
        if let named, named.isEmpty {
            note(
                Fault(
                    .missing, at: mark(of: key), width: key.utf8.count, "no strategies", label: "at least one is needed"
                ))
        }
        return (named ?? []).compactMap(\.value)
    }

    /// Its hash is of what was read so far, and so of nothing that is read later.
    mutating func contender(_ name: String, _ vocabulary: Vocabulary) -> Contender? {
        let found = variant(
            "strategy", or: "preset", of: vocabulary.strategyVariants, file: Presets.fileShape,
            unknown: .unknownStrategy, noun: "strategy",
            "which strategy or preset; settings beside it override the preset's")
        guard let found else { return nil }
        return Contender(name: name, strategy: found.value, hash: Fingerprint(of: blockText(resolved)))
    }

    private mutating func checkName(_ entry: Node.Entry) {
        guard !isDescribing else { return }
        let name = entry.key
        let width = max(1, name.unicodeScalars.count)
        if name.isEmpty || name.unicodeScalars.count > 64 {
            note(Fault(.wrongForm, at: entry.keyMark, width: width, "a strategy's name has 1 to 64 characters"))
        } else if name == "baseline" {
            note(
                Fault(
                    .wrongForm, at: entry.keyMark, width: width, "`baseline` is the name of saved results",
                    label: "choose another name"))
        }
    }
}
