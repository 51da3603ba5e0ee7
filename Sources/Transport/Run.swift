public import DeadzonePrimitives

/// What a stretch of a byte stream is made of.
public enum Track: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Messages of the app or of the server, by index.
    case message
    /// A question, by index; its answer.
    case call, answer
    /// The server's answer to a call that it did not do; its owner defines the number.
    case refusal
    case ping, pong
    /// A flight of the handshake, by number.
    case flight
    /// Bytes of the protocol itself; what they say is the item's number, and its owner's to define.
    case control
    /// The end of the stream. It takes a byte here, as in TCP's sequence numbers.
    case finish
    /// Everything anew, as of the item's number.
    case snapshot
    /// A program has everything below `last`, and has said so up to `first` before. Comes whole or not at all.
    case receipt

    /// What the app says. The rest is the library's own and small: it queues that itself, whatever the socket says.
    var isOfApp: Bool { isControlled }
}

/// Items of one track that follow each other on the stream.
public struct Run: Hashable, Sendable, BitwiseCopyable {
    /// So many items fit into one.
    static let most = UInt32(UInt16.max)

    public var first: UInt32
    public var bytes: UInt32
    private var items: UInt16
    public var track: Track
    public var cause: Cause

    public init(first: UInt32, last: UInt32, bytes: UInt32, track: Track, cause: Cause) {
        // Only a receipt can speak of more than that at once, and it is about its end.
        self.first = max(first, last - min(last, Run.most))
        self.bytes = bytes
        items = UInt16(last - self.first)
        self.track = track
        self.cause = cause
    }

    public var count: UInt32 { UInt32(items) }
    /// The item after the last one.
    public var last: UInt32 {
        get { first + count }
        set { items = UInt16(newValue - first) }
    }

    /// Of one of its items. All items of a run are of one size, but messages.
    func size(of item: UInt32, _ sizes: borrowing MessageSizes, _ framing: Framing) -> UInt32 {
        if count == 1 { return bytes }
        return track == .message ? framing.message(sizes.bytes(of: item)) : bytes / count
    }
}

/// A place between two items of a stream.
struct Mark: Hashable, Sendable, BitwiseCopyable {
    var offset: UInt64 = 0
    /// The next item, if the place is inside a run.
    var item: UInt32 = 0
}

/// What a sender has written and someone may still ask for, oldest first. A fixed number of places.
///
/// What follows on the run of the same track that was not sent yet, or was written last, joins it. So unsent bytes take at most
/// one run of each track whose items follow each other. No more than `sentLimit` runs are sent before one of them is done with.
///
/// What is asked in any order, calls and answers, and messages that leave others out, can be refused, and so can words of the protocol, which are said again
/// (`limit`). Behind the last of those that was taken at most one run each of messages, pings and pongs can follow, so that
/// these three always find a place.
struct RunQueue: Sendable, BitwiseCopyable {
    static let capacity = 14
    static let sentLimit = 5
    /// A run that would grow beyond this gets a successor.
    private static let longest: UInt32 = 1 << 31

    private var runs: InlineArray<14, Run>
    private(set) var count = 0
    /// The stream's offset where the first run begins.
    private(set) var start: UInt64 = 0

    init() {
        runs = InlineArray(repeating: Run(first: 0, last: 0, bytes: 0, track: .control, cause: .payload))
    }

    /// How many runs there may be with one more of this track.
    static func limit(_ track: Track) -> Int {
        switch track {
        case .call, .answer, .refusal, .snapshot: capacity - 4
        case .control, .receipt: capacity - 3
        case .message, .ping, .pong, .flight, .finish: capacity
        }
    }

    /// - Parameter sent: Below this offset nothing can move any more.
    /// - Returns: False if there is no room.
    mutating func append(_ run: Run, sent: UInt64) -> Bool {
        var offset = start
        var limit = Self.limit(run.track)
        for index in 0..<count {
            // Messages behind others that were left out: they share the places of what can be refused.
            if run.track == .message && runs[index].track == .message && sent <= offset { limit = Self.limit(.call) }
            let isOpen = sent <= offset || index == count - 1
            if isOpen && joins(run, index) {
                runs[index].last = run.last
                runs[index].bytes += run.bytes
                return true
            }
            offset += UInt64(runs[index].bytes)
        }
        guard count < min(limit, Self.limit(run.track)) else { return false }
        runs[count] = run
        count += 1
        return true
    }

    private func joins(_ run: Run, _ index: Int) -> Bool {
        guard runs[index].track == run.track, runs[index].last == run.first,
            runs[index].count <= Run.most - run.count
        else { return false }
        guard run.track == .message || run.track == .ping || run.track == .pong || run.track == .receipt else {
            return false
        }
        return runs[index].cause == run.cause && runs[index].bytes <= Self.longest - min(run.bytes, Self.longest)
    }

    /// The run over this offset, and where it begins.
    func run(at offset: UInt64) -> (index: Int, run: Run, start: UInt64)? {
        var begin = start
        for index in 0..<count {
            let end = begin + UInt64(runs[index].bytes)
            if offset < end { return (index, runs[index], begin) }
            begin = end
        }
        return nil
    }

    /// What can leave from this offset on in packets of one cause: up to the next run of another, and of no more runs than
    /// may be under way. Nil if nothing can.
    func stretch(from offset: UInt64) -> (cause: Cause, end: UInt64)? {
        guard let (index, run, start) = run(at: offset), index < Self.sentLimit || offset != start else { return nil }
        var end = start + UInt64(run.bytes)
        var next = index + 1
        while next < min(count, Self.sentLimit) && runs[next].cause == run.cause {
            end += UInt64(runs[next].bytes)
            next += 1
        }
        return (run.cause, end)
    }

    /// Items that are complete between the mark and `end`, of one run; the mark moves behind them.
    func next(
        _ mark: inout Mark, upTo end: UInt64, _ sizes: borrowing MessageSizes, _ framing: Framing
    ) -> Run? {
        guard mark.offset < end, let (_, run, begin) = run(at: mark.offset) else { return nil }
        let first = mark.offset == begin ? run.first : mark.item
        var done = Run(first: first, last: run.last, bytes: run.bytes, track: run.track, cause: run.cause)
        if begin + UInt64(run.bytes) <= end {
            done.bytes = UInt32(begin + UInt64(run.bytes) - mark.offset)
            mark = Mark(offset: begin + UInt64(run.bytes), item: run.last)
            return done
        }
        guard run.track != .receipt else { return nil }
        let from = mark.offset
        var item = first
        while item < run.last {
            let after = mark.offset + UInt64(run.size(of: item, sizes, framing))
            guard after <= end else { break }
            mark.offset = after
            item += 1
        }
        mark.item = item
        guard first < item else { return nil }
        done.last = item
        done.bytes = UInt32(mark.offset - from)
        return done
    }

    /// Runs that end at or before the offset are needed no more.
    mutating func drop(before offset: UInt64) {
        var gone = 0
        while gone < count && start + UInt64(runs[gone].bytes) <= offset {
            start += UInt64(runs[gone].bytes)
            gone += 1
        }
        guard gone > 0 else { return }
        for index in gone..<count { runs[index - gone] = runs[index] }
        count -= gone
    }
}
