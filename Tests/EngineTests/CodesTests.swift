import DeadzoneClient
import DeadzoneJournal
import DeadzoneTestKit
import Testing

/// The journal knows nothing of clients, so what a client is told has a code of its own there.
@Suite struct CodesTests {
    @Test func whatAClientIsToldIsWhatTheJournalSays() {
        // Broken: an event line or a count names another thing than the client was told.
        #expect(
            NetworkChange.Kind.allCases.map { "\($0) \($0.rawValue)" }
                == NetworkCode.allCases.map { "\($0) \($0.rawValue)" })
        #expect(
            CallFailure.allCases.map { "\($0) \($0.rawValue)" } == CallCode.allCases.map { "\($0) \($0.rawValue)" })
        let goodbyes = (0...UInt8.max).compactMap { GoAway(rawValue: $0) }
        #expect(goodbyes.map { "\($0) \($0.rawValue)" } == GoAwayCode.allCases.map { "\($0) \($0.rawValue)" })
        #expect(goodbyes.count > 1)
    }
}
