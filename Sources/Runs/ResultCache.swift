import DeadzoneBase
package import DeadzoneHost
import DeadzoneMetrics

/// Results of parts of simulations and the intervals of strategies, kept between runs of the program, so that nothing is
/// computed twice.
///
/// The name of an entry is a hash of everything that determines the result: the program, the world, the strategy, the
/// seeds and the phones. A changed scenario, strategy or program therefore never finds an old result. An entry is:
///
///     encoded part result, or encoded intervals
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
        read(name) { SimulationPlan.PartResult(encoded: $0, like: empty()) }
    }

    func store(_ result: SimulationPlan.PartResult, as name: String) { store(result.encoded, as: name) }

    func intervals(_ name: String) -> IntervalList? {
        read(name) { content in
            var (coder, intervals) = (BinaryCoder(reading: content), IntervalList())
            coder.code(&intervals)
            return coder.isFullyRead ? intervals : nil
        }
    }

    func store(_ intervals: IntervalList, as name: String) {
        var (coder, intervals) = (BinaryCoder(), intervals)
        coder.code(&intervals)
        store(coder.bytes, as: name)
    }

    /// The decoded content of an entry. A damaged entry is removed.
    private func read<Value>(_ name: String, _ decoded: ([UInt8]) -> Value?) -> Value? {
        guard let bytes = folder.read(name) else { return nil }
        let content = Array(bytes.dropLast(Fingerprint.size))
        guard seal(content, name) == Array(bytes.suffix(Fingerprint.size)), let value = decoded(content) else {
            folder.remove(name)
            return nil
        }
        return value
    }

    private func store(_ content: [UInt8], as name: String) { folder.store(content + seal(content, name), as: name) }

    private func seal(_ content: [UInt8], _ name: String) -> [UInt8] {
        Fingerprint(ofBytes: Array(name.utf8) + content).bytes
    }
}
