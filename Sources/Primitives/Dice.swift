/// What a draw is for. Part of the address of every die: raw values are stable, append only.
public enum Purpose: UInt16, Sendable, BitwiseCopyable {
    case strategy = 1
    case trafficDown, trafficUp, trafficProbe
    case sizeDown, sizeUp
    case linkWifiUp, linkWifiDown, linkCellularUp, linkCellularDown
    case lossWifiUp, lossWifiDown, lossCellularUp, lossCellularDown
    case pagingPhase, drxPhase, beaconPhase
    case timeline
    case bootstrap, test
    case trafficCall, sizeCall, sizeAnswer
    /// Validation times, lead times and other habits of the operating system.
    case system
    case resolver
    /// Errors of the server's program, and when a deploy comes to a phone's connection.
    case serverErrors = 40
    case deploy
    /// When the app's consumer stalls, for how long, and what a message takes it.
    case stalls, consumption
    /// How much longer or shorter a server keeps each connection.
    case serverAge = 48
    /// Keys of a session, as a hash sees them.
    case dedup = 49
    /// When a change of the timeline comes to each phone, where they do not all meet it at once.
    case moments = 50
    /// What a radio's network takes now longer and now shorter for.
    case radioLuck = 51
    /// How far a phone's clock is from the scenario's, as its kernel counts.
    case clockPhase = 52
    /// Traffic sources beside the client under test, each with its own.
    case firstTenant = 64
    case secondTenant, thirdTenant, fourthTenant
    /// Dice that are not thrown: see `Dice.rehearsal`.
    case usual = 96
    case lowest, highest
}

extension Purpose {
    /// Of a tenant, by its place.
    public static func tenant(_ index: Int) -> Purpose {
        switch index {
        case 0: .firstTenant
        case 1: .secondTenant
        case 2: .thirdTenant
        default: .fourthTenant
        }
    }
}

/// The dice of one phone for one purpose. `at(slot)` is weather: the same address gives the same value whatever else was
/// drawn. As a `RandomNumberGenerator` it walks the slots in order, for policies that keep dice of their own.
public struct Dice: RandomNumberGenerator, Sendable, BitwiseCopyable {
    @usableFromInline let key: UInt64
    @usableFromInline let lane: UInt64
    @usableFromInline var slot: UInt64

    /// The seed is the key; phone and purpose make the upper counter word, the slot the lower: addresses never overlap.
    @inlinable public init(seed: UInt64, phone: PhoneID, purpose: Purpose) {
        key = seed
        lane = UInt64(phone.index) << 16 | UInt64(purpose.rawValue)
        slot = 0
    }

    /// Two independent 64-bit words for a slot.
    @inlinable public func pair(at slot: UInt64) -> (UInt64, UInt64) {
        Philox.block(key: key, counter: (slot, lane))
    }

    @inlinable public func at(_ slot: UInt64) -> UInt64 { pair(at: slot).0 }

    @inlinable public mutating func next() -> UInt64 {
        defer { slot &+= 1 }
        return at(slot)
    }
}

extension Dice {
    /// What dice say that are not thrown. With them a law that jitters can be asked what it does without, and how far it
    /// goes: whoever draws between two bounds takes the usual value, the lower or the upper bound.
    public enum Rehearsal: UInt16, CaseIterable, Sendable, BitwiseCopyable {
        case usual = 96
        case lowest, highest
    }

    public init(rehearsing rehearsal: Rehearsal) {
        self.init(seed: 0, phone: PhoneID(0), purpose: Purpose(rawValue: rehearsal.rawValue)!)
    }

    /// nil: these dice are thrown.
    public var rehearsal: Rehearsal? { Rehearsal(rawValue: UInt16(truncatingIfNeeded: lane)) }
}

extension UInt64 {
    /// A seed for one replica, derived from the seed of the run; replica 0 has the run's own seed.
    @inlinable public func seed(ofReplica replica: Int) -> UInt64 {
        replica == 0 ? self : Philox.block(key: self, counter: (UInt64(replica), .max)).0
    }

    /// Maps 64 random bits onto 0..<bound without division, bias below bound / 2^64.
    @inlinable public func scaled(below bound: UInt64) -> UInt64 { multipliedFullWidth(by: bound).high }
}
