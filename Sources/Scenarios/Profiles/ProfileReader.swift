package import DeadzoneBase
import DeadzoneDevice

/// Reads a radio profile from YAML: powers and timers of one technology, each with its source.
///
///     version: 1
///     technology: lte
///     about: …
///     inherits: NAME        # supplies the numbers that are left out here
///     sources: {timers: "a citation"}
///     promotion-time: {value: 265ms, source: timers, trust: R}
package struct ProfileReader: Sendable {
    /// The profiles that can be inherited from.
    private let texts: [ProfileText]
    /// Maximum length of an inheritance chain. A longer chain is a cycle.
    private static let longestChain = 8

    package init(inheritingFrom texts: [ProfileText]) { self.texts = texts }

    /// Returns `nil` if there are faults.
    package func read(_ settings: inout SettingsReader) -> ParsedProfile? {
        let faults = settings.faults.found
        let version = settings.value(
            "version", ValueFormat<Int64>.count(in: 1...1), default: 1, "version of the file format")
        precondition(version == 1, "the form accepts only version 1")
        let about = settings.text("about", default: "", "description of the profile")
        let ancestors = ancestors(&settings)
        let kinds = Technology.allCases.map { technology in
            SettingVariant("\(technology.name)", technology.about) { settings in
                Self.numbers(technology, about, &settings, ancestors)
            }
        }
        let found = settings.variant("technology", of: kinds, noun: "technology", "radio technology")
        return settings.faults.found == faults ? found?.value : nil
    }

    private static func numbers(
        _ technology: Technology, _ about: String, _ settings: inout SettingsReader, _ ancestors: [SettingsReader]
    ) -> ParsedProfile {
        var numbers = ProfileNumbers(settings, ancestors: ancestors)
        let profile =
            switch technology {
            case .lte, .nrNSA, .nrSA: numbers.cellular(technology)
            case .umts: numbers.umts()
            case .wifi, .bluetooth, .wired: numbers.wifi(technology)
            }
        let weakSignal = technology.isCellular ? numbers.weakSignal(of: profile) : nil
        let roundTrip = numbers.span("base-round-trip", "measured round trip to a near server while connected")
        settings = numbers.settings
        let name = settings.owner.hasPrefix("profile ") ? String(settings.owner.dropFirst(8)) : settings.owner
        let sheet = ProfileSource(
            name: name, about: about, baseRoundTrip: roundTrip, numbers: numbers.provenance)
        return ParsedProfile(profile: profile, sheet: sheet, weakSignal: weakSignal)
    }

    /// The inherited profiles, nearest first.
    private func ancestors(_ settings: inout SettingsReader) -> [SettingsReader] {
        let help = "profile that supplies the missing values"
        guard let name = settings.text("inherits", help) else { return [] }
        var readers: [SettingsReader] = []
        var next: String? = name
        while let name = next {
            guard readers.count < Self.longestChain, let text = texts.first(where: { $0.name == name })?.text,
                let node = compose(Array(text.utf8)).node
            else {
                settings.note(
                    Node.text(name).unknown("profile", name, among: texts.map(\.name), .unknownProfile)
                        .at(settings.mark(of: "inherits")))
                return readers
            }
            var reader = SettingsReader(node, of: "profile \(name)")
            next = reader.text("inherits", help)
            readers.append(reader)
        }
        return readers
    }
}

extension Technology {
    fileprivate var isCellular: Bool { self == .lte || self == .nrNSA || self == .nrSA }

    fileprivate var about: String {
        switch self {
        case .lte: "LTE"
        case .nrNSA: "5G with an LTE leg"
        case .nrSA: "stand-alone 5G"
        case .umts: "3G"
        case .wifi: "Wi-Fi with power save"
        case .bluetooth: "Bluetooth to a device that lends its network"
        case .wired: "a cable: a network socket, a dock, or USB"
        }
    }
}

extension Fault {
    /// The same fault at another position.
    func at(_ mark: SourceMark) -> Fault {
        var moved = self
        moved.mark = mark
        return moved
    }
}
