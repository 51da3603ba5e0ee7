import DeadzoneDevice
import DeadzonePrimitives
public import DeadzoneSettings

/// Reads a radio profile: a map of numbers with units, each with its provenance, for one technology.
///
///     version: 1
///     technology: lte
///     about: …
///     inherits: NAME        # what is not said here is said there
///     sources: {timers: "a citation"}
///     promotion-time: {value: 265ms, source: timers, trust: R}
public struct ProfileReader: Sendable {
    /// The profiles that can be inherited from.
    private let texts: [ProfileText]
    /// Longer chains are circles.
    private static let longestChain = 8

    public init(inheritingFrom texts: [ProfileText]) { self.texts = texts }

    /// Nil where there are faults.
    public func read(_ settings: inout SettingsReader) -> ProfileReading? {
        let faults = settings.faults.count
        let version = settings.value("version", Form<Int64>.count(in: 1...1), default: 1, "of the format of the file")
        precondition(version == 1, "the form allows nothing else")
        let about = settings.text("about", default: "", "what the profile describes")
        let ancestors = ancestors(&settings)
        let kinds = Technology.allCases.map { technology in
            Variant("\(technology.name)", technology.about) { settings in
                Self.numbers(technology, about, &settings, ancestors)
            }
        }
        let found = settings.variant("technology", of: kinds, noun: "technology", "what kind of radio it is")
        return settings.faults.count == faults ? found?.value : nil
    }

    private static func numbers(
        _ technology: Technology, _ about: String, _ settings: inout SettingsReader, _ ancestors: [SettingsReader]
    ) -> ProfileReading {
        var numbers = ProfileNumbers(settings, ancestors: ancestors)
        let profile =
            switch technology {
            case .lte, .nrNSA, .nrSA: numbers.cellular(technology)
            case .umts: numbers.umts()
            case .wifi: numbers.wifi()
            }
        let weakSignal = technology.isCellular ? numbers.weakSignal(of: profile) : nil
        let roundTrip = numbers.span("base-round-trip", "to a near server while connected, where it was measured")
        settings = numbers.settings
        let name = settings.owner.hasPrefix("profile ") ? String(settings.owner.dropFirst(8)) : settings.owner
        let sheet = ProfileSheet(
            name: name, about: about, baseRoundTrip: roundTrip, numbers: numbers.provenance)
        return ProfileReading(profile: profile, sheet: sheet, weakSignal: weakSignal)
    }

    /// The profiles that this one builds on, the nearest first.
    private func ancestors(_ settings: inout SettingsReader) -> [SettingsReader] {
        let help = "the profile that says what this one leaves out"
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
        case .nrNSA: "5G on an LTE leg"
        case .nrSA: "stand-alone 5G"
        case .umts: "3G"
        case .wifi: "Wi-Fi with power save"
        }
    }
}

extension Fault {
    /// The same, somewhere else.
    func at(_ mark: Mark) -> Fault {
        var moved = self
        moved.mark = mark
        return moved
    }
}
