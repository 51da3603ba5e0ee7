import DeadzonePrimitives

/// What streams that run side by side come to on one phone: messages in order of time, those of one moment in the order of the
/// streams. Of these nobody can say from a message's number alone when it came and how large it is, so that stands in a list.
struct Weave: Sendable {
    /// As if all messages had been recorded.
    let stream: TrafficStream
    /// Of each, without its envelope.
    let bytes: [UInt32]
    /// Of the answer to each; none where nothing is answered.
    let answers: [UInt32]

    /// Bytes of the answers to every stream, and their dice.
    struct Answers {
        let laws: [Distribution]
        let dice: Dice
    }

    /// Nil where the stream is alone.
    init?(_ stream: TrafficStream?, times: Dice, sizes: Dice, _ told: Answers? = nil, until horizon: Instant) {
        guard let stream, !stream.beside.isEmpty else { return nil }
        precondition(told.map { $0.laws.count == 1 + stream.beside.count } ?? true, "every stream of calls is answered")
        var messages: [(at: Instant, strand: UInt32, bytes: UInt32, answer: UInt32)] = []
        for (number, own) in ([stream] + stream.beside).enumerated() {
            let strand = UInt32(number)
            withUnsafePointer(to: own) { own in
                let course = Course(stream: own, dice: times, strand: strand)
                var walker = TrafficWalker(course)
                while walker.at < horizon {
                    let slot = TrafficWalker.slot(of: walker.index, strand: strand)
                    let bytes = MessageSizes.clamp(course.size.draw(sizes.at(slot)))
                    let answer = told.map { MessageSizes.clamp($0.laws[number].draw($0.dice.at(slot))) }
                    messages.append((walker.at, strand, bytes, answer ?? 0))
                    walker.advance(course)
                }
            }
        }
        // Within a strand they are in order, so no two are alike in both.
        messages.sort { ($0.at, $0.strand) < ($1.at, $1.strand) }
        var woven = TrafficStream(gap: .constant(1), size: .constant(0), until: horizon)
        // Without any it would be taken for a stream that follows a law.
        woven.moments = messages.isEmpty ? [.never] : messages.map(\.at)
        self.stream = woven
        bytes = messages.map(\.bytes)
        answers = told == nil ? [] : messages.map(\.answer)
    }

    var keptBytes: Int {
        stream.moments.count * MemoryLayout<Instant>.stride
            + (bytes.count + answers.count) * MemoryLayout<UInt32>.stride
    }
}

/// Those of both directions and of calls, of phones that take turns.
struct Weaves: Sendable {
    struct Trio: Sendable {
        let down: Weave?
        let up: Weave?
        let calls: Weave?
    }

    /// Beyond this all are made anew when they are asked for.
    private static let most = 256 << 20

    private let phones: Range<UInt32>
    private var kept: [Trio?]
    private var keptBytes = 0

    /// - Parameter phones: Who take turns; of others none is kept.
    init(of phones: Range<UInt32>) {
        self.phones = phones
        kept = Array(repeating: nil, count: phones.count)
    }

    mutating func trio(of phone: PhoneID, _ make: () -> Trio) -> Trio {
        guard phones.contains(phone.index) else { return make() }
        let place = Int(phone.index - phones.lowerBound)
        if let known = kept[place] { return known }
        let made = make()
        let bytes = [made.down, made.up, made.calls].reduce(0) { $0 + ($1?.keptBytes ?? 0) }
        if keptBytes + bytes > Self.most {
            kept = Array(repeating: nil, count: phones.count)
            keptBytes = 0
        }
        kept[place] = made
        keptBytes += bytes
        return made
    }
}
