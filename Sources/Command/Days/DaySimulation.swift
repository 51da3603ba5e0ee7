import DeadzoneBase
import DeadzoneCaptures
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

/// One replica of the strategies of a recorded day, and how well its radio activity agrees with the recording.
struct DaySimulation {
    /// Name and history of each strategy, in the order of the scenario. Empty unless they were requested.
    let histories: [(name: String, history: PhoneHistory)]
    /// The agreement of the last strategy, which is the recommended one. `nil` without a radio that was ever busy.
    let agreement: RadioAgreement?
    /// Why the day cannot be simulated; `nil` if it can.
    let refusal: String?

    /// - Parameter keepsHistories: `true` for a page, which draws all strategies. Otherwise only the last strategy is
    ///   simulated, and only the busy times of its radios are kept: a history of two months needs 100 MiB.
    init(
        _ day: PhoneDay, _ scenario: DayScenario, _ vocabulary: Vocabulary, keepsHistories: Bool,
        _ isStopped: () -> Bool
    ) {
        let loaded = ScenarioLoader(vocabulary, read: ScenarioFiles.read).load(
            Array(scenario.text.utf8), name: "day.yaml")
        guard loaded.faults.isEmpty, let scenario = loaded.scenarios.first else {
            histories = []
            agreement = nil
            refusal = loaded.faults.sorted.first?.message ?? "no scenario"
            return
        }
        refusal = nil
        let plan = SimulationPlan(
            scenario, scenario.strategies.map(\.strategy), seed: scenario.seed ?? 1, replicas: 1)
        var busy = BusyTimes(day)
        var found: [(name: String, history: PhoneHistory)] = []
        for (index, strategy) in scenario.strategies.enumerated() {
            let isLast = index + 1 == scenario.strategies.count
            if keepsHistories {
                let markers = scenario.world.timeline.map(\.change.labels.scene)
                var history = PhoneHistory(
                    horizon: scenario.world.horizon - .zero, prices: scenario.prices, markers: markers)
                plan.rerun(index, 0, into: &history, isStopped)
                if isLast { for packet in history.packets { busy.add(packet.at, packet.interface) } }
                found.append((strategy.name, history))
            } else if isLast {
                plan.rerun(index, 0, into: &busy, isStopped)
            }
        }
        histories = found
        agreement = scenario.strategies.last.flatMap { last in
            RadioAgreement(
                strategy: last.name, day, mobile: busy.lane(.cellular, day.length), wifi: busy.lane(.wifi, day.length))
        }
    }
}

/// Records when the radios of a phone are busy, as the phone would report it: from a packet until the timeout after the
/// last one. The radio's own tails do not matter here.
private struct BusyTimes: Recorder {
    /// Busy times of one interface, in milliseconds.
    private struct InterfaceTimes {
        let timeout: Int64
        var changes: [(at: Int64, value: Bool)] = []
        /// End of the last busy time; `nil` without a packet.
        var end: Int64?

        mutating func add(_ at: Int64) {
            if end.map({ $0 < at }) ?? true {
                if let end { changes.append((end, false)) }
                changes.append((at, true))
            }
            end = max(end ?? at, at + timeout)
        }
    }

    private var interfaces: [Interface: InterfaceTimes]

    init(_ day: PhoneDay) {
        interfaces = [
            .cellular: InterfaceTimes(timeout: day.mobileTimeout.milliseconds),
            .wifi: InterfaceTimes(timeout: day.wifiTimeout.milliseconds),
        ]
    }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.value >= 0 && record.phone == 0 {
            if let tag = record.tag(of: .bytes) { add(record.at.nanoseconds, tag.interface) }
        }
    }

    /// A recorded day has one phone.
    mutating func merge(_ other: BusyTimes) {}

    /// Adds a packet. Packets come in time order.
    mutating func add(_ nanoseconds: Int64, _ interface: Interface) {
        interfaces[interface]?.add(nanoseconds / 1_000_000)
    }

    func lane(_ interface: Interface, _ length: Int64) -> Lane<Bool> {
        var changes = interfaces[interface]?.changes ?? []
        if let end = interfaces[interface]?.end { changes.append((min(end, length), false)) }
        return Lane(changes.filter { $0.at < length }, from: false, until: length)
    }
}
