import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneDocuments
import DeadzonePrimitives
import DeadzoneReplay
import DeadzoneScenarios
import DeadzoneSettings

/// The radio that the flags ask for.
struct ReplayRadio {
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
    init(_ options: ReplayOptions, _ surroundings: Surroundings, isDrawn: Bool) throws {
        profile = options.profile ?? Self.usualProfile(options.rules)
        rules = options.rules
        stamps = options.stamps
        let reading = try Self.read(profile, surroundings)
        about = reading.sheet.about
        technology = reading.profile.technology
        do {
            replay = try RadioReplay(
                reading.profile, reading.sheet, rules: rules, stamps: stamps, window: options.window,
                isDrawn: isDrawn)
            comparable = try RadioReplay(reading.profile, reading.sheet, stamps: stamps)
        } catch {
            throw CommandFault(
                .conflict, "\(quote(profile)) cannot be replayed by \(rules.rawValue) rules: \(error.reason)",
                help: ["deadzone list profiles shows the radios and their technology"])
        }
    }

    private static func read(_ name: String, _ surroundings: Surroundings) throws(CommandFault) -> ProfileReading {
        let vocabulary = surroundings.vocabulary
        var text = vocabulary.profiles.first { $0.name == name }.map { Array($0.text.utf8) }
        if text == nil, name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            switch ScenarioFiles.read(name) {
            case .success(let bytes): text = bytes
            case .failure(let trouble):
                throw CommandFault(.unreadable, "cannot read \(visible(name, atMost: 200)): \(trouble.message)")
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
        return reading
    }

    private static func faulty(_ name: String, _ text: [UInt8], _ faults: Faults) -> CommandFault {
        let files = [SourceText(name: name, bytes: text)]
        return CommandFault(
            .badProfile, "\(visible(name, atMost: 200)) is no radio profile",
            help: faults.sorted.map { faultText($0, files: files) })
    }

    /// - Parameter rules: by which the bill was made; nil: those that the flags name.
    func report(_ bill: RadioBill, rules: ReplayRules? = nil) -> ReplayReport.Radio {
        var radio = ReplayReport.Radio(
            profile: profile, about: about, rules: (rules ?? self.rules).rawValue, stamps: stamps.rawValue,
            joules: bill.joules,
            seconds: bill.seconds,
            states: bill.states.map {
                .init(name: "\($0.state.name)", count: $0.count, seconds: $0.seconds, joules: $0.joules)
            })
        radio.clamped = bill.clamped
        return radio
    }
}

/// A moment of radio time as the command line writes it: seconds since 1970, or `+360s` after the first packet.
enum ReplayMoments {
    static func read(_ text: String, _ flag: String) throws(CommandFault) -> ReplayMoment {
        if text.hasPrefix("+") {
            var faults = Faults()
            if let span = Form<TimeSpan>.span().read(.text(String(text.dropFirst())), &faults) {
                return .afterFirst(span)
            }
        } else if let stamp = seconds(text) {
            return .at(stamp)
        }
        let word = flag == "--until" ? ", or `tail`" : ""
        throw CommandFault(
            .badFlagValue, "`\(flag)` cannot be \(quote(text))",
            help: ["seconds since 1970 such as 20.5, or +360s after the first packet" + word])
    }

    /// Decimal digits, exactly; at most nine behind the point.
    private static func seconds(_ text: String) -> Stamp? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        func isDigits(_ word: Substring) -> Bool { !word.isEmpty && word.utf8.allSatisfy { (48...57).contains($0) } }
        guard isDigits(parts[0]), parts.count == 1 || isDigits(parts[1]), fraction.count <= 9,
            let whole = Int64(parts[0]),
            let billionths = Int64(fraction + String(repeating: "0", count: 9 - fraction.count))
        else { return nil }
        return Stamp(seconds: whole, nanoseconds: billionths)
    }
}
