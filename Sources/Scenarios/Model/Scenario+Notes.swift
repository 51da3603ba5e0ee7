import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

extension Scenario {
    /// One sentence for each client that makes none of the scenario's calls, so that all of them fail.
    package var unmadeCalls: [String] {
        let hasCalls = world.traffic.calls != nil || world.groups.contains { $0.world.traffic.calls != nil }
        guard hasCalls else { return [] }
        return strategies.filter(\.strategy.ignoresCalls).map {
            "`\($0.name.escapedForTerminal)` makes no calls, because the strategy `\($0.strategy.name)` does not: all calls "
                + "of the scenario fail. `composed` makes calls."
        }
    }

    /// One sentence for each client with visits in the background that last at least as long as the processor is awake
    /// for them. The timer of their end wakes no phone, so they last longer than the scenario says.
    package var lateVisits: [String] {
        guard let rules = world.platform?.processor, rules.sleeps else { return [] }
        return strategies.compactMap { named in
            guard let visit = named.strategy.unlockedVisit else { return nil }
            let awake = visit.wake == .job ? rules.jobSpan : rules.alarmSpan
            guard visit.length >= awake else { return nil }
            func text(_ span: TimeSpan) -> String { ValueFormat<TimeSpan>.span().write(span).scalar ?? "" }
            return
                "`\(named.name.escapedForTerminal)`: visits of \(text(visit.length)), but the processor is awake for "
                + "\(text(awake)). Their end waits until something wakes it. `wake-lock: visit` changes that"
        }
    }
}
