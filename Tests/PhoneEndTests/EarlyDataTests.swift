import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

@testable import DeadzoneSimulator

/// Connections that send the app's data with their first packet.
@Suite struct EarlyDataTests {
    /// Broken: early data waits for the answer of the server, or its connection counts as open before the answer.
    @Test func earlyDataIsSentAtOnce() {
        let bench = PhoneEndBench()
        let lines = bench.taking { bench.connect(Transport(.quic, security: .tls13Early)) }
        #expect(lines == ["opened 0 at 0", "send data 0"] && bench.frames() == ["flight 0"])
        #expect(bench.taking { bench.readFlight(0) }.prefix(2) == ["opened(slot: 0)", "heard(slot: 0)"])
    }

    /// Broken: an attempt with early data that is never answered is recorded as a connection that has ended.
    @Test func earlyDataWithoutAnAnswerIsAFailedAttempt() {
        func attempt(_ step: (PhoneEndBench) -> Void) -> [String] {
            let bench = PhoneEndBench()
            bench.connect(Transport(.quic, security: .tls13Early))
            return bench.taking { step(bench) }
        }
        let closed = attempt { $0.act { $0.close(0, isDone: false, at: $2, $3, &$4) } }
        #expect(closed.contains("believedClosed(slot: 0)") && !closed.contains("closed by_client 1"), "\(closed)")
        let lost = attempt { $0.act { phone, permissions, _, _, out in phone.handleNetworkLoss(0, permissions, &out) } }
        #expect(lost == ["believedClosed(slot: 0)", "failed no_path 1", "closed 0 pathLost"])
        let reset = attempt { $0.receive($0.packet(.reset)) }
        #expect(reset == ["believedClosed(slot: 0)", "failed refused 1", "closed 0 reset"])
        let ended = attempt { bench in bench.act { $0.abandon(0, at: $2, &$4) } }
        #expect(ended.contains("closedByExit(slot: 0)") && !ended.contains("closed by_client 1"), "\(ended)")
    }

    /// Broken: the failure of an attempt with early data has another code than its loss, or the server did not end it.
    @Test(
        arguments: [
            (.pathLost, "no_path"), (.timedOut, "timed_out"), (.reset, "refused"), (.ended, "refused"),
            (.denied, "refused"), (.completed, "refused"),
        ] as [(CloseReason, String)])
    func aLostAttemptHasTheCodeOfItsLoss(reason: CloseReason, code: String) {
        let bench = PhoneEndBench()
        bench.connect(Transport(.quic, security: .tls13Early))
        let isByServer = [.ended, .denied, .completed].contains(reason)
        let stated = isByServer ? ["endedByServer(slot: 0, DeadzoneClient.CloseReason.\(reason))"] : []
        #expect(
            bench.taking { bench.act { $0.handlePeerClose(0, reason, $1, &$4) } }
                == ["believedClosed(slot: 0)", "failed \(code) 1"] + stated + ["closed 0 \(reason)"])
    }
}
