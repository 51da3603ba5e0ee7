import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneTransport

/// What a server keeps of its messages and of its clients.
extension SettingsReader {
    mutating func readMemory(_ server: inout ServerProfile) {
        server.history = group("history", "what it keeps of its messages") { $0.history() }
        server.session = SessionRules()
        server.session.window = span(
            "resume-window", in: .milliseconds(1) ... .longest, "away for longer, a client is a stranger")
        server.session.namesEpoch = flag(
            "epochs", default: true, "its answers say in which of its lives their numbers were given")
        server.session.survivesRestart = word(
            "restart", of: [("keeps", true), ("loses", false)], default: true,
            "what `down` does to history and sessions; loses: it counts from one again")
        server.session.replaces = word(
            "takeover", of: [("replaces", true), ("refuses", false)], default: true,
            "a second connection of one session: in place of the first, or not while the first stands")
        server.dedup = dedup()
        let plain = Form<ReceiptRules?>.word([("transport", ReceiptRules?.none)])
        let receipts = either(
            "acks", "who tells the app that its messages have come: the kernel, or the program in messages of its own",
            plain: plain
        ) { settings in
            ReceiptRules?.some(
                ReceiptRules(
                    every: UInt32(settings.count("every", default: 1, in: 1...1_000_000, "after so many messages")),
                    within: settings.span(
                        "within", default: .zero, in: .zero ... .hours(1), "or so long after the first of them")))
        }
        server.receipts = receipts ?? nil
    }

    private mutating func history() -> History {
        var history = History()
        history.messages = count("messages", in: 0...Int64(UInt32.max), "no more than the newest so many").map(
            UInt32.init)
        history.time = span("time", "nothing older")
        history.purge = word(
            "purge",
            of: History.Purge.words, default: .never,
            "also forgets what the app has acknowledged, its kernel has confirmed, or was written to a connection")
        history.whenGone = word(
            "when-gone", of: History.WhenGone.words, default: .silence,
            "a client asks for what is gone: everything anew, or what is left without a word")
        history.snapshot = UInt32(
            size("snapshot", default: Int64(history.snapshot), in: 0...2 << 20, "bytes of everything anew"))
        history.replay = UInt32(
            count("replay", default: 0, in: 0...1_000_000, "newest messages for a client that asks for nothing"))
        return history
    }

    private mutating func dedup() -> Dedup {
        let words: [(String, Dedup)] = [
            ("none", .none), ("bitmap", .bitmap(window: 1_000)), ("set", .set(window: 1_000)),
            ("bloom", .bloom(bits: 4_096, hashes: 3, keys: nil)),
        ]
        let read = either("dedup", "how it knows a message that it has had before", plain: .word(words)) { settings in
            let (window, time) = settings.dedupWindow()
            let kind = settings.word(
                "kind", of: words.map { ($0.0, $0.0) }, default: time == nil ? "bitmap" : "set",
                "bitmap: numbers that only grow; set: the last keys; bloom: a filter that errs")
            if time != nil, kind != "set" {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "window"), width: 6,
                        "a time as the `window` of a \(kind)",
                        label: "only a `kind: set` knows when its keys have come"))
            }
            let bytes = settings.size("bytes", default: 512, in: 1...1 << 20, "of a Bloom filter")
            let hashes = settings.count("hashes", default: 3, in: 1...32, "of a Bloom filter, for each key")
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

    /// `1000`, `5m`, or `{messages: 1000, time: 5m}`: whichever is more.
    private mutating func dedupWindow() -> (messages: Int64?, time: TimeSpan?) {
        typealias Window = (messages: Int64?, time: TimeSpan?)
        let counts = Form<Int64>.count(in: 1...1_000_000)
        let spans = Form<TimeSpan>.span(in: .milliseconds(1) ... .longest)
        let plain = Form<Window>(
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
            "numbers or keys, a time, or both: whichever is more; of a Bloom filter: after so many it is emptied",
            plain: plain
        ) { settings in
            (
                settings.value("messages", counts, "the last so many"),
                settings.value("time", spans, "and whatever is no older")
            )
        } ?? (nil, nil)
    }
}

extension History.Purge {
    fileprivate static let words: [(String, Self)] = [
        ("never", .never), ("acknowledged", .acknowledged), ("confirmed", .confirmed), ("sent", .sent),
    ]
}

extension History.WhenGone {
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
    /// What differs from a server that keeps everything and knows nobody again.
    var memoryEntries: [Node.Entry] {
        let usual = ServerProfile()
        let span = Form<TimeSpan>.span()
        func entry<Value: Equatable>(
            _ key: String, _ value: Value, _ usual: Value, _ write: (Value) -> String
        ) -> [Node.Entry] {
            value == usual ? [] : [.init(key: key, value: .text(write(value)))]
        }
        func text(_ value: TimeSpan?) -> String { value.flatMap { span.write($0).scalar } ?? "" }
        let parts: [[Node.Entry]] = [
            entry("history", history, usual.history) { history in
                """
                \(history.messages.map { String($0) } ?? "") \(text(history.time)) \(History.Purge.words.word(history.purge)) \
                \(History.WhenGone.words.word(history.whenGone)) \
                \(history.snapshot) \(history.replay)
                """
            },
            entry("resume-window", session.window, usual.session.window, text),
            entry("epochs", session.namesEpoch, true) { _ in "false" },
            entry("restart", session.survivesRestart, true) { _ in "loses" },
            entry("takeover", session.replaces, true) { _ in "refuses" },
            entry("dedup", dedup, usual.dedup, \.text),
            entry("acks", receipts, usual.receipts) { "\($0?.every ?? 0) \(text($0?.within))" },
        ]
        return parts.flatMap { $0 }
    }
}
