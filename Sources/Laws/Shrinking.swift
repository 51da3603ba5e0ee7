/// Shrinks a history that breaks a law to a minimal one: after removal of any single step no law is broken.
/// - Parameter broken: Returns the broken laws of a history; empty if all laws hold. Called with shorter and shorter
///   histories.
func shrunk<Step>(_ history: [Step], _ broken: ([Step]) -> [String]) -> (history: [Step], broken: [String])? {
    minimal(history) { steps in
        let found = broken(steps)
        return found.isEmpty ? nil : found
    }.map { ($0.steps, $0.proof) }
}

/// Shrinks a list to a minimal one with the same property: after removal of any single step the property is gone. Large
/// pieces are removed first (delta debugging).
/// - Parameter proof: Returns the evidence that a list has the property; `nil` if it does not. Called with shorter and
///   shorter lists.
package func minimal<Step, Proof>(_ steps: [Step], _ proof: ([Step]) -> Proof?) -> (steps: [Step], proof: Proof)? {
    guard let first = proof(steps) else { return nil }
    var best = (steps: steps, proof: first)
    var size = max(steps.count / 2, 1)
    while true {
        let before = best.steps.count
        var start = 0
        while start < best.steps.count {
            var shorter = best.steps
            shorter.removeSubrange(start..<min(start + size, shorter.count))
            if let found = proof(shorter) {
                best = (shorter, found)
            } else {
                start += size
            }
        }
        // The removal of one step can make another step unnecessary.
        guard size > 1 || best.steps.count < before else { return best }
        size = max(size / 2, 1)
    }
}
