import Foundation
package import Testing

/// Runs the body with `count` seeds and stops at the first seed that fails. Prints that seed and a command that repeats
/// the failure. `DEADZONE_SEED` runs a single seed; `DEADZONE_SEEDS` overrides the number of seeds.
package func seedSweep(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: (UInt64) throws -> Void
) {
    let environment = ProcessInfo.processInfo.environment
    if let word = environment["DEADZONE_SEED"] {
        guard let seed = UInt64(word) else {
            Issue.record("DEADZONE_SEED is a whole number, not \(word)", sourceLocation: sourceLocation)
            return
        }
        run(seed, sourceLocation, body)
        return
    }
    let wanted = environment["DEADZONE_SEEDS"].flatMap { Int($0) } ?? count
    for seed in 1...UInt64(max(wanted, 1)) where !run(seed, sourceLocation, body) { return }
}

@discardableResult
private func run(_ seed: UInt64, _ location: SourceLocation, _ body: (UInt64) throws -> Void) -> Bool {
    guard failed(location, { try body(seed) }) else { return true }
    let filter = location.fileID.split(separator: "/").first.map { " --filter \($0)" } ?? ""
    Issue.record(
        "seed \(seed); to repeat: DEADZONE_SEED=\(seed) swift test\(filter)", sourceLocation: location)
    return false
}
