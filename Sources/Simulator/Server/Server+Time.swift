package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The server's timers for a connection, and its checks after each flush.
extension Server {
    /// Time of the next timer of the server end of this connection. `.never` if the server does not hold the
    /// connection. Only the server's own methods change it.
    @inline(__always)
    package func deadline(_ slot: Int) -> Instant { ends[slot].isHeld ? deadlineWhileHeld(slot) : .never }

    private func deadlineWhileHeld(_ slot: Int) -> Instant {
        // A frozen program retransmits nothing. A kernel does.
        if ends[slot].isQUIC && isFrozen { return .never }
        let network = min(kernelDeadline(slot), ends[slot].path.dueAt)
        guard ends[slot].isAttached, !isFrozen else { return network }
        return min(network, min(idleDeadline(slot), programDeadline(slot)), queueDeadline(slot))
    }

    @inline(__always)
    private func kernelDeadline(_ slot: Int) -> Instant {
        ends[slot].pendingOutcomes == 0 ? ends[slot].tcp.deadline : ends[slot].tcp.deadlineWithoutAck
    }

    @inline(__always)
    private func idleDeadline(_ slot: Int) -> Instant {
        guard ends[slot].isAttached, !ends[slot].isClosing, !ends[slot].isDatagram, !isFrozen else { return .never }
        return ends[slot].lastReadAt + ends[slot].idleTimeout
    }

    @inline(__always)
    private func programDeadline(_ slot: Int) -> Instant {
        guard ends[slot].isAttached, !ends[slot].isClosing, !isFrozen else { return .never }
        return min(
            ends[slot].draining.deadline, ends[slot].polling.deadline, ends[slot].keepaliveSupervisor.deadline,
            ends[slot].receipts.due)
    }

    @inline(__always)
    private func queueDeadline(_ slot: Int) -> Instant {
        guard ends[slot].isAttached, !ends[slot].isSuperseded, !isFrozen else { return .never }
        return profile.pointee.slowConsumers.deadline(queue)
    }

    package mutating func expire(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        if idleDeadline(slot) <= now {
            out.note(.serverExpired, .silent, value: Int64(ends[slot].generation))
            return closeGracefully(slot, at: now, &out)
        }
        if queueDeadline(slot) <= now { return closeSlowConnection(slot, at: now, &out) }
        if programDeadline(slot) <= now { return expireProgram(slot, at: now, &out) }
        expirePath(slot, at: now, &out)
        guard kernelDeadline(slot) <= now else { return flush(slot, at: now, &out) }
        var packets = OutgoingPackets()
        let goesOn = ends[slot].tcp.expire(at: now, ends[slot].config.downward, &packets)
        transmit(packets, slot, at: now, &out)
        if !goesOn {
            dropClient(slot, at: now, &out)
            out.append(.connectionChanged)
        }
    }

    private mutating func expireProgram(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        if ends[slot].draining.deadline <= now {
            let last = ends[slot].lastStream
            perform(ends[slot].draining.expire(lastStream: last, at: now), slot, at: now, &out)
        }
        if ends[slot].polling.deadline <= now {
            ends[slot].polling.expire()
            ends[slot].answerPoll(upTo: written.index)
        }
        expireKeepaliveTimers(slot, at: now, &out)
        sendReceipt(slot, at: now)
        flush(slot, at: now, &out)
    }

    // MARK: Waiting data

    /// Updates the records of blocked and queued data, after everything that could be sent was sent.
    package mutating func updateAfterFlush(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        updateWindowStall(slot, at: now, &out)
        updateQueue(slot, at: now, &out)
    }

    /// Records the times at which an exhausted flow-control window begins and stops blocking data.
    private mutating func updateWindowStall(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        let isShut =
            ends[slot].isAttached && ends[slot].tcp.hasWaitingMessages
            && ends[slot].tcp.sendWindows?.available == 0
        guard isShut != (ends[slot].windowClosedSince != .never) else { return }
        if isShut {
            ends[slot].windowClosedSince = now
            out.note(.windowShut, .down)
        } else {
            endWindowStall(slot, at: now, &out)
        }
    }

    /// Records the end of a stall in which the flow-control window blocked data: the window is open again, or the
    /// connection has ended.
    package mutating func endWindowStall(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        let since = ends[slot].windowClosedSince
        guard since != .never else { return }
        ends[slot].windowClosedSince = .never
        out.note(.flowStalled, .down, value: max((now - since).nanoseconds, 0))
    }

    /// Updates the program's queue of messages that fit neither into the kernel nor into the phone's flow-control
    /// window, and applies its limits. Message sizes include the framing of the session's current connection.
    private mutating func updateQueue(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let waiting = ends[slot].tcp.waiting
        guard ends[slot].isAttached, !ends[slot].isSuperseded, !waiting.isEmpty || queue.first != queue.end else {
            return
        }
        setQueue(to: waiting, slot)
        guard let first = profile.pointee.slowConsumers.changed(&queue, at: now) else { return }
        ends[slot].tcp.conflate(to: first)
        out.note(.serverQueueDropped, value: Int64(first - waiting.lowerBound))
        setQueue(to: ends[slot].tcp.waiting, slot)
    }

    private mutating func setQueue(to waiting: Range<UInt32>, _ slot: Int) {
        let before = queue.first..<queue.end
        let framing = ends[slot].config.pointee.serverRules.framing
        var (more, less) = (UInt64(0), UInt64(0))
        for message in max(before.upperBound, waiting.lowerBound)..<max(before.upperBound, waiting.upperBound) {
            more += UInt64(framing.message(traffic.pointee.down.bytes(of: message)))
        }
        if !waiting.isEmpty {
            for message in before.lowerBound..<max(before.lowerBound, min(before.upperBound, waiting.lowerBound)) {
                less += UInt64(framing.message(traffic.pointee.down.bytes(of: message)))
            }
        }
        queue.update(waiting, adding: more, removing: less)
    }

    /// Closes the connection of a phone that accepts data too slowly. Data that the kernel already has is sent before
    /// the end of the stream.
    private mutating func closeSlowConnection(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        out.note(.serverExpired, .slow, value: Int64(ends[slot].generation))
        closeGracefully(slot, at: now, &out)
        queue.restart()
    }
}
