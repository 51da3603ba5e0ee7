import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneWorld

/// Where the app has to be for a stream to flow.
enum Presence: Hashable {
    case always
    /// It is what the user looks at.
    case inFront
    /// It is not: the user looks at something else, or at nothing.
    case behind

    static let words: [(String, Self)] = [("always", .always), ("foreground", .inFront), ("background", .behind)]

    /// There is no such time, but there ought to be.
    func fault(at mark: Mark) -> Fault {
        let isBehind = self == .behind
        return Fault(
            .contradiction, at: mark, width: 7,
            "`while: \(Self.words.word(self))` for an app that is \(isBehind ? "always" : "never") in front then",
            label: isBehind
                ? "the timeline takes it away by `app: background` or `screen: off`"
                : "the timeline brings it there by `app: foreground` and `screen: on`")
    }
}

/// When the app is in front on every phone, and when on none. Where that differs from phone to phone it is neither. Where a system
/// ends the app by itself it is taken to stay where it was: nobody knows that before the run.
struct PresenceTimes {
    private var inFront: [Range<Instant>]?
    private var behind: [Range<Instant>]?

    /// Whatever a stream asks for.
    init() {}

    init(_ timeline: [TimelineEntry], until horizon: Instant) {
        inFront = Self.times(in: timeline, until: horizon, where: true)
        behind = Self.times(in: timeline, until: horizon, where: false)
    }

    /// Nil: all the time.
    subscript(presence: Presence) -> [Range<Instant>]? {
        switch presence {
        case .always: nil
        case .inFront: inFront
        case .behind: behind
        }
    }

    private static func times(
        in timeline: [TimelineEntry], until horizon: Instant, where isWanted: Bool
    ) -> [Range<Instant>] {
        var times: [Range<Instant>] = []
        // Nil: open on some phones only.
        var isOpen: Bool? = true
        var isLit = true
        var since: Instant? = isWanted ? .zero : nil
        for entry in timeline {
            switch entry.change {
            case .app(let foreground): isOpen = foreground
            case .screen(let on): isLit = on
            case .kill where isLit, .forceStop:
                let isForAll = entry.chance.map { $0.phones == .one && $0.lot == nil } ?? true
                isOpen = isForAll || isOpen == false ? false : nil
            default: continue
            }
            if (isLit ? isOpen : false) == isWanted {
                since = since ?? entry.latest
            } else if let from = since {
                if from < entry.at { times.append(from..<entry.at) }
                since = nil
            }
        }
        if let since, since < horizon { times.append(since..<horizon) }
        return times
    }
}
