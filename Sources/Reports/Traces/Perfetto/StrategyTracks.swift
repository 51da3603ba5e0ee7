import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics

/// Writes the Perfetto trace tracks of one strategy, in the order of the lanes on the HTML page.
struct StrategyTracks {
    let history: PhoneHistory
    let parent: UInt64

    func write(_ trace: inout PerfettoTrace) {
        var rank = 0
        func next() -> Int {
            rank += 1
            return rank
        }
        for interface in Interface.allCases where !history.radio[Int(interface.rawValue)].isEmpty {
            network(interface, rank: next(), &trace)
            radio(interface, rank: next(), &trace)
        }
        power(rank: next(), &trace)
        app(rank: next(), &trace)
        for (row, periods) in history.connectionRows.enumerated() {
            connection(periods, row, rank: next(), &trace)
        }
        moments(rank: next(), &trace)
        packets(rank: next(), &trace)
        messages(rank: next(), next(), next(), &trace)
        energy(rank: next(), &trace)
    }

    private func network(_ interface: Interface, rank: Int, _ trace: inout PerfettoTrace) {
        let track = trace.track("\(interface.title) network", in: parent, rank: rank)
        for period in history.network(interface) {
            trace.slice(track, period.start, period.end, period.value ? "reachable" : "no signal")
        }
    }

    private func radio(_ interface: Interface, rank: Int, _ trace: inout PerfettoTrace) {
        let track = trace.track("\(interface.title) radio", in: parent, rank: rank)
        for period in history.radio[Int(interface.rawValue)] {
            trace.slice(
                track, period.start, period.end, "\(period.level.name)", [("milliwatts", period.milliwatts)])
        }
    }

    /// Power of all radios together.
    private func power(rank: Int, _ trace: inout PerfettoTrace) {
        let track = trace.track("Power of the radios", in: parent, rank: rank, unit: "mW")
        var edges = history.radio.joined().flatMap { [($0.start, $0.milliwatts), ($0.end, -$0.milliwatts)] }
        edges.sort { $0.0 < $1.0 }
        var sum = 0.0
        for (index, edge) in edges.enumerated() {
            sum += edge.1
            let isLast = index + 1 == edges.count || edges[index + 1].0 != edge.0
            // Rounded to a thousandth of a milliwatt, so that rounding errors of the sum do not appear as power.
            if isLast { trace.counter(track, edge.0, max(0, (sum * 1_000).rounded() / 1_000)) }
        }
    }

    private func app(rank: Int, _ trace: inout PerfettoTrace) {
        let states = history.appPeriods
        guard !states.isEmpty || !history.sleepPeriods.isEmpty else { return }
        let app = trace.track("App", in: parent, rank: rank)
        for period in states {
            let name =
                switch period.value {
                case .front: "in the foreground"
                case .back: "in the background"
                case .gone: "not running"
                }
            trace.slice(app, period.start, period.end, name)
        }
        let kinds: [(String, (PhoneHistory.SleepPeriodKind) -> Bool)] = [
            ("stopped by the system", { if case .suspended = $0 { true } else { false } }),
            ("maintenance window", { $0 == .window }), ("awake, screen off", { $0 == .awake }),
        ]
        for (place, (name, isKind)) in kinds.enumerated() {
            let periods = history.sleepPeriods.filter { isKind($0.value) }
            guard !periods.isEmpty else { continue }
            let track = trace.track(name, in: app, rank: place)
            for period in periods { trace.slice(track, period.start, period.end, name) }
        }
    }

    private func connection(
        _ periods: [PhoneHistory.Period<PhoneHistory.ConnectionHealth>], _ row: Int, rank: Int,
        _ trace: inout PerfettoTrace
    ) {
        let number = row == 0 ? "" : " \(row + 1)"
        let track = trace.track("Connection\(number), believed open", in: parent, rank: rank)
        for period in periods {
            let name =
                switch period.value {
                case .works: "works"
                case .blocked: "blocked"
                case .dead: "dead, but believed open: a zombie"
                case .frozen: "dead, app frozen"
                }
            trace.slice(track, period.start, period.end, name)
        }
    }

    private func moments(rank: Int, _ trace: inout PerfettoTrace) {
        guard !history.moments.isEmpty else { return }
        let track = trace.track("Events of the connection", in: parent, rank: rank)
        for moment in history.moments {
            let name =
                switch moment.kind {
                case .failed: "attempt failed"
                case .falseDrop: "a working connection given up"
                case .killed: "process ended"
                case .relaunched: "process began"
                case .goAway: "GOAWAY"
                case .pinged: "ping"
                }
            trace.instant(track, moment.at, name)
        }
    }

    private func packets(rank: Int, _ trace: inout PerfettoTrace) {
        let track = trace.track("Packets", in: parent, rank: rank)
        for packet in history.packets {
            let way = packet.direction == .up ? "up" : "down"
            trace.instant(
                track, packet.at, "\(packet.cause.title), \(way), \(packet.bytes) B, \(packet.interface.title)")
        }
    }

    private func messages(rank: Int, _ second: Int, _ third: Int, _ trace: inout PerfettoTrace) {
        guard !history.messages.isEmpty else { return }
        let sent = trace.track("Messages sent", in: parent, rank: rank)
        let seen = trace.track("Messages seen", in: parent, rank: second)
        let queue = trace.track("Messages in flight", in: parent, rank: third, unit: "messages")
        var edges: [(at: Int64, change: Int)] = []
        for message in history.messages {
            let name = message.direction == .down ? "to the app" : "to the server"
            edges.append((message.sent, 1))
            if let end = message.seen {
                trace.arrow((sent, message.sent), (seen, end), name)
                edges.append((end, -1))
            } else {
                trace.instant(sent, message.sent, name + ", never seen in this run")
            }
        }
        edges.sort { ($0.at, $0.change) < ($1.at, $1.change) }
        var open = 0
        for edge in edges {
            open += edge.change
            trace.counter(queue, edge.at, Double(open))
        }
    }

    private func energy(rank: Int, _ trace: inout PerfettoTrace) {
        let track = trace.track("Energy so far", in: parent, rank: rank, unit: "J")
        for point in history.energyPoints { trace.counter(track, point.at, point.joules) }
    }
}

extension PhoneHistory.RadioPeriod {
    /// Mean power over the period.
    var milliwatts: Double { Double(energy) / 1e3 / Double(max(1, end - start)) }
}
