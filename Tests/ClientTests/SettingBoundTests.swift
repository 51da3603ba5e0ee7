import DeadzoneBase
import Testing
@testable import DeadzoneClient

/// The bounds of settings: the least and the greatest value are accepted, and the next ones beyond are refused.
@Suite struct SettingBoundTests {
    /// The setting with other settings that it needs, and its least value. Times have no greatest value, apart from
    /// those in the second list.
    private static let least = """
        connect.timeout|1ms|0s
        connect.at-portal|1ms|0s
        backoff.min-connect-timeout|1ms|0s
        backoff.base|0s|999us
        backoff.first|0s|999us
        backoff.plus|1ms|999us
        backoff.multiplier|1|0.9
        backoff.after-open|1ms|1us
        keepalive|1ms|0s
        keepalive.interval|1ms|0s
        keepalive.on-wifi|1ms|0s
        keepalive.on-cellular|1ms|0s
        keepalive.stand-in|1ms|0s
        keepalive.coalesce|0s|-1s
        keepalive.timeout|1ms|0s
        keepalive.own-timeout|1ms|0s
        keepalive.verdict: silence; keepalive.silence|1ms|0s
        keepalive.verdict: silence; keepalive.looks-every|[1ms]|[0s]
        keepalive.verdict: silence; keepalive.looks-every|[2s 2s]|[2s 1s]
        keepalive.verdict: silence; keepalive.looks-every|[1s 2s]|[1s 2s 3s]
        keepalive.verdict: next-beat; keepalive.unanswered|1|0
        keepalive.verdict: next-beat; keepalive.unanswered|100|101
        keepalive.send-limit.without-data|100|101
        keepalive.adaptive.min|1ms|0s
        keepalive.adaptive.min|24h|86401s
        keepalive.adaptive.max|24h|86401s
        keepalive.adaptive.start|24h|86401s
        keepalive.adaptive.step|24h|86401s
        keepalive.adaptive.step|1ms|0s
        keepalive.adaptive.margin|24h|86401s
        keepalive.adaptive.successes|1|0
        keepalive.adaptive.successes|100|101
        keepalive.adaptive.failures|1|0
        keepalive.adaptive.failures|100|101
        keepalive.adaptive.trials|100|101
        probe-timeout|1ms|0s
        calls.deadline|1ms|0s
        calls.in-background|1ms|0s
        calls.low-battery|1ms|0s
        calls.slow-network.deadline|1ms|0s
        calls.slow-network.deadline: 1s; calls.slow-network.above|1ms|0s
        calls.probe-after|100|101
        calls.reconnect-after|100|101
        calls.retry-policy.initial-backoff|1ms|0s
        calls.retry-policy.max-backoff|1ms|0s
        calls.retry-policy.backoff-multiplier|1000|1001
        calls.retry-policy.backoff-multiplier|0.001|0.0009
        calls.retry-policy.max-attempts|2|1
        calls.retry-policy.max-attempts|255|256
        calls.retry-policy: {}; calls.retry-throttling.max-tokens|1|0
        calls.retry-policy: {}; calls.retry-throttling.max-tokens|1000|1001
        calls.retry-policy: {}; calls.retry-throttling.token-ratio|0.001|0.0009
        calls.retry-policy: {}; calls.retry-throttling.token-ratio|1000|1000.1
        intake.buffer|[{capacity=1}]|[{capacity=0}]
        intake.buffer|[{capacity=4294967294}]|[{capacity=4294967295}]
        intake.read-ahead|1|0
        intake.read-ahead|1000000|1000001
        intake.window|1B|0B
        intake.window|2147483647B|2147483648B
        flow.small|4294967295B|4294967296B
        flow.pending|1|0
        flow.pending|1000000|1000001
        flow.asks.first|1000000|1000001
        flow.asks.then|1000000|1000001
        flow.asks.after|1|0
        flow.asks.after|1000000|1000001
        flow.asks.script|[{at=0s,ask=1}]|[{at=0s,ask=0}]
        flow.asks.script|[{at=0s,ask=1000000}]|[{at=0s,ask=1000001}]
        channel.idle-timeout|1s|999ms
        queue.keeps: stored; queue.chunks.size|1B|0B
        queue.keeps: stored; queue.chunks.size|1073741824B|1073741825B
        queue.keeps: stored; queue.on-refusal.also: [path]; queue.on-refusal.retries|200|201
        streams.count|1|0
        streams.count|64|65
        streams.join.size|1B|0B
        streams.join.size|1000000B|1000001B
        streams.join.timeout|1ms|0s
        write-limit|1ms|0s
        write-limit.after|1ms|0s
        write-limit.bytes|1B|0B
        write-limit.bytes|1099511627776B|1099511627777B
        life-cycle.background: close; life-cycle.on-push|1ms|0s
        life-cycle.background: close; life-cycle.on-refresh|1ms|0s
        life-cycle.background: close; life-cycle.on-send|1ms|0s
        life-cycle.background: close; life-cycle.quiet|1ms|0s
        life-cycle.background: close; life-cycle.poll.every|1ms|0s
        life-cycle.background: close; life-cycle.poll.stay|1ms|0s
        life-cycle.background: flush-and-close; life-cycle.flush-limit|1ms|0s
        resume.shows-after|1h|3601s
        resume.store.every|1|0
        resume.store.every|1000000|1000001
        resume.store.within|24h|86401s
        resume.window|1ms|0s
        resume.dedup.bloom|8B|7B
        resume.dedup.bloom|65536B|65537B
        resume.dedup.hashes|1|0
        resume.dedup.hashes|32|33
        resume.dedup.keys|1|0
        resume.dedup.keys|4096|4097
        queue.bound|1|0
        queue.bound|10000000|10000001
        queue.until: sent; queue.bytes|1B|0B
        queue.until: sent; queue.bytes|1099511627776B|1099511627777B
        transport.kind: sse; transport.headers.request|1B|0B
        transport.kind: sse; transport.headers.request|65536B|65537B
        transport.kind: sse; transport.headers.answer|1B|0B
        transport.kind: sse; transport.headers.answer|65536B|65537B
        transport.kind: mqtt; transport.keep-alive|1s|999ms
        transport.kind: mqtt; transport.keep-alive|65535s|65536s
        transport.user-timeout|1ms|0s
        transport.syn-retries|1|0
        transport.syn-retries|127|128
        transport.address-timeout|1ms|0s
        transport.setup-timeout|1ms|0s
        transport.send-buffer|1B|0B
        transport.send-buffer|4294967295B|4294967296B
        transport.tcp-keepalive.idle|1s|999ms
        transport.tcp-keepalive.interval|1s|999ms
        transport.tcp-keepalive.count|1|0
        transport.tcp-keepalive.count|127|128
        transport.ladder: [quic http2]; transport.falls-after|1ms|0s
        transport.ladder: [quic http2]; transport.falls-after.limit|1ms|0s
        transport.ladder: [quic http2]; transport.falls-after.failures|1|0
        transport.ladder: [quic http2]; transport.falls-after.failures|15|16
        transport.ladder: [quic http2]; transport.climbs|1s|999ms
        transport.ladder: [quic http2]; transport.climbs|8784h|8785h
        transport.ladder: [quic http2]; transport.climbs.after|1s|999ms
        transport.ladder: [quic http2]; transport.climbs.cap|1s|999ms
        transport.ladder|[quic http2]|[quic]
        transport.ladder|[quic http2 grpc mqtt]|[quic http2 grpc mqtt sse]
        """

    /// Broken: a setting accepts a value beyond its bound, or refuses its bound.
    @Test(arguments: least.split(separator: "\n").map(String.init))
    func acceptsItsBound(row: String) {
        let parts = row.split(separator: "|").map(String.init)
        #expect(SettingLine("\(parts[0]): \(parts[1])").read().faults == [], "\(row)")
        #expect(SettingLine("\(parts[0]): \(parts[2])").read().faults.count == 1, "\(row)")
    }

    /// Settings that exclude each other, with one fault each, and beside them the nearest settings without a fault.
    private static let pairs = """
        keepalive.clock: uptime; keepalive.wake: alarm|keepalive.clock: elapsed; keepalive.wake: alarm
        keepalive.clock: uptime; keepalive.timeout-wake: alarm|keepalive.clock: wall; keepalive.timeout-wake: alarm
        keepalive.verdict: silence; keepalive.timeout: 1s|keepalive.verdict: timeout; keepalive.timeout: 1s
        keepalive.verdict: silence; keepalive.own-timeout: 1s|keepalive.verdict: timeout; keepalive.own-timeout: 1s
        keepalive.verdict: timeout; keepalive.unanswered: 2|keepalive.verdict: next-beat; keepalive.unanswered: 2
        keepalive.machine: grpc-go; keepalive.verdict: none|keepalive.machine: plain; keepalive.verdict: none
        keepalive.machine: grpc-java; keepalive.silence: 9s|keepalive.machine: grpc-java; keepalive.interval: 9s
        keepalive.machine: grpc-java; keepalive.answered-by: pong|keepalive.machine: plain; keepalive.answered-by: pong
        keepalive.machine: grpc-java; keepalive.postponed-by: sent|keepalive.machine: plain; keepalive.postponed-by: sent
        keepalive.machine: grpc-java; keepalive.first: random|keepalive.machine: plain; keepalive.first: random
        keepalive.machine: grpc-java; keepalive.pings: false|keepalive.machine: plain; keepalive.pings: false
        keepalive.machine: grpc-java; keepalive.coalesce: 9s|keepalive.machine: plain; keepalive.coalesce: 9s
        keepalive.machine: grpc-java; keepalive.send-limit: {}|keepalive.machine: plain; keepalive.send-limit: {}
        keepalive.machine: grpc-java; keepalive.queue: writer|keepalive.machine: plain; keepalive.queue: writer
        keepalive.machine: grpc-java; keepalive.stand-in: 9s|keepalive.machine: plain; keepalive.stand-in: 9s
        keepalive.machine: grpc-go; keepalive.looks-every: [9s]|keepalive.machine: plain; keepalive.looks-every: [9s]
        backoff.table: [1s]; backoff.base: 1s|backoff.table: [1s]; backoff.plus: 1s
        backoff.table: [1s]; backoff.cap: 1s|backoff.table: [1s]; backoff.jitter: full
        backoff.table: [1s]; backoff.multiplier: 2|backoff.base: 1s; backoff.multiplier: 2
        backoff.table: [1s]; backoff.step: 1s|backoff.base: 1s; backoff.step: 1s
        backoff.table: [1s]; backoff.first: 1s|backoff.base: 1s; backoff.first: 1s
        backoff.table: [1s]; backoff.capped: both|backoff.base: 1s; backoff.capped: both
        backoff.table: [1s]; backoff.jitter: decorrelated|backoff.base: 1s; backoff.jitter: decorrelated
        backoff.table: [1s]; backoff.jitter: {per-process=[0s 1s]}|backoff.jitter: {per-process=[0s 1s]}
        backoff.step: 1s; backoff.multiplier: 2|backoff.step: 1s; backoff.cap: 9s
        backoff.jitter: decorrelated; backoff.multiplier: 2|backoff.jitter: full; backoff.multiplier: 2
        backoff.jitter: decorrelated; backoff.step: 1s|backoff.jitter: decorrelated; backoff.base: 1s
        backoff.jitter: decorrelated; backoff.capped: both|backoff.jitter: decorrelated; backoff.cap: 9s
        backoff.first-jitter: decorrelated|backoff.first-jitter: equal
        backoff.first-jitter: {per-process=[0s 1s]}|backoff.first-jitter: {plus=[0s 1s]}
        backoff.jitter: {plus=[2s 1s]}|backoff.jitter: {plus=[1s 1s]}
        backoff.jitter: {plus=[1s]}|backoff.jitter: {plus=[1s 2s]}
        backoff.jitter: {times=[1 0.8]}|backoff.jitter: {times=[0.8 0.8]}
        backoff.jitter: {odd=[1 2]}|backoff.jitter: {times=[1 2]}
        backoff.jitter: {}|backoff.jitter: {parity=50%}
        backoff.jitter: {parity=50%,times=[1 2]}|backoff.jitter: {parity=100%}
        backoff.jitter: 101%|backoff.jitter: 100%
        backoff.clock: uptime; backoff.wake: job|backoff.clock: elapsed; backoff.wake: job
        backoff.suspended.after: 9s; backoff.give-up.after: 9s|backoff.suspended.after: 9s; backoff.give-up.after: 10s
        calls.retry-policy: {}; calls.hedging-policy: {}|calls.hedging-policy: {}
        calls.retry-policy: {}; calls.retry: true|calls.retry-policy: {}
        calls.hedging-policy: {}; calls.retry: true|calls.retry: true
        calls.retry-throttling: {}|calls.hedging-policy: {}; calls.retry-throttling: {}
        calls.slow-network: {}|calls.slow-network.deadline: 1s
        intake.read-ahead: 3; intake.buffer: [{}]|intake.buffer: [{}]
        life-cycle.background: close; life-cycle.flush-limit: 9s|life-cycle.background: close
        life-cycle.poll: {}|life-cycle.background: rely-on-push; life-cycle.poll: {}
        queue.bytes: 9B|queue.until: sent; queue.bytes: 9B
        transport.kind: websocket; transport.stream: false|transport.kind: grpc; transport.stream: false
        transport.kind: http2; transport.headers.request: 9B|transport.kind: polling; transport.headers.request: 9B
        transport.kind: http2; transport.library: quiche|transport.kind: quic; transport.library: quiche
        transport.kind: quic; transport.user-timeout: 9s|transport.kind: mqtt; transport.user-timeout: 9s
        transport.kind: quic; transport.tcp-keepalive: {}|transport.kind: sse; transport.tcp-keepalive: {}
        transport.kind: datagram; transport.send-buffer: 9B|transport.kind: websocket; transport.send-buffer: 9B
        transport.kind: quic; transport.tls: 1.2|transport.kind: quic; transport.tls: 1.3
        transport.kind: quic; transport.tls: none|transport.kind: quic; transport.tls: 1.3-early
        transport.kind: quic; transport.tls: 1.2-resumed|transport.kind: quic; transport.tls: 1.3-resumed
        transport.kind: grpc; transport.keep-alive: 9s|transport.kind: mqtt; transport.keep-alive: 9s
        on-path-change.debounce: 9s|on-path-change.losing: drop; on-path-change.debounce: 9s
        on-path-change.resets-backoff: false|on-path-change.lost: drop; on-path-change.resets-backoff: false
        on-path-change: migrate|transport: quic; on-path-change: migrate
        on-path-change.lost: drop; on-path-change.resets-backoff: false; backoff.reset: path|backoff.reset: path
        """

    /// Broken: settings that exclude each other are accepted, or one of them is refused alone.
    @Test(arguments: pairs.split(separator: "\n").map(String.init))
    func refusesContradictions(row: String) {
        let parts = row.split(separator: "|").map(String.init)
        #expect(SettingLine(parts[0]).read().faults.count == 1, "\(parts[0])")
        #expect(SettingLine(parts[1]).read().faults == [], "\(parts[1])")
    }

    private func fields<S: Strategy>(_ type: S.Type, _ settings: String) -> String {
        var reader = SettingsReader(SettingLine(settings).setting.node, of: S.name)
        let strategy = S(&reader)
        reader.finish()
        let faults = reader.faults.sorted.count
        let words = SettingFields.of(strategy).map { "\($0.path)=\($0.text)" }
        return (faults > 0 ? ["\(faults) faults"] : words).joined(separator: " ")
    }

    /// Broken: a setting of `coap` has another default or bound.
    @Test func confirmableMessagesReadTheirSettings() {
        let coap = "ack-timeout: 1ms; random: 4; max-retransmit: 10; ping: 1ms"
        let plain = "layer.version=none layer.hasConnectionID=false layer.route=none resumes=true"
        #expect(
            fields(CoAP.self, "") == "timeout=2s randomFactor=1500000 repeats=4 pingInterval=nil " + plain)
        #expect(
            fields(CoAP.self, coap) == "timeout=1ms randomFactor=4000000 repeats=10 pingInterval=1ms " + plain)
        for settings in [
            "ack-timeout: 0s", "ack-timeout: 61m", "random: 0.9", "random: 4.1", "max-retransmit: 11", "ping: 0s",
        ] { #expect(fields(CoAP.self, settings) == "1 faults", "\(settings)") }
    }

    /// Broken: a setting of `ice` has another default or bound.
    @Test func pathsReadTheirSettings() {
        let times = "checkInterval=2500ms backupInterval=25s pace=900ms receivingTimeout=2500ms consent=30s"
        #expect(
            fields(ICE.self, "") == "paths=both " + times + " restartsOnPathChange=true restartAfter=nil climbAfter=nil"
        )
        let other =
            "paths: relay; checks: 20ms; backup-checks: 20ms; pace: 20ms; receiving-timeout: 20ms; consent: 20ms; "
            + "on-path-change: nothing; restart-after: 20ms; climb: 20ms"
        let least = "checkInterval=20ms backupInterval=20ms pace=20ms receivingTimeout=20ms consent=20ms"
        #expect(
            fields(ICE.self, other)
                == "paths=relay " + least + " restartsOnPathChange=false restartAfter=20ms climbAfter=20ms")
        for key in ["checks", "backup-checks", "pace", "receiving-timeout", "consent", "restart-after", "climb"] {
            #expect(fields(ICE.self, "\(key): 19ms") == "1 faults", "\(key)")
        }
    }

    /// Broken: a strategy's own settings have another default, bound or property.
    @Test func otherStrategiesReadTheirSettings() {
        #expect(fields(Eager.self, "") == "interval=20s retryWait=1s")
        #expect(fields(Eager.self, "ping: 1ms; retry: 2ms") == "interval=1ms retryWait=2ms")
        #expect(fields(Eager.self, "ping: 0s") == "1 faults" && fields(Eager.self, "retry: 0s") == "1 faults")
        #expect(fields(Datagrams.self, "") == "interval=nil" && fields(Datagrams.self, "ping: 1ms") == "interval=1ms")
        #expect(fields(Datagrams.self, "ping: 0s") == "1 faults")
        let usual = """
            backoff.base=500ms backoff.growth=times backoff.growth.value=2000000 backoff.cap=32s \
            backoff.capPlacement=beforeJitter backoff.jitter=full backoff.firstJitter=nil backoff.first=nil backoff.plus=0s
            """
        #expect(fields(Patient.self, "") == "interval=45s timeout=10s connectTimeout=20s " + usual)
        #expect(
            fields(Patient.self, "ping: 1ms; timeout: 2ms; connect-timeout: 3ms")
                == "interval=1ms timeout=2ms connectTimeout=3ms " + usual)
        #expect(fields(Patient.self, "ping: 0s") == "1 faults" && fields(Patient.self, "timeout: 0s") == "1 faults")
        #expect(fields(IntervalSocket.self, "") == "tick=30s age=10s debounce=300ms bound=1000 " + usual)
        #expect(
            fields(IntervalSocket.self, "tick: 1ms; age: 2ms; debounce: 0s; queue: 2")
                == "tick=1ms age=2ms debounce=0s bound=2 " + usual)
        #expect(
            fields(IntervalSocket.self, "tick: 0s; queue: 1") == "2 faults"
                && fields(IntervalSocket.self, "age: 0s") == "1 faults")
        #expect(fields(IntervalSocket.self, "queue: 1000001") == "1 faults")
        let intake = """
            receivePolicy.buffer.capacity=4294967295 receivePolicy.buffer.overflow=suspend receivePolicy.demand=nil \
            receivePolicy.cursor=shown receivePolicy.window=65535 receivePolicy.blocksConnectionWindow=true
            """
        #expect(
            fields(StreamLoop.self, "")
                == "language=kotlin base=500 cap=30000 connectTimeout=20s foregroundLimit=nil backgroundLimit=nil "
                + "batterySaverLimit=nil slowNetwork=nil pinging=nil " + intake)
        #expect(
            fields(
                StreamLoop.self,
                "language: swift; base: 1ms; cap: 1h; connect-timeout: 1ms; deadline.foreground: 1ms; "
                    + "deadline.background: 2ms; deadline.low-battery: 3ms; deadline.slow-network.deadline: 4ms; "
                    + "keepalive: {}")
                == "language=swift base=1 cap=3600000 connectTimeout=1ms foregroundLimit=1ms backgroundLimit=2ms "
                + "batterySaverLimit=3ms slowNetwork.threshold=2s slowNetwork.limit=4ms pinging.interval=60s "
                + "pinging.timeout=20s " + intake)
        #expect(fields(StreamLoop.self, "base: 3601s; cap: 0s; connect-timeout: 0s") == "3 faults")
        #expect(fields(StreamLoop.self, "deadline.foreground: 0s") == "1 faults")
        #expect(fields(StreamLoop.self, "deadline.background: 0s") == "1 faults")
        #expect(fields(Patient.self, "connect-timeout: 0s") == "1 faults")
        #expect(fields(StreamLoop.self, "deadline.low-battery: 0s; deadline.slow-network: {}") == "2 faults")
        #expect(fields(StreamLoop.self, "keepalive.interval: 9999ms; keepalive.timeout: 9ms") == "2 faults")
        #expect(
            fields(StreamLoop.self, "keepalive.interval: 10s; keepalive.timeout: 10ms").contains("pinging.timeout=10ms")
        )
    }
}
