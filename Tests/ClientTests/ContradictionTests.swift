import DeadzoneBase
import DeadzoneClient
import Testing

/// Settings of `composed` that cannot be used together, and those beside them that can.
@Suite struct ContradictionTests {
    /// The settings, and the key that the fault marks with its message, or `none`.
    private static let table = """
        on-path-change: migrate
            => on-path-change: `migrate` without QUIC
        on-path-change: migrate; transport: quic
            => none
        on-path-change: migrate; transport.ladder: [quic websocket]
            => none
        on-path-change: reconnect
            => none
        connect.when-denied: stop; backoff.on-end.forbidden: never
            => connect: `when-denied: stop` beside `on-end: {forbidden}`
        connect.when-denied: stop; backoff.on-end.denied: never
            => none
        backoff.on-end.forbidden: never
            => none
        backoff.on-end.denied: refresh
            => backoff: `refresh` without `credentials`
        backoff.on-end.refused: refresh
            => backoff: `refresh` without `credentials`
        backoff.on-end.denied: refresh; credentials: {}
            => none
        backoff.on-end.denied: never; credentials: {}
            => backoff: `on-end: {denied}` beside `credentials: {on-refusal: true}`
        backoff.on-end.denied: usual; credentials: {}
            => none
        backoff.on-end.denied: never; credentials.on-refusal: false
            => none
        backoff.on-end.refused: never; credentials: {}
            => none
        credentials: {}; flow: enabled
            => credentials: `credentials` beside `flow`
        credentials: {}; flow: disabled
            => none
        flow: enabled
            => none
        queue.on-refusal.retry: {}; credentials: {}
            => queue: a `retry` of refused messages beside `credentials` or `flow`
        queue.on-refusal.retry: {}; flow: enabled
            => queue: a `retry` of refused messages beside `credentials` or `flow`
        queue.on-refusal.also: [path]; credentials: {}
            => none
        queue.on-refusal.retry: {}
            => none
        streams: {}; write-limit: 5s
            => streams: `streams` beside `write-limit`
        streams: {}; transport: polling
            => streams: `streams` on polls or datagrams
        streams: {}; transport: datagram
            => streams: `streams` on polls or datagrams
        streams: {}; transport.ladder: [websocket polling]
            => streams: `streams` on polls or datagrams
        streams: {}; transport.ladder: [websocket sse]
            => none
        streams: {}
            => none
        write-limit: 5s
            => none
        transport: polling
            => none
        queue.batch: {}; channel: {}
            => queue: `batch` beside `channel` or a retry policy of calls
        queue.batch: {}; calls.retry-policy: {}
            => queue: `batch` beside `channel` or a retry policy of calls
        queue.batch: {}; calls.retry: false
            => none
        channel: {}; calls.retry-policy: {}
            => none
        backoff.on-end.goaway: never; on-goaway: reconnect
            => on-goaway: `on-goaway` beside `on-end: {goaway}`
        backoff.on-end.goaway: never; on-goaway: drain
            => on-goaway: `on-goaway` beside `on-end: {goaway}`
        backoff.on-end.goaway: never; on-goaway: give-up
            => none
        on-goaway: drain
            => none
        backoff.reset: path; on-path-change.resets-backoff: false; on-path-change.available: reconnect
            => backoff: `reset: path` beside `resets-backoff: false`
        backoff.reset: path; on-path-change: reconnect
            => none
        backoff.reset: path
            => none
        backoff.reset: open; on-path-change.resets-backoff: false; on-path-change.available: reconnect
            => none
        transport: datagram; calls.deadline: 9s
            => calls: `calls` on datagrams
        transport: datagram; resume: persisted
            => resume: `resume` on datagrams
        """

    /// Broken: two policies that exclude each other are accepted, or one of them is refused without the other; or the
    /// fault marks another key.
    @Test func policiesThatExcludeEachOtherAreRefused() {
        let lines = Self.table.split(separator: "\n").map(String.init)
        #expect(lines.count % 2 == 0)
        for index in stride(from: 0, to: lines.count, by: 2) {
            let expected = lines[index + 1].drop { $0 == " " }.dropFirst("=> ".count)
            var reader = SettingsReader(SettingLine(lines[index]).setting.node, of: "composed")
            _ = Composed(&reader)
            reader.finish()
            let faults = reader.faults.sorted
            let key = expected.prefix { $0 != ":" }
            #expect(faults.count == (expected == "none" ? 0 : 1), "\(lines[index]): \(faults)")
            for fault in faults {
                #expect(fault.message == expected.dropFirst(key.count + 2) && fault.code == .contradiction)
                #expect(fault.width == key.utf8.count, "\(fault)")
            }
        }
    }

    /// Broken: the description of a strategy, from which the schema is made, contains a fault.
    @Test func descriptionsHaveNoFaults() {
        for kind in StrategyCatalog.strategies {
            var reader = SettingsReader.describing(kind.name)
            _ = kind.make(&reader)
            #expect(reader.faults.isEmpty, "\(kind.name): \(reader.faults.sorted)")
        }
    }
}
