import DeadzoneBase

/// Parses the optional report lines that tested programs print on standard output. The lines are `deadzone sent 17`,
/// `deadzone seen 17`, `deadzone acked 17`, `deadzone connected` and `deadzone lost`. One report per line.
struct ProgramOutputParser: Sendable {
    enum ProgramReport: Equatable, Sendable {
        case sent(Int64), seen(Int64), acked(Int64)
        case connected, lost
    }

    /// Limit for an unfinished line. A longer one is passed on as ordinary text.
    static let maxLineLength = 1 << 16

    private var partialLine: [UInt8] = []
    /// The first line that begins with `deadzone` and is not a report, such as one without its number.
    private(set) var firstUnknownReport: String?
    private(set) var unknownReports = 0

    /// Splits output into reports and ordinary text for the user.
    mutating func parse(_ bytes: [UInt8]) -> (reports: [ProgramReport], text: [UInt8]) {
        // Only the new bytes can contain the end of a line.
        var unsearched = partialLine.count
        partialLine += bytes
        var reports: [ProgramReport] = []
        var text: [UInt8] = []
        var start = 0
        while let end = partialLine[unsearched...].firstIndex(of: 0x0a) {
            let line = partialLine[start...end]
            if let report = parseLine(line) { reports.append(report) } else { text += line }
            start = end + 1
            unsearched = start
        }
        partialLine.removeSubrange(..<start)
        if partialLine.count > Self.maxLineLength {
            text += partialLine
            partialLine = []
        }
        return (reports, text)
    }

    private static let keyword = Array("deadzone".utf8)

    /// Bytes are compared, because decoding every line of a talkative program as text delays its packets.
    private mutating func parseLine(_ line: ArraySlice<UInt8>) -> ProgramReport? {
        guard let first = line.first(where: { $0 > 0x20 }), first == Self.keyword[0] else { return nil }
        let parts = line.split { $0 <= 0x20 }
        guard parts[0].elementsEqual(Self.keyword), parts.count >= 2 else { return nil }
        let number = parts.count == 3 ? Int64(String(decoding: parts[2], as: UTF8.self)) : nil
        switch (String(decoding: parts[1], as: UTF8.self), number) {
        case ("sent", let number?) where number >= 0: return .sent(number)
        case ("seen", let number?) where number >= 0: return .seen(number)
        case ("acked", let number?) where number >= 0: return .acked(number)
        case ("connected", nil): return .connected
        case ("lost", nil): return .lost
        default:
            unknownReports += 1
            if firstUnknownReport == nil {
                firstUnknownReport = parts.prefix(4).map { String(decoding: $0.prefix(40), as: UTF8.self) }.joined(
                    separator: " ")
            }
            return nil
        }
    }
}

/// Stores when each numbered message of one direction was sent and received.
struct MessageTracker: Sendable {
    private var sentAt: [Int64: Instant] = [:]
    private var seenOnce: [Int64: Instant] = [:]
    private(set) var highestSeen: Int64 = -1

    /// Returns `false` if this number was already sent.
    mutating func recordSent(_ number: Int64, at now: Instant) -> Bool {
        guard sentAt[number] == nil else { return false }
        sentAt[number] = now
        return true
    }

    /// Returns the delay from send to receipt. `nil` if the message was never reported as sent or was already
    /// received.
    mutating func recordSeen(_ number: Int64, at now: Instant) -> TimeSpan? {
        guard seenOnce[number] == nil else { return nil }
        seenOnce[number] = now
        highestSeen = max(highestSeen, number)
        return sentAt[number].map { now - $0 }
    }

    func wasSeen(_ number: Int64) -> Bool { seenOnce[number] != nil }
    func age(of number: Int64, at now: Instant) -> TimeSpan? { sentAt[number].map { now - $0 } }

    /// Messages that were sent but not received. They count as lost if a later message was received, otherwise as
    /// pending. Returns the number of lost messages and the ages of the pending ones.
    func missing(at end: Instant) -> (lost: Int64, pending: [TimeSpan]) {
        let open = sentAt.filter { seenOnce[$0.key] == nil }
        let lost = open.count { $0.key < highestSeen }
        return (Int64(lost), open.filter { $0.key > highestSeen }.map { end - $0.value }.sorted())
    }
}
