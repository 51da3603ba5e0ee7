import DeadzoneEngine
import DeadzonePrimitives
import DeadzoneSettings

/// One line of a timeline as it was written.
struct TimelineLine {
    /// What the line says; several things can be said of one moment.
    enum Saying: Hashable {
        case joins(Interface)
        case leaves(Interface, OldPath)
        case handoff(to: Interface, HandoffManner)
        case deadZone(TimeSpan, Interface?)
        case cellHandover
        case app(foreground: Bool)
    }

    var at: TimeSpan
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
}

extension TimelineLine {
    /// Keys that say when and how, and change nothing by themselves.
    private static let manners = ["at", "repeat", "gap", "overlap", "old-path", "name", "interface"]

    /// `{at: 6m, handoff: cellular, gap: 400ms, old-path: silent}`
    init(reading settings: inout SettingsReader) {
        mark = settings.mark
        text = settings.written
        let anyTime = TimeSpan.zero ... .hours(24 * 366)
        at = settings.required("at", .span(in: anyTime), standIn: .zero, "when, from the beginning")
        sayings = []
        isIdle = settings.hasOnly(Self.manners)
        for interface in Interface.allCases { sayings += Self.state(of: interface, &settings) }
        sayings += Self.handoff(&settings)
        sayings += Self.deadZone(&settings)
        if settings.flag("cell-handover", "the cellular radio changes cell") == true { sayings.append(.cellHandover) }
        let app = settings.word("app", of: [("foreground", true), ("background", false)], "where the app is")
        if let app { sayings.append(.app(foreground: app)) }
        let again = settings.section("repeat", "the same again and again") { settings in
            (
                settings.required(
                    "every", .span(in: .milliseconds(1) ... .hours(24 * 366)), standIn: .seconds(1),
                    "from one to the next"),
                settings.required("times", .count(in: 1...65_535), standIn: 1, "how often in all")
            )
        }
        (every, times) = again ?? (.zero, 1)
    }

    private static func state(of interface: Interface, _ settings: inout SettingsReader) -> [Saying] {
        let key = interface == .wifi ? "wifi" : "cellular"
        let help =
            interface == .wifi
            ? "the name of the network that is joined, or off" : "on or off, or the name of the network"
        guard let network = settings.text(key, help) else { return [] }
        if let node = settings.peek(key), node.content == .scalar(network, quoted: false), network != "off",
            ["off", "no", "n", "false"].contains(network.lowercased())
        {
            settings.note(
                node.fault(
                    .unknownWord, "`\(network)` is no network", label: "write off",
                    help: "a network of that name is written in quotes"))
            return []
        }
        if network != "off" { return [.joins(interface)] }
        return [.leaves(interface, oldPath(&settings))]
    }

    private static func oldPath(_ settings: inout SettingsReader) -> OldPath {
        settings.word(
            "old-path", of: [("error", OldPath.error), ("silent", .silent)], default: .error,
            "how connections on the lost path end: with an error, or silently, taking writes that no one answers")
    }

    private static func handoff(_ settings: inout SettingsReader) -> [Saying] {
        let words = [("wifi", Interface.wifi), ("cellular", Interface.cellular)]
        let target = settings.word("handoff", of: words, "the phone moves to this interface")
        guard settings.isDescribing || target != nil else {
            if !settings.has("handoff") {
                for key in ["gap", "overlap", "name"] { settings.refuse(key, without: "handoff") }
                let leaves = ["wifi", "cellular"].contains { settings.peek($0)?.scalar == "off" }
                if !leaves { settings.refuse("old-path", without: "handoff") }
            }
            return []
        }
        let manner = HandoffManner(
            gap: settings.span("gap", default: .zero, "no network in between"),
            overlap: settings.span("overlap", default: .zero, "the old network stays so long beside the new one"),
            oldPath: oldPath(&settings), network: settings.text("name", "of the network that is joined"))
        if manner.gap > .zero, manner.overlap > .zero {
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: "overlap"), width: 7, "`gap` and `overlap`",
                    label: "remove one of the two"))
        }
        return target.map { [.handoff(to: $0, manner)] } ?? []
    }

    private static func deadZone(_ settings: inout SettingsReader) -> [Saying] {
        let spans = TimeSpan.milliseconds(1) ... .hours(24 * 366)
        let length = settings.span("dead-zone", in: spans, "no signal for so long, while the network keeps its name")
        guard settings.isDescribing || length != nil else {
            if !settings.has("dead-zone") { settings.refuse("interface", without: "dead-zone") }
            return []
        }
        let interface = settings.word(
            "interface", of: [("wifi", Interface.wifi), ("cellular", Interface.cellular)],
            "where the signal goes; by default where the phone is")
        return length.map { [.deadZone($0, interface)] } ?? []
    }
}
