import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneWorld

/// What comes to each phone at a moment of its own, or to some phones alone.
extension TimelineCompiler {
    /// The walk through a timeline is the same for every phone, so whoever is left out must be where the others are afterwards.
    mutating func mayVary(_ event: Occurrence, _ line: TimelineLine) -> Bool {
        guard event.saying.isDrawn || event.late.spread > .zero || event.phones < .one else { return true }
        if event.saying.traits.contains(.ofServer), !event.isCommon || event.phones < .one {
            note(
                .contradiction, line, "the server is the same for every phone",
                help: "with `together: true` all meet the moment that is drawn; `phones` stays away")
            return false
        }
        if event.phones < .one, !event.saying.leavesNothing {
            note(
                .contradiction, line, "phones that do not meet it would be elsewhere from then on",
                help:
                    "`phones` stands beside what ends by itself or changes no state, as `dead-zone`, `airplane`, "
                    + "`readdress`, `kill: app`, `conditions` and `one-way` with `for`")
            return false
        }
        return true
    }

    /// Where one line says what the other speaks of, every phone meets them in one order: nothing else of the kind may come while
    /// it is open when a change does.
    mutating func checkOrder(_ ordered: [Emitted], _ lines: [TimelineLine]) {
        var open: [Emitted] = []
        for change in ordered {
            open.removeAll { $0.latest <= change.at }
            if let other = open.first(where: { $0.change.meets(change.change) && !$0.precedes(change) }) {
                let first = lines[max(other.line, 0)]
                note(
                    .contradiction, lines[max(change.line, 0)],
                    "it may come before or after what line \(first.mark.line) says, by the phone",
                    help: "\(first.text) comes or ends between \(text(other.at)) and \(text(other.latest))")
                return
            }
            if change.chance != nil { open.append(change) }
        }
    }

    private func text(_ instant: Instant) -> String { Measure.span.text(instant.nanoseconds) }
}

extension TimelineCompiler.Emitted {
    fileprivate var latest: Instant { TimelineEntry(at: at, change, chance: chance).latest }

    /// For every phone, whatever its dice say.
    fileprivate func precedes(_ other: Self) -> Bool {
        guard let mine = chance else { return at <= other.at }
        // Late by the same part of the same span: only what is drawn beside that can turn them round.
        if let its = other.chance, its.drawnAt == mine.drawnAt, its.late == mine.late {
            return at + mine.longer.spread <= other.at
        }
        return latest <= other.at
    }
}

/// What a change says, and what it takes for granted.
private struct Matter: OptionSet {
    let rawValue: UInt32

    static let networks = Matter(rawValue: 1)
    static let app = Matter(rawValue: 1 << 1)
    static let server = Matter(rawValue: 1 << 2)
    static let names = Matter(rawValue: 1 << 3)
    static let technology = Matter(rawValue: 1 << 4)
    static let charging = Matter(rawValue: 1 << 5)
    static let motion = Matter(rawValue: 1 << 6)
    static let saving = Matter(rawValue: 1 << 7)
    static let alarmClock = Matter(rawValue: 1 << 8)
    static let timeOfDay = Matter(rawValue: 1 << 9)

    static func coverage(_ interface: Interface) -> Matter { Matter(rawValue: 1 << (10 + interface.index)) }
    static func uplink(_ interface: Interface) -> Matter { Matter(rawValue: 1 << (12 + interface.index)) }
    static func direction(_ interface: Interface) -> Matter { Matter(rawValue: 1 << (14 + interface.index)) }
    static func link(_ interface: Interface) -> Matter { Matter(rawValue: 1 << (16 + interface.index)) }
}

extension Change {
    /// Which of the two comes first makes a difference to what they say.
    fileprivate func meets(_ other: Change) -> Bool {
        let (mine, its) = (matter, other.matter)
        return !mine.says.isDisjoint(with: its.says.union(its.needs)) || !its.says.isDisjoint(with: mine.needs)
    }

    /// What begins some trouble speaks of the network that the phone is on; what ends it does not.
    private var matter: (says: Matter, needs: Matter) {
        switch self {
        case .pathUp, .pathDown, .fading, .readdress, .access: (.networks, [])
        case .coverage(let interface, let isThere): (.coverage(interface), isThere ? [] : .networks)
        case .uplink(let interface, let isThere): (.uplink(interface), isThere ? [] : .networks)
        case .oneWay(let interface, _, let passes): (.direction(interface), passes ? [] : .networks)
        case .conditions(let interface, _): (.link(interface), .networks)
        case .cellHandover, .mappingsLost, .spurious: ([], .networks)
        case .technology: (.technology, [])
        case .signal: ([.technology, .link(.cellular)], .networks)
        case .names: (.names, [])
        case .app, .screen, .kill, .forceStop: (.app, [])
        case .charging: (.charging, [])
        case .moving: (.motion, [])
        case .saving: (.saving, [])
        case .alarmClock: (.alarmClock, [])
        case .clockSet: (.timeOfDay, [])
        case .consumerStall, .push: ([], [])
        case .server, .instance, .deploy: (.server, [])
        }
    }
}
