import DeadzoneBase
import DeadzoneSimulator

extension SettingsReader {
    /// Reads the send buffer and the rules for slow consumers:
    /// `send-buffer: 64KiB`, `slow-consumers: {conflate: {above: 512KiB}, cut: {above: 2MiB, after: 30s}}`
    mutating func readSlowConsumers(_ server: inout ServerProfile) {
        let usual = ServerProfile()
        server.sendBuffer = size(
            "send-buffer", in: 2_048...(1 << 30),
            "SO_SNDBUF: bytes of a connection that the server's kernel accepts before the phone has them; Linux doubles it"
        ).map(UInt32.init)
        let plain = ValueFormat.word([("buffer", SlowConsumers())])
        let rules = either(
            "slow-consumers", "messages that a connection does not accept; `buffer` keeps them all", plain: plain
        ) { settings in
            var rules = SlowConsumers()
            rules.conflatesAbove = settings.section("conflate", "keeps only the newest message") { settings in
                rules.keys = UInt32(
                    settings.count(
                        "keys", default: 1, in: 1...1_000_000,
                        "number of topics, which the messages have in turn; the newest message of each topic is kept"))
                return settings.queueLimit("bytes that must wait before it starts; it lasts until none wait")
            }
            rules.closesAbove = settings.section("cut", "ends the connection") { settings in
                rules.closesAfter = settings.span(
                    "after", default: .zero, in: .zero ... .hours(24), "time for which more than `above` has waited")
                return settings.queueLimit("bytes that may wait")
            }
            if rules == SlowConsumers(), !settings.isDescribing {
                settings.note(
                    Fault(
                        .missing, at: settings.mark, width: 1, "`slow-consumers` without a rule",
                        label: "write conflate: {}, cut: {after: 2s}, or the word buffer"))
            }
            return rules
        }
        server.slowConsumers = rules ?? usual.slowConsumers
    }

    private mutating func queueLimit(_ help: String) -> UInt64 {
        UInt64(size("above", default: 0, in: 0...(1 << 40), help))
    }
}

extension ServerProfile {
    /// The settings that differ from the default, in the file's words.
    var slowConsumerEntries: [Node.MapEntry] {
        let span = ValueFormat<TimeSpan>.span()
        var entries: [Node.MapEntry] = []
        if let sendBuffer { entries.append(.init(key: "send-buffer", value: .text("\(sendBuffer)B"))) }
        var rules: [Node.MapEntry] = []
        if let limit = slowConsumers.conflatesAbove {
            let parts = [("above", Node.text("\(limit)B")), ("keys", .text("\(slowConsumers.keys)"))]
            rules.append(.init(key: "conflate", value: .map(parts.map { Node.MapEntry(key: $0.0, value: $0.1) })))
        }
        if let limit = slowConsumers.closesAbove {
            let parts = [("above", Node.text("\(limit)B")), ("after", span.write(slowConsumers.closesAfter))]
            rules.append(.init(key: "cut", value: .map(parts.map { Node.MapEntry(key: $0.0, value: $0.1) })))
        }
        if !rules.isEmpty { entries.append(.init(key: "slow-consumers", value: .map(rules))) }
        return entries
    }
}
