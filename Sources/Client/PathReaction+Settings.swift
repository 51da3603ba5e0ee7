import DeadzonePrimitives
public import DeadzoneSettings

extension SettingsReader {
    private static var reactionWords: [(String, PathReaction.Reaction)] {
        [
            ("ignore", .ignore), ("hurry", .hurry), ("probe", .probe), ("migrate", .migrate), ("drop", .drop),
            ("reconnect", .reconnect),
        ]
    }

    /// `on-path-change: reconnect`, or `on-path-change: {available: reconnect, unblocked: hurry, debounce: 300ms}`
    public mutating func pathReaction(_ key: String, slot: TimerSlot, _ help: String = "") -> PathReaction {
        let plain = Form.word(Self.reactionWords).map {
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
                settings.readManner(&facet)
            } else {
                settings.refuse(
                    ["debounce", "compares", "resets-backoff"], "without an event that matters",
                    label: "every event is ignored: write `available: reconnect`, for instance")
            }
            return facet
        }
        return read ?? PathReaction(slot: slot)
    }

    private mutating func readManner(_ facet: inout PathReaction) {
        facet.comparison = word(
            "compares",
            of: [("handle", PathReaction.Sameness.handle), ("category", .category), ("nothing", .nothing)],
            default: .handle,
            "when `available` and `lost` count: another network, another kind (none, Wi-Fi, cellular), or always")
        facet.debounce = span(
            "debounce", default: .zero, "acts only when the system has said nothing more for so long")
        facet.resetsBackoff = flag(
            "resets-backoff", default: true, "whether the waits between attempts begin anew")
    }

    private static var networkEvents: [(String, NetworkChange.Kind, String)] {
        [
            ("available", .available, "another network is the default now"),
            ("lost", .lost, "the network is gone"),
            ("losing", .losing, "the network will go soon"),
            ("validated", .validated, "the system has found that it reaches the internet"),
            ("unvalidated", .unvalidated, "the system has found that it does not"),
            ("blocked", .blocked, "the app may not use the network"),
            ("unblocked", .unblocked, "the app may use it again, though it never went"),
            ("capabilities", .capabilities, "something about the network changed that matters to no connection"),
        ]
    }
}
