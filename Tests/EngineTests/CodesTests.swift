import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator

/// Journal codes. The journal does not depend on clients and servers, so it has its own names for their reasons.
@Suite struct CodesTests {
    @Test("Journal codes have the same names as the values that the client gets")
    func journalCodesMatchClientValues() {
        check(UInt8.allValues(CloseReason.init(rawValue:)), { CloseCode($0) }, besides: [.byClient])
        check(UInt8.allValues(ConnectFailure.init(rawValue:)), { FailureCode($0) })
        check(CallFailure.allCases, { CallCode($0) })
        check(UInt8.allValues(GoAway.init(rawValue:)), { GoAwayCode($0) })
        check(NetworkChange.NetworkEventKind.allCases, { NetworkCode($0) })
        check(ReceivePolicy.BufferOverflow.allCases, { OverflowCode($0) })
        check(
            [ConnectionLimits.LimitReason.idle, .age, .session], { ExpiryCode($0) },
            besides: [.silent, .unanswered, .slow])
        check(
            RefusalCode.allCases.filter { ![.committed, .unauthenticated].contains($0) }, { RejectionCode($0) },
            besides: [.unheard])
        #expect(RejectionCode(.unauthenticated) == .permanent)
        #expect(RejectionCode(.committed) == .transient)
    }

    /// Names that event files already had before the value in the code got a plainer name.
    private static let published = ["session_refused": "turned_away"]

    /// Checks that the journal spells the name of each value alike. The journal has no other codes, except those that
    /// only the client or the simulation itself produces.
    private func check<Value, C: EnumeratedTag>(_ values: [Value], _ code: (Value) -> C, besides: [C] = [])
    where C.AllCases == [C] {
        for value in values {
            let spelled = "\(value)".flatMap { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }
            #expect(code(value).name == Self.published[String(spelled)] ?? String(spelled))
        }
        #expect(Set(values.map(code) + besides) == Set(C.allCases) && values.count > 1)
        #expect(values.count + besides.count == C.allCases.count)
    }
}

extension UInt8 {
    fileprivate static func allValues<Value>(_ make: (UInt8) -> Value?) -> [Value] { (0...UInt8.max).compactMap(make) }
}
