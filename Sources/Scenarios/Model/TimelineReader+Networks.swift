import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneSystem
import DeadzoneWorld

/// Keys that say how: each means something only beside some of the others.
struct Manner {
    var gap = SpanRange(.zero)
    var overlap = SpanRange(.zero)
    var network: String?
    var oldPath = OldPath.error
    var attachment = Attachment.plain
    var interface: Interface?
    /// How long it lasts; nil: until something else is said.
    var length: SpanRange?
}

extension Manner {
    private static let anyGap = TimeSpan.zero ... .hours(24 * 366)

    init(reading settings: inout SettingsReader) {
        let words = ["wifi", "cellular"].map { ($0, settings.peek($0)?.scalar) }
        let joins = words.filter { $0.1 != nil && $0.1 != "off" }.map(\.0)
        let leaves = words.filter { $0.1 == "off" }.map(\.0)
        let describes = settings.isDescribing

        func belongs(_ key: String, to owners: [String], or state: [String] = []) -> Bool {
            if describes || !state.isEmpty || owners.contains(where: settings.has) { return true }
            settings.refuse(key, without: owners[0])
            return false
        }
        if belongs("gap", to: ["handoff"]) {
            gap = settings.value("gap", SpanRange.form(in: Self.anyGap), default: gap, "no network in between")
        }
        if belongs("overlap", to: ["handoff"]) {
            overlap = settings.value(
                "overlap", SpanRange.form(in: Self.anyGap), default: overlap,
                "the old network stays so long beside the new one")
        }
        if belongs("name", to: ["handoff"]) { network = settings.text("name", "of the network that is joined") }
        if belongs("old-path", to: ["handoff", "airplane", "readdress"], or: leaves) {
            oldPath = settings.word(
                "old-path",
                of: OldPath.words, default: .error,
                "how connections on the lost path end: with an error, reset, in order, or silently, taking writes that "
                    + "no one answers; half-open: silently, though the app is told that the network is lost")
        }
        if belongs("usable-after", to: ["handoff"], or: joins) {
            attachment.usableAfter = settings.span("usable-after", "no packet passes so long") ?? .zero
        }
        if belongs("announced-after", to: ["handoff"], or: joins) {
            attachment.announcedAfter = settings.span("announced-after", "the app is told so much later")
        }
        if belongs("portal", to: ["handoff"], or: joins) {
            attachment.portal = settings.span(
                "portal", in: TimelineLine.anySpan, "nobody but a sign-in page answers, so long")
        }
        if belongs("interface", to: ["dead-zone", "wan-cut", "one-way", "spurious", "access", "nat"]) {
            interface = settings.word(
                "interface", of: TimelineLine.interfaces, "which network it is; by default where the phone is")
        }
        if belongs("for", to: ["one-way", "server", "instance", "dns", "conditions", "signal"]) {
            length = settings.value(
                "for", SpanRange.form(in: TimelineLine.anySpan), "how long; otherwise until something else is said")
        }
        if gap.greatest > .zero, overlap.greatest > .zero {
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: "overlap"), width: 7, "`gap` and `overlap`",
                    label: "remove one of the two"))
        }
    }
}

extension OldPath {
    static let words: [(String, OldPath)] = [
        ("error", .error), ("silent", .silent), ("half-open", .halfOpen), ("reset", .reset), ("end", .ended),
    ]
}

extension TimelineLine {
    static let interfaces = [("wifi", Interface.wifi), ("cellular", Interface.cellular)]

    /// Whether a network of the interface is joined, or it is left.
    static func joins(_ interface: Interface, _ settings: inout SettingsReader) -> Bool? {
        let key = interface.name
        let help =
            interface == .wifi
            ? "the name of the network that is joined, or off" : "on or off, or the name of the network"
        guard let network = settings.text(key, help) else { return nil }
        if let node = settings.peek(key), node.content == .scalar(network, quoted: false), network != "off",
            ["off", "no", "n", "false"].contains(network.lowercased())
        {
            settings.note(
                node.fault(
                    .unknownWord, "`\(network)` is no network", label: "write off",
                    help: "a network of that name is written in quotes"))
            return nil
        }
        return network != "off"
    }

    static func cellHandover(_ settings: inout SettingsReader) -> Bool? {
        guard let flag = settings.flag("cell-handover", "the cellular radio changes cell") else { return nil }
        if flag { return true }
        settings.note(
            Fault(
                .contradiction, at: settings.mark(of: "cell-handover"), width: 13,
                "`cell-handover: false` says nothing",
                label: "leave it out"))
        return nil
    }

    /// Links by interface, by name.
    static func conditions(_ settings: inout SettingsReader) -> [(Interface, String)]? {
        settings.section("conditions", "packets meet another link from now on, or for: so long") { settings in
            Interface.allCases.compactMap { interface in
                settings.text(
                    interface.name, "its name: one of `deadzone list links`, one under links: others:, or usual"
                ).map { (interface, $0) }
            }
        }
    }

    /// `{access: on-demand, takes: 2s}`
    static func access(_ settings: inout SettingsReader) -> Access? {
        let words = [
            ("open", Access.open), ("refused", .refused), ("on-demand", .needsConnection(.seconds(1))),
            ("by-hand", .needsConnection(nil)),
        ]
        let access = settings.word(
            "access", of: words,
            "iOS: the user refuses the app this network; or a connection must stand first, which the first packet sets up "
                + "on demand, or the user by hand; open: nothing of it, or no longer")
        let isOnDemand = access == .needsConnection(.seconds(1))
        guard isOnDemand || settings.isDescribing else {
            settings.refuse(["takes"], "without `access: on-demand`", label: "nothing else is set up by a packet")
            return access
        }
        // Assumed, as for a cellular bearer.
        let takes = settings.span("takes", default: .seconds(1), in: anySpan, "access: on-demand: setting it up")
        return isOnDemand ? .needsConnection(takes) : access
    }
}
