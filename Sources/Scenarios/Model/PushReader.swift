import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

extension SettingsReader {
    /// Reads how the server uses the push service: `push: high`, or `push: {priority: normal, collapse-keys: none}`.
    mutating func serverPush(_ server: inout ServerProfile) {
        var rules: PushQueueRules?
        let priority = either(
            "push",
            "push request when the server has a message and the phone is not connected; a map: several can wait",
            plain: .word(PushPolicy.words)
        ) { settings in
            var read = PushQueueRules()
            let options = settings.pushOptions()
            (read.collapseKeys, read.timeToLive) = (options.collapseKeys, options.timeToLive)
            read.pendingLimit = UInt16(
                settings.count(
                    "pending-limit", default: Int64(read.pendingLimit), in: 1...1_000,
                    "pushes without a collapse key that wait; one more discards all that wait, and the app is notified"
                ))
            read.keyLimit = UInt8(
                settings.count(
                    "key-limit", default: Int64(read.keyLimit), in: 1...100,
                    "different collapse keys that wait; one more discards the oldest push with a key"))
            rules = read
            return options.priority
        }
        if priority == nil, !isDescribing, !has("push") { resolve("push", to: .text("none")) }
        server.push = priority ?? .none
        server.pushQueue = rules
    }

    /// Reads how the server passes the messages of one stream to the push service; `nil` as all others.
    mutating func streamPush(canPush: Bool) -> PushOptions? {
        let options = either(
            "push", "push of this stream's messages, instead of the server's `push`",
            plain: ValueFormat.word(PushPolicy.words).map {
                PushOptions(priority: $0)
            } back: {
                $0.priority
            }
        ) { $0.pushOptions() }
        if let options, options.priority != .none, !canPush, !isDescribing { notePushWithoutService() }
        return options
    }

    mutating func notePushWithoutService() {
        note(
            Fault(
                .contradiction, at: mark(of: "push"), width: 4, "`push` to a phone without a push service",
                label: "name a `platform:` under phone"))
    }

    private mutating func pushOptions() -> PushOptions {
        var options = PushOptions(priority: .normal)
        options.priority = word(
            "priority", of: PushPolicy.words, default: .normal,
            "high wakes a phone in Doze at once; normal waits for its windows")
        options.collapseKeys = UInt16(
            value(
                "collapse-keys", ValueFormat<Int64>.orWord("none", 0, .count(in: 1...1_000)),
                default: Int64(options.collapseKeys),
                "different collapse keys, one for each message: a newer message replaces a waiting one with its key; "
                    + "none: each waits by itself"))
        options.timeToLive = span(
            "ttl", default: options.timeToLive, in: .zero...PushOptions.longestTimeToLive,
            "time for which the push service stores a message; 0s: it is delivered at once or never")
        return options
    }
}

extension PushPolicy {
    static let words: [(String, Self)] = [("none", .none), ("normal", .normal), ("high", .high)]
}

extension PushOptions {
    var node: Node {
        .list([
            .text(PushPolicy.words.word(priority)), .text(String(collapseKeys)),
            ValueFormat<TimeSpan>.span().write(timeToLive),
        ])
    }
}

extension ServerProfile {
    var pushNode: Node {
        guard let pushQueue else { return .text(PushPolicy.words.word(push)) }
        return .list([
            .text(PushPolicy.words.word(push)), .text(String(pushQueue.collapseKeys)),
            ValueFormat<TimeSpan>.span().write(pushQueue.timeToLive), .text(String(pushQueue.pendingLimit)),
            .text(String(pushQueue.keyLimit)),
        ])
    }
}
