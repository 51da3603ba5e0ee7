import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

extension Flag {
    static let port = Flag(
        "port", takes: .number("N", 0...65_535), "Port of the page on 127.0.0.1 (default: a free one)")
    static let noOpen = Flag("no-open", "Print the address only, and open no browser")
}

extension Verb {
    static let studio: Verb = Verb(
        "studio", "Open a local page to edit a scenario and see its results at once",
        arguments: .optional("SCENARIO", "scenario file to edit and save (default: the example that `init` writes)"),
        flags: [.port, .noOpen],
        examples: [
            Example("deadzone studio mine.yaml", "edit a scenario in the browser, with sliders and timelines"),
            Example("deadzone studio", "begin with an example, and choose among the shipped scenarios"),
            Example(
                "deadzone studio mine.yaml --port 8000 --no-open", "print the address of the page, on a fixed port"),
        ],
        next: [
            Example("deadzone run mine.yaml", "run the saved scenario"),
            Example("deadzone guide studio", "read what the page offers"),
        ],
        details: """
            The page is served on 127.0.0.1, for this machine alone. It loads nothing from elsewhere, and sends nothing
            anywhere. The printed address contains a secret; without it, the page can do nothing. A file is written only
            by Save: the named scenario, or a new one in the working folder. Ctrl-C ends the page.

            While you type, the page shows errors with suggestions, and the timeline of one replica. After a pause it
            shows the results of all replicas: the numbers that `run` prints. A run stops after a minute, and as soon as
            the scenario changes.
            """
    ) { invocation, context in
        let files = try StudioFiles(invocation.arguments.first)
        let (server, token, launchKey): (LoopbackServer, String, String)
        do throws(SystemFault) {
            server = try LoopbackServer(port: invocation.number(.port) ?? 0)
            token = try SecretToken.make()
            launchKey = try SecretToken.make()
        } catch {
            throw ToolFault(
                .unreadable, error.message, help: ["another program may use the port; leave out --port"])
        }
        let page = "http://127.0.0.1:\(server.port)/"
        context.output.write(page + "#token=\(token)\n")
        guard context.output.flush() == nil else { return .runtime }
        if !invocation.has(.noOpen), context.outputTerminal.isInteractive {
            _ = WebBrowser.open(page + "#launch=\(launchKey)", context.environment)
        }
        if !invocation.has(.quiet) { context.errors.write("open this address in a browser; Ctrl-C ends\n") }
        let loopback = LoopbackGuard(port: server.port, token: token, launchKey: launchKey)
        server.serve(StudioSite(files, loopback, context), isStopped: context.isInterrupted)
        return .init(context.interruptionCode())
    }
}
