public import DeadzonePrimitives
public import DeadzoneSystem

/// Trouble at random moments, as the WebSocket article wants clients tested: disconnects every 5 to 30 s for ten minutes, changes
/// of network, and an app that is killed with a message on its way. A function of its own seed: the same trouble for every client
/// and in every replica.
public struct Chaos: Hashable, Sendable {
    /// From one to the next, in nanoseconds; nil: none.
    public var disconnect: Distribution?
    /// To the other radio.
    public var handoff: Distribution?
    /// The process ends, and the user opens the app again one to five seconds later.
    public var kill: Distribution?
    /// No signal where the phone is: from the end of one dead zone to the beginning of the next, and how long each lasts.
    public var deadZone: Distribution?
    public var darkness = Distribution.constant(1)
    /// How connections of a network end that is left, or that has another address; nil: one manner is as likely as another.
    public var ends: OldPath?
    public var length: TimeSpan
    public var seed: UInt64

    public init(
        disconnect: Distribution? = nil, handoff: Distribution? = nil, kill: Distribution? = nil, length: TimeSpan,
        seed: UInt64
    ) {
        self.disconnect = disconnect
        self.handoff = handoff
        self.kill = kill
        self.length = length
        self.seed = seed
    }

    private enum Trouble: UInt32, CaseIterable { case disconnect, handoff, kill, deadZone }

    private static let manners: [OldPath] = [.error, .silent, .reset, .ended]

    /// What happens, and how long after the beginning; equal times in the order of the list.
    /// - Parameter isUp: By interface; which networks there are, and which there are in the end.
    public func changes(of radios: [Interface], _ isUp: inout [Bool]) -> [(after: TimeSpan, change: Change)] {
        var moments: [(after: TimeSpan, trouble: Trouble, bits: UInt64)] = []
        for trouble in Trouble.allCases {
            guard let gaps = gaps(of: trouble) else { continue }
            let dice = Dice(seed: seed, phone: PhoneID(trouble.rawValue), purpose: .timeline)
            var after = TimeSpan.zero
            var slot: UInt64 = 0
            while true {
                let (gap, bits) = dice.pair(at: slot)
                // A millisecond at least, or a generator could stand still.
                after += .nanoseconds(max(gaps.draw(gap), 1_000_000))
                guard after < length else { break }
                moments.append((after, trouble, bits))
                if trouble == .deadZone { after += span(ofDarkness: bits) }
                slot += 1
            }
        }
        moments.sort { ($0.after, $0.trouble.rawValue) < ($1.after, $1.trouble.rawValue) }
        var changes: [(after: TimeSpan, change: Change)] = []
        for moment in moments { changes += happen(moment.trouble, moment.bits, moment.after, radios, &isUp) }
        return changes
    }

    private func gaps(of trouble: Trouble) -> Distribution? {
        switch trouble {
        case .disconnect: disconnect
        case .handoff: handoff
        case .kill: kill
        case .deadZone: deadZone
        }
    }

    private func span(ofDarkness bits: UInt64) -> TimeSpan { .nanoseconds(max(darkness.draw(bits), 1_000_000)) }

    private func happen(
        _ trouble: Trouble, _ bits: UInt64, _ after: TimeSpan, _ radios: [Interface], _ isUp: inout [Bool]
    ) -> [(after: TimeSpan, change: Change)] {
        let current = Interface.allCases.first { isUp[Int($0.rawValue)] }
        let manner = ends ?? Self.manners[Int(bits.scaled(below: UInt64(Self.manners.count)))]
        switch trouble {
        case .disconnect: return current.map { [(after, .readdress($0, manner))] } ?? []
        case .deadZone:
            guard let current else { return [] }
            let light = min(after + span(ofDarkness: bits), length)
            return [(after, .coverage(current, false)), (light, .coverage(current, true))]
        case .kill:
            let back = TimeSpan.milliseconds(1_000 + Int64(bits.scaled(below: 4_000)))
            return [(after, .kill), (after + back, .app(foreground: true))]
        case .handoff:
            guard let current, let other = radios.first(where: { $0 != current }) else { return [] }
            var changes: [(after: TimeSpan, change: Change)] = []
            if !isUp[Int(other.rawValue)] { changes.append((after, .pathUp(other, .plain))) }
            changes.append((after, .pathDown(current, manner)))
            isUp[Int(other.rawValue)] = true
            isUp[Int(current.rawValue)] = false
            return changes
        }
    }
}
