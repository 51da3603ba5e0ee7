/// The cause for which a message never arrived, or for which a phone had no working connection. Raw values are written
/// to traces: append only. Names appear in event lines and in JSON: never rename them.
package enum LossCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Not known: a live run, or a trace of an earlier version.
    case unobserved = 0
    /// The system did not let the app run, or did not let it use the network (freezer, suspension, Doze).
    case appStopped
    /// The app's process had ended.
    case processEnded
    /// A middlebox, such as a NAT, had forgotten the connection.
    case mappingForgotten
    /// The connection was dead, and the client believed it open.
    case deadConnection
    /// The phone had no working network: no signal, no internet, a captive portal, or no network at all.
    case noPath
    /// The server was down or frozen, refused logins, or closed the connection.
    case serverUnavailable
    /// Network and server were available, but the client had no connection.
    case notConnected
    /// A packet without retransmission was lost on the path.
    case packetLost
    /// The server dropped the message because the phone accepted data too slowly.
    case serverQueueFull
    /// The buffer of the app's consumer was full.
    case appBufferFull
    /// The app's own send queue was full.
    case appQueueFull
    /// The message was new, but was taken for a duplicate.
    case deduplicated
    /// Client and server counted messages differently, so that one of them skipped messages.
    case miscounted
    /// The app's credentials had expired or were revoked, so the server refused its sessions.
    case credentialsExpired
    /// The client used an address that the server had left, or that the phone's network does not reach.
    case oldAddress
    /// The server's program refused the message, and the client gave it up. A record of silence has four bits for its
    /// cause, so this cause and later ones can only lose single messages.
    case refused
    /// The server had ended the stream of the message while the connection lived, or had not joined it yet.
    case streamDead

    package var name: String {
        switch self {
        case .unobserved: "unobserved"
        case .appStopped: "app_stopped"
        case .processEnded: "process_ended"
        case .mappingForgotten: "mapping_forgotten"
        case .deadConnection: "dead_connection"
        case .noPath: "no_path"
        case .serverUnavailable: "server_unavailable"
        case .notConnected: "not_connected"
        case .packetLost: "packet_lost"
        case .serverQueueFull: "server_queue_full"
        case .appBufferFull: "app_buffer_full"
        case .appQueueFull: "app_queue_full"
        case .deduplicated: "deduplicated"
        case .miscounted: "miscounted"
        case .credentialsExpired: "credentials_expired"
        case .oldAddress: "old_address"
        case .refused: "refused"
        case .streamDead: "stream_dead"
        }
    }

    /// The causes for which a phone may have no working connection. Others can only lose single messages.
    package static let silenceCauses: [LossCause] = [
        .appStopped, .processEnded, .mappingForgotten, .deadConnection, .noPath, .serverUnavailable, .notConnected,
        .credentialsExpired, .oldAddress,
    ]

    /// A few plain words for the row of a table.
    package var title: String {
        switch self {
        case .unobserved: "not observed"
        case .appStopped: "app stopped by its system"
        case .processEnded: "app's process ended"
        case .mappingForgotten: "NAT forgot the connection"
        case .deadConnection: "connection dead, believed open"
        case .noPath: "no working network"
        case .serverUnavailable: "server away"
        case .notConnected: "client not connected"
        case .packetLost: "packet lost on the path"
        case .serverQueueFull: "server's queue full"
        case .appBufferFull: "app's buffer full"
        case .appQueueFull: "app's send queue full"
        case .deduplicated: "taken for a duplicate"
        case .miscounted: "messages miscounted"
        case .credentialsExpired: "credentials expired"
        case .oldAddress: "wrong server address used"
        case .refused: "refused by the server's program"
        case .streamDead: "stream dead, connection alive"
        }
    }
}

/// The place at which a message was finally lost: the last component that could have delivered it and did not. Raw
/// values are written to traces: append only. Names appear in event lines and in JSON: never rename them.
package enum LossPlace: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case unobserved = 0
    /// At the server: the client's new session did not ask for earlier messages.
    case sessionStart
    /// At the server: the client asked for the message, and the history no longer had it.
    case serverHistory
    /// At the server: the client asked for the message, and the server had forgotten the session.
    case serverSession
    /// In the server's queue for this phone.
    case serverQueue
    /// On the path, in a datagram.
    case path
    /// In a connection: the sender kept no copy to send it again.
    case connection
    /// In the app's own send queue.
    case appQueue
    /// In the buffer of the app's consumer.
    case appBuffer
    /// In the memory of an app process that ended.
    case appMemory
    /// In the duplicate detection of the app.
    case appDuplicates
    /// In the duplicate detection of the server.
    case serverDuplicates
    /// At the server's program, which refused the message.
    case serverProgram
    /// At the server's program, which had no live stream for the message.
    case stream

    package var name: String {
        switch self {
        case .unobserved: "unobserved"
        case .sessionStart: "session_start"
        case .serverHistory: "server_history"
        case .serverSession: "server_session"
        case .serverQueue: "server_queue"
        case .path: "path"
        case .connection: "connection"
        case .appQueue: "app_queue"
        case .appBuffer: "app_buffer"
        case .appMemory: "app_memory"
        case .appDuplicates: "app_duplicates"
        case .serverDuplicates: "server_duplicates"
        case .serverProgram: "server_program"
        case .stream: "stream"
        }
    }

    /// A few plain words for the row of a table.
    package var title: String {
        switch self {
        case .unobserved: "not observed"
        case .sessionStart: "not asked for by the new session"
        case .serverHistory: "no longer in the server's history"
        case .serverSession: "session forgotten by the server"
        case .serverQueue: "server's queue"
        case .path: "path"
        case .connection: "ended connection, not sent again"
        case .appQueue: "app's send queue"
        case .appBuffer: "app's buffer"
        case .appMemory: "memory of the ended process"
        case .appDuplicates: "app's duplicate detection"
        case .serverDuplicates: "server's duplicate detection"
        case .serverProgram: "server's program"
        case .stream: "stream that the server had ended"
        }
    }
}

/// A range of consecutive messages that were lost for the same cause at the same place: the content of a `lostDown` or
/// `lostUp` record. The tag holds the change of the timeline, the value everything else.
@usableFromInline package struct MessageLoss: Hashable, Sendable, BitwiseCopyable {
    /// Largest number of messages in one record.
    package static let maxCount: UInt32 = 1 << 24 - 1

    package var cause: LossCause
    package var place: LossPlace
    /// Index of the first message.
    package var first: UInt32
    package var count: UInt32
    /// Index of the timeline change that caused the loss; `nil` if none did.
    package var change: UInt16?

    package init(_ cause: LossCause, _ place: LossPlace, first: UInt32, count: UInt32, change: UInt16? = nil) {
        self.cause = cause
        self.place = place
        self.first = first
        self.count = count
        self.change = change
    }

    /// Decodes the tag and the value of a record. `nil` if they have no meaning.
    package init?(tag: UInt16, value: Int64) {
        let code = value >> 55 & 15 | (value >> 54 & 1) << 4
        guard value >= 0, let cause = LossCause(rawValue: UInt8(truncatingIfNeeded: code)),
            let place = LossPlace(rawValue: UInt8(truncatingIfNeeded: value >> 59 & 15))
        else { return nil }
        self.cause = cause
        self.place = place
        first = UInt32(truncatingIfNeeded: value >> 24 & 0x3FFF_FFFF)
        count = Self.count(in: value)
        change = tag == 0 ? nil : tag - 1
    }

    /// Number of messages in the value of a record.
    @inlinable package static func count(in value: Int64) -> UInt32 { UInt32(truncatingIfNeeded: value & 0xFF_FFFF) }

    var tag: UInt16 { change.map { $0 == .max ? 0 : $0 + 1 } ?? 0 }

    var value: Int64 {
        // The fifth bit of the cause lies below the other four: earlier traces had only those.
        Int64(place.rawValue) << 59 | Int64(cause.rawValue & 15) << 55 | Int64(cause.rawValue >> 4) << 54
            | Int64(first & 0x3FFF_FFFF) << 24 | Int64(min(count, Self.maxCount))
    }

    static func emitFields(tag: UInt16, value: Int64, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        guard let loss = MessageLoss(tag: tag, value: value) else { return emit("count", .number(value)) }
        emit("count", .number(Int64(loss.count)))
        guard loss.cause != .unobserved else { return }
        emit("message", .number(Int64(loss.first)))
        emit("reason", .text(loss.cause.name))
        emit("place", .text(loss.place.name))
        if let change = loss.change { emit("change", .number(Int64(change))) }
    }

    static let keys = ["count", "message", "reason", "place", "change"]
}

/// The tag of a record of silence or of absence: the cause, and the timeline change that led to it. Changes after the first 4,094 do
/// not fit and count as none.
@usableFromInline package struct SilenceTag: RecordTag, Hashable, BitwiseCopyable {
    package let cause: LossCause
    /// Index of the timeline change; `nil` if none led to the silence.
    package let change: UInt16?

    package init(_ cause: LossCause, change: UInt16?) {
        self.cause = cause
        self.change = change
    }

    @usableFromInline package init?(bits: UInt16) {
        guard let cause = LossCause(rawValue: UInt8(truncatingIfNeeded: bits >> 12)) else { return nil }
        self.cause = cause
        change = bits & 0xFFF == 0 ? nil : bits & 0xFFF - 1
    }

    @usableFromInline package var bits: UInt16 {
        UInt16(cause.rawValue) << 12 | (change.map { $0 < 0xFFF ? $0 + 1 : 0 } ?? 0)
    }

    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .text(cause.name))
        if let change { emit("change", .number(Int64(change))) }
    }

    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<0 }
}

extension TaggedKind where Tag == SilenceTag {
    @inlinable package static var silent: Self { Self(.silent) }
    @inlinable package static var presenceAway: Self { Self(.presenceAway) }
}

extension RecordKind {
    /// `true` for the records that contain a `MessageLoss`.
    @inlinable package var isLoss: Bool { self == .lostDown || self == .lostUp }

    /// The direction of lost messages; `nil` for other records.
    package var lossDirection: Direction? { self == .lostDown ? .down : self == .lostUp ? .up : nil }
}

extension Record {
    /// The lost messages; `nil` for other records, and if the value has no meaning.
    package var loss: MessageLoss? { kind.isLoss ? MessageLoss(tag: tag, value: value) : nil }

    /// The value as a quantity that may be summed: for lost messages their number.
    @inlinable package var amount: Int64 { kind.isLoss ? Int64(MessageLoss.count(in: value)) : value }
}

extension JournalEntry {
    /// Creates the entry for lost messages.
    package init(_ loss: MessageLoss, _ direction: Direction) {
        self.init(direction == .down ? .lostDown : .lostUp, tag: loss.tag, value: loss.value)
    }

    /// The value as a quantity that may be summed: for lost messages their number.
    @inlinable package var amount: Int64 { kind.isLoss ? Int64(MessageLoss.count(in: value)) : value }
}

extension EffectQueue where Effect: JournalingEffect {
    /// Writes lost messages, in as many entries as their number needs.
    package mutating func note(_ loss: MessageLoss, _ direction: Direction) {
        var rest = loss
        while rest.count > 0 {
            append(.note(JournalEntry(rest, direction)))
            let written = min(rest.count, MessageLoss.maxCount)
            rest.first += written
            rest.count -= written
        }
    }
}
