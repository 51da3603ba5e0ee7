package import DeadzoneMetrics

/// A finding for a reviewer, at a place in a file: an error in a scenario, or a result that got worse.
package struct ReviewComment: Hashable, Sendable {
    /// The kinds of findings of a comparison. Errors in files have their codes, such as `E0104`, as kinds.
    package enum ComparisonRule: String, CaseIterable, Sendable {
        case invalidRun = "invalid-run"
        case gate, expectation, regression, undecided
        case notCompared = "not-compared"
        case notJudged = "not-judged"

        var about: String {
            switch self {
            case .invalidRun: "The run proves nothing"
            case .gate: "A bound of a gate is not met"
            case .expectation: "An expectation of the scenario is not met"
            case .regression: "A primary metric got worse"
            case .undecided: "A primary metric seems worse, but not beyond chance"
            case .notCompared: "There is nothing to compare with"
            case .notJudged: "A bound was not judged"
            }
        }
    }

    package var level: Annotation.AnnotationLevel
    /// Kind of finding: a `ComparisonRule` or an error code.
    package var rule: String
    /// Description of the rule.
    package var about: String
    package var title: String
    package var message: String
    package var file: String?
    package var line: Int?
    /// First column, counted in Unicode scalars from 1, and number of columns. `nil` marks the line.
    package var column: Int?
    package var width: Int?
    /// Text to write instead of these columns; `nil` if there is no suggestion.
    package var replacement: String?
    /// Texts that remain the same if the finding is still there in a later version of the file.
    package var identity: [String]

    package init(
        _ level: Annotation.AnnotationLevel, rule: String, about: String, title: String, _ message: String,
        identity: [String]
    ) {
        self.level = level
        self.rule = rule
        self.about = about
        self.title = title
        self.message = message
        self.identity = identity
    }

    fileprivate init(
        _ level: Annotation.AnnotationLevel, _ rule: ComparisonRule, _ title: String, _ message: String,
        at place: BoundLocation?, identity: [String]
    ) {
        self.init(
            level, rule: rule.rawValue, about: rule.about, title: title, message, identity: [rule.rawValue] + identity)
        (file, line, column) = (place?.file, place?.line, place?.column)
    }

    /// The comment as a line for GitHub's log.
    package var annotation: String {
        Annotation.text(level, title: title, message, file: file, line: line, column: column)
    }
}

extension CompareReport {
    /// All findings of the comparison: scenarios that prove nothing, gates that fail or warn (furthest from their bounds
    /// first), regressions, open questions, uncompared items, unjudged bounds. They stand at the strategy in its
    /// scenario, because that is what a pull request changes, or at the expectation that fails.
    /// - Parameter place: Returns the place of a strategy, or of a scenario without a strategy.
    package func reviewComments(
        place: (_ scenario: String, _ strategy: String?) -> BoundLocation?
    ) -> [ReviewComment] {
        let troubles = scenarios.flatMap { scenario in
            scenario.troubles.map {
                ReviewComment(
                    .error, .invalidRun, "\(scenario.name): invalid run", $0, at: place(scenario.name, nil),
                    identity: [scenario.name, $0])
            }
        }
        let listed = outcomes.filter { $0.isFailure || $0.isWarning }.enumerated().sorted { a, b in
            let (first, second) = (a.element, b.element)
            if first.isFailure != second.isFailure { return first.isFailure }
            return first.excess != second.excess ? first.excess > second.excess : a.offset < b.offset
        }
        let bounds = listed.map { _, outcome in
            let gate = outcome.isExpectation ? nil : outcome.place.map { "gate: \($0.text)" }
            let message =
                [outcome.sentence, gate, outcome.worstText].compactMap(\.self) + (outcome.worst?.commands ?? [])
            let own = outcome.isExpectation ? outcome.place : nil
            return ReviewComment(
                outcome.isFailure ? .error : .warning, outcome.isExpectation ? .expectation : .gate, outcome.scenario,
                message.joined(separator: "\n"), at: own ?? place(outcome.scenario, outcome.subject.strategy),
                identity: [outcome.scenario, outcome.subject.name, outcome.metric])
        }
        let changes = [
            (Annotation.AnnotationLevel.error, ReviewComment.ComparisonRule.regression, regressions),
            (.warning, .undecided, openQuestions),
        ].flatMap { level, rule, list in
            list.map { one in
                ReviewComment(
                    level, rule, one.scenario.name, one.sentence, at: place(one.scenario.name, one.subject.strategy),
                    identity: [one.scenario.name, one.subject.name, one.change.metric.name])
            }
        }
        let rest = uncompared.filter { isStrict || $0.reason != .gone || $0.strategy != nil }.map {
            ReviewComment(
                isStrict ? .error : .notice, .notCompared, "\($0.name) was not compared", $0.sentence,
                at: place($0.scenario, $0.strategy),
                identity: [$0.name])
        }
        let partly = scenarios.filter { $0.partlyCompared != nil }.map {
            ReviewComment(
                .notice, .notCompared, "\($0.name) was compared in part", $0.replicaText, at: place($0.name, nil),
                identity: [$0.name, "replicas"])
        }
        let open = unjudged.map { one in
            let own = one.place.isExpectation ? one.place : nil
            let expectation = one.bound.expectation
            return ReviewComment(
                .notice, .notJudged, one.scenario, one.note,
                at: own ?? place(one.scenario, expectation.subject.strategy),
                identity: [one.scenario, expectation.subject.name, expectation.metric])
        }
        return troubles + bounds + changes + rest + partly + open
    }
}
