public import DeadzoneCaptures
import DeadzonePrimitives

/// Builds the report on a capture's traffic patterns, with the host and app names of the capture.
public struct HabitReportBuilder {
    /// Number of bursts listed in a result: the most expensive, in time order.
    private static let listedBursts = 1_000
    private static let listedCostEntries = 100
    private static let listedAdvice = 10
    /// Interval that other platforms found sufficient for a connection that only has to stay open (FCM on Wi-Fi: 15
    /// minutes).
    private static let relaxedInterval = 900.0

    private let reader: CaptureReader
    private let habits: CaptureHabits
    private let flowCosts: CaptureHabits
    private let interfaces: InterfaceChangeDetector
    private let addresses: AddressChangeDetector

    /// - Parameter flowCosts: Cost attribution of all traffic.
    public init(
        _ reader: CaptureReader, _ habits: CaptureHabits, flowCosts: CaptureHabits,
        _ interfaces: InterfaceChangeDetector,
        _ addresses: AddressChangeDetector
    ) {
        self.reader = reader
        self.habits = habits
        self.flowCosts = flowCosts
        self.interfaces = interfaces
        self.addresses = addresses
    }

    public var report: ReplayReport.Habits {
        var report = ReplayReport.Habits()
        let dearest = habits.bursts.indices.sorted {
            (habits.bursts[$1].joules, $0) < (habits.bursts[$0].joules, $1)
        }.prefix(Self.listedBursts).sorted()
        report.bursts = dearest.map { index in
            let burst = habits.bursts[index]
            return ReplayReport.BurstRow(
                at: burst.begin, seconds: burst.seconds, packets: burst.packets, bytes: burst.bytes,
                cause: burst.cause.rawValue, flow: name(of: burst.flow), joules: burst.joules)
        }
        report.unlistedBursts = habits.unkeptBursts + habits.bursts.count - dearest.count
        report.periodic = habits.periodic.prefix(Self.listedBursts).compactMap { periodic in
            name(of: periodic.flow).map {
                ReplayReport.Periodic(
                    flow: $0, remoteName: reader.remoteName(reader.flow(periodic.flow)), interval: periodic.interval,
                    jitter: periodic.jitter, count: periodic.count, joules: periodic.joules)
            }
        }
        report.transitions = transitions
        report.advice = Array(advice.sorted { $1.joules < $0.joules }.prefix(Self.listedAdvice))
        (report.remotes, report.apps) = costEntries
        return report
    }

    private func name(of id: FlowID) -> String? {
        Int(id.index) < reader.describedFlows ? reader.flow(id).text : nil
    }

    // MARK: Transitions

    private var transitions: [ReplayReport.Transition] {
        let names = reader.interfaces.map { $0.name }
        func name(_ index: UInt32) -> String {
            (Int(index) < names.count ? names[Int(index)] : nil) ?? "interface \(index)"
        }
        let moves = interfaces.changes.map {
            ReplayReport.Transition(
                at: $0.at, kind: "interface", from: name($0.from), to: name($0.to))
        }
        let changes = addresses.changes.map {
            ReplayReport.Transition(at: $0.at, kind: "address", from: $0.from.text, to: $0.to.text)
        }
        let upheavals = habits.reconnects.prefix(1_000).map {
            ReplayReport.Transition(at: $0.at, kind: "upheaval", from: nil, to: nil)
        }
        return (moves + changes + upheavals).sorted { $0.at < $1.at }
    }

    // MARK: Cost by remote name and app

    private var costEntries: (remotes: [ReplayReport.CostEntry], apps: [ReplayReport.CostEntry]) {
        var remotes: [String: ReplayReport.CostEntry] = [:]
        var apps: [String: ReplayReport.CostEntry] = [:]
        let names = reader.apps
        for index in 0..<min(reader.describedFlows, CaptureHabits.describedFlows) {
            let id = FlowID(UInt32(index))
            let joules = flowCosts.joules(id)
            guard joules > 0 else { continue }
            let flow = reader.flow(id)
            // Neighbour traffic is priced separately.
            guard flow.neighbourTraffic == .none else { continue }
            let remote = reader.remoteName(flow) ?? flow.remote.address.text
            remotes[remote, default: .init(name: remote, flows: 0, joules: 0)].add(joules)
            if Int(flow.app.index) < names.count {
                let app = names[Int(flow.app.index)].name
                apps[app, default: .init(name: app, flows: 0, joules: 0)].add(joules)
            }
        }
        func dearest(_ costEntries: [String: ReplayReport.CostEntry]) -> [ReplayReport.CostEntry] {
            Array(
                costEntries.values.sorted { ($1.joules, $0.name) < ($0.joules, $1.name) }.prefix(Self.listedCostEntries)
            )
        }
        return (dearest(remotes), dearest(apps))
    }

    // MARK: Advice

    private var advice: [ReplayReport.Advice] {
        var advice = habits.periodic.prefix(Self.listedAdvice).compactMap { periodic -> ReplayReport.Advice? in
            guard let flow = name(of: periodic.flow) else { return nil }
            let remote = reader.remoteName(reader.flow(periodic.flow)) ?? flow
            let saved = periodic.joules * max(0, 1 - periodic.interval / Self.relaxedInterval)
            return ReplayReport.Advice(
                .periodic(remote: remote, interval: periodic.interval, count: periodic.count),
                joules: periodic.joules, saves: saved)
        }
        func total(_ cause: BurstCause) -> (count: Int, joules: Double) {
            habits.bursts.reduce((0, 0)) { $1.cause == cause ? ($0.0 + 1, $0.1 + $1.joules) : $0 }
        }
        func add(_ cause: BurstCause, _ habit: (Int) -> ReplayReport.Advice.Habit) {
            let (count, joules) = total(cause)
            guard count > 0 else { return }
            advice.append(.init(habit(count), joules: joules, saves: joules))
        }
        add(.control) { .control($0) }
        add(.keepalive) { .keepalives($0) }
        add(.retransmission) { .retransmissions($0) }
        let isolated = isolatedBursts
        if isolated.count > 0 {
            advice.append(.init(.isolated(isolated.count), joules: isolated.joules, saves: isolated.joules))
        }
        return advice
    }

    /// Bursts of little data that could have waited for other traffic.
    private var isolatedBursts: (count: Int, joules: Double) {
        var (count, joules) = (0, 0.0)
        for (before, burst) in zip(habits.bursts, habits.bursts.dropFirst())
        where burst.cause == .client && burst.payload < 1_024
            && burst.begin - before.begin < .seconds(60)
        {
            count += 1
            joules += burst.joules
        }
        return (count, joules)
    }
}

extension ReplayReport.CostEntry {
    fileprivate mutating func add(_ joules: Double) {
        flows += 1
        self.joules += joules
    }
}
