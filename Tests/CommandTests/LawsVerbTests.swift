import DeadzoneClient
import DeadzoneHost
import DeadzoneSettings
import Testing

@testable import DeadzoneCommand

/// Stays away for good once it has failed: what the laws of strategies forbid.
private struct Sulking: Strategy {
    static let name = "sulking"
    static let about = "connects once"

    init(_ settings: inout SettingsReader) {}
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        if case .started = event {
            out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .from(session.cursor)))
        }
    }
}

@Suite struct LawsVerbTests {
    private func laws(_ words: String) -> (code: ExitCode, output: String, errors: String) {
        let surroundings = Surroundings.memory()
        let all = ["laws"] + words.split(separator: " ").map(String.init)
        let code = run(all, in: surroundings, adding: [.of(Sulking.self)])
        return (code, surroundings.output.text, surroundings.errors.text)
    }

    @Test func aLawThatIsBrokenEndsWithOne() throws {
        // Broken: whoever asks for the laws is told that all is well when it is not, or cannot have the failure again.
        let broken = laws("strategies --strategy sulking --length 1 --seeds 1")
        #expect(broken.code == .gateFailed, "\(broken.errors)")
        #expect(broken.output.hasSuffix("1 strategies in 3 histories: 0 break a law as is known, 1 otherwise\n"))
        let line = try #require(broken.output.split(separator: "\n").first { $0.contains("to repeat: deadzone laws ") })
        let again = laws(String(line.split(separator: " ").dropFirst(4).joined(separator: " ")) + " --strategy sulking")
        #expect(again.code == .gateFailed && again.output.contains("sulking: seed 1,"), "\(again)")
        #expect(laws("strategies --strategy patient --length 1 --seeds 1").code == .ok)
    }

    @Test func whatIsKnownIsNoFailure() {
        // Broken: a preset that breaks a law as its original does fails the laws, or is kept quiet about.
        let known = laws("strategies --strategy websocket-naive --length 2 --seeds 1")
        #expect(known.code == .ok && known.output.contains("  as is known: it connects again at once"), "\(known)")
    }

    @Test(arguments: [
        ("worlds", "worlds", 11), ("delivery", "clients with claims", 9), ("visits", "clients that visit", 4),
    ])
    func everySweepCountsItsSights(_ part: String, _ subject: String, _ sights: Int) {
        // Broken: a sweep that looks at nothing passes, or one seed cannot be asked for alone.
        for (words, count) in [("\(part) 4711", 1), ("\(part) --seeds 3", 3)] {
            let outcome = laws(words)
            #expect(outcome.code == .ok && outcome.output.contains("\n\(count) \(subject), 0 "), "\(outcome)")
            #expect(
                outcome.output.split(separator: "\n").count { $0.hasSuffix(" worlds") } == sights, "\(outcome.output)")
        }
    }

    @Test func chaosTellsOursFromTheArticles() {
        // Broken: the chaos test ends before there was any, or passes whoever goes through it.
        let outcome = laws("chaos 3 --disconnects 1")
        #expect(outcome.code == .ok && outcome.output.contains("runs (seeds 3 to 66)"), "\(outcome)")
        #expect(outcome.output.contains("deadzone-recommended: "))
    }

    @Test(arguments: [
        ("everything", "unknown part `everything`"), ("worlds !x", "neither a seed nor a word"),
        ("worlds --length 2", "`--length` means nothing to `worlds`"),
        ("visits --strategy patient", "`--strategy` means nothing to `visits`"),
        ("strategies --strategy patiemt", "unknown strategy `patiemt`"),
    ])
    func aMistakeIsNoPass(_ words: String, _ message: String) {
        // Broken: a mistyped search finds nothing broken.
        let outcome = laws(words)
        #expect(outcome.code == .usage && outcome.errors.contains(message), "\(outcome)")
    }
}
