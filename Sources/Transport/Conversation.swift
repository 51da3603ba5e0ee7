public import DeadzonePrimitives

/// What one phone and its server say to each other, whoever does: the streams of traffic and the sizes of what is said, all of
/// them weather, functions of the phone's dice.
public struct Conversation: ~Copyable {
    private let told: Traffic
    /// How messages of either direction are written down.
    public let envelope: Envelope
    /// Of each kind, where there is one. Where streams run side by side, what they come to on this phone.
    private let streams:
        (
            down: UnsafeMutablePointer<TrafficStream>?, up: UnsafeMutablePointer<TrafficStream>?,
            calls: UnsafeMutablePointer<TrafficStream>?, probe: UnsafeMutablePointer<TrafficStream>?
        )
    private let horizon: Instant
    private let seed: UInt64
    private var phone = PhoneID(0)
    /// Nil where each direction has one stream, and calls have.
    private var weaves: Weaves?
    /// Whose messages are listed.
    private var listed: PhoneID?
    /// Messages of the server, messages of the app, its calls, and their answers.
    public private(set) var down: MessageSizes
    public private(set) var up: MessageSizes
    public private(set) var call: MessageSizes
    public private(set) var answer: MessageSizes
    private let anchor = Anchor()

    /// - Parameters:
    ///   - horizon: no message is said from then on.
    ///   - phones: who take turns.
    public init(_ traffic: Traffic, seed: UInt64, until horizon: Instant = .never, phones: Range<UInt32> = 0..<0) {
        func place(_ stream: TrafficStream?) -> UnsafeMutablePointer<TrafficStream>? {
            stream.map {
                let place = UnsafeMutablePointer<TrafficStream>.allocate(capacity: 1)
                place.initialize(to: $0)
                return place
            }
        }
        told = traffic
        envelope = traffic.envelope
        streams = (place(traffic.down), place(traffic.up), place(traffic.calls), place(traffic.probe))
        self.horizon = horizon
        self.seed = seed
        let isWoven = [traffic.down, traffic.up, traffic.calls].contains { $0?.beside.isEmpty == false }
        precondition(!isWoven || horizon != .never, "streams side by side need an end")
        weaves = isWoven ? Weaves(of: phones) : nil
        let dice = Dice(seed: seed, phone: phone, purpose: .sizeUp)
        func sizes(_ size: Distribution?, in envelope: Envelope = .none) -> MessageSizes {
            MessageSizes(size ?? .constant(0), dice: dice, in: envelope)
        }
        // What is drawn of several laws is of none of them.
        func law(_ own: Distribution?, of stream: TrafficStream?) -> Distribution? {
            stream?.beside.isEmpty == false ? .uniform(0, 1) : own
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

    /// When the server writes a message.
    public var downCourse: Course? { course(of: streams.down, .trafficDown) }
    /// When the app wants to say one.
    public var upCourse: Course? { course(of: streams.up, .trafficUp) }
    /// When it has a question.
    public var callCourse: Course? { course(of: streams.calls, .trafficCall) }
    /// When the server asks the phone's network stack for a sign of life.
    public var probeCourse: Course? { course(of: streams.probe, .trafficProbe) }

    @inline(__always)
    private func course(of stream: UnsafeMutablePointer<TrafficStream>?, _ purpose: Purpose) -> Course? {
        stream.map { Course(stream: UnsafePointer($0), dice: dice(purpose)) }
    }

    /// From now on it is this phone's.
    public mutating func turn(to phone: PhoneID) {
        self.phone = phone
        down.dice = dice(.sizeDown)
        up.dice = dice(.sizeUp)
        call.dice = dice(.sizeCall)
        answer.dice = dice(.sizeAnswer)
        if weaves != nil, listed != phone { list() }
    }

    private mutating func list() {
        listed = phone
        let trio = weaves?.trio(of: phone) { [seed, phone, told, horizon] in
            func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
            func weave(
                _ stream: TrafficStream?, _ times: Purpose, _ sizes: Purpose, _ answers: Weave.Answers? = nil
            ) -> Weave? {
                Weave(stream, times: dice(times), sizes: dice(sizes), answers, until: horizon)
            }
            let answers = Weave.Answers(laws: [told.answer] + told.answersBeside, dice: dice(.sizeAnswer))
            return Weaves.Trio(
                down: weave(told.down, .trafficDown, .sizeDown), up: weave(told.up, .trafficUp, .sizeUp),
                calls: weave(told.calls, .trafficCall, .sizeCall, answers))
        }
        if let weave = trio?.down {
            streams.down?.pointee = weave.stream
            down.listed = weave.bytes
        }
        if let weave = trio?.up {
            streams.up?.pointee = weave.stream
            up.listed = weave.bytes
        }
        guard let weave = trio?.calls else { return }
        streams.calls?.pointee = weave.stream
        (call.listed, answer.listed) = (weave.bytes, weave.answers)
    }

    public func dice(_ purpose: Purpose) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }
}
