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

    /// Phases from two random words, each uniform over the profile's own cycle.
    public init(_ profile: RadioProfile, pagingWord: UInt64, drxWord: UInt64, luck: UInt64 = 0) {
        func phase(_ word: UInt64, _ cycle: Cycle) -> Int64 {
            Int64(word.scaled(below: UInt64(max(cycle.period.nanoseconds, 1))))
        }
        switch profile.machine {
        case .cellular(let timers):
            self.init(
                paging: phase(pagingWord, timers.paging), drx: phase(drxWord, timers.drx.long), luck: luck)
        case .umts(let timers): self.init(paging: phase(pagingWord, timers.paging), drx: 0, luck: luck)
        case .wifi(let timers): self.init(paging: phase(pagingWord, timers.beacon), drx: 0, luck: luck)
        }
    }

    /// The phases of a phone: weather, so the same for every strategy.
    public static func draw(_ profile: RadioProfile, seed: UInt64, phone: PhoneID) -> RadioPhases {
        let isWiFi = profile.technology == .wifi
        return RadioPhases(
            profile,
            pagingWord: Dice(seed: seed, phone: phone, purpose: isWiFi ? .beaconPhase : .pagingPhase).at(0),
            drxWord: Dice(seed: seed, phone: phone, purpose: .drxPhase).at(0),
            luck: Dice(seed: seed, phone: phone, purpose: .radioLuck).at(0))
    }
}
