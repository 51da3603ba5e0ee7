package import DeadzoneBase

/// Generates random disturbances for testing clients: disconnects, network changes, process kills and dead zones.
///
/// The WebSocket article recommends disconnects every 5 to 30 s for ten minutes, changes of network, and killing the
/// app while a message is in flight. The disturbances depend only on a seed of their own. They are the same for every
/// client and in every replica.
package struct Chaos: Hashable, Sendable {
    /// Time between two disconnects, in nanoseconds; `nil` if there are none.
    package var disconnect: Distribution?
    /// Time between two handoffs to the other radio, in nanoseconds; `nil` if there are none.
    package var handoff: Distribution?
    /// Time between two process kills, in nanoseconds; `nil` if there are none. The user opens the app again one to
    /// five seconds later.
    package var kill: Distribution?
    /// Time from the end of one dead zone (no signal) to the beginning of the next, in nanoseconds; `nil` if there are
    /// none.
    package var deadZone: Distribution?
    /// Length of each dead zone, in nanoseconds.
    package var deadZoneLength = Distribution.constant(1)
    /// The signal with which connections end when a network is left or gets another address; `nil` picks one of the
    /// possibilities with equal probability.
    package var ends: PathLossSignal?
    package var length: TimeSpan
    package var seed: UInt64

    package init(
        disconnect: Distribution? = nil, handoff: Distribution? = nil, kill: Distribution? = nil, length: TimeSpan,
        seed: UInt64
    ) {
        self.disconnect = disconnect
        self.handoff = handoff
        self.kill = kill
        self.length = length
        self.seed = seed
    }

    private enum Disturbance: UInt32, CaseIterable { case disconnect, handoff, kill, deadZone }

    private static let lossSignals: [PathLossSignal] = [.error, .silent, .reset, .ended]

    /// Generates the changes of conditions, each with its offset from the beginning. Equal offsets keep the order of
    /// the list.
    /// - Parameter isUp: `true` for each interface with a network that is up; updated to the state at the end.
    package func changes(of radios: [Interface], _ isUp: inout [Bool]) -> [(after: TimeSpan, change: ConditionChange)] {
        var moments: [(after: TimeSpan, disturbance: Disturbance, bits: UInt64)] = []
        for disturbance in Disturbance.allCases {
            guard let gaps = gaps(of: disturbance) else { continue }
            let dice = Dice(seed: seed, phone: PhoneID(disturbance.rawValue), purpose: .timeline)
            var after = TimeSpan.zero
            var slot: UInt64 = 0
            while true {
                let (gap, bits) = dice.pair(at: slot)
                // At least one millisecond, so that the generator always makes progress.
                after += .nanoseconds(max(gaps.draw(gap), 1_000_000))
                guard after < length else { break }
                moments.append((after, disturbance, bits))
                if disturbance == .deadZone { after += span(ofDarkness: bits) }
                slot += 1
            }
        }
        moments.sort { ($0.after, $0.disturbance.rawValue) < ($1.after, $1.disturbance.rawValue) }
        var changes: [(after: TimeSpan, change: ConditionChange)] = []
        for moment in moments { changes += expand(moment.disturbance, moment.bits, moment.after, radios, &isUp) }
        return changes
    }

    private func gaps(of disturbance: Disturbance) -> Distribution? {
        switch disturbance {
        case .disconnect: disconnect
        case .handoff: handoff
        case .kill: kill
        case .deadZone: deadZone
        }
    }

    private func span(ofDarkness bits: UInt64) -> TimeSpan { .nanoseconds(max(deadZoneLength.draw(bits), 1_000_000)) }

    private func expand(
        _ disturbance: Disturbance, _ bits: UInt64, _ after: TimeSpan, _ radios: [Interface], _ isUp: inout [Bool]
    ) -> [(after: TimeSpan, change: ConditionChange)] {
        let current = Interface.byPreference.first {
            isUp.indices.contains(Int($0.rawValue)) && isUp[Int($0.rawValue)]
        }
        let lossSignal = ends ?? Self.lossSignals[Int(bits.scaled(below: UInt64(Self.lossSignals.count)))]
        switch disturbance {
        case .disconnect: return current.map { [(after, .readdress($0, lossSignal))] } ?? []
        case .deadZone:
            guard let current else { return [] }
            let light = min(after + span(ofDarkness: bits), length)
            return [(after, .coverage(current, false)), (light, .coverage(current, true))]
        case .kill:
            let back = TimeSpan.milliseconds(1_000 + Int64(bits.scaled(below: 4_000)))
            return [(after, .kill), (after + back, .app(foreground: true))]
        case .handoff:
            guard let current, let other = radios.first(where: { $0 != current }) else { return [] }
            var changes: [(after: TimeSpan, change: ConditionChange)] = []
            if !isUp[Int(other.rawValue)] { changes.append((after, .pathUp(other, .plain))) }
            changes.append((after, .pathDown(current, lossSignal)))
            isUp[Int(other.rawValue)] = true
            isUp[Int(current.rawValue)] = false
            return changes
        }
    }
}
