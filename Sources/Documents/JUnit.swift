public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// JUnit XML, the form that CI systems read: a suite for each scenario, a case for each strategy and bound. There is no
/// standard; this keeps to the elements and attributes that the schemas of Jenkins' xunit plug-in and of Ant's report task
/// share (`testsuites`, `testsuite`, `testcase`, `failure`, `error`, `system-out`).
public struct JUnit: Sendable {
    public enum Result: Sendable {
        case passed
        /// Passed, with something to be said.
        case noted(String)
        case failed(String, details: String)
        /// It proves nothing.
        case broken(String)
    }

    public struct Case: Sendable {
        public var suite: String
        public var name: String
        public var result: Result

        public init(suite: String, name: String, result: Result) {
            self.suite = suite
            self.name = name
            self.result = result
        }
    }

    /// Longer names are cut: a name is to be recognised, and some readers keep them in short columns.
    private static let longestName = 200

    /// - Parameter cases: those of one suite stand together.
    public static func text(_ cases: [Case]) -> String {
        let cases = named(cases)
        var suites: [(name: String, cases: [Case])] = []
        for item in cases {
            if suites.last?.name != item.suite { suites.append((item.suite, [])) }
            suites[suites.count - 1].cases.append(item)
        }
        let body = suites.map { suite in
            "  <testsuite name=\"\(attribute(suite.name))\"\(counts(suite.cases))>\n"
                + suite.cases.map(element).joined() + "  </testsuite>\n"
        }.joined()
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"deadzone\"\(counts(cases))>\n"
            + body + "</testsuites>\n"
    }

    /// Readers go by names, so those that stand twice in a suite are numbered. No time is told: what a case takes is not
    /// measured, and nought would be wrong.
    private static func named(_ cases: [Case]) -> [Case] {
        var seen: [String: Set<String>] = [:]
        return cases.map { item in
            var item = item
            item.name = numbered(String(item.name.prefix(longestName))) {
                seen[item.suite, default: []].insert($0).inserted
            }
            return item
        }
    }

    /// The name, or with the first number that makes it a new one.
    static func numbered(_ name: String, isNew: (String) -> Bool) -> String {
        if isNew(name) { return name }
        var number = 2
        while !isNew("\(name) (\(number))") { number += 1 }
        return "\(name) (\(number))"
    }

    private static func counts(_ cases: [Case]) -> String {
        let failures = cases.count { if case .failed = $0.result { true } else { false } }
        let errors = cases.count { if case .broken = $0.result { true } else { false } }
        return " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
    }

    private static func element(_ item: Case) -> String {
        let head =
            "    <testcase classname=\"\(attribute(item.suite))\" name=\"\(attribute(item.name))\""
        switch item.result {
        case .passed: return head + "/>\n"
        case .noted(let text): return head + ">\n      <system-out>\(content(text))</system-out>\n    </testcase>\n"
        case .failed(let message, let details):
            return head
                + ">\n      <failure type=\"bound\" message=\"\(content(message))\">\(content(details))</failure>\n"
                + "    </testcase>\n"
        case .broken(let message):
            return head + ">\n      <error type=\"unsound\" message=\"\(content(message))\"/>\n    </testcase>\n"
        }
    }

    private static func attribute(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return content(
            scalars.count <= longestName ? text : String(String.UnicodeScalarView(scalars.prefix(longestName))) + "…")
    }

    /// Line by line: what XML forbids, and what would steer a terminal, is written out; what means something to XML is
    /// escaped. In an attribute a line end is escaped too, since readers make it a space.
    private static func content(_ text: String) -> String {
        var out = ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
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
    /// A gate that only warns passes, and says so.
    public var junit: String {
        let cases = scenarios.flatMap { scenario -> [JUnit.Case] in
            scenario.troubles.map { .init(suite: scenario.name, name: "the run proves something", result: .broken($0)) }
                + scenario.outcomes.map { .init(suite: scenario.name, name: $0.caseName, result: $0.junit) }
                + regressions.filter { $0.scenario.name == scenario.name }.map(\.junit)
                + (scenario.troubles.isEmpty && scenario.outcomes.isEmpty
                    ? [.init(suite: scenario.name, name: "ran to its end", result: .passed)] : [])
        }
        return JUnit.text(cases)
    }
}

extension RunReport {
    /// A case for each scenario, strategy and expectation.
    public static func junit(of runs: [RunReport]) -> String {
        var suites: Set<String> = []
        let cases = runs.flatMap { run -> [JUnit.Case] in
            let outcomes = run.strategies.flatMap(\.outcomes).map {
                GateOutcome(.error, scenario: run.scenario.name, outcome: $0, place: nil, worst: nil)
            }
            let suite = JUnit.numbered(run.scenario.name) { suites.insert($0).inserted }
            return run.troubles.map { .init(suite: suite, name: "the run proves something", result: .broken($0)) }
                + outcomes.map { .init(suite: suite, name: $0.caseName, result: $0.junit) }
                + (run.troubles.isEmpty && outcomes.isEmpty
                    ? [.init(suite: suite, name: "ran to its end", result: .passed)] : [])
        }
        return JUnit.text(cases)
    }
}

extension GateOutcome {
    fileprivate var caseName: String {
        "\(subject.name): \(metric) \(outcome.expectation.threshold.words(unitOfMetric, nil))"
    }

    fileprivate var junit: JUnit.Result {
        let details = [sentence, worstText, worst?.command].compactMap(\.self).joined(separator: "\n")
        if isFailure { return .failed(sentence, details: details) }
        if isWarning { return .noted("warning: " + details) }
        return outcome.pending == nil ? .passed : .noted(sentence)
    }
}

extension Regression {
    fileprivate var junit: JUnit.Case {
        let message = "\(change.metric.titled) of \(subject.name) went from \(change.oldText) to \(change.newText)"
        let details = "\(change.differenceText), \(change.pairsText), \(change.pText)\n\(scenario.command)"
        return .init(
            suite: scenario.name, name: "\(subject.name): \(change.metric.name) is no worse than in the baseline",
            result: .failed(message, details: message + "\n" + details))
    }
}
