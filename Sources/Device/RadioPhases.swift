public import DeadzonePrimitives

/// Where one phone stands on the cycles of its network: fixed for the run, uniform over phones.
public struct RadioPhases: Hashable, Sendable, BitwiseCopyable {
    /// Nanoseconds into the paging cycle (the beacon cycle of Wi-Fi).
    public var paging: Int64
    /// Nanoseconds into the long DRX cycle; the short cycle starts at the same offset modulo its length
    /// (`drx-StartOffset`, 3GPP TS 36.321 clause 5.7).
    public var drx: Int64

    /// What the lengths are drawn from that vary from time to time.
    public private(set) var luck: UInt64

    public init(paging: Int64, drx: Int64, luck: UInt64 = 0) {
        self.paging = paging
        self.drx = drx
        self.luck = luck
    }

    /// Dice for each instant: the same phone has the same luck then, whatever it did before.
    func dice(at now: Instant) -> (UInt64, UInt64) {
        Philox.block(key: luck, counter: (UInt64(bitPattern: now.nanoseconds), 0))
    }

    /// The phases of a phone: weather, so the same for every strategy.
    public static func draw(_ profile: RadioProfile, seed: UInt64, phone: PhoneID) -> RadioPhases {
        profile.phases(seed: seed, phone: phone)
    }
}

extension RadioProfile {
    /// Drawn where the numbers lie: of a profile that is handed on all are copied, for each phone of a herd.
    public func phases(seed: UInt64, phone: PhoneID) -> RadioPhases {
        func phase(_ purpose: Purpose, _ cycle: Cycle) -> Int64 {
            let word = Dice(seed: seed, phone: phone, purpose: purpose).at(0)
            return Int64(word.scaled(below: UInt64(max(cycle.period.nanoseconds, 1))))
        }
        let luck = Dice(seed: seed, phone: phone, purpose: .radioLuck).at(0)
        return switch technique {
        case .cellular:
            RadioPhases(
                paging: phase(.pagingPhase, cellular.paging), drx: phase(.drxPhase, cellular.drx.long), luck: luck)
        case .umts: RadioPhases(paging: phase(.pagingPhase, umts.paging), drx: 0, luck: luck)
        case .wifi: RadioPhases(paging: phase(.beaconPhase, wifi.beacon), drx: 0, luck: luck)
        }
    }
}
