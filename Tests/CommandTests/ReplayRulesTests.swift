import DeadzoneCommand
import Foundation
import Testing

/// Replays by the rules of other programs, which have no energy for single flows.
struct ReplayRulesTests {
    private static let flags = ["--rules aro", "--rules energybox"]

    @Test(arguments: flags)
    func flowsHaveNoEnergy(_ flags: String) throws {
        // Broken: each flow costs 0 J in a report of 100 J.
        let workspace = try TestWorkspace.replaying(ReplayReportTests.capture(seconds: 300))
        let document = try workspace.document("replay @a.pcap " + flags)
        let radio = try #require(document["radio"] as? [String: Any])
        #expect((radio["joules"] as? NSNumber)?.doubleValue ?? 0 > 10)
        let flows = try #require(document["flows"] as? [[String: Any]])
        #expect(!flows.isEmpty && flows.allSatisfy { $0["joules"] is NSNull })
        let text = workspace.run("replay @a.pcap " + flags).output
        let head = try #require(text.split(separator: "\n").first { $0.hasPrefix("flows with the most bytes") })
        #expect(!head.contains("joules") && text.contains("do not divide the energy among flows"), "\(text)")
        let page = workspace.run("replay @a.pcap --format html " + flags)
        #expect(page.code == .ok && page.output.contains("</html>") && !page.output.contains("with the most energy"))
        #expect(
            page.output.contains("<h2>Flows</h2>") && !page.output.contains(">joules</th><th scope=\"col\">packets"))
        let csv = workspace.run("replay @a.pcap --format csv " + flags).output
        #expect(
            csv.contains(",flow,")
                && !csv.split(separator: "\r\n").contains { $0.contains(",flow,") && $0.contains(",joules,") })
        let markdown = workspace.run("replay @a.pcap --format md " + flags).output
        #expect(markdown.contains("### Flows with the most bytes\n\n| flow | to | packets | bytes |"), "\(markdown)")
    }

    @Test(arguments: flags, ["lte-att-2012-aro", "umts-teliasonera"])
    func chosenProfilesAreExplained(_ flags: String, _ profile: String) throws {
        // Broken: other rules change the radio without a word, or a named profile is called a choice.
        let workspace = try TestWorkspace.replaying(ReplayReportTests.capture(seconds: 60))
        func choice(_ flags: String) throws -> String? {
            let notes = try workspace.document("replay @a.pcap " + flags)["notes"] as? [String]
            return notes?.first { $0.hasPrefix("without --profile, ") }
        }
        let usual = flags.hasSuffix("aro") ? "lte-att-2012-aro" : "umts-teliasonera"
        #expect(try choice(flags)?.contains("use \(usual), ") == true)
        #expect(try choice("") == nil)
        if profile == usual { #expect(try choice("\(flags) --profile \(profile)") == nil) }
    }

    @Test(arguments: flags, ["--strategies @clients.yaml", "--to-scenario @world.yaml"])
    func messagesNeedPhysicalRules(_ flags: String, _ output: String) throws {
        // Broken: the refusal says that a capture with messages contains none.
        let workspace = try TestWorkspace.replaying(ReplayReportTests.capture(seconds: 300))
        let outcome = workspace.run("replay @a.pcap \(flags) \(output)")
        #expect(outcome.code == .usage && outcome.errors.contains("error[E0311]"), "\(outcome.errors)")
        #expect(outcome.errors.contains("needs `--rules physical`") && !workspace.exists("world.yaml"))
        #expect(workspace.run("replay @a.pcap --rules physical \(output)").code == .ok)
    }

    @Test func helpSaysWhatOtherRulesLack() throws {
        // Broken: the help refuses a page that the command writes.
        let help = try TestWorkspace().run("help replay").output.replacing(/\s+/, with: " ")
        #expect(!help.contains("`--format html` needs"))
        #expect(help.contains("the timeline of the page, `--strategies` and `--to-scenario` need `--rules physical`"))
    }
}
