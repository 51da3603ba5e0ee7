import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

/// The kinds of records that each metric counts, and its unit.
struct MetricSourcesTests {
    /// The way in which a metric counts records of one kind.
    enum Counted {
        /// Their number, or the sum of their values: as such, or per hour of one phone.
        case records, values, recordsPerHour
        /// The sum of their values in seconds: of one phone, or of all phones of a replica.
        case secondsOfOnePhone, secondsOfAllPhones
        /// One value, in milliseconds, in seconds, or as such.
        case milliseconds, seconds, value
        /// The tag as a number.
        case tag
        case other(billionths: Int128)
    }

    struct Source: Sendable, CustomStringConvertible {
        let kind: RecordKind
        var tag: UInt16 = 0
        let metrics: [(name: String, counted: Counted)]
        var description: String { "\(kind), tag \(tag)" }
        /// Three phones of half an hour. All numbers are divisible by three.
        var number: Int128 { 3 * (1 + Int128(kind.rawValue % 5)) }
        var value: Int128 { 6 * Int128(kind.rawValue) }

        init(_ kind: RecordKind, tag: UInt16 = 0, _ metrics: [(String, Counted)]) {
            (self.kind, self.tag) = (kind, tag)
            self.metrics = metrics.map { (name: $0.0, counted: $0.1) }
        }

        func billionths(_ counted: Counted) -> Int128 {
            let one: Int128 = 1_000_000_000
            return switch counted {
            case .records: number * one
            case .values: number * value * one
            case .recordsPerHour: number / 3 * 2 * one
            case .secondsOfOnePhone: number / 3 * value
            case .secondsOfAllPhones: number * value
            case .milliseconds: value * 1_000
            case .seconds: value
            case .value: value * one
            case .tag: Int128(tag) * one
            case .other(let billionths): billionths
            }
        }
    }

    private static func quantiles(_ family: String, _ names: [String], _ counted: Counted) -> [(String, Counted)] {
        names.map { ("\(family).\($0)", counted) }
    }

    private static let three = ["p50", "p95", "max"]
    private static let four = ["p50", "p95", "p99", "max"]

    private static let messages: [Source] = [
        Source(.sentDown, [("delivery.down.sent", .records)]), Source(.sentUp, [("delivery.up.sent", .records)]),
        Source(
            .deliveredDown,
            [("delivery.down.delivered", .records)] + quantiles("latency.down", four, .milliseconds)),
        Source(.deliveredUp, [("delivery.up.delivered", .records)]),
        Source(.acknowledgedUp, quantiles("latency.up", four, .milliseconds)),
        Source(.lostDown, [("delivery.down.lost", .values)]), Source(.lostUp, [("delivery.up.lost", .values)]),
        Source(.duplicatedDown, [("delivery.down.duplicated", .values)]),
        Source(.duplicatedUp, [("delivery.up.duplicated", .values)]),
        Source(.pendingDown, [("delivery.down.pending", .values)]),
        Source(.pendingUp, [("delivery.up.pending", .values)]),
        Source(.suppressedDown, [("delivery.down.suppressed", .values)]),
        Source(.suppressedUp, [("delivery.up.suppressed", .values)]),
        Source(.mistakenDown, [("delivery.down.mistaken", .values)]),
        Source(.mistakenUp, [("delivery.up.mistaken", .values)]),
        Source(.reorderedDown, [("delivery.down.reordered", .values)]),
        Source(.reorderedUp, [("delivery.up.reordered", .values)]),
        Source(.gapNoticed, [("delivery.gaps", .records)]),
        Source(.gapUnnoticed, [("delivery.undetected_gaps", .records)]),
        Source(.queueOverflow, [("delivery.up.overflow", .values)]),
        Source(.fullSync, [("resume.full_syncs", .records)]),
        Source(.sessionRefused, [("resume.refused", .records)]), Source(.drift, [("cursor.drift_max", .value)]),
        Source(.fresh, quantiles("freshness", three, .milliseconds)), Source(.stale, []),
        Source(
            .probeAnswered, quantiles("latency.probe", ["p5", "p25", "p50", "p75", "p95", "p99", "max"], .milliseconds)),
        Source(.probeLost, []), Source(.waitedDown, []), Source(.waitedUp, []), Source(.waitedCall, []),
        Source(.waitedProbe, []), Source(.waitedPush, []),
    ]

    private static let connections: [Source] = [
        Source(
            .connecting,
            [
                ("connection.attempts", .records), ("connection.attempts_per_hour", .recordsPerHour),
                ("herd.attempts", .records), ("herd.peak_per_100ms", .records), ("herd.peak_per_s", .records),
            ]),
        Source(
            .connecting, tag: 1,
            [("connection.attempts", .records), ("connection.attempts_per_hour", .recordsPerHour)]),
        Source(
            .attemptedOffline,
            [("connection.attempts", .records), ("connection.attempts_per_hour", .recordsPerHour)]),
        Source(
            .opened, [("connection.handshakes", .records), ("connection.handshakes_per_hour", .recordsPerHour)]),
        Source(.closed, tag: CloseCode.pathLost.rawValue, [("connection.drops", .records)]),
        Source(.closed, tag: CloseCode.byClient.rawValue, []), Source(.failed, tag: FailureCode.refused.rawValue, []),
        Source(.falseDrop, [("connection.false_drops", .records)]),
        Source(
            .zombie, [("zombie.max", .seconds), ("zombie.p95", .seconds), ("zombie.total", .secondsOfOnePhone)]),
        Source(
            .zombieFrozen,
            [
                ("zombie.frozen.max", .seconds), ("zombie.frozen.p95", .seconds),
                ("zombie.frozen.total", .secondsOfOnePhone),
            ]),
        Source(.blocked, [("blocked.total", .secondsOfOnePhone)]),
        Source(.silent, [("silence.total", .secondsOfOnePhone)]),
        Source(.detected, quantiles("detection", three, .seconds)), Source(.undetected, []),
        Source(.recovered, quantiles("recovery", three, .seconds)), Source(.unrecovered, []),
        Source(.resumed, [("resume.count", .records)]), Source(.pinged, [("keepalive.pings", .records)]),
        Source(.ponged, []), Source(.pingStruck, [("keepalive.strikes", .records)]),
        Source(.credentialsRenewed, [("auth.refreshes", .records)]),
        Source(.credentialsRefused, tag: CredentialUse.session.rawValue, [("auth.refused", .records)]),
        Source(.credentialsRefused, tag: CredentialUse.call.rawValue, [("auth.refused", .records)]),
        Source(.credentialsRefused, tag: CredentialUse.refresh.rawValue, [("auth.refused", .records)]),
        Source(.messageRefused, tag: MessageRefusalCode.transient.rawValue, [("queue.refused", .records)]),
        Source(.messageRefused, tag: MessageRefusalCode.permanent.rawValue, [("queue.refused", .records)]),
        Source(.messageRefused, tag: MessageRefusalCode.locked.rawValue, [("queue.refused", .records)]),
        Source(.messageRetried, [("queue.retries", .records)]),
        Source(.uploadWasted, [("queue.wasted_bytes", .values)]),
        Source(.uploadResumed, [("queue.resumed_bytes", .values)]),
        Source(.loggedOut, [("auth.logouts", .records)]),
        Source(.loggedOutFor, [("auth.out_s", .secondsOfOnePhone)]),
        Source(.pushCollapsed, [("push.collapsed", .values)]), Source(.pushDiscarded, [("push.discarded", .values)]),
        Source(.pushExpired, [("push.expired", .values)]),
        Source(.pushUnregistered, [("push.unregistered", .values)]),
        Source(.pushDemoted, [("push.deprioritised", .records)]), Source(.pushTokenVoid, []),
        Source(.subscriptionRejoining, [("streams.rejoins", .records)]),
        Source(.subscriptionRefused, tag: StreamRefusalCode.refused.rawValue, [("streams.refused", .records)]),
        Source(.subscriptionRefused, tag: StreamRefusalCode.unanswered.rawValue, [("streams.refused", .records)]),
        Source(.subscriptionEnded, tag: StreamEndCode.told.rawValue, [("streams.ended", .records)]),
        Source(.subscriptionEnded, tag: StreamEndCode.silent.rawValue, [("streams.ended", .records)]),
        Source(.subscriptionDeaf, [("streams.deaf_s", .secondsOfOnePhone)]),
        Source(.subscriptionOut, [("streams.out_s", .secondsOfOnePhone)]),
        Source(.presenceAway, []),
        Source(.presenceBack, [("presence.flaps", .records), ("presence.away_s", .secondsOfOnePhone)]),
        Source(.presenceStillAway, [("presence.away_s", .secondsOfOnePhone)]),
        Source(.presenceGhost, [("presence.ghost_s", .secondsOfOnePhone)]),
        Source(.presenceMissed, [("presence.missed_s", .secondsOfOnePhone)]),
        Source(.pathSelected, tag: PathCode.relay.rawValue, [("path.switches", .records)]),
        Source(.pathSelected, tag: PathCode.direct.rawValue, [("path.switches", .records)]),
        Source(.usedDirect, [("path.direct_ratio", .other(billionths: 1_000_000_000))]), Source(.usedRelay, []),
        Source(.tunnelReady, [("tunnel.handshakes", .records)]),
        Source(.tunnelDown, [("tunnel.down_s", .secondsOfOnePhone)]),
        Source(.tunnelDropped, [("tunnel.dropped", .values)]),
        Source(.goAway, tag: GoAwayCode.noError.rawValue, [("connection.goaways", .records)]),
        Source(
            .goAway, tag: GoAwayCode.tooManyPings.rawValue,
            [("connection.goaways", .records), ("keepalive.rejected", .records)]),
        Source(.herdBack, [("herd.all_connected_s", .seconds)]), Source(.herdBack, tag: 1, []),
        Source(.herdMissing, []),
        Source(.mappingExpired, [("middlebox.expired", .records)]),
        Source(.protocolBlocked, [("middlebox.blocked", .records)]),
        Source(.downlinkHeld, [("downlink.held", .records), ("downlink.held_s", .seconds)]),
        Source(.downlinkDropped, [("downlink.dropped", .values)]),
        Source(.exchangeRepeated, [("coap.repeats", .records)]),
        Source(.exchangeAbandoned, [("coap.abandoned", .records)]),
        Source(.dtlsOpened, [("dtls.handshakes", .records)]), Source(.dtlsIgnored, [("dtls.ignored", .records)]),
        Source(.transportChanged, tag: TransportCode.quic.rawValue, [("connection.transport_changes", .records)]),
        Source(.resolved, tag: ResolutionCode.answered.rawValue, [("dns.queries", .records)]),
        Source(.resolved, tag: ResolutionCode.cached.rawValue, [("dns.cached", .records)]),
        Source(
            .resolved, tag: ResolutionCode.failed.rawValue, [("dns.queries", .records), ("dns.failed", .records)]),
    ]

    private static let server: [Source] = [
        Source(.serverAccepted, [("server.accepted", .records)]),
        Source(.dedupMemory, [("server.dedup_bytes", .values)]),
        // Three records for each of three phones, in three times half an hour.
        Source(
            .serverAsked,
            [("server.requests", .records), ("server.requests_per_s", .other(billionths: 1_666_667))]),
        Source(.serverRejected, tag: RejectionCode.transient.rawValue, [("server.rejected", .records)]),
        Source(.serverRejected, tag: RejectionCode.permanent.rawValue, [("server.rejected", .records)]),
        Source(.serverRejected, tag: RejectionCode.rateLimited.rawValue, [("server.rejected", .records)]),
        Source(.serverRejected, tag: RejectionCode.unprocessed.rawValue, [("server.rejected", .records)]),
        Source(
            .serverRejected, tag: RejectionCode.overloaded.rawValue,
            [("server.rejected", .records), ("server.shed", .records)]),
        Source(
            .serverRejected, tag: RejectionCode.unheard.rawValue,
            [("server.rejected", .records), ("server.shed", .records)]),
        Source(.serverExpired, tag: ExpiryCode.silent.rawValue, [("server.expired", .records)]),
        Source(.serverExpired, tag: ExpiryCode.unanswered.rawValue, [("server.unanswered", .records)]),
        Source(.serverExpired, tag: ExpiryCode.idle.rawValue, [("server.retired", .records)]),
        Source(.serverExpired, tag: ExpiryCode.age.rawValue, [("server.retired", .records)]),
        Source(.serverExpired, tag: ExpiryCode.slow.rawValue, [("server.cuts", .records)]),
        Source(.serverExpired, tag: ExpiryCode.session.rawValue, []),
        Source(.serverPinged, [("server.pings", .records)]),
        Source(.serverHeld, [("server.held_s", .secondsOfAllPhones), ("server.held.max", .seconds)]),
        Source(.serverQueuePeak, [("server.queue_peak_bytes", .value)]),
        Source(.serverQueueDropped, [("server.queue_dropped", .values)]), Source(.queueDropped, []),
    ]

    private static let app: [Source] = [
        Source(.called, [("calls.sent", .records)]), Source(.callPending, [("calls.pending", .values)]),
        Source(
            .answered,
            [("calls.ok", .records), ("calls.success_ratio", .other(billionths: 1_000_000_000))]
                + quantiles("latency.call", four, .milliseconds)),
        Source(
            .callFailed, tag: CallCode.deadlineExceeded.rawValue,
            [("calls.failed", .records), ("calls.deadline_exceeded", .records)]),
        Source(
            .callFailed, tag: CallCode.unavailable.rawValue,
            [("calls.failed", .records), ("calls.unavailable", .records)]),
        Source(
            .callFailed, tag: CallCode.resourceExhausted.rawValue,
            [("calls.failed", .records), ("calls.rejected", .records)]),
        Source(
            .callFailed, tag: CallCode.permissionDenied.rawValue,
            [("calls.failed", .records), ("calls.rejected", .records)]),
        Source(.callRepeated, [("calls.repeats", .records)]),
        Source(.answerUnused, [("calls.answers_unused", .records)]),
        Source(.callOutage, tag: 7, [("outage.calls.max_s", .seconds), ("calls.failed_in_a_row.max", .tag)]),
        Source(.bufferFilled, [("buffer.filled", .records)]), Source(.bufferDropped, [("buffer.dropped", .values)]),
        Source(.bufferPeak, [("buffer.max", .value)]), Source(.memoryPeak, [("memory.peak_bytes", .value)]),
        Source(.windowShut, tag: Direction.down.bits, [("flow.stalls", .records)]),
        Source(.windowShut, tag: Direction.up.bits, [("flow.stalls", .records), ("flow.up.stalls", .records)]),
        Source(.flowStalled, tag: Direction.down.bits, [("flow.stall_s", .secondsOfAllPhones)]),
        Source(
            .flowStalled, tag: Direction.up.bits,
            [("flow.stall_s", .secondsOfAllPhones), ("flow.up.stall_s", .secondsOfAllPhones)]),
        Source(.socketFilled, [("flow.saturations", .records)]),
        Source(.socketStalled, [("flow.saturated_s", .secondsOfAllPhones)]),
        Source(.writesPending, [("flow.up.pending_max", .value)]),
        Source(.writesCalledBack, [("flow.up.callbacks", .values)]),
        Source(.messagesAsked, [("flow.down.asked", .values)]),
        Source(.killed, [("app.kills", .records)]), Source(.relaunched, []),
        Source(.crashed, [("app.crashes", .records)]),
        Source(.consumerAbandoned, [("app.abandoned_consumers", .records)]),
        Source(.timerLate, quantiles("timer.late", three, .milliseconds)),
        Source(.pushed, [("push.woken", .records)] + quantiles("push.latency", three, .milliseconds)),
        Source(.networkTold, [("network.told", .records)]), Source(.promotion, [("battery.promotions", .records)]),
        // Without a platform these have no metric.
        Source(.awake, []), Source(.woke, []), Source(.window, []), Source(.suspended, []),
    ]

    private static func measurement(_ records: [Record]) -> Measurement {
        let ends = (0..<3).map { _ in
            Record(at: .zero, phone: 0, kind: .finished, value: TimeSpan.minutes(30).nanoseconds)
        }
        return Measurement(
            of: [fold(records + ends)], prices: Prices(radios: RadioProfiles(wifi: nil, cellular: nil)), seed: 1)
    }

    /// Broken: a metric counts another kind of record, another tag, in another unit, or records that it must not count.
    @Test(arguments: messages + connections + server + app)
    func metricsCountTheirRecordsOnly(_ source: Source) {
        let records = (0..<Int(source.number)).map { _ in
            Record(at: .zero, phone: 0, kind: source.kind, tag: source.tag, value: Int64(source.value))
        }
        let run = Self.measurement(records)
        #expect(run.unreadable == 0)
        for metric in Catalogue.all {
            let counted = source.metrics.first { $0.name == metric.name }?.counted
            let found = run.figure(metric.name)
            if let counted {
                #expect(found == .value(Billionths(count: source.billionths(counted))), "\(metric.name)")
            } else {
                // Nothing, never, or at least its age: no number.
                #expect(found?.double ?? 0 == 0, "\(metric.name) is \(String(describing: found))")
            }
        }
        for (name, _) in source.metrics { #expect(Catalogue.metric(named: name) != nil, "\(name)") }
    }

    /// Broken: attempts before the first change of the timeline belong to its herd, or the herd at the start is lost.
    @Test func theHerdFollowsTheFirstChange() {
        let attempts = [0, 0, 1, 1, 1].map { tag in Record(at: .zero, phone: 0, kind: .connecting, tag: tag) }
        let back = [(0, 5), (1, 7)].map { tag, seconds in
            Record(at: .zero, phone: 0, kind: .herdBack, tag: tag, value: seconds * 1_000_000_000)
        }
        let began = Record(at: .zero, phone: 0, kind: .herdBegan)
        for (more, number, span) in [([], 2.0, 5.0), ([began], 3, 7), ([began, began], 3, 7)]
            as [([Record], Double, Double)]
        {
            let run = Self.measurement(attempts + back + more)
            #expect(run.figure("herd.attempts")?.double == number)
            #expect(run.figure("herd.all_connected_s")?.double == span)
        }
    }

    /// Broken: bytes of another direction, interface or cause are counted, or overhead is not the rest.
    @Test func bytesAreSummedByCause() {
        let table: [(Interface, Direction, Cause, Int64)] = [
            (.wifi, .up, .payload, 1), (.wifi, .down, .payload, 20), (.cellular, .up, .payload, 300),
            (.cellular, .down, .payload, 4_000), (.wifi, .up, .keepalive, 50_000), (.cellular, .down, .ack, 600_000),
            (.wifi, .down, .otherApps, 7_000_000), (.cellular, .up, .push, 80_000_000),
            (.wifi, .up, .probe, 900_000_000),
        ]
        let run = Self.measurement(
            table.map { interface, direction, cause, bytes in
                let tag = BytesTag(interface: interface, direction: direction, cause: cause)
                return Record(at: .zero, phone: 0, kind: .bytes, tag: tag.bits, value: bytes)
            })
        #expect(run.figure("bytes.up")?.double == 980_050_301 && run.figure("bytes.down")?.double == 7_604_020)
        // Three phones of half an hour are 90 minutes, a 480th of 30 days.
        #expect(run.figure("bytes.per_month")?.double == 474_074_074_080.0)
        #expect(run.figure("bytes.overhead_ratio")?.double == 150.428141634)
    }
}
