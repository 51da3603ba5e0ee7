import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator

/// One entry of a scenario's timeline, as read from the file.
struct TimelineLine {
    enum ServerWord: Hashable {
        case frozen, down, up, drain, refusesLogins, moves
    }

    var at: SpanRange
    var phones: PhoneSubset
    var phonesMark: SourceMark
    /// `true` if all phones share one random draw.
    var isCommon: Bool
    var every: TimeSpan
    var times: Int64
    var actions: [TimelineAction]
    /// `true` if the entry has only modifier keys. An unknown key does not count, because it may be a misspelt change.
    var isIdle: Bool
    /// `true` if the entry joins a network that leads to some hosts only.
    var limitsReach: Bool
    /// `false` if reading the entry noted a fault.
    var isReadable = true
    var text: String
    var mark: SourceMark
    /// Positions of the keys of an entry with several changes, so that a fault can name one of them. Empty for an entry
    /// with one change.
    var keyMarks: [String: SourceMark] = [:]
}

extension TimelineLine {
    /// Keys that modify a change and have no effect alone.
    private static let modifierKeys = [
        "at", "phones", "together", "repeat", "gap", "overlap", "old-path", "name", "interface", "for", "portal",
        "usable-after",
        "announced-after", "takes", "old-address", "dns-after", "metered",
        "reach",
    ]
    static let anySpan = TimeSpan.milliseconds(1) ... .hours(24 * 366)

    /// Reads an entry: `{at: 6m, handoff: cellular, gap: 400ms, old-path: silent}`.
    init(reading settings: inout SettingsReader) {
        mark = settings.mark
        text = settings.written
        let anyTime = TimeSpan.zero ... .hours(24 * 366)
        at = settings.required(
            "at", SpanRange.moment(in: anyTime, startingAt: settings.startOfDay), standIn: SpanRange(.zero),
            "time from the start, or with `starts` a time of day; {uniform: [a, b]} or another distribution: a random time for each phone"
        )
        phones =
            settings.value(
                "phones", PhoneSubset.form,
                "phones that the entry affects: 50%: each phone with this probability; 3: that number of phones, drawn in each replica"
            )
            ?? .all
        phonesMark = settings.mark(of: "phones")
        isCommon =
            settings.flag("together", "random times and durations are drawn once for all phones of a replica")
            ?? false
        isIdle = settings.hasOnly(Self.modifierKeys)
        let modifiers = TimelineModifiers(reading: &settings)
        limitsReach = modifiers.attachment.reach != .all
        actions = TimelineKeyword.all.flatMap { $0.read(&settings, modifiers) }
        if actions.count > 1 {
            for action in actions { keyMarks[action.word] = settings.mark(of: action.word) }
        }
        let again = settings.section("repeat", "repeats the entry") { settings in
            (
                settings.required(
                    "every", .span(in: Self.anySpan), standIn: .seconds(1), "time between two repetitions"),
                settings.required("times", .count(in: 1...65_535), standIn: 1, "total number of occurrences")
            )
        }
        (every, times) = again ?? (.zero, 1)
    }

    /// Reads a change of one server instance: `instance: {down: 2}`.
    static func instance(_ settings: inout SettingsReader) -> (number: UInt8, InstanceChange)? {
        let numbers = 1...Int64(ClusterProfile.maximumInstances)
        let said = settings.section("instance", "one instance of the server") { settings in
            let down = settings.count(
                "down", in: numbers,
                "number of the instance that goes down; existing and new connections to it are reset"
            )
            let frozen = settings.count(
                "frozen", in: numbers,
                "number of the instance that freezes for good; existing and new connections to it get no answer")
            return (down, frozen)
        }
        guard let (down, frozen) = said else { return nil }
        guard let number = down ?? frozen, down == nil || frozen == nil else {
            if !settings.isDescribing {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "instance"), width: 8,
                        "an instance needs exactly one change",
                        label: "write instance: {down: 2} or instance: {frozen: 2}"))
            }
            return nil
        }
        return (UInt8(number - 1), down == nil ? .frozen : .down)
    }

    /// Reads an end of streams: `streams: lost`, or `streams: {lost: 1}` for the first stream alone.
    static func streams(_ settings: inout SettingsReader) -> SubscriptionEnd? {
        let most = UInt8(SubscriptionSet.capacity)
        let plain = ValueFormat.word([
            ("ended", SubscriptionEnd(isSilent: false, count: most)),
            ("lost", SubscriptionEnd(isSilent: true, count: most)),
        ])
        let said = settings.either(
            "streams",
            "the server ends the app's streams while the connection lives; ended: it tells the client; lost: it does not",
            plain: plain
        ) { settings in
            let counts = 1...Int64(most)
            let ended = settings.count("ended", in: counts, "number of streams that end, from the first one on")
            let lost = settings.count(
                "lost", in: counts, "number of streams that end in silence, from the first one on")
            return SubscriptionEnd(isSilent: ended == nil, count: UInt8(ended ?? lost ?? 0))
        }
        guard let said else { return nil }
        guard said.count > 0 else {
            if !settings.isDescribing {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "streams"), width: 7, "an end of no stream",
                        label: "write streams: ended, streams: lost, or streams: {lost: 1}"))
            }
            return nil
        }
        return said
    }

    static func deploy(_ settings: inout SettingsReader) -> Deploy? {
        settings.section("deploy", "the server's instances are replaced and end their connections") { settings in
            Deploy(
                over: settings.span(
                    "over", default: .zero, "time from the first to the last replacement; default: all at once"),
                instances: UInt16(settings.count("instances", default: 10, in: 1...10_000, "number of instances")),
                isAbrupt: settings.word(
                    "manner", of: [("drain", false), ("reset", true)], default: false,
                    "end of the connections: normal close, or reset"))
        }
    }
}
