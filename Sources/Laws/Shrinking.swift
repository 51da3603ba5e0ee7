/// The history that breaks a law, cut down to what that takes: without any one of its steps the law would hold.
/// - Parameter broken: What breaks in a history; empty if all laws hold. It is asked of ever shorter ones.
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
        // One step that is gone may have been what made another one needed.
        guard size > 1 || best.history.count < before else { return best }
        size = max(size / 2, 1)
    }
}
