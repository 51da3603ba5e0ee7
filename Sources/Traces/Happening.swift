public import DeadzoneJournal
public import DeadzonePrimitives

/// What happens in one minute of a run, in words: the first few events. Where the radio is and what crosses the air is left
/// out; there is a record of those for every packet, and they follow from the others.
public struct Happening: Recorder {
    static let most = 12
    /// Bookkeeping, not events of the story.
    private static let unsaid: [Kind] = [.residency, .bytes, .drift, .herdBack]

    private let span: Range<Instant>
    private let line: EventLine
    private let hasManyPhones: Bool
    public private(set) var events: [String] = []
    public private(set) var unseen = 0

    public init(in span: Range<Instant>, line: EventLine, hasManyPhones: Bool) {
        self.span = span
        self.line = line
        self.hasManyPhones = hasManyPhones
    }

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where span.contains(record.at) {
            if Self.unsaid.contains(record.kind) { continue }
            if events.count < Self.most {
                events.append(line.words(record, namesPhone: hasManyPhones))
            } else {
                unseen += 1
            }
        }
    }

    public mutating func merge(_ other: Happening) {}
}
