public import DeadzoneSettings
import DeadzonePrimitives

extension SettingsReader {
    /// `resume: cursor`, or `resume: {cursor: persisted, dedup: none, on-gap: resync, acknowledge: {every: 10, within: 1s}}`
    public mutating func resume(_ key: String, slot: TimerSlot, _ help: String = "") -> Resume {
        let words: [(String, Resume.Kept)] = [("nothing", .nothing), ("cursor", .cursor), ("persisted", .persisted)]
        let plain = Form.word(words).map {
            Resume($0, slot: slot)
        } back: {
            $0.kept
        }
        let read = either(key, help, plain: plain) { settings in
            var resume = Resume(
                settings.word(
                    "keeps", of: [("nothing", .nothing), ("cursor", .cursor), ("persisted", .persisted)],
                    default: .cursor, "what outlives a connection; persisted: the process, too"),
                slot: slot)
            settings.readResume(&resume)
            return resume
        }
        return read ?? Resume(.cursor, slot: slot)
    }

    private mutating func readResume(_ resume: inout Resume) {
        resume.handshake = word(
            "handshake", of: [("received", Resume.Handshake.received), ("sequences", .sequences)], default: .received,
            "received: each side says what it has; sequences: the WebSocket article to the letter, with the wrong numbers"
        )
        resume.onGap = word(
            "on-gap", of: [("ignore", Resume.OnGap.ignore), ("mark", .mark), ("resync", .resync)], default: .ignore,
            "where the server goes on behind the cursor: nobody looks, the user is told, or all is asked for anew")
        resume.storesFirst =
            word(
                "stores", of: [("after-showing", false), ("before-showing", true)], default: false,
                "a crash between shows a message twice, or loses it")
        resume.storing =
            batch("store", "of a persisted cursor: when it is written down")
            ?? Resume.Batch()
        resume.showsAfter = span(
            "shows-after", default: .zero, in: .zero ... .hours(1), "from a message's arrival to its being shown")
        resume.telling = batch("acknowledge", "tells the server what it has, in messages of its own")
        resume.window = span(
            "window", in: .milliseconds(1) ... .longest, "away for longer, it asks for everything instead of resuming")
        readRecognition(&resume)
    }

    private mutating func batch(_ key: String, _ help: String) -> Resume.Batch? {
        section(key, help) { settings in
            Resume.Batch(
                every: UInt32(settings.count("every", default: 1, in: 1...1_000_000, "after so many messages")),
                within: settings.span(
                    "within", default: .seconds(1), in: .zero ... .hours(24), "or so long after the first of them"))
        }
    }

    private mutating func readRecognition(_ resume: inout Resume) {
        let words: [(String, Resume.Recognition)] = [("cursor", .cursor), ("none", .nothing)]
        let read = either(
            "dedup", "how it knows what it has had: the cursor, nothing, or a Bloom filter that errs",
            plain: .word(words)
        ) { settings in
            Resume.Recognition.bloom(
                bits: UInt32(settings.size("bloom", default: 512, in: 8...65_536, "bytes of the filter")) * 8,
                // The best for 1,000 keys in 512 bytes: bits / keys times ln 2.
                hashes: UInt8(settings.count("hashes", default: 3, in: 1...32, "bits for each message")),
                keys: UInt32(
                    settings.count("keys", default: 1_000, in: 1...4_096, "messages before it is emptied")))
        }
        resume.recognition = read ?? .cursor
    }

    /// `queue: memory`, or `queue: {keeps: stored, bound: 1000, overflow: halve}`
    public mutating func sendQueue(_ key: String, default fallback: SendQueue, _ help: String = "") -> SendQueue {
        let words: [(String, SendQueue.Kept)] = [("none", .nothing), ("memory", .memory), ("stored", .stored)]
        let plain = Form.word(words).map {
            SendQueue($0)
        } back: {
            $0.kept
        }
        let read = either(key, help, plain: plain) { settings in
            var queue = SendQueue(
                settings.word(
                    "keeps", of: [("none", SendQueue.Kept.nothing), ("memory", .memory), ("stored", .stored)],
                    default: .stored, "how long unconfirmed messages last; stored: longer than the process"))
            queue.until = settings.word(
                "until", of: [("confirmed", SendQueue.Until.confirmed), ("sent", .sent)], default: .confirmed,
                "what ends a message's stay")
            queue.bound = settings.count("bound", in: 1...10_000_000, "messages that it holds").map { UInt32($0) }
            queue.boundBytes = settings.size(
                "bytes", in: 1...(1 << 40),
                "with `until: sent`: bytes that it holds while nothing is connected; beyond them it refuses"
            ).map { UInt64($0) }
            if queue.boundBytes != nil && queue.until != .sent {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "bytes"), width: 5,
                        "`bytes` of what stays until confirmed",
                        label: "write `until: sent` beside it, or a `bound` in messages"))
            }
            queue.overflow = settings.word(
                "overflow",
                of: [
                    ("refuse", SendQueue.Overflow.refuse), ("drop-oldest", .dropOldest), ("drop-newest", .dropNewest),
                    ("halve", .halve),
                ], default: .refuse,
                "what one message more does; halve: the older half goes, and the user is told")
            queue.hasKeys = settings.flag(
                "keys", default: true, "messages carry keys by which a server can know them again")
            queue.flushForgets = settings.word(
                "flush", of: [("keep", false), ("forget", true)], default: false,
                "forget: what was handed over when the app leaves is never handed over again")
            return queue
        }
        return read ?? fallback
    }

    /// `resume` and `queue` of one client. Nobody confirms a datagram: there is nothing to hand over again.
    public mutating func messages(_ carrier: Carrier, slot: TimerSlot) -> (Resume, SendQueue) {
        let resume = resume("resume", slot: slot, "what a new connection carries over from the old one")
        let queue = sendQueue(
            "queue", default: .usual(with: resume),
            "what the app wants to say and nobody has confirmed; without it as `resume`: all, or nothing")
        guard carrier.kind == .datagram else { return (resume, queue) }
        return (Resume(.nothing, slot: slot), SendQueue(.nothing))
    }
}
