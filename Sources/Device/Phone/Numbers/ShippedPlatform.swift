import DeadzoneBase

/// A built-in platform: a name, an OS release, and the parameters in which it differs from the release.
package struct ShippedPlatform: Sendable {
    package var name: String
    package var about: String
    package var family: Platform.OSFamily
    package var release: Int
    /// Parameters, by key, that replace those of the release.
    var own: [(key: String, value: PlatformParameter.ReleaseValue)] = []

    /// All parameters of the platform's OS family, in order.
    package var numbers: [PlatformParameter] { PlatformParameter.numbers(of: family) }

    /// Returns the value of a parameter on this platform; `nil` if the release does not have it.
    package func value(_ number: PlatformParameter) -> PlatformParameter.ReleaseValue? {
        own.last { $0.key == number.key }?.value ?? number.value(in: release)
    }

    package var platform: Platform {
        var platform = Platform(name: name, family: family, release: release, networks: .silent)
        for number in numbers {
            if let value = value(number) { number.write(value.number, to: &platform) }
        }
        return platform
    }
}

extension PlatformParameter {
    /// Returns all parameters of an OS family. A parameter that a release lacks has no value there.
    package static func numbers(of family: Platform.OSFamily) -> [PlatformParameter] {
        switch family {
        case .android: androidDoze + androidStandby + androidApps + androidRestrictions + androidNetworks
        case .ios: ios
        }
    }
}

extension NetworkRules {
    fileprivate static let silent = NetworkRules(
        linger: .zero, validation: .zero, destroysSockets: false, leavesSocketsFrozen: false)
}

extension Platform {
    /// Returns the built-in platform with this name; `nil` if there is none.
    package static func named(_ name: String) -> Platform? { ShippedPlatform.all.first { $0.name == name }?.platform }
}

extension ShippedPlatform {
    package static let all: [ShippedPlatform] =
        [6, 7, 8, 9, 11, 12, 13, 14, 15, 16].map { android($0) } + [killer] + [12, 15, 18].map { ios($0) }
        + [articleAndroid, articleIOS, oneUI, hyperOS]

    private static func android(_ release: Int) -> ShippedPlatform {
        ShippedPlatform(
            name: "android-\(release)", about: "Android \(release), with the constants of the open source release.",
            family: .android, release: release)
    }

    private static func ios(_ release: Int) -> ShippedPlatform {
        ShippedPlatform(
            name: "ios-\(release)", about: "iOS \(release), according to Apple's documentation and forums.",
            family: .ios,
            release: release)
    }

    private static let killer = ShippedPlatform(
        name: "android-oem-killer",
        about: "Android 11 from a manufacturer that ends background apps to save battery.", family: .android,
        release: 11,
        own: [
            (
                "life.kills-after",
                .always(
                    .minutes(5), .assumed, Citation.dontKill,
                    note: "minutes at many manufacturers; the value is assumed")
            ),
            (
                "life.kills-for-good",
                .always(1, .secondary, Citation.dontKill, note: "without autostart the app is not started again")
            ),
        ])

    private static let articleAndroid = ShippedPlatform(
        name: "article-android",
        about: "Android as the articles describe it: only brief windows every 15 to 30 minutes.",
        family: .android, release: 6,
        own: [
            ("doze.deep.inactive", .always(.seconds(1), .assumed, note: "the articles give no delay")),
            ("doze.deep.idle-after-inactive", .always(.zero, .assumed)),
            ("doze.deep.sensing", .always(.zero, .assumed)),
            ("doze.deep.locating", .always(.zero, .assumed)),
            ("doze.deep.early", .always(0, .assumed, note: "the articles give fixed times")),
            ("doze.deep.idle", .always(.minutes(15), .read, Citation.articles)),
            ("doze.deep.idle-limit", .always(.minutes(30), .read, Citation.articles)),
            ("doze.deep.maintenance", .always(.seconds(30), .assumed, note: "brief")),
            ("doze.deep.maintenance-limit", .always(.seconds(30), .assumed, note: "brief")),
        ])

    private static let articleIOS = ShippedPlatform(
        name: "article-ios",
        about:
            "iOS as the articles describe it: suspended after 30 s in the background, process ended after 3 minutes.",
        family: .ios, release: 12,
        own: [
            ("life.suspends-after", .always(.seconds(30), .read, Citation.articles)),
            ("life.task-time", .always(.seconds(30), .read, Citation.articles)),
            ("life.kills-after", .always(.minutes(3), .read, Citation.articles)),
        ])

    private static let oneUI = ShippedPlatform(
        name: "android-14-oneui",
        about: "Android 14 with One UI of Samsung: times to Doze measured in one night of one phone.",
        family: .android, release: 14,
        own: [
            (
                "doze.light.inactive",
                .always(
                    .minutes(1), .computed, Citation.oneUIHistory,
                    note: "the time of Android 12, with its window; light Doze began once after 105.8 s")
            ),
            (
                "doze.light.idle-waits",
                .always(
                    1, .computed, Citation.oneUIHistory,
                    note: "two alarms, *alarm*:DeviceIdleController.light.maintenance, did not wake the phone")
            ),
            (
                "doze.deep.idle-after-inactive",
                .always(
                    .milliseconds(400_700), .computed, Citation.oneUIHistory,
                    note: "measured once: 2200.7 s from screen off to deep Doze, less the 30 min of Android's source")
            ),
            ("doze.deep.sensing", .always(.zero, .computed, Citation.oneUIHistory, note: inThatTime)),
            ("doze.deep.locating", .always(.zero, .computed, Citation.oneUIHistory, note: inThatTime)),
        ])

    private static let inThatTime = "contained in doze.deep.idle-after-inactive"

    private static let hyperOS = ShippedPlatform(
        name: "android-15-hyperos",
        about: "Android 15 with HyperOS of Xiaomi: time to light Doze measured on one phone, deep Doze of Android 15.",
        family: .android, release: 15,
        own: [
            (
                "doze.light.inactive",
                .always(
                    .minutes(1), .computed, Citation.hyperOSHistory,
                    note:
                        "the time of Android 12, with its window; light Doze began 9 times in 2 histories of one phone, after 75.5 s to 121.8 s"
                )
            )
        ])
}
