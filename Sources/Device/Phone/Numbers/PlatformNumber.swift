public import DeadzonePrimitives

/// One number of the platforms of a family: where it goes, and since which release it is what it is, with the source of
/// each. Cold: nothing on the hot path.
public struct PlatformNumber: Sendable {
    public enum Place: Sendable {
        case span(any WritableKeyPath<Platform, TimeSpan> & Sendable)
        case count(any WritableKeyPath<Platform, Int64> & Sendable)
        /// 0 or 1.
        case flag(any WritableKeyPath<Platform, Bool> & Sendable)
        /// In microwatts.
        case power(any WritableKeyPath<Platform, Power> & Sendable)
        /// In microjoules.
        case energy(any WritableKeyPath<Platform, Energy> & Sendable)
        case bucket(any WritableKeyPath<Platform, StandbyBucket> & Sendable)
    }

    public struct Value: Sendable {
        /// The first release that has it.
        public var since: Int
        /// Nanoseconds, a count, 0 or 1, microwatts or microjoules.
        public var number: Int64
        public var trust: Trust
        /// A citation; empty for a plain assumption.
        public var source: String
        public var note: String
    }

    /// The place in a platform: `doze.light.idle`.
    public var key: String
    public var help: String
    public var place: Place
    /// By release, the first one first.
    public var values: [Value]

    /// What holds in a release.
    public func value(in release: Int) -> Value? { values.last { $0.since <= release } }

    public func write(_ number: Int64, to platform: inout Platform) {
        switch place {
        case .span(let path): platform[keyPath: path] = .nanoseconds(number)
        case .count(let path): platform[keyPath: path] = number
        case .flag(let path): platform[keyPath: path] = number != 0
        case .power(let path): platform[keyPath: path] = .microwatts(number)
        case .energy(let path): platform[keyPath: path] = Energy(femtojoules: Int128(number) * 1_000_000_000)
        case .bucket(let path): platform[keyPath: path] = StandbyBucket(rawValue: UInt8(number)) ?? .active
        }
    }

    /// What a platform has there.
    public func number(in platform: Platform) -> Int64 {
        switch place {
        case .span(let path): platform[keyPath: path].nanoseconds
        case .count(let path): platform[keyPath: path]
        case .flag(let path): platform[keyPath: path] ? 1 : 0
        case .power(let path): platform[keyPath: path].femtojoules / platform[keyPath: path].cycle
        case .energy(let path): Int64(platform[keyPath: path].femtojoules / 1_000_000_000)
        case .bucket(let path): Int64(platform[keyPath: path].rawValue)
        }
    }

    /// No number may be smaller. What happens again and again takes at least a second, or one moment would never end.
    public var least: Int64 {
        if key == "doze.growth" { return 1 }
        let again = [
            "doze.light.idle", "doze.light.budget", "doze.light.minimum", "doze.deep.idle", "doze.deep.maintenance",
            "doze.deep.motion", "life.refresh-every",
        ]
        return key.hasSuffix(".period") || again.contains { key.hasPrefix($0) && !key.hasSuffix("-inactive") }
            ? TimeSpan.seconds(1).nanoseconds : 0
    }
}
