import DeadzoneHost
import DeadzoneRuns
import Foundation
import Testing

@testable import DeadzoneCommand

struct ClaimsVerbTests {
    private func claims(_ words: String...) -> (code: ExitCode, output: String, errors: String) {
        let surroundings = Surroundings.memory()
        let code = run(["claims"] + words, in: surroundings)
        return (code, surroundings.output.text, surroundings.errors.text)
    }

    @Test func aScriptReadsVerdicts() throws {
        // Broken: a field of `deadzone/claims/1` is called otherwise, or a verdict has a word that the contract does not know.
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

    @Test func oneIsToldInFull() {
        // Broken: a reader is not told what would have been true, what to do, or how to see it again.
        let outcome = claims("A19")
        #expect(outcome.code == .ok)
        for words in [
            "contradiction", "It would be true with", "Instead", "Again", "deadzone schedule article-grpc-swift",
        ] {
            #expect(outcome.output.contains(words), "\(words)")
        }
    }

    @Test func aScenarioIsPrintedAndCanBeRun() {
        // Broken: what measures a claim cannot be had outside of the repository.
        let outcome = claims("A15", "--scenario")
        #expect(outcome.code == .ok && outcome.output.contains("version: 1"))
        let surroundings = Surroundings.memory(input: outcome.output)
        #expect(run(["run", "-", "-q"], in: surroundings) == .ok)
        #expect(surroundings.errors.text == "")
    }

    @Test func whatIsNoClaimIsSaidSo() {
        // Broken: a slip of the finger runs all claims, or says nothing of what was meant.
        let unknown = claims("A111")
        #expect(unknown.code == .usage && unknown.errors.contains("did you mean `A11`"))
        #expect(claims("A18", "--scenario").code == .usage)
        #expect(claims("A11", "A12", "--scenario").code == .usage)
    }
}
