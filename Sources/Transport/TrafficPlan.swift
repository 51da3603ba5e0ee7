package import DeadzoneBase

/// The planned messages and calls between one phone and its server: their times and sizes. They depend only on the
/// phone's random numbers, not on the client strategy.
package struct TrafficPlan: ~Copyable {
    private let trafficSettings: Traffic
    /// Encoding of the app's and the server's messages, such as protobuf or JSON.
    package let envelope: Envelope
    /// The message stream of each direction, of calls and of probes; `nil` if there is none. Parallel streams are
    /// replaced by their merged schedule on this phone.
    private let streams:
        (
            down: UnsafeMutablePointer<TrafficStream>?, up: UnsafeMutablePointer<TrafficStream>?,
            calls: UnsafeMutablePointer<TrafficStream>?, probe: UnsafeMutablePointer<TrafficStream>?
        )
    /// Stream of each message to the app. Empty if no parallel stream has push options of its own.
    private var downStreamIndices: [UInt16] = []
    private let hasPushOptions: Bool
    /// Number of subscriptions to which consecutive messages of the server belong in turn; 0 if the server cannot end
    /// a subscription of its own.
    package var subscriptions: UInt8 = 0
    private let horizon: Instant
    private let seed: UInt64
    private var phone = PhoneID(0)
    /// Cache of the merged schedules of parallel streams. `nil` if no streams run in parallel.
    private var scheduleCache: MergedScheduleCache?
    /// The phone for which the merged schedules are loaded. `nil` if none are loaded.
    private var listedPhone: PhoneID?
    /// Sizes of the messages that the server sends to the app.
    package private(set) var down: MessageSizes
    /// Sizes of the messages that the app sends to the server.
    package private(set) var up: MessageSizes
    /// Sizes of the app's calls.
    package private(set) var call: MessageSizes
    /// Sizes of the server's answers to calls.
    package private(set) var answer: MessageSizes
    private let addressStable = AddressStable()

    /// Creates the plan. `switchPhone` selects the phone.
    /// - Parameters:
    ///   - horizon: No message is sent from this time on.
    ///   - phones: Phones that are simulated in turn; their merged schedules are cached.
    package init(_ traffic: Traffic, seed: UInt64, until horizon: Instant = .never, phones: Range<UInt32> = 0..<0) {
        func place(_ stream: TrafficStream?) -> UnsafeMutablePointer<TrafficStream>? {
            stream.map {
                let place = UnsafeMutablePointer<TrafficStream>.allocate(capacity: 1)
                place.initialize(to: $0)
                return place
            }
        }
        trafficSettings = traffic
        envelope = traffic.envelope
        streams = (place(traffic.down), place(traffic.up), place(traffic.calls), place(traffic.probe))
        self.horizon = horizon
        self.seed = seed
        hasPushOptions = traffic.hasPushOptions
        let isMerged = [traffic.down, traffic.up, traffic.calls].contains { $0?.parallelStreams.isEmpty == false }
        precondition(!isMerged || horizon != .never, "parallel streams need a finite horizon")
        scheduleCache = isMerged ? MergedScheduleCache(of: phones) : nil
        let dice = Dice(seed: seed, phone: phone, purpose: .sizeUp)
        func sizes(_ size: Distribution?, in envelope: Envelope = .none) -> MessageSizes {
            MessageSizes(size ?? .constant(0), dice: dice, in: envelope)
        }
        // Sizes of parallel streams come from a list. With any distribution that is not constant, `MessageSizes` reads
        // the list.
        func law(_ own: Distribution?, of stream: TrafficStream?) -> Distribution? {
            stream?.parallelStreams.isEmpty == false ? .uniform(0, 1) : own
        }
        down = sizes(law(traffic.down?.size, of: traffic.down), in: traffic.envelope)
        up = sizes(law(traffic.up?.size, of: traffic.up), in: traffic.envelope)
        call = sizes(law(traffic.calls?.size, of: traffic.calls))
        answer = sizes(law(traffic.answer, of: traffic.calls))
    }

    deinit {
        for stream in [streams.down, streams.up, streams.calls, streams.probe] {
            stream?.deinitialize(count: 1)
            stream?.deallocate()
        }
    }

    /// Times at which the server sends messages to the app; `nil` if it sends none.
    package var downSchedule: MessageSchedule? { schedule(of: streams.down, .trafficDown) }
    /// Times at which the app sends messages to the server; `nil` if it sends none.
    package var upSchedule: MessageSchedule? { schedule(of: streams.up, .trafficUp) }
    /// Times at which the app starts calls; `nil` if there are none.
    package var callSchedule: MessageSchedule? { schedule(of: streams.calls, .trafficCall) }
    /// Times at which the server sends probes, which the phone's network stack answers; `nil` if it sends none.
    package var probeSchedule: MessageSchedule? { schedule(of: streams.probe, .trafficProbe) }

    @inline(__always)
    private func schedule(of stream: UnsafeMutablePointer<TrafficStream>?, _ purpose: Purpose) -> MessageSchedule? {
        stream.map { MessageSchedule(stream: UnsafePointer($0), dice: dice(purpose)) }
    }

    /// Switches the plan to another phone: times and sizes are now those of this phone's messages.
    package mutating func switchPhone(to phone: PhoneID) {
        self.phone = phone
        down.dice = dice(.sizeDown)
        up.dice = dice(.sizeUp)
        call.dice = dice(.sizeCall)
        answer.dice = dice(.sizeAnswer)
        if scheduleCache != nil, listedPhone != phone { loadSchedules() }
    }

    private mutating func loadSchedules() {
        listedPhone = phone
        let trio = scheduleCache?.scheduleSet(of: phone) { [seed, phone, trafficSettings, horizon] in
            func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
            func schedule(
                _ stream: TrafficStream?, _ times: Purpose, _ sizes: Purpose,
                _ answers: MergedSchedule.AnswerSizes? = nil
            ) -> MergedSchedule? {
                MergedSchedule(stream, times: dice(times), sizes: dice(sizes), answers, until: horizon)
            }
            let answers = MergedSchedule.AnswerSizes(
                laws: [trafficSettings.answer] + trafficSettings.parallelAnswers, dice: dice(.sizeAnswer))
            return MergedScheduleCache.ScheduleSet(
                down: schedule(trafficSettings.down, .trafficDown, .sizeDown),
                up: schedule(trafficSettings.up, .trafficUp, .sizeUp),
                calls: schedule(trafficSettings.calls, .trafficCall, .sizeCall, answers))
        }
        if let schedule = trio?.down {
            streams.down?.pointee = schedule.stream
            down.listedSizes = schedule.bytes
            downStreamIndices = schedule.streamIndices
        }
        if let schedule = trio?.up {
            streams.up?.pointee = schedule.stream
            up.listedSizes = schedule.bytes
        }
        guard let schedule = trio?.calls else { return }
        streams.calls?.pointee = schedule.stream
        (call.listedSizes, answer.listedSizes) = (schedule.bytes, schedule.answers)
    }

    /// The push options of the stream of a message to the app, and the stream's index; `nil` if its stream has none.
    package func pushOptions(ofDown message: UInt32) -> (options: PushOptions, stream: UInt16)? {
        guard hasPushOptions, let first = trafficSettings.down else { return nil }
        let stream = Int(message) < downStreamIndices.count ? downStreamIndices[Int(message)] : 0
        let own = stream == 0 ? first.push : first.parallelStreams[Int(stream) - 1].push
        return own.map { ($0, stream) }
    }

    package func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
}
