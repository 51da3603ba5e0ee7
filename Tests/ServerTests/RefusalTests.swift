import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// Refusals of single messages, and what the server keeps of a message that broke off, without a phone.
@Suite struct RefusalTests {
    private static func faults(transient: UInt64 = 0, permanent: UInt64 = 0, lock: TimeSpan? = nil) -> MessageFaults {
        var faults = MessageFaults()
        faults.transient = Probability(transient, of: 100)
        faults.permanent = Probability(permanent, of: 100)
        faults.lock = lock
        return faults
    }

    private static let dice = Dice(seed: 5, phone: PhoneID(2), purpose: .serverErrors)

    /// Broken: a message meets another error at its second attempt than its share says, a permanent error passes, or
    /// the error depends on something else than message and attempt.
    @Test func errorsDependOnMessageAndAttempt() {
        let (some, hard) = (Self.faults(transient: 30), Self.faults(permanent: 10))
        var (refused, both, permanent) = (0, 0, 0)
        for message in 0..<2_000 as Range<UInt32> {
            var upload = UploadState()
            let first = some.refusal(of: message, upload, Self.dice, at: .zero)
            #expect(first == some.refusal(of: message, upload, Self.dice, at: .zero + .hours(1)) && first != .permanent)
            let isHard = hard.refusal(of: message, upload, Self.dice, at: .zero)
            upload.refusals = 1
            let second = some.refusal(of: message, upload, Self.dice, at: .zero)
            refused += first == nil ? 0 : 1
            both += first != nil && second != nil ? 1 : 0
            for attempt in 1...9 as ClosedRange<UInt8> {
                upload.refusals = attempt
                #expect(hard.refusal(of: message, upload, Self.dice, at: .zero) == isHard)
            }
            permanent += isHard == .permanent ? 1 : 0
        }
        #expect((540...660).contains(refused) && (130...230).contains(both), "\(refused), \(both)")
        #expect((150...250).contains(permanent), "\(permanent)")
    }

    /// Broken: a lock holds another message, or ends a moment too early or too late.
    @Test func locksEnd() {
        let faults = Self.faults(lock: .seconds(60))
        var upload = UploadState()
        (upload.message, upload.lockedUntil) = (7, .zero + .seconds(90))
        func refusal(_ message: UInt32, _ second: Int64) -> MessageRefusal? {
            faults.refusal(of: message, upload, Self.dice, at: .zero + .seconds(second))
        }
        #expect(refusal(7, 89) == .locked && refusal(7, 90) == nil && refusal(6, 10) == nil && refusal(8, 10) == nil)
        upload.finish()
        #expect(refusal(7, 10) == nil)
    }

    private func read(_ bench: ServerBench, _ first: UInt32, upTo last: UInt32, _ upload: inout UploadState) {
        withUnsafeMutablePointer(to: &upload) { pointer in
            let run = FrameRange(first: first, last: last, bytes: 100, kind: .message, cause: .payload)
            bench.act { [now = bench.now, introduction = bench.introduction] in
                _ = $0.read(run, slot: 0, visit: 0, introduction, upload: pointer, at: now, &$1)
            }
        }
    }

    /// Broken: the server takes a message behind a refused one, does not ask for the refused one again, or passes a
    /// dropped message only when a later one arrives.
    @Test func messagesBehindARefusedOneAreIgnored() {
        let bench = ServerBench(.everySecond) {
            $0.receipts = ReceiptRules()
            $0.faults.messages = Self.faults(permanent: 100)
        }
        bench.now = .zero + .seconds(20)
        bench.open()
        var upload = UploadState()
        #expect(bench.taking { read(bench, 0, upTo: 4, &upload) } == ["messageRefused 0", "uploadWasted 400"])
        let ignores = { bench.server.ends[0].ignoresMessages }
        #expect(bench.server.arrived.index == 0 && upload.refusals == 1 && ignores())
        #expect(bench.taking { read(bench, 4, upTo: 6, &upload) } == ["uploadWasted 200"])
        #expect(bench.server.arrived.index == 0 && upload.refusals == 1)
        let frames = bench.ranges().filter { $0.kind == .control && $0.first == 14 }
        #expect(frames.count == 1)
        bench.read(.messagesAgain)
        #expect(!ignores())
        #expect(
            bench.taking { read(bench, 0, upTo: 1, &upload) } == [
                "messageRetried 0", "messageRefused 0", "uploadWasted 100",
            ])
        #expect(upload.refusals == 2)
        // The client gives it up; the next one is judged for itself.
        let isPassed = withUnsafeMutablePointer(to: &upload) { bench.server.passRefused(0, $0) }
        #expect(isPassed && bench.server.arrived.index == 1 && upload.refusals == 0)
        let isPassedAgain = bench.server.passRefused(0, nil)
        #expect(!isPassedAgain)
        bench.read(.messagesAgain)
        read(bench, 1, upTo: 2, &upload)
        #expect(upload.refusals == 1 && bench.server.arrived.index == 1)
    }

    /// Broken: a client that asks for the offset of a locked message gets one, or the lock holds another message, or a
    /// server without message errors locks.
    @Test(arguments: [true, false])
    func aLockedMessageHasNoOffset(locks: Bool) {
        let bench = ServerBench(.everySecond) { if locks { $0.faults.messages = Self.faults(lock: .seconds(60)) } }
        bench.open()
        var upload = UploadState()
        (upload.message, upload.lockedUntil) = (0, bench.now + .seconds(60))
        func ask() -> [String] {
            withUnsafeMutablePointer(to: &upload) { pointer in
                let item = ControlFrame.offsetRequest.item
                let run = FrameRange(first: item, last: item + 1, bytes: 60, kind: .control, cause: .resume)
                bench.act { [now = bench.now, introduction = bench.introduction] in
                    _ = $0.read(run, slot: 0, visit: 0, introduction, upload: pointer, at: now, &$1)
                }
            }
            let answer = bench.frames()
            bench.act { [now = bench.now] in $0.finishReading(0, .newData, at: now, &$1) }
            bench.settle()
            return answer
        }
        bench.now = .zero + .seconds(60) - .nanoseconds(1)
        #expect(ask() == [locks ? "messageLocked" : "offset"] && upload.refusals == (locks ? 1 : 0))
        upload.message = 1
        #expect(ask() == ["offset"])
        upload.message = 0
        bench.now = .zero + .seconds(60)
        #expect(ask() == ["offset"])
    }

    /// Broken: the server keeps a part that the client never sent, forgets one, or counts it twice over two breaks. Or
    /// bytes that nothing continues are not recorded as wasted.
    @Test func partsAddUp() {
        let bench = ServerBench(.everySecond) {
            $0.receipts = ReceiptRules()
            $0.faults.messages = Self.faults(lock: .seconds(60))
        }
        bench.now = .zero + .seconds(20)
        bench.open()
        var upload = UploadState()
        func breakOff(_ bytes: UInt32, isKept: Bool = true) {
            // Stream offset up to which the server has received everything.
            let arrived: UInt64 = 10_000
            bench.server.ends[0].tcp.expected = arrived
            withUnsafeMutablePointer(to: &upload) { pointer in
                bench.server.noteProgress(0, from: arrived - UInt64(bytes), 0, pointer, at: bench.now)
                bench.act { $0.breakOff(pointer, isKept: isKept, &$1) }
            }
        }
        func resume(_ message: UInt32 = 0, chunk: UInt32 = 100) -> UInt32 {
            withUnsafeMutablePointer(to: &upload) { pointer in
                bench.act { $0.resumeUpload(of: message, chunk: chunk, pointer, &$1) }
            }
        }
        breakOff(250)
        #expect(upload.kept == 250 && upload.lockedUntil == bench.now + .seconds(60) && upload.arrived == 0)
        #expect(bench.taking { check(resume(1) == 0) }.isEmpty)
        #expect(bench.taking { check(resume() == 200) } == ["uploadWasted 50", "uploadResumed 200"])
        #expect(bench.taking { check(resume() == 0) }.isEmpty)
        // The second connection carries what follows the first 200 bytes.
        breakOff(130)
        #expect(upload.kept == 330 && resume() == 300)
        #expect(bench.taking { breakOff(99, isKept: false) } == ["uploadWasted 99"])
        #expect(upload.kept == 0 && resume() == 0)
        // A client that does not ask for the offset sends the next part from the beginning of the message.
        breakOff(70)
        #expect(upload.kept == 70 && resume(chunk: 40) == 40)
        breakOff(25)
        #expect(upload.kept == 65 && upload.resumedFrom == 0)
        withUnsafeMutablePointer(to: &upload) { pointer in
            let other = bench.taking { bench.act { $0.abandonUpload(of: 1, pointer, &$1) } }
            #expect(other.isEmpty && pointer.pointee.kept == 65)
            let own = bench.taking { bench.act { $0.abandonUpload(of: 0, pointer, &$1) } }
            #expect(own == ["uploadWasted 65"])
        }
        #expect(upload.kept == 0 && upload.lockedUntil == .zero)
        breakOff(9)
        #expect(upload.kept == 9 && upload.lockedUntil == bench.now + .seconds(60))
        // A connection that has ended at the server locks nothing.
        upload.finish()
        bench.server.ends[0].release()
        breakOff(50)
        #expect(upload.kept == 50 && upload.lockedUntil == .zero)
    }
}
