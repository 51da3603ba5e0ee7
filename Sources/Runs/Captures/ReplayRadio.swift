import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneReplay
public import DeadzoneScenarios
import DeadzoneSettings

/// The radio that the flags ask for.
public struct ReplayRadio {
    /// A modern phone; for the rules of another program, the profile that it knows best.
    private static func usualProfile(_ rules: ReplayRules) -> String {
        switch rules {
        case .physical: "lte-verizon-2021"
        case .aro: "lte-att-2012-aro"
        case .energybox: "umts-teliasonera"
        }
    }

    let replay: RadioReplay
    /// The same radio by the rules of this program and from the first packet on: what a simulation can be set beside.
    let comparable: RadioReplay
    let profile: String
    let technology: Technology
    private let about: String
    private let rules: ReplayRules
    private let stamps: StampMeaning

    /// - Parameter isDrawn: somebody will draw what the radio did over time.
    public init(_ wanted: ReplayRun.Wanted, _ vocabulary: Vocabulary, isDrawn: Bool) throws {
        profile = wanted.profile ?? Self.usualProfile(wanted.rules)
        rules = wanted.rules
        stamps = wanted.stamps
        let reading = try Self.read(profile, vocabulary)
        about = reading.sheet.about
        technology = reading.profile.technology
        do {
            replay = try RadioReplay(
                reading.profile, reading.sheet, rules: rules, stamps: stamps, window: wanted.window,
                isDrawn: isDrawn)
            comparable = try RadioReplay(reading.profile, reading.sheet, stamps: stamps)
        } catch {
            throw ToolFault(
                .conflict, "\(quote(profile)) cannot be replayed by \(rules.rawValue) rules: \(error.reason)",
                help: ["deadzone list profiles shows the radios and their technology"])
        }
    }

    private static func read(_ name: String, _ vocabulary: Vocabulary) throws(ToolFault) -> ProfileReading {
        try text(of: name, vocabulary).reading
    }

    /// A profile of the shelf or of a file, as it is written and as it is meant.
    static func text(
        of name: String, _ vocabulary: Vocabulary
    ) throws(ToolFault) -> (node: Node, reading: ProfileReading) {
        var text = vocabulary.profiles.first { $0.name == name }.map { Array($0.text.utf8) }
        if text == nil, name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            switch ScenarioFiles.read(name) {
            case .success(let bytes): text = bytes
            case .failure(let trouble):
                throw ToolFault(.unreadable, "cannot read \(visible(name, atMost: 200)): \(trouble.message)")
            }
        }
        guard let text else {
            throw .unknownName(
                name, "profile", among: vocabulary.profiles.map(\.name),
                help: "deadzone list profiles shows them; a file of your own ends in .yaml")
        }
        let composition = compose(text)
        guard let node = composition.node, composition.faults.isEmpty else {
            throw Self.faulty(name, text, composition.faults)
        }
        var settings = SettingsReader(node, of: "profile \(visible(name, atMost: 80))")
        let reading = vocabulary.readProfile(&settings)
        settings.finish()
        guard let reading, settings.faults.isEmpty else { throw Self.faulty(name, text, settings.faults) }
        return (node, reading)
    }

    private static func faulty(_ name: String, _ text: [UInt8], _ faults: Faults) -> ToolFault {
        let files = [SourceText(name: name, bytes: text)]
        return ToolFault(
            .badProfile, "\(visible(name, atMost: 200)) is no radio profile",
            help: faults.sorted.map { faultText($0, files: files) })
    }

    /// - Parameter rules: by which the bill was made; nil: those that the flags name.
    func report(_ bill: RadioBill, rules: ReplayRules? = nil) -> ReplayReport.Radio {
        ReplayReport.Radio(profile: profile, about: about, rules: rules ?? self.rules, stamps: stamps, bill: bill)
    }
}
