import DeadzoneBase

/// Data that an end has received beyond a gap: ranges of the stream, in order, with a gap before each. Without a gap it
/// takes no memory but a pointer.
struct ReceivedRanges: ~Copyable, @unchecked Sendable {
    private struct ReceivedRange: BitwiseCopyable {
        var begin: UInt64
        var end: UInt64
        /// Number of the latest arrival in this range. Later arrivals have greater numbers.
        var arrival: UInt32
    }

    private struct RangeListHeader: BitwiseCopyable {
        var count: UInt32 = 0
        var capacity: UInt32
        var arrivals: UInt32 = 0
        var ranges: UnsafeMutablePointer<ReceivedRange>
    }

    private static let firstCapacity: UInt32 = 4
    private var header: UnsafeMutablePointer<RangeListHeader>?

    deinit { freeMemory() }

    var isEmpty: Bool { header == nil }
    /// Number of ranges.
    var count: Int { Int(header?.pointee.count ?? 0) }

    private func freeMemory() {
        guard let header else { return }
        header.pointee.ranges.deallocate()
        header.deallocate()
    }

    /// Adds received data. Ranges that it touches are merged with it.
    mutating func insert(_ begin: UInt64, _ end: UInt64) {
        guard begin < end else { return }
        let header = self.header ?? allocate()
        let ranges = header.pointee.ranges
        let count = Int(header.pointee.count)
        var first = 0
        while first < count && ranges[first].end < begin { first += 1 }
        var merged = ReceivedRange(begin: begin, end: end, arrival: header.pointee.arrivals)
        header.pointee.arrivals &+= 1
        var next = first
        while next < count && ranges[next].begin <= merged.end {
            merged.begin = min(merged.begin, ranges[next].begin)
            merged.end = max(merged.end, ranges[next].end)
            next += 1
        }
        replace(first, next, by: merged, header)
    }

    /// Replaces the ranges with indices from `first` up to `next` by one.
    private mutating func replace(
        _ first: Int, _ next: Int, by merged: ReceivedRange, _ header: UnsafeMutablePointer<RangeListHeader>
    ) {
        let count = Int(header.pointee.count)
        if first == next && header.pointee.count == header.pointee.capacity { grow(header) }
        let ranges = header.pointee.ranges
        if first == next {
            var index = count
            while index > first {
                ranges[index] = ranges[index - 1]
                index -= 1
            }
            header.pointee.count += 1
        } else {
            for index in next..<max(count, next) { ranges[first + 1 + index - next] = ranges[index] }
            header.pointee.count -= UInt32(next - first - 1)
        }
        ranges[first] = merged
    }

    private mutating func allocate() -> UnsafeMutablePointer<RangeListHeader> {
        let made = UnsafeMutablePointer<RangeListHeader>.allocate(capacity: 1)
        made.initialize(
            to: RangeListHeader(capacity: Self.firstCapacity, ranges: .allocate(capacity: Int(Self.firstCapacity))))
        header = made
        return made
    }

    private func grow(_ header: UnsafeMutablePointer<RangeListHeader>) {
        let larger = UnsafeMutablePointer<ReceivedRange>.allocate(capacity: Int(2 * header.pointee.capacity))
        larger.update(from: header.pointee.ranges, count: Int(header.pointee.count))
        header.pointee.ranges.deallocate()
        header.pointee.ranges = larger
        header.pointee.capacity *= 2
    }

    /// Removes the ranges that data in order up to `expected` reaches. Returns the end of the data that is now in order.
    mutating func merge(upTo expected: UInt64) -> UInt64 {
        guard let header else { return expected }
        var end = expected
        var gone = 0
        let count = Int(header.pointee.count)
        while gone < count && header.pointee.ranges[gone].begin <= end {
            end = max(end, header.pointee.ranges[gone].end)
            gone += 1
        }
        guard gone < count else {
            freeMemory()
            self.header = nil
            return end
        }
        for index in gone..<count { header.pointee.ranges[index - gone] = header.pointee.ranges[index] }
        header.pointee.count -= UInt32(gone)
        return end
    }

    /// Returns the ranges with the latest arrivals, relative to `expected`, latest first.
    func report(from expected: UInt64) -> SelectiveAck {
        var report = SelectiveAck()
        guard let header else { return report }
        var bound = UInt32.max
        for slot in 0..<SelectiveAck.maxBlocks {
            var latest: Int?
            for index in 0..<Int(header.pointee.count) {
                let arrival = header.pointee.ranges[index].arrival
                if arrival < bound && latest.map({ header.pointee.ranges[$0].arrival < arrival }) ?? true {
                    latest = index
                }
            }
            guard let latest else { break }
            let range = header.pointee.ranges[latest]
            bound = range.arrival
            report.blocks[slot] = .init(
                begin: UInt32(clamping: range.begin - expected), length: UInt32(clamping: range.end - range.begin))
        }
        return report
    }
}
