package import DeadzoneBase

/// One parameter of an OS family: the property of `Platform` that it sets, and its value by release, each with its
/// source. Not used on the hot path.
package struct PlatformParameter: Sendable {
    package enum Destination: Sendable {
        case span(any WritableKeyPath<Platform, TimeSpan> & Sendable)
        case count(any WritableKeyPath<Platform, Int64> & Sendable)
        /// The parameter is a flag; its value is 0 or 1.
        case flag(any WritableKeyPath<Platform, Bool> & Sendable)
        /// The parameter is a power; its value is in microwatts.
        case power(any WritableKeyPath<Platform, Power> & Sendable)
        /// The parameter is an energy; its value is in microjoules.
        case energy(any WritableKeyPath<Platform, Energy> & Sendable)
        case bucket(any WritableKeyPath<Platform, StandbyBucket> & Sendable)
    }

    package struct ReleaseValue: Sendable {
        /// The first release with this value.
        package var since: Int
        /// The value as an integer: nanoseconds, a count, 0 or 1, microwatts or microjoules.
        package var number: Int64
        package var trust: Trust
        /// Citation of the value's source; empty for a plain assumption.
        package var source: String
        package var note: String
    }

    /// The parameter's key in a platform file, such as `doze.light.idle`.
    package var key: String
    package var help: String
    package var destination: Destination
    /// The parameter's values, in order of releases.
    package var values: [ReleaseValue]

    /// Returns the parameter's value in a release; `nil` if the release does not have the parameter.
    package func value(in release: Int) -> ReleaseValue? { values.last { $0.since <= release } }

    package func write(_ number: Int64, to platform: inout Platform) {
        switch destination {
        case .span(let path): platform[keyPath: path] = .nanoseconds(number)
        case .count(let path): platform[keyPath: path] = number
        case .flag(let path): platform[keyPath: path] = number != 0
        case .power(let path): platform[keyPath: path] = .microwatts(number)
        case .energy(let path): platform[keyPath: path] = Energy(femtojoules: Int128(number) * 1_000_000_000)
        case .bucket(let path): platform[keyPath: path] = StandbyBucket(rawValue: UInt8(number)) ?? .active
        }
    }

    /// Returns the parameter's value in a platform.
    package func number(in platform: Platform) -> Int64 {
        switch destination {
        case .span(let path): platform[keyPath: path].nanoseconds
        case .count(let path): platform[keyPath: path]
        case .flag(let path): platform[keyPath: path] ? 1 : 0
        case .power(let path): platform[keyPath: path].femtojoules / platform[keyPath: path].cycle
        case .energy(let path): Int64(platform[keyPath: path].femtojoules / 1_000_000_000)
        case .bucket(let path): Int64(platform[keyPath: path].rawValue)
        }
    }

    /// The minimum valid value of the parameter. A repeating event takes at least a second; at zero the simulation
    /// would never leave one instant.
    package var minimum: Int64 {
        if key == "doze.growth" { return 1 }
        let again = [
            "doze.light.idle", "doze.light.budget", "doze.light.minimum", "doze.deep.idle", "doze.deep.maintenance",
            "doze.deep.motion", "life.refresh-every",
        ]
        let others = ["-inactive", "-window", "-window-limit", "-waits"]
        let isAgain = again.contains { key.hasPrefix($0) } && !others.contains { key.hasSuffix($0) }
        return key.hasSuffix(".period") || isAgain
            ? TimeSpan.seconds(1).nanoseconds : 0
    }
}
