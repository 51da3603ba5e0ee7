import DeadzoneMetrics

/// The page section about networks: whether the ranking of the strategies depends on them. A picture marks the best
/// strategy of each metric on each network.
struct AcrossSection {
    private static let (width, left, row, head) = (1_140, 300, 20, 44)
    private static let narrowLeft = 186
    /// Most networks in the picture; the table below it has all of them.
    private static let mostRows = 40

    let report: AcrossReport
    /// Number of this section on the page.
    let number: Int
    /// `false` if the page has several such sections, so that each needs the name of its scenario.
    let isAlone: Bool

    var html: String {
        func escaped(_ name: String) -> String { Markup.escaped(name) }
        var lines = report.rankingLines(escaped).map { stability, text in
            "<li><b>\(stability.rawValue)</b> \(text)</li>"
        }
        lines += [report.alikeLine(escaped), report.replicasHint].compactMap(\.self).map { "<li>\($0)</li>" }
        if let line = report.expectationLine(escaped) {
            let isKept = report.expectations?.verdict == .pass
            lines.append(
                "<li><span class=\"verdict \(isKept ? "pass" : "fail")\">\(isKept ? "✓" : "✗")</span> \(line)</li>")
        }
        let subject = isAlone ? "" : ": \(escaped(report.scenario))"
        return "<section class=\"part\" id=\"across-\(number)\"><h2>\(report.title)\(subject)</h2>\n"
            + "<p class=\"sentence\">\(report.headline(escaped))</p>\n"
            + (lines.isEmpty ? "" : "<ul>\n\(lines.joined(separator: "\n"))\n</ul>\n") + picture + "</section>\n"
    }

    /// Metrics in which some strategies differ on some network.
    private var rankings: [NetworkRanking] { report.rankings.filter { $0.stability != .alike } }

    private var picture: String {
        guard !rankings.isEmpty else { return "" }
        let shown = Array(report.networks.prefix(Self.mostRows))
        let height = Self.head + shown.count * Self.row + 8
        let more = report.networks.count - shown.count
        let about =
            "The best strategy by metric, on each of \(shown.count) \(report.noun); = where the first place is shared."
            + (more > 0 ? " \(more) more are in the table." : "")
        let letters = rankings.indices.map { "<b>\(Self.letter($0))</b> \(label($0))" }
        return Markup.figure(
            "across-best-\(number)", "Best on each \(report.noun.dropLast())", about, width: Self.width, height: height,
            drawing(shown, Self.left, Self.width, nameLength: 34) { label($0) },
            narrow: NarrowDrawing(
                height: height,
                svg: drawing(shown, Self.narrowLeft, NarrowDrawing.width, nameLength: 28) { Self.letter($0) }),
            after: legend + NarrowDrawing.legend(letters) + table)
    }

    /// - Parameter heading: the text above a column.
    private func drawing(
        _ networks: [AcrossReport.NetworkResult], _ left: Int, _ width: Int, nameLength: Int,
        heading: (Int) -> String
    ) -> String {
        let step = Double(width - left) / Double(rankings.count)
        func x(_ column: Int) -> Double { Double(left) + (Double(column) + 0.5) * step }
        var drawing = ""
        for column in rankings.indices {
            let words = heading(column).split(separator: " ", maxSplits: 1).map(String.init)
            for (line, word) in words.enumerated() {
                let y = Self.head - 10 - (words.count - 1 - line) * 13
                drawing += "<text class=\"tick\" x=\"\(Markup.coordinate(x(column)))\" y=\"\(y)\">\(word)</text>"
            }
        }
        for (row, network) in networks.enumerated() {
            let y = Self.head + row * Self.row + Self.row / 2
            drawing += "<path class=\"grid\" d=\"M0 \(y + Self.row / 2)H\(width)\"/>"
            drawing +=
                "<text class=\"row\" x=\"0\" y=\"\(y + 4)\">\(Markup.shortened(network.name, to: nameLength))</text>"
            for (column, ranking) in rankings.enumerated() {
                guard let best = ranking.best(on: row) else {
                    drawing += "<text class=\"tick\" x=\"\(Markup.coordinate(x(column)))\" y=\"\(y + 4)\">=</text>"
                    continue
                }
                let title = "\(network.name), \(ranking.metric.label): \(report.strategies[best])"
                drawing += Marker(index: best).svg(x(column), Double(y), title: Markup.escaped(title))
            }
        }
        return drawing
    }

    private var legend: String {
        let entries = report.strategies.enumerated().map { index, name in
            "<span>" + Marker(index: index).inline + Markup.escaped(name, atMost: 60) + "</span>"
        }
        return "<p class=\"legend\">" + entries.joined() + "</p>\n"
    }

    private var table: String {
        Markup.table(
            "best strategy on each \(report.noun.dropLast())",
            [""] + rankings.map { Markup.escaped($0.metric.label) },
            report.networks.indices.map { network in
                [Markup.escaped(report.networks[network].name)]
                    + rankings.map { ranking in
                        ranking.best(on: network).map { Markup.escaped(report.strategies[$0], atMost: 60) } ?? "tie"
                    }
            })
    }

    private static func letter(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "A") + UInt8(min(index, 25))))
    }

    private func label(_ index: Int) -> String {
        let name = rankings[index].metric.name
        return PrimaryMetric.all.first { $0.name == name }?.label ?? Markup.escaped(name)
    }
}

extension PrimaryMetric {
    /// Two or three words for a column. The first word stands on a line of its own.
    var label: String { Self.labels.first { $0.metric == name }?.words ?? Markup.escaped(name) }

    private static let labels: [(metric: String, words: String)] = [
        ("delivery.down.lost", "Lost to app"), ("delivery.up.lost", "Lost to server"),
        ("calls.failed", "Failed calls"), ("delivery.down.pending", "Pending to app"),
        ("delivery.up.pending", "Pending to server"), ("latency.down.p95", "Latency to app"),
        ("latency.up.p95", "Latency to server"), ("latency.call.p95", "Latency of calls"),
        ("zombie.max", "Zombie time"), ("recovery.p95", "Recovery time"),
        ("battery.above_idle_joules", "Energy above idle"),
    ]
}
