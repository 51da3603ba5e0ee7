/// The near part of the queue: the few entries of the shelf that was opened last, in order. Everything below `end` belongs
/// here, everything else on a shelf.
///
/// It owns its buffer and frees it when it goes; no pointer leaves it.
struct NearRun: ~Copyable {
    /// A shelf that was opened and as many entries again that came later.
    static let capacity = 2 * Shelves.sortable

    private let entries: UnsafeMutablePointer<DueEntry>
    private var head = 0
    private var tail = 0
    private(set) var end = DueKey.zero

    init() { entries = .allocate(capacity: Self.capacity) }

    deinit { entries.deallocate() }

    @inline(__always) var first: DueEntry? { head < tail ? entries[head] : nil }

    var isFull: Bool { tail &- head == Self.capacity }

    @inline(__always) mutating func removeFirst() { head &+= 1 }

    /// Empties the run and says where it will end.
    mutating func reset(end: DueKey) {
        head = 0
        tail = 0
        self.end = end
    }

    /// Takes in the few entries of a shelf that ends here.
    @inline(__always) mutating func fill(_ shelf: UnsafeBufferPointer<DueEntry>, end: DueKey) {
        head = 0
        tail = 0
        self.end = end
        for entry in shelf {
            place(entry)
            tail &+= 1
        }
    }

    /// Sorts an entry into a run that is not full.
    mutating func insert(_ entry: DueEntry) {
        if tail == Self.capacity { closeGap() }
        place(entry)
        tail &+= 1
    }

    /// From the back: most of what comes later is due later.
    @inline(__always) private func place(_ entry: DueEntry) {
        let key = entry.key
        var place = tail
        while place > head, key < entries[place &- 1].key {
            entries[place] = entries[place &- 1]
            place &-= 1
        }
        entries[place] = entry
    }

    private mutating func closeGap() {
        precondition(head > 0, "a full run is put on the shelves before it takes another entry")
        entries.update(from: entries + head, count: tail - head)
        tail -= head
        head = 0
    }
}
