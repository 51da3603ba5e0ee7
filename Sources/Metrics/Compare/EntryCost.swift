package import DeadzoneBase

/// The cost of one timeline entry for one strategy: the messages and the silence that are charged to it.
///
/// The energy is not charged, because an entry does not spend it: the radio and the client do, for causes that go on
/// after the entry. It is the difference to a run without the entry under the same random numbers, if that was run.
package struct EntryCost: Hashable, Sendable {
    package enum EntryKind: Hashable, Sendable {
        /// An entry of the timeline.
        case entry(TimelineEntryName)
        /// Changes that the file does not write one by one, such as random troubles.
        case unwritten
        /// Losses and silence that no change led to.
        case none
    }

    /// How a report names an entry of the timeline.
    package struct TimelineEntryName: Hashable, Sendable {
        /// Number of the entry among all entries, from 0.
        package let index: Int
        /// Time of its first change.
        package let at: TimeSpan
        /// The same time as a time of day; `nil` if the scenario does not say when it starts.
        package let timeOfDay: TimeOfDay?
        /// The titles of its changes, as a picture shows them.
        package let title: String
        /// Line in the file, and the entry as written. A result that is read back has another file, so only the
        /// terminal shows them.
        package let line: Int
        package let text: String

        package init(
            index: Int, at: TimeSpan, timeOfDay: TimeOfDay? = nil, title: String, line: Int, text: String
        ) {
            self.index = index
            self.at = at
            self.timeOfDay = timeOfDay
            self.title = title
            self.line = line
            self.text = text
        }
    }

    package let kind: EntryKind
    package let share: LossTables.EntryShare
    /// Joules of one phone, minus those of the same run without the entry. `nil` if that was not run.
    package var joules: SignedBillionths?

    package init(_ kind: EntryKind, _ share: LossTables.EntryShare) {
        self.kind = kind
        self.share = share
    }
}

/// A difference of two numbers, in billionths.
package struct SignedBillionths: Hashable, Sendable {
    package let count: Int128

    package init(_ value: Billionths, minus other: Billionths) { count = value.count - other.count }

    package var double: Double { Double(count) / 1e9 }
    package var magnitude: Billionths { Billionths(count: count < 0 ? -count : count) }
}
