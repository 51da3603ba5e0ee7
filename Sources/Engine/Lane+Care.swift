import DeadzoneClient
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// Signs of life of the server, as the phone hears them.
extension Lane {
    /// The server has said how often it wants a sign of life.
    mutating func announceBeats(_ slot: Int, _ stage: inout Stage) {
        if server.announcedBeats(slot) != nil { hearBeat(slot, &stage) }
    }

    mutating func hearBeat(_ slot: Int, _ stage: inout Stage) {
        let interval = server.announcedBeats(slot) ?? .zero
        tell(.heartbeat(ConnectionSlot(UInt8(slot)), every: interval), &stage)
    }

    /// Pings of the server have come. The app's library answers them, if it runs.
    mutating func receivePingsAtPhone(_ run: Run, _ slot: Int, _ stage: inout Stage) {
        hearBeat(slot, &stage)
        guard appRuns else {
            return lines[slot].talk.unread.add(run)
        }
        for number in run.first..<run.last { sayUp(.pong(number), slot) }
    }

    /// The app runs again, and its library reads what has waited.
    mutating func answerOwedPings(_ stage: inout Stage) {
        for slot in Self.slots where lines[slot].talk.unread.first < lines[slot].talk.unread.last {
            let unread = lines[slot].talk.unread
            lines[slot].talk.unread = Talk.Numbers()
            guard lines[slot].belief == .open else { continue }
            for number in unread.first..<unread.last { sayUp(.pong(number), slot) }
            flushClient(slot, &stage)
        }
    }
}
