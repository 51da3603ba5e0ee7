import DeadzoneBase
import DeadzoneSimulator

extension SettingsReader {
    /// Reads the instances (`instances: 4`, `balance: least-connections`), and the settings of load balancer,
    /// autoscaling and database.
    mutating func readCluster(_ server: inout ServerProfile) {
        var cluster = ClusterProfile()
        let most = Int64(ClusterProfile.maximumInstances)
        cluster.instances = UInt8(
            count("instances", in: 1...most, "number of identical instances behind one balancer") ?? 1)
        cluster.balance =
            word(
                "balance", of: ClusterProfile.Balance.words,
                "instance for a new connection: the next in turn (round-robin), or the one with the fewest connections")
            ?? .roundRobin
        cluster.backlog = count(
            "backlog", in: 0...1_000_000_000,
            "capacity of an instance's accept queue; further connections get no answer"
        ).map(UInt32.init)
        cluster.connectionLimit = count(
            "connection-limit", in: 1...1_000_000_000, "most connections of an instance"
        ).map(UInt32.init)
        cluster.shedding = section("shed", "a client that finds the server full gets an answer") { settings in
            settings.required(
                "retry-after", .span(in: .milliseconds(1) ... .hours(24)), standIn: .seconds(1),
                "retry time in that answer")
        }
        cluster.health = section("health-checks", "the balancer checks each instance") { settings in
            // kubernetes/api core/v1/types.go, Probe: periodSeconds 10, failureThreshold 3.
            ClusterProfile.HealthChecks(
                every: settings.span(
                    "every", default: .seconds(10), in: .milliseconds(1) ... .hours(24), "time between two checks"),
                failures: UInt16(
                    settings.count(
                        "failures", default: 3, in: 1...1_000, "failed checks in a row that eject an instance")),
                timeout: settings.span(
                    "timeout", in: .zero ... .hours(1),
                    "a check that waits longer in the instance's queue fails: no new connections until one succeeds"),
                panic: settings.value(
                    "panic", .probability, "share of ready instances below which all instances get connections"))
        }
        cluster.autoscaling = section("autoscaling", "more instances under more load") { settings in
            settings.autoscaling()
        }
        cluster.database = section("database", "database of all instances, one query at a time") { settings in
            ClusterProfile.DatabaseCapacity(
                queriesPerSecond: UInt32(
                    settings.required(
                        "queries-per-second", .count(in: 1...1_000_000_000), standIn: 1, "queries per second")),
                perCall: UInt16(settings.count("per-call", default: 1, in: 0...1_000, "queries for each call")),
                perSession: UInt16(settings.count("per-session", default: 0, in: 0...1_000, "queries for each session"))
            )
        }
        server.cluster = cluster
        refuseIdle("backlog", unless: server.acceptsPerSecond != nil, "accepts-per-second")
        let works = server.acceptsPerSecond != nil || peek("capacity") != nil
        refuseIdle("autoscaling", unless: works, "accepts-per-second or capacity")
        let seesLoad = cluster.health?.timeout != nil
        refuseIdle("health-checks", unless: works || !seesLoad, "accepts-per-second or capacity for a `timeout`")
    }

    private mutating func autoscaling() -> ClusterProfile.Autoscaling {
        // kubernetes/kubernetes pkg/controller/podautoscaler: a check every 15 s
        // (`--horizontal-pod-autoscaler-sync-period`).
        let scaling = ClusterProfile.Autoscaling(
            target: required(
                "target", .probability, standIn: .one,
                "share of time that an instance is busy; above it instances are added"),
            every: span("every", default: .seconds(15), in: .seconds(1) ... .hours(1), "time between two evaluations"),
            startUp: span(
                "start-up", default: .minutes(2), in: .zero ... .hours(24),
                "time from the decision to the first connection"),
            maximum: UInt8(
                required(
                    "max", .count(in: 1...Int64(ClusterProfile.maximumInstances)), standIn: 1, "most instances")),
            downAfter: span(
                "down-after", in: .zero ... .hours(24),
                "time with lower demand after which surplus instances get no new connections"),
            grace: span(
                "grace", in: .milliseconds(1) ... .hours(24),
                "time until the remaining connections of surplus instances are reset; default: they stay until they end"
            ))
        if scaling.grace != nil && scaling.downAfter == nil && !isDescribing {
            note(
                Fault(
                    .contradiction, at: mark(of: "grace"), width: 5, "`grace` without instances that are removed",
                    label: "needs down-after"))
        }
        return scaling
    }

    private mutating func refuseIdle(_ key: String, unless isUsed: Bool, _ needed: String) {
        guard !isUsed, !isDescribing, has(key) else { return }
        note(
            Fault(
                .contradiction, at: mark(of: key), width: key.utf8.count, "`\(key)` of a server without queues",
                label: "needs \(needed)"))
    }
}

extension ClusterProfile.Balance {
    fileprivate static let words: [(String, Self)] = [
        ("round-robin", .roundRobin), ("least-connections", .leastConnections),
    ]
}

extension ClusterProfile {
    /// The settings that differ from a server with a single instance.
    var entries: [Node.MapEntry] {
        let usual = ClusterProfile()
        let span = ValueFormat<TimeSpan>.span()
        func entry<Value: Equatable>(
            _ key: String, _ value: KeyPath<Self, Value>, _ write: (Value) -> Node
        ) -> [Node.MapEntry] {
            self[keyPath: value] == usual[keyPath: value] ? [] : [.init(key: key, value: write(self[keyPath: value]))]
        }
        func number(_ value: (some BinaryInteger)?) -> Node { .text(value.map { String($0) } ?? "") }
        let parts: [[Node.MapEntry]] = [
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
                        [number($0.target.halves), span.write($0.every), span.write($0.startUp), number($0.maximum)]
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
