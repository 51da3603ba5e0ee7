import DeadzoneBase
package import DeadzoneMetrics

// Wording of a tuning report, shared by its formats.

extension TuneReport {
    /// Title of a row, such as `cheapest, knee`; empty for a row without a role.
    package func title(of row: TuneRow) -> String { row.kinds.map(title).joined(separator: ", ") }

    /// Title of the present settings, with the roles in which no other settings are better.
    package var presentTitle: String { (["present"] + present.kinds.map(title)).joined(separator: ", ") }

    /// Name for a file of the row: its first role.
    package func fileName(of row: TuneRow) -> String {
        row.kinds.first.map { title(of: $0).replacing(" ", with: "-") } ?? "settings"
    }

    private func title(of kind: ProposalKind) -> String {
        switch kind {
        case .knee: return "knee"
        case .closest: return "closest"
        case .best(let goal):
            if goals.count == 1 { return "best" }
            let word = Self.superlative(goals[goal])
            let isUnique = goals.count { Self.superlative($0) == word } == 1
            return word.flatMap { isUnique ? $0 : nil } ?? "best \(goals[goal].name)"
        }
    }

    private static func superlative(_ metric: Metric) -> String? {
        if metric.name.hasPrefix("battery.") { return "cheapest" }
        let isTime = metric.unit == .milliseconds || metric.unit == .seconds
        return isTime && metric.better == .lower ? "fastest" : nil
    }

    /// Title of the values of goals in a scenario, with the kind of value.
    package func title(of scenario: TunedScenario) -> String {
        scenario.name + (scenario.isHeldOut ? " (held out)" : "") + ", " + meansTitle
    }

    /// The kind of value that stands beside a change.
    package var meansTitle: String { replicas == 1 ? "1 replica" : "means of \(replicas) replicas" }

    /// Title of the values that are judged by demands, which are those of `run`.
    static let pooledTitle = "all replicas together:"

    /// The present mean of a goal and that of a row, such as `8.2 s -> 4.9 s`; `nil` with several scenarios, which have
    /// different values.
    package func meansText(of goal: Int, in row: TuneRow) -> String? {
        guard scenarios.count(where: { !$0.isHeldOut }) == 1, let old = present.results.first,
            let new = row.results.first
        else { return nil }
        let unit = goals[goal].unit
        return "\(old.means[goal].text(unit)) -> \(new.means[goal].text(unit))"
    }

    /// The conclusion in one sentence.
    package var sentence: String {
        let tried = "\(plural(effort.points, "tried set", "tried sets")) of settings"
        guard isComplete else {
            return
                "Stopped early: these are the best of \(tried) until then. Their numbers are those of the search, so they are too good. The same command continues the search."
        }
        switch outcome {
        case .nothingMatters:
            return
                "No setting matters here: in the goals and demands, \(tried) give nearly the same results. Keep the present settings."
        case .presentIsBest:
            if hasTooFewReplicas {
                return
                    "Undecided: \(plural(replicas, "replica")) cannot decide whether any of \(tried) is better. Run at least \(PrimaryMetric.neededReplicas) with --replicas."
            }
            return "Keep the present settings: of \(tried), none is better beyond chance."
        case .noneMeetsDemands:
            return
                "No settings meet the demands: of \(tried), \"closest\" breaks them least. Vary other settings, or relax a demand."
        case .improved:
            guard let proposed else { return "" }
            let row = rows[proposed]
            let goals = zip(goals, row.changes).map { "\($0.label) \(Self.text($1))" }.joined(separator: ", ")
            let demand = row.meetsDemands ? "" : " With new random seeds it does not keep all demands."
            return "\(lead(row)), with \(plural(row.changed.count, "changed setting")): \(goals)."
                + worseText(row) + demand + uncertainText(row)
        }
    }

    private func lead(_ row: TuneRow) -> String {
        let title = "\"\(title(of: row))\""
        if row.meetsDemands && !present.meetsDemands {
            return "\(title) keeps the demands that the present settings break"
        }
        if isTrade(row) { return "No settings are better in every goal. \(title) is a trade" }
        if row.results.contains(where: { !$0.worse.isEmpty }) {
            return "\(title) is better in the goals and worse in other metrics"
        }
        return "Ship \(title)"
    }

    /// The primary metrics that a row makes worse, with the first ones named; empty if there are none.
    private func worseText(_ row: TuneRow) -> String {
        let all = zip(scenarios, row.results).flatMap { scenario, result in
            result.worse.map { worse in
                let place = scenarios.count > 1 ? " in \(scenario.name)" : ""
                return "\(worse.metric.label)\(place) \(text(of: worse))"
            }
        }
        guard !all.isEmpty else { return "" }
        let more = all.count > 3 ? ", and \(all.count - 3) more" : ""
        return " Worse: \(all.prefix(3).joined(separator: ", "))\(more)."
    }

    /// Old and new value of a metric that a row makes worse.
    package func text(of worse: WorseMetric) -> String {
        "\(worse.present.text(worse.metric.unit)) -> \(worse.new.text(worse.metric.unit))"
    }

    /// The named demands that do not hold in every replica of a row that keeps them on average.
    private func uncertainText(_ row: TuneRow) -> String {
        var text = ""
        for (scenario, result) in zip(scenarios, row.results) {
            for (demand, found) in zip(demands, result.demands)
            where !demand.isImplied && found.isKept && found.keptReplicas < replicas {
                let place = scenarios.count > 1 ? " of \(scenario.name)" : ""
                text += " \(self.text(of: demand)) holds in \(found.keptReplicas) of \(replicas) replicas\(place)."
            }
        }
        return text
    }

    /// The switches that were not varied by a search that met no demands, as `--vary` takes them. Empty after any other
    /// search.
    package var switchText: String {
        guard isComplete, outcome == .noneMeetsDemands, !unvariedSwitches.isEmpty else { return "" }
        var groups: [(facet: Substring, names: [String])] = []
        for name in unvariedSwitches {
            let parts = name.split(separator: ".", maxSplits: 1)
            if groups.last?.facet != parts[0] { groups.append((parts[0], [])) }
            if parts.count > 1 { groups[groups.count - 1].names.append(String(parts[1])) }
        }
        let list = groups.map { group in
            group.names.isEmpty ? String(group.facet) : "\(group.facet).(\(group.names.joined(separator: ", ")))"
        }.joined(separator: "; ")
        return "Switches that this search did not vary: \(list). `--vary NAME` tries all words of one."
    }

    /// The numbers behind the answer.
    package var effortText: String {
        var text = "\(plural(effort.searchRuns, "simulation")) to search \(plural(effort.points, "set")) of settings"
        if effort.raised > 0 {
            text += " (\(effort.raised) of them with \(plural(points.map(\.replicas).max() ?? 0, "replica")))"
        }
        if effort.checkRuns > 0 { text += ", \(effort.checkRuns) to round and to measure the answer" }
        if effort.refused > 0 { text += "; \(plural(effort.refused, "invalid set")) drawn again" }
        return text + "."
    }

    /// Where the printed numbers are from.
    package var weatherText: String {
        "Numbers are from \(plural(replicas, "replica")) that the search never saw: those of `deadzone run --seed \(seed) --replicas \(replicas)`. Values and changes of the goals are means of the replicas. `run` prints a percentile of all replicas together, so it can differ."
    }

    /// The points of the front that seem better than every proposal in some goal, and why they are not proposed; empty
    /// if there are none.
    package var missedText: String {
        missedGains.map { gain in
            let row = front[gain.front]
            let reason =
                isProven(gain)
                ? ""
                : " It was chosen among \(plural(front.count, "point")), so this can be chance; more replicas decide."
            let change = Self.text(row.changes[gain.goal])
            return
                "Not proposed: a point of the front with \(goals[gain.goal].label) \(change).\(reason)\(worseText(row))"
        }.joined(separator: " ")
    }

    /// The steps that change no goal by themselves, and what the proposal loses without them; empty if there are none.
    package var neededText: String {
        let notes = path.enumerated().compactMap { number, step -> String? in
            guard !zip(goals, step.changes).contains(where: { $1.isBetter($0.better) || $1.isWorse($0.better) })
            else { return nil }
            let losses = zip(goals, step.without).filter { $1.isWorse($0.better) }.map {
                "\($0.label) \(Self.text($1))"
            }
            guard !losses.isEmpty else { return nil }
            return "Step \(number + 1) works only together with others. Without it, the proposal has "
                + losses.joined(separator: ", ") + "."
        }
        return notes.joined(separator: " ")
    }

    /// The values close to the proposed ones that break a demand; empty if there are none.
    package var edgeText: String {
        guard !edges.isEmpty else { return "" }
        let list = edges.map { edge in
            "with \(settings[edge.setting].name) \(edge.value), \(text(of: demands[edge.demand])) breaks"
        }
        return "Close to the edge: \(list.joined(separator: "; ")). Choose a value with a margin."
    }

    /// The difference between the replicas of the search and new ones, for each goal; empty if it is unknown.
    package var overfitText: String {
        let parts = zip(goals, overfit).filter { $0.1.points > 0 }.map { metric, overfit in
            "\(metric.label) \(Self.percent(overfit.mean)) (\(Self.percent(overfit.range.lowerBound)) to \(Self.percent(overfit.range.upperBound)))"
        }
        guard !parts.isEmpty else { return "" }
        let points = overfit.map(\.points).max() ?? 0
        return
            "New replicas against those of the search, mean of \(plural(points, "point")) of the front: \(parts.joined(separator: ", ")). "
            + "A positive value means that the search was too optimistic."
    }

    /// `false` for an implied demand that is kept and says nothing new: nothing is lost, or the metric is a goal.
    package func isShown(_ demand: Int) -> Bool {
        let results = ([present] + rows).flatMap(\.results)
        return !demands[demand].isImplied
            || results.contains { !$0.demands[demand].isKept }
            || !goals.contains { $0.name == demands[demand].name }
                && results.contains { $0.demands[demand].figure.isNonzero }
    }

    /// Text of a demand, such as `delivery.down.lost at most 100% of present`.
    package func text(of demand: TuneDemand) -> String { "\(demand.name) \(demand.threshold.words(demand.unit, nil))" }

    /// The present value of a setting, and the value of a row.
    package func value(of setting: Int, in row: TuneRow) -> String {
        row.values[setting] ?? settings[setting].present ?? "absent"
    }

    /// The change of one step: `keepalive.interval 45s -> 4m`.
    package func text(of step: TuneStep) -> String {
        guard let proposed else { return "" }
        return step.settings.map { setting in
            "\(settings[setting].name) \(settings[setting].present ?? "absent") -> \(value(of: setting, in: rows[proposed]))"
        }.joined(separator: ", ")
    }

    /// A change with its interval: `-31% [-33%, -29%]`. `~` marks an undecided one.
    package static func text(_ change: RelativeChange) -> String {
        guard change.differs else { return "same" }
        guard let value = change.change else {
            return change.isDecided ? (change.direction < 0 ? "lower" : "higher") : "~ undecided"
        }
        let interval = change.interval.map { " [\(percent($0.lowerBound)), \(percent($0.upperBound))]" } ?? ""
        return (change.isDecided ? "" : "~ ") + percent(value) + interval
    }

    /// A relative change as signed percentage, such as `-31%`.
    package static func percentChange(_ share: Double) -> String { percent(share) }

    /// A ratio as percentage, such as `69%`.
    package static func percentOf(_ ratio: Double) -> String {
        NumberText.short(Billionths(count: Int128((ratio * 100 * 1e9).rounded()))) + "%"
    }

    /// A relative change as signed percentage with three significant digits at most, such as `-31%`, or as a factor
    /// such as `12x` from ten times on.
    static func percent(_ share: Double) -> String {
        if share >= 9 {
            return NumberText.decimal(Billionths(count: Int128(((share + 1) * 1e9).rounded())), places: 0) + "x"
        }
        let thousandths = (share * 1_000).rounded()
        let places = thousandths.magnitude < 100 ? 1 : 0
        let text = NumberText.decimal(Billionths(count: Int128((share * 100 * 1e9).rounded())), places: places)
        return (share > 0 && text != "0" ? "+" : "") + text + "%"
    }
}
