/// The use of a random number, such as traffic or radio timing. The raw value is part of the address of every draw:
/// append new cases and never change a value.
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
    /// Delays of the operating system, such as validation times and lead times.
    case system
    case resolver
    /// Errors of the server program, and the time at which a deploy reaches a phone's connection.
    case serverErrors = 40
    case deploy
    /// Times and lengths of stalls of the app's consumer (`stalls`), and its processing time of each message
    /// (`consumption`).
    case stalls, consumption
    /// Random variation of the time for which a server keeps each connection.
    case serverAge = 48
    /// The salt with which session keys are hashed for deduplication.
    case dedup = 49
    /// The delay after which a timeline change reaches each phone, for changes that do not reach all phones at once.
    case changeTimes = 50
    /// Random variation of the durations in a radio network.
    case radioLuck = 51
    /// The phase of a phone's kernel clock relative to scenario time.
    case clockPhase = 52
    /// Random times by which deep Doze ends early.
    case doze = 53
    /// Traffic of the first other app on the phone; each other app has its own purpose.
    case firstOtherApp = 64
    case secondOtherApp, thirdOtherApp, fourthOtherApp
    /// Marks a draw that is fixed at its usual value instead of random: see `Dice.fixedDraw`.
    case usual = 96
    case lowest, highest
    /// The links of the interfaces beyond the common two.
    case linkBluetoothUp = 128
    case linkBluetoothDown, lossBluetoothUp, lossBluetoothDown
    case linkSIM2Up, linkSIM2Down, lossSIM2Up, lossSIM2Down
    case linkEthernetUp, linkEthernetDown, lossEthernetUp, lossEthernetDown
}

extension Purpose {
    /// Returns the purpose for the traffic of another app, by the app's index.
    package static func otherApp(_ index: Int) -> Purpose {
        switch index {
        case 0: .firstOtherApp
        case 1: .secondOtherApp
        case 2: .thirdOtherApp
        default: .fourthOtherApp
        }
    }
}

/// Random numbers of one phone for one purpose, addressed by slot. `at(slot)` depends only on its address: the value is
/// the same whatever else was drawn. As a `RandomNumberGenerator` the value returns the slots in order, for policies
/// that keep their own generator.
public struct Dice: RandomNumberGenerator, Sendable, BitwiseCopyable {
    @usableFromInline let key: UInt64
    @usableFromInline let counterHigh: UInt64
    @usableFromInline var slot: UInt64

    /// Creates the random numbers of one phone and purpose. The seed is the key of the generator. Phone and purpose
    /// form the upper counter word and the slot the lower, so addresses never overlap.
    @inlinable public init(seed: UInt64, phone: PhoneID, purpose: Purpose) {
        key = seed
        counterHigh = UInt64(phone.index) << 16 | UInt64(purpose.rawValue)
        slot = 0
    }

    /// Returns two independent 64-bit random words for a slot.
    @inlinable package func pair(at slot: UInt64) -> (UInt64, UInt64) {
        Philox.block(key: key, counter: (slot, counterHigh))
    }

    @inlinable public func at(_ slot: UInt64) -> UInt64 { pair(at: slot).0 }

    @inlinable public mutating func next() -> UInt64 {
        defer { slot &+= 1 }
        return at(slot)
    }
}

extension Dice {
    /// A fixed result that replaces a random draw: the usual value, the lower bound or the upper bound. It shows the
    /// value of a jittered rule without jitter, and its range.
    package enum FixedDraw: UInt16, CaseIterable, Sendable, BitwiseCopyable {
        case usual = 96
        case lowest, highest
    }

    package init(fixed fixedDraw: FixedDraw) {
        self.init(seed: 0, phone: PhoneID(0), purpose: Purpose(rawValue: fixedDraw.rawValue)!)
    }

    /// The fixed result of all draws; `nil` if the draws are random.
    package var fixedDraw: FixedDraw? { FixedDraw(rawValue: UInt16(truncatingIfNeeded: counterHigh)) }
}

extension UInt64 {
    /// Returns the seed of one replica, derived from the seed of the run. Replica 0 uses the seed of the run itself.
    @inlinable package func seed(ofReplica replica: Int) -> UInt64 {
        replica == 0 ? self : Philox.block(key: self, counter: (UInt64(replica), .max)).0
    }

    /// Maps this word of 64 random bits to 0..<bound without division. The bias is below bound / 2^64.
    @inlinable public func scaled(below bound: UInt64) -> UInt64 { multipliedFullWidth(by: bound).high }
}
