import DeadzoneBase

/// Send queue of one end of a connection: ranges of frames that are unsent, unacknowledged or unread, oldest first. Its
/// capacity is fixed.
///
/// A new range is merged into an existing range of the same kind that it continues, if that range is unsent or the last
/// one. So unsent data takes at most one range for each kind with consecutive items. At most `sentLimit` ranges are in
/// flight.
///
/// Three groups of items can be refused (`limit`):
/// - calls, answers, refusals and snapshots, which can be written in any order;
/// - control frames and receipts, which the protocol sends again;
/// - messages after a gap in the message numbers.
///
/// After the last accepted item of these groups, at most one range each of messages, pings and pongs can follow. So
/// these three always fit.
///
/// Most queues never hold more than `inlineFrames.count` ranges. A longer queue keeps the rest on the heap until it is
/// empty.
struct FrameQueue: ~Copyable, @unchecked Sendable {
    static let capacity = 14
    static let sentLimit = 5
    /// Maximum size in bytes of a range that was extended. If it would be exceeded, new items begin a new range.
    private static let longest: UInt32 = 1 << 31

    /// Offset in the byte stream at which the first range begins.
    private(set) var start: UInt64 = 0
    private var heapFrames: UnsafeMutablePointer<FrameRange>?
    private var inlineFrames = InlineArray<3, FrameRange>(
        repeating: FrameRange(first: 0, last: 0, bytes: 0, kind: .control, cause: .payload))
    private var usedCount: UInt8 = 0
    private let addressStable = AddressStable()

    deinit { heapFrames?.deallocate() }

    var count: Int { Int(usedCount) }
    var isOne: Bool { usedCount == 1 }
    /// The first range. Valid only if the queue is not empty.
    var first: FrameRange { inlineFrames[0] }
    var firstEnd: UInt64 { start + UInt64(inlineFrames[0].bytes) }

    private subscript(index: Int) -> FrameRange {
        get {
            index < inlineFrames.count ? inlineFrames[index] : heapFrames.unsafelyUnwrapped[index - inlineFrames.count]
        }
        set {
            if index < inlineFrames.count {
                inlineFrames[index] = newValue
            } else {
                heapFrames.unsafelyUnwrapped[index - inlineFrames.count] = newValue
            }
        }
    }

    /// Returns the maximum length of the queue, in ranges, after a range of this kind is appended.
    static func limit(_ kind: FrameKind) -> Int {
        switch kind {
        case .call, .answer, .refusal, .snapshot: capacity - 4
        case .control, .receipt, .subscription: capacity - 3
        case .message, .ping, .pong, .flight, .finish: capacity
        }
    }

    /// Appends a range of frames, or merges it into an existing range.
    /// - Parameter sent: Data below this stream offset was sent and can no longer change.
    /// - Returns: `false` if the queue is full.
    @inline(__always)
    mutating func append(_ frames: FrameRange, sent: UInt64) -> Bool {
        guard usedCount == 0 else { return appendAfterFirst(frames, sent: sent) }
        inlineFrames[0] = frames
        usedCount = 1
        return true
    }

    private mutating func appendAfterFirst(_ frames: FrameRange, sent: UInt64) -> Bool {
        var offset = start
        var limit = Self.limit(frames.kind)
        for index in 0..<count {
            // Messages after a gap in the numbers share the entries of the kinds that can be refused.
            if frames.kind == .message && self[index].kind == .message && sent <= offset { limit = Self.limit(.call) }
            let isOpen = sent <= offset || index == count - 1
            if isOpen && canMerge(frames, index) {
                merge(frames, index)
                return true
            }
            offset += UInt64(self[index].bytes)
        }
        guard count < min(limit, Self.limit(frames.kind)) else { return false }
        if count == inlineFrames.count && heapFrames == nil {
            heapFrames = .allocate(capacity: Self.capacity - inlineFrames.count)
        }
        self[count] = frames
        usedCount += 1
        return true
    }

    /// Merges the frames into the range at `index`, or into the last later range that they continue as well. A message
    /// that is written again stands in a later range than the messages that followed its first copy.
    private mutating func merge(_ frames: FrameRange, _ index: Int) {
        var place = index
        if frames.kind == .message && index < count - 1 {
            for later in index + 1..<count where canMerge(frames, later) { place = later }
        }
        self[place].last = frames.last
        self[place].bytes += frames.bytes
    }

    private func canMerge(_ frames: FrameRange, _ index: Int) -> Bool {
        guard self[index].kind == frames.kind, self[index].last == frames.first,
            self[index].count <= FrameRange.maxCount - frames.count
        else { return false }
        guard
            frames.kind == .message || frames.kind == .ping || frames.kind == .pong || frames.kind == .receipt
                || frames.kind == .subscription
        else {
            return false
        }
        return self[index].cause == frames.cause && self[index].bytes <= Self.longest - min(frames.bytes, Self.longest)
    }

    /// Returns the range that contains this stream offset, with its index and the offset at which it begins. `nil` if
    /// no queued range contains it.
    @inline(__always)
    func frames(at offset: UInt64) -> (index: Int, frames: FrameRange, start: UInt64)? {
        usedCount > 0 && offset < firstEnd ? (0, inlineFrames[0], start) : framesAfterFirst(offset)
    }

    private func framesAfterFirst(_ offset: UInt64) -> (index: Int, frames: FrameRange, start: UInt64)? {
        var begin = start
        for index in 0..<count {
            let end = begin + UInt64(self[index].bytes)
            if offset < end { return (index, self[index], begin) }
            begin = end
        }
        return nil
    }

    /// Returns the data from this offset on that one packet may carry: up to which offset, and with which cause. The
    /// data ends before the next range with another cause, and after `sentLimit` ranges. `nil` if nothing can be sent.
    func sendableRange(from offset: UInt64) -> (cause: Cause, end: UInt64)? {
        guard let (index, frames, start) = frames(at: offset), index < Self.sentLimit || offset != start else {
            return nil
        }
        var end = start + UInt64(frames.bytes)
        var next = index + 1
        while next < min(count, Self.sentLimit) && self[next].cause == frames.cause {
            end += UInt64(self[next].bytes)
            next += 1
        }
        return (frames.cause, end)
    }

    /// Returns the complete items of one range between the position `boundary` and the offset `end`, and moves the
    /// position behind them. `nil` if no item is complete.
    @inline(__always)
    func next(
        _ boundary: inout ItemBoundary, upTo end: UInt64, _ sizes: borrowing MessageSizes, _ framing: Framing
    ) -> FrameRange? {
        guard boundary.offset < end else { return nil }
        // Fast path: usually the whole first range is complete.
        guard usedCount > 0, boundary.offset == start, firstEnd <= end else {
            return nextPart(&boundary, upTo: end, sizes, framing)
        }
        boundary = ItemBoundary(offset: firstEnd, item: first.last)
        return first
    }

    private func nextPart(
        _ boundary: inout ItemBoundary, upTo end: UInt64, _ sizes: borrowing MessageSizes, _ framing: Framing
    ) -> FrameRange? {
        guard let (_, frames, begin) = frames(at: boundary.offset) else { return nil }
        let first = boundary.offset == begin ? frames.first : boundary.item
        var done = FrameRange(
            first: first, last: frames.last, bytes: frames.bytes, kind: frames.kind, cause: frames.cause)
        if begin + UInt64(frames.bytes) <= end {
            done.bytes = UInt32(begin + UInt64(frames.bytes) - boundary.offset)
            boundary = ItemBoundary(offset: begin + UInt64(frames.bytes), item: frames.last)
            return done
        }
        guard frames.kind != .receipt else { return nil }
        let from = boundary.offset
        var item = first
        while item < frames.last {
            let after = boundary.offset + UInt64(frames.size(of: item, sizes, framing))
            guard after <= end else { break }
            boundary.offset = after
            item += 1
        }
        boundary.item = item
        guard first < item else { return nil }
        done.last = item
        done.bytes = UInt32(boundary.offset - from)
        return done
    }

    /// Drops ranges that end at or before the offset.
    @inline(__always)
    mutating func drop(before offset: UInt64) {
        guard usedCount > 0, firstEnd <= offset else { return }
        if isOne { clear() } else { dropSeveral(before: offset) }
    }

    /// Empties the queue. Called only if it holds exactly one range.
    @inline(__always)
    mutating func clear() {
        start = firstEnd
        usedCount = 0
        if heapFrames != nil { freeHeap() }
    }

    private mutating func freeHeap() {
        heapFrames?.deallocate()
        heapFrames = nil
    }

    private mutating func dropSeveral(before offset: UInt64) {
        var gone = 0
        while gone < count && start + UInt64(self[gone].bytes) <= offset {
            start += UInt64(self[gone].bytes)
            gone += 1
        }
        guard gone > 0 else { return }
        for index in gone..<count { self[index - gone] = self[index] }
        usedCount -= UInt8(gone)
        if count == 0 { freeHeap() }
    }
}
