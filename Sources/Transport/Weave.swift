import DeadzonePrimitives

/// What streams that run side by side come to on one phone: messages in order of time, those of one moment in the order of the
/// streams. Of these nobody can say from a message's number alone when it came and how large it is, so that stands in a list.
struct Weave: Sendable {
    /// As if all messages had been recorded.
    let stream: TrafficStream
    /// Of each, without its envelope.
    let bytes: [UInt32]

    /// Nil where the stream is alone.
    init?(_ stream: TrafficStream?, times: Dice, sizes: Dice, until horizon: Instant) {
        guard let stream, !stream.beside.isEmpty else { return nil }
        var messages: [(at: Instant, strand: UInt32, bytes: UInt32)] = []
        for (number, own) in ([stream] + stream.beside).enumerated() {
            let strand = UInt32(number)
            var walker = TrafficWalker(own, dice: times, strand: strand)
            while walker.at < horizon {
                let word = sizes.at(TrafficWalker.slot(of: walker.index, strand: strand))
                messages.append((walker.at, strand, MessageSizes.clamp(own.size.draw(word))))
                walker.advance(own, dice: times, strand: strand)
            }
        }
        // Within a strand they are in order, so no two are alike in both.
        messages.sort { ($0.at, $0.strand) < ($1.at, $1.strand) }
        var woven = TrafficStream(gap: .constant(1), size: .constant(0), until: horizon)
        // Without any it would be taken for a stream that follows a law.
        woven.moments = messages.isEmpty ? [.never] : messages.map(\.at)
        self.stream = woven
        bytes = messages.map(\.bytes)
    }

    var keptBytes: Int {
        stream.moments.count * MemoryLayout<Instant>.stride + bytes.count * MemoryLayout<UInt32>.stride
    }
}

/// Those of both directions, of phones that take turns.
struct Weaves: Sendable {
    struct Pair: Sendable {
        let down: Weave?
        let up: Weave?
    }

    /// Beyond this all are made anew when they are asked for.
    private static let most = 256 << 20

    private let phones: Range<UInt32>
    private var kept: [Pair?]
    private var keptBytes = 0

    /// - Parameter phones: Who take turns; of others none is kept.
    init(of phones: Range<UInt32>) {
        self.phones = phones
        kept = Array(repeating: nil, count: phones.count)
    }

    mutating func pair(of phone: PhoneID, _ make: () -> Pair) -> Pair {
        guard phones.contains(phone.index) else { return make() }
        let place = Int(phone.index - phones.lowerBound)
        if let known = kept[place] { return known }
        let made = make()
        let bytes = (made.down?.keptBytes ?? 0) + (made.up?.keptBytes ?? 0)
        if keptBytes + bytes > Self.most {
            kept = Array(repeating: nil, count: phones.count)
            keptBytes = 0
        }
        kept[place] = made
        keptBytes += bytes
        return made
    }
}
