import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator

/// Each lost message is charged to the cause, the place and the change of the timeline that a plain list names.
@Suite struct LossTests {
    /// A message's cause, place and change.
    private struct Charge: Equatable {
        var message: UInt32
        var cause: LossCause
        var place: LossPlace
        var change: UInt16?
    }

    /// The reasons of outages as a list; of more than four, the oldest is charged to the next.
    private struct ReferenceLog {
        var steps: [(down: UInt32, up: UInt32, reason: OutageLog.OutageReason)] = [
            (0, 0, OutageLog.OutageReason(.notConnected, change: nil))
        ]
        var end: (down: UInt32, up: UInt32)?

        var current: OutageLog.OutageReason? { end == nil ? steps.last?.reason : nil }

        mutating func begin(_ reason: OutageLog.OutageReason, down: UInt32, up: UInt32) {
            if steps.count == 4 {
                let oldest = steps.removeFirst()
                (steps[0].down, steps[0].up) = (min(steps[0].down, oldest.down), min(steps[0].up, oldest.up))
            }
            steps.append((down, up, reason))
            end = nil
        }

        func reason(_ message: UInt32, _ direction: Direction) -> OutageLog.OutageReason? {
            let firsts = steps.map { direction == .down ? $0.down : $0.up }
            if let end, message >= (direction == .down ? end.down : end.up) { return nil }
            return steps[firsts.lastIndex { $0 <= message } ?? 0].reason
        }

        func latest(_ cause: LossCause) -> OutageLog.OutageReason? { steps.last { $0.reason.cause == cause }?.reason }
    }

    private func charges(_ harness: DeliveryHarness, _ kind: RecordKind) -> [Charge] {
        harness.drainEffects()
        defer { harness.entries = [] }
        return harness.entries.filter { $0.kind == kind }.compactMap { MessageLoss(tag: $0.tag, value: $0.value) }
            .flatMap { loss in
                (loss.first..<loss.first + loss.count).map {
                    Charge(message: $0, cause: loss.cause, place: loss.place, change: loss.change)
                }
            }
    }

    private static let causes: [LossCause] = [.appStopped, .processEnded, .deadConnection, .noPath, .notConnected]

    /// Expected charge of a message of the server.
    private func charge(_ message: UInt32, at place: LossPlace, _ log: ReferenceLog) -> Charge {
        func always(_ cause: LossCause) -> Charge { Charge(message: message, cause: cause, place: place) }
        switch place {
        case .serverQueue: return always(.serverQueueFull)
        case .appBuffer: return always(.appBufferFull)
        case .appDuplicates, .serverDuplicates: return always(.deduplicated)
        case .appMemory:
            guard let ended = log.latest(.processEnded) else {
                return Charge(message: message, cause: .miscounted, place: .sessionStart)
            }
            return Charge(message: message, cause: .processEnded, place: .appMemory, change: ended.change)
        default:
            let reason = log.reason(message, .down)
            let cause = reason?.cause ?? (place == .path ? .packetLost : .notConnected)
            return Charge(message: message, cause: cause, place: place, change: reason?.change)
        }
    }

    /// A ledger with outages, and the list of them.
    private struct Driver {
        let harness = DeliveryHarness()
        var log = ReferenceLog()
        var (dropped, givenUp): (Range<UInt32>, Range<UInt32>) = (0..<0, 0..<0)
        var givenUpCause = LossCause.processEnded
        var (produced, written) = (UInt32(0), UInt32(0))
        var dice: Dice

        init(_ dice: Dice) { self.dice = dice }

        mutating func draw(_ below: UInt64) -> UInt32 { UInt32(dice.next().scaled(below: below)) }

        mutating func step() {
            switch draw(8) {
            case 0...1:
                for _ in 0..<draw(5) {
                    harness.delivery.produceUp(&harness.session, &harness.effects)
                    produced += 1
                }
                written += draw(5)
            case 2:
                if harness.received < written { harness.receive(harness.received..<written, isShown: draw(2) == 0) }
            case 3...4:
                let reason = OutageLog.OutageReason(
                    LossTests.causes[Int(draw(5))], change: draw(2) == 0 ? nil : UInt16(draw(9)))
                let arrived = draw(UInt64(produced) + 1)
                let begins = log.current == nil
                harness.delivery.noteOutage(reason, written: written, arrived: arrived)
                log.begin(
                    reason, down: begins ? min(max(harness.received, harness.seen), written) : written,
                    up: begins ? arrived : produced)
            case 5:
                harness.delivery.endOutage(written: written)
                log.end = (written, produced)
            case 6:
                let from = draw(UInt64(produced) + 1)
                let range = from..<from + draw(6)
                let cause: LossCause = draw(2) == 0 ? .processEnded : .miscounted
                harness.delivery.noteGivenUp(range, cause)
                if !range.isEmpty { (givenUp, givenUpCause) = (range, cause) }
            default: drop()
            }
        }

        private mutating func drop() {
            let from = draw(UInt64(produced) + 1)
            let range = from..<from + 1 + draw(4)
            harness.session.acknowledged = Cursor(draw(UInt64(produced) + 1))
            harness.delivery.addDropped(range, harness.session)
            let isOld = dropped.isEmpty || dropped.upperBound <= harness.session.acknowledged.position
            let (first, end) = (
                min(dropped.lowerBound, range.lowerBound), max(dropped.upperBound, range.upperBound)
            )
            dropped = isOld ? range : first..<end
        }

        /// Expected charge of a message of the app.
        func charge(_ message: UInt32, isDatagram: Bool) -> Charge {
            let reason = log.reason(message, .up)
            if dropped.contains(message) {
                return Charge(message: message, cause: .appQueueFull, place: .appQueue, change: reason?.change)
            }
            if givenUp.contains(message) {
                return Charge(
                    message: message, cause: givenUpCause,
                    place: givenUpCause == .processEnded ? .appMemory : .appQueue,
                    change: log.latest(givenUpCause)?.change)
            }
            return Charge(
                message: message, cause: reason?.cause ?? (isDatagram ? .packetLost : .notConnected),
                place: isDatagram ? .path : .connection, change: reason?.change)
        }

        /// Ranges that the server's position has passed are forgotten.
        mutating func forgetPassed() {
            if dropped.upperBound <= produced { dropped = 0..<0 }
            if givenUp.upperBound <= produced { givenUp = 0..<0 }
        }
    }

    @Test("Losses in both directions have the causes, places and changes that a list of outages names")
    func outages() {
        var (down, up) = (0, 0)
        seedSweep(250) { seed in
            var driver = Driver(Dice(seed: seed, phone: PhoneID(0), purpose: .test))
            let harness = driver.harness
            for step in 0..<40 {
                driver.step()
                #expect(harness.delivery.outages.current == driver.log.current, "seed \(seed), step \(step)")
                for cause in Self.causes {
                    #expect(harness.delivery.outages.latest(cause) == driver.log.latest(cause))
                }
                guard step % 8 == 7 else { continue }
                _ = charges(harness, .lostUp)
                let place = LossPlace.allCases[Int(driver.draw(12))]
                let from = driver.draw(UInt64(driver.written) + 1)
                harness.delivery.noteLost(down: from..<driver.written, at: place, &harness.effects)
                let expectedDown = (from..<driver.written).map { charge($0, at: place, driver.log) }
                #expect(charges(harness, .lostDown) == expectedDown, "seed \(seed), step \(step): \(place)")
                down += expectedDown.count

                let begin = driver.draw(UInt64(driver.produced) + 1)
                let isDatagram = driver.draw(2) == 0
                harness.delivery.loseUp(begin, driver.produced, isDatagram: isDatagram, &harness.effects)
                let expectedUp = (begin..<driver.produced).map { driver.charge($0, isDatagram: isDatagram) }
                #expect(charges(harness, .lostUp) == expectedUp, "seed \(seed), step \(step)")
                up += expectedUp.count
                driver.forgetPassed()
            }
        }
        #expect(down > 3_000 && up > 3_000, "\(down), \(up)")
    }

    @Test("A reason of the log ends where the next one begins, on both sides of the boundary")
    func boundaries() {
        var log = OutageLog()
        log.end(down: 3, up: 5)
        let first = OutageLog.OutageReason(.deadConnection, change: 7)
        let second = OutageLog.OutageReason(.appStopped, change: nil)
        log.begin(first, down: 4, up: 6)
        log.begin(second, down: 9, up: 8)
        let initial = OutageLog.OutageReason(.notConnected, change: nil)
        let table: [(Direction, UInt32, OutageLog.OutageReason, UInt32)] = [
            (.down, 3, initial, 4), (.down, 4, first, 9), (.down, 8, first, 9), (.down, 9, second, .max),
            (.up, 5, initial, 6), (.up, 6, first, 8), (.up, 7, first, 8), (.up, 8, second, .max),
        ]
        for (direction, message, reason, end) in table {
            let found = log.outage(of: message, direction)
            #expect(found.outage == reason && found.end == end, "\(direction) \(message)")
        }
        log.end(down: 11, up: 12)
        #expect(log.current == nil)
        for (direction, end) in [(Direction.down, 11), (.up, 12)] as [(Direction, UInt32)] {
            #expect(
                log.outage(of: end - 1, direction).outage == second && log.outage(of: end - 1, direction).end == end)
            #expect(log.outage(of: end, direction).outage == nil && log.outage(of: end, direction).end == .max)
        }
        // The largest index of a change cannot be stored.
        log.begin(OutageLog.OutageReason(.noPath, change: .max), down: 12, up: 12)
        #expect(log.current == OutageLog.OutageReason(.noPath, change: nil))
    }

    @Test("A message that the consumer never gets is lost where the server withheld it, or else in the buffer")
    func unseen() {
        for (from, upTo) in [(0, 0), (2, 4), (0, 3), (3, 9), (0, 9), (6, 9), (5, 6), (7, 9)] as [(UInt32, UInt32)] {
            let harness = DeliveryHarness(Consumer())
            harness.delivery.consumption?.pointee.absent = MessageRange(from: from, upTo: upTo)
            harness.delivery.consumption?.pointee.absentPlace = .serverQueue
            harness.delivery.noteLost(unseen: 1..<6, &harness.effects)
            let expected = (1..<6 as Range<UInt32>).map { message -> Charge in
                let isAbsent = from <= message && message < upTo
                return Charge(
                    message: message, cause: isAbsent ? .serverQueueFull : .appBufferFull,
                    place: isAbsent ? .serverQueue : .appBuffer)
            }
            #expect(charges(harness, .lostDown) == expected, "\(from)..<\(upTo)")
        }
    }

    @Test("Withheld messages that follow each other keep the first place, and the consumer's position ends them")
    func absent() {
        var buffer = ConsumerBuffer()
        buffer.addAbsent(2..<4, .serverHistory, seen: 0)
        #expect(buffer.absent.from == 2 && buffer.absent.upTo == 4 && buffer.absentPlace == .serverHistory)
        buffer.addAbsent(6..<8, .path, seen: 3)
        #expect(buffer.absent.from == 2 && buffer.absent.upTo == 8 && buffer.absentPlace == .path)
        buffer.addAbsent(9..<10, .serverQueue, seen: 8)
        #expect(buffer.absent.from == 9 && buffer.absent.upTo == 10 && buffer.absentPlace == .serverQueue)
        buffer.forgetMissing()
        #expect(
            buffer.absent.isEmpty && buffer.missing.count == 0 && buffer.skipped.isEmpty && buffer.knownMissing.isEmpty)
    }

    @Test("A gap that is known already stays known")
    func repeatedGap() {
        let harness = DeliveryHarness(Consumer(service: .constant(1_000_000_000)))
        harness.receive(0..<2, isShown: false)
        for next in [5, 5, 4] as [UInt32] {
            harness.delivery.markMissing(
                before: next, isGap: true, at: .serverHistory, &harness.session, &harness.effects)
            #expect(harness.received == 5)
        }
        harness.delivery.noticeSkipped(&harness.effects)
        harness.delivery.noticeSkipped(&harness.effects)
        harness.drainEffects()
        #expect(harness.entries.filter { $0.kind == .gapNoticed }.map(\.value) == [3])
    }

    @Test("Refused messages are lost in the app's queue, from the first one that the queue dropped")
    func refused() {
        for (forgotten, first) in [(0, 6), (7, 7)] as [(UInt32, UInt32)] {
            let harness = DeliveryHarness()
            for _ in 0..<10 { harness.delivery.produceUp(&harness.session, &harness.effects) }
            harness.delivery.refuse(6, 10, arrived: 0, &harness.session, &harness.effects)
            harness.session.forgotten = Cursor(forgotten)
            _ = charges(harness, .lostUp)
            harness.delivery.noteRefused(0, harness.session, &harness.effects)
            #expect(charges(harness, .lostUp) == [])
            harness.delivery.noteRefused(2, harness.session, &harness.effects)
            let expected = [first, first + 1].map { Charge(message: $0, cause: .appQueueFull, place: .appQueue) }
            #expect(charges(harness, .lostUp) == expected)
        }
    }
}
