import DeadzoneHost

/// The whole of `deadzone-bench`: the words after its name in, an exit code out.
///
/// 0 all is well, 2 usage, 5 nothing matched, 70 a bare loop did other work than ours.
func run(_ words: [String], _ output: Console, _ errors: Console) -> Int32 {
    let options: BenchOptions
    do throws(BenchOptions.Fault) {
        options = try BenchOptions(words)
    } catch {
        errors.write("error: \(error.message)\n\n" + BenchOptions.usage)
        return 2
    }
    if options.help {
        output.write(BenchOptions.usage)
        return 0
    }
    let chosen = Suite.all.filter { options.wants($0.name) }
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
    // While JSON is made, the table goes where people look.
    let table = options.json ? errors : output
    defer { CaptureReplay.cleanUp() }
    table.write(BenchReport.heading)
    var findings: [Finding] = []
    for benchmark in benchmarks {
        let finding = benchmark.measure(quick: options.quick)
        if let name = finding.contradiction {
            errors.write("error: in \(benchmark.name) \(name) did other work than ours: this is a bug\n")
            return 70
        }
        findings.append(finding)
        table.write(BenchReport.row(finding))
        table.flush()
    }
    if options.json { output.write(BenchReport.json(findings)) }
    return 0
}
