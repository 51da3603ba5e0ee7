import DeadzonePrimitives

/// What programs say of themselves, if they like, one line each on standard output: `deadzone sent 17`, `deadzone seen 17`,
/// `deadzone acked 17`, `deadzone connected`, `deadzone lost`.
struct AppTalk: Sendable {
    enum Word: Equatable, Sendable {
        case sent(Int64), seen(Int64), acked(Int64)
        case connected, lost
    }

    /// A line that never ends is not kept.
    static let longestLine = 1 << 16

    private var rest: [UInt8] = []

    /// What was said, and the text that is for people.
    mutating func hear(_ bytes: [UInt8]) -> (words: [Word], text: [UInt8]) {
        rest += bytes
        var words: [Word] = []
        var text: [UInt8] = []
        while let end = rest.firstIndex(of: 0x0a) {
            let line = rest[...end]
            if let word = Self.word(line) { words.append(word) } else { text += line }
            rest.removeSubrange(...end)
        }
        if rest.count > Self.longestLine {
            text += rest
            rest = []
        }
        return (words, text)
    }

    private static func word(_ line: ArraySlice<UInt8>) -> Word? {
        let parts = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard parts.first == "deadzone", parts.count >= 2 else { return nil }
        let number = parts.count == 3 ? Int64(parts[2]) : nil
        switch (parts[1], number) {
        case ("sent", let number?) where number >= 0: return .sent(number)
        case ("seen", let number?) where number >= 0: return .seen(number)
        case ("acked", let number?) where number >= 0: return .acked(number)
        case ("connected", nil): return .connected
        case ("lost", nil): return .lost
        default: return nil
        }
    }
}

/// Messages of one direction, by their numbers: when each was sent and seen.
struct MessageBook: Sendable {
    private var sentAt: [Int64: Instant] = [:]
    private var seenOnce: [Int64: Instant] = [:]
    private(set) var highestSeen: Int64 = -1

    /// False: it was known.
    mutating func send(_ number: Int64, at now: Instant) -> Bool {
        guard sentAt[number] == nil else { return false }
        sentAt[number] = now
        return true
    }

    /// From sent to seen; nil: nobody sent it, or it was seen before.
    mutating func see(_ number: Int64, at now: Instant) -> TimeSpan? {
        guard seenOnce[number] == nil else { return nil }
        seenOnce[number] = now
        highestSeen = max(highestSeen, number)
        return sentAt[number].map { now - $0 }
    }

    func wasSeen(_ number: Int64) -> Bool { seenOnce[number] != nil }
    func age(of number: Int64, at now: Instant) -> TimeSpan? { sentAt[number].map { now - $0 } }

    /// What was sent and never seen: lost where a later one was seen, else it may be on its way.
    func missing(at end: Instant) -> (lost: Int64, pending: [TimeSpan]) {
        let open = sentAt.filter { seenOnce[$0.key] == nil }
        let lost = open.count { $0.key < highestSeen }
        return (Int64(lost), open.filter { $0.key > highestSeen }.map { end - $0.value }.sorted())
    }
}
