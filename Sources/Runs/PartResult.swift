import DeadzoneBase
import DeadzoneMetrics

extension SimulationPlan {
    /// Result of one part of a simulation: aggregated metrics, a hash of all records (digest), and stopped phones. One
    /// pass over the records computes it.
    struct PartResult: Recorder {
        private(set) var fold = RunFold()
        private(set) var digest = Digest()
        private(set) var stops = StopSummary()
        /// Hashes of each simulated minute; `nil` if they were not requested.
        private(set) var minutes: MinuteDigests?
        /// `nil` if phone folds were not requested. Otherwise `finish` builds the group folds and the total from
        /// them.
        private(set) var phoneFolds: PhoneFolds?
        /// Aggregated metrics of each group, from which `finish` builds the total. Empty if groups have no metrics of
        /// their own.
        private(set) var groups: GroupFolds

        init(minutes: MinuteDigests? = nil, phoneFolds: PhoneFolds? = nil, groups: [Range<UInt32>] = []) {
            self.minutes = minutes
            self.phoneFolds = phoneFolds
            self.groups = GroupFolds(of: groups)
        }

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            if phoneFolds != nil || !groups.folds.isEmpty {
                digest.record(batch)
                minutes?.record(batch)
                if phoneFolds?.recordDetectingStops(batch) ?? groups.recordDetectingStops(batch) { stops.record(batch) }
                return
            }
            let known = fold.count(of: .stopped)
            fold.record(batch)
            digest.record(batch)
            minutes?.record(batch)
            // Stops are rare, so the batch is searched for them only if it contains one.
            if fold.count(of: .stopped) != known { stops.record(batch) }
        }

        mutating func code(through coder: inout BinaryCoder) {
            coder.code(&fold)
            coder.code(&digest)
            coder.code(&stops)
            coder.code(&groups)
            minutes?.code(through: &coder)
        }

        mutating func merge(_ other: PartResult) {
            fold.merge(other.fold)
            digest.merge(other.digest)
            stops.merge(other.stops)
            if let others = other.minutes { minutes?.merge(others) }
            if let others = other.phoneFolds { phoneFolds?.merge(others) }
            groups.merge(other.groups)
        }

        /// Merges the phone or group folds into the total. Call it after the last record.
        mutating func finish() {
            if let phoneFolds {
                groups.merge(phoneFolds)
                fold = phoneFolds.combined
            } else if !groups.folds.isEmpty {
                fold = groups.combined
            }
        }
    }
}
