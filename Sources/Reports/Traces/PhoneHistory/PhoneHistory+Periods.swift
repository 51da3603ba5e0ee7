package import DeadzoneBase

/// Periods and curves that are derived from a finished history.
extension PhoneHistory {
    package enum AppState: Hashable, Sendable { case front, back, gone }

    /// Periods in which the interface had an address. The value is `true` while it also had coverage.
    package func network(_ interface: Interface) -> [Period<Bool>] {
        var (isUp, isCovered, since) = (false, true, Int64(0))
        var periods: [Period<Bool>] = []
        func close(_ at: Int64) {
            if isUp && at > since { periods.append(Period(start: since, end: at, value: isCovered)) }
            since = at
        }
        for change in changes {
            switch change.value.effect {
            case .path(interface, let up):
                close(change.start)
                isUp = up
            case .coverage(interface, let isThere):
                close(change.start)
                isCovered = isThere
            default: break
            }
        }
        close(horizon)
        return periods
    }

    /// States of the app over time. Empty if the app's state never changed.
    package var appPeriods: [Period<AppState>] {
        var (state, since): (AppState?, Int64) = (nil, 0)
        var periods: [Period<AppState>] = []
        func become(_ next: AppState, _ at: Int64) {
            // Before the first change the app was in the opposite state; a change at time zero has no period before it.
            let before = state ?? (next == .back ? .front : .back)
            if at > since { periods.append(Period(start: since, end: at, value: before)) }
            (state, since) = (next, at)
        }
        for change in changes {
            switch change.value.effect {
            case .app(let isInFront): become(isInFront ? .front : .back, change.start)
            case .process(isEnded: true): become(.gone, change.start)
            default: break
            }
        }
        guard let last = state else { return [] }
        become(last, horizon)
        return periods
    }

    /// Most rows for simultaneous connections. Connections without a free row share the last one.
    static let maxRows = 3

    package var connectionRows: [[Period<ConnectionHealth>]] {
        var rows: [[Period<ConnectionHealth>]] = []
        for period in connectionPeriods where period.end > period.start {
            if let free = rows.firstIndex(where: { ($0.last?.end ?? 0) <= period.start }) {
                rows[free].append(period)
            } else if rows.count < Self.maxRows {
                rows.append([period])
            } else {
                rows[rows.count - 1].append(period)
            }
        }
        return rows
    }

    /// Merges adjacent periods, whatever their values.
    package static func mergedPeriods(_ periods: [Period<ConnectionHealth>]) -> [Period<Bool>] {
        var joined: [Period<Bool>] = []
        for period in periods {
            if let last = joined.last, last.end == period.start {
                joined[joined.count - 1].end = period.end
            } else {
                joined.append(Period(start: period.start, end: period.end, value: true))
            }
        }
        return joined
    }

    package struct EnergyPoint: Sendable {
        package let at: Int64
        package let joules: Double
    }

    /// Cumulative energy at each instant at which the power changes. Between two instants it grows linearly.
    package var energyPoints: [EnergyPoint] {
        // A period adds power at its start and removes it at its end; instantaneous costs are lumps.
        var edges: [(at: Int64, watts: Double, lump: Double)] = []
        let periods =
            radio.joined().map { ($0.start, $0.end, $0.energy) } + processor.map { ($0.start, $0.end, $0.energy) }
        for (start, end, energy) in periods {
            let joules = Double(femtojoules: energy) / 1e15
            if end > start {
                let watts = joules / Double(end - start)
                edges.append((start, watts, 0))
                edges.append((end, -watts, 0))
            } else {
                edges.append((end, 0, joules))
            }
        }
        edges.sort { $0.at < $1.at }
        var points: [EnergyPoint] = []
        var (sum, watts, last) = (0.0, 0.0, Int64(0))
        for edge in edges {
            if edge.at > last || edge.lump > 0 {
                sum += watts * Double(edge.at - last)
                if edge.lump > 0 && edge.at > last { points.append(EnergyPoint(at: edge.at, joules: sum)) }
                sum += edge.lump
                points.append(EnergyPoint(at: edge.at, joules: sum))
                last = edge.at
            }
            watts += edge.watts
        }
        return points
    }

    /// Total energy, as the exact sum of all parts.
    package var joules: Double {
        let parts = radio.joined().map(\.energy) + processor.map(\.energy)
        return Double(femtojoules: parts.reduce(0, +)) / 1e15
    }

    /// The largest mean power of any period, in watts.
    package var peakWatts: Double {
        radio.joined().reduce(0) { max($0, $1.watts) }
    }
}

extension PhoneHistory.RadioPeriod {
    /// Mean power of the period.
    var watts: Double { Double(femtojoules: energy) / 1e6 / Double(max(1, end - start)) }
}

extension Double {
    /// An energy as a number, rounded to the nearest. The processor converts 64 bits (up to 9,223 J) in one instruction. The
    /// generic conversion of `Int128` takes a thousand, and was a third of drawing a timeline.
    init(femtojoules: Int128) {
        let low = Int64(truncatingIfNeeded: femtojoules)
        self = Int128(low) == femtojoules ? Double(low) : Double(femtojoules)
    }
}
