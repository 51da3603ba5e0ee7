import DeadzoneEngine
import DeadzonePrimitives
import DeadzoneSettings

/// One line of a timeline as it was written.
struct TimelineLine {
    /// What the line says; several things can be said of one moment.
    enum Saying: Hashable {
        case joins(Interface, Attachment)
        case leaves(Interface, OldPath)
        case handoff(to: Interface, HandoffManner)
        case airplane(TimeSpan, OldPath)
        case readdress(Interface, OldPath)
        case deadZone(SpanRange, Interface?)
        case wanCut(SpanRange, Interface?)
        /// Nil: both directions again.
        case oneWay(Direction?, TimeSpan?, Interface?)
        case roam(TimeSpan)
        case cellHandover
        case technology(String)
        case spurious(Spurious, Interface?)
        case access(Access, Interface?)
        case mappingsForgotten(Interface?)
        /// Another link by name, or the usual one.
        case conditions(Interface, String, TimeSpan?)
        case names(resolve: Bool, TimeSpan?)
        case server(ServerWord, TimeSpan?)
        case deploy(Deploy)
        case phone(PhoneState)
        case clock(TimeSpan)
        case push(urgent: Bool)
        case kill(forGood: Bool)
        case alarmClock(TimeSpan)
        case chaos(Chaos)
        /// The app's consumer stands still.
        case stall(TimeSpan)
    }

    /// What stays as it is until the next line about it.
    enum PhoneState: Hashable {
        case app(foreground: Bool)
        case screen(Bool)
        case charging(Bool)
        case moving(Bool)
        case saving(Bool)
    }

    enum ServerWord: Hashable {
        case frozen, down, up, drain, refusesLogins
    }

    var at: SpanRange
    /// How likely a phone is to meet it.
    var phones: Probability
    var every: TimeSpan
    var times: Int64
    var sayings: [Saying]
    /// None of the keys that change something stands here, nor one that may be a misspelt one.
    var isIdle: Bool
    var text: String
    var mark: Mark
}

struct HandoffManner: Hashable {
    var gap: TimeSpan
    var overlap: TimeSpan
    var oldPath: OldPath
    var network: String?
    var attachment: Attachment
}

extension TimelineLine {
    /// Keys that say when and how, and change nothing by themselves.
    private static let manners = [
        "at", "phones", "repeat", "gap", "overlap", "old-path", "name", "interface", "for", "portal", "usable-after",
        "announced-after", "takes",
    ]
    static let anySpan = TimeSpan.milliseconds(1) ... .hours(24 * 366)

    /// `{at: 6m, handoff: cellular, gap: 400ms, old-path: silent}`
    init(reading settings: inout SettingsReader) {
        mark = settings.mark
        text = settings.written
        let anyTime = TimeSpan.zero ... .hours(24 * 366)
        at = settings.required(
            "at", SpanRange.form(in: anyTime), standIn: SpanRange(.zero),
            "when, from the beginning; {uniform: [a, b]}: each phone at a moment of its own")
        phones =
            settings.value("phones", .probability, "how many of the phones meet it, by a chance of each: 50%") ?? .one
        isIdle = settings.hasOnly(Self.manners)
        let manner = Manner(reading: &settings)
        sayings = Self.networks(manner, &settings) + Self.disturbances(manner, &settings)
        sayings += Self.server(manner, &settings) + Self.phone(&settings)
        let again = settings.section("repeat", "the same again and again") { settings in
            (
                settings.required("every", .span(in: Self.anySpan), standIn: .seconds(1), "from one to the next"),
                settings.required("times", .count(in: 1...65_535), standIn: 1, "how often in all")
            )
        }
        (every, times) = again ?? (.zero, 1)
    }

    private static func server(_ manner: Manner, _ settings: inout SettingsReader) -> [Saying] {
        let words = [
            ("frozen", ServerWord.frozen), ("down", .down), ("up", .up), ("drain", .drain),
            ("refuses-logins", .refusesLogins),
        ]
        let help =
            "frozen: connections are taken and nothing is answered; down: refused and reset; drain: ended in order; refuses-logins: set up and sent away; up"
        var sayings: [Saying] = []
        if let word = settings.word("server", of: words, help) { sayings.append(.server(word, manner.length)) }
        let deploy = settings.section("deploy", "the server's instances are replaced, and end what they hold") {
            settings in
            Deploy(
                over: settings.span("over", default: .zero, "from the first to the last; without it all at once"),
                instances: UInt16(settings.count("instances", default: 10, in: 1...10_000, "how many there are")),
                isAbrupt: settings.word(
                    "manner", of: [("drain", false), ("reset", true)], default: false,
                    "connections are ended in order, or reset"))
        }
        if let deploy { sayings.append(.deploy(deploy)) }
        let names = settings.word("dns", of: [("down", false), ("up", true)], "names resolve no longer, or again")
        if let names { sayings.append(.names(resolve: names, manner.length)) }
        return sayings
    }

    private static func phone(_ settings: inout SettingsReader) -> [Saying] {
        func state(
            _ key: String, _ yes: String, _ no: String, _ help: String, _ make: (Bool) -> PhoneState
        ) -> [Saying] {
            settings.word(key, of: [(yes, true), (no, false)], help).map { [.phone(make($0))] } ?? []
        }
        var sayings = state("app", "foreground", "background", "where the app is") { .app(foreground: $0) }
        sayings += state("screen", "on", "off", "of the phone") { .screen($0) }
        sayings += state("charging", "on", "off", "whether the phone is on its charger") { .charging($0) }
        sayings += state("motion", "moving", "still", "whether the phone is carried about") { .moving($0) }
        sayings += state(
            "battery-saver", "on", "off", "the app is told; on Android deep Doze comes soon, whatever moves"
        ) {
            .saving($0)
        }
        let ring = settings.span(
            "alarm-clock", in: anySpan, "when the user's alarm clock rings, from the beginning: Doze ends before it")
        if let ring { sayings.append(.alarmClock(ring)) }
        let spans = TimeSpan.zero - .hours(24 * 366) ... .hours(24 * 366)
        let shift = settings.span("clock", in: spans, "the time of day is set so much forward: +1h, -30m")
        if let shift { sayings.append(.clock(shift)) }
        let push = settings.word(
            "push", of: [("high", true), ("normal", false)], "the server asks the push service to wake the app")
        if let push { sayings.append(.push(urgent: push)) }
        let kill = settings.word(
            "kill", of: [("app", false), ("force-stop", true)],
            "the system ends the app's process; force-stop: the user ends it, and alone starts it again")
        if let kill { sayings.append(.kill(forGood: kill)) }
        if let chaos = settings.chaos() { sayings.append(.chaos(chaos)) }
        let freeze = settings.span("freeze-ui", in: Self.anySpan, "the app's consumer stands still for so long")
        if let freeze { sayings.append(.stall(freeze)) }
        return sayings
    }
}
