import DeadzoneBase
import DeadzoneDevice

/// Replays a recorded radio call log.
///
/// The capture of a live run contains the inputs of its radio. The same radio gets the same inputs again, and packets
/// only decide the attribution of the cost.
extension PhysicalRadio {
    /// - Parameter window: `nil` bounds mean the beginning and the end of the run.
    init(_ profile: RadioProfile, _ script: RadioCallLog, window: (from: Int64?, until: Int64?)) {
        let calls = script.calls
        let bounds = (
            from: window.from ?? script.beginsAt.nanoseconds, until: window.until ?? script.endsAt.nanoseconds
        )
        self.init(profile, stamps: .flowed, window: (bounds.from, bounds.until))
        // The run's radio starts with the run, without earlier state.
        let begin = script.beginsAt
        ledger.add(radio.closePeriod(at: begin))
        radio = Radio(profile: profile, phases: script.phases, at: begin)
        // Without Wi-Fi association events, Wi-Fi was associated from the start.
        if profile.technology.isLocal, !calls.contains(where: { $0.operation.isOfWiFi }) {
            ledger.add(radio.setAssociated(true, at: begin))
        }
        reportedUntil = begin.nanoseconds
        self.script = calls[...]
        isScripted = true
    }

    /// Processes logged calls and transitions up to `end`, in the order of the run: at equal times transitions first.
    mutating func followScript(until end: Int64) {
        while let call = script.first, call.at.nanoseconds <= end {
            script.removeFirst()
            advanceClock(to: call.at.nanoseconds)
            ledger.add(radio.apply(call, for: .payload, profile).spent)
        }
        advanceClock(to: end)
    }

    private mutating func advanceClock(to end: Int64) {
        while radio.nextTransition.nanoseconds <= end { ledger.add(radio.advance(profile).spent) }
        reportedUntil = max(reportedUntil, end)
    }

    /// Finishes a replay from a call log. A window that ends with the last packet ends with the run.
    mutating func finishScript(_ end: ReplayWindow.WindowEnd) {
        if end == .tail {
            followScript(until: script.last?.at.nanoseconds ?? reportedUntil)
            ledger.until = endOfTail()
        }
        let end = max(reportedUntil, ledger.until)
        followScript(until: end)
        ledger.add(radio.closePeriod(at: Instant(nanoseconds: end)))
    }

    mutating func foldScripted(_ replayPackets: Span<ReplayPacket>, _ costs: inout [PacketCost]) {
        for index in replayPackets.indices {
            let replayPacket = replayPackets[index]
            followScript(until: replayPacket.at)
            ledger.accrue(radio.level, until: replayPacket.at)
            ledger.count(replayPacket, at: replayPacket.at)
            costs[index] = ledger.takeCost()
        }
    }
}

extension RadioCall.Operation {
    fileprivate var isOfWiFi: Bool { if case .association = self { true } else { false } }
}
