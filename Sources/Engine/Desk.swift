import DeadzonePrimitives
import DeadzoneServer

/// What the server's program remembers of a phone's session, and what is truly so of its messages. At a place of its own beside
/// the lane.
struct Desk: BitwiseCopyable {
    /// The oldest message that time and number leave in the history.
    var kept: TrafficWalker
    /// What else made it forget: nothing below this is there any more.
    var purged: UInt32 = 0
    /// Which life of the server this is, and its first message; the same of the client's numbers.
    var epoch: UInt32 = 1
    var base: UInt32 = 0
    var clientEpoch: UInt32 = 1
    var clientBase: UInt32 = 0
    /// As the server has it, it has everything of the app's below this.
    var knownUp: UInt32 = 0
    /// Since when the session is without a connection; `.never` if it has one.
    var leftAt = Instant.never
    var dedup = DedupMemory()
    var words: UnsafeMutableBufferPointer<UInt64>
    var hasSession = false
    /// A connection that the phone has replaced and the server still believes in.
    var ghost: Ghost?
    /// What waits for the session's connection.
    var queue = SlowConsumers.Queue()

    // What is so, and nobody need know.

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
    let leftOut: UnsafeMutablePointer<Consumption.Holes>?
    /// Messages of the app that were thrown away and lie between others.
    var refused: UInt32 = 0
    /// Messages of the app that were skipped behind others that nobody has confirmed yet.
    var skippedUp = Stretch()
    var herd = Herd()
    /// The app was opened and does not yet show everything that was there then.
    var openedAt = Instant.never
    /// The phone has been connected.
    var wasOpen = false
    var freshFrom: UInt32 = 0

    init(kept: TrafficWalker, _ server: ServerProfile) {
        let dedup = server.dedup
        leftOut = server.slowConsumers.conflates ? .allocate(capacity: 1) : nil
        leftOut?.initialize(to: Consumption.Holes())
        self.kept = kept
        words = .allocate(capacity: dedup.words)
        words.initialize(repeating: 0)
    }

    struct Ghost: BitwiseCopyable, Sendable {
        var slot: UInt8
        var generation: UInt16
        /// When the server gives it up; `.never`: it has no reason to.
        var until: Instant
        /// The server has it since.
        var heldSince: Instant
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
}
