import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

/// Sentences about settings that are valid, but are almost certainly mistakes.
extension Scenario {
    /// One sentence for each expectation that holds whatever the client does.
    var vacuousBounds: [String] {
        expectations.compactMap { expected in
            reason(forVacuous: expected).map { reason in
                let subject = expected.group.map { "\(expected.strategy): \($0)" } ?? expected.strategy
                return "expect: `\(subject.escapedForTerminal)`: `\(expected.metric): "
                    + "\(expected.bound.escapedForTerminal)` can never fail, because \(reason)"
            }
        }
    }

    private func reason(forVacuous expected: ExpectedBound) -> String? {
        let bound = expected.parsed
        if bound.isKeptByEveryCount { return "no count is below 0" }
        if bound.isKeptByZero, let missing = missingTraffic(of: expected) { return "the scenario has no \(missing)" }
        // Longest times of a state, which end with the scenario at the latest. Times until an event may have no end.
        let isPeriod = ["zombie.", "blocked."].contains { expected.metric.hasPrefix($0) }
        guard isPeriod, let longest = bound.longestTime, longest > world.horizon - .zero else { return nil }
        return "the scenario lasts only \(Self.text(world.horizon - .zero))"
    }

    /// The traffic that a metric counts, if no phone of the bound has any; otherwise `nil`.
    private func missingTraffic(of expected: ExpectedBound) -> String? {
        let worlds =
            world.groups.isEmpty
            ? [world] : world.groups.filter { expected.group == nil || $0.name == expected.group }.map(\.world)
        let kinds: [(family: String, name: String, stream: (Traffic) -> TrafficStream?)] = [
            ("delivery.up.", "`traffic: {up: …}`", { $0.up }),
            ("delivery.down.", "`traffic: {down: …}`", { $0.down }),
            ("calls.", "`traffic: {calls: …}`", { $0.calls }),
        ]
        guard let kind = kinds.first(where: { expected.metric.hasPrefix($0.family) }),
            worlds.allSatisfy({ kind.stream($0.traffic) == nil })
        else { return nil }
        return kind.name
    }

    /// One sentence for each strategy with a backoff that begins above its longest wait.
    var swappedBackoffs: [String] {
        strategies.flatMap { named in
            named.settings.maps(under: "backoff").compactMap { backoff in
                guard let base = backoff.span("base"), let cap = backoff.span("cap"), base > cap else { return nil }
                return "`\(named.name.escapedForTerminal)`: `backoff` has a `base` of \(Self.text(base)) above its "
                    + "`cap` of \(Self.text(cap)), so its waits do not grow"
            }
        }
    }

    /// One sentence for each keepalive interval of this file that is longer than the scenario. Presets may have long
    /// intervals, and an interval of a year or more means no keepalive, as in gRPC.
    var longIntervals: [String] {
        let length: TimeSpan = world.horizon - .zero
        return strategies.flatMap { named in
            named.settings.maps(under: "keepalive").flatMap { keepalive in
                ["interval", "on-wifi", "on-cellular"].compactMap { key in
                    guard let interval = keepalive.span(key), length < interval, interval < .hours(24 * 365),
                        let file = named.mark?.file, keepalive[key]?.mark.file == file
                    else { return nil }
                    return
                        "`\(named.name.escapedForTerminal)`: `keepalive: {\(key): \(Self.text(interval))}` is longer "
                        + "than the scenario, which lasts \(Self.text(length)), so it never elapses"
                }
            }
        }
    }
}

extension Node {
    /// The maps that are values of this key, at any depth.
    fileprivate func maps(under key: String) -> [Node] {
        (entries ?? []).flatMap { entry in
            (entry.key == key && entry.value.entries != nil ? [entry.value] : []) + entry.value.maps(under: key)
        }
    }

    fileprivate func span(_ key: String) -> TimeSpan? {
        self[key]?.scalar.flatMap(QuantityKind.span.value).map { .nanoseconds($0) }
    }
}
