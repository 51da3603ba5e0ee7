import DeadzoneBase

/// State of the data in flight while some of it is missing or counts as lost: the scoreboard of RFC 6675, with the
/// times of RFC 8985 (RACK). Its entries cover the stream from the acknowledged offset to the end of the sent data
/// without a gap. Without loss it takes no memory but a pointer.
///
///     outstanding ──a later packet arrived, a timeout──▶ lost ──retransmit──▶ retransmitted
///          │                                              ▲                        │   │
///          │                                              └─a later packet arrived─┘   │
///          └──────────────────────reported by the other end───▶ received ◀─────────────┘
///
/// Data that was sent before the scoreboard began has no time at first: it was sent in order. If data after a gap
/// arrives, its time stamp becomes the time of the gap, too. Everything is counted in segments, each write or
/// retransmission rounded up, as a kernel counts packets.
@usableFromInline struct Scoreboard: ~Copyable, @unchecked Sendable {
    enum SegmentFate: UInt8, BitwiseCopyable {
        case outstanding, lost, retransmitted, received
    }

    /// A range of the stream with one fate. It begins where the entry before it ends.
    struct ScoreboardEntry: BitwiseCopyable {
        var end: UInt64
        /// Time of the last transmission. `.zero` if it was before the scoreboard began, and no later data has arrived.
        var sentAt: Instant
        var segments: UInt16
        var fate: SegmentFate
        /// `true` if the range was ever retransmitted.
        var isRepeated = false
    }

    /// Changes that one acknowledgement caused.
    struct ArrivalSummary {
        /// Number of segments that are known to have arrived since the acknowledgement before.
        var segments = 0
        /// `true` if data that was never retransmitted has arrived.
        var includesOriginal = false
        /// End of the latest original data that has arrived, as an offset.
        var originalEnd: UInt64 = 0
        /// End of the data beyond a gap that an earlier acknowledgement has reported.
        var reportedEnd: UInt64 = 0
        /// Number of bytes by which the first original data was overtaken that has arrived now.
        var overtakenBy: UInt64 = 0
    }

    @usableFromInline struct ScoreboardHeader: BitwiseCopyable {
        fileprivate var entries: UnsafeMutablePointer<ScoreboardEntry>
        fileprivate var count: UInt32 = 0
        fileprivate var capacity: UInt32
        /// Offset at which the first entry begins.
        fileprivate var start: UInt64
        fileprivate(set) var beganAt: Instant
        /// Time of the latest transmission that has arrived.
        fileprivate var latestArrival = Instant.zero
        /// End of the data of that transmission.
        fileprivate var latestArrivalEnd: UInt64 = 0
        /// Round trip of that transmission (`rack.rtt_us`). Linux has that of the data that arrived last, whenever it was
        /// sent; measured latencies are nearer to this.
        fileprivate var roundTrip = TimeSpan.zero
        fileprivate(set) var inFlight = 0
        fileprivate(set) var received = 0
        /// Number of lost segments that are not retransmitted yet.
        fileprivate(set) var lost = 0
        var recovery = LossRecovery()
    }

    private static let firstCapacity: UInt32 = 4
    @usableFromInline private(set) var header: UnsafeMutablePointer<ScoreboardHeader>?

    deinit { freeMemory() }

    @inlinable var isEmpty: Bool { header == nil }
    /// Number of segments in flight.
    var inFlight: Int { header?.pointee.inFlight ?? 0 }
    /// Number of segments that have arrived beyond a gap.
    var received: Int { header?.pointee.received ?? 0 }
    /// Number of lost segments that are not retransmitted yet.
    var lost: Int { header?.pointee.lost ?? 0 }
    /// Progress of the repair.
    var recovery: LossRecovery {
        get { header?.pointee.recovery ?? LossRecovery() }
        set { header?.pointee.recovery = newValue }
    }

    /// Begins another repair, or none. A retransmission that is still in flight keeps its time: its acknowledgement is no
    /// sign of a late original (`tcp_any_retrans_done`).
    mutating func replaceRecovery(with next: LossRecovery) {
        let repeatedAt = hasRepeatedInFlight ? recovery.repeatedAt : .never
        recovery = next
        recovery.repeatedAt = repeatedAt
    }

    private func freeMemory() {
        guard let header else { return }
        header.pointee.entries.deallocate()
        header.deallocate()
    }

    /// Discards the scoreboard: nothing is missing any more.
    mutating func end() {
        freeMemory()
        header = nil
    }

    /// Begins a scoreboard of one entry, for the data between both offsets.
    mutating func begin(from start: UInt64, to end: UInt64, at now: Instant, segment: UInt32) {
        guard header == nil else { return }
        let made = UnsafeMutablePointer<ScoreboardHeader>.allocate(capacity: 1)
        made.initialize(
            to: ScoreboardHeader(
                entries: .allocate(capacity: Int(Self.firstCapacity)), capacity: Self.firstCapacity, start: start,
                beganAt: now))
        header = made
        append(upTo: end, at: .zero, segment: segment)
    }

    // MARK: Entries

    /// The entries, in the order of the stream.
    var entries: [ScoreboardEntry] {
        header.map { header in (0..<header.pointee.count).map { header.pointee.entries[Int($0)] } } ?? []
    }

    static func segments(_ bytes: UInt64, _ segment: UInt32) -> UInt16 {
        UInt16(clamping: (bytes + UInt64(segment) - 1) / UInt64(segment))
    }

    private func begin(of index: Int, _ header: UnsafeMutablePointer<ScoreboardHeader>) -> UInt64 {
        index == 0 ? header.pointee.start : header.pointee.entries[index - 1].end
    }

    /// Adds new data, which was sent now.
    mutating func append(upTo end: UInt64, at now: Instant, segment: UInt32) {
        guard let header else { return }
        let begin = begin(of: Int(header.pointee.count), header)
        guard begin < end else { return }
        let entry = ScoreboardEntry(
            end: end, sentAt: now, segments: Self.segments(end - begin, segment), fate: .outstanding)
        insert(entry, at: Int(header.pointee.count), header)
        header.pointee.inFlight += Int(entry.segments)
    }

    private func insert(_ entry: ScoreboardEntry, at index: Int, _ header: UnsafeMutablePointer<ScoreboardHeader>) {
        if header.pointee.count == header.pointee.capacity {
            let larger = UnsafeMutablePointer<ScoreboardEntry>.allocate(capacity: Int(2 * header.pointee.capacity))
            larger.update(from: header.pointee.entries, count: Int(header.pointee.count))
            header.pointee.entries.deallocate()
            header.pointee.entries = larger
            header.pointee.capacity *= 2
        }
        let entries = header.pointee.entries
        var place = Int(header.pointee.count)
        while place > index {
            entries[place] = entries[place - 1]
            place -= 1
        }
        entries[index] = entry
        header.pointee.count += 1
    }

    /// Splits an entry at an offset inside it.
    private func split(
        _ index: Int, at offset: UInt64, _ header: UnsafeMutablePointer<ScoreboardHeader>, segment: UInt32
    ) {
        var first = header.pointee.entries[index]
        count(first, -1, header)
        var second = first
        first.segments = Self.segments(offset - begin(of: index, header), segment)
        second.segments = Self.segments(second.end - offset, segment)
        first.end = offset
        header.pointee.entries[index] = first
        insert(second, at: index + 1, header)
        count(first, 1, header)
        count(second, 1, header)
    }

    /// Adds an entry to the counters, or takes it from them.
    private func count(_ entry: ScoreboardEntry, _ sign: Int, _ header: UnsafeMutablePointer<ScoreboardHeader>) {
        let segments = sign * Int(entry.segments)
        switch entry.fate {
        case .outstanding, .retransmitted: header.pointee.inFlight += segments
        case .lost: header.pointee.lost += segments
        case .received: header.pointee.received += segments
        }
    }

    private func change(_ index: Int, to fate: SegmentFate, _ header: UnsafeMutablePointer<ScoreboardHeader>) {
        count(header.pointee.entries[index], -1, header)
        header.pointee.entries[index].fate = fate
        count(header.pointee.entries[index], 1, header)
    }

    // MARK: Acknowledgements

    /// Records that the other end has the data between both offsets, although data before it is missing.
    mutating func markReceived(
        from begin: UInt64, to end: UInt64, echo: Instant, at now: Instant, segment: UInt32,
        _ delivery: inout ArrivalSummary
    ) {
        guard let header else { return }
        var index = 0
        while index < Int(header.pointee.count) {
            let (from, to) = (self.begin(of: index, header), header.pointee.entries[index].end)
            if end <= from { break }
            guard begin < to, header.pointee.entries[index].fate != .received else {
                index += 1
                continue
            }
            if from < begin {
                split(index, at: begin, header, segment: segment)
                if header.pointee.entries[index].sentAt == .zero && echo != .never {
                    header.pointee.entries[index].sentAt = echo
                }
            } else {
                if end < to { split(index, at: end, header, segment: segment) }
                deliver(header.pointee.entries[index], echo: echo, at: now, header, &delivery)
                change(index, to: .received, header)
            }
            index += 1
        }
        mergeReceived(header)
    }

    /// Merges neighbours that have arrived, so that the number of entries stays that of the gaps.
    private func mergeReceived(_ header: UnsafeMutablePointer<ScoreboardHeader>) {
        let entries = header.pointee.entries
        var kept = 0
        for index in 1..<max(Int(header.pointee.count), 1) {
            if entries[kept].fate == .received && entries[index].fate == .received {
                entries[kept].end = entries[index].end
                entries[kept].segments += entries[index].segments
            } else {
                kept += 1
                entries[kept] = entries[index]
            }
        }
        if header.pointee.count > 0 { header.pointee.count = UInt32(kept + 1) }
    }

    /// Removes the data before an offset, which the other end has in order.
    mutating func acknowledge(
        to offset: UInt64, echo: Instant, at now: Instant, segment: UInt32, _ delivery: inout ArrivalSummary
    ) {
        guard let header, header.pointee.start < offset else { return }
        var gone = 0
        while gone < Int(header.pointee.count) {
            if offset < header.pointee.entries[gone].end {
                if begin(of: gone, header) < offset {
                    split(gone, at: offset, header, segment: segment)
                    continue
                }
                break
            }
            let entry = header.pointee.entries[gone]
            if entry.fate != .received { deliver(entry, echo: echo, at: now, header, &delivery) }
            count(entry, -1, header)
            gone += 1
        }
        header.pointee.start = offset
        let count = Int(header.pointee.count)
        for index in gone..<max(count, gone) { header.pointee.entries[index - gone] = header.pointee.entries[index] }
        header.pointee.count -= UInt32(gone)
    }

    /// Records the arrival of an entry. If it was sent again after the packet that the acknowledgement echoes, its
    /// original has arrived. The echo is the time of data that was not sent again and has no exact time.
    private func deliver(
        _ entry: ScoreboardEntry, echo: Instant, at now: Instant, _ header: UnsafeMutablePointer<ScoreboardHeader>,
        _ delivery: inout ArrivalSummary
    ) {
        delivery.segments += Int(entry.segments)
        if !entry.isRepeated {
            delivery.includesOriginal = true
            delivery.originalEnd = max(delivery.originalEnd, entry.end)
            if entry.end < delivery.reportedEnd {
                delivery.overtakenBy = max(delivery.overtakenBy, delivery.reportedEnd - entry.end)
            }
        }
        guard echo != .never, entry.sentAt <= echo || !entry.isRepeated else { return }
        let sentAt = entry.sentAt == .zero ? echo : min(entry.sentAt, echo)
        if header.pointee.latestArrival < sentAt {
            (header.pointee.latestArrival, header.pointee.latestArrivalEnd) = (sentAt, entry.end)
            header.pointee.roundTrip = now - sentAt
        } else if header.pointee.latestArrival == sentAt {
            header.pointee.latestArrivalEnd = max(header.pointee.latestArrivalEnd, entry.end)
        }
    }

    // MARK: Losses

    /// Marks data as lost that was sent before data that has arrived (RFC 8985 §6.2), and that has not arrived in time.
    /// Returns the number of segments that are lost now, and whether a retransmission was among them. `wait` is the
    /// time until all other such data counts as lost, too.
    /// - Parameter patience: The time that data has to arrive after later data.
    mutating func markLost(after patience: TimeSpan = .zero, at now: Instant) -> (
        segments: Int, includesRepeated: Bool, wait: TimeSpan
    ) {
        var newly = (segments: 0, includesRepeated: false, wait: TimeSpan.zero)
        guard let header else { return newly }
        for index in 0..<Int(header.pointee.count) {
            let entry = header.pointee.entries[index]
            guard wasSentBeforeArrival(entry, header), entry.fate == .outstanding || entry.fate == .retransmitted else {
                continue
            }
            let sentAt = entry.sentAt == .zero ? header.pointee.beganAt : entry.sentAt
            let wait = sentAt + header.pointee.roundTrip + patience - now
            if patience > .zero && wait > .zero {
                newly.wait = max(newly.wait, wait)
                continue
            }
            newly.segments += Int(entry.segments)
            newly.includesRepeated = newly.includesRepeated || entry.fate == .retransmitted
            change(index, to: .lost, header)
        }
        return newly
    }

    /// `true` if data was sent again that neither arrived nor counts as lost.
    var hasRepeatedInFlight: Bool {
        guard let header else { return false }
        return (0..<Int(header.pointee.count)).contains { header.pointee.entries[$0].fate == .retransmitted }
    }

    /// End of the data beyond a gap that is known to have arrived; zero if there is none.
    var reportedEnd: UInt64 {
        guard let header else { return 0 }
        let last = (0..<Int(header.pointee.count)).last { header.pointee.entries[$0].fate == .received }
        return last.map { header.pointee.entries[$0].end } ?? 0
    }

    /// `true` if data is missing that was sent before data that has arrived.
    var hasGapBeforeArrival: Bool {
        guard let header else { return false }
        for index in 0..<Int(header.pointee.count) {
            let entry = header.pointee.entries[index]
            if entry.fate == .outstanding && wasSentBeforeArrival(entry, header) { return true }
        }
        return false
    }

    private func wasSentBeforeArrival(_ entry: ScoreboardEntry, _ header: UnsafeMutablePointer<ScoreboardHeader>)
        -> Bool
    {
        if entry.sentAt == .zero && header.pointee.latestArrival < header.pointee.beganAt {
            return entry.end < header.pointee.latestArrivalEnd
        }
        return entry.sentAt < header.pointee.latestArrival
            || entry.sentAt == header.pointee.latestArrival && entry.end < header.pointee.latestArrivalEnd
    }

    /// Marks everything as lost that has not arrived, after a timeout.
    mutating func markAllLost() {
        guard let header else { return }
        for index in 0..<Int(header.pointee.count) where header.pointee.entries[index].fate != .received {
            change(index, to: .lost, header)
        }
    }

    /// Takes back that data is lost, after a timeout that was too early.
    mutating func unmarkLost() {
        guard let header else { return }
        for index in 0..<Int(header.pointee.count) where header.pointee.entries[index].fate == .lost {
            change(index, to: .outstanding, header)
        }
    }

    /// Returns the first lost range, of at most `limit` segments, and marks it as retransmitted.
    mutating func nextLost(limit: Int, at now: Instant, segment: UInt32) -> Range<UInt64>? {
        guard let header, header.pointee.lost > 0, limit > 0 else { return nil }
        var index = 0
        while header.pointee.entries[index].fate != .lost { index += 1 }
        let from = begin(of: index, header)
        let longest = from + UInt64(limit) * UInt64(segment)
        if longest < header.pointee.entries[index].end { split(index, at: longest, header, segment: segment) }
        change(index, to: .retransmitted, header)
        header.pointee.entries[index].sentAt = now
        header.pointee.entries[index].isRepeated = true
        return from..<header.pointee.entries[index].end
    }
}
