import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneTransport

/// What is due at the server's end of a connection, what it looks at once something has left, and the end of the run.
extension Server {
    /// Of what it does by itself; `.never` where it has no end of it. Only its own verbs move it.
    public func deadline(_ slot: Int) -> Instant {
        guard ends[slot].isHeld else { return .never }
        // A program that stands still repeats nothing. A kernel does.
        if ends[slot].isQUIC && isFrozen { return .never }
        let network = min(kernelDeadline(slot), ends[slot].path.dueAt)
        guard ends[slot].isAttached, !isFrozen else { return network }
        return min(network, min(idleDeadline(slot), programDeadline(slot)), queueDeadline(slot))
    }

    @inline(__always)
    private func kernelDeadline(_ slot: Int) -> Instant {
        ends[slot].undecided == 0 ? ends[slot].kernel.deadline : ends[slot].kernel.deadlineBesideAcknowledgement
    }

    @inline(__always)
    private func idleDeadline(_ slot: Int) -> Instant {
        guard ends[slot].isAttached, !ends[slot].isEnding, !ends[slot].isDatagram, !isFrozen else { return .never }
        return ends[slot].saidAt + ends[slot].silenceLimit
    }

    @inline(__always)
    private func programDeadline(_ slot: Int) -> Instant {
        guard ends[slot].isAttached, !ends[slot].isEnding, !isFrozen else { return .never }
        return min(
            ends[slot].draining.deadline, ends[slot].exchange.deadline, ends[slot].care.deadline,
            ends[slot].receipts.due)
    }

    @inline(__always)
    private func queueDeadline(_ slot: Int) -> Instant {
        guard ends[slot].isAttached, !ends[slot].isPassedOn, !isFrozen else { return .never }
        return profile.pointee.slowConsumers.deadline(queue)
    }

    public mutating func expire(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        if idleDeadline(slot) <= now {
            out.note(.serverExpired, .silent, value: Int64(ends[slot].generation))
            return end(slot, at: now, &out)
        }
        if queueDeadline(slot) <= now { return cutSlow(slot, at: now, &out) }
        if programDeadline(slot) <= now { return expireProgram(slot, at: now, &out) }
        expirePath(slot, at: now, &out)
        guard kernelDeadline(slot) <= now else { return flush(slot, at: now, &out) }
        var packets = Departures()
        let goesOn = ends[slot].kernel.expire(at: now, ends[slot].terms.downward, &packets)
        leave(packets, slot, at: now, &out)
        if !goesOn {
            loseClient(slot, at: now, &out)
            out.append(.changed)
        }
    }

    private mutating func expireProgram(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        if ends[slot].draining.deadline <= now {
            let last = ends[slot].lastStream
            follow(ends[slot].draining.expire(lastStream: last, at: now), slot, at: now, &out)
        }
        if ends[slot].exchange.deadline <= now {
            ends[slot].exchange.expire()
            ends[slot].answerPoll(upTo: written.index)
        }
        expireCare(slot, at: now, &out)
        sayReceipt(slot, at: now)
        flush(slot, at: now, &out)
    }

    // MARK: What waits

    /// Everything that could leave has left.
    public mutating func noteFlushed(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        noteWindow(slot, at: now, &out)
        noteQueue(slot, at: now, &out)
    }

    /// When there is more to say than the window lets through, and when it does again.
    private mutating func noteWindow(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        let isShut = ends[slot].isAttached && ends[slot].kernel.isBehind && ends[slot].kernel.credit?.open == 0
        guard isShut != (ends[slot].shutSince != .never) else { return }
        if isShut {
            ends[slot].shutSince = now
            out.note(.windowShut, .down)
        } else {
            endShut(slot, at: now, &out)
        }
    }

    /// The connection is over, or the window open: whatever waited for it does so no more.
    public mutating func endShut(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        let since = ends[slot].shutSince
        guard since != .never else { return }
        ends[slot].shutSince = .never
        out.note(.flowStalled, .down, value: max((now - since).nanoseconds, 0))
    }

    /// The queue of the program: messages of the session that its kernel has no room for, or the phone's window. What it takes is
    /// counted for the session's present connection, as the kernel would be given it: with framing.
    private mutating func noteQueue(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        let waiting = ends[slot].kernel.waiting
        guard ends[slot].isAttached, !ends[slot].isPassedOn, !waiting.isEmpty || queue.first != queue.end else {
            return
        }
        setQueue(to: waiting, slot)
        guard let first = profile.pointee.slowConsumers.changed(&queue, at: now) else { return }
        ends[slot].kernel.conflate(to: first)
        out.note(.serverQueueDropped, value: Int64(first - waiting.lowerBound))
        setQueue(to: ends[slot].kernel.waiting, slot)
    }

    private mutating func setQueue(to waiting: Range<UInt32>, _ slot: Int) {
        let before = queue.first..<queue.end
        let framing = ends[slot].terms.pointee.downward.framing
        var (more, less) = (UInt64(0), UInt64(0))
        for message in max(before.upperBound, waiting.lowerBound)..<max(before.upperBound, waiting.upperBound) {
            more += UInt64(framing.message(said.pointee.down.bytes(of: message)))
        }
        if !waiting.isEmpty {
            for message in before.lowerBound..<max(before.lowerBound, min(before.upperBound, waiting.lowerBound)) {
                less += UInt64(framing.message(said.pointee.down.bytes(of: message)))
            }
        }
        queue.become(waiting, adding: more, removing: less)
    }

    /// The server gives a slow phone up. What its kernel already has still goes, then the end.
    private mutating func cutSlow(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        out.note(.serverExpired, .slow, value: Int64(ends[slot].generation))
        end(slot, at: now, &out)
        queue.restart()
    }

    // MARK: The end of the run

    public mutating func finish(at now: Instant, _ out: inout Steps<ServerStep>) {
        for slot in Self.slots where ends[slot].isHeld { endHold(slot, at: now, &out) }
        forgetGhost(at: now, &out)
        guard queue.most > 0 else { return }
        out.note(.serverQueuePeak, value: Int64(clamping: queue.most))
    }
}
