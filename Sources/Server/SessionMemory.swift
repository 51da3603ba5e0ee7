import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTransport

/// What the server's program remembers of a phone's session: how far back it could begin, which life of its own that was in, and
/// which messages of the app it has had.
struct SessionMemory: ~Copyable {
    private let profile: UnsafePointer<ServerProfile>
    /// The oldest message that time and number leave in the history.
    private var kept: TrafficWalker
    /// What else made it forget: nothing below this is there any more.
    private var purged: UInt32 = 0
    /// Which life of the server this is, and its first message; the same of the client's numbers.
    private var epoch: UInt32 = 1
    private var base: UInt32 = 0
    private var clientEpoch: UInt32 = 1
    private var clientBase: UInt32 = 0
    /// It has everything of the app's below this.
    private(set) var knownUp: UInt32 = 0
    /// Since when the session is without a connection; `.never` if it has one.
    private var leftAt = Instant.never
    private var isBegun = false
    private var dedup = DedupMemory()
    private var words: UnsafeMutableBufferPointer<UInt64>

    init(_ profile: UnsafePointer<ServerProfile>, from first: TrafficWalker) {
        self.profile = profile
        kept = first
        // Room for nothing would cost some, too.
        let count = profile.pointee.dedup.words
        words = count == 0 ? UnsafeMutableBufferPointer(start: nil, count: 0) : .allocate(capacity: count)
        words.initialize(repeating: 0)
    }

    deinit { words.deallocate() }

    /// What a client hears of it with the session; 0: nothing.
    var namedEpoch: UInt32 { profile.pointee.session.namesEpoch ? epoch : 0 }

    // MARK: The session

    func isKnown(at now: Instant) -> Bool { profile.pointee.session.knows(left: leftAt, at: now) }

    mutating func leave(at now: Instant) { leftAt = now }
    mutating func comeBack() { leftAt = .never }

    /// The session is there from its first connection on, and so is its memory. Returns what that takes, the first time.
    mutating func begin() -> UInt32? {
        guard !isBegun else { return nil }
        isBegun = true
        return profile.pointee.dedup == .none ? nil : profile.pointee.dedup.bytes
    }

    mutating func forget() {
        knownUp = 0
        leftAt = .never
        dedup.empty(words)
    }

    /// The process is gone, and with it whatever it only had in its memory.
    mutating func restart(isNew: Bool, written: UInt32) {
        guard !profile.pointee.session.survivesRestart else { return }
        if isNew { epoch += 1 }
        base = written
        purged = written
        forget()
    }

    /// The client counts as the server does from now on.
    mutating func tellCount() {
        clientEpoch = epoch
        clientBase = base
    }

    // MARK: Messages of the app

    mutating func had(before end: UInt32) { knownUp = max(knownUp, end) }

    /// The message is taken for new. `more`: so many bytes more than before does the memory take.
    mutating func admits(_ index: UInt32, salt: UInt64, at now: Instant) -> (isNew: Bool, more: UInt32) {
        let rules = profile.pointee.dedup
        let before = rules.bytes(holding: dedup.most)
        let isNew = dedup.admits(index, rules, at: now, salt: salt, &words)
        return (isNew, rules.bytes(holding: dedup.most) - before)
    }

    // MARK: Its own messages

    mutating func purge(before end: UInt32) { purged = max(purged, end) }

    /// Where the server goes on for a client that asks like this, and whether that leaves out what it asked for; nil: with a snapshot
    /// of everything.
    mutating func place(
        for resuming: Resuming, _ introduction: Introduction, isKnown: Bool, written: UInt32, at now: Instant,
        _ said: borrowing Conversation
    ) -> (next: UInt32, isGap: Bool)? {
        let history = profile.pointee.history
        let oldest = oldestKept(written, at: now, said)
        switch resuming {
        case .fresh: return (max(oldest, written - min(history.replay, written)), false)
        case .whole: return nil
        case .from(let cursor):
            let asked = isKnown ? place(of: cursor, introduction) : nil
            if let asked, oldest <= asked { return (min(asked, written), asked != cursor.position) }
            if history.whenGone == .snapshot { return nil }
            return (isKnown ? max(asked ?? oldest, oldest) : written, true)
        }
    }

    /// Where the client's cursor points in the server's own count; nil: nowhere, and the server knows that.
    private func place(of cursor: Cursor, _ introduction: Introduction) -> UInt32? {
        if profile.pointee.session.namesEpoch {
            return introduction.epoch == 0 || introduction.epoch == epoch ? cursor.position : nil
        }
        guard clientEpoch != epoch else { return cursor.position }
        // The same number, in a count that began again.
        return base + (cursor.position - min(clientBase, cursor.position))
    }

    /// The oldest message that could be sent again.
    private mutating func oldestKept(_ written: UInt32, at now: Instant, _ said: borrowing Conversation) -> UInt32 {
        guard let course = said.downCourse else { return 0 }
        let rules = profile.pointee.history
        if rules.messages != nil || rules.time != nil {
            while kept.index < written, !rules.keeps(age: now - kept.at, newer: written - kept.index - 1) {
                kept.advance(course)
            }
        }
        return max(kept.index, purged)
    }
}
