import DeadzoneMessages
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings

extension SettingsReader {
    /// `app: {consumes: 5ms, stalls: {every: {exponential: 30s}, for: 2s}}`
    mutating func consumer() -> Consumer? {
        section("app", "who takes the server's messages in the app; without it they are seen at once") { settings in
            let spans = Form<Distribution>.distribution(.span, in: 0...TimeSpan.hours(24 * 366).nanoseconds)
            var consumer = Consumer(
                service: settings.value("consumes", spans, default: .constant(0), "what one message takes it"))
            let stalls = settings.section("stalls", "it stands still from time to time, as a screen that is busy") {
                settings in
                let gaps = Form<Distribution>.distribution(.span, in: 1_000_000...TimeSpan.hours(24 * 366).nanoseconds)
                return (
                    settings.required("every", gaps, standIn: .constant(1), "from the end of one to the next"),
                    settings.required("for", spans, standIn: .constant(0), "how long it lasts")
                )
            }
            if let stalls { (consumer.stallGap, consumer.stall) = stalls }
            return consumer
        }
    }
}

extension Consumer {
    var node: Node {
        let span = Form<Distribution>.distribution(.span)
        var entries: [Node.Entry] = [.init(key: "consumes", value: span.write(service))]
        if let stallGap {
            entries += [.init(key: "every", value: span.write(stallGap)), .init(key: "for", value: span.write(stall))]
        }
        return .map(entries)
    }
}

extension TimelineLine {
    var stalls: Bool {
        sayings.contains { $0.word == "freeze-ui" }
    }
}
