import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives

extension Assignment {
    /// One strategy in one replica: metrics, digest and trouble from one pass.
    struct Harvest: Recorder {
        private(set) var fold = RunFold()
        private(set) var digest = Digest()
        private(set) var stops = Stops()
        /// Nil where nobody asked for them.
        private(set) var minutes: MinuteDigests?
        /// Nil where nobody asked for them; else the fold is made of them at the end.
        private(set) var sorted: PhoneFolds?
        /// Empty where there are none that are told apart; else the fold is made of them at the end.
        private(set) var groups: GroupFolds

        init(minutes: MinuteDigests? = nil, sorted: PhoneFolds? = nil, groups: [Range<UInt32>] = []) {
            self.minutes = minutes
            self.sorted = sorted
            self.groups = GroupFolds(of: groups)
        }

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            if sorted != nil || !groups.folds.isEmpty {
                digest.record(batch)
                minutes?.record(batch)
                if sorted?.sort(batch) ?? groups.sort(batch) { stops.record(batch) }
                return
            }
            let known = fold.count(of: .stopped)
            fold.record(batch)
            digest.record(batch)
            minutes?.record(batch)
            // Rare: the batch is looked through again only if it holds one.
            if fold.count(of: .stopped) != known { stops.record(batch) }
        }

        mutating func pass(through tape: inout Tape) {
            tape.pass(&fold)
            tape.pass(&digest)
            tape.pass(&stops)
            tape.pass(&groups)
        }

        mutating func merge(_ other: Harvest) {
            fold.merge(other.fold)
            digest.merge(other.digest)
            stops.merge(other.stops)
            if let others = other.minutes { minutes?.merge(others) }
            if let others = other.sorted { sorted?.merge(others) }
            groups.merge(other.groups)
        }

        /// Nothing more is recorded.
        mutating func settle() {
            if let sorted {
                groups.merge(sorted)
                fold = sorted.whole
            } else if !groups.folds.isEmpty {
                fold = groups.whole
            }
        }
    }
}
