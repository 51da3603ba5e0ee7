import DeadzoneBase
package import DeadzoneDevice

extension SettingsReader {
    /// Reads the platform: `platform: android-15`, or `platform: {profile: android-15, standby: rare, doze.deep.idle:
    /// 30m}`.
    mutating func platform() -> Platform? {
        let names = ShippedPlatform.all.map { Shape.Keyword(name: $0.name, about: $0.about) }
        let help = "operating system: the name of a platform, or {profile: NAME} with values of your own"
        let found = custom("platform", help) {
            var reader = SettingsReader.describing("platform")
            _ = reader.platformMap()
            return .either([.word(names), reader.shape])
        }
        guard let found else { return nil }
        if found.entries != nil {
            let before = faults.found
            let (platform, resolved) = read(found, of: "`platform`") { $0.platformMap() }
            resolve("platform", to: resolved)
            return faults.found == before ? platform : nil
        }
        guard let name = parse(found, .text), let shipped = shipped(name, found) else { return nil }
        resolve("platform", to: .text(name))
        return shipped.platform
    }

    private mutating func platformMap() -> Platform? {
        let words = ShippedPlatform.all.map { ($0.name, $0.name) }
        let before = faults.found
        let name = required(
            "profile", .word(words), standIn: words[0].0, "platform that supplies the values of all other settings")
        let buckets = StandbyBucket.words
        let pinned = word("standby", of: buckets, "standby bucket of the app, whatever its last use")
        guard let shipped = ShippedPlatform.all.first(where: { $0.name == name }) else { return nil }
        var platform = shipped.platform
        platform.standby.pinned = pinned
        let numbers =
            isDescribing
            ? PlatformParameter.numbers(of: .android) + PlatformParameter.numbers(of: .ios).filter(\.isOfIOSAlone)
            : shipped.numbers
        for number in numbers {
            if let own = value(number.key, number.form, number.help) { number.write(own, to: &platform) }
        }
        return faults.found == before ? platform : nil
    }

    private mutating func shipped(_ name: String, _ node: Node) -> ShippedPlatform? {
        if let found = ShippedPlatform.all.first(where: { $0.name == name }) { return found }
        note(node.unknown("platform", name, among: ShippedPlatform.all.map(\.name), .unknownProfile))
        return nil
    }
}

extension PlatformParameter {
    fileprivate var isOfIOSAlone: Bool { !PlatformParameter.numbers(of: .android).contains { $0.key == key } }

    /// How users write the number.
    var form: ValueFormat<Int64> {
        switch destination {
        case .span: .orWord("never", .max, .quantity(.span, in: minimum...Int64.max))
        case .count: .orWord("unlimited", .max, .count(in: minimum...Int64.max))
        case .flag: ValueFormat<Bool>.flag.map({ $0 ? 1 : 0 }, back: { $0 != 0 })
        case .power: .quantity(.power, in: 0...1_000_000_000)
        case .energy: .quantity(.energy, in: 0...1_000_000_000)
        case .bucket:
            ValueFormat<StandbyBucket>.word(StandbyBucket.words)
                .map({ Int64($0.rawValue) }, back: { StandbyBucket(rawValue: UInt8($0)) ?? .active })
        }
    }

    func node(_ number: Int64) -> Node { form.write(number) }
}

extension ValueFormat where Value == Int64 {
    /// A number, or a word that stands for one specific number.
    static func orWord(_ word: String, _ number: Int64, _ form: ValueFormat) -> ValueFormat {
        ValueFormat(
            "\(form.expected), or \(word)",
            shape: { .either([.word([Shape.Keyword(name: word, about: "")]), form.shape()]) },
            read: { node, faults in node.scalar == word ? number : form.read(node, &faults) },
            write: { $0 == number ? .text(word) : form.write($0) })
    }
}

extension StandbyBucket {
    fileprivate static let words: [(String, Self)] = [
        ("active", .active), ("working", .working), ("frequent", .frequent), ("rare", .rare),
        ("restricted", .restricted),
    ]
}

extension Platform {
    /// All numbers of the platform, for the world's hash. The name alone does not identify them.
    var node: Node {
        var entries = PlatformParameter.numbers(of: family).map {
            Node.MapEntry(key: $0.key, value: $0.node($0.number(in: self)))
        }
        if let pinned = standby.pinned {
            entries.append(.init(key: "standby", value: .text(StandbyBucket.words.word(pinned))))
        }
        entries.append(.init(key: "family", value: .text(family == .android ? "android" : "ios")))
        return .map(entries.sorted { $0.key < $1.key })
    }
}

extension ShippedPlatform {
    /// The platform's numbers as text, each with its source.
    package var sheet: ProfileSource {
        let rows = numbers.compactMap { number in
            value(number).map { value in
                Provenance(
                    parameter: number.key, value: number.node(value.number).scalar ?? "", source: value.source,
                    trust: value.trust, note: value.note)
            }
        }
        return ProfileSource(name: name, about: about, numbers: rows)
    }
}
