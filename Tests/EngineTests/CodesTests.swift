import DeadzoneClient
@testable import DeadzoneLane
import DeadzoneJournal
@testable import DeadzoneMessages
@testable import DeadzonePhoneEnd
@testable import DeadzoneServer
@testable import DeadzoneSystem
import DeadzoneTestKit
import Testing

/// The journal knows nothing of clients and servers: what they are told has names of its own there.
@Suite struct CodesTests {
    @Test("Else an event line or a count would name another thing than the client was told")
    func whatIsToldIsWhatTheJournalSays() {
        check(UInt8.allValues(CloseReason.init(rawValue:)), { CloseCode($0) }, besides: [.byClient])
        check(UInt8.allValues(Failure.init(rawValue:)), { FailureCode($0) })
        check(CallFailure.allCases, { CallCode($0) })
        check(UInt8.allValues(GoAway.init(rawValue:)), { GoAwayCode($0) })
        check(NetworkChange.Kind.allCases, { NetworkCode($0) })
        check(Intake.Overflow.allCases, { OverflowCode($0) })
        check([ConnectionLimits.Reason.idle, .age], { ExpiryCode($0) }, besides: [.silent, .unanswered, .slow])
        check(Refusal.allCases.filter { $0 != .committed }, { RejectionCode($0) }, besides: [.unheard])
        #expect(RejectionCode(.committed) == .transient)
    }

    /// Each has the name that the journal spells alike, and nothing is left over but what the client or the lane says by itself.
    private func check<Told, C: Code>(_ told: [Told], _ code: (Told) -> C, besides: [C] = []) where C.AllCases == [C] {
        for word in told {
            let spelled = "\(word)".flatMap { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }
            #expect(code(word).name == String(spelled))
        }
        #expect(Set(told.map(code) + besides) == Set(C.allCases) && told.count > 1)
        #expect(told.count + besides.count == C.allCases.count)
    }
}

extension UInt8 {
    fileprivate static func allValues<Told>(_ make: (UInt8) -> Told?) -> [Told] { (0...UInt8.max).compactMap(make) }
}
