import DeadzoneBase
import DeadzoneSimulator

extension SettingsReader {
    /// Reads the app's consumer: `app: {consumes: 5ms, stalls: {every: {exponential: 30s}, for: 2s}}`.
    mutating func consumer() -> Consumer? {
        section("app", "the app's consumer of the server's messages; without it messages are shown at once") {
            settings in
            let spans = ValueFormat<Distribution>.distribution(.span, in: 0...TimeSpan.hours(24 * 366).nanoseconds)
            var consumer = Consumer(
                service: settings.value("consumes", spans, default: .constant(0), "time to consume one message"))
            let stalls = settings.section("stalls", "pauses of the consumer, for example while the screen is busy") {
                settings in
                let gaps = ValueFormat<Distribution>.distribution(
                    .span, in: 1_000_000...TimeSpan.hours(24 * 366).nanoseconds)
                return (
                    settings.required(
                        "every", gaps, standIn: .constant(1), "time from the end of one pause to the next"),
                    settings.required("for", spans, standIn: .constant(0), "duration of a pause")
                )
            }
            if let stalls { (consumer.stallGap, consumer.stall) = stalls }
            consumer.memoryLimit = settings.size(
                "memory-limit", in: 1...1 << 40,
                "most bytes of unread messages; if the process holds more, the system ends it"
            ).map { UInt64($0) }
            return consumer
        }
    }
}

extension Consumer {
    var node: Node {
        let span = ValueFormat<Distribution>.distribution(.span)
        var entries: [Node.MapEntry] = [.init(key: "consumes", value: span.write(service))]
        if let stallGap {
            entries += [.init(key: "every", value: span.write(stallGap)), .init(key: "for", value: span.write(stall))]
        }
        if let memoryLimit { entries.append(.init(key: "memory-limit", value: .text("\(memoryLimit)B"))) }
        return .map(entries)
    }
}

extension TimelineLine {
    var stalls: Bool {
        actions.contains { $0.word == "freeze-ui" }
    }
}
