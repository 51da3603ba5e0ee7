import DeadzoneBase
import DeadzoneSimulator

/// The keys of a timeline entry that modify its change, such as the gap of a handoff. Each has a meaning only together
/// with certain other keys.
struct TimelineModifiers {
    var gap = SpanRange(.zero)
    var overlap = SpanRange(.zero)
    var network: String?
    var lossSignal = PathLossSignal.error
    var attachment = Attachment.plain
    var interface: Interface?
    /// Length of the change; `nil` if it lasts until another entry ends it.
    var length: SpanRange?
    /// Reaction of the address that the server leaves.
    var oldAddress = OldAddress.silent
    /// Time from the server's move until its name has the new address.
    var dnsAfter = TimeSpan.zero
}

extension TimelineModifiers {
    private static let anyGap = TimeSpan.zero ... .hours(24 * 366)

    init(reading settings: inout SettingsReader) {
        let words = Interface.allCases.map(\.name).map { ($0, settings.peek($0)?.scalar) }
        let joins = words.filter { $0.1 != nil && $0.1 != "off" }.map(\.0)
        let leaves = words.filter { $0.1 == "off" }.map(\.0)
        let describes = settings.isDescribing

        func belongs(_ key: String, to owners: [String], or state: [String] = []) -> Bool {
            if describes || !state.isEmpty || owners.contains(where: settings.has) { return true }
            settings.refuse(key, withoutAnyOf: owners)
            return false
        }
        if belongs("gap", to: ["handoff"]) {
            gap = settings.value("gap", SpanRange.form(in: Self.anyGap), default: gap, "time without a network")
        }
        if belongs("overlap", to: ["handoff"]) {
            overlap = settings.value(
                "overlap", SpanRange.form(in: Self.anyGap), default: overlap,
                "time for which the old network stays up beside the new one")
        }
        if belongs("name", to: ["handoff"]) { network = settings.text("name", "name of the network that is joined") }
        if belongs("old-path", to: ["handoff", "airplane", "readdress"], or: leaves) {
            lossSignal = settings.word(
                "old-path",
                of: PathLossSignal.words, default: .error,
                "end of connections on the lost path: with an error, a reset, a normal close, or silently (writes are accepted, "
                    + "but never answered); half-open: silently, but the system reports the loss to the app")
        }
        if belongs("usable-after", to: ["handoff"], or: joins) {
            attachment.usableAfter = settings.span("usable-after", "time in which no packet passes") ?? .zero
        }
        if belongs("announced-after", to: ["handoff"], or: joins) {
            attachment.announcedAfter = settings.span(
                "announced-after", "delay until the system reports the network to the app")
        }
        if belongs("portal", to: ["handoff"], or: joins) {
            attachment.portal = settings.span(
                "portal", in: TimelineLine.anySpan, "time in which only a captive portal answers")
        }
        if belongs("metered", to: ["handoff"], or: joins) {
            attachment.isMetered = settings.flag(
                "metered", "data saver takes the network as metered; default: a carrier's network is, others are not")
        }
        if belongs("reach", to: ["handoff"], or: joins) {
            attachment.reach = Self.reach(&settings)
        }
        if belongs("interface", to: ["dead-zone", "wan-cut", "one-way", "spurious", "access", "nat"]) {
            interface = settings.word(
                "interface", of: TimelineLine.interfaces, "network that is affected; default: the phone's network")
        }
        if belongs("for", to: ["one-way", "server", "instance", "dns", "conditions", "signal"]) {
            length = settings.value(
                "for", SpanRange.form(in: TimelineLine.anySpan), "duration; default: until another entry ends it")
        }
        readMove(&settings)
        noteContradiction(&settings)
    }

    private static func reach(_ settings: inout SettingsReader) -> Reach {
        let reach = settings.word(
            "reach", of: Reach.allCases.map { ($0.name, $0) },
            "hosts that the network leads to, default: all; internet: not the app's server; server: only the app's "
                + "server, so the system finds no internet; nothing: neither")
        return reach ?? .all
    }

    private func noteContradiction(_ settings: inout SettingsReader) {
        guard gap.greatest > .zero, overlap.greatest > .zero else { return }
        settings.note(
            Fault(
                .contradiction, at: settings.mark(of: "overlap"), width: 7, "`gap` and `overlap`",
                label: "remove one of the two"))
    }

    /// Reads the keys of a server that moves.
    private mutating func readMove(_ settings: inout SettingsReader) {
        guard settings.isDescribing || settings.peek("server")?.scalar == "moves" else {
            return settings.refuse(
                ["old-address", "dns-after"], "without `server: moves`",
                label: "only a server that moves has an old address")
        }
        oldAddress = settings.word(
            "old-address", of: OldAddress.allCases.map { ($0.name, $0) }, default: .silent,
            "server: moves: packets to the address that the server leaves vanish, or are answered with a reset")
        dnsAfter = settings.span(
            "dns-after", default: .zero, in: Self.anyGap,
            "server: moves: time until resolvers answer with the new address")
    }
}

extension PathLossSignal {
    static let words: [(String, PathLossSignal)] = [
        ("error", .error), ("silent", .silent), ("half-open", .halfOpen), ("reset", .reset), ("end", .ended),
    ]
}

extension TimelineLine {
    static let interfaces = Interface.allCases.map { ($0.name, $0) }

    /// `true` if a network of the interface is joined, `false` if it is left, `nil` if the key is missing or invalid.
    static func joins(_ interface: Interface, _ settings: inout SettingsReader) -> Bool? {
        let key = interface.name
        let help =
            !interface.isCellular
            ? "name of the network that is joined, or off" : "on, off, or the name of the network"
        guard let network = settings.text(key, help) else { return nil }
        if let node = settings.peek(key), node.content == .scalar(network, quoted: false), network != "off",
            ["off", "no", "n", "false"].contains(network.lowercased())
        {
            settings.note(
                node.fault(
                    .unknownWord, "`\(network)` is no network", label: "write off",
                    help: "write the name of a network in quotes"))
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
                "`cell-handover: false` has no effect",
                label: "remove it"))
        return nil
    }

    /// The new link names by interface.
    static func conditions(_ settings: inout SettingsReader) -> [(Interface, String)]? {
        settings.section("conditions", "another link from now on, or for the duration in `for`") { settings in
            Interface.allCases.compactMap { interface in
                settings.text(
                    interface.name, "link name: one of `deadzone list links`, one under links: others:, or usual"
                ).map { (interface, $0) }
            }
        }
    }

    /// Reads access to a network: `{access: on-demand, takes: 2s}`.
    static func access(_ settings: inout SettingsReader) -> Access? {
        let words = [
            ("open", Access.open), ("refused", .refused), ("on-demand", .needsConnection(.seconds(1))),
            ("by-hand", .needsConnection(nil)),
        ]
        let access = settings.word(
            "access", of: words,
            "iOS: refused: the user denies the app this network; on-demand, by-hand: the network needs a connection first, which "
                + "the first packet starts, or the user; open: normal access")
        let isOnDemand = access == .needsConnection(.seconds(1))
        guard isOnDemand || settings.isDescribing else {
            settings.refuse(
                ["takes"], "without `access: on-demand`",
                label: "only `access: on-demand` sets up a connection by a packet")
            return access
        }
        // Assumed, as for a cellular bearer.
        let takes = settings.span(
            "takes", default: .seconds(1), in: anySpan, "access: on-demand: set-up time of the connection")
        return isOnDemand ? .needsConnection(takes) : access
    }
}
