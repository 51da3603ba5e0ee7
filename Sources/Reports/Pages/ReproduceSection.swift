import DeadzoneBase
import DeadzoneMetrics

/// The page section with the command that repeats the run, and with the model behind its numbers.
struct ReproduceSection {
    let report: RunReport

    var html: String {
        """
        <section class="part reproduce"><h2>Reproduce</h2>
        <p>Save the scenario below as <code>scenario.yaml</code>. The result is identical on any machine.</p>
        <pre><code>deadzone run scenario.yaml --seed \(report.seed) \(replicas)\(strategyFlags)</code></pre>
        <div class="wide"><table><tbody>
        <tr><th scope="row">tool</th><td>deadzone \(Markup.escaped(report.tool))</td></tr>
        <tr><th scope="row">seed · replicas</th><td>\(report.seed) · \(report.replicas)</td></tr>
        <tr><th scope="row">world</th><td><code>\(Markup.escaped(report.scenario.worldHash))</code></td></tr>
        \(strategies)</tbody></table></div>
        <details><summary>The scenario with all defaults and profiles filled in</summary><pre class="yaml"><code>\(yaml)</code></pre></details>
        <h2>Model and assumptions</h2>
        <p>Joules are those of the profile's phone and network. Compare strategies before you \
        trust a joule.</p>
        \(report.model.html)</section>

        """
    }

    private var replicas: String {
        (report.focus.replica == nil ? "--replicas \(report.replicas)" : "") + report.focus.flags
    }

    private var strategyFlags: String {
        report.strategies.map { strategy in
            let isPlain = strategy.name.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            }
            return isPlain && strategy.name.utf8.count <= 60 ? " --strategy \(strategy.name)" : ""
        }.joined()
    }

    private var strategies: String {
        report.strategies.map { strategy in
            "<tr><th scope=\"row\">\(Markup.escaped(strategy.name, atMost: 60))</th><td>settings "
                + "<code>\(Markup.escaped(String(strategy.hash.prefix(16))))</code>, digest "
                + "<code>\(Markup.escaped(strategy.digest))</code></td></tr>\n"
        }.joined()
    }

    /// Text of the scenario, escaped line by line so that line ends are kept and other control characters are written
    /// out.
    private var yaml: String {
        let lines = report.scenario.resolved.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix(4_000).map { Markup.escaped(String($0), atMost: 8_000) }.joined(separator: "\n")
    }
}

extension ModelNotes {
    /// Every source and every assumption, in collapsible sections.
    var html: String {
        var text = ""
        for radio in radios { text += radio.profile.html("\(radio.interface.title) radio") }
        if let platform { text += platform.html("operating system") }
        return text + "<ul>" + (population + limits).map { "<li>\(Markup.escaped($0, atMost: 400))</li>" }.joined()
            + "</ul>\n"
    }
}

extension ModelNote {
    fileprivate func html(_ what: String) -> String {
        let sources = self.sources.prefix(40).map { "<li>\(Markup.escaped($0, atMost: 400))</li>" }.joined()
        let assumed = self.assumed.prefix(40).map { "<li>assumed: \(Markup.escaped($0, atMost: 200))</li>" }.joined()
        let count =
            "\(self.sources.count) \(self.sources.count == 1 ? "source" : "sources"), "
            + (self.assumed.isEmpty ? "no assumptions" : "\(self.assumed.count) assumed")
        return "<details><summary><b>\(what)</b> \(Markup.escaped(name, atMost: 80)) — \(count)</summary>"
            + "<ul>\(sources)\(assumed)</ul></details>\n"
    }
}
