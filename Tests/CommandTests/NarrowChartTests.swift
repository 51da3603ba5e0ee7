import DeadzoneCommand
import DeadzoneTestKit
import Testing

/// The drawings of charts for the window of a phone.
struct NarrowChartTests {
    private func page(_ scenario: String) throws -> String {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", scenario)
        let outcome = workspace.run("run @a.yaml -q --exit-zero --format html")
        try #require(outcome.code == .ok, "\(outcome.errors)")
        return outcome.output
    }

    /// The narrow drawings of all charts, by the identifier of the figure.
    private func drawings(_ page: String) -> [String: Substring] {
        page.matches(of: /<figure id="([a-z0-9-]+)" class="chart">(?s:.*?)<\/figure>/).reduce(into: [:]) {
            found, match in
            guard let start = match.0.firstRange(of: "viewBox=\"0 0 350 ")?.lowerBound,
                let end = match.0[start...].firstRange(of: "</svg>")?.lowerBound
            else { return }
            found[String(match.1)] = match.0[start..<end]
        }
    }

    @Test func chartsFitAPhone() throws {
        // Broken: a chart has no drawing for a phone, or that drawing is wider than the window.
        let page = try page(TestWorkspace.scenario)
        let drawings = drawings(page)
        #expect(Set(drawings.keys).isSuperset(of: ["energy-0", "latency-0-down", "pareto-0"]), "\(drawings.keys)")
        for (id, drawing) in drawings {
            let places = drawing.matches(of: /[ ]x="([0-9.-]+)"/).compactMap { Double($0.1) }
            #expect(places.count > 3 && places.allSatisfy { 0...350 ~= $0 }, "\(id): \(places)")
            // Horizontal lines end in the drawing, too.
            let ends = drawing.matches(of: /H([0-9.]+)/).compactMap { Double($0.1) }
            #expect(ends.allSatisfy { $0 <= 350 }, "\(id): \(ends)")
        }
        // Each figure with a narrow drawing hides its broad one on a phone.
        #expect(page.matches(of: /class="chart broad"/).count == drawings.count)
    }

    @Test func curvesHaveALegendInPlaceOfLabels() throws {
        // Broken: on a phone, the curves of a chart have no names.
        let page = try page(TestWorkspace.scenario)
        let drawing = try #require(drawings(page)["latency-0-down"])
        #expect(!drawing.contains("class=\"end\""))
        let legend = try #require(page.firstMatch(of: /<p class="legend narrow">.*<\/p>/)).0
        #expect(legend.contains("eager</b>") && legend.contains("patient</b>"), "\(legend)")
    }

    @Test func matricesFitAPhone() throws {
        // Broken: the curves of a matrix leave the window of a phone, or have no names there.
        let page = try page(
            TestWorkspace.scenario.replacing("every: 10s", with: "every: \"${every}\"")
                + "\nmatrix:\n  every: [10s, 20s, 30s]\n")
        let drawings = drawings(page).filter { $0.key.hasPrefix("matrix-") }
        #expect(!drawings.isEmpty)
        for (id, drawing) in drawings {
            let places = drawing.matches(of: /[ ]c?x="([0-9.-]+)"/).compactMap { Double($0.1) }
            #expect(places.count > 3 && places.allSatisfy { 0...350 ~= $0 }, "\(id): \(places)")
        }
        #expect(page.matches(of: /<p class="legend narrow">/).count >= drawings.count)
    }
}
