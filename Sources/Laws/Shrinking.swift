/// Shrinks a history that breaks a law to a minimal one: after removal of any single step no law is broken.
/// - Parameter broken: Returns the broken laws of a history; empty if all laws hold. Called with shorter and shorter
///   histories.
func shrunk<Step>(_ history: [Step], _ broken: ([Step]) -> [String]) -> (history: [Step], broken: [String])? {
    var best = (history: history, broken: broken(history))
    guard !best.broken.isEmpty else { return nil }
    var size = max(history.count / 2, 1)
    while true {
        let before = best.history.count
        var start = 0
        while start < best.history.count {
            var shorter = best.history
            shorter.removeSubrange(start..<min(start + size, shorter.count))
            let found = broken(shorter)
            if found.isEmpty {
                start += size
            } else {
                best = (shorter, found)
            }
        }
        // The removal of one step can make another step unnecessary.
        guard size > 1 || best.history.count < before else { return best }
        size = max(size / 2, 1)
    }
}
