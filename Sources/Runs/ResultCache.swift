import DeadzoneBase
package import DeadzoneHost

/// Results of parts of simulations, kept between runs of the program, so that nothing is simulated twice.
///
/// The name of an entry is a hash of everything that determines the result: the program, the world, the strategy, the
/// seed and the phones. A changed scenario, strategy or program therefore never finds an old result. An entry is:
///
///     encoded part result
///     32 bytes              SHA-256 of the name and all before
///
/// The checksum detects accidental damage. A damaged entry is simulated again.
package struct ResultCache: Sendable {
    private static let format = "deadzone part 1"

    package let folder: CacheFolder
    private let program: String

    /// - Parameter program: identifies this build of the program.
    package init(_ folder: CacheFolder, program: String) {
        self.folder = folder
        self.program = program
    }

    /// The name of the entry for a part with a result that depends on these facts.
    func name(_ facts: [String]) -> String {
        Fingerprint(of: ([Self.format, toolVersion, program] + facts).joined(separator: "\n")).hex
    }

    /// - Parameter empty: A result without records, of the same form as the stored one.
    func partResult(
        _ name: String, like empty: @autoclosure () -> SimulationPlan.PartResult
    ) -> SimulationPlan.PartResult? {
        guard let bytes = folder.read(name) else { return nil }
        let content = Array(bytes.dropLast(Fingerprint.size))
        guard seal(content, name) == Array(bytes.suffix(Fingerprint.size)),
            let result = SimulationPlan.PartResult(encoded: content, like: empty())
        else {
            folder.remove(name)
            return nil
        }
        return result
    }

    func store(_ result: SimulationPlan.PartResult, as name: String) {
        let content = result.encoded
        folder.store(content + seal(content, name), as: name)
    }

    private func seal(_ content: [UInt8], _ name: String) -> [UInt8] {
        Fingerprint(ofBytes: Array(name.utf8) + content).bytes
    }
}
