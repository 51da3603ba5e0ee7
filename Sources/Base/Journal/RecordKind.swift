/// The kind of event that a journal record describes. The row of a kind in `RecordDefinition.all` states its meaning.
/// Raw values are written to traces: append, never renumber.
///
/// A record that closes a period is written at the end of the period and contains its length. A fold therefore does not
/// need to remember when a period began.
@usableFromInline package enum RecordKind: UInt16, CaseIterable, Sendable, BitwiseCopyable {
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
    case silent, transportChanged

    // The phone.
    case awake = 80
    case woke, window, suspended, killed, relaunched, timerLate, pushed, networkTold
    case crashed = 95

    // Calls, and events that end connections.
    case called = 100
    case answered, callFailed, callPending, answerUnused, mappingExpired, serverExpired, resolved, goAway, callOutage
    case callRepeated

    // The path.
    case queueDropped = 130
    case protocolBlocked

    // Devices that save power.
    case downlinkHeld = 140
    case downlinkDropped
    // Confirmable messages and DTLS sessions over datagrams.
    case exchangeRepeated, exchangeAbandoned, dtlsOpened, dtlsIgnored

    // Pings and heartbeats, and the server's program.
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

    // Attempts without a network, abandoned consumers, and pending items at the horizon.
    case attemptedOffline = 240
    case consumerAbandoned
    case waitedDown = 250
    case waitedUp, waitedCall, waitedProbe, waitedPush

    // Credentials.
    case credentialsRenewed = 120
    case credentialsRefused, loggedOut, loggedOutFor

    // Messages that the server's program refuses, and uploads that break off.
    case messageRefused = 146
    case messageRetried, uploadWasted, uploadResumed

    // The tunnel.
    case tunnelReady = 150
    case tunnelDown, tunnelDropped

    // The push service as a queue.
    case pushCollapsed = 192
    case pushDiscarded, pushExpired, pushUnregistered, pushDemoted, pushTokenVoid
    // Subscriptions that share a connection.
    case subscriptionRejoining = 215
    case subscriptionJoining = 224
    case subscriptionJoined, subscriptionRefused, subscriptionEnded, subscriptionDeaf, subscriptionOut
    // The presence that the server shows to other users.
    case presenceAway = 172
    case presenceBack, presenceStillAway, presenceGhost, presenceMissed

    // Paths to a peer.
    case pathSelected = 177
    case usedDirect, usedRelay
}

extension RecordKind {
    /// Index among all cases, which is the compiler's one-byte representation. Raw values have gaps, so `rawValue`
    /// would need a table lookup.
    @inlinable package var ordinal: Int { Int(unsafeBitCast(self, to: UInt8.self)) }
}

// The definitions in the order of the page of events.
extension RecordDefinition {
    static let radio = [
        RecordDefinition(
            .residency, "residency", tag: "tag", .span,
            "A radio stayed at one power level for this duration; the tag names the cause that is charged for it."),
        RecordDefinition(.promotion, "promotion", tag: "interface", .nothing, "An idle radio starts its promotion."),
        RecordDefinition(.bytes, "bytes", tag: "tag", .bytes, "Bytes sent or received over the air, with all headers."),
    ]

    static let messages = [
        RecordDefinition(.sentDown, "sent_down", .message, "The server has a message to send; the message's index."),
        RecordDefinition(.sentUp, "sent_up", .message, "The app has a message to send; the message's index."),
        RecordDefinition(
            .deliveredDown, "delivered_down", .after,
            "A message reached the app; time from sending until the app has seen it."),
        RecordDefinition(
            .deliveredUp, "delivered_up", .after,
            "A message reached the server; time from sending until the server has it."),
        RecordDefinition(
            .acknowledgedUp, "acknowledged_up", .after,
            "The server's acknowledgement of a message reached the app; time since the message was sent."),
        RecordDefinition(
            .lostDown, "lost_down", .loss,
            "Consecutive messages to the app that can no longer arrive: their number, the first, why and where."),
        RecordDefinition(
            .lostUp, "lost_up", .loss,
            "Consecutive messages to the server that can no longer arrive: their number, the first, why and where."),
        RecordDefinition(
            .duplicatedDown, "duplicated_down", .count,
            "Messages that the app accepted as new although it had received them before."),
        RecordDefinition(
            .duplicatedUp, "duplicated_up", .count,
            "Messages that the server accepted as new although it had received them before."),
        RecordDefinition(.pendingDown, "pending_down", .count, "Messages still on the way to the app at the horizon."),
        RecordDefinition(.pendingUp, "pending_up", .count, "Messages still on the way to the server at the horizon."),
        RecordDefinition(
            .probeAnswered, "probe_answered", .after, "The answer to a probe reached the server; its round trip."),
        RecordDefinition(.probeLost, "probe_lost", .count, "A probe of the server got no answer."),
    ]

    static let connections = [
        RecordDefinition(
            .connecting, "connecting", tag: "after_trigger", .connection,
            "A connection attempt; whether a change of the timeline has already triggered a herd."),
        RecordDefinition(.opened, "opened", .connection, "A connection opened; its number in its slot, from 1."),
        RecordDefinition(
            .closed, "closed", tag: "reason", .connection,
            "The client learned that an open connection has ended; the reason."),
        RecordDefinition(.failed, "failed", tag: "reason", .connection, "A connection attempt failed; the reason."),
        RecordDefinition(
            .falseDrop, "false_drop", .connection,
            "The client or its kernel closed a connection that would have worked, either at that time or later, when its path worked again."
        ),
        RecordDefinition(
            .zombie, "zombie", .span,
            "Time that a connection was dead while the client believed it open. It ends when the client knows, its system stops it, or the run ends; 0 if the client was notified at once."
        ),
        RecordDefinition(
            .blocked, "blocked", .span, "Time that a live connection was cut off: no byte sent on it could be answered."
        ),
        RecordDefinition(.detected, "detected", .after, "Time from the death of a connection until the client knew."),
        RecordDefinition(.recovered, "recovered", .after, "Time from a working path to the first byte served."),
        RecordDefinition(.available, "available", .span, "Time that a connection was open and working."),
        RecordDefinition(.resumed, "resumed", .cursor, "The client requested to resume from its cursor."),
        RecordDefinition(.pinged, "pinged", .nothing, "The client sent a ping."),
        RecordDefinition(.ponged, "ponged", .roundTrip, "The answer to a ping arrived; its round trip."),
        RecordDefinition(
            .timerFired, "timer_fired", tag: "timer", .nothing, "The client handled a timer; the timer's slot."),
        RecordDefinition(
            .weather, "weather", tag: "change", .tookEffect,
            "A change of the timeline; its line, and whether it had an effect."),
        RecordDefinition(
            .serverAccepted, "server_accepted", .connection, "The accept queue of a shared server set up a connection."),
        RecordDefinition(.finished, "finished", .span, "The phone's run is complete; the simulated time."),
        RecordDefinition(
            .stopped, "stopped", tag: "code", .events,
            "The phone's run was stopped; the number of events at that instant."),
        RecordDefinition(
            .undetected, "undetected", .span,
            "At the horizon: time since the death of a connection that the client still believes open."),
        RecordDefinition(
            .unrecovered, "unrecovered", .span, "At the horizon: time with a working path and no byte served yet."),
        RecordDefinition(
            .zombieFrozen, "zombie_frozen", .span, "As `zombie`, while the system did not let the app run."),
        RecordDefinition(
            .silent, "silent", tag: "reason", .span,
            "Time without a working connection, for one reason; the change of the timeline that led to it, if one did."),
        RecordDefinition(
            .transportChanged, "transport_changed", tag: "transport", .connection,
            "A connection attempt uses another transport than the attempt before it; the new one."),
    ]

    static let phone = [
        RecordDefinition(
            .awake, "awake", tag: "cause", .span, "Time that the processor was awake with the screen off, until now."),
        RecordDefinition(.woke, "woke", tag: "cause", .nothing, "The processor woke with the screen off."),
        RecordDefinition(.window, "window", .span, "Time that a maintenance window was open."),
        RecordDefinition(.suspended, "suspended", tag: "reason", .span, "Time that the app could not run."),
        RecordDefinition(.killed, "killed", .nothing, "The system or the user ended the app's process."),
        RecordDefinition(.relaunched, "relaunched", .nothing, "A new process of the app started."),
        RecordDefinition(.timerLate, "timer_late", tag: "timer", .after, "A timer fired late; the delay."),
        RecordDefinition(.pushed, "pushed", .after, "A push woke the app; time since the server's request."),
        RecordDefinition(
            .networkTold, "network_told", tag: "network", .interface, "The system reported a network event to the app."),
        RecordDefinition(.crashed, "crashed", .nothing, "The app's process ended itself."),
        RecordDefinition(
            .consumerAbandoned, "consumer_abandoned", .nothing,
            "The client ended its stream for good without telling the app's consumer."),
    ]

    static let calls = [
        RecordDefinition(.called, "called", .call, "The app made a call; the call's index."),
        RecordDefinition(
            .answered, "answered", .after, "The app received the answer to a call; time since it made the call."),
        RecordDefinition(
            .callFailed, "call_failed", tag: "reason", .after,
            "A call failed; time since the app made it."),
        RecordDefinition(
            .callPending, "call_pending", .count, "Calls that were neither answered nor failed at the horizon."),
        RecordDefinition(
            .answerUnused, "answer_unused", .call, "An answer arrived after its call was given up, or a second time."),
        RecordDefinition(
            .callOutage, "call_outage", tag: "calls", .span,
            "Time without a successful call, from the first failed call to the next answer or the horizon; the number of failed calls, at most 65,535."
        ),
        RecordDefinition(.callRepeated, "call_repeated", .call, "A call was sent on a connection again."),
    ]

    static let servers = [
        RecordDefinition(
            .mappingExpired, "mapping_expired", tag: "interface", .nothing, "A middlebox forgot an open connection."),
        RecordDefinition(
            .serverExpired, "server_expired", tag: "reason", .connection,
            "The server ended a connection because of one of its own limits."),
        RecordDefinition(
            .resolved, "resolved", tag: "result", .after, "The client looked up a name; the result and the duration."),
        RecordDefinition(
            .goAway, "go_away", tag: "reason", .nothing, "The server sent GOAWAY or an equivalent message; the reason."),
        RecordDefinition(
            .queueDropped, "queue_dropped", tag: nil, .count, "Packets that a full queue on the path dropped."),
        RecordDefinition(
            .protocolBlocked, "protocol_blocked", tag: "interface", .nothing,
            "A middlebox that blocks UDP dropped the first packet of a connection or of its new path."),
        RecordDefinition(
            .pingStruck, "ping_struck", .count, "A ping arrived too early for the server; the strikes until now."),
        RecordDefinition(
            .serverPinged, "server_pinged", .count, "The server sent a heartbeat; its number on the connection."),
        RecordDefinition(.serverAsked, "server_asked", .call, "A call reached the server's program."),
        RecordDefinition(
            .serverRejected, "server_rejected", tag: "reason", .call,
            "The server refused a call or a session; the call's index, or the connection's number."),
    ]

    static let powerSaving = [
        RecordDefinition(
            .downlinkHeld, "downlink_held", tag: "interface", .span,
            "The network holds a packet for a device that listens seldom; the time until it can be delivered, if the device sends nothing before."
        ),
        RecordDefinition(
            .downlinkDropped, "downlink_dropped", tag: "interface", .count,
            "Packets that the network dropped because it holds no more for a device that listens seldom."),
        RecordDefinition(
            .exchangeRepeated, "exchange_repeated", .message,
            "The client repeated a confirmable message that was not confirmed in time; the message's index."),
        RecordDefinition(
            .exchangeAbandoned, "exchange_abandoned", .nothing,
            "The client gave up a confirmable message after its last repeat."),
        RecordDefinition(
            .dtlsOpened, "dtls_opened", .connection, "The server completed a DTLS handshake."),
        RecordDefinition(
            .dtlsIgnored, "dtls_ignored", .connection,
            "The server ignored a packet of a DTLS session that it does not know at this address."),
    ]

    static let flow = [
        RecordDefinition(
            .bufferFilled, "buffer_filled", .count, "The buffer before the app's consumer became full; messages in it."),
        RecordDefinition(
            .bufferDropped, "buffer_dropped", tag: "overflow", .count,
            "New or old messages that the full buffer dropped."),
        RecordDefinition(.bufferPeak, "buffer_peak", .count, "At the horizon: the most messages that the buffer held."),
        RecordDefinition(
            .memoryPeak, "memory_peak", .bytes,
            "At the horizon: the most bytes of messages that waited for the consumer, including unread ones."),
        RecordDefinition(.consumerStalled, "consumer_stalled", .span, "The consumer pauses from now on; the duration."),
        RecordDefinition(
            .windowShut, "window_shut", tag: "direction", .nothing,
            "A flow-control window is exhausted while more data waits."),
        RecordDefinition(
            .flowStalled, "flow_stalled", tag: "direction", .span,
            "Time that a flow-control window was exhausted while more data waited."),
        RecordDefinition(
            .socketFilled, "socket_filled", .nothing,
            "The send buffer of the phone's kernel is full while more data waits."
        ),
        RecordDefinition(
            .socketStalled, "socket_stalled", .span, "Time that the send buffer was full while more data waited."),
        RecordDefinition(
            .writesPending, "writes_pending", .count, "The app wrote messages; the writes without their callback."),
        RecordDefinition(.writesCalledBack, "writes_called_back", .count, "Callbacks of writes arrived; their number."),
        RecordDefinition(.messagesAsked, "messages_asked", .count, "The number of messages that the app requested."),
    ]

    static let delivery = [
        RecordDefinition(.suppressedDown, "suppressed_down", .count, "Duplicates that the app recognised and dropped."),
        RecordDefinition(.suppressedUp, "suppressed_up", .count, "Duplicates that the server recognised and dropped."),
        RecordDefinition(
            .mistakenDown, "mistaken_down", .count,
            "New messages that the app wrongly dropped as duplicates; they also count as lost."),
        RecordDefinition(
            .mistakenUp, "mistaken_up", .count,
            "New messages that the server wrongly dropped as duplicates; they also count as lost."),
        RecordDefinition(
            .reorderedDown, "reordered_down", .count,
            "Messages that reached the app after a message that was sent later."),
        RecordDefinition(
            .reorderedUp, "reordered_up", .count,
            "Messages that reached the server after a message that was sent later."),
        RecordDefinition(
            .gapNoticed, "gap_noticed", tag: nil, .count, "The client or the server noticed that messages are missing."),
        RecordDefinition(
            .gapUnnoticed, "gap_unnoticed", tag: nil, .count,
            "The app continued after missing messages, and neither side noticed."),
        RecordDefinition(.fullSync, "full_sync", .bytes, "The server sent a full snapshot; its size."),
        RecordDefinition(
            .drift, "drift", .count,
            "A client resumed from its cursor; messages between the cursor and the server's newest message."),
        RecordDefinition(.dedupMemory, "dedup_memory", .bytes, "Memory of a session for deduplication, or its growth."),
        RecordDefinition(.queueOverflow, "queue_overflow", .count, "Messages that the app's own full queue dropped."),
        RecordDefinition(
            .fresh, "fresh", .after,
            "The opened app shows everything that the server had for it at that time; time since it was opened."),
        RecordDefinition(
            .stale, "stale", .span,
            "The opened app was left, or the run ended, before it showed everything; time since it was opened."),
        RecordDefinition(
            .sessionRefused, "session_refused", .connection,
            "The server refused a session because another connection of the same session exists."),
    ]

    static let credentials = [
        RecordDefinition(
            .credentialsRenewed, "credentials_renewed", .after,
            "The app got a new access token; time since it requested it."),
        RecordDefinition(
            .credentialsRefused, "credentials_refused", tag: "use", .nothing,
            "The server refused credentials: of a session, of a call, or of a request for a new access token."),
        RecordDefinition(
            .loggedOut, "logged_out", .nothing, "The app learned that its credentials are void: the user is logged out."
        ),
        RecordDefinition(
            .loggedOutFor, "logged_out_for", .span,
            "Time that the user was logged out, until the next login or the end of the run."),
    ]

    static let herds = [
        RecordDefinition(
            .herdBegan, "herd_began", tag: nil, .nothing,
            "A change took effect that may end the connections of all phones."),
        RecordDefinition(
            .herdBack, "herd_back", tag: "after_trigger", .after,
            "The phone is connected again for the first time since the herd began; time since then."),
        RecordDefinition(
            .herdMissing, "herd_missing", tag: "after_trigger", .after,
            "At the horizon: the phone has not connected again since the herd began; time since then."),
        RecordDefinition(
            .serverHeld, "server_held", .span,
            "Time that the server held a connection, until it ended or the run ended."),
        RecordDefinition(
            .serverQueuePeak, "server_queue_peak", .bytes,
            "At the horizon: the most bytes that waited for one connection."),
        RecordDefinition(
            .serverQueueDropped, "server_queue_dropped", .count,
            "Messages that the server dropped because newer ones had arrived."),
        RecordDefinition(
            .attemptedOffline, "attempted_offline", .nothing,
            "A connection attempt failed at once because there was no network."),
    ]

    /// Written once at the horizon for each pending item.
    static let waits = [
        RecordDefinition(.waitedDown, "waited_down", .span, "At the horizon: age of a pending message of the server."),
        RecordDefinition(
            .waitedUp, "waited_up", .span, "At the horizon: age of a pending or unacknowledged message of the app."),
        RecordDefinition(.waitedCall, "waited_call", .span, "At the horizon: age of an open call."),
        RecordDefinition(.waitedProbe, "waited_probe", .span, "At the horizon: age of a probe without an answer."),
        RecordDefinition(
            .waitedPush, "waited_push", .span, "At the horizon: age of a push that has not woken the app."),
    ]
}
