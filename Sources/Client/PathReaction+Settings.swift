public import DeadzoneBase

extension SettingsReader {
    private static var reactionWords: [(String, PathReaction.Reaction)] {
        [
            ("ignore", .ignore), ("hurry", .hurry), ("probe", .probe), ("migrate", .migrate), ("drop", .drop),
            ("reconnect", .reconnect),
        ]
    }

    /// Reads the reactions to network changes, written as `on-path-change: reconnect` or `on-path-change: {available:
    /// reconnect, unblocked: hurry, debounce: 300ms}`.
    public mutating func pathReaction(_ key: String, slot: TimerSlot, _ help: String = "") -> PathReaction {
        let plain = ValueFormat.word(Self.reactionWords).map {
            PathReaction($0, slot: slot)
        } back: {
            $0[.available]
        }
        let read = either(key, help, plain: plain) { settings in
            var facet = PathReaction(slot: slot)
            for (word, kind, help) in Self.networkEvents {
                facet[kind] = settings.word(word, of: Self.reactionWords, default: .ignore, help)
            }
            if facet.reacts || settings.isDescribing {
                settings.readReactionOptions(&facet)
            } else {
                settings.refuse(
                    ["debounce", "compares", "resets-backoff"], "without an event that matters",
                    label: "every event is ignored: write `available: reconnect`, for instance")
            }
            return facet
        }
        return read ?? PathReaction(slot: slot)
    }

    private mutating func readReactionOptions(_ facet: inout PathReaction) {
        facet.comparison = word(
            "compares",
            of: [("handle", PathReaction.NetworkComparison.handle), ("category", .category), ("nothing", .nothing)],
            default: .handle,
            "changes that count for `available` and `lost`: another network, another kind (none, Wi-Fi, cellular), or every report"
        )
        facet.debounce = span(
            "debounce", default: .zero, "acts only after the system has reported nothing for this duration")
        facet.resetsBackoff = flag(
            "resets-backoff", default: true, "whether the backoff is reset")
    }

    private static var networkEvents: [(String, NetworkChange.NetworkEventKind, String)] {
        [
            ("available", .available, "another network has become the default"),
            ("lost", .lost, "the network is lost"),
            ("losing", .losing, "the network will be lost soon"),
            ("validated", .validated, "the system has found that the network reaches the internet"),
            ("unvalidated", .unvalidated, "the system has found that the network does not reach the internet"),
            ("blocked", .blocked, "the app may not use the network"),
            ("unblocked", .unblocked, "the app may use the network again; the network was never lost"),
            ("capabilities", .capabilities, "a property of the network has changed that affects no connection"),
        ]
    }
}
