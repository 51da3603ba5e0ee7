import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneWorld

/// One line of a timeline as it was written.
struct TimelineLine {
    enum ServerWord: Hashable {
        case frozen, down, up, drain, refusesLogins
    }

    var at: SpanRange
    var phones: Company
    var phonesMark: Mark
    /// What is drawn is drawn once, for all of them.
    var isCommon: Bool
    var every: TimeSpan
    var times: Int64
    var sayings: [Saying]
    /// None of the keys that change something stands here, nor one that may be a misspelt one.
    var isIdle: Bool
    var text: String
    var mark: Mark
}

extension TimelineLine {
    /// Keys that say when and how, and change nothing by themselves.
    private static let manners = [
        "at", "phones", "together", "repeat", "gap", "overlap", "old-path", "name", "interface", "for", "portal",
        "usable-after",
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
            "when, from the beginning; {uniform: [a, b]} or another law: each phone at a moment of its own")
        phones =
            settings.value(
                "phones", Company.form,
                "which of the phones meet it: 50%, by a chance of each; 3, so many of them, drawn in each replica")
            ?? .everybody
        phonesMark = settings.mark(of: "phones")
        isCommon =
            settings.flag("together", "what is drawn is one moment for all phones of a replica, and one length")
            ?? false
        isIdle = settings.hasOnly(Self.manners)
        let manner = Manner(reading: &settings)
        sayings = TimelineRow.all.flatMap { $0.read(&settings, manner) }
        let again = settings.section("repeat", "the same again and again") { settings in
            (
                settings.required("every", .span(in: Self.anySpan), standIn: .seconds(1), "from one to the next"),
                settings.required("times", .count(in: 1...65_535), standIn: 1, "how often in all")
            )
        }
        (every, times) = again ?? (.zero, 1)
    }

    /// `instance: {down: 2}`
    static func instance(_ settings: inout SettingsReader) -> (number: UInt8, InstanceChange)? {
        let numbers = 1...Int64(ClusterProfile.mostInstances)
        let said = settings.section("instance", "one instance of the server") { settings in
            let down = settings.count(
                "down", in: numbers, "its process ends: what it has is reset, and who is sent there")
            let frozen = settings.count(
                "frozen", in: numbers, "its program stands still for good: what it has hears nothing")
            return (down, frozen)
        }
        guard let (down, frozen) = said else { return nil }
        guard let number = down ?? frozen, down == nil || frozen == nil else {
            if !settings.isDescribing {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "instance"), width: 8, "one thing becomes of an instance",
                        label: "write instance: {down: 2} or instance: {frozen: 2}"))
            }
            return nil
        }
        return (UInt8(number - 1), down == nil ? .frozen : .down)
    }

    static func deploy(_ settings: inout SettingsReader) -> Deploy? {
        settings.section("deploy", "the server's instances are replaced, and end what they hold") { settings in
            Deploy(
                over: settings.span("over", default: .zero, "from the first to the last; without it all at once"),
                instances: UInt16(settings.count("instances", default: 10, in: 1...10_000, "how many there are")),
                isAbrupt: settings.word(
                    "manner", of: [("drain", false), ("reset", true)], default: false,
                    "connections are ended in order, or reset"))
        }
    }
}
