public import DeadzoneMetrics
public import DeadzonePrimitives

/// The cost of one timeline entry for one strategy: the messages and the silence that are charged to it.
///
/// The energy is not charged, because an entry does not spend it: the radio and the client do, for causes that go on
/// after the entry. It is the difference to a run without the entry under the same random numbers, if that was run.
public struct EntryCost: Hashable, Sendable {
    public enum EntryKind: Hashable, Sendable {
        /// An entry of the timeline.
        case entry(TimelineEntryName)
        /// Changes that the file does not write one by one, such as random troubles.
        case unwritten
        /// Losses and silence that no change led to.
        case none
    }

    /// How a report names an entry of the timeline.
    public struct TimelineEntryName: Hashable, Sendable {
        /// Number of the entry among all entries, from 0.
        public let index: Int
        /// Time of its first change.
        public let at: TimeSpan
        /// The titles of its changes, as a picture shows them.
        public let title: String
        /// Line in the file, and the entry as written. A result that is read back has another file, so only the
        /// terminal shows them.
        public let line: Int
        public let text: String

        public init(index: Int, at: TimeSpan, title: String, line: Int, text: String) {
            self.index = index
            self.at = at
            self.title = title
            self.line = line
            self.text = text
        }
    }

    public let kind: EntryKind
    public let share: LossTables.EntryShare
    /// Joules of one phone, minus those of the same run without the entry. `nil` if that was not run.
    public var joules: SignedBillionths?

    public init(_ kind: EntryKind, _ share: LossTables.EntryShare) {
        self.kind = kind
        self.share = share
    }
}

/// A difference of two numbers, in billionths.
public struct SignedBillionths: Hashable, Sendable {
    public let count: Int128

    public init(_ value: Billionths, minus other: Billionths) { count = value.count - other.count }

    public var double: Double { Double(count) / 1e9 }
    public var magnitude: Billionths { Billionths(count: count < 0 ? -count : count) }
}
