package import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneFit
package import DeadzoneHost
import DeadzoneSimulator
import DeadzoneTransport

/// Runs real programs in a scenario in real time. It creates namespaces for the phone and the server, passes packets
/// between them through the live path, and applies the timeline.
package struct LiveRun: ~Copyable {
    /// Maximum time from the start of the server program until it listens.
    package static let maxStartTime = TimeSpan.seconds(20)
    /// Maximum time from the exit of a server program with code 0 until a daemon that it left behind listens.
    private static let maxDaemonStartTime = TimeSpan.seconds(3)
    /// Time after which a server program with a UDP socket and no TCP listener is taken for a server of datagrams.
    private static let datagramSettleTime = TimeSpan.seconds(3)
    /// Time between two looks at the sockets of the client. Shorter than the tolerance of a fitted wait.
    private static let socketCheckInterval = TimeSpan.milliseconds(20)
    /// Time from the end of the app's process to its restart. Assumed: the time that a phone takes to start an app.
    static let relaunchDelay = TimeSpan.seconds(1)
    /// Time for a program to exit after the termination signal.
    static let shutdownGrace = TimeSpan.seconds(5)
    /// Maximum number of packets that are read from a device in one turn.
    private static let readBatch = 64

    enum Role: Int { case client, server }

    let plan: LivePlan
    let sandbox: Sandbox
    /// `nil` if the client is a program of this run.
    private let gateway: Gateway?
    private var gatewayClient = GatewayClient()
    var livePath: LivePath
    /// `nil` if the scenario has no operating system.
    let phone: LivePhone?
    var outcome = LiveOutcome()
    private var pendingChanges: [(at: Instant, index: Int)] = []
    var scheduledActions = DueHeap<ScheduledAction>()
    private var clock: Stopwatch?
    private var socketsCheckedAt = Instant.zero
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    var outputParsers = [ProgramOutputParser(), ProgramOutputParser()]
    var up = MessageTracker()
    var down = MessageTracker()
    /// Acknowledged messages that the client did not report as sent.
    var strayAcknowledgements: [Int64] = []
    var isRunning = [false, false]
    let hookCommands = OutsideCommands()
    /// For each hook, the number of times that it ran.
    var hookCounts: [Int]
    var hasEnded = false
    let onText: ([UInt8]) -> Void

    /// An action on a client or server process that is scheduled for a later time, such as a start.
    enum ScheduledAction: Sendable {
        case launch(Role), killUnlessEnded(Role)
    }

    /// - Parameters:
    ///   - gateway: The gateway of the real phone that is the client. `nil` starts the client program instead.
    ///   - onText: Receives program output other than reports.
    package init(_ plan: LivePlan, gateway: Gateway? = nil, onText: @escaping ([UInt8]) -> Void) throws(SystemFault) {
        self.plan = plan
        self.onText = onText
        hookCounts = Array(repeating: 0, count: plan.hooks.count)
        // A real phone has its own operating system.
        phone = gateway != nil ? nil : plan.world.platform.map { LivePhone($0, privileges: plan.privileges) }
        let names = [LivePlan.serverName] + plan.forwards.map(\.name)
        livePath = LivePath(plan.world, seed: plan.seed, phone: PhoneID(0))
        livePath.names = plan.world.resolver.map { NameServer($0, names: names, server: LivePlan.serverAddress) }
        let dice = TimelineDice(seed: plan.seed, phone: PhoneID(0))
        for (index, entry) in plan.world.timeline.enumerated() {
            if let at = entry.instant(dice) { pendingChanges.append((at, index)) }
        }
        self.gateway = gateway
        var programs = [Sandbox.Program(plan.client.isEmpty ? ["true"] : plan.client, at: .phone)]
        if let server = plan.server {
            // The server replaces the shell, so that signals and the exit code are its own.
            let line = server.hasPrefix("exec ") ? server : "exec \(server)"
            programs.append(Sandbox.Program(["/bin/sh", "-c", line], at: .server))
        }
        sandbox = try Sandbox(
            programs, forwards: plan.forwards.map(\.forward), gateway: gateway,
            server: LivePlan.serverAddress.sandboxAddress,
            hosts: Self.hosts(livePath.names == nil ? names : [], hasIPv6: plan.namesHaveIPv6),
            resolver: Self.resolver(livePath.names?.resolver))
    }

    deinit { buffer.deallocate() }

    /// Content of /etc/hosts.
    /// - Parameter names: Host names of the server.
    private static func hosts(_ names: [String], hasIPv6: Bool) -> String {
        let server = LivePlan.serverAddress.texts
        let lines = (hasIPv6 ? [server[1], server[0]] : [server[0]]).map { "\($0) \(names.joined(separator: " "))\n" }
        return "127.0.0.1 localhost\n::1 localhost\n" + (names.isEmpty ? "" : lines.joined())
    }

    /// Content of /etc/resolv.conf. Linux resolver libraries count whole seconds, and accept at most 30 seconds and
    /// five attempts (resolv.conf(5)). Only the IPv4 address of the name server is listed: libraries would ask a
    /// second one after the first, which doubles the time that the scenario sets.
    private static func resolver(_ resolver: Resolver?) -> String {
        let server = "nameserver \(NameServer.address.texts[0])\n"
        guard let resolver else {
            return "# deadzone: \(LivePlan.serverName) is in /etc/hosts\n\(server)options timeout:2 attempts:1\n"
        }
        let seconds = min(max(1, (resolver.timeout.nanoseconds + 999_999_999) / 1_000_000_000), 30)
        return "\(server)options timeout:\(seconds) attempts:\(min(max(1, resolver.attempts), 5))\n"
    }

    // MARK: The run

    /// Runs until the scenario ends, the client exits, or `isStopped` returns `true`.
    /// - Parameter progress: Called at most ten times per second.
    package mutating func run(
        isStopped: () -> Bool, progress: (LiveProgress) -> Void
    ) throws(SystemFault) -> (outcome: LiveOutcome, records: [Record]) {
        if plan.server != nil {
            sandbox.launch(Role.server.rawValue)
            isRunning[Role.server.rawValue] = true
            let start = sandbox.waitForServer(
                within: Self.maxStartTime, daemonWithin: Self.maxDaemonStartTime,
                datagramsFor: Self.datagramSettleTime, unless: isStopped)
            switch start {
            case .listening(let daemonParent): isRunning[Role.server.rawValue] = daemonParent == nil
            case .silent:
                // A run that was stopped during the wait says nothing about the server.
                outcome.serverWasSilent = !isStopped()
                outcome.notes.append("the server did not listen before the run began")
            case .exited(let exit):
                outcome.failedServerCode = exit.code
                isRunning[Role.server.rawValue] = false
                drain(Role.server.rawValue)
                return (outcome, [])
            }
        }
        clock = Stopwatch()
        applyChanges(upTo: Instant.zero)
        if gateway == nil { launch(.client) }
        var shown = TimeSpan.longest
        while !hasEnded, !isStopped(), now() < plan.world.horizon {
            try step()
            let at = now() - Instant.zero
            if shown == .longest || shown + .milliseconds(100) <= at {
                shown = at
                progress(progressReport(at))
            }
        }
        outcome.isComplete = !isStopped()
        return finish()
    }

    private mutating func step() throws(SystemFault) {
        let next = min(
            min(livePath.nextDue, pendingChanges.first?.at ?? .never, scheduledActions.next), phone?.dueAt ?? .never,
            plan.world.horizon)
        let hasSockets = gateway == nil && livePath.observer.hasOpenConnections
        let longest = hasSockets ? Self.socketCheckInterval : TimeSpan.milliseconds(100)
        let ready = sandbox.wait(atMost: min(next - now(), longest))
        for device in ready.devices { receive(from: device) }
        applyChanges(upTo: now())
        livePath.advance(to: max(livePath.now, now()))
        deliver()
        if hasSockets, socketsCheckedAt + Self.socketCheckInterval <= now() { checkSockets() }
        for program in ready.outputs { listen(to: program) }
        if ready.hasControlMessage { try handleProcessExits() }
        while scheduledActions.next <= now(), let action = scheduledActions.removeFirst() { performScheduled(action) }
    }

    /// Time since the start, limited to the end of the scenario: a run that ends late is as long as its simulated
    /// twin.
    func now() -> Instant { min(Instant.zero + (clock?.elapsed ?? TimeSpan.zero), plan.world.horizon) }

    private mutating func receive(from device: Sandbox.Device) {
        for _ in 0..<Self.readBatch {
            let count = sandbox.read(device, into: buffer)
            guard count > 0 else { return }
            let at = now()
            applyChanges(upTo: at)
            livePath.advance(to: max(livePath.now, at))
            guard let packet = Datagram(Array(buffer[..<count])), !packet.isNeighbourTraffic else { continue }
            // A client may have closed its old socket just before.
            if gateway == nil, device != .server, packet.isFirstSegment { checkSockets() }
            switch device {
            case .server: livePath.sendFromServer(packet)
            case .gateway: sendFromGatewayClient(packet)
            case .wifi, .cellular: livePath.send(packet)
            }
            deliver()
        }
    }

    /// Finds connections that the client has closed. A FIN waits behind unacknowledged bytes, and does not leave at all
    /// without a route, so packets show the close too late or never.
    private mutating func checkSockets() {
        socketsCheckedAt = now()
        for name in livePath.observer.openConnections {
            switch sandbox.socketState(of: name.sandboxEnds) {
            case .open: livePath.observer.socketFound(name)
            case .closed: livePath.observer.socketClosed(name, at: livePath.now)
            case .absent: livePath.observer.socketVanished(name, at: livePath.now)
            case .unknown: return
            }
        }
    }

    private mutating func sendFromGatewayClient(_ packet: Datagram) {
        guard let gateway, !gateway.isOwn(UInt32(truncatingIfNeeded: packet.destination.bits)) else { return }
        let preferred =
            livePath.interfaces.first { $0.address != nil && !$0.isFading }
            ?? livePath.interfaces.first { $0.address != nil }
        let packets = gatewayClient.outgoingPackets(packet, by: preferred?.address)
        if packet.source == gatewayClient.address { gateway.selectLastSender() }
        for packet in packets { livePath.send(packet) }
    }

    private mutating func deliver() {
        guard livePath.hasArrived else { return }
        for (packet, side, due) in livePath.takeArrived() {
            let device: Sandbox.Device
            switch side {
            case .server: device = .server
            case .phone(let interface):
                device = interface.device
                phone?.wake(for: .payload, at: due)
                applyPhoneActions()
                if livePath.isClosed { continue }
            }
            write(packet, to: device)
            outcome.packetsLate.add(max(.zero, now() - due))
        }
    }

    /// Writes to the namespace's device, or to the single device of a real phone.
    func write(_ packet: Datagram, to device: Sandbox.Device) {
        guard gateway != nil, device != .server else {
            return packet.bytes.withUnsafeBytes { sandbox.write($0, to: device) }
        }
        gatewayClient.incomingPacket(packet)?.bytes.withUnsafeBytes { sandbox.write($0, to: .gateway) }
    }

    /// Applies the timeline changes that are due, each at its exact time on the live path.
    private mutating func applyChanges(upTo limit: Instant) {
        while let (at, index) = pendingChanges.first, at <= limit {
            pendingChanges.removeFirst()
            if livePath.now < at { livePath.advance(to: at) }
            deliver()
            let change = plan.world.timeline[index].change
            let tookEffect = apply(change)
            outcome.changesLate.add(max(.zero, now() - at))
            livePath.observer.recordChange(index, tookEffect: tookEffect, at: livePath.now)
            // If the phone has an operating system, the hook for a push runs when the push is delivered.
            if !change.isPush || phone == nil { runHooks(change.labels.text, index) }
        }
        phone?.advance(to: limit)
        applyPhoneActions()
        advancePush()
    }

    private func progressReport(_ at: TimeSpan) -> LiveProgress {
        LiveProgress(
            at: at, next: pendingChanges.first.map { ($0.at, plan.world.timeline[$0.index].change.labels.text) },
            attempts: livePath.observer.flows.count { $0.attempts > 0 })
    }

    private mutating func finish() -> (outcome: LiveOutcome, records: [Record]) {
        let end = min(max(livePath.now, now()), plan.world.horizon)
        phone?.finish(at: max(livePath.now, end))
        applyPhoneActions()
        livePath.finish(at: max(livePath.now, end))
        for role in isRunning.indices where isRunning[role] { sandbox.signal(role, .end) }
        for program in plan.server == nil ? [0] : [0, 1] { drain(program) }
        finishMessages(at: livePath.now)
        outcome.notes += reportNotes
        addHookNotes()
        for (hook, count) in zip(plan.hooks, hookCounts) where count == 0 && outcome.isComplete && !hasEnded {
            outcome.notes.append("--on \(hook.event) ran nothing: no change of this run has this name")
        }
        outcome.length = livePath.now - Instant.zero
        outcome.flows = livePath.observer.flows
        outcome.packets = livePath.observer.packets
        outcome.radioCalls = livePath.radioCalls
        outcome.discardedPackets = livePath.observer.discardedPackets
        outcome.connections = livePath.observer.connectionTracker.connections.map {
            ("\($0.name.server.text):\($0.name.serverPort)", $0.line)
        }
        outcome.attempts = LiveAttempt.all(of: livePath.observer.flows)
        return (outcome, livePath.observer.records)
    }

    // MARK: Programs

    mutating func launch(_ role: Role) {
        if role == .server { livePath.observer.pathRestored(at: livePath.now) }
        sandbox.launch(role.rawValue)
        isRunning[role.rawValue] = true
        if role == .client, phone?.isSuspended == true { sandbox.signal(role.rawValue, .stop) }
    }

    private mutating func performScheduled(_ action: ScheduledAction) {
        switch action {
        case .launch(let role):
            launch(role)
            if role == .client { livePath.observer.appendRecord(.relaunched, at: livePath.now) }
        case .killUnlessEnded(let role): if isRunning[role.rawValue] { sandbox.signal(role.rawValue, .kill) }
        }
    }

    private mutating func handleProcessExits() throws(SystemFault) {
        while let ending = try sandbox.nextExit() {
            guard let role = Role(rawValue: ending.program) else { continue }
            isRunning[ending.program] = false
            if awaitingRestart.contains(role) {
                awaitingRestart.removeAll { $0 == role }
                scheduledActions.insert(.launch(role), at: role == .client ? now() + Self.relaunchDelay : now())
            } else if role == .client, !isAppEnded {
                outcome.clientCode = ending.code
                outcome.clientNeverStarted = ending.neverStarted
                drain(ending.program)
                hasEnded = true
            } else if role == .server, !isServerDown {
                if ending.code == 0 {
                    outcome.notes.append("the server program exited with code 0")
                } else {
                    outcome.crashedServerCodes.append(ending.code)
                }
            }
        }
    }

    /// Programs that are restarted when their process exits.
    var awaitingRestart: [Role] = []
    /// The user ended the app and has not started it again.
    var isAppEnded = false
    var isServerDown = false

    /// Reads all output that a program has already printed.
    private mutating func drain(_ program: Int) {
        for _ in 0..<Sandbox.outputChunks where !listen(to: program) { return }
    }

    /// Reads the next output of a program. Returns `false` if there is none.
    @discardableResult
    private mutating func listen(to program: Int) -> Bool {
        let bytes = sandbox.output(of: program)
        guard !bytes.isEmpty else { return false }
        let (reports, text) = outputParsers[program].parse(bytes)
        if !text.isEmpty {
            if program == Role.server.rawValue { outcome.hasServerOutput = true }
            onText(text)
        }
        for report in reports { handle(report, of: program == 0 ? .client : .server) }
        return true
    }
}

/// Progress of a live run, for display: current time, next timeline entry, number of connection attempts.
package struct LiveProgress: Sendable {
    package let at: TimeSpan
    package let next: (at: Instant, what: String)?
    package let attempts: Int
}
