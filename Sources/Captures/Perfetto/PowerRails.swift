import DeadzoneBase

/// The power rails of Android's data source `android.power` in a Perfetto trace: energy counters of the phone's own
/// power meter, as Pixel phones have it.
///
/// Field numbers: protos/perfetto/trace/power/power_rails.proto of github.com/google/perfetto. Energy counts in µWs
/// since the phone's start, times in ms on the clock BOOTTIME.
package struct PowerRails: Sendable {
    package struct Rail: Sendable {
        package let name: String
        /// Subsystem that the phone's maker names, such as `Modem` or `Cellular`; empty if none.
        package let subsystem: String
        package internal(set) var readings: [Reading] = []

        /// `true` if the name or the subsystem is one of a modem.
        package var isModem: Bool {
            let words = ["modem", "cellular", "radio"]
            return words.contains { name.lowercased().contains($0) || subsystem.lowercased().contains($0) }
        }
    }

    package struct Reading: Sendable, BitwiseCopyable {
        /// Since 1970, or since the phone's start if the trace has no wall clock.
        package let seconds: Double
        package let microjoules: UInt64
    }

    /// Rails with readings, in order of their numbers.
    package private(set) var rails: [Rail] = []
    package private(set) var notes: [String] = []

    private struct RailKey: Hashable {
        /// Set if several sessions of power tracing are in one trace.
        var session: UInt64
        var index: UInt32
    }

    private struct RawReading {
        var boottime: Int64
        var microjoules: UInt64
    }

    private var names: [RailKey: (name: String, subsystem: String)] = [:]
    private var raw: [RailKey: [RawReading]] = [:]
    private var kept = 0
    private var dropped = 0
    private var withoutTime = 0
    private var clocks = TraceClocks()

    /// Reads a trace to its end. Returns `nil` if the input is not a Perfetto trace.
    /// - Throws: A fault if the trace has no power rails, or is damaged before the first.
    package init?(_ source: @escaping ByteSource) throws(CaptureFault) {
        var window = ReadWindow(source)
        guard TraceRecordReader.isTrace(&window) else {
            if let fault = window.sourceFault() { throw fault }
            return nil
        }
        var reader = TraceRecordReader()
        var fault: CaptureFault?
        do throws(CaptureFault) {
            while try reader.next(&window, { take($0) }) {}
            fault = window.sourceFault()
        } catch {
            fault = error
        }
        makeRails()
        guard !rails.isEmpty else { throw fault ?? Self.noRails(reader.records, at: window.offset) }
        makeNotes(reader, fault)
    }

    private static func noRails(_ records: UInt64, at offset: UInt64) -> CaptureFault {
        CaptureFault(
            at: offset, "the Perfetto trace has no power rails in its \(records) records",
            help:
                "record the data source android.power with collect_power_rails, on a phone with a power meter: "
                + "deadzone guide perfetto")
    }

    private mutating func take(_ record: TraceRecord) {
        if let snapshot = record.clockSnapshot { clocks.add(snapshot: snapshot) }
        guard let message = record.powerRails else { return }
        var reader = ProtobufReader(message)
        var session: UInt64 = 0
        var (descriptors, readings): ([Bytes], [Bytes]) = ([], [])
        while let (field, value) = reader.next() {
            switch (field, value) {
            case (1, .bytes(let part)): descriptors.append(part)
            case (2, .bytes(let part)): readings.append(part)
            case (3, .number(let number)): session = number
            default: break
            }
        }
        for descriptor in descriptors { describe(descriptor, session) }
        for reading in readings { add(reading, session, record) }
    }

    private mutating func describe(_ bytes: Bytes, _ session: UInt64) {
        var reader = ProtobufReader(bytes)
        var (index, name, subsystem) = (UInt32(0), "", "")
        while let (field, value) = reader.next() {
            switch (field, value) {
            case (1, .number(let number)): index = UInt32(truncatingIfNeeded: number)
            case (2, .bytes(let text)): name = text.text(0, atMost: CaptureLimits.text)
            case (3, .bytes(let text)): subsystem = text.text(0, atMost: CaptureLimits.text)
            default: break
            }
        }
        let key = RailKey(session: session, index: index)
        if names[key] != nil || names.count < TraceLimits.rails { names[key] = (name, subsystem) }
    }

    private mutating func add(_ bytes: Bytes, _ session: UInt64, _ record: TraceRecord) {
        var reader = ProtobufReader(bytes)
        var (index, milliseconds, energy) = (UInt32(0), UInt64?.none, UInt64?.none)
        while let (field, value) = reader.next() {
            switch (field, value) {
            case (1, .number(let number)): index = UInt32(truncatingIfNeeded: number)
            case (2, .number(let number)): milliseconds = number
            case (3, .number(let number)): energy = number
            default: break
            }
        }
        guard !reader.isDamaged, let energy else { return }
        let (product, isOverflown) = (milliseconds ?? 0).multipliedReportingOverflow(by: 1_000_000)
        let nanoseconds = milliseconds == nil ? record.timestamp : product
        guard !isOverflown, let time = clocks.traceTime(nanoseconds, clock: TraceClocks.boottime) else {
            return withoutTime += 1
        }
        let key = RailKey(session: session, index: index)
        guard kept < TraceLimits.readings, raw[key] != nil || raw.count < TraceLimits.rails else { return dropped += 1 }
        kept += 1
        raw[key, default: []].append(RawReading(boottime: time, microjoules: energy))
    }

    private mutating func makeRails() {
        for key in raw.keys.sorted(by: { ($0.session, $0.index) < ($1.session, $1.index) }) {
            let named = names[key]
            var rail = Rail(name: named?.name ?? "rail \(key.index)", subsystem: named?.subsystem ?? "")
            // Energy is a counter, so later readings are never smaller. Records may be out of order.
            rail.readings = (raw[key] ?? []).sorted { $0.boottime < $1.boottime }.map {
                Reading(
                    seconds: Double(clocks.timestamp($0.boottime).nanoseconds) / 1e9, microjoules: $0.microjoules)
            }
            rails.append(rail)
        }
        (raw, names) = ([:], [:])
    }

    private mutating func makeNotes(_ reader: TraceRecordReader, _ fault: CaptureFault?) {
        if let fault { notes.append("the power trace is used up to a fault: \(fault.text)") }
        if dropped > 0 {
            notes.append("\(plural(dropped, "reading")) of power after the first \(TraceLimits.readings): left out")
        }
        if withoutTime > 0 {
            notes.append("\(plural(withoutTime, "reading")) of power without a usable time: left out")
        }
        let unread = reader.damaged + reader.tooLong + reader.zstandard + reader.notUnpacked
        if unread > 0 { notes.append("\(plural(Int(clamping: unread), "record")) of the trace could not be read") }
        if !clocks.hasWallClock { notes.append("the trace has no time of day: its times count from the phone's start") }
    }
}
