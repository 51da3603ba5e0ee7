import DeadzoneBase
import DeadzoneSimulator

/// The condition under which an app generates traffic: always, only in the foreground, or only in the background.
enum AppStateCondition: Hashable {
    case always
    /// The app is in the foreground, with the screen on.
    case inForeground
    /// The app is not visible: it is in the background, or the screen is off.
    case inBackground

    static let words: [(String, Self)] = [
        ("always", .always), ("foreground", .inForeground), ("background", .inBackground),
    ]

    /// The fault if the timeline never reaches this state.
    func fault(at mark: SourceMark) -> Fault {
        let isBackground = self == .inBackground
        return Fault(
            .contradiction, at: mark, width: 7,
            "`while: \(Self.words.word(self))` for an app that is then \(isBackground ? "always" : "never") in the foreground",
            label: isBackground
                ? "in the timeline, `app: background` or `screen: off` ends the foreground"
                : "in the timeline, `app: foreground` and `screen: on` start the foreground")
    }
}

/// The intervals of a scenario in which the app is in the foreground, or in the background, on every phone. While
/// phones differ, neither applies. If a platform kills apps by itself, the app is assumed to keep its state, because
/// kills are not known before the run.
struct AppStateIntervals {
    private var inForeground: [Range<Instant>]?
    private var inBackground: [Range<Instant>]?

    /// No restriction: every state has all the time.
    init() {}

    init(_ timeline: [TimelineEntry], until horizon: Instant) {
        inForeground = Self.times(in: timeline, until: horizon, where: true)
        inBackground = Self.times(in: timeline, until: horizon, where: false)
    }

    /// The intervals of a state; `nil` if there is no restriction.
    subscript(appState: AppStateCondition) -> [Range<Instant>]? {
        switch appState {
        case .always: nil
        case .inForeground: inForeground
        case .inBackground: inBackground
        }
    }

    private static func times(
        in timeline: [TimelineEntry], until horizon: Instant, where isWanted: Bool
    ) -> [Range<Instant>] {
        var times: [Range<Instant>] = []
        // `nil` if the app is open on some phones only.
        var isOpen: Bool? = true
        var isLit = true
        var since: Instant? = isWanted ? .zero : nil
        for entry in timeline {
            switch entry.change {
            case .app(let foreground): isOpen = foreground
            case .screen(let on): isLit = on
            case .kill where isLit, .forceStop:
                let isForAll = entry.occurrence.map { $0.phones == .one && $0.sampler == nil } ?? true
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
