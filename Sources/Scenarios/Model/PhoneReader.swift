import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// The phone settings of a scenario (battery, radios, apps, platform), as read from the file.
struct PhoneSketch {
    var battery: Battery?
    var tailAttribution: TailAttribution
    var wifi: RadioSketch?
    var cellular: RadioSketch?
    /// The radios beside Wi-Fi and the first cellular one, in the order of their interfaces.
    var further: [(interface: Interface, sketch: RadioSketch)] = []
    static let alternateNames = ["lte", "nr", "umts"]

    /// Networks that scenarios may expect, and that a phone here does not have.
    static let unmodelledRadios = ["satellite", "usb"]

    /// Further technologies of the cellular radio, by the names that the timeline uses.
    var alternates: [(name: String, sketch: RadioSketch)] = []
    /// The radios that the scenario names, even if their profiles could not be read; the preferred one first.
    var radios: [Interface] = []
    /// The networks that the system prefers, in order; empty for the usual order.
    var preferred: [Interface] = []
    var apps: [OtherApp] = []
    var platform: Platform?
    var tunnel: TunnelRules?
    var kernel: Kernel?

    /// Names of the cellular radio's technologies; the first one is used at the start.
    var technologies: [String] { ["cellular"] + alternates.map(\.name) }

    /// The weak signal of each technology; `nil` if its profile has none.
    var weakSignals: [WeakSignal?] { [cellular?.parsed.weakSignal] + alternates.map(\.sketch.parsed.weakSignal) }

    var sheet: PhoneSettings {
        PhoneSettings(
            battery: battery, wifi: wifi?.parsed.sheet, cellular: cellular?.parsed.sheet,
            cellularAlternates: alternates.map(\.sketch.parsed.sheet),
            further: further.map { ($0.interface, $0.sketch.parsed.sheet) })
    }
}

/// A phone's radio as read from a scenario: its profile, with the numbers that the scenario overrides.
struct RadioSketch {
    var parsed: ParsedProfile
    /// All numbers of the radio profile, which enter the hash of the scenario.
    var resolved: Node
}

extension SettingsReader {
    /// Reads the phone: `phone: {platform: NAME, battery: 15.4Wh, radios: {wifi: PROFILE, cellular: PROFILE}}`.
    mutating func phone(_ vocabulary: Vocabulary, _ opened: OpenedFiles) -> PhoneSketch {
        group("phone", "the phone, the same for every strategy") { settings in
            let battery = settings.battery()
            let attribution = settings.word(
                "tail-attribution", of: [("latest", TailAttribution.latest), ("equal-shares", .equalShares)],
                default: .latest,
                "which packets are charged for a tail: the last one before it, or all since the promotion in equal shares"
            )
            var sketch = PhoneSketch(battery: battery, tailAttribution: attribution)
            settings.group("radios", "the phone's radios and their profiles") { settings in
                sketch.radios = Interface.byPreference.filter { settings.has($0.name) }
                sketch.wifi = settings.radio(.wifi, vocabulary, opened)
                sketch.cellular = settings.radio(.cellular, vocabulary, opened)
                for name in PhoneSketch.alternateNames {
                    guard let radio = settings.radio(.cellular, as: name, vocabulary, opened) else { continue }
                    sketch.alternates.append((name, radio))
                }
                for interface in Interface.further {
                    guard let radio = settings.radio(interface, vocabulary, opened) else { continue }
                    sketch.further.append((interface, radio))
                }
                settings.refuse(
                    PhoneSketch.unmodelledRadios, "is not modelled",
                    label:
                        "radios: wifi, cellular, bluetooth, sim2, ethernet; lte, nr and umts are further technologies of cellular"
                )
            }
            settings.preference(of: &sketch)
            sketch.apps = settings.apps()
            sketch.platform = settings.platform()
            sketch.tunnel = settings.tunnel(beside: sketch)
            sketch.kernel = settings.word(
                "kernel", of: Kernel.shipped.map { ($0.name, $0.kernel) },
                "TCP implementation of the phone; default: that of its platform, or linux-6.6")
            return sketch
        }
    }

    /// Reads the order of networks: `prefers: [bluetooth, wifi, cellular]`.
    private mutating func preference(of sketch: inout PhoneSketch) {
        let order =
            list(
                "prefers", of: .word(TimelineLine.interfaces), counts: 1...Interface.allCases.count,
                "networks in the order in which the system selects them; default: ethernet, wifi, bluetooth, cellular, sim2. A system that prefers bluetooth to wifi is a watch: it uses no other radio while Bluetooth works"
            ) ?? []
        guard !isDescribing else { return }
        for (index, interface) in order.enumerated() {
            let isTwice = order[..<index].contains(interface)
            guard isTwice || !sketch.radios.contains(interface) else { continue }
            note(
                Fault(
                    .contradiction, at: mark(of: "prefers"), width: 7,
                    isTwice ? "`\(interface.name)` twice in `prefers`" : "the phone has no \(interface.name) radio",
                    label: isTwice ? "each network once" : "add one under phone: radios:"))
        }
        sketch.preferred = order
        sketch.radios = order.filter(sketch.radios.contains) + sketch.radios.filter { !order.contains($0) }
    }

    private mutating func battery() -> Battery? {
        let capacity = ValueFormat<Int64>.quantity(.energy, in: 1_000_000...1_000_000_000_000_000)
        let help = "energy of a full battery: 15.4Wh, \(Battery.names.joined(separator: ", ")), or charge and voltage"
        let found = custom("battery", help) {
            var reader = SettingsReader.describing("battery")
            _ = reader.batteryMap()
            return .either([
                capacity.shape(), .word(Battery.names.map { Shape.Keyword(name: $0, about: "") }), reader.shape,
            ])
        }
        guard let found else { return nil }
        if found.entries != nil {
            let (battery, resolved) = read(found, of: "`battery`") { $0.batteryMap() }
            resolve("battery", to: resolved)
            return battery
        }
        if let name = found.scalar, name.utf8.first.map({ $0 > 57 }) ?? false {
            if let battery = Battery.named(name) {
                resolve("battery", to: .text(name))
                return battery
            }
            note(found.unknown("battery", name, among: Battery.names, .unknownWord))
            return nil
        }
        if let charge = found.scalar, charge.hasSuffix("Ah") {
            let help =
                "charge and voltage give the energy: battery: {charge: \(visible(charge, atMost: 40)), voltage: 3.85V}"
            note(
                found.fault(
                    .unknownUnit, "\(quote(charge)) is a charge, but a battery is given as energy", help: help))
            return nil
        }
        guard let microjoules = parse(found, capacity) else { return nil }
        resolve("battery", to: capacity.write(microjoules))
        return Battery(microjoules: microjoules)
    }

    /// Reads a battery's charge and voltage: `{charge: 4300mAh, voltage: 3.7V}`.
    private mutating func batteryMap() -> Battery? {
        let before = faults.found
        let charge = required(
            "charge", .quantity(.charge, in: 1_000...1_000_000_000), standIn: 1_000, "charge of a full battery")
        let voltage = required(
            "voltage", .quantity(.voltage, in: 100...100_000), standIn: 100, "nominal voltage")
        guard faults.found == before else { return nil }
        return Battery(microampereHours: charge, millivolts: voltage)
    }

    private mutating func radio(
        _ interface: Interface, as key: String? = nil, _ vocabulary: Vocabulary, _ opened: OpenedFiles
    ) -> RadioSketch? {
        let key = key ?? interface.name
        let names = vocabulary.profiles.map(\.name)
        let found = custom(
            key, "profile: a name, a file of your own, or {profile: NAME} with values of your own"
        ) {
            let map = MapShape(
                fields: [
                    Field(
                        key: "profile", help: "profile that supplies the values of all other settings", shape: .text,
                        isRequired: true)
                ],
                userKeyShape: .anything)
            return .either([.text, .map(map)])
        }
        guard let found else { return nil }
        var written = found
        var overrides: Node?
        if let entries = found.entries {
            guard let profile = found["profile"] else {
                note(found.fault(.missing, "`profile` is missing", label: "expected the name of a radio profile"))
                return nil
            }
            written = profile
            let own = entries.filter { $0.key != "profile" && !$0.key.hasPrefix("x-") }
            if !own.isEmpty { overrides = Node(.map(own), at: found.mark) }
        }
        guard let name = parse(written, .text), let base = profile(name, written, names, vocabulary, opened) else {
            return nil
        }
        let whole = overrides.map { overlaid($0, over: base) } ?? base
        resolve(key, to: reference(name, overrides))
        guard let sketch = radio(whole, name, vocabulary, opened) else { return nil }
        if !sketch.parsed.profile.technology.fits(interface) {
            note(
                written.fault(
                    .contradiction, "\(quote(name)) is a \(sketch.parsed.profile.interface.name) profile",
                    label: "expected one for \(interface.name)"))
            return nil
        }
        return sketch
    }

    private mutating func radio(_ whole: Node, _ name: String, _ vocabulary: Vocabulary, _ opened: OpenedFiles)
        -> RadioSketch?
    {
        if let known = opened.radio(name, whole) { return known }
        let before = faults.found
        let (reading, resolved) = read(whole, of: "profile \(visible(name, atMost: 80))") {
            vocabulary.readProfile(&$0)
        }
        guard let reading, faults.found == before else { return nil }
        let sketch = RadioSketch(parsed: reading, resolved: resolved)
        opened.keep(sketch, of: whole, name)
        return sketch
    }

    private mutating func profile(
        _ name: String, _ written: Node, _ names: [String], _ vocabulary: Vocabulary, _ opened: OpenedFiles
    ) -> Node? {
        let composition: Composition
        if let known = vocabulary.profiles.first(where: { $0.name == name }) {
            composition = opened.compose("profile \(name)", Array(known.text.utf8))
        } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            let path = opened.path(name, from: written.mark)
            switch opened.open(path) {
            case .success(let found): composition = found
            case .failure(let trouble):
                note(
                    written.fault(
                        .unknownProfile, "cannot read \(quote(path)): \(trouble.message)",
                        help: "a name that ends in .yaml is a file, relative to the file that names it"))
                return nil
            }
        } else {
            note(written.unknown("radio profile", name, among: names, .unknownProfile))
            return nil
        }
        for fault in composition.faults.sorted { note(fault) }
        guard composition.faults.isEmpty, let node = composition.node else { return nil }
        // The fault points to the name, because the file may be anything and must not be quoted.
        guard node.entries != nil else {
            note(
                written.fault(
                    .wrongType, "\(quote(name)) contains no radio profile", label: "expected a file with a map",
                    help: "`deadzone explain NAME` shows a shipped profile as an example"))
            return nil
        }
        return node
    }

    private func reference(_ name: String, _ overrides: Node?) -> Node {
        guard let overrides else { return .text(name) }
        return overlaid(.map([.init(key: "profile", value: .text(name))]), over: overrides.sorted)
    }
}

extension Node {
    /// The node with all map keys sorted.
    var sorted: Node {
        switch content {
        case .scalar: self
        case .list(let items): .list(items.map(\.sorted))
        case .map(let entries):
            .map(entries.map { .init(key: $0.key, value: $0.value.sorted) }.sorted { $0.key < $1.key })
        }
    }
}

extension Battery {
    fileprivate init(microjoules: Int64) {
        self.init(milliwattHours: 1)
        capacity = Energy(femtojoules: Int128(microjoules) * 1_000_000_000)
    }

    fileprivate init(microampereHours: Int64, millivolts: Int64) {
        self.init(milliampereHours: 1, millivolts: millivolts)
        // 1 µAh at 1 mV is 3.6 microjoules.
        capacity = Energy(femtojoules: Int128(microampereHours) * Int128(millivolts) * 3_600_000_000)
    }
}
