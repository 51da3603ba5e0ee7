import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings

extension SettingsReader {
    /// `instances: 4`, `balance: least-connections`, and what is before and behind them.
    mutating func readCluster(_ server: inout ServerProfile) {
        var cluster = ClusterProfile()
        let most = Int64(ClusterProfile.mostInstances)
        cluster.instances = UInt8(count("instances", in: 1...most, "behind one balancer, each like the other") ?? 1)
        cluster.balance =
            word(
                "balance", of: ClusterProfile.Balance.words,
                "which of them gets a new connection: the next in turn (round-robin), or the one that has the fewest")
            ?? .roundRobin
        cluster.backlog = count(
            "backlog", in: 0...1_000_000_000, "so many may wait in an instance's accept queue; the next is not heard"
        ).map(UInt32.init)
        cluster.connectionLimit = count(
            "connection-limit", in: 1...1_000_000_000, "so many connections an instance has at most"
        ).map(UInt32.init)
        cluster.shedding = section("shed", "who finds no place is told so") { settings in
            settings.required(
                "retry-after", .span(in: .milliseconds(1) ... .hours(24)), standIn: .seconds(1),
                "when it wishes to be asked again")
        }
        cluster.health = section("health-checks", "the balancer asks each instance whether it is there") { settings in
            // kubernetes/api core/v1/types.go, Probe: periodSeconds 10, failureThreshold 3.
            ClusterProfile.HealthChecks(
                every: settings.span("every", default: .seconds(10), in: .milliseconds(1) ... .hours(24), "so often"),
                failures: UInt16(
                    settings.count("failures", default: 3, in: 1...1_000, "so many in a row take it out")),
                timeout: settings.span(
                    "timeout", in: .zero ... .hours(1),
                    "one that would stand in line for longer fails: no new connections there until one does not"),
                panic: settings.value(
                    "panic", .probability, "where a smaller share of the instances is left, all get connections"))
        }
        cluster.autoscaling = section("autoscaling", "more instances where there is more work") { settings in
            settings.autoscaling()
        }
        cluster.database = section("database", "what all instances ask, one query after the other") { settings in
            ClusterProfile.Database(
                queriesPerSecond: UInt32(
                    settings.required(
                        "queries-per-second", .count(in: 1...1_000_000_000), standIn: 1, "that it can answer")),
                perCall: UInt16(settings.count("per-call", default: 1, in: 0...1_000, "queries for an answer")),
                perSession: UInt16(settings.count("per-session", default: 0, in: 0...1_000, "queries for a session")))
        }
        server.cluster = cluster
        refuseIdle("backlog", unless: server.acceptsPerSecond != nil, "accepts-per-second")
        let works = server.acceptsPerSecond != nil || peek("capacity") != nil
        refuseIdle("autoscaling", unless: works, "accepts-per-second or capacity")
        let seesLoad = cluster.health?.timeout != nil
        refuseIdle("health-checks", unless: works || !seesLoad, "accepts-per-second or capacity for a `timeout`")
    }

    private mutating func autoscaling() -> ClusterProfile.Autoscaling {
        // kubernetes/kubernetes pkg/controller/podautoscaler: a look each 15 s (`--horizontal-pod-autoscaler-sync-period`).
        let scaling = ClusterProfile.Autoscaling(
            target: required(
                "target", .probability, standIn: .one, "of its time an instance works: more of them, until it is so"),
            every: span("every", default: .seconds(15), in: .seconds(1) ... .hours(1), "how often it looks"),
            startUp: span(
                "start-up", default: .minutes(2), in: .zero ... .hours(24), "from the wish to the first connection"),
            most: UInt8(
                required(
                    "max", .count(in: 1...Int64(ClusterProfile.mostInstances)), standIn: 1, "as many instances")),
            downAfter: span(
                "down-after", in: .zero ... .hours(24),
                "fewer would have done for so long: those too many get no new connections"),
            grace: span(
                "grace", in: .milliseconds(1) ... .hours(24),
                "what those still have so much later is reset; else it stays until it ends"))
        if scaling.grace != nil && scaling.downAfter == nil && !isDescribing {
            note(
                Fault(
                    .contradiction, at: mark(of: "grace"), width: 5, "`grace` of instances that never leave",
                    label: "needs down-after"))
        }
        return scaling
    }

    private mutating func refuseIdle(_ key: String, unless isUsed: Bool, _ needed: String) {
        guard !isUsed, !isDescribing, has(key) else { return }
        note(
            Fault(
                .contradiction, at: mark(of: key), width: key.utf8.count, "`\(key)` of a server that never waits",
                label: "needs \(needed)"))
    }
}

extension ClusterProfile.Balance {
    fileprivate static let words: [(String, Self)] = [
        ("round-robin", .roundRobin), ("least-connections", .leastConnections),
    ]
}

extension ClusterProfile {
    /// What differs from a server that is one.
    var entries: [Node.Entry] {
        let usual = ClusterProfile()
        let span = Form<TimeSpan>.span()
        func entry<Value: Equatable>(
            _ key: String, _ value: KeyPath<Self, Value>, _ write: (Value) -> Node
        ) -> [Node.Entry] {
            self[keyPath: value] == usual[keyPath: value] ? [] : [.init(key: key, value: write(self[keyPath: value]))]
        }
        func number(_ value: (some BinaryInteger)?) -> Node { .text(value.map { String($0) } ?? "") }
        let parts: [[Node.Entry]] = [
            entry("instances", \.instances) { number($0) },
            entry("balance", \.balance) { .text(Balance.words.word($0)) },
            entry("backlog", \.backlog) { number($0) },
            entry("connection-limit", \.connectionLimit) { number($0) },
            entry("shed", \.shedding) { span.write($0 ?? .zero) },
            entry("health-checks", \.health) {
                .list($0.map { [span.write($0.every), number($0.failures)] } ?? [])
            },
            entry("health-timeout", \.health?.timeout) { span.write($0 ?? .zero) },
            entry("health-panic", \.health?.panic) { number($0?.halves) },
            entry("autoscaling", \.autoscaling) {
                .list(
                    $0.map {
                        [number($0.target.halves), span.write($0.every), span.write($0.startUp), number($0.most)]
                    }
                        ?? [])
            },
            entry("down-after", \.autoscaling?.downAfter) { span.write($0 ?? .zero) },
            entry("autoscaling-grace", \.autoscaling?.grace) { span.write($0 ?? .zero) },
            entry("database", \.database) {
                .list($0.map { [number($0.queriesPerSecond), number($0.perCall), number($0.perSession)] } ?? [])
            },
        ]
        return parts.flatMap { $0 }
    }
}
