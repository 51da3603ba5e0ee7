import DeadzoneCompare
import DeadzoneDevice
import DeadzoneSettings

extension ModelNote {
    /// What a scenario's operating system stands on: the sources of its release, and what of it was assumed. A platform that no
    /// release is named after has neither.
    init(_ platform: Platform) {
        self.init(name: platform.name, sources: [], assumed: [])
        guard let release = ShippedPlatform.all.first(where: { $0.name == platform.name }) else { return }
        // What a report prices stands first.
        let priced = ["processor.power", "processor.wake-up"]
        let numbers = release.numbers
        for number in numbers.filter({ priced.contains($0.key) }) + numbers.filter({ !priced.contains($0.key) }) {
            guard let value = release.value(number) else { continue }
            // What the scenario has set itself stands in the scenario.
            var shipped = platform
            number.write(value.number, to: &shipped)
            guard shipped == platform else { continue }
            if !value.source.isEmpty && !sources.contains(value.source) { sources.append(value.source) }
            if value.trust.isAssumption { assumed.append("\(number.key) \(number.text(value.number))") }
        }
    }
}

extension PlatformNumber {
    /// As a scenario would write it.
    fileprivate func text(_ number: Int64) -> String {
        switch place {
        case .span where number == .max: "never"
        case .span: Form<Int64>.quantity(.span).write(number).scalar ?? "\(number)"
        case .power: Form<Int64>.quantity(.power).write(number).scalar ?? "\(number)"
        case .energy: Form<Int64>.quantity(.energy).write(number).scalar ?? "\(number)"
        case .flag: number == 0 ? "false" : "true"
        case .count: "\(number)"
        case .bucket: UInt8(exactly: number).flatMap(StandbyBucket.init(rawValue:)).map { "\($0)" } ?? "\(number)"
        }
    }
}
