import DeadzoneCaptures
import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneReplay

/// The world of a capture as a scenario: its application messages as traffic at their own moments, its troubles as weather.
///
/// One client carries what all flows of the capture carried. What a client would do anew is left out: the first message
/// each way of a TLS connection whose beginning was captured, name resolution, and what the phone says to its neighbours.
public struct CapturedWorld {
    /// As many as a scenario takes in one stream.
    private static let most = 20_000
    private static let longest = TimeSpan.hours(24 * 31)
    /// After the last message, for the tails.
    private static let rest = TimeSpan.seconds(30)
    /// Shorter silences are thoughts, longer ones may be anything.
    private static let deadZones: ClosedRange<TimeSpan> = .seconds(2) ... .seconds(300)
    /// TLS, and what is wrapped into it from the first byte.
    private static let tlsPorts: Set<UInt16> = [443, 465, 853, 993, 995, 5223, 5228, 8443, 8883]
    /// DNS and NTP: a client resolves anew, and the time is the system's.
    private static let systemPorts: Set<UInt16> = [53, 123]

    private struct Message {
        let at: TimeSpan
        let bytes: Int
    }

    private let name: String
    private let profile: String
    private let isWiFi: Bool
    let duration: TimeSpan
    private var up: [Message] = []
    private var down: [Message] = []
    private var events: [(at: TimeSpan, text: String)] = []
    private(set) var notes: [String] = []

    init(
        _ reader: CaptureReader, _ habits: CaptureHabits, _ interfaces: InterfaceWatch, _ addresses: AddressWatch,
        name: String, profile: String, technology: Technology
    ) {
        self.name = name
        self.profile = profile
        isWiFi = technology == .wifi
        let first = reader.counts.earliest ?? .epoch
        let span = (reader.counts.latest ?? first) - first
        duration = min(span + Self.rest, Self.longest)
        var isKept: [UInt32: Bool] = [:]
        for message in habits.messages {
            let index = message.flow.index
            if isKept[index] == nil { isKept[index] = Self.isForServer(reader, message.flow) }
            guard isKept[index] == true, !Self.isHello(message, reader) else { continue }
            let moment = Message(at: message.at - first, bytes: message.bytes)
            if message.isUp { up.append(moment) } else { down.append(moment) }
        }
        addEvents(habits, interfaces, addresses, since: first)
        if habits.unkeptMessages > 0 { notes.append("\(habits.unkeptMessages) messages beyond the first are left out") }
        for (count, way) in [(up.count, "up"), (down.count, "down")] where count > Self.most {
            notes.append("of \(count) messages \(way) the first \(Self.most) are taken")
        }
        if Self.longest < span { notes.append("the capture is longer than 31 days: its beginning is taken") }
    }

    var isEmpty: Bool { up.isEmpty && down.isEmpty }

    private static func isForServer(_ reader: CaptureReader, _ id: FlowID) -> Bool {
        guard Int(id.index) < reader.describedFlows else { return true }
        let flow = reader.flow(id)
        return flow.talk == .none && flow.remote.address.isUnicast && flow.local.address.isUnicast
            && !systemPorts.contains(flow.remote.port)
    }

    private static func isHello(_ message: RecordedMessage, _ reader: CaptureReader) -> Bool {
        guard message.ordinal == 0, message.isFromBeginning, Int(message.flow.index) < reader.describedFlows else {
            return false
        }
        return tlsPorts.contains(reader.flow(message.flow).remote.port)
    }

    // MARK: Weather

    private mutating func addEvents(
        _ habits: CaptureHabits, _ interfaces: InterfaceWatch, _ addresses: AddressWatch, since first: Stamp
    ) {
        let radio = isWiFi ? "wifi" : "cellular"
        let moves =
            interfaces.changes.map { ($0.at, "another interface") }
            + addresses.changes.map { ($0.at, "another address of the phone") }
        for (at, reason) in moves {
            let text = "readdress: \(radio), old-path: silent}  # \(reason) in the capture"
            events.append((at - first, text))
        }
        for upheaval in habits.upheavals {
            let silence = upheaval.at - upheaval.silentFrom
            guard Self.deadZones.contains(silence) else { continue }
            let text =
                "dead-zone: \(Self.text(silence))}  # silence, data sent again, new connections: a guess, remove it if wrong"
            events.append((upheaval.silentFrom - first, text))
        }
        events = events.filter { .zero < $0.at && $0.at < duration }.sorted { $0.at < $1.at }
        // One trouble at a time.
        var kept: [(at: TimeSpan, text: String)] = []
        for event in events
        where kept.last.map({ $0.at + Self.deadZones.upperBound < event.at || kept.isEmpty }) ?? true {
            kept.append(event)
        }
        events = kept
    }

    // MARK: Text

    /// What the scenario holds, in one line.
    var summary: String {
        let guesses = events.count { $0.text.hasPrefix("dead-zone") }
        let moves = events.count - guesses
        var parts = ["\(up.count) messages up and \(down.count) down in \(Self.text(duration))"]
        if moves > 0 { parts.append(plural(moves, "change of network", "changes of network")) }
        if guesses > 0 { parts.append(plural(guesses, "dead zone that is a guess", "dead zones that are guesses")) }
        return parts.joined(separator: ", ")
    }

    /// A scenario that `run` accepts. Strategies are a map of names, as it stands under `strategies:`.
    func text(strategies: String) -> String {
        var text = """
            # yaml-language-server: $schema=\(schemaName)
            version: 1
            name: What \(Self.quoted(name)) says, again
            about: >-
              The application messages of a capture, at the moments at which they came, for clients that carry all of them over
              one connection. Sizes are drawn from those of the capture.
            duration: \(Self.text(duration))
            replicas: 5

            phone:
              battery: 15.4Wh
              radios: {\(isWiFi ? "wifi" : "cellular"): \(profile)}

            """
        if !events.isEmpty {
            text += "\ntimeline:\n"
            for event in events { text += "  - {at: \(Self.text(event.at)), \(event.text)\n" }
        }
        text += "\ntraffic:\n"
        if !up.isEmpty { text += Self.stream("up", up, before: duration) }
        if !down.isEmpty { text += Self.stream("down", down, before: duration) }
        return text + "\nstrategies:\n" + strategies
    }

    private static func stream(_ name: String, _ messages: [Message], before end: TimeSpan) -> String {
        var moments: [String] = []
        var sizes: [Int] = []
        var last = TimeSpan.zero
        for message in messages.prefix(most) {
            // Milliseconds are enough, and moments must follow each other.
            let at = max(.milliseconds(message.at.nanoseconds / 1_000_000), last + .milliseconds(1))
            guard at < end else { break }
            moments.append(text(at))
            sizes.append(message.bytes)
            last = at
        }
        var text = "  \(name):\n    size: \(table(of: sizes.sorted()))\n    at:\n"
        for start in stride(from: 0, to: moments.count, by: 12) {
            text += "      \(start == 0 ? "[" : " ")"
            text += moments[start..<min(start + 12, moments.count)].joined(separator: ", ")
            text += start + 12 < moments.count ? ",\n" : "]\n"
        }
        return text
    }

    /// What was measured: up to 21 quantiles with straight lines between.
    private static func table(of sizes: [Int]) -> String {
        guard let least = sizes.first, let most = sizes.last, least < most else { return "\(sizes.first ?? 0)B" }
        let steps = min(20, sizes.count - 1)
        let rows = (0...steps).map { step in
            let place = step * (sizes.count - 1) / steps
            let share = step * 1_000 / steps
            let decimals = String(share % 1_000)
            let number = share == 1_000 ? "1" : "0." + String(repeating: "0", count: 3 - decimals.count) + decimals
            return "[\(number), \(sizes[place])B]"
        }
        return "{table: [\(rows.joined(separator: ", "))]}"
    }

    private static func text(_ span: TimeSpan) -> String { "\(max(span.nanoseconds, 0) / 1_000_000)ms" }

    /// Only plain characters: the name of a file can hold anything.
    private static func quoted(_ name: String) -> String {
        String(name.split(separator: "/").last ?? "capture").filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0))
        }
    }
}
