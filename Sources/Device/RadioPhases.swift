package import DeadzoneBase

/// Time offsets of one phone in the periodic cycles of its network, such as paging. They are fixed for the run and
/// uniformly distributed over phones.
package struct RadioPhases: Hashable, Sendable, BitwiseCopyable {
    /// Offset in the paging cycle in nanoseconds (in the beacon cycle for Wi-Fi).
    package var paging: Int64
    /// Offset in the long DRX cycle in nanoseconds; the short cycle starts at the same offset modulo its length
    /// (`drx-StartOffset`, 3GPP TS 36.321 clause 5.7).
    package var drx: Int64

    /// The phone's random key, from which durations that vary are drawn.
    package private(set) var luck: UInt64

    package init(paging: Int64, drx: Int64, luck: UInt64 = 0) {
        self.paging = paging
        self.drx = drx
        self.luck = luck
    }

    /// Returns random words for an instant. The same phone gets the same words at the same instant, whatever it did
    /// before.
    func dice(at now: Instant) -> (UInt64, UInt64) {
        Philox.block(key: luck, counter: (UInt64(bitPattern: now.nanoseconds), 0))
    }

    /// Draws the cycle offsets (phases) of a phone. They are weather (conditions that no client influences): the same
    /// for every strategy.
    package static func draw(_ profile: RadioProfile, seed: UInt64, phone: PhoneID) -> RadioPhases {
        profile.phases(seed: seed, phone: phone)
    }
}

extension RadioProfile {
    /// Draws the cycle offsets of a phone. It is a method of the profile, because passing the profile as an argument
    /// copies all its parameters for each phone of a herd.
    package func phases(seed: UInt64, phone: PhoneID) -> RadioPhases {
        func phase(_ purpose: Purpose, _ cycle: Cycle) -> Int64 {
            let word = Dice(seed: seed, phone: phone, purpose: purpose).at(0)
            return Int64(word.scaled(below: UInt64(max(cycle.period.nanoseconds, 1))))
        }
        let luck = Dice(seed: seed, phone: phone, purpose: .radioLuck).at(0)
        return switch machineKind {
        case .cellular:
            RadioPhases(
                paging: phase(.pagingPhase, cellular.pagingPeriod), drx: phase(.drxPhase, cellular.drx.long), luck: luck
            )
        case .umts: RadioPhases(paging: phase(.pagingPhase, umts.paging), drx: 0, luck: luck)
        case .wifi: RadioPhases(paging: phase(.beaconPhase, wifi.beacon), drx: 0, luck: luck)
        }
    }
}
