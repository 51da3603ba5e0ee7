import DeadzoneBase
package import DeadzoneMetrics

/// Formats results as JUnit XML for CI systems: a suite for each scenario, a case for each strategy and bound. No
/// standard exists. This code uses only the elements and attributes that the schemas of Jenkins' xunit plug-in and of
/// Ant's report task share (`testsuites`, `testsuite`, `testcase`, `failure`, `error`, `skipped`, `system-out`).
package struct JUnit: Sendable {
    package enum CaseResult: Sendable {
        case passed
        /// Passed, with a note for the output.
        case passedWithNote(String)
        case failed(String, details: String)
        /// Not judged, for the given reason.
        case skipped(String)
        /// The run is not sound, so it proves nothing.
        case invalid(String)
    }

    package struct TestCase: Sendable {
        package var suite: String
        package var name: String
        package var result: CaseResult

        package init(suite: String, name: String, result: CaseResult) {
            self.suite = suite
            self.name = name
            self.result = result
        }
    }

    /// Most characters of a name; longer names are cut. Some readers store names in short columns.
    private static let maxNameLength = 200

    /// - Parameter cases: The test cases; those of one suite must be consecutive.
    package static func text(_ cases: [TestCase]) -> String {
        let cases = withUniqueNames(cases)
        var suites: [(name: String, cases: [TestCase])] = []
        for item in cases {
            if suites.last?.name != item.suite { suites.append((item.suite, [])) }
            suites[suites.count - 1].cases.append(item)
        }
        let body = suites.map { suite in
            "  <testsuite name=\"\(attribute(suite.name))\"\(counts(suite.cases))\(skipped(suite.cases))>\n"
                + suite.cases.map(element).joined() + "  </testsuite>\n"
        }.joined()
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"deadzone\"\(counts(cases))>\n"
            + body + "</testsuites>\n"
    }

    /// Numbers duplicate names within a suite, because readers identify cases by name. There is no `time` attribute:
    /// the duration of a case is not measured, and zero would be wrong.
    private static func withUniqueNames(_ cases: [TestCase]) -> [TestCase] {
        var seen: [String: Set<String>] = [:]
        return cases.map { item in
            var item = item
            item.name = uniqueName(String(item.name.prefix(maxNameLength))) {
                seen[item.suite, default: []].insert($0).inserted
            }
            return item
        }
    }

    /// Returns the name, or the name with the first number that makes it new.
    static func uniqueName(_ name: String, isNew: (String) -> Bool) -> String {
        if isNew(name) { return name }
        var number = 2
        while !isNew("\(name) (\(number))") { number += 1 }
        return "\(name) (\(number))"
    }

    private static func counts(_ cases: [TestCase]) -> String {
        let failures = cases.count { if case .failed = $0.result { true } else { false } }
        let errors = cases.count { if case .invalid = $0.result { true } else { false } }
        return " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
    }

    /// Only a suite has this attribute, because the schemas do not allow it for all suites together.
    private static func skipped(_ cases: [TestCase]) -> String {
        let count = cases.count { if case .skipped = $0.result { true } else { false } }
        return count > 0 ? " skipped=\"\(count)\"" : ""
    }

    private static func element(_ item: TestCase) -> String {
        let head =
            "    <testcase classname=\"\(attribute(item.suite))\" name=\"\(attribute(item.name))\""
        switch item.result {
        case .passed: return head + "/>\n"
        case .passedWithNote(let text):
            return head + ">\n      <system-out>\(content(text))</system-out>\n    </testcase>\n"
        case .failed(let message, let details):
            return head
                + ">\n      <failure type=\"bound\" message=\"\(content(message))\">\(content(details))</failure>\n"
                + "    </testcase>\n"
        case .skipped(let reason):
            return head + ">\n      <skipped message=\"\(content(reason))\"/>\n    </testcase>\n"
        case .invalid(let message):
            return head + ">\n      <error type=\"unsound\" message=\"\(content(message))\"/>\n    </testcase>\n"
        }
    }

    private static func attribute(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return content(
            scalars.count <= maxNameLength
                ? text : String(String.UnicodeScalarView(scalars.prefix(maxNameLength))) + "…")
    }

    /// Escapes text for XML, line by line. Control characters, which XML forbids and terminals obey, are written out.
    /// Line ends become character references, because readers turn a line end in an attribute into a space.
    private static func content(_ text: String) -> String {
        var out = ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapedForTerminal }
        for scalar in lines.joined(separator: "\n").unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&apos;"
            case "\n": out += "&#10;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}

extension CompareReport {
    /// JUnit XML of the comparison. A gate that only warns passes, with a note.
    package var junit: String {
        // A run may name fewer scenarios than the baseline has.
        let uncompared = uncompared.filter { isStrict || $0.reason != .gone || $0.strategy != nil }
        let cases = scenarios.flatMap { scenario -> [JUnit.TestCase] in
            let skipped = unjudged.filter { $0.scenario == scenario.name }.map(\.junit)
            return scenario.troubles.map { .init(suite: scenario.name, name: "the run is valid", result: .invalid($0)) }
                + scenario.outcomes.map { .init(suite: scenario.name, name: $0.caseName, result: $0.junit) }
                + recommendedCases(scenario) + skipped + scenario.partlyComparedCases
                + uncompared.filter { $0.scenario == scenario.name }.map { $0.junit(isStrict: isStrict) }
                + (scenario.troubles.isEmpty && scenario.outcomes.isEmpty && skipped.isEmpty
                    ? [.init(suite: scenario.name, name: "the run completed", result: .passed)] : [])
        }
        // A stopped command has not run all scenarios.
        let rest = uncompared.filter { one in !scenarios.contains { $0.name == one.scenario } }
        return JUnit.text(cases + rest.map { $0.junit(isStrict: isStrict) })
    }

    /// The regressions and the open questions of a scenario, then a passed case for each other primary metric that the
    /// recommended gates judged. Without the passed cases, the history of a case would have gaps.
    private func recommendedCases(_ scenario: ComparedScenario) -> [JUnit.TestCase] {
        func isHere(_ one: Regression) -> Bool { one.scenario.name == scenario.name }
        let found =
            regressions.filter(isHere).map { $0.junit(isOpen: false) }
            + openQuestions.filter(isHere).map { $0.junit(isOpen: true) }
        guard reference == .baseline, usesRecommendedGates, scenario.troubles.isEmpty, !scenario.lacksCommonReplicas
        else { return found }
        let known = Set(found.map(\.name))
        let passed = scenario.allComparisons.flatMap { comparison in
            comparison.primaryChanges.filter { change in
                (change.new != .nothing || change.old != .nothing)
                    && !scenario.replaced.contains(
                        GateTarget(subject: comparison.subject, metric: change.metric.name))
            }.map { Regression.caseName(comparison.subject, $0) }
        }
        return found
            + passed.filter { !known.contains($0) }.map { .init(suite: scenario.name, name: $0, result: .passed) }
    }
}

extension RunReport {
    /// JUnit XML with a case for each scenario, strategy and expectation.
    /// - Parameter across: comparisons across networks. A bound that fails on a network is a note if the scenario
    ///   allows it.
    package static func junit(of runs: [RunReport], across: [AcrossReport] = []) -> String {
        var suites: Set<String> = []
        let cases = runs.enumerated().flatMap { index, run -> [JUnit.TestCase] in
            let level: Gate.GateSeverity = across.allowFailure(ofRun: index) ? .warn : .error
            let outcomes = run.strategies.flatMap(\.outcomes).map {
                GateOutcome(level, scenario: run.scenario.name, outcome: $0, place: nil, worst: nil)
            }
            let suite = JUnit.uniqueName(run.scenario.name) { suites.insert($0).inserted }
            return run.troubles.map { .init(suite: suite, name: "the run is valid", result: .invalid($0)) }
                + outcomes.map { .init(suite: suite, name: $0.caseName, result: $0.junit) }
                + run.unjudged.map {
                    .init(suite: suite, name: $0.expectation.caseName, result: .skipped("not judged: \($0.reason)"))
                }
                + (run.troubles.isEmpty && outcomes.isEmpty && run.unjudged.isEmpty
                    ? [.init(suite: suite, name: "the run completed", result: .passed)] : [])
        }
        return JUnit.text(cases + across.compactMap(\.junit))
    }
}

extension AcrossReport {
    /// A case for the share of networks on which the expectations hold. `nil` without expectations.
    fileprivate var junit: JUnit.TestCase? {
        guard let expectations, let line = expectationLine({ $0 }) else { return nil }
        return .init(
            suite: scenario, name: "expectations hold on at least \(expectations.needed.text(.ratio)) of \(noun)",
            result: expectations.verdict == .pass ? .passedWithNote(line) : .failed(line, details: line))
    }
}

extension Expectation {
    fileprivate var caseName: String {
        "\(subject.name): \(metric) \(threshold.words(Catalogue.metric(named: metric)?.unit ?? .count, nil))"
    }
}

extension GateOutcome {
    fileprivate var caseName: String { outcome.expectation.caseName }

    fileprivate var junit: JUnit.CaseResult {
        let details = ([sentence, place?.text, worstText].compactMap(\.self) + (worst?.commands ?? []))
            .joined(separator: "\n")
        if isFailure { return .failed(sentence, details: details) }
        if isWarning { return .passedWithNote("warning: " + details) }
        return outcome.pending == nil ? .passed : .passedWithNote(sentence)
    }
}

extension Uncompared {
    /// - Parameter isStrict: `true` if the case fails. Otherwise it is skipped.
    fileprivate func junit(isStrict: Bool) -> JUnit.TestCase {
        let subject = [strategy, group].compactMap(\.self).joined(separator: ", ")
        return .init(
            suite: scenario, name: (subject.isEmpty ? "" : subject + ": ") + "compared with the baseline",
            result: isStrict ? .failed(sentence, details: sentence) : .skipped(sentence))
    }
}

extension ComparedScenario {
    /// A case for the replicas that were not compared. Empty if there are none.
    fileprivate var partlyComparedCases: [JUnit.TestCase] {
        guard partlyCompared != nil else { return [] }
        return [.init(suite: name, name: "all replicas are compared", result: .skipped(replicaText))]
    }
}

extension UnjudgedBound {
    fileprivate var junit: JUnit.TestCase {
        .init(suite: scenario, name: bound.expectation.caseName, result: .skipped(note))
    }
}

extension Regression {
    fileprivate static func caseName(_ subject: Subject, _ change: MetricChange) -> String {
        "\(subject.name): \(change.metric.name) is not worse than in the baseline"
    }

    /// - Parameter isOpen: `true` for a change that the replicas cannot decide. Its case passes, with a note.
    fileprivate func junit(isOpen: Bool) -> JUnit.TestCase {
        let numbers = [change.differenceText, change.pairsText, change.pText].filter { !$0.isEmpty }
        let details = (numbers.isEmpty ? "" : numbers.joined(separator: ", ") + "\n") + scenario.command
        return .init(
            suite: scenario.name, name: Self.caseName(subject, change),
            result: isOpen
                ? .passedWithNote("\(sentence)\n\(details)")
                : .failed(sentence, details: "\(sentence)\n\(details)"))
    }
}
