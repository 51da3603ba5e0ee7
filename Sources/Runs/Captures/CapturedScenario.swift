import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneReplay

/// Converts a packet capture into a simulation scenario. Application messages become traffic at their recorded times,
/// network problems become timeline events.
///
/// One client carries the traffic of all flows. Traffic that a simulated client produces by itself is left out: the
/// first message in each direction of a TLS connection (if its start was captured), name resolution, and traffic with
/// neighbours in the local network. Voice calls are left out as well: no strategy for messages would carry them.
package struct CapturedScenario {
    /// Maximum number of messages in one stream of a scenario.
    private static let maximumMessages = 20_000
    private static let maximumDuration = TimeSpan.hours(24 * 31)
    /// Time after the last message, for the radio tails.
    private static let tailMargin = TimeSpan.seconds(30)
    /// Lengths of silence that are treated as a dead zone. Shorter silences may be thinking time, longer ones can
    /// have any cause.
    private static let deadZoneLengths: ClosedRange<TimeSpan> = .seconds(2) ... .seconds(300)
    /// Ports of TLS and of protocols that use TLS from the first byte.
    private static let tlsPorts: Set<UInt16> = [443, 465, 853, 993, 995, 5223, 5228, 8443, 8883]
    /// Ports of DNS and NTP. A simulated client resolves names itself, and time synchronisation belongs to the
    /// system.
    private static let systemPorts: Set<UInt16> = [53, 123]

    private struct TimedMessage {
        let at: TimeSpan
        let bytes: Int
    }

    private let name: String
    private let profile: String
    private let interface: Interface
    let duration: TimeSpan
    private var up: [TimedMessage] = []
    private var down: [TimedMessage] = []
    private var events: [(at: TimeSpan, text: String)] = []
    private(set) var notes: [String] = []

    init(
        _ reader: CaptureReader, _ habits: CaptureHabits, _ calls: [RealtimeStream],
        _ interfaces: InterfaceChangeDetector, _ addresses: AddressChangeDetector,
        name: String, profile: String, technology: Technology
    ) {
        self.name = name
        self.profile = profile
        interface = technology.interface
        let first = reader.counts.earliest ?? .epoch
        let span = (reader.counts.latest ?? first) - first
        duration = min(span + Self.tailMargin, Self.maximumDuration)
        let callFlows = calls.reduce(into: Set<FlowID>()) { $0.formUnion($1.flows) }
        var isKept: [UInt32: Bool] = [:]
        for message in habits.messages {
            let index = message.flow.index
            if isKept[index] == nil {
                isKept[index] = !callFlows.contains(message.flow) && Self.isServerTraffic(reader, message.flow)
            }
            guard isKept[index] == true, !Self.isTLSHello(message, reader) else { continue }
            let moment = TimedMessage(at: message.at - first, bytes: message.bytes)
            if message.isUp { up.append(moment) } else { down.append(moment) }
        }
        addEvents(habits, interfaces, addresses, since: first)
        for call in calls { notes.append(Self.note(call, reader, since: first)) }
        if habits.unkeptMessages > 0 { notes.append("\(habits.unkeptMessages) messages after the limit are left out") }
        for (count, way) in [(up.count, "up"), (down.count, "down")] where count > Self.maximumMessages {
            notes.append("only the first \(Self.maximumMessages) of \(count) messages \(way) are used")
        }
        if Self.maximumDuration < span {
            notes.append("the capture is longer than 31 days: only its beginning is used")
        }
    }

    var isEmpty: Bool { up.isEmpty && down.isEmpty }

    private static func note(_ call: RealtimeStream, _ reader: CaptureReader, since first: Timestamp) -> String {
        let packets = call.flows.reduce(UInt64(0)) {
            let flow = reader.flow($1)
            return $0 + flow.up.packets + flow.down.packets
        }
        let flows = plural(call.flows.count, "flow")
        let begin = decimalText(Int128((call.from - first).nanoseconds / 100_000_000), places: 1)
        return "the \(packets) packets of a voice call or similar stream are no messages (\(flows) of one socket, from "
            + "\(begin) s on: \(reader.flow(call.main).text)): no strategy sends them"
    }

    private static func isServerTraffic(_ reader: CaptureReader, _ id: FlowID) -> Bool {
        guard Int(id.index) < reader.describedFlows else { return true }
        let flow = reader.flow(id)
        return !flow.neighbourTraffic.isOfNeighbours && flow.remote.address.isUnicast && flow.local.address.isUnicast
            && !systemPorts.contains(flow.remote.port)
    }

    private static func isTLSHello(_ message: RecordedMessage, _ reader: CaptureReader) -> Bool {
        guard message.ordinal == 0, message.isFromBeginning, Int(message.flow.index) < reader.describedFlows else {
            return false
        }
        return tlsPorts.contains(reader.flow(message.flow).remote.port)
    }

    // MARK: Weather

    private mutating func addEvents(
        _ habits: CaptureHabits, _ interfaces: InterfaceChangeDetector, _ addresses: AddressChangeDetector,
        since first: Timestamp
    ) {
        let radio = interface.name
        let moves =
            interfaces.changes.map { ($0.at, "another interface") }
            + addresses.changes.map { ($0.at, "another address of the phone") }
        for (at, reason) in moves {
            let text = "readdress: \(radio), old-path: silent}  # \(reason) in the capture"
            events.append((at - first, text))
        }
        for upheaval in habits.reconnects {
            let silence = upheaval.at - upheaval.silentFrom
            guard Self.deadZoneLengths.contains(silence) else { continue }
            let text =
                "dead-zone: \(Self.text(silence))}  # silence, retransmissions, new connections: an estimate, remove it if wrong"
            events.append((upheaval.silentFrom - first, text))
        }
        events = events.filter { .zero < $0.at && $0.at < duration }.sorted { $0.at < $1.at }
        // Keep one event per five minutes: drop an event that follows the last kept one more closely.
        var kept: [(at: TimeSpan, text: String)] = []
        for event in events
        where kept.last.map({ $0.at + Self.deadZoneLengths.upperBound < event.at || kept.isEmpty }) ?? true {
            kept.append(event)
        }
        events = kept
    }

    // MARK: Text

    /// Content of the scenario in one line.
    var summary: String {
        let guesses = events.count { $0.text.hasPrefix("dead-zone") }
        let moves = events.count - guesses
        let seconds = decimalText(Int128((duration.nanoseconds + 50_000_000) / 100_000_000), places: 1)
        var parts = ["\(plural(up.count, "message")) up and \(down.count) down in \(seconds) s"]
        if moves > 0 { parts.append(plural(moves, "change of network", "changes of network")) }
        if guesses > 0 { parts.append(plural(guesses, "estimated dead zone", "estimated dead zones")) }
        return parts.joined(separator: ", ")
    }

    /// YAML text of a scenario that `run` accepts.
    /// - Parameter strategies: a YAML map of names, as it appears under `strategies:`.
    func text(strategies: String) -> String {
        var text = """
            # yaml-language-server: $schema=\(schemaName)
            version: 1
            name: Messages of \(Self.quoted(name))
            about: >-
              The application messages of a capture, at their original times, for clients that send all of them over
              one connection. Sizes are drawn from the sizes in the capture.
            duration: \(Self.text(duration))
            replicas: 5

            phone:
              battery: 15.4Wh
              radios: {\(interface.name): \(profile)}

            """
        for note in notes { text += "# \(note)\n" }
        if !events.isEmpty {
            text += "\ntimeline:\n"
            for event in events { text += "  - {at: \(Self.text(event.at)), \(event.text)\n" }
        }
        text += "\ntraffic:\n"
        if !up.isEmpty { text += Self.stream("up", up, before: duration) }
        if !down.isEmpty { text += Self.stream("down", down, before: duration) }
        return text + "\nstrategies:\n" + strategies
    }

    private static func stream(_ name: String, _ messages: [TimedMessage], before end: TimeSpan) -> String {
        var moments: [String] = []
        var sizes: [Int] = []
        var last = TimeSpan.zero
        for message in messages.prefix(maximumMessages) {
            // Milliseconds are precise enough. Times must be strictly ascending.
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

    /// The measured size distribution: up to 21 quantiles with linear interpolation.
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

    /// Keeps only plain ASCII characters and single spaces, because a file name can contain anything.
    private static func quoted(_ name: String) -> String {
        let words = String(name.split(separator: "/").last ?? "capture").split(separator: " ").map { word in
            word.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
