import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings

extension SettingsReader {
    /// `send-buffer: 64KiB`, `slow-consumers: {conflate: {above: 512KiB}, cut: {above: 2MiB, after: 30s}}`
    mutating func readSlowConsumers(_ server: inout ServerProfile) {
        let usual = ServerProfile()
        server.sendBuffer = size(
            "send-buffer", in: 2_048...(1 << 30),
            "SO_SNDBUF: what its kernel takes of a connection's messages before the phone has them; Linux doubles it"
        ).map(UInt32.init)
        let plain = Form.word([("buffer", SlowConsumers())])
        let rules = either(
            "slow-consumers", "messages that a connection does not take: `buffer` keeps them all", plain: plain
        ) { settings in
            var rules = SlowConsumers()
            rules.conflatesAbove = settings.section("conflate", "keeps only the newest") { settings in
                rules.keys = UInt32(
                    settings.count(
                        "keys", default: 1, in: 1...1_000_000,
                        "messages are about so many things in turn: of each the newest is kept"))
                return settings.queueLimit("when more than this waits, and until nothing does")
            }
            rules.cutsAbove = settings.section("cut", "ends the connection") { settings in
                rules.cutsAfter = settings.span(
                    "after", default: .zero, in: .zero ... .hours(24), "once more than that has waited for so long")
                return settings.queueLimit("what it bears")
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
    /// The same in the words of a file, where it is not the usual.
    var slowConsumerEntries: [Node.Entry] {
        let span = Form<TimeSpan>.span()
        var entries: [Node.Entry] = []
        if let sendBuffer { entries.append(.init(key: "send-buffer", value: .text("\(sendBuffer)B"))) }
        var rules: [Node.Entry] = []
        if let limit = slowConsumers.conflatesAbove {
            let parts = [("above", Node.text("\(limit)B")), ("keys", .text("\(slowConsumers.keys)"))]
            rules.append(.init(key: "conflate", value: .map(parts.map { Node.Entry(key: $0.0, value: $0.1) })))
        }
        if let limit = slowConsumers.cutsAbove {
            let parts = [("above", Node.text("\(limit)B")), ("after", span.write(slowConsumers.cutsAfter))]
            rules.append(.init(key: "cut", value: .map(parts.map { Node.Entry(key: $0.0, value: $0.1) })))
        }
        if !rules.isEmpty { entries.append(.init(key: "slow-consumers", value: .map(rules))) }
        return entries
    }
}
