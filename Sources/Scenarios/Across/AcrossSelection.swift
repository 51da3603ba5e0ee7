import DeadzoneBase
import DeadzoneDevice

/// The networks on which `run --across` repeats a scenario. A network is a radio profile, a platform, or one of each.
/// Each word names a profile, a platform, a technology (`lte`, `nr`), or all of a kind (`profiles`, `platforms`).
package struct AcrossSelection: Hashable, Sendable {
    static let profiles = "profiles"
    static let platforms = "platforms"
    private static let nr = "nr"
    private static let technologies = Technology.allCases.filter { Interface.common.contains($0.interface) }.map {
        "\($0.name)"
    }

    /// The words on the command line, separated by commas.
    package let text: String

    package init(_ text: String) { self.text = text }

    package var words: [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// All valid words: groups first, then single names.
    package static func names(_ vocabulary: Vocabulary) -> [String] {
        [profiles, platforms, nr] + technologies + vocabulary.profiles.map(\.name) + ShippedPlatform.all.map(\.name)
    }

    /// The possible values of each setting of a network, in the order of the words. Profiles for a radio that the phone
    /// lacks are left out, and profiles of small devices with PSM or eDRX, unless a word names them.
    func candidates(_ vocabulary: Vocabulary, radios: [Interface]) -> [NetworkCandidate] {
        let usual = radios.contains(.cellular) ? Interface.cellular : .wifi
        var found: [NetworkCandidate] = []
        func add(_ axis: NetworkAxis, _ name: String, isNamed: Bool = false) {
            if let known = found.firstIndex(where: { $0.axis == axis && $0.name == name }) {
                found[known].isNamed = found[known].isNamed || isNamed
            } else {
                found.append(NetworkCandidate(axis: axis, name: name, isNamed: isNamed))
            }
        }
        let profiles = vocabulary.profiles.map { profile in
            let numbers = compose(Array(profile.text.utf8)).node
            let isSmall = numbers?["psm-update-interval"] != nil || numbers?["edrx-cycle"] != nil
            return (name: profile.name, technology: numbers?["technology"]?.scalar ?? "", isSmall: isSmall)
        }
        for word in words {
            if word == Self.platforms {
                for platform in ShippedPlatform.all { add(.platform, platform.name) }
            } else if ShippedPlatform.all.contains(where: { $0.name == word }) {
                add(.platform, word, isNamed: true)
            } else {
                for (name, technology, isSmall) in profiles {
                    let interface = NetworkAxis.interface(ofTechnology: technology)
                    let isChosen =
                        word == Self.profiles
                        ? interface == usual
                        : technology == word || (word == Self.nr && technology.hasPrefix(Self.nr + "-"))
                    guard Interface.common.contains(interface) else { continue }
                    guard name == word || (isChosen && radios.contains(interface) && !isSmall) else {
                        continue
                    }
                    add(NetworkAxis(interface), name, isNamed: name == word)
                }
            }
        }
        return found
    }

}

/// A setting of a network: a radio profile or the platform. The raw value is the path of the setting in a scenario.
package enum NetworkAxis: String, CaseIterable, Sendable {
    case cellular = "phone.radios.cellular"
    case wifi = "phone.radios.wifi"
    case platform = "phone.platform"

    init(_ interface: Interface) { self = interface == .wifi ? .wifi : .cellular }

    static func interface(ofTechnology name: String) -> Interface {
        Technology.allCases.first { "\($0.name)" == name }?.interface ?? .cellular
    }

    var path: [String] { rawValue.split(separator: ".").map(String.init) }
}

/// One value for one setting of a network.
struct NetworkCandidate: Hashable {
    let axis: NetworkAxis
    let name: String
    /// `true` if a word names it. Then it must fit; a candidate of a group such as `profiles` is left out if it does not.
    var isNamed: Bool
}

/// A network of a group such as `profiles` that a scenario cannot run on, with the first reason.
package struct UnfitNetwork: Hashable, Sendable {
    package let name: String
    package let reason: String
}

extension Scenario {
    /// `true` for a cell of a matrix over radio profiles or platforms.
    package var isOnNetwork: Bool { labels.contains { NetworkAxis(rawValue: $0.axis) != nil } }
}
