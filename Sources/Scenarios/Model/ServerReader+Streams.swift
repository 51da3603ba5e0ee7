import DeadzoneBase
import DeadzoneSimulator

extension SettingsReader {
    /// Reads the faults of streams that share a connection: `streams: {ends-every: 10m, silent: 50%, refused: 5%}`.
    mutating func subscriptionRules(beside slowConsumers: SlowConsumers) -> SubscriptionRules? {
        if has("streams"), slowConsumers.conflates, !isDescribing {
            note(
                Fault(
                    .contradiction, at: mark(of: "streams"), width: 7, "`streams` beside `conflate`",
                    label: "a message that is left out has one cause"))
        }
        return section(
            "streams", "streams that share a connection, which a client has to join, and which can end alone"
        ) {
            settings in
            var rules = SubscriptionRules()
            rules.endsEvery = settings.span(
                "ends-every", in: .seconds(1) ... .hours(24 * 366),
                "mean time between two ends of one of the phone's streams, drawn at random; default: none ends")
            rules.silent = settings.probability(
                "silent", default: .zero, "share of these ends of which the server tells the client nothing")
            rules.refused = settings.probability(
                "refused", default: .zero, "share of requests to join that are refused")
            rules.unanswered = settings.probability(
                "unanswered", default: .zero, "share of requests to join that the server does not answer")
            if rules.endsEvery == nil, settings.has("silent"), !settings.isDescribing {
                settings.refuse("silent", without: "ends-every")
            }
            return rules
        }
    }
}

extension SubscriptionRules {
    /// The settings as canonical text.
    var entries: [Node.MapEntry] {
        let share: (Probability) -> Node = { .text(String($0.halves)) }
        let every = ValueFormat<TimeSpan>.span().write(endsEvery ?? .zero)
        return [.init(key: "streams", value: .list([every, share(silent), share(refused), share(unanswered)]))]
    }
}
