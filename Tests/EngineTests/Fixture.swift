import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// Worlds and strategies for the engine's own tests. The numbers of the radio are those of ARO's `lte.conf`
/// (attdevsupport/VideoOptimizer).
enum Fixture {
    static let lte: RadioProfile = {
        var powers = PowerTable()
        powers[.promotion] = .milliwatts(1_210)
        powers[.activeDown] = .milliwatts(1_200)
        powers[.activeUp] = .milliwatts(1_200)
        powers[.tail] = .milliwatts(1_200)
        powers[.shortDRX] = .duty(high: 1_680_000, for: .milliseconds(2), every: .milliseconds(20), low: 1_060_000)
        powers[.longDRX] = .duty(high: 1_680_000, for: .milliseconds(2), every: .milliseconds(40), low: 1_060_000)
        powers[.idle] = .duty(high: 594_000, for: .milliseconds(43), every: .milliseconds(1_280), low: 0)
        powers[.search] = .milliwatts(500)
        powers[.handover] = .milliwatts(1_200)
        let tail = TailLadder(
            .init(.tail, until: .milliseconds(100)), .init(.shortDRX, until: .milliseconds(120)),
            .init(.longDRX, until: .milliseconds(10_120)))
        let drx = DRXTimers(
            inactivity: .milliseconds(100), short: Cycle(period: .milliseconds(20), on: .milliseconds(2)),
            shortSpan: .milliseconds(20), long: Cycle(period: .milliseconds(40), on: .milliseconds(2)))
        return RadioProfile(
            technology: .lte, powers: powers, costUp: BitCost(femtojoules: 438_390_000),
            costDown: BitCost(femtojoules: 51_970_000),
            machine: .cellular(
                CellularTimers(
                    promotion: .milliseconds(260), tail: tail, drx: drx,
                    paging: Cycle(period: .milliseconds(1_280)))),
            handover: .always(.milliseconds(35)),
            search: SearchTimers(scan: .seconds(2), firstPause: .seconds(5), longestPause: .seconds(60)))
    }()

    static let wifi: RadioProfile = {
        var powers = PowerTable()
        powers[.idle] = .milliwatts(20)
        powers[.activeUp] = .milliwatts(403)
        powers[.activeDown] = .milliwatts(403)
        powers[.tail] = .milliwatts(403)
        powers[.search] = .milliwatts(100)
        return RadioProfile(
            technology: .wifi, powers: powers, costUp: .zero, costDown: .zero,
            machine: .wifi(
                WiFiTimers(tail: .milliseconds(250), beacon: Cycle(period: .microseconds(102_400)))),
            handover: .none,
            search: SearchTimers(scan: .seconds(1), firstPause: .seconds(10), longestPause: .seconds(60)))
    }()

    static func link(
        delay: TimeSpan = .milliseconds(35), loss: LossModel = .independent(.zero), bitsPerSecond: Int64 = 20_000_000
    ) -> LinkProfile {
        let direction = LinkDirection(
            delay: .constant(delay.nanoseconds), floor: min(delay, .milliseconds(10)), bitsPerSecond: bitsPerSecond,
            loss: loss)
        return LinkProfile(up: direction, down: direction)
    }

    /// A phone with cellular only, from the start.
    static func cellularWorld(_ traffic: Traffic, horizon: TimeSpan, phones: Int = 1) -> World {
        World(
            horizon: .zero + horizon, phones: phones, cellular: lte, cellularLink: link(),
            timeline: [TimelineEntry(at: .zero, .pathUp(.cellular, .plain))], traffic: traffic)
    }

    /// A phone with both networks. Its timeline is empty.
    static func twoNetworkWorld(_ traffic: Traffic, horizon: TimeSpan) -> World {
        World(
            horizon: .zero + horizon, wifi: wifi, cellular: lte, wifiLink: link(delay: .milliseconds(10)),
            cellularLink: link(), timeline: [], traffic: traffic)
    }

    static func strategy<S: Strategy>(_ type: S.Type, _ settings: [(String, String)] = []) -> AnyStrategy {
        let entries = settings.map { Node.MapEntry(key: $0.0, value: .text($0.1)) }
        var reader = SettingsReader(.map(entries), of: S.name)
        let strategy = S(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty, "\(S.name) refuses \(settings)")
        return AnyStrategy(strategy)
    }
}

extension TrafficStream {
    static func every(_ gap: TimeSpan, bytes: Int64 = 300, until: Instant = .never) -> TrafficStream {
        TrafficStream(gap: .constant(gap.nanoseconds), size: .constant(bytes), until: until)
    }

    static func poisson(_ mean: TimeSpan, bytes: Int64 = 300, until: Instant = .never) -> TrafficStream {
        TrafficStream(gap: .exponential(mean: mean.nanoseconds), size: .constant(bytes), until: until)
    }
}

/// Recorder that keeps every record.
struct AllRecords: Recorder {
    var records: [Record] = []

    mutating func record(_ batch: UnsafeBufferPointer<Record>) { records += batch }
    mutating func merge(_ other: AllRecords) { records += other.records }

    func sum(_ kind: RecordKind) -> Int64 { records.reduce(0) { $1.kind == kind ? $0 + $1.amount : $0 } }
    func count(_ kind: RecordKind) -> Int { records.count { $0.kind == kind } }
    func values(_ kind: RecordKind) -> [Int64] { records.filter { $0.kind == kind }.map(\.value) }

    var ledger: Ledger {
        var ledger = Ledger()
        for record in records {
            switch record.kind {
            case .residency:
                let tag = record.tag(of: .residency)!
                ledger.add(
                    .nanoseconds(record.value), at: tag.level, for: tag.cause, on: tag.interface,
                    technology: tag.technology)
            case .bytes:
                let tag = record.tag(of: .bytes)!
                ledger.add(
                    bytes: record.value, tag.direction, for: tag.cause, on: tag.interface, technology: tag.technology)
            default: break
            }
        }
        return ledger
    }
}

extension Simulation {
    func allRecords() -> AllRecords {
        var recorder = AllRecords()
        run(0..<UInt32(world.phones), into: &recorder)
        return recorder
    }
}
