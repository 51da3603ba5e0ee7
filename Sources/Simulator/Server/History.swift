package import DeadzoneBase

/// Rules for how long a server keeps sent messages, so that a client can resume after an absence.
///
/// A message is kept while it is among the newest `messages` and younger than `time`. "1000 messages or 5 minutes,
/// whichever is larger" of the WebSocket article is a window for duplicates, not for the history. Centrifugo limits
/// number and age (centrifugal/centrifuge `config.go`, HistorySize and HistoryTTL); an XMPP server keeps the stanzas
/// that are not acknowledged (XEP-0198).
package struct History: Hashable, Sendable, BitwiseCopyable {
    /// The event after which a server also deletes a kept message, in addition to the limits of number and age.
    package enum Purge: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case never
        /// Delete a message when the client has confirmed it.
        case acknowledged
        /// Delete a message when the client's kernel has acknowledged it, even if its app has not processed it.
        case confirmed
        /// Delete a message when it was written to a connection.
        case sent
    }

    /// The server's response to a client that resumes at a message which the server no longer keeps.
    package enum ExpiredCursorAction: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Send one snapshot of the complete state, then new messages.
        case snapshot
        /// Send the remaining messages, without telling the client that some are missing (centrifugal/centrifugo#165,
        /// before answers had `recovered`).
        case silence
    }

    package var messages: UInt32?
    package var time: TimeSpan?
    package var purge = Purge.never
    package var expiredCursorAction = ExpiredCursorAction.silence
    /// Size of a snapshot of the complete state, in bytes. 20 KiB is assumed: a screenful of chat with its names and
    /// times.
    package var snapshot: UInt32 = 20 << 10
    /// Number of the newest messages that the server sends to a client without a cursor.
    package var replay: UInt32 = 0

    package init() {}

    /// `true` if a message of this age is still kept when there are `newer` messages after it.
    package func keeps(age: TimeSpan, newer: UInt32) -> Bool {
        if let messages, newer >= messages { return false }
        if let time, age > time { return false }
        return true
    }
}

/// Rules for a client's session on the server: its lifetime, and the effect of a restart or a second connection.
package struct SessionRules: Hashable, Sendable, BitwiseCopyable {
    /// Maximum time without a connection, after which the server forgets the session. `nil` keeps it for ever.
    package var window: TimeSpan?
    /// `true` if responses name the server's epoch, which identifies one lifetime of the server. The client then does
    /// not mix up message numbers of different lifetimes (Centrifugo's epoch; without it: manaflow-ai/cmux#9615).
    package var namesEpoch = true
    /// `true` if history and sessions survive the end of the server's process. `false` if they are lost, and message
    /// numbers start from one again.
    package var survivesRestart = true
    /// `true` if a new connection of the same session replaces the old one. `false` if the server refuses a new
    /// connection while the old one exists.
    package var replaces = true

    package init() {}

    /// `true` if the server still knows the session of a client that was last connected at the time `left`. `.never`
    /// means that the client is connected.
    package func isKnown(left: Instant, at now: Instant) -> Bool {
        guard let window, left != .never else { return true }
        return now - left <= window
    }
}
