package import DeadzoneBase
import DeadzoneDevice
package import DeadzoneMetrics

/// A day of one phone by hand, with every kind of record that a trace shows. Times are in seconds.
package enum TracedDay {
    private static func profile(_ idle: Int64, _ active: Int64, bit: Int64) -> RadioProfile {
        var powers = PowerTable()
        powers[.idle] = .milliwatts(idle)
        powers[.tail] = .milliwatts(active / 2)
        powers[.activeUp] = .milliwatts(active)
        return RadioProfile(
            technology: .lte, powers: powers, costUp: BitCost(femtojoules: bit),
            costDown: BitCost(femtojoules: 2 * bit), machine: .wifi(WiFiTimers(tail: .zero, beacon: .none)),
            handover: .none, search: SearchTimers(scan: .seconds(1), firstPause: .seconds(1), longestPause: .seconds(1))
        )
    }

    package static let prices = Prices(
        radios: RadioProfiles(
            wifi: profile(2, 400, bit: 1_000_000), cellular: profile(10, 1_000, bit: 100_000_000)),
        processor: ProcessorPower(wakePower: .milliwatts(200), wakeEnergy: Energy(femtojoules: 60_000_000_000_000)))

    package static let markers = [
        TimelineMarker("wifi off", .path(.wifi, isUp: false)), TimelineMarker("wifi on", .path(.wifi, isUp: true)),
        TimelineMarker("dead zone", .coverage(.cellular, isThere: false)),
        TimelineMarker("", .coverage(.cellular, isThere: true)), TimelineMarker("", .path(.cellular, isUp: true)),
        TimelineMarker("to the back", .app(isInFront: false)), TimelineMarker("to the front", .app(isInFront: true)),
        TimelineMarker("ended", .process(isEnded: true)), TimelineMarker("rain"),
    ]

    package static func record(
        _ kind: RecordKind, at seconds: Double, phone: UInt32 = 3, tag: UInt16 = 0, lasting length: Double = 0
    ) -> Record {
        Record(
            at: Instant(nanoseconds: Int64((seconds * 1e9).rounded())), phone: phone, kind: kind, tag: tag,
            value: Int64((length * 1e9).rounded()))
    }

    package static func radio(
        _ level: PowerLevel, _ length: Double, until end: Double, _ cause: Cause = .payload,
        on interface: Interface = .cellular, technology: UInt8 = 0
    ) -> Record {
        let tag = RadioTag(interface: interface, technology: technology, level: level, cause: cause)
        return record(.residency, at: end, tag: tag.bits, lasting: length)
    }

    package static func bytes(
        _ count: Int64, _ direction: Direction, at seconds: Double, _ cause: Cause = .payload,
        on interface: Interface = .cellular
    ) -> Record {
        var record = record(
            .bytes, at: seconds, tag: BytesTag(interface: interface, direction: direction, cause: cause).bits)
        record = Record(at: record.at, phone: record.phone, kind: record.kind, tag: record.tag, value: count)
        return record
    }

    package static func change(_ marker: Int, at seconds: Double, isEffective: Bool = true) -> Record {
        record(.weather, at: seconds, tag: UInt16(marker), lasting: isEffective ? 1e-9 : 0)
    }

    package static let records: [Record] = [
        change(1, at: 0), change(4, at: 0), change(5, at: 2), radio(.idle, 4, until: 4), change(0, at: 4),
        change(8, at: 4.5), change(8, at: 4.6, isEffective: false), change(9, at: 4.7),
        radio(.idle, 4, until: 4, .baseline, on: .wifi), record(.connecting, at: 4.25),
        bytes(600, .up, at: 5, .connect),
        record(.connecting, at: 4.26, phone: 4), radio(.activeUp, 0.5, until: 5),
        radio(.activeUp, 0.25, until: 5, .ack),
        radio(.tail, 1, until: 6), radio(.tail, 1, until: 7), bytes(100, .down, at: 6, .ack, on: .wifi),
        radio(.idle, 1, until: 8, .baseline, technology: 1), record(.opened, at: 5), record(.sentDown, at: 5),
        record(.sentDown, at: 5), record(.sentUp, at: 5.5), record(.sentDown, at: 6),
        record(.deliveredDown, at: 7, lasting: 2), record(.deliveredUp, at: 6, lasting: 0.5),
        record(.deliveredDown, at: 7.5, lasting: 2.5), record(.deliveredDown, at: 8, lasting: 3),
        record(.pinged, at: 5.5), record(.goAway, at: 6), record(.failed, at: 6.5, tag: 1), record(.falseDrop, at: 7),
        record(.killed, at: 7.5), record(.crashed, at: 7.6), record(.relaunched, at: 8), change(2, at: 8),
        change(7, at: 8.5), change(3, at: 9), change(6, at: 9), record(.woke, at: 9, tag: 12),
        record(.awake, at: 10, tag: 12, lasting: 1), record(.suspended, at: 14, tag: 2, lasting: 2),
        record(.suspended, at: 15, tag: 99, lasting: 1), record(.window, at: 16, lasting: 1),
        record(.available, at: 9, lasting: 4), record(.blocked, at: 10, lasting: 1),
        record(.zombie, at: 12, lasting: 2),
        record(.zombieFrozen, at: 14, lasting: 2), record(.available, at: 14, lasting: 9),
        record(.available, at: 14, lasting: 8), record(.available, at: 13, lasting: 6),
        record(.available, at: 15, lasting: 0), record(.residency, at: 16, lasting: -1),
        record(.finished, at: 20, lasting: 20),
    ]
}
