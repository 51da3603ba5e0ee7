public import DeadzonePrimitives

/// One thing that happened, in 24 plain bytes. Metrics are folds of records and nothing else, so a saved trace gives the
/// numbers of the run that wrote it.
public struct Record: Hashable, Sendable, BitwiseCopyable {
    public let at: Instant
    /// The phone's index.
    public let lane: UInt32
    public let kind: Kind
    /// What `kind` says it is.
    public let tag: UInt16
    /// What `kind` says it is.
    public let value: Int64

    @inlinable public init(at: Instant, lane: UInt32, kind: Kind, tag: UInt16 = 0, value: Int64 = 0) {
        self.at = at
        self.lane = lane
        self.kind = kind
        self.tag = tag
        self.value = value
    }
}

/// What a record says. Raw values are written to traces: append, never renumber.
/// A record that closes a period is written at its end and carries its length, so that a fold needs no memory of beginnings.
public enum Kind: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    // The radio. tag of `residency`: RadioTag; value: nanoseconds that ended now.
    case residency = 1
    /// An idle radio begins to promote. tag: interface.
    case promotion
    /// Bytes on the air. tag: BytesTag; value: bytes with all headers.
    case bytes

    // Messages. value: the message's index in its direction.
    case sentDown = 10, sentUp
    /// The app has it. value: nanoseconds from sent to seen.
    case deliveredDown
    /// The server has it. value: nanoseconds from sent to the server.
    case deliveredUp
    /// The app learned that the server has it. value: nanoseconds from sent to the acknowledgement.
    case acknowledgedUp
    /// Nothing will bring these to their end any more. value: how many.
    case lostDown, lostUp
    /// The same message arrived once more. value: how many.
    case duplicatedDown, duplicatedUp
    /// Still on their way at the horizon. value: how many.
    case pendingDown, pendingUp
    /// A probe of the server came back. value: its round trip in nanoseconds.
    case probeAnswered
    /// A probe of the server that did not come back. value: how many.
    case probeLost

    // Connections. value: the connection's number in its slot, from 1, unless said otherwise.
    /// tag: 1 once a herd has begun by a change of the timeline, 0 before.
    case connecting = 30
    case opened
    /// tag: a CloseCode.
    case closed
    /// An attempt that never opened. tag: a FailureCode.
    case failed
    /// The client, or its kernel, closed a connection that would have worked: just then, or as it turns out now.
    case falseDrop
    /// A believed connection was dead for this long until the client knew, was stopped by its system, or until the horizon.
    /// value: nanoseconds; 0 if the client was told at once.
    case zombie
    /// A live connection was cut off for this long: no byte sent on it could be answered then. value: nanoseconds.
    case blocked
    /// From the death of a connection to the client knowing. value: nanoseconds.
    case detected
    /// From a working path to the first byte served. value: nanoseconds.
    case recovered
    /// The connection was open and true for this long. value: nanoseconds.
    case available
    /// The client asked to go on from its cursor. value: the cursor.
    case resumed
    case pinged, ponged
    /// The client acted on a timer. tag: the timer's slot.
    case timerFired
    /// The phone's timeline changed. tag: index of the change in the world's timeline; value: 1 if there was something to
    /// change, else 0.
    case weather
    /// The accept queue of a shared server has set a connection up.
    case serverAccepted
    /// The lane is over. value: nanoseconds simulated.
    case finished
    /// The lane was stopped. tag: a StopCode; value: events at that instant.
    case stopped

    // Periods that the horizon cut: what `detected` and `recovered` would have closed. value: nanoseconds so far.
    /// A dead connection that the client still believed in.
    case undetected
    /// A working path over which nothing had been served yet.
    case unrecovered

    /// As `zombie`, of an app that its system did not let run. value: nanoseconds.
    case zombieFrozen = 65

    // The phone. tag of `awake`: cause; value: nanoseconds awake with the screen off that ended now.
    case awake = 80
    /// The processor woke with the screen off. tag: cause.
    case woke
    /// A maintenance window was open. value: nanoseconds.
    case window
    /// The app could not run. tag: a SuspensionCode; value: nanoseconds.
    case suspended
    /// The app's process ended, and a new one began.
    case killed, relaunched
    /// A timer went off later than the app had asked. tag: the timer's slot; value: nanoseconds late.
    case timerLate
    /// The push service woke the app. value: nanoseconds from the server's request.
    case pushed
    /// The operating system told the app something of its networks. tag: a NetworkCode; value: the interface.
    case networkTold
    /// The app's process ended itself.
    case crashed = 95

    // Calls. value: the call's index.
    case called = 100
    /// value: nanoseconds from the app's wish to the answer.
    case answered
    /// tag: a CallCode; value: nanoseconds from the app's wish to the app's knowing.
    case callFailed
    /// A call that had not come to its end at the horizon. value: how many.
    case callPending
    /// An answer that came after the call was given up, or once more.
    case answerUnused
    /// A mapping of a middlebox ran out under a connection that was still open. tag: interface.
    case mappingExpired
    /// The server wants a connection no longer. tag: an ExpiryCode; value: the connection's number in its slot.
    case serverExpired
    /// A name was asked for. tag: a ResolutionCode; value: nanoseconds.
    case resolved
    /// The server told the client to go away. tag: a GoAwayCode.
    case goAway
    /// No call succeeded: from the app's wish for the first call that failed to the next answer of any call, or to the horizon.
    /// tag: how many calls failed in between, at most 65,535; value: nanoseconds.
    case callOutage
    /// A call was handed to a connection once more. value: the call's index.
    case callRepeated

    // The path.
    /// A queue was full. tag: BytesTag; value: how many packets found no place.
    case queueDropped = 130

    // Delivery. value: how many messages, unless said otherwise.
    /// Messages that had arrived before came once more, and were recognised and dropped.
    case suppressedDown = 200, suppressedUp
    /// A new message was taken for one that had come before, and dropped. It is also lost.
    case mistakenDown, mistakenUp
    /// A message came to its end after one that was sent later.
    case reorderedDown, reorderedUp
    /// Somebody knows that messages are missing. tag: the direction.
    case gapNoticed
    /// The app went on behind a gap, and nobody knows. tag: the direction.
    case gapUnnoticed
    /// The server sent everything anew. value: bytes of the snapshot.
    case fullSync
    /// A client went on from its cursor. value: messages between it and the server's newest.
    case drift
    /// A session's memory of what it has had, or what it has grown by. value: bytes.
    case dedupMemory
    /// The app's own queue was full and threw messages away.
    case queueOverflow
    /// The app was opened, and shows everything that the server had for it then. value: nanoseconds.
    case fresh
    /// It was left, or the run ended, before that. value: nanoseconds.
    case stale
    /// The server did not let a connection in, since another of the session stands. value: its number in its slot.
    case sessionRefused

    // Signs of life. value: how many strikes there are by now; how many the server has sent on the connection.
    /// A ping came too soon for the server.
    case pingStruck = 160
    /// The server sent a heartbeat of its own.
    case serverPinged
    // The server's program (170 to 179).
    /// A call reached it. value: the call's index.
    case serverAsked = 170
    /// It would not do what it was asked. tag: a RejectionCode; value: the call's index, or the connection's number.
    case serverRejected

    // Buffers and windows (180 to 199).
    /// The buffer before the app's consumer became full. value: how many messages it held.
    case bufferFilled = 180
    /// Messages that found no room in it, or made room. tag: an OverflowCode; value: how many.
    case bufferDropped
    /// At the horizon. value: the most messages that the buffer held.
    case bufferPeak
    /// At the horizon. value: the most bytes of messages that waited for the consumer, unread ones included.
    case memoryPeak
    /// The consumer stands still. value: nanoseconds, from now.
    case consumerStalled
    /// The flow-control window is used up, and there is more to say. tag: direction.
    case windowShut
    /// It was so for this long. tag: direction; value: nanoseconds.
    case flowStalled
    /// The send buffer of the phone's kernel is full, and the app has more to say.
    case socketFilled
    /// It was so for this long. value: nanoseconds.
    case socketStalled
    /// An app under message flow control has written. value: how many writes are without their callback.
    case writesPending
    /// Callbacks of writes came. value: how many.
    case writesCalledBack
    /// The app asked for messages. value: how many.
    case messagesAsked

    // Fleets (220 to 229). tag: 0 from the start of the run, 1 since a change of the timeline.
    /// A change of the timeline that may take the connections of all phones at once took effect.
    case herdBegan = 220
    /// The phone is connected again, for the first time since the herd began. value: nanoseconds since then.
    case herdBack
    /// It was not at the horizon. value: nanoseconds since the herd began.
    case herdMissing
    /// The server no longer has a connection, or the run is over. tag: 0; value: nanoseconds that it had it.
    case serverHeld

    // The queue of the server's program (230 to 239).
    /// At the horizon. value: the most bytes of messages that waited for one connection of the phone.
    case serverQueuePeak = 230
    /// Messages that the server left out, since newer ones had come before a connection took them. value: how many.
    case serverQueueDropped

    /// An attempt that failed at once, for there was no network. value: 0.
    case attemptedOffline = 240

    // What is still waited for at the horizon (250 to 259), one record each. value: nanoseconds that it has been so far.
    /// A pending message of the server.
    case waitedDown = 250
    /// A message of the app that is pending, or has come and is not acknowledged.
    case waitedUp
    /// An open call.
    case waitedCall
    /// A probe that is under way.
    case waitedProbe
}

/// How a residency names its interface, the technology that its radio then is, power level and cause in 16 bits.
public struct RadioTag: Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public init(interface: Interface, technology: UInt8 = 0, level: UInt8, cause: Cause) {
        rawValue =
            UInt16(technology) << 13 | UInt16(interface.rawValue) << 12 | UInt16(level) << 6
            | UInt16(cause.rawValue)
    }

    @inlinable public var interface: Interface? { Interface(rawValue: UInt8(truncatingIfNeeded: rawValue >> 12 & 1)) }
    /// 0 for what the radio is at first; eight at most.
    @inlinable public var technology: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 13) }
    @inlinable public var level: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 6 & 63) }
    @inlinable public var cause: Cause? { Cause(rawValue: UInt8(truncatingIfNeeded: rawValue & 63)) }
}

/// How bytes on the air name their interface, its technology, direction and cause in 16 bits.
public struct BytesTag: Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public init(interface: Interface, technology: UInt8 = 0, direction: Direction, cause: Cause) {
        rawValue =
            UInt16(technology) << 13 | UInt16(interface.rawValue) << 12 | UInt16(direction.rawValue) << 6
            | UInt16(cause.rawValue)
    }

    @inlinable public var interface: Interface? { Interface(rawValue: UInt8(truncatingIfNeeded: rawValue >> 12 & 1)) }
    /// 0 for what the radio is at first; eight at most.
    @inlinable public var technology: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 13) }
    @inlinable public var direction: Direction? { Direction(rawValue: UInt8(truncatingIfNeeded: rawValue >> 6 & 63)) }
    @inlinable public var cause: Cause? { Cause(rawValue: UInt8(truncatingIfNeeded: rawValue & 63)) }
}
