public import DeadzoneClient
public import DeadzoneJournal
import DeadzonePrimitives
public import DeadzoneTransport

/// What becomes of every message of one phone: what the app wants to say and knows to be there, what has come and was seen, what
/// is lost and whether anybody knows. It decides nothing; it is what is so, and what the app can tell of it (`Session`).
public struct Delivery: ~Copyable {
    let said: UnsafePointer<Conversation>
    let intake: UnsafePointer<Intake>
    let consumer: UnsafePointer<Consumer>?

    /// Messages of the server, as the app has seen them; the phone has everything below `received`.
    public internal(set) var seen: TrafficWalker
    public internal(set) var received: UInt32 = 0
    /// Messages of the app: wanted, and known to be there. The strategy has heard of every wish below `told`.
    public internal(set) var wanted: TrafficWalker
    public internal(set) var confirmed: TrafficWalker
    @usableFromInline var told: UInt32 = 0

    /// Messages that the server skipped without a word, not yet passed by the app.
    var gap = Stretch()
    var gapIsNoticed = false
    /// The client has asked for everything anew, and shows nothing of what lies behind before it is there.
    var gapIsPromised = false
    /// Messages that the app saw in an earlier process and would see again.
    var seenBefore = Stretch()
    /// Arrived once more, and so far not shown again.
    var repeated: UInt32 = 0
    /// Messages that the server left out before others that the app has and does not show yet; nil: it leaves none out.
    let leftOut: UnsafeMutablePointer<Holes>?
    /// Messages of the app that were thrown away and lie between others.
    var refused: UInt32 = 0
    /// Messages of the app that were skipped behind others that nobody has confirmed yet.
    var skippedUp = Stretch()
    /// The app was opened and does not yet show everything that was there then.
    var openedAt = Instant.never
    var freshFrom: UInt32 = 0
    /// Nil without a consumer that takes its time.
    let consumption: UnsafeMutablePointer<Consumption>?
    /// Whoever takes the messages takes its time.
    public let hasConsumer: Bool
    private let anchor = Anchor()

    /// - Parameter leavesOut: The server leaves messages out that nobody takes.
    public init(
        _ said: UnsafePointer<Conversation>, _ intake: UnsafePointer<Intake>, _ consumer: UnsafePointer<Consumer>?,
        leavesOut: Bool
    ) {
        self.said = said
        self.intake = intake
        self.consumer = consumer
        seen = TrafficWalker(said.pointee.downCourse)
        wanted = TrafficWalker(said.pointee.upCourse)
        confirmed = wanted
        leftOut = leavesOut ? .allocate(capacity: 1) : nil
        leftOut?.initialize(to: Holes())
        let isPlain = consumer == nil && intake.pointee.asks?.neverHoldsBack ?? true
        hasConsumer = !isPlain
        consumption = isPlain ? nil : .allocate(capacity: 1)
        consumption?.initialize(to: Consumption())
    }

    deinit {
        leftOut?.deallocate()
        consumption?.deallocate()
    }

    /// The library grants what the consumer's buffer has taken, and not what has merely come.
    public var holdsCredit: Bool { consumption != nil && intake.pointee.stopsReading }
}

/// What a delivery has to say.
public enum DeliveryStep: BitwiseCopyable, Sendable, Noting {
    /// For the books.
    case note(Note)
    /// A message has left the library for the consumer's buffer: its bytes are free.
    case tookIn(UInt32)
}

/// Messages `from ..< upTo`.
struct Stretch: BitwiseCopyable, Sendable {
    var from: UInt32 = 0
    var upTo: UInt32 = 0

    var isEmpty: Bool { upTo <= from }
    var count: UInt32 { isEmpty ? 0 : upTo - from }
    func contains(_ index: UInt32) -> Bool { from <= index && index < upTo }

    /// How many of those below `end` lie in it; they are taken out.
    mutating func take(before end: UInt32) -> UInt32 {
        guard from < min(end, upTo) else { return 0 }
        defer { from = min(end, upTo) }
        return min(end, upTo) - from
    }
}
