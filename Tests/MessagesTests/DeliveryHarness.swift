import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport

/// The messages of one phone, driven by hand: one a second in each direction, a hundred bytes each.
final class DeliveryHarness {
    private let trafficPlan: UnsafeMutablePointer<TrafficPlan>
    private let intake: UnsafeMutablePointer<ReceivePolicy>
    private let consumer: UnsafeMutablePointer<Consumer>?
    var delivery: Delivery
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    var effects = EffectQueue<DeliveryEffect>()
    var entries: [JournalEntry] = []
    var receivedMessages: [UInt32] = []
    /// Number of times that the consumer has continued.
    var continued = 0

    init(
        _ consumer: Consumer? = nil, _ rules: ReceivePolicy = ReceivePolicy(), leavesOut: Bool = false,
        size: Distribution = .constant(100)
    ) {
        let stream = TrafficStream(gap: .constant(1_000_000_000), size: size, until: .zero + .hours(1))
        // Both directions differ in size, so that none is taken for the other.
        var other = stream
        other.size = .uniform(2_000, 3_000)
        trafficPlan = .allocate(capacity: 1)
        trafficPlan.initialize(to: TrafficPlan(Traffic(down: stream, up: other), seed: 1))
        intake = .allocate(capacity: 1)
        intake.initialize(to: rules)
        self.consumer = consumer.map { consumer in
            let place = UnsafeMutablePointer<Consumer>.allocate(capacity: 1)
            place.initialize(to: consumer)
            return place
        }
        delivery = Delivery(trafficPlan, intake, self.consumer.map { UnsafePointer($0) }, leavesOut: leavesOut)
    }

    deinit {
        trafficPlan.deinitialize(count: 1).deallocate()
        intake.deinitialize(count: 1).deallocate()
        consumer?.deinitialize(count: 1).deallocate()
    }

    var seen: UInt32 { delivery.seen.index }
    var cursor: Cursor { session.cursor }
    var acknowledged: Cursor { session.acknowledged }
    var received: UInt32 { delivery.received }
    var hasConsumer: Bool { delivery.hasConsumer }
    var holdsCredit: Bool { delivery.holdsCredit }
    var hasUnannounced: Bool { delivery.hasUnannounced }
    var stallsAt: Instant { delivery.stallAt }
    var consumesAt: Instant { delivery.consumptionAt(session.now) }
    func leaveOut(_ messages: Range<UInt32>) -> Bool { delivery.skipUnsent(messages) }

    func count(_ kind: RecordKind) -> Int64 {
        let ones: Set<RecordKind> = [.deliveredDown, .sentUp, .acknowledgedUp, .waitedDown, .waitedUp]
        return entries.filter { $0.kind == kind }.reduce(0) { $0 + (ones.contains(kind) ? 1 : $1.amount) }
    }

    /// Records the requested effects.
    func drainEffects() {
        let asked = effects.begin()
        for index in asked {
            switch effects[index] {
            case .note(let note): entries.append(note)
            case .enteredBuffer(let message): receivedMessages.append(message)
            case .creditFreed: continued += 1
            }
        }
        effects.end(asked)
    }

    /// Messages arrive on a stream, and the strategy delivers them at once.
    func receive(_ messages: Range<UInt32>, isShown: Bool = true) {
        let bytes = UInt32(messages.count) * 100
        delivery.receive(
            FrameRange(
                first: messages.lowerBound, last: messages.upperBound, bytes: bytes, kind: .message, cause: .payload),
            &session, &effects)
        drainEffects()
        guard isShown else { return }
        delivery.handOver(upTo: Cursor(messages.upperBound), appRuns: true, &session, &effects)
        drainEffects()
    }

    func bytes(of message: UInt32) -> UInt32 { trafficPlan.pointee.down.bytes(of: message) }

    func dice(_ purpose: Purpose) -> Dice { trafficPlan.pointee.dice(purpose) }
    func bytesUp(of message: UInt32) -> UInt32 { trafficPlan.pointee.up.bytes(of: message) }

    func finish(written: UInt32) {
        delivery.recordSuppressed(&session, &effects)
        delivery.loseGap(&session, &effects)
        delivery.finishDown(written: written, unreachable: 0, inFlight: nil, &session, &effects)
        drainEffects()
    }
}
