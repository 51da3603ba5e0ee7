import DeadzoneEngine
import DeadzonePrimitives
import DeadzoneSettings

/// Keys that say how: each means something only beside some of the others.
struct Manner {
    var gap = TimeSpan.zero
    var overlap = TimeSpan.zero
    var network: String?
    var oldPath = OldPath.error
    var attachment = Attachment.plain
    var interface: Interface?
    /// How long it lasts; nil: until something else is said.
    var length: TimeSpan?
}

extension Manner {
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
            gap = settings.span("gap", default: .zero, "no network in between")
        }
        if belongs("overlap", to: ["handoff"]) {
            overlap = settings.span("overlap", default: .zero, "the old network stays so long beside the new one")
        }
        if belongs("name", to: ["handoff"]) { network = settings.text("name", "of the network that is joined") }
        if belongs("old-path", to: ["handoff", "airplane", "readdress"], or: leaves) {
            oldPath = settings.word(
                "old-path",
                of: [("error", OldPath.error), ("silent", .silent), ("reset", .reset), ("end", .ended)],
                default: .error,
                "how connections on the lost path end: with an error, reset, in order, or silently, taking writes that "
                    + "no one answers")
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
        if belongs("for", to: ["one-way", "server", "dns", "conditions"]) {
            length = settings.span("for", in: TimelineLine.anySpan, "how long; otherwise until something else is said")
        }
        if gap > .zero, overlap > .zero {
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: "overlap"), width: 7, "`gap` and `overlap`",
                    label: "remove one of the two"))
        }
    }
}

extension TimelineLine {
    static let interfaces = [("wifi", Interface.wifi), ("cellular", Interface.cellular)]

    /// Networks that come and go.
    static func networks(_ manner: Manner, _ settings: inout SettingsReader) -> [Saying] {
        var sayings: [Saying] = []
        for interface in Interface.allCases { sayings += state(of: interface, manner, &settings) }
        let target = settings.word("handoff", of: interfaces, "the phone moves to this interface")
        if let target {
            sayings.append(
                .handoff(
                    to: target,
                    HandoffManner(
                        gap: manner.gap, overlap: manner.overlap, oldPath: manner.oldPath, network: manner.network,
                        attachment: manner.attachment)))
        }
        let flight = settings.span("airplane", in: anySpan, "every network goes, and comes back after so long")
        if let flight { sayings.append(.airplane(flight, manner.oldPath)) }
        let moved = settings.word(
            "readdress", of: interfaces, "the same network with another address, as after a new registration")
        if let moved { sayings.append(.readdress(moved, manner.oldPath)) }
        return sayings
    }

    private static func state(
        of interface: Interface, _ manner: Manner, _ settings: inout SettingsReader
    ) -> [Saying] {
        let key = interface.name
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
        return network == "off" ? [.leaves(interface, manner.oldPath)] : [.joins(interface, manner.attachment)]
    }

    /// What happens to networks that stay.
    static func disturbances(_ manner: Manner, _ settings: inout SettingsReader) -> [Saying] {
        var sayings: [Saying] = []
        let dark = settings.value(
            "dead-zone", SpanRange.form(in: anySpan), "no signal for so long, while the network keeps its name")
        if let dark { sayings.append(.deadZone(dark, manner.interface)) }
        let cut = settings.value(
            "wan-cut", SpanRange.form(in: anySpan), "the network is there and the internet is not, so long")
        if let cut { sayings.append(.wanCut(cut, manner.interface)) }
        let oneWay = settings.word(
            "one-way", of: [("up", Direction?.some(.up)), ("down", .down), ("off", nil)],
            "only this direction still passes; off: both again")
        if let oneWay { sayings.append(.oneWay(oneWay, manner.length, manner.interface)) }
        let roam = settings.span(
            "roam", in: anySpan, "to another access point of the same Wi-Fi network; nothing passes for so long")
        if let roam { sayings.append(.roam(roam)) }
        switch settings.flag("cell-handover", "the cellular radio changes cell") {
        case true?: sayings.append(.cellHandover)
        case false?:
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: "cell-handover"), width: 13,
                    "`cell-handover: false` says nothing",
                    label: "leave it out"))
        case nil: break
        }
        let radio = settings.word(
            "technology", of: ["cellular", "lte", "nr", "umts"].map { ($0, $0) },
            "which of the cellular profiles under phone: radios: the radio is from now on")
        if let radio { sayings.append(.technology(radio)) }
        let rumour = settings.word(
            "spurious", of: [("capabilities", Spurious.capabilities), ("available", .available), ("flap", .flap)],
            "the system says something of the network that means nothing")
        if let rumour { sayings.append(.spurious(rumour, manner.interface)) }
        _ = settings.section("conditions", "packets meet another link from now on, or for: so long") { settings in
            for interface in Interface.allCases {
                let name = settings.text(
                    interface.name, "its name: one of `deadzone list links`, one under links: others:, or usual")
                if let name { sayings.append(.conditions(interface, name, manner.length)) }
            }
        }
        if let access = access(&settings) { sayings.append(.access(access, manner.interface)) }
        let forgets = settings.word("nat", of: [("forget", true)], "middleboxes forget every mapping")
        if forgets != nil { sayings.append(.mappingsForgotten(manner.interface)) }
        return sayings
    }

    /// `{access: on-demand, takes: 2s}`
    private static func access(_ settings: inout SettingsReader) -> Access? {
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
