import DeadzoneBase
package import DeadzoneCaptures

/// Builds the report on a capture's traffic patterns, with the host and app names of the capture.
package struct HabitReportBuilder {
    /// Number of bursts listed in a result: the most expensive, in time order.
    private static let listedBursts = 1_000
    private static let listedCostEntries = 100
    private static let listedAdvice = 10
    /// Bursts listed with one piece of advice.
    private static let listedOccasions = 20
    /// Interval that other platforms found sufficient for a connection that only has to stay open (FCM on Wi-Fi: 15
    /// minutes).
    private static let relaxedInterval = 900.0

    private let reader: CaptureReader
    private let habits: CaptureHabits
    private let streams: [RealtimeStream]
    private let interfaces: InterfaceChangeDetector
    private let addresses: AddressChangeDetector

    package init(
        _ reader: CaptureReader, _ habits: CaptureHabits, _ streams: [RealtimeStream],
        _ interfaces: InterfaceChangeDetector, _ addresses: AddressChangeDetector
    ) {
        self.reader = reader
        self.habits = habits
        self.streams = streams
        self.interfaces = interfaces
        self.addresses = addresses
    }

    package var report: ReplayReport.Habits {
        var report = ReplayReport.Habits()
        let dearest = dearest(habits.bursts.indices, Self.listedBursts)
        report.bursts = rows(dearest)
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
        report.calls = streams.map(call)
        return report
    }

    private func name(of id: FlowID) -> String? {
        Int(id.index) < reader.describedFlows ? reader.flow(id).text : nil
    }

    private func remoteName(of id: FlowID) -> String? {
        Int(id.index) < reader.describedFlows ? reader.remoteName(reader.flow(id)) : nil
    }

    /// The rows of bursts. The texts of a flow are made once, because many bursts have the same flow.
    private func rows(_ bursts: [Int]) -> [ReplayReport.BurstRow] {
        var labels: [FlowID: (name: String?, remoteName: String?)] = [:]
        return bursts.map { index in
            let burst = habits.bursts[index]
            let label = labels[burst.flow] ?? (name(of: burst.flow), remoteName(of: burst.flow))
            labels[burst.flow] = label
            return ReplayReport.BurstRow(
                at: burst.begin, seconds: burst.seconds, packets: burst.packets, bytes: burst.bytes,
                cause: burst.cause.rawValue, flow: label.name, remoteName: label.remoteName, joules: burst.joules)
        }
    }

    private func call(_ stream: RealtimeStream) -> ReplayReport.Call {
        let flows = stream.flows.map(reader.flow)
        let joules = stream.flows.sorted { $0.index < $1.index }.reduce(0) { $0 + habits.joules($1) }
        return ReplayReport.Call(
            flow: reader.flow(stream.main).text, remoteName: remoteName(of: stream.main), at: stream.from,
            seconds: Double((stream.until - stream.from).nanoseconds) / 1e9,
            packets: flows.reduce(0) { $0 + $1.up.packets + $1.down.packets }, joules: joules)
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
            let joules = habits.joules(id)
            guard joules > 0 else { continue }
            let flow = reader.flow(id)
            // Neighbour traffic is priced separately.
            guard !flow.neighbourTraffic.isOfNeighbours else { continue }
            let remote = reader.remoteName(flow) ?? flow.remoteLabel
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
            let saved = periodic.joules * max(0, 1 - periodic.interval / Self.relaxedInterval)
            var advice = ReplayReport.Advice(
                .periodic(
                    flow: flow, remoteName: remoteName(of: periodic.flow), interval: periodic.interval,
                    count: periodic.count), joules: periodic.joules, saves: saved)
            list(habits.bursts.indices.filter { habits.bursts[$0].flow == periodic.flow }, in: &advice)
            return advice
        }
        func add(_ bursts: [Int], _ habit: (Int) -> ReplayReport.Advice.Habit) {
            guard !bursts.isEmpty else { return }
            let joules = bursts.reduce(0) { $0 + habits.bursts[$1].joules }
            var one = ReplayReport.Advice(habit(bursts.count), joules: joules, saves: joules)
            list(bursts, in: &one)
            advice.append(one)
        }
        func bursts(_ cause: BurstCause) -> [Int] {
            habits.bursts.indices.filter { habits.bursts[$0].cause == cause }
        }
        add(bursts(.control)) { .control($0) }
        add(bursts(.keepalive)) { .keepalives($0) }
        add(bursts(.retransmission)) { .retransmissions($0) }
        add(isolatedBursts) { .isolated($0) }
        return advice
    }

    /// Lists the most expensive bursts of a habit, in time order. Only these get a row, because a row is expensive.
    private func list(_ bursts: [Int], in advice: inout ReplayReport.Advice) {
        let dearest = dearest(bursts, Self.listedOccasions)
        advice.occasions = rows(dearest)
        advice.unlisted = bursts.count - dearest.count
    }

    /// The most expensive of these bursts, in time order; of equally expensive ones, the earliest. Only a few of many
    /// bursts are listed, so not all of them are sorted.
    /// - Parameter bursts: Indices of bursts in time order.
    private func dearest(_ bursts: some Collection<Int>, _ most: Int) -> [Int] {
        var dearest: [Int] = []
        // A later burst must cost more than the last one of a full list.
        var least = -Double.infinity
        func cut() {
            dearest.sort { (habits.bursts[$1].joules, $0) < (habits.bursts[$0].joules, $1) }
            guard dearest.count >= most else { return }
            dearest.removeLast(dearest.count - most)
            least = habits.bursts[dearest[most - 1]].joules
        }
        for index in bursts where habits.bursts[index].joules > least {
            dearest.append(index)
            if dearest.count == 2 * most { cut() }
        }
        cut()
        return dearest.sorted()
    }

    /// Bursts of little data that could have waited for other traffic.
    private var isolatedBursts: [Int] {
        habits.bursts.indices.dropFirst().filter { index in
            let burst = habits.bursts[index]
            return burst.cause == .client && burst.payload < 1_024
                && burst.begin - habits.bursts[index - 1].begin < .seconds(60)
        }
    }
}

extension ReplayReport.CostEntry {
    fileprivate mutating func add(_ joules: Double) {
        flows += 1
        self.joules += joules
    }
}
