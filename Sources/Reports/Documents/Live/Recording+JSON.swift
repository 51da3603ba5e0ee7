import DeadzoneBase
package import DeadzoneFit
import DeadzoneMetrics

extension Recording.RecordedConnection {
    /// JSON of one connection; times are seconds since the start of the run.
    func json(run: Int, server: String) -> JSON {
        func seconds(_ instant: Instant?) -> JSON { LiveReport.seconds(instant) }
        return .object([
            "run": .integer(Int128(run)), "server": .string(server), "began_s": seconds(beganAt),
            "repeated_s": seconds(retransmittedAt), "opened_s": seconds(openedAt), "ended_s": seconds(endedAt),
            "ending": ending.map { .string($0.rawValue) } ?? .null, "heard_s": seconds(lastReceivedAt),
            "asked_s": seconds(askedAt),
            "unheard_s": LiveReport.seconds(longestReceiveGap), "unsaid_s": LiveReport.seconds(longestIdleGap),
            "pings": .array(
                heartbeats.map {
                    .object([
                        "at_s": seconds($0.at), "heard_s": seconds($0.lastReceivedAt),
                        "said_s": seconds($0.lastActivityAt), "held_back": .bool($0.wasHeldBack),
                        "follows_repeats": .bool($0.followsRepeats),
                    ])
                }),
        ])
    }

    /// The times of a connection.
    private static let times = [
        "began_s", "repeated_s", "opened_s", "ended_s", "heard_s", "asked_s", "unheard_s", "unsaid_s",
    ]

    /// The first time that no clock can show, by its key.
    fileprivate static func wrongTime(_ json: JSON) -> String? {
        for key in times where json.hasWrongTime(key) { return key }
        for (place, ping) in (json["pings"]?.items ?? []).enumerated() {
            for key in ["at_s", "heard_s", "said_s"] where ping.hasWrongTime(key) { return "pings[\(place)].\(key)" }
        }
        return nil
    }

    fileprivate init?(_ json: JSON) {
        guard let began = json.instant("began_s") else { return nil }
        self.init(at: began)
        retransmittedAt = json.instant("repeated_s")
        openedAt = json.instant("opened_s")
        endedAt = json.instant("ended_s")
        ending = json["ending"]?.string.flatMap(EndedBy.init)
        lastReceivedAt = json.instant("heard_s")
        askedAt = json.instant("asked_s")
        longestReceiveGap = (json.instant("unheard_s") ?? .zero) - .zero
        longestIdleGap = (json.instant("unsaid_s") ?? .zero) - .zero
        heartbeats = (json["pings"]?.items ?? []).compactMap { item in
            guard let at = item.instant("at_s"), let heard = item.instant("heard_s"), let said = item.instant("said_s")
            else { return nil }
            return Recording.RecordedHeartbeat(
                at: at, lastReceivedAt: heard, lastActivityAt: said, wasHeldBack: item["held_back"]?.bool ?? false,
                followsRepeats: item["follows_repeats"]?.bool ?? false)
        }
    }
}

extension Recording {
    package typealias Read = (name: String, lines: [(server: String, line: RecordedConnection)])

    /// A live result with a time that cannot be read.
    package struct WrongTime: Error, Hashable {
        /// `lines[3].began_s`
        package let place: String
    }

    /// Splits a live result into its runs. `nil` if the document is not a live result.
    package static func all(of document: JSON, named name: String) throws(WrongTime) -> [Read]? {
        guard document["schema"]?.string == DocumentSchema.live.rawValue,
            let own = document["strategies"]?.items?.first,
            let items = own["lines"]?.items
        else { return nil }
        for (place, item) in items.enumerated() {
            if let key = RecordedConnection.wrongTime(item) { throw WrongTime(place: "lines[\(place)].\(key)") }
        }
        let lines = items.compactMap { item -> (run: Int, server: String, line: RecordedConnection)? in
            guard let line = RecordedConnection(item), let run = item["run"]?.integer else { return nil }
            return (Int(clamping: run), item["server"]?.string ?? "", line)
        }
        let runs = Dictionary(grouping: lines, by: \.run).sorted { $0.key < $1.key }
        return runs.map { run in
            (runs.count == 1 ? name : "\(name), run \(run.key + 1)", run.value.map { ($0.server, $0.line) })
        }
    }
}

extension JSON {
    fileprivate func instant(_ key: String) -> Instant? {
        guard let seconds = self[key]?.double, Self.clock.contains(seconds) else { return nil }
        return Instant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    /// Times of a run, in seconds: up to a hundred years, far below the limit of an `Instant`.
    private static var clock: ClosedRange<Double> { 0...3.2e9 }

    /// `true` if the value is neither a time nor null nor missing.
    fileprivate func hasWrongTime(_ key: String) -> Bool {
        guard let value = self[key], value != .null else { return false }
        return instant(key) == nil
    }
}
