package import DeadzoneBase

/// Collects the first events in one time span of a run, usually one minute, as text. Radio states and transmitted bytes
/// are left out: each packet has records of both, and they follow from the other events.
package struct MinuteSummary: Recorder {
    static let maxEvents = 12
    /// Record kinds that are bookkeeping, not events.
    private static let excludedKinds: [RecordKind] = [.residency, .bytes, .drift, .herdBack]

    private let span: Range<Instant>
    private let line: EventLineFormatter
    private let hasManyPhones: Bool
    package private(set) var events: [String] = []
    package private(set) var omittedCount = 0

    package init(in span: Range<Instant>, line: EventLineFormatter, hasManyPhones: Bool) {
        self.span = span
        self.line = line
        self.hasManyPhones = hasManyPhones
    }

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where span.contains(record.at) {
            if Self.excludedKinds.contains(record.kind) { continue }
            if events.count < Self.maxEvents {
                events.append(line.readableText(record, namesPhone: hasManyPhones))
            } else {
                omittedCount += 1
            }
        }
    }

    package mutating func merge(_ other: MinuteSummary) {}
}
