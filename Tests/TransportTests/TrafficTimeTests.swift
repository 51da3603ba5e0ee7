import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneTransport

/// Times and sizes of messages: periods, recorded times, parallel streams, and the plan of each phone.
@Suite struct TrafficTimeTests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private func times(_ stream: TrafficStream, count: Int = 1_000, _ dice: Dice) -> [Instant] {
        withUnsafePointer(to: stream) { place in
            let schedule = MessageSchedule(stream: place, dice: dice)
            var walker = TrafficWalker(schedule)
            var times: [Instant] = []
            while walker.time != .never, times.count < count {
                #expect(walker.index == UInt32(times.count))
                times.append(walker.time)
                walker.advance(schedule)
            }
            return times
        }
    }

    private static let dice = Dice(seed: 5, phone: PhoneID(2), purpose: .trafficDown)

    /// Broken: a period begins or ends one message too early or late, or a gap is drawn with another number.
    @Test func periodsFollowEachOther() {
        var stream = TrafficStream(
            gap: .constant(2_000_000_000), size: .constant(1), from: Self.at(10), until: Self.at(16))
        #expect(times(stream, Self.dice) == [12, 14].map(Self.at))
        stream.until = Self.at(16) + .nanoseconds(1)
        #expect(times(stream, Self.dice) == [12, 14, 16].map(Self.at))
        stream.laterPeriods = [
            .init(gap: .constant(3_000_000_000), from: Self.at(20), until: Self.at(22)),
            .init(gap: .constant(5_000_000_000), from: Self.at(30), until: Self.at(41)),
        ]
        #expect(times(stream, Self.dice) == [12, 14, 16, 35, 40].map(Self.at))
        #expect(stream.periods.count == 3 && stream.periods[0].from == Self.at(10))
        #expect(TrafficStream([], size: .constant(1)) == nil)
        #expect(TrafficStream(stream.periods, size: .constant(1)) == stream)
        let random = TrafficStream(gap: .uniform(1, 1_000), size: .constant(1), from: Self.at(1))
        var now = Self.at(1)
        for (index, time) in times(random, count: 50, Self.dice).enumerated() {
            now += .nanoseconds(max(Distribution.uniform(1, 1_000).draw(Self.dice.at(UInt64(index))), 1))
            #expect(time == now)
        }
        let standing = TrafficStream(gap: .constant(0), size: .constant(1))
        #expect(times(standing, count: 3, Self.dice).map(\.nanoseconds) == [1, 2, 3], "times are strictly increasing")
    }

    /// Broken: a recorded message is dropped or kept at the end of the stream.
    @Test func recordedTimesReplaceTheGap() {
        var stream = TrafficStream(gap: .constant(1), size: .constant(1), until: Self.at(9))
        stream.recordedTimes = [3, 5, 9, 12].map(Self.at)
        #expect(times(stream, Self.dice) == [3, 5].map(Self.at))
        stream.until = .never
        #expect(times(stream, Self.dice) == [3, 5, 9, 12].map(Self.at))
        #expect(stream.limited([Self.at(5)..<Self.at(12)])?.recordedTimes == [5, 9].map(Self.at))
        #expect(stream.limited([Self.at(6)..<Self.at(9)]) == nil)
        #expect(TrafficWalker(nil).time == .never)
    }

    /// Broken: a stream that is limited to some times keeps a part outside of them, or loses one inside.
    @Test func streamsAreLimitedToTheirTimes() {
        var stream = TrafficStream(gap: .constant(7), size: .constant(1), from: Self.at(10), until: Self.at(20))
        stream.laterPeriods = [.init(gap: .constant(9), from: Self.at(30), until: Self.at(40))]
        let limited = stream.limited([Self.at(0)..<Self.at(12), Self.at(15)..<Self.at(35), Self.at(40)..<Self.at(50)])
        let parts = limited?.periods.map {
            "\($0.from.nanoseconds / 1_000_000_000)-\($0.until.nanoseconds / 1_000_000_000)"
        }
        #expect(parts == ["10-12", "15-20", "30-35"])
        #expect(limited?.periods.map(\.gap) == [.constant(7), .constant(7), .constant(9)])
        #expect(stream.limited([Self.at(20)..<Self.at(30)]) == nil && stream.limited([]) == nil)
    }

    /// Broken: parallel streams are merged in another order, with other sizes or answers than each stream alone, or a
    /// message at the horizon is kept.
    @Test func parallelStreamsAreMergedInOrder() {
        let horizon = Self.at(60)
        let gaps: [Distribution] = [
            .constant(2_000_000_000), .exponential(mean: 1_500_000_000), .constant(3_000_000_000),
        ]
        let sizes: [Distribution] = [.constant(100), .uniform(1, 900), .uniform(5, 6)]
        let answers: [Distribution] = [.constant(7), .uniform(10, 90), .constant(3)]
        let streams = zip(gaps, sizes).map { TrafficStream(gap: $0, size: $1, until: .never) }
        for phone in [0, 1, 9] as [UInt32] {
            let (times, own, answered) = (
                Dice(seed: 8, phone: PhoneID(phone), purpose: .trafficCall),
                Dice(seed: 8, phone: PhoneID(phone), purpose: .sizeCall),
                Dice(seed: 8, phone: PhoneID(phone), purpose: .sizeAnswer)
            )
            var expected: [(at: Instant, stream: Int, bytes: UInt32, answer: UInt32)] = []
            for stream in streams.indices {
                var now = Instant.zero
                for index in 0..<1_000 as Range<UInt64> {
                    let address = UInt64(stream) << 32 | index
                    now += .nanoseconds(max(gaps[stream].draw(times.at(address)), 1))
                    guard now < horizon else { break }
                    expected.append(
                        (
                            now, stream, UInt32(sizes[stream].draw(own.at(address))),
                            UInt32(answers[stream].draw(answered.at(address)))
                        ))
                }
            }
            expected.sort { ($0.at, $0.stream) < ($1.at, $1.stream) }
            var traffic = Traffic(
                down: TrafficStream(sideBySide: streams), up: TrafficStream(sideBySide: streams),
                calls: TrafficStream(sideBySide: streams), answer: answers[0])
            traffic.parallelAnswers = Array(answers.dropFirst())
            var plan = TrafficPlan(traffic, seed: 8, until: horizon, phones: 0..<2)
            plan.switchPhone(to: PhoneID(5))
            plan.switchPhone(to: PhoneID(phone))
            var walker = TrafficWalker(plan.callSchedule)
            for (index, message) in expected.enumerated() {
                #expect(walker.time == message.at && plan.call.bytes(of: UInt32(index)) == message.bytes)
                #expect(plan.answer.bytes(of: UInt32(index)) == message.answer)
                walker.advance(plan.callSchedule!)
            }
            #expect(walker.time == .never && plan.call.bytes(of: UInt32(expected.count)) == 0)
            for (schedule, purpose) in [(plan.downSchedule, Purpose.trafficDown), (plan.upSchedule, .trafficUp)] {
                let dice = Dice(seed: 8, phone: PhoneID(phone), purpose: purpose)
                let first = min(2_000_000_000, gaps[1].draw(dice.at(1 << 32)))
                #expect(TrafficWalker(schedule).time == Instant(nanoseconds: first))
            }
        }
        let quiet = TrafficStream(sideBySide: [
            TrafficStream(gap: .constant(100_000_000_000), size: .constant(1)),
            TrafficStream(gap: .constant(100_000_000_000), size: .constant(1)),
        ])
        var plan = TrafficPlan(Traffic(down: quiet), seed: 1, until: horizon)
        plan.switchPhone(to: PhoneID(0))
        #expect(TrafficWalker(plan.downSchedule).time == .never)
    }

    /// Broken: a message has the push options of another stream, or the first stream's apply to all.
    @Test func eachStreamHasItsPushOptions() {
        func stream(_ gap: Int64, _ push: PushOptions?) -> TrafficStream {
            var stream = TrafficStream(gap: .constant(gap * 1_000_000_000), size: .constant(9))
            stream.push = push
            return stream
        }
        let (high, normal) = (PushOptions(priority: .high), PushOptions(priority: .normal))
        func options(_ streams: [TrafficStream]) -> [String] {
            let horizon = Self.at(11)
            var plan = TrafficPlan(Traffic(down: TrafficStream(sideBySide: streams)), seed: 1, until: horizon)
            plan.switchPhone(to: PhoneID(0))
            return (0..<8).map { index in
                plan.pushOptions(ofDown: index).map { "\($0.options.priority) \($0.stream)" } ?? "none"
            }
        }
        // Messages at 2, 4, 6, 8 and 10 s, at 3, 6 and 9 s; simultaneous ones in the order of the streams.
        let order = [0, 1, 0, 0, 1, 0, 1, 0]
        #expect(options([stream(2, nil), stream(3, high)]) == order.map { $0 == 0 ? "none" : "high 1" })
        #expect(options([stream(2, normal), stream(3, nil)]) == order.map { $0 == 0 ? "normal 0" : "none" })
        #expect(options([stream(2, normal), stream(3, high)]) == order.map { $0 == 0 ? "normal 0" : "high 1" })
        #expect(options([stream(2, nil), stream(3, nil)]).allSatisfy { $0 == "none" })
        #expect(options([stream(2, high)]).allSatisfy { $0 == "high 0" })
        let up = TrafficPlan(Traffic(down: stream(2, nil), up: stream(2, high)), seed: 1)
        #expect(up.pushOptions(ofDown: 0) == nil && !Traffic(up: stream(2, high)).hasPushOptions)
        #expect(TrafficPlan(Traffic(), seed: 1).pushOptions(ofDown: 0) == nil)
    }

    /// Broken: the schedule of a phone is made again although it is stored, a phone gets that of another one, or its
    /// memory is not counted.
    @Test func schedulesAreMadeOnce() {
        let stream = TrafficStream(gap: .constant(1_000_000_000), size: .constant(9))
        var pushed = stream
        pushed.push = PushOptions(priority: .high)
        func merged(_ streams: [TrafficStream], _ answers: Bool, seconds: Int64) -> MergedSchedule {
            let laws = MergedSchedule.AnswerSizes(laws: [.constant(1), .constant(2)], dice: Self.dice)
            return MergedSchedule(
                TrafficStream(sideBySide: streams), times: Self.dice, sizes: Self.dice, answers ? laws : nil,
                until: Self.at(seconds))!
        }
        // Ten messages. Each has a time of 8 bytes and a size of 4, and perhaps an answer of 4 and a stream of 2.
        #expect(merged([stream, stream], false, seconds: 6).storedBytes == 10 * 12)
        #expect(merged([stream, stream], true, seconds: 6).storedBytes == 10 * 16)
        #expect(merged([stream, pushed], false, seconds: 6).storedBytes == 10 * 14)
        #expect(merged([stream, stream], true, seconds: 6).answers == [1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
        var cache = MergedScheduleCache(of: 2..<4)
        var made: [UInt32] = []
        for phone in [2, 3, 2, 3, 4, 4, 1] as [UInt32] {
            let set = cache.scheduleSet(of: PhoneID(phone)) {
                made.append(phone)
                let schedule = merged([stream, stream], false, seconds: Int64(phone) + 1)
                return MergedScheduleCache.ScheduleSet(down: schedule, up: nil, calls: nil)
            }
            #expect(set.down?.bytes.count == 2 * Int(phone) && set.up == nil && set.calls == nil)
        }
        #expect(made == [2, 3, 4, 4, 1], "phones outside the range are not stored")
    }

    /// Broken: a phone has the times or sizes of another one, or a direction those of the other.
    @Test func eachPhoneHasItsOwnNumbers() {
        let stream = TrafficStream(gap: .uniform(1, 1_000_000), size: .uniform(1, 1_000_000))
        let traffic = Traffic(down: stream, up: stream, probe: stream, calls: stream, answer: .uniform(1, 1_000_000))
        var plan = TrafficPlan(traffic, seed: 4)
        for phone in [3, 0, 7] as [UInt32] {
            plan.switchPhone(to: PhoneID(phone))
            func draw(_ purpose: Purpose, _ slot: UInt64 = 0) -> Int64 {
                Distribution.uniform(1, 1_000_000).draw(Dice(seed: 4, phone: PhoneID(phone), purpose: purpose).at(slot))
            }
            let times = [plan.downSchedule, plan.upSchedule, plan.callSchedule, plan.probeSchedule].map {
                TrafficWalker($0).time.nanoseconds
            }
            #expect(times == [.trafficDown, .trafficUp, .trafficCall, .trafficProbe].map { draw($0) })
            let sizes = [
                plan.down.bytes(of: 6), plan.up.bytes(of: 6), plan.call.bytes(of: 6), plan.answer.bytes(of: 6),
            ]
            #expect(sizes == [.sizeDown, .sizeUp, .sizeCall, .sizeAnswer].map { UInt32(draw($0, 6)) })
        }
        let none = TrafficPlan(Traffic(), seed: 4)
        #expect(
            none.downSchedule == nil && none.upSchedule == nil && none.callSchedule == nil && none.probeSchedule == nil)
        #expect(none.down.bytes(of: 3) == 0)
    }

    /// Broken: an envelope is missing on messages, or wraps calls; or a payload leaves its limits.
    @Test func onlyMessagesHaveAnEnvelope() {
        let stream = TrafficStream(gap: .constant(1), size: .constant(60))
        var traffic = Traffic(down: stream, up: stream, calls: stream, answer: .constant(60))
        traffic.envelope = .json
        let plan = TrafficPlan(traffic, seed: 1)
        #expect(
            plan.down.bytes(of: 4) == Envelope.json.message(60, 4)
                && plan.up.bytes(of: 4) == Envelope.json.message(60, 4))
        #expect(plan.call.bytes(of: 4) == 60 && plan.answer.bytes(of: 4) == 60 && plan.envelope == .json)
        #expect([-1, 0, 1, 1 << 30, 1 << 30 + 1].map { MessageSizes.clamp($0) } == [0, 0, 1, 1 << 30, 1 << 30])
        let dice = Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp)
        #expect(MessageSizes(.constant(-5), dice: dice).bytes(of: 0) == 0)
        #expect(MessageSizes(.uniform(2 << 30, 3 << 30), dice: dice).bytes(of: 0) == 1 << 30)
    }
}
