import DeadzoneReports

/// The parsed command-line options of the benchmark program `deadzone-bench`.
struct BenchOptions: Equatable {
    var json = false
    var quick = false
    var list = false
    var help = false
    /// Benchmark names, or prefixes of names up to a slash. Empty selects all benchmarks.
    var only: [String] = []

    struct BenchUsageError: Error {
        let message: String
    }

    init(_ words: [String]) throws(BenchUsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": json = true
            case "--quick": quick = true
            case "--list": list = true
            case "-h", "--help": help = true
            case "--only":
                guard let name = rest.popFirst() else { throw BenchUsageError(message: "--only needs a name") }
                only.append(name)
            case _ where word.hasPrefix("--only="): only.append(String(word.dropFirst("--only=".count)))
            default: throw BenchUsageError(message: "unknown argument `\(word)`")
            }
        }
    }

    func includes(_ name: String) -> Bool {
        only.isEmpty || only.contains { name == $0 || name.hasPrefix($0 + "/") }
    }

    static let usage = """
        deadzone-bench                      measures everything, a few minutes
        deadzone-bench --quick              less of everything, for a look
        deadzone-bench --only fleet         a benchmark, or all whose name begins with `fleet/`; may be repeated
        deadzone-bench --json               one JSON document, schema \(DocumentSchema.bench.rawValue)
        deadzone-bench --list               the names

        Every figure is the least of several rounds, taken in turn with bare loops of the same work in the same process. The
        ratio is ours over the best bare loop; ratios travel between machines, nanoseconds do not.

        """
}
