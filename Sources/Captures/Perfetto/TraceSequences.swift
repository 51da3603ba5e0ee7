/// The interned packet contexts and default clocks of the writers of a Perfetto trace.
///
/// A writer sends a context once, with a number (iid), and then only the number. After a loss the numbers are void
/// until the writer clears its state. See "incremental state" in docs/design-docs/ of github.com/google/perfetto.
struct TraceSequences {
    private struct SequenceState {
        var contexts: [UInt64: NetworkContext] = [:]
        var defaultClock: UInt32 = 0
        var isLossy = false
    }

    private var states: [UInt32: SequenceState] = [:]
    private var contextCount = 0

    /// Updates the state of the record's writer. Returns `false` if the record must be skipped because of a loss.
    /// - Parameter intern: decodes an interned context.
    mutating func update(_ record: TraceRecord, intern: (Bytes) -> NetworkContext?) -> Bool {
        let isConcerned = record.interned != nil || record.defaults != nil
        if states[record.sequence] == nil {
            guard isConcerned, states.count < TraceLimits.sequences else { return true }
            states[record.sequence] = SequenceState()
        }
        if record.isStateCleared {
            contextCount -= states[record.sequence]?.contexts.count ?? 0
            states[record.sequence] = SequenceState()
        } else if record.followsLoss {
            states[record.sequence]?.isLossy = true
        }
        if let defaults = record.defaults { readDefaults(defaults, record.sequence) }
        let isLossy = states[record.sequence]?.isLossy ?? false
        if !isLossy, let interned = record.interned { readInterned(interned, record.sequence, intern) }
        return !(isLossy && record.needsState)
    }

    /// Clock of a record that names none itself.
    func clock(_ record: TraceRecord) -> UInt32 {
        record.clock != 0 ? record.clock : states[record.sequence]?.defaultClock ?? 0
    }

    func context(_ iid: UInt64, _ sequence: UInt32) -> NetworkContext? { states[sequence]?.contexts[iid] }

    /// `TracePacketDefaults`: field 58 is the clock.
    private mutating func readDefaults(_ bytes: Bytes, _ sequence: UInt32) {
        var reader = ProtobufReader(bytes)
        while let (field, value) = reader.next() {
            if field == 58, let clock = value.number32 { states[sequence]?.defaultClock = clock }
        }
    }

    /// `InternedData`: field 30 is `packet_context`, with `iid` and `ctx`.
    private mutating func readInterned(
        _ bytes: Bytes, _ sequence: UInt32, _ intern: (Bytes) -> NetworkContext?
    ) {
        var reader = ProtobufReader(bytes)
        while let (field, value) = reader.next() {
            guard field == 30, let entry = value.bytes else { continue }
            var entryReader = ProtobufReader(entry)
            var (iid, context): (UInt64?, Bytes?) = (nil, nil)
            while let (field, value) = entryReader.next() {
                if field == 1 { iid = value.number }
                if field == 2 { context = value.bytes }
            }
            guard !entryReader.isDamaged, let iid, let context, contextCount < TraceLimits.contexts,
                let known = intern(context)
            else { continue }
            if states[sequence]?.contexts.updateValue(known, forKey: iid) == nil { contextCount += 1 }
        }
    }
}
