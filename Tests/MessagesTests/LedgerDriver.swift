import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import Testing

/// Makes random calls to `Delivery` and to the naive ledger, and compares both after each call.
struct LedgerDriver {
    let harness: DeliveryHarness
    var model: ReferenceLedger
    var dice: Dice
    /// Number of messages that the server has written.
    var written: UInt32 = 0
    var appRuns = true
    private(set) var calls: [String] = []
    /// `false` after the first difference.
    private(set) var isSame = true

    init(_ seed: UInt64, consumer: Consumer?, _ rules: ReceivePolicy, leavesOut: Bool) {
        dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        let harness = DeliveryHarness(consumer, rules, leavesOut: leavesOut, size: .uniform(1, 1_000))
        self.harness = harness
        model = ReferenceLedger()
        model.rules = rules
        model.hasConsumer = harness.delivery.hasConsumer
        model.leavesOut = leavesOut
        model.service = .nanoseconds(consumer?.service.constant ?? 0)
        model.bytes = { [unowned harness] in Int(harness.bytes(of: UInt32($0))) }
        harness.delivery.requestFirst(&harness.session, &harness.effects)
        model.requestFirst()
    }

    mutating func draw(_ below: UInt32) -> UInt32 { UInt32(dice.next().scaled(below: UInt64(below))) }
    mutating func flip() -> Bool { draw(2) == 0 }
    /// A number of `range`, including both ends.
    mutating func draw(_ range: ClosedRange<UInt32>) -> UInt32 { range.lowerBound + draw(UInt32(range.count)) }

    /// Lets time pass, sometimes exactly until the consumer can take the next message.
    mutating func wait() {
        let next = harness.consumesAt
        let isExact = next != .never && flip()
        harness.session.now = isExact ? next : harness.session.now + .milliseconds(Int64(draw(3_000)))
        model.now = harness.session.now
        written += draw(4)
    }

    mutating func step() {
        wait()
        switch draw(20) {
        case 0...4: arrive()
        case 5...9: handOver()
        case 10: skip()
        case 11: snapshot()
        case 12: restart()
        case 13: reconnect()
        case 14: user()
        case 15: repeatOrDiscard()
        case 16: persist()
        case 17: request()
        case 18: stall()
        default:
            appRuns = !appRuns
            advance()
        }
        harness.drainEffects()
        compare()
    }

    private mutating func arrive() {
        let from = draw(0...min(harness.delivery.received + 2, written))
        guard from < written else { return }
        let run = from..<draw(from + 1...min(written, from + 6))
        calls.append("arrive \(run)")
        if model.hasConsumer || draw(6) > 0 {
            harness.receive(run, isShown: false)
            model.receive(Int(run.lowerBound)..<Int(run.upperBound))
        } else {
            harness.delivery.receive(datagram: run, &harness.session, &harness.effects)
            model.receive(datagram: Int(run.lowerBound)..<Int(run.upperBound))
        }
    }

    private mutating func handOver() {
        let limit = draw(0...harness.delivery.received + 1)
        calls.append("handOver \(limit)")
        harness.delivery.handOver(upTo: Cursor(limit), appRuns: appRuns, &harness.session, &harness.effects)
        model.handOver(upTo: Int(limit), appRuns: appRuns)
    }

    private mutating func skip() {
        let next = draw(0...min(harness.delivery.received + 4, written))
        let isGap = flip()
        calls.append("skip \(next) \(isGap)")
        harness.delivery.continueStream(at: next, isGap: isGap, &harness.session, &harness.effects)
        model.continueStream(at: Int(next), isGap: isGap)
        guard flip() else { return }
        harness.delivery.noticeGap(.up, &harness.session, &harness.effects)
        model.note(.gapNoticed, .up, 0)
        harness.delivery.noticeGap(.down, &harness.session, &harness.effects)
        model.noticeGap()
    }

    private mutating func snapshot() {
        let head = draw(0...written)
        calls.append("snapshot \(head)")
        if flip() {
            harness.delivery.requestResync(&harness.session, &harness.effects)
            model.requestResync()
        } else {
            let isAsked = flip()
            harness.delivery.beginSnapshot(at: head, isAsked: isAsked, &harness.session, &harness.effects)
            if !isAsked { model.note(.gapNoticed, .down, max(Int(head) - model.seen, 0)) }
            harness.delivery.receiveAll(before: head)
            model.receiveSnapshot(before: Int(head))
        }
    }

    private mutating func restart() {
        calls.append("restart")
        harness.session.restart(keepsAlarms: false)
        harness.delivery.endProcess(&harness.session, &harness.effects)
        model.restart()
    }

    private mutating func reconnect() {
        let request = [ResumeRequest.fresh, .from(harness.cursor), .snapshot][Int(draw(3))]
        calls.append("reconnect \(request)")
        harness.delivery.forgetUnread(request, &harness.session, &harness.effects)
        model.reconnect(request)
    }

    private mutating func user() {
        calls.append("user")
        if flip() {
            harness.delivery.beginFreshness(written: written, &harness.session, &harness.effects)
            model.open(written: Int(written))
        } else {
            harness.delivery.endFreshness(&harness.session, &harness.effects)
            model.leave()
        }
    }

    private mutating func repeatOrDiscard() {
        let from = draw(0...harness.delivery.received)
        let end = draw(from...written + 1 + from)
        calls.append("again or discard \(from) \(end)")
        if flip() {
            harness.delivery.showAgain(from, end, &harness.session, &harness.effects)
            model.showAgain(Int(from)..<Int(end))
        } else if !model.hasConsumer {
            harness.delivery.discard(from, end, &harness.session, &harness.effects)
            model.discard(Int(from)..<Int(end))
        }
    }

    private mutating func persist() {
        let cursor = Cursor(draw(0...written))
        calls.append("persist \(cursor)")
        let allowed = harness.delivery.persistWhenShown(cursor, harness.session)
        harness.delivery.persist(allowed, &harness.session)
        model.persist(Int(cursor.position))
    }

    private mutating func request() {
        let count = draw(4)
        calls.append("request \(count)")
        harness.delivery.requestMessages(count, appRuns: appRuns, &harness.session, &harness.effects)
        model.requestMessages(Int(count), appRuns: appRuns)
    }

    private mutating func stall() {
        let span = TimeSpan.milliseconds(Int64(draw(3_000)))
        calls.append("stall \(span)")
        let isApplied = harness.delivery.stall(for: span, &harness.session, &harness.effects)
        #expect(isApplied == (model.hasConsumer && span > .zero))
        model.stall(for: span)
    }

    private mutating func advance() {
        calls.append("advance \(appRuns)")
        harness.delivery.advanceConsumption(appRuns: appRuns, &harness.session, &harness.effects)
        model.advance(appRuns: appRuns)
    }

    mutating func finish() {
        let before = harness.entries.count
        wait()
        harness.delivery.recordSuppressed(&harness.session, &harness.effects)
        model.recordSuppressed()
        harness.delivery.endFreshness(&harness.session, &harness.effects)
        model.leave()
        harness.delivery.loseGap(&harness.session, &harness.effects)
        model.loseGap()
        written = max(written, harness.delivery.received, harness.seen)
        let unreachable = draw(0...written - max(harness.delivery.received, harness.seen))
        let inFlight = flip() ? nil : Int64(draw(6))
        calls.append("finish \(unreachable) \(inFlight as Any)")
        harness.delivery.finishDown(
            written: written, unreachable: Int64(unreachable), inFlight: inFlight, &harness.session, &harness.effects)
        harness.drainEffects()
        model.finish(written: Int(written), unreachable: Int(unreachable), inFlight: inFlight.map { Int($0) })
        compare()
        let lost = harness.entries.dropFirst(before).filter { $0.kind.isLoss }
            .compactMap { MessageLoss(tag: $0.tag, value: $0.value) }
            .flatMap { Array($0.first..<$0.first + $0.count) }
        let isExact = Set(lost).count == lost.count && lost.max().map { $0 < written } ?? true
        #expect(isExact, "a message is lost twice, or was never written: \(lost) of \(written)")
    }

    /// The entries, with adjacent losses as one entry. `Delivery` splits losses by cause and place; the model counts
    /// them and knows neither.
    private func joiningLosses(_ entries: [JournalEntry]) -> [JournalEntry] {
        var joined: [JournalEntry] = []
        for entry in entries {
            guard entry.kind.isLoss else {
                joined.append(entry)
                continue
            }
            var count = entry.amount
            if let last = joined.last, last.kind == entry.kind { count += joined.removeLast().value }
            joined.append(JournalEntry(entry.kind, value: count))
        }
        return joined
    }

    private mutating func compare() {
        let (entries, expected) = (joiningLosses(harness.entries), joiningLosses(model.log))
        isSame =
            entries == expected && harness.receivedMessages == model.entered
            && harness.seen == model.seen && harness.delivery.received == model.received
            && harness.cursor == Cursor(UInt32(model.cursor))
            && harness.session.persisted == Cursor(UInt32(model.persisted)) && harness.consumesAt == model.consumesAt
        guard !isSame else { return }
        let same = zip(entries, expected).prefix { $0 == $1 }.count
        func rest(_ entries: [JournalEntry]) -> String {
            entries.dropFirst(same).map { "\($0.kind) \($0.tag) \($0.value)" }.joined(separator: ", ")
        }
        Issue.record(
            """
            after \(calls.suffix(6)) of \(calls.count): [\(rest(entries))] is not [\(rest(expected))]; \
            seen \(harness.seen) \(model.seen), received \(harness.delivery.received) \(model.received), \
            cursor \(harness.cursor) \(model.cursor), persisted \(harness.session.persisted) \(model.persisted), \
            consumer \(harness.consumesAt) \(model.consumesAt), entered \(harness.receivedMessages.suffix(3)) \
            \(model.entered.suffix(3))
            """)
    }
}
