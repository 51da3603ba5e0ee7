import DeadzoneBase
import DeadzoneDevice
import DeadzoneReplay
package import DeadzoneScenarios

/// The radio model that replays a capture: the radio profile and the rules that the command line selects.
package struct ReplayRadio {
    /// Default profile: a modern phone, or for the rules of another program the profile closest to it.
    private static func usualProfile(_ rules: ReplayRules) -> String {
        switch rules {
        case .physical: "lte-verizon-2021"
        case .aro: "lte-att-2012-aro"
        case .energybox: "umts-teliasonera"
        }
    }

    let replay: RadioReplay
    /// The same radio under this program's own rules, starting at the first packet. Its energy is comparable with a
    /// simulation.
    let comparable: RadioReplay
    let profile: String
    let technology: Technology
    /// Limits of the rules, and the reason for the profile if none is named.
    let notes: [String]
    private let about: String
    private let rules: ReplayRules
    private let stamps: TimestampMeaning

    /// - Parameter recordsTimeline: keep the radio states over time for a chart.
    package init(_ request: ReplayRun.ReplayRequest, _ vocabulary: Vocabulary, recordsTimeline: Bool) throws {
        profile = request.profile ?? Self.usualProfile(request.rules)
        rules = request.rules
        notes = Self.notes(request, profile)
        stamps = request.stamps
        let reading = try Self.read(profile, vocabulary)
        about = reading.sheet.about
        technology = reading.profile.technology
        do {
            replay = try RadioReplay(
                reading.profile, reading.sheet, rules: rules, stamps: stamps, window: request.window,
                recordsTimeline: recordsTimeline)
            comparable = try RadioReplay(reading.profile, reading.sheet, stamps: stamps)
        } catch {
            throw ToolFault(
                .conflict, "\(quote(profile)) cannot be replayed with \(rules.rawValue) rules: \(error.reason)",
                help: ["deadzone list profiles shows the radios and their technology"])
        }
    }

    private static func notes(_ request: ReplayRun.ReplayRequest, _ profile: String) -> [String] {
        let rules = request.rules.rawValue
        let reason: String? =
            switch request.rules {
            case .physical: nil
            case .aro: "ARO's own LTE profile"
            case .energybox: "a 3G profile of EnergyBox, which has no LTE"
            }
        guard let reason else { return [] }
        let choice = "without --profile, \(rules) rules use \(profile), \(reason); --profile NAME selects another"
        let limit =
            "\(rules) rules do not divide the energy among flows: energy by flow, bursts and advice need --rules physical"
        return (request.profile == nil ? [choice] : []) + [limit]
    }

    private static func read(_ name: String, _ vocabulary: Vocabulary) throws(ToolFault) -> ParsedProfile {
        try text(of: name, vocabulary).reading
    }

    /// Reads a shipped profile or a profile file, both as YAML node and as parsed profile.
    static func text(
        of name: String, _ vocabulary: Vocabulary
    ) throws(ToolFault) -> (node: Node, reading: ParsedProfile) {
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
                help: "deadzone list profiles shows all profiles; the name of your own file must end in .yaml")
        }
        let composition = compose(text)
        guard let node = composition.node, composition.faults.isEmpty else {
            throw Self.faulty(name, text, composition.faults)
        }
        guard node.entries != nil else {
            throw ToolFault(
                .badProfile, "\(visible(name, atMost: 200)) is not a radio profile",
                help: ["expected a YAML map; deadzone explain NAME shows a shipped profile"])
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
            .badProfile, "\(visible(name, atMost: 200)) is not a radio profile",
            help: faults.sorted.map { faultText($0, files: files) })
    }

    /// - Parameter rules: the rules behind the bill; `nil` means the selected rules.
    func report(_ bill: RadioBill, rules: ReplayRules? = nil) -> ReplayReport.RadioCost {
        ReplayReport.RadioCost(profile: profile, about: about, rules: rules ?? self.rules, stamps: stamps, bill: bill)
    }
}
