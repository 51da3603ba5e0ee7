/// What a record says; its row of `Fact.all` says what that means. Raw values are written to traces: append, never renumber.
///
/// A record that closes a period is written at its end and carries its length, so that a fold needs no memory of beginnings.
public enum Kind: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    // The radio.
    case residency = 1
    case promotion, bytes

    // Messages.
    case sentDown = 10
    case sentUp, deliveredDown, deliveredUp, acknowledgedUp, lostDown, lostUp, duplicatedDown, duplicatedUp
    case pendingDown, pendingUp, probeAnswered, probeLost

    // Connections.
    case connecting = 30
    case opened, closed, failed, falseDrop, zombie, blocked, detected, recovered, available, resumed, pinged, ponged
    case timerFired, weather, serverAccepted, finished, stopped, undetected, unrecovered
    case zombieFrozen = 65

    // The phone.
    case awake = 80
    case woke, window, suspended, killed, relaunched, timerLate, pushed, networkTold
    case crashed = 95

    // Calls, and who ends what.
    case called = 100
    case answered, callFailed, callPending, answerUnused, mappingExpired, serverExpired, resolved, goAway, callOutage
    case callRepeated

    // The path.
    case queueDropped = 130

    // Signs of life, and the server's program.
    case pingStruck = 160
    case serverPinged
    case serverAsked = 170
    case serverRejected

    // Buffers and windows.
    case bufferFilled = 180
    case bufferDropped, bufferPeak, memoryPeak, consumerStalled, windowShut, flowStalled, socketFilled, socketStalled
    case writesPending, writesCalledBack, messagesAsked

    // Delivery.
    case suppressedDown = 200
    case suppressedUp, mistakenDown, mistakenUp, reorderedDown, reorderedUp, gapNoticed, gapUnnoticed, fullSync, drift
    case dedupMemory, queueOverflow, fresh, stale, sessionRefused

    // Fleets, and the queue of the server's program.
    case herdBegan = 220
    case herdBack, herdMissing, serverHeld
    case serverQueuePeak = 230
    case serverQueueDropped

    // What found no network, and what is still waited for at the horizon.
    case attemptedOffline = 240
    case waitedDown = 250
    case waitedUp, waitedCall, waitedProbe
}

extension Kind {
    /// Where it stands among all cases: what the compiler keeps of it in a byte. Raw values have gaps: each would be looked up in a table.
    @inlinable package var place: Int { Int(unsafeBitCast(self, to: UInt8.self)) }
}

// The rows, as the page of events prints them.
extension Fact {
    static let radio = [
        Fact(
            .residency, "residency", tag: "tag", .span,
            "A radio drew power at one level for this long; who pays for it."),
        Fact(.promotion, "promotion", tag: "interface", .nothing, "An idle radio begins to promote."),
        Fact(.bytes, "bytes", tag: "tag", .bytes, "Bytes on the air, with all headers."),
    ]

    static let messages = [
        Fact(.sentDown, "sent_down", .message, "The server wants to send; the message's index."),
        Fact(.sentUp, "sent_up", .message, "The app wants to send; the message's index."),
        Fact(.deliveredDown, "delivered_down", .after, "The app has it; from sent to seen."),
        Fact(.deliveredUp, "delivered_up", .after, "The server has it; from sent to the server."),
        Fact(.acknowledgedUp, "acknowledged_up", .after, "The app learned that the server has it; since it was sent."),
        Fact(.lostDown, "lost_down", .count, "Nothing will bring these to the app any more."),
        Fact(.lostUp, "lost_up", .count, "Nothing will bring these to the server any more."),
        Fact(.duplicatedDown, "duplicated_down", .count, "The app took messages for new once more."),
        Fact(.duplicatedUp, "duplicated_up", .count, "The server took messages for new once more."),
        Fact(.pendingDown, "pending_down", .count, "Still on their way to the app at the horizon."),
        Fact(.pendingUp, "pending_up", .count, "Still on their way to the server at the horizon."),
        Fact(.probeAnswered, "probe_answered", .after, "A probe of the server came back; its round trip."),
        Fact(.probeLost, "probe_lost", .count, "A probe of the server did not come back."),
    ]

    static let connections = [
        Fact(
            .connecting, "connecting", tag: "after_trigger", .connection,
            "An attempt; whether a herd has begun by a change of the timeline."),
        Fact(.opened, "opened", .connection, "It is open; its number in its slot, from 1."),
        Fact(.closed, "closed", tag: "reason", .connection, "It was open and is so no longer, as the client knows."),
        Fact(.failed, "failed", tag: "reason", .connection, "An attempt that never opened."),
        Fact(
            .falseDrop, "false_drop", .connection,
            "The client, or its kernel, closed one that would have worked: just then, or as it turns out now."),
        Fact(
            .zombie, "zombie", .span,
            "A believed connection was dead until the client knew, was stopped by its system, or until the horizon; 0 if it was told at once."
        ),
        Fact(.blocked, "blocked", .span, "A live one was cut off: no byte sent on it could be answered then."),
        Fact(.detected, "detected", .after, "From the death of a connection to the client knowing."),
        Fact(.recovered, "recovered", .after, "From a working path to the first byte served."),
        Fact(.available, "available", .span, "It was open and true for this long."),
        Fact(.resumed, "resumed", .cursor, "The client asked to go on from its cursor."),
        Fact(.pinged, "pinged", .nothing, "The client sent a ping."),
        Fact(.ponged, "ponged", .roundTrip, "Its answer came."),
        Fact(.timerFired, "timer_fired", tag: "timer", .nothing, "The client acted on a timer; the timer's slot."),
        Fact(
            .weather, "weather", tag: "change", .tookEffect,
            "The timeline changes something; its line, and whether there was something to change."),
        Fact(.serverAccepted, "server_accepted", .connection, "The accept queue of a shared server set one up."),
        Fact(.finished, "finished", .span, "The phone's run is over; time simulated."),
        Fact(.stopped, "stopped", tag: "code", .events, "The phone's run was stopped; events at that instant."),
        Fact(.undetected, "undetected", .span, "Cut by the horizon: dead, and the client still believed in it."),
        Fact(.unrecovered, "unrecovered", .span, "Cut by the horizon: a working path, and nothing served yet."),
        Fact(.zombieFrozen, "zombie_frozen", .span, "As `zombie`, of an app that its system did not let run."),
    ]

    static let phone = [
        Fact(.awake, "awake", tag: "cause", .span, "The processor was awake with the screen off until now."),
        Fact(.woke, "woke", tag: "cause", .nothing, "The processor woke with the screen off."),
        Fact(.window, "window", .span, "A maintenance window was open."),
        Fact(.suspended, "suspended", tag: "reason", .span, "The app could not run."),
        Fact(.killed, "killed", .nothing, "Somebody else ended the app's process."),
        Fact(.relaunched, "relaunched", .nothing, "A new process of the app began."),
        Fact(.timerLate, "timer_late", tag: "timer", .after, "A timer went off so much later than the app had asked."),
        Fact(.pushed, "pushed", .after, "The push service woke the app; since the server's request."),
        Fact(
            .networkTold, "network_told", tag: "network", .interface, "The system told the app something of a network."),
        Fact(.crashed, "crashed", .nothing, "The app's process ended itself."),
    ]

    static let calls = [
        Fact(.called, "called", .call, "The app asks; the call's index."),
        Fact(.answered, "answered", .after, "It has its answer; since it wished for it."),
        Fact(
            .callFailed, "call_failed", tag: "reason", .after,
            "It knows that there will be none; since it wished for it."),
        Fact(.callPending, "call_pending", .count, "Calls that had not come to their end at the horizon."),
        Fact(.answerUnused, "answer_unused", .call, "An answer after the call was given up, or once more."),
        Fact(
            .callOutage, "call_outage", tag: "calls", .span,
            "No call succeeded, from the wish for the first that failed to the next answer or the horizon; how many failed, at most 65,535."
        ),
        Fact(.callRepeated, "call_repeated", .call, "A call was handed to a connection once more."),
    ]

    static let servers = [
        Fact(.mappingExpired, "mapping_expired", tag: "interface", .nothing, "A middlebox forgot an open connection."),
        Fact(.serverExpired, "server_expired", tag: "reason", .connection, "The server wants it no longer."),
        Fact(.resolved, "resolved", tag: "result", .after, "A name was asked for."),
        Fact(.goAway, "go_away", tag: "reason", .nothing, "The server told the client to go away."),
        Fact(.queueDropped, "queue_dropped", tag: nil, .count, "A queue on the path had no place for so many packets."),
        Fact(.pingStruck, "ping_struck", .count, "A ping came too soon for the server; its strikes by now."),
        Fact(.serverPinged, "server_pinged", .count, "The server's own heartbeat; how many on the connection by now."),
        Fact(.serverAsked, "server_asked", .call, "A call reached the server's program."),
        Fact(
            .serverRejected, "server_rejected", tag: "reason", .call,
            "It would not do what it was asked; the call's index, or the connection's number."),
    ]

    static let flow = [
        Fact(.bufferFilled, "buffer_filled", .count, "The buffer before the app's consumer is full; messages in it."),
        Fact(
            .bufferDropped, "buffer_dropped", tag: "overflow", .count,
            "Messages that found no room in it, or made room."),
        Fact(.bufferPeak, "buffer_peak", .count, "At the horizon: the most messages that it held."),
        Fact(
            .memoryPeak, "memory_peak", .bytes,
            "At the horizon: the most that waited for the consumer, unread included."),
        Fact(.consumerStalled, "consumer_stalled", .span, "The consumer stands still for so long from now."),
        Fact(
            .windowShut, "window_shut", tag: "direction", .nothing,
            "The flow-control window is used up, with more to say."),
        Fact(.flowStalled, "flow_stalled", tag: "direction", .span, "It was so for this long."),
        Fact(
            .socketFilled, "socket_filled", .nothing, "The send buffer of the phone's kernel is full, with more to say."
        ),
        Fact(.socketStalled, "socket_stalled", .span, "It was so for this long."),
        Fact(.writesPending, "writes_pending", .count, "The app has written; writes without their callback."),
        Fact(.writesCalledBack, "writes_called_back", .count, "Callbacks of writes came."),
        Fact(.messagesAsked, "messages_asked", .count, "The app asked for so many messages."),
    ]

    static let delivery = [
        Fact(.suppressedDown, "suppressed_down", .count, "Messages came to the app once more, and were recognised."),
        Fact(.suppressedUp, "suppressed_up", .count, "Messages came to the server once more, and were recognised."),
        Fact(.mistakenDown, "mistaken_down", .count, "The app took new ones for known, and dropped them: also lost."),
        Fact(.mistakenUp, "mistaken_up", .count, "The server took new ones for known, and dropped them: also lost."),
        Fact(.reorderedDown, "reordered_down", .count, "Messages reached the app after one that was sent later."),
        Fact(.reorderedUp, "reordered_up", .count, "Messages reached the server after one that was sent later."),
        Fact(.gapNoticed, "gap_noticed", tag: nil, .count, "Somebody knows that messages are missing."),
        Fact(.gapUnnoticed, "gap_unnoticed", tag: nil, .count, "The app went on behind a gap, and nobody knows."),
        Fact(.fullSync, "full_sync", .bytes, "The server sent everything anew."),
        Fact(.drift, "drift", .count, "A client went on from its cursor; messages up to the server's newest."),
        Fact(.dedupMemory, "dedup_memory", .bytes, "A session's memory of what it has had, or what it has grown by."),
        Fact(.queueOverflow, "queue_overflow", .count, "The app's own queue was full and threw messages away."),
        Fact(.fresh, "fresh", .after, "The app was opened, and shows all that the server had for it then."),
        Fact(.stale, "stale", .span, "It was left, or the run ended, before that."),
        Fact(
            .sessionRefused, "session_refused", .connection,
            "The server let it not in, since another of the session stands."),
    ]

    static let herds = [
        Fact(
            .herdBegan, "herd_began", tag: nil, .nothing,
            "A change that may take the connections of all phones took effect."),
        Fact(
            .herdBack, "herd_back", tag: "after_trigger", .after,
            "The phone is connected again, for the first time since the herd began."),
        Fact(.herdMissing, "herd_missing", tag: "after_trigger", .after, "It was not at the horizon."),
        Fact(.serverHeld, "server_held", .span, "The server no longer has a connection, or the run is over."),
        Fact(.serverQueuePeak, "server_queue_peak", .bytes, "At the horizon: the most that waited for one connection."),
        Fact(
            .serverQueueDropped, "server_queue_dropped", .count,
            "The server left messages out, since newer ones had come."),
        Fact(.attemptedOffline, "attempted_offline", .nothing, "An attempt failed at once, for there was no network."),
    ]

    /// At the horizon, one record each.
    static let waits = [
        Fact(.waitedDown, "waited_down", .span, "A pending message of the server has been waited for."),
        Fact(.waitedUp, "waited_up", .span, "A message of the app that is pending, or not acknowledged, has been."),
        Fact(.waitedCall, "waited_call", .span, "An open call has been."),
        Fact(.waitedProbe, "waited_probe", .span, "A probe under way has been."),
    ]
}
