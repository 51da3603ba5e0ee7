/// A stretch of time with one value. Times are milliseconds since the beginning of the recording.
package struct LaneStretch<Value: Hashable & Sendable>: Hashable, Sendable {
    package var start: Int64
    package var end: Int64
    package var value: Value

    package init(_ start: Int64, _ end: Int64, _ value: Value) {
        self.start = start
        self.end = end
        self.value = value
    }

    package var length: Int64 { end - start }
}

/// One quantity of a recorded day over time: stretches without gaps or overlaps, in time order. Neighbours differ.
package struct Lane<Value: Hashable & Sendable>: Hashable, Sendable {
    package private(set) var stretches: [LaneStretch<Value>] = []
    private var value: Value
    private var since: Int64 = 0

    init(_ value: Value) { self.value = value }

    /// The value at present, while the lane is built.
    var present: Value { value }

    /// Changes the value at a time that is not before the change before it.
    mutating func set(_ new: Value, at: Int64) {
        guard new != value else { return }
        close(at: at)
        value = new
    }

    private mutating func close(at: Int64) {
        guard since < at else { return }
        if let last = stretches.indices.last, stretches[last].value == value {
            stretches[last].end = at
        } else {
            stretches.append(LaneStretch(since, at, value))
        }
        since = at
    }

    mutating func finish(at end: Int64) { close(at: end) }

    // MARK: Sums

    /// Milliseconds with values that satisfy the condition.
    package func total(where matches: (Value) -> Bool) -> Int64 {
        stretches.reduce(0) { $0 + (matches($1.value) ? $1.length : 0) }
    }

    /// Milliseconds with this value in the given stretches of another lane.
    package func total<Other>(
        where matches: (Value) -> Bool, while other: Lane<Other>, is condition: (Other) -> Bool
    ) -> Int64 {
        var sum: Int64 = 0
        Self.pairs(self, other) { start, end, a, b in
            if matches(a), condition(b) { sum += end - start }
        }
        return sum
    }

    /// The value at a time; the last one after the end, `nil` in an empty lane.
    package func value(at time: Int64) -> Value? { stretch(at: time)?.value }

    /// The stretch at a time; the last one after the end, `nil` in an empty lane.
    func stretch(at time: Int64) -> LaneStretch<Value>? {
        let index = index(at: time)
        return index < stretches.count ? stretches[index] : stretches.last
    }

    /// Index of the stretch at a time; the number of stretches after the end.
    private func index(at time: Int64) -> Int {
        var (low, high) = (0, stretches.count)
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].end <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The stretches that overlap a range of time.
    func overlapping(_ range: Range<Int64>) -> ArraySlice<LaneStretch<Value>> {
        stretches[index(at: range.lowerBound)...].prefix { $0.start < range.upperBound }
    }

    /// Milliseconds with values that satisfy the condition within a range of time.
    package func total(where matches: (Value) -> Bool, within range: Range<Int64>) -> Int64 {
        overlapping(range).reduce(0) { sum, stretch in
            let overlap = min(stretch.end, range.upperBound) - max(stretch.start, range.lowerBound)
            return matches(stretch.value) ? sum + overlap : sum
        }
    }

    /// Calls the closure for each stretch in which neither lane changes.
    package static func pairs<Other>(
        _ first: Lane, _ second: Lane<Other>, _ use: (_ start: Int64, _ end: Int64, Value, Other) -> Void
    ) {
        var (i, j) = (0, 0)
        while i < first.stretches.count, j < second.stretches.count {
            let (a, b) = (first.stretches[i], second.stretches[j])
            let (start, end) = (max(a.start, b.start), min(a.end, b.end))
            if start < end { use(start, end, a.value, b.value) }
            if a.end <= b.end { i += 1 }
            if b.end <= a.end { j += 1 }
        }
    }

    /// A lane without stretches that are shorter than `limit`: the value before continues. The first stretch stays.
    package func simplified(_ limit: Int64) -> Lane {
        var result = Lane(stretches.first?.value ?? value)
        for (index, stretch) in stretches.enumerated() where index == 0 || stretch.length >= limit {
            result.set(stretch.value, at: stretch.start)
        }
        result.finish(at: stretches.last?.end ?? 0)
        return result
    }
}

extension Lane {
    /// Builds a lane from values and the times at which they begin, in time order.
    package init(_ changes: [(at: Int64, value: Value)], from first: Value, until end: Int64) {
        self.init(first)
        for change in changes { set(change.value, at: change.at) }
        finish(at: end)
    }
}
