import DeadzonePrimitives

/// A platform with a name: a release, and what it has of its own.
public struct ShippedPlatform: Sendable {
    public var name: String
    public var about: String
    public var family: Platform.Family
    public var release: Int
    /// Numbers that replace those of the release, by key.
    var own: [(key: String, value: PlatformNumber.Value)] = []

    /// The numbers of its family, in order.
    public var numbers: [PlatformNumber] { PlatformNumber.numbers(of: family) }

    /// What a number is here; nil: the release does not have it.
    public func value(_ number: PlatformNumber) -> PlatformNumber.Value? {
        own.last { $0.key == number.key }?.value ?? number.value(in: release)
    }

    public var platform: Platform {
        var platform = Platform(name: name, family: family, release: release, networks: .silent)
        for number in numbers {
            if let value = value(number) { number.write(value.number, to: &platform) }
        }
        return platform
    }
}

extension PlatformNumber {
    /// All numbers of a family. A number that a release lacks has no value there.
    public static func numbers(of family: Platform.Family) -> [PlatformNumber] {
        switch family {
        case .android: androidDoze + androidStandby + androidApps + androidNetworks
        case .ios: ios
        }
    }
}

extension NetworkRules {
    fileprivate static let silent = NetworkRules(
        linger: .zero, validation: .zero, destroysSockets: false, leavesSocketsFrozen: false)
}

extension Platform {
    /// By the name of a shipped platform.
    public static func named(_ name: String) -> Platform? { ShippedPlatform.all.first { $0.name == name }?.platform }
}

extension ShippedPlatform {
    public static let all: [ShippedPlatform] =
        [6, 7, 8, 9, 11, 12, 13, 14, 15, 16].map { android($0) } + [killer] + [12, 15, 18].map { ios($0) }
        + [articleAndroid, articleIOS]

    private static func android(_ release: Int) -> ShippedPlatform {
        ShippedPlatform(
            name: "android-\(release)", about: "Android \(release), with the constants of the open source release.",
            family: .android, release: release)
    }

    private static func ios(_ release: Int) -> ShippedPlatform {
        ShippedPlatform(
            name: "ios-\(release)", about: "iOS \(release), as far as Apple and its forums tell.", family: .ios,
            release: release)
    }

    private static let killer = ShippedPlatform(
        name: "android-oem-killer",
        about: "Android 11 of a maker who ends apps in the background for the battery's sake.", family: .android,
        release: 11,
        own: [
            (
                "life.kills-after",
                .always(.minutes(5), .assumed, Cited.dontKill, note: "minutes, by many makers; the number is assumed")
            ),
            (
                "life.kills-for-good",
                .always(1, .secondary, Cited.dontKill, note: "without autostart nothing starts it again")
            ),
        ])

    private static let articleAndroid = ShippedPlatform(
        name: "article-android",
        about: "Android as the articles describe it: brief windows every 15 to 30 minutes, and nothing else.",
        family: .android, release: 6,
        own: [
            ("doze.deep.inactive", .always(.seconds(1), .assumed, note: "the articles name no delay")),
            ("doze.deep.idle-after-inactive", .always(.zero, .assumed)),
            ("doze.deep.sensing", .always(.zero, .assumed)),
            ("doze.deep.locating", .always(.zero, .assumed)),
            ("doze.deep.idle", .always(.minutes(15), .read, Cited.articles)),
            ("doze.deep.idle-limit", .always(.minutes(30), .read, Cited.articles)),
            ("doze.deep.maintenance", .always(.seconds(30), .assumed, note: "brief")),
            ("doze.deep.maintenance-limit", .always(.seconds(30), .assumed, note: "brief")),
        ])

    private static let articleIOS = ShippedPlatform(
        name: "article-ios",
        about: "iOS as the articles describe it: suspended after 30 s in the background, ended after 3 minutes.",
        family: .ios, release: 12,
        own: [
            ("life.suspends-after", .always(.seconds(30), .read, Cited.articles)),
            ("life.task-time", .always(.seconds(30), .read, Cited.articles)),
            ("life.kills-after", .always(.minutes(3), .read, Cited.articles)),
        ])
}
