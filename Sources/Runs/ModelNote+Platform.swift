import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics

extension ModelNote {
    /// Model note for the scenario's operating system: sources of the release and assumed parameters. A platform that
    /// does not match a shipped release has neither.
    init(_ platform: Platform) {
        self.init(name: platform.name, sources: [], assumed: [])
        guard let release = ShippedPlatform.all.first(where: { $0.name == platform.name }) else { return }
        // The parameters that affect the reported energy come first.
        let priced = ["processor.power", "processor.wake-up"]
        let numbers = release.numbers
        for number in numbers.filter({ priced.contains($0.key) }) + numbers.filter({ !priced.contains($0.key) }) {
            guard let value = release.value(number) else { continue }
            // A parameter that the scenario has changed is documented by the scenario itself.
            var shipped = platform
            number.write(value.number, to: &shipped)
            guard shipped == platform else { continue }
            if !value.source.isEmpty && !sources.contains(value.source) { sources.append(value.source) }
            if value.trust.isAssumption { assumed.append("\(number.key) \(number.text(value.number))") }
        }
    }
}

extension PlatformParameter {
    /// The parameter value in scenario syntax.
    fileprivate func text(_ number: Int64) -> String {
        switch destination {
        case .span where number == .max: "never"
        case .span: ValueFormat<Int64>.quantity(.span).write(number).scalar ?? "\(number)"
        case .power: ValueFormat<Int64>.quantity(.power).write(number).scalar ?? "\(number)"
        case .energy: ValueFormat<Int64>.quantity(.energy).write(number).scalar ?? "\(number)"
        case .flag: number == 0 ? "false" : "true"
        case .count: "\(number)"
        case .bucket: UInt8(exactly: number).flatMap(StandbyBucket.init(rawValue:)).map { "\($0)" } ?? "\(number)"
        }
    }
}
