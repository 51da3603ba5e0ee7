package import DeadzoneBase
import DeadzoneClient

/// Laws about the end of a trial: the client recovers when all faults end, and does not wait for a silent server
/// without a bound.
extension StrategyTrial {
    /// Restores a good network, a foreground app and a server that answers everything. Law: the client is connected
    /// within the timeout and stays connected for a minute.
    package func checkRecovery(within timeout: TimeSpan) {
        endFaults()
        // A kernel detects a dead peer eventually, whatever the client does.
        for index in connections.indices where connections[index].isSilent && connections[index].clientState == .open {
            end(ConnectionSlot(UInt8(index)), .timedOut)
        }
        var waited = TimeSpan.zero
        var calm = TimeSpan.zero
        while waited < timeout && calm < .minutes(1) && broken.isEmpty {
            let before = attempts
            for trialEvent in [TrialEvent.opens, .writes, .pongs, .confirms] { apply(trialEvent) }
            while connectionIndex(.open).map({ !connections[$0].isSilent }) == true && !unanswered.isEmpty {
                apply(.answers)
            }
            apply(.second)
            waited += .seconds(1)
            let isWell = attempts == before && connectionIndex(.open).map { !connections[$0].isSilent } == true
            calm = isWell ? calm + .seconds(1) : .zero
        }
        if calm < .minutes(1) && broken.isEmpty {
            note("the strategy was not connected for a minute, \(timeout.secondsText) after the last fault ended")
        }
    }

    private func endFaults() {
        apply(.foreground)
        for trialEvent in [TrialEvent.unblocked, .toWifi, .validated] { apply(trialEvent, handle: 900) }
    }

    /// A server that accepts packets and never answers, as behind a lost NAT mapping. Laws: the client ends an attempt
    /// that has no answer, and a connection on which a ping has no answer, each within the bound. `nil` checks nothing.
    package func checkSilence(connecting: TimeSpan?, pinging: TimeSpan?) {
        endFaults()
        // A connection that is open goes silent now; an attempt gets no answer.
        apply(.silence)
        apply(.sends)
        apply(.calls)
        var waited = TimeSpan.zero
        while waited < Self.silence && broken.isEmpty {
            apply(.second)
            waited += .seconds(1)
            for (index, connection) in connections.enumerated() where broken.isEmpty {
                check(connection.attemptedAt, within: connecting, "an attempt on connection \(index) had no answer")
                check(connection.pingedAt, within: pinging, "a ping on connection \(index) had no answer")
            }
        }
    }

    /// How long the silence lasts. Longer than the longest interval between two pings of a shipped strategy, with a
    /// bound after it.
    private static let silence = TimeSpan.hours(1)

    private func check(_ since: Instant?, within bound: TimeSpan?, _ what: String) {
        guard let since, let bound, session.now - since > bound else { return }
        note("\(what) for \(bound.secondsText), and the strategy still waits")
    }
}

extension TrialEvent {
    /// Events that prove that the server still answers on a connection.
    static let signsOfLife: [TrialEvent] = [.receives, .confirms, .answers, .pongs, .goesAway]
}
