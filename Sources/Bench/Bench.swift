import DeadzoneHost

/// Runs `deadzone-bench` with the given command-line arguments and returns the exit code.
///
/// 0 success, 2 usage error, 5 no benchmark matched, 70 a bare loop did different work from ours.
func run(_ words: [String], _ output: Console, _ errors: Console) -> Int32 {
    let options: BenchOptions
    do throws(BenchOptions.BenchUsageError) {
        options = try BenchOptions(words)
    } catch {
        errors.write("error: \(error.message)\n\n" + BenchOptions.usage)
        return 2
    }
    if options.help {
        output.write(BenchOptions.usage)
        return 0
    }
    let chosen = BenchmarkSuite.all.filter { options.includes($0.name) }
    guard !chosen.isEmpty else {
        errors.write("error: no benchmark is called `\(options.only.joined(separator: "`, `"))`; --list names them\n")
        return 5
    }
    if options.list {
        for benchmark in chosen { output.write("\(benchmark.name): \(benchmark.about)\n") }
        return 0
    }
    return measure(chosen, options, output, errors)
}

private func measure(
    _ benchmarks: [Benchmark], _ options: BenchOptions, _ output: Console, _ errors: Console
) -> Int32 {
    // With --json the document goes to standard output, so the table goes to standard error.
    let table = options.json ? errors : output
    defer { CaptureReplay.cleanUp() }
    table.write(BenchReport.heading)
    var results: [BenchmarkResult] = []
    for benchmark in benchmarks {
        let result = benchmark.measure(quick: options.quick)
        if let name = result.mismatchedLoop {
            errors.write("error: in \(benchmark.name) \(name) did other work than ours: this is a bug\n")
            return 70
        }
        results.append(result)
        table.write(BenchReport.row(result))
        table.flush()
    }
    if options.json { output.write(BenchReport.json(results)) }
    return 0
}
