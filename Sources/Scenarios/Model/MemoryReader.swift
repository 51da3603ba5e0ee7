import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

/// Settings for the server's message history, sessions and deduplication.
extension SettingsReader {
    mutating func readMemory(_ server: inout ServerProfile) {
        server.session = SessionRules()
        readHistory(&server)
        server.session.namesEpoch = flag(
            "epochs", default: true,
            "answers contain the epoch of the server's message numbers, which changes when the count restarts")
        server.session.survivesRestart = word(
            "restart", of: [("keeps", true), ("loses", false)], default: true,
            "history and sessions after `down`; loses: the server counts from one again")
        server.session.replaces = word(
            "takeover", of: [("replaces", true), ("refuses", false)], default: true,
            "second connection of a session: replaces the first, or is refused while the first exists")
        server.dedup = dedup()
        server.exchangeLifetime = span(
            "exchange-lifetime", default: ServerProfile.usualExchangeLifetime, in: .zero ... .hours(24),
            "time in which a repeated message of CoAP is recognised by its message id; 0s: never")
        let plain = ValueFormat<ReceiptRules?>.word([("transport", ReceiptRules?.none)])
        let receipts = either(
            "acks",
            "confirmation of the app's messages: by the kernel (transport), or by the program in messages of its own",
            plain: plain
        ) { settings in
            ReceiptRules?.some(
                ReceiptRules(
                    every: UInt32(
                        settings.count("every", default: 1, in: 1...1_000_000, "messages per acknowledgement")),
                    within: settings.span(
                        "within", default: .zero, in: .zero ... .hours(1),
                        "longest time after the first unacknowledged message")))
        }
        server.receipts = receipts ?? nil
    }

    /// Reads the rules of the history and of the sessions that a running server can change.
    mutating func readHistory(_ server: inout ServerProfile) {
        server.history = group("history", "the server's message history") { $0.history() }
        server.session.window = span(
            "resume-window", in: .milliseconds(1) ... .longest, "a client that was away for longer starts a new session"
        )
    }

    private mutating func history() -> History {
        var history = History()
        history.messages = count("messages", in: 0...Int64(UInt32.max), "most messages that are kept, the newest ones")
            .map(
                UInt32.init)
        history.time = span("time", "longest time that a message is kept")
        history.purge = word(
            "purge",
            of: History.Purge.words, default: .never,
            "also removes messages that the app has acknowledged, its kernel has confirmed, or a connection has accepted"
        )
        history.expiredCursorAction = word(
            "when-gone", of: History.ExpiredCursorAction.words, default: .silence,
            "if a client requests removed messages: a full snapshot, or silently only what is left")
        history.snapshot = UInt32(
            size("snapshot", default: Int64(history.snapshot), in: 0...2 << 20, "size of a snapshot"))
        history.replay = UInt32(
            count("replay", default: 0, in: 0...1_000_000, "newest messages sent to a client that does not resume"))
        return history
    }

    private mutating func dedup() -> Dedup {
        let words: [(String, Dedup)] = [
            ("none", .none), ("bitmap", .bitmap(window: 1_000)), ("set", .set(window: 1_000)),
            ("bloom", .bloom(bits: 4_096, hashes: 3, keys: nil)),
        ]
        let read = either(
            "dedup", "detection of duplicates among the app's messages; for CoAP see also `exchange-lifetime`",
            plain: .word(words)
        ) {
            settings in
            let (window, time) = settings.dedupWindow()
            let kind = settings.word(
                "kind", of: words.map { ($0.0, $0.0) }, default: time == nil ? "bitmap" : "set",
                "bitmap: increasing numbers; set: the last keys; bloom: a filter, which makes errors")
            if time != nil, kind != "set" {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "window"), width: 6,
                        "a time in the `window` of a \(kind)",
                        label: "only `kind: set` stores arrival times"))
            }
            let bytes = settings.size("bytes", default: 512, in: 1...1 << 20, "size of a Bloom filter")
            let hashes = settings.count("hashes", default: 3, in: 1...32, "hashes of a Bloom filter for each key")
            return switch kind {
            case "none": Dedup.none
            case "bitmap": .bitmap(window: UInt32(window ?? 1_000))
            case "set" where time != nil: .lasting(window: UInt32(window ?? 0), time: time ?? .zero)
            case "set": .set(window: UInt32(window ?? 1_000))
            default: .bloom(bits: UInt32(bytes) * 8, hashes: UInt8(hashes), keys: window.map { UInt32($0) })
            }
        }
        return read ?? .none
    }

    /// Reads the deduplication window: `1000`, `5m`, or `{messages: 1000, time: 5m}`. If both are given, the larger
    /// window counts.
    private mutating func dedupWindow() -> (messages: Int64?, time: TimeSpan?) {
        typealias DedupWindow = (messages: Int64?, time: TimeSpan?)
        let counts = ValueFormat<Int64>.count(in: 1...1_000_000)
        let spans = ValueFormat<TimeSpan>.span(in: .milliseconds(1) ... .longest)
        let plain = ValueFormat<DedupWindow>(
            "a number such as 1000 or a duration such as 5m", shape: { .either([counts.shape(), spans.shape()]) },
            read: { node, faults in
                guard let (text, _) = node.scalar("a number such as 1000 or a duration such as 5m", &faults) else {
                    return nil
                }
                if text.last?.isLetter == true { return spans.read(node, &faults).map { (nil, $0) } }
                return counts.read(node, &faults).map { ($0, nil) }
            }, write: { window in window.time.map(spans.write) ?? counts.write(window.messages ?? 1_000) })
        return either(
            "window",
            "numbers or keys, a time, or both (the larger window counts); a Bloom filter is emptied after this number of keys",
            plain: plain
        ) { settings in
            (
                settings.value("messages", counts, "last messages"),
                settings.value("time", spans, "messages that arrived within this time")
            )
        } ?? (nil, nil)
    }
}

extension History.Purge {
    fileprivate static let words: [(String, Self)] = [
        ("never", .never), ("acknowledged", .acknowledged), ("confirmed", .confirmed), ("sent", .sent),
    ]
}

extension History.ExpiredCursorAction {
    fileprivate static let words: [(String, Self)] = [("snapshot", .snapshot), ("silence", .silence)]
}

extension Dedup {
    fileprivate var text: String {
        switch self {
        case .none: "none"
        case .bitmap(let window): "bitmap(window: \(window))"
        case .set(let window): "set(window: \(window))"
        case .lasting(let window, let time): "lasting(window: \(window), time: \(time.nanoseconds))"
        case .bloom(let bits, let hashes, let keys):
            "bloom(bits: \(bits), hashes: \(hashes), keys: \(keys.map { "\($0)" } ?? "nil"))"
        }
    }
}

extension ServerProfile {
    /// The settings that differ from the default server, which keeps all messages and does not deduplicate.
    var memoryEntries: [Node.MapEntry] {
        let usual = ServerProfile()
        let span = ValueFormat<TimeSpan>.span()
        func entry<Value: Equatable>(
            _ key: String, _ value: Value, _ usual: Value, _ write: (Value) -> String
        ) -> [Node.MapEntry] {
            value == usual ? [] : [.init(key: key, value: .text(write(value)))]
        }
        func text(_ value: TimeSpan?) -> String { value.flatMap { span.write($0).scalar } ?? "" }
        let parts: [[Node.MapEntry]] = [
            entry("history", history, usual.history) { history in
                """
                \(history.messages.map { String($0) } ?? "") \(text(history.time)) \(History.Purge.words.word(history.purge)) \
                \(History.ExpiredCursorAction.words.word(history.expiredCursorAction)) \
                \(history.snapshot) \(history.replay)
                """
            },
            entry("resume-window", session.window, usual.session.window, text),
            entry("epochs", session.namesEpoch, true) { _ in "false" },
            entry("restart", session.survivesRestart, true) { _ in "loses" },
            entry("takeover", session.replaces, true) { _ in "refuses" },
            entry("dedup", dedup, usual.dedup, \.text),
            entry("exchange-lifetime", exchangeLifetime, usual.exchangeLifetime) { text($0) },
            entry("acks", receipts, usual.receipts) { "\($0?.every ?? 0) \(text($0?.within))" },
        ]
        return parts.flatMap { $0 }
    }
}
