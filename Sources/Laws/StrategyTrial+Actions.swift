import DeadzoneBase
import DeadzoneClient

/// The actions of a strategy in a trial: each is checked against the laws, then applied.
extension StrategyTrial {
    func perform(_ action: Action, on event: Event) {
        switch action {
        case .connect(let slot, let carrier, _): connect(slot, carrier)
        case .close(let slot), .closeGracefully(let slot):
            expectNotClosed(slot, "closed", event)
            connections[Int(slot.index)].end("which it had closed")
        case .send(let slot, let from, let upTo): send(slot, from, upTo, event)
        case .exchange(let slot, let message, _): send(slot, message, Cursor(message.position + 1), event)
        case .handshake(let slot, _, _): expectOpen(slot, "shook hands on", event)
        case .sendAgain(let slot, _, _): expectOpen(slot, "sent messages again on", event)
        case .askOffset(let slot), .resumeMessage(let slot, _, _): expectOpen(slot, "continued a message on", event)
        case .giveUp, .abandonUpload: break
        case .join(let slot, _): expectOpen(slot, "joined streams on", event)
        case .call(let slot, let call):
            expectOpen(slot, "made call \(call) on", event)
            expect(unanswered.contains(call), "made call \(call), which does not wait for an answer", event)
        case .ping(let slot):
            expectOpen(slot, "pinged", event)
            let index = Int(slot.index)
            connections[index].pingedAt = connections[index].pingedAt ?? session.now
        case .migrate(let slot): expectOpen(slot, "moved", event)
        case .abandon(let call, _):
            expect(unanswered.contains(call), "gave up call \(call), which does not wait for an answer", event)
            unanswered.removeAll { $0 == call }
        case .crash:
            note("the app crashes", event)
            hasCrashed = true
        case .acknowledge(let slot, let cursor):
            expectOpen(slot, "confirmed messages on", event)
            expect(
                cursor <= received, "confirmed \(cursor.position) messages, but \(received.position) have arrived",
                event)
        case .resync(let slot): expectOpen(slot, "requested a snapshot on", event)
        case .deliver, .persist, .storeOutgoing, .deliverAgain, .discard, .refuse, .forget, .evict:
            moveCursor(action, event)
        case .markGap, .stayAwake, .requestMessages, .wrote, .calledBack, .abandonConsumer, .refreshCredentials,
            .registerPushToken, .abandonExchange, .select:
            break
        }
    }

    private func connect(_ slot: ConnectionSlot, _ carrier: Transport) {
        let index = Int(slot.index)
        attempts += 1
        connections[index] = TrialConnection(clientState: .opening, submitted: session.acknowledged)
        connections[index].attemptedAt = session.now
        // The outcome of a datagram connection is known at once, and so is the failure without a network.
        if carrier.kind == .datagram || !session.hasPath || session.network.isBlocked {
            immediateOutcomes.append(slot)
        }
        isDatagram[index] = carrier.kind == .datagram
    }

    private func send(_ slot: ConnectionSlot, _ from: Cursor, _ upTo: Cursor, _ event: Event) {
        let index = Int(slot.index)
        expectOpen(slot, "sent messages on", event)
        expect(from <= upTo, "sent messages from \(from.position) back to \(upTo.position)", event)
        expect(
            upTo <= session.produced,
            "sent messages up to \(upTo.position), but the app has produced \(session.produced.position)", event)
        expect(
            session.forgotten <= from,
            "sent messages from \(from.position) on, but those below \(session.forgotten.position) were discarded",
            event)
        connections[index].submitted = max(connections[index].submitted, upTo)
    }

    /// The actions that move a position in a message stream.
    private func moveCursor(_ action: Action, _ event: Event) {
        func isBack(_ cursor: Cursor, behind other: Cursor, _ what: String) {
            expect(other <= cursor, "\(what) back from message \(other.position) to \(cursor.position)", event)
        }
        func isInside(_ from: Cursor, _ upTo: Cursor, _ limit: Cursor, _ what: String) {
            expect(
                from < upTo && upTo <= limit,
                "\(what) messages \(from.position) to \(upTo.position) of \(limit.position)",
                event)
        }
        switch action {
        case .deliver(let cursor):
            isBack(cursor, behind: shown, "moved the cursor of shown messages")
            (shown, session.cursor) = (cursor, cursor)
        case .persist(let cursor):
            isBack(cursor, behind: session.persisted, "moved the stored cursor")
            expect(
                cursor <= shown, "stored the cursor \(cursor.position), but has shown \(shown.position) messages", event
            )
            session.persisted = cursor
        case .storeOutgoing(let cursor):
            isProduced(cursor, "stored", event)
            session.storedOutgoing = max(session.storedOutgoing, cursor)
        case .deliverAgain(let from, let upTo): isInside(from, upTo, shown, "showed again")
        case .discard(let from, let upTo):
            isBack(from, behind: shown, "moved the cursor of discarded messages")
            expect(from < upTo, "discarded no messages", event)
            (shown, session.cursor) = (upTo, upTo)
        case .refuse(let from, let upTo): isInside(from, upTo, session.produced, "refused")
        case .forget(let cursor), .evict(let cursor):
            isProduced(cursor, "gave up", event)
            session.forgotten = max(session.forgotten, cursor)
        default: break
        }
    }

    private func isProduced(_ cursor: Cursor, _ what: String, _ event: Event) {
        expect(
            cursor <= session.produced,
            "\(what) \(cursor.position) messages, but the app has produced \(session.produced.position)", event)
    }

    private func expect(_ isLawful: Bool, _ what: @autoclosure () -> String, _ event: Event) {
        if !isLawful { note("the strategy " + what(), event) }
    }

    private func expectNotClosed(_ slot: ConnectionSlot, _ what: String, _ event: Event) {
        let connection = connections[Int(slot.index)]
        expect(
            connection.clientState != .closed, "\(what) connection \(slot.index), \(connection.closedBecause)", event)
    }

    private func expectOpen(_ slot: ConnectionSlot, _ what: String, _ event: Event) {
        let connection = connections[Int(slot.index)]
        let reason = connection.clientState == .opening ? "which is not open yet" : connection.closedBecause
        expect(connection.clientState == .open, "\(what) connection \(slot.index), \(reason)", event)
    }
}
