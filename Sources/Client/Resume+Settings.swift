public import DeadzoneBase

extension SettingsReader {
    /// Reads the resume policy, written as `resume: cursor` or `resume: {cursor: persisted, dedup: none, on-gap:
    /// resync, acknowledge: {every: 10, within: 1s}}`.
    public mutating func resume(_ key: String, slot: TimerSlot, _ help: String = "") -> Resume {
        let words: [(String, Resume.CursorRetention)] = [
            ("nothing", .nothing), ("cursor", .cursor), ("persisted", .persisted),
        ]
        let plain = ValueFormat.word(words).map {
            Resume($0, slot: slot)
        } back: {
            $0.retention
        }
        let read = either(key, help, plain: plain) { settings in
            var resume = Resume(
                settings.word(
                    "keeps", of: [("nothing", .nothing), ("cursor", .cursor), ("persisted", .persisted)],
                    default: .cursor, "state that outlives a connection; persisted: it also outlives the process"),
                slot: slot)
            settings.readResume(&resume)
            return resume
        }
        return read ?? Resume(.cursor, slot: slot)
    }

    private mutating func readResume(_ resume: inout Resume) {
        resume.handshake = word(
            "handshake", of: [("received", Resume.Handshake.received), ("sequences", .sequences)], default: .received,
            "received: each side states what it has received; sequences: exactly as in the WebSocket article, with its wrong numbers"
        )
        resume.onGap = word(
            "on-gap", of: [("ignore", Resume.GapAction.ignore), ("mark", .mark), ("resync", .resync)], default: .ignore,
            "if the server continues beyond the cursor: no check, a notice to the user, or a request for everything")
        resume.storesBeforeShowing =
            word(
                "stores", of: [("after-showing", false), ("before-showing", true)], default: false,
                "order of storing and showing; a crash in between shows a message twice (after-showing) or loses it (before-showing)"
            )
        resume.storeBatch =
            batch("store", "batches in which a persisted cursor is written to storage")
            ?? Resume.Batch()
        resume.showDelay = span(
            "shows-after", default: .zero, in: .zero ... .hours(1), "time from a message's arrival until it is shown")
        resume.acknowledgeBatch = batch(
            "acknowledge", "acknowledges received messages to the server, in messages of its own")
        resume.window = span(
            "window", in: .milliseconds(1) ... .longest,
            "after a longer absence it requests everything instead of resuming")
        readRecognition(&resume)
    }

    private mutating func batch(_ key: String, _ help: String) -> Resume.Batch? {
        section(key, help) { settings in
            Resume.Batch(
                every: UInt32(settings.count("every", default: 1, in: 1...1_000_000, "messages per batch")),
                within: settings.span(
                    "within", default: .seconds(1), in: .zero ... .hours(24),
                    "longest time after the first message of a batch"))
        }
    }

    private mutating func readRecognition(_ resume: inout Resume) {
        let words: [(String, Resume.Deduplication)] = [("cursor", .cursor), ("none", .nothing)]
        let read = either(
            "dedup", "detection of duplicates: by the cursor, none, or by a Bloom filter, which makes errors",
            plain: .word(words)
        ) { settings in
            Resume.Deduplication.bloom(
                bits: UInt32(settings.size("bloom", default: 512, in: 8...65_536, "size of the filter")) * 8,
                // The best value for 1,000 keys in 512 bytes: bits / keys times ln 2.
                hashes: UInt8(settings.count("hashes", default: 3, in: 1...32, "bits set for each message")),
                keys: UInt32(
                    settings.count("keys", default: 1_000, in: 1...4_096, "messages before the filter is emptied")))
        }
        resume.deduplication = read ?? .cursor
    }

    /// Reads the settings of the queue for unconfirmed messages, written as `queue: memory` or `queue: {keeps: stored,
    /// bound: 1000, overflow: halve}`.
    public mutating func messageQueue(
        _ key: String, default fallback: MessageQueue, batchSlot: TimerSlot, retrySlot: TimerSlot, _ help: String = ""
    ) -> MessageQueue {
        let words: [(String, MessageQueue.QueueRetention)] = [
            ("none", .nothing), ("memory", .memory), ("stored", .stored),
        ]
        let plain = ValueFormat.word(words).map {
            MessageQueue($0)
        } back: {
            $0.retention
        }
        let read = either(key, help, plain: plain) { settings in
            var queue = MessageQueue(
                settings.word(
                    "keeps",
                    of: [("none", MessageQueue.QueueRetention.nothing), ("memory", .memory), ("stored", .stored)],
                    default: .stored, "lifetime of unconfirmed messages; stored: they outlive the process"))
            queue.removal = settings.word(
                "until", of: [("confirmed", MessageQueue.RemovalRule.confirmed), ("sent", .sent)], default: .confirmed,
                "event that removes a message from the queue")
            queue.bound = settings.count("bound", in: 1...10_000_000, "capacity in messages").map { UInt32($0) }
            queue.boundBytes = settings.size(
                "bytes", in: 1...(1 << 40),
                "with `until: sent`: capacity in bytes while nothing is connected; further messages are refused"
            ).map { UInt64($0) }
            if queue.boundBytes != nil && queue.removal != .sent {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "bytes"), width: 5,
                        "`bytes` of a queue that keeps messages until confirmed",
                        label: "add `until: sent`, or write a `bound` in messages"))
            }
            queue.batch = settings.sendBatch(slot: batchSlot)
            if queue.batch != nil, queue.retention == .nothing, !settings.isDescribing {
                settings.refuse(["batch"], "with `keeps: none`", label: "nothing waits in such a queue")
            }
            queue.onRefusal = settings.refusalPolicy(slot: retrySlot)
            queue.uploads = settings.chunks()
            if queue.retention == .nothing || queue.removal == .sent, !settings.isDescribing {
                settings.refuse(
                    ["on-refusal", "chunks"], "with `keeps: none` or `until: sent`",
                    label: "such a queue keeps no message that it has sent")
            }
            queue.overflow = settings.word(
                "overflow",
                of: [
                    ("refuse", MessageQueue.QueueOverflow.refuse), ("drop-oldest", .dropOldest),
                    ("drop-newest", .dropNewest),
                    ("halve", .halve),
                ], default: .refuse,
                "effect of a message beyond the capacity; halve: the older half is dropped, and the user is notified")
            queue.hasKeys = settings.flag(
                "keys", default: true, "messages carry keys that let a server detect duplicates")
            queue.flushForgets = settings.word(
                "flush", of: [("keep", false), ("forget", true)], default: false,
                "forget: messages that were already sent when the app goes to the background are never sent again")
            return queue
        }
        return read ?? fallback
    }

    private mutating func sendBatch(slot: TimerSlot) -> MessageQueue.SendBatch? {
        section("batch", "messages wait until some can be sent together; a new connection sends all that wait") {
            settings in
            MessageQueue.SendBatch(
                every: UInt32(settings.count("every", default: 10, in: 2...1_000_000, "messages per batch")),
                within: settings.span(
                    "within", default: .minutes(5), in: .milliseconds(1) ... .longest,
                    "longest time after the first message of a batch"),
                timing: settings.timerOptions("the end of this time"), slot: slot)
        }
    }

    /// Reads `resume` and `queue` of one client. Datagrams are never confirmed, so there is nothing to send again.
    public mutating func messages(
        _ transport: Transport, slot: TimerSlot, batch batchSlot: TimerSlot, retry retrySlot: TimerSlot
    ) -> (Resume, MessageQueue) {
        let resume = resume("resume", slot: slot, "state that a new connection takes over from the old one")
        let queue = messageQueue(
            "queue", default: .defaultQueue(with: resume), batchSlot: batchSlot, retrySlot: retrySlot,
            "the app's unconfirmed messages; default by `resume`: none for nothing, memory for cursor, stored for persisted"
        )
        guard transport.kind == .datagram else { return (resume, queue) }
        return (Resume(.nothing, slot: slot), MessageQueue(.nothing))
    }
}
