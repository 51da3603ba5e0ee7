public import DeadzonePrimitives

/// Where one phone stands on the cycles of its network: fixed for the run, uniform over phones.
public struct RadioPhases: Hashable, Sendable, BitwiseCopyable {
    /// Nanoseconds into the paging cycle (the beacon cycle of Wi-Fi).
    public var paging: Int64
    /// Nanoseconds into the long DRX cycle; the short cycle starts at the same offset modulo its length
    /// (`drx-StartOffset`, 3GPP TS 36.321 clause 5.7).
    public var drx: Int64

    public init(paging: Int64, drx: Int64) {
        self.paging = paging
        self.drx = drx
    }

    /// Phases from two random words, each uniform over the profile's own cycle.
    public init(_ profile: RadioProfile, pagingWord: UInt64, drxWord: UInt64) {
        func phase(_ word: UInt64, _ cycle: Cycle) -> Int64 {
            Int64(word.scaled(below: UInt64(max(cycle.period.nanoseconds, 1))))
        }
        switch profile.machine {
        case .cellular(let timers):
            self.init(paging: phase(pagingWord, timers.paging), drx: phase(drxWord, timers.drx.long))
        case .umts(let timers): self.init(paging: phase(pagingWord, timers.paging), drx: 0)
        case .wifi(let timers): self.init(paging: phase(pagingWord, timers.beacon), drx: 0)
        }
    }

    /// The phases of a phone: weather, so the same for every strategy.
    public static func draw(_ profile: RadioProfile, seed: UInt64, phone: PhoneID) -> RadioPhases {
        let isWiFi = profile.technology == .wifi
        return RadioPhases(
            profile,
            pagingWord: Dice(seed: seed, phone: phone, purpose: isWiFi ? .beaconPhase : .pagingPhase).at(0),
            drxWord: Dice(seed: seed, phone: phone, purpose: .drxPhase).at(0))
    }
}
