import DeadzoneHost
import DeadzoneRuns
import Foundation
import Testing

@testable import DeadzoneCommand

struct ClaimsVerbTests {
    private func claims(_ words: String...) -> (code: ExitCode, output: String, errors: String) {
        let surroundings = CommandContext.memory()
        let code = run(["claims"] + words, in: surroundings)
        return (code, surroundings.output.text, surroundings.errors.text)
    }

    @Test func jsonHasTheFieldsOfTheContract() throws {
        // Broken: a field of `deadzone/claims/1` has another name, or a verdict is not one of the contract's words.
        let outcome = claims("A18", "A19", "--json")
        #expect(outcome.code == .ok)
        let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(document?["schema"] as? String == "deadzone/claims/1")
        let all = try #require(document?["claims"] as? [[String: Any]])
        #expect(all.map { $0["id"] as? String } == ["A18", "A19"])
        #expect(all.map { $0["verdict"] as? String } == ["confirmed", "contradiction"])
        for claim in all {
            for key in ["claim", "value", "measured", "how"] { #expect((claim[key] as? String)?.isEmpty == false) }
        }
    }

    @Test func singleClaimIsPrintedInFull() {
        // Broken: the text lacks what would have been true, what to do instead, or the command to reproduce it.
        let outcome = claims("A19")
        #expect(outcome.code == .ok)
        for words in [
            "contradiction", "The claim is true if", "Advice", "Repeat with", "deadzone schedule article-grpc-swift",
        ] {
            #expect(outcome.output.contains(words), "\(words)")
        }
    }

    @Test func aScenarioIsPrintedAndCanBeRun() {
        // Broken: the scenario that measures a claim is not available outside the repository.
        let outcome = claims("A15", "--scenario")
        #expect(outcome.code == .ok && outcome.output.contains("version: 1"))
        let surroundings = CommandContext.memory(input: outcome.output)
        #expect(run(["run", "-", "-q"], in: surroundings) == .ok)
        #expect(surroundings.errors.text == "")
    }

    @Test func unknownClaimIsReported() {
        // Broken: a mistyped id runs all claims, or is refused without a suggestion.
        let unknown = claims("A111")
        #expect(unknown.code == .usage && unknown.errors.contains("did you mean `A11`"))
        #expect(claims("A18", "--scenario").code == .usage)
        #expect(claims("A11", "A12", "--scenario").code == .usage)
    }
}
