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
