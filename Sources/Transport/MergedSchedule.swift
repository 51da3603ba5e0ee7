import DeadzoneBase

/// The times and sizes of the messages of several parallel streams of one phone, merged into one list. Messages are in
/// order of time, simultaneous ones in the order of the streams. The time and size of a merged message cannot be
/// computed from its number alone, so the list stores them.
struct MergedSchedule: Sendable {
    /// The merged messages as one traffic stream with recorded times.
    let stream: TrafficStream
    /// Size in bytes of each message, without its envelope.
    let bytes: [UInt32]
    /// Size in bytes of the answer to each message. Empty if there are no answers.
    let answers: [UInt32]
    /// Index of the stream of each message. Empty if no stream has push options of its own.
    let streamIndices: [UInt16]

    /// Random distributions of the answer sizes of parallel streams, one for each stream, and the dice to draw from
    /// them.
    struct AnswerSizes {
        let laws: [Distribution]
        let dice: Dice
    }

    /// Merges all messages before `horizon`. `nil` if there is no stream or it has no parallel streams.
    init?(_ stream: TrafficStream?, times: Dice, sizes: Dice, _ answerSizes: AnswerSizes? = nil, until horizon: Instant)
    {
        guard let stream, !stream.parallelStreams.isEmpty else { return nil }
        precondition(
            answerSizes.map { $0.laws.count == 1 + stream.parallelStreams.count } ?? true,
            "every stream of calls needs a size of answers")
        var messages: [(at: Instant, streamIndex: UInt32, bytes: UInt32, answer: UInt32)] = []
        for (number, own) in ([stream] + stream.parallelStreams).enumerated() {
            let streamIndex = UInt32(number)
            withUnsafePointer(to: own) { own in
                let schedule = MessageSchedule(stream: own, dice: times, streamIndex: streamIndex)
                var walker = TrafficWalker(schedule)
                while walker.time < horizon {
                    let slot = TrafficWalker.drawAddress(of: walker.index, streamIndex: streamIndex)
                    let bytes = MessageSizes.clamp(schedule.size.draw(sizes.at(slot)))
                    let answer = answerSizes.map { MessageSizes.clamp($0.laws[number].draw($0.dice.at(slot))) }
                    messages.append((walker.time, streamIndex, bytes, answer ?? 0))
                    walker.advance(schedule)
                }
            }
        }
        // Times within a stream are strictly increasing, so no two messages are equal in both.
        messages.sort { ($0.at, $0.streamIndex) < ($1.at, $1.streamIndex) }
        var merged = TrafficStream(gap: .constant(1), size: .constant(0), until: horizon)
        // With an empty list the stream would count as one that follows a distribution.
        merged.recordedTimes = messages.isEmpty ? [.never] : messages.map(\.at)
        self.stream = merged
        bytes = messages.map(\.bytes)
        answers = answerSizes == nil ? [] : messages.map(\.answer)
        let hasOwnPushes = ([stream] + stream.parallelStreams).contains { $0.push != nil }
        streamIndices = hasOwnPushes ? messages.map { UInt16(truncatingIfNeeded: $0.streamIndex) } : []
    }

    var storedBytes: Int {
        stream.recordedTimes.count * MemoryLayout<Instant>.stride
            + (bytes.count + answers.count) * MemoryLayout<UInt32>.stride
            + streamIndices.count * MemoryLayout<UInt16>.stride
    }
}

/// Cache of the merged message schedules of phones: per phone those of both directions and of calls.
struct MergedScheduleCache: Sendable {
    struct ScheduleSet: Sendable {
        let down: MergedSchedule?
        let up: MergedSchedule?
        let calls: MergedSchedule?
    }

    /// Size limit of the cache in bytes. If it would be exceeded, the cache is emptied. Schedules are computed again
    /// when needed.
    private static let maxBytes = 256 << 20

    private let phones: Range<UInt32>
    private var stored: [ScheduleSet?]
    private var storedBytes = 0

    /// Creates an empty cache.
    /// - Parameter phones: Phones to cache. Schedules of other phones are not cached.
    init(of phones: Range<UInt32>) {
        self.phones = phones
        stored = Array(repeating: nil, count: phones.count)
    }

    mutating func scheduleSet(of phone: PhoneID, _ make: () -> ScheduleSet) -> ScheduleSet {
        guard phones.contains(phone.index) else { return make() }
        let place = Int(phone.index - phones.lowerBound)
        if let known = stored[place] { return known }
        let made = make()
        let bytes = [made.down, made.up, made.calls].reduce(0) { $0 + ($1?.storedBytes ?? 0) }
        if storedBytes + bytes > Self.maxBytes {
            stored = Array(repeating: nil, count: phones.count)
            storedBytes = 0
        }
        stored[place] = made
        storedBytes += bytes
        return made
    }
}
